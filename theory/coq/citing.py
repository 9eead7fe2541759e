"""Citing a theorem about matrices of every size: its letters, sizes and numbers are replaced by formulas of ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from theory.coq.counting import is_moving, recounted, shown_for_every
from theory.coq.duties import known, require_defined
from theory.coq.errors import NotExpressible
from theory.coq.forms import equate, sized_by
from theory.coq.hidden import HiddenFamilies, HiddenStates
from theory.coq.kinds import (
    Premise,
    called,
    drawing,
    families,
    inverse_of,
    longest,
    matrix,
    number,
    parameters,
    place,
    premises,
    sampling,
    senses,
    size,
    sort,
    times_of,
)
from theory.coq.kinds import names_of as kinds_names
from theory.coq.nested import is_nested
from theory.coq.proof import Proof
from theory.coq.scene import Known, Scene, taken_apart
from theory.coq.statement import Need, compare, natural, relation_needs
from theory.kernel.citing import Image, Images, _hidden, _read_image
from theory.kernel.claim import Claim
from theory.kernel.kinds import NUMBER, Clause, Letter, has_letters, is_point, settled, size_from, size_node, size_of
from theory.kernel.lang import Node, Relation, parse, relation_symbols, substitute, sym, symbols, text, walk
from theory.kernel.recursions import definition
from theory.kernel.rings import RationalFunctions
from theory.kernel.terms import normal, scalar_names


def cite_letters(proof: Proof, cert: dict[str, Any], scene: Scene, claim: Claim) -> None:
    _Citing(proof, cert, scene, claim).run()


def _can_be_made(claim: Claim, names: list[str], images: Images) -> bool:
    """Whether states of these names can be defined here, apart from ours."""
    try:
        return all(name in claim.world.steps for name in names) and bool(HiddenStates(claim, names, images))
    except NotExpressible:
        return False


class _Citing:
    def __init__(self, proof: Proof, cert: dict[str, Any], scene: Scene, claim: Claim) -> None:
        self.proof, self.cert, self.scene, self.claim, self.out = proof, cert, scene, claim, proof.out
        sizes = {str(n): size_from(parse(str(form))) for n, form in cert.get("sizes", {}).items()}
        spaces = {str(a): str(b) for a, b in cert.get("spaces", {}).items()}
        images = Images(sizes, spaces, {})
        given: Mapping[str, Any] = cert.get("letters", {})
        self.letters = {n: _read_image(n, given[n], claim, images, scene.sequent) for n in given}
        self.env = {str(n): scene.sequent.world.read(str(f)) for n, f in cert.get("with", {}).items()}
        self.images = Images(sizes, spaces, self.letters, {**{n: size_node(s) for n, s in sizes.items()}, **self.env})
        unknown = _hidden(claim) - set(given)
        self.hidden = sorted(unknown - set(scene.sequent.world.letters))
        otherwise = {name for name in unknown - set(self.hidden) if self._steps_otherwise(name)}
        if otherwise and _can_be_made(claim, sorted({*self.hidden, *otherwise}), self.images):
            self.hidden = sorted({*self.hidden, *otherwise})  # else ours are tried, and Coq says whether they do
        self.states: HiddenStates | None = None
        self.layers: HiddenFamilies | None = None
        self.equations: list[str] = []  # between counts as the cited claim and as this one writes them
        self.made = ""  # the sequences that the proof of the cited claim alone speaks of, as one

    def _steps_otherwise(self, name: str) -> bool:
        """Whether a state of theirs has the name of one of ours and another step."""
        theirs, ours = self.claim.world.steps.get(name), self.scene.sequent.world.steps.get(name)
        if theirs is None or ours is None or theirs.params != ours.params:
            return theirs is not None and ours is not None
        names = {theirs.time: sym(ours.time), theirs.past: sym(ours.past), theirs.fresh: sym(ours.fresh)}
        gap = Node("-", (ours.body, settled(substitute(self.images.put(theirs.body), names))))
        return bool(normal(gap, RationalFunctions(scalar_names([gap]))).terms)

    def run(self) -> None:
        out, claim = self.out, self.claim
        scene = require_defined(self.proof, list(self.env.values()), self.scene, self.cert.get("defined", {}))
        self.scene = scene
        new = out.new("T")
        if self.hidden:
            self._define()
        out.say(f"assert ({new} := {self.proof.theorems[claim.id]} {' '.join(self._arguments())}).")
        out.say(f"cbv beta in {new}.")
        self.equations = self._equations()
        for equation in self.equations:
            out.say(f"rewrite ?{equation} in {new}.")
        if set(claim.naturals) & set(self.env):
            out.say(f"count in {new}.")
        for premise in premises(claim):
            held = self._held(premise)
            out.say(f"feed {new} {held}." if self._may_differ(premise) else f"specialize ({new} {held}).")
        facts = [(self.images.put_relation(goal), out.new("F")) for goal in claim.goals]
        self._conclusions(facts, new)
        self.proof.check(self.cert["then"], self.scene.given(*facts))

    # ---- arguments

    def _space(self) -> dict[str, str]:
        """Samples of theirs are samples of ours, or whole paths of ours that are as long as what is put in looks."""
        names = {one: one for one in ("Omega", "E", "HE", "h0")}
        world = self.scene.sequent.world
        paths = [space for space in self.images.spaces.values() if space in world.histories]
        if not paths:
            return names
        images = [
            (one, letter) for name, one in self.letters.items() if (letter := self.claim.world.letters[name]).space
        ]
        times = [t for one, _ in images for t in times_of(Node("mean", (sym(one.params[-1]), one.body), paths[0]))]
        mean = drawing("E", longest(times, self.scene.names))
        return {"Omega": sort(paths[0], world), "E": mean, "HE": sampling(mean), "h0": "(fun _ => h0)"}

    def _arguments(self) -> Iterator[str]:
        spaces = self._space()
        for shown, _, what, name in parameters(self.claim):
            match what:
                case "space":
                    yield spaces[shown]
                case "size":
                    yield size(self.images.size(((name, 1),)))
                case "natural":
                    yield natural(self.env.get(name, sym(name)), self.scene.names)
                case "number":
                    yield self._number(name)
                case "sample":
                    yield called(name)
                case "letter":
                    yield self._letter(name)
                case "inverse":
                    yield inverse_of(self.letters[name].body.value.name if name in self.letters else name)

    def _number(self, name: str) -> str:
        image = self.env.get(name)
        if image is None and name not in self._ours():  # of a recursion that nobody mentions here
            return "(fun _ => 0)" if name in families(self.claim) else "0"
        return self.scene.text(image if image is not None else sym(name))

    def _ours(self) -> frozenset[str]:
        world = self.scene.sequent.world
        facts = (self.scene.goal, *self.scene.sequent.facts, *self.proof.spoken)
        return world.parameters.union(*(symbols(r.left) | symbols(r.right) for r in facts))

    def _define(self) -> None:
        """Sequences that nobody mentions here: such sequences exist."""
        world = self.claim.world
        letters = [world.letters[name] for name in self.hidden]
        if all(name in world.steps for name in self.hidden):
            self.states = HiddenStates(self.claim, self.hidden, self.images)
            hidden = frozenset(self.hidden)
            self.made = self.states.define(self.out, self.scene.names, lambda node: _named(node, hidden))
            return
        if any(one.indices != ("nat",) or one.sign or one.name in world.steps for one in letters):
            self.layers = HiddenFamilies(self.claim, self.hidden, self.images)
            self.layers.define(self.out, self.scene.names)
            return
        clauses = [world.clauses[name] for name in self.hidden]
        if any(len(many) != 2 or text(many[0].head.args[0]) != "0" for many in clauses):
            raise NotExpressible(f"it cites {self.claim.id}, whose proof defines {self.hidden[0]} in another way")
        self.made = self.out.new("h")
        names = [called(name) for name in self.hidden]
        starts, steps = ([self._clause(many[place]) for many in clauses] for place in (0, 1))
        sorts = ["R" if (one.rows, one.cols) == NUMBER else "mat" for one in letters]
        shape = f"({' * '.join(sorts)})%type"
        step = f"(fun v : {shape} => let '({', '.join(names)}) := v in ({', '.join(steps)}))"
        step = step if len(names) > 1 else f"(fun {names[0]} : {sorts[0]} => {steps[0]})"
        lemma, count = "recursion", {called(many[1].names[0]) for many in clauses}
        if "mat" in sorts:
            lemma, step = "recursion_at", f"(fun ({' '.join(count)} : nat) => {step})"
        told = f"(({', '.join(starts)}) : {shape}) {step}"
        self.out.say(f"destruct ({lemma} {told}) as ({self.made} & S{self.made} & N{self.made}).")
        if "mat" in sorts:
            self._measure(letters)

    def _measure(self, letters: list[Letter]) -> None:
        """Defined matrices have the size that they are declared with."""
        sizes = [f"sized {size(self.images.size(x.rows))} {size(self.images.size(x.cols))}" for x in letters]
        says = " /\\ ".join(f"{one} ({self._entry(x.name)})" for one, x in zip(sizes, letters, strict=True))
        names, out = [called(one.name) for one in letters], self.out
        apart = f"destruct ({self.made} k) as {_pattern(names)}; cbn [fst snd] in *; " if len(letters) > 1 else ""
        with out.block(f"assert (K{self.made} : forall k, {says})."):
            out.say("intro k; induction k as [|k IH].")
            out.say(f"{{ rewrite S{self.made}; cbn [fst snd]; repeat split; sizes. }}")
            split = f"destruct IH as {_conjuncts(len(letters))}; " if len(letters) > 1 else ""
            out.say(f"rewrite <- Nat.add_1_r, N{self.made}; {apart}{split}repeat split; sizes.")

    def _clause(self, clause: Clause) -> str:
        """The entries at the time before are the names of the sequences."""
        images, names = self.images, self.scene.names
        for index in clause.names:
            images, names = images.below(index), names.bind(index, "naturals")
        body = images.put(_named(clause.body, frozenset(self.hidden)))
        return number(body, names) if size_of(body) == NUMBER else matrix(body, names)

    def _entry(self, name: str) -> str:
        place, count = self.hidden.index(name), len(self.hidden)
        term = f"{self.made} k"
        for _ in range(count - 1 - place if place else count - 1):
            term = f"fst ({term})"
        return f"snd ({term})" if place else term

    def _sequence(self, name: str) -> str:
        if self.layers is not None:
            return self.layers.made[name]
        if self.states is not None:
            return self.states.sequence(self.made, name)
        return f"(fun k => {self._entry(name)})"

    def _letter(self, name: str) -> str:
        if name in self.hidden:
            return self._sequence(name)
        image = self.letters.get(name)
        if image is None:
            return called(name)
        body = self._body(image)
        return f"(fun {' '.join(map(called, image.params))} => {body})" if image.params else body

    def _body(self, image: Image) -> str:
        names = self.scene.names
        for param in image.params:
            names = names.bind(param, "naturals")
        return (number if size_of(image.body) == NUMBER else matrix)(image.body, names)

    def _equations(self) -> list[str]:
        """Counts that are written in another way here: n + n is 2 * n."""
        sides = [s for r in (*self.claim.facts, *self.claim.goals) for s in (r.left, r.right)]
        images = {n: one for n, one in self.env.items() if n in self.claim.naturals}
        return recounted(self.out, sides, images, self.scene.names) if images else []

    # ---- premises

    def _held(self, premise: Premise) -> str:
        name, ours = premise.name, self.proof.kinds
        if self.states is not None and name in self.hidden:
            return self.states.premise(self.made, premise.what)
        if premise.what == "step":
            return ours["step", name] if name not in self.letters else self._as_ours(name, "step")
        if premise.what == "sized" and name in self.hidden and self.layers is not None:
            return self.layers.sized(name)
        if premise.what == "sized" and name in self.hidden:
            return f"ltac:(intro k; apply (K{self.made} k))"
        if premise.what in ("sized", "symmetric", "nonneg", "inverse"):
            return ours[premise.what, name] if name not in self.letters else self._of_image(premise.what, name)
        return self._fact(premise)

    def _of_image(self, what: str, name: str) -> str:
        image, letter = self.letters[name], self.claim.world.letters[name]
        if what == "inverse" or (what == "nonneg" and letter.sign == "pd"):
            return self.proof.kinds[what, image.body.value.name]
        out, held = self.out, self.out.new("K")
        marks = " ".join(map(called, image.params))
        unused = {p for p in image.params if p not in symbols(image.body)}
        kinds = [self.images.spaces.get(kind, kind) for kind in letter.indices]
        sorts = {p: sort(k, self.scene.sequent.world) for p, k in zip(image.params, kinds, strict=True)}
        typed = (f"({called(p)} : {sorts[p]})" if p in unused else called(p) for p in image.params)
        every = f"forall {' '.join(typed)}, " if marks else ""
        body, rows = self._body(image), size(self.images.size(letter.rows))
        says = {
            "sized": f"sized {rows} {size(self.images.size(letter.cols))} {body}",
            "symmetric": f"flip {body} = {body}",
            "nonneg": f"nonneg {rows} {body}",
        }[what]
        with out.block(f"assert ({held} : {every}{says})."):
            if marks:
                out.say(f"intros {marks}.")
            self._shown(what, name, image)
        return held

    def _shown(self, what: str, name: str, image: Image) -> None:
        counted = [p for p, k in zip(image.params, self.claim.world.letters[name].indices, strict=True) if k == "nat"]
        names = self.scene.names
        for param in counted:
            names = names.bind(param, "naturals")
        world = self.scene.sequent.world
        if what == "sized" and any(part.op == "sum" and size_of(part) != NUMBER for part in walk(image.body)):
            self.out.say(f"exact {sized_by(image.body, names, self.proof.kinds)}.")  # `sizes` knows no sum of matrices
        elif what == "sized":
            self.out.say("all_sizes." if is_nested(world) else "sizes.")
        elif what == "symmetric":
            equate(self.out, Node("T", (image.body,)), image.body, names, world, self.proof.kinds)
        else:
            zero = Node("O", (size_node(size_of(image.body)[0]),) * 2)
            goal = Relation("<<", zero, image.body)
            here = replace(self.scene, names=names, sequent=self.scene.sequent.counting(*counted)).show(goal)
            self.out.say("apply nn_above_zero.")
            self.proof.check(self.cert["signs"][name], here)

    def _may_differ(self, premise: Premise) -> bool:
        """Whether a fact may be known here with its indices written otherwise."""
        if premise.what != "fact":
            return False
        fact = self.claim.facts[int(premise.name)]
        if not set(self.claim.naturals) & set(self.env):
            return fact.binder is not None and any(self._is_of_numbers(part) for part in walk(fact.right))
        if fact.left.op == "letter" and fact.left.value.name in self.hidden:
            return False
        written = any(one.op not in ("sym", "num") for n, one in self.env.items() if n in self.claim.naturals)
        return written or is_moving(fact) or (fact.binder is not None and has_letters(fact.left))

    def _is_of_numbers(self, part: Node) -> bool:
        """A sequence of letters that are numbers, for which a family of ours is put in: its index is a number there."""
        image = self.letters.get(part.value.name) if part.op == "letter" else None
        return image is not None and any(one.op == "index" for one in walk(image.body))

    def _fact(self, premise: Premise) -> str:
        position = int(premise.name)
        cited = self.claim.facts[position]
        if cited.left.op == "letter" and cited.left.value.name in self.hidden:
            return self._by_definition(cited)
        if cited.left.op == "letter" and cited.left.value.name in self.letters.keys() & self.claim.world.steps.keys():
            return self._as_ours(cited.left.value.name, "begin")
        if position >= len(self.claim.hypotheses) and cited in self.proof.given and not self._is_moved(cited):
            return self.proof.given[cited]
        ours = self.images.put_relation(cited)
        if premise.what == "sense":
            need = relation_needs(cited, kinds_names(self.claim))[premise.says]
            put = Need(need.kind, self.images.put(need.node), need.binders)
            certs = self.cert.get("defined", {})
            self.scene = require_defined(self.proof, [ours.left, ours.right], self.scene, certs)
            return str(known(self.scene, put))
        everything = dict(zip(self.scene.sequent.facts, self.scene.hyps, strict=True))
        if ours in everything:
            return self._without_sense(everything[ours], cited, self.scene)
        if ours in self.proof.given and relation_symbols(ours).isdisjoint(self.scene.names.terms or {}):
            return self.proof.given[ours]
        return self._discharged(position, cited, ours)

    def _without_sense(self, hyp: str, cited: Relation, scene: Scene) -> str:
        """What is known for every outcome; that a divisor that is put in is nonzero stands there, unasked for."""
        own, asked = scene.senses.get(hyp, ()), relation_needs(cited, kinds_names(self.claim))
        if not own or asked or len(cited.binders) != 1 or cited.binders[0][1].op != "domain":
            return hyp
        said = f"{hyp} o_"
        for _ in own:
            said = f"proj2 ({said})"
        return f"(fun o_ => {said})"

    def _as_ours(self, name: str, what: str) -> str:
        """A state of ours is put in for a state of theirs: it begins and steps as theirs does."""
        state = self.letters[name].body
        kinds = list(zip(state.args[1:-1], state.value.indices[1:-1], strict=True))
        names = self.scene.names
        places = [place(one, kind, names) for one, kind in kinds]
        sizes = [sized_by(one, names, self.proof.kinds) for one, kind in kinds if is_point(kind)]
        if what == "step":
            term = " ".join([self.proof.kinds["step", state.value.name], "t_", *places, "h_", *sizes])
            return f"ltac:(intros t_ h_; assert (same_ := {term}); exact same_)"
        points = iter(sizes)
        at = [
            f"{shown} {next(points)}" if is_point(kind) else f"(Z.of_nat {shown}) ltac:(within)"
            for shown, (_, kind) in zip(places, kinds, strict=True)
        ]
        term = " ".join([self.proof.given[self.proof.begins[state.value.name]], *at, "h_"])
        return f"ltac:(intros h_; assert (same_ := {term}); rewrite ?Nat2Z.id in same_; exact same_)"

    def _by_definition(self, cited: Relation) -> str:
        if self.layers is not None:
            return self.layers.clause(cited)
        if self.states is not None:
            return self.states.premise(self.made, "begin")
        begins = cited.binder is None
        pattern = "?"
        for _ in self.hidden[1:]:
            pattern = f"({pattern} & ?)"
        unfold = f"rewrite S{self.made}; reflexivity"
        step = f"intros i _; rewrite N{self.made}; destruct ({self.made} (Z.to_nat i)) as {pattern}; reflexivity"
        step = step if len(self.hidden) > 1 else f"intros i _; rewrite N{self.made}; reflexivity"
        if any(size_of(one) != NUMBER for one in (cited.left, cited.right)):
            unfold, step = (f"{one.removesuffix('reflexivity')}first [reflexivity | recount]" for one in (unfold, step))
        return f"ltac:({unfold if begins else step})"

    def _is_moved(self, fact: Relation) -> bool:
        """Whether the beginning, the definition or the size is another one here."""
        left = fact.left
        return str(left.value if left.op == "sym" else left.value.name) in {*self.letters, *self.images.sizes}

    def _discharged(self, position: int, cited: Relation, ours: Relation) -> str:
        out, certs = self.out, self.cert.get("defined", {})
        if position >= len(self.claim.hypotheses):
            moved = [one for name in sorted(self.letters) for one in self.claim.world.clauses.get(name, ())]
            position = len(self.claim.hypotheses) + [definition(one) for one in moved].index(cited)
        proof = self.cert.get("discharge", {})[str(position)]
        if ours.binder is not None:
            shown = shown_for_every(self.proof, ours, self.scene, proof, certs)
            return self._without_sense(shown.hyps[-1], cited, shown)
        self.scene = require_defined(self.proof, [ours.left, ours.right], self.scene, certs)
        name = out.new("F")
        with out.block(f"assert ({name} : {self.scene.relation(ours)})."):
            self.proof.check(proof, self.scene.show(ours))
        return name

    # ---- conclusions

    def _is_written_anew(self, goal: Relation, fact: Relation) -> bool:
        """Whether a count that is put in is no name: n + n may stand as 2 * n then, and (l + 1) - 1 as l."""
        images = [one for name, one in self.env.items() if name in self.claim.naturals]
        settled = is_moving(goal) and not is_moving(fact)
        powers = any(part.op == "**" for part in walk(goal.right))  # whose exponents keep their form
        written = any(one.op not in ("sym", "num") for one in images)
        return written and (is_nested(self.claim.world) or settled or (powers and bool(self.equations)))

    def _conclusions(self, facts: list[tuple[Relation, str]], new: str) -> None:
        names = kinds_names(self.claim)
        parts = {shown: self.out.new("N") for shown in senses(self.claim)}
        added: list[Known] = []
        for goal, (_, fact_name) in zip(self.claim.goals, facts, strict=True):
            for shown, need in relation_needs(goal, names).items():
                if shown not in parts:
                    parts[shown] = self.out.new("N")
                    added.append(Known(Need(need.kind, self.images.put(need.node), need.binders), parts[shown]))
            parts.setdefault(compare(goal, names), fact_name)
        self.out.say(taken_apart(new, list(parts.values())))
        for goal, (fact, fact_name) in zip(self.claim.goals, facts, strict=True):
            if parts[compare(goal, names)] != fact_name:
                self.out.say(f"assert ({fact_name} := {parts[compare(goal, names)]}).")
            if fact.binder is None and (is_moving(fact) or self._is_written_anew(goal, fact)):
                self.out.say(f"rewrite_as ({self.scene.relation(fact)}) in {fact_name}.")
            elif fact.binder is None:
                self.out.say(f"change ({self.scene.relation(fact)}) in {fact_name}.")
        self.scene = self.scene.knowing(*added)


def _pattern(names: list[str]) -> str:
    shown = names[0]
    for name in names[1:]:
        shown = f"({shown} & {name})"
    return shown


def _conjuncts(count: int) -> str:
    return f"({' & '.join(f'IH{i}' for i in range(count))})"


def _named(node: Node, hidden: frozenset[str]) -> Node:
    """Defined letters without their index."""
    if node.op == "letter" and node.value.name in hidden:
        letter = node.value
        is_number = (letter.rows, letter.cols) == NUMBER
        return sym(letter.name) if is_number else Node("letter", (), Letter(letter.name, (), letter.rows, letter.cols))
    return Node(node.op, tuple(_named(arg, hidden) for arg in node.args), node.value) if node.args else node
