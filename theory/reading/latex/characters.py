r"""Mathematics that an author types as characters, as the commands that print the same: α is \alpha, x² is x^{2}.

Letters follow unicode-math: ε is \varepsilon and ϵ is \epsilon, φ is \varphi and ϕ is \phi. What is not listed stays.
"""

from __future__ import annotations

_GREEK = {
    "αβγδεζηθικλμνξπρστυφχψω": (
        "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon varphi "
        "chi psi omega"
    ),
    "ΓΔΘΛΞΠΣΥΦΨΩ": "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega",
    "ϵϑϕϱϖς": "epsilon vartheta phi varrho varpi varsigma",
}
_SIGNS = {
    "≤≥≠≪≫≈≡∼∝≲≳⪯⪰≺≻≼≽⩽⩾": (
        "le ge ne ll gg approx equiv sim propto lesssim gtrsim preceq succeq prec succ preceq succeq le ge"
    ),
    "∈∉⊂⊆∪∩∖∅∀∃": "in notin subset subseteq cup cap setminus emptyset forall exists",
    "·⋅×÷±∘⊗⊙⊕→↦⇒⇔←…⋯": (
        "cdot cdot times div pm circ otimes odot oplus to mapsto Rightarrow Leftrightarrow gets dots cdots"
    ),
    "∑∏∫∞∂∇ℓ⟨⟩‖∣⊤⊥": "sum prod int infty partial nabla ell langle rangle Vert vert top perp",
    "⌊⌋⌈⌉": "lfloor rfloor lceil rceil",
}
_COMMANDS = {
    ord(character): rf"\{name} "
    for listed, names in {**_GREEK, **_SIGNS}.items()
    for character, name in zip(listed, names.split(), strict=True)
}
_BLACKBOARD = {ord(character): rf"\mathbb{{{letter}}}" for character, letter in zip("ℝℕℤℚℂ𝔼ℙ", "RNZQCEP", strict=True)}
_RAISED = {ord(character): f"^{{{digit}}}" for digit, character in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_LOWERED = {ord(character): f"_{{{digit}}}" for digit, character in enumerate("₀₁₂₃₄₅₆₇₈₉")}
_PLAIN = {ord("−"): "-", ord("′"): "'"}
TABLE = {**_COMMANDS, **_BLACKBOARD, **_RAISED, **_LOWERED, **_PLAIN}


def commands(latex: str) -> str:
    """The same formula without these characters."""
    return latex if latex.isascii() else latex.translate(TABLE)
