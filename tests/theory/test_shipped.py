"""What ships with a paper is what the project says: of every check, of its links, and in the table of the README."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from reports.cli.check import summary
from theory.ledger import store
from theory.ledger.judging import as_it_stands
from theory.ledger.records import DECLARED, Ledger, record_of
from theory.project import Project, project, shipped

README = Path(__file__).resolve().parents[2] / "README.md"
ALL = pytest.mark.parametrize("name", shipped())


def differences(paper: Project, folder: Path) -> list[str]:
    """The declared fields in which the records of a folder and the checks of the project differ."""
    records, checks = store.read_all(folder, paper.library), paper.checks
    found = [f"{key}: only one of both" for key in records.keys() ^ checks.keys()]
    for key in records.keys() & checks.keys():
        old = records[key]
        said = record_of(checks[key], old.evidence, old.judgement, statement=paper.owner(key))
        found += [f"{key}: {part}" for part in DECLARED if getattr(old, part) != getattr(said, part)]
    return found


@ALL
def test_the_records_that_ship_declare_what_the_project_does(name: str) -> None:
    paper = project(name)
    assert not differences(paper, paper.file("proofs")), "run lemmalab check --ship"


def test_a_record_that_lost_a_link_or_a_check_is_found_and_is_read_with_what_the_project_says(tmp_path: Path) -> None:
    paper = project("sada")
    key = "thm:erm-excess-risk/repaired"
    records = store.read(paper.file("proofs"), "thm:erm-excess-risk", paper.library)
    store.write(tmp_path, [replace(records[key], links=())])
    found = differences(paper, tmp_path)
    assert f"{key}: links" in found
    assert "lem:A-inverse: only one of both" in found
    damaged = replace(paper, files={**paper.files, "proofs": str(tmp_path)})
    assert damaged.kept([key])[key].links == ("wainwright",)


@ALL
def test_the_table_of_the_readme_counts_what_check_counts(name: str) -> None:
    text = README.read_text(encoding="utf-8").partition("<!-- verdicts: ")[2].partition("<!-- end -->")[0]
    head, *rows = (line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| "))
    table = {row[0]: int(row[head.index(name)]) for row in rows if row[0] != "all"}
    told = summary(as_it_stands(Ledger({}, tuple(project(name).kept(None).values()), {"reused": 0})), 0.0)
    counted = re.findall(r"(\d+) ([a-z ]+?)[,;]", told.partition(" (")[0])
    said = {word: int(number) for number, word in counted}
    names = {"PROVED": "proved", "REFUTED": "refuted", "LINKED": "proved up to links"}
    names |= {"INSTANCE": "proved for an instance only", "DOES NOT FOLLOW": "not following"}
    assert {words: table[word] for word, words in names.items() if table[word]} == said
    assert sum(table.values()) == len(project(name).checks)
