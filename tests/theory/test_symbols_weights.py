"""Weights follow from definitions, and rescaling an actual problem scales its quantities by them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from graphlib import TopologicalSorter

import numpy as np
import pytest

from tests.sada import SADA, symbol, symbols
from tests.theory.derived_weights import POWERS, Derived, parsed
from theory.claims.symbols import Convention, Symbol, Weight, read_scaling
from theory.detectors.homogeneity import Sections, relations
from theory.detectors.text import text_of
from theory.detectors.weights import Weights

BASE = {"a", "b", "x", "l", "M_psd", "M_blk", "X_seq"}
DERIVED = [s for s in symbols().values() if s.derivation]
HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("a", (1, 0)),
        ("x", (-1, 0)),
        ("Sigma", (2, 0)),
        ("mu", (2, 0)),
        ("lam", (2, 0)),
        ("R2", (2, 0)),
        ("kappa", (0, 0)),
        ("kappa_tilde", (0, 0)),
        ("dl", (0, 1)),
        ("L_l", (0, 1)),
        ("mu_l", (0, 1)),
        ("alpha", (0, 0)),
        ("F", (0, 1)),
        ("grad", (1, 1)),
        ("H", (2, 1)),
        ("Q", (2, 2)),
        ("h", (0, -1)),
        ("eta", (-2, 0)),
        ("gamma_", (-2, 0)),
        ("theta", (0, 0)),
        ("T", (0, 0)),
        ("K", (0, 0)),
        ("n", (0, 0)),
        ("B", (2, 0)),
        ("L", (0, 0)),
        ("eps", (0, 1)),
        ("D", (-1, 0)),
        ("M_wc", (0, HALF)),
        ("r_k", (-1, 1)),
        ("v_k", (-1, 1)),
    ],
)
def test_a_symbol_has_the_weights_of_the_design(name: str, weights: tuple[Fraction, Fraction]) -> None:
    weight = symbol(name).weight
    assert (weight["s"], weight["r"]) == weights


def derived_weight(entry: Symbol, convention: Convention) -> Weight:
    return Derived(symbols(), convention).of(parsed(entry.derivation))


@pytest.mark.parametrize("entry", DERIVED, ids=lambda entry: entry.name)
def test_the_weight_of_a_derived_symbol_follows_from_its_definition(entry: Symbol) -> None:
    assert derived_weight(entry, Convention.STANDARD) == entry.weight


def names_in(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and part.id in symbols()}


def used_where_h_is_one() -> set[str]:
    """Names in the formulas of those sections and, through derivations, all that they rest on."""
    found: set[str] = set()
    fresh = printed_where_h_is_one()
    while fresh:
        found |= fresh
        fresh = {used for name in fresh for used in names_in(parsed(symbol(name).derivation))} - found
    return found


def printed_where_h_is_one() -> set[str]:
    text, scaling, table = text_of(SADA), read_scaling(SADA.file("symbols")), Weights(symbols().values())
    sections = Sections(SADA, text)
    return {
        one.name
        for block in text.blocks
        for line, chain in relations(block)
        if scaling.convention(line) is Convention.NORMALISED
        for side in chain.sides
        for part in side.walk()
        if part.atom is not None
        for one in table.symbols(part.atom, sections.of(block))
    }


def changed_by_h_one() -> dict[str, Weight]:
    """The weights that the convention h = 1 changes."""
    return {s.name: s.normalised for s in symbols().values() if s.normalised != s.weight}


@pytest.mark.parametrize("name", sorted(used_where_h_is_one() - BASE - {"h"}))
def test_with_h_a_pure_number_the_same_definitions_give_the_weights_of_the_convention(name: str) -> None:
    assert derived_weight(symbol(name), Convention.NORMALISED) == symbol(name).normalised


def test_every_weight_that_the_convention_changes_is_used_where_it_holds() -> None:
    assert set(changed_by_h_one()) <= used_where_h_is_one() | {
        "xp"
    }  # xp is the output itself, before its decomposition


def test_derivations_start_from_the_base_symbols_and_never_go_in_circles() -> None:
    assert {s.name for s in symbols().values() if not s.derivation} == BASE
    used = {
        s.name: {
            node.id
            for node in ast.walk(parsed(s.derivation))
            if isinstance(node, ast.Name) and (node.id in symbols() or node.id not in POWERS)
        }
        for s in symbols().values()
    }
    order = list(TopologicalSorter(used).static_order())
    assert set(order) == set(symbols())


def test_the_convention_changes_weights_by_powers_of_the_weight_of_h_only() -> None:
    unit = symbol("h").weight
    for name, weight in changed_by_h_one().items():
        change = weight - symbol(name).weight
        power = change["r"] / unit["r"]
        assert change == unit.times(power), name
    assert changed_by_h_one()["h"] == Weight()
    assert {"x_in", "eps_t", "R", "C", "sigma_l"} <= set(changed_by_h_one())
    assert not {"r_k", "v_k", "F", "Q", "L_l", "eta"} & set(changed_by_h_one())


# ------------------------------------------------------------------ an actual problem, rescaled

ATOMS = np.array([[1.0, 0.3], [-0.4, 1.2], [0.7, -0.9], [0.2, 0.5]])
LABELS = np.array([0.8, -0.3, 1.1, 0.4])
CHANCE = np.array([0.4, 0.3, 0.2, 0.1])
DRAWS = np.random.default_rng(7).integers(0, 4, size=12)
ANCHOR = np.array([0.6, -0.2])


def measure(s: float, r: float, z: float, h_is_one: bool) -> dict[str, np.ndarray]:
    """Quantities of the rescaled problem, from their definitions, with the loss (u-b)^2/2 + log cosh(u-b)."""
    atoms, labels = s * ATOMS, z * LABELS

    def dl(u: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.asarray(r / z * ((u - b) / z + np.tanh((u - b) / z)))

    def risk(x: np.ndarray) -> float:
        gap = (atoms @ x - labels) / z
        return float(CHANCE @ (r * (gap**2 / 2 + np.log(np.cosh(gap)))))

    def gradient(x: np.ndarray) -> np.ndarray:
        return np.asarray(atoms.T @ (CHANCE * dl(atoms @ x, labels)))

    sigma = (atoms.T * CHANCE) @ atoms
    l_l, mu_l = 2 * r / z**2, r / z**2
    x_star = np.zeros(2)
    for _ in range(200):
        x_star = x_star - np.linalg.solve(l_l * sigma, gradient(x_star))
    q = (atoms.T * (CHANCE * dl(atoms @ x_star, labels) ** 2)) @ atoms
    whitened = np.linalg.solve(np.linalg.cholesky(sigma), atoms.T)
    kappa_tilde = np.linalg.eigvalsh((whitened * CHANCE * (whitened**2).sum(0)) @ whitened.T)[-1]
    radius = np.linalg.cholesky(sigma)
    r2 = np.linalg.eigvalsh(
        np.linalg.solve(radius, np.linalg.solve(radius, (atoms.T * CHANCE * (atoms**2).sum(1)) @ atoms).T)
    )[-1]
    mu = np.linalg.eigvalsh(sigma)[0]
    eta = 1 / (16 * r2)
    gamma, theta = np.sqrt(eta / (kappa_tilde * mu)) / 4, np.sqrt(mu * eta / kappa_tilde) / 4
    h = 1.0 if h_is_one else 0.1 * z**2 / r
    anchor = z / s * ANCHOR
    target = anchor - h * np.linalg.solve(sigma, gradient(anchor))
    x_in, z_in, tail = anchor, anchor, np.zeros(2)
    for step, j in enumerate(DRAWS):
        y_in = (x_in + theta * z_in) / (1 + theta)
        g = h * dl(atoms[j] @ anchor, labels[j]) * atoms[j] + atoms[j] * (atoms[j] @ (y_in - anchor))
        x_in, z_in = y_in - eta * g, theta * y_in + (1 - theta) * z_in - gamma * g
        tail = tail + x_in / 6 if step >= 6 else tail
    noise = -h * dl(atoms @ anchor, labels) + atoms @ (anchor - target)
    as_array: Callable[[object], np.ndarray] = np.asarray
    return {
        "Sigma": sigma, "mu": as_array(mu), "R2": as_array(r2), "kappa_tilde": as_array(kappa_tilde),
        "L_l": as_array(l_l), "mu_l": as_array(mu_l), "alpha": as_array(l_l / mu_l), "H": l_l * sigma, "Q": q,
        "x_star": x_star, "F": as_array(risk(anchor) - risk(x_star)), "grad": gradient(anchor),
        "sigma_star2": as_array(np.trace(np.linalg.solve(l_l * sigma, q))), "eta": as_array(eta),
        "gamma_": as_array(gamma), "theta": as_array(theta), "h": as_array(h), "eps_t": noise,
        "R": (atoms.T * (CHANCE * noise**2)) @ atoms, "x_in": x_in - target, "z_in": z_in - anchor, "g": g,
        "r_k": (tail - target) / h, "xp_star": target - anchor,
    }  # fmt: skip


@pytest.mark.parametrize("convention", list(Convention))
@pytest.mark.parametrize("scales", [(3.0, 1.0, 1.0), (1.0, 2.0, 1.0), (1.0, 1.0, 5.0), (0.5, 7.0, 1.5)])
def test_rescaling_a_problem_scales_every_measured_quantity_by_its_weight(
    convention: Convention, scales: tuple[float, float, float]
) -> None:
    h_is_one = convention is Convention.NORMALISED
    before, after = measure(1.0, 1.0, 1.0, h_is_one), measure(*scales, h_is_one)
    for name, value in before.items():
        weight = symbol(name).weight_in(convention)
        factor = np.prod([scale ** float(weight[key]) for scale, key in zip(scales, "srz", strict=True)])
        np.testing.assert_allclose(after[name], factor * value, rtol=1e-8, atol=1e-12, err_msg=name)
