"""Where a proof stands: the kernel's sequent, and what each part of it is called in Coq."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from theory.coq.matrices import scalar
from theory.coq.reserved import ident
from theory.coq.statement import Names, Need, compare, need_text, quantifiers, real, side
from theory.kernel.errors import Malformed
from theory.kernel.flat import OMEGA
from theory.kernel.lang import Node, Relation, num, relation_symbols, substitute, symbols, text, walk
from theory.kernel.sequent import Sequent, generic


@dataclass
class Out:
    """The lines of a proof, with new names.

    bold   what is not seen to be so is claimed all the same, and Coq has to find out: false proofs are printed so
    """

    lines: list[str] = field(default_factory=list)
    depth: int = 1
    count: int = 0
    bold: bool = False

    def say(self, *lines: str) -> None:
        self.lines += ["  " * self.depth + line for line in lines]

    def new(self, stem: str) -> str:
        self.count += 1
        return f"{stem}'{self.count}"

    @contextmanager
    def block(self, opening: str = "") -> Iterator[None]:
        """A bracketed part of a proof."""
        if opening:
            self.say(opening)
        self.say("{")
        self.depth += 1
        yield
        self.depth -= 1
        self.say("}")


@dataclass(frozen=True)
class Known:
    """Something that a formula needs and that is a hypothesis of Coq."""

    need: Need
    hyp: str


@dataclass(frozen=True)
class Scene:
    """`hyps[i]` is the Coq hypothesis of `sequent.facts[i]`; `counts` those that naturals are not negative.

    senses     what a hypothesis for every index says about its own sense, before it says what it says
    entries    the plain names that the kernel gives to entries at a generic index: lam_i is lam[i]
    """

    sequent: Sequent
    hyps: tuple[str, ...]
    names: Names
    known: tuple[Known, ...] = ()
    counts: Mapping[str, str] = field(default_factory=dict)
    senses: Mapping[str, tuple[Need, ...]] = field(default_factory=dict)
    entries: Mapping[str, Node] = field(default_factory=dict)

    @property
    def goal(self) -> Relation:
        return self.sequent.goal

    def show(self, goal: Relation) -> Scene:
        return replace(self, sequent=self.sequent.show(goal))

    def given(self, *facts: tuple[Relation, str]) -> Scene:
        return replace(
            self,
            sequent=self.sequent.given(*(fact for fact, _ in facts)),
            hyps=(*self.hyps, *(hyp for _, hyp in facts)),
        )

    def knowing(self, *known: Known) -> Scene:
        return replace(self, known=(*self.known, *known))

    def every_fact(self) -> list[tuple[Relation, str]]:
        naturals = [(r, self._count(str(r.left.value))) for r in self.sequent.every_fact()[len(self.hyps) :]]
        return [*zip(self.sequent.facts, self.hyps, strict=True), *naturals]

    def speaks_of(self, name: str) -> bool:
        """Whether the name stands for something here."""
        used = frozenset().union(*(relation_symbols(fact) for fact in self.sequent.facts), self.sequent.naturals)
        return name in used | self.names.indices | self.names.outcomes

    def _count(self, name: str) -> str:
        return self.counts.get(name, f"(INR_nn {ident(name)})")

    def flat(self, node: Node) -> Node:
        return scalar(substitute(node, self.entries), dict(self.names.states))

    def text(self, node: Node) -> str:
        return side(self.flat(node), self.names)

    def below(self, body: Node, binder: Node) -> str:
        """The body of a sum or a mean, where its index is bound."""
        kind = "outcomes" if binder.op == "mean" else "indices"
        return side(self.flat(body), self.names.bind(str(binder.args[0].value), kind))

    def relation(self, relation: Relation) -> str:
        """As Coq has it inside a proof: numbers without matrices."""
        if self.names.shape(relation.left) is not None:
            return compare(relation, self.names)
        return compare(Relation(relation.op, self.flat(relation.left), self.flat(relation.right)), self.names)

    def need(self, need: Need) -> str:
        around = tuple(substitute(binder, self.entries) for binder in need.binders)
        return need_text(replace(need, node=self.flat(need.node), binders=around), self.names)

    def substituted(self, env: Mapping[str, Node], sequent: Sequent) -> Scene:
        """After a name has been eliminated."""
        known = tuple(
            Known(Need(k.need.kind, substitute(k.need.node, env), k.need.binders), k.hyp)
            for k in self.known
            if all(symbols(b).isdisjoint(env) for b in k.need.binders)
        )
        return replace(self, sequent=sequent, known=known)


def quantifier(index: str, lo: Node, hi: Node, names: Names) -> str:
    return quantifiers(Relation("==", num(0), num(0), (index, lo, hi)), names)[0]


def _bounded(end: Node, here: str) -> str:
    """The tactic for an end of a range; where products are added they become integers first."""
    mixed = end.op in ("+", "-") and any(part.op == "*" for part in walk(end))
    return f"{'rewrite ?INR_IZR, <- ?mult_IZR; ' if mixed else ''}index_facts in_{here}"


def enter(out: Out, scene: Scene, goal: Relation, binders: Iterable[tuple[str, Node, Node]]) -> Scene:
    """Below the quantifiers: introduce the index, specialise what holds for every index of the same range."""
    scene = scene.show(goal)
    for index, lo, hi in binders:
        inner = generic(scene.sequent, scene.goal, [(index, lo, hi)])
        scene = _enter(out, scene, inner, index, lo, hi)
    return scene


def _enter(out: Out, scene: Scene, inner: Sequent, index: str, lo: Node, hi: Node) -> Scene:
    here = ident(index)
    hyps: list[str] = []
    known: list[Known] = []
    further: dict[str, tuple[Need, ...]] = {}
    names = scene.names.bind(index, "outcomes" if lo == OMEGA else "indices")
    out.say(f"intros {here}{'' if lo == OMEGA else f' in_{here}'}.")
    at = here if lo == OMEGA else f"{here} in_{here}"
    for fact, hyp in zip(scene.sequent.facts, scene.hyps, strict=True):
        if fact.binder is None:
            hyps.append(hyp)
        elif fact.binder[1:] == (lo, hi) and fact.more:  # it stays a fact for every further index
            hyps.append(out.new("F"))
            out.say(f"assert ({hyps[-1]} := {hyp} {at}).")
            env = {fact.binder[0]: Node("sym", value=index)}
            further[hyps[-1]] = tuple(replace(n, node=substitute(n.node, env)) for n in scene.senses.get(hyp, ()))
        elif fact.binder[1:] == (lo, hi):
            hyps.append(out.new("F"))
            own = [out.new("N") for _ in scene.senses.get(hyp, ())]
            out.say(taken_apart(f"{hyp} {at}", [*own, hyps[-1]]))
            env = {fact.binder[0]: Node("sym", value=index)}
            known += [
                Known(Need(n.kind, substitute(n.node, env), n.binders), h)
                for n, h in zip(scene.senses.get(hyp, ()), own, strict=True)
                if not n.binders
            ]
    counts = dict(scene.counts)
    if lo != OMEGA:
        low, high = out.new("F"), out.new("F")
        out.say(f"assert ({low} : {here} >= {real(lo, scene.names)}) by ({_bounded(lo, here)}).")
        out.say(f"assert ({high} : {here} <= {real(hi, scene.names)}) by ({_bounded(hi, here)}).")
        hyps += [low, high]
        if index in inner.naturals:
            counts[index] = out.new("F")
            out.say(f"assert ({counts[index]} : {here} >= 0) by (index_facts in_{here}).")
    for one in scene.known:
        local = _at_index(one.need, index, lo, hi)
        if local is not None:
            hyp = out.new("N")
            out.say(f"assert ({hyp} := {one.hyp} {at}).")
            known.append(Known(local, hyp))
    scene = replace(scene, sequent=inner, hyps=tuple(hyps), names=names, counts=counts, known=(*scene.known, *known))
    return replace(scene, entries={**scene.entries, **_called(scene, index)}, senses={**scene.senses, **further})


def _at_index(need: Need, index: str, lo: Node, hi: Node) -> Need | None:
    """What is needed at every index of the range, at this one; None when it is about another range."""
    if not need.binders or not _same_range(need.binders[0], lo, hi):
        return None
    env = {str(need.binders[0].args[0].value): Node("sym", value=index)}
    try:
        rest = tuple(substitute(_without_body(binder), env) for binder in need.binders[1:])
        return Need(need.kind, substitute(need.node, env), rest)
    except Malformed:  # an inner binder has that name; then it is not used
        return None


def _without_body(binder: Node) -> Node:
    """Of a sum or a mean around a need only the range counts."""
    return binder if binder.op == "iterate" else Node(binder.op, (*binder.args[:-1], num(0)))


def _called(scene: Scene, index: str) -> dict[str, Node]:
    """The plain names that `generic` gives to entries: lam_i for lam[i]."""
    single = [name for name, kinds in (scene.names.sorts or {}).items() if len(kinds) == 1 and name != "Omega"]
    at = Node("sym", value=index)
    return {f"{name}_{index}": Node("index", (Node("sym", value=name), at)) for name in single}


def _same_range(binder: Node, lo: Node, hi: Node) -> bool:
    if binder.op == "mean":
        return lo == OMEGA
    return binder.op in ("sum", "prod") and binder.args[1:3] == (lo, hi)


def taken_apart(term: str, names: list[str]) -> str:
    """The tactic that names the conjuncts of what a term proves."""
    return f"assert ({names[0]} := {term})." if len(names) == 1 else f"destruct ({term}) as ({' & '.join(names)})."


def described(relation: Relation) -> str:
    return f"{text(relation.left)} {relation.op} {text(relation.right)}"[:90].replace("*)", "* )").replace("(*", "( *")
