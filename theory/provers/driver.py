"""The proof search: cheap kinds first, equations and roots eliminated, cases split, then the heavier provers.

Untrusted: whatever it returns is checked by the kernel before anybody believes it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from theory.kernel import SCHEMA, Claim
from theory.kernel.errors import KernelError, Rejected
from theory.kernel.evaluate import Mat
from theory.kernel.flat import Atoms, fractions_of, polynomial_node, scalars_of
from theory.kernel.judge import check_certificate
from theory.kernel.lang import (
    Node,
    Relation,
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
from theory.kernel.logic import rule_cite, rule_have
from theory.kernel.rules import RULES, Library, check
from theory.kernel.sequent import Certificate, Sequent, Tally, generic, is_plain, obligations
from theory.provers import slacks

Finder = Callable[[Sequent, "Effort"], Certificate | None]


@dataclass
class Fuel:
    """How many sequents may still be tried: shared by all branches of one proof."""

    left: int

    def burn(self) -> bool:
        self.left -= 1
        return self.left >= 0


@dataclass(frozen=True)
class Effort:
    """How much work a proof may cost; counted in splits and degrees, so that results do not depend on the machine."""

    splits: int = 2
    degree: int = 4
    heavy: bool = True
    solvers: bool = False
    depth: int = 0
    fuel: Fuel = field(default_factory=lambda: Fuel(200), compare=False)

    def deeper(self) -> Effort:
        return replace(self, depth=self.depth + 1)


def quick() -> Effort:
    return Effort(splits=1, degree=2, heavy=False, fuel=Fuel(60))


def normal() -> Effort:
    return Effort(fuel=Fuel(300))


def hard() -> Effort:
    return Effort(splits=4, degree=6, solvers=True, fuel=Fuel(3000))


def prove(claim: Claim, library: Library, effort: Effort | None = None, plan: Any = None) -> Certificate | None:
    """A certificate of the claim that the kernel accepts, or None."""
    try:
        return certify(claim, library, effort or normal(), plan)
    except Rejected:
        return None


def certify(claim: Claim, library: Library, effort: Effort | None = None, plan: Any = None) -> Certificate:
    """As `prove`, but says what could not be proved."""
    cert = proposed(claim, library, effort, plan)
    check_certificate(claim, cert, library)
    return cert


def proposed(claim: Claim, library: Library, effort: Effort | None = None, plan: Any = None) -> Certificate:
    """A certificate that the kernel has not seen as a whole yet: for callers that let it judge at once."""
    effort = effort or normal()
    tactics = _tactics(claim, plan)
    goals: list[Certificate] = []
    defined: dict[str, Certificate] = {}
    letters = dict(claim.letters)
    for goal, tactic in zip(claim.goals, tactics, strict=True):
        sequent = Sequent(claim.hypotheses, goal, frozenset(claim.naturals))
        if letters:
            goals.append({"kind": "words", "letters": letters})
            continue
        defined |= _definedness([goal.left, goal.right], sequent, library, effort)
        goals.append(elaborate(tactic, sequent, library, effort))
    return {"schema": SCHEMA, "claim": claim.digest, "goals": goals, "defined": defined}


def _tactics(claim: Claim, plan: Any) -> list[Certificate]:
    made = plan(claim) if callable(plan) else plan
    if made is None:
        return [{"kind": "auto", "options": {}, "slot": {}} for _ in claim.goals]
    made = [made] if isinstance(made, dict) else list(made)
    if len(made) != len(claim.goals):
        raise Rejected(f"{claim.id}: {len(claim.goals)} goals, but {len(made)} proofs are planned")
    return made


def _definedness(nodes: list[Node], sequent: Sequent, library: Library, effort: Effort) -> dict[str, Certificate]:
    """Certificates for the divisors and roots whose signs are not plain."""
    found: dict[str, Certificate] = {}
    for node in nodes:
        for duty in obligations(node):
            if duty.full_label in found or is_plain(duty, sequent):
                continue
            inner = generic(sequent, Relation(">", duty.node, num(0)), duty.binders)
            cert = _find_defined(duty.kind, inner, effort, library)
            if cert is None:
                raise Rejected(f"cannot show that {duty.label}")
            found[duty.full_label] = cert
    return found


def _find_defined(kind: str, sequent: Sequent, effort: Effort, library: Library) -> Certificate | None:
    if kind == "nonnegative":
        return search(sequent.show(Relation(">=", sequent.goal.left, num(0))), effort, library)
    if kind == "positive":
        return search(sequent, effort, library)
    if kind == "nonzero":
        for side in (">", "<"):
            proof = search(sequent.show(Relation(side, sequent.goal.left, num(0))), effort, library)
            if proof is not None:
                return {"side": side, "proof": proof}
    return None


class _Open(Exception):
    """An `auto` leaf that no prover could fill."""


def elaborate(tactic: Certificate, sequent: Sequent, library: Library, effort: Effort) -> Certificate:
    """Fill the `auto` leaves of a skeleton by running the kernel's own walk over it with a prover at the leaves."""
    if tactic.get("kind") == "auto":
        return _auto(tactic, sequent, library, effort)
    working = json.loads(json.dumps(tactic))  # a copy in which no two leaves share a slot
    _prepare(working)
    with _leaves_are_proved(library, effort):
        check(working, sequent, library, Tally())
    filled: Certificate = _strip(working)
    return filled


def _auto(tactic: Certificate, sequent: Sequent, library: Library, effort: Effort) -> Certificate:
    options = dict(tactic.get("options", {}))
    own = replace(
        effort, splits=int(options.get("splits", effort.splits)), degree=int(options.get("degree", effort.degree))
    )
    found = search(sequent, own, library)
    if found is None:
        facts = "\n    ".join(str(f) for f in sequent.every_fact())
        raise Rejected(f"no prover shows\n    {sequent.goal}\n  from\n    {facts}")
    return found


@contextmanager
def _leaves_are_proved(library: Library, effort: Effort) -> Iterator[None]:
    """While a skeleton is filled, the rule table has one more kind. `judge` never runs inside."""

    def rule_auto(cert: Certificate, sequent: Sequent, lib: Library, tally: Tally) -> None:
        if not cert["slot"]:
            cert["slot"].update(_auto(cert, sequent, library, effort))
        found = dict(cert["slot"])
        check(found, sequent, library, tally, cert["_depth"])

    def rule_cite_elaborated(cert: Certificate, sequent: Sequent, lib: Library, tally: Tally) -> None:
        if cert.get("elaborate"):
            _discharge(cert, sequent, library, effort)
        rule_cite(cert, sequent, lib, tally)

    def rule_have_elaborated(cert: Certificate, sequent: Sequent, lib: Library, tally: Tally) -> None:
        fact = parse_relation(cert["fact"])
        inner = sequent.show(Relation(fact.op, fact.left, fact.right))
        if fact.binder is not None:
            inner = generic(sequent, inner.goal, [fact.binder])
        cert.setdefault("defined", {}).update(_definedness([inner.goal.left, inner.goal.right], inner, library, effort))
        rule_have(cert, sequent, lib, tally)

    outer = {kind: RULES.get(kind) for kind in ("auto", "cite", "have")}
    RULES["auto"], RULES["cite"], RULES["have"] = rule_auto, rule_cite_elaborated, rule_have_elaborated
    try:
        yield
    finally:
        RULES["cite"], RULES["have"] = rule_cite, rule_have
        if outer["auto"] is None:
            del RULES["auto"]
        else:
            RULES["auto"], RULES["cite"], RULES["have"] = outer["auto"], outer["cite"], outer["have"]  # type: ignore[assignment]


def _discharge(cert: Certificate, sequent: Sequent, library: Library, effort: Effort) -> None:
    claim = library.get(cert["claim"])
    if claim is None:
        raise Rejected(f"cites {cert['claim']}, which is not in the library")
    env = {name: parse(formula) for name, formula in cert["with"].items()}
    cert.setdefault("defined", {}).update(_definedness(list(env.values()), sequent, library, effort))
    for position, hypothesis in enumerate(claim.hypotheses):
        instance = substitute_relation(hypothesis, env)
        if instance in sequent.facts or instance.binder is not None:
            continue
        given = cert["discharge"].get(str(position))
        if given is None:
            cert["discharge"][str(position)] = _auto({}, sequent.show(instance), library, effort)
        elif given.get("kind") == "auto" and not given["slot"]:
            given["slot"].update(_auto(given, sequent.show(instance), library, effort))


def _prepare(cert: Any) -> None:
    """Give the dictionaries that elaboration writes into to every node that needs them."""
    if isinstance(cert, dict):
        if cert.get("kind") == "auto":
            cert["slot"] = {}
        if cert.get("kind") == "cite" or cert.get("kind") == "have":
            cert.setdefault("defined", {})
            if cert.get("kind") == "cite":
                cert.setdefault("discharge", {})
        for value in cert.values():
            _prepare(value)
    elif isinstance(cert, list):
        for value in cert:
            _prepare(value)


def _strip(cert: Any) -> Any:
    """Replace each filled leaf by what was found; unused leaves (a rest that is zero) vanish."""
    if isinstance(cert, dict):
        if cert.get("kind") == "auto":
            return _strip(cert["slot"]) if cert["slot"] else {"kind": "identity"}
        return {k: _strip(v) for k, v in cert.items() if k not in ("elaborate", "_depth")}
    if isinstance(cert, list):
        return [_strip(v) for v in cert]
    return cert


def search(sequent: Sequent, effort: Effort, library: Library | None = None) -> Certificate | None:
    """Try everything, cheap kinds first. The result has been checked."""
    if sequent.goal.binder is not None or not effort.fuel.burn():
        return None
    for attempt in (_trivial, _by_identity, _by_both, _eliminate, _inequality):
        cert = attempt(sequent, effort)
        if cert is not None and _accepted(cert, sequent):
            return cert
    return None


def _accepted(cert: Certificate, sequent: Sequent) -> bool:
    try:
        check(cert, sequent, {}, Tally())
    except KernelError:
        return False
    return True


def _trivial(sequent: Sequent, effort: Effort) -> Certificate | None:
    """The goal is a fact, or its sign is plain."""
    for position, fact in enumerate(sequent.every_fact()):
        if fact.binder is None and fact.op not in ("==", "!=") and sequent.goal.op not in ("==", "!="):
            cert = {"kind": "cone", "terms": [{"c": "1", "of": [position]}]}
            if _accepted(cert, sequent):
                return cert
    plain = {"kind": "positive"}
    return plain if _accepted(plain, sequent) else None


def _by_identity(sequent: Sequent, effort: Effort) -> Certificate | None:
    cert: Certificate = {"kind": "identity"}
    if _accepted(cert, sequent):
        return cert
    for position, fact in enumerate(sequent.facts):
        if fact.op == "==" and fact.binder is None and sequent.goal.op in ("==", "<=", ">="):
            for cofactor in ("1", "-1"):
                cert = {"kind": "identity", "modulo": [[position, cofactor]]}
                if _accepted(cert, sequent):
                    return cert
    return None


def _by_both(sequent: Sequent, effort: Effort) -> Certificate | None:
    """An equation from two inequalities, when each is within reach of the cheap provers."""
    if sequent.goal.op != "==":
        return None
    found: Certificate = {"kind": "both"}
    for op in ("<=", ">="):
        one = sequent.show(Relation(op, sequent.goal.left, sequent.goal.right))
        cert = next((c for c in (_trivial(one, effort), slacks.find(one)) if c is not None and _accepted(c, one)), None)
        if cert is None:
            return None
        found[op] = cert
    return found


def _eliminate(sequent: Sequent, effort: Effort) -> Certificate | None:
    """Split max/min/abs, name roots, solve equations: one at a time, then start again."""
    if effort.depth > 12:
        return None
    for attempt in (_split, _root, _solve):
        cert = attempt(sequent, effort)
        if cert is not None:
            return cert
    return None


def _parts(sequent: Sequent) -> Iterator[Node]:
    bound = {f.binder[0] for f in (*sequent.facts, sequent.goal) if f.binder is not None}
    for relation in (sequent.goal, *sequent.facts):
        for side in (relation.left, relation.right):
            bound |= {str(p.args[0].value) for p in walk(side) if p.op in ("sum", "mean", "iterate")}
    for relation in (sequent.goal, *sequent.facts):
        for side in (relation.left, relation.right):
            for part in walk(side):
                if not symbols(part) & bound:
                    yield part


def _split(sequent: Sequent, effort: Effort) -> Certificate | None:
    old = next((p for p in _parts(sequent) if p.op in ("max", "min", "abs")), None)
    if old is None:
        return None
    options = [old.args[0], Node("neg", (old.args[0],))] if old.op == "abs" else list(old.args)
    op = "<=" if old.op == "min" else ">="
    branches = []
    for chosen in options:
        others = [Relation(op, chosen, other) for other in options if other is not chosen]
        branch = search(_replaced(sequent, old, chosen).given(*others), effort.deeper())
        if branch is None:
            return None
        branches.append(branch)
    return {"kind": "split", "of": text(old), "branches": branches}


def _replaced(sequent: Sequent, old: Node, new: Node) -> Sequent:
    facts = tuple(replace_relation(f, old, new) for f in sequent.facts)
    return Sequent(facts, replace_relation(sequent.goal, old, new), sequent.naturals)


def _root(sequent: Sequent, effort: Effort) -> Certificate | None:
    old = next((p for p in _parts(sequent) if p.op == "sqrt"), None)
    if old is None:
        return None
    used = relation_symbols(sequent.goal).union(*(relation_symbols(f) for f in sequent.facts))
    name = next(f"r{i}" for i in range(1, 100) if f"r{i}" not in used)
    root = sym(name)
    facts = (Relation(">=", root, num(0)), Relation("==", Node("**", (root, num(2))), old.args[0]))
    then = search(_replaced(sequent, old, root).given(*facts), effort.deeper())
    return None if then is None else {"kind": "root", "of": text(old), "name": name, "then": then}


def _solve(sequent: Sequent, effort: Effort) -> Certificate | None:
    """Solve the first equation that is linear in a name; the most awkward names go first."""
    for position, fact in enumerate(sequent.facts):
        if fact.op != "==" or fact.binder is not None:
            continue
        for name in _solvable(fact, sequent)[:2]:
            cert: Certificate = {"kind": "solve", "fact": position, "for": name}
            inner = _after_solving(cert, sequent)
            if inner is None:
                cert = _with_nonzero_slope(cert, fact, name, sequent, effort)
                inner = _after_solving(cert, sequent)
            if inner is None:
                continue
            then = search(inner, effort.deeper())
            if then is not None:
                return {**cert, "then": then}
    return None


def _with_nonzero_slope(cert: Certificate, fact: Relation, name: str, sequent: Sequent, effort: Effort) -> Certificate:
    """The coefficient of the name must not vanish: look for its sign."""
    ring, (value,), atoms = scalars_of([Node("-", (fact.left, fact.right))])
    slope = value.num.derivative(ring.names.index(name))
    node = atoms.restore(polynomial_node(slope, ring.names))
    for side in (">", "<"):
        proof = search(sequent.show(Relation(side, node, num(0))), replace(effort, heavy=False).deeper())
        if proof is not None:
            return {**cert, "nonzero": {"side": side, "proof": proof}}
    return cert


def _solvable(fact: Relation, sequent: Sequent) -> list[str]:
    try:
        ring, (value,), atoms = fractions_of([Node("-", (fact.left, fact.right))])
    except KernelError:
        return []
    if isinstance(value, Mat):
        return []
    inside = {n for node in atoms.opaque.values() for n in symbols(node)}
    names = [
        n
        for i, n in enumerate(ring.names)
        if value.num.degrees()[i] == 1 and n.isidentifier() and n not in inside and n not in sequent.naturals
    ]
    bare = [n for n in names if fact.left == sym(n) or fact.right == sym(n)]
    return bare + [n for n in names if n not in bare]


def _after_solving(cert: Certificate, sequent: Sequent) -> Sequent | None:
    """The sequent that the kernel will want proved after the elimination."""
    seen: list[Sequent] = []

    def capture(inner_cert: Certificate, inner: Sequent, library: Mapping[str, Claim], tally: Tally) -> None:
        seen.append(inner)

    outer = RULES.get("auto")
    RULES["auto"] = capture
    try:
        check({**cert, "then": {"kind": "auto"}}, sequent, {}, Tally())
    except KernelError:
        return None
    finally:
        if outer is None:
            del RULES["auto"]
        else:
            RULES["auto"] = outer
    return seen[0] if seen else None


def _inequality(sequent: Sequent, effort: Effort) -> Certificate | None:
    if sequent.goal.op in ("==", "!="):
        return None
    for finder in _finders(effort):
        cert = finder(sequent, effort)
        if cert is not None and _accepted(cert, sequent):
            return cert
    return _by_cases(sequent, effort)


def _finders(effort: Effort) -> Iterator[Finder]:
    yield lambda sequent, _: slacks.find(sequent)
    yield _termwise
    if effort.heavy:
        yield from _heavy(effort)


def _heavy(effort: Effort) -> Iterator[Finder]:
    from theory.provers import boxes, cone_lp, sos
    from theory.provers.budget import Budget

    long = 20.0 if effort.solvers else 6.0
    yield lambda sequent, _: cone_lp.find(sequent, Budget(seconds=long, rounds=3))
    yield lambda sequent, _: sos.find(sequent, Budget(seconds=long))
    if effort.depth == 0 or effort.splits == 0:
        yield lambda sequent, _: boxes.find(sequent, Budget(seconds=long))
    yield lambda sequent, _: cone_lp.find(sequent, Budget(seconds=long))
    if effort.solvers:
        from theory.provers import smt

        yield lambda sequent, _: smt.find(sequent, Budget(seconds=long))


def _termwise(sequent: Sequent, effort: Effort) -> Certificate | None:
    """A difference that is linear in sums or means is compared term by term."""
    atoms = Atoms()
    atoms.flatten(Node("-", (sequent.goal.left, sequent.goal.right)))
    kinds = sorted({atom.kind for atom in atoms.by_name.values()})
    if not kinds or sequent.goal.op in ("<", ">", "==", "!="):
        return None
    used = relation_symbols(sequent.goal).union(*(relation_symbols(f) for f in sequent.facts))
    index = next(i for i in ("i", "j", "w", "i1", "i2", "i3") if i not in used)
    for kind in kinds:
        tactic: Certificate = {
            "kind": "termwise",
            "over": kind,
            "index": index,
            "each": {"kind": "auto", "options": {}, "slot": {}},
            "rest": {"kind": "auto", "options": {}, "slot": {}},
        }
        try:
            return elaborate(tactic, sequent, {}, effort.deeper())
        except KernelError:
            continue
    return None


def _by_cases(sequent: Sequent, effort: Effort) -> Certificate | None:
    """Order two names that are not ordered yet: on each side a slack appears."""
    if effort.splits <= 0:
        return None
    names = [n for n in sorted(symbols(sequent.goal.left) | symbols(sequent.goal.right)) if n.isidentifier()]
    lighter = replace(effort, splits=effort.splits - 1, heavy=False).deeper()
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            pivot = Node("-", (sym(a), sym(b)))
            high = search(sequent.given(Relation(">=", pivot, num(0))), lighter)
            if high is None:
                continue
            low = search(sequent.given(Relation("<=", pivot, num(0))), lighter)
            if low is not None:
                return {"kind": "cases", "on": text(pivot), "nonnegative": high, "nonpositive": low}
    return None
