"""A reader of printed Coq statements with an evaluator of its own: what does the theorem say at this point?"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import prod
from typing import Any

TOKEN = re.compile(r"\s*(%nat|%Z|->|/\\|<=|>=|<>|:=|=>|[A-Za-z_][\w.']*|\d+|[-+*/^()\[\];,:<>=~])")
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
}
Env = dict[str, Any]
Term = Callable[[Env], Any]


class Irrational(Exception):
    """A root or an exponential: this reader computes with rationals only."""


def inverse(x: Any) -> Any:
    return Fraction(1) / x if x else Fraction(0)  # Coq's division is total; senses guard it


def product(x: Any, y: Any) -> Any:
    return [
        [sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in zip(*y, strict=True)]
        for row in x
    ]


def zipped(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda x, y: [[f(a, b) for a, b in zip(r, s, strict=True)] for r, s in zip(x, y, strict=True)]


def power(x: Any, n: Any) -> Any:
    result = [[Fraction(int(i == j)) for j in range(len(x))] for i in range(len(x))]
    for _ in range(int(n)):
        result = product(result, x)
    return result


def det2(x: Any) -> Any:
    return x[0][0] * x[1][1] - x[0][1] * x[1][0]


def inv2(x: Any) -> Any:
    d = inverse(det2(x))
    return [[x[1][1] * d, -x[0][1] * d], [-x[1][0] * d, x[0][0] * d]]


def irrational(*_: Any) -> Any:
    raise Irrational


def iterated(n: Any, step: Any, start: Any) -> Any:
    for _ in range(int(n)):
        start = step(start)
    return start


WORDS: dict[str, Any] = {
    "INR": Fraction,
    "IZR": Fraction,
    "Z.of_nat": Fraction,
    "Z.to_nat": lambda z: max(z, Fraction(0)),
    "zsum": lambda lo, hi, f: sum((f(Fraction(i)) for i in range(int(lo), int(hi) + 1)), Fraction(0)),
    "zprod": lambda lo, hi, f: prod((f(Fraction(i)) for i in range(int(lo), int(hi) + 1)), start=Fraction(1)),
    "Nat.iter": iterated,
    "entry": lambda x, i, j: x[int(i) - 1][int(j) - 1],
    "row": lambda x, i: [[a] for a in x[int(i) - 1]],
    "mmul": product,
    "madd": zipped(lambda a, b: a + b),
    "msub": zipped(lambda a, b: a - b),
    "mopp": lambda x: [[-a for a in row] for row in x],
    "mscale": lambda c, x: [[c * a for a in row] for row in x],
    "mscale_r": lambda x, c: [[a * c for a in row] for row in x],
    "mdiv": lambda x, c: [[a * inverse(c) for a in row] for row in x],
    "transpose": lambda x: [list(row) for row in zip(*x, strict=True)],
    "mtr": lambda x: sum((x[i][i] for i in range(len(x))), Fraction(0)),
    "mpow": power,
    "det2": det2,
    "inv2": inv2,
    "Rmax": max,
    "Rmin": min,
    "Rabs": abs,
    **dict.fromkeys(("sqrt", "exp", "ln", "sin", "cos"), irrational),
}
INFIX: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a * inverse(b),
    "^": lambda a, b: a ** int(b),
}


class Reader:
    """Recursive descent over the statements that theory.coq.statement prints."""

    def __init__(self, text: str, outcomes: range) -> None:
        self.tokens = TOKEN.findall(text)
        assert "".join(self.tokens) == "".join(text.split()), "a token is not known"
        self.at, self.outcomes = 0, outcomes

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        assert not wanted or token == wanted, f"{token!r} where {wanted!r} is expected"
        self.at += 1
        return token

    def parameters(self) -> dict[str, str]:
        found = {}
        if self.peek() != "forall":
            return found
        self.take()
        while self.peek() == "(":
            self.take()
            name, kind = self.take(), ""
            self.take(":")
            depth = 1
            while depth:
                token = self.take()
                depth += {"(": 1, ")": -1}.get(token, 0)
                kind += token if depth else ""
            found[name] = kind
        self.take(",")
        return found

    def whole(self) -> tuple[list[Term], list[Term]]:
        """Premises and conclusions."""
        premises, parts = [], [self.clause()]
        while self.peek() in ("->", "/\\"):
            if self.take() == "->":
                premises.append(parts.pop())
            parts.append(self.clause())
        assert not self.peek()
        return premises, parts

    def clause(self) -> Term:
        start = self.at
        try:
            return self.relation()
        except AssertionError:
            self.at = start
        if self.peek() == "forall":
            return self.quantified()
        self.take("(")
        inner = self.quantified() if self.peek() == "forall" else self.conjunction()
        self.take(")")
        return inner

    def conjunction(self) -> Term:
        parts = [self.clause()]
        while self.peek() == "/\\":
            self.take()
            parts.append(self.clause())
        return lambda env: all(part(env) for part in parts)

    def quantified(self) -> Term:
        self.take("forall")
        name = self.take()
        self.take(":")
        kind = self.take()
        self.take(",")
        if kind in ("Z", "nat"):
            indices = self.range_of(name)
            self.take("->")
        else:
            indices = lambda env: self.outcomes  # noqa: E731
        let = self.let() if self.peek() == "let" else None
        inner = self.quantified() if self.peek() == "forall" else self.conjunction()

        def check(env: Env) -> bool:
            inside = ({**env, name: Fraction(i) if kind != "Omega" else i} for i in indices(env))
            return all(inner({**one, let[0]: let[1](one)} if let else one) for one in inside)

        return check

    def let(self) -> tuple[str, Term]:
        self.take("let")
        name = self.take()
        self.take(":=")
        value = self.term()
        self.take("in")
        return name, value

    def range_of(self, name: str) -> Callable[[Env], Any]:
        if self.peek() == "between":
            self.take()
            lo, hi = self.atom(), self.atom()
            self.take(name)
            return lambda env: range(int(lo(env)), int(hi(env)) + 1)
        for token in ("(", name, "<"):
            self.take(token)
        end = self.atom()
        self.take(")")
        self.take("%nat")
        return lambda env: range(int(end(env)))

    def relation(self) -> Term:
        left = self.term()
        op = self.take()
        assert op in RELATIONS, op
        right = self.term()
        return lambda env: RELATIONS[op](left(env), right(env))

    def term(self) -> Term:
        if self.peek() in ("-", "/"):
            sign, inner = self.take(), self.atom()
            return (lambda env: -inner(env)) if sign == "-" else (lambda env: inverse(inner(env)))
        left = self.application()
        if self.peek() in INFIX:
            op, right = self.take(), self.atom()
            return lambda env: INFIX[op](left(env), right(env))
        return left

    def application(self) -> Term:
        head = self.atom()
        args: list[Term] = []
        while re.fullmatch(r"[A-Za-z_][\w.']*|\d+|[(\[]", self.peek() or "!") and self.peek() != "in":
            args.append(self.atom())
        return (lambda env: head(env)(*(arg(env) for arg in args))) if args else head

    def atom(self) -> Term:
        token = self.take()
        if token == "(":
            inner = self.function() if self.peek() == "fun" else self.term()
            self.take(")")
        elif token == "[":
            inner = self.listed()
        elif token.isdigit():
            value = Fraction(token)
            inner = lambda env: value  # noqa: E731
        else:
            assert re.fullmatch(r"[A-Za-z_][\w.']*", token), token
            inner = lambda env: env[token] if token in env else WORDS[token]  # noqa: E731
        if self.peek() in ("%nat", "%Z"):
            self.take()
        return inner

    def function(self) -> Term:
        self.take("fun")
        name = self.take()
        self.take("=>")
        body = self.term() if self.peek() != "[" else self.atom()
        return lambda env: lambda x: body({**env, name: x})

    def listed(self) -> Term:
        items = []
        while self.peek() != "]":
            items.append(self.atom() if self.peek() == "[" else self.term())
            if self.peek() == ";":
                self.take()
        self.take("]")
        return lambda env: [item(env) for item in items]
