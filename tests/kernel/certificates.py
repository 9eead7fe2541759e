"""Pieces of certificates that the kernel's tests write by hand."""

from __future__ import annotations

from typing import Any

Cert = dict[str, Any]
IDENTITY: Cert = {"kind": "identity"}
POSITIVE: Cert = {"kind": "positive"}


def cone(*terms: Cert, **more: Any) -> Cert:
    return {"kind": "cone", "terms": list(terms), **more}


def of(*facts: int, c: str = "1", **more: Any) -> Cert:
    return {"c": c, "of": list(facts), **more}
