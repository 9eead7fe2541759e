"""Symmetric matrices in one direction at a time: traces at one eigenvector, an order at one vector."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from theory.coq.duties import require_defined
from theory.coq.errors import NotExpressible
from theory.coq.forms import equate
from theory.coq.kinds import called, matrix, size
from theory.coq.proof import Proof
from theory.coq.scene import Scene
from theory.kernel.kinds import size_of
from theory.kernel.lang import Node
from theory.kernel.spectral import at_any_vector, at_eigenvector

LEMMAS = {"<=": "eigen", ">=": "eigen_ge", "==": "eigen_eq"}


def rule_eigen(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    goal, out, world = scene.goal, proof.out, scene.sequent.world
    if goal.op not in LEMMAS:
        raise NotExpressible(f"eigen does not prove {goal}")
    whole, left, right = (world.read(str(cert[name])) for name in ("of", "left", "right"))
    scene = require_defined(proof, [whole, left, right], scene, cert.get("defined", {}))
    for side, inside in ((goal.left, left), (goal.right, right)):
        same, told = out.new("Q"), Node("tr", (inside,))
        if scene.text(side) == scene.text(told):  # rewriting with it would be an error
            continue
        with out.block(f"assert ({same} : {scene.text(side)} = {scene.text(told)})."):
            equate(out, side, told, scene.names, world, proof.kinds)
        out.say(f"rewrite {same}; clear {same}.")
    rows = size(size_of(whole)[0])
    out.say(f"apply ({LEMMAS[goal.op]} {rows} {matrix(whole, scene.names)}).")
    with out.block():
        out.say("sizes.")
    with out.block():
        equate(out, Node("T", (whole,)), whole, scene.names, world, proof.kinds)
    vector, value = str(cert["vector"]), str(cert["value"])
    names = [out.new("K"), out.new("F"), out.new("F")]
    out.say(f"intros {called(vector)} {called(value)} {' '.join(names)}.")
    inner = at_eigenvector(vector, value, whole, left, right, scene.sequent)
    proof.kinds["sized", vector] = names[0]
    here = replace(scene, sequent=inner, hyps=(*scene.hyps, *names[1:]))
    proof.check(cert["then"], here)


def rule_form(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    goal, out, vector = scene.goal, proof.out, str(cert["vector"])
    inner, gap = at_any_vector(vector, scene.sequent), Node("-", (goal.right, goal.left))
    out.say("apply in_every_direction.")
    with out.block():
        equate(out, gap, Node("T", (gap,)), scene.names, scene.sequent.world, proof.kinds)
    name = out.new("K")
    with out.block():
        out.say(f"intros {called(vector)} {name}.")
        proof.kinds["sized", vector] = name
        proof.check(cert["then"], replace(scene, sequent=inner))
