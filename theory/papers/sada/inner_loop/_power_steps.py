"""The printed proof of lem:A-power-bound, display by display: three regimes of the roots x1, x2 of the block.

a_k = (x2^k - x1^k)/(x2 - x1) is written by its recurrence a_{k+1} = (x1+x2) a_k - x1 x2 a_{k-1}, a_0 = 0, a_1 = 1,
which also covers equal roots; `RECURRENCE` after k steps is (a_k, a_{k+1}).
Powers r^{k-2} are written r**j with j = k - 2.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, step
from theory.kernel import Verdict
from theory.papers.sada.inner_loop._facts import added
from theory.papers.sada.inner_loop._regimes import LOW, PLAIN, REAL, ROOTS, X1, X2
from theory.provers.tactics import Tactic, chain, cite, induct, induction, instance

RECURRENCE = "iterate(v, k, [0, 1], [v[2], (x1+x2)*v[2] - x1*x2*v[1]])"
TAIL_SUM = "iterate(r, k, [0, x1], [x2*r[1] + r[2], x1*r[2]])"
POWER_SUM = "iterate(r, k, [0, 1], [x2*r[1] + r[2], x1*r[2]])"
SLOW: dict[str, Any] = {
    "given": ("0 <= x1", "x1 <= x2", "x2 <= 1"),
    "example": {"x1": "1/4", "x2": "1/2", "k": "2"},
    "naturals": "k",
}
NAMED: dict[str, Any] = {"example": {"ak": "3/4", "before": "1", "c": "1/4", "x1": "1/2", "x2": "1/2"}}
BERNOULLI = ["p*(1+j*(1-r)) <= 1", "p >= 0", "p <= 1"]
RADIUS: dict[str, Any] = {"given": ("r >= 0", "r <= 1"), "naturals": "j", "example": {"r": "1/2", "j": "1"}}
FAST: dict[str, Any] = {
    "given": ("0 <= x1", "x1 <= x2", "x2 <= 1"),
    "naturals": "j",
    "example": {"x1": "0", "x2": "1/2", "j": "0"},
}
COMPLEX = ("lam > 0", "eta > 0", "c > 0", "c < 1", "eta*lam < 1", "eta <= q", "(1+c-q*lam)**2 < 4*c*(1-eta*lam)")
COMPLEX_EXAMPLE = {"lam": "1", "eta": "1/2", "c": "1/2", "q": "3/4"}

# complex roots r exp(± i phi): a_k - c a_{k-1} and its bound, k = j + 2
ANGLE = ("sin(phi) > 0", "cos(phi/2) > 0", "cos(phi) >= 0")
SINE, TANGENT = "sin((j+1)*phi)", "(sin(phi/2)/cos(phi/2))"
POLAR = f"r**(j+1)*sin((j+2)*phi)/sin(phi) - c*r**j*{SINE}/sin(phi)"
TRIANGLE = "r**j*(r+(j+1)*(1-r)) + r**(j+1)"
KEY = "lem:A-power-bound/disp:844"


def half_angle(then: Tactic) -> Tactic:
    """sin and cos of phi by those of phi/2."""
    half = {"r": "phi", "s": "phi/2", "t": "phi/2"}
    return cite("law:sin-sum", half, then=cite("law:cos-sum", half, then=then))


def rewritten() -> Tactic:
    tangent = chain(f"{TANGENT} == (1-cos(phi))/sin(phi)")
    sine = {"r": "(j+2)*phi", "s": "(j+1)*phi", "t": "phi"}
    return cite("law:sin-sum", sine, then=cite(f"{KEY}.2/half angle", then=tangent))


def multiple(op: str, sign: str) -> Tactic:
    """sin((i+1)φ) = sin(iφ) cos φ + cos(iφ) sin φ, term by term."""
    last = chain(
        f"sin(i*phi)*cos(phi) {op} {sign}i*sin(phi)*cos(phi)",
        "i*sin(phi)*cos(phi) <= i*sin(phi)",
        f"sin(i*phi)*cos(phi) {op} {sign}i*sin(phi)",
        f"cos(i*phi)*sin(phi) {op} {sign}sin(phi)",
    )
    last = cite(f"{KEY}.2/unit", {"t": "phi"}, then=cite(f"{KEY}.2/unit", {"t": "i*phi"}, then=last))
    return instance("IH", cite("law:sin-sum", {"r": "(i+1)*phi", "s": "i*phi", "t": "phi"}, then=last), m="i")


def triangle(op: str, sign: str) -> Tactic:
    """Facts: 0-6 given, 7 the second equality of line 844, 8 and 9 the multiple, 10-13 cos and sin of (j+1)φ between
    -1 and 1, 14 and 15 the half angle, then the chain."""
    upper = not sign
    ratio, wave = f"{SINE}/sin(phi)", f"{TANGENT}*{SINE}"
    radius, three = 3, 31
    last = chain(
        f"{ratio} <= j+1",
        f"{ratio} >= -(j+1)",
        "r-c <= 1-r",
        "r-c >= -(1-r)",
        f"(r-c)*({ratio}) {op} {sign}(1-r)*(j+1)",
        "sin(phi/2) > 0",
        "cos(phi/2)+sin(phi/2) > 0",
        "sin(phi/2) <= cos(phi/2)",
        f"{TANGENT} >= 0",
        f"{TANGENT} <= 1",
        (f"{wave} <= 1", added(("1", [25], ""), ("1", [24, 12], ""))),
        (f"{wave} >= -1", added(("1", [25], ""), ("1", [24, 13], ""))),
        (f"r*cos((j+1)*phi) {op} {sign}r", added(("1", [radius, 10 if upper else 11], ""))),
        (f"r*({wave}) <= r", added(("1", [radius, 26], ""))),
        (f"r*({wave}) >= -r", added(("1", [radius, 27], ""))),
        (
            f"r*cos((j+1)*phi) + (r-c)*({ratio}) - r*({wave}) {op} {sign}(r + (1-r)*(j+1) + r)",
            added(("1", [28], ""), ("1", [20], ""), ("1", [30 if upper else 29], "")),
        ),
        ("r**j >= 0", induction("j", {"p": "r**j"}, ["p >= 0"])),
        then=added(("1", [three + 1, three], ""), modulo=[(7, "-1" if upper else "1")]),
    )
    last = cite("lem:A-power-bound/disp:851.multiple", {"i": "j+1"}, then=cite(
        f"{KEY}.2/unit", {"t": "(j+1)*phi"}, then=half_angle(last)))  # fmt: skip
    return cite(f"{KEY}.2", then=last)


STEPS = (
    step(
        "disp:823",
        1,
        "iterate(s, k, [1-eta*lam, 1-q*lam], [[0, 1-eta*lam], [-c, 1+c-q*lam]] @ s)[1] == (1-eta*lam)*("
        "iterate(v, k, [0, 1], [v[2], (1+c-q*lam)*v[2] - c*(1-eta*lam)*v[1]])[2]"
        " - c*iterate(v, k, [0, 1], [v[2], (1+c-q*lam)*v[2] - c*(1-eta*lam)*v[1]])[1])",
        naturals="k",
        example={"eta": "1/2", "lam": "1", "c": "1/2", "q": "1/2", "k": "2"},
        proof=induction(
            "k",
            {
                "s": "iterate(s, k, [1-eta*lam, 1-q*lam], [[0, 1-eta*lam], [-c, 1+c-q*lam]] @ s)",
                "a": "iterate(v, k, [0, 1], [v[2], (1+c-q*lam)*v[2] - c*(1-eta*lam)*v[1]])",
            },
            ["s1 == (1-eta*lam)*(a2-c*a1)", "s2 == (1+c-q*lam)*a2 - c*(1-eta*lam)*a1 - c*a2"],
        ),
        words="The first entry after k + 1 steps is (1 - eta lambda)(a_{k+1} - c a_k), for every k.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:831",
        1,
        [f"{X1} <= {X2}", f"{X2} <= 1-(q-c*eta)/(1-c)*lam"],
        given=(*PLAIN, *ROOTS, *REAL, LOW),
        example={"c": "2/9", "eta": "1/2", "q": "5/9", "s": "2/3", "t": "1/9", "lam": "1", "r": "0"},
        proof=[cite("lem:radius-bound/repaired#low"), cite("lem:radius-bound/repaired#low")],
        words="The low regime of lem:radius-bound (delta is printed for eta).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:831",
        2,
        "1-(q-c*eta)/(1-c)*lam <= 1-eta*lam",
        given=("lam > 0", "eta > 0", "c > 0", "c < 1", "eta <= q"),
        example={"lam": "1", "eta": "1/2", "c": "1/2", "q": "1/2"},
        words="From eta <= q (delta is printed for eta).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:835",
        1,
        "ak - c*before >= ak - x1*before",
        given=("before >= 0", "c <= x1"),
        words="c <= x1 and a_{k-1} >= 0.",
        **NAMED,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:835",
        2,
        f"({RECURRENCE})[2] - x1*({RECURRENCE})[1] == x2**k",
        proof=induction("k", {"a": RECURRENCE, "p": "x2**k"}, ["a2 - x1*a1 == p"]),
        words="a_{k+1} - x1 a_k = x2^k for every k.",
        **SLOW,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:835",
        3,
        "x2**k > 0",
        given="x2 > 0",
        naturals="k",
        example={"x2": "1/2", "k": "1"},
        proof=induction("k", {"p": "x2**k"}, ["p > 0"]),
        words="A power of a positive number.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:835",
        4,
        "ak - c*before <= ak - x1*x2*before",
        given=("before >= 0", "x1*x2 <= c"),
        words="x1 x2 = c (1 - eta lambda) <= c.",
        **NAMED,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:835",
        5,
        f"({RECURRENCE})[2] - x1*x2*({RECURRENCE})[1] == x2**k + (1-x2)*({TAIL_SUM})[1]",
        proof=induction(
            "k",
            {"a": RECURRENCE, "p": "x2**k", "t": TAIL_SUM},
            ["t1 == x1*a1", "t2 == x1*(a2 - x2*a1)", "a2 - x1*a1 == p"],
        ),
        words="The sum x1^i x2^{k-i} over i = 1..k is x1 a_k.",
        **SLOW,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:835",
        6,
        f"x2**k + (1-x2)*({TAIL_SUM})[1] <= x2**k*(1+k*(1-x2))",
        proof=induction(
            "k",
            {"p": "x2**k", "t": TAIL_SUM},
            ["t1 <= k*p", "t2 <= x2*p", "t2 >= 0", "p >= 0"],
        ),
        words="Each of the k terms is at most x2^k.",
        **SLOW,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:835",
        7,
        "x2**k*(1+k*(1-x2)) <= 1",
        given=("0 <= x2", "x2 <= 1"),
        naturals="k",
        example={"x2": "1/2", "k": "2"},
        proof=induction("k", {"p": "x2**k"}, ["p*(1+k*(1-x2)) <= 1", "p >= 0"]),
        words="The auxiliary lemma on x^k (1 + k(1-x)).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:844",
        "cos",
        "1+c-q*lam >= 0",
        given=COMPLEX,
        example=COMPLEX_EXAMPLE,
        witness={"lam": "1", "eta": "1/10", "c": "1/2", "q": "2"},
        expect=Verdict.REFUTED,
        words="The proof takes the angle below pi/2; nothing printed makes 1 + c - q lambda nonnegative.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:844",
        "cos/repaired",
        "1+c-q*lam >= 0",
        given=(*COMPLEX, "q <= (1+c)*eta"),
        example=COMPLEX_EXAMPLE,
        proof=chain("q*lam <= (1+c)*eta*lam"),
        faithfulness=Faithfulness.EXTRA_HYPOTHESIS,
        repairs="lem:A-power-bound/disp:844.cos",
        words="With q <= (1+c) eta it is.",
    ),
    step(
        "disp:844",
        "2/unit",
        ["cos(t) <= 1", "cos(t) >= -1", "sin(t) <= 1", "sin(t) >= -1"],
        example={"t": "1"},
        proof=[cite("law:circle") for _ in range(4)],
        words="Sine and cosine of a real number.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:844",
        "2/half angle",
        "sin(phi/2)*sin(phi) == cos(phi/2)*(1-cos(phi))",
        example={"phi": "1"},
        proof=half_angle(cite("law:circle", {"t": "phi/2"})),
        words="tan(θ/2) = (1 − cos θ)/sin θ, without divisors.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:844",
        2,
        f"{POLAR} == r**j*(r*cos((j+1)*phi) + (r-c)/sin(phi)*{SINE} - r*{TANGENT}*{SINE})",
        given=ANGLE[:2],
        naturals="j",
        example={"r": "1/2", "c": "1/2", "phi": "1", "j": "1"},
        proof=rewritten(),
        words="The second equality, with c restored in the first line (see the step before): j = k − 2, and φ, in print"
        " θ, has sin φ > 0 and cos(φ/2) > 0. k = 1, where r has a negative power, is not covered.",
        faithfulness=Faithfulness.TYPO,
    ),
    step(
        "disp:851",
        "multiple",
        ["sin(i*phi) <= i*sin(phi)", "sin(i*phi) >= -i*sin(phi)"],
        given=("sin(phi) > 0", "cos(phi) >= 0"),
        naturals="i",
        example={"phi": "1", "i": "2"},
        proof=[
            induct("i", base=cite("law:sin-zero", {"t": "0*phi"}), step=multiple("<=", "")),
            induct("i", base=cite("law:sin-zero", {"t": "0*phi"}), step=multiple(">=", "-")),
        ],
        words="|sin(kθ)/sin θ| ≤ k, which the sentence after the display uses, for 0 < θ ≤ π/2.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:851",
        1,
        [f"{POLAR} <= {TRIANGLE}", f"{POLAR} >= -({TRIANGLE})"],
        given=(*ANGLE, "r >= 0", "r <= 1", "r**2 <= c", "c <= 1"),
        naturals="j",
        example={"r": "1/2", "c": "1/2", "phi": "1", "j": "1"},
        proof=[triangle("<=", ""), triangle(">=", "-")],
        words="(a), with c restored in a_k − c a_{k−1}: j = k − 2; 0 < θ ≤ π/2 is sin φ > 0, cos(φ/2) > 0, cos φ ≥ 0.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:851",
        2,
        f"{TRIANGLE} == r**j*(1+j*(1-r)) + r**(j+1)",
        words="One term moved (j = k - 2).",
        **RADIUS,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:851",
        3,
        "r**j*(1+j*(1-r)) + r**(j+1) <= 2",
        proof=chain(
            ("r**j*(1+j*(1-r)) + r**j*r <= 2", induction("j", {"p": "r**j"}, BERNOULLI, then=chain("p*r <= 1"))),
            then=added(("1", [2], "")),
        ),
        words="(b), the auxiliary lemma, for k >= 2; k = 1 is immediate.",
        **RADIUS,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:856",
        1,
        "ak - c*before >= ak - before",
        given=("before >= 0", "c <= 1"),
        words="c <= 1 and a_{k-1} >= 0.",
        **NAMED,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:856",
        "sums",
        [f"({RECURRENCE})[1] == ({POWER_SUM})[1]", f"({RECURRENCE})[2] == x2*({POWER_SUM})[1] + ({POWER_SUM})[2]"],
        proof=[induction("k", {"a": RECURRENCE, "t": POWER_SUM}, ["a1 == t1", "a2 == x2*t1 + t2"]) for _ in range(2)],
        words="a_k is the sum of x1^i x2^{k-1-i} over i = 0..k-1, and so is a_{k+1} with one term more.",
        **SLOW,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:856",
        2,
        f"({RECURRENCE})[2] - ({RECURRENCE})[1] == x1**k - (1-x2)*({RECURRENCE})[1]",
        proof=induction("k", {"a": RECURRENCE, "p": "x1**k"}, ["a2 - x2*a1 == p"]),
        words="a_{k+1} = x1^k + x2 a_k for every k (the two middle expressions of the display are a_k and a_{k-1}).",
        **SLOW,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:856",
        3,
        f"x1**k - (1-x2)*({RECURRENCE})[1] >= x1**k - k*(1-x2)*x2**k/x2",
        given=("0 <= x1", "x1 <= x2", "x2 <= 1", "x2 > 0"),
        naturals="k",
        example={"x1": "1/4", "x2": "1/2", "k": "2"},
        proof=induction(
            "k",
            {"a": RECURRENCE, "p": "x2**k", "o": "x1**k"},
            ["a2 - x2*a1 == o", "x2*a1 <= k*p", "o <= p", "o >= 0", "p >= 0"],
            then=chain("a1 <= k*p/x2"),
        ),
        words="a_k has k terms, each at most x2^{k-1}.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:856",
        4,
        "x1**(j+1) - (j+1)*(1-x2)*x2**j >= -x2**j*(1+j*x2**(j+1))",
        witness={"x1": "0", "x2": "1/4", "j": "1"},
        expect=Verdict.REFUTED,
        words="(k-2) x2^{k-1} is printed for (k-2)(1-x2); at k = 3, x1 = 0, x2 = 1/4 the printed step fails.",
        **FAST,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:856",
        "4/repaired",
        "x1*x1**j - (j+1)*(1-x2)*x2**j >= -x2**j*(1+j*(1-x2))",
        proof=induction("j", {"p": "x2**j", "o": "x1**j"}, ["p >= 0", "o >= 0"]),
        faithfulness=Faithfulness.TYPO,
        repairs="lem:A-power-bound/disp:856.4",
        words="With (k-2)(1-x2) it holds.",
        **FAST,
    ),
    step(
        "disp:856",
        5,
        "-x2**j*(1+j*x2**(j+1)) >= -1",
        witness={"x1": "0", "x2": "9/10", "j": "1"},
        expect=Verdict.REFUTED,
        words="The slip carried on: near x2 = 1 the printed expression is about -(k-1).",
        **FAST,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:856",
        "5/repaired",
        "-x2**j*(1+j*(1-x2)) >= -1",
        proof=induction("j", {"p": "x2**j"}, ["p*(1+j*(1-x2)) <= 1", "p >= 0"]),
        faithfulness=Faithfulness.TYPO,
        repairs="lem:A-power-bound/disp:856.5",
        words="The auxiliary lemma.",
        **FAST,
    ),
    step(
        "disp:856",
        6,
        "ak - c*before <= ak - x2*before",
        given=("before >= 0", "x2 <= c"),
        example={"ak": "1", "before": "1", "c": "1/2", "x2": "1/4"},
        words="x2 <= c in this regime.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:856",
        "6b",
        f"({RECURRENCE})[2] - x2*({RECURRENCE})[1] == x1**k",
        proof=induction("k", {"a": RECURRENCE, "p": "x1**k"}, ["a2 - x2*a1 == p"]),
        words="a_{k+1} - x2 a_k = x1^k for every k.",
        **SLOW,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:856",
        7,
        f"({RECURRENCE})[2] - x2*({RECURRENCE})[1] <= 1",
        proof=induction("k", {"a": RECURRENCE}, ["a2 - x2*a1 >= 0", "a2 - x2*a1 <= 1"]),
        words="It is x1^k, at most 1.",
        **SLOW,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
)
