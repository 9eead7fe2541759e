"""The layers as an iteration: sigma^(l) = sigma^(l-1)/h - D[l]^2, any sequence with sigma^(l) <= sigma^(l-1)/h.

That each layer is at most 1/h of the one below is lem:var-sigma-l-recursion (h = 2; 8 and 15 in its sharper readings).
`rung(k)` is sigma^(k) after k steps from s0; `climbed(K)` is the sum over l = 1 .. K of any numbers that are at most
g sigma^(l-1), namely g sigma^(l-1) - E[l]^2. The sum over all layers is finite (C~_t^(l) = O for l >= t): K is free.
"""

from __future__ import annotations

from theory.provers.tactics import Tactic, induction


def rung(count: str, start: str = "s0", ratio: int = 2) -> str:
    return f"iterate(s, {count}, [{start}, 1], [s[1]/{ratio}-D[s[2]]**2, s[2]+1])"


def climbed(count: str, start: str = "s0", scale: str = "g", ratio: int = 2) -> str:
    body = f"[s[1]/{ratio}-D[s[2]]**2, s[2]+1, s[3]+{scale}*s[1]-E[s[2]]**2]"
    return f"iterate(s, {count}, [{start}, 1, 0], {body})"


def below_the_power(ratio: int = 2) -> Tactic:
    """sigma^(k) <= s0/ratio**k."""
    step = {"kind": "cone", "terms": [{"c": f"1/{ratio}", "of": [0]}, {"c": "1", "sq": "D[[s1, s2][2]]"}]}
    states = {"s": rung("k", ratio=ratio), "w": f"(1/{ratio})**k"}
    return induction("k", states, ["s1 <= w*s0"], step=[step])


def sum_is_geometric(ratio: int = 2) -> Tactic:
    """climbed + g ratio/(ratio-1) sigma <= g ratio/(ratio-1) s0: fact 0 is g >= 0, fact 1 the invariant."""
    whole = f"{ratio}/{ratio - 1}"
    kept = f"s3+{whole}*g*s1 <= {whole}*g*s0"
    terms = [
        {"c": "1", "of": [1]},
        {"c": whole, "of": [0], "sq": "D[[s1, s2, s3][2]]"},
        {"c": "1", "sq": "E[[s1, s2, s3][2]]"},
    ]
    return induction("K", {"s": climbed("K", ratio=ratio)}, [kept], step=[{"kind": "cone", "terms": terms}])
