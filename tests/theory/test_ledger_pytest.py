"""`pytest theory` itself, over a small registry in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = """
import pytest
from dataclasses import replace
from pathlib import Path

from tests.cli_lab import small_registry
from tests.theory import standin
from theory.kernel import Verdict
from theory.claims.statement import printed, statement

{change}
small_registry(pytest.MonkeyPatch())
import sys

referees = sys.modules["theory.ledger.referee"]
real = referees.referee


def counted(check, *rest, **more):
    with open(Path(__file__).with_name("calls.txt"), "a") as out:
        out.write(check.key + "\\n")
    return real(check, *rest, **more)


referees.referee = counted
from theory.conftest import *
"""


@dataclass(frozen=True)
class House:
    folder: Path

    def run(self, *args: str, change: str = "") -> subprocess.CompletedProcess[str]:
        (self.folder / "pytest.ini").write_text("[pytest]\n")
        (self.folder / "conftest.py").write_text(CONFTEST.format(change=change))
        (self.folder / "test_it.py").write_text("from theory.test_claims import *\n")
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *args]
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": "", "COLUMNS": "200"}
        return subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True)

    def calls(self) -> list[str]:
        path = self.folder / "calls.txt"
        return path.read_text().split("\n")[:-1] if path.exists() else []


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def replaced(key: str, **more: str) -> str:
    """A line that replaces one check of the stand-in."""
    inner = ", ".join(f"{name}={value}" for name, value in more.items())
    return (
        f"one = standin.OWNERS[{key!r}]\n"
        f"standin.CHECKS[{key!r}] = replace(standin.CHECKS[{key!r}], {inner})\n"
        "standin.STATEMENTS[one] = replace(standin.STATEMENTS[one], checks=tuple(\n"
        "    standin.CHECKS[c.key] for c in standin.STATEMENTS[one].checks))\n"
    )


def test_every_check_is_a_sentence_that_passes(house: House) -> None:
    done = house.run("-v")
    assert done.returncode == 0, done.stdout
    for sentence in (
        "test_claim_is_judged_as_expected[lem:means as printed is proved] PASSED",
        "test_claim_is_judged_as_expected[lem:bound as printed is refuted as expected] PASSED",
        "test_claim_is_judged_as_expected[lem:bound/repaired is proved] PASSED",
        "test_claim_is_judged_as_expected[lem:means/disp:2.1 step is proved] PASSED",
        "test_claim_is_judged_as_expected[lem:guess as printed is supported] PASSED",
        "test_a_refuted_reading[lem:bound has a proved repair] PASSED",
        "test_evidence[lem:user#power survives a JSON round trip and the kernel] PASSED",
        "test_inequality[lem:user#power holds wherever its hypotheses do] PASSED",
    ):
        assert sentence in done.stdout, sentence
    assert "test_inequality[lem:bound holds" not in done.stdout
    assert len(house.calls()) == 9


def test_workers_judge_once_and_the_next_session_not_at_all(house: House) -> None:
    first = house.run("-n", "2", "-q")
    assert first.returncode == 0, first.stdout
    assert len(house.calls()) == 9
    assert house.run("-n", "2", "-q", "-k", "judged").returncode == 0
    assert len(house.calls()) == 9
    assert house.run("-n", "2", "-q", "-k", "judged", "--fresh-proofs").returncode == 0
    assert len(house.calls()) == 18


def test_another_verdict_fails_and_shows_reason_and_witness(house: House) -> None:
    done = house.run("-k", "lem:bound and judged", change=replaced("lem:bound", expect="Verdict.PROVED"))
    assert done.returncode == 1
    assert "lem:bound: REFUTED, expected PROVED" in done.stdout
    assert "because  x*(1-x) <= 1/5 fails" in done.stdout
    assert "witness  x = 1/2" in done.stdout


def test_a_proof_that_the_kernel_rejects_fails(house: House) -> None:
    bad = 'standin.goals({"kind": "identity"})'
    done = house.run("-k", "lem:means and printed", change=replaced("lem:means", proof=bad))
    assert done.returncode == 1
    assert "lem:means: UNDECIDED, expected PROVED" in done.stdout
    assert "left - right is not zero" in done.stdout


def test_a_refuted_reading_without_a_proved_repair_fails(house: House) -> None:
    done = house.run("-k", "repair", change=replaced("lem:bound/repaired", proof="None", expect="Verdict.UNDECIDED"))
    assert done.returncode == 1
    assert re.search(r"FAILED .*lem:bound has a proved repair", done.stdout)


def test_a_refuted_step_without_words_fails(house: House) -> None:
    done = house.run("-k", "words", change=replaced("lem:means/disp:2.2", words="''"))
    assert done.returncode == 1
    assert "say in words what is wrong with it" in done.stdout


def test_a_property_that_fails_shows_an_exact_witness(house: House) -> None:
    change = replaced("lem:guess", claim="replace(standin.CHECKS['lem:guess'].claim, says=('x**2 <= 1000*x',))")
    done = house.run("-k", "lem:guess and holds", change=change)
    assert done.returncode == 1
    assert "Falsified: lem:guess: x**2 <= 1000*x fails at x = " in done.stdout


def test_nothing_collected_is_a_failure(house: House) -> None:
    assert house.run("-k", "no-such-claim").returncode == 1


def test_an_empty_registry_is_a_failure(house: House) -> None:
    done = house.run("-q", change="standin.CHECKS.clear(); standin.STATEMENTS.clear()")
    assert done.returncode == 1
    assert "no statement is declared, so that nothing was judged" in done.stdout


def test_the_thorough_profile_is_known_and_others_are_not(house: House) -> None:
    assert house.run("--profile", "thorough", "-k", "lem:means and judged").returncode == 0
    assert house.run("--profile", "hasty").returncode == 4
