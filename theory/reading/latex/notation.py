r"""A paper's notation: for every name its LaTeX and its kind, for every operation a template.

    kappa_tilde   real       \tilde{\kappa}
    x             vector     \mathbf{x}
    C             sequence   \mathbf{C}              C[t] is set as \mathbf{C}_{t}
    C_l           sequence   \mathbf{C}_{#1}^{(\ell)}
    Pi            function   \tilde{\Pi}_{#1}(#2)    Pi(t, M) is set as \tilde{\Pi}_{t}(M)

What a template cannot tell apart is told apart by the printer with brackets; two names with the same LaTeX cannot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theory.claims.files import reading, toml_of
from theory.reading.latex.atoms import Atom, Atoms, Unreadable, atoms

if TYPE_CHECKING:
    from theory.kernel.lang import Node
    from theory.reading.latex.formulas import FormulaReader

KINDS = ("real", "natural", "vector", "matrix", "symmetric", "psd", "pd", "random", "sequence", "function")
FAMILIES = frozenset({"random", "sequence"})  # their members are of the kind `of`
MATRICES = frozenset({"matrix", "symmetric", "psd", "pd"})
GREEK = frozenset({
    "alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "pi", "rho", "sigma", "tau", "phi", "varphi", "chi", "psi", "omega", "Gamma", "Delta", "Theta",
    "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega", "ell",
})  # fmt: skip
SHORT = {
    "lam": "lambda", "lambda_": "lambda", "eps": "varepsilon", "kap": "kappa", "sig": "sigma", "gam": "gamma",
    "th": "theta",
}  # fmt: skip
ACCENTS = ("tilde", "hat", "bar")
# An operation and how it is set; the first template of an operation is the one that is printed.
OPERATIONS: tuple[tuple[str, str], ...] = (
    ("abs", r"\left|#1\right|"),
    ("norm2", r"\left\|#1\right\|^{2}"),
    ("norm2", r"\left\|#1\right\|_{2}^{2}"),
    ("norm2", r"\left\|#1\right\|_{#2}^{2}"),
    ("norm", r"\left\|#1\right\|"),
    ("norm", r"\left\|#1\right\|_{2}"),
    ("norm", r"\left\|#1\right\|_{#2}"),
    ("inner", r"\left\langle #1, #2\right\rangle"),
    ("floor", r"\left\lfloor #1\right\rfloor"),
    ("ceil", r"\left\lceil #1\right\rceil"),
    ("binom", r"\binom{#1}{#2}"),
)


@dataclass(frozen=True)
class Glyph:
    """One name or operation, its LaTeX (with #1, #2 where arguments stand), and its kind."""

    name: str
    latex: str
    kind: str = "real"
    of: str = "real"
    meaning: str = ""
    operation: bool = False

    @cached_property
    def pattern(self) -> Atoms:
        return atoms(self.latex)

    @property
    def holes(self) -> int:
        return len(set(re.findall(r"#(\d)", self.latex)))


@dataclass(frozen=True)
class Letter:
    """How the letter of a claim is set, never looked for in print.

    takes      with so many indices or arguments (those that the LaTeX does not show go without saying); None: by itself
    declared   only where the claim declares it of this kind
    within     only in claims whose ids fit one of these patterns
    """

    name: str
    latex: str
    takes: int | None = None
    declared: str = ""
    within: tuple[str, ...] = ("*",)


@dataclass(frozen=True)
class Halved:
    """A claim counts to 2m where the paper counts to an even K: `half` is m, `latex` K, in the statements `within`."""

    half: str
    latex: str
    within: tuple[str, ...]


@dataclass(frozen=True)
class Notation:
    """All names at hand. `mean` is the operation that an expectation is, `sample` the sample that it leaves unsaid.

    printed   names that are set in a way of their own and never looked for when print is read
    letters   the same for names with indices or of a declared kind
    taking    (name, number of indices): the LaTeX with them, from the letters of one claim
    """

    glyphs: Mapping[str, Glyph] = field(default_factory=dict)
    operations: tuple[Glyph, ...] = tuple(Glyph(name, latex, operation=True) for name, latex in OPERATIONS)
    mean: str = "mean"
    sample: str = "w"
    printed: Mapping[str, Glyph] = field(default_factory=dict)
    letters: tuple[Letter, ...] = ()
    halved: tuple[Halved, ...] = ()
    taking: Mapping[tuple[str, int], Glyph] = field(default_factory=dict)
    literal = False  # True where letters are themselves and what is not in the language is kept as it is (`unnamed`)

    def __getitem__(self, name: str) -> Glyph:
        return self.glyphs.get(name) or self.printed.get(name) or Glyph(name, default_latex(name))

    def kind(self, name: str) -> str:
        return self[name].kind

    def letter(self, reader: FormulaReader, given: Atoms, at: int) -> tuple[Node, int] | None:
        """What a letter that is no symbol means here, and where it ends; None: nothing of its own."""
        return None

    def operator(self, reader: FormulaReader, word: str, given: Atoms, at: int) -> tuple[Node, int]:
        """What an operator that the language lacks means here, and where it ends."""
        raise Unreadable(f"{word} is no function of the language")

    def but(self, name: str, kind: str) -> Notation:
        """The same, with another kind of one name."""
        return replace(self, glyphs={**self.glyphs, name: replace(self[name], kind=kind)})

    def only(self, names: Iterable[str], kinds: Mapping[str, tuple[str, str]] | None = None) -> Notation:
        """The notation of one claim: its names and no others, told apart where two are set alike."""
        told: dict[str, Glyph] = {}
        seen: dict[tuple[Any, ...], str] = {}
        for name in dict.fromkeys(names):
            glyph = self[name]
            if kinds and name in kinds:
                glyph = replace(glyph, kind=kinds[name][0], of=kinds[name][1])
            try:
                key: tuple[Any, ...] = glyph.pattern
            except Unreadable:
                key = ()
            if not key or seen.setdefault(key, name) != name:
                glyph = replace(glyph, latex=spelled(name))
            told[name] = glyph
        return replace(self, glyphs=told)

    def operation(self, name: str, count: int) -> Glyph | None:
        """The template of an operation with so many arguments: one of the paper's notions, or a usual one."""
        own = self.glyphs.get(name)
        if own is not None and own.holes == count:
            return own
        return next((one for one in self.operations if one.name == name and one.holes == count), None)

    @cached_property
    def patterns(self) -> tuple[Glyph, ...]:
        """What is looked for, the most particular first."""
        usable = [glyph for glyph in (*self.glyphs.values(), *self.operations) if _readable(glyph)]
        return tuple(sorted(usable, key=lambda glyph: -_weight(glyph.pattern)))

    def starting(self, first: Atom | None = None) -> list[Glyph]:
        """The patterns that may begin with this atom, the most particular first; none begin with nothing."""
        if first is None:
            return []
        keys = (_key(first, first.sub), _key(first) if first.sub else None, None)
        found = [one for key in dict.fromkeys(keys) for one in self._by_first.get(key, ())]
        return [glyph for _, glyph in sorted(found, key=lambda one: one[0])]

    @cached_property
    def _by_first(self) -> dict[Any, list[tuple[int, Glyph]]]:
        """Patterns by what their first atom fixes, each with its rank; None: by nothing."""
        found: dict[Any, list[tuple[int, Glyph]]] = {}
        for rank, glyph in enumerate(self.patterns):
            first = glyph.pattern[0]
            open_ = not first.sub or "#" in glyph.latex
            key = None if first.kind == "hole" else _key(first, None if open_ else first.sub)
            found.setdefault(key, []).append((rank, glyph))
        return found


def _key(first: Atom, sub: Atoms | None = None) -> tuple[Any, ...]:
    return first.kind, first.name, first.primes, sub or None


def _readable(glyph: Glyph) -> bool:
    try:
        return bool(glyph.pattern)
    except Unreadable:
        return False


def _weight(pattern: Atoms) -> int:
    """How much a pattern fixes: every atom counts, in scripts too; holes less."""
    total = 0
    for atom in pattern:
        total += 1 if atom.kind == "hole" else 4 + atom.primes
        total += sum(_weight(part) for part in (*atom.args, atom.sub or (), atom.sup or ()))
    return total


def default_latex(name: str) -> str:
    r"""LaTeX for a name that no symbols file tells: lam -> \lambda, x1 -> x_{1}, x_star -> x^*."""
    parts = [part for part in name.split("_") if part]
    if name in SHORT or not parts:
        return "\\" + SHORT[name] if name in SHORT else spelled(name)
    numbered = re.fullmatch(r"([^\W\d_]+)(\d+)", parts[0])
    base = _stem(numbered[1] if numbered else parts[0])
    lower, upper = [numbered[2]] if numbered else [], ""
    for part in parts[1:]:
        if part in ACCENTS:
            base = rf"\{part}{{{base}}}"
        elif part == "star":
            upper = "^{*}"
        else:
            lower.append(part if part.isdigit() else _stem(part))
    return base + (f"_{{{','.join(lower)}}}" if lower else "") + upper


def _stem(word: str) -> str:
    if word in GREEK or word in SHORT:
        return "\\" + SHORT.get(word, word)
    return word if len(word) == 1 else rf"\mathrm{{{word}}}"


def spelled(name: str) -> str:
    """The name itself, where nothing else tells two names apart."""
    return r"\mathtt{" + name.replace("_", r"\_") + "}"


def read_notation(path: Path) -> Notation:
    """The notation of a symbols file; a symbol may be known by further names (`aliases`), and what is no symbol
    of its own, such as F(x*), by a shorthand; `letters` of claims are printed only."""
    with reading(path, "mend the symbols file"):
        return _notation(toml_of(path), path)


def _notation(data: Mapping[str, Any], path: Path) -> Notation:
    told = notation_of([*data.get("symbol", []), *data.get("shorthand", [])], str(path))
    rows = data.get("letters", [])
    special = [row for row in rows if row.keys() & {"takes", "declared", "within"}]
    return replace(
        told,
        printed=notation_of([row for row in rows if row not in special], str(path)).glyphs,
        letters=tuple(
            Letter(r["name"], r["latex"], r.get("takes"), r.get("declared", ""), tuple(r.get("within", ("*",))))
            for r in special
        ),
        halved=tuple(Halved(row["half"], row["latex"], tuple(row["within"])) for row in data.get("halved", [])),
    )


def notation_of(rows: Iterable[Mapping[str, Any]], where: str = "symbols.toml") -> Notation:
    from theory.reading.latex.errors import LatexError

    glyphs: dict[str, Glyph] = {}
    for row in rows:
        name, kind = row.get("name"), row.get("kind") or _kind(row)
        if not name or kind not in KINDS:
            what = f"the kind {kind!r}" if name else "a symbol without a name"
            raise LatexError(f"{where}: {name or what}: {what} is not known; kinds are {', '.join(KINDS)}")
        of, meaning = row.get("of", "real"), row.get("meaning", "")
        for one in (name, *row.get("aliases", ())):
            glyphs[one] = Glyph(one, row.get("latex") or default_latex(one), kind, of, meaning)
    return Notation(glyphs)


def _kind(row: Mapping[str, Any]) -> str:
    """The kind that an older table tells by shape, arguments and assumptions."""
    if row.get("args"):
        return "function"
    if "integer" in row.get("assume", ()):
        return "natural"
    shape = str(row.get("shape", "1"))
    return "real" if shape == "1" else "matrix" if "x" in shape or shape == "?" else "vector"
