"""Rules that decide by algebra: an identity by `field`, then products of what is nonnegative."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theory.coq.duties import plainly, require, require_defined
from theory.coq.errors import NotExpressible
from theory.coq.matrices import plain as entrywise
from theory.coq.opening import equal, many_fractions
from theory.coq.proof import Proof
from theory.coq.scene import Scene
from theory.coq.statement import number
from theory.coq.world import World, covered
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.flat import Atoms, difference, polynomial_node
from theory.kernel.lang import Node, Relation, num, parse, sym, symbols
from theory.kernel.rings import RationalFunctions
from theory.kernel.sequent import released

DIFFERENCE = {"<=": "diff_le", "<": "diff_lt", ">=": "diff_ge", ">": "diff_gt", "==": "diff_eq"}
CONE = {"<=": "cone_le", "<": "cone_lt", ">=": "cone_ge", ">": "cone_gt"}


def rule_identity(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    goal, out = scene.goal, proof.out
    if scene.names.shape(goal.left) is not None:
        return _entrywise(proof, scene)
    pairs = _equations(cert, scene)
    if goal.op != "==":
        out.say(f"apply {'Req_le' if goal.op == '<=' else 'Req_ge'}.")
    if not pairs:
        world = World(out, scene, [goal.left, goal.right])
        return equal(out, scene, goal.left, goal.right, world.conditions([goal.left, goal.right]))
    total = _combined(pairs)
    out.say(f"apply (zero_eq _ _ {scene.text(total)}).")
    left = Node("-", (goal.left, goal.right))
    with out.block():
        world = World(out, scene, [left, total])
        equal(out, scene, left, total, world.conditions([left, total]))
    zeros = [f"(Rminus_diag_eq _ _ {hyp})" for _, hyp, _ in pairs]
    return out.say(f"rewrite {', '.join(zeros)}; ring.")


def _entrywise(proof: Proof, scene: Scene) -> None:
    """Two small matrices, entry by entry."""
    out, bound = proof.out, dict(scene.names.states)
    pairs = entrywise(scene.goal, bound)
    rows = scene.names.shape(scene.goal.left)
    assert rows is not None
    names = []
    for one in pairs:
        names.append(out.new("X"))
        with out.block(f"assert ({names[-1]} : {scene.text(one.left)} = {scene.text(one.right)})."):
            world = World(out, scene, [one.left, one.right])
            equal(out, scene, one.left, one.right, world.conditions([one.left, one.right]))
    width = rows[1]
    nested = [names[i : i + width] for i in range(0, len(names), width)]
    out.say(f"exact {_cons([_cons(row) for row in nested])}.")


def _cons(parts: list[str]) -> str:
    """Lists are equal when their entries are."""
    result = "eq_refl"
    for part in reversed(parts):
        result = f"(cons_eq {part} {result})"
    return result


def _equations(cert: Mapping[str, Any], scene: Scene) -> list[tuple[Node, str, Node]]:
    """(left - right, hypothesis, cofactor) for every equation that is used."""
    every = scene.every_fact()
    chosen = [(every[position], parse(cofactor)) for position, cofactor in cert.get("modulo", [])]
    if any(fact.op != "==" or fact.binder is not None for (fact, _), _ in chosen):
        raise NotExpressible("a cofactor of what is not an equation")
    return [(Node("-", (fact.left, fact.right)), hyp, cofactor) for (fact, hyp), cofactor in chosen]


def _combined(pairs: list[tuple[Node, str, Node]]) -> Node:
    total: Node | None = None
    for gap, _, cofactor in pairs:
        term = Node("*", (cofactor, gap))
        total = term if total is None else Node("+", (total, term))
    return total or num(0)


def rule_cone(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """multiplier * (right - left) = sum of c * facts * square² + cofactors * equations."""
    goal, out, every = scene.goal, proof.out, scene.every_fact()
    if goal.op in ("==", "!=") or goal.binder is not None:
        raise NotExpressible(f"a cone does not prove {goal}")
    node, strict = difference(goal)
    used = sorted({*cert.get("multiplier", []), *(i for t in cert["terms"] for i in t.get("of", []))})
    slots: dict[int, tuple[str, Node]] = {}
    equations = []
    for i in used:
        fact, hyp = every[i]
        if fact.op in ("==", "!=") or fact.binder is not None:
            raise NotExpressible(f"{fact} is no inequality")
        name = out.new("d")
        out.say(f"destruct ({DIFFERENCE[fact.op]} _ _ {hyp}) as ({name} & E{name} & S{name}).")
        slots[i] = (name, difference(fact)[0])
        equations.append(f"E{name}")
    pairs = _equations(cert, scene)
    multiplier = [slots[i] for i in cert.get("multiplier", [])]
    terms = [_term(scene, term, slots) for term in cert["terms"]]
    sure = [
        is_sure and all(every[i][0].op in ("<", ">") for i in cert["terms"][k].get("of", []))
        for k, (_, _, is_sure) in enumerate(terms)
    ]
    order = sorted(range(len(terms)), key=lambda k: not sure[k])
    first = [terms[k][0] for k in order]
    last = [f"{scene.text(c)} * {scene.text(g)}" for g, _, c in pairs]
    apart = _is_shared(scene, node, pairs)
    whole = [" + ".join(first) or "0", f"({' + '.join(last)})"] if apart else [*first, *last]
    total = " + ".join(whole) or "0"
    lead, same = " * ".join(name for name, _ in multiplier) or "1", out.new("I")
    with out.block(f"assert ({same} : ({lead}) * {scene.text(node)} = {total})."):
        if equations:
            out.say(f"rewrite {', '.join(equations)}.")
        left = _product([d for _, d in multiplier], node)
        right = _sum([terms[k][1] for k in order] + [Node("*", (c, g)) for g, _, c in pairs])
        world = World(out, scene, [left, right])
        equal(out, scene, left, right, world.conditions([left, right]))
    gaps = [f"(Rminus_diag_eq _ _ {hyp})" for _, hyp, _ in pairs]
    if apart:
        none, short = out.new("Z"), out.new("I")
        out.say(f"assert ({none} : {' + '.join(last)} = 0) by (rewrite {', '.join(gaps)}; ring).")
        out.say(f"assert ({short} := eq_trans {same} (eq_trans (f_equal2 Rplus eq_refl {none}) (Rplus_0_r _))).")
        same = short
    elif gaps:
        out.say(f"rewrite {', '.join(gaps)} in {same}.", f"rewrite ?Rmult_0_r in {same}.")
    forget = f" clear {same};" if many_fractions([left, right]) else ""  # which every number would be compared with
    out.say(f"apply ({CONE[goal.op]} ({lead}) _ _ _) with (2 := {same});{forget} [pp | {'pp' if strict else 'nn'}].")


def _is_shared(scene: Scene, node: Node, pairs: list[tuple[Node, str, Node]]) -> bool:
    """Whether an equation that is used, or a product with zero, stands in the difference itself."""
    shown = scene.text(node)
    return bool(pairs) and ("* 0)" in shown or any(scene.text(gap) in shown for gap, _, _ in pairs))


def _product(parts: list[Node], last: Node) -> Node:
    result: Node | None = None
    for part in parts:
        result = part if result is None else Node("*", (result, part))
    return Node("*", (result or num(1), last))


def _sum(parts: list[Node]) -> Node:
    total: Node | None = None
    for part in parts:
        total = part if total is None else Node("+", (total, part))
    return total or num(0)


def _term(scene: Scene, term: Mapping[str, Any], slots: Mapping[int, tuple[str, Node]]) -> tuple[str, Node, bool]:
    """The text in the named differences, the same as a formula, and whether it may be strictly positive."""
    weight = Fraction(term["c"])
    shown, nodes = [number(weight)], [num(weight)]
    for i in term.get("of", []):
        shown.append(slots[i][0])
        nodes.append(slots[i][1])
    if "sq" in term:
        square = Node("**", (parse(term["sq"]), num(2)))
        shown.append(scene.text(square))
        nodes.append(square)
    node = nodes[0]
    for one in nodes[1:]:
        node = Node("*", (node, one))
    return " * ".join(shown), node, weight > 0 and "sq" not in term


def rule_positive(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """In the slacks as names of their own: D * (right - left) = N, and neither has a negative coefficient."""
    goal = scene.goal
    if goal.op in ("==", "!=") or goal.binder is not None:
        raise NotExpressible(f"positive coefficients do not prove {goal}")
    node, strict = difference(goal)
    scene = require(proof, released(node), scene, cert.get("defined", {}))
    slacks: dict[str, Slack] = {}
    for name, slack in cert.get("slacks", {}).items():
        scene, slacks[name] = _slack(proof, scene, slack)
    _Positive(proof, scene, node, strict, slacks, cert.get("put", {})).conclude()


@dataclass(frozen=True)
class Slack:
    definition: Node
    called: str
    sign: str


def _slack(proof: Proof, scene: Scene, slack: Mapping[str, Any]) -> tuple[Scene, Slack]:
    out, new = proof.out, proof.out.new("s")
    definition = parse(slack["is"])
    scene = require_defined(proof, [definition], scene, slack.get("defined", {}))
    op = ">" if slack.get("strict") else ">="
    with out.block(f"assert (B{new} : {scene.text(definition)} {op} 0)."):
        proof.check(slack["because"], scene.show(Relation(op, definition, num(0))))
    lemma = "slack_gt" if op == ">" else "slack_ge"
    out.say(f"destruct ({lemma} _ B{new}) as ({new} & E{new} & S{new}).")
    return scene, Slack(definition, new, op)


class _Positive:
    """The difference in slacks, as the kernel computes it, and what Coq has to see of it."""

    def __init__(
        self, proof: Proof, scene: Scene, node: Node, strict: bool, slacks: Mapping[str, Slack], put: Mapping[str, str]
    ) -> None:
        self.proof, self.scene, self.node, self.strict, self.slacks = proof, scene, node, strict, slacks
        self.atoms = Atoms()
        flat = self.atoms.flatten(node)
        images = {name: parse(formula) for name, formula in put.items()}
        used = {n for p in images.values() for n in symbols(p)} | (symbols(flat) - set(images)) | set(slacks)
        self.names = tuple(sorted(used))
        ring = RationalFunctions(self.names)
        env: dict[str, Any] = ring.env()
        value = evaluate(flat, {**env, **{n: evaluate(f, env, ring) for n, f in images.items()}}, ring)
        if isinstance(value, Mat):
            raise NotExpressible("inequalities are between numbers")
        negative = any(c < 0 for c in value.den.to_dict().values())
        self.top, self.bottom = (-value.num, -value.den) if negative else (value.num, value.den)

    def conclude(self) -> None:
        out, scene, goal = self.proof.out, self.scene, self.scene.goal
        sign, same = out.new("D"), out.new("I")
        top, bottom = self._meaning(self.top), self._meaning(self.bottom)
        self.world = World(out, scene, [self.node, top, bottom])
        sure = covered(self.bottom, self.names, True, self._look)
        lower = sure or covered(self.bottom, self.names, False, self._look)
        upper = covered(self.top, self.names, self.strict, self._look)
        if (upper is None or lower is None) and out.bold:
            return out.say("first [lra | nra].")
        if upper is None or lower is None:
            raise NotExpressible("a coefficient is negative, or a name has no sign")
        with out.block(f"assert ({sign} : 0 < {lower})."):
            if sure:
                out.say("pp.")
            else:
                self._not_zero(bottom)
        with out.block(f"assert ({same} : ({lower}) * {scene.text(self.node)} = {upper})."):
            self._unfold()
            left = Node("*", (bottom, self.node))
            inner = World(out, scene, [left, top])
            equal(out, scene, left, top, inner.conditions([left, top]))
        ending = "pp" if self.strict else "nn"
        return out.say(f"apply ({CONE[goal.op]} ({lower}) _ _ _) with (2 := {same}); [exact {sign} | {ending}].")

    def _unfold(self) -> None:
        if self.slacks:
            self.proof.out.say(f"rewrite {', '.join(f'E{slack.called}' for slack in self.slacks.values())}.")

    def _not_zero(self, bottom: Node) -> None:
        """A denominator is nonnegative by its coefficients, and nonzero since its factors are divisors."""
        self.proof.out.say("apply nn_nz_pos; [nn | ].")
        self._unfold()
        plainly(self.proof.out, "nonzero", bottom, self.scene)

    def _meaning(self, poly: Any) -> Node:
        return self._restore(polynomial_node(poly, self.names))

    def _restore(self, node: Node) -> Node:
        if node.op == "sym":
            name = str(node.value)
            return self.slacks[name].definition if name in self.slacks else self.atoms.opaque.get(name, node)
        return Node(node.op, tuple(map(self._restore, node.args)), node.value) if node.args else node

    def _look(self, name: str) -> tuple[str, str | None]:
        if name in self.slacks:
            return self.slacks[name].called, self.slacks[name].sign
        node = self.atoms.opaque.get(name, sym(name))
        return self.scene.text(node), self.world.node_sign(node)
