r"""The definitions, word for word, in the paper's (x, y) and with full 2d x 2d matrices: slow, and the referee.

B is taken from its definition E[A_t (x) A_t] as a sum over atoms where the design has finitely many, from M(X) = k (2
Sigma X Sigma + tr(Sigma X) Sigma) for elliptical designs. L_var is the double sum over s and t. The field decides the
arithmetic: extended floats, exact rationals, balls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from numerics.designs import Design, Elliptical, Gaussian, IndependentCoordinates, ScaleMixture, StudentT
from numerics.operators import Array, Blocks, StepSizes

from .fields import EXTENDED, Field, as_float


@dataclass(frozen=True, eq=False)
class Definition:
    """One design and one choice of step sizes, written out in a field."""

    field: Field
    dim: int
    eta: Any
    theta: Any
    gamma: Any
    sigma: Any
    jumps: tuple[tuple[Any, Any], ...]  # (weight, A_t for that atom)
    kurtosis: Any = None  # of an elliptical design, when there are no atoms
    mixing: Any = None  # a = mixing xi with independent xi of fourth moments `kurtoses`, when there are no atoms
    kurtoses: tuple[Any, ...] = ()

    @classmethod
    def of(cls, design: Design, steps: StepSizes, field: Field = EXTENDED) -> Definition:
        eta, theta, gamma = field.scalar(steps.eta), field.scalar(steps.theta), field.scalar(steps.gamma)
        finite = design.finite_support()
        if finite is not None:
            outers = [_outer(field, [field.scalar(float(v)) for v in atom]) for atom in finite.atoms]
            weights = [field.scalar(float(w)) for w in finite.weights]
            total = sum(weights[1:], weights[0])
            weights = [w / total for w in weights]  # as doubles they miss 1 by rounding, which would grow with T
            sigma = sum((o * w for o, w in zip(outers[1:], weights[1:], strict=True)), outers[0] * weights[0])
            empty = cls(field, design.dim, eta, theta, gamma, sigma, ())
            jumps = tuple((w, empty.step_matrix(o)) for w, o in zip(weights, outers, strict=True))
            return cls(field, design.dim, eta, theta, gamma, sigma, jumps)
        if isinstance(design, Gaussian | StudentT | ScaleMixture | Elliptical):
            sigma = field.from_array(design.sigma)
            return cls(field, design.dim, eta, theta, gamma, sigma, (), field.scalar(design.kurtosis))
        if isinstance(design, IndependentCoordinates):
            mixing = field.from_array(design.mixing)
            sigma = field.multiply(mixing, field.transpose(mixing))
            laws = tuple(field.scalar(law.kurtosis) for law in design.coordinates)
            return cls(field, design.dim, eta, theta, gamma, sigma, (), None, mixing, laws)
        raise ValueError(
            f"no reference for {type(design).__name__}: its moments are known in doubles only; use method='loop'"
        )

    @property
    def c(self) -> Any:
        return (1 - self.theta) / (1 + self.theta)

    @property
    def q(self) -> Any:
        return (self.eta + self.theta * self.gamma) / (1 + self.theta)

    def step_matrix(self, outer: Any) -> Any:
        """[[O, I - eta a a^T], [-c I, (1 + c) I - q a a^T]] for a given a a^T (or Sigma)."""
        d, get, zero, one = self.dim, self.field.entry, self.field.scalar(0), self.field.scalar(1)
        rows = []
        for i in range(d):
            rows.append([zero] * d + [one * (i == j) - self.eta * get(outer, i, j) for j in range(d)])
        for i in range(d):
            left = [-self.c * (i == j) for j in range(d)]
            rows.append(left + [(1 + self.c) * (i == j) - self.q * get(outer, i, j) for j in range(d)])
        return self.field.matrix(rows)

    @property
    def mean(self) -> Any:
        """A = E A_t."""
        return self.step_matrix(self.sigma)

    def sandwich(self, a: Any, c: Any) -> Any:
        mul = self.field.multiply
        return mul(mul(a, c), self.field.transpose(a))

    def noise(self, m: Any) -> Any:
        """[[eta^2, eta q], [eta q, q^2]] (x) m."""
        get, d = self.field.entry, self.dim
        weights = [[self.eta * self.eta, self.eta * self.q], [self.eta * self.q, self.q * self.q]]
        rows = [[weights[i // d][j // d] * get(m, i % d, j % d) for j in range(2 * d)] for i in range(2 * d)]
        return self.field.matrix(rows)

    def excess(self, c: Any) -> Any:
        """(B - B~)(C)."""
        if self.jumps:
            return self.second_moment(c) + self.sandwich(self.mean, c) * self.field.scalar(-1)
        get, d, mul = self.field.entry, self.dim, self.field.multiply
        y = self.field.matrix([[get(c, d + i, d + j) for j in range(d)] for i in range(d)])
        inner, scale = mul(mul(self.sigma, y), self.sigma), mul(self.sigma, y)
        trace = sum((get(scale, i, i) for i in range(1, d)), get(scale, 0, 0))
        if self.mixing is None:
            return self.noise(inner * (2 * self.kurtosis - 1) + self.sigma * (self.kurtosis * trace))
        white, m = self.sandwich(self.field.transpose(self.mixing), y), len(self.kurtoses)
        extra = [[(trace + (self.kurtoses[i] - 3) * get(white, i, i)) * (i == j) for j in range(m)] for i in range(m)]
        return self.noise(inner + self.sandwich(self.mixing, self.field.matrix(extra)))

    def second_moment(self, c: Any) -> Any:
        """B(C) = E[A_t C A_t^T]."""
        if not self.jumps:
            return self.sandwich(self.mean, c) + self.excess(c)
        terms = [self.sandwich(a, c) * w for w, a in self.jumps]
        return sum(terms[1:], terms[0])

    def zero(self) -> Any:
        return self.field.matrix([[self.field.scalar(0)] * (2 * self.dim)] * (2 * self.dim))

    def start(self, x0: Array) -> Any:
        """Second moment of (x_0, x_0)."""
        doubled = [self.field.scalar(float(v)) for v in (*x0, *x0)]
        return self.field.matrix([[a * b for b in doubled] for a in doubled])

    def variance_sequence(self, noise: Any, horizon: int) -> list[Any]:
        """C_0, ..., C_T."""
        push, out = self.noise(noise), [self.zero()]
        for _ in range(horizon):
            out.append(self.second_moment(out[-1]) + push)
        return out

    def bias_sequence(self, x0: Array, horizon: int) -> list[Any]:
        """B_0, ..., B_T."""
        out = [self.start(x0)]
        for _ in range(horizon):
            out.append(self.second_moment(out[-1]))
        return out

    def core_sequence(self, m: Any, horizon: int) -> list[Any]:
        """Pi_0(M), ..., Pi_T(M)."""
        push, a, out = self.noise(m), self.mean, [self.zero()]
        for _ in range(horizon):
            out.append(self.sandwich(a, out[-1]) + push)
        return out

    def layer_sequences(self, noise: Any, horizon: int, depth: int) -> list[list[Any]]:
        """C~^(0), ..., C~^(depth) and the remainder C^(depth + 1), each as its sequence over t = 0..T."""
        a, sequences = self.mean, [self.core_sequence(noise, horizon)]
        for _ in range(depth):
            out = [self.zero()]
            for t in range(horizon):
                out.append(self.sandwich(a, out[-1]) + self.excess(sequences[-1][t]))
            sequences.append(out)
        rest = [self.zero()]
        for t in range(horizon):
            rest.append(self.second_moment(rest[-1]) + self.excess(sequences[-1][t]))
        return [*sequences, rest]

    def l_var(self, sequence: list[Any]) -> Any:
        """4/T^2 <diag(Sigma, O), sum_{s,t > T/2} A^max(s-t,0) X_min(s,t) (A^max(t-s,0))^T> for X_0..X_T."""
        horizon, mul, flip = len(sequence) - 1, self.field.multiply, self.field.transpose
        powers = [self._identity()]
        for _ in range(horizon // 2):
            powers.append(mul(self.mean, powers[-1]))
        total = self.field.scalar(0)
        for s in range(horizon // 2 + 1, horizon + 1):
            for t in range(horizon // 2 + 1, horizon + 1):
                left, right = powers[max(s - t, 0)], flip(powers[max(t - s, 0)])
                total = total + self.x_energy(mul(mul(left, sequence[min(s, t)]), right))
        return total * 4 / (horizon * horizon)

    def x_energy(self, c: Any) -> Any:
        """<diag(Sigma, O), C>."""
        return self._energy(c, 0)

    def y_energy(self, c: Any) -> Any:
        """<diag(O, Sigma), C>."""
        return self._energy(c, self.dim)

    def _energy(self, c: Any, shift: int) -> Any:
        get, d = self.field.entry, self.dim
        terms = [get(self.sigma, i, j) * get(c, shift + i, shift + j) for i in range(d) for j in range(d)]
        return sum(terms[1:], terms[0])

    def _keys(self) -> list[tuple[int, int]]:
        return [(i, j) for i in range(2 * self.dim) for j in range(i, 2 * self.dim)]

    def _packed(self, c: Any) -> list[Any]:
        return [self.field.entry(c, *k) for k in self._keys()]

    def _unpacked(self, values: list[Any]) -> Any:
        at = dict(zip(self._keys(), values, strict=True))
        span = range(2 * self.dim)
        return self.field.matrix([[at[min(i, j), max(i, j)] for j in span] for i in span])

    def _columns(self, *, mean_only: bool) -> list[list[Any]]:
        """Images of the unit symmetric matrices, packed: the operator written out, for tiny d only."""
        size, one, zero = len(self._keys()), self.field.scalar(1), self.field.scalar(0)
        units = [self._unpacked([one if m == k else zero for m in range(size)]) for k in range(size)]
        images = [self.sandwich(self.mean, u) if mean_only else self.second_moment(u) for u in units]
        return [self._packed(image) for image in images]

    def stationary(self, push: Any, *, mean_only: bool) -> Any:
        """The fixed point of C = B(C) + push (B~ when mean_only) by a dense solve: for tiny d only."""
        columns, one = self._columns(mean_only=mean_only), self.field.scalar(1)
        size = len(columns)
        rows = [[one * (r == c) - columns[c][r] for c in range(size)] for r in range(size)]
        target = self.field.matrix([[v] for v in self._packed(push)])
        solution = self.field.solve(self.field.matrix(rows), target)
        return self._unpacked([self.field.entry(solution, m, 0) for m in range(size)])

    def leap(self, start: Any, push: Any, steps: int, *, mean_only: bool = False) -> Any:
        """`steps` steps of C <- B(C) + push from `start` by squaring the operator written out: for tiny d only."""
        columns, one, zero = self._columns(mean_only=mean_only), self.field.scalar(1), self.field.scalar(0)
        size, noise = len(columns), self._packed(push)
        rows = [[columns[c][r] for c in range(size)] + [noise[r]] for r in range(size)]
        power = self.field.matrix([*rows, [zero] * size + [one]])
        vector = self.field.matrix([[v] for v in [*self._packed(start), one]])
        while steps:
            if steps & 1:
                vector = self.field.multiply(power, vector)
            steps >>= 1
            if steps:
                power = self.field.multiply(power, power)
        return self._unpacked([self.field.entry(vector, m, 0) for m in range(size)])

    def _identity(self) -> Any:
        n = 2 * self.dim
        return self.field.matrix([[self.field.scalar(int(i == j)) for j in range(n)] for i in range(n)])

    def blocks(self, c: Any) -> Blocks:
        return Blocks.from_full(self.field.to_array(c, 2 * self.dim, 2 * self.dim))


def _outer(field: Field, vector: list[Any]) -> Any:
    return field.matrix([[a * b for b in vector] for a in vector])


def covariance(design: Design, steps: StepSizes, noise: Array, horizon: int, field: Field = EXTENDED) -> Blocks:
    with field.precision():
        it = Definition.of(design, steps, field)
        return it.blocks(it.variance_sequence(field.from_array(noise), horizon)[-1])


def bias_covariance(design: Design, steps: StepSizes, x0: Array, horizon: int, field: Field = EXTENDED) -> Blocks:
    with field.precision():
        it = Definition.of(design, steps, field)
        return it.blocks(it.bias_sequence(x0, horizon)[-1])


def core_covariance(design: Design, steps: StepSizes, m: Array, horizon: int, field: Field = EXTENDED) -> Blocks:
    with field.precision():
        it = Definition.of(design, steps, field)
        return it.blocks(it.core_sequence(field.from_array(m), horizon)[-1])


def layers(
    design: Design, steps: StepSizes, noise: Array, horizon: int, depth: int, field: Field = EXTENDED
) -> list[Blocks]:
    with field.precision():
        it = Definition.of(design, steps, field)
        return [it.blocks(s[-1]) for s in it.layer_sequences(field.from_array(noise), horizon, depth)]


def l_var_values(
    design: Design,
    steps: StepSizes,
    horizon: int,
    *,
    noise: Array | None = None,
    start: Array | None = None,
    depth: int | None = None,
    mean_only: bool = False,
    field: Field = EXTENDED,
) -> Array:
    """L_var of C_t, of B_t, of Pi_t (mean_only) or of every layer and the remainder, by the double sum."""
    with field.precision():
        it = Definition.of(design, steps, field)
        if start is not None:
            sequences = [it.bias_sequence(start, horizon)]
        else:
            r = field.from_array(np.zeros((it.dim, it.dim)) if noise is None else noise)
            if depth is not None:
                sequences = it.layer_sequences(r, horizon, depth)
            else:
                sequences = [it.core_sequence(r, horizon) if mean_only else it.variance_sequence(r, horizon)]
        return np.array([as_float(it.l_var(s)) for s in sequences])
