r"""lem:layer-peeled-decomposition: C_t = C~_t + sum_{l>=1} C~_t^(l), and C~_t^(l) = O for l >= t.

True in every dimension and for every distribution. B X = E A^ X A^^T, B~ X = A X A^T with A = E A^, and
(B - B~) X has the blocks eta^2, eta q, q^2 times E a a^T X_22 a a^T - Sigma X_22 Sigma (disp:721, right as printed).
The sketch (disp:396, disp:403) restates it with four slips: layer 0 is counted twice, A..A lacks the transpose, the
source of layer l is taken at t instead of t-1, and R stands where the block [[eta^2 R, eta q R], [eta q R, q^2 R]] is
meant.
"""

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.kernel import Verdict
from theory.papers.sada.derivations import comparisons
from theory.papers.sada.inner_loop import _layers_of_every_size as proofs
from theory.papers.sada.language import NOTIONS, OPTIMAL, POINT, about

RANDOM = {"H": "", "N": "symmetric"}
EVERY = "every dimension, every distribution of A^ = H; N is the covariance of zeta"
MEAN = "mean(w, H[w])"


def full(x: str) -> str:
    return f"mean(w, H[w] @ ({x}) @ H[w].T)"


def averaged(x: str) -> str:
    return f"{MEAN} @ ({x}) @ {MEAN}.T"


def excess(x: str) -> str:
    return f"({full(x)} - {averaged(x)})"


def covariance(t: int) -> str:
    """C_t from its recursion."""
    return "0*N" if t == 0 else f"{full(covariance(t - 1))} + N"


def layer(level: int, t: int) -> str:
    """C~_t^(level) from its recursion; level 0 is C~_t."""
    if t == 0:
        return "0*N"
    source = "N" if level == 0 else excess(layer(level - 1, t - 1))
    return f"{averaged(layer(level, t - 1))} + {source}"


def remainder(level: int, t: int) -> str:
    """C_t^(level) from disp:984."""
    return "0*N" if t == 0 else f"{full(remainder(level, t - 1))} + {excess(layer(level - 1, t - 1))}"


def layers(t: int, last: int) -> str:
    return " + ".join(layer(level, t) for level in range(1, last + 1))


P_LETTERS = {"P": "symmetric", "M11": "", "M12": "", "M21": "", "M22": "", "I": "identity"}
A_HAT = "[[0*I, I - eta*P[w]], [-c*I, (1+c)*I - q*P[w]]]"
A_MEAN = "[[0*I, I - eta*mean(w, P[w])], [-c*I, (1+c)*I - q*mean(w, P[w])]]"
BLOCKS = "[[M11, M12], [M21, M22]]"
FOURTH = "(mean(w, P[w] @ M22 @ P[w]) - mean(w, P[w]) @ M22 @ mean(w, P[w]))"
NUMBERS = {"c": "1/2", "eta": "1/4", "q": "1/4"}
BLOCK = "[[0, u], [-c, b]]"
PSD = "[[x11, x12], [x12, x22]]"
BLOCK_POINT = {"u": "1", "c": "1/2", "b": "1", "x11": "1", "x12": "0", "x22": "1"}
SOURCE = {"eta": "1/4", "q": "1/4", "R": "1", "m1": "1", "m2": "2"}

STATEMENT = statement(
    "lem:layer-peeled-decomposition",
    printed(
        "C[t] == L[0, t] + sum(l, 1, t, L[l, t])",
        **about(layers=True, given=OPTIMAL, example=POINT),
        proof=lambda claim: proofs.decomposition(),
        display="disp:977",
        words="The layers add up to C_t; those beyond t vanish, so that the sum is finite.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "L[t + k, t] == 0",
        part="finite",
        **about(layers=True, naturals=("t", "k"), example={**POINT, "k": "1"}),
        proof=lambda claim: proofs.layer_vanishes(),
        words="C~_t^(l) vanishes for l >= t: l = t + k.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        f"{proofs.layers('n', '0')} == 0",
        part="start",
        **about(layers=True, naturals=("n",), example={**POINT, "n": "1"}),
        proof=lambda claim: proofs.nothing_at_the_start(),
        words="All layers start at O.",
        faithfulness=Faithfulness.OURS,
    ),
    printed(
        "sum(l, 0, n + 1, L[l, t + 1]) == Bt(sum(l, 0, n + 1, L[l, t]))"
        " + B(sum(l, 0, n, L[l, t])) - Bt(sum(l, 0, n, L[l, t])) + J(R)",
        part="sums",
        **about(layers=True, naturals=("t", "n"), example={**POINT, "n": "1"}),
        proof=lambda claim: proofs.sums_of_layers(),
        words="The first layers together follow the recursion of C_t, with one layer less in B - B~.",
        faithfulness=Faithfulness.OURS,
    ),
    printed(
        f"C[t] == {proofs.layers('t + k', 't')}",
        part="enough",
        **about(layers=True, naturals=("t", "k"), given=OPTIMAL, example={**POINT, "k": "1"}),
        proof=lambda claim: proofs.enough_layers_add_up(),
        words="The layers up to t + k add up to C_t, for every k.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:733",
        "mean zero",
        "E(h, eta[t, h]) == 0",
        **about(given=OPTIMAL, example=POINT),
        proof=lambda claim: proofs.mean_is_zero(),
        words="E eta_t^var = 0, which the recursion of C_t needs: each sample is fresh and E zeta = 0.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:396",
        "sum from 0",
        "C == Ct + (Ct + layer)",
        given=("R > 0", "eta > 0"),
        where={"C": "eta**2*R", "Ct": "eta**2*R", "layer": "0"},
        example={"R": "1", "eta": "1/4"},
        witness={"R": "1", "eta": "1/4"},
        expect=Verdict.REFUTED,
        scope="one eigenvalue, t = 1: the (1, 1) entries of C_1, C~_1 = C~_1^(0) and C~_1^(1) = O",
        words="Not the lemma but the sentence before the display of the sketch (line 395): the sum over l starts at 0,"
        " so that C~_t = C~_t^(0) is counted twice.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:396",
        "sum from 0/repaired",
        "C == Ct + layer",
        faithfulness=Faithfulness.TYPO,
        repairs="lem:layer-peeled-decomposition/disp:396.sum from 0",
        given=("R > 0", "eta > 0"),
        where={"C": "eta**2*R", "Ct": "eta**2*R", "layer": "0"},
        example={"R": "1", "eta": "1/4"},
        words="The sum starts at l = 1, as in the appendix.",
    ),
    step(
        "disp:721",
        1,
        "B(X) - Bt(X) == J(M(X22) - Mt(X22))",
        **about(
            kinds={"X11": "matrix(d, d)", "X12": "matrix(d, d)", "X21": "matrix(d, d)", "X22": "matrix(d, d)"},
            example={**POINT, "X11": "1", "X12": "2", "X21": "3", "X22": "5"},
        )
        | {"where": {**NOTIONS, "X": "[[X11, X12], [X21, X22]]"}},
        words="(B - B~) X depends on the lower right block only, through E a a^T X_22 a a^T - Sigma X_22 Sigma.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:733",
        1,
        "C[t + 1] == B(C[t]) + J(R)",
        **about(given=OPTIMAL, example=POINT),
        proof=lambda claim: proofs.covariance_recursion(),
        words="The update of C_t; the cross terms vanish because E eta_t^var = 0.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:733",
        2,
        "mean(w, [eta*e[w], q*e[w]] @ [eta*e[w], q*e[w]].T) == [[eta**2*R, eta*q*R], [eta*q*R, q**2*R]]",
        letters={"e": ""},
        where={"R": "mean(w, e[w] @ e[w].T)"},
        example={"eta": "1/4", "q": "1/4"},
        scope="every dimension, every distribution; e = eps a",
        words="The covariance of zeta has the blocks eta^2 R, eta q R, q^2 R.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:386",
        1,
        [
            "mean(w, [eta*e[w], q*e[w]] @ [eta*e[w], q*e[w]].T) == [[eta**2*R, eta*q*R], [eta*q*R, q**2*R]]",
            "mean(w, (H[w] @ h + e[w]) @ (H[w] @ h + e[w]).T) == mean(w, H[w] @ (h @ h.T) @ H[w].T) + R"
            " + mean(w, H[w] @ h @ e[w].T) + mean(w, e[w] @ h.T @ H[w].T)",
        ],
        letters={"e": "", "H": "", "h": ""},
        where={"R": "mean(w, e[w] @ e[w].T)"},
        example={"eta": "1/4", "q": "1/4"},
        scope="every dimension, every distribution; e = eps a",
        words="The sketch has the same recursion; R is d x d there, too (line 392 says 2d x 2d).",
        links=("fresh-sample",),
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:396",
        1,
        f"{BLOCK} @ {PSD} @ {BLOCK} == {BLOCK} @ {PSD} @ {BLOCK}.T",
        example=BLOCK_POINT,
        witness=BLOCK_POINT,
        expect=Verdict.REFUTED,
        words="A C~ A lacks the transpose.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:396",
        "1/repaired",
        "mean(w, (A @ h + z[w]) @ (A @ h + z[w]).T) == A @ (h @ h.T) @ A.T + mean(w, z[w] @ z[w].T)"
        " + A @ h @ mean(w, z[w].T) + mean(w, z[w]) @ h.T @ A.T",
        letters={"A": "", "h": "", "z": ""},
        faithfulness=Faithfulness.TYPO,
        repairs="lem:layer-peeled-decomposition/disp:396.1",
        scope="every dimension",
        words="The covariance of a linear recursion is A C~ A^T plus that of the noise, which has mean zero.",
    ),
    step(
        "disp:396",
        2,
        "eta**2*R == R",
        given=("R > 0", "eta > 0"),
        example={"R": "1", "eta": "1/4"},
        witness={"R": "1", "eta": "1/4"},
        expect=Verdict.REFUTED,
        scope="one eigenvalue, t = 1: the (1, 1) entry of C~_1",
        words="The noise of C~_t is printed as R; its first block is eta^2 R.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:396",
        "2/repaired",
        "mean(w, [eta*e[w], q*e[w]] @ [eta*e[w], q*e[w]].T) == [[eta**2*R, eta*q*R], [eta*q*R, q**2*R]]",
        letters={"e": ""},
        where={"R": "mean(w, e[w] @ e[w].T)"},
        example={"eta": "1/4", "q": "1/4"},
        faithfulness=Faithfulness.TYPO,
        repairs="lem:layer-peeled-decomposition/disp:396.2",
        words="C~_1 is the covariance of zeta, with the blocks eta^2 R, eta q R, q^2 R.",
    ),
    step(
        "disp:396",
        3,
        "eta**2*(m2 - m1**2)*(q**2*R) == 0",
        given=("R > 0", "eta > 0", "q > 0", "m1 > 0", "m2 >= m1**2"),
        example=SOURCE,
        witness=SOURCE,
        expect=Verdict.REFUTED,
        scope="one eigenvalue, l = t = 1: m1 = E a^2, m2 = E a^4; the appendix has C~_1^(1) = O",
        words="The source of layer l is printed at time t; then C~_1^(1) = (B - B~) C~_1 is not O.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:396",
        "3/repaired",
        [f"{layer(1, 1)} == 0*N", f"{layer(1, 2)} == {excess('N')}"],
        letters=RANDOM,
        faithfulness=Faithfulness.TYPO,
        repairs="lem:layer-peeled-decomposition/disp:396.3",
        scope=EVERY,
        words="With the source at t - 1: C~_1^(1) = O and C~_2^(1) = (B - B~) C~_1.",
    ),
    step(
        "disp:396",
        4,
        [f"{layer(0, 1)} == N", f"{layer(1, 1)} == 0*N"],
        letters=RANDOM,
        scope=EVERY,
        words="The starts agree with the appendix: C~_0 = O and C~_0^(l) = O give C~_1 = N and C~_1^(l) = O.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:403",
        1,
        f"{BLOCK} @ {PSD} @ {BLOCK} + m*{PSD} == {BLOCK} @ {PSD} @ {BLOCK}.T + m*{PSD}",
        example={**BLOCK_POINT, "m": "1"},
        witness={**BLOCK_POINT, "m": "1"},
        expect=Verdict.REFUTED,
        words="A Pi A lacks the transpose; disp:1005 has it.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:403",
        "1/repaired",
        [f"{layer(0, 2)} == {MEAN} @ N @ {MEAN}.T + N"],
        letters=RANDOM,
        faithfulness=Faithfulness.TYPO,
        repairs="lem:layer-peeled-decomposition/disp:403.1",
        scope=EVERY,
        words="With the transpose, Pi_t(R) is C~_t from Pi_0 = O.",
    ),
    step(
        "disp:403",
        2,
        f"{layer(0, 1)} == N",
        letters=RANDOM,
        scope=EVERY,
        words="Pi_0 = O in both places: Pi_1 is the noise.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:988",
        1,
        [f"{remainder(level, t)} == 0*N" for t in (0, 1, 2, 3) for level in (max(t, 1), t + 1)],
        letters=RANDOM,
        scope=f"{EVERY}; t <= 3 and l = t, t + 1",
        words="C_t^(l) = O for t <= l.",
        instance="t ≤ 3, ℓ ≤ t + 1",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:988",
        2,
        [f"{layer(level, t)} == 0*N" for t in (0, 1, 2, 3) for level in (max(t, 1), t + 1)],
        letters=RANDOM,
        scope=f"{EVERY}; t <= 3 and l = t, t + 1",
        words="C~_t^(l) = O for t <= l.",
        instance="t ≤ 3, ℓ ≤ t + 1",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:988",
        "tight",
        f"{layer(1, 2)} == {excess('N')}",
        letters=RANDOM,
        scope=EVERY,
        words="The range cannot be larger: C~_2^(1) = (B - B~) N.",
        instance="t = 2, ℓ = 1",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:992",
        1,
        [
            f"{remainder(1, 4)} == {layer(1, 4)} + {remainder(2, 4)}",
            f"{remainder(1, 4)} == {layers(4, 2)} + {remainder(3, 4)}",
            f"{remainder(1, 4)} == {layers(4, 3)} + {remainder(4, 4)}",
            f"{remainder(1, 4)} == {layers(4, 3)}",
        ],
        letters=RANDOM,
        scope=f"{EVERY}; t = 4 written out",
        words="Peeling off one layer after the other.",
        instance="t = 4",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:992",
        "each step",
        [
            f"{full('C')} + N - ({averaged('Ct')} + N) - ({full('D')} + {excess('Ct')}) == {full('C - Ct - D')}",
            f"{full('C')} + J - ({averaged('Ct')} + J) - ({full('D')} + {excess('Ct')}) == {full('C - Ct - D')}",
        ],
        letters={"H": "", "N": "", "C": "", "Ct": "", "D": "", "J": ""},
        scope=f"{EVERY}; every t and every l: D is C^(1) or C^(l+1), J the source of layer l",
        words="C - C~ - C^(1) and C^(l) - C~^(l) - C^(l+1) start at O and are multiplied by B in every step: they"
        " stay O.",
        faithfulness=Faithfulness.OURS,
    ),
    *comparisons("lem:layer-peeled-decomposition"),
    accounts={
        "disp:710": "definition of B and B~, operators on 2d x 2d matrices (line 709 says d x d)",
        "disp:714": "definition of M and M~; a a^T (x) a a^T is meant, a (x) a (x) a (x) a is printed",
        "disp:984": "definition of C_t^(l)",
    },
    summary="True in every dimension; its restatement in the main text has four slips.",
)
