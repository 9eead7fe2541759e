"""One pass over a table that need not fit into memory: read, learn, note where we are, go on after a kill.

A checkpoint holds the learner, the position in the data and a digest of the whole content (of a pipe: of what it has
given), so that a run goes on only with the very same data and ends with the very same model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics import checkpoint
from numerics.designs.checks import Array
from numerics.errors import CheckpointError, StreamError
from numerics.streams.source import PLACES, Bad, Block, Source, Wanted, ahead, refused
from numerics.threads import one_thread

from .checks import HUGE_LABEL, allowed_weights
from .files import Model
from .frame import Wish, granted
from .learner import Learner, Settings, first_rows
from .named import Chosen, chosen, indicators, of_classes
from .storage import decoded, encoded

FORMAT = "lemmalab fit 4"


@dataclass(frozen=True)
class Task:
    """What is to be learnt; columns by name."""

    label: str
    classify: bool = False
    loss: str = "squared"
    quantile: float = 0.5
    drop: tuple[str, ...] = ()
    weight: str | None = None
    classes: tuple[str, ...] = ()
    precondition: Wish = "auto"
    ridge: float | None = None
    skip_bad_rows: bool = False

    def chosen(self) -> Chosen:
        return chosen(self.loss, self.quantile)


@dataclass(frozen=True, eq=False)
class Progress:
    """A fit under way: `rows` taken, `bad` left out, `places` of the first of them, `done` as a part of 1, `position`
    in the data and `prefix`, the digest of what a pipe has given."""

    learner: Learner | None = None
    classes: tuple[str, ...] = ()
    position: int = 0
    prefix: str | None = None
    rows: int = 0
    bad: int = 0
    places: tuple[str, ...] = ()
    done: float = 0.0
    before: int = 0  # rows that a run taken up again had taken


@dataclass(frozen=True)
class Columns:
    """Where the label, the weight and the features stand."""

    label: int
    weight: int | None
    features: tuple[int, ...]
    wanted: Wanted

    @classmethod
    def of(cls, source: Source, task: Task) -> Columns:
        if len(source.names) < 2:
            raise StreamError(
                f"{source.called()}: has the one column {source.names[0]!r}; fitting needs data and a label: give the "
                "--delimiter if it is another one than that of the file's name"
            )
        label = source.position(task.label)
        weight = None if task.weight is None else source.position(task.weight)
        drop = frozenset(source.position(name) for name in task.drop)
        if label in drop or weight == label:
            raise StreamError(f"{source.called()}: the label {task.label!r} cannot be dropped, nor be the weight")
        features = tuple(i for i in range(len(source.names)) if i not in drop and i not in (label, weight))
        if not features:
            raise StreamError(f"{source.called()}: no column is left to learn from; drop fewer")
        return cls(label, weight, features, Wanted(label if task.classify else None, task.skip_bad_rows, drop))


@one_thread()
def fit_table(
    source: Source,
    task: Task,
    *,
    saving: Path | None = None,
    every: int = 1_000_000,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Model, Progress]:
    """The model after one pass, and what happened on the way; `saving` names the checkpoint. Linear algebra takes one
    thread, so that the digits do not depend on the machine's number of cores."""
    columns, digest = Columns.of(source, task), source.digest() if saving is not None else None
    now = _resumed(saving, source, task, digest) if resume and saving is not None else Progress()
    stamp, saved, prefix = _stamp(source), now.rows, now.prefix
    try:
        for block in ahead(source, now.position, columns.wanted):
            if prefix and source.skipped != prefix:
                raise CheckpointError(f"{source.called()}: gives other data than before; begin anew")
            prefix = None
            now = _learnt(now, block, source, task, columns)
            if saving is not None and now.rows - saved >= every:
                saved = now.rows
                _save(saving, now, source, task, digest)
            if progress is not None:
                progress(now)
    except KeyboardInterrupt:
        if saving is not None:
            _save(saving, now, source, task, digest)
        raise
    if _stamp(source) != stamp:
        raise StreamError(f"{source.called()}: was changed while it was read; fit again when it is at rest")
    if now.learner is None:
        raise StreamError(f"{source.called()}: holds no row that can be used ({now.bad} left out); nothing was learnt")
    return _model(now, source, task, columns), now


def _stamp(source: Source) -> tuple[int, int] | None:
    if source.path is None or not source.path.is_file():
        return None
    found = source.path.stat()
    return found.st_size, found.st_mtime_ns


def _learnt(now: Progress, block: Block, source: Source, task: Task, columns: Columns) -> Progress:
    """After this block; rows whose label or weight is not allowed are bad too."""
    bad = list(block.bad)
    if now.learner is None and len(block.rows):
        now = _begun(now, block, source, task, columns)
    labels, good = _labels(now, block, source, task, columns)
    weights = np.ones(len(block.rows)) if columns.weight is None else block.rows[:, columns.weight]
    fair = allowed_weights(weights)
    for mask, reason in ((good, _label_reason(now, task)), (fair, f"weight {task.weight!r} is negative or extreme")):
        if not mask.all():
            bad += [Bad(place, reason) for place in block.places(np.flatnonzero(~mask)[:PLACES])]
    if len(bad) > len(block.bad) and not task.skip_bad_rows:
        raise refused(source.called(), bad[len(block.bad)])
    kept = good & fair
    learner, x = now.learner, block.rows[:, list(columns.features)]
    if learner is not None and bool(kept.any()):
        whole = bool(kept.all())
        parts = (x, labels, weights) if whole else (x[kept], labels[kept], weights[kept])
        learner = learner.fed(*(np.ascontiguousarray(part) for part in parts))
    lost = len(block.bad) + int(np.count_nonzero(~kept))
    places = (*now.places, *(f"{one.place}: {one.reason}" for one in bad))[:PLACES]
    return replace(
        now,
        learner=learner,
        position=block.position,
        prefix=block.prefix,
        rows=now.rows + int(np.count_nonzero(kept)),
        bad=now.bad + lost,
        places=places,
        done=block.done,
    )


def _begun(now: Progress, block: Block, source: Source, task: Task, columns: Columns) -> Progress:
    """A learner for these columns, and the classes: those asked for, or those of the first block."""
    classes = task.classes
    if task.classify and not classes:
        assert block.text is not None
        classes = tuple(sorted({str(one) for one in block.text}))
    if task.classify and len(classes) < 2:
        raise StreamError(
            f"{source.called()}: the first rows hold one class only, {', '.join(classes)!r}; name all with --classes"
        )
    dim, loss = len(columns.features), of_classes(len(classes)) if task.classify else task.chosen().loss
    outputs = len(classes) if len(classes) > 2 else 1
    settings = Settings(
        loss,
        dim,
        outputs,
        precondition=granted(task.precondition, dim),
        ridge=task.ridge,
        first=first_rows(dim),
        own_units=not task.classify and task.chosen().own_units,
    )
    return replace(now, learner=Learner.begin(settings), classes=classes)


def _labels(
    now: Progress, block: Block, source: Source, task: Task, columns: Columns
) -> tuple[Array, NDArray[np.bool_]]:
    """(n, outputs), and which are allowed."""
    if not task.classify:
        labels = block.rows[:, columns.label]
        return labels[:, None], task.chosen().loss.allows(labels) & (np.abs(labels) <= HUGE_LABEL)
    if block.text is None or not len(block.rows):
        return np.empty((0, 1)), np.ones(0, dtype=bool)
    classes = np.array(now.classes)
    return indicators(block.text, classes), np.isin(block.text, classes)


def _label_reason(now: Progress, task: Task) -> str:
    if task.classify:
        return f"the label is none of {', '.join(now.classes[:10])} (name all classes with --classes)"
    return f"the label is not allowed: {task.chosen().loss.remedy()} (at most {HUGE_LABEL:g} in size)"


def _model(now: Progress, source: Source, task: Task, columns: Columns) -> Model:
    assert now.learner is not None
    kind = "SADAClassifier" if task.classify else "SADARegressor" if task.loss == "squared" else "SADAGeneralizedLinear"
    settings: dict[str, Any] = {"precondition": task.precondition, "ridge": task.ridge}
    if kind == "SADAGeneralizedLinear":
        settings |= {"loss": task.loss, "quantile": task.quantile}
    features = [source.names[i] for i in columns.features]
    classes = list(now.classes) if task.classify else None
    loss, raw = now.learner.loss, now.learner.coefficients
    return Model(kind, loss, raw, now.rows, settings, features, classes, not task.classify, now.learner)


def _save(path: Path, now: Progress, source: Source, task: Task, digest: str | None) -> None:
    arrays: checkpoint.Arrays = {}
    text = {
        "format": FORMAT,
        "task": asdict(task),
        "names": source.names,
        "digest": digest,
        "prefix": now.prefix,
        "classes": list(now.classes),
        "position": now.position,
        "rows": now.rows,
        "bad": now.bad,
        "places": list(now.places),
        "learner": encoded(now.learner, arrays),
    }
    checkpoint.save(path, text, arrays)


def _resumed(path: Path, source: Source, task: Task, digest: str | None) -> Progress:
    """Where the run was; refused when data or task are others."""
    text, arrays = checkpoint.load(path)
    if text.get("format") != FORMAT:
        raise CheckpointError(f"{path}: is no checkpoint of `lemmalab fit`; check the name")
    asked = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(task).items()}
    other = [name for name, value in text["task"].items() if asked.get(name) != value]
    if other:
        name = other[0]
        raise CheckpointError(
            f"{path}: was made with {name} = {text['task'][name]!r}, not {asked.get(name)!r}; give the same options"
        )
    if text["names"] != source.names or (text["digest"] or None) != digest:
        raise CheckpointError(
            f"{source.called()}: its content is not what it was when {path} was made; restore it, or begin anew"
        )
    return Progress(
        decoded(text["learner"], arrays),
        tuple(text["classes"]),
        text["position"],
        text["prefix"],
        text["rows"],
        text["bad"],
        tuple(text["places"]),
        before=text["rows"],
    )
