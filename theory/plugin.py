"""pytest judges lemmas: one test for each, without a conftest.

    pytest my_lemmas.py              the lemmas of a file: each must be proved
    pytest --lemmalab DIR|NAME       a project: each reading and step must be judged as expected

Certificates found earlier are used again, from the paper's proofs and from `.lemmalab`; the kernel judges them anew.
"""

from __future__ import annotations

import ast
import fnmatch
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from theory.claims.statement import Check
    from theory.ledger.records import Record
    from theory.project import Project

MANIFEST = "lemmalab.toml"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lemmalab")
    group.addoption("--lemmalab", metavar="DIR", help="judge every check of this project (a folder or a name)")


def pytest_configure(config: pytest.Config) -> None:
    """What --lemmalab names is collected: alone, or beside the arguments that were given."""
    wanted = config.getoption("--lemmalab")
    if wanted is None:
        return
    from theory.claims.files import ProjectError
    from theory.project import project

    try:
        found = project(wanted)
    except ProjectError as error:
        raise pytest.UsageError(str(error)) from None
    place = str(found.lemmas or found.root / MANIFEST)
    given = config.args_source is pytest.Config.ArgsSource.ARGS
    config.args[:] = [*config.args, place] if given else [place]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A file of lemmas, or a project's manifest, that was named on the command line. Test files stay test files."""
    if not parent.session.isinitpath(file_path):
        return None
    if file_path.name == MANIFEST:
        return Lemmas.from_parent(parent, path=file_path, name=file_path.name)
    tests = any(fnmatch.fnmatch(file_path.name, pattern) for pattern in parent.config.getini("python_files"))
    if file_path.suffix == ".py" and not tests and imports_lemma(file_path):
        return Lemmas.from_parent(parent, path=file_path, name=file_path.name)
    return None


def imports_lemma(path: Path) -> bool:
    """Whether the file asks for `lemma` as users do; it is read, not run."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "theory" and any(a.name == "lemma" for a in node.names):
            return True
        if isinstance(node, ast.Import) and any(alias.name == "theory" for alias in node.names):
            return True
    return False


class Lemmas(pytest.File):
    """The checks of a file or of a project."""

    @cached_property
    def project(self) -> Project:
        from theory.project import project

        return project(self.path if self.path.suffix == ".py" else self.path.parent)

    def collect(self) -> Iterator[pytest.Item]:
        from theory.claims.files import ProjectError
        from theory.claims.userfile import UserFileError

        try:
            checks = list(self.project.checks.values())
        except (ProjectError, UserFileError) as error:
            raise self.CollectError(str(error)) from None
        for check in checks:
            name = f"{check.key} is proved" if self.project.lemmas is not None else sentence(check)
            yield Judged.from_parent(self, name=name, check=check)


class Judged(pytest.Item):
    """One check, judged by the kernel."""

    def __init__(self, *, check: Check, **more: Any) -> None:
        super().__init__(**more)
        self.check = check

    def runtest(self) -> None:
        assert isinstance(self.parent, Lemmas)
        project = self.parent.project
        folder = self.config.rootpath / ".lemmalab" / "proofs" / project.name
        found = project.judge([self.check.key], local=folder, jobs=1)
        record = found.by_key()[self.check.key]
        own = project.lemmas is not None
        if record.verdict.name not in ("PROVED", "CERTIFIED") if own else not record.as_expected:
            raise Short(record)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Short):
            assert isinstance(self.parent, Lemmas)
            file = self.parent.project.lemmas
            return told(excinfo.value.record, "" if file is None else f"{file.name} ")
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name


class Short(Exception):
    """A verdict other than expected."""

    def __init__(self, record: Record) -> None:
        super().__init__(record.key)
        self.record = record


def sentence(check: Check) -> str:
    """lem:ID as printed is refuted as expected."""
    from theory.claims.statement import Kind
    from theory.kernel import Verdict

    kind = {Kind.PRINTED: " as printed", Kind.STEP: " step"}.get(check.kind, "")
    verdict = "refuted as expected" if check.expect is Verdict.REFUTED else check.expect.name.lower()
    return f"{check.key}{kind} is {verdict}"


def told(record: Record, file: str = "") -> str:
    """Verdict, reason and witness, for a failing test; `file` is that of the user, where it is hers."""
    lines = [
        f"{record.key}: {record.verdict.name}, expected {record.expected.name}",
        f"  says     {'; '.join(record.claim.says)}",
        f"  because  {record.problem or record.judgement.reason}",
    ]
    if record.evidence.witness:
        point = record.evidence.witness.get("point", {})
        lines.append(f"  witness  {', '.join(f'{name} = {value}' for name, value in point.items())}")
    if record.ratio and "left" in record.ratio:
        sides = f"the left side is {record.ratio['left']}, the right side {record.ratio['right']}"
        lines.append(f"  there    {sides} of {record.ratio['relation']}")
    if record.evidence.search and record.verdict.name in ("SUPPORTED", "UNDECIDED"):
        lines.append(f"  search   {record.evidence.search}")
    return "\n".join([*lines, f"  see      lemmalab show {file}{record.key}"])
