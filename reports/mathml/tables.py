"""The environments of LaTeX that are tables."""

from __future__ import annotations

from reports.mathml.elements import element, mo

ENVIRONMENTS = ("aligned", "gathered", "cases", "pmatrix", "matrix")


def table(name: str, rows: list[list[str]]) -> str:
    """Rows of finished cells, with the alignment and the brackets of the environment."""
    body = "".join(
        element("mtr", "".join(element("mtd", cell, class_=_class(name, i)) for i, cell in enumerate(cells)))
        for cells in rows
    )
    inner = element("mtable", body, **({"displaystyle": "true"} if name in ("aligned", "gathered") else {}))
    if name == "pmatrix":
        return element("mrow", _bracket("(", "prefix") + inner + _bracket(")", "postfix"))
    if name == "cases":
        return element("mrow", _bracket("{", "prefix") + inner)
    return inner


def _class(name: str, column: int) -> str:
    if name == "aligned":
        return "ar" if column % 2 == 0 else "al"
    return {"cases": "cl", "gathered": "gc"}.get(name, "mc")


def _bracket(text: str, form: str) -> str:
    return mo(text, stretchy="true", form=form, lspace="0", rspace="0.1em" if text == "{" else "0")
