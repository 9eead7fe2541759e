"""The standing context: what the paper fixes once for its whole appendix, with the lines that fix it.

A statement of the appendix does not repeat it, so its printed reading has it among the hypotheses. A statement that
fails only where the context fails is not false.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Standing:
    """One thing that holds from here on: the hypothesis as claims write it, the line of the paper that fixes it, and
    the last line that it governs."""

    hypothesis: str
    line: int
    words: str
    last: int = 10**9


STEP_SIZE = Standing("16*eta*R2 <= 1", 551, "η ≤ 1/(16 R²)")
CONTEXT: dict[str, Standing] = {
    "step size": STEP_SIZE,
    "gamma": Standing("gam == theta/mu", 555, "γ = √(η/(κ̃ μ))/4, that is γ = θ/μ"),
    "theta": Standing("eta == 16*kt*theta**2/mu", 555, "θ = √(μ η/κ̃)/4, that is η = 16 κ̃ θ²/μ"),
    "theta_max": Standing("12*alpha*top**2 <= 1", 559, "θ̃_max ≤ √(1/(12 α))"),
    "h": Standing("h == 1", 599, "h_k = 1 in the analysis of the inner loop", 1678),
    "T": Standing("T == 2*n", 270, "T is even: the tail average starts at T/2 + 1", 1678),
}
# what follows for the letters that the inner loop writes instead, since theta gamma = eta/(16 kt) and kt >= 1
ENTAILED: dict[str, Standing] = {
    "q": Standing("32*q <= 17*(1+c)*eta", 555, "θ γ ≤ η/16, that is q ≤ (17/16)(1 + c) η/2", 1678),
    "curvature": Standing("16*eta*lam <= 1", 551, "η λ ≤ 1/16", 1678),
    "theta_max": Standing("a*th <= 1", 559, "a θ_max ≤ 1", 1847),
    "theta_max of a sequence": Standing("a*top <= 1", 559, "a θ_max ≤ 1", 1847),
}
