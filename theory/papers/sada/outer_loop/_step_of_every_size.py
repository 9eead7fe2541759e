"""One outer step at a given past, in vectors of every size: the energy contracts. No coordinates, no basis.

x = x_{k-1}, p = x_{k-2}, y = y_{k-1}, o = x*; dy = Sigma^-1 grad F(y), so that x_k - y = h_k (r + v - dy); r and v are
functions of the samples u of the inner loop. F enters through Fy = F(y), Fx = F(x_{k-1}), Fs = F(x*) and the quadratic
bounds between them; what bounds F(x_k) above, the descent inequality, is written out on the left. H = L_l Sigma.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from theory.claims.statement import Faithfulness, printed
from theory.papers.sada.outer_loop._energy import F, G, Way
from theory.papers.sada.outer_loop._momentum_variants import HALF_STEP, SLOWLY, printed_momentum
from theory.provers.tactics import Tactic, auto, chain, cite, order

ID = "lem:outer-one-step"
NUMBERS = (
    "Ll > 0", "alpha >= 1", "th > 0", "12*alpha*th**2 <= 1", "T > 0", "Leff >= 0",
    "288*alpha**2*Leff**2*th**2 <= T**2", "tp >= th",
)  # fmt: skip
SMALL = (
    "alpha > 0", "th**2 <= 1/12", "th <= 13/45", "1-th > 0", "alpha*Leff*th >= 0", "T + 16*alpha*Leff*th > 0",
    "16*alpha*Leff*th <= T", "tp > 0",
)  # fmt: skip
KINDS = {
    **dict.fromkeys(("x", "p", "o", "y", "dy"), "vector(d)"), **dict.fromkeys(("r", "v"), "vector(d)[U]"),
    "Sigma": "pd(d)",
}  # fmt: skip
WHERE = {
    "hk": "2*alpha*th**2/Ll",
    "zp": "x + (1-tp)/tp*(x - p)",
    "move[u]": "hk*(r[u] + v[u] - dy)",
    "z[u]": "y + move[u] + (1-th)/th*(y + move[u] - x)",
    "slope(q)": "dy.T @ Sigma @ (q - y) + Ll/(2*alpha)*norm2(q - y, Sigma)",
}
MOMENTUM = "y == x + (1-th)/(1+th)*(x - p)"
CENTRED = "E(u, v[u]) == 0"
CONVEX = ("Fs >= Fy + slope(o)", "Fx >= Fy + slope(x)")
BIAS = "E(u, norm2(r[u], Sigma)) <= th**2/4*norm2(dy, Sigma)"
NOISE = "E(u, norm2(v[u], Sigma)) <= sig2 + Ll*(Leff/T)*(Fy - Fs)"
VALUES = (MOMENTUM, "sig2 >= 0", "Fy >= Fs", "Fx >= Fs", CENTRED, *CONVEX, BIAS, NOISE)


def coefficients(way: Way, noise: str) -> dict[str, str]:
    """What has to be nonnegative, by name."""
    return {
        "at the optimum": f"{F}*th",
        "at the iterate": f"{F}*(1-th)",
        "bias": f"{way.m_r}/Ll",
        "noise": f"{way.m_v}/Ll",
        "iterate": f"(1-{way.rate}*th) - {F}*(1-th)",
        "extrapolated": f"{F} - 1 - {way.m_v}*Leff/T",
        "sigma": f"{noise}*alpha*th**2/Ll - {way.m_v}/Ll",
        "old": f"(1-{way.rate}*th)*(1+tp/12)*({way.weight}) - {way.kept}",
        **{f"square {i}": one.coefficient for i, one in enumerate(way.every_square, start=1)},
    }


def contraction(way: Way, noise: str) -> str:
    moved = "E(u, dy.T @ Sigma @ move[u] + Ll/2*norm2(move[u], Sigma))"
    new = f"{moved} + {F}*({way.weight})*Ll*E(u, norm2(z[u] - o, Sigma))"
    old = f"Fx - Fs + (1+tp/12)*({way.weight})*Ll*norm2(zp - o, Sigma)"
    return f"Fy - Fs + {new} <= (1-{way.rate}*th)*({old}) + {noise}*(alpha*sig2/Ll)*th**2"


def whole(step: Step) -> Tactic:
    way, given = step.way, step.given
    names = list(coefficients(way, step.noise))

    def factor(name: str) -> dict[str, str]:
        at = names.index(name)
        return {"fact": f"coefficients.{at + 1}" if at else "coefficients"}

    def fact(text: str, name: str) -> dict[str, Any]:
        return {"of": given.index(text), "c": [factor(name)]}

    large = {"fact": given.index("Ll > 0")}
    cofactor = f"-{F}*({way.middle}) + {way.scale}*{way.s}*({way.n}-1)*{G}"
    items = [
        fact(CONVEX[0], "at the optimum"),
        fact(CONVEX[1], "at the iterate"),
        fact(step.bias, "bias"),
        fact(NOISE, "noise"),
        fact("Fx >= Fs", "iterate"),
        fact("Fy >= Fs", "extrapolated"),
        fact("sig2 >= 0", "sigma"),
        {"psd": "Sigma", "L": "(zp - o).T", "c": [factor("old"), large]},
        {"eq": given.index(CENTRED), "L": f"(1/({way.scale})*({cofactor})).T @ Sigma"},
    ]
    for i, one in enumerate(way.every_square, start=1):
        coefficient = [factor(f"square {i}"), large]
        items.append({"psd": "Sigma", "E": {"u1": "U"}, "L": f"({one.root}).T", "c": coefficient})
    last = order(*items, ops=[{"use": given.index(step.momentum)}])
    return cite(f"{ID}#smallness", then=cite(f"{ID}#coefficients {step.part}", then=last, called="coefficients"))


# ---- the ways to run the outer loop, with theta_k decreasing slowly

SIZES = (*NUMBERS, SLOWLY)


@dataclass(frozen=True)
class Step:
    """A contraction of the energy: the way to run the outer loop, and the noise as a multiple of (α σ²/L_ℓ) θ²."""

    part: str
    way: Way
    noise: str
    momentum: str = MOMENTUM
    bias: str = BIAS

    @property
    def given(self) -> tuple[str, ...]:
        ours = {MOMENTUM: self.momentum, BIAS: self.bias}
        return (*SIZES, *(ours.get(one, one) for one in VALUES))

    @property
    def where(self) -> dict[str, str]:
        return {**WHERE, "hk": self.way.h}


PRINTED = Step("at a given past", printed_momentum("11/12"), "19/15")
IMPLIED = Step("at a given past, as the paper argues", printed_momentum("1/2"), "3")
# ours: half the step, and the momentum for which z_{k-1} = y + (y - x)/theta_k
HALVED = Step(
    "at a given past, with half the step", HALF_STEP, "4/7", "y == x + th*(1-tp)/(tp*(1+th))*(x - p)",
    "E(u, norm2(r[u], Sigma)) <= th**2/8*norm2(dy, Sigma)",
)  # fmt: skip
POINT: dict[str, Any] = {
    **dict.fromkeys(("Ll", "alpha", "Leff", "sig2", "d"), "1"), "th": "1/4", "tp": "1/4", "T": "8", "Fy": "1/2",
    "Fx": "1/2", "Fs": "0", "x": ["1"], "p": ["1"], "o": ["0"], "y": ["1"], "dy": ["1"], "Sigma": [["1"]], "p_U": ["1"],
    "r": {"1": ["0"]}, "v": {"1": ["0"]},
}  # fmt: skip
PLAIN = {name: POINT[name] for name in ("Ll", "alpha", "th", "tp", "T", "Leff")}
STEP = "(1/th-1/tp)"
BETA = "((1-th)/(1+th))"


def last_square() -> Tactic:
    """(5/8 + 2 theta) beta^2 - 2 s beta - (2 - 3 theta) s^2 with s = 1/theta_k - 1/theta_{k-1} is least at s = 1/4."""
    worst = "(5/8+2*th)*(1-th)**2 - (1-th)*(1+th)/2 - (2-3*th)/16*(1+th)**2"
    facts = (f"{STEP} >= 0", f"{STEP}**2 <= 1/16", f"{worst} >= 0", "1/(1+th)**2 >= 0", "2-3*th >= 0", f"2*{BETA} >= 0")
    first = len(SIZES) + len(SMALL)
    products = ([first + 2, first + 3], [SIZES.index(SLOWLY), first + 5], [first + 1, first + 4])
    terms = [{"c": "1", "of": list(of)} for of in products]
    gap = f"(5/8+2*th)*{BETA}**2 - 2*{STEP}*{BETA} - (2-3*th)*{STEP}**2"
    return chain(*facts, (f"{gap} >= 0", {"kind": "cone", "terms": terms}), f"{F}*(1-th)/(4*alpha*th) >= 0")


def nonnegative(name: str, step: Step) -> Tactic:
    hard = name == "square 4" and step.way is not HALF_STEP
    return cite(f"{ID}#smallness", then=last_square() if hard else auto())


def ours(part: str, says: str | list[str], words: str, **more: Any) -> Any:
    return printed(says, part=part, words=words, faithfulness=Faithfulness.OURS, **more)


def corrected(draft: Any) -> Any:
    """A sharper reading that speaks of a corrected algorithm, not of the printed one."""
    return replace(draft, options={**draft.options, "faithfulness": Faithfulness.ALGORITHM})


def claims(step: Step, words: str) -> tuple[Any, ...]:
    names = coefficients(step.way, step.noise)
    return (
        ours(
            f"coefficients {step.part}", [f"{one} >= 0" for one in names.values()],
            "The coefficients of the sum of squares behind one outer step are nonnegative.", given=SIZES, example=PLAIN,
            proof=[nonnegative(name, step) for name in names],
        ),
        ours(
            step.part, contraction(step.way, step.noise), words, kinds=KINDS, where=step.where, given=step.given,
            example=POINT,
            scope="every d, every distribution of r and v with second moments, every F within the quadratic bounds",
            proof=lambda claim: whole(step),
        ),
    )  # fmt: skip


EVERY_SIZE = (
    ours(
        "smallness", list(SMALL), "What the choice of θ̃_max gives.", given=SIZES, example=PLAIN,
        proof=[chain(*SMALL[:i]) for i in range(len(SMALL))],
    ),
    *claims(
        PRINTED,
        "One outer step of the printed algorithm at a given past: the right side of the descent inequality and the new"
        " distance to x* against the old energy. For every dimension and every distribution.",
    ),
    *claims(IMPLIED, "The same with the rate and the noise of the paper: 1 − θ/2 and (3/2)hσ²."),
    *claims(
        HALVED,
        "The same for our algorithm: h_k = αθ̃_k²/L_ℓ, half the printed step, β_k = θ̃_k(1 − θ̃_{k−1})/(θ̃_{k−1}(1 +"
        " θ̃_k)), and a bias of θ̃_k²/8.",
    ),
)  # fmt: skip
