"""Lemmas of learning theory about means: what is proved unaided, and the twin that an exact point refutes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unaided import verdict
from theory import lemma
from theory.kernel import Verdict
from theory.kernel.lang import parse_relation
from theory.kernel.sequent import Sequent
from theory.provers import arithmetic, relations
from theory.provers.elimination import without_equations
from theory.provers.frame import accepted

A = {"a": "real[S]"}
AI = {"a": "real[S]", "i": "real[S]"}
WALK: dict[str, Any] = {"naturals": ["t"], "kinds": {"a": "real[S]", "H": "history(S)", "x": "real[nat, H]"}}
SCALED: dict[str, Any] = WALK | {"steps": {"x[0, h]": "x0", "x[t+1, h]": "a[w]*x[t, h]"}}

PAIRS: list[tuple[str, str, dict[str, Any]]] = [
    (  # Cauchy-Schwarz between a random number and its indicator, which is its own square
        "E(w, a[w])**2 <= E(w, a[w]**2)*E(w, i[w])",
        "E(w, a[w])**2 <= E(w, a[w]**2)*E(w, i[w])**2",
        {"given": ["i[w]**2 == i[w]", "a[w] == a[w]*i[w]"], "kinds": AI},
    ),
    (  # centred: the mean under another measure
        "(E(w, r[w]*a[w]) - E(w, a[w]))**2 <= (E(w, r[w]**2) - 1)*Var(w, a[w])",
        "(E(w, r[w]*a[w]) - E(w, a[w]))**2 <= (E(w, r[w]**2) - 1)*Var(w, a[w])/2",
        {"given": ["E(w, r[w]) == 1"], "kinds": A | {"r": "real[S]"}},
    ),
    (  # a mean in a divisor
        "Var(w, a[w]) - Cov(w, a[w], b[w])**2/Var(w, b[w]) <= Var(w, a[w] - c*b[w])",
        "Var(w, a[w]) - Cov(w, a[w], b[w])**2/(2*Var(w, b[w])) <= Var(w, a[w] - c*b[w])",
        {"given": ["Var(w, b[w]) > 0"], "kinds": A | {"b": "real[S]"}},
    ),
    (  # a recursion: independent factors
        "E(h, x[t, h]**2) == q**t*x0**2",
        "E(h, x[t, h]**2) == q**(2*t)*x0**2",
        SCALED | {"given": ["E(w, a[w]**2) == q"]},
    ),
    (  # a recursion: the sign of its mean comes first
        "E(h, x[t, h]) <= exp(-c*t)*x0",
        "E(h, x[t, h]) <= exp(-c*t)*x0/2",
        SCALED | {"given": ["x0 >= 0", "a[w] >= 0", "E(w, a[w]) <= 1 - c", "0 <= c <= 1"]},
    ),
    (  # a tangent of the exponential, then a law
        "E(w, exp(t*a[w])) <= exp(t**2*s)",
        "E(w, exp(t*a[w])) <= exp(t**2*s/4)",
        {"given": ["0 <= t <= 1", "E(w, a[w]) == 0", "E(w, a[w]**2) <= s", "a[w] <= 1"], "kinds": A},
    ),
    (  # the tangent at exp(f)/E exp(f)
        "E(w, r[w]*a[w]) <= E(w, r[w]*log(r[w])) + log(E(w, exp(a[w])))",
        "E(w, r[w]*a[w]) <= E(w, r[w]*log(r[w])) + E(w, a[w])",
        {"given": ["r[w] > 0", "E(w, r[w]) == 1", "E(w, exp(a[w])) > 0"], "kinds": A | {"r": "real[S]"}},
    ),
]


@pytest.mark.parametrize(("true", "false", "more"), PAIRS, ids=[true for true, _, _ in PAIRS])
def test_a_lemma_about_means_is_proved_and_its_twin_refuted(true: str, false: str, more: dict[str, Any]) -> None:
    assert verdict(true, **more) is Verdict.PROVED
    assert verdict(false, **more) is Verdict.REFUTED


def test_paley_zygmund_compares_the_base_of_the_square_with_the_mixed_mean() -> None:
    given = ["0 <= c <= 1", "a[w] >= 0", "i[w]**2 == i[w]", "(1 - i[w])*(a[w] - c*E(v, a[v])) <= 0"]
    assert verdict("(1-c)**2*E(w, a[w])**2 <= E(w, a[w]**2)*E(w, i[w])", given=given, kinds=AI) is Verdict.PROVED
    assert verdict("(1-c/2)**2*E(w, a[w])**2 <= E(w, a[w]**2)*E(w, i[w])", given=given, kinds=AI) is Verdict.REFUTED


def test_a_power_of_a_root_is_no_complex_number() -> None:
    more: dict[str, Any] = {"given": ["k >= 1"], "naturals": ["n"]}
    assert verdict("(1 - 1/sqrt(k))**n <= exp(-2*n/sqrt(k))", **more) is Verdict.REFUTED
    assert relations.value_at(parse_relation("(x - 1)**(1/2) >= 0").left, {"x": 0.0}) is None


def test_equations_are_used_up_and_what_follows_is_a_proof() -> None:
    facts = ("mean(w, a[w]) == m", "mean(w, a[w]**2)/n >= mean(w, a[w])", "n > 0", "m == 2")
    sequent = Sequent(tuple(map(parse_relation, facts)), parse_relation("mean(w, a[w]**2) >= 2*n"))
    seen: list[Sequent] = []

    def prove(here: Sequent) -> Any:
        seen.append(here)
        return arithmetic.close(here)

    cert = without_equations(sequent, prove)
    assert cert is not None
    assert accepted(cert, sequent)
    assert all(fact.op != "==" for fact in seen[0].facts)


def test_a_mean_that_depends_on_an_outer_sample_stays_a_claim_about_samples() -> None:
    kinds = A | {"b": "real[S]"}
    apart = lemma("E(w, exp(a[w])*E(v, b[v])) >= 0", given=["E(v, b[v]) >= 0"], kinds=kinds).claim
    assert apart.kinds == ()
    tied = lemma("E(w, a[w]*E(v, a[w]*b[v]))/2 <= 1", kinds=kinds).claim
    assert dict(tied.kinds) == kinds
