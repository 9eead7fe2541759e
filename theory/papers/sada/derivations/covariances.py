"""Pi_t at finite t, and the blocks of Pi_infinity between two different eigen-directions."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy

from theory.derivation.value import Derivation, Numbers, Opinion, Setting, Step
from theory.papers.sada.derivations import _runs as runs
from theory.papers.sada.derivations.block import in_letters
from theory.papers.sada.derivations.inverse import BLOCK, letters
from theory.papers.sada.derivations.stationary import NOISE, POINT, STABLE, UNKNOWN, solution
from theory.papers.sada.derivations.symbols import EYE, lam, nu

W = sympy.Matrix(2, 2, sympy.symbols("w11 w12 w21 w22", real=True))
STEP = "A @ P @ A.T + [[eta**2, eta*q], [q*eta, q**2]]"


def at(power: sympy.Matrix) -> sympy.Matrix:
    """Pi_infinity - W Pi_infinity W^T."""
    return solution() - power * solution() * power.T


@lru_cache(maxsize=1)
def finite_time() -> Derivation:
    gap = sympy.MatrixSymbol("Delta", 2, 2)
    found = at(W)
    return Derivation(
        name="Pi_t",
        title="Pi_t for m = 1, with W = A^t (its entries in closed form are the derivation `power`)",
        source="the recursion Pi_t = A Pi_{t-1} A^T + v v^T from Pi_0 = 0",
        derived=found,
        steps=(
            Step("the distance to the limit, Delta_t = Pi_infinity - Pi_t, obeys Delta_t = A Delta_{t-1} A^T", gap),
            Step("so that it is W Pi_infinity W^T with W = A^t", W),
            Step("Pi_t = Pi_infinity - W Pi_infinity W^T", found),
        ),
        letter="P",
        also={"P0": at(EYE), "Pn": at(in_letters() * W)},
        solves=("P0 == [[0, 0], [0, 0]]", f"Pn == {STEP}"),
        setting=Setting(STABLE, BLOCK, example={**POINT, "w11": "1", "w12": "0", "w21": "0", "w22": "1"}),
        opinion=Opinion("inner", _finite),
    )


def _finite(v: Numbers) -> tuple[dict[str, Any], Any]:
    (a, b), (c, d) = runs.matrix(v, v["k"])
    return {**letters(v), "w11": a, "w12": b, "w21": c, "w22": d}, runs.covariance(v, v["k"])


@lru_cache(maxsize=1)
def crossed() -> Derivation:
    left, right = in_letters(), in_letters().subs(lam, nu).T
    solved = sympy.solve(list(UNKNOWN - left * UNKNOWN * right - NOISE), list(UNKNOWN), dict=True)[0]
    found = UNKNOWN.subs(solved).applyfunc(sympy.factor)
    return Derivation(
        name="Pi_cross",
        title="the block of Pi_infinity between the eigenvalues lambda and nu, for a unit entry of M",
        source="the fixed-point equation Pi = A(lambda) Pi A(nu)^T + v v^T",
        derived=found,
        steps=(
            Step("one step of an unknown block", left * UNKNOWN * right + NOISE),
            Step("the block that a step leaves as it is", found),
        ),
        letter="P",
        solves=(
            "P == [[0, 1-eta*lam], [-c, 1+c-q*lam]] @ P @ [[0, 1-eta*nu], [-c, 1+c-q*nu]].T"
            " + [[eta**2, eta*q], [q*eta, q**2]]",
        ),
        setting=Setting(
            (f"{claim_denominator(found)} != 0",),
            example={"c": "1/2", "eta": "1/2", "q": "1/2", "lam": "1", "nu": "1/2"},
            scope="wherever the four equations have one solution",
        ),
        opinion=Opinion("pairs", lambda v: ({**letters(v)}, runs.limit(v, v["nu"]))),
    )


def claim_denominator(found: sympy.Matrix) -> str:
    from theory.derivation.language import claim_text

    return claim_text(sympy.lcm_list([sympy.denom(one) for one in found]))


ALL = (finite_time, crossed)
