"""Matrices of every size, independent samples and random recursions: honest proofs, and false ones that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import POSITIVE, Cert
from theory.kernel import Claim, KernelError, Point, check_witness
from theory.kernel.errors import Malformed
from theory.kernel.judge import check_certificate

KINDS = {
    "X": "symmetric(n)", "Y": "symmetric(n)", "A": "matrix(n, n)", "B": "matrix(n, n)", "P": "psd(n)", "Q": "psd(n)",
    "D": "pd(n)", "u": "vector(n)", "v": "vector(n)", "a": "vector(n)[S]", "b": "real[S]", "H": "history(S)",
    "x": "vector(n)[nat, H]",
}  # fmt: skip
STEPS = (("x[0, h]", "u"), ("x[t+1, h]", "A @ x[t, h] + a[w]"))


def claim(says: str, *given: str, naturals: tuple[str, ...] = ("t",), id_: str = "c") -> Claim:
    return Claim(id_, (says,), given, naturals=naturals, kinds=tuple(KINDS.items()), steps=STEPS)


def order(*items: Cert, ops: tuple[Any, ...] = (), **more: Any) -> Cert:
    return {"kind": "order", "items": list(items), "ops": list(ops), **more}


def judge(what: Claim, proof: Cert, library: dict[str, Claim] | None = None) -> None:
    check_certificate(what, {"goals": [proof], "defined": {}}, library or {})


HALF = {"is": "1/2", "because": POSITIVE}
PAIR = {"tr": [{"L": "u@v.T - v@u.T"}, {"L": "I(n)"}], "c": [HALF]}
TWO = {"E": {"r": "S", "s": "S"}, "L": "(a[r] - a[s]).T", "c": [HALF]}
NOISE = "E(w, a[w]) == O(n, 1)"

ACCEPTED: dict[str, tuple[Claim, Cert]] = {
    "words": (claim("(A@B).T == B.T@A.T"), order()),
    "inverse": (claim("D@inv(D)@A == A"), order()),
    "blocks": (claim("[[A, B]] @ [[u], [v]] == A@u + B@v"), order()),
    "block square": (claim("[[A, O(n,n)], [O(n,n), B]] @ [[u], [v]] == [[A@u], [B@v]]"), order()),
    "trace is cyclic": (claim("tr(A@B) == tr(B@A)"), order()),
    "trace of the identity": (claim("tr(I(n)) == n"), order()),
    "congruence": (claim("A@X@A.T << A@Y@A.T", "X << Y"), order({"of": 0, "L": "A"})),
    "Cauchy-Schwarz": (claim("(u.T@v)**2 <= norm2(u)*norm2(v)"), order(PAIR)),
    "trace of a product": (claim("tr(P@X) <= tr(P@Y)", "X << Y"), order({"tr": [{"psd": "P"}, {"of": 0}]})),
    "variance": (claim("E(w, norm2(a[w] - E(s, a[s]))) == E(w, norm2(a[w])) - norm2(E(w, a[w]))"), order()),
    "two samples": (claim("E(w, E(s, a[w].T@a[s])) == norm2(E(w, a[w]))"), order()),
    "Jensen": (claim("norm2(E(w, a[w])) <= E(w, norm2(a[w]))"), order(TWO)),
    "mean of a recursion": (
        claim("E(h, x[t+1, h]) == A @ E(h, x[t, h]) + E(w, a[w])"), order(ops=("advance",))
    ),
    "second moment": (
        claim("E(h, norm2(x[t+1, h])) == E(h, norm2(A@x[t, h])) + E(w, norm2(a[w]))", NOISE),
        order({"eq": 0, "E": {"past": "H"}, "L": "2*(A@x[t, past]).T"}, ops=("advance",)),
    ),
    "start": (claim("E(h, x[0, h]) == u"), order(ops=({"use": 0},))),
    "multiplied": (claim("X << Y", "c*X << c*Y", "c > 0"), order({"of": 0}, multiplier=[1])),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_an_honest_proof_is_accepted(name: str) -> None:
    judge(*ACCEPTED[name])


REFUSED: dict[str, tuple[Claim, Cert, str]] = {
    "letters do not commute": (claim("A@B == B@A"), order(), "differ"),
    "a transpose is lost": (claim("(A@B).T == A.T@B.T"), order(), "differ"),
    "a matrix is not symmetric": (claim("A == A.T"), order(), "differ"),
    "one sample is not two": (claim("E(w, norm2(a[w])) == norm2(E(w, a[w]))"), order(), "differ"),
    "a mean of products is no product of means": (claim("E(w, b[w]*a[w]) == E(w, b[w])*E(w, a[w])"), order(), "differ"),
    "variance with a mean of its own sample": (
        claim("E(w, norm2(a[w] - E(s, a[s]))) == E(w, norm2(a[w])) + norm2(E(w, a[w]))"), order(), "differ"
    ),
    "an order between the wrong sides": (claim("A@Y@A.T << A@X@A.T", "X << Y"), order({"of": 0, "L": "A"}), "differ"),
    "a congruence with two factors": (
        claim("A@X@B << A@Y@B", "X << Y"), order({"of": 0, "L": "A"}), "differ"
    ),
    "a product of two nonnegative matrices is not one": (
        claim("O(n,n) << P@Q"), order({"psd": "P"}, {"psd": "Q"}), "differ"
    ),
    "an undeclared letter is not nonnegative": (claim("O(n,n) << X"), order({"psd": "X"}), "not declared psd"),
    "a psd letter has no inverse": (claim("0 << P"), order({"psd": "inv(P)"}), "sizes do not fit"),
    "a negative factor": (
        claim("0 << -P"), order({"psd": "P", "c": [{"is": "-1", "because": POSITIVE}]}), ""
    ),
    "a factor without a proof": (
        claim("O(n,n) << c*P"), order({"psd": "P", "c": [{"is": "c", "because": POSITIVE}]}), ""
    ),
    "an equation proved with a slack": (claim("X == Y", "X << Y"), order({"of": 0}), "no slack"),
    "an order used as an equation": (claim("X == Y", "X << Y"), order({"eq": 0}), "not an equation"),
    "a strict goal": (claim("E(w, norm2(a[w])) > 0"), order({"E": {"s": "S"}, "L": "a[s].T"}), "order proves"),
    "a multiplier that may vanish": (
        claim("X << Y", "c*X << c*Y", "c >= 0"), order({"of": 0}, multiplier=[1]), "strict"
    ),
    "a division by what may be zero": (
        claim("O(n,n) << P"), order({"psd": "P", "c": [{"sq": "c/c"}]}), "not shown to be defined"
    ),
    "the past knows the fresh sample": (
        claim("E(h, norm2(x[t+1, h])) == norm2(E(h, x[t+1, h]))"), order(ops=("advance",)), "differ"
    ),
    "noise that is not centred": (
        claim("E(h, norm2(x[t+1, h])) == E(h, norm2(A@x[t, h])) + E(w, norm2(a[w]))"), order(ops=("advance",)), "differ"
    ),
    "a step before the beginning": (claim("E(h, x[t, h]) == A @ E(h, x[t, h])"), order(ops=("advance",)), "differ"),
    "a sample that is in use": (
        claim("norm2(E(w, a[w])) <= E(w, norm2(a[w]))"), order({"E": {"u": "S"}, "L": "a[u].T"}), "something else"
    ),
    "a fact at a sample that is not open": (
        claim("b0 >= 0", "forall(w, sample(S), b[w] >= 0)"), order({"of": 0, "at": {"w": "s"}}), "not a sample"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_false_proof_is_refused(name: str) -> None:
    what, proof, reason = REFUSED[name]
    with pytest.raises(KernelError, match=reason or None):
        judge(what, proof)


MALFORMED = {
    "a product of matrices with *": (("A*B == B*A",), {}, "sizes"),
    "a matrix compared as a number": (("A <= B",), {}, "cannot be compared"),
    "numbers and matrices added": (("A + 1 == A",), {}, "sizes"),
    "sizes that do not fit": (("A @ u @ v == u",), {}, "sizes"),
    "a sample where an index is needed": (("E(w, x[w, w]) == u",), {}, "not an integer|spaces"),
    "a random letter without its sample": (("a == u",), {}, "indices"),
    "a letter that is a size": (("n*u == n*u",), {"n": "vector(m)"}, "rename|declared"),
    "a step that reads the law of the next state": (
        ("E(h, x[t, h]) == u",), {"steps": (("x[0, h]", "u"), ("x[t+1, h]", "E(k, x[t+1, k]) + u"))}, "sees the states"
    ),
    "a step that reads another time": (
        ("E(h, x[t, h]) == u",), {"steps": (("x[0, h]", "u"), ("x[t+1, h]", "x[t+1, h]"))}, "sees the states"
    ),
    "a random beginning": (
        ("E(h, x[t, h]) == u",), {"steps": (("x[0, h]", "x[0, h]"), ("x[t+1, h]", "x[t, h]"))}, "sample"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_what_has_no_meaning_is_refused(name: str) -> None:
    says, more, reason = MALFORMED[name]
    kinds = tuple({**KINDS, **{k: v for k, v in more.items() if k != "steps"}}.items())
    with pytest.raises(Malformed, match=reason):
        Claim("c", says, naturals=("t",), kinds=kinds, steps=more.get("steps", STEPS)).world  # noqa: B018


def test_a_claim_with_letters_is_cited_with_formulas_of_ours() -> None:
    lemma = Claim(
        "congruence",
        ("B@X@B.T << B@Y@B.T",),
        ("X << Y",),
        kinds=(("X", "symmetric(m)"), ("Y", "symmetric(m)"), ("B", "matrix(m, m)")),
    )
    ours = claim("A@A@P@A.T@A.T << A@A@D@A.T@A.T", "P << D")
    letters = {"X": {"is": "P"}, "Y": {"is": "D"}, "B": {"is": "A@A"}}
    cite = {"kind": "cite", "claim": "congruence", "sizes": {"m": "n"}, "letters": letters, "then": order({"of": 3})}
    judge(ours, cite, {"congruence": lemma})
    for change, reason in (
        ({"letters": {**letters, "X": {"is": "A"}}}, "symmetric"),
        ({"letters": {**letters, "B": {"is": "u"}}}, "another size"),
        ({"letters": {"X": {"is": "P"}, "Y": {"is": "D"}}}, "declared otherwise"),
        ({"sizes": {}}, "no size here"),
        ({"letters": {**letters, "Y": {"is": "P+P"}}}, ""),
    ):
        with pytest.raises(KernelError, match=reason or None):
            judge(ours, {**cite, **change}, {"congruence": lemma})


def test_what_is_declared_of_a_letter_is_shown_of_its_image() -> None:
    lemma = Claim("trace", ("tr(P) >= 0",), kinds=(("P", "psd(m)"),))
    cite = {
        "kind": "cite",
        "claim": "trace",
        "sizes": {"m": "n"},
        "letters": {"P": {"is": "A@A.T"}},
        "then": order({"of": 2}),
    }
    judge(claim("tr(A@A.T) >= 0"), {**cite, "signs": {"P": order({"L": "A"})}}, {"trace": lemma})
    with pytest.raises(KernelError):
        judge(claim("tr(A@A.T) >= 0"), cite, {"trace": lemma})
    bad = {**cite, "letters": {"P": {"is": "X"}}, "signs": {"P": order({"psd": "P"})}}
    with pytest.raises(KernelError, match="differ"):
        judge(claim("tr(X) >= 0"), bad, {"trace": lemma})


def test_a_lemma_about_one_recursion_is_not_cited_for_another() -> None:
    lemma = claim("E(h, x[t+1, h]) == A @ E(h, x[t, h]) + E(w, a[w])", id_="mean")
    other = (("x[0, h]", "u"), ("x[t+1, h]", "2*A @ x[t, h] + a[w]"))
    kinds = tuple(KINDS.items())
    ours = Claim("c", ("E(h, x[t+1, h]) == A @ E(h, x[t, h]) + E(w, a[w])",), naturals=("t",), kinds=kinds, steps=other)
    with pytest.raises(KernelError, match="another random recursion"):
        judge(ours, {"kind": "cite", "claim": "mean", "then": order({"eq": 2})}, {"mean": lemma})
    judge(lemma, order(ops=("advance",)))


EYE, SWAP = [["1", "0"], ["0", "1"]], [["0", "1"], ["1", "0"]]
POINT: dict[str, Any] = {
    "n": "2", "t": "1", "X": EYE, "Y": EYE, "A": [["1", "1"], ["0", "1"]], "B": SWAP, "P": EYE, "Q": EYE, "D": EYE,
    "u": ["1", "0"], "v": ["0", "1"], "a": {"1": ["1", "0"], "2": ["0", "1"]}, "b": {"1": "1", "2": "-1"},
    "p_S": ["1/2", "1/2"],
}  # fmt: skip


@pytest.mark.parametrize(
    "says",
    ["A@B == B@A", "A << B", "E(w, norm2(a[w])) == norm2(E(w, a[w]))", "E(h, norm2(x[t, h])) == norm2(E(h, x[t, h]))"],
)
def test_a_false_claim_is_refuted_by_exact_matrices(says: str) -> None:
    check_witness(claim(says), Point.of(POINT).as_dict())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"P": SWAP}, "psd"),
        ({"D": [["1", "0"], ["0", "0"]]}, "pd"),
        ({"X": [["1", "2"], ["0", "1"]]}, "symmetric"),
        ({"p_S": ["1/2", "1/3"]}, "distribution"),
        ({"a": {"1": ["1", "0"]}}, "one value for each point"),
        ({"u": ["1"]}, "size"),
        ({"n": "0"}, "at least 1"),
    ],
)
def test_a_witness_is_of_the_declared_kinds(change: dict[str, Any], reason: str) -> None:
    mentioned = "norm2(u) + tr(P) + tr(D) + tr(X@X) + E(w, norm2(a[w])) >= 0"
    with pytest.raises(KernelError, match=reason):
        check_witness(claim("A@B == B@A", mentioned), Point.of({**POINT, **change}).as_dict())


def test_scalar_products_are_numbers_to_the_other_rules() -> None:
    step = {"kind": "expand", "stem": "z", "then": {"kind": "cone", "terms": [{"c": "1", "of": [0]}]}}
    judge(claim("norm2(u + v) <= 5 + 2*u.T@v", "norm2(u) + norm2(v) <= 5"), step)
    with pytest.raises(KernelError):
        judge(claim("norm2(u + v) <= 5 + u.T@v", "norm2(u) + norm2(v) <= 5"), step)
