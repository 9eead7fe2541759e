"""Small things that every section needs: anchors, commands, points, verdict words."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Any

LABELS = {
    "PROVED": "proved",
    "LINKED": "proved up to links",
    "INSTANCE": "instance only",
    "CERTIFIED": "certified",
    "SUPPORTED": "supported",
    "UNDECIDED": "undecided",
    "DOES NOT FOLLOW": "does not follow",
    "REFUTED": "refuted",
    "CITED": "cited",
    "NOT RUN": "not run",
}
FAITH = {
    "AS_PRINTED": "as printed",
    "TYPO": "typo",
    "CONSTANT": "constant",
    "EXTRA_HYPOTHESIS": "extra hypothesis",
    "WEAKER": "weaker",
    "SHARPER": "sharper",
    "ALGORITHM": "algorithm",
    "OURS": "ours",
    "CASE": "a case of the print",
    "ARGUMENT": "the printed argument",
    "UNCOMPARED": "read by machine",
}


def anchor(id_: str) -> str:
    """An id of the page: letters, digits and - . : _ only."""
    return re.sub(r"[^A-Za-z0-9:._-]+", "-", id_)


def command(*words: str) -> str:
    return shlex.join(words)


def tone(name: str) -> str:
    """The class of a verdict or status in the style sheet."""
    return f"v-{name.lower().replace(' ', '-').replace('_', '-')}"


def point_text(point: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in sorted(point.items()))


def _value(value: Any) -> str:
    return f"[{', '.join(map(_value, value))}]" if isinstance(value, list) else str(value)


def spoken(phrase: str) -> str:
    """PROVED up to 3 links, as a badge says it: proved up to 3 links."""
    return re.sub(r"^[A-Z]+", lambda found: found[0].lower(), phrase)


def plural(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"
