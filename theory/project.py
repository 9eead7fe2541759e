"""A project: one paper with its claims, its proofs and what it brings along. The engine knows papers through it alone.

    from theory.project import project

    project()                    the one of this folder or of a folder above it (lemmalab.toml), else the default
    project("NAME")              one that ships with LemmaLab (theory/papers/NAME)
    project("my-paper")          the folder my-paper, which holds a lemmalab.toml
    project("my_lemmas.py")      a file of lemmas of one's own: a project without a paper

    paper = project("NAME")
    paper["lem:ID"]              a statement that shows itself; .judge() judges it now
    paper.statements             every statement by id, in reading order, each read when it is asked for
    paper.checks                 every check by key
    paper.library                what certificates may cite: the claim of every check
    paper.paper, paper.symbols   what is printed; the table of symbols (empty when there is none)

A folder is a project when it holds `lemmalab.toml`; every line of it may be absent:

    name = "my-paper"            title = "What the report is headed by"
    paper = "paper.toml"         symbols = "symbols.toml"
    rooms = ["statements"]       folders of modules that hold one STATEMENT each, lem:A-b in lem_a_b.py
    proofs = "proofs"            certificates found earlier, one file for each statement
    highlights = "highlights.toml"   links = "links.toml"       coq = "coq.json", what Coq said of the proofs
    errata = "errata.toml"         what is wrong in print, slip by slip
    [brings]                     import paths "module:name" of what the paper brings along: report sections, lessons,
                                 standing = ".context:CONTEXT" (a dot: a module of the project's own),
                                 entailed = ".context:ENTAILED" (what follows from it, for other letters),
                                 derivations = ".derivations" (a whole module)

Nothing registers itself; two projects may be open at once.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

from theory.claims.collection import Checks, Library, Statements, module_name, owner_of
from theory.claims.files import ProjectError, reading, toml_of
from theory.claims.links import COMPUTED
from theory.papers import DEFAULT

if TYPE_CHECKING:
    from theory.claims.statement import Check, Statement
    from theory.claims.symbols import Symbol
    from theory.kernel import Claim
    from theory.ledger.records import Ledger, Record
    from theory.reading.errata.slips import Slips
    from theory.reading.latex.notation import Notation
    from theory.reading.paper import Paper
    from theory.reading.view import View

MANIFEST = "lemmalab.toml"
PAPERS = Path(__file__).resolve().parent / "papers"
_FOREIGN = "lemmalab_projects"  # the package that modules of projects elsewhere are imported into


@dataclass(frozen=True)
class Project:
    """What one paper consists of. Everything that is read from files is read when it is asked for.

    source     what `project` finds it by again, in another process too
    rooms      folders below the root with one statement to a module, in reading order
    brings     import paths of what only this paper has: report sections, lessons
    lemmas     for a file of lemmas: that file
    """

    name: str
    title: str
    root: Path
    source: str
    rooms: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    brings: Mapping[str, Any] = field(default_factory=dict)
    lemmas: Path | None = None

    def file(self, name: str) -> Path:
        """The place of paper, symbols, highlights, links, proofs or coq; it need not exist."""
        return self.root / self.files.get(name, _USUAL[name])

    @cached_property
    def paper(self) -> Paper:
        """What is printed; a project without paper.toml prints nothing."""
        from theory.reading.paper import Paper, read_paper

        return read_paper(self.file("paper")) if self.file("paper").is_file() else Paper((), ())

    @cached_property
    def symbols(self) -> Mapping[str, Symbol]:
        from theory.claims.symbols import read_symbols

        return read_symbols(self.file("symbols")) if self.file("symbols").is_file() else MappingProxyType({})

    @cached_property
    def notation(self) -> Notation:
        """How the paper writes its names; plain where it has no symbols file."""
        from theory.reading.latex.notation import Notation, read_notation

        return read_notation(self.file("symbols")) if self.file("symbols").is_file() else Notation()

    @cached_property
    def statements(self) -> Mapping[str, Statement]:
        """Every statement by id, in reading order. One is read when one is asked for."""
        if self.lemmas is not None:
            from theory.ledger.examples import with_examples

            return with_examples(self.lemmas)
        return Statements(self.package, self.root, self.rooms, self.file("paper"), self.links, _with_examples)

    def ids(self) -> list[str]:
        """The ids of its statements by what is printed and which files there are, without reading them."""
        if not isinstance(self.statements, Statements):
            return list(self.statements)
        return self.statements.names()

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        """Every check by its key, in reading order."""
        return Checks(self.statements)

    @cached_property
    def library(self) -> Mapping[str, Claim]:
        """What certificates may cite."""
        return Library(self.checks)

    def owner(self, key: str) -> str:
        """The statement that a check belongs to."""
        return key if key in self.statements else owner_of(key)

    @cached_property
    def context(self) -> tuple[Any, ...]:
        """The standing context with its lines, and what is entailed by it: where witnesses have to lie."""
        brought = (self.bring(name) or {} for name in ("standing", "entailed"))
        return tuple(one for group in brought for one in group.values())

    @cached_property
    def slips(self) -> Slips:
        """Where slips stand in print and how the source changes: its errata.toml."""
        from theory.reading.errata.slips import read_slips

        return read_slips(self.file("errata"))

    @cached_property
    def links(self) -> Mapping[str, str]:
        """What the paper derives and some checks assume: the name of each link, and what it says."""
        file = self.file("links")
        return COMPUTED | ({name: str(words) for name, words in toml_of(file).items()} if file.is_file() else {})

    @cached_property
    def highlights(self) -> Mapping[str, str]:
        """What its referee would tell first, by the key of the refuted check that it rests on."""
        file = self.file("highlights")
        with reading(file, "it is a list of [[finding]] with key and says"):
            return {one["key"]: one["says"] for one in toml_of(file)["finding"]} if file.is_file() else {}

    @property
    def package(self) -> str:
        """The Python package that its modules belong to."""
        if self.root.parent == PAPERS:
            return f"theory.papers.{self.root.name}"
        return _foreign(self.root)

    def bring(self, name: str) -> Any:
        """What `[brings]` names: the object behind "module:name", None when the paper does not bring it."""
        where = self.brings.get(name)
        return None if where is None else _imported(self, name, where)

    def judge(self, keys: Iterable[str] | None = None, *, local: Path | None = None, **options: Any) -> Ledger:
        """Judge these checks (all when None) and whatever their proofs cite; evidence kept earlier is used again.

        local     a folder of proofs of one's own, beside those that ship with the paper
        options   of theory.ledger.judging.check_all: seed, jobs, fresh, effort, previous, progress
        """
        from theory.ledger.judging import check_all
        from theory.ledger.records import Ledger
        from theory.ledger.second import signed

        asked = None if keys is None else list(keys)
        previous = options.pop("previous", None)
        if not options.get("fresh"):
            held = previous.by_key() if previous is not None else {}
            timings = previous.timings if previous is not None else {}
            previous = Ledger({}, tuple(self._current(self.kept(asked, local), held).values()), timings)
        found = check_all(
            asked,
            checks=self.checks,
            title=self.title,
            owner=self.owner,
            elsewhere=partial(elsewhere, self.source),
            previous=previous,
            **options,
        )
        return found if self.lemmas is not None else signed(found, self.file("coq"))

    def _current(self, *books: Mapping[str, Record]) -> dict[str, Record]:
        """The last book's record of each check, unless it is of an earlier form of the claim or its script.

        Evidence is kept; what a record declares of its check is what the project says.
        """
        from theory.ledger.archive import is_current, renewed

        found: dict[str, Record] = {}
        for book in books:
            for key, record in book.items():
                if key not in found or (key in self.checks and is_current(record, self.checks[key])):
                    found[key] = renewed(record, self.checks[key]) if key in self.checks else record
        return found

    def kept(self, keys: Iterable[str] | None, local: Path | None = None) -> dict[str, Record]:
        """Evidence found earlier for these checks and what they may cite: that of the paper, then one's own."""
        from theory.ledger import store

        folders = [self.file("proofs"), *([local] if local is not None else [])]
        if keys is None:
            return self._current(*(store.read_all(folder, self.library) for folder in folders))
        found: dict[str, Record] = {}
        todo = list(dict.fromkeys(self.owner(key) for key in keys))
        seen: set[str] = set()
        while todo:
            home = todo.pop()
            if home in seen:
                continue
            seen.add(home)
            more = self._current(*(store.read(folder, home, self.library) for folder in folders))
            found |= more
            todo += [self.owner(cited) for record in more.values() for cited in record.judgement.cites]
        return found

    def find(self, key: str) -> Check:
        """The check with this key."""
        if key not in self.checks:
            raise KeyError(_unknown(f"no check of {self.name} has the id {key!r}", key, self.checks))
        return self.checks[key]

    def __getitem__(self, id_: str) -> View:
        """The statement with this id, or the one that a check's key belongs to; it shows itself."""
        from theory.reading.view import View

        owner = id_ if id_ in self.statements else self.owner(id_) if id_ in self.checks else None
        if owner is None:
            known = sorted({*self.statements, *self.checks})
            raise KeyError(_unknown(f"no statement or check of {self.name} has the id {id_!r}", id_, known))
        printed = {s.id: s for s in self.paper.statements}.get(owner)
        return View(printed, self.statements[owner], self._ruling)

    def _ruling(self, keys: list[str], seed: int) -> tuple[Record, ...]:
        from theory.ledger.judging import as_it_stands

        found = as_it_stands(self.judge(keys, seed=seed, jobs=1)).by_key()
        return tuple(found[key] for key in keys)


def _with_examples(one: Statement) -> Statement:
    from theory.ledger.examples import completed

    return completed(one)


_USUAL = {
    "paper": "paper.toml",
    "symbols": "symbols.toml",
    "highlights": "highlights.toml",
    "links": "links.toml",
    "errata": "errata.toml",
    "same": "same.toml",
    "proofs": "proofs",
    "coq": "coq.json",
}
_KNOWN = frozenset({"name", "title", "rooms", "brings", *_USUAL})


def project(where: str | Path | None = None) -> Project:
    """The project of this name, folder or file of lemmas; without one, that of the current folder, else the default."""
    if where is None:
        return _read(_above(Path.cwd()) or PAPERS / DEFAULT)
    path = Path(where)
    if path.suffix == ".py":
        return _lemmas(path)
    if (path / MANIFEST).is_file():
        return _read(path.resolve())
    if path.name == MANIFEST and path.is_file():
        return _read(path.resolve().parent)
    if (PAPERS / str(where) / MANIFEST).is_file():
        return _read(PAPERS / str(where))
    raise ProjectError(
        f"{where} is no project: no folder {where} with a {MANIFEST} is here, and the papers that come with LemmaLab "
        f"are {', '.join(shipped())}; give a folder, a name or a file of lemmas"
    )


def elsewhere(source: str, key: str) -> tuple[Check, Mapping[str, Claim]]:
    """A check and what it may cite, in another process: plans are functions, so that only names travel."""
    found = project(source)
    return found.find(key), found.library


def shipped() -> tuple[str, ...]:
    """The names of the papers that come with LemmaLab."""
    return tuple(sorted(folder.parent.name for folder in PAPERS.glob(f"*/{MANIFEST}")))


def _above(folder: Path) -> Path | None:
    return next((one for one in (folder, *folder.parents) if (one / MANIFEST).is_file()), None)


def _read(root: Path) -> Project:
    return _of_manifest(root, os.stat(root / MANIFEST).st_mtime_ns)


@lru_cache(maxsize=16)
def _of_manifest(root: Path, stamp: int) -> Project:
    body = toml_of(root / MANIFEST)
    strange = sorted(body.keys() - _KNOWN)
    if strange:
        raise ProjectError(f"{root / MANIFEST}: {strange[0]!r} is not known; there are {', '.join(sorted(_KNOWN))}")
    for name, kind in (("rooms", list), ("brings", dict), *((n, str) for n in ("name", "title"))):
        if name in body and not isinstance(body[name], kind):
            raise ProjectError(f"{root / MANIFEST}: {name} is {body[name]!r}; it must be a {kind.__name__}")
    name = str(body.get("name", root.name))
    return Project(
        name=name,
        title=str(body.get("title", name)),
        root=root,
        source=str(root),
        rooms=tuple(map(str, body.get("rooms", ("statements",)))),
        files={key: str(body[key]) for key in _USUAL if key in body},
        brings=dict(body.get("brings", {})),
    )


def _lemmas(path: Path) -> Project:
    if not path.is_file():
        raise ProjectError(f"{path} does not exist; give the path of a Python file that declares lemmas")
    return Project(name=path.stem, title=path.name, root=path.resolve().parent, source=str(path), lemmas=path)


def _foreign(root: Path) -> str:
    """A package of its own for a project elsewhere: its modules may import each other (from . import _facts)."""
    import hashlib

    name = f"{module_name(root.name) or 'project'}_{hashlib.sha256(str(root).encode()).hexdigest()[:8]}"
    for full, path in ((_FOREIGN, []), (f"{_FOREIGN}.{name}", [str(root)])):
        if full not in sys.modules:
            made = ModuleType(full)
            made.__path__ = path
            sys.modules[full] = made
    return f"{_FOREIGN}.{name}"


def _imported(one: Project, name: str, where: Any) -> Any:
    """ "module:name" or a whole "module", where one that starts with a dot is one of the project's own."""
    module, colon, attribute = str(where).partition(":")
    if not module or (colon and not attribute):
        raise ProjectError(f"{one.root / MANIFEST}: brings.{name} is {where!r}; write module:name")
    try:
        home = importlib.import_module(module, one.package if module.startswith(".") else None)
        return getattr(home, attribute) if colon else home
    except (ImportError, AttributeError) as error:
        raise ProjectError(f"{one.root / MANIFEST}: brings.{name} = {where!r} cannot be imported: {error}") from None


def _unknown(words: str, id_: str, known: Any) -> str:
    import difflib

    close = difflib.get_close_matches(id_, list(known), n=3, cutoff=0.4)
    return words + (f"; did you mean {', '.join(close)}?" if close else "")


class _Callable(ModuleType):
    """So that `theory.project("NAME")` finds a paper, also once this module has been imported under that name."""

    def __call__(self, where: str | Path | None = None) -> Project:
        return project(where)


sys.modules[__name__].__class__ = _Callable
