"""From float Gram matrices to exact ones: null vectors are recovered and divided out, then entries are rounded.

An inequality that is attained somewhere has singular Gram matrices only. Their null spaces are rational in the usual
cases; the basis is restricted to the polynomials that vanish there (facial reduction), and inside the smaller cone
there is room to round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpq_mpoly

from theory.provers.gram import Block, Matrix, System, numeric
from theory.provers.linear import Column, Weighted, exponents

DENOMINATORS = (1, 2, 3, 4, 6, 12, 60, 360, 2**10, 2**14, 2**20, 2**30)
TOLERANCES = (1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
CHANCE = 0.03
CUTS = 4
PLAUSIBLE = 1e-8


def reductions(system: System, grams: Sequence[Matrix]) -> Iterator[System]:
    """Smaller systems in which suspected null vectors are divided out, the clearest gap in the spectrum first."""
    spectra = [np.linalg.eigh(g) for g in grams]
    top = max((float(v[-1]) for v, _ in spectra), default=0.0)
    if top <= 0:
        return
    seen: set[tuple[int, ...]] = set()
    for cut in _gaps(sorted(float(x) / top for v, _ in spectra for x in v)):
        counts = tuple(int((v < cut * top).sum()) for v, _ in spectra)
        if counts in seen or not any(counts):
            continue
        seen.add(counts)
        for tolerance in TOLERANCES:
            blocks = [
                _restricted(block, vectors[:, :count], tolerance)
                for block, (_, vectors), count in zip(system.blocks, spectra, counts, strict=True)
            ]
            smaller = replace(system, blocks=tuple(b for b in blocks if b is not None and b.basis))
            if all(b is not None for b in blocks) and smaller.blocks and smaller.echelon[2]:
                yield smaller
                break


def _gaps(values: list[float]) -> list[float]:
    """Cuts between neighbouring eigenvalues, widest ratio first."""
    floor = 1e-12
    padded = [floor, *(max(v, floor) for v in values)]
    candidates = [(b / a, (a * b) ** 0.5) for a, b in pairwise(padded) if a < 1e-2 and b > 1e-7]
    ordered = [cut for ratio, cut in sorted(candidates, reverse=True) if ratio > 4]
    return [*ordered[:CUTS], 2e-2]


def _restricted(block: Block, null: Matrix, tolerance: float) -> Block | None:
    """The block on polynomials orthogonal to the null vectors; None when these are not near rational ones."""
    if null.shape[1] == 0:
        return block
    pivots, table = _echelon(null.T.copy())
    others = [j for j in range(len(block.basis)) if j not in pivots]
    basis: list[fmpq_mpoly] = []
    for j in others:
        poly = block.basis[j]
        for row, pivot in enumerate(pivots):
            near = simplest(float(table[row, j]), tolerance)
            if near.denominator**2 * tolerance > CHANCE:
                return None
            poly = poly - block.basis[pivot] * fmpq(near.numerator, near.denominator)
        basis.append(poly)
    return block.on(basis)


def simplest(value: float, tolerance: float) -> Fraction:
    """The fraction with the least denominator in the interval value +- tolerance."""
    lo, hi = Fraction(value) - Fraction(tolerance), Fraction(value) + Fraction(tolerance)
    if lo <= 0 <= hi:
        return Fraction(0)
    return _between(lo, hi) if lo > 0 else -_between(-hi, -lo)


def _between(lo: Fraction, hi: Fraction) -> Fraction:
    whole = -(-lo.numerator // lo.denominator)
    if whole <= hi:
        return Fraction(whole)
    floor = whole - 1
    return floor + 1 / _between(1 / (hi - floor), 1 / (lo - floor))


def _echelon(rows: Matrix) -> tuple[list[int], Matrix]:
    """Row reduction with complete pivoting; the columns of the pivots and the reduced rows."""
    pivots: list[int] = []
    for k in range(rows.shape[0]):
        rest = np.abs(rows[k:])
        i, j = divmod(int(np.argmax(np.round(rest / max(rest.max(), 1e-300), 6))), rows.shape[1])
        rows[[k, k + i]] = rows[[k + i, k]]
        rows[k] = rows[k] / rows[k, j]
        for other in range(rows.shape[0]):
            if other != k:
                rows[other] -= rows[other, j] * rows[k]
        pivots.append(j)
    return pivots, rows


def exact(system: System, values: np.ndarray[Any, Any], strict: bool) -> Weighted | None:
    """Rational Gram matrices near the proposed ones, as weighted squares that sum to the target exactly.

    Where `strict`, one of the terms must be positive: a constant times strict facts.
    """
    rows, pivots, _ = system.echelon
    square = fmpq_mat([[fmpq(0)] * len(pivots) for _ in rows])
    place = {r: k for k, r in enumerate(rows)}
    for k, j in enumerate(pivots):
        for m, c in system.columns[j].items():
            if system.rows[m] in place:
                square[place[system.rows[m]], k] = c
    a, b = numeric(system)
    part = a.tocsr()[rows].toarray()
    loose = sorted(set(range(system.size)) - set(pivots))
    inverse = np.linalg.pinv(part[:, pivots])
    for denominator in DENOMINATORS:
        counts = np.round(values * denominator)
        near = counts / denominator
        near[pivots] = inverse @ (b[rows] - part[:, loose] @ near[loose])
        if _plausible(system, near):
            guess = {j: fmpq(int(counts[j]), denominator) for j in loose}
            found = _completed(system, square, pivots, place, guess)
            if found is not None and (not strict or any(column.strict for _, column in found)):
                return found
    return None


def _plausible(system: System, values: np.ndarray[Any, Any]) -> bool:
    """Whether the matrices look semidefinite in floats, before the exact arithmetic is spent."""
    size = 1.0 + float(np.abs(values).max(initial=0.0))
    grams = (np.array(g, dtype=float) for g in system.unpack(values.tolist()))
    return all(float(np.linalg.eigvalsh(g)[0]) > -PLAUSIBLE * size for g in grams)


def _completed(
    system: System, matrix: fmpq_mat, pivots: list[int], place: dict[int, int], guess: dict[int, fmpq]
) -> Weighted | None:
    """Solve for the remaining entries, then check semidefiniteness exactly."""
    right = [fmpq(0)] * len(pivots)
    for m, c in exponents(system.target).items():
        if system.rows[m] in place:
            right[place[system.rows[m]]] += c
    for j, value in guess.items():
        if value != 0:
            for m, c in system.columns[j].items():
                if system.rows[m] in place:
                    right[place[system.rows[m]]] -= c * value
    try:
        solved = matrix.solve(fmpq_mat([[x] for x in right])).tolist()
    except ZeroDivisionError:
        return None
    values = {**guess, **{j: row[0] for j, row in zip(pivots, solved, strict=True)}}
    listed = [values[j] for j in range(system.size)]
    weights: Weighted = []
    for block, gram in zip(system.blocks, system.unpack(listed), strict=True):
        squares = squares_of(gram, block)
        if squares is None:
            return None
        weights += squares
    grams = system.size - len(system.free)
    return weights + [(v, column) for v, column in zip(listed[grams:], system.free, strict=True) if v != 0]


def squares_of(gram: list[list[fmpq]], block: Block) -> Weighted | None:
    """An exact LDL^T factorisation: weights and squares, or None if the matrix is not semidefinite."""
    n = len(gram)
    work = [list(row) for row in gram]
    left = sorted(range(n), key=lambda i: (block.basis[i].is_constant(), -int(block.basis[i].total_degree()), i))
    weights: Weighted = []
    while left:
        if any(work[i][i] < 0 for i in left):
            return None
        pivot = next((i for i in left if work[i][i] != 0), None)
        if pivot is None:
            return weights if all(work[i][j] == 0 for i in left for j in left) else None
        d = work[pivot][pivot]
        ratio = {j: work[pivot][j] / d for j in left}
        square = sum((block.basis[j] * ratio[j] for j in left if ratio[j] != 0), block.weight * 0)
        positive = block.strict and bool(square.is_constant())
        weights.append((d, Column(block.weight * square * square, block.factors, square, strict=positive)))
        left.remove(pivot)
        for i in left:
            if ratio[i] != 0:
                for j in left:
                    work[i][j] = work[i][j] - work[pivot][j] * ratio[i]
    return weights
