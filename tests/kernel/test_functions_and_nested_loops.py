"""Functions of a vector, recursions with parameters, a loop inside a loop: proofs that are accepted, near misses with
their reasons, and the false claim that each condition keeps out."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tests.kernel.certificates import Cert, cone, of
from theory.kernel import Claim, KernelError
from theory.kernel.errors import Malformed, Rejected
from theory.kernel.evaluate import evaluate
from theory.kernel.judge import check_certificate
from theory.kernel.points import check_witness, environment, satisfies_hypotheses
from theory.kernel.rings import Exact


def order(*items: Cert, ops: tuple[Any, ...] = (), **more: Any) -> Cert:
    return {"kind": "order", "items": list(items), "ops": list(ops), **more}


def cite(claim: str, then: Cert, **more: Any) -> Cert:
    return {"kind": "cite", "claim": claim, "then": then, **more}


def have(fact: str, proof: Cert, then: Cert) -> Cert:
    return {"kind": "have", "fact": fact, "proof": proof, "then": then}


def induct(base: Cert, step: Cert) -> Cert:
    return {"kind": "induct", "on": "t", "as": "m", "base": base, "step": step}


def let(name: str, formula: str, then: Cert) -> Cert:
    return {"kind": "let", "name": name, "is": formula, "then": then}


FUNCTION = (("f", "real[vector(d)]"), ("x", "vector(d)"), ("y", "vector(d)"), ("p", "vector(d)[S]"))
NOISY = (("v", "vector(d)[vector(d), S]"), ("x", "vector(d)"), ("b", "vector(d)[S]"))
CENTRED = "forall(u, vector(d), E(w, v[u, w]) == 0)"
# the inner loop adds noise at its anchor; the outer loop moves to where the inner one ended
LOOPS = (
    ("v", "vector(d)[vector(d), S]"), ("x0", "vector(d)"), ("H", "history(S)"), ("G", "history(H)"),
    ("s", "vector(d)[nat, vector(d), H]"), ("X", "vector(d)[nat, G]"),
)  # fmt: skip
INNER = (("s[0, u, h]", "u"), ("s[t+1, u, h]", "s[t, u, h] + v[u, w]"))
OUTER = (("X[0, g]", "x0"), ("X[k+1, g]", "s[T, X[k, g], h]"))
WALK = (("a", "vector(d)[S]"), ("H", "history(S)"), ("x", "vector(d)[nat, H]"), ("x0", "vector(d)"))
STEPS = (("x[0, h]", "x0"), ("x[t+1, h]", "x[t, h] + a[w]"))
PATH = ("path", "sample(H)")
# the inner loop, on its own path, at any anchor: E s = anchor
MEAN_AT = "E(h, s[t, y, h]) == y"
INNER_ONLY = tuple(one for one in LOOPS if one[0] not in ("G", "X"))
MEAN = Claim("mean", (MEAN_AT,), (CENTRED,), naturals=("t",), kinds=(*INNER_ONLY, ("y", "vector(d)")), steps=INNER)
WALKED = Claim("walk", ("E(h, x[t, h]) == x0 + t*E(w, a[w])",), naturals=("t",), kinds=WALK, steps=STEPS)
ASIDE = Claim("aside", ("E(w, norm2(a[w])) >= 0",), kinds=WALK, steps=STEPS)  # x occurs in its proof at most
LIBRARY = {one.id: one for one in (WALKED, MEAN, ASIDE)}
START = {"use": 1, "at": {"u": "y"}}


def instance(fact: int, then: Cert, **at: str) -> Cert:
    return {"kind": "instance", "fact": fact, "at": at, "within": {}, "then": then}


MEAN_PROOF = induct(
    order(ops=(START,)),
    instance(4, order({"eq": 5}, {"eq": 0, "at": {"u": "y"}}, ops=("advance",)), m="t"),
)
OUTER_MEAN = Claim(
    "outer", ("E(g, X[k+1, g]) == E(g, X[k, g])",), (CENTRED,), naturals=("k", "T"), kinds=LOOPS, steps=INNER + OUTER
)
AT_PAST = "forall(past, sample(G), E(h, s[T, X[k, past], h]) == X[k, past])"
BY_ANCHOR = cite("mean", order({"eq": 4}), **{"with": {"t": "T"}}, letters={"y": {"at": [], "is": "X[k, past]"}})
OUTER_PROOF = have(AT_PAST, BY_ANCHOR, order({"eq": 4, "at": {"past": "q"}, "E": {"q": "G"}}, ops=({"advance": "G"},)))

ACCEPTED: dict[str, tuple[Claim, Cert]] = {
    "equal letters have equal values": (
        Claim("c", ("f[x] == f[y]",), ("x == y",), kinds=FUNCTION), order(ops=({"use": 0},)),
    ),
    "a fact for every vector at a named formula": (
        Claim("c", ("f[x] >= 0",), ("forall(u, vector(d), f[u] >= norm2(u))",), kinds=FUNCTION),
        order({"of": 0, "at": {"u": "x"}}, {"L": "x.T"}),
    ),
    "a fixed vector gets a name": (
        Claim("c", ("E(w, norm2(v[x, w])) >= 0",), kinds=NOISY),
        let("z", "2*x", order({"E": {"w1": "S"}, "L": "v[x, w1].T"})),
    ),
    "noise at an independent random point is centred": (
        Claim("c", ("E(u, E(w, v[b[u], w])) == 0",), (CENTRED,), kinds=NOISY),
        order({"eq": 0, "at": {"u": "b[w1]"}, "E": {"w1": "S"}}),
    ),
    "the inner loop is centred at every anchor": (MEAN, MEAN_PROOF),
    "so the outer loop does not drift": (OUTER_MEAN, OUTER_PROOF),
    "a state that the cited proof alone needs is not needed here": (
        Claim("c", ("E(w, norm2(a[w])) >= 0",), kinds=(WALK[0], WALK[3])), cite("aside", order({"of": 1})),
    ),
    "a path is the sum of its steps": (
        Claim("c", ("x[t+1, path] - x[t, path] == x[t+1, path] - x[t, path]",), naturals=("t",), kinds=(*WALK, PATH),
              steps=STEPS),
        order(ops=("advance",)),
    ),
    "a whole number is nonnegative or at most minus one": (
        Claim("c", ("(k - m)*(k - m + 1) >= 0",), naturals=("k", "m")),
        {"kind": "cases", "on": "k - m", "whole": True,
         "nonnegative": cone({"c": "1", "of": [0, 0]}, of(0)),
         "nonpositive": cone({"c": "1", "of": [0, 0]}, of(0))},
    ),
}  # fmt: skip

TWICE = "x[t+2, path] - x[t+1, path] == x[t+1, path] - x[t, path]"
OTHER = (("a", "vector(d)[S]"), ("H", "history(S)"), ("y", "vector(d)[nat, H]"), ("x0", "vector(d)"))
SLOWER = (("y[0, h]", "x0"), ("y[t+1, h]", "y[t, h] + a[w]/2"))
LATER = (("y[0, h]", "2*x0"), ("y[t+1, h]", "y[t, h] + a[w]"))
MIXED = (("y[0, k, h]", "x0"), ("y[t+1, k, h]", "y[t, k, h] + a[w]"))


def as_walk(kinds: tuple[tuple[str, str], ...], steps: tuple[tuple[str, str], ...], image: str) -> tuple[Claim, Cert]:
    claim = Claim("c", ("E(h, x1[h]) == 0",), naturals=("t",), kinds=(*kinds, ("x1", "vector(d)[H]")), steps=steps)
    return claim, cite("walk", order(), letters={"x": {"at": ["t0", "h0"], "is": image}})


REFUSED: dict[str, tuple[Claim, Cert, str]] = {
    "a value at another vector": (
        Claim("c", ("f[x] == f[y]",), ("x == 2*y",), kinds=FUNCTION), order(ops=({"use": 0},)), "differ",
    ),
    "a mean goes through a function": (
        Claim("c", ("E(w, f[p[w]]) == f[x]",), ("E(w, p[w]) == x",), kinds=FUNCTION), order({"eq": 0}), "size",
    ),
    "a step is taken inside an argument": (
        Claim("c", ("E(h, f[x[t+1, h]]*norm2(x[t+1, h])) == 0",), naturals=("t",),
              kinds=(*WALK, ("f", "real[vector(d)]")), steps=STEPS),
        order(ops=("advance",)), "inside an argument",
    ),
    "two steps of a path have one sample": (
        Claim("c", (TWICE,), naturals=("t",), kinds=(*WALK, PATH), steps=STEPS),
        order(ops=("advance", "advance")), "differ",
    ),
    "a path steps where it stands at another time": (
        Claim("c", ("x[t+1, path] == x[t, path]",), naturals=("t",), kinds=(*WALK, PATH), steps=STEPS),
        order(ops=("advance",)), "differ",
    ),
    "a state that the cited claim speaks of is needed here": (
        Claim("c", ("E(w, norm2(a[w])) >= 0",), naturals=("t",), kinds=(*WALK[:1], ("x0", "vector(d)"))),
        cite("walk", order({"of": 1})), "x is declared otherwise",
    ),
    "a recursion with half the step is cited as the walk": (*as_walk(OTHER, SLOWER, "y[t0, h0]"), "another recursion"),
    "a recursion with another start is cited as the walk": (*as_walk(OTHER, LATER, "y[t0, h0]"), "another recursion"),
    "a formula is cited as a state": (*as_walk(OTHER, LATER, "y[t0, h0] - x0"), "put in a state"),
    "the state at another time is cited as the state": (*as_walk(OTHER, LATER, "y[t0 + 1, h0]"), "not the state"),
    "a parameter moves with the time": (
        *as_walk((*OTHER[:2], ("y", "vector(d)[nat, nat, H]"), OTHER[3]), MIXED, "y[t0, t0, h0]"), "not the state",
    ),
    "a name for a random vector": (
        Claim("c", ("E(w, norm2(v[x, w])) >= 0",), kinds=(*NOISY, ("s", "sample(S)"))),
        let("z", "b[s]", order()), "not a fixed vector",
    ),
    "a name for a number": (Claim("c", ("f[x] >= 0",), kinds=FUNCTION), let("z", "x.T @ y", order()), "not a fixed"),
    "a name that is taken": (Claim("c", ("f[x] >= 0",), kinds=FUNCTION), let("y", "2*x", order()), "already in use"),
    "a name for itself": (Claim("c", ("f[x] >= 0",), kinds=FUNCTION), let("z", "z + x", order()), "z"),
    "a fact at a vector of another size": (
        Claim("c", ("f[x] >= 0",), ("forall(u, vector(d), f[u] >= norm2(u))",), kinds=(*FUNCTION, ("q", "vector(e)"))),
        order({"of": 0, "at": {"u": "q"}}), "size",
    ),
    "a fact at a formula without a name": (
        Claim("c", ("f[x] >= 0",), ("forall(u, vector(d), f[u] >= norm2(u))",), kinds=FUNCTION),
        order({"of": 0, "at": {"u": "2*x"}}), "one letter",
    ),
    "noise at its own point": (
        Claim("c", ("E(w, norm2(v[x, w])) >= 0",), (CENTRED,), kinds=NOISY),
        order({"eq": 0, "at": {"u": "b[w]"}, "E": {"w": "S"}}), "capture|name",
    ),
    "a number between minus one and nought": (
        Claim("c", ("x*(x + 1) >= 0",)),
        {"kind": "cases", "on": "x", "whole": True, "nonnegative": cone({"c": "1", "of": [0, 0]}, of(0)),
         "nonpositive": cone({"c": "1", "of": [0, 0]}, of(0))}, "not an integer",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_an_honest_proof_is_accepted(name: str) -> None:
    claim, proof = ACCEPTED[name]
    check_certificate(claim, {"goals": [proof], "defined": {}}, LIBRARY)


@pytest.mark.parametrize("name", REFUSED)
def test_a_false_proof_is_refused(name: str) -> None:
    claim, proof, reason = REFUSED[name]
    with pytest.raises(KernelError, match=reason):
        check_certificate(claim, {"goals": [proof], "defined": {}}, LIBRARY)


MALFORMED: dict[str, tuple[dict[str, Any], str]] = {
    "noise at its own sample": ({"says": ("E(w, v[b[w], w]) == 0",), "kinds": NOISY}, "same sample"),
    "a function at a formula": ({"says": ("f[x + y] >= 0",), "kinds": FUNCTION}, "one letter"),
    "a function at a number": ({"says": ("f[3] >= 0",), "kinds": FUNCTION}, "one letter"),
    "a bound vector with a taken name": ({"says": ("0 <= 1",), "given": ("forall(x, vector(d), f[x] >= 0)",),
                                          "kinds": FUNCTION}, "something else"),
    "an anchor on its own path": ({"says": ("E(h, s[t, X1[h], h]) == 0",), "naturals": ("t",), "steps": INNER,
                                   "kinds": (*INNER_ONLY, ("X1", "vector(d)[H]"))}, "same sample"),
    "a history of itself": ({"says": ("0 <= 1",), "kinds": (("G", "history(H)"), ("H", "history(G)"),
                                                            ("x", "vector(d)[G]"))}, "of itself"),
    "a step that reads the law of the inner loop": (
        {"says": ("0 <= 1",), "naturals": ("T",), "kinds": LOOPS,
         "steps": (*INNER, OUTER[0], ("X[k+1, g]", "s[T, X[k, g], h] + E(q, s[T, X[k, g], q])"))}, "a step sees"),
    "a step that reads the next outer state": (
        {"says": ("0 <= 1",), "naturals": ("T",), "kinds": LOOPS,
         "steps": (*INNER, OUTER[0], ("X[k+1, g]", "s[T, X[k+1, g], h]"))}, "a step sees"),
    "a parameter that changes from step to step": (
        {"says": ("0 <= 1",), "kinds": (*WALK[:2], ("x", "vector(d)[nat, vector(d), H]")),
         "steps": (("x[0, u, h]", "u"), ("x[t+1, u, h]", "x[t, u, h] + x[t+1, u, h]"))}, "a step sees"),
    "a conclusion for every vector": (
        {"says": ("forall(u, vector(d), f[u] >= 0)",), "kinds": FUNCTION}, "free natural"),
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_what_cannot_be_said_is_refused(name: str) -> None:
    given, reason = MALFORMED[name]
    with pytest.raises((Malformed, Rejected), match=reason):
        check_certificate(Claim("c", **given), {"goals": [order()], "defined": {}}, {})


def test_no_point_refutes_a_claim_with_a_hypothesis_for_every_vector() -> None:
    claim = Claim("c", ("f[x] >= 0",), ("forall(u, vector(d), f[u] >= -1)",), kinds=FUNCTION)
    point = {"d": "1", "x": ["1"], "f": {"of": "x", "is": "-x[1]**2/100"}}
    with pytest.raises(Rejected, match="every vector"):
        check_witness(claim, point)


def test_a_hypothesis_for_every_vector_is_tried_at_some() -> None:
    claim = Claim("c", ("f[x] >= 0",), ("forall(u, vector(d), f[u] >= 0)",), kinds=FUNCTION)
    satisfies_hypotheses(claim, {"d": "2", "x": ["1", "2"], "f": {"of": "x", "is": "x[1]**2 + x[2]**2"}})
    with pytest.raises(Rejected, match="violates"):
        satisfies_hypotheses(claim, {"d": "2", "x": ["1", "2"], "f": {"of": "x", "is": "x[1]"}})


def test_a_function_at_a_point_sees_its_argument_only() -> None:
    claim = Claim("c", ("f[x] >= c",), kinds=FUNCTION)
    with pytest.raises(Malformed, match="alone"):
        environment({"d": "1", "c": "1", "x": ["1"], "f": {"of": "x", "is": "x[1] + c"}}, claim)


def test_a_loop_inside_a_loop_has_the_mean_over_all_paths() -> None:
    """By hand: X_{k+1} = X_k + sum over the T samples of the inner path of v(X_k, w), v(u, w) = c_w + d_w u."""
    kinds = tuple((name, kind.replace("vector(d)", "vector(1)")) for name, kind in LOOPS)
    claim = Claim("c", ("E(g, norm2(X[k, g])) >= 0",), naturals=("k", "T"), kinds=kinds, steps=INNER + OUTER)
    slopes = {1: (Fraction(1), Fraction(-1, 2)), 2: (Fraction(-2), Fraction(1, 3))}
    formulas = {str(w): {"of": "x", "is": f"({c}) + ({d})*x[1]"} for w, (c, d) in slopes.items()}
    point = {"k": "2", "T": "2", "x0": ["3"], "p_S": ["1/4", "3/4"], "v": formulas}
    env = environment(point, claim)
    found = evaluate(claim.goals[0].left, env, Exact())
    weights = {1: Fraction(1, 4), 2: Fraction(3, 4)}
    total = Fraction(0)
    for samples in product((1, 2), repeat=4):
        position, chance = Fraction(3), Fraction(1)
        for inner in (samples[:2], samples[2:]):
            move = sum(slopes[w][0] + slopes[w][1] * position for w in inner)
            chance *= weights[inner[0]] * weights[inner[1]]
            position += move
        total += chance * position**2
    assert Fraction(str(found)) == total


def test_the_order_in_which_letters_are_named_does_not_matter() -> None:
    """A ledger writes names in alphabetical order; the definitions of replaced sequences are numbered by name."""
    sequences = (("B", "matrix(n, n)[nat]"), ("C", "matrix(n, n)[nat]"))
    steps = (("C[0]", "I(n)"), ("C[t+1]", "2*C[t]"), ("B[0]", "O(n, n)"), ("B[t+1]", "B[t] + C[t]"))
    known = Claim("known", ("tr(B[1]) == n",), kinds=sequences, steps=steps)
    given = ("U[0] == O(n, n)", "forall(t, 0, oo, U[t+1] == U[t] + V[t])", "V[0] == I(n)")
    kinds = (("U", "matrix(n, n)[nat]"), ("V", "matrix(n, n)[nat]"))
    claim = Claim("c", ("tr(U[1]) == n",), (given[0], "forall(t, 0, 5, U[t+1] == U[t] + V[t])", given[2]), kinds=kinds)
    images = {"C": {"at": ["i"], "is": "V[i]"}, "B": {"at": ["i"], "is": "U[i]"}}
    discharge = {"0": order({"eq": 0}), "2": order({"eq": 2})}
    for letters in (images, dict(sorted(images.items()))):
        with pytest.raises(KernelError, match="'1'"):  # B[t + 1] for every t is the second definition, and not shown
            check_certificate(
                claim,
                {"goals": [cite("known", order({"eq": 5}), letters=letters, discharge=discharge)], "defined": {}},
                {"known": known},
            )
