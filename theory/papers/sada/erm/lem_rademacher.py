r"""lem:rademacher: R_N(F_delta) <= 2 delta sqrt(d/N).

False: F_delta restricts the truncated second moment only, so that a huge x belongs to it when a.x is nearly always cut
off. On five points at scales 1, 1/10, 1/100, ... one function is 1 at each point and nearly 0 at the others: with one
sample R_1 = 1, although delta = 9/20. The proof's inclusion fails as well (F_delta is centred at 0, its superset at
x*), the indicator of |h| has other units, and the last line forgets a factor 2 A X and the whitening. For the linear
class |h|_Sigma <= 2 A X delta, without indicators, the bound holds.
"""

from theory.claims.statement import Faithfulness, printed, repaired, statement, step
from theory.kernel import Verdict
from theory.provers.tactics import chain, termwise

POINT = {"A": "1", "X": "2", "delta": "1/100", "x": "0"}

STATEMENT = statement(
    "lem:rademacher",
    printed(
        "sum(j, 1, M, 1)/M <= 2*delta",
        display="disp:1951",
        given=("r > 0", "r < 1", "delta > 0", "M >= 1", "sum(i, 0, M-1, r**(2*i)) <= M*delta**2"),
        naturals="M",
        example={"r": "1/10", "delta": "1", "M": "2"},
        witness={"r": "1/10", "delta": "9/20", "M": "5"},
        expect=Verdict.REFUTED,
        scope="d = 1, N = 1, a uniform on 1, r, ..., r^(M-1); f_j has x = A X r^(1-j): it is r^(i-j) at the point"
        " i >= j and cut off at i < j, so its second moment is at most the given sum over M; -f_j belongs to the class",
        words="Each point has a function of the class that is 1 there, so R_1 = 1; the printed bound is 9/10.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        "rad**2 <= 4*delta**2*d/N",
        display="disp:1951",
        given=("delta > 0", "N > 0", "d > 0", "rad == 2*delta*mean(w, s[w])", "mean(w, s[w]**2) == d/N"),
        example={"delta": "1", "N": "4", "d": "4", "rad": "2", "p_w": ["1"], "s": ["1"]},
        proof=chain(
            ("mean(w, (2*delta*s[w]-rad)**2) >= 0", termwise("mean", index="v")),
            then={"kind": "cone", "terms": [{"c": "1", "of": [5]}], "modulo": [[4, "-4*delta**2"], [3, "-2*rad"]]},
        ),
        faithfulness=Faithfulness.EXTRA_HYPOTHESIS,
        scope="the linear class |h|_Sigma <= 2 A X delta, without indicators; s = |(1/N) sum eps_i Sigma^-1/2 a_i|,"
        " whose mean square is d/N",
        words="Without the indicators the supremum is 2 delta s, and (E s)^2 <= E s^2.",
    ),
    step(
        "disp:1962",
        1,
        "abs(x - X/2) <= 2*A*X*delta",
        given=("A > 0", "X > 0", "delta > 0", "abs(x) <= A*X*delta"),
        example={**POINT, "delta": "1"},
        witness=POINT,
        expect=Verdict.REFUTED,
        words="In one dimension with |a| = 1 and x* = X/2: x = 0 is in F_delta, but not within 2 A X delta of x*.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1962",
        "1/repaired",
        "x2 <= (2*A*X*delta)**2",
        given=("A > 0", "X > 0", "delta > 0", "t2 <= (A*X*delta)**2", "t2 >= x2/2"),
        example={"A": "1", "X": "2", "delta": "1", "t2": "1", "x2": "1"},
        faithfulness=Faithfulness.TYPO,
        repairs="lem:rademacher/disp:1962.1",
        scope="x2 = |x|_Sigma^2, t2 its truncated version, at least half of it if |x|_Sigma <= X, as A is chosen",
        words="Centred at 0 the inclusion holds for every x whose truncation keeps half of the second moment.",
    ),
    step(
        "disp:1962",
        2,
        "sum(i, 1, N, e[i]*(a[i]*x/(A*X)))/N == sum(i, 1, N, e[i]*a[i]*x)/(N*A*X)",
        given=("A > 0", "X > 0", "N > 0"),
        naturals="N",
        example={"A": "1", "X": "2", "N": "2", "x": "1", "e": ["1", "-1"], "a": ["1", "2"]},
        words="The definition of the complexity of the larger class.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1962",
        3,
        "2*delta <= min(2*delta, s)",
        given=("s > 0", "delta > 0", "4*delta <= 1"),
        example={"s": "1", "delta": "1/4"},
        witness={"s": "1/10", "delta": "1/4"},
        expect=Verdict.REFUTED,
        scope="d = 1, N = 1, a = s or -s, A = 1: the left side is 2 delta; with the indicator of |h| <= A X the right"
        " one is min{2 delta, s}",
        words="The indicator of |h| is printed for that of a.h: other units, and false for data on a small scale.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1962",
        "3/repaired",
        "mean(w, u[w]+rho*s[w]) == rho*mean(w, s[w])",
        given=("mean(w, u[w]) == 0",),
        example={"rho": "1", "p_w": ["1/2", "1/2"], "u": ["1", "-1"], "s": ["1", "1"]},
        faithfulness=Faithfulness.EXTRA_HYPOTHESIS,
        repairs="lem:rademacher/disp:1962.3",
        scope="without indicators; u = (1/N) sum eps_i a_i.x*, rho s the supremum over |h|_Sigma <= rho",
        words="Without indicators the shift by x* has mean zero and the supremum over h remains: an equality.",
    ),
    step(
        "disp:1962",
        4,
        "(2*AX*delta/s)*s/AX <= delta/AX*s",
        given=("AX > 0", "delta > 0", "s > 0"),
        example={"AX": "1", "delta": "1", "s": "2"},
        witness={"AX": "1", "delta": "1/4", "s": "1"},
        expect=Verdict.REFUTED,
        words="One sample a = s or -s in one dimension: the left side is 2 delta, the printed one delta s/(A X).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1962",
        "4/repaired",
        "(2*AX*delta)**2/AX**2*(N*d/N**2) == 4*delta**2*d/N",
        given=("AX > 0", "N > 0"),
        naturals="N",
        example={"AX": "1", "delta": "1", "N": "4", "d": "2"},
        faithfulness=Faithfulness.CONSTANT,
        repairs="lem:rademacher/disp:1962.4",
        words="Whitened, the mean square of (1/N) Σ ε_i w_i is d/N, and the square of the bound is 4 δ² d/N.",
    ),
    step(
        "disp:1962",
        5,
        "delta/(2*A*s*x)*s <= 2*delta",
        given=("A >= 1", "s > 0", "x > 0", "delta > 0"),
        example={"A": "1", "s": "1", "x": "1", "delta": "1"},
        witness={"A": "1", "s": "1", "x": "1/10", "delta": "1"},
        expect=Verdict.REFUTED,
        scope="d = 1, N = 1, a = s or -s, x* = x > 0, X = 2 s x",
        words="The printed middle term has the trace of Sigma over A X, which is not at most 2 when x* is small.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1962",
        "5/repaired",
        "((2*AX*delta)/AX*s)**2 <= (2*delta)**2*(d/N)",
        given=("AX > 0", "d > 0", "N > 0", "delta > 0", "s**2 == N*d/N**2"),
        example={"AX": "1", "d": "1", "N": "1", "delta": "1", "s": "1"},
        faithfulness=Faithfulness.CONSTANT,
        repairs="lem:rademacher/disp:1962.5",
        words="With the factor 2 A X and the whitened data the middle term is the right side already.",
    ),
    accounts={"disp:1958": "definition of the larger class (centred at x*; 0 is meant)"},
    summary="False: the truncation lets huge x into the class. For the linear class, without indicators, it holds.",
)
