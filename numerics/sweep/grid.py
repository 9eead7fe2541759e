"""GRID.toml: problems x methods x sizes x seeds. Lists among the numbers of a problem multiply.

    methods = ["sada", "sgd", "sada/theory"]
    sizes = [1000, 10000]
    seeds = 20                        # 0 ... 19; or a list
    problems = ["logistic", {name = "least-squares", kappa = [10, 1000], dim = 5}]

A problem is the name of a ready-made one or the path of a table, relative to the grid file.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numerics.errors import OptimizerError
from numerics.race.lanes import Entrant
from numerics.race.problems import READY, ProblemSpec

from .cells import Cell
from .errors import GridError

KEYS = ("methods", "sizes", "seeds", "problems")


@dataclass(frozen=True)
class Grid:
    """All cells are the product; their order is problems, sizes, seeds, methods."""

    problems: tuple[ProblemSpec, ...]
    methods: tuple[str, ...]
    sizes: tuple[int, ...]
    seeds: tuple[int, ...]

    def cells(self) -> tuple[Cell, ...]:
        product = itertools.product(self.problems, self.sizes, self.seeds, self.methods)
        return tuple(Cell(problem, method, n, seed) for problem, n, seed, method in product)


def read_grid(path: str | Path) -> Grid:
    """Refused as a whole when anything in it is wrong: nothing runs from half a grid."""
    file = Path(path)
    try:
        given = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise GridError(f"{file}: no such file; check the path") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise GridError(f"{file}: is not a TOML file ({error}); correct it") from None
    alien = [key for key in given if key not in KEYS]
    if alien:
        raise GridError(f"{file}: has no key {alien[0]!r}; it may hold {', '.join(KEYS)}")
    for key in KEYS:
        if not given.get(key):
            raise GridError(f"{file}: {key} = {given.get(key)!r}; give at least one")
    return Grid(
        tuple(
            _distinct(
                file, "problems", [spec for entry in _list(file, given, "problems") for spec in _specs(file, entry)]
            )
        ),
        tuple(_distinct(file, "methods", [_method(file, text) for text in _list(file, given, "methods")])),
        tuple(_distinct(file, "sizes", [_whole(file, "sizes", n, 2) for n in _list(file, given, "sizes")])),
        tuple(_distinct(file, "seeds", _seeds(file, given["seeds"]))),
    )


def _list(file: Path, given: dict[str, Any], key: str) -> list[Any]:
    if not isinstance(given[key], list):
        raise GridError(f"{file}: {key} = {given[key]!r} must be a list")
    found: list[Any] = given[key]
    return found


def _distinct(file: Path, key: str, values: list[Any]) -> list[Any]:
    seen: set[Any] = set()
    for value in values:
        if value in seen:
            raise GridError(f"{file}: {key} holds {getattr(value, 'label', value)!r} twice; remove one")
        seen.add(value)
    return values


def _whole(file: Path, key: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise GridError(f"{file}: {key} holds {value!r}, must be integers >= {least}")
    return value


def _seeds(file: Path, given: Any) -> list[int]:
    if isinstance(given, list):
        return [_whole(file, "seeds", seed, 0) for seed in given]
    return list(range(_whole(file, "seeds", given, 1)))


def _method(file: Path, text: Any) -> str:
    try:
        return Entrant.parse(str(text)).label
    except OptimizerError as error:
        raise GridError(f"{file}: methods: {error}") from None


def _specs(file: Path, entry: Any) -> Iterator[ProblemSpec]:
    """One problem for every combination of its lists."""
    table = {"name": entry} if isinstance(entry, str) else entry
    if not isinstance(table, dict) or not isinstance(table.get("name"), str):
        raise GridError(f"{file}: problems holds {entry!r}; give a name, or a table with a name and numbers")
    name = table["name"] if table["name"] in READY else _beside(file, table["name"])
    options = {key: value if isinstance(value, list) else [value] for key, value in table.items() if key != "name"}
    for chosen in itertools.product(*options.values()):
        try:
            yield ProblemSpec.of(name, dict(zip(options, chosen, strict=True)))
        except OptimizerError as error:
            raise GridError(f"{file}: problems: {error}") from None


def _beside(file: Path, name: str) -> str:
    found = file.parent / name
    return str(found) if found.suffix and found.exists() else name
