"""Identities of the inner loop: both sides computed apart, each by its own definition, on every design.

What is compared is a number: E|v|^2_Sigma, L_var of a sequence, or the Sigma-weight of a covariance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from numerics.covariance import (
    core_average,
    core_covariance,
    covariance,
    enumerate_paths,
    l_var,
    peel,
    variance_average,
)
from numerics.designs import FiniteSupport
from numerics.operators import Array, Blocks, StepSizes
from theory.papers.sada.designs.inner import kept_scenes
from theory.papers.sada.designs.scenes import Scene
from theory.ratios import Observation

LENGTHS = (2, 6, 16)
TIMES = (1, 3, 6)
PATH_LENGTHS = (2, 4)
PATH_STEPS = StepSizes(1 / 16, 1 / 4, 1 / 8)
Sides = Callable[[Scene, int], tuple[float, float]]


def over_scenes(key: str, sides: Sides, counts: tuple[int, ...], name: str) -> Callable[[int], Iterator[Observation]]:
    """Left and right side on every design, for every length."""

    def observe(seed: int) -> Iterator[Observation]:
        for one in {scene.name: scene for scene in kept_scenes(seed)}.values():
            for count in counts:
                left, right = sides(one, count)
                yield Observation(key, one.name, left, {}, setting=f"{name} = {count}", right=right)

    return observe


def tail_average(one: Scene, length: int) -> tuple[float, float]:
    """E|v|^2_Sigma by the second moment of state and sum, and L_var of the covariances C_t."""
    design, steps = one.design, one.chosen.steps
    sequence = [covariance(design, steps, one.r, t) for t in _tail(length)]
    return variance_average(design, steps, one.r, length), l_var(design, steps, sequence, length)


def along_paths(seed: int) -> Iterator[Observation]:
    """E|v|^2_Sigma as the mean over all sequences of samples, in rationals, and L_var of the covariances C_t."""
    for words, atoms in (("d = 1", [[1.0], [0.5]]), ("d = 2", [[1.0, 0.0], [0.5, 0.5]])):
        a = np.repeat(np.array(atoms), 2, axis=0)
        signs, weights = np.array([1.0, -1.0, 2.0, -2.0]), np.full(4, 0.25)
        design, noise = FiniteSupport(a, weights), (a.T * weights * signs**2) @ a
        for length in PATH_LENGTHS:
            left = enumerate_paths(a, weights, signs, PATH_STEPS, np.zeros(a.shape[1]), length).tail_risk(design.sigma)
            sequence = [covariance(design, PATH_STEPS, noise, t) for t in _tail(length)]
            right = l_var(design, PATH_STEPS, sequence, length)
            name = f"4 atoms with labels of two signs, {words}"
            yield Observation("lem:v-L-var", name, float(left), {}, setting=f"T = {length}, all paths", right=right)


def sum_of_layers(one: Scene, time: int) -> tuple[float, float]:
    """<diag(Sigma, O), C_t>, of the covariance itself and of its layers 0, ..., t."""
    design, steps = one.design, one.chosen.steps
    layers = peel(design, steps, one.r, time, time).layers
    return _weight(one, covariance(design, steps, one.r, time)), sum(_weight(one, layer) for layer in layers)


def by_directions(one: Scene, length: int) -> tuple[float, float]:
    """L_var of Pi_t(R) by its definition, and as a sum of squares over the eigenvalues."""
    return _definition(one, length), core_average(one.design, one.chosen.steps, one.r, length)


def by_matrices(one: Scene, length: int) -> tuple[float, float]:
    """L_var of Pi_t(R) by its definition, and by A_p and B_p: sums of powers on both sides of Pi and of the noise."""
    steps, half = one.chosen.steps, length // 2
    total = 0.0
    vectors, lam = one.design.eigenvectors, one.design.eigenvalues
    middle = core_covariance(one.design, steps, one.r, half + 1)
    for i, (value, noise) in enumerate(zip(lam, one.turned(one.r), strict=True)):
        u = vectors[:, i]
        sums = _sums(steps.mean_block(value), half)
        pi = np.array([[u @ middle.c11 @ u, u @ middle.c12 @ u], [u @ middle.c12 @ u, u @ middle.c22 @ u]])
        push = noise * np.outer([steps.eta, steps.q], [steps.eta, steps.q])
        parts = [sums[-1] @ pi @ sums[-1].T, *(power @ push @ power.T for power in sums[:-1])]
        total += value * sum(part[0, 0] for part in parts)
    return _definition(one, length), 4 * total / length**2


def mixture(one: Scene, length: int) -> tuple[float, float]:
    """L_var of 2 X_t - 3 Y_t and the mixture of both, for X_t = C_t and Y_t = Pi_t(R)."""
    design, steps = one.design, one.chosen.steps
    x = [covariance(design, steps, one.r, t) for t in _tail(length)]
    y = [core_covariance(design, steps, one.r, t) for t in _tail(length)]
    both = [2 * a + (-3) * b for a, b in zip(x, y, strict=True)]
    apart = 2 * l_var(design, steps, x, length) - 3 * l_var(design, steps, y, length)
    return l_var(design, steps, both, length), apart


def _definition(one: Scene, length: int) -> float:
    steps = one.chosen.steps
    sequence = [core_covariance(one.design, steps, one.r, t) for t in _tail(length)]
    return l_var(one.design, steps, sequence, length)


def _sums(block: Array, count: int) -> list[Array]:
    """I, I + A, ..., I + A + ... + A^(count - 1)."""
    power, total, found = np.eye(2), np.zeros((2, 2)), []
    for _ in range(count):
        total = total + power
        found.append(total)
        power = block @ power
    return found


def _tail(length: int) -> range:
    return range(length // 2 + 1, length + 1)


def _weight(one: Scene, blocks: Blocks) -> float:
    return float(np.sum(one.design.sigma * blocks.c11))
