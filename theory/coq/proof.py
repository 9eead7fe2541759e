"""The walk over a certificate: each kind of node has its function, which prints the tactics that prove the goal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from theory.coq.duties import known, require_defined
from theory.coq.errors import NotExpressible
from theory.coq.matrices import has_matrices
from theory.coq.scene import Known, Out, Scene, described
from theory.coq.statement import Need, compare, conclusion, names_of, parameters, quantifiers, relation_needs
from theory.kernel.claim import Claim
from theory.kernel.lang import Relation
from theory.kernel.sequent import Sequent

Rule = Callable[["Proof", dict[str, Any], Scene], None]
RULES: dict[str, Rule] = {}  # filled by theory.coq.rules, which lists them all


class Proof:
    """One theorem's proof. `theorems` names the Coq theorem of every claim that may be cited."""

    def __init__(self, library: Mapping[str, Claim], theorems: Mapping[str, str], bold: bool = False) -> None:
        self.out = Out(bold=bold)
        self.library = library
        self.theorems = theorems

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
        sequent = Sequent(claim.hypotheses, claim.goals[0], frozenset(claim.naturals), claim.letters)
        scene = Scene(sequent, tuple(hyps), names, tuple(held), {}, senses)
        for relation, hyp in changes:
            if relation.binder is None and any(map(has_matrices, (relation.left, relation.right))):
                out.say(f"change ({scene.relation(relation)}) in {hyp}.")
        for one in held:
            if has_matrices(one.need.node) and not one.need.binders and names.shape(one.need.node) is None:
                out.say(f"change ({scene.need(one.need)}) in {one.hyp}.")
        return scene


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
    done: dict[str, str] = {}
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
