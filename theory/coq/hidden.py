"""Recursions that the proof of a cited claim alone speaks of: such states exist, and they have their sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from theory.coq.errors import NotExpressible
from theory.coq.kinds import called, matrix, number, of_size, size, sort
from theory.coq.scene import Out
from theory.coq.statement import Names
from theory.kernel.citing import Images
from theory.kernel.claim import Claim
from theory.kernel.kinds import NUMBER, Clause, is_point, size_of
from theory.kernel.lang import Node, Relation, substitute, sym, text, walk
from theory.kernel.recursions import definition


class HiddenStates:
    """States with one vector as their parameter, and perhaps a count before it, all defined together as one function of
    time, parameters and path."""

    def __init__(self, claim: Claim, names: Sequence[str], images: Images) -> None:
        world = claim.world
        self.names, self.images = list(names), images
        self.letters = [world.letters[name] for name in names]
        self.steps = [world.steps[name] for name in names]
        first = self.steps[0]
        alike = {(one.time, one.past, one.fresh, one.params) for one in self.steps}
        kinds = {one.indices[1:-1] for one in self.letters}
        *counts, vector = next(iter(kinds)) or ("",)
        plain = len(kinds) == 1 and counts in ([], ["nat"]) and is_point(vector)
        if len(alike) > 1 or not plain or any((one.rows, one.cols) == NUMBER for one in self.letters):
            raise NotExpressible(f"it cites {claim.id}, whose proof defines the letters {', '.join(names)}")
        self.time, self.past, self.fresh = called(first.time), called(first.past), called(first.fresh)
        self.counts, self.point, self.kind = first.params[:-1], called(first.params[-1]), vector
        self.path = sort(self.letters[0].indices[-1], world)
        self.counter = first.time

    def define(self, out: Out, scene_names: Names, named: Callable[[Node], Node]) -> str:
        """Say it in Coq; the name of the function."""
        made, inner = out.new("h"), scene_names.bind(self.counter, "naturals")
        for param in self.counts:
            scene_names, inner = scene_names.bind(param, "naturals"), inner.bind(param, "naturals")
        parts = ", ".join(map(called, self.names))
        starts = ", ".join(matrix(self.images.put(one.start), scene_names) for one in self.steps)
        steps = ", ".join(matrix(self.images.put(named(one.body)), inner) for one in self.steps)
        shape = f"({' * '.join('mat' for _ in self.names)})%type"
        at = f"({self.point} : mat) ({self.past} : {self.path})"
        at = "".join(f"({called(param)} : nat) " for param in self.counts) + at
        lemma = "states_of_counts" if self.counts else "states_along"
        apart = f"let '({parts}) := states in " if len(self.names) > 1 else f"let {parts} := states in "
        onward = f"{apart}let {self.fresh} := {self.past} {self.time} in ({steps})"
        out.say(
            f"destruct ({lemma} (fun {at} => (({starts}) : {shape}))",
            f"  (fun ({self.time} : nat) {at} (states : {shape}) => {onward})) as ({made} & S{made} & N{made}).",
        )
        self._measure(out, made)
        return made

    def _measure(self, out: Out, made: str) -> None:
        held = [
            f"sized {size(self.images.size(one.rows))} {size(self.images.size(one.cols))} ({self.entry(made, place)})"
            for place, one in enumerate(self.letters)
        ]
        says = " /\\ ".join(held)
        with out.block(f"assert (K{made} : forall {self.at}, {of_size('p_', self.kind)}{says})."):
            out.say(f"intros {self.at} P_; induction t_ as [|t_ IH_].")
            out.say(f"{{ rewrite S{made}; cbv zeta; cbn [fst snd]; repeat split; all_sizes. }}")
            out.say(f"rewrite <- (Nat.add_1_r t_), N{made}; destruct ({made} {self.at}) as {self._pattern()}.")
            out.say("cbv zeta; cbn [fst snd] in *; repeat match goal with H : _ /\\ _ |- _ => destruct H end.")
            out.say("repeat split; all_sizes.")

    def _pattern(self) -> str:
        shown = "?"
        for _ in self.names[1:]:
            shown = f"[{shown} ?]"
        return shown

    @property
    def at(self) -> str:
        return "t_ k_ p_ h_" if self.counts else "t_ p_ h_"

    def entry(self, made: str, place: int) -> str:
        term, count = f"{made} {self.at}", len(self.names)
        for _ in range(count - 1 - place if place else count - 1):
            term = f"fst ({term})"
        return f"snd ({term})" if place else term

    def sequence(self, made: str, name: str) -> str:
        return f"(fun {self.at} => {self.entry(made, self.names.index(name))})"

    def premise(self, made: str, what: str) -> str:
        """Why they have their size, go on and begin as the cited claim says."""
        if what == "sized":
            return f"ltac:(intros {self.at} P_; apply (K{made} {self.at} P_))"
        if what == "step":
            apart = f"destruct ({made} {self.at}) as {self._pattern()}"
            return f"ltac:(intros {self.at} P_; rewrite N{made}; {apart}; reflexivity)"
        return f"ltac:(intros; rewrite S{made}; reflexivity)"


class HiddenFamilies:
    """Sequences with one index or two that clauses define, one after the other: at time t + 1 from those at time t."""

    def __init__(self, claim: Claim, names: Sequence[str], images: Images) -> None:
        world = claim.world
        self.claim, self.images = claim, images
        self.letters = {name: world.letters[name] for name in names}
        self.clauses = {name: world.clauses.get(name, ()) for name in names}
        plain = all(one.indices in (("nat",), ("nat", "nat")) and not one.sign for one in self.letters.values())
        if not plain or not all(self.clauses.values()):
            raise NotExpressible(f"it cites {claim.id}, whose proof defines the letters {', '.join(names)}")
        self.order: list[str] = []
        for name in names:
            self._place(name, ())
        self.why: dict[Relation, str] = {}  # for each clause, as a relation, the hypothesis that says it
        self.made: dict[str, str] = {}

    def _place(self, name: str, path: tuple[str, ...]) -> None:
        """What its clauses speak of comes before it."""
        if name in path:
            raise NotExpressible(f"it cites {self.claim.id}, whose proof defines {name} and {path[-1]} by each other")
        for clause in self.clauses[name]:
            spoken = {part.value.name for part in walk(clause.body) if part.op == "letter"} & self.letters.keys()
            for other in sorted(spoken - {name, *self.order}):
                self._place(other, (*path, name))
        if name not in self.order:
            self.order.append(name)

    def define(self, out: Out, names: Names) -> None:
        for name in self.order:
            letter, clauses = self.letters[name], {self._shape(one): one for one in self.clauses[name]}
            made = self.made[name] = out.new("h")
            forms = FORMS[len(letter.indices)]
            lemma, shapes = next((one for one in forms if set(clauses) <= set(one[1])), forms[0])
            if not set(clauses) <= set(shapes) or shapes[0] not in clauses:
                raise NotExpressible(f"it cites {self.claim.id}, whose proof defines {name} in another way")
            functions = [self._function(name, shape, clauses.get(shape), names) for shape in shapes]
            held = [f"{stem}{made}" for stem in ("S", "Z", "N")] if len(shapes) > 2 else [f"S{made}", f"N{made}"]
            out.say(f"destruct ({lemma} {functions[0]}", *(f"  {one}" for one in functions[1:-1]))
            out.say(f"  {functions[-1]}) as ({made} & {' & '.join(held)}).", f"cbv beta zeta in {', '.join(held)}.")
            self.why |= {definition(one): held[shapes.index(shape)] for shape, one in clauses.items()}
            if not self._is_number(name):
                self._measure(out, name, held)

    def _shape(self, clause: Clause) -> str:
        """n,0 for X[l, 0]."""
        return ",".join(
            "0" if text(at) == "0" else "n" if at.op == "sym" else "n+1" if text(at).endswith(" + 1") else "?"
            for at in clause.head.args
        )

    def _is_number(self, name: str) -> bool:
        return (self.letters[name].rows, self.letters[name].cols) == NUMBER

    def _function(self, name: str, shape: str, clause: Clause | None, names: Names) -> str:
        """A clause as a function of its indices and of the sequence at the time before."""
        double, sort_ = shape in {*LAYERS, *ALONG}, "R" if self._is_number(name) else "mat"
        if clause is None:
            return f"(fun _ _ => {'0' if self._is_number(name) else 'zero'})"
        images, inner = self.images, names
        apart = {index: f"{index}_at_{name}" for index in clause.names}  # what is put in may have an index of this name
        for index in apart.values():
            images, inner = images.below(index), inner.bind(index, "naturals")
        body = images.put(substitute(clause.body, {index: sym(new) for index, new in apart.items()}))
        shown = number(body, inner) if size_of(body) == NUMBER else matrix(body, inner)
        for other, made in self.made.items():
            shown = f"let {called(other)} := {made} in {shown}" if other != name else shown
        indices = "".join(f"({called(index)} : nat) " for index in apart.values())
        if shape in ("0", "n,0"):
            return f"(fun {indices}=> {shown})" if indices else f"({shown} : {sort_})"
        before = f"({called(name)} : nat -> {sort_})" if double else f"(v_ : {sort_})"
        again = f"fun l_ _ : nat => {called(name)} l_" if double else "fun _ : nat => v_"
        return f"(fun {indices}{before} => let {called(name)} := {again} in {shown})"

    def _measure(self, out: Out, name: str, held: list[str]) -> None:
        letter, made = self.letters[name], self.made[name]
        double = len(letter.indices) > 1
        rows, cols = (size(self.images.size(one)) for one in (letter.rows, letter.cols))
        at = "l_ t_" if double else "t_"
        with out.block(f"assert (K{made} : forall {at}, sized {rows} {cols} ({made} {at}))."):
            out.say(f"{'intros l_ t_; revert l_' if double else 'intro t_'}; induction t_ as [|t_ IH_].")
            out.say(f"{{ {'intro l_; ' if double else ''}rewrite {held[0]}; sizes. }}")
            out.say("rewrite <- (Nat.add_1_r t_).")
            if len(held) > 2:
                out.say("intros [|l_].", f"{{ rewrite {held[1]}; sizes. }}", "rewrite <- (Nat.add_1_r l_).")
            elif double:
                out.say("intros l_.")
            out.say(f"rewrite {held[-1]}; sizes.")

    def sized(self, name: str) -> str:
        return f"ltac:(intros; apply K{self.made[name]})"

    def clause(self, cited: Relation) -> str:
        """Why the sequences are defined as the cited claim says."""
        return f"ltac:(intros; rewrite {self.why[cited]}; first [reflexivity | recount])"


LAYERS, ALONG = ("n,0", "0,n+1", "n+1,n+1"), ("n,0", "n,n+1")
FORMS: dict[int, tuple[tuple[str, tuple[str, ...]], ...]] = {
    1: (("recursion_at", ("0", "n+1")),),
    2: (("layers_along", LAYERS), ("families_along", ALONG)),
}
