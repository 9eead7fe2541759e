"""That formulas make sense: every need becomes a hypothesis of Coq, by plain signs or by a certificate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from theory.coq.errors import NotExpressible
from theory.coq.kinds import matrix
from theory.coq.matrices import determinant, entries
from theory.coq.opening import settle
from theory.coq.reserved import ident
from theory.coq.scene import Known, Out, Scene, enter
from theory.coq.statement import Need, needs, number
from theory.coq.world import World, fraction
from theory.kernel.flat import OMEGA
from theory.kernel.kinds import NUMBER, has_letters, size_of
from theory.kernel.lang import Node, Relation, num, substitute, sym
from theory.kernel.proof import _outside
from theory.kernel.rings import Frac
from theory.kernel.sequent import FORMAL, Obligation, is_plain, obligations

if TYPE_CHECKING:
    from theory.coq.proof import Proof

Certs = Mapping[str, Any]


def require_defined(proof: Proof, nodes: Iterable[Node], scene: Scene, certs: Certs) -> Scene:
    """What the kernel wants to be shown, and every divisor, root and logarithm besides, as hypotheses of Coq."""
    nodes = list(nodes)
    scene = require(proof, [duty for node in nodes for duty in obligations(node)], scene, certs)
    for need in dict.fromkeys(need for node in nodes for need in needs(node)):
        scene = _conclude(proof, need, scene)
    return scene


def require(proof: Proof, duties: Iterable[Obligation], scene: Scene, certs: Certs) -> Scene:
    """The duties that have a certificate; what is plain is shown where it is used."""
    for duty in dict.fromkeys(reversed(list(duties))):  # what stands inside comes first
        cert = certs.get(duty.full_label, certs.get(duty.label, certs.get(duty.key)))
        if duty.kind not in FORMAL and cert is not None and not is_plain(duty, scene.sequent):
            scene = _require(proof, duty, scene, cert)
    return scene


def _require(proof: Proof, duty: Obligation, scene: Scene, cert: Any) -> Scene:
    need = Need(duty.kind, duty.node, tuple(_binder(i, lo, hi) for i, lo, hi in duty.binders))
    if known(scene, need):
        return scene
    if cert.get("kept"):
        raise NotExpressible(f"{duty.label} is shown from facts for every index of another range; not translated")
    if need.binders and _outside(cert, duty):
        scene = _require(proof, replace(duty, binders=()), scene, cert)
        held, new = known(scene, replace(need, binders=())), proof.out.new("N")
        proof.out.say(f"assert ({new} : {scene.need(need)}) by (intros; exact {held}).")
        return scene.knowing(Known(need, new))
    new = proof.out.new("N")
    with proof.out.block(f"assert ({new} : {scene.need(need)})."):
        inner = enter(proof.out, scene, Relation("!=", duty.node, num(0)), duty.binders)
        _by_certificate(proof, duty.kind, cert, inner)
    return scene.knowing(Known(need, new))


def _binder(index: str, lo: Node, hi: Node) -> Node:
    return Node("mean", (sym(index), num(0))) if lo == OMEGA else Node("sum", (sym(index), lo, hi, num(0)))


def known(scene: Scene, need: Need) -> str | None:
    return next((one.hyp for one in scene.known if _same(one.need, need)), None)


def _same(a: Need, b: Need) -> bool:
    ranges = [tuple((x.op, x.args if x.op == "iterate" else x.args[:-1]) for x in one.binders) for one in (a, b)]
    return a.kind == b.kind and a.node == b.node and ranges[0] == ranges[1]


def _by_certificate(proof: Proof, kind: str, cert: Any, scene: Scene) -> None:
    """scene.goal is `node != 0`, the Coq goal what is needed of the node."""
    node = scene.goal.left
    if kind == "nonzero":
        side, cert = cert["side"], cert["proof"]
        proof.out.say("apply pos_nz, Rgt_lt." if side == ">" else "apply neg_nz.")
    else:
        side = ">=" if kind == "nonnegative" else ">"
        proof.out.say(f"apply {'Rge_le' if side == '>=' else 'Rgt_lt'}.")
    proof.check(cert, scene.show(Relation(side, node, num(0))))


def plainly(out: Out, kind: str, node: Node, scene: Scene) -> None:
    """`node <> 0`, `0 <= node` or `0 < node`: by signs that the facts give, or from divisors that are known."""
    try:
        _plainly(out, kind, node, scene)
    except NotExpressible:
        if not out.bold:
            raise
        out.say("first [nz | pp | nn].")


def _plainly(out: Out, kind: str, node: Node, scene: Scene) -> None:
    if kind == "nonnegative" and _is_square(node):
        out.say(f"exact (gram_entry _ {matrix(node.args[0], scene.names)}).")
        return
    world = World(out, scene, [node])
    value = world.value(node)
    if kind == "nonzero":
        top = world.product(value.num)
        whole = f"({top})" if value.den.is_constant() else f"(({top}) / ({world.product(value.den)}))"
        out.say(f"apply (eq_nz _ {whole}); [ | nz].")
    else:
        lemma, end = ("eq_pos", "pp") if kind == "positive" else ("eq_nn", "nn")
        out.say(f"apply ({lemma} _ {_signed_product(world, value, kind)}); [ | {end}].")
    factors = (
        [world.text(f) for poly in (value.num, value.den) for f, _ in poly.factor()[1]] if not value.is_zero else []
    )
    settle(out, scene, [node], [*world.conditions([node]), *factors])


def _is_square(node: Node) -> bool:
    """A scalar product of a vector with itself, as it stands."""
    if node.op != "@" or not has_letters(node) or size_of(node) != NUMBER:
        return False
    left, right = node.args
    return left == Node("T", (right,))


def _signed_product(world: World, value: Frac, kind: str) -> str:
    """c * (±f)^e … / (±g)^e …, every factor positive; or a polynomial with nonnegative terms over such a product."""
    bottom, sign = _positive_factors(world, value.den)
    top, other = _positive_factors(world, value.num)
    if bottom is None:
        raise NotExpressible("the sign of a denominator is not plain")
    if top is None or other * sign < 0:
        top = world.covered(value.num * sign, strict=kind == "positive")
    if top is None:
        raise NotExpressible("a sign is not plain")
    return f"({top})" if bottom == "1" else f"(({top}) * / ({bottom}))"


def _positive_factors(world: World, poly: Any) -> tuple[str | None, int]:
    if poly.is_zero():
        return "0", 1
    constant, factors = poly.factor()
    parts, sign = [number(abs(fraction(constant)))], 1 if constant > 0 else -1
    for factor, power in factors:
        found = world.signed(factor)
        if found is None:
            return None, 0
        world.nonzero(factor)
        if found[0] != world.text(factor) and power % 2:
            sign = -sign
        parts.append(f"({found[0]} ^ {int(power)})" if power > 1 else found[0])
    return ("1" if parts == ["1"] else " * ".join(parts)), sign


def _conclude(proof: Proof, need: Need, scene: Scene) -> Scene:
    """The need as the statement prints it, from what is known of its factors."""
    if known(scene, need):
        return scene
    new = proof.out.new("N")
    with proof.out.block(f"assert ({new} : {scene.need(need)})."):
        inner, local = scene, need
        for binder in need.binders:
            inner, local = _step_below(proof.out, inner, binder, local)
        _finish(proof.out, replace(local, binders=()), inner)
    return scene.knowing(Known(need, new))


def _step_below(out: Out, scene: Scene, binder: Node, need: Need) -> tuple[Scene, Need]:
    name = str(binder.args[0].value)
    if binder.op != "iterate":
        lo, hi = (OMEGA, OMEGA) if binder.op == "mean" else (binder.args[1], binder.args[2])
        inner = enter(out, scene, Relation("!=", need.node, num(0)), [(name, lo, hi)])
        return inner, replace(need, node=inner.goal.left)
    shape = scene.names.shape(binder.args[2])
    if scene.speaks_of(name):  # the state gets a name that nothing else has here
        fresh = f"{name}_{out.count}"
        need, name = replace(need, node=substitute(need.node, {name: sym(fresh)})), fresh
    out.say(f"intros step_ before_ {ident(name)}; clearbody {ident(name)}.")
    return replace(scene, names=scene.names.bind(name, "state", shape)), need


def _finish(out: Out, need: Need, scene: Scene) -> None:
    """The goal is the body of the need."""
    held = known(scene, need)
    if held:
        return out.say(f"exact {held}.")
    node = need.node
    if scene.names.shape(node) is not None:
        node = determinant(entries(node, dict(scene.names.states)))
        out.say(f"change ({scene.text(node)} <> 0).")
    return plainly(out, need.kind, node, scene)
