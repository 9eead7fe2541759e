"""A refutation as a theorem: the claim's proposition is false, since it fails at the recorded point by computation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from theory.coq.errors import NotExpressible
from theory.coq.matrices import determinant, entries
from theory.coq.points import refutation_with_kinds
from theory.coq.reserved import ident
from theory.coq.scene import Out, taken_apart
from theory.coq.statement import Need, conclusion, names_of, number, parameters, real, relation_needs, sorts_of
from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError, Undecidable, Undefined
from theory.kernel.evaluate import evaluate
from theory.kernel.flat import OMEGA
from theory.kernel.lang import Node, Relation, num, replace_relation, sym, symbols, walk
from theory.kernel.points import environment, holds, range_of
from theory.kernel.rings import Exact, Inexact, to_fmpq
from theory.kernel.shapes import shape_of

Env = dict[str, Any]
MAX_CASES = 200
MAX_STEPS = 80
ORDERED = ("<=", "<", ">=", ">")
PARTS = (1, 2, 4, 8, 16, 32, 64, 128, 256)  # exp(x) is exp(x/n)^n
UNARY = 20  # the largest natural number that is written so


def refutation_of(claim: Claim, point: Mapping[str, Any]) -> list[str]:
    """The tactics that prove `~ proposition`."""
    if claim.kinds:
        return refutation_with_kinds(claim, point, _every)
    _require_rationals(point)
    try:
        return _refutation(claim, point)
    except Inexact as error:
        raise NotExpressible(f"{error} is taken where it is no rational, and is not computed with in Coq") from None


def _refutation(claim: Claim, point: Mapping[str, Any]) -> list[str]:
    env, out = environment(point, claim), Out()
    for relation in claim._relations():
        _require_rational(relation, env, enclosed=relation in claim.goals)
    out.say("intro H.")
    arguments = _arguments(out, claim, point)
    out.say(f"assert (C := H {' '.join(arguments)}); clear H.")
    if any("Z.to_nat" in one for one in arguments):
        out.say("counts_in C.")
    if _steps(claim, env):
        out.say("steps_in C.")
    _take_roots(out, claim, point, env)
    names = names_of(claim)
    for relation in claim.hypotheses:
        if relation.binder is None:
            for need in relation_needs(relation, names).values():
                _feed(out, _need_cases(need, env))
        _feed(out, _cases(relation, env))
    _refute(out, claim, env)
    return out.lines


def _require_rationals(value: Any) -> None:
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _require_rationals(one)
    if isinstance(value, str) and "sqrt(" in value:
        raise NotExpressible(f"{value} is no rational, as the numbers of a refutation in Coq must be")


def _require_rational(relation: Relation, env: Env, enclosed: bool) -> None:
    """Everything is computed with rationals; a logarithm is where log(1) is a factor, exp `enclosed` by rationals."""
    parts = [part for side in (relation.left, relation.right) for part in walk(side)]
    strange = next((part.op for part in parts if part.op in ("exp", "log", "sin", "cos")), None)
    logs = [part.args[0] for part in parts if part.op == "log"]
    alone = all(part.op not in ("log", "sin", "cos") for part in parts)
    if enclosed and strange == "exp" and relation.op in ORDERED and alone:
        return
    if strange is not None and (strange != "log" or not any(_rational(one, env) == 1 for one in logs)):
        raise NotExpressible(f"{strange} is not computed with rationals, as a refutation at a point must be")


def _steps(claim: Claim, env: Env) -> bool:
    """Whether recursions have to be computed; the numbers of a long one grow too large for Coq's rationals."""
    parts = [part for r in claim._relations() for side in (r.left, r.right) for part in walk(side)]
    counts = [_rational(part.args[1], env) for part in parts if part.op == "iterate"]
    if any(count is not None and count > MAX_STEPS for count in counts):
        raise NotExpressible(f"a recursion of more than {MAX_STEPS} steps is not computed in Coq's rationals")
    return bool(counts)


def _rational(node: Node, env: Env) -> Fraction | None:
    try:
        return Fraction(str(evaluate(node, env, Exact())))
    except (KernelError, ValueError):
        return None


def _take_roots(out: Out, claim: Claim, point: Mapping[str, Any], env: Env) -> None:
    """Roots of squares of rationals are replaced by their values."""
    sides = [part for r in claim._relations() for side in (r.left, r.right) for part in walk(side)]
    values = {n: number(Fraction(v)) for n, v in point.items() if isinstance(v, str) and n not in claim.naturals}
    names = replace(names_of(claim), terms=values)
    for root in dict.fromkeys(part for part in sides if part.op == "sqrt" and symbols(part) <= values.keys()):
        value = _rational(root, env)
        if value is not None:
            out.say(
                f"replace {real(root, names)} with {number(value)} in C by (symmetry; apply root_is; compute_fact)."
            )


def _feed(out: Out, tactic: str) -> None:
    out.say("lapply C; clear C; [intro C | ].")
    with out.block("2:"):
        out.say(tactic)


def _cases(relation: Relation, env: Env) -> str:
    """The tactic for a hypothesis: it is computed, at every index of its range."""
    if relation.binder is None:
        logs = any(part.op == "log" for side in (relation.left, relation.right) for part in walk(side))
        return "log_vanishes; compute_fact." if logs else "compute_fact."
    if relation.more:
        raise NotExpressible("a hypothesis for every two indices, at a point")
    index, lo, hi = relation.binder
    return f"{_every(index, *range_of(lo, hi, index, env), lo == OMEGA)}; repeat split; compute_fact."


def _every(index: str, first: int, last: int, outcome: bool) -> str:
    here = ident(index)
    if last - first > MAX_CASES:
        raise NotExpressible(f"{last - first} cases are too many")
    if outcome:
        pattern = "[|" * (last - first) + here + "]" * (last - first)
        return f"intros {here}; destruct {here} as {pattern}" if last > first else f"intros {here}"
    if last < first:
        return f"intros {here} K; exfalso; unfold between in K; lia"
    either = " \\/ ".join(f"{here} = ({i})%Z" for i in range(first, last + 1))
    nested = "[-> | " * (last - first) + "->" + "]" * (last - first)
    split = f"destruct L as {nested}" if last > first else f"subst {here}"
    return f"intros {here} K; assert (L : ({either})%type) by (unfold between in K; lia); clear K; {split}"


def _need_cases(need: Need, env: Env) -> str:
    """The tactic for a need: below sums every index, below means every outcome; steps of an iteration one by one."""
    parts = []
    for binder in need.binders:
        name = str(binder.args[0].value)
        if binder.op == "iterate":
            parts.append("intros m_ K_; repeat (destruct m_ as [|m_]; [ | try (exfalso; lia)])")
        else:
            lo, hi = (binder.args[1], binder.args[2]) if binder.op != "mean" else (OMEGA, OMEGA)
            parts.append(_every(name, *range_of(lo, hi, name, env), lo == OMEGA))
    return "; ".join([*parts, "compute_fact."])


def _arguments(out: Out, claim: Claim, point: Mapping[str, Any]) -> list[str]:
    sorts, by_ident = sorts_of(claim), {ident(n): n for n in claim.variables}
    shown = []
    for coq, kind in parameters(claim):
        if coq == "Omega":
            shown.append("nat")
        elif coq == "E":
            weights = _weights(claim, point)
            listed = f"[{'; '.join(number(Fraction(w)) for w in weights)}]"
            out.say(f"assert (X : expectation (finite_mean {listed})).")
            with out.block():
                out.say("apply finite_mean_expectation; [repeat constructor; compute_fact | compute_fact].")
            mixed = sorts.get("Omega") == ("R",)
            along = f"(fun f : R -> R => finite_mean {listed} (fun k => f (INR k + 1)))"
            shown.append(along if mixed else f"(finite_mean {listed})")
        elif coq == "HE":
            shown.append("(finite_mean_along (fun k => INR k + 1) _ X)" if sorts.get("Omega") == ("R",) else "X")
        elif kind == "nat":
            shown.append(_count(Fraction(point[by_ident[coq]])))
        elif kind == "R":
            shown.append(number(Fraction(point[by_ident[coq]])))
        else:
            shown.append(_family(point[by_ident[coq]], sorts[by_ident[coq]]))
    return shown


def _count(value: Fraction) -> str:
    """A natural number; a large one is not written in unary."""
    return f"(Z.to_nat {value})" if value > UNARY else f"{value}%nat"


def _weights(claim: Claim, point: Mapping[str, Any]) -> Sequence[str]:
    found = [value for name, value in point.items() if name.startswith("p_") and isinstance(value, list)]
    if not found:
        raise NotExpressible("the point gives no probabilities")
    return list(map(str, found[0]))


def _family(values: Any, sorts: tuple[str, ...]) -> str:
    """A function with these values, at 1, 2, … or where the point says: a polynomial, or cases for outcomes."""
    names = [f"x{i}" for i in range(len(sorts))]
    binders = " ".join(f"({n} : {'nat' if s == 'Omega' else 'R'})" for n, s in zip(names, sorts, strict=True))
    return f"(fun {binders} => {_value(_rows(values), list(zip(names, sorts, strict=True)))})"


def _rows(values: Any) -> Any:
    """Values by their indices; what the point gives as "2, 3" is the value at 2 and 3."""
    if isinstance(values, list):
        return {i: _rows(value) for i, value in enumerate(values, start=1)}
    if not isinstance(values, Mapping):
        return values
    rows: dict[int, Any] = {}
    for key, value in values.items():
        first, _, rest = str(key).partition(",")
        if rest:
            rows.setdefault(int(first), {})[rest.strip()] = value
        else:
            rows[int(first)] = value
    return {first: _rows(value) for first, value in rows.items()}


def _value(values: Any, places: list[tuple[str, str]]) -> str:
    if not places:
        return number(Fraction(values))
    (name, sort), *rest = places
    parts = {at: _value(value, rest) for at, value in values.items()}
    if len(set(parts.values())) <= 1:
        return next(iter(parts.values()), "0")  # no value at all: none is asked for
    if sort == "Omega":
        *cases, last = parts.values()
        shown = " | ".join(f"{i}%nat => {part}" for i, part in enumerate(cases))
        return f"match {name} with {shown} | _ => {last} end"
    return "(" + " + ".join(f"({part}) * {_basis(name, at, list(parts))}" for at, part in parts.items()) + ")"


def _basis(name: str, i: int, every: list[int]) -> str:
    """The polynomial that is 1 at i and 0 at the other indices."""
    others = [j for j in every if j != i]
    scale = Fraction(1)
    for j in others:
        scale *= i - j
    return " * ".join([number(1 / scale), *(f"({name} - {number(Fraction(j))})" for j in others)])


def _refute(out: Out, claim: Claim, env: Env) -> None:
    """Take the conclusions apart and refute the one that fails at the point."""
    names = names_of(claim)
    shown = list(dict.fromkeys(one for goal in claim.goals for one in conclusion(goal, names)))
    parts = [f"C{i}" for i in range(len(shown))]
    out.say(taken_apart("C", parts) if len(parts) > 1 else "rename C into C0.")
    for goal in claim.goals:
        for one, need in relation_needs(goal, names).items():
            if not need.binders and _violated(need, env):
                return out.say(
                    f"compute_false {parts[shown.index(one if not one.startswith('forall') else f'({one})')]}."
                )
        part = parts[shown.index(conclusion(goal, names)[-1])]
        if any(node.op == "exp" for side in (goal.left, goal.right) for node in walk(side)):
            return _refute_by_bounds(out, goal, env, part)
        if _fails(goal, env):
            return out.say(f"compute_false {part}.")
    raise NotExpressible("the conclusion that fails is not told by a plain computation")


def _refute_by_bounds(out: Out, goal: Relation, env: Env, name: str) -> None:
    """Every exp is enclosed by powers of 1 ± x/n; then the relation is false for every value within."""
    powers = dict.fromkeys(part for side in (goal.left, goal.right) for part in walk(side) if part.op == "exp")
    values = {part: _rational(part.args[0], env) for part in powers}
    known = {part: value for part, value in values.items() if value is not None}
    near = (n for n in PARTS if all(abs(value) < n for value in known.values()))
    tried = ((n, {part: _enclosed(value, n) for part, value in known.items()}) for n in near)
    close = next((one for one in tried if _is_false(goal, env, one[1])), None)
    if len(known) < len(values) or close is None:
        raise NotExpressible("exp is not enclosed by rationals closely enough to refute this")
    n, found = close
    for part, value in known.items():
        low, high = found[part]
        shown, bound = f"exp {number(value)}", out.new("B")
        out.say(f"assert ({bound} : {number(low)} <= {shown} <= {number(high)}).")
        with out.block():
            out.say(f"split; [apply (exp_under {n}%nat) | apply (exp_over {n}%nat)]; first [lia | compute_fact].")
        same = f"replace (exp x) with ({shown}) in {name} by (f_equal; compute_fact)"
        out.say(f"match type of {name} with context [exp ?x] => {same} end.")
        out.say(f"revert {bound} {name}; generalize ({shown}); intros {out.new('e')} {bound} {name}.")
    out.say(f"revert {name}; computed; intro {name}; lra.")


def _enclosed(x: Fraction, n: int) -> tuple[Fraction, Fraction]:
    return (1 + x / n) ** n, 1 / (1 - x / n) ** n


def _is_false(goal: Relation, env: Env, found: Mapping[Node, tuple[Fraction, Fraction]]) -> bool:
    """At every corner of the enclosures, of which the sides are linear."""
    names = {part: f"e'{i}" for i, part in enumerate(found)}
    for corner in product(*found.values()):
        sides = goal
        for part, name in names.items():
            sides = replace_relation(sides, part, sym(name))
        here = {**env, **dict(zip(names.values(), map(to_fmpq, corner), strict=True))}
        if not _fails(sides, here):
            return False
    return True


def _violated(need: Need, env: Env) -> bool:
    op = {"nonzero": "!=", "nonnegative": ">=", "positive": ">"}[need.kind]
    try:
        node = determinant(entries(need.node, {})) if shape_of(need.node, {}) is not None else need.node
        return not holds(Relation(op, node, num(0)), env)
    except KernelError:
        return False


def _fails(goal: Relation, env: Env) -> bool:
    try:
        return not holds(goal, env)
    except (Undefined, Undecidable):
        return False
