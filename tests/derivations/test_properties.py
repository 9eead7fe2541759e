"""Derived formulas against runs of the recursion in numpy's doubles, at parameters that hypothesis looks for.

The formula is evaluated with many digits, the recursion runs in doubles: near the borders of the regimes too.
"""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theory.derivation.opinion import evaluate, flat
from theory.papers.sada.derivations import _draws as draws
from theory.papers.sada.derivations.catalogue import derivations

Point = dict[str, Any]
TOLERANCE, NOISE = 1e-6, 1e-13  # relative; and what doubles of order one may lose where the truth is nearly zero
inside = st.floats(0.02, 0.98)
border = st.sampled_from([-1e-4, -1e-7, -1e-9, 1e-9, 1e-7, 1e-4])


@st.composite
def inner(draw: st.DrawFn) -> Point:
    """theta, eta, gamma and a lambda in a regime or beside a border."""
    theta = draw(st.floats(0.01, 0.08))
    eta = draw(st.floats(0.05, 0.5))
    gam = eta * (1.5 + draw(inside) * (1 / (8 * theta) - 1.5))
    v = {"theta": theta, "eta": eta, "gam": gam}
    low, high = map(float, draws.critical({name: mpmath.mpf(value) for name, value in v.items()}))
    share = draw(inside)
    lam = draw(
        st.sampled_from([low * share, low + (high - low) * share, high * (1 + share / 10), 1e-6 / eta])
        | border.map(lambda shift: low * (1 + shift))
        | border.map(lambda shift: high * (1 + shift))
    )
    return {**v, "lam": lam, "k": draw(st.integers(1, 9))}


@st.composite
def pairs(draw: st.DrawFn) -> Point:
    v = draw(inner())
    return {**v, "nu": v["lam"] * draw(st.floats(0.3, 1.5))}


@st.composite
def moments(draw: st.DrawFn) -> Point:
    v = draw(inner())
    entries = {name: draw(st.floats(0.1, 5)) for name in ("m11", "m12", "m21", "m22", "R")}
    return {**v, **entries, "spread": v["lam"] * draw(inside)}


@st.composite
def outer(draw: st.DrawFn) -> Point:
    tp = draw(st.floats(0.02, 0.28))
    names = {"alpha": (1, 40), "Ll": (0.1, 5), "x": (-4, 4), "a": (0.2, 1), "c": (0.01, 3), "L0": (0.1, 9)}
    numbers = {name: draw(st.floats(*ends)) for name, ends in names.items()}
    far = numbers["x"] + draw(st.floats(0.5, 4))
    return {**numbers, "p": far, "tp": tp, "th": tp * draw(st.floats(0.7, 1)), "k": draw(st.integers(1, 12))}


@st.composite
def choices(draw: st.DrawFn) -> Point:
    return {"eta": draw(st.floats(1e-4, 0.06)), "mu": draw(st.floats(1e-3, 0.1)), "kt": draw(st.floats(1, 30))}


FAMILIES = {"inner": inner, "pairs": pairs, "moments": moments, "outer": outer, "choices": choices}


def as_numbers(point: Point, kind: Any) -> Point:
    return {name: value if isinstance(value, int) else kind(value) for name, value in point.items()}


@pytest.mark.parametrize("name", derivations())
def test_the_formula_is_what_a_run_in_doubles_gives(name: str) -> None:
    one = derivations()[name]
    opinion = one.opinion
    assert opinion is not None

    @settings(max_examples=20)
    @given(FAMILIES[opinion.family]())
    def holds(point: Point) -> None:
        with mpmath.workdps(60):
            formula = evaluate(one.derived, opinion.run(as_numbers(point, mpmath.mpf))[0])
        run = flat(opinion.run(as_numbers(point, np.float64))[1])
        scale = max(float(abs(value)) for value in formula)
        assert all(float(abs(a - b)) <= TOLERANCE * scale + NOISE for a, b in zip(formula, run, strict=True)), (
            formula,
            run,
        )

    holds()
