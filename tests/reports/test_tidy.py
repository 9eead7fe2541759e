"""What is printed of a claim is equal to what the kernel judges, only easier to read."""

from __future__ import annotations

import re

import pytest

from reports.site.tidy import tidy
from reports.site.told import halves
from reports.site.typeset import Typesetter
from tests.sada import SADA, checks
from theory.claims.statement import Kind
from theory.kernel.evaluate import evaluate
from theory.kernel.lang import Node, parse
from theory.search.floats import Floats, batch


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1*alpha*(p/q)/(k*t)", "alpha*p/(q*k*t)"),
        ("-a*b/4", "-(a*b/4)"),
        ("3*5/3*x", "5*x"),
        ("(1/n)*sum(i, 1, k, x[i])", "(1/n)*sum(i, 1, k, x[i])"),
        ("a/b + c", "a/b + c"),
        ("12160/7*alpha/(q/2)", "24320*alpha/(7*q)"),
        ("x/0/y", "x/0/y"),
    ],
)
def test_a_quotient_within_a_quotient_becomes_one(written: str, read: str) -> None:
    assert tidy(parse(written)) == parse(read)


@pytest.mark.parametrize("source", ["-a/b/c*(a - b)/(1/3)", "1*a*1*b/(2*c)", "a/(b/(c/(a/b)))", "-(-(a/b))/7"])
def test_tidying_keeps_the_value(source: str) -> None:
    env = {"a": batch(1.7), "b": batch(-2.3), "c": batch(0.4)}

    def value(node: object) -> float:
        assert isinstance(node, Node)
        return float(evaluate(node, env, Floats()).value)

    assert value(tidy(parse(source))) == pytest.approx(value(parse(source)), rel=1e-12)


def test_halves_are_printed_as_what_they_are_half_of() -> None:
    assert tidy(parse("f(2*m) + m"), ("m",)) == parse("f(m) + m/2")
    assert tidy(parse("x[n + n]"), ("n",)) == parse("x[n]")


def test_a_step_counts_to_a_half_only_where_print_or_claim_has_the_whole() -> None:
    """m is K/2 in the outer loop and the number of unlabeled samples elsewhere."""
    displays = {display.id: display.formula for display in SADA.paper.displays}
    wholes = {one.half: one.latex for one in SADA.notation.halved}
    wrong = []
    for key, check in checks().items():
        if check.kind is Kind.STEP and check.display in displays:
            says = " ".join((*check.claim.says, *check.claim.given, *(formula for _, formula in check.claim.where)))
            for half in halves(check.claim, SADA.notation):
                printed = re.search(rf"(?<![\\A-Za-z]){wholes[half]}(?![A-Za-z])", displays[check.display])
                if not printed and not re.search(rf"2\*{half}\b|\b{half} ?\+ ?{half}\b", says):
                    wrong.append(key)
    assert wrong == []


def test_a_letter_that_a_claim_calls_its_own_is_no_half() -> None:
    claim = checks()["cor:sample-complexity/disp:447.1"].claim
    assert (
        Typesetter(SADA.notation)
        .of(claim)
        .definition("ktm", "(kt+m)/(m+1)")
        .endswith(r"\frac{\tilde{\kappa} + m}{m + 1}")
    )


def test_the_theorem_is_set_in_the_letters_of_the_paper() -> None:
    claim = checks()["thm:full-glm/repaired"].claim
    told = Typesetter(SADA.notation).of(claim)
    (said,) = (told.relation(source, 10**4) for source in claim.says)
    assert said.startswith(
        r"\mathbb{E}\left[F\left(\tilde{\mathbf{x}}_{K}\right)\right] - F\left(\mathbf{x}^*\right) \leq \frac{5}{3}"
        r" \exp\left(-\frac{\tilde{\theta}_{\max} K}{4}\right)"
    )
    assert r"\frac{46080 \alpha \operatorname{tr}\left(\boldsymbol{\Sigma}^{-1} \mathbf{Q}\right)}{L_\ell K T}" in said
    given = " ".join(told.relation(source, 10**4) for source in claim.given)
    assert r"\boldsymbol{u}_{1}, \boldsymbol{u}_{2} \in \mathbb{R}^{d} \text{ and every sample}" in given
    assert r"6 \kappa(\boldsymbol{\Sigma}) \exp\left(-\frac{\theta T}{2}\right) \leq \tilde{\theta}_{K}^{2}" in given


def test_a_letter_that_a_claim_defines_is_not_called_by_a_constant_of_the_paper() -> None:
    claim = checks()["lem:outer-one-step/disp:1752.1"].claim
    told = Typesetter(SADA.notation).of(claim)
    assert told.definition("R2", dict(claim.where)["R2"]).startswith("R_{2} =")


def test_an_iteration_of_one_matrix_is_the_power_of_the_matrix() -> None:
    iterated = parse("iterate(s, k, [1, 1], [[0, b], [c, d]] @ s)")
    assert tidy(iterated) == parse("[[0, b], [c, d]]**k @ [1, 1]")


@pytest.mark.parametrize("body", ["s @ [[0, b], [c, d]]", "[[0, s[1]], [c, d]] @ s", "[s[2], s[1]]"])
def test_an_iteration_that_is_no_power_stays_as_it_is(body: str) -> None:
    iterated = parse(f"iterate(s, k, [1, 1], {body})")
    assert tidy(iterated) == iterated
