"""The walk over a certificate: each kind of node has its function, which prints the tactics that prove the goal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from theory.coq import kinds
from theory.coq.duties import known, require_defined
from theory.coq.errors import NotExpressible
from theory.coq.matrices import has_matrices
from theory.coq.nested import is_nested, look_back
from theory.coq.scene import Known, Out, Scene, described, taken_apart
from theory.coq.statement import Need, compare, conclusion, names_of, parameters, quantifiers, relation_needs
from theory.kernel.claim import Claim
from theory.kernel.lang import Relation, relation_symbols, walk
from theory.kernel.sequent import Sequent

Rule = Callable[["Proof", dict[str, Any], Scene], None]
RULES: dict[str, Rule] = {}  # filled by theory.coq.rules, which lists them all


class Proof:
    """One theorem's proof. `theorems` names the Coq theorem of every claim that may be cited."""

    def __init__(self, library: Mapping[str, Claim], theorems: Mapping[str, str], bold: bool = False) -> None:
        self.out = Out(bold=bold)
        self.library = library
        self.theorems = theorems
        self.given: dict[Relation, str] = {}  # the facts of a claim with kinds, wherever the proof is
        self.spoken: tuple[Relation, ...] = ()  # and what it is about
        self.begins: dict[str, Relation] = {}  # how its recursions begin
        self.kinds: dict[tuple[str, str], str] = {}  # what is known of letters: ("sized", "X") and its hypothesis

    def check(self, cert: Mapping[str, Any], scene: Scene) -> None:
        """Prove `scene.goal`, which is the current goal of Coq."""
        kind = cert.get("kind")
        if kind not in RULES:
            raise NotExpressible(f"the rule {kind!r} has no translation")
        RULES[str(kind)](self, dict(cert), scene)

    def for_every(self, goal: Relation, cert: Any, scene: Scene, certs: Mapping[str, Any]) -> Scene:
        """Prove a goal for every index; it is the last fact of the scene then."""
        from theory.coq.counting import shown_for_every  # whose rules walk further with this class

        return shown_for_every(self, goal, scene, cert, certs)

    def assume(self, claim: Claim) -> Scene:
        """Introduce the variables and the hypotheses of a claim."""
        if claim.kinds:
            return self._assume_kinds(claim)
        names, out = names_of(claim), self.out
        hyps: list[str] = []
        held: list[Known] = []
        senses: dict[str, tuple[Need, ...]] = {}
        intros = [name for name, _ in parameters(claim)]
        changes: list[tuple[Relation, str]] = []
        for position, relation in enumerate(claim.hypotheses):
            hyp = f"F{position}'"
            if relation.binder is None:
                fresh = [(need, f"N{position}_{i}'") for i, need in enumerate(relation_needs(relation, names).values())]
                held += [Known(need, name) for need, name in fresh]
                intros += [name for _, name in fresh]
            else:
                _, inner = quantifiers(relation, names)
                senses[hyp] = tuple(relation_needs(relation, inner).values())
            intros.append(hyp)
            hyps.append(hyp)
            changes.append((relation, hyp))
        if intros:
            out.say(f"intros {' '.join(intros)}.")
        sequent = Sequent(claim.hypotheses, claim.goals[0], frozenset(claim.naturals))
        scene = Scene(sequent, tuple(hyps), names, tuple(held), {}, senses)
        for relation, hyp in changes:
            if relation.binder is None and any(map(has_matrices, (relation.left, relation.right))):
                out.say(f"change ({scene.relation(relation)}) in {hyp}.")
        for one in held:
            if has_matrices(one.need.node) and not one.need.binders and names.shape(one.need.node) is None:
                out.say(f"change ({scene.need(one.need)}) in {one.hyp}.")
        return scene

    def _assume_kinds(self, claim: Claim) -> Scene:
        """Letters with what their declarations say, recursions with their steps, then the facts."""
        names, out = kinds.names_of(claim), self.out
        intros = [name for name, *_ in kinds.parameters(claim)]
        hyps: list[str] = []
        held: list[Known] = []
        senses: dict[str, tuple[Need, ...]] = {}
        for count, premise in enumerate(kinds.premises(claim)):
            intros.append(f"K{count}'")
            if premise.what == "fact":
                hyps.append(intros[-1])
                fact = claim.facts[int(premise.name)]
                if fact.binder is not None and int(premise.name) < len(claim.hypotheses):
                    senses[intros[-1]] = tuple(relation_needs(fact, quantifiers(fact, names)[1]).values())
            elif premise.what == "sense":
                fact = claim.facts[int(premise.name)]
                held.append(Known(relation_needs(fact, names)[premise.says], intros[-1]))
            else:
                self.kinds[premise.what, premise.name] = intros[-1]
        out.say(f"intros {' '.join(intros)}.")
        if is_nested(claim.world):
            look_back(self, claim, {name: self._begin(claim, name) for name in claim.world.steps})
        else:
            self._look_back(claim)
        self.given = dict(zip(claim.facts, hyps, strict=True))
        self.spoken = (*claim.facts, *claim.goals)
        self.begins = dict(zip(claim.world.steps, claim.facts[len(claim.hypotheses) :], strict=False))
        sequent = Sequent(claim.facts, claim.goals[0], claim.counters, claim.world)
        return Scene(sequent, tuple(hyps), names, tuple(held), {}, senses)

    def define(self, claim: Claim, scene: Scene, certs: Mapping[str, Any]) -> Scene:
        """What recursions begin and go on with has values under the hypotheses alone."""
        held = list(zip(claim.hypotheses, scene.hyps, strict=False))
        for indices, _, node in kinds.definitions(claim.world):
            free = [one for one in held if relation_symbols(one[0]).isdisjoint(indices)]
            vectors = {part.value.name for part in walk(node) if part.op == "letter"}
            sequent = scene.sequent.only(tuple(fact for fact, _ in free)).counting(*indices - vectors)
            here = replace(scene, sequent=sequent, hyps=tuple(hyp for _, hyp in free))
            here = require_defined(self, [node], here, certs)
            scene = scene.knowing(*here.known[len(scene.known) :])
        return scene

    def _look_back(self, claim: Claim) -> None:
        """The states of random recursions depend on the samples before their time only."""
        out, states = self.out, list(claim.world.steps)
        if not states:
            return
        taken = {name for name, *_ in kinds.parameters(claim)}
        t, g, h, near, both, before = (f"{n}'" if n in taken else n for n in ("t", "g", "h", "A", "B", "IH"))
        each = [f"{kinds.called(one)} {t} {g} = {kinds.called(one)} {t} {h}" for one in states]
        steps = [self.kinds["step", one] for one in states]
        alike = " /\\ ".join(each)
        with out.block(f"assert (look_back : forall {t} {g} {h}, agree {t} {g} {h} -> {alike})."):
            out.say(f"intro time_; induction time_ as [|time_ {before}]; intros {g} {h} {near}.")
            starts = [self._begin(claim, one) for one in states]
            out.say(f"{{ rewrite {', '.join(f'!{one}' for one in starts)}; repeat split; reflexivity. }}")
            out.say("rewrite <- (Nat.add_1_r time_) in *.")
            out.say(f"rewrite {', '.join(f'!{one}' for one in steps)}; cbv zeta.")
            less = f"agree_less time_ (time_ + 1) {g} {h} ltac:(lia) {near}"
            out.say(f"assert ({both} := {before} {g} {h} ({less})).")
            out.say(taken_apart(both, [f"R{i}" for i in range(len(states))]))
            alike = ", ".join(f"?R{i}" for i in range(len(states)))
            out.say(f"rewrite {alike}, ?({near} time_) by lia; repeat split; reflexivity.")
        for place, one in enumerate(states):
            picked = f"look_back time_ {g} {h} {near}"
            for _ in range(place):
                picked = f"proj2 ({picked})"
            picked = f"proj1 ({picked})" if place < len(states) - 1 else picked
            name = kinds.called(one)
            out.say(f"assert (dep_{name} : forall {t} {g} {h}, agree {t} {g} {h} -> {name} {t} {g} = {name} {t} {h}).")
            out.say(f"{{ intros time_ {g} {h} {near}; exact ({picked}). }}")
        out.say("clear look_back.")

    def _begin(self, claim: Claim, state: str) -> str:
        """The hypothesis that says how a recursion begins."""
        facts = [p for p in enumerate(kinds.premises(claim)) if p[1].what == "fact"]
        place = len(claim.hypotheses) + list(claim.world.steps).index(state)
        return f"K{next(count for count, p in facts if p.name == str(place))}'"


def proof_of(
    claim: Claim,
    cert: Mapping[str, Any],
    library: Mapping[str, Claim],
    theorems: Mapping[str, str],
    bold: bool = False,
) -> list[str]:
    """The tactics that prove the claim's proposition from its certificate."""
    proof = Proof(library, theorems, bold)
    scene, out = proof.assume(claim), proof.out
    goals = cert.get("goals")
    if not isinstance(goals, list) or len(goals) != len(claim.goals):
        raise NotExpressible(f"the certificate must prove {len(claim.goals)} goal(s)")
    scene = proof.define(claim, scene, cert.get("defined", {}))
    done = {shown: str(known(scene, need)) for shown, need in kinds.senses(claim).items()}
    for goal, one in zip(claim.goals, goals, strict=True):
        if goal.binder is not None:
            scene = proof.for_every(goal, one, scene, cert.get("defined", {}))
            done.setdefault(conclusion(goal, scene.names)[0], scene.hyps[-1])
            scene = replace(scene, sequent=scene.sequent.only(scene.sequent.facts[:-1]), hyps=scene.hyps[:-1])
            continue
        here = require_defined(proof, [goal.left, goal.right], scene.show(goal), cert.get("defined", {}))
        for shown, need in relation_needs(goal, scene.names).items():
            done.setdefault(shown, str(known(here, need)))
        scene = scene.knowing(*here.known[len(scene.known) :])
        name = out.new("G")
        out.say(f"(* {described(goal)} *)")
        with out.block(f"assert ({name} : {here.relation(goal)})."):
            proof.check(one, here)
        done.setdefault(compare(goal, scene.names), name)
    out.say(f"exact {conjunction(list(done.values()))}.")
    return out.lines


def conjunction(parts: list[str]) -> str:
    result = parts[-1]
    for part in reversed(parts[:-1]):
        result = f"(conj {part} {result})"
    return result


__all__ = ["RULES", "Proof", "Rule", "conjunction", "proof_of"]
