"""Weighted sums of squares as a semidefinite program: target = sum over blocks of g * z^T Q z with Q >= 0.

A block has a weight polynomial g (a product of facts) and a basis z of polynomials. `propose` asks an interior-point
solver for Gram matrices that are as far inside the cone as possible; they are floats and prove nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mpoly, nmod_mat

from theory.provers.linear import Column, Exponents, exponents, to_float

Matrix = Any
ITERATIONS = 60
PRIME = 2**61 - 1


@dataclass(frozen=True, slots=True)
class Block:
    """The squares that may be multiplied by one product of facts (`strict` when all of these are strict)."""

    factors: tuple[int, ...]
    weight: fmpq_mpoly
    basis: tuple[fmpq_mpoly, ...]
    strict: bool = False

    def on(self, basis: Iterable[fmpq_mpoly]) -> Block:
        """The same products with another basis of squares."""
        return replace(self, basis=tuple(basis))

    def pairs(self) -> Iterator[tuple[int, int]]:
        for j in range(len(self.basis)):
            for i in range(j + 1):
                yield i, j


@dataclass(frozen=True)
class System:
    """target = sum of Gram entries * polynomials + sum of free columns; one unknown for every pair of a block."""

    target: fmpq_mpoly
    blocks: tuple[Block, ...]
    free: tuple[Column, ...] = ()

    @property
    def size(self) -> int:
        return sum(len(b.basis) * (len(b.basis) + 1) // 2 for b in self.blocks) + len(self.free)

    @cached_property
    def columns(self) -> list[dict[Exponents, fmpq]]:
        """The polynomial that multiplies each unknown, block by block, then the free ones."""
        result = []
        for block in self.blocks:
            weighted = [block.weight * b for b in block.basis]
            for i, j in block.pairs():
                poly = weighted[i] * block.basis[j]
                result.append(exponents(poly if i == j else poly * 2))
        return result + [exponents(column.poly) for column in self.free]

    @cached_property
    def rows(self) -> dict[Exponents, int]:
        found = sorted({m for column in self.columns for m in column} | set(exponents(self.target)))
        return {m: i for i, m in enumerate(found)}

    @cached_property
    def echelon(self) -> tuple[list[int], list[int], bool]:
        """Rows and columns of an invertible part of the equations, and whether the target is in their span.

        Worked out modulo a prime; columns with few entries come first.
        """
        order = sorted(range(self.size), key=lambda j: (len(self.columns[j]), j))
        width = self.size + 1
        table = [0] * (len(self.rows) * width)
        for k, column in enumerate([*(self.columns[j] for j in order), exponents(self.target)]):
            for m, c in column.items():
                table[self.rows[m] * width + k] = int(c.p) * pow(int(c.q), -1, PRIME) % PRIME
        matrix = nmod_mat(len(self.rows), width, table, PRIME)
        columns = _leading(matrix)
        rows = _leading(matrix.transpose())
        solvable = not columns or columns[-1] != self.size
        return rows, [order[k] for k in columns if k != self.size], solvable

    def unpack(self, values: Sequence[Any]) -> list[list[list[Any]]]:
        """The unknowns as symmetric matrices."""
        stream = iter(values)
        result = []
        for block in self.blocks:
            n = len(block.basis)
            matrix = [[values[0]] * n for _ in range(n)]
            for i, j in block.pairs():
                matrix[i][j] = matrix[j][i] = next(stream)
            result.append(matrix)
        return result


def _leading(matrix: nmod_mat) -> list[int]:
    reduced, rank = matrix.rref()
    return [next(j for j, x in enumerate(row) if x != 0) for row in reduced.tolist()[:rank]]


def peeled(system: System) -> System | None:
    """Without monomials whose squares cannot be matched; None when the target cannot be reached at all.

    Where a monomial arises only from squares, all with one sign, and the target lacks it, these squares are absent.
    This is the Newton polytope argument, and it also serves blocks with weights.
    """
    code = _coder(system)
    if code is None:
        return None
    target = {code(m): 1 if c > 0 else -1 for m, c in exponents(system.target).items()}
    fixed = {code(m) for column in system.free for m in exponents(column.poly)}
    weights = [{code(m): 1 if c > 0 else -1 for m, c in exponents(b.weight).items()} for b in system.blocks]
    bases = [np.array([code(next(iter(exponents(p)))) for p in b.basis], dtype=np.int64) for b in system.blocks]
    keep = [np.arange(len(b)) for b in bases]
    while True:
        signs, mixed = _arising([b[k] for b, k in zip(bases, keep, strict=True)], weights)
        drop: set[tuple[int, int]] = set()
        for monomial, entries in signs.items():
            if monomial in mixed or monomial in fixed or len({s for _, _, s in entries}) != 1:
                continue
            if monomial not in target:
                drop |= {(k, i) for k, i, _ in entries}
            elif target[monomial] != entries[0][2]:
                return None
        if not drop:
            break
        keep = [np.array([x for i, x in enumerate(kept) if (k, i) not in drop], int) for k, kept in enumerate(keep)]
    if any(m not in signs and m not in mixed and m not in fixed for m in target):
        return None
    blocks = [b.on(b.basis[i] for i in kept) for b, kept in zip(system.blocks, keep, strict=True) if len(kept)]
    return System(system.target, tuple(blocks), system.free)


def _coder(system: System) -> Callable[[Exponents], int] | None:
    """Monomials as integers, such that products are sums; None when they do not fit."""
    polys = [system.target, *(b.weight for b in system.blocks), *(p for b in system.blocks for p in b.basis)]
    most = max(max((int(d) for d in p.degrees()), default=0) for p in polys)
    bits = (4 * most + 1).bit_length()
    if bits * system.target.context().nvars() > 62:
        return None
    return lambda m: sum(e << (bits * i) for i, e in enumerate(m))


def _arising(
    bases: Sequence[Matrix], weights: Sequence[dict[int, int]]
) -> tuple[dict[int, list[tuple[int, int, int]]], set[int]]:
    """Where each monomial arises: from which squares with which sign, and whether from a mixed product, too."""
    signs: dict[int, list[tuple[int, int, int]]] = {}
    mixed: set[int] = set()
    for k, (basis, weight) in enumerate(zip(bases, weights, strict=True)):
        upper, lower = np.triu_indices(len(basis), 1)
        crossed = np.unique(basis[upper] + basis[lower])
        for monomial, sign in weight.items():
            mixed.update((crossed + monomial).tolist())
            for i, square in enumerate((2 * basis + monomial).tolist()):
                signs.setdefault(square, []).append((k, i, sign))
    return signs, mixed


def by_parity(blocks: Sequence[Block], target: fmpq_mpoly) -> list[Block]:
    """Blocks split by sign symmetry: x -> -x leaves target and weights alone, so classes of monomials do not mix."""
    support = [m for p in (target, *(b.weight for b in blocks)) for m in exponents(p)]
    echelon: list[int] = []
    for m in support:
        value = _reduce(sum((e & 1) << i for i, e in enumerate(m)), echelon)
        if value:
            echelon = sorted((*echelon, value), reverse=True)
    result = []
    for block in blocks:
        classes: dict[int, list[fmpq_mpoly]] = {}
        for b in block.basis:
            (m,) = exponents(b)
            classes.setdefault(_reduce(sum((e & 1) << i for i, e in enumerate(m)), echelon), []).append(b)
        result += [block.on(part) for part in classes.values()]
    return result


def _reduce(value: int, echelon: Sequence[int]) -> int:
    for row in echelon:
        value = min(value, value ^ row)
    return value


def propose(system: System, seconds: float = float("inf")) -> tuple[float, list[Matrix], np.ndarray[Any, Any]] | None:
    """The largest t <= 1 such that all Gram matrices minus t times the identity are semidefinite, and the matrices."""
    try:
        import clarabel
    except ImportError:
        return None
    from scipy.sparse import csc_array

    independent, _, solvable = system.echelon
    if not solvable:
        return None
    a, b = numeric(system)
    a, b = a.tocsr()[independent], b[independent]
    scale = float(np.abs(b).max(initial=0.0)) or 1.0
    unknowns, sizes = system.size, [len(block.basis) for block in system.blocks]
    entries = [(i, j + 1, v) for i, j, v in zip(*_coordinates(a), strict=True)]
    height = a.shape[0]
    bounds = [*(b / scale), 1.0]
    entries.append((height, 0, 1.0))
    height += 1
    cones = [clarabel.ZeroConeT(a.shape[0]), clarabel.NonnegativeConeT(1)]
    column = 1
    for block, n in zip(system.blocks, sizes, strict=True):
        for i, j in block.pairs():
            entries.append((height, column, -1.0 if i == j else -(2.0**0.5)))
            if i == j:
                entries.append((height, 0, 1.0))
            bounds.append(0.0)
            height, column = height + 1, column + 1
        cones.append(clarabel.PSDTriangleConeT(n))
    rows, cols, data = zip(*entries, strict=True)
    matrix = csc_array((data, (rows, cols)), shape=(height, unknowns + 1))
    cost = np.zeros(unknowns + 1)
    cost[0] = -1.0
    answer = clarabel.DefaultSolver(
        csc_array((unknowns + 1, unknowns + 1)), cost, matrix, np.array(bounds), cones, _settings(clarabel, seconds)
    ).solve()
    x = np.array(answer.x)
    if not np.all(np.isfinite(x)) or any(word in str(answer.status) for word in ("Infeasible", "NumericalError")):
        return None
    values = x[1:] * scale
    grams = [np.array(g, dtype=float) for g in system.unpack(list(values))]
    return float(x[0]), grams, values


def _settings(clarabel: Any, seconds: float) -> Any:
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_iter = ITERATIONS
    settings.max_threads = 1
    settings.time_limit = seconds
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10
    return settings


def numeric(system: System) -> tuple[Any, np.ndarray[Any, Any]]:
    """The linear equations in floats: one row for every monomial."""
    from scipy.sparse import coo_array

    data, row, col = [], [], []
    for j, column in enumerate(system.columns):
        for m, c in column.items():
            data.append(to_float(c))
            row.append(system.rows[m])
            col.append(j)
    b = np.zeros(len(system.rows))
    for m, c in exponents(system.target).items():
        b[system.rows[m]] = to_float(c)
    return coo_array((data, (row, col)), shape=(len(b), len(system.columns))).tocsc(), b


def _coordinates(a: Any) -> tuple[list[int], list[int], list[float]]:
    coo = a.tocoo()
    return coo.row.tolist(), coo.col.tolist(), coo.data.tolist()
