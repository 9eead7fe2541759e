"""The readings of lem:Pi-average-bound with 2/T: claims and proofs, from `_lyapunov_sums` and `_ellipse`.

The sums are those of lem:L-var; s_(p+1) is written as p steps from s_1 = A (1, 1)^T, so that the kernel can follow it.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import sharper
from theory.kernel.lang import parse, substitute, text
from theory.papers.sada.inner_loop import _ellipse as ellipse
from theory.papers.sada.inner_loop import _lyapunov_sums as tight
from theory.papers.sada.inner_loop._blocks import (
    EVERY_EIGENVALUE,
    EVERY_EIGENVALUE_EXAMPLE,
    HYPERPARAMETERS,
    MOMENTUM,
    ONE_EIGENVALUE,
    ONE_EIGENVALUE_EXAMPLE,
)
from theory.papers.sada.inner_loop._facts import added
from theory.papers.sada.inner_loop._hyperparameters import CHOSEN, chosen, small_parameters
from theory.papers.sada.inner_loop._tail import pairs, power, rise
from theory.provers.tactics import Tactic, cite, have, induction, termwise

ID = "lem:Pi-average-bound"
RATE = "(2/(2*(p+1))*(1+2/((2*(p+1))*theta)))"
# root is any number in (0, 1] with (1-theta)^(T/2) <= root^2; root = 1 is always allowed and gives RATE
ANY_RATE = "(2/(2*(p+1))*(1+(1+root)/((2*(p+1))*theta)))"
ROOT = ("root > 0", "root <= 1", "(1-theta)*(1-theta)**p <= root**2")
IN_A_AND_B = {
    "c": "(1-theta)/(1+theta)",
    "u": "1-a",
    "first": "1-(a+theta*b)/(1+theta)",
    "v": "1+c-(a+theta*b)/(1+theta)",
    **ellipse.CLOSED,
}
LEFT_OVER = (
    f"{tight.form('u', 'first')}-2*{tight.line('u', 'first')}-{tight.form('x', 'y')}+2*{tight.line('x', 'y')}"
    f"+{tight.form('1-x', '1-y')}"
)
RISEN = (f"{tight.RISE}[1]", f"{tight.RISE}[2]")


def late(count: str, lam: str = "lam") -> str:
    """The state s_(count+1), as `count` steps from s_1; its third entry is rise(count)."""
    return rise(count, lam)[:-3]


def spread(count: str, steps: str, lam: str = "lam") -> str:
    """sum over j < count of (u_j - u_(j+steps+1))**2."""
    return pairs(count, late(steps, lam), lam)


# L_var as `l_var_of` has it, with s_(p+1) as p steps from s_1
LATE = {"late(k, x)": late("k", "x")}
BOTH = {**LATE, "spread(k, j, x)": pairs("k", "late(j, x)", "x")}
L_VAR = {
    "T": "2*(p+1)",
    **BOTH,
    "Lvar": "4/T**2*sum(i, 1, d, m[i]/lam[i]*(spread(p+2, p, lam[i])+late(p, lam[i])[3]))",
}
SHORT_RATE, SHORT_ANY_RATE = ("2/T*(1+2/(T*theta))", "2/T*(1+(1+root)/(T*theta))")


def one_direction() -> Tactic:
    """Everything cited at a = eta lam, b = gamma lam, then added up."""
    sizes = {"a": "16*kt*theta**2/mu*lam", "b": "theta/mu*lam"}
    closed = {name: _put(formula, sizes) for name, formula in ellipse.CLOSED.items()}
    block = {"u": chosen("1-eta*lam"), "c": CHOSEN["c"], "v": chosen("1+c-q*lam"), "first": chosen("1-q*lam")}
    x, y = f"{chosen(late('p'))}[1]", f"{chosen(late('p'))}[2]"
    # facts: the eigenvalue's and root's, four small parameters, ten of the closed forms, then these
    given = len(ONE_EIGENVALUE) + len(ROOT)
    first = given + 4 + len(tight.LYAPUNOV) + len(tight.STABLE)
    # theta > 0, mu > 0 and lam >= mu are facts 0, 1 and 3
    positive = added(("1", [3], "theta"), ("2", [1], "theta"), multiplier=[1])
    start = have(
        f"theta*({sizes['b']}+theta) >= 0", positive, then=_in_the_small_ellipse(x, y, sizes["b"], first, given)
    )
    stays = cite(f"{ID}/sharper#ellipse", {"eta": CHOSEN["eta"], "gam": "theta/mu", "k": "p"}, then=start)
    rises = cite(f"{ID}/sharper#rise", {**block, **closed, "k": "p"}, then=stays)
    spreads = cite(f"{ID}/sharper#spread", {**block, **closed, "e1": x, "e2": y, "k": "p+2"}, then=rises)
    return small_parameters(cite(f"{ID}/sharper#closed forms", sizes, then=spreads))


def _in_the_small_ellipse(x: str, y: str, b: str, first: int, given: int) -> Tactic:
    """From `first` on: spread, rise, the energy after p steps, the start's sign; then the energy with root^2."""
    smaller = added(("1", [first + 2], ""), ("1", [given - 1, first + 3], ""))
    last = added(("1", [first], ""), ("1", [first + 5], ""), modulo=[(first + 1, "-1")])
    left = cite(f"{ID}/sharper#linear form", {"a": "16*kt*theta**2/mu*lam", "b": b, "x": x, "y": y}, then=last)
    return have(ellipse.energy(x, y, f"({b})", "root**2"), smaller, then=left)


def _put(formula: str, sizes: dict[str, str]) -> str:
    return text(substitute(parse(formula), {name: parse(value) for name, value in sizes.items()}))


def in_every_direction() -> Tactic:
    return termwise("sum", each=cite(f"{ID}/sharper#one direction, 2/T", {"lam": "lam_i"}))


def always() -> Tactic:
    """root = 1, because powers of 1 - theta are at most 1."""
    return cite(f"{ID}/sharper#power", then=cite(f"{ID}/sharper#2/T, any T", {"root": "1"}))


SCOPE = "every even T = 2(p+1), every dimension d, every spectrum, every positive semidefinite M"
BLOCK_POINT: dict[str, Any] = {"theta": "1/16", "eta": "1/16", "gam": "1/16", "lam": "1", "k": "2"}
READINGS = (
    sharper(
        f"Lvar <= {SHORT_RATE}*sum(i, 1, d, m[i]/lam[i])",
        part="2/T",
        given=EVERY_EIGENVALUE,
        where={**HYPERPARAMETERS, **L_VAR},
        naturals=("p", "d"),
        example={**EVERY_EIGENVALUE_EXAMPLE, "p": "1"},
        display="disp:1149",
        proof=always(),
        scope=SCOPE,
        words="(2/T)(1 + 2/(T theta)) for 64/T: with T theta >= 8 this is 5/2 for 64, and 2 in the limit.",
        links=("L-var-form",),
    ),
    sharper(
        f"Lvar <= {SHORT_ANY_RATE}*sum(i, 1, d, m[i]/lam[i])",
        part="2/T, any T",
        given=(*EVERY_EIGENVALUE, *ROOT),
        where={**HYPERPARAMETERS, **L_VAR},
        naturals=("p", "d"),
        example={**EVERY_EIGENVALUE_EXAMPLE, "p": "1", "root": "1"},
        display="disp:1149",
        proof=in_every_direction(),
        scope=SCOPE,
        words="(2/T)(1 + (1 + (1-theta)^(T/4))/(T theta)): root stands for (1-theta)^(T/4), or any number above it.",
        links=("L-var-form",),
    ),
    sharper(
        "(1-theta)*(1-theta)**p <= 1",
        part="power",
        given=("theta > 0", "16*theta <= 1"),
        naturals="p",
        example={"theta": "1/16", "p": "1"},
        proof=induction("p", {"w": "(1-theta)**p"}, ["w >= 0", "w <= 1"]),
        words="Powers of 1 - theta.",
    ),
    sharper(
        "spread(p+2, p, lam)+late(p, lam)[3] <= p+1+(1+root)/(2*theta)",
        part="one direction, 2/T",
        given=(*ONE_EIGENVALUE, *ROOT),
        where={**HYPERPARAMETERS, **BOTH},
        naturals="p",
        example={**ONE_EIGENVALUE_EXAMPLE, "p": "1", "root": "1"},
        proof=one_direction(),
        words="Both sums together are at most T/2 + (1 + root)/(2 theta), for every eigenvalue and every T.",
    ),
    sharper(
        [
            f"{late('k')}[1] == (1-eta*lam)*{power('k')}[2]",
            f"{late('k')}[2] == -c*{power('k')}[1]+(1+c-q*lam)*{power('k')}[2]",
        ],
        part="same vector",
        naturals="k",
        example={"eta": "1/16", "lam": "1", "c": "1/2", "q": "1/16", "k": "2"},
        proof=[
            induction(
                "k",
                {"r": late("k"), "s": power("k")},
                ["r1 == (1-eta*lam)*s2", "r2 == -c*s1+(1+c-q*lam)*s2"],
            )
            for _ in range(2)
        ],
        words="k steps from s_1 give A s_k = s_(k+1).",
    ),
    sharper(
        f"{tight.SPREAD} <= {tight.form('1-e1', '1-e2')}",
        part="spread",
        given=(*tight.LYAPUNOV, *tight.STABLE),
        naturals="k",
        example=tight.EXAMPLE,
        proof=tight.spread_is_below_the_form(),
        words="The Lyapunov form of the block bounds the sum of the squares for every length.",
    ),
    sharper(
        "run[3] == k+form(u, first)-2*line(u, first)-form(run[1], run[2])+2*line(run[1], run[2])",
        part="rise",
        where={"run": tight.RISE, "form(x, y)": tight.form("x", "y"), "line(x, y)": tight.line("x", "y")},
        given=tight.LYAPUNOV,
        naturals="k",
        example=tight.EXAMPLE,
        proof=tight.rise_is_exact(),
        words="The other sum telescopes exactly, through the Lyapunov form and the resolvent.",
    ),
    sharper(
        ellipse.energy("late(k, lam)[1]", "late(k, lam)[2]", left="((1-theta)*(1-theta)**k)"),
        part="ellipse",
        given=ellipse.ENERGY_GIVEN,
        where={**MOMENTUM, **LATE},
        naturals="k",
        example=BLOCK_POINT,
        proof=ellipse.ellipse_shrinks(),
        words="The energy of lem:bias-bound in one direction: A^k (1, 1)^T lies in an ellipse that shrinks.",
    ),
    sharper(
        [*tight.LYAPUNOV, *tight.STABLE],
        part="closed forms",
        given=ellipse.SIZES,
        where=IN_A_AND_B,
        example=ellipse.SIZES_EXAMPLE,
        words="The Lyapunov form and the resolvent of the block, in closed form; a = eta lambda, b = gamma lambda.",
    ),
    sharper(
        f"{LEFT_OVER} <= 1+(1+root)/(2*theta)",
        part="linear form",
        given=(*ellipse.SIZES, ellipse.energy("x", "y", "b", "root**2"), *ROOT[:2]),
        where=IN_A_AND_B,
        example={**ellipse.SIZES_EXAMPLE, "x": "0", "y": "0", "root": "1"},
        proof=ellipse.largest_in_the_ellipse(f"{ID}/sharper#polynomial", f"{ID}/sharper#first term"),
        words="What the telescoped sums leave is linear; on the ellipse it is at most 1 + (1 + root)/(2 theta).",
    ),
    sharper(
        ellipse.FIRST_TERM,
        part="first term",
        given=ellipse.SIZES,
        example=ellipse.SIZES_EXAMPLE,
        words="The same inequality when the ellipse has shrunk to a point.",
    ),
    sharper(
        "(3*b-theta)*D**2+16*theta*b*(1-a)*S*D >= 16*theta*b*(1-a)**2*(theta*X**2+b*Z**2)",
        part="polynomial",
        given=ellipse.SIZES,
        where=ellipse.POLYNOMIALS,
        example=ellipse.SIZES_EXAMPLE,
        words="The inequality in theta, eta lambda, gamma lambda that is left after completing the squares.",
    ),
)
