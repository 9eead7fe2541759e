"""The instruments that measure the verifier work, and notice a verifier that believes too much."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.sada import find, library, shipped
from tests.trust import __main__ as whole
from tests.trust import forgery
from tests.trust.classical import OUT_OF_REACH
from tests.trust.corpus import corpus
from tests.trust.crosscheck import crosscheck
from tests.trust.forgery import forge, tampered
from tests.trust.independent import NoValue, truth
from tests.trust.independent_kinds import LeftOut, opinion
from tests.trust.verdicts import judge_corpus
from theory.claims.statement import Check, Faithfulness, Kind, printed, statement
from theory.kernel import Claim, Verdict, judge
from theory.ledger.records import Ledger
from theory.mutants.mutants import Fate, decide, rates
from theory.mutants.mutations import KINDS, Mutant, mutants

CONTRACTION = Claim("c", ("(1-eta*l)**2 <= 1-eta*mu",), ("mu > 0", "mu <= l", "eta > 0", "eta*l <= 1"))


def record(claim: Claim) -> dict[str, Any]:
    return claim.to_json()


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """The shipped certificates of a few statements."""
    whole_ledger = shipped()
    assert whole_ledger is not None
    chosen = [
        r for r in whole_ledger.records if r.statement in ("lem:A-inverse", "lem:Pi-infinity", "lem:A-power-bound")
    ]
    return replace(whole_ledger, records=tuple(chosen))


@pytest.mark.parametrize(
    ("says", "point", "holds"),
    [
        ("x**2 >= 0", {"x": "-3/7"}, True),
        ("sqrt(x) < 2", {"x": "4"}, False),
        ("sqrt(x)**2 == x", {"x": "2"}, True),
        ("exp(x) >= 1 + x", {"x": "-1/3"}, True),
        ("sum(i, 1, n, v[i]) == 6", {"n": "3", "v": ["1", "2", "3"]}, True),
        ("mean(w, X[w]) <= 1", {"p_w": ["1/2", "1/2"], "X": ["0", "3"]}, False),
        ("iterate(s, k, 1, 2*s) == 8", {"k": "3"}, True),
        ("([[a, 1], [0, 1]]**0)[1, 2] == 0", {"a": "5"}, True),
        ("(inv([[2, 1], [1, 1]]) @ [1, 1])[2] == a", {"a": "1"}, True),
        ("max(a, -a) == abs(a)", {"a": "-2"}, True),
    ],
)
def test_the_second_opinion_computes(says: str, point: dict[str, Any], holds: bool) -> None:
    assert truth(record(Claim("c", (says,))), point) == (True, holds)


def test_the_second_opinion_says_where_there_is_no_value() -> None:
    with pytest.raises(NoValue):
        truth(record(Claim("c", ("1/x > 0",))), {"x": "0"})


def test_the_two_opinions_agree_on_the_shipped_verdicts(ledger: Ledger) -> None:
    found = crosscheck(ledger, np.random.default_rng(0))
    assert found.points > 100
    assert not found.disagreements


def test_a_false_verdict_on_record_is_noticed_by_the_second_opinion(ledger: Ledger) -> None:
    false = next(r for r in ledger.records if r.verdict is Verdict.REFUTED)
    point = false.evidence.witness["point"]  # type: ignore[index]
    lie = replace(
        false,
        claim=replace(false.claim, example=tuple(point.items())),
        judgement=replace(false.judgement, verdict=Verdict.PROVED),
        evidence=replace(false.evidence, witness=None),
    )
    assert crosscheck(replace(ledger, records=(lie,)), np.random.default_rng(0)).disagreements


def test_every_kind_of_slip_is_made() -> None:
    keys = (
        "lem:A-power-bound/sharper",
        "lem:L-var-matrix-form/disp:1049.1",
        "lem:Pi-stationary-bound",
        "ass:fourth-moment#bounded data",
    )
    made = {one.kind for key in keys for one in mutants(find(key).claim)}
    assert made >= set(KINDS) - {"symbol"}


def test_a_mutant_that_claims_less_is_not_made() -> None:
    claim = replace(CONTRACTION, example=(("mu", "1/2"), ("l", "1"), ("eta", "1/2")))
    says = [one.claim.says[0] for one in mutants(claim, most=50)]
    assert "(1 - eta*l)**2 <= 2 - eta*mu" not in says
    assert "(1 - eta*l)**2 <= 1/2 - eta*mu" in says


def test_slips_are_killed_and_harmless_changes_are_not() -> None:
    point = {"mu": "1/2", "l": "1", "eta": "1/2"}
    check = statement(
        "t", printed(CONTRACTION.says, given=CONTRACTION.given, example=point, faithfulness=Faithfulness.AS_PRINTED)
    ).checks[0]
    stronger = replace(check.claim, id="m", says=("(1-eta*l)**2 <= 1-2*eta*mu",))
    weaker = replace(check.claim, id="m", says=("(1-eta*l)**2 <= 3-eta*mu",))
    known = {"t": check.claim}
    fates = [decide(Mutant("t", "constant", "", claim), check, known).fate for claim in (stronger, weaker)]
    assert fates == [Fate.KILLED.value, Fate.EQUIVALENT.value]


def test_slips_in_a_claim_about_vectors_are_killed_by_vectors() -> None:
    claim = Claim(
        "young",
        ("u.T@v <= 1/2*norm2(u) + 1/2*norm2(v)",),
        kinds=(("u", "vector(d)"), ("v", "vector(d)")),
        example=(("d", "1"), ("u", ["0"]), ("v", ["0"])),
    )
    slip = replace(claim, says=("u.T@v <= 1/2*norm2(u) - 1/2*norm2(v)",))
    outcome = decide(
        Mutant("young", "sign", "", slip), Check(claim, Kind.PRINTED, Verdict.PROVED, Faithfulness.AS_PRINTED), {}
    )
    assert outcome.fate == Fate.KILLED.value, outcome
    assert "fails at" in outcome.by


def test_the_kill_rate_counts_neither_equivalent_nor_weaker_mutants() -> None:
    check = find("lem:A-inverse/repaired")
    outcomes = [decide(one, check, library()) for one in list(mutants(check.claim, 1))[:4]]
    total = rates(outcomes)[-1]
    assert total["made"] == len(outcomes)
    assert total["rate"] == Fraction(total["killed"], total["killed"] + total["survived"])


def test_a_tampering_changes_something_most_of_the_time() -> None:
    rng = np.random.default_rng(0)
    body = {"kind": "cone", "terms": [{"c": "1/2", "of": [0, 3]}]}
    assert sum(tampered(body, rng) != body for _ in range(100)) > 80


def test_no_forgery_is_believed(ledger: Ledger) -> None:
    tally = forge(ledger, np.random.default_rng(1), certificates=80, witnesses=60, ledgers=40)
    assert tally.total > 120
    assert not tally.accepted


def test_a_kernel_that_believes_everything_is_found_out(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    def gullible(claim: Claim, evidence: Any, known: Any) -> Any:
        sample = ledger.records[0].judgement
        return replace(sample, verdict=Verdict.PROVED if evidence.certificate else Verdict.REFUTED)

    monkeypatch.setattr(forgery, "judge", gullible)
    tally = forge(ledger, np.random.default_rng(1), certificates=40, witnesses=40, ledgers=0)
    assert tally.accepted


def test_a_sample_of_the_corpus_is_judged_without_a_mistake() -> None:
    every = corpus()
    assert sum(item.true for item in every) >= 200
    assert sum(not item.true for item in every) >= 200
    score = judge_corpus(every[::17], jobs=1)
    assert not score.wrong
    assert len(score.open_) <= 3


def test_a_lie_in_the_corpus_is_noticed() -> None:
    item = next(item for item in corpus() if item.true)
    assert judge_corpus([replace(item, true=False)], jobs=1).wrong


def test_the_table_tells_what_was_missed(tmp_path: Any, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    rows = [whole.Row("part", "what", "3", "0", False, ("because",))]
    monkeypatch.setitem(whole.PARTS, "second-opinion", lambda ledger, quick: rows)
    assert whole.main(["--only", "second-opinion", "--out", str(tmp_path / "t.json")]) == 1
    assert "MISS" in capsys.readouterr().out
    assert json.loads((tmp_path / "t.json").read_text())["rows"][0]["notes"] == ["because"]


def test_judging_is_what_the_kernel_does(ledger: Ledger) -> None:
    one = next(r for r in ledger.records if r.verdict is Verdict.PROVED)
    assert judge(one.claim, one.evidence, ledger.claims()).verdict is Verdict.PROVED


def test_what_stays_undecided_is_explained_in_one_line() -> None:
    open_items = [item for item in corpus() if item.name in OUT_OF_REACH]
    assert len(OUT_OF_REACH) == len(open_items)
    told = judge_corpus(open_items, jobs=1).open_ if open_items else []
    for item, line in zip(open_items, told, strict=True):
        assert f"{item.says}: {OUT_OF_REACH[item.name]}; no witness: " in line
        assert "\n" not in line


def test_a_claim_with_an_exponential_has_mutants_like_any_other() -> None:
    made = list(mutants(find("rem:L-eff/repaired#implies").claim))
    assert any(one.claim.says[1] != made[0].claim.says[1] for one in made)


KINDS_OF = (("a", "vector(d)[S]"), ("A", "pd(d)"), ("x", "vector(d)"))
POINT = {
    "d": "2",
    "p_S": ["1/3", "2/3"],
    "a": {"1": ["1", "2"], "2": ["0", "3"]},
    "A": [["2", "1"], ["1", "1"]],
    "x": ["1", "-1"],
}


@pytest.mark.parametrize(
    ("says", "holds"),
    [
        ("E(w, norm2(a[w])) == 23/3", True),
        ("E(w, E(v, a[w].T @ a[v])) == norm2(E(w, a[w]))", True),
        ("E(w, norm2(a[w])) == norm2(E(w, a[w]))", False),
        ("x.T @ A @ x == 1", True),
        ("E(w, a[w] @ a[w].T) << 9*I(d)", True),
        ("A << I(d)", False),
        ("0 << A", True),
        ("norm(x)**2 == 2", True),
        ("tr(inv(A)) <= 3", True),
        ("x == 0", False),
        ("[[A, A], [A, A]] << 3*I(2*d)", False),
    ],
)
def test_the_second_opinion_computes_with_vectors_matrices_and_samples(says: str, holds: bool) -> None:
    assert opinion(record(Claim("c", (says,), kinds=KINDS_OF)), POINT) == (True, holds)


def test_the_second_opinion_reads_sequences_that_are_counted_from_anywhere() -> None:
    claim = Claim("c", ("prod(k, 0, n, r[k]) == 6",), naturals=("n",))
    assert opinion(record(claim), {"n": "2", "r": {"0": "1", "1": "2", "2": "3"}}) == (True, True)


def test_the_second_opinion_wants_values_of_their_kinds() -> None:
    claim = record(Claim("c", ("tr(A) >= 0",), kinds=(("A", "psd(d)"),)))
    assert opinion(claim, {"d": "2", "A": [["1", "2"], ["2", "1"]]}) == (False, True)


def test_the_second_opinion_says_what_it_leaves_out() -> None:
    claim = record(Claim("c", ("f[x] <= f[x] + 1",), kinds=(("f", "real[vector(d)]"), ("x", "vector(d)"))))
    with pytest.raises(LeftOut):
        opinion(claim, {"d": "1", "x": ["1"], "f": {"of": "u", "is": "u[1]"}})


def test_what_the_second_opinion_leaves_out_is_counted() -> None:
    whole_ledger = shipped()
    assert whole_ledger is not None
    few = [r for r in whole_ledger.records if r.claim.kinds][::8]
    found = crosscheck(replace(whole_ledger, records=tuple(few)), np.random.default_rng(0), neighbours=1)
    assert not found.disagreements
    assert found.points > 20
    assert {r.key for r in few if r.claim.steps} <= set(found.left_out)


def test_the_second_opinion_reads_every_claim_that_ships() -> None:
    whole_ledger = shipped()
    assert whole_ledger is not None
    found = crosscheck(whole_ledger, np.random.default_rng(0), neighbours=0)
    assert not found.disagreements
