"""The corpus through the path that a user takes: a file of lemmas without proofs, and `lemmalab check`'s own judges."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.trust.classical import OUT_OF_REACH
from tests.trust.corpus import Item
from theory.claims.statement import Check
from theory.claims.userfile import load_file
from theory.kernel import Verdict
from theory.ledger.examples import Unfit, prepared
from theory.ledger.judging import check_all
from theory.ledger.records import Record

OPEN = (Verdict.UNDECIDED, Verdict.SUPPORTED)


@dataclass(frozen=True)
class Score:
    """Counts over a corpus; `wrong` and `open_` name the items."""

    true: int
    false: int
    proved: int
    refuted: int
    wrong: tuple[str, ...]
    open_: tuple[str, ...]

    @property
    def sound(self) -> bool:
        return not self.wrong


def judge_corpus(items: Iterable[Item], jobs: int = 2, progress: Callable[[int, int], None] | None = None) -> Score:
    """Every item written into a file, read back and judged with no help."""
    chosen = list(items)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lemmas.py"
        path.write_text("from theory import lemma\n\n" + "".join(_line(i, item) for i, item in enumerate(chosen)))
        checks = {key: _with_example(check) for key, check in load_file(path).items()}
        shown = None if progress is None else lambda done, total, record: progress(done, total)
        records = check_all(checks=checks, jobs=jobs, fresh=True, progress=shown).by_key()
    by_item = [(item, records[f"item_{i}"]) for i, item in enumerate(chosen)]
    return Score(
        true=sum(item.true for item in chosen),
        false=sum(not item.true for item in chosen),
        proved=sum(record.verdict in (Verdict.PROVED, Verdict.CERTIFIED) for _, record in by_item),
        refuted=sum(record.verdict is Verdict.REFUTED for _, record in by_item),
        wrong=tuple(f"{item.name}: {r.verdict.name}" for item, r in by_item if _is_wrong(item, r.verdict)),
        open_=tuple(f"{item.name}: {item.says}: {_why(item, r)}" for item, r in by_item if r.verdict in OPEN),
    )


def _is_wrong(item: Item, verdict: Verdict) -> bool:
    if verdict in OPEN:
        return False
    return (verdict is Verdict.REFUTED) == item.true


def _why(item: Item, record: Record) -> str:
    """In one line: what is missing where we know it, and what the search saw."""
    known = OUT_OF_REACH.get(item.name)
    return " ".join(f"{f'{known}; ' if known else ''}no witness: {record.judgement.reason}".split())


def _with_example(check: Check) -> Check:
    """As `lemmalab check FILE` does it: a point that satisfies the hypotheses is looked for."""
    found = prepared(check)
    if isinstance(found, Unfit):
        raise ValueError(f"{check.key}: {found}")
    return found


def _line(position: int, item: Item) -> str:
    return f"item_{position} = lemma({item.says!r}, given={list(item.given)!r}, naturals={list(item.naturals)!r})\n"
