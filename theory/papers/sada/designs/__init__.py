"""What the paper bounds, measured on designs by the exact engine (numerics/), to be divided by what its claims say.

`observations(id, seed)` yields them for one statement. A truth never uses the bound that it is compared with; the bound
is read off from the claim (theory/ratios).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from theory.papers.sada.designs import bias, identities, inner, losses, outer, theorem, variants
from theory.papers.sada.designs.inner import along_t, over_designs
from theory.ratios import Observation

Observe = Callable[[int], Iterator[Observation]]


def _both(truth: inner.Truth, *keys: str) -> tuple[Observe, ...]:
    return over_designs(truth, keys), along_t(truth, keys)


OBSERVERS: Mapping[str, tuple[Observe, ...]] = MappingProxyType(
    {
        "thm:full-glm": (theorem.excess_risk(*theorem.READINGS),),
        "thm:glm": (theorem.excess_risk("thm:glm"),),
        "lem:outer-one-step": (outer.one_outer_step,),
        "lem:v-L-var": (
            identities.over_scenes("lem:v-L-var", identities.tail_average, identities.LENGTHS, "T"),
            identities.along_paths,
        ),
        "lem:layer-peeled-decomposition": (
            identities.over_scenes("lem:layer-peeled-decomposition", identities.sum_of_layers, identities.TIMES, "t"),
        ),
        "lem:L-var": (identities.over_scenes("lem:L-var", identities.by_directions, identities.LENGTHS, "T"),),
        "lem:L-var-matrix-form": (
            identities.over_scenes("lem:L-var-matrix-form", identities.by_matrices, identities.LENGTHS, "T"),
        ),
        "lem:L-var-linearity": (
            identities.over_scenes("lem:L-var-linearity", identities.mixture, identities.LENGTHS, "T"),
        ),
        "lem:gradient-noise-I": (losses.growth("lem:gradient-noise-I", inverse=False),),
        "lem:gradient-noise": (losses.growth("lem:gradient-noise", inverse=True),),
        "lem:gradient-bound": (losses.gradient,),
        "lem:noise-bound-Sigma-inverse": (losses.noise("lem:noise-bound-Sigma-inverse", inverse=True),),
        "lem:noise-bound-2-norm": (losses.noise("lem:noise-bound-2-norm", inverse=False),),
        "lem:A-power-bound": (bias.powers,),
        "lem:R2-kappa-lower": (bias.lower_bounds,),
        "lem:r-bound": (bias.short_loop, bias.tail_bias(("lem:r-bound/repaired", "lem:r-bound/sharper"))),
        "lem:bias-bound": (bias.bias_energy,),
        "lem:inner-loop": (
            bias.long_loop,
            bias.tail_bias(("lem:inner-loop/repaired#r",), scale=True),
            *_both(
                inner.variance_h,
                "lem:inner-loop#v, in numbers",
                "lem:inner-loop/sharper#v",
                "lem:inner-loop/sharper#v, T theta >= 8",
            ),
        ),
        "lem:Pi-average-bound": _both(
            inner.core,
            "lem:Pi-average-bound#in numbers",
            "lem:Pi-average-bound/sharper",
            "lem:Pi-average-bound/sharper#2/T",
        ),
        "lem:Pi-increasing": (inner.below_the_limit,),
        "lem:Pi-stationary-bound": (
            over_designs(
                inner.stationary,
                (
                    "lem:Pi-stationary-bound#in numbers",
                    "lem:Pi-stationary-bound/sharper",
                    "lem:Pi-stationary-bound/sharper#2/15 of it",
                ),
            ),
        ),
        "lem:L-var-C-tilde": (
            inner.random_curvature(False, "lem:L-var-C-tilde"),
            *_both(
                inner.layer_zero,
                "lem:L-var-C-tilde#in numbers",
                "lem:L-var-C-tilde/sharper",
                "lem:L-var-C-tilde/sharper#2/T",
            ),
        ),
        "lem:var-tilde-C-bound": (
            inner.random_curvature(True, "lem:var-tilde-C-bound"),
            over_designs(
                inner.layer_zero_limit,
                (
                    "lem:var-tilde-C-bound#in numbers",
                    "lem:var-tilde-C-bound/sharper",
                    "lem:var-tilde-C-bound/sharper#2/15 of it",
                ),
            ),
        ),
        "lem:L-var-l-bound": _both(
            inner.core_of_layers,
            "lem:L-var-l-bound#second, in numbers",
            "lem:L-var-l-bound/sharper#second",
            "lem:L-var-l-bound/sharper#second, 2/T",
        ),
        "lem:var-tilde-C-l-bound": (
            over_designs(
                inner.layer_limits,
                ("lem:var-tilde-C-l-bound#second, in numbers", "lem:var-tilde-C-l-bound/sharper#second"),
            ),
        ),
        "lem:var-fourth-moment": tuple(
            over_designs(truth, ("lem:var-fourth-moment#in numbers", "lem:var-fourth-moment/sharper"), goal)
            for goal, truth in enumerate((inner.layer_traces, inner.layer_inverse_traces))
        ),
        "lem:var-sigma-l-recursion": (
            over_designs(
                inner.layer_shares,
                (
                    "lem:var-sigma-l-recursion#in numbers",
                    "lem:var-sigma-l-recursion/sharper",
                    "lem:var-sigma-l-recursion/sharper#15",
                    "lem:var-sigma-l-recursion/sharper#with the dropped terms",
                ),
            ),
        ),
        "lem:L-var-bound-C-l": _both(inner.each_layer, "lem:L-var-bound-C-l#in numbers", "lem:L-var-bound-C-l/sharper"),
        "lem:C-1-bound": _both(
            inner.upper_layers,
            "lem:C-1-bound#in numbers",
            "lem:C-1-bound/sharper",
            "lem:C-1-bound/sharper#from the sharper pieces",
        ),
        "lem:v-bound": (
            *_both(
                inner.variance,
                "lem:v-bound",
                "lem:v-bound/repaired",
                "lem:v-bound/sharper",
                "lem:v-bound/sharper#T theta >= 8",
            ),
            variants.beside_the_bound,
        ),
    }
)


def observations(id_: str, seed: int) -> Iterator[Observation]:
    """What is observed for one statement; nothing for those that only points of the claims can speak of."""
    for observe in OBSERVERS.get(id_, ()):
        yield from observe(seed)
