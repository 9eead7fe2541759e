r"""lem:Pi-increasing: Pi_0(M) <= Pi_1(M) <= ... <= Pi_t(M) <= Pi_{t+1}(M) <= ... in the semidefinite order.

Shown for every dimension and every M = F F^T, commuting with Sigma or not: entry by entry of M the recursion unrolls
into the printed sum, so the quadratic form of Pi_{t+1} - Pi_t is a sum of squares. The sentence after the definition of
Pi_infinity, Pi_t <= Pi_infinity, is proved in each eigen-direction with the closed form of lem:Pi-infinity.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.papers.sada.inner_loop import _pi as pi
from theory.papers.sada.inner_loop._blocks import HYPERPARAMETERS, ONE_EIGENVALUE, ONE_EIGENVALUE_EXAMPLE, pi_22
from theory.papers.sada.inner_loop._hyperparameters import CHOSEN, small_parameters
from theory.provers.tactics import Tactic, cite, induction, termwise

ID = "lem:Pi-increasing"
A, B, A2, B2 = "(1-eta*lam)", "(1+c-q*lam)", "(1-eta*nu)", "(1+c-q*nu)"
P22 = pi_22()
P11 = f"((1-eta*lam)**2*({P22})+eta**2)"
P12 = f"(((1-eta*lam)*(1+c-q*lam)*({P22})+eta*q)/(1+c*(1-eta*lam)))"
DET = "(w11*w22-w12**2)"


def projected(count: str) -> str:
    """One column of F against A^count (eta, q)^T, at the vector with entries x[i], y[i]."""
    s = pi.push(count, "[eta, q]", "lam[i]")
    return f"sum(i, 1, d, F[i, j]*(x[i]*{s}[1]+y[i]*{s}[2]))"


def increment(count: str) -> str:
    """The quadratic form of Pi_{count+1} - Pi_count."""
    return f"sum(j, 1, r, {projected(count)}**2)"


def a_sum_of_squares(count: str) -> Tactic:
    return termwise("sum", each={"kind": "cone", "terms": [{"c": "1", "sq": projected(count)}]}, index="j")


def _modulo(*pairs: tuple[int, str]) -> Tactic:
    return {"kind": "identity", "modulo": [list(pair) for pair in pairs]}


def unrolled() -> Tactic:
    """Facts 0-3: both blocks agree; facts 4-7: one more step adds m A^t (eta, q)^T (eta, q) A^tT."""
    sums = ("r1", "r2", "r3", "r4")
    pairs = [(x, y) for x in ("r5", "r6") for y in ("r7", "r8")]
    agree = [f"P{i} == r{i}" for i in range(1, 5)]
    grow = [
        f"{new}+{noise}-{old} == m*{x}*{y}"
        for new, noise, old, (x, y) in zip(pi.cross_step(sums), pi.NOISE, sums, pairs, strict=True)
    ]
    kept = [
        _modulo((3, f"{A}*{A2}"), (4, "1")),
        _modulo((2, f"-{A}*c"), (3, f"{A}*{B2}"), (5, "1")),
        _modulo((1, f"-{A2}*c"), (3, f"{A2}*{B}"), (6, "1")),
        _modulo((0, "c*c"), (2, f"-c*{B}"), (1, f"-c*{B2}"), (3, f"{B}*{B2}"), (7, "1")),
        *(_modulo((k, "1")) for k in (4, 5, 6, 7)),
    ]
    return induction("t", {"P": pi.cross("t"), "r": pi.layers("t")}, [*agree, *grow], step=kept)


def remainder_is_pushed_on() -> Tactic:
    """w22 (W - P_t) = F F^T + det H H^T with F = A^t (w12, w22)^T and H = A^t (1, 0)^T; facts 0-4 are given."""
    states = {"P": pi.block("t"), "f": pi.push("t", "[w12, w22]"), "h": pi.push("t", "[1, 0]")}
    kept = [
        f"w22*(w11-P1) == f1**2+{DET}*h1**2",
        f"w22*(w12-P2) == f1*f2+{DET}*h1*h2",
        f"w22*(w22-P3) == f2**2+{DET}*h2**2",
    ]
    onward = [
        _modulo((0, "w22"), (7, f"{A}**2")),
        _modulo((1, "w22"), (6, f"-c*{A}"), (7, f"{A}*{B}")),
        _modulo((2, "w22"), (5, "c**2"), (6, f"-2*c*{B}"), (7, f"{B}**2")),
    ]
    square = {"c": "1", "sq": "f2"}
    rest = {"c": "1", "of": [4], "sq": "h2"}
    then = {"kind": "cone", "multiplier": [3], "terms": [square, rest], "modulo": [[7, "1"]]}
    return induction("t", states, kept, step=onward, then=then)


STATIONARY: dict[str, Any] = {
    "given": (
        f"w11 == {A}**2*w22+eta**2",
        f"w12 == {A}*(-c*w12+{B}*w22)+eta*q",
        f"w22 == c**2*w11-2*c*{B}*w12+{B}**2*w22+q**2",
        "w22 > 0",
        "w11*w22 >= w12**2",
    ),
    "naturals": "t",
}

STABLE = ("lam > 0", "eta > 0", "eta*lam < 1", "c > 0", "c < 1", "q > c*eta", "2+2*c-(q+c*eta)*lam > 0")

STATEMENT = statement(
    ID,
    printed(
        [f"{increment(count)} >= 0" for count in ("0", "1", "t", "t+1", "t+2")],
        naturals=("t", "d", "r"),
        example={
            "t": "1",
            "d": "2",
            "r": "2",
            "F": [["1", "2"], ["0", "1"]],
            "x": ["1", "-1"],
            "y": ["2", "1"],
            "lam": ["1/8", "1/2"],
            "eta": "1/8",
            "q": "1/7",
            "c": "3/4",
        },
        display="disp:1172",
        proof=[a_sum_of_squares(count) for count in ("0", "1", "t", "t+1", "t+2")],
        scope="every dimension d, every spectrum, every M = F F^T, every vector, every t",
        words="Each increment A^t G M G^T A^tT is a sum of squares; no condition on the hyperparameters is needed.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1178",
        1,
        [f"{pi.cross('t')}[{i}] == {pi.layers('t')}[{i}]" for i in range(1, 5)],
        naturals="t",
        example={"t": "2", "m": "1", "lam": "1/8", "nu": "1/2", "eta": "1/8", "q": "1/7", "c": "3/4"},
        proof=[unrolled() for _ in range(4)],
        scope="the block of every pair of eigen-directions, every entry m of M, every t",
        words="The recursion unrolls into the printed sum: induction over t, for every pair of eigen-directions.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    sharper(
        f"{pi.block('t')}[3] <= w22",
        part="below every stationary block",
        example={
            "t": "2",
            "lam": "1",
            "eta": "1",
            "c": "0",
            "q": "1/2",
            "w11": "1",
            "w12": "1/2",
            "w22": "1/3",
        },
        proof=remainder_is_pushed_on(),
        words="W - Pi_t = A^t W A^tT for every stationary W, so a positive semidefinite W bounds every Pi_t.",
        **STATIONARY,
    ),
    sharper(
        f"{pi.block('t')}[3] <= {P22}",
        part="below the closed form",
        given=STABLE,
        naturals="t",
        example={"t": "2", "lam": "1", "eta": "1/2", "c": "1/2", "q": "1/2"},
        proof=cite(f"{ID}/sharper#below every stationary block", {"w11": P11, "w12": P12, "w22": P22}),
        words="The closed form of lem:Pi-infinity is positive definite, so Pi_t stays below it.",
    ),
    sharper(
        f"{pi.block('t')}[3] <= {P22}",
        part="below Pi_infinity",
        given=ONE_EIGENVALUE,
        where=HYPERPARAMETERS,
        naturals="t",
        example={**ONE_EIGENVALUE_EXAMPLE, "t": "2"},
        display="disp:1188",
        proof=small_parameters(cite(f"{ID}/sharper#below the closed form", CHOSEN)),
        words="The sentence after the definition: Pi_t <= Pi_infinity, for every t, under the hyperparameters.",
        instance="one eigenvalue of Σ, one diagonal entry, m_i = 1",
        links=("matrix-order",),
    ),
    accounts={
        "disp:1188": "definition of Pi_infinity as a series; that Pi_t stays below its closed form is proved here"
    },
    summary="True, for every M and without any condition on the hyperparameters.",
)
