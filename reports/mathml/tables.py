"""The environments of LaTeX that are tables."""

from __future__ import annotations

from reports.mathml.elements import element, mo

ENVIRONMENTS = ("aligned", "gathered", "cases", "pmatrix", "matrix")


def table(name: str, rows: list[list[str]]) -> str:
    """Rows of finished cells, with the alignment and the brackets of the environment."""
    body = "".join(
        element("mtr", "".join(element("mtd", cell, **_class(name, i)) for i, cell in enumerate(cells)))
        for cells in rows
    )
    inner = element("mtable", body, **({"displaystyle": "true"} if name in ("aligned", "gathered") else {}))
    if name == "pmatrix":
        return element("mrow", mo("(") + inner + mo(")"))
    if name == "cases":
        return element("mrow", mo("{", rspace="0.1em") + inner)
    return inner


def _class(name: str, column: int) -> dict[str, str]:
    """Cells are centred by themselves."""
    if name == "aligned":
        return {"class_": "ar" if column % 2 == 0 else "al"}
    return {"class_": "cl"} if name == "cases" else {}
