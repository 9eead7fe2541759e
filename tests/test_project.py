"""A project of one's own: found, read and refereed by every command, with nothing of another paper in it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli_lab import Lab
from tests.sada import SADA
from theory.claims.collection import module_name
from theory.claims.files import ProjectError
from theory.ledger import store
from theory.project import project, shipped

PAPER = """
[[statement]]
id = "lem:means"
label = "lem:means"
kind = "lemma"
first_line = 3
last_line = 5
section = "Means"
title = "The means"
explanation = ""
uses = []
formula = '''2ab \\\\le a^2+b^2'''

[[statement]]
id = "thm:bound"
label = "thm:bound"
kind = "theorem"
first_line = 8
last_line = 9
section = "Means"
title = "The bound"
explanation = ""
uses = ["lem:means"]
formula = '''x(1-x) \\\\le 1/5'''

[[display]]
id = "disp:4"
label = ""
first_line = 4
last_line = 4
section = "Means"
statement = "lem:means"
proof = ""
role = "statement"
restates = []
relations = 1
formula = '''2ab \\\\le a^2+b^2'''
"""
HEAD = """from theory.claims.statement import Faithfulness, printed, repaired, statement
from theory.kernel import Verdict
"""
MEANS = """from ._facts import SQUARES

STATEMENT = statement(
    "lem:means",
    printed(SQUARES, example={"a": 1, "b": 2}, display="disp:4", faithfulness=Faithfulness.AS_PRINTED),
)
"""
BOUND = """
box = dict(given=("x >= 0", "x <= 1"), example={"x": "1/3"})
STATEMENT = statement(
    "thm:bound",
    printed("x*(1-x) <= 1/5", expect=Verdict.REFUTED, faithfulness=Faithfulness.AS_PRINTED, **box),
    repaired("x*(1-x) <= 1/4", faithfulness=Faithfulness.CONSTANT, words="the constant is 1/4", **box),
)
"""
TITLE = "On means and their bounds"


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    home = tmp_path / "mine" / "statements"
    home.mkdir(parents=True)
    (home.parent / "lemmalab.toml").write_text(f'title = "{TITLE}"\n')
    (home.parent / "paper.toml").write_text(PAPER)
    (home / "_facts.py").write_text('SQUARES = "2*a*b <= a**2 + b**2"\n')
    (home / "lem_means.py").write_text(HEAD + MEANS)
    (home / "thm_bound.py").write_text(HEAD + BOUND)
    monkeypatch.setenv("LEMMALAB_JOBS", "1")
    monkeypatch.chdir(tmp_path)
    return Lab(tmp_path)


COMMANDS = {
    "check": (0, "3 checks: 2 proved, 1 refuted; all as expected"),
    "check lem:means": (0, "lem:means"),
    "show thm:bound": (0, "the constant is 1/4"),
    "coverage": (0, "statements: 2 of 2 accounted for"),
    "graph": (0, "thm:bound"),
    "errata": (0, "1 slip at 1 place in"),
    "hunt thm:bound --seconds 0.2": (0, "refuted"),
    "sharpen lem:means --no-terms": (0, "proved"),
    "mutants lem:means --sample 2 --jobs 1": (None, "kill rate"),
    "report --no-ratios": (0, "written to"),
    "waterfall": (2, "mine brings no waterfall along"),
    "teach": (2, "mine brings no lessons along"),
    "derive": (2, "mine brings no derivations along"),
}


@pytest.mark.parametrize("inside", [False, True], ids=["--paper", "in its folder"])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_works_on_a_project(
    mine: Lab, command: str, inside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if inside:
        monkeypatch.chdir(mine.folder / "mine" / "statements")
    code, words = COMMANDS[command]
    done = mine.run(*([] if inside else ["--paper", "mine"]), *command.split())
    assert code in (None, done.exit_code), done.output
    assert words in done.output


def test_a_ledger_of_the_project_is_rechecked_against_it(mine: Lab) -> None:
    assert mine.run("--paper", "mine", "check", "--ledger", "l.json").exit_code == 0
    assert mine.run("--paper", "mine", "recheck", "l.json").exit_code == 0
    other = mine.run("recheck", "l.json")
    assert other.exit_code == 3
    assert f"the ledger is of {TITLE!r}" in other.stdout


def test_the_report_carries_its_title_and_nothing_of_another_paper(mine: Lab) -> None:
    mine.run("--paper", "mine", "report", "--out", "page.html")
    html = (mine.folder / "page.html").read_text()
    assert TITLE in html
    for strange in (SADA.title, "SADA", "Where the constants go", "The race", "The theorem, as repaired"):
        assert strange not in html
    assert not [one.id for one in SADA.paper.statements if one.id in html]


@pytest.mark.parametrize("command", ["show", "hunt --seconds 0.2", "sharpen --no-terms", "check"])
def test_a_file_of_lemmas_stands_in_the_place_of_an_id(mine: Lab, command: str) -> None:
    mine.write("own.py", "from theory import lemma\nmeans = lemma('2*a*b <= a**2 + b**2', example={'a': 1, 'b': 2})\n")
    name, *options = command.split()
    done = mine.run(name, "own.py", *options)
    assert done.exit_code == 0, done.output
    assert "means" in done.output


@pytest.mark.parametrize("command", ["graph", "errata", "report --no-ratios"])
def test_commands_without_ids_take_a_file_of_lemmas_as_the_paper(mine: Lab, command: str) -> None:
    mine.write("own.py", "from theory import lemma\nwrong = lemma('x**2 <= 2*x', given='x >= 0', example={'x': 1})\n")
    done = mine.run("--paper", "own.py", *command.split())
    assert done.exit_code == 0, done.output


def test_a_project_is_found_by_name_by_folder_and_from_below(mine: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    assert project("mine").title == TITLE
    monkeypatch.chdir(mine.folder / "mine" / "statements")
    assert project().title == TITLE
    assert project(SADA.name).title == SADA.title
    assert SADA.name in shipped()
    with pytest.raises(ProjectError, match="nowhere is no project"):
        project("nowhere")


def test_one_statement_is_read_when_one_is_asked_for(mine: Lab) -> None:
    (mine.folder / "mine" / "statements" / "lem_broken.py").write_text("1 / 0\n")
    found = project("mine")
    assert found.statements["lem:means"].checks
    assert found.find("thm:bound/repaired").key == "thm:bound/repaired"
    with pytest.raises(ProjectError, match="ZeroDivisionError"):
        list(found.statements)


def test_what_is_new_is_kept_and_only_its_statement_is_written(mine: Lab) -> None:
    mine.run("--paper", "mine", "check", "lem:means")
    kept = mine.folder / ".lemmalab" / "proofs" / "mine"
    assert [path.name for path in kept.iterdir()] == ["lem_means.json"]
    assert json.loads((kept / "lem_means.json").read_text())["statement"] == "lem:means"
    before = (kept / "lem_means.json").stat().st_mtime_ns
    mine.run("--paper", "mine", "check", "thm:bound")
    assert sorted(path.name for path in kept.iterdir()) == ["lem_means.json", "thm_bound.json"]
    assert (kept / "lem_means.json").stat().st_mtime_ns == before
    mine.run("--paper", "mine", "check", "--ship", "--fresh", "lem:means")
    assert (mine.folder / "mine" / "proofs" / "lem_means.json").is_file()


def test_a_script_that_changes_makes_its_evidence_stale() -> None:
    from dataclasses import replace

    from theory.ledger.fingerprint import source_digest
    from theory.provers.tactics import auto, have

    check = SADA.find("lem:A-inverse/repaired")
    one, two = replace(check, proof=have("eta > 0")), replace(check, proof=have("eta >= 0", auto()))
    assert len({source_digest(check), source_digest(one), source_digest(two)}) == 3


def test_a_script_counts_with_what_it_imports_and_without_its_comments(tmp_path: Path) -> None:
    """A helper of the same room that a proof does not import may change, and so may the words around its code."""
    from theory.ledger.fingerprint import _code_of, _imported

    room = SADA.root / "inner_loop"
    found = {path.name for path in _imported(room / "_tail_rows.py")}
    assert "_tail_rows.py" in found
    assert len(found) < len(list(room.glob("_*.py")))
    texts = {
        "plain": "def f():\n    return 1\n",
        "told": '"""New."""\n\n\ndef f():\n    """One."""\n    return 1  # one\n',
    }
    for name, text in (*texts.items(), ("other", "def f():\n    return 2\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    plain, told, other = (_code_of(tmp_path / name) for name in ("plain", "told", "other"))
    assert plain == told != other


@pytest.mark.parametrize("name", ["sada", "potentials"])
def test_every_proof_that_ships_is_that_of_its_claim_and_script(name: str) -> None:
    """A fresh clone proves nothing again: what is stale here is found and written by `lemmalab check --ship`."""
    from theory.ledger.archive import is_current

    one = project(name)
    kept = one.kept(None)
    stale = [key for key, check in one.checks.items() if key not in kept or not is_current(kept[key], check, 0)]
    assert not stale, f"lemmalab --paper {name} check --ship"


def test_names_of_files_follow_from_ids() -> None:
    assert module_name("lem:A-inverse") == "lem_a_inverse"
    assert all(module_name(id_) for id_ in SADA.statements)


def test_a_proof_of_an_earlier_form_does_not_hide_the_one_that_ships(tmp_path: Path) -> None:
    paper = project("potentials")
    key, shipped_one = next(iter(paper.kept(None).items()))
    noted = replace(shipped_one.evidence, notes=("kept here",))
    store.write(tmp_path, [replace(shipped_one, evidence=noted, source="earlier")])
    assert paper.kept([key], tmp_path)[key].evidence == shipped_one.evidence
    store.write(tmp_path, [replace(shipped_one, evidence=noted)])
    assert paper.kept([key], tmp_path)[key].evidence == noted
