r"""lem:noise-bound-Sigma-inverse: tr(Sigma^-1 R) <= 5 tr(Sigma^-1 Q) + 5 L_l (L + kt) (F(y) - F(x*)).

True for every distribution, loss and dimension (Assumption l-condition is used through lem:gradient-bound, though it is
not named). The weights (5, 5/2, 5/2) obey 1/5 + 2/5 + 2/5 = 1, which is what (a+b+c)^2 <= p a^2 + q b^2 + r c^2 needs;
every other choice with 1/p + 1/q + 1/r <= 1 serves as well, so that the factor of tr(Sigma^-1 Q) can be near 1.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.papers.sada.inner_loop import _noise_of_every_size as every
from theory.papers.sada.inner_loop._noise import EXAMPLE, FOURTH, GAP, NOISE, SMOOTH, TR_SIGMA_Q, TR_SIGMA_R
from theory.papers.sada.inner_loop._split import WEIGHTS, any_weights, printed_weights
from theory.papers.sada.inner_loop._variance_bound import FOURTH_KAPPA
from theory.papers.sada.language import weight
from theory.provers.tactics import order

ID = "lem:noise-bound-Sigma-inverse"
ALL: dict[str, Any] = {"naturals": "d", "scope": "every dimension, every distribution, every loss"}
GIVEN = (*SMOOTH, *FOURTH, *NOISE)

STATEMENT = statement(
    ID,
    printed(
        "tr(inv(Sigma) @ R) <= 5*tr(inv(Sigma) @ Q) + 5*Ll*(L + kt)*gap",
        given=(*every.AT, every.NOISE, FOURTH_KAPPA, "kt > 0"),
        display="disp:1299",
        proof=lambda claim: every.noise({"psd": "inv(Sigma)"}, "kt"),
        words="True as printed, for every distribution and loss; Assumption l-condition is used, through"
        " lem:gradient-bound,"
        " though it is not named.",
        **every.ONE_SAMPLE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        f"{TR_SIGMA_R} <= 5*{TR_SIGMA_Q}+5*Ll*(L+kt)*{GAP}",
        part="in numbers",
        given=GIVEN,
        example=EXAMPLE,
        proof=printed_weights("n"),
        words="The same with means over finite spaces.",
        **ALL,
        links=("fresh-sample",),
        faithfulness=Faithfulness.OURS,
    ),
    sharper(
        f"{TR_SIGMA_R} <= {TR_SIGMA_Q}/x+2*Ll*(L/y+kt/z)*{GAP}",
        given=(*GIVEN, *WEIGHTS),
        example={**EXAMPLE, "x": "1/2", "y": "1/4", "z": "1/4"},
        display="disp:1299",
        proof=any_weights("n"),
        words="A whole family, one bound for each x + y + z <= 1; the factor of tr(Sigma^-1 Q) may be near 1.",
        **ALL,
        links=("fresh-sample",),
    ),
    step(
        "disp:1305",
        1,
        "eps**2*(a @ a.T) << 5*gs**2*(a @ a.T) + 5/2*(gy - gs)**2*(a @ a.T) + 5/2*(a.T @ delta)**2*(a @ a.T)",
        kinds={"a": "vector(d)", "delta": "vector(d)"},
        where={"eps": "(-gy + a.T @ delta)"},
        example={"d": "1", "a": ["1"], "delta": ["1"], "gy": "1", "gs": "2"},
        proof=lambda claim: order(
            {"L": "2*(gs - 1/4*(gy - gs - a.T @ delta))*a"}, {"L": "(gy - gs + a.T @ delta)*a", "c": [weight("5/4")]}
        ),
        scope="every d, every sample; gy and gs are ℓ′ at ỹ and at x*, delta = ỹ − x̃₊*",
        words="ε = −ℓ′(x*) − (ℓ′(ỹ) − ℓ′(x*)) + a·(ỹ − x̃₊*), and (a + b + c)² ≤ 5a² + 5b²/2 + 5c²/2.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1305",
        "1/weights",
        "x+y+z <= 1",
        given=("x > 0", "y > 0", "z > 0", "(x+y+z)**2 <= x**2/x+y**2/y+z**2/z"),
        example={"x": "1/5", "y": "2/5", "z": "2/5"},
        words="The weights cannot be smaller: at (a, b, c) = (x, y, z) the inequality itself says x + y + z <= 1.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:1312",
        1,
        "E(w, (a[w].T @ delta)**2*norm2(a[w], inv(Sigma))) <= kt*norm2(delta, Sigma)",
        given=FOURTH_KAPPA,
        proof=lambda claim: order({"of": 0, "L": "delta.T"}),
        words="Assumption fourth-moment at the vector ỹ − x̃₊*.",
        **every.ONE_SAMPLE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1312",
        2,
        "kt*norm2(delta, Sigma) == kt*norm2(grad, inv(Sigma))",
        given=every.SOLVES,
        proof=lambda claim: every.norms_agree("kt"),
        words="ỹ − x̃₊* = Σ⁻¹∇F(ỹ), so that its Σ-norm is the Σ⁻¹-norm of ∇F(ỹ).",
        **every.ONE_SAMPLE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1312",
        3,
        "kt*norm2(grad, inv(Sigma)) <= 2*Ll*kt*gap",
        given=(*every.AT[:4], "kt > 0"),
        proof=lambda claim: every.from_gradient(order({"of": "gradient", "c": [{"fact": 4}]})),
        words="This is lem:gradient-bound at ỹ.",
        **every.ONE_SAMPLE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={"disp:1275": "the definition of R again, word for word as in disp:706"},
    summary="True as printed; the weights are one of a family, and no weights can be better than the family allows.",
)
