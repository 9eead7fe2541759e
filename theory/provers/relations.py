"""How the exponentials and logarithms of a goal hang together: products, quotients, halves, and powers below exp."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import permutations

from theory.kernel.errors import KernelError
from theory.kernel.flat import scalars_of
from theory.kernel.lang import Node, num, symbols, text
from theory.kernel.sequent import Sequent
from theory.provers.functions import Law, functions_of
from theory.provers.rewriting import parts, shorter

TRIALS = 3
CLOSE = 1e-9
OPAQUE = ("index", "sum", "mean", "prod", "iterate")  # a number whose value is drawn like that of a name


def related(sequent: Sequent) -> Iterator[Law]:
    """Equations between the functions that occur: exp(a)*exp(b) = exp(a + b), log(r*s) = log(r) + log(s)."""
    here = functions_of(sequent)
    exps = [p.args[0] for p in here if p.op == "exp"]
    logs = [p.args[0] for p in here if p.op == "log"]
    for one in exps[:4]:
        yield "exp-positive", {"t": text(one)}
    for a, b, c in permutations(exps[:5], 3):
        if text(a) < text(b) and is_zero(Node("-", (Node("+", (a, b)), c))):
            yield "exp-sum", {"r": text(c), "s": text(a), "t": text(b)}
    for one in [e for e in exps if e.op == "+"]:
        yield "exp-sum", {"r": text(one), "s": text(one.args[0]), "t": text(one.args[1])}
        yield from (("exp-positive", {"t": text(arg)}) for arg in one.args)
    for one in logs:
        yield from _opened(one)
    for one, two in permutations(logs[:5], 2):
        for factor in exps[:4]:
            if same(one, Node("*", (Node("exp", (factor,)), two))):
                yield "exp-inverse", {"s": text(factor), "t": text(_minus(factor))}
                yield "log-product", {"r": text(one), "s": f"exp({text(factor)})", "t": text(two)}
                yield "log-exp", {"t": text(factor)}
        for three in logs[:5]:
            if three not in (one, two) and same(one, Node("*", (two, three))):
                yield "log-product", {"r": text(one), "s": text(two), "t": text(three)}


def _opened(inside: Node) -> Iterator[Law]:
    """log of a product, a quotient, a square or an exponential."""
    if inside.op == "*":
        a, b = map(text, inside.args)
        yield "log-product", {"r": text(inside), "s": a, "t": b}
    if inside.op == "/":
        a, b = map(text, inside.args)
        if inside.args[0] != num(1):
            yield "log-product", {"r": a, "s": b, "t": text(inside)}
        yield "log-inverse", {"s": f"1/({b})", "t": b}
    if inside.op == "**" and inside.args[1] == num(2):
        a = text(inside.args[0])
        yield "log-product", {"r": text(inside), "s": a, "t": a}
    for arg in inside.args:
        if arg.op == "exp":
            yield "log-exp", {"t": text(arg.args[0])}


def halved(sequent: Sequent) -> Iterator[Law]:
    """exp(t) and exp(-t) as squares of exp(t/2) and exp(-t/2), with the parabolas there."""
    for one in [p.args[0] for p in functions_of(sequent) if p.op == "exp" and p.args[0].op == "sym"][:1]:
        half, back = f"{text(one)}/2", f"-({text(one)}/2)"
        yield "exp-multiple", {"s": text(one), "n": "2", "t": half}
        yield "exp-multiple", {"s": text(_minus(one)), "n": "2", "t": back}
        yield "exp-inverse", {"s": half, "t": back}
        for t in (half, back):
            yield "exp-positive", {"t": t}
            yield "exp-parabola-below", {"t": t}
            yield "exp-parabola-above", {"t": t}


def decaying(sequent: Sequent) -> Iterator[tuple[Node, Node]]:
    """Powers b**n of the goal, with the exponent -(1 - b)*n of the exponential above them."""
    for part in dict.fromkeys(parts(sequent.goal)):
        if part.op == "**" and part.args[1].op == "sym" and str(part.args[1].value) in sequent.naturals:
            base, count = part.args
            yield part, shorter(Node("*", (Node("-", (base, num(1))), count)))


def is_zero(node: Node) -> bool:
    try:
        return bool(scalars_of([node])[1][0].is_zero)
    except KernelError:
        return False


def _minus(node: Node) -> Node:
    return node.args[0] if node.op == "neg" else Node("neg", (node,))


def same(left: Node, right: Node) -> bool:
    """Whether two formulas agree at a few random points: a guess, which the law's own hypothesis will test."""
    names = sorted(symbols(left) | symbols(right))
    rng = random.Random(0)
    seen = 0
    for _ in range(4 * TRIALS):
        env = {name: rng.uniform(0.1, 0.9) for name in names}
        try:
            a, b = _float(left, env), _float(right, env)
        except (ArithmeticError, ValueError, KeyError):
            continue
        if abs(a - b) > CLOSE * (1 + abs(a)):
            return False
        seen += 1
        if seen == TRIALS:
            return True
    return False


def value_at(node: Node, point: dict[str, float]) -> float | None:
    """The value in floats, or None where there is none."""
    try:
        found = _float(node, point)
    except (ArithmeticError, ValueError, KeyError):
        return None
    return found if math.isfinite(found) else None


def _float(node: Node, env: dict[str, float]) -> float:
    if node.op == "num":
        return float(node.value)
    if node.op == "sym":
        return env[str(node.value)]
    if node.op in OPAQUE:
        return env[text(node)]
    args = [_float(arg, env) for arg in node.args]
    match node.op:
        case "neg":
            return -args[0]
        case "+":
            return args[0] + args[1]
        case "-":
            return args[0] - args[1]
        case "*":
            return args[0] * args[1]
        case "/":
            return args[0] / args[1]
        case "**":
            if args[0] < 0 and not float(args[1]).is_integer():
                raise ValueError("a negative number has no real power of this kind")
            return float(args[0] ** args[1])
        case "exp" | "log" | "sqrt" | "sin" | "cos":
            return float(getattr(math, node.op)(args[0]))
    raise KeyError(node.op)
