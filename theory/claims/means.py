"""E(w, …) over random numbers alone, with a function inside or a root outside, in the words for one probability space.

The rules for matrices and samples see numbers as letters and functions of them not at all; `mean(w, …)` is compared
outcome by outcome, where the laws of exp and log, maxima and absolute values serve. Both say the same: a mean that is
positive, linear and normalised. Claims with vectors, several samples at once or a free sample stay as they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

FUNCTIONS = ("exp", "log", "sqrt", "abs", "max", "min", "sin", "cos")


def over_one_space(says: list[str], given: list[str], kinds: Mapping[str, str]) -> tuple[list[str], list[str]] | None:
    """Goals and hypotheses with `mean`, if every declared name is a random number of one space."""
    spaces = {re.fullmatch(r"real\[(\w+)\]", kind.replace(" ", "")) for kind in kinds.values()}
    if len({found and found[1] for found in spaces}) != 1 or None in spaces:
        return None
    try:
        trees = [ast.parse(source.strip(), mode="eval").body for source in (*says, *given)]
    except (SyntaxError, ValueError):
        return None
    samples = [name for tree in trees for name in _samples(tree)]
    inside = any(_is_function(part) for tree in trees for body in _bodies(tree) for part in ast.walk(body))
    inside |= any(_is_of_means(part) for tree in trees for part in ast.walk(tree))
    if not samples or not inside or not all(map(_is_simple, trees)) or any(map(_is_free, trees[: len(says)])):
        return None
    made = [ast.unparse(ast.fix_missing_locations(_Means(samples[0], set(samples)).visit(tree))) for tree in trees]
    return made[: len(says)], made[len(says) :]


def _called(tree: ast.AST) -> str:
    return tree.func.id if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) else ""


def _is_function(tree: ast.AST) -> bool:
    """exp, log, a maximum, and what divides by a random number."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div):
        return any(isinstance(part, ast.Subscript) for part in ast.walk(tree.right))
    return _called(tree) in FUNCTIONS


def _is_of_means(tree: ast.AST) -> bool:
    """A root of means, or what divides by one."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div):
        tree = tree.right
    elif _called(tree) != "sqrt":
        return False
    return bool(next(_samples(tree), ""))


def _bodies(tree: ast.expr) -> Iterator[ast.expr]:
    for part in ast.walk(tree):
        if isinstance(part, ast.Call) and _called(part) in ("E", "forall") and next(_samples(part), ""):
            yield part.args[-1]


def _samples(tree: ast.AST) -> Iterator[str]:
    for part in ast.walk(tree):
        match part:
            case ast.Call(func=ast.Name(id="E"), args=[ast.Name(id=name), _]):
                yield name
            case ast.Call(func=ast.Name(id="forall"), args=[ast.Name(id=name), ast.Call() as over, _]):
                yield from [name] if _called(over) == "sample" else ()


def _is_simple(tree: ast.expr) -> bool:
    """One sample at a time: what stands below a sample has no other one, but for means that do not depend on it."""
    calls = [part for part in ast.walk(tree) if isinstance(part, ast.Call) and _called(part) in ("E", "forall")]
    return all(_is_alone(part) for part in calls)


def _is_alone(call: ast.Call) -> bool:
    sample = call.args[0].id if isinstance(call.args[0], ast.Name) else ""
    inner = [part for arg in call.args[1:] for part in ast.walk(arg) if _called(part) in ("E", "forall")]
    return all(
        isinstance(part, ast.Call)
        and _called(part) == "E"
        and isinstance(part.args[0], ast.Name)
        and (part.args[0].id == sample or not any(isinstance(q, ast.Name) and q.id == sample for q in ast.walk(part)))
        for part in inner
    )


def _is_free(tree: ast.expr) -> bool:
    """Whether an entry stands outside of every mean."""
    within = {id(part) for body in _bodies(tree) for part in ast.walk(body)}
    return any(isinstance(part, ast.Subscript) and id(part) not in within for part in ast.walk(tree))


class _Means(ast.NodeTransformer):
    def __init__(self, sample: str, samples: set[str]) -> None:
        self.sample, self.samples = sample, samples

    def visit_Name(self, tree: ast.Name) -> ast.expr:
        return ast.Name(self.sample) if tree.id in self.samples else tree

    def visit_Call(self, tree: ast.Call) -> ast.expr:
        self.generic_visit(tree)
        match tree:
            case ast.Call(func=ast.Name(id="E"), args=[sample, body]):
                return ast.Call(ast.Name("mean"), [sample, body], [])
            case ast.Call(func=ast.Name(id="forall"), args=[sample, ast.Call(func=ast.Name(id="sample")), body]):
                return ast.Call(ast.Name("forall"), [sample, ast.Name("Omega"), ast.Name("Omega"), body], [])
        return tree
