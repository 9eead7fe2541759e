"""L_var by its definition, for every dimension and every T = 2n, and the recursion in T that it obeys.

The printed term A^max(s-t,0) X_min(s,t) (A^max(t-s,0))^T is A^(s-t) X_t for t <= s and X_s (A^(t-s))^T for t > s: these
two cases are the two inner sums (i is s, j is t). `Pw[k]` is A^k. For symmetric X_t the sum over s, t from n + 1
to n + m is Y_m:

    Z_0 = O,  Z_(m+1) = Z_m A^T + X_(n+m+1),      Y_0 = O,  Y_(m+1) = Y_m + Z_m A^T + A Z_m^T + X_(n+m+1).
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, printed
from theory.papers.sada import language
from theory.provers.tactics import Tactic, cite, induct, instance, order, unroll

ID = "def:L-var"
SIZE = "matrix(2*d, 2*d)"
POWERS = language.POWERS
TAIL_OF_X = {
    "Z[0]": "O(2*d, 2*d)", "Z[m+1]": "Z[m] @ A.T + X[n+m+1]",
    "Y[0]": "O(2*d, 2*d)", "Y[m+1]": "Y[m] + Z[m] @ A.T + A @ Z[m].T + X[n+m+1]",
}  # fmt: skip
NOTIONS = {
    **{name: language.TAIL[name] for name in ("P[w]", "moment", "Ahat[w]", "A", "E1", "E2", "V", "J(X)")},
    "S1": "[[Sigma, O(d, d)], [O(d, d), O(d, d)]]",
    "S2": "[[O(d, d), O(d, d)], [O(d, d), Sigma]]",
}
SYMMETRIC = "forall(t, 0, n + K, X[t] == X[t].T)"
POINT: dict[str, Any] = {
    **language.POINT, "n": "1", "m": "1", "K": "1", "k": "1", "l": "1", "Sigma": [["5/2"]],
    "X": {str(t): [[str(t), "1"], ["1", "3"]] for t in range(7)},
    "W": {str(t): [["2", "0"], ["0", str(t)]] for t in range(7)},
    "alpha": "2", "beta": "3",
}  # fmt: skip
SCOPE = "every size, every sequence of matrices, every distribution whose moments exist"
BASE: dict[str, Any] = {"kinds": {"a": "vector(d)[S]", "Sigma": "pd(d)", "Pw": f"{SIZE}[nat]"}, "where": NOTIONS}
ONLY_POWERS: dict[str, Any] = {**BASE, "steps": POWERS, "example": POINT, "scope": SCOPE}
WITH_X: dict[str, Any] = {
    **ONLY_POWERS, "kinds": {**BASE["kinds"], "X": f"{SIZE}[nat]"},
}  # fmt: skip
WITH_TAIL: dict[str, Any] = {
    **WITH_X, "kinds": {**WITH_X["kinds"], "Z": f"{SIZE}[nat]", "Y": f"{SIZE}[nat]"}, "steps": {**POWERS, **TAIL_OF_X},
}  # fmt: skip


def earlier(x: str, last: str, s: str = "i") -> str:
    """The terms with t <= s up to t = `last`; X_t is `x` with j for t."""
    return f"sum(j, n+1, {last}, Pw[{s}-j] @ ({x}))"


def later(x: str, last: str, s: str = "i") -> str:
    """The terms with t > s up to t = `last`; X_s is `x` with i for s."""
    return f"sum(j, {s}+1, {last}, ({x}) @ Pw[j-({s})].T)"


def double(x: str, outer: str, inner: str) -> str:
    """The sum over s up to `outer` and t up to `inner`; `x` is the sequence, with {} for the time."""
    return f"sum(i, n+1, {outer}, {earlier(x.replace('{}', 'j'), 'i')} + {later(x.replace('{}', 'i'), inner)})"


def l_var(x: str) -> str:
    """disp:888 with T = 2n."""
    return f"4/(2*n)**2*tr(S1 @ {double(x, '2*n', '2*n')})"


def notions(**sequences: str) -> dict[str, str]:
    """L_var of each of these sequences as a notion: `LvarX` for X."""
    return {**NOTIONS, **{f"Lvar{name}": l_var(x) for name, x in sequences.items()}}


def sums(*names: str) -> dict[str, str]:
    """The double sum over s <= n + l, t <= n + m of each of these sequences as a notion: `sumX(l, m)`."""
    return {**NOTIONS, **{f"sum{name}(l, m)": double(f"{name}[{{}}]", "n+l", "n+m") for name in names}}


def ours(part: str, says: str | list[str], words: str, **more: Any) -> Any:
    return printed(says, part=part, words=words, faithfulness=Faithfulness.OURS, **more)


def cited(part: str, then: Tactic, where: dict[str, str] | None = None, **more: Any) -> Tactic:
    return cite(f"{ID}#{part}", where, then=then, called=part, **more)


def at(name: str, index: str, of: str = "m") -> dict[str, Any]:
    """The clause of a sequence at index + 1."""
    return {"use": f"{name}[{of} + 1]", "at": {of: index}}


def commute() -> Tactic:
    step = order({"eq": "past", "L": "A"}, ops=[at("Pw", "k", "k")])
    return induct("k", base=order(ops=[{"use": "Pw[0]"}]), step=instance("IH", step, called="past", m="k"))


def empty(of: str, then: Tactic, called: str = "none") -> Tactic:
    return unroll(of, then, end="empty", called=called)


def column(m: str, k: str = "k") -> str:
    return f"sum(j, n+1, n+{m}, X[j] @ Pw[n+{m}+{k}-j].T)"


def row(m: str, k: str = "k") -> str:
    return f"sum(j, n+1, n+{m}, Pw[n+{m}+{k}-j] @ X[j])"


def columns() -> Tactic:
    """By induction over m, for all k at once."""
    base = empty(column("0"), order(ops=[{"use": "none"}, {"use": "Z[0]"}]))
    ops = [{"use": "more"}, at("Z", "m"), at("Pw", "k", "k")]
    step = order({"eq": "past"}, {"eq": "commute", "T": 1, "L": "Z[m]"}, ops=ops)
    step = unroll(column("m+1"), cited("commute", step), called="more")
    return induct(
        "m", general=["k"], base=base, step=instance("IH", step, called="past", b="m", k="k+1"), **{"as": "b"}
    )


def turned(time: str, left: str, bound: str = "m + 1") -> dict[str, Any]:
    """X is symmetric at this time."""
    inside = {f"{time} <= n + K": order({"of": bound})}
    return {"eq": 0, "at": {"t": time}, "within": inside, "L": left}


def rows() -> Tactic:
    """The same, transposed: the matrices are symmetric."""
    base = empty(row("0"), order(ops=[{"use": "none"}, {"use": "Z[0]"}]))
    ops = [{"use": "more"}, at("Z", "m"), at("Pw", "k", "k")]
    step = order({"eq": "past"}, {"eq": "commute", "R": "Z[m].T"}, turned("n + m + 1", "Pw[k]"), ops=ops)
    step = unroll(row("m+1"), cited("commute", step), called="more")
    return induct(
        "m", general=["k"], base=base, step=instance("IH", step, called="past", b="m", k="k+1"), **{"as": "b"}
    )


def peel() -> Tactic:
    """By induction over the number l of rows."""
    names = ("wide", "narrow", "column")

    def sums(count: str) -> tuple[str, str, str]:
        column_ = f"sum(j, n+1, n+{count}, X[j] @ Pw[n+m+1-j].T)"
        return double("X[{}]", f"n+{count}", "n+m+1"), double("X[{}]", f"n+{count}", "n+m"), column_

    base, step = order(ops=[{"use": name} for name in names]), order({"eq": "past"}, ops=[
        {"use": name} for name in (*names, "last")])  # fmt: skip
    for name, of in zip(names, sums("0"), strict=True):
        base = empty(of, base, name)
    step = {**unroll(later("X[n+l+1]", "n+m+1", "n+l+1"), step, called="last"), "long": order({"of": "l + 1"})}
    for name, of in zip(names, sums("l+1"), strict=True):
        step = unroll(of, step, called=name)
    return induct("l", base=base, step=instance("IH", step, called="past", b="l"), **{"as": "b"})


def recursion() -> Tactic:
    base = empty(double("X[{}]", "n+0", "n+0"), order(ops=[{"use": "none"}, {"use": "Y[0]"}]))
    names = ("whole", "none", "row")
    ops = [*({"use": name} for name in names), at("Y", "m"), at("Pw", "0", "k"), {"use": "Pw[0]"}]
    step = order({"eq": "past"}, {"eq": "peel"}, {"eq": "columns"}, {"eq": "rows"}, ops=ops)
    step = cited("columns", cited("rows", cited("peel", step, {"l": "m"}), {"k": "1"}), {"k": "1"})
    step = unroll(earlier("X[j]", "n+m+1", "n+m+1"), step, called="row")
    step = empty(later("X[n+m+1]", "n+m+1", "n+m+1"), step)
    step = unroll(double("X[{}]", "n+m+1", "n+m+1"), step, called="whole")
    return induct("m", base=base, step=instance("IH", step, called="past", b="m"), **{"as": "b"})


def linear_earlier() -> Tactic:
    names = ("mixed", "first", "second")

    def sums(last: str) -> tuple[str, ...]:
        return tuple(f"sum(j, n+1, n+{last}, Pw[k-j] @ {x}[j])" for x in "UXW")

    base, step = (
        order(ops=[{"use": name} for name in names]),
        order(
            {"eq": "past"}, {**mixed("n + l + 1", "l + 1"), "L": "Pw[k-n-l-1]"}, ops=[{"use": name} for name in names]
        ),
    )
    for name, now, then in zip(names, sums("0"), sums("l+1"), strict=True):
        base, step = empty(now, base, name), unroll(then, step, called=name)
    return induct("l", base=base, step=instance("IH", step, called="past", b="l"), **{"as": "b"})


def linear_later() -> Tactic:
    names = ("mixed", "first", "second")

    def sums(last: str) -> tuple[str, ...]:
        return tuple(f"sum(j, l+1, {last}, {x}[l] @ Pw[j-l].T)" for x in "UXW")

    base = order(ops=[{"use": name} for name in names])
    step = order({"eq": "past"}, {"eq": 0, "R": "Pw[m+1-l].T"}, ops=[{"use": name} for name in names])
    for name, now, then in zip(names, sums("l"), sums("m+1"), strict=True):
        base = empty(now, base, name)
        step = {**unroll(then, step, called=name), "long": order({"of": "m"})}
    return induct(
        "m",
        start="l",
        base=base,
        step=instance("IH", step, called="past", b="m"),
        long=order({"of": "l"}),
        **{"as": "b"},
    )


def mixed(time: str, bound: str) -> dict[str, Any]:
    """U = alpha X + beta W at this time."""
    return {"eq": 0, "at": {"t": time}, "within": {f"{time} <= n + K": order({"of": bound})}}


def linear_double() -> Tactic:
    names = ("mixed", "first", "second")

    def sums(last: str) -> tuple[str, ...]:
        return tuple(double(f"{x}[{{}}]", f"n+{last}", "n+m") for x in "UXW")

    base = order(ops=[{"use": name} for name in names])
    step = order(
        {"eq": "past"}, {"eq": "linear earlier"}, {"eq": "linear later"}, ops=[{"use": name} for name in names]
    )
    here = order(mixed("n + l + 1", "K"))
    step = cited("linear later", step, {"l": "n+l+1", "m": "n+m"}, discharge={"0": here, "1": order({"of": "l + 1"})})
    step = cited("linear earlier", step, {"l": "l+1", "k": "n+l+1"}, discharge={"1": order({"of": "K"})})
    for name, now, then in zip(names, sums("0"), sums("l+1"), strict=True):
        base, step = empty(now, base, name), unroll(then, step, called=name)
    return induct("l", base=base, step=instance("IH", step, called="past", b="l"), **{"as": "b"})


def linearity() -> Tactic:
    """L_var at T = 2n, from its double sum."""
    names = {"U": "alpha*X[t] + beta*Y[t]", "W": "Y[t]"}
    letters = {name: {"at": ["t"], "is": body} for name, body in names.items()}
    last = order({"eq": "linear", "L": "S1", "tr": 1, "k": "4/(2*n)**2"})
    return cited("linear", last, {"l": "n", "m": "n", "K": "n"}, letters=letters, discharge={"0": order()})


MANY = {**WITH_TAIL, "given": (SYMMETRIC, "m <= K")}
MIXED = "forall(t, 0, n + K, U[t] == alpha*X[t] + beta*W[t])"
THREE: dict[str, Any] = {
    **WITH_X, "kinds": {**WITH_X["kinds"], "U": f"{SIZE}[nat]", "W": f"{SIZE}[nat]"},
    "example": {**POINT, "U": {str(t): [[str(2*t + 6), "2"], ["2", str(6 + 3*t)]] for t in range(7)}},
}  # fmt: skip
CHAIN = (
    ours("commute", "A @ Pw[k] == Pw[k] @ A", "Powers of A commute with A.", **ONLY_POWERS, naturals="k",
         proof=lambda claim: commute()),
    ours("columns", f"{column('m')} == Z[m] @ Pw[k].T", "The column of the double sum at t = n + m + k.", **WITH_TAIL,
         naturals=("n", "m", "k"), proof=lambda claim: columns()),
    ours("rows", f"{row('m')} == Pw[k] @ Z[m].T", "The row of the double sum at s = n + m + k.", **MANY,
         naturals=("n", "m", "k", "K"), proof=lambda claim: rows()),
    ours("peel", "sumX(l, m+1) == sumX(l, m) + sum(j, n+1, n+l, X[j] @ Pw[n+m+1-j].T)",
         "One more column.", **{**WITH_X, "where": sums("X")}, given="l <= m",
         naturals=("n", "m", "l"), proof=lambda claim: peel()),
    ours("recursion", "sumX(m, m) == Y[m]",
         "The printed double sum over s, t = n + 1, …, n + m obeys a recursion in m.", **{**MANY, "where": sums("X")},
         naturals=("n", "m", "K"), proof=lambda claim: recursion()),
    ours("linear earlier", "sum(j, n+1, n+l, Pw[k-j] @ U[j]) == alpha*sum(j, n+1, n+l, Pw[k-j] @ X[j])"
         " + beta*sum(j, n+1, n+l, Pw[k-j] @ W[j])", "The terms with t ≤ s are linear in the sequence.",
         **THREE, given=(MIXED, "l <= K"), naturals=("n", "l", "k", "K"), proof=lambda claim: linear_earlier()),
    ours("linear later", "sum(j, l+1, m, U[l] @ Pw[j-l].T) == alpha*sum(j, l+1, m, X[l] @ Pw[j-l].T)"
         " + beta*sum(j, l+1, m, W[l] @ Pw[j-l].T)", "And so are those with t > s.",
         **THREE, given=("U[l] == alpha*X[l] + beta*W[l]", "l <= m"), naturals=("l", "m"),
         proof=lambda claim: linear_later()),
    ours("linear", "sumU(l, m) == alpha*sumX(l, m) + beta*sumW(l, m)", "So is the double sum.",
         **{**THREE, "where": sums("U", "X", "W")}, given=(MIXED, "K >= l", "l <= m"), naturals=("n", "l", "m", "K"),
         proof=lambda claim: linear_double()),
)  # fmt: skip
