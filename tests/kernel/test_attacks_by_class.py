"""A second line of attacks, class by class: certificates that would prove false claims. None is accepted.

Ranges that are empty or depend on data, names that capture, divisions that hide in an exponent, slacks, cofactors,
instances beyond a range, inductions from the wrong start, citations whose hypotheses are not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.kernel.certificates import IDENTITY as ID
from tests.kernel.certificates import POSITIVE as POS
from tests.kernel.certificates import Cert, cone
from theory.kernel import SCHEMA, Claim, Evidence, KernelError, judge, satisfies_hypotheses

Texts = str | tuple[str, ...]


def C(says: str, given: Texts = (), ex: Mapping[str, Any] | None = None, nat: Texts = (), id: str = "a") -> Claim:
    """A claim with a point that satisfies its hypotheses."""
    facts, naturals = ((one,) if isinstance(one, str) else tuple(one) for one in (given, nat))
    return Claim(id, (says,), facts, naturals=naturals, example=tuple((ex or {}).items()))


def t(c: Any, *of: int, sq: str | None = None) -> Cert:
    return {"c": str(c), "of": list(of), **({"sq": sq} if sq else {})}


def cite(claim: str, then: Cert, **more: Any) -> Cert:
    return {"kind": "cite", "claim": claim, "then": then, **more}


X = ("x > 0",)
LIBRARY: dict[str, Claim] = {
    "b": C("sum(i,1,n,x[i]) >= 0", ("forall(i,1,n,x[i]>=0)",), {"n": "1", "x": ["1"]}, nat="n", id="b"),
    "mono": C("x**2 <= y**2", ("x <= y", "x >= 0"), {"x": "0", "y": "0"}, id="mono"),
    "pos": C("1/x > 0", ("x > 0",), {"x": "1"}, id="pos"),
    "nat": C("n >= 0", (), {"n": "1"}, nat="n", id="nat"),
    "mean": C("mean(w,X[w]**2) >= mean(w,X[w])**2", (), {"X": ["1"], "p_w": ["1"]}, id="mean"),
    "meanpos": C("mean(w,X[w]) >= 0", ("forall(w,Omega,Omega,X[w]>=0)",), {"X": ["1"], "p_w": ["1"]}, id="meanpos"),
    "fam": C("x[1]+x[2] >= x[1]", ("forall(i,1,2,x[i]>=0)",), {"x": ["1", "1"]}, id="fam"),
    "sq": C("x[n]**2 >= 0", (), {"x": ["1"], "n": "1"}, nat="n", id="sq"),
}

ATTACKS: dict[str, tuple[Callable[[], Claim], Cert]] = {
    "unroll: x**-1 empty": (
        lambda: C("x == 1", X, {"x": "1"}),
        {
            "kind": "unroll",
            "long": POS,
            "of": "x**(-1)",
            "end": "empty",
            "then": {"kind": "identity", "modulo": [[1, "-x"]]},
        },
    ),
    "unroll: x**-1 last": (
        lambda: C("x == 1", X, {"x": "1"}),
        {
            "kind": "unroll",
            "long": POS,
            "of": "x**(-1)",
            "end": "last",
            "then": {"kind": "identity", "modulo": [[1, "-x"]]},
        },
    ),
    "unroll: x**2 empty": (
        lambda: C("x == 1", X, {"x": "1"}),
        {"kind": "unroll", "long": POS, "of": "x**2", "end": "empty", "then": ID},
    ),
    "unroll: x**(n-1) empty": (
        lambda: C("x**(n-1)*x >= 0 ", (), {"x": "1", "n": "1"}, nat="n"),
        {"kind": "unroll", "of": "x**(n-1)", "end": "empty", "long": POS, "then": ID},
    ),
    "unroll: sum last on empty range": (
        lambda: C("x[n] == 0", (), {"n": "0", "x": {"0": "0"}}, nat="n"),
        {"kind": "unroll", "long": POS, "of": "sum(i,1,n,x[i])", "end": "last", "then": ID},
    ),
    "unroll: sum first": (
        lambda: C("x[1] == sum(i,1,n,x[i])", (), {"n": "1", "x": ["1"]}, nat="n"),
        {"kind": "unroll", "long": POS, "of": "sum(i,1,n,x[i])", "end": "first", "then": ID},
    ),
    "unroll: sum empty by n<=0?": (
        lambda: C("sum(i,0,n,x[i]) == 0", (), {"n": "0", "x": {"0": "0"}}, nat="n"),
        {"kind": "unroll", "long": POS, "of": "sum(i,0,n,x[i])", "end": "empty", "then": ID},
    ),
    "unroll: prod empty =0": (
        lambda: C("prod(i,1,n-n,x) == 0", (), {"n": "0", "x": "1"}, nat="n"),
        {"kind": "unroll", "long": POS, "of": "prod(i,1,n-n,x)", "end": "empty", "then": ID},
    ),
    "unroll: iterate negative": (
        lambda: C("x == 0", (), {"x": "0"}),
        {"kind": "unroll", "long": POS, "of": "iterate(s,-1,x,0)", "end": "empty", "then": ID},
    ),
    "unroll: sum to half": (
        lambda: C("x == 0", (), {"x": "0"}),
        {"kind": "unroll", "long": POS, "of": "sum(i,1,1/2,x)", "end": "empty", "then": ID},
    ),
    "unroll: 0**0": (
        lambda: C("0**n == 0", (), {"n": "1"}, nat="n"),
        {"kind": "unroll", "long": POS, "of": "0**n", "end": "last", "then": ID},
    ),
    "unroll: matrix power": (
        lambda: C("x == 0", (), {"x": "0"}),
        {"kind": "unroll", "long": POS, "of": "[[x,1],[1,x]]**0", "end": "empty", "then": ID},
    ),
    "unroll: div inside zero-step": (
        lambda: C("x*0 == 1", (), {"x": "0"}),
        {"kind": "unroll", "long": POS, "of": "iterate(s,0,1/x,s)", "end": "empty", "then": ID},
    ),
    "unroll: huge": (
        lambda: C("x==1", (), {"x": "1"}),
        {"kind": "unroll", "long": POS, "of": "x**(10**9)", "end": "last", "then": ID},
    ),
    "sums: empty range hides 1/y": (
        lambda: C("sum(i,1,n,x[i]/y) == sum(i,1,n,x[i])*(1/y)", (), {"n": "0", "x": ["1"], "y": "1"}, nat="n"),
        ID,
    ),
    "sums: have hidden 1/y": (
        lambda: C("y*sum(i,1,n,x[i]/y) == sum(i,1,n,x[i])", (), {"n": "0", "x": ["1"], "y": "1"}, nat="n"),
        ID,
    ),
    "sums: n as fraction": (lambda: C("sum(i,1,n,1) == n", (), {"n": "1"}), ID),
    "sums: sum 1 = n for n int neg": (
        lambda: C("sum(i,1,n-m,1) == n-m", (), {"n": "1", "m": "0"}, nat=("n", "m")),
        {"kind": "telescope", "of": "i", "each": ID, "ends": ID, "long": POS},
    ),
    "sums: telescope written>range": (
        lambda: C("sum(i,1,n,1) == n+1", (), {"n": "1"}, nat="n"),
        {"kind": "telescope", "of": "i", "written": 1, "each": ID, "ends": ID, "long": POS},
    ),
    "sums: termwise strict": (
        lambda: C("sum(i,1,n,x[i]) > 0", ("forall(i,1,n,x[i]>0)",), {"n": "1", "x": ["1"]}, nat="n"),
        {"kind": "termwise", "over": "sum", "index": "j", "each": POS},
    ),
    "sums: termwise other range facts": (
        lambda: C("sum(i,1,n,x[i]) >= 0", ("forall(i,1,m,x[i]>=0)",), {"n": "1", "m": "1", "x": ["1"]}, nat=("n", "m")),
        {"kind": "termwise", "over": "sum", "index": "j", "each": cone(t(1, 0))},
    ),
    "sums: termwise name clash x_j": (
        lambda: C("sum(i,1,n,x[i]) >= 0", ("x_j >= 0",), {"n": "1", "x_j": "1", "x": ["1"]}, nat=("n",)),
        {"kind": "termwise", "over": "sum", "index": "j", "each": cone(t(1, 0))},
    ),
    "sums: whole with outer name": (
        lambda: C("sum(i,1,n,x[i]*y) >= 0", ("forall(i,1,n,x[i]>=0)",), {"n": "1", "y": "1", "x": ["1"]}, nat=("n",)),
        {"kind": "termwise", "whole": True, "index": "y", "each": POS},
    ),
    "sums: data-dependent end": (lambda: C("sum(i,1,k[1],x) == k[1]*x", (), {"k": ["1"], "x": "1"}), ID),
    "sums: mean of 1 over sum-kind": (
        lambda: C("mean(w, X[w]) >= 0", ("forall(i,1,n,X[i]>=0)",), {"n": "1", "X": ["1"], "p_w": ["1"]}, nat="n"),
        {"kind": "termwise", "over": "mean", "index": "v", "each": POS},
    ),
    "sums: E X^2 <= (E X)^2": (
        lambda: C("mean(w, X[w]**2) <= mean(w,X[w])**2", (), {"X": ["1"], "p_w": ["1"]}),
        {"kind": "termwise", "over": "mean", "index": "v", "each": ID},
    ),
    "sums: prod as sum": (
        lambda: C("prod(i,1,n,x[i]) >= 0", ("forall(i,1,n,x[i]>=0)",), {"n": "1", "x": ["1"]}, nat="n"),
        {"kind": "termwise", "over": "prod", "index": "j", "each": POS},
    ),
    "capture: sum bound i is free i": (
        lambda: C("sum(i,1,n,x[i]) >= 0", ("x[i] >= 0",), {"n": "1", "i": "1", "x": ["1"]}, nat=("n", "i")),
        {"kind": "termwise", "over": "sum", "index": "i", "each": cone(t(1, 0))},
    ),
    "capture: have i": (
        lambda: C("sum(i,1,n,x[i]) >= 0", ("x[i] >= 0",), {"n": "1", "i": "1", "x": ["1"]}, nat=("n", "i")),
        {"kind": "have", "fact": "forall(i,1,n,x[i]>=0)", "proof": cone(t(1, 0)), "then": POS},
    ),
    "capture: have open i": (
        lambda: C("sum(i,1,n,x[i]) >= 0", ("x[i] >= 0",), {"n": "1", "i": "1", "x": ["1"]}, nat=("n", "i")),
        {"kind": "have", "open": True, "fact": "forall(i,1,n,x[i]>=0)", "proof": cone(t(1, 0)), "then": POS},
    ),
    "capture: slack named as root": (
        lambda: C("y > 0", ("y >= 0", "sqrt(z) > 0"), {"y": "1", "z": "1"}),
        {"kind": "positive", "slacks": {"sqrt(z)": {"is": "y", "because": cone(t(1, 0))}}, "put": {"y": "sqrt(z)"}},
    ),
    "capture: slack named lam[i]": (
        lambda: C("y > 0", ("y >= 0", "z[1] > 0"), {"y": "1", "z": ["1"]}),
        {"kind": "positive", "slacks": {"z[1]": {"is": "y", "because": cone(t(1, 0))}}, "put": {"y": "z[1]"}},
    ),
    "capture: slack unnamed space": (
        lambda: C("y > 0", ("y >= 0",), {"y": "1"}),
        {
            "kind": "positive",
            "slacks": {"s": {"is": "y", "strict": False, "because": cone(t(1, 0))}},
            "put": {"y": "s"},
        },
    ),
    "capture: root name in use": (
        lambda: C("y == x", ("y>=0", "x>=0", "r==0"), {"x": "0", "y": "0", "r": "0"}),
        {"kind": "root", "of": "sqrt(x)", "name": "r", "then": ID},
    ),
    "capture: root doesn't occur": (
        lambda: C("x >= 0", (), {"x": "0"}),
        {"kind": "root", "of": "sqrt(x)", "name": "r", "then": cone(t(1, sq="r"), modulo=[[1, "-1"]])},
    ),
    "capture: case defined": (
        lambda: C("x*0 == 0", (), {"x": "0"}),
        {"kind": "cases", "on": "1/x", "nonnegative": ID, "nonpositive": ID},
    ),
    "capture: let on a number": (
        lambda: C("x==0", (), {"x": "0"}),
        {"kind": "let", "name": "u", "is": "x", "then": ID},
    ),
    "solve: x*y==0 -> y": (
        lambda: C("y == 0", ("x*y == 0",), {"x": "0", "y": "0"}),
        {"kind": "solve", "fact": 0, "for": "y", "nonzero": {"side": ">", "proof": POS}, "then": ID},
    ),
    "solve: natural": (
        lambda: C("x >= 1", ("n == 2*x",), {"n": "2", "x": "1"}, nat="n"),
        {"kind": "solve", "fact": 0, "for": "n", "nonzero": {}, "then": POS},
    ),
    "solve: empty-sum divisor": (
        lambda: C("x == 0", ("sum(i,1,n,z[i]/y) == x",), {"n": "0", "x": "0", "y": "1", "z": ["1"]}, nat="n"),
        {"kind": "solve", "fact": 0, "for": "y", "nonzero": {"side": ">", "proof": POS}, "then": ID},
    ),
    "solve: hidden in family index": (
        lambda: C("x[n]==x[m]", ("n==m+k",), {"n": "1", "m": "1", "k": "0", "x": ["1"]}, nat=("n", "m", "k")),
        {"kind": "solve", "fact": 0, "for": "n", "then": ID},
    ),
    "positive: x^2-1": (
        lambda: C("x**2 >= 1", ("x >= 0",), {"x": "1"}),
        {"kind": "positive", "slacks": {"s": {"is": "x", "because": cone(t(1, 0))}}, "put": {"x": "1+s"}},
    ),
    "positive: not covered": (
        lambda: C("x >= 1", ("x >= 0",), {"x": "1"}),
        {"kind": "positive", "slacks": {"s": {"is": "x-1", "because": cone(t(1, 0))}}, "put": {"x": "1+s"}},
    ),
    "positive: den neg": (lambda: C("1/x >= 0", ("x != 0",), {"x": "1"}), POS),
    "positive: odd power of neg": (lambda: C("x**3 >= 0", (), {"x": "1"}), POS),
    "positive: strict even": (lambda: C("x**2 > 0", (), {"x": "1"}), POS),
    "positive: natural strict": (lambda: C("n > 0", (), {"n": "1"}, nat="n"), POS),
    "positive: integer-part slack": (lambda: C("n >= 1/2", ("n > 0",), {"n": "1"}, nat="n"), POS),
    "positive: put divides": (
        lambda: C("y > 0", ("y >= 0", "x>0"), {"y": "1", "x": "1"}),
        {"kind": "positive", "slacks": {"s": {"is": "x*y", "because": POS}}, "put": {"y": "s/x"}},
    ),
    "cone: negative weight": (lambda: C("x <= 0", ("x >= 0",), {"x": "0"}), cone(t(-1, 0))),
    "cone: weight as bool/float": (lambda: C("x >= 1", ("x >= 0",), {"x": "1"}), cone(t("inf", 0))),
    "cone: nan": (lambda: C("x >= 1", ("x >= 0",), {"x": "1"}), cone(t("nan", 0))),
    "cone: product with equation fact": (
        lambda: C("y >= 0", ("x == 0", "y == -1 + x"), {"x": "0", "y": "-1"}),
        cone(t(1, 0)),
    ),
    "cone: != as factor": (lambda: C("x >= 0", ("x != 0",), {"x": "1"}), cone(t(1, 0))),
    "cone: multiplier weak": (
        lambda: C("y >= 0", ("x >= 0", "x*y >= 0"), {"x": "1", "y": "1"}),
        cone(t(1, 1), multiplier=[0]),
    ),
    "cone: multiplier negative index": (
        lambda: C("y >= 0", ("x*y >= 0", "x >= 0"), {"x": "1", "y": "1"}),
        cone(t(1, 0), multiplier=[-1]),
    ),
    "cone: sq imaginary": (lambda: C("x >= 0", (), {"x": "1"}), cone(t(1, sq="sqrt(x)"))),
    "cone: sq x**(1/2)": (lambda: C("x >= 0", (), {"x": "1"}), cone(t(1, sq="x**(1/2)"))),
    "cone: sq x**(1/2*n)": (lambda: C("x**n >= 0", (), {"x": "1", "n": "1"}, nat="n"), cone(t(1, sq="x**(1/2*n)"))),
    "cone: sq x**(n/2) 2": (
        lambda: C("x**(2*n+1) >= 0", (), {"x": "1", "n": "1"}, nat="n"),
        cone(t(1, sq="x**(n+1/2)")),
    ),
    "cone: strict by zero weight": (
        lambda: C("x > 0", ("x >= 0", "y > 0"), {"x": "1", "y": "1"}),
        cone(t(1, 0), t(0, 1)),
    ),
    "cone: strict square": (lambda: C("x**2 > 0", ("y>0",), {"x": "1", "y": "1"}), cone(t(1, sq="x"))),
    "cone: binder fact": (lambda: C("x[1] >= 0", ("forall(i,2,3,x[i] >= 0)",), {"x": ["1", "1", "1"]}), cone(t(1, 0))),
    "cone: cofactor undefined": (lambda: C("x >= 1", ("y == 0",), {"x": "1", "y": "0"}), cone(modulo=[[0, "(x-1)/y"]])),
    "cone: cofactor undefined inv": (
        lambda: C("x >= 1", ("y == 0",), {"x": "1", "y": "0"}),
        cone(modulo=[[0, "(x-1)*y**(-1)"]]),
    ),
    "cone: cofactor y**(0-1)": (
        lambda: C("x >= 1", ("y == 0",), {"x": "1", "y": "0"}),
        cone(modulo=[[0, "(x-1)*y**(0-1)"]]),
    ),
    "cone: cofactor y**(n-n-1)": (
        lambda: C("x >= 1", ("y == 0",), {"x": "1", "y": "0", "n": "0"}, nat="n"),
        cone(modulo=[[0, "(x-1)*y**(n-n-1)"]]),
    ),
    "identity: modulo y**(0-1)": (
        lambda: C("x == 1", ("y == 0",), {"x": "1", "y": "0"}),
        {"kind": "identity", "modulo": [[0, "(x-1)*y**(0-1)"]]},
    ),
    "identity: modulo sum": (
        lambda: C("x == 1", ("y == 0",), {"x": "1", "y": "0"}),
        {"kind": "identity", "modulo": [[0, "sum(i,1,1,(x-1)*y**(0-1))"]]},
    ),
    "identity: modulo mean": (
        lambda: C("x == 1", ("y == 0",), {"x": "1", "y": "0"}),
        {"kind": "identity", "modulo": [[0, "mean(w,(x-1)*y**(0-1))"]]},
    ),
    "positive: put y**(0-1)": (
        lambda: C("x >= 1", ("x>=0", "y > 0"), {"x": "1", "y": "1"}),
        {"kind": "positive", "slacks": {"s": {"is": "(x-1)*y**(0-1)", "because": POS}}, "put": {"x": "1+s*y"}},
    ),
    "cone: sq y**(0-1)": (lambda: C("x >= 0", ("y*y*x >= 0",), {"x": "1", "y": "1"}), cone(t(1, 0, sq="y**(0-1)"))),
    "instance: half": (
        lambda: C(
            "x[1] >= 0", ("forall(j,0,3,x[2*j] >= 0)",), {"x": {"0": "1", "1": "1", "2": "1", "4": "1", "6": "1"}}
        ),
        {"kind": "instance", "fact": 0, "at": {"j": "1/2"}, "then": cone(t(1, 1))},
    ),
    "instance: real index": (
        lambda: C(
            "x[y] >= 0",
            ("forall(j,0,3,x[j] >= 0)", "y<=3", "y>=0"),
            {"x": {"0": "1", "1": "1", "2": "1", "3": "1"}, "y": "1"},
        ),
        {"kind": "instance", "fact": 0, "at": {"j": "y"}, "then": cone(t(1, 3))},
    ),
    "instance: dependent ends swapped": (
        lambda: C(
            "x[3,1] >= 0",
            ("forall(i,0,3,forall(j,i,3,x[i,j] >= 0))",),
            {"x": {str(i): {str(j): "1" for j in range(4)} for i in range(4)}},
        ),
        {"kind": "instance", "fact": 0, "at": {"i": "3", "j": "1"}, "then": cone(t(1, 1))},
    ),
    "induct: from later start": (
        lambda: C(
            "x[n] >= 0",
            ("x[1] >= 0", "forall(k,1,n,x[k+1]>=x[k])"),
            {"n": "1", "x": {"0": "1", "1": "1", "2": "1"}},
            nat="n",
        ),
        {"kind": "induct", "on": "n", "as": "j", "start": "1", "base": cone(t(1, 0)), "step": ID, "long": POS},
    ),
    "induct: general with facts": (
        lambda: C("x[n,m] >= 0", ("x[0,m] >= 0",), {"n": "0", "m": "0", "x": {"0": {"0": "1"}}}, nat=("n", "m")),
        {"kind": "induct", "on": "n", "as": "j", "general": ["m"], "base": cone(t(1, 0)), "step": ID},
    ),
    "induct: earlier name m": (
        lambda: C("x[n] >= 0", ("x[0] >= 0", "m == m"), {"n": "0", "m": "0", "x": {"0": "1"}}, nat=("n", "m")),
        {"kind": "induct", "on": "n", "as": "m", "base": cone(t(1, 0)), "step": ID},
    ),
    "induct: horses": (
        lambda: C("x[n] == x[0]", (), {"n": "0", "x": {"0": "1"}}, nat=("n",)),
        {
            "kind": "induct",
            "on": "n",
            "as": "j",
            "base": ID,
            "step": {
                "kind": "instance",
                "fact": 1,
                "at": {"j": "n+1"},
                "then": {"kind": "identity", "modulo": [[2, "1"]]},
            },
        },
    ),
    "cite: undischarged": (
        lambda: C("y**2 <= z**2", ("y <= z",), {"y": "0", "z": "0"}),
        cite("mono", cone(t(1, 1)), **{"with": {"x": "y", "y": "z"}}),
    ),
    "cite: simultaneous swap": (
        lambda: C("y**2 <= x**2", ("x <= y", "x>=0"), {"y": "0", "x": "0"}),
        cite("mono", cone(t(1, 2)), **{"with": {"x": "y", "y": "x"}}),
    ),
    "cite: negative natural": (
        lambda: C("m-1 >= 0", (), {"m": "1"}, nat="m"),
        cite("nat", cone(t(1, 0)), **{"with": {"n": "m-1"}}),
    ),
    "cite: real natural": (lambda: C("y >= 0", (), {"y": "1"}), cite("nat", cone(t(1, 0)), **{"with": {"n": "y"}})),
    "cite: default natural that is real here": (lambda: C("n >= 0", (), {"n": "1"}), cite("nat", cone(t(1, 0)))),
    "cite: undefined image": (
        lambda: C("x**2 >= 0 ", (), {"x": "0"}),
        cite("sq", ID, families={"x": {"at": ["e"], "is": "1/x"}}),
    ),
    "cite: missing claim": (lambda: C("x >= 0", (), {"x": "0"}), cite("zzz", ID)),
    "cite: self": (lambda: C("x >= 0", (), {"x": "0"}, id="a"), cite("a", cone(t(1, 0)))),
    "cite: mean over w of a sum index": (
        lambda: C(
            "sum(i,1,n,x[i]) >= 0",
            ("forall(w,Omega,Omega,X[w]>=0)",),
            {"n": "1", "x": ["1"], "X": ["1"], "p_w": ["1"]},
            nat="n",
        ),
        cite("b", cone(t(1, 1)), **{"with": {"x": "X"}}),
    ),
    "cite: omega hypothesis by proof": (
        lambda: C("mean(w,Y[w]) >= 0", (), {"Y": ["1"], "p_w": ["1"]}),
        cite("meanpos", cone(t(1, 0)), discharge={"0": POS}, **{"with": {"X": "Y"}}),
    ),
    "cite: family list short": (
        lambda: C("y >= 0", (), {"y": "1"}),
        cite("fam", cone(t(1, 0)), **{"with": {"x": "[0,y]"}}),
    ),
    "cite: family formula with capture": (
        lambda: C("y >= 0", (), {"y": "1"}),
        cite("b", cone(t(1, 0)), families={"x": {"at": ["e"], "is": "i*y"}}, discharge={"0": POS}),
    ),
    "cite: law outside hypotheses": (
        lambda: C("log(x) <= x-1", ("x>=0",), {"x": "1"}),
        cite("law:log-tangent", cone(t(1, 1)), **{"with": {"t": "x"}}),
    ),
    "cite: law exp-multiple negative": (
        lambda: C("exp(-x) == exp(x)**(-1)", (), {"x": "1"}),
        cite("law:exp-multiple", ID, **{"with": {"n": "-1", "t": "x", "s": "-x"}}),
    ),
    "cite: law replaced by library": (lambda: C("x == 0", (), {"x": "0"}), cite("law:exp-zero", ID)),
    "cite: law log-product negative": (
        lambda: C("log(x*y)==log(x)+log(y)", ("x*y>0",), {"x": "1", "y": "1"}),
        cite("law:log-product", ID, **{"with": {"r": "x*y", "s": "x", "t": "y"}}),
    ),
    "cases: whole real": (
        lambda: C("x*(x+1) >= 0", (), {"x": "0"}),
        {"kind": "cases", "on": "x", "whole": True, "nonnegative": POS, "nonpositive": cone(t(1, 0, 0), t(1, 0))},
    ),
    "split: max under binder": (
        lambda: C("sum(i,1,2,max(x[i],0)) == x[1]+x[2]", ("x[1]>=0",), {"x": ["1", "0"]}),
        {"kind": "split", "of": "max(x[i],0)", "branches": [ID, ID]},
    ),
    "split: abs one branch": (
        lambda: C("abs(x) == x", (), {"x": "1"}),
        {"kind": "split", "of": "abs(x)", "branches": [ID]},
    ),
    "split: min wrong order": (
        lambda: C("min(x,y) >= x", (), {"x": "0", "y": "1"}),
        {"kind": "split", "of": "min(x,y)", "branches": [cone(t(0)), cone(t(1, 0))]},
    ),
    "slope: through a pole": (
        lambda: C("1/x >= -1", ("x != 0", "x >= -1"), {"x": "1"}),
        {
            "kind": "slope",
            "in": "x",
            "name": "y",
            "from": "-1",
            "way": "up",
            "order": cone(t(1, 1)),
            "base": POS,
            "slope": POS,
        },
    ),
    "slope: kink": (
        lambda: C("abs(x) <= 1", ("x >= 0",), {"x": "0"}),
        {
            "kind": "slope",
            "in": "x",
            "name": "y",
            "from": "0",
            "way": "up",
            "order": cone(t(1, 0)),
            "base": POS,
            "slope": POS,
        },
    ),
    "slope: sqrt at zero": (
        lambda: C("sqrt(x) >= x", ("x >= 0",), {"x": "0"}),
        {
            "kind": "slope",
            "in": "x",
            "name": "y",
            "from": "0",
            "way": "up",
            "order": cone(t(1, 0)),
            "base": POS,
            "slope": POS,
        },
    ),
    "slope: way down swapped": (
        lambda: C("x <= 0", ("x >= 0",), {"x": "0"}),
        {
            "kind": "slope",
            "in": "x",
            "name": "y",
            "from": "0",
            "way": "down",
            "order": cone(t(1, 0)),
            "base": ID,
            "slope": POS,
        },
    ),
    "slope: from depends on x": (
        lambda: C("x >= 1", ("x >= 0",), {"x": "1"}),
        {
            "kind": "slope",
            "in": "x",
            "name": "y",
            "from": "x",
            "way": "up",
            "order": ID,
            "base": cone(t(1, 0)),
            "slope": POS,
        },
    ),
    "slope: strict at both": (
        lambda: C("x > 0", ("x >= 0",), {"x": "1"}),
        {
            "kind": "slope",
            "in": "x",
            "name": "y",
            "from": "0",
            "way": "up",
            "rising": True,
            "order": cone(t(1, 0)),
            "base": POS,
            "slope": POS,
        },
    ),
    "slope: natural counter": (
        lambda: C("x**n >= 1", ("x >= 1",), {"x": "1", "n": "0"}, nat="n"),
        {"kind": "slope", "in": "n", "name": "y", "from": "0", "way": "up", "order": POS, "base": POS, "slope": POS},
    ),
    "slope: in sum end": (
        lambda: C("sum(i,1,n,x) >= 0", ("x >= 0",), {"x": "1", "n": "0"}, nat="n"),
        {"kind": "slope", "in": "n", "name": "y", "from": "0", "way": "up", "order": POS, "base": POS, "slope": POS},
    ),
    "slope: family entry as name": (
        lambda: C("x[1] >= 0", (), {"x": ["1"]}),
        {"kind": "slope", "in": "x[1]", "name": "y", "from": "0", "way": "up", "order": POS, "base": POS, "slope": POS},
    ),
    "slope: index name": (
        lambda: C("x[n] >= x[0]", (), {"x": {"0": "1"}, "n": "0"}, nat="n"),
        {"kind": "slope", "in": "n", "name": "y", "from": "0", "way": "up", "order": POS, "base": ID, "slope": POS},
    ),
    "induction: step divides": (
        lambda: C("iterate(s,n,1,1/(s-1)) >= 0", (), {"n": "0"}, nat="n"),
        {
            "kind": "induction",
            "on": "n",
            "states": {"s": "iterate(s,n,1,1/(s-1))"},
            "invariant": [],
            "base": [],
            "step": [],
            "then": POS,
        },
    ),
    "induction: invariant about counter fact": (
        lambda: C("iterate(s,n,0,s+1) >= 1", ("n >= 1",), {"n": "1"}, nat="n"),
        {
            "kind": "induction",
            "on": "n",
            "states": {"v": "iterate(s,n,0,s+1)"},
            "invariant": ["v >= 1"],
            "base": [POS],
            "step": [cone(t(1, 0))],
            "then": cone(t(1, 1)),
        },
    ),
    "induction: invariant undefined": (
        lambda: C("iterate(s,n,0,s) == 1", (), {"n": "1"}, nat="n"),
        {
            "kind": "induction",
            "on": "n",
            "states": {"v": "iterate(s,n,0,s)"},
            "invariant": ["v*n**(0-1) == 1"],
            "base": [ID],
            "step": [ID],
            "then": ID,
        },
    ),
    "induction: 0**n base": (
        lambda: C("x**n == 0", ("x == 0", "n>=1"), {"x": "0", "n": "1"}, nat="n"),
        {
            "kind": "induction",
            "on": "n",
            "states": {"p": "x**n"},
            "invariant": ["p == 0"],
            "base": [ID],
            "step": [cone()],
            "then": ID,
        },
    ),
    "induction: state name is loop var free": (
        lambda: C("iterate(s,n,0,s+v) == 0", ("v==1",), {"n": "0", "v": "1"}, nat="n"),
        {
            "kind": "induction",
            "on": "n",
            "states": {"v": "iterate(s,n,0,s+v)"},
            "invariant": ["v == 0"],
            "base": [ID],
            "step": [ID],
            "then": ID,
        },
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_no_false_proof_goes_through(name: str) -> None:
    made, proof = ATTACKS[name]
    claim = made()
    evidence = Evidence({"schema": SCHEMA, "claim": claim.digest, "goals": [proof]})
    satisfies_hypotheses(claim, dict(claim.example))  # it is the proof that is refused, and not the claim
    with pytest.raises(KernelError):
        judge(claim, evidence, LIBRARY)
