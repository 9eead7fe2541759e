r"""Hyperparameters as printed (main text; appendix "Hyperparameter Choice") and as repaired, with every condition
checked.

Printed in both places, with eta <= 1/(16 R^2):

    gamma = (1/4) sqrt(eta / (kappa~ mu)),    theta = (1/4) sqrt(mu eta / kappa~),
    h_k = 2 alpha theta_k^2 / L_l,    beta_k = (1 - theta_k)/(1 + theta_k),
    theta_k = theta_max for k <= K/2,    4/(4/theta_max + k - K/2) for k > K/2.

Main text:  T >= Omega~(sqrt(kappa~/(mu eta))),  theta_max ~ min{1/sqrt(alpha), T/(alpha^2 kappa~)}, constants hidden.
Appendix:   T >= sqrt(kappa~/(mu eta)) ln kappa(Sigma) ln(4/theta_K^2),    L_eff = 160 (6 L + kappa~ (7 + 16 eta B)),
            theta_max = min{sqrt(1/(12 alpha)), T/(12 sqrt2 alpha L_eff)}.

What the proved theorem needs instead, and `repaired` takes, differs in T only:

    6 kappa(Sigma) exp(-theta T/2) <= theta_K^2,   that is   T >= (2/theta) ln(6 kappa(Sigma)/theta_K^2).

The printed rule multiplies two logarithms where it needs the logarithm of a product, spends the decay of T instead of
T/2 steps, and asks for nothing at all when kappa(Sigma) = 1. T and theta_max depend on each other, so both rules take
the smallest even T that is long enough for its own theta_max.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import ceil, exp, inf, isfinite, sqrt

import numpy as np

from numerics.conditions import (
    Condition,
    effective_smoothness,
    inner_conditions,
    outer_conditions,
    printed_horizon,
    problem_conditions,
    repaired_horizon,
)
from numerics.designs import Design
from numerics.operators import Array, StepSizes

__all__ = [
    "Condition",
    "Hyperparameters",
    "as_printed_appendix",
    "as_printed_main",
    "constants_of",
    "effective_smoothness",
    "printed_horizon",
    "repaired",
    "repaired_horizon",
]
_LONGEST = 2**62


@dataclass(frozen=True)
class Hyperparameters:
    """Every hyperparameter for one problem; build with `as_printed_main`, `as_printed_appendix` or `repaired`."""

    variant: str
    mu: float
    r2: float
    kappa_tilde: float
    condition_number: float  # kappa(Sigma)
    alpha: float
    smoothness: float  # L_l
    noise_b: float  # B of the gradient-noise assumption in the 2-norm
    noise_l: float  # L of the gradient-noise assumption in the Sigma^-1-norm
    eta: float
    theta: float
    gamma: float
    horizon: int  # T
    rounds: int  # K
    theta_max: float

    @property
    def steps(self) -> StepSizes:
        return StepSizes(self.eta, self.theta, self.gamma)

    @property
    def lam_max(self) -> float:
        return self.mu * self.condition_number

    @property
    def decay(self) -> float:
        """exp(-theta T/2): what the bias has lost when the tail average starts."""
        return exp(-self.theta * self.horizon / 2)

    @property
    def l_eff(self) -> float:
        return effective_smoothness(self.eta, self.kappa_tilde, self.noise_b, self.noise_l)

    def l_eff_of_part_two(self, excess_risk: float) -> float:
        """L_eff as the outer-loop section prints it: with the excess risk and 1/T inside."""
        return self.l_eff * excess_risk / self.horizon

    @property
    def theta_max_of_theorem_proof(self) -> float:
        """theta_max as the proof of the theorem prints it: 1/theta_max = min{..., L_l T/(12 sqrt2 alpha L_eff)}."""
        second = self.smoothness * self.horizon / (12 * sqrt(2) * self.alpha * self.l_eff)
        return 1 / min(sqrt(1 / (12 * self.alpha)), second)

    @property
    def outer_theta(self) -> Array:
        """theta_1, ..., theta_K."""
        late = np.maximum(np.arange(1, self.rounds + 1) - self.rounds / 2, 0)
        return np.asarray(4 / (4 / self.theta_max + late))

    @property
    def outer_h(self) -> Array:
        """h_1, ..., h_K."""
        return 2 * self.alpha * self.outer_theta**2 / self.smoothness

    @property
    def outer_beta(self) -> Array:
        """beta_1, ..., beta_K."""
        return (1 - self.outer_theta) / (1 + self.outer_theta)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return (*problem_conditions(self), *inner_conditions(self), *outer_conditions(self))

    def failing(self) -> tuple[Condition, ...]:
        return tuple(c for c in self.conditions if not c.holds)

    def derived(self) -> dict[str, float]:
        """Every derived number by name."""
        steps, theta, h, beta = self.steps, self.outer_theta, self.outer_h, self.outer_beta
        return {
            "kappa = R^2/mu": self.r2 / self.mu,
            "c": steps.c,
            "q": steps.q,
            "rho": steps.rho,
            "n = K T": float(self.rounds) * self.horizon,
            "L_eff": self.l_eff,
            "theta_max": self.theta_max,
            "theta_K": float(theta[-1]),
            "h_1": float(h[0]),
            "h_K": float(h[-1]),
            "beta_1": float(beta[0]),
            "beta_K": float(beta[-1]),
            "exp(-theta T/2)": self.decay,
        }

    def _rows(self) -> Iterator[tuple[str, str]]:
        inputs = ("mu", "r2", "kappa_tilde", "condition_number", "alpha", "smoothness", "noise_b", "noise_l")
        for name in (*inputs, "eta", "theta", "gamma"):
            yield name, f"{getattr(self, name):.6g}"
        yield "T", str(self.horizon)
        yield "K", str(self.rounds)
        for name, value in self.derived().items():
            yield name, f"{value:.6g}"

    def __str__(self) -> str:
        lines = [f"Hyperparameters ({self.variant})"]
        lines += [f"  {name:<24}{value}" for name, value in self._rows()]
        for c in self.conditions:
            mark = "holds" if c.holds else "FAILS"
            lines.append(f"  {mark}  {c.text}  [{c.left:.6g} {c.relation} {c.right:.6g}]  ({c.used_by})")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        values = "".join(f"<tr><th>{html.escape(n)}</th><td>{html.escape(v)}</td></tr>" for n, v in self._rows())
        checks = "".join(
            f"<tr><td>{'holds' if c.holds else '<b>fails</b>'}</td><td>{html.escape(c.text)}</td>"
            f"<td>{c.left:.6g} {html.escape(c.relation)} {c.right:.6g}</td><td>{html.escape(c.used_by)}</td></tr>"
            for c in self.conditions
        )
        head = f"<caption>Hyperparameters, {html.escape(self.variant)}</caption>"
        return f"<table>{head}{values}</table><table><caption>Conditions</caption>{checks}</table>"


def constants_of(design: Design, *, quoted: bool = False) -> dict[str, float]:
    """mu, R^2, kappa~ and kappa(Sigma) of a design, tight or as the paper quotes them: arguments of the builders."""
    r2, kappa_tilde = (design.r2_quoted, design.kappa_tilde_quoted) if quoted else (design.r2, design.kappa_tilde)
    if r2 is None or kappa_tilde is None:
        raise ValueError(f"the paper quotes no R^2 and kappa~ for {type(design).__name__}; use quoted=False")
    return {"mu": design.mu, "r2": r2, "kappa_tilde": kappa_tilde, "condition_number": design.condition_number}


def as_printed_main(
    *,
    mu: float,
    r2: float,
    kappa_tilde: float,
    condition_number: float,
    rounds: int,
    alpha: float = 1.0,
    smoothness: float = 1.0,
    eta: float | None = None,
    horizon: int | None = None,
    noise_b: float | None = None,
    noise_l: float | None = None,
    horizon_constant: float = 1.0,
    theta_constant: float = 1.0,
) -> Hyperparameters:
    """The main text's choice; the two constants stand for what Omega~ and ~ hide."""
    base = _base("main text as printed", mu, r2, kappa_tilde, condition_number, rounds, alpha, smoothness, eta)
    base = _with_noise(base, noise_b, noise_l)
    rule = horizon_constant * sqrt(kappa_tilde / (mu * base.eta))
    chosen = _even(rule) if horizon is None else _checked_even(horizon)
    theta_max = theta_constant * min(1 / sqrt(alpha), chosen / (alpha**2 * kappa_tilde))
    return replace(base, horizon=chosen, theta_max=theta_max)


def as_printed_appendix(
    *,
    mu: float,
    r2: float,
    kappa_tilde: float,
    condition_number: float,
    rounds: int,
    alpha: float = 1.0,
    smoothness: float = 1.0,
    eta: float | None = None,
    horizon: int | None = None,
    noise_b: float | None = None,
    noise_l: float | None = None,
) -> Hyperparameters:
    """The appendix's choice; without a horizon, the smallest even T that its own rule allows."""
    base = _base("appendix as printed", mu, r2, kappa_tilde, condition_number, rounds, alpha, smoothness, eta)

    def needed(last: float) -> float:
        return printed_horizon(mu, base.eta, kappa_tilde, condition_number, last)

    return _capped(_with_noise(base, noise_b, noise_l), needed, horizon)


def repaired(
    *,
    mu: float,
    r2: float,
    kappa_tilde: float,
    condition_number: float,
    rounds: int,
    alpha: float = 1.0,
    smoothness: float = 1.0,
    eta: float | None = None,
    horizon: int | None = None,
    noise_b: float | None = None,
    noise_l: float | None = None,
) -> Hyperparameters:
    """The choice of the proved theorem; without a horizon, the smallest even T that is long enough."""
    base = _base("repaired", mu, r2, kappa_tilde, condition_number, rounds, alpha, smoothness, eta)

    def needed(last: float) -> float:
        return repaired_horizon(base.theta, condition_number, last)

    return _capped(_with_noise(base, noise_b, noise_l), needed, horizon)


def _capped(base: Hyperparameters, needed: Callable[[float], float], horizon: int | None) -> Hyperparameters:
    """theta_max as printed, and T as given or the smallest even one that is at least needed(theta_K)."""

    def at(t: int) -> Hyperparameters:
        second = t / (12 * sqrt(2) * base.alpha * base.l_eff)
        return replace(base, horizon=t, theta_max=min(sqrt(1 / (12 * base.alpha)), second))

    def allowed(t: int) -> bool:
        return t >= needed(float(at(t).outer_theta[-1]))

    return at(_smallest_even(allowed) if horizon is None else _checked_even(horizon))


def _base(
    variant: str,
    mu: float,
    r2: float,
    kappa_tilde: float,
    condition_number: float,
    rounds: int,
    alpha: float,
    smoothness: float,
    eta: float | None,
) -> Hyperparameters:
    for name, value in (("mu", mu), ("r2", r2), ("kappa_tilde", kappa_tilde), ("smoothness", smoothness)):
        if not (isfinite(value) and value > 0):
            raise ValueError(f"{name} = {value}: must be a positive finite number")
    for name, value in (("condition_number", condition_number), ("alpha", alpha)):
        if not (isfinite(value) and value >= 1):
            raise ValueError(
                f"{name} = {value}: a condition number is at least 1; pass the ratio of largest to smallest"
            )
    if isinstance(rounds, bool) or int(rounds) != rounds or rounds < 1:
        raise ValueError(f"rounds K = {rounds}: must be an integer >= 1")
    step = 1 / (16 * r2) if eta is None else float(eta)
    if not (isfinite(step) and step > 0):
        raise ValueError(f"eta = {eta}: must be a positive finite number; leave it out for 1/(16 R^2)")
    theta, gamma = sqrt(mu * step / kappa_tilde) / 4, sqrt(step / (kappa_tilde * mu)) / 4
    StepSizes(step, theta, gamma)  # refuses theta >= 1 with its reason
    return Hyperparameters(
        variant, mu, r2, kappa_tilde, condition_number, alpha, smoothness, inf, inf,
        step, theta, gamma, 2, int(rounds), 1.0,
    )  # fmt: skip


def _with_noise(base: Hyperparameters, noise_b: float | None, noise_l: float | None) -> Hyperparameters:
    """B and L, by default alpha R^2 and alpha kappa~ (the paper's remark on them)."""
    b = base.alpha * base.r2 if noise_b is None else noise_b
    l = base.alpha * base.kappa_tilde if noise_l is None else noise_l
    for name, value in (("noise_b", b), ("noise_l", l)):
        if not (isfinite(value) and value > 0):
            raise ValueError(f"{name} = {value}: must be a positive finite number; leave it out for the default")
    return replace(base, noise_b=b, noise_l=l)


def _even(value: float) -> int:
    return max(2, 2 * ceil(value / 2))


def _checked_even(horizon: int) -> int:
    if isinstance(horizon, bool) or int(horizon) != horizon or horizon < 2 or horizon % 2:
        raise ValueError(f"horizon T = {horizon}: the tail average starts at T/2 + 1; T must be even and at least 2")
    return int(horizon)


def _smallest_even(allowed: Callable[[int], bool]) -> int:
    """The smallest even T >= 2 with allowed(T), for a predicate that stays true once it is."""
    high = 2
    while not allowed(high):
        high *= 2
        if high > _LONGEST:
            raise ValueError("no horizon T below 2^62 satisfies the rule; raise eta or lower kappa(Sigma)")
    low = high // 2
    while high - low > 2:
        middle = 2 * ((low + high) // 4)
        low, high = (low, middle) if allowed(middle) else (middle, high)
    return high
