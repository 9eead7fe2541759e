r"""lem:v-decom: E|v_k|_H^2 = L_var({C~_t}) + sum_{l>=1} L_var({C~_t^(l)}).

The H-norm is a slip for the Sigma-norm: H = L_l Sigma, so the left side is L_l times too large. With the Sigma-norm it
is the layer-peeled decomposition put into L_var, which is linear.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, repaired, statement, step
from theory.kernel import Verdict
from theory.kernel.lang import parse, substitute, text
from theory.papers.sada.inner_loop._lvar import double_sum
from theory.papers.sada.inner_loop.lem_l_var_linearity import of
from theory.papers.sada.inner_loop.lem_layer_peeled_decomposition import EVERY, MEAN, RANDOM, covariance, layer
from theory.provers.tactics import cite, induction

ID = "lem:v-decom"
# d = 1, T = 2: v = x_2; a^2 has mean lam and second moment s4, the noise has the second moment m
KICK = "m*((1-eta*lam)**2*q**2+eta**2)"
LAYER_1 = "m*eta**2*(s4-lam**2)*q**2"
WHOLE = "m*((1-2*eta*lam+eta**2*s4)*q**2+eta**2)"
TINY: dict[str, Any] = {
    "given": ("lam > 0", "s4 >= lam**2", "m > 0", "eta > 0", "q > 0"),
    "example": {"lam": "1", "s4": "2", "m": "1", "eta": "1/16", "q": "1/16", "Ll": "1"},
    "scope": "d = 1, T = 2, every distribution of a^2 with these two moments; H = L_l Sigma",
}
# the sequence C_t is the layer below (x) plus the rest (y); W is L_var of the rest, V[l] that of layer l
SUM = of("(x11[min(s, t)] + y11[min(s, t)])", "(x12[min(s, t)] + y12[min(s, t)])")
ONE = f"{of('x11[min(s, t)]', 'x12[min(s, t)]')} + {of('y11[min(s, t)]', 'y12[min(s, t)]')}"
PEELED = "iterate(r, K, [W, 1, 0], [r[1]-V[r[2]], r[2]+1, r[3]+V[r[2]]])"
EXAMPLE: dict[str, Any] = {
    "n": "1",
    "lam": "1",
    "p11": [["1", "0"], ["0", "1"]],
    "p12": [["0", "1"], ["1", "0"]],
    "x11": ["1", "1"],
    "x12": ["0", "1"],
    "y11": ["1", "2"],
    "y12": ["1", "1"],
    "W": "3",
    "V": ["1", "1"],
    "K": "2",
}


def of_sequence(entry: Any) -> str:
    """L_var for T = 4, up to 4/T^2 and the inner product with diag(Sigma, O), of the sequence t -> entry(t)."""
    env = {"A": parse(MEAN), **{f"X{t}": parse(f"({entry(t)})") for t in (3, 4)}}
    return text(substitute(parse(double_sum(2, 4)), env))


IN_LETTERS = f"{of_sequence(covariance)} == " + " + ".join(
    f"({of_sequence(lambda t, level=level: layer(level, t))})" for level in range(4)
)

STATEMENT = statement(
    ID,
    printed(
        f"Ll*lam*{WHOLE} == lam*{KICK}+lam*{LAYER_1}",
        display="disp:1366",
        expect=Verdict.REFUTED,
        witness={"lam": "1", "s4": "2", "m": "1", "eta": "1/16", "q": "1/16", "Ll": "2"},
        words="The H-norm is L_l times the Sigma-norm, and L_var is written for the Sigma-norm.",
        **TINY,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        [f"{SUM} == {ONE}", f"{PEELED}[1]+{PEELED}[3] == W"],
        display="disp:1366",
        given=("n >= 1",),
        naturals=("n", "K"),
        example=EXAMPLE,
        faithfulness=Faithfulness.TYPO,
        proof=[
            cite("lem:L-var-linearity", {"alpha": "1", "beta": "1"}),
            induction("K", {"r": PEELED}, ["r1+r3 == W"]),
        ],
        scope="every T = 2n, one eigenvalue, every number K of layers; after K >= T layers the rest is zero",
        words="With the Sigma-norm: L_var is additive, and peeling off K layers leaves L_var of the rest.",
        instance="one eigenvalue of Σ",
    ),
    step(
        "disp:1366",
        "all layers, T = 4",
        IN_LETTERS,
        letters={**RANDOM, "I": "identity"},
        scope=f"{EVERY}; T = 4 written out, from the definitions of C_t, C~_t^(l) and L_var",
        words="L_var of C_t is the sum of those of the layers 0 to 3; higher layers vanish at T = 4.",
        instance="T = 4",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1366",
        "Sigma-norm, T = 2",
        f"lam*{WHOLE} == lam*{KICK}+lam*{LAYER_1}",
        words="The instance that refutes the H-norm, in the Sigma-norm.",
        **TINY,
        instance="d = 1, T = 2",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:1372",
        1,
        [f"{covariance(t)} == " + " + ".join(layer(level, t) for level in range(t)) for t in (1, 2, 3, 4)],
        letters=RANDOM,
        scope=f"{EVERY}; t = 1, 2, 3, 4 written out",
        words="lem:layer-peeled-decomposition again, as printed there.",
        instance="t ≤ 4",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="The H-norm should be the Sigma-norm; then it is linearity of L_var.",
)
