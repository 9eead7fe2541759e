"""False claims about functions and random recursions that were once accepted, each with what it broke."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import Cert
from tests.kernel.test_functions_and_nested_loops import STEPS, WALK, cite, order
from theory.kernel import Claim, KernelError
from theory.kernel.errors import Rejected
from theory.kernel.judge import check_certificate
from theory.kernel.points import check_witness, satisfies_hypotheses


def refused(claim: Claim, proof: Cert, library: dict[str, Claim], reason: str) -> None:
    with pytest.raises(KernelError, match=reason):
        check_certificate(claim, {"goals": [proof], "defined": {}}, library)


def test_two_times_that_may_be_one_are_not_stepped_apart() -> None:
    """At n = 0 the left side is the mean square of a, and not the square of its mean."""
    steps = (("x[0, h]", "x0"), ("x[t+1, h]", "a[w]"))
    says = "E(h, x[k+n+1, h].T @ x[k+1, h]) == norm2(E(w, a[w]))"
    claim = Claim("c", (says,), naturals=("k", "n"), kinds=WALK, steps=steps)
    refused(claim, order(ops=("advance", "advance")), {}, "may be the same time")
    apart = Claim("c", (says.replace("k+n+1", "k+n+2"),), naturals=("k", "n"), kinds=WALK, steps=steps)
    check_certificate(apart, {"goals": [order(ops=("advance", "advance"))], "defined": {}}, {})


TWO = (*WALK, ("y", "vector(d)[nat, H]"), ("p", "sample(H)"))
MALFORMED: dict[str, dict[str, Any]] = {
    "two starts with two numbers, each called as its past, were one start": {
        "says": ("x[0, p] == y[0, p]",), "kinds": TWO,
        "steps": (("x[0, h]", "h*x0"), STEPS[1], ("y[0, g]", "g*x0"), ("y[t+1, g]", "y[t, g] + a[w]")),
    },
    "a start with a number called as the time was cited for another number": {
        "says": ("E(h, x[0, h]) == t*x0",), "kinds": WALK, "steps": (("x[0, h]", "t*x0"), STEPS[1]),
    },
    "a start with a number called as the fresh sample": {
        "says": ("E(h, x[0, h]) == w*x0",), "kinds": WALK, "steps": (("x[0, h]", "w*x0"), STEPS[1]),
    },
    "a time called as the size made the size grow": {
        "says": ("E(h, x[1, h]) == x0 + d*E(w, a[w])",), "kinds": WALK,
        "steps": (STEPS[0], ("x[d+1, h]", "x[d, h] + tr(I(d))*a[w]")),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_a_name_of_the_step_has_no_second_meaning(name: str) -> None:
    with pytest.raises(KernelError, match="rename one"):
        check_certificate(Claim("c", **MALFORMED[name]), {"goals": [order()], "defined": {}}, {})


STEADY = "E(h, {0}[t+2, h]) - E(h, {0}[t+1, h]) == E(h, {0}[t+1, h]) - E(h, {0}[t, h])"
EVEN = Claim(
    "even", (STEADY.format("x"),), naturals=("t",), kinds=(*WALK, ("z", "vector(d)[S]")),
    steps=(STEPS[0], ("x[t+1, h]", "x[t, h] + c*z[w]")),
)  # fmt: skip
FASTER = (("y[0, h]", "x0"), ("y[t+1, h]", "y[t, h] + t*a[w]"))
Z = {"at": ["w0"], "is": "a[w0]"}
CAPTURES: dict[str, Cert] = {
    "the time of the image is a number of the cited claim": {
        "letters": {"x": {"at": ["c", "h0"], "is": "y[c, h0]"}, "z": Z}
    },
    "the time of the image is put in for a number": {
        "with": {"c": "t0"}, "letters": {"x": {"at": ["t0", "h0"], "is": "y[t0, h0]"}, "z": Z}
    },
    "the time of the image is a number in another image": {
        "with": {"c": "1"},
        "letters": {"x": {"at": ["t0", "h0"], "is": "y[t0, h0]"}, "z": {"at": ["w0"], "is": "t0*a[w0]"}},
    },
}  # fmt: skip


@pytest.mark.parametrize("name", CAPTURES)
def test_steps_that_grow_are_not_cited_as_even_steps(name: str) -> None:
    check_certificate(EVEN, {"goals": [order(ops=("advance", "advance"))], "defined": {}}, {})
    kinds = (*WALK[:2], ("y", "vector(d)[nat, H]"), WALK[3])
    claim = Claim("c", (STEADY.format("y"),), naturals=("t",), kinds=kinds, steps=FASTER)
    refused(claim, cite("even", order({"eq": 2}), **CAPTURES[name]), {"even": EVEN}, "rename it")


FUNCTION = (("f", "real[vector(d)]"), ("x", "vector(d)"))


@pytest.mark.parametrize("formula", ["1/x[1]", "log(x[1])", "sqrt(x[1] - 1)"])
def test_a_formula_without_a_value_is_no_function_and_refutes_nothing(formula: str) -> None:
    claim = Claim("c", ("f[x] == f[x]",), kinds=FUNCTION)
    with pytest.raises(Rejected, match="no value there"):
        check_witness(claim, {"d": "1", "x": ["0"], "f": {"of": "x", "is": formula}})


ROOTS = "(x[1] + 3)*(x[1] + 1/2)*x[1]*(x[1] - 1)*(x[1] - 2)"  # all first entries that are tried anyway
TAKEN = {"d": "1", "x": ["5"], "b": {"1": ["7"]}, "p_S": ["1"]}


@pytest.mark.parametrize("other", ["f[x] != 0", "forall(w, sample(S), f[b[w]] != 0)"])
def test_a_hypothesis_for_every_vector_is_tried_at_the_vectors_of_the_point(other: str) -> None:
    """f = 0 everywhere and f != 0 at a vector of the claim contradict each other, and would prove everything."""
    kinds = (*FUNCTION, ("b", "vector(d)[S]"))
    claim = Claim("c", ("E(w, norm2(b[w])) <= 0",), ("forall(u, vector(d), f[u] == 0)", other), kinds=kinds)
    with pytest.raises(Rejected, match="violates the hypothesis forall"):
        satisfies_hypotheses(claim, {**TAKEN, "f": {"of": "x", "is": ROOTS}})


def test_no_number_is_put_in_for_the_time_of_a_cited_step() -> None:
    """Their step t*a[w] was compared at the time t0, and 5 was put in for t0: it was alike with our 5*a[w]."""
    says = "E(h, {0}[t+1, h]) == t*E(w, a[w])"
    growing = (STEPS[0], ("x[t+1, h]", "t*a[w]"))
    theirs = Claim("growing", (says.format("x"),), naturals=("t",), kinds=WALK, steps=growing)
    check_certificate(theirs, {"goals": [order(ops=("advance",))], "defined": {}}, {})
    kinds, steps = (*WALK[:2], ("y", "vector(d)[nat, H]"), WALK[3]), (("y[0, h]", "x0"), ("y[t+1, h]", "5*a[w]"))
    claim = Claim("c", (says.format("y"),), naturals=("t",), kinds=kinds, steps=steps)
    given: Cert = {"with": {"t0": "5"}, "letters": {"x": {"at": ["t0", "h0"], "is": "y[t0, h0]"}}}
    refused(claim, cite("growing", order({"eq": 2}), **given), {"growing": theirs}, "rename it")
