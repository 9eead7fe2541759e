"""Where the hypotheses of the theorem come from, for `lemmalab show`: assumptions and choices of the paper."""

from __future__ import annotations

from reports.cli.sources import Sources
from theory.papers.sada.inner_loop._variance_bound import FOURTH, FOURTH_KAPPA, LOW, SIGMA
from theory.papers.sada.outer_loop._end_to_end import BETA, CAPS, OUR_BETA, RULE, rule
from theory.papers.sada.outer_loop._inner_run import ABOVE, BELOW, NOISE, NOISE_I, OPTIMAL, STEP_SIZES
from theory.papers.sada.outer_loop._schedule import SCHEDULE
from theory.papers.sada.outer_loop.thm_glm import SLOPES

CHOICE, KAPPA = STEP_SIZES[1:5], STEP_SIZES[5]
GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ass:regularity", (SIGMA, LOW, "mu > 0")),
    ("ass:fourth-moment", (FOURTH, FOURTH_KAPPA)),
    ("line 231: κ̃ ≤ κ = R²/μ, which the paper derives for the smallest κ̃; a larger κ̃ has to obey it", (KAPPA,)),
    (
        "ass:l-condition: a quadratic bound from ℓ″ between L_ℓ/α and L_ℓ",
        (ABOVE, BELOW, "Ll > 0", "alpha >= 1"),
    ),
    ("ass:l-condition: ℓ″ ≤ L_ℓ in absolute value, as ℓ′ shows it", (SLOPES,)),
    ("x* is the minimiser of F", (OPTIMAL,)),
    ("ass:gradient-noise-I", (NOISE_I, "B >= 0")),
    ("ass:gradient-noise", (NOISE, "L >= 0")),
    ("rem:hyperparameters: η ≤ 1/(16R²), θ = √(μη/κ̃)/4, γ = √(η/(κ̃μ))/4, squared", CHOICE),
    ("REPAIRED, the rule for T: 6κ(Σ) exp(−θT/2) ≤ θ̃_K²", RULE),
    ("rem:hyperparameters: θ̃_max is at most the first number of its minimum (line 560), squared", CAPS[:1]),
    ("rem:hyperparameters: θ̃_max is at most the second one, squared; L_eff of line 558", CAPS[1:]),
    ("rem:hyperparameters: the schedule of θ̃_k; K = 2m, b = 4/θ̃_max", (*SCHEDULE, "m >= 1")),
    ("rem:hyperparameters: β_k = (1 − θ̃_k)/(1 + θ̃_k)", (BETA,)),
    ("OURS, the rule for T: 12κ(Σ) exp(−θT/2) ≤ θ̃_K²", tuple(one for one in rule(12) if one not in RULE)),
    ("OURS, the momentum: β_k = θ̃_k(1 − θ̃_{k−1})/(θ̃_{k−1}(1 + θ̃_k))", (OUR_BETA,)),
)
LETTERS = {
    "X": "X[k, g] is x̃_k and last[k, g] is x̃_{k−1}, on the draws g of all outer steps (x̃_{−1} = x̃_0 = x0)",
    "Y": "Y[k, g] is ỹ_k, the anchor of the inner loop of step k + 1",
    "x": "x[t, k, u, h] and z[t, k, u, h] are x_t and z_t of the inner loop with h_k, from the anchor u, on draws h",
    "total": "total[t, k, u, h] is x_1 + … + x_t; the loop returns the mean of its last T/2 iterates; T = 2n, K = 2m",
    "ell": "ell[x, w] is the loss of the sample w at x, dl[x, w] its derivative in the prediction; o is x*, step is η",
    "kS": "kS is κ(Σ), kt is κ̃, th[k] is θ̃_k, top is θ̃_max, gam is γ, Ll is L_ℓ",
}
SOURCES = Sources({hypothesis: words for words, listed in GROUPS for hypothesis in listed}, LETTERS, state="X")
