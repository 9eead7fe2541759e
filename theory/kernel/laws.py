"""What the kernel knows about exponentials, logarithms, sines and cosines: textbook facts, cited like any claim.

Everything else about these functions is proved from here. A law is cited by its name and each of its hypotheses is
discharged; what it is put in for must be defined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial

from theory.kernel.claim import Claim

SCOPE = "all real numbers that satisfy the hypotheses"


def _law(name: str, says: str, *given: str, naturals: tuple[str, ...] = ()) -> partial[Claim]:
    return partial(Claim, f"law:{name}", (says,), given, naturals=naturals, scope=SCOPE)


class _Laws(Mapping[str, Claim]):
    """Each law by its name; it is read when it is asked for."""

    def __init__(self, laws: Iterable[partial[Claim]]) -> None:
        self._read = {str(law.args[0]): cache(law) for law in laws}

    def __getitem__(self, name: str) -> Claim:
        return self._read[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)


LAWS: Mapping[str, Claim] = _Laws(
    (
        _law("exp-positive", "exp(t) > 0"),
        _law("exp-tangent", "exp(t) >= 1 + t"),
        _law("exp-monotone", "exp(s) <= exp(t)", "s <= t"),
        _law("exp-zero", "exp(t) == 1", "t == 0"),
        _law("exp-inverse", "exp(s)*exp(t) == 1", "s + t == 0"),
        _law("exp-sum", "exp(r) == exp(s)*exp(t)", "r == s + t"),
        _law("exp-multiple", "exp(s) == exp(t)**n", "s == n*t", naturals=("n",)),
        _law("exp-parabola-below", "exp(t) >= 1 + t + t**2/2", "t >= 0"),
        _law("exp-parabola-above", "exp(t) <= 1 + t + t**2/2", "t <= 0"),
        _law("exp-square-above", "exp(t) <= 1 + t + t**2", "t <= 1"),
        _law("exp-cosh", "exp(t) + exp(-t) <= 2*exp(t**2/2)"),
        _law("exp-convex", "exp(r) <= p*exp(s) + (1 - p)*exp(t)", "p >= 0", "p <= 1", "r == p*s + (1 - p)*t"),
        _law("exp-log", "exp(log(t)) == t", "t > 0"),
        _law("log-tangent", "log(t) <= t - 1", "t > 0"),
        _law("log-parabola", "log(1 + t) >= t - t**2/2", "t >= 0"),
        _law("log-exp", "log(exp(t)) == t"),
        _law("log-monotone", "log(s) <= log(t)", "s > 0", "s <= t"),
        _law("log-inverse", "log(s) == -log(t)", "s > 0", "t > 0", "s*t == 1"),
        _law("log-product", "log(r) == log(s) + log(t)", "s > 0", "t > 0", "r == s*t"),
        _law("circle", "sin(t)**2 + cos(t)**2 == 1"),
        _law("sin-sum", "sin(r) == sin(s)*cos(t) + cos(s)*sin(t)", "r == s + t"),
        _law("cos-sum", "cos(r) == cos(s)*cos(t) - sin(s)*sin(t)", "r == s + t"),
        _law("sin-zero", "sin(t) == 0", "t == 0"),
        _law("cos-zero", "cos(t) == 1", "t == 0"),
        _law("sin-tangent", "sin(t) <= t", "t >= 0"),
        _law("cos-parabola", "cos(t) >= 1 - t**2/2"),
    )
)
