"""Rules that rearrange what is to be shown: cases, roots, equations solved, intermediate facts, citations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flint import fmpq_mpoly

from theory.kernel.citing import rule_cite_letters
from theory.kernel.claim import Claim
from theory.kernel.counting import opened
from theory.kernel.errors import Rejected
from theory.kernel.flat import OMEGA, fraction_node, pulled_out, scalars_of
from theory.kernel.kinds import NUMBER, Letter, has_letters, sample_names, settled_relation, size_of
from theory.kernel.lang import (
    DOMAINS,
    FOREVER,
    Node,
    Relation,
    counting,
    num,
    put_family_relation,
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
    fresh,
    generic,
    is_evaluated,
    is_integer,
    is_natural,
    is_plain,
)
from theory.kernel.shapes import require_number, shape_of


def rule_cases(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """A number is >= 0 or <= 0; with `strict` < 0; a `whole` one is >= 0 or <= -1."""
    pivot = sequent.world.read(cert["on"])
    require_defined([pivot], sequent, cert.get("defined", {}), library, tally, cert["_depth"])
    check(cert["nonnegative"], sequent.given(Relation(">=", pivot, num(0))), library, tally, cert["_depth"])
    if cert.get("whole") and not is_integer(pivot, sequent.naturals):
        raise Rejected(f"{text(pivot)[:120]} is not an integer by its form, so it may lie between -1 and 0")
    whole = bool(cert.get("whole"))
    below = Relation("<" if cert.get("strict") and not whole else "<=", pivot, num(-whole))
    check(cert["nonpositive"], sequent.given(below), library, tally, cert["_depth"])


def _occurs(old: Node, cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """The node stands in the goal or a fact, where no binder captures one of its names, and has a value.

    Below a sum, an iteration or a forall alone it need not have one, for the range may be empty: then it is shown.
    """
    mark = sym("'")
    if all(replace_relation(one, old, mark) == one for one in (*sequent.facts, sequent.goal)):
        raise Rejected(f"{text(old)[:120]} does not occur here, or uses a bound name where it does")
    if not is_evaluated(old, sequent) or any(part.op == "sum" and pulled_out(part) for part in walk(old)):
        require_defined([old], sequent, cert.get("defined", {}), library, tally, cert["_depth"])


def _replace_everywhere(sequent: Sequent, old: Node, new: Node) -> Sequent:
    facts = tuple(replace_relation(f, old, new) for f in sequent.facts)
    return sequent.only(facts).show(replace_relation(sequent.goal, old, new))


def rule_split(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """max(a, b): either a >= b and it is a, or b >= a and it is b; likewise min, and abs(x) = max(x, -x)."""
    old = sequent.world.read(cert["of"])
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
    old, name = sequent.world.read(cert["of"]), str(cert["name"])
    _occurs(old, cert, sequent, library, tally)
    if old.op != "sqrt":
        raise Rejected(f"{text(old)[:120]} is not a square root")
    fresh(name, sequent)
    root = sym(name)
    square = Relation("==", Node("**", (root, num(2))), old.args[0])
    facts = (Relation(">=", root, num(0)), square)
    check(cert["then"], _replace_everywhere(sequent, old, root).given(*facts), library, tally, cert["_depth"])


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
    if name in sequent.world.sizes:
        raise Rejected(f"{name} is the size of a matrix; it is not eliminated")
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
    check(cert["then"], sequent.only(facts).show(goal).not_counting(name), library, tally, cert["_depth"])


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
    fact = sequent.world.read_relation(cert["fact"])
    inner = had(cert, fact, sequent)
    require_defined([inner.goal.left, inner.goal.right], inner, cert.get("defined", {}), library, tally, cert["_depth"])
    check(cert["proof"], inner, library, tally, cert["_depth"])
    check(cert["then"], sequent.given(fact), library, tally, cert["_depth"])


def had(cert: Certificate, fact: Relation, sequent: Sequent) -> Sequent:
    """What is to be shown for an intermediate fact: the fact, at a generic index if it has one.

    With `open` the entries keep their indices, so that facts for every index can be used at them.
    """
    if fact.binder is None:
        return sequent.show(fact)
    if cert.get("open") or fact.more or fact.binder[2] == FOREVER or fact.binder[1].op in DOMAINS:
        return opened(sequent, fact)
    index, lo, hi = fact.binder
    if (lo, hi) != (OMEGA, OMEGA) and not all(is_integer(end, sequent.naturals) for end in (lo, hi)):
        raise Rejected(f"the ends of {str(fact)[:120]} are not integers by their form")
    fresh(index, sequent.show(Relation("==", num(0), num(0))))
    return generic(sequent, fact.under(()), [fact.binder])


def rule_let(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """A vector or a matrix gets a name, so that functions can be taken at it."""
    name, node = str(cert["name"]), sequent.world.read(str(cert["is"]))
    require_defined([node], sequent, cert.get("defined", {}), library, tally, cert["_depth"])
    check(cert["then"], named(name, node, sequent), library, tally, cert["_depth"])


def named(name: str, node: Node, sequent: Sequent) -> Sequent:
    """The name is new, and the formula is fixed: no sample is free in it."""
    fresh(name, sequent)
    if not has_letters(node) or size_of(node) == NUMBER or name in symbols(node) or any(sample_names(node)):
        raise Rejected(f"{text(node)[:120]} is not a fixed vector or matrix; it gets no name")
    letter = Letter(name, (), *size_of(node))
    world = replace(sequent.world, letters={**sequent.world.letters, name: letter})
    return replace(sequent, world=world).given(Relation("==", Node("letter", (), letter), node))


def rule_only(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """What follows from some of the facts follows from all of them."""
    kept = tuple(sequent.facts[int(position)] for position in cert["facts"])
    check(cert["then"], sequent.only(kept), library, tally, cert["_depth"])


def rule_cite(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
    """An instance of another claim, or of a law; each of its hypotheses is discharged here."""
    key = str(cert["claim"])
    claim = cited(key, library)
    if claim.kinds:
        return rule_cite_letters(cert, sequent, claim, library, tally)
    certs, depth = cert.get("defined", {}), cert["_depth"]
    env, families = images(cert, claim, sequent)
    require_defined(list(env.values()), sequent, certs, library, tally, depth)
    proofs = cert.get("discharge", {})
    for position, given in enumerate(claim.hypotheses):
        hypothesis = instance_of(given, env, families)
        if hypothesis in sequent.facts:
            continue
        proof = proofs.get(str(position), {"kind": "positive"})
        if hypothesis.binder is not None and (str(position) not in proofs or hypothesis.binder[1] == OMEGA):
            raise Rejected(f"{key}: the hypothesis {hypothesis} is not among the facts")
        here = opened(sequent, hypothesis)
        require_defined([here.goal.left, here.goal.right], here, certs, library, tally, depth)
        check(proof, here, library, tally, depth)
    if key not in LAWS:
        tally.cited.add(key)
    facts = [instance_of(goal, env, families) for goal in claim.goals]
    if families:
        require_defined([s for fact in facts for s in (fact.left, fact.right)], sequent, certs, library, tally, depth)
    return check(cert["then"], sequent.given(*facts), library, tally, depth)


Images = dict[str, Node]
Formulas = dict[str, tuple[tuple[str, ...], Node]]  # families: the names of the indices, and the entry in them


def images(cert: Certificate, claim: Claim, sequent: Sequent) -> tuple[Images, Formulas]:
    """What is put in for the names of the claim: numbers for numbers, families or formulas of an index for families."""
    key = claim.id
    env = {str(name): sequent.world.read(formula) for name, formula in cert.get("with", {}).items()}
    families = {
        str(name): (tuple(map(str, one["at"])), sequent.world.read(one["is"]))
        for name, one in cert.get("families", {}).items()
    }
    if set(env) & set(families):
        raise Rejected(f"{key}: {', '.join(sorted(set(env) & set(families)))} is given twice")
    for name, image in env.items():
        if name in claim.families:
            if image.op not in ("sym", "list"):
                raise Rejected(f"{key}: {name} is a family; put in a name or a list, not {text(image)[:80]}")
            if image.op == "list" and (shape_of(image) != (len(image.args), 1)) != (claim.families[name] > 1):
                raise Rejected(f"{key}: {name} has {claim.families[name]} index(es), not so {text(image)[:80]}")
        else:
            require_number(image)
    for name, (indices, body) in families.items():
        if claim.families.get(name) != len(indices) or len(set(indices)) != len(indices):
            raise Rejected(f"{key}: {name} is not a family of {len(indices)} different indices")
        require_number(body)
    for name in claim.naturals:
        image = env.get(name, sym(name))
        if not is_natural(image, sequent.naturals):
            raise Rejected(f"{key}: {name} must be a natural number, not {text(image)}")
    return env, families


def instance_of(relation: Relation, env: Images, families: Formulas) -> Relation:
    """All at once: what is put in for one name is not touched by what is put in for another."""
    marked = {name: f"{name}'" for name in families}  # under names that nobody can write
    for name, mark in marked.items():
        relation = substitute_relation(relation, {name: sym(mark)})
    relation = substitute_relation(relation, env)
    for name, (indices, body) in families.items():
        relation = put_family_relation(relation, marked[name], indices, body)
    return settled_relation(relation)


def cited(key: str, library: Library) -> Claim:
    """The law or the claim of that name; no claim of a library stands for a law."""
    if key not in LAWS and key not in library:
        raise Rejected(f"cites {key}, which is not in the library")
    return LAWS[key] if key in LAWS else library[key]
