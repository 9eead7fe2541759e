"""Recursions with parameters and a loop inside a loop: what states look back on, and identities at every outcome.

A number that is linear in means over the past of an outer loop becomes one such mean, of a formula that is compared at
every past; there the states of the outer loop are plain letters, and so are the functions of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from theory.coq.errors import NotExpressible
from theory.coq.forms import equate, sized_by
from theory.coq.kinds import (
    Pinned,
    called,
    drawing,
    functional,
    horizon,
    number,
    of_size,
    place,
    sampling,
    size,
    times_of,
)
from theory.coq.scene import Out, Scene
from theory.coq.statement import Names, natural
from theory.kernel.flat import tidy
from theory.kernel.kinds import Letter, Step, World, index_form, is_point, settled, size_of
from theory.kernel.lang import Node, Relation, num, substitute, sym, text, walk
from theory.kernel.logic import named
from theory.kernel.orders import stepped
from theory.kernel.terms import occurrence

if TYPE_CHECKING:
    from theory.coq.proof import Proof
    from theory.kernel.claim import Claim


Term = Callable[[Mapping[str, str]], str]  # an equation as a Coq term, at samples that are found for its open ones
Rewriting = Mapping[int, tuple[Relation, Term]]
Found = tuple[str, str, Node]  # why a number is a mean, the Coq term below that mean, and the formula there


def is_nested(world: World) -> bool:
    """Whether a recursion has parameters, or a loop stands inside a loop."""
    deep = any(space in world.histories for space in world.histories.values())
    return deep or any(step.params for step in world.steps.values())


def is_deep(space: object, world: World) -> bool:
    """Whether the points of a space are sequences of paths."""
    space = space.space if isinstance(space, Pinned) else space
    return world.histories.get(str(space)) in world.histories


# ---- what a state depends on


def look_back(proof: Proof, claim: Claim, begins: Mapping[str, str]) -> None:
    """States depend on the samples before their time only, whatever their parameters are; the inner loop first."""
    histories = sorted({step.history for step in claim.world.steps.values()}, key=lambda h: is_deep(h, claim.world))
    for history in histories:
        states = {n: step for n, step in claim.world.steps.items() if step.history == history}
        _of_one_history(proof, claim.world, states, begins)


def _of_one_history(proof: Proof, world: World, states: Mapping[str, Step], begins: Mapping[str, str]) -> None:
    out = proof.out
    shapes = {name: _Shape.of(world.letters[name], step) for name, step in states.items()}
    starts = {name: _begin(out, shape, begins[name]) for name, shape in shapes.items()}
    said = " /\\ ".join(f"({shape.says('time_', 'g_', 'h_')})" for shape in shapes.values())
    back = out.new("L")
    with out.block(f"assert ({back} : forall time_ g_ h_, agree time_ g_ h_ -> {said})."):
        out.say("intro time_; induction time_ as [|time_ IH_]; intros g_ h_ A_.")
        parts = " | ".join(f"{s.enter}apply {starts[n]}; all_sizes" for n, s in shapes.items())
        out.say(f"{{ repeat match goal with |- _ /\\ _ => split end; [{parts}]. }}")
        out.say("rewrite <- (Nat.add_1_r time_) in *.")
        out.say("assert (B_ := IH_ g_ h_ (agree_less time_ (time_ + 1) g_ h_ ltac:(lia) A_)).")
        held = [f"R{i}_" for i in range(len(shapes))]
        out.say(f"destruct B_ as ({' & '.join(held)})." if len(held) > 1 else f"rename B_ into {held[0]}.")
        same = f"rewrite {', '.join(f'?{one}' for one in held)} by all_sizes; rewrite ?(A_ time_) by lia; reflexivity"
        steps = " | ".join(
            f"{s.enter}rewrite !{proof.kinds['step', n]} by all_sizes; cbv zeta; {same}" for n, s in shapes.items()
        )
        out.say(f"repeat match goal with |- _ /\\ _ => split end; [{steps}].")
    for position, (name, shape) in enumerate(shapes.items()):
        picked = f"({back} t_ g_ h_ A_)"
        for _ in range(position):
            picked = f"(proj2 {picked})"
        picked = f"(proj1 {picked})" if position < len(shapes) - 1 else picked
        says = shape.says("t_", "g_", "h_")
        out.say(f"assert (dep_{called(name)} : forall t_ g_ h_, agree t_ g_ h_ -> {says}).")
        out.say(f"{{ intros t_ g_ h_ A_; exact {picked}. }}")
    out.say(f"clear {back}.")


@dataclass(frozen=True)
class _Shape:
    """A state with its parameters: how they are bound, and what they need."""

    name: str
    params: tuple[str, ...]
    kinds: tuple[str, ...]

    @staticmethod
    def of(letter: Letter, step: Step) -> _Shape:
        return _Shape(called(letter.name), tuple(f"{called(p)}_" for p in step.params), letter.indices[1:-1])

    @property
    def binders(self) -> str:
        pairs = list(zip(self.params, self.kinds, strict=True))
        every = f"forall {' '.join(self.params)}, " if self.params else ""
        return every + "".join(of_size(param, kind) for param, kind in pairs if is_point(kind))

    @property
    def enter(self) -> str:
        return "intros; " if self.params else ""

    def says(self, time: str, one: str, other: str) -> str:
        at = " ".join([self.name, time, *self.params])
        return f"{self.binders}{at} {one} = {at} {other}"


def _begin(out: Out, shape: _Shape, hyp: str) -> str:
    """How a recursion begins, at counts instead of integers; that it begins so for every path alike."""
    new, params = out.new("B"), dict(zip(shape.params, shape.kinds, strict=True))
    at = " ".join([shape.name, "O", *shape.params])
    with out.block(f"assert ({new} : {shape.binders}forall g_ h_, {at} g_ = {at} h_)."):
        sizes = {p: f"S{p}" for p, kind in params.items() if is_point(kind)}
        out.say(f"intros {' '.join([*params, *sizes.values(), 'g_', 'h_'])}.")
        places = [f"{p} {sizes[p]}" if p in sizes else f"(Z.of_nat {p}) ltac:(within)" for p in params]
        for path in ("g_", "h_"):
            out.say(f"assert (at_{path} := {' '.join([hyp, *places, path])}).")
        counts = [p for p in params if p not in sizes]
        for path in ("g_", "h_") if counts else ():
            out.say(f"rewrite ?Nat2Z.id in at_{path}.")
        out.say("exact (eq_trans at_g_ (eq_sym at_h_)).")
    return new


def rule_let(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """A vector gets a name."""
    from theory.coq.duties import require_defined
    from theory.coq.kinds import matrix

    name, node = str(cert["name"]), scene.sequent.world.read(str(cert["is"]))
    scene = require_defined(proof, [node], scene, cert.get("defined", {}))
    here, equation, fits = called(name), proof.out.new("F"), proof.out.new("K")
    proof.out.say(
        f"destruct (ex_intro (fun v_ : mat => v_ = {matrix(node, scene.names)}) _ eq_refl) as ({here} & {equation})."
    )
    term = sized_by(node, scene.names, proof.kinds)
    rows, cols = size_of(node)
    proof.out.say(f"assert ({fits} : sized {size(rows)} {size(cols)} {here}) by (rewrite {equation}; exact {term}).")
    proof.kinds["sized", name] = fits
    inner = replace(scene, sequent=named(name, node, scene.sequent), hyps=(*scene.hyps, equation))
    proof.check(cert["then"], inner)


# ---- identities


class Identity:
    """`left = right` after steps and rewriting, both sides as they stand; the goal of Coq is this equation."""

    def __init__(self, proof: Proof, scene: Scene, left: Node, right: Node) -> None:
        self.proof, self.scene, self.out = proof, scene, proof.out
        self.world, self.names = scene.sequent.world, scene.names
        self.left, self.right = left, right
        self.paths = dict(self.world.samples)

    def prove(self, ops: list[Any], rewriting: Rewriting) -> None:
        deep = [mean for side in (self.left, self.right) for mean in _means(side, self.world)]
        if deep:
            return self._at_every_past(deep, ops, rewriting)
        return self._onward(ops, rewriting, stepped_already=False)

    def _onward(self, ops: list[Any], rewriting: Rewriting, stepped_already: bool) -> None:
        for position in range(len(ops)):
            if position in rewriting:
                self._rewrite(*rewriting[position])
            elif not stepped_already:
                self._advance()
        self._tidy()
        equate(self.out, self.left, self.right, self.names, self.world, self.proof.kinds)

    def _tidy(self) -> None:
        """Indices of numbers are written in one way: th[k + 1 + 1] is th[k + 2]."""
        parts = [p for side in (self.left, self.right) for p in walk(side) if p.op == "index"]
        untidy = dict.fromkeys(i for part in parts for i in part.args[1:] if tidy(i) != i)
        for index in untidy:
            same = self.out.new("Q")
            self.out.say(f"assert ({same} : {number(index, self.names)} = {number(tidy(index), self.names)}) by ring.")
            self.out.say(f"rewrite ?{same}; clear {same}.")
        if untidy:
            self.left, self.right = map(_tidied, (self.left, self.right))
            self._restate()

    def _text(self, node: Node) -> str:
        from theory.coq.orders import shown

        return shown(node, self.names)

    def _restate(self) -> None:
        self.out.say(f"change ({self._text(self.left)} = {self._text(self.right)}).")

    def _exchange(self, old: Node, new: Node) -> None:
        self.left, self.right = (_exchange(side, old, new) for side in (self.left, self.right))

    # ---- one step of a path that is fixed

    def _advance(self) -> None:
        for path in [name for name, space in self.paths.items() if space in self.world.histories]:
            states = [one for one in self._states() if one.args[-1] == sym(path)]
            times = [one.args[0] for one in states]
            late = horizon(times, self.names)
            if not _is_later(late):
                continue
            before, fresh = index_form(Node("-", (late, num(1)))), f"{path}_next"
            for one in dict.fromkeys(one for one in states if one.args[0] == late):
                self._step(one, before, called(path), fresh)
            self.out.say(f"generalize ({called(path)} {natural(before, self.names)}); intro {called(fresh)}.")
            self._restate()

    def _step(self, state: Node, before: Node, path: str, fresh: str) -> None:
        """Replace a state by what its step says, everywhere."""
        self.out.say(f"rewrite {self._step_term(state, before, path)}; cbv zeta; one_more.")
        self._exchange(state, stepped(occurrence(state), fresh, self.world))

    def _step_term(self, state: Node, before: Node, path: str) -> str:
        kinds = list(zip(state.args[1:-1], state.value.indices[1:-1], strict=True))
        places = [place(one, kind, self.names) for one, kind in kinds]
        sizes = [sized_by(one, self.names, self.proof.kinds) for one, kind in kinds if is_point(kind)]
        hyp = self.proof.kinds["step", state.value.name]
        return f"({' '.join([hyp, natural(before, self.names), *places, path, *sizes])})"

    def _states(self) -> list[Node]:
        return [one for one in self._letters() if one.value.name in self.world.steps]

    def _letters(self) -> Iterator[Node]:
        for side in (self.left, self.right):
            yield from (part for part in walk(side) if part.op == "letter")

    # ---- rewriting

    def _rewrite(self, fact: Relation, make: Term) -> None:
        """The left side of an equation is one letter; open samples are those of the letters that fit."""
        pattern: Node = fact.left
        fits = dict.fromkeys(one for one in self._letters() if one.value == pattern.value)
        for one in fits:
            found: dict[str, str] = {}
            if not _matches(pattern, one, found):
                continue
            right = settled(substitute(fact.right, {name: sym(new) for name, new in found.items()}))
            self.out.say(f"rewrite {make(found)}; cbv beta.")
            self._exchange(one, right)
            self._restate()

    # ---- at every past of the outer loop

    def _at_every_past(self, deep: list[Node], ops: list[Any], rewriting: Rewriting) -> None:
        (space,) = {str(mean.value) for mean in deep}
        steps = any(isinstance(op, dict) and op.get("advance") == space for op in ops)
        times = [horizon(times_of(mean), self.names) for mean in deep]
        late = horizon(times, self.names)
        before = index_form(Node("-", (late, num(1)))) if steps else late
        if any(time not in (late, before) for time in times):
            if ops:
                raise NotExpressible("pasts of different lengths")
            return self.out.say("first [ring | field; repeat split; nz].")  # then means are numbers like any other
        past, path = f"{space}_", f"{self.world.histories[space]}_"
        outer = Outside(self, space, before, late if steps else None, past, path)
        outer.open()
        if steps:
            self.paths[path] = self.world.histories[space]
        self.paths[past] = space
        return self._onward(ops, rewriting, stepped_already=steps)


class Outside:
    """Both sides as means over the past of the outer loop, compared at every past and every path of its last step."""

    def __init__(self, identity: Identity, space: str, before: Node, late: Node | None, past: str, path: str) -> None:
        self.of, self.out, self.names = identity, identity.out, identity.names
        self.space, self.before, self.late, self.past, self.path = space, before, late, past, path
        self.world = identity.world
        self.drawn = self.names.histories[space]
        self.time = natural(before, self.names)
        self.mean = drawing(self.drawn, self.time)
        self.why = f"(history_expectation {self.drawn} {sampling(self.drawn)} (fun _ => h0) {self.time})"
        inner = self.drawn.removeprefix("(history E h0").removesuffix(")").strip()
        self.inner_why = f"(history_expectation E HE h0 {inner})"

    def open(self) -> None:
        of = self.of
        sides = [self._past(side) for side in (of.left, of.right)]
        self._apart(self.mean, self.why, called(self.past), sides)
        if self.late is None:
            of.left, of.right = (node for _, _, node in sides)
            return of._restate()
        sides = [self._path(side) for side in (node for _, _, node in sides)]
        self._apart(self.drawn, self.inner_why, called(self.path), sides)
        of.left, of.right = (node for _, _, node in sides)
        self._last_step()
        return None

    def _apart(self, mean: str, why: str, name: str, sides: list[Found]) -> None:
        """From `a = b` to the equation at every outcome, from proofs that a and b are such means."""
        (first, left, _), (second, right, _) = sides
        bodies = [f"{mean} (fun {name} => {one})" for one in (left, right)]
        self.out.say(f"transitivity ({bodies[0]}); [exact {first} | ].")
        self.out.say(f"transitivity ({bodies[1]}); [ | symmetry; exact {second}].")
        self.out.say(f"apply (m_ext _ {why}); intro {name}; cbv beta.")

    def _past(self, node: Node) -> Found:
        """Why a number is a mean over pasts, of which Coq term, and the formula at one past."""

        def leaf(mean: Node) -> Found:
            body = _renamed(mean, self.past)
            shown = number(body, self.names)
            if self.late is None or horizon(times_of(mean), self.names) != self.late:
                return f"(eq_refl ({self.mean} (fun {called(self.past)} => {shown})))", shown, body
            after = f"(put {called(self.past)} {self.time} {called(self.path)})"
            inside = f"((fun {called(self.past)} => {shown}) {after})"
            lines = f"({self.drawn} (fun {called(self.path)} => {inside}))"
            whole = f"(fun {called(self.past)} => {shown})"
            return f"(history_step {self.drawn} (fun _ => h0) {self.time} {whole})", lines, _Stepped.mark(body, inside)

        return _outside(node, self.mean, self.why, lambda one: _is_mean(one, self.space), leaf, self.names)

    def _path(self, node: Node) -> Found:
        inner = self.world.histories[self.space]

        def leaf(mean: Node) -> Found:
            if mean.op == "stepped":
                shown = str(mean.value)
                return f"(eq_refl ({self.drawn} (fun {called(self.path)} => {shown})))", shown, mean.args[0]
            if functional(mean, self.names) != self.drawn:
                raise NotExpressible("paths of different lengths")
            body = _renamed(mean, self.path)
            shown = number(body, self.names)
            return f"(eq_refl ({self.drawn} (fun {called(self.path)} => {shown})))", shown, body

        def is_leaf(one: Node) -> bool:
            return one.op == "stepped" or _is_mean(one, inner)

        return _outside(node, self.drawn, self.inner_why, is_leaf, leaf, self.names)

    def _last_step(self) -> None:
        """The latest states take their step, with the path that is drawn then; the others do not see it."""
        of, late = self.of, self.late
        assert late is not None
        states = [one for one in of._states() if one.args[-1] == sym(self.past)]
        after = f"(put {called(self.past)} {self.time} {called(self.path)})"
        for one in dict.fromkeys(one for one in states if one.args[0] == late):
            self.out.say(f"rewrite {of._step_term(one, self.before, after)}; cbv zeta; one_more.")
            of._exchange(one, stepped(occurrence(one), self.path, self.world))
        self.out.say("rewrite ?put_same.")
        near = f"(agree_put {self.time} {self.time} {called(self.past)} {called(self.path)} ltac:(lia))"
        for name, step in self.world.steps.items():
            if step.history == self.space:
                self.out.say(f"rewrite ?(dep_{called(name)} {self.time} {after} {called(self.past)} {near}).")
        of._restate()


class _Stepped:
    """A mean over the last path, whose body is written with a longer past in Coq."""

    @staticmethod
    def mark(body: Node, inside: str) -> Node:
        return Node("stepped", (body,), inside)


def _outside(
    node: Node, mean: str, why: str, is_leaf: Callable[[Node], bool], leaf: Callable[[Node], Found], names: Names
) -> Found:
    """A number that is linear in means as one mean: why, the Coq term below the mean, and the formula there."""

    def go(one: Node) -> Found:
        if is_leaf(one):
            return leaf(one)
        if not any(map(is_leaf, walk(one))):
            shown = number(one, names)
            return f"(out_const {mean} {why} {shown})", shown, one
        args = one.args
        if one.op in ("+", "-"):
            (first, left, a), (second, right, b) = go(args[0]), go(args[1])
            word = "out_plus" if one.op == "+" else "out_minus"
            return f"({word} {mean} {why} _ _ _ _ {first} {second})", f"({left} {one.op} {right})", Node(one.op, (a, b))
        if one.op == "neg":
            first, inner, a = go(args[0])
            return f"(out_opp {mean} {why} _ _ {first})", f"(- {inner})", Node("neg", (a,))
        free = [not any(map(is_leaf, walk(arg))) for arg in args]
        if one.op == "*" and free[0]:
            first, inner, a = go(args[1])
            c = number(args[0], names)
            return f"(out_scale {mean} {why} {c} _ _ {first})", f"({c} * {inner})", Node("*", (args[0], a))
        if one.op in ("*", "/") and free[1]:
            first, inner, a = go(args[0])
            c, word = number(args[1], names), "out_scale_r" if one.op == "*" else "out_over"
            return f"({word} {mean} {why} {c} _ _ {first})", f"({inner} {one.op} {c})", Node(one.op, (a, args[1]))
        raise NotExpressible(f"{text(one)[:80]} is not linear in the means over the past")

    return go(node)


def _is_mean(node: Node, space: str) -> bool:
    value = node.value.space if isinstance(node.value, Pinned) else node.value
    return node.op == "mean" and value == space


def _means(node: Node, world: World) -> Iterator[Node]:
    """The outermost means over the past of an outer loop."""
    if node.op == "mean" and is_deep(node.value, world):
        yield node
        return
    for arg in node.args:
        yield from _means(arg, world)


def _renamed(mean: Node, name: str) -> Node:
    return settled(substitute(mean.args[1], {str(mean.args[0].value): sym(name)}))


def _exchange(node: Node, old: Node, new: Node) -> Node:
    """Also where it is the argument of a function, which is one letter in claims and a formula here."""
    if node == old:
        return new
    if not node.args:
        return node
    return Node(node.op, tuple(_exchange(arg, old, new) for arg in node.args), node.value)


def _tidied(node: Node) -> Node:
    args = tuple(map(_tidied, node.args))
    return Node("index", (args[0], *map(tidy, args[1:]))) if node.op == "index" else Node(node.op, args, node.value)


def _is_later(time: Node) -> bool:
    return time.op == "+" and time.args[1].op == "num"


def _matches(pattern: Node, one: Node, found: dict[str, str]) -> bool:
    """The same letter at the same indices; open samples, whose names end in ', match any sample."""
    if pattern.op == "sym" and str(pattern.value).endswith("'"):
        return one.op == "sym" and found.setdefault(str(pattern.value), str(one.value)) == str(one.value)
    if (pattern.op, pattern.value, len(pattern.args)) != (one.op, one.value, len(one.args)):
        return False
    return all(_matches(a, b, found) for a, b in zip(pattern.args, one.args, strict=True))


__all__ = ["Identity", "is_nested", "look_back", "rule_let"]
