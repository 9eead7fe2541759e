"""The hyperparameters put into claims that are stated for free eta, c and q."""

from __future__ import annotations

from theory.kernel.lang import parse, substitute, text
from theory.provers.tactics import Tactic, chain

CHOSEN = {
    "eta": "16*kt*theta**2/mu",
    "c": "(1-theta)/(1+theta)",
    "q": "(16*kt*theta**2/mu+theta*(theta/mu))/(1+theta)",
}


def chosen(formula: str) -> str:
    """The formula with eta, c and q replaced, as `where` does it in a claim."""
    return text(substitute(parse(formula), {name: parse(value) for name, value in CHOSEN.items()}))


def small_parameters(then: Tactic) -> Tactic:
    """What eta <= 1/(16 R^2) says about theta, in four steps."""
    facts = ("256*kt*theta**2*R2 <= mu", "256*kt*theta**2*lam <= mu", "256*theta**2 <= 1", "16*theta <= 1")
    return chain(*facts, then=then)
