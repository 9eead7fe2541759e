"""Mutants of the source: one slip at a time in a copy of the tree, and whether the tests notice.

A mutant is killed when a test fails or the time limit passes, and survives when all tests pass. Nothing is excused:
mutants that change no behaviour count as survivors, so that the score is a lower bound. Decorators, annotations and the
words of error messages are not mutated.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from queue import Queue

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("theory", "numerics", "reports", "tests")
SECONDS = 120.0  # for the tests of one mutant; a mutant that takes longer is killed by its slowness

FLIPS: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True)
class Room:
    """Files to mutate, and the tests that must notice: each group runs only when the one before it passed."""

    files: tuple[str, ...]
    tests: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Target:
    name: str
    rooms: tuple[Room, ...]


@dataclass(frozen=True)
class SourceMutant:
    """The `which`-th slip at the `number`-th node of a file."""

    file: str
    line: int
    kind: str
    words: str
    number: int
    which: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}: {self.words}"


@dataclass(frozen=True)
class Score:
    made: int
    killed: int
    survivors: tuple[str, ...]

    @property
    def rate(self) -> float:
        return self.killed / self.made


def source_mutants(file: str, source: str) -> list[SourceMutant]:
    """Every slip that can be made in one file, in the order of the text."""
    return [
        SourceMutant(file, getattr(node, "lineno", 0), kind, words, number, which)
        for number, node in enumerate(_mutable(ast.parse(source)))
        for which, (kind, words, _) in enumerate(_slips(node))
    ]


def mutated(mutant: SourceMutant, source: str) -> str:
    """The whole file with the slip in it."""
    tree = ast.parse(source)
    node = next(islice(_mutable(tree), mutant.number, None))
    _, _, change = next(islice(_slips(node), mutant.which, None))
    change(node)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _mutable(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes that say what is computed: no annotation, no decorator, no docstring, nothing inside a raise."""
    yield node
    if isinstance(node, ast.Raise):
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _mutable(child)


Slip = tuple[str, str, Callable[[ast.AST], None]]


def _slips(node: ast.AST) -> Iterator[Slip]:
    match node:
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                yield "comparison", ast.unparse(node), _sets_operator(place, FLIPS[type(op)])
        case ast.BoolOp(op=op):
            other: ast.boolop = ast.And() if isinstance(op, ast.Or) else ast.Or()
            yield "and/or", ast.unparse(node), _sets(op=other)
        case ast.BinOp(op=ast.Add() | ast.Sub() as op):
            swapped: ast.operator = ast.Sub() if isinstance(op, ast.Add) else ast.Add()
            yield "plus/minus", ast.unparse(node), _sets(op=swapped)
        case ast.UnaryOp(op=ast.Not(), operand=inside):
            yield "not", ast.unparse(node), _sets(op=ast.Not(), operand=ast.UnaryOp(ast.Not(), inside))
        case ast.UnaryOp(op=ast.USub()):
            yield "sign", ast.unparse(node), _sets(op=ast.UAdd())
        case ast.Constant(value=bool() as truth):
            yield "constant", str(truth), _sets(value=not truth)
        case ast.Constant(value=int() as number):
            yield "constant", f"{number + 1} for {number}", _sets(value=number + 1)
        case ast.Return(value=ast.AST() as value) if not _is_none(value):
            yield "return", ast.unparse(node), _sets(value=ast.Constant(None))
        case ast.If(body=[ast.Raise() as raised]):
            yield "raise", ast.unparse(raised), _sets(body=[ast.Pass()])


def _is_none(value: ast.AST) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _sets(**fields: object) -> Callable[[ast.AST], None]:
    def change(node: ast.AST) -> None:
        for name, value in fields.items():
            setattr(node, name, value)

    return change


def _sets_operator(place: int, kind: type[ast.cmpop]) -> Callable[[ast.AST], None]:
    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.Compare)
        node.ops[place] = kind()

    return change


def explained(survivor: str) -> str:
    """A survivor with the reason on file why no test can or should notice it."""
    file, _, rest = survivor.partition(":")
    key = f"{file}:{rest.partition(':')[2]}"
    return f"{survivor}: {_reasons().get(key, 'not explained: a test is missing')}"


@lru_cache(maxsize=1)
def _reasons() -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted(Path(__file__).parent.glob("survivors*.toml")):
        found |= tomllib.loads(path.read_text(encoding="utf-8"))
    return found


def sampled(files: Sequence[str], count: int, rng: np.random.Generator, root: Path = ROOT) -> list[SourceMutant]:
    """At most `count` of all slips in these files, without repetition."""
    every = [one for file in files for one in source_mutants(file, (root / file).read_text(encoding="utf-8"))]
    chosen = rng.choice(len(every), size=min(count, len(every)), replace=False)
    return [every[int(i)] for i in sorted(chosen)]


def expand(patterns: Sequence[str], root: Path = ROOT) -> tuple[str, ...]:
    return tuple(sorted(str(path.relative_to(root)) for pattern in patterns for path in root.glob(pattern)))


def run(
    target: Target,
    count: int,
    rng: np.random.Generator,
    root: Path = ROOT,
    progress: Callable[[SourceMutant, bool], None] | None = None,
    jobs: int = 1,
) -> Score:
    """Every sampled mutant, in temporary copies of the tree, one for each job; the checkout is never written to."""
    rooms = {file: room for room in target.rooms for file in expand(room.files, root)}
    mutants = sampled(tuple(rooms), count, rng, root)
    if not mutants:
        raise ValueError(f"{target.name}: nothing to mutate in {[room.files for room in target.rooms]} below {root}")
    survivors = []
    with tempfile.TemporaryDirectory(prefix="lemmalab-mutants-") as folder, ThreadPoolExecutor(jobs) as pool:
        copies: Queue[Path] = Queue()
        for number in range(jobs):
            copies.put(_copied(root, Path(folder) / str(number)))
        touched = {rooms[mutant.file]: None for mutant in mutants}  # in order, each once
        for room, fine in zip(touched, pool.map(lambda room: _tried(room, None, copies), touched), strict=True):
            if not fine:
                raise RuntimeError(f"{target.name}: the tests {room.tests} fail without any mutant; mend them first")
        fates = pool.map(lambda mutant: _tried(rooms[mutant.file], mutant, copies), mutants)
        for mutant, alive in zip(mutants, fates, strict=True):
            if alive:
                survivors.append(str(mutant))
            if progress is not None:
                progress(mutant, alive)
    return Score(len(mutants), len(mutants) - len(survivors), tuple(survivors))


def _tried(room: Room, mutant: SourceMutant | None, copies: Queue[Path]) -> bool:
    """Whether the tests of the room pass, with the mutant in the place of the file."""
    copy = copies.get()
    try:
        if mutant is None:
            return _passes(room.tests, copy)
        file = copy / mutant.file
        source = file.read_text(encoding="utf-8")
        file.write_text(mutated(mutant, source), encoding="utf-8")
        try:
            return _passes(room.tests, copy)
        finally:
            file.write_text(source, encoding="utf-8")
    finally:
        copies.put(copy)


def _copied(root: Path, copy: Path) -> Path:
    unwanted = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc", ".*")
    for name in FOLDERS:
        if (root / name).is_dir():
            shutil.copytree(root / name, copy / name, ignore=unwanted)
    for name in ("pyproject.toml", "README.md"):
        if (root / name).exists():
            shutil.copy(root / name, copy / name)
    return copy


def _passes(groups: Sequence[Sequence[str]], copy: Path) -> bool:
    """All tests pass on the code of the copy, in time."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy),
        "PYTHONDONTWRITEBYTECODE": "1",  # bytecode is told apart by size and second only
        "PYTHONHASHSEED": "0",
        "NUMBA_CACHE_DIR": str(copy / "numba-cache"),
        "LEMMALAB_JOBS": "1",
    }
    for tests in groups:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        try:
            done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return False
        if done.returncode:
            return False
    return True


KERNEL = Target(
    "theory/kernel",
    (
        Room(
            ("theory/kernel/*.py",),
            (
                ("tests/kernel",),
                ("tests/theory/test_ledger_readable.py", "tests/theory/test_ledger_runs.py"),
                ("tests/theory/test_ledger_recheck.py", "tests/theory/test_provers_boxes.py"),
            ),
        ),
    ),
)


def _numerics(files: str, *tests: str) -> Room:
    return Room(
        tuple(f"numerics/{name}" for name in files.split()), tuple((f"tests/numerics/test_{one}.py",) for one in tests)
    )


ENGINE = Target(
    "numerics",
    (
        _numerics(
            "operators.py designs/*.py",
            *("designs_values", "designs_edges", "designs_moments", "designs_constants", "designs_exact"),
            *("designs_spectrum", "designs_tables", "dynamics_agreement"),
        ),
        _numerics("losses/*.py", "losses_edges", "losses_values", "losses_derivatives", "losses_kernels"),
        _numerics(
            "covariance/*.py trajectories.py",
            *("dynamics_agreement", "lvar_averages", "dynamics_validation", "dynamics_stationary", "dynamics_accuracy"),
            *("dynamics_edges", "trajectories_edges", "trajectories_curves", "dynamics_paths", "directions"),
        ),
        _numerics("directions.py parameters.py conditions.py", "parameters_edges", "directions", "parameters_choices"),
        _numerics("outer.py", "outer_edges", "outer"),
        _numerics(
            "problems/*.py",
            "problems_edges",
            "problems_values",
            "problems_finite",
            "problems_constants",
            "problems_gaussian",
        ),
        _numerics(
            "optimizers/*.py checkpoint.py",
            *("optimizers_params", "optimizers_edges", "checkpoint_edges", "optimizers_midway", "optimizers_kernels"),
            *("optimizers_variants", "optimizers_presets", "optimizers_interface"),
            *("optimizers_errors", "optimizers_convergence", "checkpoint_resume"),
        ),
        _numerics("streams/*.py", "streams_edges", "streams_memory", "streams_files"),
        _numerics("race/*.py", "race_edges", "race_bounds", "race_statistics", "race", "race_cli"),
        _numerics("estimators/*.py", "estimators_learner", "estimators"),
        _numerics("sweep/*.py threads.py", "sweep_edges", "sweep", "fit_cli"),
    ),
)
