r"""lem:Pi-increasing: Pi_0(M) <= Pi_1(M) <= ... <= Pi_t(M) <= Pi_{t+1}(M) <= ... in the semidefinite order.

True in every dimension, for every nonnegative M, commuting with Sigma or not. Pi_t also lies
below every nonnegative solution of the equation of Pi_infinity (disp:1195).
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.papers.sada.inner_loop import _pi as pi
from theory.papers.sada.inner_loop import _pi_of_every_size as every
from theory.papers.sada.inner_loop._blocks import HYPERPARAMETERS, ONE_EIGENVALUE, ONE_EIGENVALUE_EXAMPLE, pi_22
from theory.papers.sada.inner_loop._hyperparameters import CHOSEN, small_parameters
from theory.papers.sada.inner_loop._l_var_of_every_size import ours
from theory.provers.tactics import Tactic, cite, induction

ID = "lem:Pi-increasing"
A, B = "(1-eta*lam)", "(1+c-q*lam)"
P22 = pi_22()
P11 = f"((1-eta*lam)**2*({P22})+eta**2)"
P12 = f"(((1-eta*lam)*(1+c-q*lam)*({P22})+eta*q)/(1+c*(1-eta*lam)))"
DET = "(w11*w22-w12**2)"


def _modulo(*pairs: tuple[int, str]) -> Tactic:
    return {"kind": "identity", "modulo": [list(pair) for pair in pairs]}


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

GROWS = (
    ("Pi[0] << Pi[1]", every.grows_at("0")),
    ("Pi[1] << Pi[2]", every.grows_at("1")),
    ("Pi[t] << Pi[t+1]", every.grows_at("t")),
    ("Pi[t+1] << Pi[t+2]", every.grows_at("t+1")),
    ("Pi[t] << Pi[t+k]", every.grows_far()),
)

STATEMENT = statement(
    ID,
    printed(
        [says for says, _ in GROWS],
        **every.CORE,
        naturals=("t", "k"),
        display="disp:1172",
        proof=lambda claim: [proof for _, proof in GROWS],
        words="Π̃_t(M) grows in the order of matrices; no condition on the hyperparameters is needed.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    ours("grows", "Pi[t] << Pi[t+1]", "One step.", **every.CORE, naturals="t", proof=lambda claim: every.grows()),
    ours(
        "increment",
        "Pi[t+1] == Pi[t] + Pw[t] @ J(M) @ Pw[t].T",
        "What a step adds.",
        **every.CORE,
        naturals="t",
        proof=lambda claim: every.increment(),
    ),
    step(
        "disp:1178",
        1,
        f"Pi[t] == {every.partial('t-1')}",
        **every.CORE,
        naturals="t",
        proof=lambda claim: every.expanded(),
        words="The recursion unrolls into the printed sum.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    sharper(
        "Pi[t] << Pinf",
        part="below the fixed point",
        **every.WITH_FIXED_POINT,
        given=every.FIXED,
        naturals="t",
        display="disp:1188",
        proof=lambda claim: every.below_the_fixed_point(),
        words="Π̃_t lies below every nonnegative solution of disp:1195, for every t.",
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
        words="The same in one direction, with the closed form.",
        instance="one eigenvalue of Σ, one diagonal entry, m_i = 1",
        links=("matrix-order",),
    ),
    accounts={"disp:1188": "definition of Pi_infinity as a series; that Pi_t stays below it is proved here"},
    summary="True, for every M and without any condition on the hyperparameters.",
)
