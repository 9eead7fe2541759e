"""Rules that reach infinitely many instances: induction over an iteration, sums and means compared term by term."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from theory.coq.algebra import CONE
from theory.coq.duties import require, require_defined
from theory.coq.errors import NotExpressible
from theory.coq.opening import equal, open_into
from theory.coq.proof import Proof
from theory.coq.scene import Scene, enter, quantifier, taken_apart
from theory.coq.statement import integer, matrix, real
from theory.coq.world import World
from theory.kernel.flat import OMEGA, difference, scalars_of
from theory.kernel.lang import (
    Node,
    Relation,
    num,
    parse,
    parse_relation,
    relation_symbols,
    replace_relation,
    substitute,
    substitute_relation,
    sym,
    text,
)
from theory.kernel.lifting import _at, _state, _termwise, later, telescoped
from theory.kernel.sequent import Sequent, freed, is_evaluated, released


def rule_induction(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """An invariant of the state after n steps: true at the start, kept by a step, enough for the goal."""
    _Induction(proof, cert, scene).run()


class _Induction:
    def __init__(self, proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
        self.proof, self.cert, self.scene, self.out = proof, cert, scene, proof.out
        self.counter = str(cert["on"])
        self.nodes = {name: parse(source) for name, source in cert["states"].items()}
        self.states = {name: _state(node, name, self.counter) for name, node in self.nodes.items()}
        self.invariant = [parse_relation(source) for source in cert["invariant"]]
        self.start = {part: first for _, starts, _ in self.states.values() for part, first in starts.items()}
        self.step = {part: after for _, _, steps in self.states.values() for part, after in steps.items()}
        self.called = {part: self.out.new("p") for part in self.start}
        kept = [
            (f, h)
            for f, h in zip(scene.sequent.facts, scene.hyps, strict=True)
            if self.counter not in relation_symbols(f)
        ]
        self.always, self.hyps = [f for f, _ in kept], tuple(h for _, h in kept)

    def run(self) -> None:
        out, certs = self.out, self.cert.get("defined", {})
        for node in self.nodes.values():
            if not is_evaluated(node, Sequent((), self.scene.goal)):
                self.scene = require_defined(self.proof, [node], self.scene, certs)
        count, claim = out.new("k"), out.new("J")
        with out.block(f"assert ({claim} : forall {count} : nat, {self._claim(count)})."):
            out.say(f"induction {count} as [|{count} IH_{count}].")
            with out.block():
                self._base()
            with out.block():
                self._onward(count)
        self._then(claim)

    def _names(self, count: str, parts: Mapping[str, str]) -> Scene:
        """The scene in which the counter and the states are called so."""
        known = tuple(k for k in self.scene.known if self.counter not in _free(k.need.node))
        terms = {**self.scene.names.terms, **parts, self.counter: count}
        counts = {k: v for k, v in self.scene.counts.items() if k != self.counter}
        counts[self.counter] = f"(INR_nn {count})"
        names = replace(self.scene.names, terms=terms)
        return replace(self.scene, names=names, known=known, counts=counts)

    def _claim(self, count: str) -> str:
        here = self._names(count, self.called)
        parts = [
            f"{_whole(self.nodes[name], here)} = {_shape(shape, here)}" for name, (shape, _, _) in self.states.items()
        ]
        parts += [here.relation(relation) for relation in self.invariant]
        quantified = f"exists {' '.join(self.called.values())} : R, " if self.called else ""
        return quantified + (" /\\ ".join(parts) or "True")

    def _facts(self, scene: Scene, goal: Relation, more: list[tuple[Relation, str]], count: bool) -> Scene:
        naturals = scene.sequent.naturals if count else scene.sequent.naturals - {self.counter}
        facts = (*self.always, *(r for r, _ in more))
        return replace(scene, sequent=Sequent(facts, goal, naturals), hyps=(*self.hyps, *(h for _, h in more)))

    def _base(self) -> None:
        out, certs = self.out, self.cert.get("defined", {})
        scene = self._names("0%nat", {})
        zero = {**self.start, self.counter: num(0)}
        shown = []
        for relation, base in zip(self.invariant, self.cert["base"], strict=True):
            goal = substitute_relation(relation, zero)
            here = require_defined(self.proof, [goal.left, goal.right], self._facts(scene, goal, [], False), certs)
            shown.append(out.new("B"))
            with out.block(f"assert ({shown[-1]} : {here.relation(goal)})."):
                self.proof.check(base, here)
        for part in self.called:
            out.say(f"exists {scene.text(self.start[part])}.")
        negative = any(node.op == "num" and node.value < 0 for node in self.start.values())  # -(-1) is 1 to the kernel
        ends = [f"first [exact {name} | lra]" if negative else f"exact {name}" for name in shown]
        self._close(["reflexivity"] * len(self.states) + ends)

    def _close(self, tactics: list[str]) -> None:
        """One tactic for every conjunct."""
        for tactic in tactics[:-1]:
            self.out.say(f"split; [{tactic} | ].")
        self.out.say(f"{tactics[-1] if tactics else 'exact I'}.")

    def _onward(self, count: str) -> None:
        out, certs = self.out, self.cert.get("defined", {})
        equations = [out.new("Q") for _ in self.states]
        invariants = [out.new("F") for _ in self.invariant]
        pattern = [*self.called.values(), *equations, *invariants]
        if pattern:
            out.say(taken_apart(f"IH_{count}", pattern))
        scene = self._names(count, self.called)
        more = list(zip(self.invariant, invariants, strict=True))
        after = {**self.step, self.counter: Node("+", (sym(self.counter), num(1)))}
        shown = []
        for relation, onward in zip(self.invariant, self.cert["step"], strict=True):
            goal = substitute_relation(relation, after)
            here = require_defined(self.proof, [goal.left, goal.right], self._facts(scene, goal, more, True), certs)
            shown.append(out.new("B"))
            with out.block(f"assert ({shown[-1]} : {here.relation(goal)})."):
                self.proof.check(onward, here)
        for part in self.called:
            out.say(f"exists {scene.text(self.step[part])}.")
        moves = [f"next_state {equation}" for equation in equations]
        self._close([*moves, *(f"next_count; exact {name}" for name in shown)])

    def _then(self, claim: str) -> None:
        out, scene = self.out, self.scene
        equations = [out.new("Q") for _ in self.states]
        invariants = [out.new("F") for _ in self.invariant]
        pattern = [*self.called.values(), *equations, *invariants]
        count = scene.names.terms.get(self.counter) or real(sym(self.counter), scene.names)
        if pattern:
            out.say(taken_apart(f"{claim} {count}", pattern))
        goal = scene.goal
        for name, node in self.nodes.items():
            goal = replace_relation(goal, node, self.states[name][0])
        terms = {**scene.names.terms, **self.called}
        scene = replace(scene, names=replace(scene.names, terms=terms))
        for equation in equations:
            out.say(f"rewrite ?{equation}.")
        out.say(f"change ({scene.relation(goal)}).")
        facts = zip(self.invariant, invariants, strict=True)
        self.proof.check(self.cert["then"], scene.given(*facts).show(goal))


def _free(node: Node) -> frozenset[str]:
    from theory.kernel.lang import symbols

    return symbols(node)


def _whole(node: Node, scene: Scene) -> str:
    if scene.names.shape(node) is None:
        return scene.text(node)
    return matrix(node, scene.names)


def _shape(shape: Node, scene: Scene) -> str:
    return matrix(shape, scene.names) if shape.op == "list" else scene.text(shape)


def rule_termwise(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """The difference is a sum of terms, each nonnegative, and a rest."""
    if cert.get("whole"):
        return _whole_sum(proof, cert, scene)
    node, strict = difference(scene.goal)
    certs, out = cert.get("defined", {}), proof.out
    if strict:
        raise NotExpressible("termwise comparison does not give a strict inequality")
    if cert.get("kept"):
        raise NotExpressible("a comparison term by term that keeps the facts for every index is not translated")
    scene = require(proof, released(node), scene, certs)
    ring, (value,), atoms = scalars_of([node])
    kind, index = str(cert["over"]), str(cert.get("index", "i"))
    chosen = {n: a for n, a in atoms.by_name.items() if n in ring.names and a.kind == kind}
    ((lo, hi),) = {(a.lo, a.hi) for a in chosen.values()}
    total, rest = _termwise(value, ring, chosen, index)
    if kind == "mean":
        total, rest = Node("+", (total, rest)), num(0)
    total, rest = atoms.restore(total), atoms.restore(rest)
    ends = () if kind == "mean" else (lo, hi)
    whole = Node(kind, (sym(index), *ends, total))
    each, all_, left, same = out.new("W"), out.new("V"), out.new("U"), out.new("I")
    with out.block(f"assert ({each} : {quantifier(index, lo, hi, scene.names)}0 <= {scene.below(total, whole)})."):
        inner = enter(out, scene, Relation(">=", total, num(0)), [(index, lo, hi)])
        inner = require_defined(proof, freed(inner.goal.left, scene.sequent), inner, certs)
        out.say("apply Rge_le.")
        proof.check(cert["each"], inner)
    positive = f"apply (f_pos _ _ {_functional(whole, scene)}); {_feed(each, kind)}"
    out.say(f"assert ({all_} : 0 <= {scene.text(whole)}) by ({positive}).")
    with out.block(f"assert ({left} : 0 <= {scene.text(rest)})."):
        if rest == num(0):
            out.say("num.")
        else:
            here = require_defined(proof, freed(rest, scene.sequent), scene, certs)
            out.say("apply Rge_le.")
            proof.check(cert["rest"], here.show(Relation(">=", rest, num(0))))
    right = Node("+", (whole, rest))
    with out.block(f"assert ({same} : 1 * {scene.text(node)} = {scene.text(right)})."):
        one = Node("*", (num(1), node))
        if kind == "sum" and not _is_identity(node, right):  # over one divisor the sums would be other ones
            pieces = _summands(total)
            open_into(out, scene, whole, pieces, out.new("O"))
            right = rest
            for scale, body in pieces:
                right = Node("+", (Node("*", (scale, Node(kind, (sym(index), *ends, body)))), right))
        world = World(out, scene, [one, right])
        equal(out, scene, one, right, world.conditions([one, right]))
    return out.say(f"apply ({CONE[scene.goal.op]} 1 _ _ _) with (2 := {same}); [num | apply add_nn; assumption].")


def _is_identity(left: Node, right: Node) -> bool:
    """Whether both sides have one value once their sums are opened."""
    _, (value,), _ = scalars_of([Node("-", (left, right))])
    return value.is_zero


def _summands(total: Node) -> list[tuple[Node, Node]]:
    """(coefficient, body) of each term of the sum that `_termwise` writes."""
    if total == num(0):
        return []
    before, last = total.args
    return [*_summands(before), (last.args[0], last.args[1])]


def _functional(whole: Node, scene: Scene) -> str:
    if whole.op == "mean":
        return "(e_functional _ HE)"
    return f"(zsum_functional {integer(whole.args[1], scene.names)} {integer(whole.args[2], scene.names)})"


def _feed(each: str, kind: str) -> str:
    return f"intros a_ _; exact ({each} a_)" if kind == "mean" else f"exact {each}"


def _whole_sum(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """One sum or mean is nonnegative if every term is."""
    goal, index, out = scene.goal, str(cert.get("index", "i")), proof.out
    if goal.op != ">=" or goal.right != num(0) or goal.left.op not in ("sum", "mean"):
        raise NotExpressible(f"{text(goal.left)[:80]} is not a sum or mean that is compared with 0")
    bound, *ends, body = goal.left.args
    lo, hi = ends or (OMEGA, OMEGA)
    term = substitute(body, {str(bound.value): sym(index)})
    whole = Node(goal.left.op, (sym(index), *ends, term))
    each = out.new("W")
    with out.block(f"assert ({each} : {quantifier(index, lo, hi, scene.names)}0 <= {scene.below(term, whole)})."):
        inner = enter(out, scene, Relation(">=", term, num(0)), [(index, lo, hi)])
        inner = require_defined(proof, [inner.goal.left], inner, cert.get("defined", {}))
        out.say("apply Rge_le.")
        proof.check(cert["each"], inner)
    out.say(f"apply Rle_ge, (f_pos _ _ {_functional(whole, scene)}); {_feed(each, goal.left.op)}.")


TELESCOPE = {
    "<=": ("telescope_le", "Rle_trans"),
    ">=": ("telescope_ge", "Rge_trans"),
    "==": ("telescope_eq", "eq_trans"),
}


def rule_telescope(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """A sum is compared with the differences of a function, which add up to its values at the ends."""
    _, total, length = telescoped(cert, scene.sequent)
    certs, out, goal = cert.get("defined", {}), proof.out, scene.goal
    scene = require_defined(proof, [total], scene, certs)
    index, lo, hi, body = goal.left.args
    name, written, potential = str(index.value), int(cert.get("written", 0)), parse(cert["of"])
    first = later(lo, written)
    op = goal.op if goal.op != "==" else "="
    step = Node("-", (_at(later(index, 1), name, potential), potential))
    binder = Node("sum", (index, first, hi, num(0)))
    long, termwise = out.new("L"), out.new("W")
    with out.block(f"assert ({long} : {scene.text(length)} >= 0)."):
        proof.check(cert["long"], scene.show(Relation(">=", length, num(0))))
    low, high = integer(first, scene.names), integer(hi, scene.names)
    out.say(f"assert (Z{long} : ({low} <= {high} + 1)%Z) by (long_enough {long}).")
    shown = f"{scene.below(body, binder)} {op} {scene.below(step, binder)}"
    with out.block(f"assert ({termwise} : {quantifier(name, first, hi, scene.names)}{shown})."):
        inner = enter(out, scene, Relation(goal.op, body, step), [(name, first, hi)])
        inner = require_defined(proof, [inner.goal.left, inner.goal.right], inner, certs)
        proof.check(cert["each"], inner)
    final = out.new("U")
    with out.block(f"assert ({final} : {scene.text(total)} {op} {scene.text(goal.right)})."):
        proof.check(cert["ends"], scene.show(Relation(goal.op, total, goal.right)))
    lemma, trans = TELESCOPE[goal.op]
    function = f"(fun {name} : Z => {scene.below(potential, binder)})"
    terms = f"(fun {name} : Z => {scene.below(body, binder)})"
    compared, sums = out.new("Y"), f"zsum {low} {high} {terms}"
    with out.block(f"assert ({compared} : {sums} {op} {function} ({high} + 1)%Z - {function} {low})."):
        out.say(f"apply ({lemma} {low} {high} {terms} {function} Z{long}).")
        out.say(f"intros {name} in_{name}; assert (T_ := {termwise} {name} in_{name}); unfold between in in_{name}.")
        out.say(f"eapply {trans}; [exact T_ | same_by_casts].")
    out.say(f"eapply {trans}; [ | exact {final}].")
    out.say(*["rewrite zsum_first by lia."] * written)
    out.say(f"finish_telescope {compared}.")


__all__ = ["rule_induction", "rule_telescope", "rule_termwise"]
