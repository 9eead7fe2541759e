"""Certificates that a kernel before this one accepted for false claims, and others that come near; none is accepted.

Each closed hole stands beside an honest neighbour that still goes through.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import IDENTITY, POSITIVE, Cert, cone, of
from theory.kernel import Claim, KernelError, check_witness
from theory.kernel.judge import check_certificate

LINE = (
    ("v", "vector(n)"), ("a", "vector(n)[S]"), ("H", "history(S)"), ("x", "vector(n)[nat, nat, H]"), ("g", "sample(H)"),
)  # fmt: skip
STEPS = (("x[0, k, h]", "v"), ("x[t+1, k, h]", "x[t, k, h]/(k+1) + 0*a[w]"))
FORMS = (
    ("S", "symmetric(n)"), ("P", "psd(n)"), ("v", "vector(n)"), ("M", "symmetric(n)[W]"), ("a", "vector(n)[W]"),
    ("C", "symmetric(n)[nat]"),
)  # fmt: skip


def identity(*modulo: tuple[int, str]) -> Cert:
    return {**IDENTITY, "modulo": [list(one) for one in modulo]}


def order(*items: Cert, **more: Any) -> Cert:
    return {"kind": "order", "items": list(items), **more}


def have(fact: str, proof: Cert, then: Cert) -> Cert:
    return {"kind": "have", "fact": fact, "proof": proof, "then": then}


def unroll(what: str, end: str, then: Cert) -> Cert:
    return {"kind": "unroll", "of": what, "end": end, "long": POSITIVE, "then": then}


def form(then: Cert, vector: str = "u") -> Cert:
    return {"kind": "form", "vector": vector, "then": then}


def root(what: str, name: str, then: Cert) -> Cert:
    return {"kind": "root", "of": what, "name": name, "then": then}


def at(position: int, then: Cert, within: Cert | None = None, **places: str) -> Cert:
    return {"kind": "instance", "fact": position, "at": places, "within": within or {}, "then": then}


def typed(says: str, *given: str, more: tuple[tuple[str, str], ...] = ()) -> Claim:
    return Claim("c", (says,), given, naturals=("k",), kinds=(*FORMS, *more))


def plain(says: str, *given: str, naturals: tuple[str, ...] = ()) -> Claim:
    return Claim("c", (says,), given, naturals=naturals)


def by_mean(t: str, because: Cert, then: Cert) -> Cert:
    families = {"X": {"at": ["e"], "is": "y[e]"}}
    discharge = {"1": order(), "2": because}
    return {
        "kind": "cite",
        "claim": "mean",
        "with": {"a": "y[w]", "t": t},
        "families": families,
        "discharge": discharge,
        "then": then,
    }


LIBRARY = {
    one.id: one
    for one in (
        Claim("two", ("c[-2] + c[-1] >= 0",), ("sum(u, -2, -1, c[u]) >= 0",)),
        Claim("mean", ("a*t <= 0",), ("forall(w, Omega, Omega, X[w] <= 0)", "mean(w, X[w]*t) == a*t", "t >= 0")),
        Claim("inverse", ("y*x == 1",), ("y == inv(x)",)),
    )
}
SQUARED = cone({"c": "1", "sq": "r"}, modulo=[[2, "-1"]])  # a == r**2
AT_U = order({"of": 0, "at": {"x": "u"}})
ONE, NONE = "sum(i, 1, 1, 1)", "sum(i, 1, 0, 1)"
EACH = have("u >= 0", order({"psd": "u"}), cone(of(2)))
TELESCOPE = {"kind": "telescope", "of": "0", "long": POSITIVE, "ends": POSITIVE, "each": EACH}
Z_SQUARED = have(
    "z1**2 >= 0",
    cone({"c": "1", "sq": "z1"}),
    have("-1 >= 0", cone(of(1, 2), modulo=[[0, "z1*z2 + 1"]]), cone(of(3), of(), {"c": "1", "sq": "z2"})),
)
NONZERO = {"kind": "cases", "on": "-z2**2", "strict": True, "nonnegative": Z_SQUARED, "nonpositive": cone(of(1))}

# accepted once: the claim, the certificate, a point at which the claim fails or has no value, why it is refused now
CLOSED: dict[str, tuple[Claim, Cert, dict[str, Any], str]] = {
    "a sum of one term is not empty": (
        plain("sum(i, 1, 1, i) == 0"),
        unroll("sum(i, 1, 1, i)", "empty", identity((0, "1"))),
        {},
        "",
    ),
    "a product of one factor is not empty": (
        plain("prod(i, 3, 3, i) == 1"),
        unroll("prod(i, 3, 3, i)", "empty", identity((0, "1"))),
        {},
        "",
    ),
    "one is not zero": (
        plain("1 == 0"),
        unroll(ONE, "empty", unroll(ONE, "last", unroll(NONE, "empty", identity((0, "1"), (1, "-1"), (2, "-1"))))),
        {},
        "",
    ),
    "the end of a range has an exponent that is no integer": (
        plain("r[0] >= 0", "x == 0", "c == -2", "forall(k, 0, -x**(c+2), r[k] >= 0)"),
        at(2, cone(of(3)), {"0 <= -x**(c + 2)": cone(modulo=[[0, "-x*x**c"]])}, k="0"),
        {"x": "0", "c": "-2", "r": {"0": "-1"}},
        r"not by its form c \+ 2 is natural",
    ),
    "an index of a cited claim has the name of a letter": (
        Claim("c", ("0 >= 1",), kinds=(("u", "psd(1)"),)),
        {
            "kind": "cite",
            "claim": "two",
            "families": {"c": {"at": ["e"], "is": "e"}},
            "discharge": {"0": TELESCOPE},
            "then": cone(of(0, c="1/3")),
        },
        {"u": "0"},
        "the bound name u also stands for",
    ),
    "numbers are no matrices": (
        plain("y[w] << 0", "forall(w, Omega, Omega, y[w] <= 0)", naturals=("w",)),
        form(by_mean("u*u", order({"L": "u"}), order({"of": 1}))),
        {"w": "2", "y": {"1": "-1", "2": "5"}, "p_w": ["1"]},
        "form compares two square matrices",
    ),
    "a mean over numbers keeps its sample when a letter comes below it": (
        Claim(
            "c",
            ("y[w] <= 0",),
            ("forall(w, Omega, Omega, y[w] <= 0)",),
            naturals=("w",),
            kinds=(("A", "matrix(n, n)"),),
        ),
        by_mean("tr(I(1))", order({"L": "1"}), order({"of": 2})),
        {"n": "1", "A": [["0"]], "w": "2", "y": {"1": "-1", "2": "5"}, "p_w": ["1"]},
        "a mean over numbers alone",
    ),
    "a recursion has no step at a parameter that may be negative": (
        Claim("c", ("k*x[1, k - 1, g] == x[0, k - 1, g]",), naturals=("k",), kinds=LINE, steps=STEPS),
        order(ops=["advance"]),
        {"n": "1", "v": ["1"], "a": {"1": ["0"]}, "p_S": ["1"], "k": "0", "g": ["1", "1"]},
        "which may be negative",
    ),
    "a number of vectors may be zero": (
        Claim("c", ("inv(v.T@v) == inv(v.T@v)",), kinds=(("v", "vector(n)"),)),
        IDENTITY,
        {"n": "1", "v": ["0"]},
        "not shown to be defined: v.T@v != 0",
    ),
    "a number that a cited claim divides by may be zero": (
        Claim("c", ("p**2 > 0",), kinds=(("p", "matrix(1, 1)"),)),
        {
            "kind": "cite",
            "claim": "inverse",
            "with": {"x": "p", "y": "inv(p)"},
            "discharge": {"0": IDENTITY},
            "then": {"kind": "expand", "stem": "z", "then": NONZERO},
        },
        {"p": "0"},
        "not shown to be defined: p != 0",
    ),
    "a power -1 has no empty product": (
        plain("x == 1", "x > 0"),
        unroll("x**(-1)", "empty", identity((1, "-x"))),
        {"x": "2"},
        r"x\*\*\(-1\) has no 'empty'",
    ),
    "a cofactor that divides by an exponent": (
        plain("x >= 1", "y == 0"),
        cone(modulo=[[0, "(x - 1)*y**(0 - 1)"]]),
        {"x": "0", "y": "0"},
        "formulas inside a certificate are polynomials",
    ),
    "a cofactor that divides below a mean": (
        plain("x == 1", "y == 0", naturals=("n",)),
        identity((0, "mean(w, (x - 1)*y**(n - n - 1))")),
        {"x": "0", "y": "0", "n": "0"},
        "formulas inside a certificate are polynomials",
    ),
    "a square that divides by an exponent": (
        plain("x >= 0", "y*y*x >= 0"),
        cone({"c": "1", "of": [0], "sq": "y**(0 - 1)"}),
        {"x": "-1", "y": "0"},
        "formulas inside a certificate are polynomials",
    ),
}

NEAR: dict[str, tuple[Claim, Cert, str]] = {
    "the square of a mean for the mean of the squares": (
        typed("E(w, a[w]@a[w].T) << P", "forall(x, vector(n), (x.T@E(w, a[w]))**2 <= x.T@P@x)"),
        form(AT_U),
        "differ",
    ),
    "a form that no mean makes symmetric": (
        typed("E(w, a[w]@v.T) << P", "forall(x, vector(n), E(w, x.T@a[w]@v.T@x) <= x.T@P@x)"),
        form(AT_U),
        "is not symmetric",
    ),
    "a form with a linear part": (
        typed("O(n, n) << S", "forall(u, vector(n), u.T@S@u + u.T@v >= 0)"),
        form(order({"of": 0, "at": {"u": "u"}})),
        "differ",
    ),
    "a sample with the name of the vector": (
        typed("O(n, n) << S"),
        form(order({"L": "u.T@a[u]", "E": {"u": "W"}})),
        "the sample u has the name of something else",
    ),
    "a vector with the name of a sample": (
        typed("M[w] << P", "forall(x, vector(n), x.T@M[w]@x <= x.T@P@x)", more=(("w", "sample(W)"),)),
        form(AT_U, vector="w"),
        "already in use",
    ),
    "an order at the same vector for the next index": (
        typed("O(n, n) << C[k]", "O(n, n) << C[0]"),
        form(
            {
                "kind": "induct",
                "on": "k",
                "as": "j",
                "base": order({"of": 0, "L": "u.T"}),
                "step": order({"of": 3, "at": {"j": "k"}}),
            }
        ),
        "differ",
    ),
    "a root below an empty sum, its name free elsewhere": (
        plain("a >= 0", "sum(i, 1, n, sqrt(a)) >= 0", naturals=("n",)),
        root("sqrt(a)", "r", SQUARED),
        "not shown to be defined: a >= 0",
    ),
    "a root in the end of an inner range": (
        plain("a >= 0", "forall(i, 1, 3, forall(j, 1, sqrt(a), x[j] >= 0))"),
        root("sqrt(a)", "r", SQUARED),
        "not shown to be defined: a >= 0",
    ),
    "a root that an iteration captures by its new name": (
        plain("iterate(s, n, a, sqrt(a)) >= 0", "a >= 0", naturals=("n",)),
        root("sqrt(a)", "s", cone(of(0))),
        "would capture s",
    ),
    "a power of a negative number does not count": (
        plain("x**((-2)**K) >= 0", "x >= 0", naturals=("K",)),
        POSITIVE,
        r"\(-2\)\*\*K is natural",
    ),
    "an end with an exponent that may be negative": (
        plain("sum(i, 1, 2**(K - 1), 1) >= 1", naturals=("K",)),
        POSITIVE,
        r"2\*\*\(K - 1\) is integer",
    ),
    "an index one step beyond a power": (
        plain("r[2**K] >= 0", "forall(i, 0, 2**K - 1, r[i] >= 0)", naturals=("K",)),
        at(0, cone(of(1)), i="2**K"),
        r"not shown: 2\*\*K <= 2\*\*K - 1",
    ),
}

HONEST: dict[str, tuple[Claim, Cert]] = {
    "a sum from 1 to 0 is empty": (
        plain("sum(i, 1, 0, i) == 0"),
        unroll("sum(i, 1, 0, i)", "empty", identity((0, "1"))),
    ),
    "a range that ends with a power": (
        plain("r[0] >= 0", "forall(k, 0, 2**n, r[k] >= 0)", naturals=("n",)),
        at(0, cone(of(1)), k="0"),
    ),
    "a step at a natural parameter": (
        Claim("c", ("(k+1)*x[1, k, g] == x[0, k, g]",), naturals=("k",), kinds=LINE, steps=STEPS),
        order(ops=["advance"]),
    ),
    "a power without its last factor": (
        plain("x**(n + 1) == x*x**n", naturals=("n",)),
        unroll("x**(n + 1)", "last", identity((0, "1"))),
    ),
    "a cofactor with an exponent that is a natural number": (
        plain("x*y**2 == 0", "y == 0"),
        identity((0, "x*y**(2 - 1)")),
    ),
}


@pytest.mark.parametrize("name", CLOSED)
def test_a_false_claim_is_not_accepted_any_more(name: str) -> None:
    what, proof, point, reason = CLOSED[name]
    assert any(words in check_witness(what, point) for words in ("fails", "has no value"))
    with pytest.raises(KernelError, match=reason or None):
        check_certificate(what, {"goals": [proof], "defined": {}}, LIBRARY)


@pytest.mark.parametrize("name", NEAR)
def test_what_comes_near_is_refused_with_its_reason(name: str) -> None:
    what, proof, reason = NEAR[name]
    with pytest.raises(KernelError, match=reason):
        check_certificate(what, {"goals": [proof], "defined": {}}, {})


@pytest.mark.parametrize("name", HONEST)
def test_its_honest_neighbour_goes_through(name: str) -> None:
    what, proof = HONEST[name]
    check_certificate(what, {"goals": [proof], "defined": {}}, {})
