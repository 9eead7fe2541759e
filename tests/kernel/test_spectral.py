"""Traces at one eigenvector, orders at one vector, and the same certificates one step beside the truth."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import Cert
from theory.kernel import Claim, KernelError
from theory.kernel.judge import check_certificate

KINDS = (
    ("S", "symmetric(n)"), ("P", "psd(n)"), ("D", "pd(n)"), ("A", "matrix(n, n)"), ("v", "vector(n)"),
    ("M", "symmetric(n)[W]"), ("C", "symmetric(n)[nat]"), ("w", "sample(W)"), ("B", "matrix(m, m)"), ("one", "psd(1)"),
)  # fmt: skip


def claim(says: str, *given: str) -> Claim:
    return Claim("c", (says,), given, naturals=("t",), kinds=KINDS)


def order(*items: Cert, **more: Any) -> Cert:
    return {"kind": "order", "items": list(items), **more}


def eigen(of: str, left: str, right: str, then: Cert, vector: str = "u", value: str = "lam") -> Cert:
    return {"kind": "eigen", "of": of, "left": left, "right": right, "vector": vector, "value": value, "then": then}


def form(then: Cert, vector: str = "u") -> Cert:
    return {"kind": "form", "vector": vector, "then": then}


AT_U: Cert = order({"of": 0, "at": {"x": "u"}})
# Facts: what is given, m >= 1, n >= 1, then S @ u == lam * u and u.T @ u == 1.
TURN = {"eq": 2, "L": "-u.T"}  # takes u.T @ S @ u to lam * u.T @ u
SQUARED: Cert = order({"L": "u.T@S - u.T"})  # |S u - u|**2
BOUNDED: Cert = order({"of": 0, "L": "u.T"})

ACCEPTED: dict[str, tuple[Claim, Cert]] = {
    "a square has no negative trace": (claim("tr(S@S) >= 0"), eigen("S", "S@S", "O(n, n)", order({"L": "u.T@S"}))),
    "the inverse and a nonnegative matrix": (
        claim("tr(D@inv(D)@P) >= 0"), eigen("S", "P", "O(n, n)", order({"psd": "P", "L": "u.T"}))
    ),
    "the trace and the trace of the square": (
        claim("2*tr(S) <= tr(S@S) + n"), eigen("S", "2*S", "S@S + I(n)", SQUARED)
    ),
    "a bound of the matrix is one of its trace": (
        claim("tr(S) <= c*n", "S << c*I(n)"), eigen("S", "S", "c*I(n)", BOUNDED)
    ),
    "an eigenvalue for the matrix": (
        claim("tr(S@S@S) <= c*tr(S@S)", "S << c*I(n)"),
        eigen("S", "S@S@S", "c*(S@S)", order({"of": 0, "L": "u.T@S"})),
    ),
    "by the equation of the eigenvector": (
        claim("tr(S@S) == tr(S@S)"),
        eigen("S", "S@S", "S@S.T", order({"eq": 2, "L": "u.T@S"}, {"eq": 2, "L": "-u.T@S"})),
    ),
    "the length of the eigenvector": (
        claim("tr(A) <= tr(A) + n"), eigen("S", "A", "A + I(n)", order({"L": "u.T"}))
    ),
    "another side with the same trace": (
        claim("tr(A@S) + tr(P) >= tr(S@A)"), eigen("S", "A@S + P", "A@S", order({"psd": "P", "L": "u.T"}))
    ),
    "at a time and a free sample": (
        claim("tr(C[t]@C[t]) + b*tr(M[w]) >= b*tr(M[w])"),
        eigen("C[t]", "C[t]@C[t] + b*M[w]", "b*M[w]", order({"L": "u.T@C[t]"})),
    ),
    "the basis of a mean": (
        claim("tr(E(s, M[s])@E(s, M[s])) >= 0"),
        eigen("E(s, M[s])", "E(s, M[s])@E(s, M[s])", "O(n, n)", order({"L": "u.T@E(s, M[s])"})),
    ),
    "an order from its quadratic form": (
        claim("O(n, n) << S", "forall(x, vector(n), x.T@S@x >= 0)"), form(AT_U)
    ),
    "an operator that does not stretch": (
        claim("A.T@A << c**2*I(n)", "forall(x, vector(n), norm2(A@x) <= c**2*norm2(x))"), form(AT_U)
    ),
    "an order at a free sample": (
        claim("M[w] << P", "forall(x, vector(n), x.T@M[w]@x <= x.T@P@x)"), form(AT_U)
    ),
    "a matrix of size one": (claim("one >= 0"), eigen("one", "one", "0*one", order({"psd": "one", "L": "u"}))),
}  # fmt: skip

REFUSED: dict[str, tuple[Claim, Cert, str]] = {
    "the form of a matrix that is not symmetric": (
        claim("O(n, n) << A", "forall(x, vector(n), x.T@A@x >= 0)"), form(AT_U), "not symmetric"
    ),
    "a form that is not symmetric on one side": (
        claim("A@S << P", "forall(x, vector(n), x.T@A@S@x <= x.T@P@x)"), form(AT_U), "not symmetric"
    ),
    "an order at one vector of the claim": (
        claim("O(n, n) << S", "v.T@S@v >= 0"), form(order({"of": 0})), "differ"
    ),
    "an order at a vector that is declared": (
        claim("O(n, n) << S", "v.T@S@v >= 0"), form(order({"of": 0}), vector="v"), "already in use"
    ),
    "the form of the other side": (
        claim("S << P", "forall(x, vector(n), x.T@P@x <= x.T@S@x)"), form(AT_U), "differ"
    ),
    "an inequality of numbers": (
        claim("tr(S) <= tr(P)", "forall(x, vector(n), x.T@S@x <= x.T@P@x)"), form(AT_U), "compares two square matrices"
    ),
    "an equation of matrices": (
        claim("S == P", "forall(x, vector(n), x.T@S@x <= x.T@P@x)"), form(AT_U), "compares two square matrices"
    ),
    "a vector whose name counts": (
        claim("C[t] << P", "forall(x, vector(n), x.T@C[t]@x <= x.T@P@x)"), form(AT_U, vector="t"), "already in use"
    ),
    "a vector of another size": (
        claim("O(n, n) << S", "forall(x, vector(m), norm2(x) >= 0)"), form(AT_U), "size"
    ),
    "a matrix that is not symmetric": (
        claim("tr(A@A) >= 0"), eigen("A", "A@A", "O(n, n)", order({"eq": 2, "L": "u.T@A"})), "not symmetric"
    ),
    "a matrix that depends on a sample": (
        claim("tr(M[w]@M[w]) >= 0"),
        eigen("M[w]", "M[w]@M[w]", "O(n, n)", order({"L": "u.T@M[w]"})),
        "not a fixed matrix",
    ),
    "a number for a matrix": (claim("c**2 >= 0"), eigen("c", "c*c", "0", order({"L": "c"})), "not a fixed matrix"),
    "a side that has another trace": (
        claim("tr(S@S) + 1 <= tr(S@S)"), eigen("S", "S@S", "S@S", order()), "is not the trace of"
    ),
    "one for the trace of the identity": (
        claim("tr(S) <= tr(S) + 1"), eigen("S", "S", "S + I(n)", order({"L": "u.T"})), "is not the trace of"
    ),
    "a product of traces": (
        claim("tr(S)*tr(S) <= n*tr(S@S)"), eigen("S", "S@S", "n*(S@S)", order()), "is not the trace of"
    ),
    "a side of another size": (
        claim("tr(B) <= tr(B) + tr(S@S)"), eigen("S", "B", "B", order()), "square and of one size"
    ),
    "a strict inequality": (claim("tr(S) < tr(S) + n"), eigen("S", "S", "S + I(n)", order()), "compares two traces"),
    "an order of matrices": (claim("O(n, n) << S@S"), eigen("S", "S", "S", order()), "compares two traces"),
    "the trace without the square": (
        claim("2*tr(S) <= tr(S@S)"), eigen("S", "2*S", "S@S", SQUARED), "differ"
    ),
    "an eigenvalue that nobody bounds": (claim("tr(S) >= 0"), eigen("S", "S", "O(n, n)", order(TURN)), "differ"),
    "the bound from the wrong side": (
        claim("tr(S) >= c*n", "S << c*I(n)"), eigen("S", "S", "c*I(n)", BOUNDED), "differ"
    ),
    "a vector that is declared": (
        claim("tr(S@S) >= 0"), eigen("S", "S@S", "O(n, n)", order({"L": "v.T@S"}), vector="v"), "already in use"
    ),
    "a value that is a size": (
        claim("tr(S@S) >= 0"), eigen("S", "S@S", "O(n, n)", order({"L": "u.T@S"}), value="m"), "already in use"
    ),
    "a value that counts": (
        claim("tr(C[t]) >= 0"), eigen("C[t]", "C[t]", "O(n, n)", order(), value="t"), "already in use"
    ),
    "one name for both": (
        claim("tr(S@S) >= 0"), eigen("S", "S@S", "O(n, n)", order({"L": "u.T@S"}), value="u"), "have one name"
    ),
    "a matrix that may have no value": (
        claim("tr(S@S) >= 0"), eigen("S/c", "S@S", "O(n, n)", order({"L": "u.T@S"})), "not shown to be defined"
    ),
    "a name that cannot be given": (
        claim("tr(S@S) >= 0"), eigen("S", "S@S", "O(n, n)", order({"L": "u.T@S"}), value="oo"), "not a name"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_it_is_compared_in_one_direction(name: str) -> None:
    what, proof = ACCEPTED[name]
    check_certificate(what, {"goals": [proof], "defined": {}}, {})


@pytest.mark.parametrize("name", REFUSED)
def test_a_near_miss_is_refused_with_its_reason(name: str) -> None:
    what, proof, reason = REFUSED[name]
    with pytest.raises(KernelError, match=reason):
        check_certificate(what, {"goals": [proof], "defined": {}}, {})
