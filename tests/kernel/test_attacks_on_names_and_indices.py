"""False claims that were once proved and true ones that were once refuted: orders of numbers, sizes that were samples,
sequences below zero, parameters that were natural numbers, balls that looked alike."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.kernel.certificates import POSITIVE, Cert, cone, of
from tests.kernel.test_functions_and_nested_loops import STEPS, WALK, cite, order
from theory.kernel import Claim, KernelError
from theory.kernel.errors import Rejected
from theory.kernel.judge import check_certificate
from theory.kernel.points import check_witness

NUMBERS = (("u", "vector(1)"), ("v", "vector(1)"))
SQUARE = (("A", "matrix(n, n)"),)
LOWER = Claim("lower", ("tr(P[k-1]) >= 0",), naturals=("k",), kinds=(("P", "psd(n)[nat]"),))
PLAIN = Claim("plain", ("P[k-1] == P[k-1]",), naturals=("k",), kinds=(("P", "matrix(n, n)[nat]"),))
LIBRARY = {one.id: one for one in (LOWER, PLAIN)}
ODD = {"at": ["i"], "is": "(2*i + 1)*I(n)"}
INVERSES = (
    ("y", "vector(1)"), ("b", "real[S]"), ("H", "history(S)"), ("path", "sample(H)"),
    ("s", "vector(1)[nat, vector(1), H]"), ("r", "vector(1)[nat, vector(1), H]"),
)  # fmt: skip
AT_ONE = (("s[0, u, h]", "(u + 1)**(-1)"), ("s[t+1, u, h]", "s[t, u, h]"))
AT_TWO = (("r[0, u, h]", "(u + 2)**(-1)"), ("r[t+1, u, h]", "r[t, u, h]"))

REFUSED: dict[str, tuple[Claim, Cert, str]] = {
    "a number is below a smaller one": (
        Claim("c", ("u + 1 << u",), kinds=NUMBERS), cone(of()), "differ by",
    ),
    "an order between numbers is read from right to left": (
        Claim("c", ("u >= v",), ("u << v",), kinds=NUMBERS), cone(of(0)), "differ by",
    ),
    "no coefficient is negative, on the wrong side": (
        Claim("c", ("u**2 + 1 << 0",), kinds=NUMBERS), POSITIVE, "negative",
    ),
    "a sequence that is nonnegative from 0 on is so at -1": (
        Claim("c", ("-n >= 0",), kinds=SQUARE),
        cite("lower", order({"of": 1}), **{"with": {"k": "0"}}, letters={"P": ODD},
             signs={"P": order({"L": "I(n)", "c": [{"is": "2*i + 1", "because": POSITIVE}]})}),
        "has indices",
    ),
    "a sequence that has values from 0 on has one at -1": (
        Claim("c", ("tr(A) == tr(A)",), kinds=SQUARE),
        cite("plain", order(), **{"with": {"k": "0"}}, letters={"P": {"at": ["i"], "is": "I(n)/(i + 1)"}}),
        "not shown to be defined",
    ),
    "a state before the first one does not see the fresh sample": (
        Claim("c", ("E(h, x[t-1,h].T@x[t+1,h]) == E(h, x[t-1,h].T@x[t,h]) + E(h, x[t-1,h]).T@E(w, a[w])",),
              naturals=("t",), kinds=WALK, steps=STEPS),
        order(ops=("advance",)), "may be negative",
    ),
    "a vector that is a parameter is no natural number": (
        Claim("c", ("s[0,y,path] - r[0,y,path] == s[0,y,path]*r[0,y,path]",), kinds=INVERSES, steps=(*AT_ONE, *AT_TWO)),
        order(ops=({"use": 0, "at": {"u": "y"}}, {"use": 1, "at": {"u": "y"}})), "not shown to be defined",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_false_proof_is_refused(name: str) -> None:
    claim, proof, reason = REFUSED[name]
    with pytest.raises(KernelError, match=reason):
        check_certificate(claim, {"goals": [proof], "defined": {}}, LIBRARY)


ACCEPTED: dict[str, tuple[Claim, Cert]] = {
    "an order between numbers": (Claim("c", ("u << u + 1",), kinds=NUMBERS), cone(of())),
    "an order between numbers is an inequality": (Claim("c", ("u <= v",), ("u << v",), kinds=NUMBERS), cone(of(0))),
    "every value of a nonnegative sequence is": (LOWER, order({"tr": [{"psd": "P[k-1]"}, {"L": "I(n)"}]})),
    "a sequence that has values everywhere": (
        Claim("c", ("tr(A) == tr(A)",), kinds=SQUARE),
        cite("plain", order(), **{"with": {"k": "0"}}, letters={"P": ODD}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_an_honest_proof_is_accepted(name: str) -> None:
    claim, proof = ACCEPTED[name]
    check_certificate(claim, {"goals": [proof], "defined": {}}, LIBRARY)


RANDOM = (("b", "real[S]"), ("H", "history(S)"), ("x", "vector(1)[nat, H]"), *SQUARE)
TWICE: dict[str, dict[str, Any]] = {
    "a mean": {"says": ("E(n, tr(I(n))*b[n]) == n*E(w, b[w])",)},
    "a fact for every sample": {"says": ("0 <= 1",), "given": ("forall(n, sample(S), b[n] <= tr(I(n)))",)},
    "a fresh sample": {
        "says": ("E(h, x[1, h]) == n*E(w, b[w])",), "steps": (("x[0, h]", "0*tr(A)"), ("x[t+1, h]", "tr(I(n))*b[n]")),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", TWICE)
def test_a_sample_has_not_the_name_of_a_size(name: str) -> None:
    """E(n, tr(I(n))*b[n]) was n*E(b) for the proof and E(w*b[w]) at a point: proved and refuted."""
    with pytest.raises(KernelError, match="n has the name of something else"):
        Claim("c", kinds=RANDOM, **TWICE[name])


UNDECLARED = {
    "forall(w, sample(S), X[w] >= 0)": (),  # tried at the points of S, while the mean was over another space
    "forall(u, vector(1), X[1] >= u)": (),
    "forall(w, sample(S), forall(w, 1, 1, b[w] >= 0))": RANDOM,  # tried at the first sample, and used at all
    "forall(u, vector(n), forall(u, 1, 1, r[u] >= 0))": RANDOM,
}


@pytest.mark.parametrize("given", UNDECLARED)
def test_what_a_hypothesis_ranges_over_is_declared_and_has_one_name(given: str) -> None:
    with pytest.raises(KernelError, match=r"`kinds` declares|rename it"):
        Claim("c", ("0 <= 1",), (given,), kinds=UNDECLARED[given])


def test_two_parameters_that_a_ball_shows_alike_are_two() -> None:
    """At 64 bits both read [1.25000000000000000 +/- 2.17e-19], and the state at the one was taken for the other's."""
    kinds = (*(("y", "vector(1)"), ("z", "vector(1)"), ("b", "real[S]")), *INVERSES[2:3], INVERSES[4])
    says = "sqrt(2)*(E(h, s[0, y, h]) - E(h, s[0, z, h])) == sqrt(2)*(y - z)"
    claim = Claim("c", (says,), kinds=kinds, steps=(("s[0, u, h]", "u"), ("s[t+1, u, h]", "s[t, u, h] + b[w]*u")))
    for bits in range(50, 64):
        low, high = (str(Fraction(5, 4) + Fraction(sign, 2**bits)) for sign in (-1, 1))
        with pytest.raises(Rejected, match="no witness"):
            check_witness(claim, {"y": [high], "z": [low], "b": {"1": "1"}, "p_S": ["1"]})
