"""MathML elements as strings, escaped once and here."""

from __future__ import annotations

from html import escape

FIRST_STYLED = "\U0001d400"  # letters from here on are bold, script or double by themselves


def element(name: str, inner: str, **attributes: str) -> str:
    """One element around finished markup; a trailing underscore in a name is dropped (class_)."""
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{inner}</{name}>"


def mi(text: str, upright: bool = False) -> str:
    """An identifier: one letter is set in italics by the browser unless it is to be upright."""
    plain = upright and len(text) == 1 and text < FIRST_STYLED
    return element("mi", escape(text), mathvariant="normal") if plain else element("mi", escape(text))


def mn(text: str) -> str:
    return element("mn", escape(text))


def mo(text: str, **attributes: str) -> str:
    return element("mo", escape(text), **attributes)


def fence(text: str) -> str:
    """A bracket that keeps its size and leaves no gap.

    Brackets are identifiers here: these do not stretch by themselves, which an operator has to be told.
    """
    return mi(text)


def mtext(text: str) -> str:
    """Words; their spaces must not collapse."""
    return element("mtext", escape(text).replace(" ", "\u00a0"))


def space(width: str) -> str:
    return f'<mspace width="{width.removeprefix("0")}"/>'


def row(parts: list[str] | str) -> str:
    """Several elements as one; a single one needs no wrapping."""
    if isinstance(parts, str):
        return parts
    return parts[0] if len(parts) == 1 else element("mrow", "".join(parts))


def math(inner: str, block: bool) -> str:
    """The whole formula."""
    kind = {"display": "block"} if block else {}
    return element("math", inner, **kind)
