"""Bring your own lemma: a Python file of a dozen lines, no proof at all.

    from theory import lemma

    means = lemma("a*b <= (a**2 + b**2)/2")
    contraction = lemma("abs(1 - eta*x) <= 1 - eta*mu", given=["0 < mu <= x <= L", "0 < eta <= 1/L"])

`lemmalab check my_lemma.py` proves each, refutes it with an exact witness, or says that it is undecided.
"""

from __future__ import annotations

import contextlib
import importlib.machinery
import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

from theory.claims.door import declared, plain, skeleton
from theory.claims.fromsympy import assumptions, formula, name_of, relations
from theory.claims.spelling import spelled
from theory.claims.statement import Check, Faithfulness, Kind, Statement
from theory.kernel import Claim, KernelError, Malformed, Point, Verdict

UNNAMED = "lemma"
_written: list[Check] = []  # what lemma() has made while a file runs, so that none is lost


class UserFileError(Exception):
    """The user's file does not run, or declares nothing. One sentence with file, line and remedy."""


class Refused:
    """What stands in the place of a lemma that was refused, so that the others of its file can be judged."""

    def __init__(self, error: KernelError, path: Path) -> None:
        self._error = error
        self._message = _what_went_wrong(path, error, traceback.extract_stack())
        self.place = self._message.split(": ")[0]

    def __getattr__(self, name: str) -> Any:
        raise self._error

    def __str__(self) -> str:
        return self._message


_patient: list[Path] = []  # the file that is being read with its refused lemmas passed over
_refused: list[Refused] = []  # which these are


def _passed_over(make: Callable[..., Check]) -> Callable[..., Check]:
    @wraps(make)
    def made(*said: Any, **options: Any) -> Any:
        try:
            return make(*said, **options)
        except KernelError as error:
            if not _patient:
                raise
            _refused.append(Refused(error, _patient[-1]))
            return _refused[-1]

    return made


@_passed_over
def lemma(
    says: Any,
    *,
    given: Any = (),
    naturals: Any = (),
    where: Mapping[Any, Any] | None = None,
    example: Mapping[Any, Any] | None = None,
    witness: Mapping[Any, Any] | None = None,
    proof: Any = None,
    kinds: Mapping[str, str] | None = None,
    steps: Mapping[str, str] | None = None,
    scope: str = "all parameters that satisfy the hypotheses",
    name: str = "",
    made_of: type[Check] = Check,
) -> Check:
    """A claim of your own: texts in Python syntax, or relations of sympy whose symbols' assumptions count.

    says       what is claimed: one relation or several
    given      the hypotheses
    naturals   names that range over 0, 1, 2, …
    where      abbreviations: a name and the formula that it stands for
    kinds      vectors and matrices of every size, random ones: {"x": "vector(d)", "A": "psd(d)", "a": "vector(d)[S]"}
    steps      random recursions: {"x[0, h]": "x0", "x[t+1, h]": "x[t, h] - eta*a[w]"} with "H": "history(S)" in kinds
    example    a point that satisfies every hypothesis; it is looked for when you give none
    witness    a point that, you think, refutes the claim
    proof      a skeleton (theory.provers.tactics) where the provers need an idea; it may cite other lemmas of the file
    """
    definitions = {k if "(" in str(k) or "[" in str(k) else name_of(k): formula(v) for k, v in (where or {}).items()}
    if len(definitions) != len(where or {}):
        raise Malformed(f"two names of where are read alike, among {', '.join(map(str, where or {}))}; rename one")
    assumed, counted = assumptions(_flat([says, given, *(where or {}), *(where or {}).values()]))
    names = [naturals] if isinstance(naturals, str) or hasattr(naturals, "is_Symbol") else list(naturals)
    written = relations(given)
    said = plain(relations(says), name or UNNAMED)
    elsewhere = [*definitions.values(), *_texts(steps or {})]
    plain([*written, *definitions, *elsewhere, *_texts(kinds or {})], name or UNNAMED)
    declared(kinds or {}, tuple(definitions), (*said, *written, *elsewhere), name or UNNAMED)
    if set(definitions) & {one.split()[0] for one in assumed}:
        twice = next(one for one in assumed if one.split()[0] in definitions)
        raise Malformed(
            f"where defines {twice.split()[0]}, whose symbol assumes {twice}; define a symbol that assumes nothing"
        )
    counters = dict.fromkeys([*counted, *map(name_of, names)])
    try:
        read = spelled(said, written, kinds or {}, counters, definitions, [*elsewhere, *assumed])
        claim = Claim(
            id=name or UNNAMED,
            says=read.says,
            given=tuple(dict.fromkeys([*assumed, *read.given])),
            where=tuple(definitions.items()),
            naturals=tuple(dict.fromkeys([*counters, *read.naturals])),
            example=_point(example).values if example else (),
            scope=scope,
            kinds=tuple(read.kinds.items()),
            steps=tuple((steps or {}).items()),
        )
    except RecursionError:
        deep = "a formula or a kind is nested too deeply; split it with `where`, or write a sum"
        raise Malformed(f"{name or UNNAMED}: {deep}") from None
    skeleton(proof, name or UNNAMED)
    point = _point(witness) if witness is not None else None
    made = made_of(claim, Kind.PRINTED, Verdict.PROVED, Faithfulness.AS_PRINTED, witness=point, proof=proof)
    _written.append(made)
    return made


def _texts(pairs: Mapping[str, str]) -> list[str]:
    return [one for pair in pairs.items() for one in pair]


def _point(values: Mapping[Any, Any]) -> Point:
    return Point.of({name_of(k): _exact(v) for k, v in values.items()})


def _exact(value: Any) -> Any:
    if getattr(value, "is_Rational", False):
        return f"{value.p}/{value.q}"
    return [_exact(item) for item in value] if isinstance(value, (list, tuple)) else value


def _flat(source: Any) -> Iterator[Any]:
    if isinstance(source, (list, tuple, set, frozenset)):
        for part in source:
            yield from _flat(part)
    else:
        yield source


def load_files(paths: Iterable[Path | str], refused: dict[str, str] | None = None) -> dict[str, Check]:
    """The checks of several files; the same name in two of them is refused, for one of the claims would be lost."""
    found: dict[str, Check] = {}
    for path in paths:
        more = load_file(path, refused)
        twice = sorted(found.keys() & more.keys())
        if twice:
            raise UserFileError(f"{path}: {twice[0]} is declared in another file too; give each claim its own name")
        found |= more
    return found


def load_file(path: Path | str, refused: dict[str, str] | None = None) -> dict[str, Check]:
    """The checks that a user's file declares, by id, in the order of the file. A lemma that is refused stops it; with
    `refused` the reason is kept there by its name, as long as another lemma is left to judge."""
    path = Path(path)
    if not path.is_file():
        raise UserFileError(f"{path} does not exist; give the path of a Python file that declares lemmas")
    _written.clear()
    _refused.clear()
    with _patience(path if refused is not None else None):
        module = _run(path)
        found = _collected(module, path)
    names = {id(one): label for name, value in vars(module).items() for label, one in _leaves(name, value)}
    strange = {names.get(id(one), one.place): str(one) for one in _refused}
    kept = {id(check) for name, value in vars(module).items() for _, check in _checks(name, value)}
    lost = next((check for check in _written if id(check) not in kept), None)
    if lost is not None:
        raise UserFileError(f"{path}: the lemma {lost.claim.says[0]!r} has no name of its own; give it one")
    if strange and not found:
        raise UserFileError(next(iter(strange.values())))
    if refused is not None:
        refused |= strange
    if not found:
        raise UserFileError(
            f"{path} declares no claim; write for example: my_claim = theory.lemma('2*a*b <= a**2 + b**2')"
        )
    return found


def _run(path: Path) -> ModuleType:
    """Run the file as Python runs a script: its folder is importable, and what it prints goes to stderr."""
    name = f"lemmalab_user_{path.stem}"
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    with _as_script(path), contextlib.redirect_stdout(sys.stderr):
        try:
            loader.exec_module(module)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise UserFileError(_what_went_wrong(path, error)) from error
    return module


@contextlib.contextmanager
def _patience(path: Path | None) -> Iterator[None]:
    before = _patient[:]
    _patient[:] = [path] if path is not None else []
    try:
        yield
    finally:
        _patient[:] = before


@contextlib.contextmanager
def _as_script(path: Path) -> Iterator[None]:
    folder, quiet = str(path.resolve().parent), sys.dont_write_bytecode
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = quiet
        sys.path.remove(folder)


def _what_went_wrong(path: Path, error: BaseException, above: Iterable[traceback.FrameSummary] = ()) -> str:
    line: int | None = None
    if isinstance(error, SyntaxError) and error.filename == str(path):
        line = error.lineno
    for frame in (*above, *traceback.extract_tb(error.__traceback__)):
        if frame.filename == str(path):
            line = frame.lineno
    where = f"{path}:{line}" if line is not None else str(path)
    what = str(error) if isinstance(error, KernelError) else f"{type(error).__name__}: {error}"
    return f"{where}: {what}; mend the file and run it again"


def _collected(module: ModuleType, path: Path) -> dict[str, Check]:
    found: dict[str, Check] = {}
    seen: set[int] = set()
    for name, value in vars(module).items():
        if name.startswith("_"):
            continue
        for label, check in _checks(name, value):
            if id(check) in seen:
                continue
            seen.add(id(check))
            key = label if check.claim.id == UNNAMED else check.claim.id
            if key in found:
                raise UserFileError(f"{path}: two claims are called {key}; give each its own name")
            found[key] = replace(check, claim=replace(check.claim, id=key))
    return found


def _checks(name: str, value: Any) -> Iterator[tuple[str, Check]]:
    for label, one in _leaves(name, value):
        if isinstance(one, Check):
            yield label, one
        elif isinstance(one, Claim):
            pairs = (*one.where, *one.kinds, *one.steps)
            plain((*one.says, *one.given, *(text for pair in pairs for text in pair)), one.id)
            yield label, Check(one, Kind.PRINTED, Verdict.PROVED, Faithfulness.AS_PRINTED)
        elif isinstance(one, Statement):
            yield from ((check.key, check) for check in one.checks)


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (list, tuple, dict)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value, start=1):
            yield from _leaves(f"{name}[{key}]", item)
    else:
        yield name, value
