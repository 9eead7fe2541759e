"""Macros as data: what \\newcommand, \\def and their like define, and what a call is replaced by."""

from __future__ import annotations

from dataclasses import dataclass

from theory.reading.latex.tokens import Place, Token

Piece = Token | int  # a token of the body, or the number of an argument

# What the structure of a paper is read from; a class file that redefines the looks of these changes nothing here.
KEPT = frozenset({
    "begin", "end", "label", "ref", "eqref", "cref", "Cref", "autoref", "nameref", "pageref", "cite", "title", "author",
    "date", "maketitle", "part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph",
    "caption", "item", "footnote", "input", "include", "subfile", "usepackage", "documentclass", "appendix",
    "newcommand", "renewcommand", "def", "let", "proof", "endproof", "text", "mathrm", "mathbf", "frac", "sqrt", "left",
    "right", "qedhere", "csname", "expandafter", "fi", "else",
})  # fmt: skip


@dataclass(frozen=True)
class Macro:
    """`default` is the text of an optional first argument; `ends` delimit the arguments of \\def (empty: none)."""

    arguments: int
    body: tuple[Piece, ...]
    default: tuple[Token, ...] | None = None
    ends: tuple[tuple[str, ...], ...] = ()
    starred: bool = False  # a star after the name changes nothing
    overlay: bool = False  # <2-> after the name says on which slides something is seen
    frozen: bool = False  # the primitive of this name, kept by \let before the name was defined anew

    def replaced(self, given: list[list[Token]], place: Place) -> list[Token]:
        """The body with the arguments put in; what comes from the body has the place of the call."""
        found: list[Token] = []
        for piece in self.body:
            found += given[piece - 1] if isinstance(piece, int) else [Token(piece.text, place)]
        return found


def compiled(tokens: list[Token], arguments: int) -> tuple[Piece, ...]:
    """A body with #1 as numbers; ## inside a body is # of a definition further in."""
    found: list[Piece] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if token.text == "#" and following is not None and following.text[:1].isdecimal():
            number = int(following.text[0])
            if 1 <= number <= arguments:
                found.append(number)
                if following.text[1:]:
                    found.append(Token(following.text[1:], following.place))
                at += 2
                continue
        if token.text == "#" and following is not None and following.text == "#":
            at += 1
        found.append(token)
        at += 1
    return tuple(found)


@dataclass(frozen=True)
class Theorem:
    """A theorem-like environment: the name that LaTeX prints, as a kind (lemma, theorem, …)."""

    environment: str
    kind: str
    place: Place | None = None


KINDS = (
    "theorem", "lemma", "proposition", "corollary", "definition", "assumption", "remark", "example", "claim",
    "conjecture", "fact", "observation", "condition", "hypothesis", "problem", "property", "question", "note",
    "notation", "exercise",
)  # fmt: skip
PREFIX = {
    "theorem": "thm", "lemma": "lem", "proposition": "prop", "corollary": "cor", "definition": "def",
    "assumption": "ass", "remark": "rem", "example": "ex", "algorithm": "alg", "conjecture": "conj",
    "observation": "obs", "condition": "cond", "hypothesis": "hyp", "problem": "prob",
}  # fmt: skip
USUAL = {
    "thm": "theorem", "lem": "lemma", "prop": "proposition", "cor": "corollary", "defn": "definition",
    "defi": "definition", "ass": "assumption", "asm": "assumption", "rem": "remark", "rmk": "remark",
}  # fmt: skip
