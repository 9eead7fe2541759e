r"""lem:L-var-linearity: L_var({alpha X_t + beta Y_t}) = alpha L_var({X_t}) + beta L_var({Y_t}).

True for every T. The lemma names the second sequence {T_t} and then writes Y_t.
"""

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.kernel.lang import parse, substitute, text
from theory.papers.sada.inner_loop._lvar import double_sum

# p11[s, t], p12[s, t]: the first row of A^|s-t|, which gives the (1, 1) entry of A^(s-t)+ X_min(s,t) (A^(t-s)+)^T
TERM = "lam*(p11[s, t]*x11[min(s, t)] + p12[s, t]*x12[min(s, t)])"
SUM = f"4/(2*n)**2*sum(s, n+1, 2*n, sum(t, n+1, 2*n, {TERM}))"


def of(entry_11: str, entry_12: str) -> str:
    """L_var of the sequence with these entries at the time min(s, t)."""
    return SUM.replace("x11[min(s, t)]", entry_11).replace("x12[min(s, t)]", entry_12)


def mixed(name: str) -> str:
    return f"(alpha*x{name}[min(s, t)] + beta*y{name}[min(s, t)])"


TIMES = range(3, 5)
MIX = {f"X{t}": parse(f"alpha*U{t} + beta*V{t}") for t in TIMES}


def in_letters(name: str) -> str:
    return text(substitute(parse(double_sum(2, 4)), {f"X{t}": parse(f"{name}{t}") for t in TIMES}))


STATEMENT = statement(
    "lem:L-var-linearity",
    printed(
        f"{of(mixed('11'), mixed('12'))} == alpha*{of('x11[min(s, t)]', 'x12[min(s, t)]')}"
        f" + beta*{of('y11[min(s, t)]', 'y12[min(s, t)]')}",
        given=("n >= 1",),
        naturals="n",
        example={
            "n": "1",
            "lam": "1",
            "alpha": "2",
            "beta": "3",
            "p11": [["1", "0"], ["0", "1"]],
            "p12": [["0", "1"], ["1", "0"]],
            "x11": ["1", "1"],
            "x12": ["0", "1"],
            "y11": ["1", "2"],
            "y12": ["1", "1"],
        },
        display="disp:899",
        scope="every T = 2n, one eigenvalue; L_var is the sum over eigenvalues",
        words="True for every T; the second sequence is called {T_t} in the statement.",
        instance="one eigenvalue of Σ",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:899",
        "every dimension",
        f"{text(substitute(parse(double_sum(2, 4)), MIX))} == alpha*({in_letters('U')}) + beta*({in_letters('V')})",
        letters={**{f"{name}{t}": "symmetric" for name in "UV" for t in TIMES}, "A": "", "I": "identity"},
        example={"alpha": "2", "beta": "3"},
        scope="every dimension; T = 4 written out",
        words="The same for matrices of any size.",
        instance="T = 4",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="True; the second sequence is misnamed.",
)
