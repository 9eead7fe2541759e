"""Evidence judged again, much of it at once: the claims are read already, so that on Linux other processes are forked.

Each takes a share of its own, tells its judgements and ends; what one did not tell is judged here. None of them waits
for anything, so that none stays behind when this process is killed.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from theory.kernel import Claim, Evidence, Judgement, Malformed, Rejected, Undecidable, Undefined, judge

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

WORTH_A_FORK = 40  # so few are judged before another process has begun


class Task(NamedTuple):
    key: str
    claim: Claim
    evidence: Evidence


def rejudged(claim: Claim, evidence: Evidence, library: Mapping[str, Claim]) -> Judgement | None:
    """The kernel's own verdict on recorded evidence, None where it refuses it."""
    try:
        return judge(claim, evidence, library)
    except (Rejected, Malformed, Undefined, Undecidable):
        return None


def rejudged_all(
    tasks: Sequence[Task], library: Mapping[str, Claim], jobs: int
) -> Iterator[tuple[str, Judgement | None]]:
    """Every task with the kernel's verdict on it, or None; the longest certificates are dealt out first."""
    many = jobs if sys.platform == "linux" and len(tasks) >= WORTH_A_FORK else 1
    dealt = sorted(tasks, key=lambda task: -len(str(task.evidence.certificate))) if many > 1 else list(tasks)
    others = [(dealt[one::many], _forked(dealt[one::many], library)) for one in range(1, many)]
    for task in dealt[::many]:
        yield task.key, rejudged(task.claim, task.evidence, library)
    for share, ear in others:
        told = _told(ear)
        for task in share:
            found = told[task.key] if task.key in told else rejudged(task.claim, task.evidence, library)
            yield task.key, found


def _forked(share: Sequence[Task], library: Mapping[str, Claim]) -> Connection:
    from multiprocessing import get_context

    context = get_context("fork")
    ear, mouth = context.Pipe(duplex=False)
    context.Process(target=_tell, args=(mouth, share, library), daemon=True).start()
    mouth.close()
    return ear


def _tell(mouth: Connection, share: Sequence[Task], library: Mapping[str, Claim]) -> None:
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        mouth.send({task.key: rejudged(task.claim, task.evidence, library) for task in share})


def _told(ear: Connection) -> dict[str, Judgement | None]:
    """What the other process found; nothing when it ended without a word."""
    with contextlib.closing(ear), contextlib.suppress(EOFError, OSError):
        found: dict[str, Judgement | None] = ear.recv()
        return found
    return {}
