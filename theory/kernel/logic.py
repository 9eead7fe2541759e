"""Rules that rearrange what is to be shown: cases, roots, equations solved, intermediate facts, citations."""

from __future__ import annotations

from typing import Any

from flint import fmpq_mpoly

from theory.kernel.claim import Claim
from theory.kernel.errors import Rejected
from theory.kernel.flat import OMEGA, fraction_node, pulled_out, scalars_of
from theory.kernel.lang import (
    Node,
    Relation,
    counting,
    is_name,
    num,
    parse,
    parse_relation,
    relation_symbols,
    replace_relation,
    substitute_relation,
    sym,
    symbols,
    text,
    walk,
)
from theory.kernel.laws import LAWS
from theory.kernel.proof import Library, check, require_defined, show_nonzero
from theory.kernel.rings import Frac
from theory.kernel.sequent import (
    Certificate,
    Obligation,
    Sequent,
    Tally,
    freed,
    generic,
    is_evaluated,
    is_integer,
    is_natural,
    is_plain,
)
from theory.kernel.shapes import require_number, shape_of


def rule_cases(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    pivot = parse(cert["on"])
    require_defined([pivot], sequent, cert.get("defined", {}), library, tally, cert["_depth"])
    check(cert["nonnegative"], sequent.given(Relation(">=", pivot, num(0))), library, tally, cert["_depth"])
    op = "<" if cert.get("strict") else "<="
    check(cert["nonpositive"], sequent.given(Relation(op, pivot, num(0))), library, tally, cert["_depth"])


def _occurs(old: Node, cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """The node stands in the goal or a fact, outside every binder that captures one of its names, and has a value.

    Below a sum, an iteration or a forall alone it need not have one, for the range may be empty: then it is shown.
    """
    sides = [sequent.goal.left, sequent.goal.right, *(s for f in sequent.facts for s in (f.left, f.right))]
    if not any(old == part for side in sides for part in walk(side)):
        raise Rejected(f"{text(old)[:120]} does not occur here")
    bound = {str(part.args[0].value) for side in sides for part in walk(side) if part.op in ("sum", "mean", "iterate")}
    bound |= {f.binder[0] for f in (*sequent.facts, sequent.goal) if f.binder is not None}
    if symbols(old) & bound:
        raise Rejected(f"{text(old)[:120]} uses a bound name ({', '.join(sorted(symbols(old) & bound))})")
    if not is_evaluated(old, sequent) or any(part.op == "sum" and pulled_out(part) for part in walk(old)):
        require_defined([old], sequent, cert.get("defined", {}), library, tally, cert["_depth"])


def _replace_everywhere(sequent: Sequent, old: Node, new: Node) -> Sequent:
    facts = tuple(replace_relation(f, old, new) for f in sequent.facts)
    return Sequent(facts, replace_relation(sequent.goal, old, new), sequent.naturals)


def rule_split(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """max(a, b): either a >= b and it is a, or b >= a and it is b; likewise min, and abs(x) = max(x, -x)."""
    old = parse(cert["of"])
    _occurs(old, cert, sequent, library, tally)
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
    _occurs(old, cert, sequent, library, tally)
    if old.op != "sqrt":
        raise Rejected(f"{text(old)[:120]} is not a square root")
    fresh(name, sequent)
    root = sym(name)
    square = Relation("==", Node("**", (root, num(2))), old.args[0])
    facts = (Relation(">=", root, num(0)), square)
    check(cert["then"], _replace_everywhere(sequent, old, root).given(*facts), library, tally, cert["_depth"])


def fresh(name: str, sequent: Sequent) -> None:
    if not is_name(name) or name == "Omega":
        raise Rejected(f"{name!r} is not a name that can be given; write letters, digits and underscores")
    used = relation_symbols(sequent.goal).union(*(relation_symbols(f) for f in sequent.facts)) | sequent.naturals
    if name in used:
        raise Rejected(f"the name {name} is already in use")


def rule_solve(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """An equation that is linear in a name: the name is eliminated everywhere (the equation stays out).

    Of a natural number it is only kept that the solution is not negative, so it must not count anything.
    """
    position, name = int(cert["fact"]), str(cert["for"])
    fact = sequent.facts[position]
    if fact.op != "==" or fact.binder is not None:
        raise Rejected(f"fact {position} ({fact}) is not an equation that can be solved for {name}")
    if name in sequent.naturals and any(name in counting(r) for r in (*sequent.facts, sequent.goal)):
        raise Rejected(f"{name} counts steps or terms here, or is an exponent or an index; it is not eliminated")
    ring, (value,), atoms = scalars_of([Node("-", (fact.left, fact.right))])
    if name not in ring.names:
        raise Rejected(f"{name} does not occur in {fact}")
    if any(name in symbols(node) for node in atoms.opaque.values()):
        raise Rejected(f"{name} occurs inside a root, a sum or a power in {fact}")
    slope, rest = _linear(value.num, ring.names.index(name))
    solution = fraction_node(Frac.of(-rest, slope), ring.names)
    solution = atoms.restore(solution)
    left = tuple(f for i, f in enumerate(sequent.facts) if i != position)
    duty = Relation("!=", atoms.restore(fraction_node(Frac(slope, ring.ctx.constant(1)), ring.names)), num(0))
    hidden = [*freed(solution, sequent), *freed(duty.left, sequent)]
    require_defined(hidden, sequent, cert.get("defined", {}), library, tally, cert["_depth"])
    if not is_plain_nonzero(duty.left, sequent):
        show_nonzero(cert["nonzero"], sequent.show(duty), library, tally, cert["_depth"])
    env = {name: solution}
    facts = tuple(substitute_relation(f, env) for f in left)
    if name in sequent.naturals:
        facts += (Relation(">=", solution, num(0)),)
    goal = substitute_relation(sequent.goal, env)
    check(cert["then"], Sequent(facts, goal, sequent.naturals - {name}), library, tally, cert["_depth"])


def is_plain_nonzero(node: Node, sequent: Sequent) -> bool:
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
        if (lo, hi) != (OMEGA, OMEGA) and not all(is_integer(end, sequent.naturals) for end in (lo, hi)):
            raise Rejected(f"the ends of {str(fact)[:120]} are not integers by their form")
        fresh(index, Sequent(sequent.facts, Relation("==", num(0), num(0)), sequent.naturals))
        inner = generic(sequent, Relation(fact.op, fact.left, fact.right), [fact.binder])
        require_defined(
            [inner.goal.left, inner.goal.right], inner, cert.get("defined", {}), library, tally, cert["_depth"]
        )
        check(cert["proof"], inner, library, tally, cert["_depth"])
    check(cert["then"], sequent.given(fact), library, tally, cert["_depth"])


def rule_cite(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """An instance of another claim, or of a law; each of its hypotheses is discharged here."""
    key = str(cert["claim"])
    claim = cited(key, library)
    if claim.letters:
        raise Rejected(f"{key} is about matrices in letters; it is not cited for numbers")
    env = {name: parse(formula) for name, formula in cert.get("with", {}).items()}
    for name, image in env.items():
        if name in claim.families:
            if image.op not in ("sym", "list"):
                raise Rejected(f"{key}: {name} is a family; put in a name or a list, not {text(image)[:80]}")
            if image.op == "list" and (shape_of(image) != (len(image.args), 1)) != (claim.families[name] > 1):
                raise Rejected(f"{key}: {name} has {claim.families[name]} index(es), not so {text(image)[:80]}")
        else:
            require_number(image)
    for name in claim.naturals:
        image = env.get(name, sym(name))
        if not is_natural(image, sequent.naturals):
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
        sides = [hypothesis.left, hypothesis.right]
        require_defined(sides, sequent, cert.get("defined", {}), library, tally, cert["_depth"])
        check(proof, sequent.show(hypothesis), library, tally, cert["_depth"])
    if key not in LAWS:
        tally.cited.add(key)
    facts = [substitute_relation(goal, env) for goal in claim.goals]
    check(cert["then"], sequent.given(*facts), library, tally, cert["_depth"])


def cited(key: str, library: Library) -> Claim:
    """The law or the claim of that name; no claim of a library stands for a law."""
    if key not in LAWS and key not in library:
        raise Rejected(f"cites {key}, which is not in the library")
    return LAWS[key] if key in LAWS else library[key]
