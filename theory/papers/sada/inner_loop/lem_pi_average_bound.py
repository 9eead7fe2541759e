r"""lem:Pi-average-bound: L_var({Pi_t(M)}) <= 64 tr(Sigma^-1 M)/T.

True as printed, for every T, d, spectrum and M. The displays of its proof are not: sums of T/2 + 1 and T/2 terms are
8T + 16 and 8T, printed as 8/T; lambda_i m_i stands for m_i/lambda_i; and what |u_k| <= 2 gives this way adds up to
64/T + 64/T^2. Since |u_k| <= 1 (proved here), 16 in the place of 64 suffices; and through the Lyapunov function of the
block 2 (1 + 2/(T theta)), which is best possible in the limit.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.kernel import Verdict
from theory.papers.sada.inner_loop import _contraction as motion
from theory.papers.sada.inner_loop._average_sharper import READINGS
from theory.papers.sada.inner_loop._basis import EARLY_AT_ONES, SUMS_AT_ONES, early_at_ones
from theory.papers.sada.inner_loop._blocks import (
    A_TRUE,
    EVERY_EIGENVALUE,
    EVERY_EIGENVALUE_EXAMPLE,
    EYE,
    HYPERPARAMETERS,
    ONE_EIGENVALUE,
    ONE_EIGENVALUE_EXAMPLE,
)
from theory.papers.sada.inner_loop._directions import SCALING
from theory.papers.sada.inner_loop._driven_bound import CHAIN, PI
from theory.papers.sada.inner_loop._hyperparameters import CHOSEN, small_parameters
from theory.papers.sada.inner_loop._matrix_form import A_HALF
from theory.papers.sada.inner_loop._tail import l_var_of, power, rise, spread
from theory.provers.tactics import Tactic, auto, cite, termwise

ID = "lem:Pi-average-bound"
TRACE = "sum(i, 1, d, m[i]/lam[i])"
EVERY: dict[str, Any] = {
    "given": EVERY_EIGENVALUE,
    "where": HYPERPARAMETERS,
    "naturals": ("p", "d"),
    "example": {**EVERY_EIGENVALUE_EXAMPLE, "p": "1"},
    "scope": "every even T = 2(p+1), every dimension d, every spectrum, every positive semidefinite M",
}
EVERY_DIRECTION: dict[str, Any] = {
    "given": ("forall(i, 1, d, lam[i] > 0)", "q - c*eta > 0"),
    "where": {
        "A(i)": "[[0, 1-eta*lam[i]], [-c, 1+c-q*lam[i]]]",
        "P(i)": "[[p11[i], p12[i]], [p21[i], p22[i]]]",
    },
    "naturals": "d",
    "example": {
        "d": "1",
        "lam": ["1/2"],
        "m": ["1"],
        "q": "1/8",
        "c": "3/4",
        "eta": "1/8",
        "p11": ["1"],
        "p12": ["2"],
        "p21": ["3"],
        "p22": ["4"],
    },
    "scope": "every d, every spectrum, every matrix P_i in front (a polynomial in A_i)",
}
GENERIC: dict[str, Any] = {
    "given": ("lam > 0", "q - c*eta > 0"),
    "where": {"A": A_TRUE, "P": "[[p11, p12], [p21, p22]]"},
    "example": {
        "lam": "1/2",
        "q": "1/8",
        "c": "3/4",
        "eta": "1/8",
        "m": "1",
        "p11": "1",
        "p12": "2",
        "p21": "3",
        "p22": "4",
    },
    "scope": "one eigen-direction, every matrix P in front (a polynomial in A)",
}
IN_NUMBERS: dict[str, Any] = {**EVERY, "where": {**HYPERPARAMETERS, **l_var_of("m")}, "links": ("L-var-form",)}
COUNTS: dict[str, Any] = {"given": ("t > 0",), "naturals": "p", "example": {"t": "1", "p": "1"}}


def either_regime(then: Tactic) -> Tactic:
    """gamma < eta is the monotone regime (16 kt theta > 1), otherwise the energy rules."""
    regimes = {
        "kind": "cases",
        "on": "16*kt*theta - 1",
        "strict": True,
        "nonnegative": cite(f"{ID}/sharper#monotone", CHOSEN, then=then),
        "nonpositive": cite(f"{ID}/sharper#oscillating", CHOSEN, then=then),
    }
    return small_parameters(regimes)


def in_each_direction(then: Tactic) -> Tactic:
    one = f"{ID}/sharper#one direction"
    short = cite(one, {"lam": "lam_i", "k": "p", "n": "p+1"}, then=then)
    return cite(one, {"lam": "lam_i", "k": "p+2", "n": "p+1"}, then=short)


STATEMENT = statement(
    ID,
    printed(
        "LvarPi <= 64*tr(inv(Sigma) @ M)/(2*n)",
        display="disp:1149",
        words="True as printed, for every T, dimension, spectrum and M; 16 suffices.",
        **PI,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    *CHAIN,
    *SCALING,
    printed(
        f"Lvar <= 64*{TRACE}/T",
        part="in numbers",
        proof=termwise("sum", each=in_each_direction(auto())),
        words="The same for the sum over eigenvalues of lem:L-var.",
        **IN_NUMBERS,
        faithfulness=Faithfulness.OURS,
    ),
    sharper(
        f"Lvar <= 16*{TRACE}/T",
        display="disp:1149",
        proof=termwise("sum", each=in_each_direction(auto())),
        words="16 suffices, because |u_k| <= 1; the worst ratio found by search is 7.1/16.",
        **IN_NUMBERS,
    ),
    sharper(
        motion.BOUNDS,
        part="one direction",
        given=ONE_EIGENVALUE,
        where=HYPERPARAMETERS,
        naturals=("k", "n"),
        example={**ONE_EIGENVALUE_EXAMPLE, "k": "3", "n": "2"},
        proof=[either_regime(auto()) for _ in motion.BOUNDS],
        words="For every eigenvalue and k: |u_k| <= 1, not only 2; both sums are at most four times their lengths.",
    ),
    sharper(
        motion.energy(f"{power('k')}[1]", f"{power('k')}[2]"),
        part="energy",
        given=motion.OSCILLATING,
        naturals="k",
        example=motion.OSCILLATING_EXAMPLE,
        proof=motion.energy_never_grows(),
        words="For q > eta a positive definite energy of the pair (x, y - x) never grows.",
    ),
    sharper(
        motion.BOUNDS,
        part="oscillating",
        given=motion.OSCILLATING,
        naturals=("k", "n"),
        example=motion.OSCILLATING_EXAMPLE,
        proof=motion.bounded_by_the_energy(f"{ID}/sharper#energy"),
        words="The bounds for q > eta, from the energy.",
    ),
    sharper(
        motion.wedge(f"{power('k')}[1]", f"{power('k')}[2]"),
        part="wedge",
        given=motion.MONOTONE,
        naturals="k",
        example=motion.MONOTONE_EXAMPLE,
        proof=motion.wedge_is_kept(),
        words="For q <= eta the pair stays in a wedge: 0 <= x <= y, and a positive combination never grows.",
    ),
    sharper(
        motion.BOUNDS,
        part="monotone",
        given=motion.MONOTONE,
        naturals=("k", "n"),
        example=motion.MONOTONE_EXAMPLE,
        proof=motion.bounded_by_the_wedge(f"{ID}/sharper#wedge"),
        words="The bounds for q <= eta, from the wedge.",
    ),
    *READINGS,
    step(
        "disp:1155",
        1,
        f"{A_HALF} == {EARLY_AT_ONES}",
        **SUMS_AT_ONES,
        proof=lambda claim: early_at_ones(),
        words="In every orthonormal eigenbasis of Σ (line 599), j_i = 1/λ_i: lem:A-inverse turns (I − A_i)⁻¹(η, q)ᵀ"
        " into (1, 1)ᵀ/λ_i, and λ_i m_i into m_i/λ_i.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1155",
        2,
        f"sum(i, 1, d, m[i]/lam[i]*{spread('p+2', 'p+1', 'lam[i]')}) <= sum(i, 1, d, 16*(p+2)*m[i]/lam[i])",
        proof=termwise("sum", each=in_each_direction(auto())),
        words="Each of the T/2 + 1 squares is at most 16 (at most 4, in fact).",
        **EVERY,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1155",
        3,
        "16*(p+2)*t == 8*t/(2*(p+1))",
        expect=Verdict.REFUTED,
        words="T/2 + 1 terms of size 16 add up to 8T + 16, not to 8/T.",
        **COUNTS,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1155",
        "3/repaired",
        "16*(p+2)*t == (8*(2*(p+1))+16)*t",
        faithfulness=Faithfulness.CONSTANT,
        repairs=f"{ID}/disp:1155.3",
        words="The sum is (8T + 16) tr(Sigma^-1 M).",
        **COUNTS,
    ),
    step(
        "disp:1160",
        1,
        f"lam*m*((P @ inv({EYE}-A) @ [eta, q])[1])**2 == lam*m*((P @ [1, 1])[1])**2",
        expect=Verdict.REFUTED,
        words="Here lambda_i m_i is left standing although (I-A)^-1 (eta, q)^T has been replaced by (1, 1)^T.",
        **GENERIC,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1160",
        "1/repaired",
        f"sum(i, 1, d, lam[i]*m[i]*((P(i) @ inv({EYE}-A(i)) @ [eta, q])[1])**2)"
        " == sum(i, 1, d, m[i]/lam[i]*((P(i) @ [1, 1])[1])**2)",
        faithfulness=Faithfulness.TYPO,
        repairs=f"{ID}/disp:1160.1",
        words="m_i/lambda_i is meant, as in the display before.",
        **EVERY_DIRECTION,
    ),
    step(
        "disp:1160",
        2,
        f"sum(i, 1, d, lam[i]*m[i]*{rise('p', 'lam[i]')}) <= sum(i, 1, d, 16*(p+2)*m[i]/lam[i])",
        expect=Verdict.REFUTED,
        witness={
            "theta": "1/16",
            "mu": "1000",
            "kt": "1",
            "R2": "1000",
            "d": "1",
            "lam": ["1000"],
            "m": ["1"],
            "p": "1",
        },
        words="With lambda_i m_i the two sides scale differently: false for large eigenvalues.",
        **EVERY,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1160",
        "2/repaired",
        f"sum(i, 1, d, m[i]/lam[i]*{rise('p', 'lam[i]')}) <= sum(i, 1, d, 16*(p+1)*m[i]/lam[i])",
        faithfulness=Faithfulness.TYPO,
        repairs=f"{ID}/disp:1160.2",
        proof=termwise("sum", each=in_each_direction(auto())),
        words="With m_i/lambda_i and the sum from k = 1 each of the T/2 squares is at most 16.",
        **EVERY,
    ),
    step(
        "disp:1160",
        3,
        "16*(p+2)*t == 8*t/(2*(p+1))",
        expect=Verdict.REFUTED,
        words="The printed sum (from k = 0) is 8T + 16, not 8/T.",
        **COUNTS,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1160",
        "3/repaired",
        "16*(p+1)*t == 8*(2*(p+1))*t",
        faithfulness=Faithfulness.CONSTANT,
        repairs=f"{ID}/disp:1160.3",
        words="From k = 1 there are T/2 terms: 8T tr(Sigma^-1 M).",
        **COUNTS,
    ),
    step(
        "disp:1160",
        "end",
        "4*(a+b)/(2*(p+1))**2 <= 64*t/(2*(p+1))",
        given=("t > 0", "a <= (8*(2*(p+1))+16)*t", "b <= 8*(2*(p+1))*t"),
        naturals="p",
        example={"t": "1", "p": "1", "a": "0", "b": "0"},
        expect=Verdict.REFUTED,
        words="The sentence after the display: the two bounds that |u_k| <= 2 gives add up to 64/T + 64/T^2 only.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1160",
        "end/repaired",
        "4*(a+b)/(2*(p+1))**2 <= 64*t/(2*(p+1))",
        given=("t > 0", "a <= (8*(2*(p+1))+16)*t", "b <= 9*p*t"),
        naturals="p",
        example={"t": "1", "p": "1", "a": "0", "b": "0"},
        faithfulness=Faithfulness.CONSTANT,
        repairs=f"{ID}/disp:1160.end",
        words="(1 - u)^2 <= 9 and T/2 - 1 terms that are not zero close the gap, still with |u_k| <= 2.",
    ),
    summary="True as printed; the sums displayed in its proof are off by T^2 and lambda^2. 16 instead of 64 suffices.",
)
