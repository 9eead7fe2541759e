"""A factor dropped from, or added to, a formula that passes is found, wherever the factor carries weight."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.sada import check_formula, entries, symbols
from theory.claims.symbols import Convention
from theory.detectors.language import Chain, Formula, parse_expression

FACTORS = ("L_l", "mu", "R2", "eta", "h", "lam_i", "Sigma", "H", "Q")
SCALAR_FACTORS = ("L_l", "mu", "R2", "eta", "h")


def clean_formulas() -> Iterator[tuple[str, Formula, Convention]]:
    for entry in entries().values():
        for formula in entry.formulas:
            if not check_formula(formula, entry.convention):
                yield entry.id, formula, entry.convention


CLEAN = list(clean_formulas())


def is_zero(side: ast.expr) -> bool:
    return ast.unparse(side) in ("0", "O", "dots")


def with_side(formula: Formula, chain: int, side: int, new: ast.expr) -> Formula:
    sides = list(formula.chains[chain].sides)
    sides[side] = new
    chains = list(formula.chains)
    chains[chain] = Chain(tuple(sides), formula.chains[chain].signs)
    return replace(formula, chains=tuple(chains))


def added_to_a_side(formula: Formula, factor: str) -> Iterator[Formula]:
    """One side multiplied by the factor; pointless where nothing but zero stands on the other sides."""
    for c, chain in enumerate(formula.chains):
        if sum(not is_zero(side) for side in chain.sides) > 1:
            for i, side in enumerate(chain.sides):
                if not is_zero(side):
                    yield with_side(formula, c, i, parse_expression(f"{factor}*({ast.unparse(side)})"))


class Occurrences(ast.NodeTransformer):
    """Replaces the n-th occurrence of a name, or the n-th summand, and counts them."""

    def __init__(self, target: int, name: str, factor: str = "") -> None:
        self.target, self.name, self.factor, self.seen = target, name, factor, 0

    def _hit(self) -> bool:
        self.seen += 1
        return self.seen == self.target + 1

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return node  # indices carry no factors

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(1) if not self.factor and node.id == self.name and self._hit() else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if self.factor and isinstance(node.op, ast.Add | ast.Sub) and not is_zero(node.right) and self._hit():
            right = parse_expression(f"{self.factor}*({ast.unparse(node.right)})")
            return ast.BinOp(node.left, node.op, right)
        return node


def rewritten(formula: Formula, name: str, factor: str) -> Iterator[Formula]:
    for c, chain in enumerate(formula.chains):
        if sum(not is_zero(side) for side in chain.sides) < 2 and not factor:
            continue  # mu > 0: a factor dropped from the only side leaves nothing to disagree with
        for i, side in enumerate(chain.sides):
            target = 0
            while True:
                change = Occurrences(target, name, factor)
                new = change.visit(parse_expression(ast.unparse(side)))
                if change.seen <= target:
                    break
                yield with_side(formula, c, i, parse_expression(ast.unparse(ast.fix_missing_locations(new))))
                target += 1


def carries_weight(factor: str, convention: Convention) -> bool:
    return bool(symbols()[factor].weight_in(convention))


@pytest.mark.parametrize("factor", SCALAR_FACTORS)
def test_a_factor_added_to_one_side_of_any_clean_relation_is_found(factor: str) -> None:
    mutants = 0
    for id_, formula, convention in CLEAN:
        if carries_weight(factor, convention):
            for mutant in added_to_a_side(formula, factor):
                mutants += 1
                assert check_formula(mutant, convention), f"{id_}: {ast.unparse(mutant.chains[-1].sides[-1])}"
    assert mutants > 500


@pytest.mark.parametrize("factor", ["L_l", "eta", "h"])
def test_a_factor_added_to_one_summand_of_any_clean_formula_is_found(factor: str) -> None:
    mutants = 0
    for id_, formula, convention in CLEAN:
        if carries_weight(factor, convention):
            for mutant in rewritten(formula, "", factor):
                mutants += 1
                assert check_formula(mutant, convention), f"{id_}: {[ast.unparse(s) for s in mutant.chains[-1].sides]}"
    assert mutants > 100


@pytest.mark.parametrize("factor", FACTORS)
def test_a_factor_dropped_from_any_clean_formula_is_found(factor: str) -> None:
    mutants = 0
    for id_, formula, convention in CLEAN:
        if carries_weight(factor, convention):
            for mutant in rewritten(formula, factor, ""):
                mutants += 1
                assert check_formula(mutant, convention), f"{id_}: {[ast.unparse(s) for s in mutant.chains[-1].sides]}"
    assert mutants > 10


def test_in_the_h_equals_one_convention_a_factor_h_is_a_pure_number() -> None:
    assert not carries_weight("h", Convention.H1)
    assert carries_weight("h", Convention.STANDARD)
