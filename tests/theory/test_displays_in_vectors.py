"""Displays in vectors and sequences: a slip in what is claimed, or in what it rests on, and the proof is gone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tests.sada import SADA, find, library
from theory.kernel import Verdict, judge
from theory.kernel.errors import Rejected
from theory.ledger.judging import Ledger, as_it_stands
from theory.mutants.through import EMPTY, FALSE, Held, falls
from theory.provers.driver import prove
from theory.provers.effort import quick

SEQUENCE = "lem:auxilary-recursion/sharper#every sequence"
STEP = "lem:outer-one-step/disp:"
WHITE = "lem:fourth-moment-extension#kt_m"
RESTATED = (
    SEQUENCE,
    "lem:auxilary-recursion/repaired#every sequence",
    f"{STEP}1715.1",
    f"{STEP}1740.1/repaired",
    f"{STEP}1784.1/repaired",
    "lem:bias-bound/disp:1612.1",
    "lem:bias-bound/disp:1619.1",
    "lem:gradient-noise",
    "lem:R2-kappa-lower#kt",
    "alg:sada-ud/disp:2195.1",
    WHITE,
)


def slipped(key: str, old: str, new: str) -> bool:
    """Whether the claim is still proved by its own skeleton after a slip in the first goal."""
    check = find(key)
    says = (check.claim.says[0].replace(old, new), *check.claim.says[1:])
    assert says != check.claim.says, f"{key} does not contain {old}"
    return prove(replace(check.claim, says=says), library(), quick(), plan=check.proof) is not None


def without(key: str, hypothesis: str) -> bool:
    """Whether it is still proved without a hypothesis, in whose place something trivial stands."""
    check = find(key)
    assert hypothesis in check.claim.given
    given = tuple("0 == 0" if one == hypothesis else one for one in check.claim.given)
    return prove(replace(check.claim, given=given), library(), quick(), plan=check.proof) is not None


@pytest.fixture(scope="module")
def judged() -> Ledger:
    return as_it_stands(SADA.judge(RESTATED, jobs=1))


@pytest.fixture(scope="module")
def held(judged: Ledger) -> dict[str, Held]:
    return {r.key: Held(r.claim, r.evidence, r.judgement.cites) for r in judged.records if r.evidence.certificate}


def test_they_are_proved_without_a_link_and_for_every_size(judged: Ledger) -> None:
    records = judged.by_key()
    for key in RESTATED:
        assert records[key].verdict is Verdict.PROVED, key
        assert records[key].links == (), key
        assert not records[key].instance, key


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        (f"{STEP}1715.1", "1/2*norm2", "1/3*norm2"),
        (f"{STEP}1719.2", "- h*GR", "+ h*GR"),
        (f"{STEP}1731.1/repaired", "3*h/(2*Ll)", "h/Ll"),
        (f"{STEP}1752.2", "- 1/(4*alpha)", "- 1/(3*alpha)"),
        (f"{STEP}1765.3", "alpha/Ll**2*R2", "alpha/(2*Ll**2)*R2"),
        ("lem:bias-bound/disp:1619.1", "(step - kt*theta*gam)/2", "(step - kt*theta*gam)"),
        ("lem:gradient-noise", "2*Ll*alpha", "Ll*alpha"),
        ("lem:R2-kappa-lower#kt", "kt >= d", "kt >= 2*d"),
        (WHITE, "ktm*Sigma", "ktm**2*Sigma"),
        ("lem:minimax-strong-convexity/disp:2042.trace", ">= d", ">= 2*d"),
        ("ass:regularity#smooth", "Ll*top", "top"),
        ("lem:C-1-bound/disp:1507.1", "64*kt*(2*", "64*kt*("),
        ("lem:noise-bound-Sigma-inverse/disp:1305.1", "5/2*(gy", "2*(gy"),
        ("lem:bias-bound/disp:1596.2", "step/gam", "2*step/gam"),
        ("lem:inner-matrix-form/disp:658.1", "- eps*a", "+ eps*a"),
        ("lem:Pi-stationary-bound/disp:1230.2", "lam[i]*m[i]*p[i]", "1/2*lam[i]*m[i]*p[i]"),
        ("lem:Pi-infinity", "mi*p + eps", "mi*p + 1/2*eps"),
        ("lem:L-var", "sum(k, 0, n", "sum(k, 1, n"),
        ("lem:var-sigma-l-recursion", "sigma[l]/2", "sigma[l]/3"),
        ("thm:minimax-risk", "/(2*n)", "/n"),
    ],
)
def test_a_slip_in_the_claim_is_not_proved(key: str, old: str, new: str) -> None:
    assert not slipped(key, old, new)


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        (SEQUENCE, "8*c", "7*c"),
        (SEQUENCE, "(1 - a*top)**m", "(1 - a*top)**(m + 1)"),
        ("alg:sada-ud/disp:2195.1", "5*tr(inv(Sigma) @ Q)", "4*tr(inv(Sigma) @ Q)"),
    ],
)
def test_a_proof_proves_no_more(key: str, old: str, new: str, held: dict[str, Held]) -> None:
    """By its kept certificate: what the provers would try instead takes long to fail."""
    claim, evidence = held[key].claim, held[key].evidence
    more = replace(claim, says=(claim.says[0].replace(old, new), *claim.says[1:]))
    assert more != claim
    rebound = replace(evidence, certificate={**(evidence.certificate or {}), "claim": more.digest})
    with pytest.raises(Rejected) as refusal:
        judge(more, rebound, library())
    assert "belongs to another claim" not in str(refusal.value)


@pytest.mark.parametrize(
    ("key", "hypothesis"),
    [
        (f"{STEP}1719.2", "E(w, v[w]) == 0"),
        (f"{STEP}1765.1", "E(w, v[w]) == 0"),
        (f"{STEP}1715.1", "H == Ll*E(b, a[b] @ a[b].T)"),
        ("lem:gradient-noise", "E(w, gs[w]*a[w]) == 0"),
        ("lem:bias-bound/disp:1619.1", "Sigma == moment"),
        ("lem:R2-kappa-lower#R^2", "Sigma == moment"),
        ("lem:L-var#in a basis", "sum(i, 1, d, u[i] @ u[i].T) == I(d)"),
        ("lem:Pi-infinity#pushed", "Pi[t+1] << Pinf"),
        ("lem:L-var-l-bound#below", "Ct[0, t] << Cinf[0]"),
    ],
)
def test_each_uses_its_hypotheses(key: str, hypothesis: str) -> None:
    assert not without(key, hypothesis)


@pytest.mark.parametrize("how", [EMPTY, FALSE])
@pytest.mark.parametrize(
    ("below", "above"),
    [
        ("lem:auxilary-recursion#first phase", SEQUENCE),
        ("lem:auxilary-recursion#second phase", SEQUENCE),
        ("lem:auxilary-recursion#both ends", SEQUENCE),
        (f"{STEP}1731.1/repaired", f"{STEP}1740.1/repaired"),
        (f"{STEP}1731.2/repaired", f"{STEP}1740.1/repaired"),
        ("lem:bias-bound#below R^2", "lem:bias-bound/disp:1612.1"),
        ("lem:fourth-moment-extension#mean", WHITE),
        ("lem:fourth-moment-extension#white square", WHITE),
        (WHITE, "alg:sada-ud/disp:2195.1"),
    ],
)
def test_what_rests_on_a_broken_claim_falls(below: str, above: str, how: str, held: dict[str, Held]) -> None:
    assert above in falls(below, how, held, SADA.library)


@pytest.mark.parametrize("m", [0, 1, 2])
def test_the_moment_of_the_estimator_is_that_of_all_its_samples(m: int) -> None:
    """E S Sigma^-1 S over all (m + 1)-tuples of three atoms in two dimensions, against the formula of disp:2176."""
    atoms = np.array([[1.0, 0.5], [-0.25, 1.0], [0.5, -1.0]])
    weights = np.array([0.5, 0.25, 0.25])
    outer = np.einsum("ki,kj->kij", atoms, atoms)
    sigma = np.einsum("k,kij->ij", weights, outer)
    inverse = np.linalg.inv(sigma)
    total = np.zeros((2, 2))
    for picks in product(range(3), repeat=m + 1):
        estimate = outer[list(picks)].mean(axis=0)
        total += weights[list(picks)].prod() * estimate @ inverse @ estimate
    single = np.einsum("k,kij,jl,klm->im", weights, outer, inverse, outer)
    np.testing.assert_allclose(total, single / (m + 1) + m / (m + 1) * sigma, atol=1e-12)


def test_the_schedule_of_the_claim_is_the_printed_one() -> None:
    """th[m + j] (a (2/(a top) + j)) = 2 is theta_k = 2/(a (2/(a theta_max) + k - K/2)) at k = m + j, K = 2m."""
    a, top, m = Fraction(1, 2), Fraction(1, 3), 4
    for k in range(m + 1, 2 * m + 1):
        printed = 2 / (a * (2 / (a * top) + k - Fraction(2 * m, 2)))
        assert printed * (a * (2 / (a * top) + (k - m))) == 2
