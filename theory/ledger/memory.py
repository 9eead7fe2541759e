"""Judgements that this kernel has given before, on this machine, for this user: what need not be judged a second time.

A judgement is remembered under a digest of everything that it is a function of: the claim, the evidence, the claims
that the proof cites, the code of the kernel, Python and FLINT. Each is signed with a key that never leaves this user's
cache, so that a memory brought from elsewhere or edited is as good as none. `check --fresh`, `recheck` and `pytest` ask
nothing of it: there the kernel judges everything anew.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import platform
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from theory.claims.cache import key_of
from theory.kernel import Claim, Judgement, Verdict
from theory.ledger.again import Task
from theory.ledger.fingerprint import kernel_digest
from theory.ledger.records import evidence_to_json
from theory.ledger.storage import canonical, locked
from theory.ledger.versions import version_of


class Memory:
    """What was judged before; a folder that cannot be read or written remembers nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / f"judgements-{_judge()[:16]}.jsonl"
        self.key = key_of(folder)
        self.lines = _lines(self.path) if self.key is not None else {}
        self.recalled: set[str] = set()

    def recall(self, task: Task, library: Mapping[str, Claim]) -> Judgement | None:
        """The judgement of exactly this evidence, None when it was never given or its signature is not ours."""
        name = _name(task) if self.lines else ""
        line = self.lines.get(name)
        if line is None or self.key is None:
            return None
        body, signature = line
        if not hmac.compare_digest(signature, self.signed(name, body)):
            return None
        judgement = _judgement(body)
        if _cited(judgement, library) != body["claims"]:
            return None
        self.recalled.add(task.key)
        return judgement

    def keep(self, judged: Iterable[tuple[Task, Judgement]], library: Mapping[str, Claim]) -> None:
        """Remember these from now on. What rests on a claim that is not there is not remembered."""
        if self.key is None:
            return
        new = [
            (_name(task), _body(judgement, claims))
            for task, judgement in judged
            if (claims := _cited(judgement, library)) is not None
        ]
        text = "".join(json.dumps([name, body, self.signed(name, body)]) + "\n" for name, body in new)
        if text:
            with suppress(OSError), locked(self.path), self.path.open("a", encoding="utf-8") as out:
                out.write(text)

    def signed(self, name: str, body: Any) -> str:
        """The signature of what is kept under this name."""
        assert self.key is not None
        return hmac.new(self.key, canonical([name, body]), hashlib.sha256).hexdigest()


def _name(task: Task) -> str:
    """Everything that the judgement is a function of, except the claims that are cited: these stand in the entry."""
    parts = [_judge(), task.claim.to_json(), evidence_to_json(task.evidence)]
    return hashlib.sha256(canonical(parts)).hexdigest()


@lru_cache(maxsize=1)
def _judge() -> str:
    parts = [kernel_digest(), platform.python_version(), version_of("python-flint")]
    return hashlib.sha256(canonical(parts)).hexdigest()


def _cited(judgement: Judgement, library: Mapping[str, Claim]) -> dict[str, str] | None:
    """The cited claims as they read today, None when one of them is gone."""
    if any(key not in library for key in judgement.cites):
        return None
    return {key: hashlib.sha256(canonical(library[key].to_json())).hexdigest() for key in judgement.cites}


def _body(judgement: Judgement, claims: Mapping[str, str]) -> dict[str, Any]:
    return {
        "verdict": judgement.verdict.name,
        "reason": judgement.reason,
        "scope": judgement.scope,
        "cites": list(judgement.cites),
        "rules": list(judgement.rules),
        "claims": dict(claims),
    }


def _judgement(body: Mapping[str, Any]) -> Judgement:
    lists = (tuple(map(str, body[name])) for name in ("cites", "rules"))
    return Judgement(Verdict[body["verdict"]], str(body["reason"]), str(body["scope"]), *lists)


def _lines(path: Path) -> dict[str, tuple[dict[str, Any], str]]:
    """The entries of the file; a line that is not whole is left out."""
    found: dict[str, tuple[dict[str, Any], str]] = {}
    with suppress(OSError, UnicodeDecodeError):
        for line in path.read_text(encoding="utf-8").splitlines():
            with suppress(ValueError, TypeError):
                name, body, signature = json.loads(line)
                if isinstance(body, dict) and isinstance(signature, str):
                    found[str(name)] = (body, signature)
    return found
