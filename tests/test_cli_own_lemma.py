"""Bring your own lemma: a file of a few lines is proved, refuted with an exact witness, or undecided."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli_lab import Lab, lab
from tests.theory import standin
from theory.ledger.referee import Diligence

__all__ = ["lab"]
IMPORT = "from theory import lemma\n"
TRUE = "from theory import lemma\nmeans = lemma('a*b <= (a**2 + b**2)/2')\n"
FALSE = "from theory import lemma\nwrong = lemma('x**2 <= 2*x', given='x >= 0')\n"


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """With the referee of the house."""
    monkeypatch.setenv("LEMMALAB_JOBS", "1")
    monkeypatch.chdir(tmp_path)
    return Lab(tmp_path)


def test_a_true_lemma_is_proved_and_the_proof_is_shown(real: Lab) -> None:
    done = real.run("check", "-v", real.write("mine.py", TRUE))
    assert done.exit_code == 0, done.output
    assert "verdict   PROVED" in done.stdout
    assert "To show: a*b <= (a**2 + b**2)/2" in done.stdout


def test_a_false_lemma_is_refuted_with_an_exact_witness(real: Lab) -> None:
    done = real.run("check", real.write("mine.py", FALSE))
    assert done.exit_code == 1, done.output
    assert "verdict   REFUTED" in done.stdout
    assert "witness   x = " in done.stdout
    found = real.json("check", "mine.py")["checks"][0]
    x = int(found["evidence"]["witness"]["point"]["x"])
    assert x**2 > 2 * x
    assert found["ratio"]["left"] == str(x**2)


RESTING = """
from theory import lemma
from theory.provers.tactics import cite, have
wrong = lemma("x**2 >= x", given="x >= 0")
rests = lemma("y**2 + 1 > y", given="y >= 0", proof=cite("wrong", {"x": "y"}))
above = lemma("z**2 + 2 > z", given="z >= 0", proof=cite("rests", {"y": "z"}))
sound = lemma("u**2 >= u", given="u >= 1")
fine = lemma("(v + 1)**2 >= v + 1", given="v >= 0", proof=cite("sound", {"u": "v + 1"}))
"""


def test_what_rests_on_a_lemma_that_is_not_proved_is_not_called_proved(real: Lab) -> None:
    done = real.run("check", real.write("mine.py", RESTING))
    assert done.exit_code == 1, done.output
    told = dict(line.split()[:2] for line in done.stdout.strip().splitlines()[:5])
    assert told == {
        "wrong": "REFUTED",
        "rests": "UNDECIDED",
        "above": "UNDECIDED",
        "sound": "PROVED",
        "fine": "PROVED",
    }
    assert "proved from wrong, which is REFUTED" in done.stdout
    found = {one["key"]: one for one in real.json("check", "mine.py")["checks"]}
    assert found["rests"]["verdict"] == "UNDECIDED"


def test_an_idea_of_the_author_is_taken(real: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    idea = "from theory.provers.tactics import have\n" + IMPORT
    says = "lemma('sum(i, 1, n, 1/(i*sqrt(i))) <= 3', given='n >= 1', naturals='n'"
    real.write("without.py", f"{IMPORT}zeta = {says})\n")
    real.write("with.py", f"{idea}zeta = {says}, proof=have('sum(i, 1, n, 1/(i*sqrt(i))) <= 3 - 2/sqrt(n)'))\n")
    done = real.run("check", "-v", "with.py")
    assert done.exit_code == 0, done.output
    assert "3 - 2/sqrt(n)" in done.stdout
    monkeypatch.setattr(Diligence, "seconds", 2.0)
    assert real.run("check", "without.py").exit_code == 3


def test_a_circle_of_lemmas_is_refused(real: Lab) -> None:
    circle = (
        "from theory import lemma\nfrom theory.provers.tactics import cite\n"
        "a = lemma('x >= 7', given='x >= 0', proof=cite('b'))\nb = lemma('x >= 7', given='x >= 0', proof=cite('a'))\n"
    )
    done = real.run("check", real.write("mine.py", circle))
    assert "PROVED" not in done.stdout


def test_nothing_is_written_unless_a_ledger_is_asked_for(real: Lab) -> None:
    real.run("check", real.write("mine.py", TRUE))
    assert real.files() == ["mine.py"]
    real.run("check", "mine.py", "--ledger", "mine.json")
    assert real.files() == ["mine.json", "mine.py"]
    alone = real.run("recheck", "mine.json")
    assert alone.exit_code == 3
    assert "the ledger is of 'mine.py', not of" in alone.stdout
    assert real.run("--paper", "mine.py", "recheck", "mine.json").exit_code == 0


def test_the_ledger_of_the_paper_is_not_overwritten(lab: Lab) -> None:
    lab.run("check")
    before = (lab.folder / "ledger.json").read_bytes()
    done = lab.run("check", lab.write("mine.py", TRUE), "--ledger", "ledger.json", "--fresh")
    assert done.exit_code == 2
    assert "ledger.json holds lem:means, which is not of this file" in done.stderr
    assert (lab.folder / "ledger.json").read_bytes() == before


def test_a_lemma_that_nobody_decides_is_inconclusive(lab: Lab) -> None:
    done = lab.run(
        "check", lab.write("mine.py", "from theory import lemma\nhard = lemma('x**2 >= 0', example={'x': 1})\n")
    )
    assert done.exit_code == 3
    assert "UNDECIDED" in done.stdout


def test_contradictory_hypotheses_are_named_as_such(real: Lab) -> None:
    text = "from theory import lemma\nvoid = lemma('x <= 1', given=['x > 1', 'x < 0'])\n"
    done = real.run("check", real.write("mine.py", text))
    assert done.exit_code == 2
    assert "void: contradictory hypotheses: x > 1, x < 0 cannot hold together (proved)" in done.stderr


def test_hypotheses_that_no_known_point_satisfies_are_inconclusive(real: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("theory.ledger.examples.find_example", lambda claim, seed: None)
    text = "from theory import lemma\nodd = lemma('x <= 1', given='x >= 0')\n"
    done = real.run("check", real.write("mine.py", text))
    assert done.exit_code == 3
    assert "odd: no point was found that satisfies x >= 0" in done.stdout
    assert "give one with example" in done.stdout


def test_an_example_that_violates_a_hypothesis_is_named(lab: Lab) -> None:
    text = "from theory import lemma\nodd = lemma('x <= 2', given='x < 1', example={'x': 5})\n"
    done = lab.run("check", lab.write("mine.py", text))
    assert done.exit_code == 2
    assert "odd: the point violates the hypothesis x < 1; the example is x = 5" in done.stderr


def test_a_witness_that_violates_a_hypothesis_refutes_nothing(lab: Lab) -> None:
    text = "from theory import lemma\nodd = lemma('x <= 2', given='x < 1', example={'x': 0}, witness={'x': 5})\n"
    done = lab.run("check", lab.write("mine.py", text))
    assert done.exit_code == 2
    assert "odd: the point violates the hypothesis x < 1" in done.stdout
    assert "REFUTED" not in done.stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1\ny = x / 0\n", "mine.py:2: ZeroDivisionError: division by zero"),
        ("def broken(:\n", "mine.py:1: SyntaxError"),
        ("import sys\nsys.exit(3)\n", "mine.py:2: SystemExit: 3"),
        ("import no_such_module\n", "mine.py:1: ModuleNotFoundError: No module named 'no_such_module'"),
        (
            "from theory import lemma\n\nlemma('a ^ 2 >= 0')\n",
            "mine.py:3: a ^ 2: not in the language; a power is a**2; mend the file",
        ),
        (f"{IMPORT}lemma('a + b')\n", "mine.py:2: lemma: 'a + b' is not one relation"),
        ("x = 1\n", "mine.py declares no claim; write for example"),
        (
            "from theory import lemma\na = lemma('x >= x', name='same')\nb = lemma('y >= y', name='same')\n",
            "two claims are called same",
        ),
        (
            "from theory import lemma\na = lemma(True)\n",
            "mine.py:2: a relation has become True before it could be read",
        ),
        (
            "from theory import lemma\na = lemma('x >= 0', example={'x': 0.5})\n",
            "mine.py:2: the value 0.5 is not exact",
        ),
    ],
    ids=["raises", "syntax", "exits", "import", "power", "no relation", "no claim", "same name", "decided", "rounded"],
)
def test_a_file_that_does_not_run_gets_one_message_with_the_line(lab: Lab, text: str, says: str) -> None:
    done = lab.run("check", lab.write("mine.py", text))
    assert done.exit_code == 2, done.output
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert lab.files() == ["mine.py"]


def test_a_file_that_does_not_exist_is_named(lab: Lab) -> None:
    done = lab.run("check", "nowhere.py")
    assert done.exit_code == 2
    assert "nowhere.py does not exist" in done.stderr


def test_a_lemma_of_a_file_is_judged_by_its_name(lab: Lab) -> None:
    done = lab.run("check", lab.write("mine.py", TRUE + "other = lemma('y**2 >= 0')\n"), "other")
    assert done.stdout.startswith("other")
    assert "means" not in done.stdout


def test_a_lemma_that_cannot_be_judged_is_named_when_it_is_asked_for_alone(lab: Lab) -> None:
    text = TRUE + "odd = lemma('y >= 0', given=['y > 1', 'y < 0'])\n"
    done = lab.run("check", lab.write("mine.py", text), "odd")
    assert "CONTRADICTORY" in done.stderr
    assert "means" not in done.output


def test_a_name_that_the_file_does_not_have_is_refused_with_those_that_it_has(lab: Lab) -> None:
    done = lab.run("check", "lem:bound", lab.write("mine.py", TRUE))
    assert done.exit_code == 2
    assert "mine.py has no lemma lem:bound; it has " in done.stderr


def test_what_the_file_prints_does_not_spoil_the_data(lab: Lab) -> None:
    text = "print('hello')\nfrom theory import lemma\na = lemma('x**2 >= 0', example={'x': 1})\n"
    done = lab.run("check", lab.write("mine.py", text), "--json")
    assert json.loads(done.stdout)["exit"] == 3
    assert "hello" in done.stderr


def test_a_file_may_import_its_neighbour_and_declare_lists(lab: Lab) -> None:
    lab.write("neighbour.py", "LOW = 'x >= 0'\n")
    text = (
        "from neighbour import LOW\nfrom theory import lemma\nfrom theory.kernel import Claim\n"
        "many = [lemma('x >= -1', given=LOW, example={'x': 1}), lemma('x >= -2', given=LOW, example={'x': 1})]\n"
        "plain = Claim('my-id', ('x >= -3',), ('x >= 0',), example=(('x', '1'),))\n_hidden = lemma('x >= 5')\n"
    )
    found = lab.json("check", lab.write("mine.py", text))
    assert [check["key"] for check in found["checks"]] == ["many[1]", "many[2]", "my-id"]
    assert lab.files() == ["mine.py", "neighbour.py"]


def test_the_command_works_from_outside_the_project(tmp_path: Path) -> None:
    """In a process of its own, with no ledger, no registry patched and no test in sight."""
    (tmp_path / "mine.py").write_text(TRUE + "wrong = lemma('a + b <= a*b', given=['a >= 1', 'b >= 1'])\n")
    run = [sys.executable, "-c", "from reports.cli import main; main(prog_name='lemmalab')", "check", "mine.py"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "means  PROVED" in done.stdout
    assert "wrong  REFUTED" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


def test_the_stand_in_is_what_the_small_lab_runs(lab: Lab) -> None:
    lab.run("check", "lem:bound")
    assert standin.CALLS == ["lem:bound", "lem:bound/repaired"]


MIXED = """
good = lemma("a*b <= (a**2 + b**2)/2")
bad = lemma("a ^ 2 >= 0")
more = [lemma("x*x >= 0"), lemma("y + 1")]
lemma("z ^ 2 >= 0")
"""


def test_the_lemmas_beside_a_refused_one_are_judged(real: Lab) -> None:
    file = real.write("mine.py", IMPORT + MIXED)
    done = real.run("check", file)
    assert done.exit_code == 2
    assert [line.split()[:2] for line in done.stdout.splitlines()[:2]] == [["good", "PROVED"], ["more[1]", "PROVED"]]
    refused = done.stderr.splitlines()
    assert refused[0].startswith("REFUSED  bad: mine.py:4: a ^ 2: not in the language; a power is a**2; mend")
    assert refused[1].startswith("REFUSED  more[2]: mine.py:5: ")
    assert refused[2].startswith("REFUSED  mine.py:6: ")
    assert set(real.json("check", file)["refused"]) == {"bad", "more[2]", "mine.py:6"}


def test_a_refused_lemma_counts_only_where_it_is_asked_for(real: Lab) -> None:
    file = real.write("mine.py", IMPORT + MIXED)
    assert real.run("check", file, "good").exit_code == 0
    done = real.run("check", file, "bad")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("REFUSED  bad: ")
    assert "it has good, more[1], bad" in real.run("check", file, "bod").stderr


def test_what_is_done_with_a_refused_lemma_says_why_it_is_one(lab: Lab) -> None:
    done = lab.run("check", lab.write("mine.py", f"{IMPORT}bad = lemma('a ^ 2 >= 0')\ngood = bad.named('good')\n"))
    assert done.exit_code == 2
    assert "mine.py:3: a ^ 2: not in the language" in done.stderr
