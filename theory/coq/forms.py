"""Formulas with matrices, samples and histories as expressions of Forms.v, which Coq brings to normal form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from theory.coq.errors import NotExpressible
from theory.coq.kinds import (
    Pinned,
    at,
    called,
    expectation,
    halves,
    horizon,
    inverse_of,
    is_random,
    matrix,
    not_before,
    number,
    place,
    repeated,
    size,
    times_of,
)
from theory.coq.scene import Out
from theory.coq.statement import Names, natural, side
from theory.kernel.kinds import NUMBER, Letter, Size, World, has_letters, is_point, sample_names, size_of
from theory.kernel.lang import Node, text

DIVIDED_POWER = re.compile(r"^\(/ \(\(\d+ \* .*\) \^ \d")  # 1 / (2 * (p + 1)) ^ 2
Hyps = Mapping[tuple[str, str], str]  # what a declaration says of a letter, as hypotheses of Coq


@dataclass
class Entry:
    """A letter in the tables: its size, whether it is its own transpose, its value, why all this is so, its time."""

    rows: Size
    cols: Size
    symmetric: bool
    value: str
    sized: str
    turned: str = ""
    inverse: int | None = None
    product: str = ""
    time: Node | None = None


@dataclass
class Form:
    """The tables of one equation."""

    names: Names
    world: World
    hyps: Hyps
    entries: list[Entry] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    scalars: list[str] = field(default_factory=list)
    sizes: list[str] = field(default_factory=list)
    horizons: list[Node] = field(default_factory=list)
    samples: dict[str, int] = field(default_factory=dict)
    free: dict[str, tuple[int, str]] = field(default_factory=dict)  # those that no mean binds
    count: int = 0
    long: set[Size] = field(default_factory=set)  # of three parts or more, which `dim` brackets from the right

    @property
    def point(self) -> str:
        """What the point of a sample is called: no letter has this name."""
        return "o'" if "o" in {*self.world.letters, *self.world.samples} else "o"

    # ---- numbers

    def number(self, node: Node) -> str:
        args = node.args
        if not has_letters(node) or self._is_fixed(node):
            return self.scalar(node)
        match node.op:
            case "letter":
                return f"(NL {self.letter(node)} {self.mark(node)})"
            case "neg":
                return f"(NOpp {self.number(args[0])})"
            case "+" | "-" | "*":
                word = {"+": "NAdd", "-": "NSub", "*": "NMul"}[node.op]
                return f"({word} {self.number(args[0])} {self.number(args[1])})"
            case "/":
                return f"(NMul {self.number(args[0])} {self.inverted(args[1])})"
            case "**" if args[1].op == "num":
                result = "(NC (CZ 1))"
                for _ in range(int(args[1].value)):
                    result = f"(NMul {self.number(args[0])} {result})"
                return result
            case "T":
                return self.number(args[0])
            case "@" if size_of(args[0]) == NUMBER and size_of(args[1]) == NUMBER:
                return f"(NMul {self.number(args[0])} {self.number(args[1])})"
            case "@":
                return f"(NAt {self.product(node)})"
            case "tr" if size_of(args[0]) == NUMBER:
                return self.number(args[0])
            case "tr":
                return f"(NTr {self.size(size_of(args[0])[0])} {self.matrix(args[0])})"
            case "mean":
                return f"(NE {self.bound(node, self.number)})"
            case "blocks":
                return self.number(args[0].args[0])
        raise NotExpressible(f"{text(node)[:80]} has no normal form")

    def _is_fixed(self, node: Node) -> bool:
        """A number without a sample that is no sum, product or trace: a coefficient."""
        plain = ("+", "-", "*", "/", "neg", "@", "T", "tr", "mean", "I", "O", "blocks")
        power = node.op == "**" and node.args[1].op == "num" and node.args[1].value >= 0
        if node.op == "letter":
            return not self.is_marked(node.value)
        return node.op in ("I", "O") or (
            node.op not in plain and not power and not any(True for _ in sample_names(node))
        )

    def scalar(self, node: Node) -> str:
        if node.op == "num" and node.value.denominator == 1 and node.value >= 0:
            return f"(NC (CZ {node.value}))"
        return self._coefficient(side(node, self.names))

    def _coefficient(self, shown: str) -> str:
        if shown not in self.scalars:
            self.scalars.append(shown)
        return f"(NC (CV {self.scalars.index(shown)}))"

    def inverted(self, node: Node) -> str:
        if has_letters(node) and not self._is_fixed(node):
            raise NotExpressible(f"{text(node)[:80]}: a number with letters divides")
        return self._coefficient(f"(/ {number(node, self.names)})")

    # ---- matrices

    def matrix(self, node: Node) -> str:
        args = node.args
        if size_of(node) == NUMBER:
            return f"(MNum {self.number(node)})"
        match node.op:
            case "letter" | "inv" | "sum":
                return f"(ML {self.letter(node)} {self.mark(node)})"
            case "I":
                return f"(MI {self.size(size_of(node)[0])})"
            case "O":
                return f"(MO {self.size(size_of(node)[0])} {self.size(size_of(node)[1])})"
            case "neg":
                return f"(MOpp {self.matrix(args[0])})"
            case "+" | "-":
                return f"({'MAdd' if node.op == '+' else 'MSub'} {self.matrix(args[0])} {self.matrix(args[1])})"
            case "*":
                factor, other = args if size_of(args[0]) == NUMBER else args[::-1]
                return f"(MSc {self.number(factor)} {self.matrix(other)})"
            case "/":
                return f"(MSc {self.inverted(args[1])} {self.matrix(args[0])})"
            case "@":
                return self.product(node)
            case "T":
                return f"(MT {self.matrix(args[0])})"
            case "blocks":
                how, first, rest = halves(node)
                side = 0 if how == "above" else 1
                ends = f"{self.size(size_of(first)[side])} {self.size(size_of(rest)[side])}"
                return f"({'MV' if how == 'above' else 'MH'} {ends} {self.matrix(first)} {self.matrix(rest)})"
            case "mean":
                return f"(ME {self.bound(node, self.matrix)})"
            case "**" if args[1].op == "num" and args[1].value >= 1:
                return self.matrix(repeated(args[0], int(args[1].value)))
        raise NotExpressible(f"{text(node)[:80]} has no normal form")

    def product(self, node: Node) -> str:
        left, right = node.args
        return f"(MMul {self.size(size_of(left)[1])} {self.matrix(left)} {self.matrix(right)})"

    def size(self, form: Size) -> str:
        if sum(number for _, number in form) > 2:
            self.long.add(form)
        for name, _ in form:
            if name and name not in self.sizes:
                self.sizes.append(name)
        places = [str(self.sizes.index(name) + 1) if name else "0" for name, count in form for _ in range(count)]
        return f"[{'; '.join(places)}]%nat"

    # ---- samples

    def bound(self, node: Node, inner: object) -> str:
        """The kind of the mean, the mark of its sample, and what stands below."""
        name = str(node.args[0].value)
        kind = self._kind(node)
        outer = self.samples.get(name)
        self.count += 1
        self.samples[name] = mark = self.count
        body = inner(node.args[1])  # type: ignore[operator]
        if outer is None:
            del self.samples[name]
        else:
            self.samples[name] = outer
        return f"{kind} {mark} {body}"

    def _kind(self, node: Node) -> str:
        if isinstance(node.value, Pinned):
            count = node.value.count
        elif node.value in self.names.histories:
            count = horizon(times_of(node), self.names)
        else:
            return "0"
        return f"%{self._horizon(count)}%"

    def _horizon(self, count: Node) -> int:
        if count not in self.horizons:
            self.horizons.append(count)
        return self.horizons.index(count)

    def mark(self, node: Node) -> str:
        if node.op != "letter" or not self.is_marked(node.value):
            return "0"
        name = str(node.args[-1].value)
        if name not in self.samples:
            self.count += 1
            self.samples[name] = self.count
            self.free[name] = self.count, node.value.indices[-1]
        return str(self.samples[name])

    # ---- letters

    def letter(self, node: Node) -> int:
        if node.op == "inv":
            self._declared(node.args[0].value)
            return self.places[inverse_of(node.args[0].value.name)]
        if node.op == "sum":
            return self._sum(node)
        letter = node.value
        if not letter.indices:
            self._declared(letter)
            return self.places[called(letter.name)]
        shown = at(node, self.names) if not self.is_marked(letter) else f"{at(_bare(node), self.names)} _"
        if shown not in self.places:
            self.places[shown] = len(self.entries)
            self.entries.append(self._indexed(node))
        return self.places[shown]

    def is_marked(self, letter: Letter) -> bool:
        """Whether it depends on a sample or a path; the past of an outer loop stands for itself."""
        return is_random(letter) and self.world.histories.get(letter.indices[-1]) not in self.world.histories

    def _indexed(self, node: Node) -> Entry:
        letter, marked = node.value, self.is_marked(node.value)
        kinds = list(zip(node.args, letter.indices, strict=True))
        counts = [place(one, kind, self.names) for one, kind in (kinds[:-1] if marked else kinds)]
        points = [one for one, kind in kinds if is_point(kind)]
        if any(name in self.samples and name not in self.free for one in points for name in sample_names(one)):
            raise NotExpressible(f"{text(node)[:80]}: a function of what depends on a sample, below the mean over it")
        is_number = (letter.rows, letter.cols) == NUMBER
        past = marked and letter.indices[-1] in self.world.histories
        sample = [] if not marked else [f"({'snd' if past else 'fst'} {self.point})"]
        value = " ".join([called(letter.name), *counts, *sample])
        why = [sized_by(one, self.names, self.hyps) for one in points]
        sized = "sized_number _" if is_number else " ".join([self.hyps["sized", letter.name], *counts, *sample, *why])
        turned = "flip_number _" if is_number else self._turned(letter, [*counts, *sample])
        shown = f"number ({value})" if is_number else value
        time = node.args[0] if past and counts else None
        symmetric = is_number or letter.symmetric
        return Entry(letter.rows, letter.cols, symmetric, shown, sized, turned, time=time)

    def _turned(self, letter: Letter, places: list[str]) -> str:
        if letter.sign == "symmetric":
            return " ".join([self.hyps["symmetric", letter.name], *places])
        if letter.sign in ("psd", "pd"):
            return f"proj1 ({' '.join([self.hyps['nonneg', letter.name], *places])})"
        return ""

    def _declared(self, letter: Letter) -> None:
        """A letter without an index; a positive definite one with its inverse."""
        name = called(letter.name)
        if name in self.places:
            return
        self.places[name] = here = len(self.entries)
        sized = self.hyps["sized", letter.name]
        entry = Entry(letter.rows, letter.cols, letter.symmetric, name, sized, self._turned(letter, []))
        self.entries.append(entry)
        if letter.sign == "pd":
            held = self.hyps["inverse", letter.name]
            other = inverse_of(letter.name)
            self.places[other] = here + 1
            entry.inverse, entry.product = here + 1, f"proj1 (proj2 (proj2 {held}))"
            self.entries.append(
                Entry(
                    letter.rows,
                    letter.cols,
                    True,
                    other,
                    f"proj1 {held}",
                    f"proj1 (proj2 {held})",
                    here,
                    f"proj2 (proj2 (proj2 {held}))",
                )
            )

    def _sum(self, node: Node) -> int:
        shown = matrix(node, self.names)
        if any(True for _ in sample_names(node)):
            raise NotExpressible(f"{text(node)[:80]}: a sum of matrices that depend on a sample")
        if shown not in self.places:
            rows, cols = size_of(node)
            self.places[shown] = len(self.entries)
            self.entries.append(Entry(rows, cols, False, shown, sized_by(node, self.names, self.hyps)))
        return self.places[shown]


def sized_by(node: Node, names: Names, hyps: Hyps) -> str:
    """Why a matrix is zero outside its size, as a term."""
    args = node.args

    def inner(one: Node) -> str:
        return sized_by(one, names, hyps)

    if size_of(node) == NUMBER:
        return "(sized_number _)"
    match node.op:
        case "letter":
            kinds = list(zip(args, node.value.indices, strict=True))
            places = [place(one, kind, names) for one, kind in kinds]
            vectors = [inner(one) for one, kind in kinds if is_point(kind)]
            return f"({' '.join([hyps['sized', node.value.name], *places, *vectors])})"
        case "inv":
            return f"(proj1 {hyps['inverse', args[0].value.name]})"
        case "I":
            return f"(sized_identity {size(size_of(node)[0])})"
        case "O":
            return f"(sized_zero {size(size_of(node)[0])} {size(size_of(node)[1])})"
        case "neg" | "T":
            return f"(sized_{'opp' if node.op == 'neg' else 'flip'} _ _ _ {inner(args[0])})"
        case "+" | "-":
            word = "sized_plus" if node.op == "+" else "sized_minus"
            return f"({word} _ _ _ _ {inner(args[0])} {inner(args[1])})"
        case "*" | "/":
            other = args[1] if node.op == "*" and size_of(args[0]) == NUMBER else args[0]
            return f"(sized_scale _ _ _ _ {inner(other)})"
        case "@":
            return f"(sized_times _ _ _ _ _ _ _ {inner(args[0])} {inner(args[1])})"
        case "blocks":
            how, first, rest = halves(node)
            return f"(sized_{how} _ _ _ _ _ {inner(first)} {inner(rest)})"
        case "**":
            return inner(repeated(args[0], int(args[1].value)))
        case "mean":
            mean = expectation(node, names)
            return f"(sized_average _ {mean} _ _ _ (fun {called(str(args[0].value))} => {inner(args[1])}))"
        case "sum":
            index = str(args[0].value)
            below = sized_by(args[3], names.bind(index, "indices"), hyps)
            return f"(sized_matsum _ _ _ _ _ (fun {called(index)} => {below}))"
    raise NotExpressible(f"{text(node)[:80]}: a sum of such matrices")


def _bare(node: Node) -> Node:
    """Without its sample."""
    return Node("letter", node.args[:-1], replace(node.value, indices=node.value.indices[:-1]))


def equate(out: Out, left: Node, right: Node, names: Names, world: World, hyps: Hyps) -> None:
    """Prove `left = right` by the normal form; the goal of Coq is this equation."""
    form = Form(names, world, hyps)
    is_number = size_of(left) == NUMBER
    read = form.number if is_number else form.matrix
    first, second = read(left), read(right)
    for entry in list(form.entries):
        if entry.time is not None:
            form._horizon(entry.time)
    order = _ascending(form.horizons, names)
    for position, where in enumerate(form.horizons):
        number_ = 1 + order.index(where)
        first, second = (side.replace(f"%{position}%", str(number_)) for side in (first, second))
    lemma = "same_number" if is_number else "same_matrix"
    infos = "; ".join(
        f"Build_info {form.size(e.rows)} {form.size(e.cols)} {str(e.symmetric).lower()} "
        f"{'O' if e.inverse is None else e.inverse + 1}"
        for e in form.entries
    )
    wins = [
        "["
        + "; ".join("true" if e.time is None or not_before(h, e.time, names) else "false" for e in form.entries)
        + "]"
        for h in order
    ]
    sampled = ("sized", "*") in hyps or any(is_random(one) for one in world.letters.values()) or bool(world.samples)
    kind = "Omega" if sampled else "unit"
    means = "E HE h0" if sampled else "no_sample no_sampling (fun _ => tt)"
    first_sample = "(h0 O, h0)" if sampled else "(tt, fun _ => tt)"
    env = f"(fun _ => {first_sample})"
    for name, (mark, space) in form.free.items():
        here = f"(h0 O, {called(name)})" if space in world.histories else f"({called(name)}, h0)"
        env = f"(set {env} {mark} {here})"
    vals = "; ".join(f"(fun {form.point} : @W {kind} => {e.value})" for e in form.entries)
    for one in sorted(form.long, key=lambda one: -len(size(one))):
        same = out.new("Q")
        out.say(f"assert ({same} : {size(one)} = {_from_the_right(one)}) by lia.", f"rewrite ?{same}; clear {same}.")
    out.say(
        f"refine ({lemma} {means}",
        f"  [{infos}] [{'; '.join(wins)}] [{'; '.join(natural(h, names) for h in order)}]",
        f"  [{vals}] ([{'; '.join(form.scalars)}] : list R) [{'; '.join(called(n) for n in form.sizes)}] _ _ {env}",
        f"  {first}",
        f"  {second} _ _).",
    )
    with out.block():
        for entry in form.entries:
            out.say(f"apply Forall2_cons; [{_why(entry, form)} | ].")
        out.say("apply Forall2_nil.")
    settle = "settled_paths" if any(step.params for step in world.steps.values()) else "settled_states"
    out.say(f"{{ {settle}. }}" if order else "{ exact I. }")
    powers = any(re.search(r"\^ [(A-Za-z]", one) for one in form.scalars)
    apart = "divisors_apart; " if any("/ ((" in one for one in form.scalars) else ""
    apart = f"powers_apart; {apart}" if any(DIVIDED_POWER.search(one) for one in form.scalars) else apart
    last = "powers_vanish" if powers else "coefficients_vanish"
    out.say("{ vm_compute; reflexivity. }", f"{{ {apart}{last}. }}")


def _from_the_right(form: Size) -> str:
    """(d + (d + d)), as `dim` of Forms.v adds."""
    parts = [called(name) if name else "1" for name, count in form for _ in range(count)]
    shown = parts[-1]
    for part in reversed(parts[:-1]):
        shown = f"({part} + {shown})"
    return f"{shown}%nat"


def _why(entry: Entry, form: Form) -> str:
    sized = f"(fun {form.point} => {entry.sized})"
    if entry.inverse is not None:
        other = form.entries[entry.inverse]
        parts = [sized, *(f"(fun {form.point} => {one})" for one in (entry.turned, other.sized, entry.product))]
        return f"apply letter_inverse; [{' | '.join(f'exact {one}' for one in parts)}]"
    if entry.symmetric:
        return f"apply letter_symmetric; [exact {sized} | exact (fun {form.point} => {entry.turned})]"
    return f"apply letter_plain; exact {sized}"


def _ascending(horizons: list[Node], names: Names) -> list[Node]:
    """Earlier ones first, where their forms tell."""
    result: list[Node] = []
    for one in horizons:
        place = next((i for i, other in enumerate(result) if not_before(other, one, names)), len(result))
        result.insert(place, one)
    return result
