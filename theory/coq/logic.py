"""Rules that rearrange what is to be shown: cases, roots, equations solved, intermediate facts, citations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from theory.coq.counting import shown_for_every
from theory.coq.duties import known, require_defined
from theory.coq.errors import NotExpressible
from theory.coq.families import Put, family, places, taken, whole_of
from theory.coq.opening import equal
from theory.coq.proof import Proof
from theory.coq.reserved import ident
from theory.coq.scene import Known, Scene, enter, quantifier, taken_apart
from theory.coq.statement import (
    Names,
    Need,
    compare,
    integer,
    names_of,
    natural,
    parameters,
    quantifiers,
    relation_needs,
)
from theory.coq.world import World
from theory.kernel.claim import Claim
from theory.kernel.flat import fraction_node, scalars_of
from theory.kernel.lang import (
    DOMAINS,
    FOREVER,
    Node,
    Relation,
    num,
    replace_relation,
    substitute_relation,
    sym,
)
from theory.kernel.laws import LAWS
from theory.kernel.logic import _linear, images, is_plain_nonzero
from theory.kernel.rings import Frac
from theory.kernel.sequent import freed


def rule_cases(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    pivot, out = scene.sequent.world.read(cert["on"]), proof.out
    scene = require_defined(proof, [pivot], scene, cert.get("defined", {}))
    if cert.get("whole"):
        return _whole_cases(proof, cert, scene, pivot)
    strict, name = bool(cert.get("strict")), out.new("F")
    out.say(f"destruct ({'case_lt' if strict else 'case_le'} {scene.text(pivot)}) as [{name}|{name}].")
    for op, branch in ((">=", "nonnegative"), ("<" if strict else "<=", "nonpositive")):
        with out.block():
            proof.check(cert[branch], scene.given((Relation(op, pivot, num(0)), name)))
    return None


def _whole_cases(proof: Proof, cert: dict[str, Any], scene: Scene, pivot: Node) -> None:
    """An integer is >= 0 or <= -1."""
    out, whole = proof.out, integer(pivot, scene.names)
    same, case, name = out.new("Q"), out.new("C"), out.new("F")
    above, below = Relation(">=", pivot, num(0)), Relation("<=", pivot, num(-1))
    out.say(f"assert ({same} : {scene.text(pivot)} = IZR {whole}) by real_cast.")
    out.say(f"destruct (Z_le_gt_dec 0 {whole}) as [{case}|{case}].")
    for fact, ends, branch in (
        (above, f"IZR 0 <= IZR {whole}", "nonnegative"),
        (below, f"IZR {whole} <= IZR (-1)", "nonpositive"),
    ):
        with out.block():
            shown = f"rewrite {same}; assert ({ends}) by (apply IZR_le; lia); lra"
            out.say(f"assert ({name} : {scene.relation(fact)}) by ({shown}).")
            proof.check(cert[branch], scene.given((fact, name)))


def rule_split(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """max(a, b) is a, and a >= b, or it is b, and b >= a; likewise min and abs."""
    old = scene.sequent.world.read(cert["of"])
    scene = require_defined(proof, [old], scene, cert.get("defined", {}))
    if old.op not in ("abs", "max", "min"):
        raise NotExpressible(f"{old} is not a max, min or abs")
    options = [old.args[0], Node("neg", (old.args[0],))] if old.op == "abs" else list(old.args)
    op = "<=" if old.op == "min" else ">="
    _split(proof, scene, old, op, options, list(cert["branches"]))


def _split(proof: Proof, scene: Scene, old: Node, op: str, options: list[Node], branches: list[Any]) -> None:
    out, whole = proof.out, scene.text(old)
    cases, names = [], out.new("C")
    for chosen in options:
        others = [f"{scene.text(chosen)} {op} {scene.text(other)}" for other in options if other is not chosen]
        cases.append(" /\\ ".join([f"{whole} = {scene.text(chosen)}", *others]))
    either = " \\/ ".join(f"({case})" for case in cases)
    out.say(f"assert ({names} : {either}) by extremes.")
    counts = range(len(options) - 1)
    facts = [out.new("F") for _ in counts]
    pattern = f"(Q{names} & {' & '.join(facts)})"
    out.say(f"destruct {names} as {_alternatives(pattern, len(options))}.")
    for chosen, branch in zip(options, branches, strict=True):
        with out.block():
            here = _replaced(proof, scene, old, chosen, f"Q{names}")
            added = [Relation(op, chosen, other) for other in options if other is not chosen]
            proof.check(branch, here.given(*zip(added, facts, strict=True)))


def _alternatives(pattern: str, count: int) -> str:
    result = pattern
    for _ in range(count - 1):
        result = f"[{pattern}|{result}]"
    return result


def _replaced(proof: Proof, scene: Scene, old: Node, new: Node, equation: str) -> Scene:
    """The equation rewritten in the goal and in a copy of every fact where the formula stands."""
    out = proof.out
    out.say(f"rewrite ?{equation}.")
    hyps = []
    for fact, hyp in zip(scene.sequent.facts, scene.hyps, strict=True):
        if replace_relation(fact, old, new) == fact:
            hyps.append(hyp)
            continue
        hyps.append(out.new("F"))
        out.say(f"assert ({hyps[-1]} := {hyp}); rewrite {equation} in {hyps[-1]}.")
    facts = tuple(replace_relation(f, old, new) for f in scene.sequent.facts)
    sequent = replace(scene.sequent, facts=facts, goal=replace_relation(scene.goal, old, new))
    senses = {new_hyp: scene.senses[hyp] for new_hyp, hyp in zip(hyps, scene.hyps, strict=True) if hyp in scene.senses}
    return replace(scene, sequent=sequent, hyps=tuple(hyps), senses={**scene.senses, **senses})


def rule_root(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """The root gets a name: r >= 0 and r² = argument."""
    old, name, out = scene.sequent.world.read(cert["of"]), str(cert["name"]), proof.out
    scene = require_defined(proof, [old], scene, cert.get("defined", {}))
    if old.op != "sqrt":
        raise NotExpressible(f"{old} is not a square root")
    held = known(scene, Need("nonnegative", old.args[0]))
    here, low, square = out.new("r"), out.new("F"), out.new("F")
    out.say(f"destruct (root_named _ {held}) as ({here} & Q{here} & {low} & {square}).")
    scene = replace(scene, names=replace(scene.names, terms={**scene.names.terms, name: here}))
    scene = _replaced(proof, scene, old, sym(name), f"Q{here}")
    facts = (Relation(">=", sym(name), num(0)), Relation("==", Node("**", (sym(name), num(2))), old.args[0]))
    proof.check(cert["then"], scene.given((facts[0], low), (facts[1], square)))


def rule_solve(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """An equation that is linear in a name: the name is eliminated everywhere."""
    position, name, out = int(cert["fact"]), str(cert["for"]), proof.out
    fact, sequent = scene.sequent.facts[position], scene.sequent
    gap = Node("-", (fact.left, fact.right))
    ring, (value,), atoms = scalars_of([gap])
    slope, rest = _linear(value.num, ring.names.index(name))
    solution = atoms.restore(fraction_node(Frac.of(-rest, slope), ring.names))
    steep = atoms.restore(fraction_node(Frac(slope, ring.ctx.constant(1)), ring.names))
    scene = require_defined(proof, [*freed(solution, sequent), *freed(steep, sequent)], scene, cert.get("defined", {}))
    scene = _steep(proof, cert, scene, steep)
    new = out.new("Q")
    shown = scene.text(sym(name))
    with out.block(f"assert ({new} : {shown} = {scene.text(solution)})."):
        _solved(proof, scene, name, gap, scene.hyps[position], steep, solution)
    _eliminate(proof, cert, scene, position, name, solution, new)


def _steep(proof: Proof, cert: dict[str, Any], scene: Scene, steep: Node) -> Scene:
    """The slope is nonzero, by signs or by a certificate."""
    if is_plain_nonzero(steep, scene.sequent):
        return scene
    out, new, side = proof.out, proof.out.new("N"), cert["nonzero"]["side"]
    with out.block(f"assert ({new} : {scene.text(steep)} <> 0)."):
        out.say("apply pos_nz, Rgt_lt." if side == ">" else "apply neg_nz.")
        proof.check(cert["nonzero"]["proof"], scene.show(Relation(side, steep, num(0))))
    return scene.knowing(Known(Need("nonzero", steep), new))


def _solved(proof: Proof, scene: Scene, name: str, gap: Node, hyp: str, steep: Node, solution: Node) -> None:
    """name - solution = (left - right) * c / slope, where c clears the denominators of the equation."""
    out = proof.out
    left = Node("-", (sym(name), solution))
    world = World(out, scene, [left, gap, steep])
    ratio = world.value(left) / world.value(gap)
    factor = world.atoms.full(fraction_node(ratio, world.ring.names))
    right = Node("*", (gap, factor))
    for factor_poly, _ in [*ratio.den.factor()[1], *world.value(steep).num.factor()[1]]:
        world.nonzero(factor_poly)
    out.say(f"apply (zero_eq _ _ {scene.text(right)}).")
    with out.block():
        inner = World(out, scene, [left, right])
        equal(out, scene, left, right, inner.conditions([left, right]))
    out.say(f"rewrite (Rminus_diag_eq _ _ {hyp}); ring.")


def _eliminate(
    proof: Proof, cert: dict[str, Any], scene: Scene, position: int, name: str, solution: Node, new: str
) -> None:
    out, sequent = proof.out, scene.sequent
    env = {name: solution}
    facts = tuple(substitute_relation(f, env) for i, f in enumerate(sequent.facts) if i != position)
    hyps = tuple(h for i, h in enumerate(scene.hyps) if i != position)
    shown = scene.text(sym(name))
    if name in sequent.naturals:
        extra = out.new("F")
        out.say(f"assert ({extra} : {scene.text(solution)} >= 0) by (rewrite <- {new}; apply INR_nn).")
        facts, hyps = (*facts, Relation(">=", solution, num(0))), (*hyps, extra)
        out.say(f"rewrite ?{new} in *|-; rewrite ?{new}.")
    elif re.fullmatch(r"[\w']+", shown) and name not in scene.names.terms:  # of a named root more is known
        out.say(f"clear {scene.hyps[position]}; subst {shown}.")
    else:
        out.say(f"rewrite ?{new} in *|-; rewrite ?{new}.")
    goal = substitute_relation(sequent.goal, env)
    scene = scene.substituted(env, replace(sequent.not_counting(name), facts=facts, goal=goal))
    proof.check(cert["then"], replace(scene, hyps=hyps))


def rule_both(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    out = proof.out
    out.say("apply Rle_antisym; [ | apply Rge_le].")
    for op in ("<=", ">="):
        with out.block():
            proof.check(cert[op], scene.show(Relation(op, scene.goal.left, scene.goal.right)))


def rule_have(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    fact, out, certs = scene.sequent.world.read_relation(cert["fact"]), proof.out, cert.get("defined", {})
    new = out.new("F")
    if fact.binder is None:
        scene = require_defined(proof, [fact.left, fact.right], scene, certs)
        with out.block(f"assert ({new} : {scene.relation(fact)})."):
            proof.check(cert["proof"], scene.show(fact))
        return proof.check(cert["then"], scene.given((fact, new)))
    if cert.get("open") or fact.more or fact.binder[2] == FOREVER or fact.binder[1].op in DOMAINS:
        return proof.check(cert["then"], shown_for_every(proof, fact, scene, cert["proof"], certs))
    index, lo, hi = fact.binder
    bare = Relation(fact.op, fact.left, fact.right)
    inner_names = scene.names.bind(index, "outcomes" if lo.value == "Omega" else "indices")
    shown = replace(scene, names=inner_names)
    senses = tuple(
        relation_needs(Relation(fact.op, scene.flat(fact.left), scene.flat(fact.right)), inner_names).values()
    )
    parts = [shown.need(need) for need in senses] + [shown.relation(bare)]
    body = " /\\ ".join(f"({part})" for part in parts)
    with out.block(f"assert ({new} : {quantifier(index, lo, hi, scene.names)}{body})."):
        here = enter(out, scene, bare, [fact.binder])
        here = require_defined(proof, [here.goal.left, here.goal.right], here, certs)
        for need in senses:
            out.say("split.")
            local = replace(need, node=here.flat(need.node))
            held = next(
                (k.hyp for k in here.known if here.flat(k.need.node) == local.node and k.need.kind == need.kind), None
            )
            with out.block():
                out.say(f"exact {held}." if held else "nz.")
        proof.check(cert["proof"], here)
    scene = replace(scene.given((fact, new)), senses={**scene.senses, new: senses})
    return proof.check(cert["then"], scene)


def rule_cite(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """An instance of another theorem; its hypotheses are shown here."""
    key, out = str(cert["claim"]), proof.out
    claim = LAWS[key] if key in LAWS else proof.library.get(key)
    if claim is None or (key not in LAWS and key not in proof.theorems):
        raise NotExpressible(f"it cites {key}, which has no theorem in Coq")
    if claim.kinds:
        from theory.coq.citing import cite_letters  # which walks further with the rules of this module

        return cite_letters(proof, cert, scene, claim)
    theorem = law_name(key) if key in LAWS else proof.theorems[key]
    put = Put(*images(cert, claim, scene.sequent))
    scene = require_defined(proof, [v for v in put.env.values() if v.op != "list"], scene, cert.get("defined", {}))
    instance, new = _arguments(claim, put, scene), out.new("T")
    out.say(f"assert ({new} := {theorem} {instance}).")
    if claim.naturals:
        out.say(f"count in {new}.")
    if put.families:
        out.say(f"cbv beta in {new}.")
    for node in places(claim, put):
        out.say(f"rewrite ?({whole_of(node, scene.names)}) in {new}.")
    for position, hypothesis in enumerate(claim.hypotheses):
        scene = _discharge(proof, cert, scene, hypothesis, put, position, new, names_of(claim))
    facts = [(put.relation(goal), out.new("F")) for goal in claim.goals]
    if put.families:
        sides = [side for fact, _ in facts for side in (fact.left, fact.right)]
        scene = require_defined(proof, sides, scene, cert.get("defined", {}))
    scene = _conclusions(proof, claim, put, scene, facts, new)
    return proof.check(cert["then"], scene.given(*facts))


def law_name(key: str) -> str:
    return key.replace(":", "_").replace("-", "_")


def _arguments(claim: Claim, put: Put, scene: Scene) -> str:
    by_ident = {ident(name): name for name in claim.variables}
    shown = []
    for coq, kind in parameters(claim):
        if coq in ("Omega", "E", "HE"):
            shown.append(coq)
            continue
        name = by_ident[coq]
        if name in put.families:
            shown.append(family(*put.families[name], scene))
            continue
        image = put.env.get(name, sym(name))
        if kind == "nat":
            shown.append(natural(image, scene.names))
        elif kind == "R":
            shown.append(scene.text(image))
        elif image.op == "sym":
            shown.append(ident(str(image.value)))
        else:
            raise NotExpressible("a list is put in for a family")
    return " ".join(shown)


def _discharge(
    proof: Proof,
    cert: Mapping[str, Any],
    scene: Scene,
    cited: Relation,
    put: Put,
    position: int,
    new: str,
    names: Names,
) -> Scene:
    """Feed the theorem with the needs of one hypothesis and with the hypothesis itself."""
    out, hypothesis = proof.out, put.relation(cited)
    if hypothesis.binder is not None:
        hyp = dict(zip(scene.sequent.facts, scene.hyps, strict=True)).get(hypothesis)
        if hyp is None:
            shown = shown_for_every(proof, hypothesis, scene, cert["discharge"][str(position)], cert.get("defined", {}))
            hyp = shown.hyps[-1]
        moved = taken([cited.left, cited.right], put)
        index, inner = ident(hypothesis.binder[0]), quantifiers(hypothesis, scene.names)[1]
        own, theirs = (
            len(relation_needs(one.under(()), quantifiers(one, where)[1]))
            for one, where in ((hypothesis, scene.names), (cited, names))
        )
        if not moved and own == theirs:
            out.say(f"specialize ({new} {hyp}).")
            return scene
        if not moved:  # what is put in needs more to make sense than the name that it stands for
            apart = f"destruct ({hyp} {index} in_{index}) as ({' & '.join('?' for _ in range(own + 1))})"
            why = f"intros {index} in_{index}; {apart}; repeat split; assumption"
            out.say(f"lapply {new}; [clear {new}; intro {new} | {why}].")
            return scene
        wholes = ", ".join(f"?({whole_of(node, inner)})" for node in moved)
        said = f"({hyp} {index} in_{index})"
        for _ in range(len(relation_needs(hypothesis.under(()), inner))):
            said = f"(proj2 {said})"
        alike = f"intros {index} in_{index}; rewrite {wholes}; recast {said}"
        out.say(f"lapply {new}; [clear {new}; intro {new} | {alike}].")
        return scene
    certs = cert.get("defined", {}) if hypothesis not in scene.sequent.facts else {}
    scene = require_defined(proof, [hypothesis.left, hypothesis.right], scene, certs)
    for need in relation_needs(cited, names).values():
        out.say(f"specialize ({new} {known(scene, put.need(need))}).")
    moving = bool(taken([cited.left, cited.right], put))
    if hypothesis in scene.sequent.facts:
        name = scene.hyps[scene.sequent.facts.index(hypothesis)]
        out.say(f"feed {new} {name}." if moving else f"specialize ({new} {name}).")
        return scene
    name = out.new("F")
    with out.block(f"assert ({name} : {scene.relation(hypothesis)})."):
        proof.check(cert.get("discharge", {}).get(str(position), {"kind": "positive"}), scene.show(hypothesis))
    out.say(f"feed {new} {name}." if moving else f"specialize ({new} {name}).")
    return scene


def _conclusions(
    proof: Proof, claim: Claim, put: Put, scene: Scene, facts: list[tuple[Relation, str]], new: str
) -> Scene:
    """Take the theorem's conclusion apart: what makes sense there is known here."""
    names = names_of(claim)
    parts: dict[str, str] = {}
    added: list[Known] = []
    for goal, (_, fact_name) in zip(claim.goals, facts, strict=True):
        for shown, need in relation_needs(goal, names).items():
            if shown not in parts:
                parts[shown] = proof.out.new("N")
                added.append(Known(put.need(need), parts[shown]))
        key = compare(goal, names)
        if key in parts:
            proof.out.say(f"(* {fact_name} is {parts[key]} *)")
        parts.setdefault(key, fact_name)
    proof.out.say(taken_apart(new, list(parts.values())))
    for goal, (fact, fact_name) in zip(claim.goals, facts, strict=True):
        if parts[compare(goal, names)] != fact_name:
            proof.out.say(f"assert ({fact_name} := {parts[compare(goal, names)]}).")
        written = "rewrite_as" if places(claim, put) else "change"
        proof.out.say(f"{written} ({scene.relation(fact)}) in {fact_name}.")
    return scene.knowing(*added)
