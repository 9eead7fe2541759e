"""A certificate is written out as a proof; nothing is left out silently."""

from __future__ import annotations

from typing import Any

import pytest

from theory.kernel import RULES, SCHEMA, Claim
from theory.reading import readable_orders
from theory.reading.readable import WRITERS, proof_lines
from theory.reading.readable_leaves import LEAVES, short


def lines(says: str, proof: dict[str, Any], *given: str, naturals: tuple[str, ...] = (), **more: Any) -> list[str]:
    claim = Claim("claim", (says,), given, naturals=naturals, **more)
    return proof_lines(claim, {"schema": SCHEMA, "claim": claim.digest, "goals": [proof]}, {})


def test_every_rule_of_the_kernel_has_words() -> None:
    assert set(RULES) <= set(WRITERS) | set(LEAVES) | set(readable_orders.WRITERS) | {"order"}


def test_listening_leaves_the_rules_as_they_were() -> None:
    before = dict(RULES)
    lines("2*a*b <= a**2 + b**2", {"kind": "cone", "terms": [{"c": "1", "sq": "a-b"}]})
    assert before == RULES


@pytest.mark.parametrize(
    ("says", "proof", "given", "shown"),
    [
        ("(a+b)**2 == a**2 + 2*a*b + b**2", {"kind": "identity"}, (), "Both sides are the same rational function."),
        ("a <= a + b", {"kind": "positive"}, ("b >= 0",), "b has no negative part"),
        (
            "u*(1-16*u) >= 0",
            {
                "kind": "positive",
                "slacks": {
                    "s": {
                        "is": "(1/16-u)/u",
                        "because": {"kind": "cone", "terms": [{"c": "1", "of": [1]}], "multiplier": [0]},
                    }
                },
                "put": {"u": "1/(16*(1+s))"},
            },
            ("u > 0", "u <= 1/16"),
            "Put u = 1/(16*(1 + s))",
        ),
        ("exp(x) - x > 0", {"kind": "balls", "box": {"x": ["0", "1"]}, "tree": {}}, (), "x in [0, 1]"),
        (
            "max(a, b) >= a",
            {
                "kind": "split",
                "of": "max(a, b)",
                "branches": [{"kind": "identity"}, {"kind": "cone", "terms": [{"c": "1", "of": [0]}]}],
            },
            (),
            "Case max(a, b)",
        ),
        (
            "sqrt(a) >= 0",
            {"kind": "root", "of": "sqrt(a)", "name": "r", "then": {"kind": "cone", "terms": [{"c": "1", "of": [1]}]}},
            ("a >= 0",),
            "Name the root: r = sqrt(a)",
        ),
        (
            "a**2 >= 0",
            {"kind": "cases", "on": "a", "nonnegative": {"kind": "positive"}, "nonpositive": {"kind": "positive"}},
            (),
            "Case a <= 0",
        ),
        (
            "a*b == 1",
            {"kind": "solve", "fact": 0, "for": "a", "then": {"kind": "identity"}},
            ("a == 1/b", "b > 0"),
            "Solve a == 1/b for a",
        ),
        (
            "x >= 0",
            {
                "kind": "have",
                "fact": "x >= 1",
                "proof": {"kind": "cone", "terms": [{"c": "1", "of": [0]}]},
                "then": {"kind": "positive"},
            },
            ("x >= 1",),
            "First x >= 1: a hypothesis",
        ),
        (
            "2*sum(i, 1, d, u[i]*v[i]) <= sum(i, 1, d, u[i]**2) + sum(j, 1, d, v[j]**2)",
            {"kind": "termwise", "over": "sum", "each": {"kind": "cone", "terms": [{"c": "1", "sq": "u_i-v_i"}]}},
            (),
            "Compare the sums term by term",
        ),
    ],
    ids=lambda value: value.get("kind") if isinstance(value, dict) else "",
)
def test_a_rule_is_written_in_words(says: str, proof: dict[str, Any], given: tuple[str, ...], shown: str) -> None:
    naturals = ("d",) if "sum(" in says else ()
    text = "\n".join(lines(says, proof, *given, naturals=naturals))
    assert shown in text, text


def test_a_certificate_that_proves_nothing_is_not_dressed_up() -> None:
    assert "does not accept" in lines("a <= b", {"kind": "identity"})[0]


def test_why_something_is_defined_is_told_as_well() -> None:
    claim = Claim("defined", ("a/(a-b) >= 1",), ("a > b", "b > 0"))
    proof = {"kind": "cone", "terms": [{"c": "1", "of": [1]}], "multiplier": [0]}
    duty = {"side": ">", "proof": {"kind": "cone", "terms": [{"c": "1", "of": [0]}]}}
    certificate = {"schema": SCHEMA, "claim": claim.digest, "goals": [proof], "defined": {"a - b != 0": duty}}
    shown = proof_lines(claim, certificate, {})
    assert shown[0] == "To show: a/(a - b) >= 1"


def test_a_long_formula_is_cut_and_says_so() -> None:
    assert short("x" * 500).endswith("(500 characters)")
    assert short("x + y") == "x + y"
