"""`lemmalab race`: table, figure, CSV and JSON; one message and the right exit code for everything else."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from numerics.race import RacePlan
from numerics.race import run as run_module
from numerics.race.lanes import Outcome
from reports.cli import main

QUICK = ("--samples", "2000", "--seeds", "3", "--jobs", "1")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ["race", *args], prog_name="lemmalab")


def test_a_race_ends_with_a_table_and_a_figure(folder: Path) -> None:
    done = run("least-squares", "--kappa", "30", "--csv", "c.csv", *QUICK)
    assert done.exit_code == 0, done.output
    for word in ("samples to target", "slope", "optimum:", "exact engine: the expectation of sada lies in", "repaired"):
        assert word in done.stdout
    for name in ("race-least-squares.svg", "race-least-squares-theorem.svg"):
        assert ET.parse(folder / name).getroot().tag.endswith("svg")
    assert "sharpened: below the start's risk from n = " in done.stdout
    lines = (folder / "c.csv").read_text().splitlines()
    assert lines[0] == "method,samples,excess_risk,low,high"
    assert len(lines) == 1 + 7 * 4


@pytest.mark.parametrize(("finished", "said"), [(2, "the 2 finished streams of 3"), (0, "nothing was written")])
def test_an_interrupted_race_tells_the_streams_that_are_finished(
    folder: Path, monkeypatch: pytest.MonkeyPatch, finished: int, said: str
) -> None:
    usual = run_module.one_stream

    def interrupted(plan: RacePlan, seed: int, progress: Callable[[int], None] | None = None) -> list[Outcome]:
        if seed >= finished:
            raise KeyboardInterrupt
        return usual(plan, seed, progress)

    monkeypatch.setattr(run_module, "one_stream", interrupted)
    done = run("least-squares", "--kappa", "30", "--methods", "sada,sgd", *QUICK)
    assert done.exit_code == 130
    assert said in done.output
    assert ("samples to target" in done.stdout) == (folder / "race-least-squares.svg").exists() == bool(finished)


def test_a_method_that_takes_unlabelled_rows_says_how_many() -> None:
    done = run("least-squares", "--kappa", "4", "--dim", "2", "--methods", "sada,sada-ud-corrected", *QUICK)
    assert done.exit_code == 0, done.output
    assert "sada-ud-corrected: samples are labelled ones; with the unlabelled it took 17982 rows at 2000" in done.stdout
    assert "the expectation of sada, sada-ud-corrected lies in 8 of 8" in done.stdout


def test_json_holds_what_the_table_shows_and_the_same_bytes_for_any_number_of_processes() -> None:
    args = ("least-squares", "--kappa", "30", "--samples", "2000", "--seeds", "3", "--json")
    one, two = run(*args, "--jobs", "1"), run(*args, "--jobs", "2")
    assert one.stdout == two.stdout
    found = json.loads(one.stdout)
    assert [m["method"] for m in found["methods"]][:2] == ["sada", "asgd"]
    assert found["methods"][0]["slope"]["low"] < found["methods"][0]["slope"]["high"]
    assert {b["reading"] for b in found["bounds"]} == {"printed", "repaired", "sharpened"}


def test_acceleration_prints_exponents_with_intervals(folder: Path) -> None:
    done = run("acceleration", "--kappa", "1e3", "--methods", "sada,sgd", "--seeds", "3", "--jobs", "1")
    assert done.exit_code == 0, done.output
    assert "exponent in kappa" in done.stdout
    assert "sada, exact" in done.stdout
    assert (folder / "race-acceleration.svg").exists()


def test_a_users_table_races(folder: Path) -> None:
    rng = np.random.default_rng(0)
    table = np.column_stack([rng.standard_normal((50, 2)), rng.random(50) < 0.5])
    np.savetxt(folder / "mine.csv", table, delimiter=",", header="a,b,y", comments="")
    done = run("mine.csv", "--loss", "logistic", "--methods", "sada,sgd,erm", *QUICK)
    assert done.exit_code == 0, done.output
    assert (folder / "race-mine.svg").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("least-square",), "no problem 'least-square'"),
        (("least-squares", "--alpha", "3"), "has no option 'alpha'"),
        (("least-squares", "--methods", "adam"), "no method 'adam' to race"),
        (("least-squares", "--target", "-1"), "--target -1 must be positive"),
        (("none.csv",), "no such file"),
        (("bad.csv",), "row 1, column 'a' is nan"),
        (("cut.csv",), "line 3 has 1 fields"),
        (("acceleration", "--noise", "1"), "has no option 'noise'"),
        (("acceleration", "--kappa", "10"), "leaves one point, no slope"),
    ],
)
def test_wrong_usage_is_one_message_and_exit_code_2(folder: Path, args: tuple[str, ...], message: str) -> None:
    (folder / "bad.csv").write_text("a,y\n1,2\nnan,3\n")
    (folder / "cut.csv").write_text("a,y\n1,2\n1")
    done = run(*args, *QUICK)
    assert done.exit_code == 2, done.output
    assert message in done.stderr
    assert not list(folder.glob("*.svg"))


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(folder: Path) -> None:
    (folder / "file").write_text("")
    done = run("least-squares", "--figure", "file/x.svg", "--samples", "1000000000")
    assert done.exit_code == 2
    assert "cannot be written" in done.stderr


def test_nothing_that_ran_is_inconclusive() -> None:
    done = run("least-squares", "--methods", "sada/theory", *QUICK)
    assert done.exit_code == 3
    assert "too few for the theory's constants" in done.stdout
