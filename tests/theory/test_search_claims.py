"""False claims of every kind are refuted by small witnesses that the kernel accepts; true ones are not refuted."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from theory.kernel import Claim, check_witness, satisfies_hypotheses
from theory.search import ratio, search
from theory.search.simple import total

POSITIVE = ("a > 0", "b > 0", "c > 0")
PAIR = (
    "theta == sqrt(mu*eta/kt)/4",
    "gam == sqrt(eta/(kt*mu))/4",
    "mu > 0",
    "eta > 0",
    "kt >= 1",
    "eta*R2 <= 1/16",
    "R2 >= mu*kt",
)
BLOCK = (("A", "[[0, 1-eta*lam], [-c, 1+c-q*lam]]"),)
STEPS = ("0 <= lam", "0 <= c", "c <= 1", "eta >= 0", "eta*lam < 1", "eta <= q")
MOMENTUM = (("c", "(1-theta)/(1+theta)"), ("q", "(eta+theta*gam)/(1+theta)"))


@dataclass(frozen=True)
class Case:
    """A claim by its idea; `bits` bounds the complexity of the witness, `ratio` is the worst that a search must see."""

    idea: str
    claim: Claim
    bits: int = 0
    ratio: float = 0.0


def claim(
    says: str,
    *given: str,
    where: tuple[tuple[str, str], ...] = (),
    naturals: tuple[str, ...] = (),
    example: tuple[tuple[str, object], ...] = (),
) -> Claim:
    return Claim("test", (says,), given, where, naturals, example)


BOX = ("x >= 0", "x <= 1", "y >= 0", "y <= 1")
FALSE = (
    Case("a violation of 1e-9 at one half", claim("x*(1-x) <= 1/4 - 1/10**9", "x >= 0", "x <= 1"), 4),
    Case("Nesbitt plus 1e-9", claim("a/(b+c)+b/(a+c)+c/(a+b) >= 3/2+1/10**9", *POSITIVE), 8),
    Case("Motzkin with 3.001", claim("x**4*y**2+x**2*y**4+1-3001/1000*x**2*y**2 >= 0"), 8),
    Case("cyclic quartic plus 1e-6", claim("(a**2+b**2+c**2)**2 >= (3+1/10**6)*(a**3*b+b**3*c+c**3*a)"), 12),
    Case("a needle in an interval", claim("1/(1+10**6*(x-3/10)**2) <= 1/2", "x >= 0", "x <= 1"), 12),
    Case("a needle in a square", claim("1/(1+10**8*((x-3/10)**2+(y-7/10)**2)) <= 1/2", *BOX), 20),
    Case("the end of a curved valley", claim("(1-x)**2+100*(y-x**2)**2 >= 1/10**9"), 8),
    Case("a hidden point", claim("(x-7131/10000)**2+(y-3333/1000)**2 >= 1/10**8"), 60),
    Case("far away", claim("a/b <= 10**7", "a > 0", "b > 0"), 40),
    Case("close to zero", claim("a >= 1/10**5", "a > 0"), 40),
    Case("a corner of the hyperparameters", claim("theta <= 1/16 - 1/10**9", *PAIR), 30),
    Case("a long ridge", claim("q-c*eta <= 1999/1000*theta*gam", *PAIR, where=MOMENTUM), 110),
    Case("strict where equality occurs", claim("a**2+b**2+c**2 > a*b+b*c+c*a", *POSITIVE), 8),
    Case("strict at an edge", claim("theta < 1/16", *PAIR), 30),
    Case("on a circle", claim("x+y <= 7/5", "x**2+y**2 == 1"), 40),
    Case("on a sphere", claim("x+y+z <= 173/100", "x**2+y**2+z**2 == 1"), 90),
    Case("the negative root", claim("x >= 0", "x**2 == y", "y > 0"), 8),
    Case("an equation linear in one name", claim("x*y <= 1/4-1/10**5", "x+y == 1", "x >= 499/1000"), 10),
    Case("roots of several names", claim("a + b >= 2*sqrt(a*b) + 1/10**6", "a > 0", "b > 0"), 8),
    Case("a power", claim("x**k*(1+k*(1-x)) <= 99/100", "x >= 0", "x <= 1", "k >= 3", naturals=("k",)), 8),
    Case("a large power", claim("x**k <= 1000", "x >= 0", "x <= 11/10", naturals=("k",)), 20),
    Case("an integer as a number", claim("T*x <= 100", "T >= 10", "T*x**2 <= 1", "x >= 0", naturals=("T",)), 70),
    Case("matrix powers", claim("abs((A**k @ [1, 1])[1]) <= 2", *STEPS, where=BLOCK, naturals=("k",)), 20),
    Case(
        "squares that an iteration adds up for many steps",
        claim("iterate(r, n, [1, 0], [r[1]*(1-x), r[2]+r[1]**2])[2] <= 15", "x >= 0", "x <= 1/4", naturals=("n",)),
        20,
    ),
    Case(
        "an iteration whose floats look like noise",
        claim("iterate(s, n, [0, x], [s[2], 2*s[2]-s[1]])[1] <= 90", *BOX[:2], naturals=("n",)),
        20,
    ),
    Case(
        "an iterate",
        claim("iterate(s, n, x, s-eta*s*(1-s)) <= x+1/10", *BOX[:2], "eta > 0", "eta <= 5", naturals=("n",)),
        20,
    ),
    Case(
        "a sum over a family",
        claim(
            "sum(i,1,d,lam[i])**2 <= (d-1/10**6)*sum(i,1,d,lam[i]**2)",
            "forall(i,1,d,lam[i] > 0)",
            "d >= 2",
            naturals=("d",),
        ),
        12,
    ),
    Case(
        "weights that add up to one",
        claim(
            "sum(i,1,d,p[i]*x[i])*sum(i,1,d,p[i]/x[i]) <= 4/3",
            "d >= 2",
            "sum(i,1,d,p[i]) == 1",
            "forall(i,1,d,p[i] >= 0)",
            "forall(i,1,d,x[i] >= 1)",
            "forall(i,1,d,x[i] <= 10)",
            naturals=("d",),
        ),
        40,
    ),
    Case("a mean", claim("mean(w, X[w]**3)**2 <= mean(w, X[w]**2)**3"), 16),
    Case(
        "a mean of bounded numbers",
        claim(
            "mean(w,X[w]**2)-mean(w,X[w])**2 <= L**2/4-L**2/10**6",
            "forall(w, Omega, Omega, X[w] >= 0)",
            "forall(w, Omega, Omega, X[w] <= L)",
            "L > 0",
        ),
        16,
    ),
    Case(
        "a mean with given moments",
        claim("mean(w,X[w]**4) >= 2*mean(w,X[w]**2)**2", "mean(w,X[w]) == 0", "mean(w,X[w]**2) == 1"),
        16,
    ),
    Case("an identity with a slip of 1e-15", claim("(a+b)**2 == a**2+2*a*b+b**2+a/10**15"), 8),
    Case("an identity that needs a sign", claim("sqrt(a**2) == a"), 8),
    Case("division by zero on a thin set", claim("1/(a**2-b*c)**2 >= 0", *POSITIVE), 8),
    Case("half of an odd integer", claim("sum(t,T/2+1,T,1) == T/2", naturals=("T",), example=(("T", "2"),)), 4),
    Case("the root of a negative number", claim("sqrt(a+b-c) >= 0", *POSITIVE), 12),
    Case("an identity that floats cannot tell apart", claim("x**2 + 1 == x**2 + 1 + 1/(10**18*(1 + x**2))"), 8),
    Case("exactly at an edge", claim("x*(7*y+3) <= 22-1/10**25", "x*(7*y+3) <= 22", "x >= 0", "y >= 1"), 20),
    Case("the zeros of a divisor", claim("1/(7*x-3*y-11/5)**2 >= 0"), 20),
    Case("a divisor inside a minimum", claim("min(0, (y+1/3)/sqrt(abs(7*x-y))) <= 1", "x > 1/2"), 12),
    Case("a hypothesis without a value", claim("x >= y-x**2", "y >= 1", "x < 3", "sqrt(abs(x*y)) < 1/x"), 12),
    Case("exponentials", claim("exp(x) >= 1+x+x**2/2"), 8),
    Case("logarithms", claim("log(1+x) <= x-x**2/2", "x >= 0"), 8),
    Case(
        "a region that draws hardly hit",
        claim(
            "a*b*c*d*e <= 1/10**6",
            "a**2+b**2+c**2+d**2+e**2 <= 1/2",
            "a*b >= c*d",
            "b*c >= a*e/2",
            "a+b+c <= d+e+1",
        ),
        60,
    ),
    Case(
        "one goal of two",
        Claim("test", ("a <= a + b", "a + b <= 2*max(a, b) - 1/10**6*min(a, b)"), ("a > 0", "b > 0")),
        12,
    ),
)
TRUE = (
    Case("Nesbitt", claim("a/(b+c)+b/(a+c)+c/(a+b) >= 3/2", *POSITIVE), ratio=1 - 1e-9),
    Case("Motzkin", claim("x**4*y**2+x**2*y**4+1 >= 3*x**2*y**2"), ratio=1 - 1e-9),
    Case("Schur", claim("a*(a-b)*(a-c)+b*(b-a)*(b-c)+c*(c-a)*(c-b) >= 0", *POSITIVE), ratio=1 - 1e-9),
    Case("an irrational maximum", claim("x+y <= sqrt(2)", "x**2+y**2 == 1"), ratio=1 - 1e-6),
    Case("the momentum is small", claim("theta <= 1/16", *PAIR), ratio=1 - 1e-9),
    Case("the pair of step sizes", claim("gam*mu == theta", *PAIR), ratio=1),
    Case(
        "Cauchy-Schwarz in every dimension",
        claim("sum(i,1,d,u[i]*v[i])**2 <= sum(i,1,d,u[i]**2)*sum(i,1,d,v[i]**2)", "d >= 1", naturals=("d",)),
        ratio=1 - 1e-9,
    ),
    Case("a variance", claim("mean(w, X[w])**2 <= mean(w, X[w]**2)"), ratio=1 - 1e-9),
    Case("Bernoulli", claim("(1+x)**n >= 1+n*x", "x >= -2", naturals=("n",)), ratio=1 - 1e-9),
    Case(
        "matrix powers",
        claim("abs((A**k @ [1, 1])[1]) <= 2", *STEPS, "q*lam <= 1+c", where=BLOCK, naturals=("k",)),
        ratio=0.6,
    ),
    Case("an empty sum", claim("sum(i,1,d,lam[i]**2) >= 0", naturals=("d",))),
    Case("a root that balls cannot decide", claim("sqrt(x-sqrt(x)*sqrt(x)) <= 1", "x > 0")),
    Case("a divisor that balls cannot decide", claim("1/(sqrt(2)-x) > 0", "x > 0", "x**2 < 2")),
    Case("half of an even integer", claim("sum(t,m+1,2*m,1) == m", naturals=("m",)), ratio=1),
    Case("a power that is no integer", claim("x**(1/2) <= 1 + x", "x > 0", example=(("x", "4"),))),
)


@pytest.mark.parametrize("case", FALSE, ids=lambda case: case.idea)
def test_a_false_claim_is_refuted_by_a_small_witness_that_the_kernel_accepts(case: Case) -> None:
    found = search(case.claim)
    assert found.witness is not None, f"worst ratio {found.worst_ratio} at {found.worst_point}"
    check_witness(case.claim, found.witness)
    assert total(found.witness) <= case.bits, found.witness
    assert found.worst_point == found.witness


@pytest.mark.parametrize("case", TRUE, ids=lambda case: case.idea)
def test_a_true_claim_is_not_refuted_and_its_worst_ratio_is_exact(case: Case) -> None:
    found = search(case.claim)
    assert found.witness is None, found.witness
    assert found.trials > 0
    if case.ratio:
        assert case.ratio <= float(found.worst_ratio) <= 1
        satisfies_hypotheses(case.claim, found.worst_point)
        assert float(max(ratio(case.claim, found.worst_point))) == pytest.approx(float(found.worst_ratio), rel=1e-11)


@pytest.mark.parametrize("case", FALSE[:12:3], ids=lambda case: case.idea)
def test_other_seeds_find_witnesses_too(case: Case) -> None:
    for seed in (1, 2, 3):
        assert search(case.claim, seed=seed).witness is not None
