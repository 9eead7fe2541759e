"""Recursions that the proof of a cited claim alone speaks of: such states exist, and they have their sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from theory.coq.errors import NotExpressible
from theory.coq.kinds import called, matrix, of_size, size, sort
from theory.coq.scene import Out
from theory.coq.statement import Names
from theory.kernel.citing import Images
from theory.kernel.claim import Claim
from theory.kernel.kinds import NUMBER, is_point
from theory.kernel.lang import Node


class HiddenStates:
    """States with one vector as their parameter, all defined together as one function of time, vector and path."""

    def __init__(self, claim: Claim, names: Sequence[str], images: Images) -> None:
        world = claim.world
        self.names, self.images = list(names), images
        self.letters = [world.letters[name] for name in names]
        self.steps = [world.steps[name] for name in names]
        first = self.steps[0]
        alike = {(one.time, one.past, one.fresh, one.params) for one in self.steps}
        vectors = all(len(one.indices) == 3 and is_point(one.indices[1]) for one in self.letters)
        if len(alike) > 1 or not vectors or any((one.rows, one.cols) == NUMBER for one in self.letters):
            raise NotExpressible(f"it cites {claim.id}, whose proof defines the letters {', '.join(names)}")
        self.time, self.past, self.fresh = called(first.time), called(first.past), called(first.fresh)
        self.point, self.kind = called(first.params[0]), self.letters[0].indices[1]
        self.path = sort(self.letters[0].indices[-1], world)
        self.counter = first.time

    def define(self, out: Out, scene_names: Names, named: Callable[[Node], Node]) -> str:
        """Say it in Coq; the name of the function."""
        made, inner = out.new("h"), scene_names.bind(self.counter, "naturals")
        parts = ", ".join(map(called, self.names))
        starts = ", ".join(matrix(self.images.put(one.start), scene_names) for one in self.steps)
        steps = ", ".join(matrix(self.images.put(named(one.body)), inner) for one in self.steps)
        shape = f"({' * '.join('mat' for _ in self.names)})%type"
        at = f"({self.point} : mat) ({self.past} : {self.path})"
        apart = f"let '({parts}) := states in " if len(self.names) > 1 else f"let {parts} := states in "
        onward = f"{apart}let {self.fresh} := {self.past} {self.time} in ({steps})"
        out.say(
            f"destruct (states_along (fun {at} => (({starts}) : {shape}))",
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
        with out.block(f"assert (K{made} : forall t_ p_ h_, {of_size('p_', self.kind)}{says})."):
            out.say("intros t_ p_ h_ P_; induction t_ as [|t_ IH_].")
            out.say(f"{{ rewrite S{made}; cbv zeta; cbn [fst snd]; repeat split; all_sizes. }}")
            out.say(f"rewrite <- (Nat.add_1_r t_), N{made}; destruct ({made} t_ p_ h_) as {self._pattern()}.")
            out.say("cbv zeta; cbn [fst snd] in *; repeat match goal with H : _ /\\ _ |- _ => destruct H end.")
            out.say("repeat split; all_sizes.")

    def _pattern(self) -> str:
        shown = "?"
        for _ in self.names[1:]:
            shown = f"[{shown} ?]"
        return shown

    def entry(self, made: str, place: int) -> str:
        term, count = f"{made} t_ p_ h_", len(self.names)
        for _ in range(count - 1 - place if place else count - 1):
            term = f"fst ({term})"
        return f"snd ({term})" if place else term

    def sequence(self, made: str, name: str) -> str:
        return f"(fun t_ p_ h_ => {self.entry(made, self.names.index(name))})"

    def premise(self, made: str, what: str) -> str:
        """Why they have their size, go on and begin as the cited claim says."""
        if what == "sized":
            return f"ltac:(intros t_ p_ h_ P_; apply (K{made} t_ p_ h_ P_))"
        if what == "step":
            apart = f"destruct ({made} t_ p_ h_) as {self._pattern()}"
            return f"ltac:(intros t_ p_ h_ P_; rewrite N{made}; {apart}; reflexivity)"
        return f"ltac:(intros; rewrite S{made}; reflexivity)"
