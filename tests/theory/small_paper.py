"""A paper of four lemmas, for tests of what is computed over a paper."""

from __future__ import annotations

from theory.reading.paper import Paper, PaperDisplay, PaperStatement, Role


def printed(id_: str, line: int, kind: str = "lemma", uses: tuple[str, ...] = ()) -> PaperStatement:
    return PaperStatement(id_, id_, kind, line, line + 1, "One", f"about {id_}", "", uses, r"a \leq b_1 & c \\ d")


def display(id_: str, line: int, role: Role, relations: int, restates: tuple[str, ...] = ()) -> PaperDisplay:
    return PaperDisplay(id_, id_, line, line + 1, "Two", "", "", role, restates, relations, r"x^2 \geq 0")


def paper(*statements: PaperStatement, displays: tuple[PaperDisplay, ...] = ()) -> Paper:
    return Paper(statements, displays)
