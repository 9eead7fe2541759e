"""The eigenvalues of A(lambda) = [[0, 1-eta lambda], [-c, 1+c-q lambda]]: formulas, regimes, proofs of their bounds.

s = sqrt(q - c eta), t = sqrt(c (q - eta)), r = sqrt(disc) with disc the discriminant. Two identities carry everything:
(1-c)^2 disc = ((1-c)^2 - lambda (s^2+t^2))^2 - (2 s t lambda)^2 and q^2 disc = (q^2 lambda - s^2 - t^2)^2 - (2 s t)^2.
"""

from __future__ import annotations

from theory.papers.sada.derivations import derived
from theory.papers.sada.setup._noise import cone
from theory.provers.tactics import Tactic, auto, cases, chain

TRACE, DET = "(1+c-q*lam)", "c*(1-eta*lam)"
DISCRIMINANT = f"({derived('discriminant')})"
X1, X2 = f"({derived('x1')})", f"({derived('x2')})"

# positions: 0-5 plain, 6-9 the roots s and t, then either the regime, or the root r (10-11) and the regime (12)
PLAIN = ("lam >= 0", "eta*lam < 1", "eta > 0", "q > 0", "c > 0", "c < 1")
ROOTS = ("s >= 0", "s**2 == q - c*eta", "t >= 0", "t**2 == c*(q-eta)")
REAL = ("r >= 0", f"r**2 == {DISCRIMINANT}")
LOW, HIGH = "lam*(s+t)**2 <= (1-c)**2", "lam*(s-t)**2 >= (1-c)**2"
MIDDLE = ("lam*(s+t)**2 > (1-c)**2", "lam*(s-t)**2 < (1-c)**2")

FACTORISED = f"(1-c)**2*{DISCRIMINANT} == ((1-c)**2 - lam*(s+t)**2)*((1-c)**2 - lam*(s-t)**2)"
HALF = "((1-c)**2 - lam*(s**2+t**2))"
TOP = "(q**2*lam - s**2 - t**2)"


def modulo(*cofactors: tuple[int, str]) -> Tactic:
    return {"kind": "identity", "modulo": [[position, cofactor] for position, cofactor in cofactors]}


def strictly(on: str, nonnegative: Tactic, negative: Tactic) -> Tactic:
    """Cases on >= 0 and on < 0."""
    return {**cases(on, nonnegative, negative), "strict": True}


def below(small: str, big: str, product: str, equation: int, sign: int) -> tuple[str, Tactic]:
    """small <= big, because big >= 0 (fact `sign`, the last one) and small^2 = big^2 - product^2 (fact `equation`)."""
    failing = cone(
        {"c": "1", "sq": product},
        {"c": "2", "of": [sign + 1, sign]},
        multiplier=(sign + 1,),
        modulo=((equation, "-1"),),
    )
    return f"{small} <= {big}", strictly(f"{big} - {small}", auto(), failing)


def apart(last: int, equation: int) -> tuple[str, Tactic]:
    """s > t: were t >= s, then 0 = (1-c) q + (t-s)(t+s) > 0. `equation` is s^2 - t^2 = (1-c) q, `last` the new fact."""
    products = ((last, 6), (last, 8), (last, last, 6), (last, last, 8))
    impossible = cone(
        {"c": "1", "of": [5, 3]},
        *({"c": "1", "of": [*factors]} for factors in products),
        multiplier=(5, 3),
        modulo=((equation, "1+t-s"),),
    )
    return "s - t > 0", strictly("t - s", impossible, auto())


# the two identities, modulo the equations of s and t
TWICE = "(s**2 - t**2 + (1-c)*q)"
DIFFERENCE = ("s**2 - t**2 == (1-c)*q", modulo((7, "1"), (9, "-1")))
TOP_SQUARE = f"q**2*{DISCRIMINANT} == {TOP}**2 - (2*s*t)**2"
TOP_IS_RIGHT = modulo((7, f"2*q**2*lam - {TWICE}"), (9, f"2*q**2*lam + {TWICE}"))
FACTORS_ARE_RIGHT = modulo((7, f"2*(1-c)**2*lam - lam**2*{TWICE}"), (9, f"2*(1-c)**2*lam + lam**2*{TWICE}"))


def beyond(regime: int, equation: int, gap: int) -> tuple[str, Tactic]:
    """lambda >= lambda_U means q^2 lambda >= (s+t)^2, because (s-t)(s+t) = (1-c) q."""
    proof = cone(
        {"c": "1", "of": [regime], "sq": "q"}, multiplier=(gap, gap), modulo=((equation, "-(1-c)*q-s**2+t**2"),)
    )
    return "q**2*lam >= (s+t)**2", proof


LOW_BOUND = chain(
    (FACTORISED, FACTORS_ARE_RIGHT),
    (f"((1-c)*r)**2 == {HALF}**2 - (2*s*t*lam)**2", modulo((11, "(1-c)**2"), (13, "1"))),
    (f"{HALF} >= 0", cone({"c": "1", "of": [12]}, {"c": "2", "of": [0, 6, 8]})),
    below("(1-c)*r", HALF, "2*s*t*lam", 14, 15),
    then=cone({"c": "1/2", "of": [16]}, multiplier=(5,), modulo=((7, "lam/2"), (9, "lam/2"))),
)
HIGH_BOUND = chain(
    DIFFERENCE,
    (TOP_SQUARE, TOP_IS_RIGHT),
    (f"(q*r)**2 == {TOP}**2 - (2*s*t)**2", modulo((11, "q**2"), (14, "1"))),
    apart(16, 13),
    beyond(12, 13, 16),
    (f"{TOP} >= 0", cone({"c": "1", "of": [17]}, {"c": "2", "of": [6, 8]})),
    below("q*r", TOP, "2*s*t", 15, 18),
    then=cone({"c": "1/2", "of": [19]}, multiplier=(3,), modulo=((7, "1/2"), (9, "1/2"))),
)
LOW_IS_REAL = chain(
    (FACTORISED, FACTORS_ARE_RIGHT),
    then=cone({"c": "1", "of": [10, 10]}, {"c": "4", "of": [10, 0, 6, 8]}, multiplier=(5, 5), modulo=((11, "1"),)),
)
HIGH_IS_REAL = chain(
    DIFFERENCE,
    (TOP_SQUARE, TOP_IS_RIGHT),
    apart(13, 11),
    beyond(10, 11, 13),
    then=cone({"c": "1", "of": [14, 14]}, {"c": "4", "of": [14, 6, 8]}, multiplier=(3, 3), modulo=((12, "1"),)),
)
MIDDLE_IS_COMPLEX = chain(
    (FACTORISED, FACTORS_ARE_RIGHT), then=cone({"c": "1", "of": [10, 11]}, multiplier=(5, 5), modulo=((12, "-1"),))
)


def complex_is_middle(which: int) -> Tactic:
    """disc < 0 (fact 10) leaves only the middle: a first factor >= 0, or a second <= 0, would make the product >= 0."""
    on = ("(1-c)**2 - lam*(s+t)**2", "lam*(s-t)**2 - (1-c)**2")[which]
    # fact 12 is `on >= 0`; the other factor differs from it by 4 s t lambda, so (1-c)^2 disc is a sum of products
    one = ({"c": "1", "of": [12, 12]}, {"c": "4", "of": [12, 0, 6, 8]})
    two = ({"c": "1", "of": [12, 12, 12]}, {"c": "4", "of": [12, 12, 0, 6, 8]})
    impossible = cone({"c": "1", "of": [5, 5, 10]}, *one, *two, multiplier=(5, 5, 10), modulo=((11, f"1+{on}"),))
    return chain((FACTORISED, FACTORS_ARE_RIGHT), then=strictly(on, impossible, auto()))


# q < eta: the bound of the low regime lies between the eigenvalues. Facts: 6-7 r, 8 q < eta, 9 q > c eta, 10 lambda > 0
BOUND_GAP = "((1-c)**2 + (1-c)*q*lam - 2*(q-c*eta)*lam - (1-c)*r)"
BOUND_FAILS = chain(
    (
        f"{BOUND_GAP} < 0",
        strictly(
            BOUND_GAP,
            cone(
                {"c": "1", "of": [9, 4, 8, 10, 10]},
                {"c": "1/4", "of": [11, 11]},
                {"c": "1/2", "of": [11, 5, 6]},
                {"c": "1/4", "of": [11, 11, 11]},
                {"c": "1/2", "of": [11, 11, 5, 6]},
                multiplier=(9, 4, 8, 10, 10),
                modulo=((7, f"(1+{BOUND_GAP})*(1-c)**2/4"),),
            ),
            auto(),
        ),
    ),
    then=cone({"c": "1/2", "of": [11]}, multiplier=(5,)),
)

# facts: 6-7 r, 8 q lambda < 1 + c; were r >= trace, then 0 = r^2 - trace^2 + 4 det > 0
POSITIVE = strictly(
    f"r - {TRACE}",
    chain(
        (
            f"{TRACE} - r > 0",
            cone(
                {"c": "1", "of": [4, 1]},
                {"c": "1/4", "of": [9, 9]},
                {"c": "1/2", "of": [9, 8]},
                {"c": "1/4", "of": [9, 9, 9]},
                {"c": "1/2", "of": [9, 9, 8]},
                multiplier=(4, 1),
                modulo=((7, f"-(1+r-{TRACE})/4"),),
            ),
        ),
        then=cone({"c": "1/2", "of": [10]}),
    ),
    cone({"c": "1/2", "of": [9]}),
)

# positions: 0-5 CHOICE, 6 kt mu <= R^2; (16 kt theta)^2 = 16 eta kt mu <= 16 eta R^2 <= 1
SMALL_MOMENTUM = chain(
    (
        "(16*kt*theta)**2 <= 1",
        cone(
            {"c": "1", "of": [1, 5]},
            {"c": "256", "of": [6], "sq": "theta"},
            {"c": "256", "of": [6, 2], "sq": "theta"},
            multiplier=(1,),
        ),
    ),
    (
        "16*kt*theta <= 1",
        strictly("1 - 16*kt*theta", auto(), cone({"c": "1", "of": [7]}, {"c": "2", "of": [8]}, multiplier=(8,))),
    ),
    ("theta <= 1/16", cone({"c": "1/16", "of": [8]}, {"c": "1", "of": [0, 2]})),
)
