r"""lem:radius-bound: the eigenvalues x_1 <= x_2 of A(lambda) = [[0, 1-eta lambda], [-c, 1+c-q lambda]] for lambda >= 0.

With s = sqrt(q - c eta), t = sqrt(c (q - eta)), lambda_L = (1-c)^2/(s+t)^2 and lambda_U = (1-c)^2/(s-t)^2:
  lambda <= lambda_L            real,    x_2 <= 1 - (q - c eta) lambda/(1-c)
  lambda_L < lambda < lambda_U  complex, |x_1| = |x_2| = sqrt(c (1 - eta lambda))
  lambda >= lambda_U            real,    x_2 <= c eta/q
The paper writes an undefined delta for eta and names both eigenvalues x_1. With delta = eta all three regimes hold once
lambda_L and lambda_U exist. For that q >= eta is needed, which the lemma does not name: it means gamma >= eta and
rests on
kt <= kappa. The bound of the last regime is one-sided; eigenvalues are positive when q lambda < 1 + c.
"""

from theory.claims.statement import Faithfulness, printed, repaired, statement, step
from theory.kernel import Verdict
from theory.papers.sada.derivations import comparisons
from theory.papers.sada.inner_loop._blocks import A_PRINTED, A_TRUE, CHOICE, EYE, HYPERPARAMETERS
from theory.papers.sada.inner_loop._regimes import (
    BOUND_FAILS,
    DET,
    DISCRIMINANT,
    FACTORISED,
    FACTORS_ARE_RIGHT,
    HIGH,
    HIGH_BOUND,
    HIGH_IS_REAL,
    LOW,
    LOW_BOUND,
    LOW_IS_REAL,
    MIDDLE,
    MIDDLE_IS_COMPLEX,
    PLAIN,
    POSITIVE,
    REAL,
    ROOTS,
    SMALL_MOMENTUM,
    TRACE,
    X1,
    X2,
    complex_is_middle,
    modulo,
)
from theory.provers.tactics import Tactic, auto, identity, induction, solve

LOW_POINT = {"c": "2/9", "eta": "1/2", "q": "5/9", "s": "2/3", "t": "1/9", "lam": "1", "r": "0"}
HIGH_POINT = {"c": "8/9", "eta": "1/2", "q": "5/9", "s": "1/3", "t": "2/9", "lam": "1", "r": "0"}
NEGATIVE_POINT = {"c": "3/4", "eta": "1", "q": "13", "s": "7/2", "t": "3", "lam": "1/4", "r": "0"}
MIDDLE_POINT = {"c": "3/4", "eta": "1", "q": "13", "s": "7/2", "t": "3", "lam": "1/8"}
START = {"c": "1/3", "eta": "1", "q": "4/3", "lam": "0", "r": "2/3"}
SCOPE = "all parameters with 0 < c < 1 for which lambda_L and lambda_U are real"


def characteristic(block: str, root: str) -> str:
    """det(block - root*I) == 0."""
    m = f"({block} - ({root})*{EYE})"
    return f"{m}[1, 1]*{m}[2, 2] - {m}[1, 2]*{m}[2, 1] == 0"


BY_RECURSION = [modulo((2, "u")), modulo((3, "u")), modulo((2, "b"), (0, "-c")), modulo((3, "b"), (1, "-c"))]
# A^(k+1) entry by entry, from A; A^k from I; a_k and c u a_{k-1} by the recursion of the characteristic polynomial
POWER = "iterate(m, k, [0, u, -c, x1+x2], [u*m[3], u*m[4], (x1+x2)*m[3]-c*m[1], (x1+x2)*m[4]-c*m[2]])"
FROM_ONE = "iterate(m, k, [1, 0, 0, 1], [u*m[3], u*m[4], b*m[3]-c*m[1], b*m[4]-c*m[2]])"
RECURSION = "iterate(a, k, [-1, 0], [c*u*a[2], b*a[2]-a[1]])"
A_K = "(x2**k - x1**k)/(x2-x1)"
A_K1 = "(x2*x2**k - x1*x1**k)/(x2-x1)"
A_K2 = "(x2**2*x2**k - x1**2*x1**k)/(x2-x1)"
ENTRIES = [f"m[1] == -c*u*({A_K})", f"m[2] == u*({A_K1})", f"m[3] == -c*({A_K1})", f"m[4] == {A_K2}"]


def closed_form(entry: int) -> Tactic:
    """The entry m1, ..., m4 from the invariant; the eigenvalues differ, so that it can be divided."""
    return induction(
        "k",
        {"m": POWER, "p": "x1**k", "w": "x2**k"},
        [
            "(x2-x1)*m1 == -c*u*(w - p)",
            "(x2-x1)*m2 == u*(x2*w - x1*p)",
            "(x2-x1)*m3 == -c*(x2*w - x1*p)",
            "(x2-x1)*m4 == x2**2*w - x1**2*p",
        ],
        step=[
            modulo((4, "u")),
            modulo((5, "u")),
            modulo((4, "x1+x2"), (2, "-c"), (0, "c*(w-p)")),
            modulo((5, "x1+x2"), (3, "-c"), (0, "-(x2*w-x1*p)")),
        ],
        then=solve(entry + 1, f"m{entry}", identity()),
    )


DOUBLE = {"c": "1/2", "u": "1/2", "x1": "1/2", "x2": "1/2", "k": "1"}
DISTINCT = {"c": "1/2", "u": "1/4", "x1": "1/4", "x2": "1/2", "k": "2"}

STATEMENT = statement(
    "lem:radius-bound",
    printed(
        [f"{X1} <= {X2}", f"{X2} <= 1 - (q-c*delta)*lam/(1-c)"],
        part="low",
        given=(*PLAIN, *ROOTS, *REAL, LOW, "delta > 0"),
        example={**LOW_POINT, "delta": "1"},
        witness={**LOW_POINT, "delta": "1/16"},
        expect=Verdict.REFUTED,
        scope="delta is not defined in the paper, so it is free here",
        words="lambda <= lambda_L: delta is an undefined symbol, read as any delta > 0; the bound fails for a small"
        " one.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        [f"{X1} <= {X2}", f"{X2} <= 1 - (q-c*eta)*lam/(1-c)"],
        part="low",
        faithfulness=Faithfulness.TYPO,
        given=(*PLAIN, *ROOTS, *REAL, LOW),
        example=LOW_POINT,
        proof=[auto(), LOW_BOUND],
        scope=SCOPE,
        words="delta = eta: the larger eigenvalue is at most 1 - (q - c eta) lambda/(1-c).",
    ),
    printed(
        f"{DISCRIMINANT} >= 0",
        part="low is real",
        given=(*PLAIN, *ROOTS, LOW),
        example=LOW_POINT,
        proof=LOW_IS_REAL,
        scope=SCOPE,
        words="lambda <= lambda_L: both eigenvalues are real.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        [f"{DISCRIMINANT} < 0", f"({TRACE}/2)**2 - {DISCRIMINANT}/4 == c*(1-delta*lam)"],
        part="middle",
        given=(*PLAIN, *ROOTS, *MIDDLE, "delta > 0"),
        example={**MIDDLE_POINT, "delta": "1"},
        witness={**MIDDLE_POINT, "delta": "1/2"},
        expect=Verdict.REFUTED,
        scope="delta is not defined in the paper, so it is free here",
        words="lambda_L < lambda < lambda_U: the modulus, with the undefined symbol delta, read as any delta > 0.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        [f"{DISCRIMINANT} < 0", f"({TRACE}/2)**2 - {DISCRIMINANT}/4 == {DET}"],
        part="middle",
        faithfulness=Faithfulness.TYPO,
        given=(*PLAIN, *ROOTS, *MIDDLE),
        example=MIDDLE_POINT,
        proof=[MIDDLE_IS_COMPLEX, auto()],
        scope=SCOPE,
        words="delta = eta: complex, with real part squared plus imaginary part squared c (1 - eta lambda).",
    ),
    printed(
        [f"{X1} <= {X2}", f"{X2} <= c*delta/q"],
        part="high",
        given=(*PLAIN, *ROOTS, *REAL, HIGH, "delta > 0"),
        example={**HIGH_POINT, "delta": "1"},
        witness={**HIGH_POINT, "delta": "1/8"},
        expect=Verdict.REFUTED,
        scope="delta is not defined in the paper, so it is free here",
        words="lambda >= lambda_U: again with the undefined symbol delta, read as any delta > 0.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        [f"{X1} <= {X2}", f"{X2} <= c*eta/q"],
        part="high",
        faithfulness=Faithfulness.TYPO,
        given=(*PLAIN, *ROOTS, *REAL, HIGH),
        example=HIGH_POINT,
        proof=[auto(), HIGH_BOUND],
        scope=SCOPE,
        words="delta = eta: the larger eigenvalue is at most c eta/q.",
    ),
    printed(
        f"{DISCRIMINANT} >= 0",
        part="high is real",
        given=(*PLAIN, *ROOTS, HIGH),
        example=HIGH_POINT,
        proof=HIGH_IS_REAL,
        scope=SCOPE,
        words="lambda >= lambda_U: both eigenvalues are real.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:790",
        "high is positive",
        f"{X1} > 0",
        given=(*PLAIN, *ROOTS, *REAL, HIGH),
        example=HIGH_POINT,
        witness=NEGATIVE_POINT,
        expect=Verdict.REFUTED,
        words="The bound of the high regime is one-sided: the eigenvalues can be negative there, so it does not"
        " bound their"
        " modulus. The proof of lem:A-power-bound takes them as nonnegative.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:790",
        "high is positive/repaired",
        f"{X1} > 0",
        given=(*PLAIN, *REAL, "q*lam < 1 + c"),
        example=HIGH_POINT,
        proof=POSITIVE,
        faithfulness=Faithfulness.EXTRA_HYPOTHESIS,
        repairs="lem:radius-bound/disp:790.high is positive",
        words="With q lambda < 1 + c real eigenvalues are positive, in both real regimes.",
    ),
    repaired(
        ["q >= eta", "q > c*eta", "c > 0", "c < 1", "eta*lam < 1"],
        part="hypotheses",
        faithfulness=Faithfulness.EXTRA_HYPOTHESIS,
        repairs="lem:radius-bound/disp:783.q at least eta",
        given=(*CHOICE, "kt*mu <= R2"),
        where=HYPERPARAMETERS,
        example={"theta": "1/64", "mu": "1/8", "kt": "1", "lam": "1/2", "R2": "1"},
        proof=[SMALL_MOMENTUM] * 5,
        words="The hyperparameters give q >= eta when kt <= kappa: then 16 kt theta <= 1, that is eta <= gamma.",
    ),
    step(
        "disp:790",
        "q below eta",
        f"{X2} > 1 - (q-c*eta)*lam/(1-c)",
        given=(*PLAIN, *REAL, "q < eta", "q > c*eta", "lam > 0"),
        example={"c": "1/2", "eta": "1", "q": "3/4", "lam": "4/9", "r": "1/2"},
        proof=BOUND_FAILS,
        words="For c eta < q < eta the eigenvalues are real and the larger one exceeds the bound, for every lambda >"
        " 0.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:783",
        "q at least eta",
        "q >= eta",
        given=CHOICE,
        where=HYPERPARAMETERS,
        example={"theta": "1/64", "mu": "1/8", "kt": "1", "lam": "1/2", "R2": "1"},
        expect=Verdict.REFUTED,
        words="Without kt <= kappa the hyperparameters do not give q >= eta.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:783",
        "q at least eta/repaired",
        "q >= eta",
        given=(*CHOICE, "kt*mu <= R2"),
        where=HYPERPARAMETERS,
        example={"theta": "1/64", "mu": "1/8", "kt": "1", "lam": "1/2", "R2": "1"},
        proof=SMALL_MOMENTUM,
        faithfulness=Faithfulness.EXTRA_HYPOTHESIS,
        repairs="lem:radius-bound/disp:783.q at least eta",
        words="With kt <= kappa they do.",
    ),
    step(
        "disp:783",
        1,
        characteristic(A_TRUE, X1),
        given=(*PLAIN, *REAL),
        example=START,
        proof=modulo((7, "1/4")),
        words="The first formula is an eigenvalue (of A with -c in the corner).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:783",
        2,
        f"{X1} == {X2}",
        given=(*PLAIN, *REAL),
        example=START,
        witness=START,
        expect=Verdict.REFUTED,
        words="Both eigenvalues are printed as x_1, which would make them equal.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:783",
        "2/repaired",
        characteristic(A_TRUE, X2),
        given=(*PLAIN, *REAL),
        example=START,
        proof=modulo((7, "1/4")),
        faithfulness=Faithfulness.TYPO,
        repairs="lem:radius-bound/disp:783.2",
        words="The second formula is the other eigenvalue, x_2.",
    ),
    step(
        "disp:783",
        "printed block",
        characteristic(A_PRINTED, X2),
        given=(*PLAIN, *REAL),
        example=START,
        witness=START,
        expect=Verdict.REFUTED,
        words="They are not eigenvalues of the block as printed, with +c.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:783",
        "printed block/repaired",
        characteristic(A_TRUE, X2),
        given=(*PLAIN, *REAL),
        example=START,
        proof=modulo((7, "1/4")),
        faithfulness=Faithfulness.TYPO,
        repairs="lem:radius-bound/disp:783.printed block",
        words="They are eigenvalues of the block with -c, which the update has.",
    ),
    step(
        "disp:790",
        1,
        ["lam*(s+t)**2 > (1-c)**2", "lam*(s-t)**2 < (1-c)**2"],
        given=(*PLAIN, *ROOTS, f"{DISCRIMINANT} < 0"),
        example=MIDDLE_POINT,
        proof=[complex_is_middle(0), complex_is_middle(1)],
        scope=SCOPE,
        words="A negative discriminant means lambda_L < lambda < lambda_U (the converse is the middle regime).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:790",
        "factors",
        FACTORISED,
        given=(*PLAIN, *ROOTS),
        example=MIDDLE_POINT,
        proof=FACTORS_ARE_RIGHT,
        words="The discriminant is a product with the roots lambda_L and lambda_U.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:804",
        1,
        ENTRIES,
        given=("c*u == x1*x2",),
        where={"m": POWER},
        naturals="k",
        example=DISTINCT,
        witness=DOUBLE,
        expect=Verdict.REFUTED,
        words="At lambda_L and lambda_U the eigenvalues coincide and the printed quotient a_k is 0/0.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:804",
        "1/repaired",
        ENTRIES,
        given=("c*u == x1*x2", "x1 != x2"),
        where={"m": POWER},
        naturals="k",
        example=DISTINCT,
        proof=[closed_form(entry) for entry in (1, 2, 3, 4)],
        faithfulness=Faithfulness.EXTRA_HYPOTHESIS,
        repairs="lem:radius-bound/disp:804.1",
        scope="every power k + 1 >= 1, any two different eigenvalues (an identity of polynomials, so complex ones,"
        " too)",
        words="For different eigenvalues the closed form of A^{k+1} holds for every k.",
    ),
    step(
        "disp:804",
        "by recursion",
        ["m[1] == -a[1]", "m[2] == u*a[2]", "m[3] == -c*a[2]", "m[4] == b*a[2] - a[1]"],
        where={"m": FROM_ONE, "a": RECURSION},
        naturals="k",
        example={"c": "1/2", "u": "1/2", "b": "1", "k": "3"},
        proof=[
            induction(
                "k",
                {"m": FROM_ONE, "a": RECURSION},
                ["m1 == -a1", "m2 == u*a2", "m3 == -c*a2", "m4 == b*a2 - a1"],
                step=BY_RECURSION,
            )
        ]
        * 4,
        faithfulness=Faithfulness.SHARPER,
        scope="every power k, all real parameters; a = (c u a_{k-1}, a_k)",
        words="With a_{k+1} = (1+c-q lambda) a_k - c (1-eta lambda) a_{k-1}, a_0 = 0, a_1 = 1 the form holds always,"
        " double and"
        " complex eigenvalues included, and a_k is real.",
    ),
    *comparisons("lem:radius-bound"),
    summary="True once q >= eta; the paper's hypotheses do not give it, kt <= kappa does.",
)
