"""The printed theorem says what the claim says: each is evaluated at random points, by an evaluator of its own."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest

from tests.coq.transcript import Irrational, Reader
from tests.corpus import cases
from tests.sada import shipped
from theory.claims.userfile import lemma
from theory.coq.errors import NotExpressible
from theory.coq.reserved import ident
from theory.coq.statement import has_outcomes, proposition, sorts_of
from theory.kernel import Claim
from theory.kernel.errors import KernelError
from theory.kernel.points import environment, holds
from theory.ledger.examples import Unfit, prepared
from theory.ledger.records import Record


@lru_cache(maxsize=1)
def records() -> dict[str, Record]:
    found = shipped()
    return {record.key: record for record in found.records if not record.claim.kinds}


def printed(claim: Claim) -> str | None:
    """The theorem, where there is one that this reader reads in a second."""
    try:
        text = proposition(claim)
    except NotExpressible:
        return None
    return text if len(text) < 6000 else None


def at_point(claim: Claim, text: str, values: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether the printed premises and the printed conclusions hold."""
    weights = next((v for n, v in values.items() if n.startswith("p_") and isinstance(v, list)), ["1"])
    reals = sorts_of(claim).get("Omega") == ("R",)
    outcomes = range(1, len(weights) + 1)
    reader = Reader(text, outcomes)
    reader.parameters()
    premises, ends = reader.whole()
    env: dict[str, Any] = {ident(n): _coq_value(v) for n, v in values.items() if n in claim.variables}
    if has_outcomes(claim):
        parts = [(Fraction(w), Fraction(i) if reals else i) for i, w in enumerate(weights, start=1)]
        env["E"] = lambda f: sum((p * f(w) for p, w in parts), Fraction(0))
    assumed = all(one(env) for one in premises)
    return assumed, all(one(env) for one in ends) if assumed else False


def _coq_value(value: Any) -> Any:
    if isinstance(value, list):
        value = {str(i): item for i, item in enumerate(value, start=1)}
    if not isinstance(value, dict):
        if "sqrt" in str(value):
            raise Irrational(value)
        return Fraction(value)
    items = {key: _coq_value(item) for key, item in value.items()}

    def entry(i: Any, *rest: Any) -> Any:
        if str(i) not in items:
            raise IndexError("the point does not give this entry")
        return items[str(i)](*rest) if rest else items[str(i)]

    return entry


def by_kernel(claim: Claim, values: Mapping[str, Any]) -> tuple[bool, bool]:
    env = environment(values, claim)
    assumed = all(_true(relation, env) for relation in claim.hypotheses)
    return assumed, all(_true(goal, env) for goal in claim.goals) if assumed else False


def _true(relation: Any, env: Mapping[str, Any]) -> bool:
    try:
        return holds(relation, env)
    except KernelError:
        return False


def moved(claim: Claim, rng: random.Random) -> dict[str, Any]:
    """The claim's example, with some numbers changed a little and some a lot."""

    def near(value: Any, natural: bool) -> Any:
        if isinstance(value, list):
            return [near(item, natural) for item in value]
        if isinstance(value, dict):
            return {key: near(item, natural) for key, item in value.items()}
        if natural or "sqrt" in str(value) or rng.random() < 0.5:
            return value
        return str(Fraction(value) * Fraction(rng.randint(1, 9), rng.randint(1, 9)) - rng.choice((0, 0, 1)))

    kept = {n: n in claim.naturals or n.startswith("p_") for n, _ in claim.example}
    return {name: near(value, kept[name]) for name, value in claim.example}


def agree(claim: Claim, text: str, points: int = 6) -> bool:
    """True when both evaluators agree at the example and at random points; irrational values decide nothing."""
    rng = random.Random(claim.digest)
    for values in [dict(claim.example), *(moved(claim, rng) for _ in range(points))]:
        try:
            if at_point(claim, text, values) != by_kernel(claim, values):
                return False
        except (Irrational, IndexError, OverflowError):
            continue
    return True


@pytest.mark.parametrize("statement", sorted({record.statement for record in records().values()}))
def test_the_printed_theorems_agree_with_the_claims_at_random_points(statement: str) -> None:
    claims = [record.claim for record in records().values() if record.statement == statement]
    texts = [(claim, printed(claim)) for claim in claims]
    assert [claim.id for claim, text in texts if text is not None and not agree(claim, text)] == []


def test_the_witness_of_a_refuted_claim_refutes_the_printed_theorem() -> None:
    refuted = [r for r in records().values() if r.evidence.witness is not None]
    decided = 0
    for record in refuted:
        text = printed(record.claim)
        if text is None:
            continue
        try:
            found = at_point(record.claim, text, (record.evidence.witness or {})["point"])
        except (Irrational, IndexError, OverflowError):
            continue
        decided += 1
        assert found == (True, False), record.key
    assert decided > 90


@pytest.mark.parametrize(
    ("old", "new"), [("<= ((b", "<= ((a"), (" - ", " + "), ("a > 0", "a >= 0"), ("b <> 0", "a <> 0"), ("/ b", "* b")]
)
def test_a_mistranslated_theorem_is_noticed(old: str, new: str) -> None:
    claim = Claim("c", ("a - a/b <= b*a - a",), ("a > 0", "1/b <= 1"), example=(("a", "1"), ("b", "2")))
    text = proposition(claim)
    assert agree(claim, text, 60)
    if old in text:
        assert not agree(claim, text.replace(old, new, 1), 400)


@lru_cache(maxsize=1)
def lemmas() -> tuple[Claim, ...]:
    """Claims of the corpus with facts for every index, sums and products of every length, recursions."""
    made = (prepared(lemma(c.says, given=c.given, naturals=c.naturals)) for c in cases("recursions", "products"))
    return tuple(one.claim for one in made if not isinstance(one, Unfit))


def test_theorems_about_sequences_agree_with_the_claims_at_random_points() -> None:
    texts = [(claim, printed(claim)) for claim in lemmas()]
    assert sum(text is not None for _, text in texts) > 40
    assert [claim.says for claim, text in texts if text is not None and not agree(claim, text, 20)] == []


INDEXED = Claim(
    "c",
    ("forall(j, 0, K, prod(i, 1, j, 1 + a[i]) >= r[j])",),
    ("forall(k, 0, K - 1, forall(i, k, K, r[k] <= c[k, i]))", "forall(k, 1, K, a[k] >= 0)"),
    naturals=("K",),
    example=(
        ("K", "2"),
        ("a", {"1": "1", "2": "1/2"}),
        ("c", {"0, 0": "1", "0, 1": "1", "0, 2": "2", "1, 1": "1", "1, 2": "1"}),
        ("r", {"0": "1", "1": "1", "2": "3"}),
    ),
)


def test_quantifiers_inside_quantifiers_and_conclusions_for_every_index_are_printed() -> None:
    text = proposition(INDEXED)
    assert "forall k : Z, between (0)%Z" in text
    assert "forall j : Z, between (0)%Z (Z.of_nat K) j -> (zprod (1)%Z j" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [("(1)%Z)%Z k ->", "(0)%Z)%Z k ->"), ("zprod (1)%Z", "zprod (2)%Z"), ("zprod", "zsum"), (">= (r", "<= (r")],
)
def test_a_mistranslated_range_product_or_conclusion_is_noticed(old: str, new: str) -> None:
    claim = Claim(
        "c",
        ("forall(j, 1, K, prod(i, 1, j, 1 + a[i]) >= r[j])",),
        ("forall(k, 1, K - 1, r[k] <= a[k])",),
        naturals=("K",),
        example=(("K", "2"), ("a", ["1", "1/2"]), ("r", ["1", "3"])),
    )
    text = proposition(claim)
    assert old in text
    assert agree(claim, text, 60)
    assert not agree(claim, text.replace(old, new, 1), 400)
