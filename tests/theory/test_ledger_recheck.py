"""Recheck believes nothing but the kernel: every changed digit is found and named, with and without new seals."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.theory import standin
from theory.ledger.judging import LedgerError, check_all, load, save
from theory.ledger.recheck import recheck, recheck_json
from theory.ledger.records import digest, seals

BLOCKED = ("sympy", "z3", "cvc5", "scipy", "numpy", "numba", "hypothesis", "joblib", "click", "rich")


@pytest.fixture(scope="module")
def body() -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        standin.install(patch)
        return check_all(jobs=1, checks=standin.CHECKS, owner=standin.OWNERS.__getitem__).to_json()


def resealed(body: dict[str, Any]) -> dict[str, Any]:
    """What a forger does who knows the seals."""
    for record in body["checks"]:
        record["seals"] = seals(record)
    body["seal"] = digest([body["header"], [record["seals"] for record in body["checks"]], body["statements"]])
    return body


def record_of(body: dict[str, Any], key: str) -> dict[str, Any]:
    return next(record for record in body["checks"] if record["key"] == key)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        yield from leaves(inner, (*path, name))
    if not isinstance(value, (dict, list)):
        yield path, value


def with_leaf(value: Any, path: tuple[Any, ...], leaf: Any) -> Any:
    copied = copy.deepcopy(value)
    here = copied
    for name in path[:-1]:
        here = here[name]
    here[path[-1]] = leaf
    return copied


def with_one_digit_changed(leaf: Any) -> Iterator[Any]:
    if isinstance(leaf, bool) or leaf is None:
        return
    shown = str(leaf)
    for position, character in enumerate(shown):
        if character.isdigit():
            other = shown[:position] + str((int(character) + 1) % 10) + shown[position + 1 :]
            yield int(other) if isinstance(leaf, int) else other


def test_an_untouched_ledger_passes_and_says_what_rests_on_what(body: dict[str, Any]) -> None:
    found = recheck_json(body)
    assert found.passed
    assert (found.checks, found.rederived, found.on_record) == (9, 8, 1)


@pytest.mark.parametrize(
    "part", ["evidence", "claim", "verdict", "cites", "ratio", "expected", "source", "seed", "display"]
)
def test_every_changed_digit_is_found_and_the_key_is_named(body: dict[str, Any], part: str) -> None:
    tried = 0
    for position, record in enumerate(body["checks"]):
        inside = leaves(record[part]) if isinstance(record[part], (dict, list)) else [((), record[part])]
        for path, leaf in inside:
            for other in with_one_digit_changed(leaf):
                found = recheck_json(with_leaf(body, ("checks", position, part, *path), other))
                assert not found.passed, (record["key"], part, path, leaf, other)
                assert record["key"] in {finding.key for finding in found.findings}
                tried += 1
    assert tried or part in ("verdict", "expected", "cites")


def test_a_changed_digit_is_found_in_the_part_where_it_is(body: dict[str, Any]) -> None:
    changed = copy.deepcopy(body)
    record_of(changed, "lem:bound")["evidence"]["witness"]["point"]["x"] = "1/3"
    found = {(f.key, f.path) for f in recheck_json(changed).findings}
    assert ("lem:bound", "evidence.witness") in found
    changed = copy.deepcopy(body)
    record_of(changed, "lem:bound/repaired")["evidence"]["certificate"]["goals"][0]["terms"][0]["sq"] = "x - 1/3"
    (finding, *_) = recheck_json(changed).findings
    assert str(finding).startswith("lem:bound/repaired: evidence.certificate.goals[0]: was changed")


def test_a_forger_who_computes_new_seals_meets_the_kernel(body: dict[str, Any]) -> None:
    """Each digit of each proof that is an identity or a witness."""
    tried = 0
    for position, record in enumerate(body["checks"]):
        if record["key"] == "lem:guess":
            continue
        for path, leaf in leaves(record["evidence"]):
            if path[-1] in ("schema",) or path[:1] == ("notes",):
                continue
            for other in with_one_digit_changed(leaf):
                forged = resealed(with_leaf(body, ("checks", position, "evidence", *path), other))
                found = recheck_json(forged)
                assert not found.passed, (record["key"], path, leaf, other)
                assert found.findings[0].key == record["key"]
                tried += 1
    assert tried > 50


@pytest.mark.parametrize(
    ("key", "change", "path"),
    [
        ("lem:bound", {"verdict": "PROVED"}, "verdict"),
        ("lem:means", {"verdict": "CERTIFIED"}, "verdict"),
        ("lem:guess", {"verdict": "PROVED"}, "verdict"),
        ("lem:guess", {"problem": "none"}, "problem"),
        ("lem:means", {"rules": ["identity"]}, "rules"),
        ("lem:user", {"cites": []}, "cites"),
        ("lem:means", {"verdict": "PROVEN"}, "verdict"),
        ("lem:means", {"scope": "every matrix"}, "scope"),
        ("lem:bound", {"ratio": None}, "ratio"),
        ("lem:means", {"statement": "lem:bound"}, "statements"),
    ],
)
def test_a_declared_verdict_does_not_stand(body: dict[str, Any], key: str, change: dict[str, Any], path: str) -> None:
    forged = copy.deepcopy(body)
    record_of(forged, key).update(change)
    assert path in {finding.path for finding in recheck_json(resealed(forged)).findings}


def test_a_certificate_for_another_claim_is_refused(body: dict[str, Any]) -> None:
    forged = copy.deepcopy(body)
    one, other = record_of(forged, "lem:means"), record_of(forged, "lem:means/sharper")
    one["evidence"]["certificate"] = other["evidence"]["certificate"]
    (finding,) = recheck_json(resealed(forged)).findings
    assert (finding.key, finding.path) == ("lem:means", "evidence.certificate")
    assert "belongs to another claim" in finding.message


def test_a_claim_that_was_weakened_no_longer_fits_its_digest(body: dict[str, Any]) -> None:
    forged = copy.deepcopy(body)
    record_of(forged, "lem:means")["claim"]["says"] = ["0 <= 1"]
    messages = [str(f) for f in recheck_json(resealed(forged)).findings]
    assert any(m.startswith("lem:means: claim.digest") for m in messages)


def test_a_citation_of_a_claim_that_is_not_there_is_refused(body: dict[str, Any]) -> None:
    forged = copy.deepcopy(body)
    forged["checks"] = [record for record in forged["checks"] if record["key"] != "lem:means"]
    messages = [str(f) for f in recheck_json(resealed(forged)).findings]
    assert any("cites lem:means, which is not in" in m for m in messages)


def test_a_circle_of_citations_is_refused() -> None:
    from theory.claims.statement import Faithfulness, printed, statement

    def cite(other: str) -> dict[str, Any]:
        return {"kind": "cite", "claim": other, "then": {"kind": "cone", "terms": [{"c": "1", "of": [0]}]}}

    one, two = (
        statement(
            f"lem:{a}",
            printed(
                "x**2 >= 0",
                example={"x": 1},
                proof=standin.goals(cite(f"lem:{b}")),
                faithfulness=Faithfulness.AS_PRINTED,
            ),
        )
        for a, b in (("a", "b"), ("b", "a"))
    )
    with pytest.MonkeyPatch.context() as patch:
        standin.install(patch)
        patch.setattr("theory.ledger.judging.standing", lambda judgements: {})
        patch.setattr("theory.ledger.summary.standing", lambda judgements: dict.fromkeys(judgements))
        patch.setattr("theory.ledger.summary.weakest", lambda verdicts: None)
        body = check_all(jobs=1, checks={"lem:a": one.checks[0], "lem:b": two.checks[0]}).to_json()
    assert any("circle of citations" in f.message for f in recheck_json(body).findings)


def test_a_removed_check_breaks_the_seal_of_the_whole(body: dict[str, Any]) -> None:
    forged = copy.deepcopy(body)
    forged["checks"] = forged["checks"][:-1]
    assert any((f.key, f.path) == ("ledger", "seal") for f in recheck_json(forged).findings)


def test_a_changed_header_breaks_the_seal_of_the_whole(body: dict[str, Any]) -> None:
    forged = copy.deepcopy(body)
    forged["header"]["seed"] = 9
    assert [(f.key, f.path) for f in recheck_json(forged).findings] == [("ledger", "seal")]


def test_a_statement_declared_proved_does_not_stand(body: dict[str, Any]) -> None:
    forged = copy.deepcopy(body)
    forged["statements"]["lem:bound"]["printed"] = "PROVED"
    assert ("lem:bound", "statements") in {(f.key, f.path) for f in recheck_json(resealed(forged)).findings}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ('{"format": "lemmalab ledger", "schema": 3, "checks": [', "is truncated JSON"),
        ("not json", "is malformed JSON"),
        ("[]", "is not a LemmaLab ledger"),
        ('{"format": "other"}', "is not a LemmaLab ledger"),
        ('{"format": "lemmalab ledger", "schema": 99}', "has the ledger schema 99; this version reads 3"),
        ('{"format": "lemmalab ledger", "schema": 3}', "has no proper 'header'"),
        (
            '{"format": "lemmalab ledger", "schema": 3, "header": {}, "checks": [],'
            ' "statements": {}, "timings": {}, "seal": ""}',
            "holds no check at all",
        ),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ('{"a": NaN}', "NaN is not a number"),
        ("[" * 100_000, "malformed"),
    ],
)
def test_a_file_that_is_no_ledger_gets_one_clear_message(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "ledger.json"
    path.write_text(text)
    for read in (recheck, load):
        with pytest.raises(LedgerError, match=says):
            read(path)


def test_every_prefix_of_a_ledger_is_refused(tmp_path: Path, body: dict[str, Any]) -> None:
    whole = json.dumps(body)
    path = tmp_path / "ledger.json"
    for length in range(0, len(whole), max(1, len(whole) // 60)):
        path.write_text(whole[:length])
        with pytest.raises(LedgerError):
            recheck(path)


def test_loading_refuses_a_broken_seal_and_says_where(tmp_path: Path, body: dict[str, Any]) -> None:
    changed = copy.deepcopy(body)
    record_of(changed, "lem:bound")["evidence"]["witness"]["point"]["x"] = "2/5"
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps(changed))
    with pytest.raises(LedgerError, match=r"lem:bound: evidence.witness was changed after it was written"):
        load(path)


def test_recheck_needs_nothing_but_the_kernel(tmp_path: Path) -> None:
    """In a process where every prover, solver and library for numbers is unimportable."""
    with pytest.MonkeyPatch.context() as patch:
        standin.install(patch)
        save(check_all(jobs=1, checks=standin.CHECKS, owner=standin.OWNERS.__getitem__), tmp_path / "ledger.json")
    script = f"""
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {BLOCKED!r}:
            raise ImportError(f"{{name}} is blocked")
sys.meta_path.insert(0, Block())
import theory.kernel, theory.ledger
from theory.ledger.recheck import recheck
found = recheck(sys.argv[1])
assert found.passed, found
assert not [name for name in {BLOCKED!r} if name in sys.modules]
assert not [name for name in sys.modules if name.startswith(("theory.provers", "theory.search", "theory.registry"))]
print(found.checks)
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "ledger.json")], capture_output=True, text=True)
    assert done.stdout == "9\n", done.stderr
