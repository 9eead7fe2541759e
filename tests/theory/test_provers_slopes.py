"""Claims about exp, log, roots and sines by their derivatives; each beside a false one that must not be proved."""

from __future__ import annotations

import pytest

from theory.kernel import Claim
from theory.provers.driver import prove

PAIRS = {
    "a logarithm above its Taylor polynomial": (
        "-log(1-t) - t >= t**2/2", "-log(1-t) - t >= t**2", ["t >= 0", "t < 1"],
    ),
    "a logarithm above a fraction": ("log(1+t) >= 2*t/(2+t)", "log(1+t) >= 2*t/(1+t)", ["t >= 0"]),
    "a logarithm below a root": ("log(x) <= sqrt(x)", "log(x) <= sqrt(x)/2", ["x > 0"]),
    "the bound behind Bernstein's inequality": (
        "exp(x) <= 1 + x + x**2/(2*(1-x/3))", "exp(x) <= 1 + x + x**2/(2*(1-x/4))", ["x >= 0", "x < 3"],
    ),
    "a sine above its Taylor polynomial": ("sin(x) >= x - x**3/6", "sin(x) >= x - x**3/7", ["x >= 0"]),
    "Young's inequality for the exponential": (
        "x*y <= exp(x) + y*log(y) - y", "x*y <= exp(x) + y*log(y) - 2*y", ["y > 0"],
    ),
    "an exponential against a power": ("x**2*exp(-x) <= 4*exp(-2)", "x**2*exp(-x) <= 3*exp(-2)", ["x >= 0"]),
    "logarithms of a product": (
        "log(1+x*y) <= log(1+x) + log(1+y)", "log(1+x*y) <= log(1+x) + log(1+y)/2", ["x >= 0", "y >= 0"],
    ),
}  # fmt: skip

MEANS = {
    "Jensen for the exponential": ("E(w, exp(X[w])) >= exp(E(w, X[w]))", []),
    "Gibbs": (
        "sum(i, 1, n, p[i]*log(p[i]/q[i])) >= 0",
        ["forall(i, 1, n, p[i] > 0)", "forall(i, 1, n, q[i] > 0)", "sum(i, 1, n, p[i]) == sum(i, 1, n, q[i])"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MEANS)
def test_tangents_bound_sums_and_means(name: str) -> None:
    says, given = MEANS[name]
    assert prove(Claim(name, (says,), tuple(given), naturals=("n",) if "n" in says.split(", ") else ()), {}) is not None


def test_a_convergent_series_stays_below_its_telescope() -> None:
    assert prove(Claim("c", ("sum(k, 1, n, 1/k**2) <= 2",), naturals=("n",)), {}) is not None


@pytest.mark.parametrize("name", PAIRS)
def test_derivatives_prove_the_true_one_of_two(name: str) -> None:
    true, _, given = PAIRS[name]
    assert prove(Claim(name, (true,), tuple(given)), {}) is not None


@pytest.mark.parametrize("name", PAIRS)
def test_derivatives_do_not_prove_the_false_one(name: str) -> None:
    from theory.kernel.judge import sequent_of
    from theory.provers import slopes
    from theory.provers.effort import normal
    from theory.provers.search import search

    _, false, given = PAIRS[name]
    claim = Claim(name, (false,), tuple(given))
    assert slopes.find(sequent_of(claim, claim.goals[0]), normal(), search) is None
