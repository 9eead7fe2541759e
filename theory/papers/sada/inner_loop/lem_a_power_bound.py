r"""lem:A-power-bound: |(A^k(lambda) (1,1)^T)_1| <= 2 for all k, supposing eta*lambda < 1 and eta <= q.

The two hypotheses do not suffice: nothing keeps q from being so large that the block is unstable. One more,
q <= (1+c) eta (that is, theta*gamma <= eta), does, and then the bound is 1, which k = 0 attains.

Proof for every k at once, without the three regimes: with d = y - x and b = (q - eta) lambda the energy
b c x^2 + d^2 never grows along (x, y) -> A (x, y), since
    energy - next energy = b (c a (2 - a) - b) y^2 + (b c + 1 - c^2) d^2,     a = eta lambda,
and it starts at b c.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, printed, repaired, sharper, statement
from theory.kernel import Verdict
from theory.papers.sada.derivations import comparisons
from theory.papers.sada.inner_loop._blocks import A_TRUE, HYPERPARAMETERS, ONE_EIGENVALUE, ONE_EIGENVALUE_EXAMPLE
from theory.papers.sada.inner_loop._power_steps import STEPS
from theory.provers.tactics import Tactic, auto, chain, cite

PRINTED = ("lam > 0", "eta > 0", "c > 0", "c < 1", "eta*lam < 1", "eta <= q")
SUFFICIENT = ("lam > 0", "eta > 0", "c > 0", "c <= 1", "eta*lam <= 1", "eta <= q", "q <= (1+c)*eta")
EXAMPLE = {"lam": "1", "eta": "1/2", "c": "1/2", "q": "1/2", "k": "3"}
ORBIT = f"iterate(s, k, [1, 1], {A_TRUE} @ s)"
FIRST = f"({ORBIT})[1]"


def energy_never_grows(goal: Tactic) -> Tactic:
    """Induction with b c x^2 + d^2 <= b c when q > eta; with x = y, x^2 <= 1 when q = eta."""
    b_positive = 7  # the case fact q - eta > 0
    lam, eta, c, one_minus_c, one_minus_a, gap = 0, 1, 2, 3, 4, 6
    here = 8
    step: dict[str, Any] = {
        "kind": "cone",
        "terms": [
            {"c": "1", "of": [here]},
            {"c": "1", "of": [b_positive, lam, c, eta, lam, one_minus_a], "sq": "s2"},
            {"c": "1", "of": [b_positive, lam, lam, gap], "sq": "s2"},
            {"c": "1", "of": [b_positive, lam, c], "sq": "s2-s1"},
            {"c": "1", "of": [one_minus_c], "sq": "s2-s1"},
            {"c": "1", "of": [one_minus_c, c], "sq": "s2-s1"},
        ],
    }
    bounded: Tactic = {
        "kind": "have",
        "fact": "s1**2 <= 1",
        "defined": {},
        "proof": {
            "kind": "cone",
            "multiplier": [b_positive, lam, c],
            "terms": [{"c": "1", "of": [here]}, {"c": "1", "sq": "s2-s1"}],
        },
        "then": goal,
    }
    moving: Tactic = {
        "kind": "induction",
        "on": "k",
        "states": {"s": ORBIT},
        "invariant": ["(q-eta)*lam*c*s1**2 + (s2-s1)**2 <= (q-eta)*lam*c"],
        "base": [{"kind": "identity"}],
        "step": [step],
        "then": bounded,
    }
    resting: Tactic = {
        "kind": "induction",
        "on": "k",
        "states": {"s": ORBIT},
        "invariant": ["s1 == s2", "s1**2 <= 1"],
        "base": [auto(), auto()],
        "step": [auto(), chain("s2**2 <= 1", "(1-eta*lam)**2 <= 1", then=auto())],
        "then": goal,
    }
    still = {"kind": "have", "fact": "q == eta", "proof": auto(), "then": resting, "defined": {}}
    return {"kind": "cases", "on": "eta-q", "strict": True, "nonnegative": still, "nonpositive": moving}


BOTH_SIDES = (f"{FIRST} <= 2", f"{FIRST} >= -2")
UNIT = (f"{FIRST} <= 1", f"{FIRST} >= -1")
ETA = "16*kt*theta**2/mu"
HYPERPARAMETERS_EXPANDED = {"eta": ETA, "c": "(1-theta)/(1+theta)", "q": f"({ETA}+theta*(theta/mu))/(1+theta)"}
GENERIC = {"naturals": "k", "display": "disp:815"}

# 16 kt theta <= 1, so that eta <= gamma and hence eta <= q
MOMENTUM_DOMINATES = chain(
    "R2 > 0",
    "256*kt*theta**2*R2 <= mu",
    "256*kt**2*theta**2*R2 <= kt*mu",
    "256*kt**2*theta**2 <= 1",
    "1+16*kt*theta > 0",
    "16*kt*theta <= 1",
    "16*kt*theta**2/mu <= theta/mu",
    then=cite("lem:A-power-bound/sharper", HYPERPARAMETERS_EXPANDED),
)

STATEMENT = statement(
    "lem:A-power-bound",
    printed(
        BOTH_SIDES,
        given=PRINTED,
        example=EXAMPLE,
        witness={"lam": "1", "eta": "1/2", "c": "1/2", "q": "6", "k": "2"},
        expect=Verdict.REFUTED,
        words="With q = 6 (a large gamma) two steps already give -5/2: eta*lambda < 1 and eta <= q do not suffice."
        " With the"
        " hyperparameters of lines 551 to 556 it holds: see lem:A-power-bound/sharper#hyperparameters.",
        **GENERIC,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        BOTH_SIDES,
        given=SUFFICIENT,
        example=EXAMPLE,
        faithfulness=Faithfulness.EXTRA_HYPOTHESIS,
        proof=[energy_never_grows(auto()), energy_never_grows(auto())],
        words="It suffices that q <= (1+c)*eta, which is theta*gamma <= eta; then the bound holds for every k.",
        **GENERIC,
    ),
    sharper(
        UNIT,
        given=SUFFICIENT,
        example=EXAMPLE,
        proof=[energy_never_grows(auto()), energy_never_grows(auto())],
        words="The bound is 1, and k = 0 attains it: the printed 2 loses a factor of two, of four where squared.",
        **GENERIC,
    ),
    sharper(
        UNIT,
        part="hyperparameters",
        given=(*ONE_EIGENVALUE, "kt*mu <= R2"),
        where=HYPERPARAMETERS,
        example={**ONE_EIGENVALUE_EXAMPLE, "k": "2"},
        proof=[MOMENTUM_DOMINATES, MOMENTUM_DOMINATES],
        words="The paper's hyperparameters satisfy the hypotheses when kt <= R^2/mu, as the tight constants do.",
        **GENERIC,
    ),
    *STEPS,
    *comparisons("lem:A-power-bound"),
    summary="False under the printed hypotheses; true with q <= (1+c) eta, and then with 1 in the place of 2.",
)
