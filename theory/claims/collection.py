"""The statements of a project: one module each, found by its name and read when it is asked for.

`lem:Some-name` lives in `lem_some_name.py` in one of the project's rooms. Asking for it reads this file and what it
imports; asking for all reads all. Import order plays no part.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from theory.claims.files import ProjectError, reading, toml_of
from theory.claims.statement import Check, Statement
from theory.kernel import Claim

OURS = "theory.papers."
Complete = Callable[[Statement], Statement]


def module_name(id_: str) -> str:
    """lem:Some-name -> lem_some_name."""
    return re.sub(r"[^a-z0-9]+", "_", id_.lower()).strip("_")


def owner_of(key: str) -> str:
    """lem:x/disp:12.1 -> lem:x: the statement that a check's key begins with."""
    return key.split("/")[0].split("#")[0]


@contextmanager
def _always_read(ours: bool) -> Iterator[None]:
    """No bytecode is kept for a user's file: two edits within a second would not be told apart by it."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, sys.dont_write_bytecode or not ours
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


class Statements(Mapping[str, Statement]):
    """Statements by id, in the order of the paper; what the paper does not know comes last."""

    def __init__(
        self,
        package: str,
        root: Path,
        rooms: tuple[str, ...],
        paper: Path,
        links: Collection[str] = (),
        complete: Complete = lambda one: one,
    ) -> None:
        self._package, self._root, self._rooms, self._paper, self._links = package, root, rooms, paper, links
        self._complete = complete  # finds example points for claims that were written without one
        self._written: dict[str, Statement] = {}
        self._read: dict[str, Statement] = {}
        self._absent: set[str] = set()

    def __getitem__(self, id_: str) -> Statement:
        name = module_name(id_)
        for room in self._rooms if name and id_ not in self._read and id_ not in self._absent else ():
            if (self._root / room / f"{name}.py").is_file():
                self._module(room, name)
        if id_ not in self._read:
            self._absent.add(id_)
        return self._read[id_]

    def __iter__(self) -> Iterator[str]:
        return iter(self._every)

    def __len__(self) -> int:
        return len(self._every)

    def names(self) -> list[str]:
        """The ids that there are files for: those of the paper, and for other files what they hold."""
        files = {file.stem for room in self._rooms for file in self._files(room)}
        printed = [id_ for id_ in _printed_ids(self._paper) if module_name(id_) in files]
        strays = files - set(map(module_name, printed))
        return printed if not strays else [*printed, *(one for one in self._every if one not in set(printed))]

    def _files(self, room: str) -> list[Path]:
        found = sorted((self._root / room).glob("*.py"))
        return [file for file in found if not file.stem.startswith(("_", "test_"))]

    def __contains__(self, id_: object) -> bool:
        try:
            return isinstance(id_, str) and self[id_] is not None
        except KeyError:
            return False

    def _module(self, room: str, name: str) -> Statement:
        place = self._root / room / f"{name}.py"
        try:
            with _always_read(ours=self._package.startswith(OURS)):
                module = importlib.import_module(f"{self._package}.{room.replace('/', '.')}.{name}")
        except Exception as error:
            raise ProjectError(f"{place}: {type(error).__name__}: {error}; mend the file and run again") from error
        one = getattr(module, "STATEMENT", None)
        if not isinstance(one, Statement):
            raise ProjectError(f"{place} has no STATEMENT; name helpers with a leading underscore")
        if module_name(one.id) != name:
            raise ProjectError(f"{place} holds {one.id}, which belongs into {module_name(one.id)}.py; rename the file")
        strange = sorted({link for check in one.checks for link in check.links} - set(self._links))
        if strange:
            raise ProjectError(f"{place}: there is no link {strange[0]!r}; links.toml has {', '.join(self._links)}")
        if self._written.setdefault(one.id, one) is not one:
            raise ProjectError(f"{one.id} stands in two files; one label, one file")
        if one.id not in self._read:
            bare = any(not check.claim.example for check in one.checks)
            self._read[one.id] = self._complete(one) if bare else one
        return self._read[one.id]

    @cached_property
    def _every(self) -> dict[str, Statement]:
        for room in self._rooms:
            for file in self._files(room):
                self._module(room, file.stem)
        order = {id_: place for place, id_ in enumerate(_printed_ids(self._paper))}
        return dict(sorted(self._read.items(), key=lambda item: order.get(item[0], len(order))))


class Checks(Mapping[str, Check]):
    """Every check by key, in reading order; asking for one reads its statement alone."""

    def __init__(self, statements: Mapping[str, Statement]) -> None:
        self._statements = statements

    def __getitem__(self, key: str) -> Check:
        for home in (owner_of(key), key):
            if home in self._statements:
                for check in self._statements[home].checks:
                    if check.key == key:
                        return check
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return (check.key for one in self._statements.values() for check in one.checks)

    def __len__(self) -> int:
        return sum(len(one.checks) for one in self._statements.values())

    def ordered(self, keys: Collection[str]) -> list[str]:
        """These keys in reading order, without reading other statements."""
        homes = list(dict.fromkeys(key if key in self._statements else owner_of(key) for key in keys))
        if len(homes) > 1 and isinstance(self._statements, Statements):
            homes = [name for name in self._statements.names() if name in homes]
        elif len(homes) > 1:
            homes = [name for name in self._statements if name in homes]
        return [check.key for home in homes for check in self._statements[home].checks if check.key in keys]


class Library(Mapping[str, Claim]):
    """What certificates may cite: the claim of every check."""

    def __init__(self, checks: Mapping[str, Check]) -> None:
        self._checks = checks

    def __getitem__(self, key: str) -> Claim:
        return self._checks[key].claim

    def __iter__(self) -> Iterator[str]:
        return iter(self._checks)

    def __len__(self) -> int:
        return len(self._checks)


def _printed_ids(paper: Path) -> list[str]:
    if not paper.is_file():
        return []
    with reading(paper):
        return [row["id"] for row in toml_of(paper).get("statement", [])]
