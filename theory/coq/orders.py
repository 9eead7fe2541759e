"""Rules about matrices of every size: orders as sums of nonnegative parts, numbers made of letters multiplied out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from theory.coq.counting import casts, counted, is_moving, recast, recounted, rewritten
from theory.coq.duties import require_defined
from theory.coq.errors import NotExpressible
from theory.coq.forms import equate, sized_by
from theory.coq.kinds import Pinned, called, expectation, horizon, inverse_of, is_random, matrix, number, size, times_of
from theory.coq.nested import Identity, is_deep, is_nested
from theory.coq.opening import equal
from theory.coq.proof import Proof
from theory.coq.scene import Scene
from theory.coq.statement import Names, integer, natural, range_text
from theory.coq.world import World as CoqWorld
from theory.kernel.counting import by_form
from theory.kernel.errors import KernelError
from theory.kernel.kinds import NUMBER, Letter, World, has_letters, index_form, settled, size_node, size_of
from theory.kernel.lang import FOREVER, Node, Relation, num, substitute, sym, symbols, text, walk
from theory.kernel.orders import _identity, _space, advanced, difference, expanded, placed
from theory.kernel.orders import rewritten as kernel_rewritten
from theory.kernel.rings import RationalFunctions
from theory.kernel.sequent import is_natural
from theory.kernel.terms import Terms, formula, normal, scalar_atoms, scalar_names

Item = Mapping[str, Any]
Show = Callable[[], None]  # prints the tactics for the current goal


def shown(node: Node, names: Names) -> str:
    return (number if size_of(node) == NUMBER else matrix)(node, names)


def minus(left: Node, right: Node) -> Node:
    return Node("-", (left, right))


def nothing(node: Node) -> Node:
    """Zero, of the same size."""
    rows, cols = size_of(node)
    return num(0) if (rows, cols) == NUMBER else Node("O", (size_node(rows), size_node(cols)))


@dataclass(frozen=True)
class Part:
    """A part of the sum: a formula, and how it is shown to be nonnegative."""

    node: Node
    show: Show


def rule_order(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    _Order(proof, cert, scene).run()


def rule_only(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    kept = [int(position) for position in cert["facts"]]
    sequent = scene.sequent.only(tuple(scene.sequent.facts[i] for i in kept))
    proof.check(cert["then"], replace(scene, sequent=sequent, hyps=tuple(scene.hyps[i] for i in kept)))


def rule_expand(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """The same relations with both sides in normal form; numbers made of letters keep their texts in Coq."""
    after, out = expanded(scene.sequent, str(cert["stem"])), proof.out
    terms, before = dict(scene.names.terms or {}), _unnamed(scene, str(cert["stem"]))
    for name, node in before.items():
        terms[name] = number(node, scene.names)
    names = replace(scene.names, terms=terms)
    hyps = []
    for old, new, hyp in zip(scene.sequent.facts, after.facts, scene.hyps, strict=True):
        if old == new:
            hyps.append(hyp)
            continue
        hyps.append(out.new("F"))
        full = Relation(new.op, _full(new.left, before), _full(new.right, before))
        with out.block(f"assert ({hyps[-1]} : {scene.relation(full)})."):
            _same(proof, scene, old, full, hyp)
    goal = Relation(after.goal.op, _full(after.goal.left, before), _full(after.goal.right, before))
    for was, now in ((scene.goal.left, goal.left), (scene.goal.right, goal.right)):
        if was != now:
            same = out.new("Q")
            with out.block(f"assert ({same} : {scene.text(was)} = {scene.text(now)})."):
                equate(out, was, now, scene.names, scene.sequent.world, proof.kinds)
            out.say(f"rewrite {same}.")
    proof.check(cert["then"], replace(scene, sequent=after, hyps=tuple(hyps), names=names))


def _same(proof: Proof, scene: Scene, old: Relation, new: Relation, hyp: str) -> None:
    out, made = proof.out, []
    if new.op == "==" and new.left == new.right:
        return out.say("reflexivity.")
    for was, now in ((old.left, new.left), (old.right, new.right)):
        if was != now:
            made.append(out.new("Q"))
            with out.block(f"assert ({made[-1]} : {scene.text(was)} = {scene.text(now)})."):
                equate(out, was, now, scene.names, scene.sequent.world, proof.kinds)
    return out.say(f"rewrite {', '.join(f'<- {one}' for one in made)}; exact {hyp}." if made else f"exact {hyp}.")


def _unnamed(scene: Scene, stem: str) -> dict[str, Node]:
    """What the names of `expanded` stand for."""
    from theory.kernel.flat import Atoms
    from theory.kernel.orders import _multiplied

    relations = [_multiplied(r, scene.sequent.world) for r in (scene.goal, *scene.sequent.facts)]
    atoms = Atoms()
    for relation in relations:
        if relation.binder is None and size_of(relation.left) == NUMBER:
            atoms.flatten(minus(relation.left, relation.right))
    numbers = sorted(name for name, node in atoms.opaque.items() if has_letters(node))
    return {f"{stem}{i}": atoms.opaque[atom] for i, atom in enumerate(numbers, start=1)}


def _full(node: Node, named: Mapping[str, Node]) -> Node:
    if node.op == "sym":
        return named.get(str(node.value), node)
    return Node(node.op, tuple(_full(arg, named) for arg in node.args), node.value) if node.args else node


class _Order:
    """multiplier * (big - small) = the sum of the parts, after rewriting; the parts are nonnegative."""

    def __init__(self, proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
        self.proof, self.cert, self.scene, self.out = proof, cert, scene, proof.out
        self.world, self.names = scene.sequent.world, scene.names
        self.defined = cert.get("defined", {})
        self.sums: list[Node] = []  # of matrices, in the formulas of the identity

    def run(self) -> None:
        goal, out = self.scene.goal, self.out
        if goal.binder is not None or goal.op not in ("<<", "<=", ">=", "=="):
            raise NotExpressible(f"order does not prove {goal}")
        small, big = (goal.right, goal.left) if goal.op in (">=", "==") else (goal.left, goal.right)
        gap = minus(big, small)
        is_number = size_of(gap) == NUMBER
        factors = [self.scene.every_fact()[int(i)] for i in self.cert.get("multiplier", [])]
        left = gap
        for fact, _ in factors:
            left = Node("*", (difference(fact), left))
        if is_number and goal.op != "==" and not factors:
            left = Node("*", (num(1), gap))
        parts = [self.part(item, self.world) for item in self.cert.get("items", [])]
        total = self._total(parts, gap)
        same = out.new("I")
        self._require([left, total])
        with out.block(f"assert ({same} : {shown(left, self.names)} = {shown(total, self.names)})."):
            self._identity(left, total)
        self._conclude(goal, left, gap, factors, parts, total, same)

    def _require(self, nodes: list[Node]) -> None:
        self.scene = require_defined(self.proof, nodes, self.scene, _plain_labels(self.defined))

    def _total(self, parts: list[Part], gap: Node) -> Node:
        if not parts:
            return nothing(gap)
        total = parts[0].node
        for part in parts[1:]:
            total = Node("+", (total, part.node))
        return total

    def _conclude(
        self, goal: Relation, left: Node, gap: Node, factors: list[Any], parts: list[Part], total: Node, same: str
    ) -> None:
        out, is_number = self.out, size_of(gap) == NUMBER
        if goal.op == "==":
            if is_number:
                out.say(f"apply (zero_eq _ _ _ {same}).")
                return self._all_vanish(parts, "Rplus_eq_R0_", True)
            same_text = shown(left, self.names) == shown(total, self.names)
            rewrite = f"try rewrite {same}" if is_nested(self.world) else f"rewrite {same}"  # samples have other names
            out.say("apply minus_some." if same_text else f"apply minus_some. {rewrite}.")
            return self._all_vanish(parts, "", False)
        if is_number:
            lead = shown(left.args[0], self.names) if not factors else None
            lemma = "cone_ge" if goal.op == ">=" else "cone_le"
            multiplier, equation = self._lead(factors, same, gap)
            out.say(f"apply ({lemma} {multiplier if lead is None else lead} _ _ _) with (2 := {equation}).")
            with out.block():
                self._positive(factors)
            with out.block():
                self._all_nonnegative(parts, True)
            return None
        rows = size(size_of(gap)[0])
        if not factors:
            out.say(f"apply (below_of {rows} _ _ _) with (2 := {same}).")
        else:
            multiplier, equation = self._lead(factors, same, gap)
            out.say(f"apply (below_scaled {rows} {multiplier} _ _ _) with (3 := {equation}).")
            with out.block():
                self._positive(factors)
        with out.block():
            self._all_nonnegative(parts, False)
        return None

    def _lead(self, factors: list[Any], same: str, gap: Node) -> tuple[str, str]:
        """The multipliers as one number before the gap."""
        if len(factors) == 1:
            return shown(difference(factors[0][0]), self.names), same
        if not factors:
            return "1", same
        texts = [shown(difference(fact), self.names) for fact, _ in factors]
        product = texts[-1]
        for one in reversed(texts[:-1]):
            product = f"({product} * {one})"
        equation, inner = self.out.new("I"), shown(gap, self.names)
        whole = f"{product} * {inner}" if size_of(gap) == NUMBER else f"scale {product} {inner}"
        tactic = "ring" if size_of(gap) == NUMBER else "rewrite <- !scale_scale; reflexivity"
        right = f"(eq_trans {equation} {same})"
        nested = inner
        for one in texts:
            nested = f"({one} * {nested})" if size_of(gap) == NUMBER else f"(scale {one} {nested})"
        self.out.say(f"assert ({equation} : {whole} = {nested}) by ({tactic}).")
        return product, right

    def _positive(self, factors: list[Any]) -> None:
        if not factors:
            return self.out.say("lra.")
        for fact, hyp in factors:
            lemma = "lt_pp" if fact.op == "<" else "gt_pp"
            self.out.say(f"assert ({self.out.new('P')} := {lemma} _ _ {hyp}).")
        return self.out.say("pp.")

    def _all_nonnegative(self, parts: list[Part], is_number: bool) -> None:
        if not parts:
            return self.out.say("apply Rle_refl." if is_number else "apply nn_of_zero; reflexivity.")
        for part in reversed(parts[1:]):
            self.out.say(f"apply {'add_nn' if is_number else 'nn_plus'}; cycle 1.")
            with self.out.block():
                part.show()
        return parts[0].show()

    def _all_vanish(self, parts: list[Part], _: str, is_number: bool) -> None:
        """The parts of an equation are zero, each by its own equation."""
        if not parts:
            return self.out.say("reflexivity.")
        zeros = []
        for part in parts:
            zeros.append(self.out.new("Z"))
            end = "0" if is_number else "zero"
            with self.out.block(f"assert ({zeros[-1]} : {shown(part.node, self.names)} = {end})."):
                part.show()
        self.out.say(f"rewrite {', '.join(zeros)}.")
        return self.out.say("ring." if is_number else "rewrite ?plus_zero; reflexivity.")

    # ---- parts

    def part(self, item: Item, world: World) -> Part:
        given = {str(name): str(space) for name, space in item.get("E", {}).items()}
        samples = dict(sorted(given.items(), key=lambda one: is_deep(one[1], world)))  # the past is outside
        inner = world.with_samples(samples)
        is_equation = "eq" in item
        made = self._equation(item, inner) if is_equation else self._nonnegative(item, inner)
        if is_equation:
            node, core, base = made  # type: ignore[misc]
            for name, space in samples.items():
                node = Node("mean", (sym(name), node), space)
            return Part(node, lambda: self._vanishing(node, core, base))
        part: Part = made  # type: ignore[assignment]
        for name, space in samples.items():
            part = self._mean(part, name, space)
        return part

    def _mean(self, part: Part, name: str, space: str) -> Part:
        node = Node("mean", (sym(name), part.node), space)
        lemma = "m_pos _" if size_of(node) == NUMBER else "nn_average _ _"

        def show() -> None:
            self.out.say(f"apply ({lemma} {self._expectation(node)}); intro {called(name)}.")
            part.show()

        return Part(node, show)

    def _expectation(self, node: Node) -> str:
        return expectation(node, self.names)

    def _nonnegative(self, item: Item, world: World) -> Part:
        if "tr" in item:
            first, second = (self.part(one, world) for one in item["tr"])
            node = Node("tr", (Node("@", (first.node, second.node)),))
            part = Part(node, lambda: self._two("apply trace_product.", first.show, second.show))
        else:
            part = self._congruence(item, world)
        for factor in item.get("c", []):
            part = self._scaled(self._factor(factor, world), part)
        return part

    def _scaled(self, factor: Part, part: Part) -> Part:
        node = Node("*", (factor.node, part.node))
        lemma = "mul_nn" if size_of(node) == NUMBER else "nn_scale"
        return Part(node, lambda: self._two(f"apply {lemma}.", factor.show, part.show))

    def _two(self, opening: str, first: Show, second: Show) -> None:
        self.out.say(opening)
        for one in (first, second):
            with self.out.block():
                one()

    def _say(self, *lines: str) -> Show:
        return lambda: self.out.say(*lines)

    def _congruence(self, item: Item, world: World) -> Part:
        left = self.read(world, item["L"]) if "L" in item else None
        middle = self._middle(item, world)
        if left is None:
            assert middle is not None
            return middle
        turned = Node("T", (left,))
        if middle is None:
            node = Node("@", (left, turned))
            if size_of(left) == NUMBER:
                return Part(node, self._say("exact (Rle_0_sqr _)."))
            return Part(node, self._say("apply gram_entry." if size_of(node) == NUMBER else "apply nn_gram."))
        if size_of(middle.node) == NUMBER:
            middle = self._times_identity(middle, left)
        node = Node("@", (Node("@", (left, middle.node)), turned))
        if size_of(left) == NUMBER:
            opening = "apply sandwich_nn."
        else:
            opening = "apply congruence_entry." if size_of(node) == NUMBER else "apply nn_congruence."
        held = middle

        def show() -> None:
            self.out.say(opening)
            held.show()

        return Part(node, show)

    def _times_identity(self, middle: Part, left: Node) -> Part:
        unit = _identity(left)
        last = self._say("lra." if size_of(unit) == NUMBER else "apply nn_identity.")
        return self._scaled(middle, Part(unit, last))

    def _middle(self, item: Item, world: World) -> Part | None:
        if "of" in item:
            fact, hyp = self.fact(item["of"], item, world)
            return Part(difference(fact), self._by_fact(fact, hyp))
        if "psd" not in item:
            return None
        node = self.read(world, item["psd"])
        letter = node.args[0] if node.op == "inv" else node
        name = letter.value.name
        if node.op == "inv":
            known = " ".join(self.proof.kinds[what, name] for what in ("inverse", "sized", "nonneg"))
            held = f"(nn_inverse _ _ _ {known})"
            return Part(node, self._say(f"exact {held}."))
        return Part(node, self._say(f"apply {self.proof.kinds['nonneg', name]}."))

    def _by_fact(self, fact: Relation, hyp: str) -> Show:
        if fact.op == "<<" and size_of(fact.left) != NUMBER:
            return self._say(f"exact {hyp}.")
        lemma = {"<=": "le_nn", "<<": "le_nn", ">=": "ge_nn", "<": "lt_pp", ">": "gt_pp"}[fact.op]
        term = f"({lemma} _ _ {hyp})"
        return self._say(f"exact {term}." if fact.op not in ("<", ">") else f"exact (pos_nn _ {term}).")

    def _factor(self, factor: Item, world: World) -> Part:
        if "sq" in factor:
            node = self.read(world, factor["sq"])
            return Part(Node("*", (node, node)), self._say("exact (Rle_0_sqr _)."))
        if "fact" in factor:
            fact, hyp = self.fact(factor["fact"], factor, world)
            return Part(difference(fact), self._by_fact(fact, hyp))
        node = self.read(self.world, factor["is"])
        held = self.out.new("P")
        goal = Relation(">=", node, num(0))
        self._require([node])
        with self.out.block(f"assert ({held} : {self.scene.relation(goal)})."):
            self.proof.check(factor["because"], self.scene.show(goal))
        return Part(node, self._say(f"exact (Rge_le _ _ {held})."))

    def read(self, world: World, source: Any) -> Node:
        node = world.read(str(source))
        if not any(symbols(node) & set(world.samples) - set(self.world.samples) for _ in (0,)):
            self._require([node])
        return node

    def fact(self, position: Any, item: Item, world: World) -> tuple[Relation, str]:
        """A fact at the indices and samples that the certificate gives, and its Coq term."""
        fact, hyp = self.scene.every_fact()[int(position)]
        if fact.binder is None:
            return fact, hyp
        plain, duties = placed(fact, item.get("at", {}), self.scene.sequent, world)
        for duty in duties:
            if not by_form(duty, self.scene.sequent):
                with self.out.block(f"assert ({self.out.new('D')} : {self.scene.relation(duty)})."):
                    self.proof.check(item.get("within", {})[str(duty)], self.scene.show(duty))
        term = self._term(fact, hyp, item.get("at", {}), world)
        if is_moving(plain):
            term = recast(self.out, term, self.scene.relation(plain))
        return plain, term

    def _term(self, fact: Relation, hyp: str, at: Mapping[str, str], world: World) -> str:
        term, put = hyp, dict[str, Node]()
        equations: list[str] = []
        for index, lo, hi in fact.binders:
            if lo.op == "domain":
                term = f"{term} {called(str(at[index]))}"
                continue
            image = world.read(str(at[index]))
            if lo.op == "points":
                term = f"{term} {matrix(image, self.names)} {sized_by(image, self.names, self.proof.kinds)}"
                continue
            ends = substitute(lo, put), hi if hi == FOREVER else substitute(hi, put)
            place, inside = integer(image, self.names), self.out.new("W")
            self.out.say(f"assert ({inside} : {range_text(*ends, place, self.names)}) by inside.")
            equations += [*casts(self.out, self.scene, image), *counted(self.out, image)]
            term, put = f"{term} {place} {inside}", {**put, index: image}
        equations += recounted(self.out, (fact.left, fact.right), put, self.names) if put else []
        for _ in self.scene.senses.get(hyp, ()):
            term = f"proj2 ({term})"
        if equations:
            whole = self.out.new("T")
            self.out.say(f"assert ({whole} := {term}).")
            rewritten(self.out, equations, f" in {whole}")
            return whole
        return f"({term})"

    # ---- equations

    def _equation(self, item: Item, world: World) -> tuple[Node, Node, Show]:
        fact, hyp = self.fact(item["eq"], item, world)
        if item.get("sym"):
            core = difference(fact)
            core = minus(Node("T", (core,)), core)
            base = self._say(f"exact (below_sym _ _ _ {hyp}).")
        else:
            core = minus(fact.left, fact.right)
            lemma = "Rminus_diag_eq" if size_of(core) == NUMBER else "minus_none"
            base = self._say(f"exact ({lemma} _ _ {hyp}).")
        node = Node("T", (core,)) if item.get("T") else core
        node = Node("@", (self.read(world, item["L"]), node)) if "L" in item else node
        node = Node("@", (node, self.read(world, item["R"]))) if "R" in item else node
        node = Node("tr", (node,)) if item.get("tr") else node
        node = Node("*", (self.read(world, item["k"]), node)) if "k" in item else node
        return node, core, base

    def _vanishing(self, node: Node, core: Node, base: Show) -> None:
        """The goal is 0 <= node, nonneg node, or node = 0."""
        if self.scene.goal.op != "==":
            self.out.say("apply none_nn." if size_of(node) == NUMBER else "apply nn_of_zero.")
        self._walk(node, core, base)

    def _walk(self, node: Node, core: Node, base: Show) -> None:
        if node is core:
            return base()
        is_number, args = size_of(node) == NUMBER, node.args
        match node.op:
            case "mean":
                lemma = "none_mean _" if is_number else "none_average _"
                self.out.say(f"apply ({lemma} {self._expectation(node)}); intro {called(str(args[0].value))}.")
                return self._walk(args[1], core, base)
            case "*":
                factor = not is_number and size_of(args[1]) == NUMBER
                self.out.say("apply none_product." if is_number else f"apply none_{'factor' if factor else 'scale'}.")
                return self._walk(args[1], core, base)
            case "tr":
                if size_of(args[0]) != NUMBER:
                    self.out.say("apply none_trace.")
                return self._walk(args[0], core, base)
            case "T":
                if not is_number:
                    self.out.say("apply none_flip.")
                return self._walk(args[0], core, base)
            case "@":
                return self._walk_product(node, core, base)
        raise NotExpressible(f"{node.op} around an equation")

    def _walk_product(self, node: Node, core: Node, base: Show) -> None:
        left, right = node.args
        second = _holds(right, core)
        child = right if second else left
        if size_of(left) == NUMBER and size_of(right) == NUMBER:
            self.out.say("apply none_product." if second else "apply none_product_r.")
            return self._walk(child, core, base)
        if size_of(node) == NUMBER:
            self.out.say("apply none_entry.")
        self.out.say("apply none_left." if second else "apply none_right.")
        if size_of(child) == NUMBER:
            self.out.say("apply none_number.")
        return self._walk(child, core, base)

    # ---- the identity

    def _equate(self, left: Node, right: Node) -> None:
        if not has_letters(left) and not has_letters(right):
            world = CoqWorld(self.out, self.scene, [left, right])
            return equal(self.out, self.scene, left, right, world.conditions([left, right]))
        return equate(self.out, left, right, self.names, self.world, self.proof.kinds)

    def _identity(self, left: Node, total: Node) -> None:
        steps = list(self.cert.get("ops", []))
        if is_nested(self.world) and has_letters(left):
            return self._nested(left, total, steps)
        if not steps:
            return self._equate(left, total)
        gap = minus(left, total)
        is_number = size_of(gap) == NUMBER
        self.out.say("apply Rminus_diag_uniq." if is_number else "apply minus_some.")
        rewrites = [None if step == "advance" else self._rewrite(step) for step in steps]
        nodes = [gap, *(side for one in rewrites if one for side in (one[0].left, one[0].right))]
        nodes += [side for step in self.world.steps.values() for side in (step.body, step.start)]
        self.sums = [p for node in nodes for p in walk(node) if p.op == "sum" and size_of(p) != NUMBER]
        _, opaque = scalar_atoms(nodes)
        ring = RationalFunctions(scalar_names(nodes))
        value, here = normal(gap, ring), gap
        for one in rewrites:
            after = advanced(value, self.scene.sequent, ring) if one is None else kernel_rewritten(value, one[0], ring)
            if one is not None and self._stands(here, one[0], after, ring):
                here = self._replace(_pinned(here, self.names), *one)
            else:
                current = self._written(value, opaque)
                self._onward(here, current)
                here = self._advance(current) if one is None else self._replace(current, *one)
            value = after
        return self._equate(here, nothing(gap))

    def _nested(self, left: Node, total: Node, steps: list[Any]) -> None:
        """Both sides as they stand, step by step."""
        rewriting = {i: self._open(step) for i, step in enumerate(steps) if isinstance(step, dict) and "use" in step}
        Identity(self.proof, self.scene, left, total).prove(steps, rewriting)

    def _open(self, step: Item) -> tuple[Relation, Callable[[Mapping[str, str]], str]]:
        """An equation with its open samples, and its Coq term at samples that are found for them."""
        fact, hyp = self.scene.every_fact()[int(step["use"])]
        at = dict(step.get("at", {}))
        open_ = {name: f"{name}'" for name, lo, _ in fact.binders if lo.op == "domain" and name not in at}
        spaces = {new: _space(fact, name) for name, new in open_.items()}
        world = self.world.with_samples(spaces)
        plain, _ = placed(fact, {**at, **open_}, self.scene.sequent, world) if fact.binders else (fact, [])

        def term(found: Mapping[str, str]) -> str:
            here = {**at, **{name: found[new] for name, new in open_.items()}}
            return self._term(fact, hyp, here, self.world) if fact.binders else hyp

        return plain, term

    def _onward(self, here: Node, then: Node) -> None:
        self._require([then])
        self.out.say(f"transitivity {shown(then, self.names)}.")
        with self.out.block():
            self._equate(here, then)

    def _written(self, value: Terms, opaque: Mapping[str, Node]) -> Node:
        """The normal form as a formula; sums of matrices are letters there, and sums again here."""
        sums = {text(node): node for node in self.sums}
        fake = {name: Letter(name, (), *size_of(node)) for name, node in sums.items()}
        node = formula(value, {**self.world.letters, **fake}, opaque)
        for name, letter in fake.items():
            node = _exchanged(node, Node("letter", (), letter), sums[name])
        return _pinned(node, self.names)

    def _rewrite(self, step: Item) -> tuple[Relation, str]:
        """An equation that rewrites, with its open samples under names that nobody can write, and its Coq term."""
        fact, hyp = self.scene.every_fact()[int(step["use"])]
        open_ = {
            name: f"{name}'" for name, lo, _ in fact.binders if lo.op == "domain" and name not in step.get("at", {})
        }
        if not open_:
            return self.fact(step["use"], step, self.world)
        if len(fact.binders) != 1:
            raise NotExpressible(f"{fact}: an equation for every sample and every index")
        space = str(fact.binders[0][1].value)
        world = self.world.with_samples(dict.fromkeys(open_.values(), space))
        plain, _ = placed(fact, {**step.get("at", {}), **open_}, self.scene.sequent, world)
        return plain, f"(everywhere_equal _ _ {hyp})"

    def _replace(self, node: Node, equation: Relation, hyp: str) -> Node:
        """Every occurrence of the left side replaced by the right side."""
        new = _replaced(node, equation)
        if new != node:
            self.out.say(f"rewrite {hyp}; cbv beta.")
            self.out.say(f"change ({shown(new, self.names)} = {'0' if size_of(new) == NUMBER else 'zero'}).")
        return new

    def _stands(self, node: Node, equation: Relation, after: Terms, ring: RationalFunctions) -> bool:
        """Whether the letter may be replaced in the formula as it stands, which is far shorter than its normal form."""
        if any(equation.left in walk(arg) for part in walk(node) if part.op == "letter" for arg in part.args):
            return False  # Coq would replace it within a function of it, too
        pinned = _pinned(node, self.names)
        try:
            left = normal(_replaced(pinned, equation), ring) + -after
        except KernelError:  # more terms than the kernel puts up with
            return False
        return not left.terms and shown(pinned, self.names) == shown(node, self.names)

    def _advance(self, node: Node) -> Node:
        for mean in _outermost_means(node):
            new = self._stepped(mean)
            if new == mean:
                continue
            same = self.out.new("A")
            with self.out.block(f"assert ({same} : {shown(mean, self.names)} = {shown(new, self.names)})."):
                self._step_proof(mean)
            self.out.say(f"rewrite ?{same}.")
            node = _exchanged(node, mean, new)
        return node

    def _latest(self, mean: Node) -> Node | None:
        if not isinstance(mean.value, Pinned):
            return None
        before = index_form(minus(mean.value.count, num(1)))
        times = list(times_of(mean))
        return before if times and is_natural(before, self.names.naturals | self.names.indices) else None

    def _stepped(self, node: Node) -> Node:
        if node.op == "mean":
            before = self._latest(node)
            body = self._stepped(node.args[1])
            if before is None:
                return Node("mean", (node.args[0], body), node.value)
            past = str(node.args[0].value)
            fresh = f"{past}_next"
            late = node.value.count
            space = next(iter(self.world.steps.values())).space
            body = _taken(body, late, before, past, fresh, self.world)
            return Node(
                "mean", (node.args[0], Node("mean", (sym(fresh), body), space)), Pinned(node.value.space, before)
            )
        return Node(node.op, tuple(map(self._stepped, node.args)), node.value) if node.args else node

    def _step_proof(self, node: Node) -> None:
        """Below all means of a term, one after the other; histories draw their last sample apart."""
        rewrites: list[str] = []
        is_number = size_of(node) == NUMBER
        while node.op == "mean":
            name, before = called(str(node.args[0].value)), self._latest(node)
            lemma = "m_ext _" if is_number else "av_ext _"
            if before is not None:
                time = natural(before, self.names)
                if natural(node.value.count, self.names) != f"({time} + 1%nat)%nat":
                    raise NotExpressible("a step to a time that is not written as t + 1")
                self.out.say(f"rewrite {'history_step' if is_number else 'average_step'}.")
                self.out.say(f"apply ({lemma} (history_expectation E HE h0 {time})); intro {name}.")
                fresh = called(f"{node.args[0].value}_next")
                self.out.say(f"apply ({lemma} (s_mean _ HE)); intro {fresh}.")
                rewrites += self._steps(node, name, fresh, time)
            else:
                self.out.say(f"apply ({lemma} {self._expectation(node)}); intro {name}.")
            node = node.args[1]
        self.out.say("cbv beta.", *rewrites, "reflexivity.")

    def _steps(self, mean: Node, past: str, fresh: str, time: str) -> list[str]:
        states = [self.proof.kinds["step", name] for name in self.world.steps]
        lines = [f"rewrite ?{', ?'.join(states)}; cbv zeta; rewrite ?put_same."]
        times = {natural(one, self.names) for one in times_of(mean)} - {f"({time} + 1%nat)%nat"} | {time}
        for name in self.world.steps:
            for one in sorted(times):
                near = f"(agree_put {time} {one} {past} {fresh} ltac:(lia))"
                lines.append(f"rewrite ?(dep_{called(name)} {one} (put {past} {time} {fresh}) {past} {near}).")
        return lines


def _plain_labels(certs: Mapping[str, Any]) -> dict[str, Any]:
    """Divisors below a mean do not depend on its sample: the labels lose their binders."""
    return {**{label.split(" for ")[0]: one for label, one in certs.items()}, **certs}


def _holds(node: Node, core: Node) -> bool:
    return node is core or any(_holds(arg, core) for arg in node.args)


def _replaced(node: Node, equation: Relation) -> Node:
    left = equation.left
    if node == left:
        return equation.right
    if node.op == "letter" == left.op and node.value == left.value and is_random(node.value):
        mark = str(left.args[-1].value)
        if mark.endswith("'") and node.args[:-1] == left.args[:-1]:
            return settled(substitute(equation.right, {mark: node.args[-1]}))
    return Node(node.op, tuple(_replaced(arg, equation) for arg in node.args), node.value) if node.args else node


def _pinned(node: Node, names: Names) -> Node:
    """Means over histories with the number of samples written down, so that it stays when states are replaced."""
    if node.op == "sum":  # one matrix or one number here, whatever stands below
        return node
    args = tuple(_pinned(arg, names) for arg in node.args)
    made = Node(node.op, args, node.value) if args else node
    if node.op == "mean" and node.value in names.histories:
        return Node("mean", args, Pinned(str(node.value), horizon(times_of(node), names)))
    return made


def _outermost_means(node: Node) -> list[Node]:
    if node.op == "sum":
        return []
    if node.op == "mean":
        return [node]
    return list(dict.fromkeys(one for arg in node.args for one in _outermost_means(arg)))


def _exchanged(node: Node, old: Node, new: Node) -> Node:
    if node == old:
        return new
    return Node(node.op, tuple(_exchanged(arg, old, new) for arg in node.args), node.value) if node.args else node


def _taken(node: Node, late: Node, before: Node, past: str, fresh: str, world: World) -> Node:
    """The states at the latest time take their step."""
    if node.op == "letter" and node.value.name in world.steps and node.args == (late, sym(past)):
        step = world.steps[node.value.name]
        return settled(substitute(step.body, {step.time: before, step.past: sym(past), step.fresh: sym(fresh)}))
    if not node.args:
        return node
    return Node(node.op, tuple(_taken(arg, late, before, past, fresh, world) for arg in node.args), node.value)


__all__ = ["inverse_of", "rule_expand", "rule_only", "rule_order"]
