"""A picture with the numbers behind it: the page shows both, `--figures` writes both."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

MANY = 1500  # characters of numbers from which on they are packed
NUMBERS = re.compile(r'(?<= )(?:[xyrd]|[xy][12]|c[xy]|points|width|height|transform|viewBox)="[^"]*"')
WHOLE = re.compile(r"(?<=\d)\.0+(?![\d])")
PLAIN = " ,;:=()+*'/~^[]{}|<>@!$"  # what a link may hold as it is


@dataclass(frozen=True)
class Figure:
    """`svg` stands alone; `rows` are what it shows."""

    name: str
    title: str
    caption: str
    svg: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]

    @property
    def csv(self) -> str:
        return as_csv(self.columns, self.rows)

    @property
    def link(self) -> str:
        """The numbers as a link that needs no file; many of them are packed."""
        return as_packed(self.csv) if self.packed else as_link(self.csv, "text/csv")

    @property
    def packed(self) -> bool:
        return len(self.csv) > MANY

    @property
    def inline(self) -> Markup:
        """The picture without its own style sheet, which the page carries once, and without zeros behind the point."""
        plain = re.sub(r"<style>.*?</style>|<title></title>|<desc>.*?</desc>", "", self.svg, flags=re.S)
        return Markup(NUMBERS.sub(lambda one: WHOLE.sub("", one[0]), plain))

    @property
    def style(self) -> str:
        return "".join(re.findall(r"<style>(.*?)</style>", self.svg, flags=re.S))


def as_csv(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[f"{v:.10g}" if isinstance(v, float) else v for v in row] for row in rows])
    return out.getvalue()


def as_link(text: str, kind: str) -> str:
    return f"data:{kind};charset=utf-8,{quote(text, safe=PLAIN)}"


def as_packed(text: str) -> str:
    """Long text as a link to its gzip; the same text, the same bytes."""
    return f"data:application/gzip;base64,{base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()}"
