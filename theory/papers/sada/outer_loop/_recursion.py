"""The scalar recursion of the outer loop, for every sequence that obeys it: the slacks D[k]^2 and E[k]^2 are arbitrary.

First phase, m steps with theta_max = th:  L <- (1 - a th) L + c th^2 - D[k]^2.
Second phase, n steps with theta = 2/(a B), B = b - o + 1, b - o + 2, ..., where b = 2/(a th); o = 0 when K is even and
1/2 when it is odd. There 1 - a theta = (B - 2)/B, so that numerator N and denominator Q of L = N/Q obey
N <- (B^2 - 2B) N + (4c/a^2) Q - E[k]^2 and Q <- B^2 Q: no division is left, and Q > 0.
"""

from __future__ import annotations

from theory.provers.tactics import Tactic, auto, chain, cite, induction, solve

B = "2/(a*th)"
SIGNS = ("a > 0", "th > 0", "a*th <= 1", "c >= 0", "L0 >= 0")


def first(count: str) -> str:
    """L after the first phase, with the number of the step beside it."""
    return f"iterate(s, {count}, [L0, 1], [(1-a*th)*s[1]+c*th**2-D[s[2]]**2, s[2]+1])"


def second(count: str, start: str, b: str = "b", o: str = "o") -> str:
    """(N, Q, B, number of the step) after the second phase."""
    body = "[(s[3]**2-2*s[3])*s[1]+4*c/a**2*s[2]-E[s[4]]**2, s[3]**2*s[2], s[3]+1, s[4]+1]"
    return f"iterate(s, {count}, [{start}, 1, {b}-{o}+1, 1], {body})"


def powers_lie_between_zero_and_one() -> list[Tactic]:
    return [induction("m", {"p": "x**m"}, ["p >= 0", "p <= 1"]) for _ in range(2)]


def noise_settles() -> Tactic:
    """a L <= a p L0 + c th (1 - p), with p the power of the contraction."""
    states = {"s": first("m"), "p": "(1-a*th)**m"}
    return induction("m", states, ["a*s1 <= a*p*L0+c*th*(1-p)"])


def squares_telescope() -> Tactic:
    """a^2 (b-o+n)^2 L <= a^2 (b-o)^2 S + 4 c n: one step loses (B^2-1)/B^2 < 1 and gains 4c/(a^2 B^2)."""
    now, whole = "(b-o+n)", "(a**2*(b-o)**2*S+4*c*n)"
    invariant = ["s3 == b-o+n+1", "s2 > 0", f"a**2*{now}**2*s1 <= s2*{whole}"]
    slack = f"a*{now}*({now}+1)*E[[s1, s2, b + n + -1*o + 1, s4][4]]"
    terms = [
        {"c": "1", "of": [10, 8], "sq": f"{now}+1"},
        {"c": "1", "of": [7, 11], "sq": f"{now}+1"},
        {"c": "1", "sq": slack},
    ]
    onward: Tactic = {"kind": "cone", "multiplier": [9, 9], "terms": terms}
    kept = solve(7, "s3", chain(f"{now} > 0", f"{now}**2-1 >= 0", f"{whole} >= 0", then=onward))
    return induction("n", {"s": second("n", "L1")}, invariant, step=[auto(), solve(7, "s3", chain(f"{now} > 0")), kept])


def both_phases(id_: str) -> Tactic:
    """Facts 0 to 6 are SIGNS and the two bounds on o. W is what the squares leave over; every term of it is >= 0."""
    power, x = "(1-a*th)**m", f"({B}-o)"
    settled = f"{power}*L0+c*th/a*(1-{power})"
    rest = f"a**2*(({x}+n)**2-{x}**2)*{power}*L0+4*c*{x}-a*{x}**2*c*th*(1-{power})"
    n = 19  # after 18 facts and m >= 0
    terms = [
        {"c": "2", "of": [0, 0, 16, n, 9, 4]},
        {"c": "1", "of": [0, 0, n, n, 9, 4]},
        {"c": "2", "of": [3, 16]},
        {"c": "2", "of": [3, 16, 9]},
        {"c": "1", "of": [0, 1, 5, 3, 16, 10]},
    ]
    last = {"kind": "cone", "multiplier": [0, 0, 17, 17], "terms": [{"c": "1", "of": [15]}, {"c": "1", "of": [14, 18]}]}
    ends = chain(f"{x} > 0", f"{x}+n > 0", (f"{rest} >= 0", {"kind": "cone", "terms": terms}), then=last)
    start = {"b": B, "S": settled, "L1": f"{first('m')}[1]"}
    squares = cite(f"{id_}/sharper#second phase", start, then=ends)
    settles = chain(f"{settled} >= 0", f"{first('m')}[1] <= {settled}", then=squares)
    noise = cite(f"{id_}/sharper#first phase", then=settles)
    return chain("1-a*th >= 0", "1-a*th <= 1", then=cite(f"{id_}/sharper#power", {"x": "1-a*th"}, then=noise))


def positive_denominator(id_: str) -> Tactic:
    """Q > 0: the first part of both_phases, without its end."""
    proof = both_phases(id_)
    inner = proof
    while inner.get("claim") != f"{id_}/sharper#second phase":
        inner = inner["then"]
    inner["then"] = {"kind": "cone", "terms": [{"c": "1", "of": [14]}]}
    return proof


def long_runs() -> Tactic:
    """16/(a theta K)^2 <= 1 (fact 8) times p L_0."""
    return chain("K > 0", "16/(a**2*th**2*K**2) <= 1", then={"kind": "cone", "terms": [{"c": "1", "of": [8, 5, 6]}]})
