"""What a formula may be written with. A reader must see all that is judged, and nothing that is not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from theory.claims.idioms import SIGNS
from theory.kernel import Malformed

NO_NUMBER = re.compile(r"\bnan\b", re.IGNORECASE)


def plain(sources: Iterable[str], where: str) -> tuple[str, ...]:
    """The formulas as they are, when they hold no comment, no line break, no control and no look-alike character."""
    found = tuple(sources)
    for source in found:
        if not isinstance(source, str):
            raise Malformed(f"{where}: a formula is a text, not {source!r}")
        _refuse(source, where)
    return found


def _refuse(source: str, where: str) -> None:
    if "#" in source:
        raise Malformed(f"{where}: {source!r} holds a comment (#), which would be shown and not judged; leave it out")
    if NO_NUMBER.search(source):
        raise Malformed(f"{where}: {source!r} holds nan, which is no number; write what is meant")
    for sign in source:
        if sign.isascii() and sign.isprintable():
            continue
        name = unicodedata.name(sign, f"character {ord(sign)}").lower()
        remedy = f"write {SIGNS[sign]}" if sign in SIGNS else "write letters by name, such as eta"
        if not sign.isprintable():
            remedy = "write the formula on one line, in spaces"
        raise Malformed(f"{where}: {source!r} holds {name} (U+{ord(sign):04X}), which may be misread; {remedy}")
