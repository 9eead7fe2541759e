"""False claims about matrices, samples and recursions, with the certificate that would let each of them through."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import POSITIVE, Cert, cone, of
from theory.kernel import Claim, KernelError, check_witness
from theory.kernel.errors import Malformed
from theory.kernel.judge import check_certificate


def order(*items: Cert, ops: tuple[Any, ...] = (), **more: Any) -> Cert:
    return {"kind": "order", "items": list(items), "ops": list(ops), **more}


def at(position: int, then: Cert, within: Cert | None = None, **places: str) -> Cert:
    return {"kind": "instance", "fact": position, "at": places, "within": within or {}, "then": then}


def cite(claim: str, then: Cert, **more: Any) -> Cert:
    return {"kind": "cite", "claim": claim, "then": then, **more}


def unroll(what: str, end: str, then: Cert) -> Cert:
    return {"kind": "unroll", "of": what, "end": end, "long": POSITIVE, "then": then}


def eigen(of: str, left: str, right: str, then: Cert, vector: str = "u", value: str = "lam") -> Cert:
    return {"kind": "eigen", "of": of, "left": left, "right": right, "vector": vector, "value": value, "then": then}


def have(fact: str, proof: Cert, then: Cert) -> Cert:
    return {"kind": "have", "fact": fact, "proof": proof, "then": then}


SQUARE = (("A", "matrix(n, n)"),)
WIDE = (("B", "matrix(m, n)"),)
WALK = (*SQUARE, ("u", "vector(n)"), ("a", "vector(n)[S]"), ("H", "history(S)"), ("x", "vector(n)[nat, H]"))
LINE = (("u", "vector(1)"), ("b", "real[S]"), ("H", "history(S)"), ("x", "vector(1)[nat, H]"))
STEPS = (("x[0, h]", "u"), ("x[t+1, h]", "A @ x[t, h] + a[w]"))
SEQUENCE = (("C", "matrix(n, n)[nat]"),)
MEAN = "E(h, x[t+1, h]) == A @ E(h, x[t, h]) + E(w, a[w])"

LIBRARY = {
    one.id: one
    for one in (
        Claim("size", ("tr(I(n)) == n",), kinds=SQUARE),
        Claim("rank", ("tr(B.T@B)**2 <= tr(I(n))*tr(B.T@B@B.T@B)",), kinds=WIDE),
        Claim("mean", (MEAN,), naturals=("t",), kinds=WALK, steps=STEPS),
        Claim("grows", ("C[1] == c*C[0]",), kinds=SEQUENCE, steps=(("C[0]", "I(n)"), ("C[t+1]", "c*C[t]"))),
        Claim("trace", ("tr(P[k]) >= 0",), naturals=("k",), kinds=(("P", "psd(n)[nat]"),)),
        Claim("stays", ("tr(C[1]) == n",), kinds=SEQUENCE, steps=(("C[0]", "I(n)"), ("C[t+1]", "C[t]"))),
        Claim("scaled", ("tr(P) + c - c >= 0",), kinds=(("P", "psd(n)"),)),
        Claim("recip", ("a**2 > 0",), ("y/a <= 1",)),
    )
}

EMPTY = "sum(i, 1, 0, I(i))"
ONE = "sum(i, 1, 1, I(i))"
BY_SUM = ({"use": 1}, {"use": 2})
TAKE_FIVE = order({"eq": 0}, {"eq": 1, "k": "-t"}, ops=("advance", {"use": 2}))

AT_FIVE = at(4, order({"eq": 5}, {"eq": 6, "k": "6/5"}), {"5 <= t": order({"eq": 5})}, m="5")
FIRST = ({"use": 1, "at": {"t": "0"}}, {"use": 0})
ABSURD = have("0 > 0", cone(of(2), of(3), of()), order(multiplier=[4]))
FREE = (("D", "matrix(n, n)[nat]"),)

ARROW = (("u", "vector(d)"),)
HIDDEN_ROOT = {"kind": "root", "of": "sqrt(a)", "name": "r", "then": cone({"c": "1", "sq": "r"}, modulo=[[3, "-1"]])}
BY_RECIPROCAL = cite("recip", cone(of(2)), **{"with": {"y": "sum(i, 1, n, x[i])*z1"}})

REFUSED: dict[str, tuple[Claim, Cert, str]] = {
    "a root leaves an empty sum when letters are multiplied out": (
        Claim("c", ("a >= 0",), ("sum(i, 1, n, x[i]*sqrt(a))*norm2(u) <= 1",), naturals=("n",), kinds=ARROW),
        {"kind": "expand", "stem": "z", "then": HIDDEN_ROOT},
        "not shown to be defined: a >= 0",
    ),
    "a divisor leaves an empty sum when letters are multiplied out": (
        Claim("c", ("a**2 > 0",), ("sum(i, 1, n, x[i]/a)*norm2(u) <= 1",), naturals=("n",), kinds=ARROW),
        {"kind": "expand", "stem": "z", "then": BY_RECIPROCAL},
        "not shown to be defined: a != 0",
    ),
    "every real number is a size, so none is negative": (
        Claim("c", ("q >= 0",), kinds=SQUARE), order({"tr": [{"L": "I(q)"}, {"L": "I(q)"}]}), "not the size"
    ),
    "a sum runs over the size of its terms": (
        Claim("c", ("i == 1",), kinds=(("A", "matrix(i, i)"),)),
        unroll(ONE, "last", unroll(EMPTY, "empty", have(f"tr({ONE}) == 1", order(ops=BY_SUM), order({"eq": 3})))),
        "bound name i",
    ),
    "the size is replaced in the identity and not in the number": (
        Claim("c", ("2*n == n",), kinds=SQUARE),
        cite("size", order({"eq": 1}), sizes={"n": "2*n"}, letters={"A": {"is": "[[A, A], [A, A]]"}}),
        "differ",
    ),
    "a letter that stays has other columns": (
        Claim("c", ("tr(B.T@B)**2 <= tr(B.T@B@B.T@B)",), kinds=WIDE),
        cite("rank", order({"of": 2}), sizes={"n": "1"}),
        "declared otherwise",
    ),
    "a letter of the recursion is replaced, and the recursion is not": (
        Claim("c", ("A@E(h, x[t, h]) == 0",), naturals=("t",), kinds=WALK, steps=STEPS),
        cite("mean", order({"eq": 2, "k": "-1"}, ops=("advance",)), letters={"A": {"is": "2*A"}}),
        "recursions depend on A",
    ),
    "a number of a defined sequence is replaced, and the sequence is not": (
        Claim("c", ("c*I(n) == 0",), kinds=SEQUENCE, steps=(("C[0]", "I(n)"), ("C[t+1]", "c*C[t]"))),
        cite("grows", order({"eq": 3, "k": "-1"}, ops=FIRST), **{"with": {"c": "2*c"}}),
        "its recursions depend on c",
    ),
    "a sign shown at one index and used at all": (
        Claim("c", ("tr(C[0]) >= 0",), ("0 << C[t]",), naturals=("t",), kinds=(("C", "symmetric(n)[nat]"),)),
        cite(
            "trace", order({"of": 2}), letters={"P": {"at": ["t"], "is": "C[t]"}}, signs={"P": order({"of": 0})},
            **{"with": {"k": "0"}},
        ),
        "already in use",
    ),
    "a number of the cited claim replaced inside a formula of ours": (
        Claim("c", ("tr(A@A.T) <= 0",), ("c >= 0",), kinds=SQUARE),
        cite(
            "scaled", order({"of": 2}), letters={"P": {"is": "c*(A@A.T)"}},
            signs={"P": order({"L": "A", "c": [{"fact": 0}]})}, **{"with": {"c": "-1"}},
        ),
        "differ",
    ),
    "a formula without a value is put in for a letter": (
        Claim("c", ("tr(A@A.T) >= 0",), kinds=SQUARE),
        cite(
            "scaled", order({"of": 1}), letters={"P": {"is": "c**(-2)*(A@A.T)"}},
            signs={"P": order({"L": "c**(-1)*A"})},
        ),
        "not shown to be defined",
    ),
    "an induction over a number on which the recursion depends": (
        Claim(
            "c", ("t == 0",), ("E(h, x[1, h]) == 5", "u == 1"), naturals=("t",), kinds=LINE,
            steps=(("x[0, h]", "u"), ("x[k+1, h]", "t*x[k, h]")),
        ),
        {
            "kind": "induct", "on": "t", "as": "m", "base": order(),
            "step": have("t == 5", TAKE_FIVE, AT_FIVE),
        },
        "depends on t",
    ),
    "an invariant over a number on which the recursion depends": (
        Claim(
            "c", ("t == 0",), ("E(h, x[1, h]) == 5", "u == 1"), naturals=("t",), kinds=LINE,
            steps=(("x[0, h]", "u"), ("x[k+1, h]", "t*x[k, h]")),
        ),
        {
            "kind": "induction", "on": "t", "states": {}, "invariant": ["t == 0"], "base": [order()],
            "step": [have("t == 5", TAKE_FIVE, order({"eq": 3, "k": "6/5"}, {"eq": 4, "k": "-1/5"}))],
            "then": order({"eq": 3}),
        },
        "depends on t",
    ),
    "a sequence that has no value where its root has none": (
        Claim("c", ("c >= 0",), kinds=SEQUENCE, steps=(("C[0]", "I(n)"), ("C[t+1]", "sqrt(c)*I(n)"))),
        at(1, {"kind": "root", "of": "sqrt(c)", "name": "r", "then": order({"L": "r"}, {"eq": 5, "k": "-1"})}, t="0"),
        "not shown to be defined",
    ),
    "a sequence that divides by what may be zero": (
        Claim("c", ("c*C[1] == I(n)",), kinds=SEQUENCE, steps=(("C[0]", "I(n)"), ("C[t+1]", "C[t]/c"))),
        order(ops=FIRST),
        "not shown to be defined",
    ),
    "an entry gets the name of a letter that is declared nonnegative": (
        Claim("c", ("sum(i, 1, m, f[i]) >= 0",), naturals=("m",), kinds=(("f_i", "psd(1)"),)),
        {"kind": "termwise", "over": "sum", "index": "i", "each": have("f_i >= 0", order({"psd": "f_i"}), cone(of(2)))},
        "in use",
    ),
    "the eigenvalue has the name of a number in the matrix": (
        Claim("c", ("tr(X) <= 0",), kinds=(("X", "symmetric(n)"),)),
        eigen("X + lam*I(n)", "X", "O(n, n)", order({"eq": 1, "L": "-u.T"})),
        "lam is already in use",
    ),
    "the eigenvector has the name of a number below the trace": (
        Claim("c", ("tr(X) >= 0",), kinds=(("X", "symmetric(n)"), ("A", "matrix(n, n)"))),
        eigen("X", "X + u*(A - A.T)", "O(n, n)", order()),
        "u is already in use",
    ),
    "a sequence is defined up to an end that the certificate chooses": (
        Claim("c", ("tr(D[1]) == n",), ("D[0] == I(n)",), kinds=FREE),
        cite(
            "stays", order({"eq": 2}), letters={"C": {"at": ["k"], "is": "D[k]"}}, discharge={"1": ABSURD},
            **{"with": {"oo": "-1"}},
        ),
        "numbers are put in for numbers",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_false_proof_is_refused(name: str) -> None:
    what, proof, reason = REFUSED[name]
    with pytest.raises(KernelError, match=reason):
        check_certificate(what, {"goals": [proof], "defined": {}}, LIBRARY)


def test_two_recursions_do_not_begin_at_each_other() -> None:
    kinds = (
        *(("u", "vector(n)"), ("a", "vector(n)[S]"), ("H", "history(S)"), ("G", "history(S)")),
        *(("x", "vector(n)[nat, H]"), ("y", "vector(n)[nat, G]"), ("p", "sample(H)"), ("q", "sample(G)")),
    )
    steps = (("x[0, h]", "y[0, q] + u"), ("x[t+1, h]", "x[t, h]"), ("y[0, h]", "x[0, p] + u"), ("y[t+1, h]", "y[t, h]"))
    with pytest.raises(Malformed, match="fixed point"):
        Claim("c", ("u == 0",), kinds=kinds, steps=steps)


def test_a_size_that_is_replaced_is_replaced_as_a_number_too() -> None:
    letters = {"A": {"is": "[[A, A], [A, A]]"}}
    proof = cite("size", order({"eq": 1}), sizes={"n": "2*n"}, letters=letters)
    check_certificate(Claim("c", ("tr(I(2*n)) == 2*n",), kinds=SQUARE), {"goals": [proof]}, LIBRARY)


SCALED = (("x[0, h]", "c*u"), ("x[k+1, h]", "x[k, h]"))
TWO_SPACES = (("b", "real[S]"), ("d", "real[T]"))
NO_WITNESS: dict[str, tuple[Claim, dict[str, Any], str]] = {
    "a bound name is not the parameter of the recursion": (
        Claim("c", ("sum(c, 1, 2, E(h, x[0, h])) == 2*E(h, x[0, h])",), kinds=LINE, steps=SCALED),
        {"c": "5", "u": ["1"], "b": {"1": "1"}, "p_S": ["1"]}, "holds at this point",
    ),
    "a number of a step is no matrix": (
        Claim("c", ("E(h, x[0, h]) == E(h, x[0, h].T)",), kinds=LINE, steps=SCALED),
        {"c": ["5", "6"], "u": ["1"], "b": {"1": "1"}, "p_S": ["1"]}, "c is a number",
    ),
    "an entry of a family is no row": (
        Claim("c", ("(u*r[1]).T == u*r[1]",), kinds=(("u", "vector(1)"),)),
        {"u": ["1"], "r": [["1", "2"], ["3", "4"]]}, "r is a number",
    ),
    "a bound sample has the name of another space": (
        Claim("c", ("E(w, b[w]) == 0",), ("forall(S, sample(T), d[S]*E(w, b[w]) == 0)",), kinds=TWO_SPACES),
        {"b": {"1": "1", "2": "-1"}, "d": {"1": "1", "2": "1"}, "p_S": ["1/3", "2/3"], "p_T": ["1/2", "1/2"]},
        "violates",
    ),
    "an order between numbers with roots is decided": (
        Claim("c", ("u.T@u << sqrt(2)*u.T@u",), kinds=(("u", "vector(1)"),)), {"u": ["1"]}, "holds at this point"
    ),
    "probabilities are one column": (
        Claim("c", ("E(w, b[w]) == E(v, b[v])",), kinds=(("b", "real[S]"),)),
        {"b": {"1": "1", "2": "3"}, "p_S": [["1/2", "1/2"], ["0", "0"]]}, "no probabilities p_S",
    ),
    "a point brings no recursions of its own": (
        Claim("c", ("u == u",), kinds=(("u", "vector(1)"),)), {"u": "1", "#histories": "1"}, "not a name"
    ),
    "a point is not too large to be looked at": (
        Claim("c", ("tr(I(n)) == n",), kinds=SEQUENCE, steps=(("C[0]", "I(n)"), ("C[t+1]", "C[t]"))),
        {"n": "100000000"}, "more than 1000 rows",
    ),
    "a path is not too long to be counted": (
        Claim("c", ("E(h, x[k, h]) == c*u",), naturals=("k",), kinds=LINE, steps=SCALED),
        {"c": "1", "u": ["1"], "b": {"1": "1", "2": "1"}, "p_S": ["1/2", "1/2"], "k": "50000000000"},
        "choose a smaller point",
    ),
    "an index that is no integer is named": (
        Claim("c", ("u == u",), kinds=(("u", "vector(1)"),)), {"u": {"abc": "1"}}, "not an index"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_WITNESS)
def test_a_true_claim_has_no_witness(name: str) -> None:
    what, point, reason = NO_WITNESS[name]
    with pytest.raises(KernelError, match=reason):
        check_witness(what, point)


@pytest.mark.parametrize(
    "steps", [(("x[0, h]", "u"), ("x[t+1, h]", "t*x[t, h]")), (("C[0]", "A"), ("C[t+1]", "t*C[t]"))]
)
def test_an_index_of_a_recursion_is_not_the_name_of_a_notion(steps: tuple[tuple[str, str], ...]) -> None:
    kinds = (
        ("u", "vector(n)"),
        ("A", "matrix(n, n)"),
        ("C", "matrix(n, n)[nat]"),
        ("a", "vector(n)[S]"),
        ("H", "history(S)"),
        ("x", "vector(n)[nat, H]"),
    )
    with pytest.raises(KernelError, match="defined by `where`"):
        Claim("c", ("u == u",), where=(("t", "7"),), kinds=kinds, steps=steps).facts  # noqa: B018


@pytest.mark.parametrize("number", ["E(w, tr(inv(Q[w])))", "inv(z + 1)"])
def test_a_number_with_an_inverse_is_expanded_or_left_as_it_stands(number: str) -> None:
    kinds = (("Q", "pd(n)[S]"), ("z", "psd(1)"))
    what = Claim("c", (f"{number} + c**2 >= {number}",), ("z >= 0",), kinds=kinds)
    proof = {"kind": "expand", "stem": "e", "then": cone({"c": "1", "sq": "c"})}
    check_certificate(what, {"goals": [proof], "defined": {}}, {})
