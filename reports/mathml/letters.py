"""Letters and signs: LaTeX commands and the characters that they stand for."""

from __future__ import annotations

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "phi": "ϕ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
}  # fmt: skip
CAPITALS = {
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ",
    "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
IDENTIFIERS = {"ell": "ℓ", "nabla": "∇", "infty": "∞", "partial": "∂", "emptyset": "∅", "varnothing": "∅"}
RELATIONS = {
    "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "in": "∈", "sim": "∼", "preceq": "⪯", "succeq": "⪰",
    "lesssim": "≲", "gtrsim": "≳", "asymp": "≍", "approx": "≈", "to": "→", "gets": "←", "implies": "⟹",
    "mapsto": "↦", "iff": "⟺", "equiv": "≡", "propto": "∝", "subset": "⊂", "subseteq": "⊆", "supseteq": "⊇",
    "notin": "∉", "ne": "≠", "leqslant": "⩽", "geqslant": "⩾", "ll": "≪", "gg": "≫", "prec": "≺", "succ": "≻",
    "simeq": "≃", "cong": "≅", "coloneqq": "≔", "triangleq": "≜", "mid": "∣", "perp": "⊥", "rightarrow": "→",
    "leftarrow": "←", "Rightarrow": "⇒", "longrightarrow": "⟶", "Leftrightarrow": "⇔",
}  # fmt: skip
OPERATORS = {
    "cdot": "⋅", "times": "×", "otimes": "⊗", "oplus": "⊕", "odot": "⊙", "circ": "∘", "pm": "±", "mp": "∓", "top": "⊤",
    "cup": "∪", "cap": "∩", "setminus": "∖", "wedge": "∧", "vee": "∨", "land": "∧", "lor": "∨", "forall": "∀",
    "exists": "∃", "star": "⋆", "ast": "∗", "dagger": "†", "bullet": "∙", "prime": "′", "div": "÷", "neg": "¬",
}  # fmt: skip
DOTS = {"ldots": "…", "cdots": "⋯", "dots": "…"}
BIG = {"sum": "∑", "prod": "∏", "int": "∫"}
NAMES = ("exp", "ln", "log", "sin", "cos", "tan", "det", "dim", "Pr", "cosh", "sinh", "tanh", "arg", "ker", "deg")
LIMITS = {"max": "max", "min": "min", "sup": "sup", "inf": "inf", "lim": "lim", "limsup": "lim sup"}
FENCES = {
    "{": "{", "}": "}", "|": "‖", "langle": "⟨", "rangle": "⟩", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈",
    "rceil": "⌉", "lVert": "‖", "rVert": "‖", "Vert": "‖", "lvert": "|", "rvert": "|", "vert": "|", "lbrace": "{",
    "rbrace": "}",
}  # fmt: skip
SPACES = {
    ",": "0.167em",
    ":": "0.222em",
    ";": "0.278em",
    " ": "0.333em",
    "quad": "1em",
    "qquad": "2em",
    "!": "-0.167em",
}
ACCENTS = {"tilde": "~", "hat": "^", "bar": "¯", "dot": "˙", "widetilde": "~", "widehat": "^", "overline": "¯"}
SIZES = {
    "big": "1.2em", "bigl": "1.2em", "bigr": "1.2em", "Big": "1.8em", "Bigl": "1.8em", "Bigr": "1.8em",
    "bigg": "2.4em", "biggl": "2.4em", "biggr": "2.4em", "Bigg": "3em", "Biggl": "3em", "Biggr": "3em",
}  # fmt: skip

_SCRIPT = {"B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ"}
_DOUBLE = {"C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"}
_BOLD_CAPITALS = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡϴΣΤΥΦΧΨΩ"
_SMALL_GREEK = "αβγδεζηθικλμνξοπρςστυφχψω"


def bold(letter: str) -> str:
    """Bold upright Latin letters, capitals and digits; bold italic small Greek, as the paper sets them."""
    code = ord(letter)
    if "A" <= letter <= "Z":
        return chr(0x1D400 + code - ord("A"))
    if "a" <= letter <= "z":
        return chr(0x1D41A + code - ord("a"))
    if letter.isdigit():
        return chr(0x1D7CE + code - ord("0"))
    if letter in _BOLD_CAPITALS:
        return chr(0x1D6A8 + _BOLD_CAPITALS.index(letter))
    if letter in _SMALL_GREEK:
        return chr(0x1D736 + _SMALL_GREEK.index(letter))
    return letter


def script(letter: str) -> str:
    return _SCRIPT.get(letter) or (chr(0x1D49C + ord(letter) - ord("A")) if "A" <= letter <= "Z" else letter)


def double(letter: str) -> str:
    return _DOUBLE.get(letter) or (chr(0x1D538 + ord(letter) - ord("A")) if "A" <= letter <= "Z" else letter)


ALPHABETS = {"mathbf": bold, "boldsymbol": bold, "mathcal": script, "mathbb": double}
