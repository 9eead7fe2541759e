"""Names of the code that a reader of a page must not meet outside code."""

from __future__ import annotations

import html
import re

NAMES = (
    "kt", "Ll", "lam", "gam", "trSQ", "trHQ", "trQ", "L_l", "mul", "thk", "sig2", "kappa_tilde", "theta_tilde",
    "x_star", "Sigma", "lambda", "kappa", "theta",
)  # fmt: skip
SPELLED = re.compile(
    rf"(?<![\w#:/.-])(?:{'|'.join(NAMES)})(?![\w:/-])|tr\(Sigma|\*\*|\b2\*[mn]\b|\bsum\(\w, |\b(?:inv|sqrt|forall)\(\w"
)
CODE = re.compile(r"<(script|style|pre|code|title)\b.*?</\1>|<table><thead><tr><th[^>]*>in the formal.*?</table>", re.S)
ID = re.compile(r"\0\s*(?:lem|thm|cor|def|ass|rem|alg|disp|eq):[^\0]*")  # an element that holds an id


def code_names(page: str) -> list[str]:
    """Every one with what stands around it."""
    text = html.unescape(re.sub(r"<[^>]+>", "\0", CODE.sub("\0", page)))
    text = ID.sub("\0", text)
    return [
        re.sub("[\0\\s]+", " ", text[max(0, found.start() - 50) : found.end() + 30]).strip()
        for found in SPELLED.finditer(text)
    ]
