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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

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
class Target:
    """Files to mutate, and the tests that must notice: each group runs only when the one before it passed."""

    name: str
    files: tuple[str, ...]
    tests: tuple[tuple[str, ...], ...]


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
) -> Score:
    """Every sampled mutant in turn, in a temporary copy of the tree; the checkout is never written to."""
    survivors = []
    with tempfile.TemporaryDirectory(prefix="lemmalab-mutants-") as folder:
        copy = Path(folder)
        _copied(root, copy)
        mutants = sampled(expand(target.files, copy), count, rng, copy)
        if not mutants:
            raise ValueError(f"{target.name}: nothing to mutate in {list(target.files)} below {root}")
        if not _passes(target.tests, copy):
            raise RuntimeError(f"{target.name}: the tests {target.tests} fail without any mutant; mend them first")
        for mutant in mutants:
            file = copy / mutant.file
            source = file.read_text(encoding="utf-8")
            file.write_text(mutated(mutant, source), encoding="utf-8")
            alive = _passes(target.tests, copy)
            file.write_text(source, encoding="utf-8")
            if alive:
                survivors.append(str(mutant))
            if progress is not None:
                progress(mutant, alive)
    return Score(len(mutants), len(mutants) - len(survivors), tuple(survivors))


def _copied(root: Path, copy: Path) -> None:
    unwanted = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc", ".*")
    for name in FOLDERS:
        if (root / name).is_dir():
            shutil.copytree(root / name, copy / name, ignore=unwanted)
    for name in ("pyproject.toml", "README.md"):
        if (root / name).exists():
            shutil.copy(root / name, copy / name)


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
    ("theory/kernel/*.py",),
    (
        ("tests/kernel",),
        ("tests/theory/test_ledger_readable.py", "tests/theory/test_ledger_runs.py"),
        ("tests/theory/test_ledger_recheck.py", "tests/theory/test_provers_boxes.py"),
    ),
)
ENGINE = Target(
    "numerics",
    tuple(
        f"numerics/{name}.py" for name in ("operators", "designs/*", "losses/*", "race/statistics", "streams/memory")
    ),
    (
        ("tests/numerics/test_designs_values.py", "tests/numerics/test_designs_moments.py"),
        ("tests/numerics/test_losses_values.py", "tests/numerics/test_losses_derivatives.py"),
        ("tests/numerics/test_race_statistics.py", "tests/numerics/test_streams_memory.py"),
        ("tests/numerics/test_designs_constants.py", "tests/numerics/test_designs_exact.py"),
        ("tests/numerics/test_designs_spectrum.py", "tests/numerics/test_designs_tables.py"),
        ("tests/numerics/test_dynamics_agreement.py", "tests/numerics/test_losses_kernels.py"),
    ),
)
