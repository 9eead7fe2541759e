"""The energy F(x_k) - F* + omega_k |z_k - x*|_H^2 contracts: a certificate, written out, for any way to run the loop.

Multiply the descent inequality by 1, strong convexity at x* by f theta and at x_{k-1} by f (1 - theta), the bounds on r
and v by m_r and m_v, with f = 1 + theta/12, and subtract from the energy inequality: what is left is, coordinate by
coordinate and sample by sample, a sum of squares with coefficients that are nonnegative under the conditions.
"""

from __future__ import annotations

from dataclasses import dataclass

from theory.papers.sada.outer_loop._model import Setting, expected, gradient_at, new_x, new_z, total
from theory.provers.tactics import Tactic, auto, chain, have, termwise

F = "(1+th/12)"
R, V = "r[i,w]", "v[i,w]"
PLAIN: Tactic = {"kind": "positive"}
MEAN_OF_V = 10  # positions of hypotheses, see Setting.given
Terms = tuple[list[int], str]


def cone(*terms: Terms, multiplier: tuple[int, ...] = (), modulo: tuple[int, str] | None = None) -> Tactic:
    """A certificate that is written out: a sum of products of facts (by position), each times a square."""
    listed = [{"c": "1", "of": of, **({"sq": square} if square else {})} for of, square in terms]
    return {"kind": "cone", "terms": listed, "multiplier": list(multiplier), "modulo": [list(modulo)] if modulo else []}


@dataclass(frozen=True)
class Square:
    """A coefficient that is nonnegative (by this proof) times the square of a polynomial."""

    coefficient: str
    root: str
    because: Tactic | None = None


@dataclass(frozen=True)
class Way:
    """One way to run the outer loop, with the constants for which its energy contracts.

    s         L_l h_k; omega_k = (1 + theta_k/12) * weight
    rate      the energy loses the factor 1 - rate*theta_k
    young     |r + v|^2 <= (1 + 1/young)|v|^2 + (1 + young)|r|^2
    kept      the part of |z_{k-1} - x*|^2 that the old energy pays
    bias      what the inner products of r with positions cost, as a multiple of E|r|^2
    squares   what is left of the positions; budget: what is left of |grad F|^2, divided by s
    scale     positions times this are polynomials; middle: scale * (theta (y - x*) + (1 - theta)(y - x_{k-1}))
    numbers   facts about the parameters that the proof needs besides
    """

    setting: Setting
    s: str
    rate: str
    weight: str
    young: int
    kept: str
    bias: str
    budget: str
    squares: tuple[Square, ...]
    old_z: Square
    middle: str
    scale: str = "1"
    numbers: tuple[tuple[str, Tactic], ...] = ()
    cap: str = "32"
    extra: tuple[str, ...] = ()

    @property
    def given(self) -> tuple[str, ...]:
        return (*self.setting.given, *self.extra)

    @property
    def n(self) -> str:
        return f"({F}+{self.s})"

    @property
    def m_r(self) -> str:
        return f"({self.s}/2*{self.n}*(1+{self.young}) + {self.s}*({F}-1+{self.s})/(2*th) + {self.bias})"

    @property
    def m_v(self) -> str:
        return f"({self.s}/2*{self.n}*(1+1/{self.young}))"

    @property
    def every_square(self) -> tuple[Square, ...]:
        return (
            *self.squares,
            Square(f"{self.s}/2*{self.n}/{self.young}/Ll**2", f"{V} - {self.young}*{R}"),
            Square(f"{self.s}*({F}-1+{self.s})/(2*th*Ll**2)", f"Ll*th*g_i + {R}"),
            Square(f"{self.s}*({self.budget})", "g_i"),
        )

    @property
    def remainder(self) -> str:
        """What is left of the energy inequality once all bounds are used."""
        y, z, h = self.setting.y, self.setting.z, self.setting.h
        move, later = f"({new_x(y, h)}-{y})", f"({new_z(y, h)}-o[i])"
        return (
            f"{total(f'{self.kept}*({z}-o[i])**2')} - {expected(f'{F}*({self.weight})*{later}**2')}"
            f" - {expected(f'g[i]*{move} + {move}**2/2')}"
            f" + {F}*th*({gradient_at('o[i]', y)}) + {F}*(1-th)*({gradient_at('x[i]', y)})"
            f" + {expected(f'{self.m_r}/Ll**2*{R}**2 + {self.m_v}/Ll**2*{V}**2')}"
            f" - {self.m_r}*({self.setting.bias})*{total('g[i]**2')} >= 0"
        )


def energy(way: Way) -> str:
    later = f"({new_z(way.setting.y, way.setting.h)}-o[i])"
    return f"Fn - Fs + {F}*({way.weight})*{expected(f'{later}**2')}"


def energy_before(way: Way) -> str:
    return f"Fx - Fs + (1+tp/12)*({way.weight})*{total(f'({way.setting.z}-o[i])**2')}"


def contraction(way: Way, noise: str) -> str:
    """E_k <= (1 - rate theta_k) E_{k-1} + noise (alpha sigma^2/L_l) theta_k^2."""
    return f"{energy(way)} <= (1-{way.rate}*th)*({energy_before(way)}) + {noise}*(alpha*sig2/Ll)*th**2"


def smallness(first: int, cap: str) -> list[tuple[str, Tactic]]:
    """theta <= 13/45 and 16 alpha theta L_eff <= T, from their squares."""
    square = {"kind": "cone", "terms": [{"c": "1/12", "of": [3]}, {"c": "1", "of": [1], "sq": "th"}]}
    root = {"kind": "cone", "terms": [{"c": "1", "of": [first + 1]}, {"c": "1/8100"}], "multiplier": [first + 2]}
    below = {"kind": "cone", "terms": [{"c": "1", "of": [first + 3]}, {"c": "32/45"}]}
    capped = {"kind": "cone", "terms": [{"c": "1", "of": [6]}, {"c": cap, "sq": "alpha*Leff*th"}]}
    return [
        ("alpha > 0", PLAIN),
        ("th**2 <= 1/12", square),
        ("th + 13/45 > 0", PLAIN),
        ("th <= 13/45", root),
        ("1-th > 0", below),
        ("T + 16*alpha*Leff*th > 0", PLAIN),
        ("16*alpha*Leff*th <= T", {**capped, "multiplier": [first + 5]}),
        ("tp > 0", cone(([2], ""), ([16], ""))),
    ]


def proof(way: Way, noise: str) -> Tactic:
    """First the numbers, then the sum of squares, then the whole as one combination."""
    first = len(way.given)
    facts = [*smallness(first, way.cap), *way.numbers]

    def add(fact: str, by: Tactic | None = None) -> int:
        facts.append((fact, by or auto()))
        return first + len(facts) - 1

    def sign(formula: str) -> int:
        """Nonnegative by the signs of its names, once a factor 1 - theta (fact first + 4) is taken out."""
        plain = formula.replace("*(1-th)", "", 1)
        if plain == formula:
            return add(f"{formula} >= 0", PLAIN)
        return add(f"{formula} >= 0", cone(([add(f"{plain} >= 0", PLAIN), first + 4], "")))

    budget = add(f"{way.budget} >= 0")
    last = add(f"{way.s}*({way.budget}) >= 0", cone(([add(f"{way.s} >= 0", PLAIN), budget], "")))
    *others, _ = way.every_square
    coefficients = [
        sign(one.coefficient) if one.because is None else add(f"{one.coefficient} >= 0", one.because) for one in others
    ]
    coefficients.append(last)
    f_o, f_x = sign(f"{F}*th"), sign(f"{F}*(1-th)")
    m_r, m_v = add(f"{way.m_r}/Ll**2 >= 0"), sign(f"{way.m_v}/Ll**2")
    for_x = add(f"(1-{way.rate}*th) - {F}*(1-th) >= 0", PLAIN)
    for_y = add(f"{F} - 1 - {way.m_v}*Leff/T >= 0")
    for_noise = add(f"{noise}*alpha*th**2/Ll - {way.m_v}/Ll >= 0")
    for_z = add(f"(1-{way.rate}*th)*(1+tp/12)*({way.weight}) - {way.kept} >= 0")
    old = add(f"{way.old_z.coefficient} >= 0", PLAIN)
    each = cone(([old], way.old_z.root))
    squared = add(f"{total(f'({way.setting.z}-o[i])**2')} >= 0", termwise("sum", index="i", each=each))
    rest = add(way.remainder, _sum_of_squares(way, coefficients, first + len(facts)))
    products = ([11], [f_o, 12], [f_x, 13], [m_r, 14], [m_v, 15], [for_x, 9], [for_y, 8], [for_noise, 7])
    return chain(*facts, then=cone(*((of, "") for of in (*products, [for_z, squared], [rest]))))


def _sum_of_squares(way: Way, coefficients: list[int], known: int) -> Tactic:
    """Coordinate i: the mean of the squares is the remainder, because v has mean zero."""
    total_square = " + ".join(f"({one.coefficient})*({one.root})**2" for one in way.every_square)
    roots = [one.root.replace("[i,w]", "[i,w1]") for one in way.every_square]
    by_sample = termwise("mean", index="w1", each=cone(*(([c], q) for c, q in zip(coefficients, roots, strict=True))))
    squares, positive = known + 2, known + 3
    cofactor = f"-{F}*({way.middle}) + {way.scale}*{way.s}*({way.n}-1)*g_i"
    match = cone(([squares, 0, positive], ""), multiplier=(0, positive), modulo=(MEAN_OF_V, cofactor))
    scaled = have(f"{way.scale} > 0", PLAIN, then=match)
    return termwise("sum", index="i", each=have(f"mean(w, {total_square}) >= 0", by_sample, then=scaled))
