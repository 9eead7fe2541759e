"""The rules of proof. Each takes a certificate (plain JSON data) and a sequent, and raises `Rejected` or returns.

    identity     both sides are the same rational function (modulo given equations, with cofactors)
    cone         multiplier * (right - left) = sum of  c * facts * square,  c >= 0: read the identity and it is proved
    positive     put slacks in for the variables; then no coefficient is negative
    bernstein    on a rational box, subdivided: all Bernstein coefficients are nonnegative
    balls        on a rational box, subdivided: Arb encloses the difference on the right side of zero
    cases, split an expression is >= 0 or <= 0; a max, min or abs is one of its arguments
    root         a square root gets a name: r >= 0 and r**2 = argument
    solve        an equation that is linear in a name is solved for it
    both         an equation, from two inequalities
    have         an intermediate fact, proved first
    cite         an instance of another claim
    induction    an invariant of an iteration
    termwise     a sum or a mean is monotone (this lifts a claim from one eigenvalue to every dimension)
    count        sum(i, lo, hi, 1) = hi - lo + 1
    words        a matrix identity, in noncommuting letters
    quorum       two SMT solvers agree (attested, not re-checked here)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import fmpq_mpoly

from theory.kernel.boxes import check_balls, check_bernstein
from theory.kernel.errors import KernelError, Malformed, Rejected
from theory.kernel.flat import Atoms, difference, fraction_node, fractions_of
from theory.kernel.lang import (
    Node,
    Relation,
    num,
    parse,
    parse_relation,
    relation_symbols,
    replace_relation,
    substitute,
    substitute_relation,
    sym,
    symbols,
    text,
    walk,
)
from theory.kernel.rings import Frac, Mat, RationalFunctions, evaluate
from theory.kernel.sequent import (
    Certificate,
    Sequent,
    Signs,
    Tally,
    generic,
    is_plain,
    obligations,
    signs,
)
from theory.kernel.words import words_difference_is_zero

if TYPE_CHECKING:
    from theory.kernel.claim import Claim

Library = Mapping[str, "Claim"]
Rule = Callable[[Certificate, Sequent, Library, Tally], None]
MAX_DEPTH = 200


def check(cert: Certificate, sequent: Sequent, library: Library, tally: Tally, depth: int = 0) -> None:
    """Accept the certificate as a proof of the sequent, or raise `Rejected`."""
    if not isinstance(cert, dict) or cert.get("kind") not in RULES:
        kind = cert.get("kind") if isinstance(cert, dict) else cert
        raise Rejected(f"unknown certificate kind {kind!r}; the kernel knows {', '.join(RULES)}")
    if depth > MAX_DEPTH:
        raise Rejected(f"the proof is nested deeper than {MAX_DEPTH}")
    tally.rules.add(cert["kind"])
    try:
        RULES[cert["kind"]]({**cert, "_depth": depth + 1}, sequent, library, tally)
    except Rejected:
        raise
    except KernelError as error:
        raise Rejected(f"{cert['kind']}: {error}") from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError) as error:
        raise Rejected(f"{cert['kind']}: malformed certificate ({type(error).__name__}: {error})") from None


def require_defined(
    nodes: list[Node], sequent: Sequent, certs: Mapping[str, Certificate], library: Library, tally: Tally, depth: int
) -> None:
    """Every divisor is nonzero, every root and logarithm exists: by plain signs or by a certificate of its own."""
    seen: set[str] = set()
    for node in nodes:
        for duty in obligations(node):
            label = duty.key + "".join(f" for {i}" for i, _, _ in duty.binders)
            if label in seen or is_plain(duty, sequent):
                continue
            seen.add(label)
            if duty.key not in certs:
                raise Rejected(f"not shown to be defined: {label}")
            goal = Relation({"nonzero": "!=", "nonnegative": ">="}.get(duty.kind, ">"), duty.node, num(0))
            inner = generic(sequent, goal, duty.binders)
            _nonzero(certs[duty.key], inner, library, tally, depth)


def _nonzero(cert: Certificate, sequent: Sequent, library: Library, tally: Tally, depth: int) -> None:
    if sequent.goal.op != "!=":
        return check(cert, sequent, library, tally, depth)
    side = cert.get("side")
    if side not in (">", "<"):
        raise Rejected(f"{sequent.goal}: say on which side of zero it lies ('side': '>' or '<')")
    goal = Relation(side, sequent.goal.left, sequent.goal.right)
    return check(cert["proof"], sequent.show(goal), library, tally, depth)


def _facts(cert: Certificate, sequent: Sequent) -> list[Relation]:
    """Facts named by their position; the position of the last ones are the naturals' signs."""
    every = sequent.every_fact()
    return [every[i] for i in cert]


def _equations(cert: Mapping[str, Any], sequent: Sequent) -> list[tuple[Node, Node]]:
    every = sequent.every_fact()
    pairs = []
    for position, cofactor in cert.get("modulo", []):
        fact = every[position]
        if fact.op != "==" or fact.binder is not None:
            raise Rejected(f"fact {position} ({fact}) is not an equation")
        node = parse(cofactor)
        _polynomial(node)
        pairs.append((Node("-", (fact.left, fact.right)), node))
    return pairs


def _polynomial(node: Node) -> None:
    if any(part.op == "/" and part.args[1].op != "num" for part in walk(node)) or any(
        part.op in ("inv", "log", "sqrt") for part in walk(node)
    ):
        raise Rejected(f"{text(node)[:120]}: formulas inside a certificate are polynomials")


def rule_identity(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    if sequent.goal.op not in ("==", "<=", ">=") or sequent.goal.binder is not None:
        raise Rejected(f"an identity does not prove {sequent.goal}")
    pairs = _equations(cert, sequent)
    nodes = [sequent.goal.left, sequent.goal.right, *(node for pair in pairs for node in pair)]
    ring, values, _ = fractions_of(nodes)
    left, right, *rest = values
    if isinstance(left, Mat) or isinstance(right, Mat):
        if not (isinstance(left, Mat) and isinstance(right, Mat)) or pairs:
            raise Rejected("a matrix equals a matrix, without cofactors")
        gap = left.zip(right, lambda x, y: x - y)
        bad = [(i + 1, j + 1) for i, row in enumerate(gap.rows) for j, x in enumerate(row) if not x.is_zero]
        if bad:
            raise Rejected(f"the sides differ at entry {bad[0]}")
        return
    total = left - right
    for equation, cofactor in zip(rest[::2], rest[1::2], strict=True):
        total = total - equation * cofactor
    if not total.is_zero:
        raise Rejected(f"left - right is not zero: {str(total.num)[:200]}")


def rule_cone(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """multiplier * (right - left) == sum c * product of facts * square**2 + sum cofactor * equation."""
    node, strict = _inequality(sequent)
    every = sequent.every_fact()
    pairs = _equations(cert, sequent)
    use: list[Node] = [node]
    multiplier = [difference(every[i]) for i in cert.get("multiplier", [])]
    if not all(is_strict for _, is_strict in multiplier) or any(every[i].binder for i in cert.get("multiplier", [])):
        raise Rejected("a multiplier must be a fact with >")
    use += [fact for fact, _ in multiplier]
    plan = []
    for term in cert["terms"]:
        weight = Fraction(term["c"])
        if weight < 0:
            raise Rejected(f"a negative weight {weight}")
        factors = [every[i] for i in term.get("of", [])]
        if any(f.binder is not None or f.op in ("==", "!=") for f in factors):
            raise Rejected(f"a factor must be an inequality: {[str(f) for f in factors]}")
        square = parse(term["sq"]) if "sq" in term else None
        if square is not None:
            _polynomial(square)
        parts = [difference(f) for f in factors]
        plan.append((weight, len(parts), square is not None, square is None and all(s for _, s in parts)))
        use += [n for n, _ in parts] + ([square] if square is not None else [])
    use += [n for pair in pairs for n in pair]
    ring, values, _ = fractions_of(use)
    if any(isinstance(v, Mat) for v in values):
        raise Rejected("inequalities are between numbers")
    stream = iter(values)
    total = next(stream)
    for _ in multiplier:
        total = total * next(stream)
    positive = False
    for weight, count, has_square, is_strict in plan:
        term_value = ring.const(weight)
        for _ in range(count):
            term_value = term_value * next(stream)
        if has_square:
            term_value = term_value * next(stream) ** 2
        positive = positive or (is_strict and weight > 0)
        total = total - term_value
    for _ in pairs:
        total = total - next(stream) * next(stream)
    if not total.is_zero:
        raise Rejected(f"the two sides of the identity differ by {str(total.num)[:160]}")
    if strict and not positive:
        raise Rejected("a strict inequality needs a term that is positive, and none is")


def _inequality(sequent: Sequent) -> tuple[Node, bool]:
    if sequent.goal.op in ("==", "!=") or sequent.goal.binder is not None:
        raise Rejected(f"this rule proves inequalities, not {sequent.goal}")
    return difference(sequent.goal)


def rule_positive(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """Slack variables for the hypotheses; then every coefficient of numerator and denominator is nonnegative."""
    node, strict = _inequality(sequent)
    slacks: dict[str, dict[str, Any]] = cert.get("slacks", {})
    put = {name: parse(formula) for name, formula in cert.get("put", {}).items()}
    depth = cert["_depth"]
    atoms = Atoms()
    flat = atoms.flatten(node)
    strict_names: set[str] = set()
    meaning: dict[str, Node] = {}
    for name, slack in slacks.items():
        definition = parse(slack["is"])
        if name in symbols(flat) or any(name in relation_symbols(f) for f in sequent.facts):
            raise Rejected(f"the slack {name} is already a name of the claim")
        op = ">" if slack.get("strict") else ">="
        if op == ">":
            strict_names.add(name)
        goal = Relation(op, definition, num(0))
        require_defined([definition], sequent, slack.get("defined", {}), library, tally, depth)
        check(slack["because"], sequent.show(goal), library, tally, depth)
        meaning[name] = atoms.flatten(definition)
    if not set(put) <= symbols(flat) | {n for d in meaning.values() for n in symbols(d)}:
        raise Rejected(f"substitution for a name that does not occur: {set(put) - symbols(flat)}")
    _covers_every_point(put, meaning, slacks)
    inner_names = tuple(sorted({n for p in put.values() for n in symbols(p)} | (symbols(flat) - set(put)) | set(slacks)))
    ring = RationalFunctions(inner_names)
    env: dict[str, Any] = {n: ring.var(n) for n in inner_names}
    values = {name: evaluate(formula, env, ring) for name, formula in put.items()}
    known = _orthant(sequent, ring, set(slacks), strict_names)
    for divisor in ring.divisors:
        if known.plain(divisor.num) == 0 or known.plain(divisor.den) == 0:
            raise Rejected(f"a substitution divides by {divisor.num}, which is not plainly positive")
    value = evaluate(flat, {**env, **values}, RationalFunctions(inner_names))
    if isinstance(value, Mat):
        raise Rejected("inequalities are between numbers")
    if value.is_zero:
        if strict:
            raise Rejected("the two sides are equal, not strictly ordered")
        return
    top, bottom = _nonnegative_pair(value)
    if not known.covers(bottom, strict=False) or not known.covers(top, strict=strict):
        raise Rejected("a name without a sign occurs with an odd power, or nothing is strictly positive")


def _nonnegative_pair(value: Frac) -> tuple[fmpq_mpoly, fmpq_mpoly]:
    top, bottom = value.num, value.den
    if any(c < 0 for c in bottom.to_dict().values()):
        top, bottom = -top, -bottom
    for label, poly in (("denominator", bottom), ("numerator", top)):
        bad = next((m for m, c in poly.to_dict().items() if c < 0), None)
        if bad is not None:
            raise Rejected(f"a coefficient of the {label} is negative, at exponents {tuple(int(e) for e in bad)}")
    return top, bottom


def _covers_every_point(put: Mapping[str, Node], meaning: Mapping[str, Node], slacks: Mapping[str, Any]) -> None:
    """put(slack(x)) = x: every point of the region is the image of its own slacks."""
    for name, formula in put.items():
        if name in slacks:
            raise Rejected(f"{name} is a slack; slacks are not substituted")
        back = substitute(formula, meaning)
        ring, (value,), _ = fractions_of([Node("-", (back, sym(name)))])
        if isinstance(value, Mat) or not value.is_zero:
            raise Rejected(f"{name} is not recovered from its slacks: {text(formula)[:120]}")


def _orthant(sequent: Sequent, ring: RationalFunctions, slacks: set[str], strict: set[str]) -> Signs:
    base = signs(sequent.every_fact(), ring)
    return Signs(base.nonnegative | slacks, base.positive | strict, base.strict, base.nonzero, ring.names)


def rule_bernstein(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    node, strict = _inequality(sequent)
    check_bernstein(cert, node, strict, sequent)


def rule_balls(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    node, strict = _inequality(sequent)
    stated = check_balls(cert, node, strict, sequent)
    if stated:
        tally.boxes.append(stated)


def rule_cases(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    pivot = parse(cert["on"])
    require_defined([pivot], sequent, cert.get("defined", {}), library, tally, cert["_depth"])
    check(cert["nonnegative"], sequent.given(Relation(">=", pivot, num(0))), library, tally, cert["_depth"])
    op = "<" if cert.get("strict") else "<="
    check(cert["nonpositive"], sequent.given(Relation(op, pivot, num(0))), library, tally, cert["_depth"])


def _occurs(old: Node, sequent: Sequent) -> None:
    """The node stands in the goal or a fact, outside every binder that captures one of its names."""
    sides = [sequent.goal.left, sequent.goal.right, *(s for f in sequent.facts for s in (f.left, f.right))]
    if not any(old == part for side in sides for part in walk(side)):
        raise Rejected(f"{text(old)[:120]} does not occur here")
    bound = {str(part.args[0].value) for side in sides for part in walk(side) if part.op in ("sum", "mean", "iterate")}
    bound |= {f.binder[0] for f in (*sequent.facts, sequent.goal) if f.binder is not None}
    if symbols(old) & bound:
        raise Rejected(f"{text(old)[:120]} uses a bound name ({', '.join(sorted(symbols(old) & bound))})")


def _replace_everywhere(sequent: Sequent, old: Node, new: Node) -> Sequent:
    facts = tuple(replace_relation(f, old, new) for f in sequent.facts)
    return Sequent(facts, replace_relation(sequent.goal, old, new), sequent.naturals)


def rule_split(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """max(a, b): either a >= b and it is a, or b >= a and it is b; likewise min, and abs(x) = max(x, -x)."""
    old = parse(cert["of"])
    _occurs(old, sequent)
    if old.op == "abs":
        options = [old.args[0], Node("neg", (old.args[0],))]
    elif old.op in ("max", "min"):
        options = list(old.args)
    else:
        raise Rejected(f"{text(old)[:120]} is not a max, min or abs")
    branches = cert["branches"]
    if len(branches) != len(options):
        raise Rejected(f"{len(options)} branches are needed, {len(branches)} are given")
    op = "<=" if old.op == "min" else ">="
    for chosen, branch in zip(options, branches, strict=True):
        others = [Relation(op, chosen, other) for other in options if other is not chosen]
        check(branch, _replace_everywhere(sequent, old, chosen).given(*others), library, tally, cert["_depth"])


def rule_root(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    old, name = parse(cert["of"]), str(cert["name"])
    _occurs(old, sequent)
    if old.op != "sqrt":
        raise Rejected(f"{text(old)[:120]} is not a square root")
    _fresh(name, sequent)
    root = sym(name)
    square = Relation("==", Node("**", (root, num(2))), old.args[0])
    facts = (Relation(">=", root, num(0)), square)
    check(cert["then"], _replace_everywhere(sequent, old, root).given(*facts), library, tally, cert["_depth"])


def _fresh(name: str, sequent: Sequent) -> None:
    if not name.isidentifier():
        raise Rejected(f"{name!r} is not a name")
    used = relation_symbols(sequent.goal).union(*(relation_symbols(f) for f in sequent.facts)) | sequent.naturals
    if name in used:
        raise Rejected(f"the name {name} is already in use")


def rule_solve(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """An equation that is linear in a name: the name is eliminated everywhere (the equation stays out)."""
    position, name = int(cert["fact"]), str(cert["for"])
    fact = sequent.facts[position]
    if fact.op != "==" or fact.binder is not None or name in sequent.naturals:
        raise Rejected(f"fact {position} ({fact}) is not an equation that can be solved for {name}")
    ring, (value,), atoms = fractions_of([Node("-", (fact.left, fact.right))])
    if isinstance(value, Mat) or name not in ring.names:
        raise Rejected(f"{name} does not occur in {fact}")
    if any(name in symbols(node) for node in atoms.opaque.values()):
        raise Rejected(f"{name} occurs inside a root, a sum or a power in {fact}")
    slope, rest = _linear(value.num, ring.names.index(name))
    solution = fraction_node(Frac.of(-rest, slope), ring.names)
    solution = atoms._restore(solution)
    left = tuple(f for i, f in enumerate(sequent.facts) if i != position)
    stripped = Sequent(left, sequent.goal, sequent.naturals)
    duty = Relation("!=", atoms._restore(fraction_node(Frac(slope, ring.ctx.constant(1)), ring.names)), num(0))
    if not is_plain_nonzero(duty.left, sequent):
        _nonzero(cert["nonzero"], sequent.show(duty), library, tally, cert["_depth"])
    env = {name: solution}
    facts = tuple(substitute_relation(f, env) for f in stripped.facts)
    goal = substitute_relation(sequent.goal, env)
    check(cert["then"], Sequent(facts, goal, sequent.naturals), library, tally, cert["_depth"])


def is_plain_nonzero(node: Node, sequent: Sequent) -> bool:
    from theory.kernel.sequent import Obligation

    return is_plain(Obligation("nonzero", node), sequent)


def _linear(poly: fmpq_mpoly, index: int) -> tuple[fmpq_mpoly, fmpq_mpoly]:
    ctx = poly.context()
    slope: dict[Any, Any] = {}
    rest: dict[Any, Any] = {}
    for exponents, coefficient in poly.to_dict().items():
        if exponents[index] > 1:
            raise Rejected("the equation is not linear in that name")
        target = slope if exponents[index] else rest
        target[tuple(0 if i == index else int(e) for i, e in enumerate(exponents))] = coefficient
    if not slope:
        raise Rejected("the name cancels from the equation")
    return ctx.from_dict(slope), ctx.from_dict(rest)


def rule_both(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """left == right from left <= right and left >= right."""
    if sequent.goal.op != "==" or sequent.goal.binder is not None:
        raise Rejected(f"both proves an equation, not {sequent.goal}")
    for op in ("<=", ">="):
        goal = Relation(op, sequent.goal.left, sequent.goal.right)
        check(cert[op], sequent.show(goal), library, tally, cert["_depth"])


def rule_have(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    fact = parse_relation(cert["fact"])
    if fact.binder is None:
        require_defined([fact.left, fact.right], sequent, cert.get("defined", {}), library, tally, cert["_depth"])
        check(cert["proof"], sequent.show(fact), library, tally, cert["_depth"])
    else:
        index, lo, hi = fact.binder
        _fresh(index, Sequent(sequent.facts, Relation("==", num(0), num(0)), sequent.naturals))
        inner = generic(sequent, Relation(fact.op, fact.left, fact.right), [fact.binder])
        require_defined([inner.goal.left, inner.goal.right], inner, cert.get("defined", {}), library, tally, cert["_depth"])
        check(cert["proof"], inner, library, tally, cert["_depth"])
    check(cert["then"], sequent.given(fact), library, tally, cert["_depth"])


def rule_cite(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """An instance of another claim; each of its hypotheses is discharged here."""
    key = str(cert["claim"])
    if key not in library:
        raise Rejected(f"cites {key}, which is not in the library")
    claim = library[key]
    env = {name: parse(formula) for name, formula in cert.get("with", {}).items()}
    for name in claim.naturals:
        image = env.get(name, sym(name))
        if not (image.op == "num" and Fraction(image.value) >= 0 and Fraction(image.value).denominator == 1) and not (  # type: ignore[arg-type]
            _is_natural(image, sequent.naturals)
        ):
            raise Rejected(f"{key}: {name} must be a natural number, not {text(image)}")
    require_defined(list(env.values()), sequent, cert.get("defined", {}), library, tally, cert["_depth"])
    hypotheses = [substitute_relation(h, env) for h in claim.hypotheses]
    proofs = cert.get("discharge", {})
    for position, hypothesis in enumerate(hypotheses):
        if hypothesis in sequent.facts:
            continue
        proof = proofs.get(str(position), {"kind": "positive"})
        if hypothesis.binder is not None:
            raise Rejected(f"{key}: the hypothesis {hypothesis} is not among the facts")
        check(proof, sequent.show(hypothesis), library, tally, cert["_depth"])
    tally.cited.add(key)
    facts = [substitute_relation(goal, env) for goal in claim.goals]
    check(cert["then"], sequent.given(*facts), library, tally, cert["_depth"])


def _is_natural(node: Node, naturals: frozenset[str]) -> bool:
    if node.op == "num":
        return Fraction(node.value) >= 0 and Fraction(node.value).denominator == 1  # type: ignore[arg-type]
    if node.op == "sym":
        return node.value in naturals
    return node.op in ("+", "*") and all(_is_natural(arg, naturals) for arg in node.args)


def rule_induction(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """An invariant of the state after n steps: true at the start, kept by a step, enough for the goal."""
    counter = str(cert["on"])
    if counter not in sequent.naturals:
        raise Rejected(f"{counter} is not a natural number here")
    if any(counter in relation_symbols(fact) for fact in sequent.facts):
        raise Rejected(f"a fact mentions {counter}; induction is over every natural number")
    start: dict[str, Node] = {}
    step: dict[str, Node] = {}
    goal = sequent.goal
    for name, source in cert["states"].items():
        node = parse(source)
        _fresh(name, sequent)
        shape, first, following = _state(node, name, counter)
        for part in first:
            _fresh(part, sequent)
        goal = replace_relation(goal, node, shape)
        start.update(first)
        step.update(following)
    if any(counter in symbols(part) for side in (goal.left, goal.right) for part in walk(side) if part.op == "iterate"):
        raise Rejected(f"an iteration over {counter} is left that has no state")
    _no_power_left(goal, counter)
    invariant = [parse_relation(source) for source in cert["invariant"]]
    if any(relation.binder is not None for relation in invariant):
        raise Rejected("an invariant has no binder")
    for relation in invariant:
        for side in (relation.left, relation.right):
            _polynomial(side)
    here = sequent.given(*invariant)
    zero = {**start, counter: num(0)}
    proofs_base, proofs_step = cert["base"], cert["step"]
    if len(proofs_base) != len(invariant) or len(proofs_step) != len(invariant):
        raise Rejected("one base and one step for every part of the invariant")
    depth = cert["_depth"]
    for relation, base, onward in zip(invariant, proofs_base, proofs_step, strict=True):
        at_zero = Sequent(sequent.facts, substitute_relation(relation, zero), sequent.naturals - {counter})
        check(base, at_zero, library, tally, depth)
        later = substitute_relation(relation, {**step, counter: Node("+", (sym(counter), num(1)))})
        require_defined([later.left, later.right], here, cert.get("defined", {}), library, tally, depth)
        check(onward, here.show(later), library, tally, depth)
    check(cert["then"], here.show(goal), library, tally, depth)


def _no_power_left(goal: Relation, counter: str) -> None:
    for side in (goal.left, goal.right):
        for part in walk(side):
            if part.op == "**" and counter in symbols(part.args[1]):
                raise Rejected(f"a power with exponent {text(part.args[1])} is left that has no state")


def _state(node: Node, name: str, counter: str) -> tuple[Node, dict[str, Node], dict[str, Node]]:
    """The state as a formula in fresh names, its start, and its value one step later."""
    if node.op == "**" and node.args[1] == sym(counter):
        base = node.args[0]
        if counter in symbols(base):
            raise Rejected(f"the base of {text(node)} depends on {counter}")
        return sym(name), {name: num(1)}, {name: Node("*", (base, sym(name)))}
    if node.op != "iterate" or node.args[1] != sym(counter):
        raise Rejected(f"{text(node)[:120]} is not an iteration over {counter}")
    inner, _, begin, body = node.args
    if counter in symbols(begin) | symbols(body):
        raise Rejected(f"the start or the step of {text(node)[:80]} depends on {counter}")
    if begin.op != "list":
        return sym(name), {name: begin}, {name: substitute(body, {str(inner.value): sym(name)})}
    parts = [f"{name}{i}" for i in range(1, len(begin.args) + 1)]
    shape = Node("list", tuple(sym(part) for part in parts))
    moved = substitute(body, {str(inner.value): shape})
    entry = {p: Node("index", (moved, num(i))) for i, p in enumerate(parts, start=1)}
    return shape, dict(zip(parts, begin.args, strict=True)), entry


def rule_termwise(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """The difference is linear in sums over one range: it is nonnegative if every term is."""
    node, strict = _inequality(sequent)
    if strict:
        raise Rejected("termwise comparison does not give a strict inequality")
    ring, (value,), atoms = fractions_of([node])
    if isinstance(value, Mat):
        raise Rejected("inequalities are between numbers")
    kind, index = str(cert["over"]), str(cert.get("index", "i"))
    chosen = {n: a for n, a in atoms.by_name.items() if n in ring.names and a.kind == kind}
    ranges = {(a.lo, a.hi) for a in chosen.values()}
    if len(ranges) != 1:
        raise Rejected(f"the difference has sums over {len(ranges)} ranges; one is needed")
    ((lo, hi),) = ranges
    _fresh(index, sequent)
    total, rest = _termwise(value, ring, chosen, index)
    if kind == "mean":
        total, rest = Node("+", (total, rest)), num(0)
    total, rest = atoms._restore(total), atoms._restore(rest)
    inner = generic(sequent, Relation(">=", total, num(0)), [(index, lo, hi)])
    check(cert["each"], inner, library, tally, cert["_depth"])
    if rest != num(0):
        check(cert["rest"], sequent.show(Relation(">=", rest, num(0))), library, tally, cert["_depth"])


def _termwise(value: Frac, ring: RationalFunctions, chosen: Mapping[str, Any], index: str) -> tuple[Node, Node]:
    where = {ring.names.index(name): atom for name, atom in chosen.items()}
    if any(value.den.degrees()[i] for i in where):
        raise Rejected("a sum stands in a denominator")
    grouped: dict[int | None, dict[Any, Any]] = {}
    for exponents, coefficient in value.num.to_dict().items():
        hit = [i for i in where if exponents[i]]
        if len(hit) > 1 or any(exponents[i] > 1 for i in hit):
            raise Rejected("the difference is not linear in the sums")
        key = hit[0] if hit else None
        outer = tuple(0 if i in where else int(e) for i, e in enumerate(exponents))
        grouped.setdefault(key, {})[outer] = coefficient
    total: Node = num(0)
    rest: Node = num(0)
    for key, terms in grouped.items():
        scale = fraction_node(Frac.of(ring.ctx.from_dict(terms), value.den), ring.names)
        if key is None:
            rest = scale
            continue
        atom = where[key]
        body = substitute(atom.body, {atom.index: sym(index)}) if atom.index != index else atom.body
        total = Node("+", (total, Node("*", (scale, body))))
    return total, rest


def rule_count(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """sum(i, lo, hi, 1) == hi - lo + 1, once hi - lo + 1 >= 0 is shown."""
    goal = sequent.goal
    if goal.op != "==" or goal.left.op != "sum" or goal.left.args[3] != num(1):
        raise Rejected(f"{goal} is not of the form sum(i, lo, hi, 1) == …")
    lo, hi = goal.left.args[1], goal.left.args[2]
    length = Node("+", (Node("-", (hi, lo)), num(1)))
    ring, (gap,), _ = fractions_of([Node("-", (goal.right, length))])
    if isinstance(gap, Mat) or not gap.is_zero:
        raise Rejected(f"the number of terms is {text(length)}")
    check(cert["nonnegative"], sequent.show(Relation(">=", length, num(0))), library, tally, cert["_depth"])


def rule_words(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    if sequent.goal.op != "==" or sequent.goal.binder is not None:
        raise Rejected("words prove matrix identities")
    letters = {str(k): str(v) for k, v in cert["letters"].items()}
    if not words_difference_is_zero(sequent.goal.left, sequent.goal.right, letters):
        raise Rejected("the two sides are different words")


def rule_quorum(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    solvers = cert["solvers"]
    names = {str(s["name"]) for s in solvers}
    if len(names) < 2 or any(s["answer"] != "unsat" for s in solvers):
        raise Rejected("a quorum is two different solvers that both answer unsat")
    if cert["goal"] != str(sequent.goal) or cert["facts"] != [str(f) for f in sequent.every_fact()]:
        raise Rejected("the solvers were asked another question")
    tally.attested += [f"{s['name']} {s['version']}" for s in solvers]


RULES: dict[str, Rule] = {
    "identity": rule_identity,
    "cone": rule_cone,
    "positive": rule_positive,
    "bernstein": rule_bernstein,
    "balls": rule_balls,
    "cases": rule_cases,
    "split": rule_split,
    "root": rule_root,
    "solve": rule_solve,
    "both": rule_both,
    "have": rule_have,
    "cite": rule_cite,
    "induction": rule_induction,
    "termwise": rule_termwise,
    "count": rule_count,
    "words": rule_words,
    "quorum": rule_quorum,
}

__all__ = ["RULES", "Malformed", "check", "require_defined"]
