"""The doors around the kernel: what is refused before it is judged, and what is never believed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

from tests.cli_lab import Lab, lab, use  # noqa: F401
from tests.theory import standin
from theory import lemma
from theory.claims.statement import Check, Faithfulness, Kind, printed, statement
from theory.kernel import Claim, Malformed, Verdict
from theory.ledger.examples import Unfit, prepared
from theory.ledger.records import digest, seals


@pytest.mark.parametrize(
    "text",
    [
        "x**2 >= 0 # always",
        "x**2\n>= 0",
        "x**2 >= 0\t",
        "x**2 >= 0\x00",
        "x\u0430 >= 0",
        "\uff58 >= 0",
        "\u03b7 >= 0",
        "x\u00a0>= 0",
    ],
    ids=["comment", "newline", "tab", "null", "cyrillic", "fullwidth", "greek", "no-break space"],
)
def test_what_is_shown_and_not_judged_is_refused_in_a_formula(text: str) -> None:
    for door in (
        lambda: lemma(text),
        lambda: lemma("x >= x", given=text),
        lambda: lemma("y >= y", where={"y": text.split(" >=")[0] + text[-1]}) if text.isascii() else lemma(text),
        lambda: statement("lem:a", printed(text, example={"x": 1}, faithfulness=Faithfulness.AS_PRINTED)),
    ):
        with pytest.raises(Malformed, match=r"holds|not"):
            door()


@pytest.mark.parametrize(
    ("kinds", "steps"),
    [
        ({"x": "real[nat, H]"}, {"x[0, h]": "0", "x[t+1, h]": "x[t, h] # + a[w]"}),
        ({"x": "real[nat, H]  # or a vector"}, {"x[0, h]": "0", "x[t+1, h]": "x[t, h]"}),
    ],
    ids=["a step", "a kind"],
)
def test_a_comment_in_a_recursion_of_a_statement_is_refused(kinds: dict[str, str], steps: dict[str, str]) -> None:
    every = {"a": "real[S]", "H": "history(S)", **kinds}
    with pytest.raises(Malformed, match="holds a comment"):
        statement(
            "lem:walk",
            printed("E(h, x[t, h]) == 0", naturals="t", kinds=every, steps=steps, faithfulness=Faithfulness.AS_PRINTED),
        )


def test_a_formula_that_is_too_long_to_be_read_is_refused_with_a_message() -> None:
    with pytest.raises(Malformed, match="has 80006 characters, more than 10000"):
        lemma("x >= 0" + " + 1" * 20_000)


def test_nan_is_no_name_for_a_number() -> None:
    with pytest.raises(Malformed, match="nan, which is no number"):
        lemma("nan == nan")
    assert lemma("nano == nano").claim.says == ("nano == nano",)


def test_a_matrix_symbol_of_sympy_is_refused_with_what_to_write() -> None:
    one, other = sp.MatrixSymbol("A", 2, 2), sp.MatrixSymbol("B", 2, 2)
    with pytest.raises(Malformed, match="matrix without entries; write the formula as a text, with kinds"):
        lemma(sp.Eq(one * other, other * one))


def test_a_claim_without_hypotheses_that_has_no_value_is_told_so() -> None:
    found = prepared(Check(Claim("a", ("v[1/2] == v[1/2]",)), Kind.PRINTED, Verdict.PROVED, Faithfulness.OURS))
    assert isinstance(found, Unfit)
    assert "no point was found at which it has a value" in found.message
    assert "satisfies" not in found.message


n = sp.Symbol("n", integer=True, nonnegative=True)
m = sp.Symbol("m", integer=True)
free = sp.Symbol("free")


@pytest.mark.parametrize(
    ("symbol", "words"),
    [
        (sp.Symbol("z", complex=True), "complex and not real"),
        (sp.Symbol("z", finite=True), "complex|finite|not infinite"),
        (sp.Symbol("z", extended_real=True), "not real"),
        (sp.Symbol("z", extended_positive=True), "not real"),
        (sp.Symbol("z", imaginary=True), "not real"),
        (sp.Symbol("z", commutative=False), "and not real"),
        (sp.Symbol("z", real=True, integer=False), "not integer|noninteger"),
        (sp.Symbol("z", rational=True), "rational|algebraic"),
        (sp.Symbol("z", real=True, irrational=True), "irrational|not"),
        (sp.Symbol("n", integer=True, nonnegative=True, prime=False), "not prime"),
        (sp.Symbol("z", integer=True), "may be negative"),
        (sp.Symbol("z'"), "no usable name"),
        (sp.Symbol("z^2"), "no usable name"),
        (sp.Symbol("\u03b7"), "no usable name"),
    ],
    ids=str,
)
def test_an_assumption_of_sympy_is_honoured_or_refused(symbol: sp.Symbol, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        lemma(sp.Ge(symbol, sp.Symbol("other"), evaluate=False))


@pytest.mark.parametrize(
    ("low", "high", "fine"),
    [
        (1, n, True),
        (0, n, True),
        (1, 3, True),
        (4, 3, True),
        (5, 3, False),
        (2, n, False),
        (1, m, False),
        (1, free, False),
    ],
    ids=str,
)
def test_a_sum_whose_range_may_run_backwards_is_refused(low: Any, high: Any, fine: bool) -> None:
    i = sp.Symbol("i", integer=True)
    claimed = sp.Ge(sp.Sum(i**2, (i, low, high)), 0, evaluate=False)
    if fine:
        assert lemma(claimed).claim.says
    else:
        with pytest.raises(Malformed, match=r"may end before it begins|may be negative"):
            lemma(claimed)


def test_an_index_that_assumes_more_than_its_range_is_refused() -> None:
    i = sp.Symbol("i", integer=True, positive=True)
    with pytest.raises(Malformed, match="the index i is assumed positive"):
        lemma(sp.Ge(sp.Sum(sp.Abs(i), (i, 0, n)), 0, evaluate=False))


def test_a_definition_of_a_symbol_that_assumes_something_is_refused() -> None:
    y, q = sp.Symbol("y", positive=True), sp.Symbol("q")
    with pytest.raises(Malformed, match="where defines y, whose symbol assumes y > 0"):
        lemma(sp.Ge(sp.Abs(y), q), where={y: q})


def test_two_symbols_that_fold_into_one_name_are_refused_in_where_too() -> None:
    with pytest.raises(Malformed, match="two different symbols are both called y_1"):
        lemma(sp.Ge(sp.Symbol("y_1"), 0), where={sp.Symbol("y_{1}"): sp.Integer(1)})


def resealed(body: dict[str, Any]) -> dict[str, Any]:
    """What a forger does who knows how seals are made."""
    for raw in body["checks"]:
        raw["seals"] = seals(raw)
    body["seal"] = digest([body["header"], [raw["seals"] for raw in body["checks"]], body["statements"]])
    return body


def drop(body: dict[str, Any]) -> None:
    body["checks"] = [raw for raw in body["checks"] if raw["key"] != "lem:guess"]
    del body["statements"]["lem:guess"]


def relabel(field: str, value: Any) -> Any:
    def change(body: dict[str, Any]) -> None:
        next(raw for raw in body["checks"] if raw["key"] == "lem:means/disp:2.1")[field] = value

    return change


def credit(body: dict[str, Any]) -> None:
    raw = next(raw for raw in body["checks"] if raw["key"] == "lem:means/disp:2.1")
    raw["evidence"]["cited_source"] = "Newton 1687"


def invent(body: dict[str, Any]) -> None:
    raw = json.loads(json.dumps(next(raw for raw in body["checks"] if raw["key"] == "lem:guess")))
    claim = replace(standin.CHECKS["lem:guess"].claim, id="lem:new")
    raw |= {"key": "lem:new", "statement": "lem:new", "claim": {**claim.to_json(), "digest": claim.digest}}
    body["checks"].append(raw)
    body["statements"]["lem:new"] = body["statements"]["lem:guess"]


@pytest.mark.parametrize(
    ("forge", "words"),
    [
        (drop, "lem:guess: key: is declared by the project, but the ledger has no record of it"),
        (invent, "lem:new: key: stands in the ledger, but the project declares no such check"),
        (
            relabel("display", "disp:9"),
            "disp:2.1: display: recorded 'disp:9', but the project declares 'disp:2'",
        ),
        (relabel("words", "all is well"), "lem:means/disp:2.1: words: recorded 'all is well'"),
        (relabel("faithfulness", "TYPO"), "lem:means/disp:2.1: faithfulness: recorded 'TYPO'"),
        (relabel("kind", "SHARPER"), "lem:means/disp:2.1: kind: recorded 'SHARPER'"),
        (
            credit,
            "lem:means/disp:2.1: evidence.cited_source: recorded 'Newton 1687', but the project names 'no source'",
        ),
    ],
    ids=["missing", "unknown", "display", "words", "faithfulness", "kind", "credited"],
)
def test_recheck_compares_every_declared_field(lab: Lab, forge: Any, words: str) -> None:  # noqa: F811
    assert lab.run("check").exit_code == 0
    assert lab.run("recheck", "ledger.json").exit_code == 0
    path = lab.folder / "ledger.json"
    body = json.loads(path.read_text())
    forge(body)
    path.write_text(json.dumps(resealed(body)))
    done = lab.run("recheck", "ledger.json")
    assert done.exit_code == 1, done.output
    assert words in done.stdout


def test_recheck_says_what_it_could_not_compare(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    lab.run("check")

    class Broken(dict[str, Any]):
        def __getitem__(self, id_: str) -> Any:
            if id_ == "lem:guess":
                raise KeyError("numpy is not there")
            return super().__getitem__(id_)

    use(monkeypatch, Broken(standin.STATEMENTS))
    done = lab.run("recheck", "ledger.json")
    assert done.exit_code == 3, done.output
    assert "not compared with what the project declares: 1 statements of the project cannot be read" in done.stdout


@pytest.mark.parametrize("command", ["errata", "graph"])
def test_no_command_shows_a_verdict_that_the_kernel_has_not_judged(lab: Lab, command: str) -> None:  # noqa: F811
    """A ledger that calls a proved reading refuted, with seals made anew, is not believed; nor saved again."""
    honest = lab.run(command).stdout
    lab.run("check")
    path = lab.folder / "ledger.json"
    body = json.loads(path.read_text())
    for key, forged in (("lem:means", "CERTIFIED"), ("lem:guess", "PROVED")):
        raw = next(raw for raw in body["checks"] if raw["key"] == key)
        raw |= {"verdict": forged, "reason": "so I say"}
    path.write_text(json.dumps(resealed(body)))
    assert lab.run(command, "--ledger", "ledger.json").stdout == honest
    lab.run("check", "lem:bound", "--ledger", "ledger.json")
    saved = {one["key"]: one["verdict"] for one in json.loads(path.read_text())["checks"]}
    assert saved["lem:means"] == "PROVED"
    assert saved.get("lem:guess", "SUPPORTED") == "SUPPORTED"


BAD: dict[str, dict[str, str]] = {
    "a manifest that is no TOML": {"lemmalab.toml": "name = "},
    "a manifest with a strange key": {"lemmalab.toml": "colour = 1"},
    "a manifest with rooms that are no list": {"lemmalab.toml": "rooms = 1"},
    "a paper without ids": {"lemmalab.toml": "", "paper.toml": "[[statement]]\ntitle = 'a'"},
    "a paper of something else": {"lemmalab.toml": "", "paper.toml": "statement = 3"},
    "a statement that does not run": {"lemmalab.toml": "", "statements/lem_a.py": "1 / 0"},
    "a statement that is none": {"lemmalab.toml": "", "statements/lem_a.py": "STATEMENT = 3"},
    "a section that is not there": {"lemmalab.toml": "[brings]\nsections = 'nowhere:at_all'"},
    "highlights without findings": {"lemmalab.toml": "", "highlights.toml": "finding = 3"},
}


@pytest.mark.parametrize("files", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("command", ["check", "coverage", "graph", "errata", "report", "show lem:a", "hunt lem:a"])
def test_no_input_ends_in_an_internal_error(
    files: dict[str, str], command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    done = Lab(tmp_path).run(*command.split())
    assert done.exit_code in (2, 3), done.output
    assert "internal error" not in done.output


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"says": "x <= x + I"}, "holds I alone"),
        ({"says": "x <= x", "kinds": {"1x": "vector(d)"}}, "is no name"),
        ({"says": "x <= x", "proof": 3}, "is no skeleton"),
        ({"says": "x**1000001 <= x**1000001"}, "is above"),
    ],
)
def test_a_statement_has_the_guards_of_a_lemma(options: dict[str, Any], told: str) -> None:
    draft = printed(options.pop("says"), faithfulness=Faithfulness.AS_PRINTED, **options)
    with pytest.raises(Malformed, match=told):
        statement("lem:x", draft)
