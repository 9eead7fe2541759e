r"""The spectral radii of A and of B to fifty digits, from the three-line recursion and the fourth moments as numbers.

One step of (x, z) with gradient g = a a^T y, y = (x + theta z)/(1 + theta), is (x, z)' = (K (x) I + k (x) a a^T)(x, z).
The operator X -> E[step X step^T] is written out on symmetric matrices from the table E a_i a_j a_k a_l, and its
eigenvalues are found with 500 bits. Nothing here knows v, q, c, N, an eigenbasis of Sigma or a cone.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from flint import acb_mat, arb, arb_mat, ctx

from numerics.designs import Design, IndependentCoordinates
from numerics.operators import StepSizes

BITS = 500
Table = dict[tuple[int, int, int, int], Any]


def radii(design: Design, steps: StepSizes) -> tuple[Any, Any]:
    """(radius of A, radius of B) as balls' midpoints."""
    with ctx.workprec(BITS):
        sigma, table = moments(design)
        operator, mean = written_out(steps, sigma, table, design.dim)
        return largest(mean), largest(operator)


def largest(matrix: Any) -> Any:
    values = acb_mat(matrix).eig(algorithm="approx")
    return max((abs(v).mid() for v in values), key=float_key)


def float_key(value: Any) -> tuple[float, float]:
    """Order numbers that agree in many digits."""
    high = float(value)
    return high, float(value - high)


def moments(design: Design) -> tuple[list[list[Any]], Table]:
    """E a_i a_j and E a_i a_j a_k a_l."""
    d = design.dim
    places = list(product(range(d), repeat=4))
    finite = design.finite_support()
    if finite is not None and not isinstance(design, IndependentCoordinates):
        atoms = [[arb(float(v)) for v in atom] for atom in finite.atoms]
        weights = [arb(float(w)) for w in finite.weights]
        pairs = list(zip(weights, atoms, strict=True))
        sigma = [[sum((w * a[i] * a[j] for w, a in pairs), arb(0)) for j in range(d)] for i in range(d)]
        return sigma, {
            (i, j, k, l): sum((w * a[i] * a[j] * a[k] * a[l] for w, a in pairs), arb(0)) for i, j, k, l in places
        }
    if isinstance(design, IndependentCoordinates):
        m = [[arb(float(v)) for v in row] for row in design.mixing]
        sigma = [[sum((x * y for x, y in zip(m[i], m[j], strict=True)), arb(0)) for j in range(d)] for i in range(d)]
        extra = [arb(law.kurtosis) - 3 for law in design.coordinates]
        table = {(i, j, k, l): _wick(sigma, i, j, k, l) for i, j, k, l in places}
        for i, j, k, l in places:
            table[i, j, k, l] += sum((e * m[i][n] * m[j][n] * m[k][n] * m[l][n] for n, e in enumerate(extra)), arb(0))
        return sigma, table
    sigma = [[arb(float(v)) for v in row] for row in design.sigma]
    least = arb(d) / (d + 2)  # attained on spheres; a double below it stands for it
    kurtosis = arb(design.kurtosis)  # type: ignore[attr-defined]
    kurtosis = least if kurtosis < least else kurtosis
    return sigma, {(i, j, k, l): kurtosis * _wick(sigma, i, j, k, l) for i, j, k, l in places}


def _wick(s: list[list[Any]], i: int, j: int, k: int, l: int) -> Any:
    return s[i][j] * s[k][l] + s[i][k] * s[j][l] + s[i][l] * s[j][k]


def written_out(steps: StepSizes, sigma: list[list[Any]], table: Table, d: int) -> tuple[Any, Any]:
    """E[step X step^T] on packed symmetric 2d x 2d matrices, and E step."""
    eta, theta, gamma = arb(steps.eta), arb(steps.theta), arb(steps.gamma)
    y = [1 / (1 + theta), theta / (1 + theta)]
    still = [[y[0], y[1]], [theta * y[0], theta * y[1] + 1 - theta]]
    pull = [[-eta * y[0], -eta * y[1]], [-gamma * y[0], -gamma * y[1]]]
    places = [(r, i) for r in range(2) for i in range(d)]
    unit = [[int(i == j) for j in range(d)] for i in range(d)]

    def mean(row: tuple[int, int], column: tuple[int, int]) -> Any:
        (r, i), (s, j) = row, column
        return still[r][s] * unit[i][j] + pull[r][s] * sigma[i][j]

    def both(row: tuple[int, int], column: tuple[int, int], other: tuple[int, int], across: tuple[int, int]) -> Any:
        (r, i), (s, j), (t, k), (u, l) = row, column, other, across
        fixed = still[r][s] * unit[i][j] * mean(other, across) + pull[r][s] * sigma[i][j] * still[t][u] * unit[k][l]
        return fixed + pull[r][s] * pull[t][u] * table[i, j, k, l]

    keys = [(a, b) for n, a in enumerate(places) for b in places[n:]]
    rows = [[both(a, e, b, f) + (both(a, f, b, e) if e != f else 0) for e, f in keys] for a, b in keys]
    return arb_mat(rows), arb_mat([[mean(a, b) for b in places] for a in places])
