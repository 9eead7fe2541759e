r"""lem:A-inverse: (I - A(lambda))^{-1} (eta, q)^T = (1/lambda) (1, 1)^T.

A(lambda) is printed with +c in its lower left corner (lines 742 and 749); the recursion gives -c, and only with -c is
the lemma true. The proof's inverse belongs to -c; its last vector prints c*eta + q where q - c*eta is meant.
"""

from theory.claims.statement import Faithfulness, printed, repaired, statement, step
from theory.kernel import Verdict
from theory.papers.sada.derivations import comparisons
from theory.papers.sada.inner_loop._blocks import A_PRINTED, A_TRUE, EYE

GENERIC = ("lam > 0", "q - c*eta > 0")
EXAMPLE = {"lam": "1/2", "q": "1/8", "c": "3/4", "eta": "1/8"}
INVERSE = "[[q*lam-c, 1-eta*lam], [-c, 1]]"

STATEMENT = statement(
    "lem:A-inverse",
    printed(
        f"inv({EYE}-A) @ [eta, q] == [1/lam, 1/lam]",
        given=(*GENERIC, "q*lam - 2*c + c*eta*lam != 0"),
        where={"A": A_PRINTED},
        example=EXAMPLE,
        display="disp:758",
        expect=Verdict.REFUTED,
        words="With A(lambda) as printed (+c in the corner) the identity fails.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        f"inv({EYE}-A) @ [eta, q] == [1/lam, 1/lam]",
        given=GENERIC,
        where={"A": A_TRUE},
        example=EXAMPLE,
        display="disp:758",
        faithfulness=Faithfulness.TYPO,
        words="With -c in the corner, as the recursion gives, it holds whenever lambda > 0 and q > c*eta.",
    ),
    step(
        "disp:767",
        1,
        f"({EYE}-A) @ ({INVERSE}/((q-c*eta)*lam)) == {EYE}",
        given=GENERIC,
        where={"A": A_TRUE},
        example=EXAMPLE,
        words="The printed inverse is the inverse of I - A with -c in the corner.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:773",
        2,
        "[eta*(q*lam-c)+q*(1-eta*lam), q-c*eta]/(lam*(q-c*eta)) == [1/lam, 1/lam]",
        given=GENERIC,
        example=EXAMPLE,
        words="With q - c eta in the second entry, where c eta + q is printed, both entries cancel to 1/lambda.",
        faithfulness=Faithfulness.TYPO,
    ),
    *comparisons("lem:A-inverse"),
    summary="The sign of c in the printed A(lambda) is wrong; with the true sign the lemma holds.",
)
