"""Facts for every index, induction from any start, sums and products without their last term.

Each honest proof stands beside near misses that the rule must refuse, with the reason.
"""

from __future__ import annotations

import pytest

from tests.kernel.certificates import IDENTITY, POSITIVE, Cert, cone, of
from theory.kernel import Rejected, Sequent, Tally, check
from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError, Malformed
from theory.kernel.lang import parse_relation


def sequent(goal: str, *facts: str, naturals: tuple[str, ...] = ()) -> Sequent:
    return Sequent(tuple(map(parse_relation, facts)), parse_relation(goal), frozenset(naturals))


def at(position: int, then: Cert, within: dict[str, Cert] | None = None, **places: str) -> Cert:
    return {"kind": "instance", "fact": position, "at": places, "within": within or {}, "then": then}


def induct(on: str, base: Cert, step: Cert, **more: object) -> Cert:
    return {"kind": "induct", "on": on, "as": "m", "base": base, "step": step, **more}


AFTER = cone(of(2), {"c": "1"})
FALLS = "forall(k, 0, K - 1, r[k+1] <= r[k])"
LAST = cone(of(1))

ACCEPTED = {
    "a fact at an index that is plainly inside": (
        at(0, LAST, k="2"),
        sequent("r[3] <= r[2]", "forall(k, 0, 5, r[k+1] <= r[k])"),
    ),
    "an end that is shown": (
        at(0, cone(of(2)), {"n <= K - 1": cone(of(1))}, k="n"),
        sequent("r[n+1] <= r[n]", FALLS, "n <= K - 1", naturals=("n", "K")),
    ),
    "two indices, the second up to the first": (
        at(0, LAST, i="n + 2", j="n"),
        sequent("c[n+2, n] >= 0", "forall(i, 0, oo, forall(j, 0, i, c[i, j] >= 0))", naturals=("n",)),
    ),
    "induction from zero": (
        induct("n", IDENTITY, at(1, cone({"c": "1", "of": [2]}, {"c": "2"}), m="n")),
        sequent("2*n >= n - n", naturals=("n",)),
    ),
    "induction from four": (
        induct(
            "n",
            POSITIVE,
            at(1, cone({"c": "2", "of": [2]}, {"c": "1", "sq": "n - 4"}, {"c": "6", "of": [0]}, {"c": "7"}), m="n"),
            start="4",
            long=cone(of(0)),
        ),
        sequent("2**n >= n**2", "n >= 4", naturals=("n",)),
    ),
    "a factor of a power whose exponent is shown to be positive": (
        {
            "kind": "unroll",
            "of": "x**(n - k)",
            "end": "last",
            "long": cone(of(0)),
            "defined": {"n - k is natural": cone(of(0), {"c": "1"})},
            "then": {"kind": "identity", "modulo": [[1, "1"]]},
        },
        sequent("x**(n - k) == x**(n - k - 1)*x", "n >= k + 1", naturals=("n", "k")),
    ),
    "a power without factors is one": (
        {
            "kind": "unroll",
            "of": "x**(n - k)",
            "end": "empty",
            "long": cone(of(1)),
            "defined": {"n - k is natural": cone(of(0))},
            "then": {"kind": "identity", "modulo": [[2, "1"]]},
        },
        sequent("x**(n - k) == 1", "n >= k", "n <= k", naturals=("n", "k")),
    ),
    "a divisor below a sum by a fact over a longer range": (
        {
            "kind": "unroll",
            "of": "sum(i, 2, n, 1/v[i])",
            "end": "last",
            "long": cone(of(1)),
            "defined": {
                "v[i] != 0": {
                    "side": ">",
                    "kept": True,
                    "proof": at(0, cone(of(4)), {"i >= 1": AFTER}, k="i"),
                }
            },
            "then": {"kind": "identity", "modulo": [[2, "1"]]},
        },
        sequent(
            "sum(i, 2, n, 1/v[i]) == sum(i, 2, n - 1, 1/v[i]) + 1/v[n]",
            "forall(k, 1, n, v[k] > 0)",
            "n >= 2",
            naturals=("n",),
        ),
    ),
    "terms by a fact over a longer range": (
        {
            "kind": "termwise",
            "over": "sum",
            "index": "i",
            "kept": True,
            "rest": IDENTITY,
            "each": at(0, cone(of(3)), {"i >= 1": cone(of(1), {"c": "1"})}, k="i"),
        },
        sequent("sum(i, 2, n, v[i]) >= 0", "forall(k, 1, n, v[k] >= 0)", naturals=("n",)),
    ),
    "an upper end of the number stays": (
        induct(
            "n",
            IDENTITY,
            at(0, at(2, cone(of(4), of(5)), m="n"), {"n <= K - 1": cone(of(3))}, k="n"),
        ),
        sequent("r[n] <= r[0]", FALLS, "n <= K", naturals=("n", "K")),
    ),
    "the last term apart": (
        {
            "kind": "unroll",
            "of": "sum(i, 1, n + 1, f[i])",
            "end": "last",
            "then": {"kind": "identity", "modulo": [[0, "1"]]},
        },
        sequent("sum(i, 1, n + 1, f[i]) == sum(i, 1, n, f[i]) + f[n + 1]", naturals=("n",)),
    ),
    "an empty product is one": (
        {
            "kind": "unroll",
            "of": "prod(i, 1, 0, f[i])",
            "end": "empty",
            "long": POSITIVE,
            "then": {"kind": "identity", "modulo": [[0, "1"]]},
        },
        sequent("prod(i, 1, 0, f[i]) == 1"),
    ),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_an_honest_proof_is_accepted(name: str) -> None:
    cert, what = ACCEPTED[name]
    check(cert, what, {}, Tally())


REFUSED = {
    "an index beyond the end": (
        at(0, LAST, k="6"),
        sequent("r[7] <= r[6]", "forall(k, 0, 5, r[k+1] <= r[k])"),
        "outside the range",
    ),
    "an index before the start": (
        at(0, LAST, k="-1"),
        sequent("r[0] <= r[-1]", "forall(k, 0, 5, r[k+1] <= r[k])"),
        "outside the range",
    ),
    "an index that is no integer": (
        at(0, LAST, k="1/2"),
        sequent("r[3/2] <= r[1/2]", "forall(k, 0, 5, r[k+1] <= r[k])"),
        "not an integer",
    ),
    "a real name as an index": (
        at(0, LAST, k="x"),
        sequent("r[x+1] <= r[x]", "forall(k, 0, 5, r[k+1] <= r[k])"),
        "not an integer",
    ),
    "induction that keeps a fact about its number": (
        induct("n", POSITIVE, cone(of(1))),
        sequent("n <= 5", "n <= x", "x <= 5", naturals=("n",)),
        "",
    ),
    "a lower end of the number does not stay": (
        induct("n", POSITIVE, cone(of(0))),
        sequent("n >= 3", "n >= 3", naturals=("n",)),
        "",
    ),
    "a generalised name of which something is known": (
        induct("n", cone(of(0)), cone(of(0)), general=["l"]),
        sequent("l <= 7", "l <= 7", naturals=("n", "l")),
        "",
    ),
    "a base at the wrong start": (
        induct("n", IDENTITY, cone(of(0)), start="3"),
        sequent("n >= 3", naturals=("n",)),
        "",
    ),
    "a base without a value": (
        induct("n", POSITIVE, POSITIVE),
        sequent("n/n >= 0", "n >= 1", naturals=("n",)),
        "not shown to be defined",
    ),
    "an induction over a real number": (
        induct("x", IDENTITY, IDENTITY),
        sequent("x == x"),
        "natural numbers of the goal",
    ),
    "the hypothesis under a name that is taken": (
        {**induct("n", IDENTITY, IDENTITY), "as": "k"},
        sequent("n == n", naturals=("n", "k")),
        "already in use",
    ),
    "the last term of a sum that may be empty": (
        {
            "kind": "unroll",
            "of": "sum(i, 1, n, f[i])",
            "end": "last",
            "long": POSITIVE,
            "then": {"kind": "identity", "modulo": [[0, "1"]]},
        },
        sequent("sum(i, 1, n, f[i]) == sum(i, 1, n - 1, f[i]) + f[n]", naturals=("n",)),
        "",
    ),
    "a sum that is not empty": (
        {
            "kind": "unroll",
            "of": "sum(i, 1, n, f[i])",
            "end": "empty",
            "long": POSITIVE,
            "then": {"kind": "identity", "modulo": [[0, "1"]]},
        },
        sequent("sum(i, 1, n, f[i]) == 0", naturals=("n",)),
        "",
    ),
    "a factor of a power that may have none": (
        {
            "kind": "unroll",
            "of": "x**(n - k)",
            "end": "last",
            "long": cone(of(0)),
            "defined": {"n - k is natural": cone(of(0))},
            "then": {"kind": "identity", "modulo": [[1, "1"]]},
        },
        sequent("x**(n - k) == x**(n - k - 1)*x", "n >= k", naturals=("n", "k")),
        "",
    ),
    "a power whose exponent is not shown to be natural": (
        {"kind": "unroll", "of": "x**(n - k)", "end": "last", "long": cone(of(0)), "then": IDENTITY},
        sequent("x == x", "n >= k + 1", naturals=("n", "k")),
        "not shown to be defined: n - k is natural",
    ),
    "an exponent that is not negative and no integer": (
        {
            "kind": "unroll",
            "of": "x**y",
            "end": "last",
            "long": cone(of(0)),
            "defined": {"y is natural": cone(of(0), {"c": "1"})},
            "then": IDENTITY,
        },
        sequent("x == x", "y >= 1"),
        "not shown to be defined: y is natural",
    ),
    "half of a natural number as an exponent": (
        {
            "kind": "unroll",
            "of": "x**(n/2)",
            "end": "last",
            "long": cone(of(0)),
            "defined": {"n/2 is natural": cone(of(0), {"c": "1"})},
            "then": IDENTITY,
        },
        sequent("x == x", "n/2 >= 1", naturals=("n",)),
        "not shown to be defined: n/2 is natural",
    ),
    "the first factor of a power": (
        {"kind": "unroll", "of": "x**n", "end": "first", "long": cone(of(0)), "then": IDENTITY},
        sequent("x == x", "n >= 1", naturals=("n",)),
        "sums and products have a first",
    ),
    "a power of a matrix": (
        {"kind": "unroll", "of": "[[1, 1], [0, 1]]**n", "end": "last", "long": cone(of(0)), "then": IDENTITY},
        sequent("x == x", "n >= 1", naturals=("n",)),
        "is a matrix, and a number is needed",
    ),
    "a divisor below a sum by a fact over a shorter range": (
        {
            "kind": "unroll",
            "of": "sum(i, 2, n, 1/v[i])",
            "end": "last",
            "long": cone(of(1)),
            "defined": {"v[i] != 0": {"side": ">", "kept": True, "proof": at(0, cone(of(4)), {}, k="i")}},
            "then": IDENTITY,
        },
        sequent("x == x", "forall(k, 3, n, v[k] > 0)", "n >= 2", naturals=("n",)),
        "not shown: i >= 3, so the index may lie outside the range",
    ),
    "terms by a fact over a shorter range": (
        {
            "kind": "termwise",
            "over": "sum",
            "index": "i",
            "kept": True,
            "rest": IDENTITY,
            "each": at(0, cone(of(3)), k="i"),
        },
        sequent("sum(i, 0, n, v[i]) >= 0", "forall(k, 1, n, v[k] >= 0)", naturals=("n",)),
        "not shown: i >= 1, so the index may lie outside the range",
    ),
    "terms at an index that is a number of the facts": (
        {
            "kind": "termwise",
            "over": "sum",
            "index": "j",
            "kept": True,
            "rest": IDENTITY,
            "each": cone(of(0)),
        },
        sequent("sum(i, 1, n, v[i]) >= 0", "v[j] >= 0", naturals=("n", "j")),
        "already in use",
    ),
    "terms over an integer that may be negative, kept": (
        {
            "kind": "termwise",
            "over": "sum",
            "index": "i",
            "kept": True,
            "rest": IDENTITY,
            "each": POSITIVE,
        },
        sequent("sum(i, -3, n, i) >= 0", naturals=("n",)),
        "is not a natural number by its form",
    ),
    "a mean over a sample, kept": (
        {
            "kind": "termwise",
            "over": "mean",
            "index": "w",
            "kept": True,
            "rest": IDENTITY,
            "each": POSITIVE,
        },
        sequent("mean(w, X[w]**2) >= 0"),
        "not integers by their form",
    ),
    "a term without a value": (
        {"kind": "unroll", "of": "sum(i, 0, n, 1/i)", "end": "last", "then": IDENTITY},
        sequent("x == x", naturals=("n",)),
        "not shown to be defined",
    ),
    "an end that is called oo by a substitution": (
        {"kind": "cite", "claim": "lemma", "with": {"oo": "3"}, "then": IDENTITY},
        sequent("x == x"),
        "",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_near_miss_is_refused(name: str) -> None:
    cert, what, reason = REFUSED[name]
    library = {"lemma": Claim("lemma", ("r[1] <= r[0]",), ("forall(k, 0, 5, r[k+1] <= r[k])",))}
    with pytest.raises(Rejected, match=reason or None):
        check(cert, what, library, Tally())


def test_a_sequence_of_a_cited_claim_is_a_formula_here() -> None:
    lemma = Claim("falls", ("r[2] <= r[0]",), ("forall(k, 0, 1, r[k+1] <= r[k])",))
    put = {"kind": "cite", "claim": "falls", "families": {"r": {"at": ["j"], "is": "a*e[j]"}}, "then": cone(of(2))}
    facts = ("a >= 0", "forall(k, 0, 1, e[k+1] <= e[k])")
    discharge = {"0": at(1, cone(of(0, 4)), {"k <= 1": cone(of(3))}, k="k")}
    check({**put, "discharge": discharge}, sequent("a*e[2] <= a*e[0]", *facts), {"falls": lemma}, Tally())
    with pytest.raises(KernelError):
        check(
            {**put, "discharge": discharge}, sequent("a*e[2] <= a*e[0]", facts[1], facts[1]), {"falls": lemma}, Tally()
        )
    caught = {"kind": "cite", "claim": "falls", "families": {"r": {"at": ["j"], "is": "k*e[j]"}}, "then": cone(of(2))}
    with pytest.raises(KernelError, match="capture"):
        check({**caught, "discharge": discharge}, sequent("k*e[2] <= k*e[0]", *facts), {"falls": lemma}, Tally())


@pytest.mark.parametrize("given", ["forall(k, 0, oo, r[k+1] <= r[k])", "x <= oo"])
def test_a_claim_names_its_last_index(given: str) -> None:
    with pytest.raises(Malformed):
        Claim("c", ("r[1] <= r[0]",), (given,))
