r"""lem:rademacher: R_N(F_delta) <= 2 delta sqrt(d/N).

The proof's inclusion fails (F_delta is centred at 0, its superset at x*), and its last line forgets a factor 2 A X and
the whitening. For the linear class |h|_Sigma <= 2 A X delta, without indicators, the bound holds. Whether it holds with
the indicators, which depend on x and are no contraction, is open here: the lemma itself is not judged.
"""

from theory.kernel import Faithfulness, Verdict
from theory.statement import statement, step

POINT = {"A": "1", "X": "2", "delta": "1/100", "x": "0"}

STATEMENT = statement(
    "lem:rademacher",
    step(
        "disp:1962",
        1,
        "abs(x - X/2) <= 2*A*X*delta",
        given=("A > 0", "X > 0", "delta > 0", "abs(x) <= A*X*delta"),
        example={**POINT, "delta": "1"},
        witness=POINT,
        expect=Verdict.REFUTED,
        words="In one dimension with |a| = 1 and x* = X/2: x = 0 is in F_delta, but not within 2 A X delta of x*.",
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
        4,
        "(2*AX*delta/s)*s/AX <= delta/AX*s",
        given=("AX > 0", "delta > 0", "s > 0"),
        example={"AX": "1", "delta": "1", "s": "2"},
        witness={"AX": "1", "delta": "1/4", "s": "1"},
        expect=Verdict.REFUTED,
        words="One sample a = s or -s in one dimension: the left side is 2 delta, the printed one delta s/(A X).",
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
        words="Whitened, E |(1/N) sum eps_i w_i|^2 = d/N, and the square of the bound is 4 delta^2 d/N.",
    ),
    accounts={"disp:1958": "definition of the larger class (centred at x*; 0 is meant)"},
    summary="The inclusion and the last line of the proof are wrong; for the linear class the bound holds.",
)
