"""Smooth and convex functions of a vector: proved unaided, refuted by functions that are so at every vector."""

from __future__ import annotations

import pytest

from theory import lemma
from theory.kernel import Evidence, Rejected, Verdict, check_witness, judge
from theory.ledger.referee import witness_record
from theory.provers.driver import prove

KINDS = {"f": "real[vector(d)]", "g": "vector(d)[vector(d)]", "x": "vector(d)", "y": "vector(d)"}
CONVEX = "forall(u, vector(d), forall(v, vector(d), f[u] >= f[v] + g[v].T@(u - v)))"
LIPSCHITZ = "forall(u, vector(d), forall(v, vector(d), norm(g[u] - g[v]) <= L*norm(u - v)))"
SMOOTH = "forall(u, vector(d), forall(v, vector(d), f[u] <= f[v] + g[v].T@(u - v) + L/2*norm2(u - v)))"


@pytest.mark.parametrize(
    ("says", "given"),
    [
        ("(g[x] - g[y]).T @ (x - y) >= 0", [CONVEX]),
        ("(g[x] - g[y]).T @ (x - y) <= L*norm2(x - y)", [SMOOTH, "L > 0"]),
        ("f[y] <= f[x] - norm2(g[x])/(2*L)", [SMOOTH, "L > 0", "y == x - g[x]/L"]),
        ("norm2(g[x]) <= 2*L*(f[x] - fs)", [SMOOTH, "L > 0", "forall(u, vector(d), f[u] >= fs)"]),
        ("(g[x] - g[y]).T @ (x - y) <= L*norm2(x - y)", [LIPSCHITZ, "L > 0"]),
    ],
)
def test_textbook_facts_about_functions_are_proved(says: str, given: list[str]) -> None:
    assert lemma(says, given=given, kinds=KINDS).judge().verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("says", "given"),
    [
        ("norm2(g[x]) <= L*(f[x] - fs)", [SMOOTH, "L > 0", "forall(u, vector(d), f[u] >= fs)"]),
        ("norm2(g[x]) <= 2*L*(f[x] - fs)", [SMOOTH, "L > 0"]),
    ],
)
def test_a_step_of_ones_own_proves_nothing_false(says: str, given: list[str]) -> None:
    """Half of the constant, and no lower bound for f."""
    assert prove(lemma(says, given=given, kinds=KINDS).claim, {}) is None


def test_a_false_claim_about_a_convex_function_is_refuted_by_an_exact_one() -> None:
    found = lemma("f[y] <= f[x]", given=[CONVEX], kinds=KINDS).judge()
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    assert found.witness["f"].keys() == {"of", "is"}


NOT_NEGATIVE = "forall(u, vector(d), f[u] >= 0)"


@pytest.mark.parametrize(
    ("f", "what"),
    [
        ("x[1]**2 - x[1] + 1/4", None),
        ("0", None),
        ("(x[1] - 1/4)*(x[1] - 3/4)", "not shown to hold"),  # nonnegative wherever the kernel tries it
        ("x[1]**4", "not shown to hold"),
        ("-x[1]**2", "violates|not shown to hold"),
    ],
)
def test_a_witness_counts_where_its_functions_are_as_the_hypotheses_say_for_every_vector(
    f: str, what: str | None
) -> None:
    claim = lemma("f[x] >= 100", given=[NOT_NEGATIVE], kinds={"f": "real[vector(d)]", "x": "vector(d)"}).claim
    point = {"d": "1", "x": "1", "f": {"of": "x", "is": f}}
    if what is None:
        assert check_witness(claim, point) == "f[x] >= 100 fails"
    else:
        with pytest.raises(Rejected, match=what):
            check_witness(claim, point)


def test_a_witness_of_another_claim_refutes_nothing() -> None:
    kinds = {"f": "real[vector(d)]", "x": "vector(d)"}
    point = {"d": "1", "x": "1", "f": {"of": "x", "is": "0"}}
    claim, other = (
        lemma(f"f[x] >= {bound}", given=[NOT_NEGATIVE], kinds=kinds, example=point).claim for bound in (100, 200)
    )
    assert judge(claim, Evidence(witness=witness_record(claim, point)), {}).verdict is Verdict.REFUTED
    with pytest.raises(Rejected, match="another claim"):
        judge(claim, Evidence(witness=witness_record(other, point)), {})
