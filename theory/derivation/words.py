"""Labels for people: mathematics in words is written with the letters that mathematics uses."""

from __future__ import annotations

import re

LETTERS = {
    "kappa~": "κ̃", "lambda": "λ", "theta": "θ", "eta": "η", "gamma": "γ", "alpha": "α", "beta": "β", "omega": "ω",
    "mu": "μ", "nu": "ν", "eps": "ε", "phi": "φ", "Sigma": "Σ", "Pi": "Π", "Delta": "Δ", "infinity": "∞",
    "grad F": "∇F", "sqrt": "√", ">=": "≥", "<=": "≤",
}  # fmt: skip
LOWER = str.maketrans("0123456789+-kti", "₀₁₂₃₄₅₆₇₈₉₊₋ₖₜᵢ")
RAISED = str.maketrans("0123456789+-kTn", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵏᵀⁿ")
_LETTER = re.compile(
    "|".join(rf"(?<![A-Za-z\\]){re.escape(one)}(?![A-Za-z])" for one in sorted(LETTERS, key=len)[::-1])
)


def spoken(label: str) -> str:
    """lambda_L is λ_L, x_{t-1} is xₜ₋₁, A^k is Aᵏ."""
    text = re.sub(r"\^\(([\w+-]+)\)", lambda m: f"^{{{m[1]}}}", label)
    text = _LETTER.sub(lambda m: LETTERS[m[0]], text)
    text = re.sub(r"_\{([\dktim+-]+)\}", lambda m: _lowered(m[1], m[0]), text)
    text = re.sub(r"_([\dkti]{1,2})(?![\w{])", lambda m: _lowered(m[1], m[0]), text)
    text = re.sub(r"\^(-1|[\dkTn](?![\w]))", lambda m: m[1].translate(RAISED), text)
    return re.sub(r"\^\{([\dkTn+-]+)\}", lambda m: m[1].translate(RAISED), text)


def _lowered(inner: str, whole: str) -> str:
    return whole if set(inner) - set("0123456789+-kti") else inner.translate(LOWER)
