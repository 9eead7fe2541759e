"""Claims for every number of terms, steps and dimensions, and beyond rational functions, proved without any help."""

from __future__ import annotations

import pytest

from tests.trust.classical import ENDLESS, NATURALS, OUT_OF_REACH
from theory.kernel import Claim, Rejected
from theory.kernel.judge import check_certificate
from theory.kernel.lang import parse, text
from theory.provers.driver import prove
from theory.provers.sums import antidifference
from theory.reading.readable import proof_lines

PROVED: dict[str, tuple[str, ...]] = {
    "a sum on each side": ("sum(i, 1, n, i**3) == sum(i, 1, n, i)**2",),
    "a sum below a number": ("sum(i, 1, n, 1/(i*(i + 1))) < 1",),
    "a sum on the right": ("n*(n + 1) == 2*sum(i, 1, n, i)",),
    "a sum in a sum": ("sum(i, 1, n, sum(j, 1, i, j)) == n*(n + 1)*(n + 2)/6",),
    "a sum of powers of a half": ("sum(i, 0, n, (1/2)**i) <= 2",),
    "a sum of powers of two": ("sum(i, 0, n - 1, 2**i) == 2**n - 1",),
    "a geometric sum": ("sum(i, 0, n - 1, x**i) == (1 - x**n)/(1 - x)", "x < 1"),
    "a sum of one number": ("sum(i, 1, n, c) == n*c",),
    "a bound on the left": ("2 - 1/n >= sum(i, 1, n, 1/i**2)", "n >= 1"),
    "a bound before the end": ("sum(i, 1, n - 1, 1) <= n", "n >= 1"),
    "a power from a fact about the exponent": ("2**n > n", "n >= 4"),
    "a power with a shifted exponent": ("x**(n + 2) <= x**n", "x >= 0", "x <= 1"),
    "the powers of what is below an exponential": ("(1 - t)**n <= exp(-t*n)", "t <= 1"),
    "the powers of one plus a number": ("(1 + x/2)**n <= exp(n*x/2)", "x >= 0"),
    "the exponential from above": ("exp(x) <= 1/(1 - x)", "x < 1"),
    "the exponential of a sum": ("exp(x + y) >= (1 + x)*(1 + y)", "x >= 0", "y >= 0"),
    "the hyperbolic cosine": ("exp(x) + exp(-x) >= 2",),
    "the logarithm from below": ("log(x) >= 1 - 1/x", "x > 0"),
    "the circle": ("sin(x)**2 <= 1",),
    "Motzkin's form with room": ("x**4*y**2 + x**2*y**4 + z**6 + 1/10**9 > 3*x**2*y**2*z**2",),
    "the variance": ("mean(w, (X[w] - mean(w, X[w]))**2) == mean(w, X[w]**2) - mean(w, X[w])**2",),
}
FALSE: dict[str, tuple[str, ...]] = {
    "a sum missed by little": ("sum(i, 1, n, i) == n*(n + 1)/2 + 1/10**9",),
    "a sum with one term too few": ("sum(i, 1, n - 1, i) == n*(n + 1)/2",),
    "a sum that begins before its bound holds": ("sum(i, 0, n, 1) <= n",),
    "a range that is shorter than empty": ("sum(i, 3, n, 1) == n - 2",),
    "a geometric sum outside": ("sum(i, 0, n, x**i) <= 1/(1 - x)", "x != 1"),
    "Bernoulli too far": ("(1 + x)**n >= 1 + n*x", "x >= -3"),
    "a power that may grow": ("x**(n + 1) <= x**n", "x >= 0"),
    "an iteration that may grow": ("iterate(s, n, x, q*s) <= x", "x >= 0", "q >= 0"),
    "an exponential from the wrong side": ("exp(x) <= 1 + x",),
    "Jensen the other way": ("mean(w, X[w])**2 >= mean(w, X[w]**2)",),
    "Cauchy-Schwarz without a factor": ("sum(i, 1, d, u[i]*v[i])**2 <= sum(i, 1, d, u[i]**2)",),
}


def claim(name: str, says: str, *given: str) -> Claim:
    made = Claim(name, (says,), given)
    naturals = tuple(n for n in NATURALS if n in made.variables)
    return Claim(name, (says,), given, naturals=naturals)


@pytest.mark.parametrize("name", [*PROVED, *(name for name in ENDLESS if name not in OUT_OF_REACH)])
def test_it_is_proved_without_help(name: str) -> None:
    assert prove(claim(name, *(PROVED.get(name) or ENDLESS[name])), {}) is not None


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_not_proved(name: str) -> None:
    assert prove(claim(name, *FALSE[name]), {}) is None


@pytest.mark.parametrize(
    ("total", "potential"),
    [
        ("sum(i, 1, n, i)", "1/2*i*(-1 + i)"),
        ("sum(k, 1, n, 1/(k*(k + 1)))", "-1*k**(-1)"),
        ("sum(i, 0, n, (a*b)**i)", "(a*b)**i*(-1 + a*b)**(-1)"),
        ("sum(i, 1, n, lam[i])", None),
        ("sum(i, 1, n, 1/i)", None),
        ("sum(i, 1, n, sqrt(i))", None),
    ],
)
def test_sympy_proposes_the_function_whose_differences_are_the_terms(total: str, potential: str | None) -> None:
    found = antidifference(parse(total))
    assert (found and text(found)) == potential


GREEK = {
    "by algebra": ("θ**2 + λ**2 >= 2*θ*λ",),
    "with roots": ("θ**2 + sqrt(λ)**2 >= 2*θ*sqrt(λ)", "λ >= 0"),
    "with powers": ("(1 - θ)**n <= exp(-θ*n)", "θ <= 1"),
    "with sums": ("sum(i, 1, n, λ[i]**2) >= 0",),
    "by coefficients": ("θ*(1 + λ) >= θ", "θ >= 0", "λ >= 0"),
}


@pytest.mark.parametrize("name", GREEK)
def test_greek_letters_are_names_like_others(name: str) -> None:
    made = claim(name, *GREEK[name])
    certificate = prove(made, {})
    assert certificate is not None
    assert "\\u" not in "\n".join(proof_lines(made, certificate, {}))


def test_a_refusal_is_written_in_the_letters_of_its_author() -> None:
    made = Claim("greek", ("θ*λ >= 0",))
    wrong = {"schema": 1, "claim": made.digest, "goals": [{"kind": "cone", "terms": [{"c": "1", "sq": "θ"}]}]}
    with pytest.raises(Rejected, match=r"differ by .*θ"):
        check_certificate(made, wrong, {})
