"""Rules about indices: a fact for every index at one of them, induction from any start, sums that lose a term."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from theory.coq.duties import known, require_defined
from theory.coq.errors import NotExpressible
from theory.coq.kinds import called
from theory.coq.proof import Proof, conjunction
from theory.coq.reserved import ident
from theory.coq.scene import Known, Out, Scene, taken_apart
from theory.coq.statement import (
    Names,
    Need,
    count,
    integer,
    natural,
    quantifiers,
    range_text,
    real,
    relation_needs,
)
from theory.kernel.counting import by_form, induction_parts, instance, unrolled
from theory.kernel.kinds import NUMBER, has_letters, index_form, settled_relation, size_from, size_of
from theory.kernel.lang import (
    FOREVER,
    Node,
    Relation,
    num,
    relation_symbols,
    substitute,
    sym,
    symbols,
    text,
    walk,
)
from theory.kernel.sequent import ends_of, is_natural


def casts(out: Out, scene: Scene, image: Node) -> list[str]:
    """Equations that turn an integer that is put in for an index into the number that is written there."""
    if image.op == "num" or (image.op == "sym" and image.value in scene.names.indices):
        return []
    shown, made = integer(image, scene.names), [out.new("Q")]
    tactic = "cast_deep" if holds_product(image) else "real_cast"
    out.say(f"assert ({made[0]} : IZR {shown} = {scene.text(image)}) by {tactic}.")
    try:
        count = natural(image, scene.names)
    except NotExpressible:
        return made
    made.append(out.new("Q"))
    out.say(f"assert ({made[1]} : Z.to_nat {shown} = {count}) by within.")
    return made


def holds_product(node: Node) -> bool:
    """2 m - 1: a product inside a sum, which is folded first."""
    return any("*" in (one.op for one in part.args) for part in walk(node))


def counted(out: Out, image: Node) -> list[str]:
    """A number that is put in for the count of a letter."""
    if image.op != "num" or image.value < 0:
        return []
    made = out.new("Q")
    out.say(f"assert ({made} : Z.to_nat ({image.value})%Z = {image.value}%nat) by reflexivity.")
    return [made]


def rewritten(out: Out, equations: Iterable[str], where: str = "") -> None:
    listed = ", ".join(f"?{one}" for one in equations)
    if listed:
        out.say(f"rewrite {listed}{where}.")


def recounted(
    out: Out, nodes: Iterable[Node], put: Mapping[str, Node], names: Names, called: Mapping[str, str] | None = None
) -> list[str]:
    """Equations for the counts of letters that are written otherwise once something is put in: n + n is 2 * n."""
    made: dict[str, str] = {}
    parts = (part for node in nodes for part in walk(node) if part.op == "letter")
    for one in (
        one for part in parts for one, kind in zip(part.args, part.value.indices, strict=True) if kind == "nat"
    ):
        try:
            before, after = substitute(one, put), index_form(substitute(one, put))
            texts = [count(node, names) for node in (before, after)]
        except NotExpressible:
            continue
        for old, new in (called or {}).items():
            texts = [text.replace(old, new) for text in texts]
        if texts[0] != texts[1] and texts[0] not in made:
            made[texts[0]] = out.new("Q")
            out.say(f"assert ({made[texts[0]]} : {texts[0]} = {texts[1]}) by lia.")
    return list(made.values())


def is_moving(*relations: Relation) -> bool:
    """Whether indices may have to be written anew below a binder, or where they are no sums of naturals."""
    parts = [part for r in relations for side in (r.left, r.right) for part in walk(side)]
    counts = (
        one for p in parts if p.op == "letter" for one, k in zip(p.args, p.value.indices, strict=True) if k == "nat"
    )
    return any(p.op == "sum" and has_letters(p) for p in parts) or any(not is_natural(i, symbols(i)) for i in counts)


def recast(out: Out, hyp: str, says: str) -> str:
    """The same with its indices written as here."""
    new = out.new("F")
    out.say(f"assert ({new} : {says}) by (recast {hyp}).")
    return new


def rule_instance(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """A fact for every index, at indices of its range."""
    position, out = int(cert["fact"]), proof.out
    whole, hyp = scene.sequent.facts[position], scene.hyps[position]
    fact, duties = instance(whole, cert["at"], scene.sequent)
    for duty in duties:
        if not by_form(duty, scene.sequent):
            _shown(proof, cert.get("within", {}).get(str(duty)), duty, scene)
    term, put = hyp, dict[str, Node]()
    equations: list[str] = []
    for index, lo, hi in whole.binders:
        image = scene.sequent.world.read(str(cert["at"][index]))
        ends = substitute(lo, put), hi if hi == FOREVER else substitute(hi, put)
        shown, inside = integer(image, scene.names), out.new("W")
        out.say(f"assert ({inside} : {range_text(*ends, shown, scene.names)}) by inside.")
        equations += casts(out, scene, image)
        equations += counted(out, image) if has_letters(whole.left) else []
        term, put = f"{term} {shown} {inside}", {**put, index: image}
    equations += recounted(out, (whole.left, whole.right), put, scene.names)
    scene, new = specialised(out, scene, hyp, term, put, equations)
    if fact.binder is None and is_moving(fact):
        new = recast(out, new, scene.relation(fact))
    proof.check(cert["then"], scene.given((fact, new)))


def _shown(proof: Proof, cert: Any, duty: Relation, scene: Scene) -> None:
    """What puts an index inside its range becomes a hypothesis; a bold proof leaves it to Coq."""
    if cert is None and not proof.out.bold:
        raise NotExpressible(f"not shown: {duty}, so the index may lie outside the range")
    if cert is not None:
        with proof.out.block(f"assert ({proof.out.new('D')} : {scene.relation(duty)})."):
            proof.check(cert, scene.show(duty))


def specialised(
    out: Out, scene: Scene, hyp: str, term: str, put: Mapping[str, Node], equations: list[str]
) -> tuple[Scene, str]:
    """What `term`, an instance of the hypothesis, says; and what it says about its own sense."""
    whole, senses = out.new("T"), scene.senses.get(hyp, ())
    out.say(f"assert ({whole} := {term}).")
    rewritten(out, equations, f" in {whole}")
    names = [out.new("N") for _ in senses]
    new = out.new("F")
    out.say(taken_apart(whole, [*names, new]))
    needs = [replace(n, node=substitute(n.node, put), binders=_put(n.binders, put)) for n in senses]
    return scene.knowing(*(Known(n, h) for n, h in zip(needs, names, strict=True))), new


def _put(binders: tuple[Node, ...], put: Mapping[str, Node]) -> tuple[Node, ...]:
    return tuple(substitute(binder, put) for binder in binders)


def open_goal(proof: Proof, scene: Scene, goal: Relation) -> Scene:
    """Below the quantifiers of a goal: the indices become counts, and the ends of their ranges become facts."""
    out = proof.out
    facts, hyps = list[Relation](), list[str]()
    names, naturals, world = scene.names, scene.sequent.naturals, scene.sequent.world
    for index, lo, hi in goal.binders:
        if lo.op == "domain":
            out.say(f"intros {called(index)}.")
            world = world.with_samples({index: str(lo.value)})
            continue
        if lo.op == "points":
            fits = proof.kinds["sized", index] = proof.out.new("K")
            out.say(f"intros {called(index)} {fits}.")
            world = world.with_vector(index, size_from(lo.args[0]))
            continue
        here = ident(index)
        out.say(f"intros {here} in_{here}.")
        out.say(f"destruct (counted {here}) as (count_{here} & ->); [within | rename count_{here} into {here}].")
        for fact in ends_of(index, lo, hi):
            hyps.append(out.new("F"))
            facts.append(fact)
            tactic = "index_deep" if holds_product(fact.right) else "index_of"
            out.say(f"assert ({hyps[-1]} : INR {here} {fact.op} {real(fact.right, names)}) by ({tactic} in_{here}).")
        names, naturals = names.bind(index, "naturals"), naturals | {index}
    out.say("rewrite <- ?INR_IZR_INZ, ?Nat2Z.id.")
    sequent = replace(scene.sequent, facts=(*scene.sequent.facts, *facts), goal=goal.under(()), naturals=naturals)
    sequent = replace(sequent, world=world)
    return replace(scene, sequent=sequent, hyps=(*scene.hyps, *hyps), names=names)


def shown_for_every(proof: Proof, goal: Relation, scene: Scene, cert: Any, certs: Mapping[str, Any]) -> Scene:
    """A fact for every index becomes a hypothesis: shown at generic indices, with its own sense before it."""
    out, new = proof.out, proof.out.new("F")
    quantified, inner = quantifiers(goal, scene.names)
    senses = tuple(relation_needs(goal.under(()), inner).values())
    below = replace(scene, names=inner)
    parts = [below.need(need) for need in senses] + [below.relation(goal.under(()))]
    with out.block(f"assert ({new} : {quantified}{_both(parts)})."):
        here = open_goal(proof, scene, goal)
        here = require_defined(proof, [here.goal.left, here.goal.right], here, certs)
        _conclude(proof, here, senses, {}, cert)
    return replace(scene.given((goal, new)), senses={**scene.senses, new: senses})


def _conclude(proof: Proof, here: Scene, senses: Iterable[Need], put: Mapping[str, Node], cert: Any) -> None:
    """The goal of Coq is that the scene's goal makes sense and holds."""
    out, new = proof.out, proof.out.new("G")
    with out.block(f"assert ({new} : {here.relation(here.goal)})."):
        proof.check(cert, here)
    own = [replace(n, node=substitute(n.node, put), binders=_put(n.binders, put)) for n in senses]
    tactic = "recast" if is_moving(here.goal) else "exact"
    out.say(f"{tactic} {conjunction([*(str(known(here, need)) for need in own), new])}.")


def rule_unroll(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """An equation about a sum, a product or an iteration: a term apart, or that it is empty."""
    node, out = scene.sequent.world.read(cert["of"]), proof.out
    if node.op == "**":
        raise NotExpressible(f"a factor taken out of {text(node)[:80]} is not translated")
    fact, duty = unrolled(node, str(cert["end"]))
    fact = settled_relation(fact)
    scene = require_defined(proof, [node], scene, cert.get("defined", {}))
    if not by_form(duty, scene.sequent):
        _shown(proof, cert.get("long"), duty, scene)
    new = out.new("F")
    with out.block(f"assert ({new} : {scene.relation(fact)})."):
        (_unroll_iteration if node.op == "iterate" else _unroll_range)(out, scene, node, fact, str(cert["end"]))
    proof.check(cert["then"], scene.given((fact, new)))


def _unroll_range(out: Out, scene: Scene, node: Node, fact: Relation, end: str) -> None:
    _, lo, hi, _ = node.args
    if has_letters(node) and size_of(node) != NUMBER:
        return _unroll_matrices(out, scene, hi if end == "last" else lo, end)
    if end == "empty":
        return out.say(f"apply {'zsum_empty' if node.op == 'sum' else 'zprod_empty'}; inside_of_integers.")
    apart = hi if end == "last" else lo
    out.say(f"apply {node.op}_{end}; [inside_of_integers | lia | ].")
    equations = casts(out, scene, apart)
    rewritten(out, equations)
    return out.say("recount." if is_moving(fact) else "reflexivity.")


def _unroll_matrices(out: Out, scene: Scene, apart: Node, end: str) -> None:
    if end == "empty":
        return out.say("apply matsum_empty; inside_of_integers.")
    out.say(f"apply matsum_{end}; [inside_of_integers | lia | ].")
    rewritten(out, casts(out, scene, apart))
    return out.say("recount.")


def _unroll_iteration(out: Out, scene: Scene, node: Node, fact: Relation, end: str) -> None:
    lemma = "iter_none" if end == "empty" else "iter_last"
    out.say(f"apply {lemma}; first [lia | by_reals].")


def rule_induct(proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
    """The goal for every n >= start, from the goal at the start and the goal at n + 1."""
    _Induct(proof, cert, scene).run()


class _Induct:
    def __init__(self, proof: Proof, cert: dict[str, Any], scene: Scene) -> None:
        self.proof, self.cert, self.scene, self.out = proof, cert, scene, proof.out
        self.name, self.general = str(cert["on"]), [str(one) for one in cert.get("general", [])]
        self.start = scene.sequent.world.read(str(cert.get("start", "0")))
        self.base, self.step = induction_parts(cert, scene.sequent)
        moving = {self.name, *self.general}
        if not moving <= scene.names.naturals:
            raise NotExpressible(f"an induction over {self.name}, which is an index here")
        facts = list(zip(scene.sequent.facts, scene.hyps, strict=True))
        self.kept = tuple(h for f, h in facts if moving.isdisjoint(relation_symbols(f)))
        count = len(self.base.facts) - len(self.kept)
        ends = [(f, h) for f, h in facts if self._is_end(f, moving)]
        self.ends = ends[len(ends) - count :] if count else []
        self.called = {one: self.out.new("g") for one in self.general}

    def _is_end(self, fact: Relation, moving: set[str]) -> bool:
        small, big = (fact.left, fact.right) if fact.op in ("<=", "<") else (fact.right, fact.left)
        ordered = fact.binder is None and fact.op in ("<=", "<", ">=", ">")
        return ordered and small == sym(self.name) and moving.isdisjoint(symbols(big))

    def _at(self, term: str, scene: Scene | None = None) -> Scene:
        """The scene in which the number and the generalised names are called so; nothing is known of them."""
        scene = scene or self.scene
        moving = {self.name, *self.general}
        kept = tuple(k for k in scene.known if _free(k.need).isdisjoint(moving))
        terms = {**(scene.names.terms or {}), **self.called, self.name: term}
        counts = {k: v for k, v in scene.counts.items() if k not in moving}
        counts |= {name: f"(INR_nn {terms[name]})" for name in moving}
        return replace(scene, names=replace(scene.names, terms=terms), known=kept, counts=counts)

    def _claim(self, term: str) -> str:
        here = self._at(term)
        senses = relation_needs(self.scene.goal, here.names)
        parts = [here.need(need) for need in senses.values()] + [here.relation(self.scene.goal)]
        ends = "".join(f"{here.relation(fact)} -> " for fact, _ in self.ends)
        every = "".join(f"forall {name} : nat, " for name in self.called.values())
        return every + ends + _both(parts)

    def run(self) -> None:
        out, count, claim = self.out, self.out.new("k"), self.out.new("J")
        first = natural(self.start, self.scene.names)
        senses = list(relation_needs(self.scene.goal, self._at(count).names).values())
        with out.block(f"assert ({claim} : forall {count} : nat, ({first} <= {count})%nat -> {self._claim(count)})."):
            out.say(f"apply (count_up {first} (fun {count} : nat => {self._claim(count)})); cbv beta.")
            with out.block():
                self._base(first, senses)
            with out.block():
                self._onward(count, first, senses)
        self._use(claim, first, len(senses))

    def _base(self, first: str, senses: list[Need]) -> None:
        out, here = self.out, self._at(first)
        start = self.start
        equations = [out.new("Q"), out.new("Q")]
        out.say(f"assert ({equations[0]} : INR {first} = {self.scene.text(start)}) by real_cast.")
        out.say(f"assert ({equations[1]} : Z.of_nat {first} = {integer(start, self.scene.names)}) by lia.")
        rewritten(out, equations)
        if start == num(0) and self._is_negated():
            out.say("rewrite ?Ropp_0.")
        hyps = self._introduce()
        rewritten(out, self._recounted({self.name: start}, {}))
        self._show(replace(here, sequent=self.base, hyps=(*self.kept, *hyps)), senses, {self.name: start}, "base")

    def _is_negated(self) -> bool:
        """Whether -n stands in the goal, which the kernel writes as 0 where n is 0."""
        parts = (part for side in (self.scene.goal.left, self.scene.goal.right) for part in walk(side))
        return any(part.op == "neg" and part.args == (sym(self.name),) for part in parts)

    def _recounted(self, put: Mapping[str, Node], called: Mapping[str, str]) -> list[str]:
        goal, terms = self.scene.goal, {**(self.scene.names.terms or {}), **self.called, **called}
        return recounted(self.out, (goal.left, goal.right), put, replace(self.scene.names, terms=terms))

    def _introduce(self) -> list[str]:
        hyps = [self.out.new("F") for _ in self.ends]
        if self.called or hyps:
            self.out.say(f"intros {' '.join([*self.called.values(), *hyps])}.")
        return hyps

    def _show(self, here: Scene, senses: list[Need], put: Mapping[str, Node], part: str) -> None:
        goal = here.goal
        duties = {**self.cert.get("defined", {}), **self.cert.get(f"{part} defined", {})}
        here = require_defined(self.proof, [goal.left, goal.right], here, duties)
        _conclude(self.proof, here, senses, put, self.cert[part])

    def _onward(self, count: str, first: str, senses: list[Need]) -> None:
        out, here = self.out, self._at(count)
        out.say(f"intros {count} L_{count} IH_{count}.")
        equations = [out.new("Q"), out.new("Q")]
        out.say(f"assert ({equations[0]} : INR ({count} + 1) = INR {count} + 1) by real_cast.")
        out.say(f"assert ({equations[1]} : Z.of_nat ({count} + 1) = (Z.of_nat {count} + 1)%Z) by lia.")
        later = {self.name: Node("+", (sym(self.name), num(1)))}
        rewritten(out, equations)
        hyps = self._introduce()
        rewritten(out, self._recounted(later, {self.name: count}))
        low, earlier = out.new("F"), out.new("F")
        out.say(f"assert ({low} : INR {count} >= {self.scene.text(self.start)}) by (count_of L_{count}).")
        senses_of = self._earlier(earlier, count, here, hyps)
        step = replace(here, sequent=self.step, hyps=(*self.kept, low, earlier, *hyps))
        step = replace(step, senses={**step.senses, earlier: senses_of})
        self._show(step, senses, {self.name: Node("+", (sym(self.name), num(1)))}, "step")

    def _earlier(self, new: str, count: str, here: Scene, hyps: list[str]) -> tuple[Need, ...]:
        """The goal at every earlier number, as a hypothesis for every index."""
        out = self.out
        fact = next(f for f in self.step.facts if f.binder is not None and f.binder[0] == str(self.cert["as"]))
        outer = replace(here.names, terms={k: v for k, v in here.names.terms.items() if k not in self.called})
        quantified, inner = quantifiers(fact, outer)
        bare, below = fact.under(()), replace(here, names=inner)
        senses = tuple(relation_needs(bare, inner).values())
        parts = [below.need(need) for need in senses] + [below.relation(bare)]
        with out.block(f"assert ({new} : {quantified}{_both(parts)})."):
            indices = [ident(index) if index not in self.general else out.new("i") for index, _, _ in fact.binders]
            out.say(f"intros {' '.join(f'{i} in_{i}' for i in indices)}.")
            equations: list[str] = []
            for i in indices:
                equations += [out.new("Q"), out.new("Q")]
                out.say(f"assert ({equations[-2]} : INR (Z.to_nat {i}) = IZR {i}) by real_cast.")
                out.say(f"assert ({equations[-1]} : Z.of_nat (Z.to_nat {i}) = {i}) by within.")
            earlier, inside = out.new("T"), out.new("W")
            first = natural(self.start, self.scene.names)
            out.say(f"assert ({inside} : ({first} <= Z.to_nat {indices[0]} <= {count})%nat) by within.")
            images = " ".join(f"(Z.to_nat {i})" for i in indices[1:])
            out.say(f"assert ({earlier} := IH_{count} (Z.to_nat {indices[0]}) {inside} {images}).")
            for end, _ in self.ends:
                turned = "Rle_ge, " if end.op in (">=", ">") else ""
                shown_ = f"apply {turned}(earlier_end {inside}); lra"
                out.say(f"lapply {earlier}; [clear {earlier}; intro {earlier} | {shown_}].")
            goal, bound = self.scene.goal, dict(zip((self.name, *self.general), fact.binders, strict=True))
            put = {name: sym(binder[0]) for name, binder in bound.items()}
            texts = zip((binder[0] for binder in fact.binders), indices, strict=True)
            shown = {f"(Z.to_nat {ident(old)})": f"(Z.to_nat {new})" for old, new in texts}
            equations += recounted(out, (goal.left, goal.right), put, inner, shown)
            rewritten(out, equations, f" in {earlier}")
            out.say(f"{'recast' if is_moving(goal) else 'exact'} {earlier}.")
        return senses

    def _use(self, claim: str, first: str, senses: int) -> None:
        out, scene = self.out, self.scene
        here = real(sym(self.name), scene.names)
        long = Relation(">=", sym(self.name), self.start)
        if not by_form(long, scene.sequent):
            _shown(self.proof, self.cert.get("long"), long, scene)
        inside, goal = out.new("W"), out.new("G")
        out.say(f"assert ({inside} : ({first} <= {here})%nat) by (first [within | by_reals]).")
        images = [real(sym(one), scene.names) for one in self.general]
        term = " ".join([claim, here, inside, *images, *(hyp for _, hyp in self.ends)])
        out.say(taken_apart(term, [*(out.new("N") for _ in range(senses)), goal]))
        out.say(f"exact {goal}.")


def _both(parts: list[str]) -> str:
    return " /\\ ".join(f"({part})" for part in parts)


def _free(need: Need) -> frozenset[str]:
    return symbols(need.node).union(*(symbols(binder) for binder in need.binders))


__all__ = ["rule_induct", "rule_instance", "rule_unroll", "shown_for_every"]
