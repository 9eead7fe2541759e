"""Claims about exp, log, sin and cos: laws where they occur, alone and in pairs, and log A <= B as A <= exp B.

Each way adds facts; arithmetic decides whether they are enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations

from theory.kernel.errors import KernelError
from theory.kernel.flat import difference, fraction_node, polynomial_node, scalars_of
from theory.kernel.lang import Node, Relation, num, parse, parse_relation, symbols, text, walk
from theory.kernel.sequent import Certificate, Sequent
from theory.provers import arithmetic, cofactors, cone_lp
from theory.provers.budget import Budget
from theory.provers.effort import Effort
from theory.provers.frame import Frame
from theory.provers.functions import Law, cited, defined, functions_of
from theory.provers.relations import decaying, halved, is_zero, related, same
from theory.provers.rewriting import new_names, parts, shorter
from theory.provers.skeletons import Search

MOST = 6  # functions in one goal
PAIRS = 12
QUOTIENT = "log-quotient"
ROOT = "root"


def find(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """The first way whose facts are enough."""
    if sequent.goal.op not in ("<=", ">=", "<", ">", "==") or not functions_of(sequent)[:1]:
        return None
    split = any(part.op in arithmetic.SPLITS for part in parts(sequent.goal))
    if split or len(functions_of(sequent)) > MOST:
        return None
    return (
        _by_concavity(sequent, effort, search)
        or closed(Frame(sequent))
        or exponentiated(sequent)
        or _by_decay(sequent, effort, search)
        or _by_sign(sequent)
    )


def _by_concavity(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """Three logarithms or more: the others lie below the tangent at one of them, log a <= log m + a/m - 1."""
    logs = [p.args[0] for p in dict.fromkeys(parts(sequent.goal)) if p.op == "log"]
    if not 3 <= len(logs) <= MOST or any(p.op != "log" for p in functions_of(sequent)):
        return None
    for middle in [one for one in logs if one.op in ("+", "-", "/")]:
        positive = Relation(">", middle, num(0))
        proof = search(sequent.show(positive), effort.deeper(), {})
        frame = Frame(sequent) if proof is None else Frame(sequent).have(str(positive), proof)
        m = text(middle)
        for other in [one for one in logs if one != middle]:
            a, ratio = text(other), f"({text(other)})/({m})"
            frame = cited(frame, "log-product", {"r": a, "s": m, "t": ratio}, rounds=1)
            frame = cited(frame, "log-tangent", {"t": ratio}, rounds=1)
        cert = cone_lp.find(frame.sequent, Budget(seconds=3.0)) if frame.steps else None
        if cert is not None:
            return frame.close(cert)
    return None


def _by_decay(sequent: Sequent, effort: Effort, search: Search) -> Certificate | None:
    """b**n <= exp(-(1 - b)*n); that exponential, or one of the goal, compared with those of logarithms."""
    logs = [p for p in functions_of(sequent) if p.op == "log"]
    present = [p for p in dict.fromkeys(parts(sequent.goal)) if p.op == "exp" and logs and symbols(p)][:1]
    for power, exponent in (*decaying(sequent), *((p, p.args[0]) for p in present)):
        frame = Frame(sequent)
        if power not in present:
            below = _below_exp(sequent, power, exponent, effort, search)
            if below is None:
                continue
            frame = below
            found = None if logs else closed(frame)
            if found is not None:
                return found
        for log in logs[:3]:
            t = text(log.args[0])
            inverse = text(shorter(parse(f"1/({t})")))
            frame = cited(frame, "log-inverse", {"s": inverse, "t": t})
            for end in (t, inverse):
                frame = cited(frame, "exp-log", {"t": end})
                frame = cited(frame, "exp-monotone", {"s": text(exponent), "t": f"log({end})"}, rounds=2)
        cert = arithmetic.close(frame.sequent, rounds=2)
        if cert is not None:
            return frame.close(cert)
    return None


def _below_exp(sequent: Sequent, power: Node, exponent: Node, effort: Effort, search: Search) -> Frame | None:
    """b**n <= exp((b - 1)*n); where b depends on n, b**m <= exp((b - 1)*m) for every m up to n, at n."""
    goal = Relation("<=", power, Node("exp", (exponent,)))
    base, count = power.args
    if str(count.value) not in symbols(base):
        proof = search(sequent.show(goal), effort.deeper(), {})
        return None if proof is None else Frame(sequent).have(str(goal), proof)
    low = Relation(">=", base, num(0))
    proof = arithmetic.close(sequent.show(low), rounds=2)
    if proof is None:
        return None
    rate = text(shorter(Node("-", (base, num(1)))))
    frame = Frame(sequent).have(str(low), proof)
    for law in ("exp-positive", "exp-tangent"):
        frame = cited(frame, law, {"t": rate}, rounds=1)
    here = len(sequent.facts)
    if len(frame.sequent.facts) != here + 3:
        return None
    frame = _power_by_power(frame, base, f"exp({rate})", count, here)
    return cited(frame, "exp-multiple", {"s": text(exponent), "n": text(count), "t": rate}, rounds=2)


def _power_by_power(frame: Frame, base: Node, bound: str, count: Node, here: int) -> Frame:
    """b**n <= e**n, from the facts b >= 0, e > 0, e >= b at `here`; b and e may depend on n, so that m counts."""
    names = new_names(frame.sequent, "m", "l", stem="m")
    name, p, q = next(names), next(names), next(names)
    now = len(frame.sequent.facts)
    step = [
        {"kind": "cone", "terms": [{"c": "1", "of": [here, now]}]},
        {"kind": "cone", "terms": [{"c": "1", "of": [here + 1, now + 1]}, {"c": "1", "of": [here + 2, now]}]},
    ]
    powers = {p: f"({text(base)})**{name}", q: f"({bound})**{name}"}
    proof = {
        "kind": "induction",
        "on": name,
        "states": powers,
        "invariant": [f"{p} >= 0", f"{q} - {p} >= 0"],
        "base": [{"kind": "positive"}, {"kind": "identity"}],
        "step": step,
        "then": {"kind": "cone", "terms": [{"c": "1", "of": [now + 3]}]},
    }
    every = f"forall({name}, 0, {text(count)}, {powers[p]} <= {powers[q]})"
    made = {"kind": "have", "open": True, "fact": every, "proof": proof, "defined": {}}
    at = {"kind": "instance", "fact": now, "at": {name: text(count)}, "within": {}}
    fact = f"({text(base)})**{text(count)} <= ({bound})**{text(count)}"
    return frame.within(every, made, "then").within(fact, at, "then")


def _by_sign(sequent: Sequent) -> Certificate | None:
    """An exponent of which nothing is known is at least zero, or at most zero."""
    exps = [p.args[0] for p in functions_of(sequent) if p.op == "exp"]
    known = {str(fact) for fact in sequent.facts}
    for one in [e for e in exps if e.op == "sym"][:1]:
        if any(str(one.value) in fact for fact in known):
            continue
        cert: Certificate = {"kind": "cases", "on": text(one)}
        for case, op in (("nonnegative", ">="), ("nonpositive", "<=")):
            frame = Frame(sequent.given(Relation(op, one, num(0))))
            found = closed(frame) or _closed_by_halves(frame, one, op)
            if found is None:
                return None
            cert[case] = found
        return cert
    return None


def _closed_by_halves(frame: Frame, name: Node, op: str) -> Certificate | None:
    """With exp(t/2) - exp(-t/2) >= t for t >= 0, and <= for t <= 0."""
    for law, where in halved(frame.sequent):
        frame = cited(frame, law, where, rounds=1)
    t = text(name)
    fact = parse_relation(f"exp({t}/2) - exp(-({t}/2)) {op} {t}")
    proof = arithmetic.close(frame.sequent.show(fact), rounds=1)
    if proof is None:
        return None
    frame = frame.have(str(fact), proof)
    cert = arithmetic.close(frame.sequent, rounds=2)
    return None if cert is None else frame.close(cert)


def closed(frame: Frame, tries: tuple[int, ...] = (0, 2)) -> Certificate | None:
    """By the laws at what occurs, and arithmetic in so many rounds."""
    alone = list(_alone(frame))
    pairs = list(_pairs(frame))
    whole = list(related(frame.sequent))
    frames = [_grown(frame, laws) for laws in (whole, alone, pairs, list(_between(frame)), [*whole, *pairs, *alone])]
    for rounds in tries:
        for grown in frames:
            if len(grown.sequent.facts) > len(frame.sequent.facts):
                cert = cofactors.find(grown.sequent) or arithmetic.close(grown.sequent, rounds=rounds)
                if cert is not None:
                    return grown.close(cert)
    return None


def _grown(frame: Frame, laws: list[Law]) -> Frame:
    for law, where in laws:
        if law == QUOTIENT:
            frame = _quotient(frame, where["s"], where["t"])
        elif law == ROOT:
            frame = positive_root(frame, where["s"], where["t"])
        else:
            frame = cited(frame, law, where, rounds=int("/" in where.get("p", "")))
    return _with_aliases(frame)


def _quotient(frame: Frame, one: str, two: str) -> Frame:
    """log(s) <= log(t) + s/t - 1: the tangent at the quotient."""
    inner = cited(Frame(frame.sequent), "log-product", {"r": one, "s": two, "t": f"({one})/({two})"})
    inner = cited(inner, "log-tangent", {"t": f"({one})/({two})"})
    goal = parse_relation(f"log({one}) <= log({two}) + ({one})/({two}) - 1")
    cert = arithmetic.close(inner.sequent.show(goal), rounds=0)
    if cert is None:
        return frame
    try:
        duties = defined([goal.left, goal.right], frame.sequent)
    except KernelError:
        return frame
    step = {"kind": "have", "fact": str(goal), "proof": inner.close(cert), "defined": duties}
    return frame.within(str(goal), step, "then")


def positive_root(frame: Frame, root: str, inside: str) -> Frame:
    """A root is positive where its argument is: r = 0 would make r**2 positive."""
    positive = parse_relation(f"{inside} > 0")
    proof = arithmetic.close(frame.sequent.show(positive), rounds=1)
    if proof is None:
        return frame
    frame = frame.have(str(positive), proof)
    name, at = next(new_names(frame.sequent, stem="q")), len(frame.sequent.facts)
    squares = [{"c": "1", "of": [at - 1]}, {"c": "1", "of": [at]}, {"c": "1", "of": [at + 2, at]}]
    cases: Certificate = {
        "kind": "cases",
        "on": f"-{name}",
        "strict": True,
        "nonnegative": {"kind": "cone", "terms": squares, "modulo": [[at + 1, "1"]]},
        "nonpositive": {"kind": "cone", "terms": [{"c": "1", "of": [at + 2]}]},
    }
    return frame.have(f"{root} > 0", {"kind": "root", "of": root, "name": name, "then": cases})


def _with_aliases(frame: Frame) -> Frame:
    """Exponents that are written differently and are the same."""
    exps = [p.args[0] for p in functions_of(frame.sequent) if p.op == "exp"]
    for one, two in permutations(exps[: 2 * MOST], 2):
        if is_zero(Node("-", (one, two))):
            frame = cited(frame, "exp-monotone", {"s": text(one), "t": text(two)})
    return frame


def _alone(frame: Frame) -> Iterator[Law]:
    for part in functions_of(frame.sequent):
        inside = part.args[0]
        t = text(inside)
        match part.op:
            case "exp":
                yield "exp-positive", {"t": t}
                yield "exp-zero", {"t": t}
                for name in ("exp-tangent", "exp-parabola-below", "exp-parabola-above", "exp-square-above"):
                    yield name, {"t": t}
                if inside.op != "num":
                    yield "exp-zero", {"t": "0"}
                    yield "exp-monotone", {"s": t, "t": "0"}
                yield "exp-inverse", {"s": t, "t": f"-({t})"}
                yield "exp-tangent", {"t": f"-({t})"}
                if inside.op == "log":
                    yield "exp-log", {"t": text(inside.args[0])}
            case "log":
                yield "log-tangent", {"t": t}
                yield "log-tangent", {"t": f"1/({t})"}
                yield "log-inverse", {"s": f"1/({t})", "t": t}
                yield "log-parabola", {"t": text(shorter(parse(f"{t} - 1")))}
                if inside.op == "exp":
                    yield "log-exp", {"t": text(inside.args[0])}
            case _:
                yield "circle", {"t": t}
                yield f"{part.op}-zero", {"t": t}
                yield ("sin-tangent" if part.op == "sin" else "cos-parabola"), {"t": t}
                yield from _angles(part)


def _angles(part: Node) -> Iterator[Law]:
    inside = part.args[0]
    if inside.op in ("+", "-"):
        one, two = text(inside.args[0]), text(inside.args[1])
        yield f"{part.op}-sum", {"r": text(inside), "s": one, "t": two if inside.op == "+" else f"-({two})"}
    if inside.op == "*" and inside.args[0] == num(2):
        half = text(inside.args[1])
        yield f"{part.op}-sum", {"r": text(inside), "s": half, "t": half}
        yield "circle", {"t": half}


def _pairs(frame: Frame) -> Iterator[Law]:
    """Two logarithms through the tangent at their quotient; exponentials that are ordered, opposite or squares."""
    here = functions_of(frame.sequent)
    exps, logs = ([p.args[0] for p in here if p.op == op] for op in ("exp", "log"))
    for one in [one for one in logs if one.op == "num" and one.value]:
        logs.append(num(1 / one.value))
        yield "log-inverse", {"s": text(logs[-1]), "t": text(one)}
    for one, two in permutations(logs, 2):
        if same(one, two):
            yield from (("exp-zero", {"t": text(e)}) for e in exps)
            yield "log-monotone", {"s": text(one), "t": text(two)}
    for one, two, three in islice(permutations(logs, 3), PAIRS):
        if text(one) < text(two):
            both = f"({text(one)})*({text(two)})"
            yield "log-product", {"r": both, "s": text(one), "t": text(two)}
            yield "log-monotone", {"s": text(three), "t": both}
            yield "log-monotone", {"s": both, "t": text(three)}
    for one, two in islice(permutations(logs, 2), PAIRS):
        yield QUOTIENT, {"s": text(one), "t": text(two)}
    for root in {p for p in parts(frame.sequent.goal) if p.op == "sqrt" and p.args[0] in logs}:
        yield ROOT, {"s": text(root), "t": text(root.args[0])}
        yield "log-product", {"r": text(root.args[0]), "s": text(root), "t": text(root)}
        yield "log-tangent", {"t": text(root)}
    for one, two in islice(permutations(exps, 2), PAIRS):
        yield from _two_exponents(one, two, exps)


def _two_exponents(one: Node, two: Node, exps: list[Node]) -> Iterator[Law]:
    if is_zero(Node("+", (one, two))):
        yield "exp-inverse", {"s": text(one), "t": text(two)}
        yield "exp-cosh", {"t": text(one)}
        square = Node("/", (Node("**", (one, num(2))), num(2)))
        for other in exps:
            yield "exp-monotone", {"s": text(square), "t": text(other)}
    if is_zero(Node("-", (one, Node("*", (num(2), two))))):
        yield "exp-multiple", {"s": text(one), "n": "2", "t": text(two)}
    yield "exp-monotone", {"s": text(one), "t": text(two)}


def _between(frame: Frame) -> Iterator[Law]:
    """An exponent that lies between two others, among them logarithms and zero: the exponential is convex."""
    goal = frame.sequent.goal
    exps = [p.args[0] for p in dict.fromkeys(parts(goal)) if p.op == "exp"]
    ends = [*exps, *(p for p in dict.fromkeys(parts(goal)) if p.op == "log"), num(0)]
    for middle in exps:
        for one, two in permutations(ends, 2):
            weight = _weight(middle, one, two)
            if weight is not None and middle not in (one, two):
                for end in (one, two):
                    yield ("exp-log", {"t": text(end.args[0])}) if end.op == "log" else ("exp-zero", {"t": text(end)})
                yield "exp-convex", {"r": text(middle), "s": text(one), "t": text(two), "p": weight}
                break


def _weight(middle: Node, one: Node, two: Node) -> str | None:
    """p with middle = p*one + (1 - p)*two, if it is a polynomial, over a number if need be."""
    try:
        ring, (top, bottom), atoms = scalars_of([Node("-", (middle, two)), Node("-", (one, two))])
        value = top / bottom
    except (KernelError, ArithmeticError):
        return None
    if len(value.den.to_dict()) > 1:
        return None
    return text(atoms.restore(fraction_node(value, ring.names)))


def exponentiated(sequent: Sequent) -> Certificate | None:
    """log A <= B from A <= exp B, for a logarithm that stands alone with the factor 1 or -1."""
    gap, strict = difference(sequent.goal)
    if strict or sequent.goal.op == "==":
        return None
    try:
        ring, (value,), atoms = scalars_of([gap])
    except KernelError:
        return None
    for i, name in enumerate(ring.names):
        whole = atoms.opaque.get(name)
        if whole is None or whole.op != "log" or not symbols(whole) or value.num.degrees()[i] != 1:
            continue
        slope = value.num.derivative(i) / value.den.leading_coefficient() if value.den.is_constant() else None
        if slope is None or not slope.is_constant() or slope.leading_coefficient() not in (1, -1):
            continue
        sign = int(slope.leading_coefficient())
        log = value.num.context().gen(i) * value.num.derivative(i)
        rest = atoms.restore(polynomial_node((value.num - log) / value.den.leading_coefficient() * -sign, ring.names))
        cert = _through(sequent, whole.args[0], rest, sign)
        if cert is not None:
            return cert
    return None


def _through(sequent: Sequent, inside: Node, bound: Node, sign: int) -> Certificate | None:
    """exp(bound) as a product of exponentials, compared with the argument of the logarithm."""
    frame = Frame(sequent)
    power = Node("exp", (bound,))
    for law, where in _product(bound):
        frame = cited(frame, law, where)
    small, big = (inside, power) if sign < 0 else (power, inside)
    goal = Relation("<=", small, big)
    frame = _scaled(frame, bound)
    frame = cited(frame, "log-exp", {"t": text(bound)})
    cert = closed(Frame(frame.sequent.show(goal))) or arithmetic.close(frame.sequent.show(goal))
    if cert is None:
        return None
    frame = frame.have(str(goal), cert)
    for part in (p for p in walk(Node("+", (inside, power))) if p.op == "exp"):
        frame = cited(frame, "exp-positive", {"t": text(part.args[0])})
    frame = cited(frame, "log-monotone", {"s": text(small), "t": text(big)})
    last = arithmetic.close(frame.sequent)
    return None if last is None else frame.close(last)


def _scaled(frame: Frame, bound: Node) -> Frame:
    """exp(t + log(c)) is c*exp(t)."""
    if bound.op != "+" or not any(arg.op == "log" for arg in bound.args):
        return frame
    log, rest = bound.args if bound.args[0].op == "log" else bound.args[::-1]
    facts = [str(fact) for fact in frame.sequent.facts]
    e, c = f"exp({text(rest)})", text(log.args[0])
    whole = str(parse_relation(f"exp({text(bound)}) == exp({text(bound.args[0])})*exp({text(bound.args[1])})"))
    part = str(parse_relation(f"exp({text(log)}) == {c}"))
    if whole not in facts or part not in facts:
        return frame
    proof = {"kind": "identity", "modulo": [[facts.index(whole), "1"], [facts.index(part), e]]}
    return frame.have(f"exp({text(bound)}) == ({c})*{e}", proof)


def _product(bound: Node) -> Iterator[Law]:
    """exp of a sum is a product; exp(log(c)) is c; exp(t) is the square of exp(t/2)."""
    if bound.op == "+":
        yield "exp-sum", {"r": text(bound), "s": text(bound.args[0]), "t": text(bound.args[1])}
        for one in bound.args:
            yield from _product(one)
    if bound.op == "log":
        yield "exp-log", {"t": text(bound.args[0])}
    if bound.op == "*" and bound.args[0].op == "num" and bound.args[0].value == num("1/2").value:
        half, whole = text(bound), text(bound.args[1])
        yield "exp-multiple", {"s": whole, "n": "2", "t": half}
        yield "exp-inverse", {"s": half, "t": f"-({half})"}
        yield "exp-cosh", {"t": half}
    if any(part.op == "**" for part in walk(bound)):
        yield "exp-positive", {"t": text(bound)}


__all__ = ["closed", "find", "positive_root"]
