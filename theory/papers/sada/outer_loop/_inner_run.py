"""The inner loop of Algorithm 1 at an anchor y: x̃₊* + h_k (r + v) on every path, and the bounds on r and v, cited."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theory.claims.statement import Faithfulness, printed, repaired
from theory.papers.sada.inner_loop._noise_of_every_size import ASSUMED as VARIANCE_GIVEN
from theory.papers.sada.inner_loop._noise_of_every_size import LEAST, NOISE_OF, SMOOTH, SOLVES
from theory.papers.sada.inner_loop._noise_of_every_size import NOISE as NOISE_AT
from theory.papers.sada.inner_loop._noise_of_every_size import NOISE_I as NOISE_I_AT
from theory.papers.sada.inner_loop._variance_bound import CHOICE, FOURTH, FOURTH_KAPPA, LOW, SIGMA
from theory.papers.sada.outer_loop._algorithm import NOTIONS, inner
from theory.provers.tactics import Tactic, chain, cite, have, induct, instance, let, order

ID = "lem:inner-loop"
LIFT = "[[I(d), O(d, d)], [-1/theta*I(d), (1 + theta)/theta*I(d)]]"
STATE = "(bias[t, y, path] + eta[t, y, path])"
SUMS = "(sum_bias[t, y, path] + sum_eta[t, y, path])"
CENTRE = "(y - hk[k]*shift(y))"
STARTS = ("x[0, k, u, h]", "z[0, k, u, h]", "total[0, k, u, h]")
PART_STARTS = ("bias[0, u, h]", "sum_bias[0, u, h]", "eta[0, u, h]", "sum_eta[0, u, h]")
SIZES = ("theta > 0", "Ll > 0")
PATH = {"path": "sample(H)"}
TOP, BOTTOM = "E1.T", "(1/theta)*((1 + theta)*E2.T - E1.T)"

# ---- the assumptions of the paper, for every vector and every sample
BETWEEN = "dl[u2, w]*(a[w].T @ (u1 - u2))"
FAR = "(a[w].T @ (u1 - u2))**2"


def for_all(relation: str) -> str:
    return f"forall(u1, vector(d), forall(u2, vector(d), forall(w, sample(S), {relation})))"


ABOVE = for_all(f"ell[u1, w] <= ell[u2, w] + {BETWEEN} + Ll/2*{FAR}")
BELOW = for_all(f"ell[u1, w] >= ell[u2, w] + {BETWEEN} + Ll/(2*alpha)*{FAR}")
OPTIMAL = "grad(o) == 0"  # x* is the minimiser of F
NOISE_I = "forall(u1, vector(d), E(w, (dl[u1, w] - dl[o, w])**2*(a[w].T @ a[w])) <= 2*Ll*B*(F(u1) - F(o)))"
NOISE = "forall(u1, vector(d), E(w, (dl[u1, w] - dl[o, w])**2*(a[w].T @ inv(Sigma) @ a[w])) <= 2*Ll*L*(F(u1) - F(o)))"
DATA = (SIGMA, LOW, FOURTH, FOURTH_KAPPA)
STEP_SIZES = CHOICE[:6]
LOSS = (ABOVE, BELOW, OPTIMAL, NOISE_I, NOISE, "Ll > 0", "alpha >= 1", "L >= 0", "B >= 0")
RULE = ("Sigma << kS*mu*I(d)", "kS >= 1", "n >= 1", "6*kS*exp(-theta*n) <= thK**2", "thK > 0")
TWICE = tuple(one.replace("6*kS", "12*kS") for one in RULE)
SHORT = ("alpha >= 1", "thk >= thK", "12*alpha*thk**2 <= 1")
MOMENTUM = {name: NOTIONS[name] for name in ("c", "q")}


def ours(part: str, says: str | list[str], words: str, **more: Any) -> Any:
    return printed(says, part=part, words=words, faithfulness=Faithfulness.OURS, **more)


# ---- the algorithm's own iterates, path by path


def starts() -> list[dict[str, Any]]:
    return [
        *({"use": one, "at": {"k": "k", "u": "y"}} for one in STARTS),
        *({"use": one, "at": {"u": "y"}} for one in PART_STARTS),
    ]


def positions(last: Tactic) -> Tactic:
    """x_t and z_t apart, from the fact "past" about both."""
    for name, row, picked in (("z", BOTTOM, "E2.T"), ("x", TOP, "E1.T")):
        says = f"{name}[t, k, y, path] == {CENTRE} + hk[k]*({row} @ {STATE})"
        last = {**have(says, order({"eq": "past", "L": picked}), then=last), "called": f"at {name}"}
    return last


def decomposed() -> Tactic:
    later = positions(order(ops=["advance", {"use": "at x"}, {"use": "at z"}]))
    return induct("t", base=order(ops=starts()), step=instance("IH", later, called="past", m="t"))


def summed(of: str) -> Tactic:
    later = positions(order(ops=["advance", {"use": "at x"}, {"use": "at z"}, {"use": "so far"}]))
    later = cite(f"{ID}#decomposition{of}", then=later, called="past")
    return induct("t", base=order(ops=starts()), step=instance("IH", later, called="so far", m="t"))


def averaged() -> Tactic:
    last = order(ops=[{"use": "late"}, {"use": "early"}])
    last = cite(f"{ID}#sum", {"t": "n"}, then=last, called="early")
    return cite(f"{ID}#sum", {"t": "n + n"}, then=last, called="late")


# ---- the bounds, at the anchor


def in_the_norm_of_h() -> Tactic:
    """|·|_H² = L_ℓ |·|_Σ² and |∇F|²_{H⁻¹} = |∇F|²_{Σ⁻¹}/L_ℓ, with L_ℓ h_k = 2 α θ̃_k²."""
    given = (*DATA, *STEP_SIZES, *RULE, *SHORT, "Ll > 0", "thk == th[k]")
    large, same = {"fact": given.index("Ll > 0")}, {"eq": given.index("thk == th[k]")}
    return order({"of": "cited", "c": [large]}, {**same, "k": "-Ll/4*(thk + th[k])*norm2(grad(y), inv(Sigma))"})


def state(of: str) -> dict[str, Any]:
    return {"at": ["t0", "h0"], "is": f"{of}[t0, y, h0]"}


def number(text: str) -> dict[str, Any]:
    return {"at": ["w0"], "is": text}


AT_ANCHOR = {"delta": {"at": [], "is": "shift(y)"}, "eps": number("eps(y, w0)")}
VARIANCE = {"eta": state("eta"), "s": state("sum_eta"), "eps": AT_ANCHOR["eps"]}


def small_bias(bound: str) -> Tactic:
    letters = {
        "bias": state("bias"), "total": state("sum_bias"), "delta": AT_ANCHOR["delta"],
        "grad": {"at": [], "is": "grad(y)"},
    }  # fmt: skip
    return cite(f"lem:r-bound{bound}", then=order({"of": "cited"}), called="cited", letters=letters,
                discharge={"12": order()})  # fmt: skip


def centred() -> Tactic:
    discharge = {"0": order({"eq": 0, "R": "shift(y)", "k": "-1"})}
    return cite("lem:v-bound#mean of v", MOMENTUM, then=order({"eq": "cited"}), called="cited", letters=VARIANCE,
                discharge=discharge)  # fmt: skip


def small_variance(role: str) -> Tactic:
    letters = {
        **VARIANCE, **AT_ANCHOR, "fy": number("ell[y, w0]"), "fs": number("ell[o, w0]"), "fu": number("ell[low, w0]"),
        "gy": number("dl[y, w0]"), "gs": number("dl[o, w0]"),
    }  # fmt: skip
    given = (*DATA, *STEP_SIZES, *LOSS)

    def fact(text: str, **at: str) -> dict[str, Any]:
        return {"of": given.index(text), "at": at}

    shown = {
        SMOOTH: order(fact(ABOVE, u1="low", u2="y", w="w"), ops=[{"use": "low"}]),
        LEAST: least(given, "low"),
        NOISE_OF: order(),
        SOLVES: order(),
        NOISE_I_AT: order(fact(NOISE_I, u1="y")),
        NOISE_AT: order(fact(NOISE, u1="y")),
    }
    discharge = {str(VARIANCE_GIVEN.index(one)): by for one, by in shown.items()}
    last = cite(f"lem:v-bound/{role}#every distribution", MOMENTUM, then=order({"of": "cited"}), called="cited",
                letters=letters, discharge=discharge)  # fmt: skip
    last = cite("lem:v-bound#kappa", then=chain("kt > 0", then=last))
    return let("low", "y - (1/Ll)*shift(y)", then=last)


def least(given: Sequence[str], at: str) -> Tactic:
    """F(x*) <= F(at): the gradient vanishes at x*, and the loss is convex."""
    return order(*above_optimum(given, at), {"E": {"v1": "S"}, "L": f"a[v1].T @ ({at} - o)", "c": [CURVATURE]})


CURVATURE = {"is": "Ll/(2*alpha)", "because": {"kind": "positive"}}


def above_optimum(given: Sequence[str], at: str) -> tuple[dict[str, Any], ...]:
    """F(at) - F(x*) is at least what is left of the lower quadratic bound around x*."""
    return (
        {"of": given.index(BELOW), "at": {"u1": at, "u2": "o", "w": "v1"}, "E": {"v1": "S"}},
        {"eq": given.index(OPTIMAL), "L": f"({at} - o).T"},
    )


def noise_level(near: str, far: str) -> str:
    return f"({near}*tr(inv(Sigma) @ Q) + {far}*step*kt*tr(Q))/(2*n)"


NEAR = {"repaired": ("960", "2560"), "sharper": ("600/7", "640/7")}
SLOPE = {"repaired": "160*(6*L + kt*(7 + 16*step*B))", "sharper": "40/7*(15*L + kt*(16 + 16*step*B))"}


def variance_claim(role: str, part: str, words: str) -> Any:
    bound = f"{noise_level(*NEAR[role])} + Ll*{SLOPE[role]}/(2*n)*(F(y) - F(o))"
    return ours(
        part, f"E(h, norm2(v(n, y, h), Sigma)) <= {bound}", words, **inner(naturals="n"),
        given=(*DATA, *STEP_SIZES, *LOSS, "n >= 1"), proof=lambda claim: small_variance(role),
    )  # fmt: skip


def iterates(length: str, of: str = "") -> tuple[Any, ...]:
    """Bias and variance against the iterates, for a run with h_k = `length`."""
    world = inner(kinds=PATH, naturals=("t", "k"), where={**NOTIONS, "hk[k]": length})
    return (
        ours(
            f"decomposition{of}",
            f"[[x[t, k, y, path]], [z[t, k, y, path]]] == [[{CENTRE}], [{CENTRE}]] + hk[k]*({LIFT} @ {STATE})",
            "Bias and variance add up to the iterates of the algorithm, on every path.",
            **world, given=SIZES, proof=lambda claim: decomposed(),
        ),
        ours(
            f"sum{of}", f"total[t, k, y, path] == t*{CENTRE} + hk[k]*(E1.T @ {SUMS})", "So do their sums.",
            **world, given=SIZES, proof=lambda claim: summed(of),
        ),
    )  # fmt: skip


HALF, HALVED = ", with half the step", "alpha*th[k]**2/Ll"
RUN = (
    *iterates(NOTIONS["hk[k]"]),
    *iterates(HALVED, HALF),
    ours(
        f"bias at the anchor{HALF}", "E(h, norm2(r(n, y, h), Sigma)) <= thk**2/8*norm2(shift(y), Sigma)",
        "Half the bound on r at any ỹ, with 12 for 6 in the repaired rule for T.",
        **inner(naturals="n"), given=(*DATA, *STEP_SIZES, *TWICE, *SHORT, "Ll > 0"),
        proof=lambda claim: small_bias("#half the bias"),
    ),
    printed(
        f"out(n, k, y, path) == {CENTRE} + hk[k]*(r(n, y, path) + v(n, y, path))", part="output", display="disp:586",
        words="The tail average of Algorithm 1 is x̃₊* + h_k r + h_k v, on every path; x̃₊* = ỹ − h_k Σ⁻¹∇F(ỹ).",
        faithfulness=Faithfulness.AS_PRINTED,
        **inner(kinds=PATH, naturals=("n", "k")), given=(*SIZES, "n >= 1"), proof=lambda claim: averaged(),
    ),
    ours(
        "bias at the anchor", "E(h, norm2(r(n, y, h), Sigma)) <= thk**2/4*norm2(shift(y), Sigma)",
        "The bound on r at any ỹ, under the repaired rule for T.",
        **inner(naturals="n"), given=(*DATA, *STEP_SIZES, *RULE, *SHORT, "Ll > 0"),
        proof=lambda claim: small_bias("/repaired#every distribution"),
    ),
    printed(
        "E(h, v(n, y, h)) == 0", part="v is centred", display="disp:592", faithfulness=Faithfulness.AS_PRINTED,
        words="E v = 0, over the samples of the inner loop, at every ỹ.", **inner(naturals="n"),
        given=(SIGMA, *SIZES, "n >= 1"), proof=lambda claim: centred(),
    ),
    repaired(
        "Ll*E(h, norm2(r(n, y, h), Sigma)) <= Ll**2*(Ll*hk[k]/(8*alpha))*(norm2(grad(y), inv(Sigma))/Ll)",
        part="r, every distribution", repairs=f"{ID}#r", display="disp:592", faithfulness=Faithfulness.CONSTANT,
        words="The bound on r with L_ℓ² restored, in the printed norms, at every ỹ, under the repaired rule for T.",
        **inner(naturals=("n", "k")), given=(*DATA, *STEP_SIZES, *RULE, *SHORT, "Ll > 0", "thk == th[k]"),
        proof=lambda claim: cite(f"{ID}#bias at the anchor", called="cited", then=in_the_norm_of_h()),
    ),
    printed(
        "Ll*E(h, norm2(v(n, y, h), Sigma)) <= 320*Ll*(3*Ll*(tr(inv(Sigma) @ Q)/Ll) + 8*step*kt*tr(Q))/(2*n)"
        " + 160*Ll**2*(6*L + kt*(7 + 16*step*B))*(F(y) - F(o))/(2*n)",
        part="v, every distribution", display="disp:592", faithfulness=Faithfulness.AS_PRINTED,
        words="The bound on v as printed, with H = L_ℓ Σ and T = 2n, at every ỹ.",
        **inner(naturals="n"), given=(*DATA, *STEP_SIZES, *LOSS, "n >= 1"),
        proof=lambda claim: cite(f"{ID}#variance at the anchor", called="cited", then=order(
            {"of": "cited", "c": [{"fact": claim.given.index("Ll > 0")}]})),
    ),
    variance_claim("repaired", "variance at the anchor", "The printed bound on v at any ỹ."),
    variance_claim("sharper", "sharper variance at the anchor", "The sharper bound on v at any ỹ."),
)  # fmt: skip
