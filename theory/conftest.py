"""`pytest theory`: every check is judged once for the session, with the proofs of the last time where nothing changed.

Certificates found earlier are kept in `.lemmalab` or, in a fresh clone, taken from those that ship with the paper: the
provers are spared, the kernel is not.

Under pytest-xdist the first worker judges and the others wait for its ledger. `--fresh-proofs` proves all again,
`--profile thorough` searches longer and draws many more points for every property.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from theory.claims.statement import Check
from theory.ledger.archive import merged_with, save, there
from theory.ledger.judging import Ledger
from theory.ledger.storage import locked
from theory.project import project
from theory.search.crowd import ENOUGH, FEW

PROJECT = project()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lemmalab")
    group.addoption("--profile", choices=("quick", "thorough"), default="quick", help="how hard to search and to test")
    group.addoption("--fresh-proofs", action="store_true", help="prove everything again, even what has not changed")


def pytest_report_header(config: pytest.Config) -> str:
    kept = "proved again" if config.getoption("--fresh-proofs") else "kept in .lemmalab where nothing changed"
    return f"lemmalab: {len(PROJECT.checks)} checks, profile {config.getoption('--profile')}, proofs {kept}"


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Nothing collected is a failure, not a success of zero tests."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """At how many points the inequalities were tried."""
    done = [one for kind in ("passed", "failed") for one in terminalreporter.stats.get(kind, [])]
    tried = [
        (int(value), str(one.nodeid))
        for one in done
        for name, value in getattr(one, "user_properties", [])
        if name == "points"
    ]
    points = [count for count, _ in tried]
    if points:
        enough = sum(count >= ENOUGH for count in points)
        fewest = min(tried)
        terminalreporter.write_line(
            f"lemmalab: {len(points)} inequalities tried at {sum(points)} points where both sides have values that are"
            f" not zero; {enough} of them at {ENOUGH} points or more, the others are in {FEW};"
            f" fewest, {fewest[0]}: {fewest[1].partition('[')[2].rstrip(']')}"
        )


@pytest.fixture(scope="session")
def profile(request: pytest.FixtureRequest) -> str:
    return str(request.config.getoption("--profile"))


@pytest.fixture(scope="session")
def ledger(request: pytest.FixtureRequest, profile: str) -> Ledger:
    """All checks of this session, judged."""
    keys = keys_of(request.session.items)
    path = request.config.rootpath / ".lemmalab" / "ledger.json"
    fresh = bool(request.config.getoption("--fresh-proofs"))
    return judged_once(keys, path, fresh, profile, os.environ.get("PYTEST_XDIST_TESTRUNUID", ""))


def keys_of(items: Sequence[pytest.Item]) -> list[str]:
    """The checks that the selected tests are about, with the repairs of their statements."""
    selected = [item.callspec.params.get("check") for item in items if hasattr(item, "callspec")]
    wanted = {check.key for check in selected if isinstance(check, Check)}
    homes = {statement_of(key) for key in wanted}
    return [k for k, check in PROJECT.checks.items() if k in wanted or (check.repairs and statement_of(k) in homes)]


def statement_of(key: str) -> str:
    return key.split("/")[0].split("#")[0]


def judged_once(keys: list[str], path: Path, fresh: bool, profile: str, run: str) -> Ledger:
    """Judge, or take what another worker of the same run has judged in the meantime."""
    with locked(path):
        old = there(path, PROJECT.library)
        if run and old is not None and old.timings.get("run") == run and set(keys) <= set(old.by_key()):
            return old
        effort = "thorough" if profile == "thorough" else "normal"
        found = PROJECT.judge(keys, fresh=fresh, previous=old, effort=effort)
        merged = merged_with(old, found, PROJECT.checks)
        save(replace(merged, timings={**merged.timings, "run": run}), path)
    return merged
