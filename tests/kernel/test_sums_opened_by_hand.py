"""Sums and means opened by hand: which atoms are left, what stands before them, and how they are written back."""

from __future__ import annotations

import pytest

from theory.kernel import Malformed
from theory.kernel.evaluate import Mat
from theory.kernel.flat import Atoms, fraction_node, fractions_of, polynomial_node, pulled_out, scalars_of
from theory.kernel.lang import parse, text


def same(one: str, other: str) -> bool:
    _, (first, second), _ = fractions_of([parse(one), parse(other)])
    return first == second


def atoms_of(source: str) -> set[str]:
    atoms = Atoms()
    atoms.flatten(parse(source))
    return set(atoms.by_name)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("sum(i, 1, n, v[i])", {"sum(1..n; v[#])"}),
        ("sum(j, 2, m, v[j]**2*u[j])", {"sum(2..m; u[#]*v[#]**2)"}),
        ("mean(w, X[w])", {"mean(X[#])"}),
        ("mean(w, 3*a)", set()),
        ("mean(w, X[w] + 1)", {"mean(X[#])"}),
        ("sum(i, 1, n, 3*a)", {"sum(1..n; 1)"}),
        ("sum(i, 1, n, i*a)", {"sum(1..n; #)"}),
        ("sum(i, 1, n, 1/(v[i] + 1))", {"sum(1..n; 1/(v[#] + 1))"}),
        ("sum(i, 1, n, a*u[i]/(v[i] + 2))", {"sum(1..n; u[#]/(v[#] + 2))"}),
        ("sum(i, 1, n, u[i]/(2*v[i]))", {"sum(1..n; u[#]/v[#])"}),
        ("sum(i, 1, n, u[i]/(a*v[i]**2))", {"sum(1..n; u[#]/v[#]**2)"}),
        ("sum(i, 1, n, (u[i] + v[i])**2)", {"sum(1..n; u[#]**2)", "sum(1..n; u[#]*v[#])", "sum(1..n; v[#]**2)"}),
        ("sum(i, 1, n, v[i] - v[i])", set()),
        ("sum(i, 1, n, sqrt(v[i])*a)", {"sum(1..n; sqrt(v[#]))"}),
        ("sum(i, 1, n, sqrt(x)*a)", {"sum(1..n; 1)"}),
    ],
)
def test_a_sum_is_opened_into_these_atoms(source: str, names: set[str]) -> None:
    assert atoms_of(source) == names


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x**(k + 0)", "x**k"),
        ("x**(k + 1)", "x*x**k"),
        ("x**((k + 1) + 2)", "x**3*x**k"),
        ("sum(i, 1, n, a*u[i]/(v[i] + 1))", "a*sum(i, 1, n, u[i]/(v[i] + 1))"),
        ("sum(i, 1, n, u[i]/(a*v[i] + a))", "sum(i, 1, n, u[i]/(v[i] + 1))/a"),
        ("sum(i, 1, n, (u[i] + b*v[i])/(a + 1))", "(sum(i, 1, n, u[i]) + b*sum(j, 1, n, v[j]))/(1 + a)"),
        ("sum(i, 1, n, 2*a)", "2*a*sum(i, 1, n, 1)"),
        ("mean(w, (X[w] - a)**2)", "mean(w, X[w]**2) - 2*a*mean(w, X[w]) + a**2"),
        ("mean(w, a/3)", "a/3"),
        ("[a, b][2]", "b"),
        ("[a, b].T[1][2]", "b"),
        ("sum(i, 1, n, 0)", "0"),
        ("(a + b)**2", "a**2 + 2*a*b + b**2"),
        ("sum(i, 1, n, u[i]*sum(j, 1, m, v[j]))", "sum(i, 1, n, u[i])*sum(i, 1, m, v[i])"),
        ("sum(i, 1, n, sum(j, 1, m, u[i]*v[j]))", "sum(j, 1, m, v[j])*sum(i, 1, n, u[i])"),
    ],
)
def test_two_ways_to_write_a_formula_are_one(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x**(k + -1)", "x**k/x"),
        ("x**(k + 1)", "x**k"),
        ("sum(i, 1, n, v[i])", "sum(i, 2, n, v[i])"),
        ("sum(i, 1, n, v[i])", "sum(i, 1, n, u[i])"),
        ("[a, b][1]", "[a, b][2]"),
        ("sum(i, 1, n, 2)", "2"),
        ("mean(w, X[w]*Y[w])", "mean(w, X[w])*mean(w, Y[w])"),
        ("sum(i, 1, n, u[i]/(v[i] + 1))", "sum(i, 1, n, u[i])/sum(i, 1, n, v[i] + 1)"),
        ("x**k", "x**m"),
    ],
)
def test_different_formulas_stay_different(one: str, other: str) -> None:
    assert not same(one, other)


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ("x*sum(i, 1, n, v[i])", "x*(sum(i, 1, n, v[i]))"),
        ("mean(w, a*X[w])", "a*mean(w, X[w])"),
        ("sum(i, 1, n, sqrt(v[i]))", "sum(i, 1, n, sqrt(v[i]))"),
        ("a + v[2] - sqrt(x)", "a + v[2] - sqrt(x)"),
    ],
)
def test_atoms_are_written_back_as_they_were(source: str, written: str) -> None:
    atoms = Atoms()
    back = atoms.restore(atoms.flatten(parse(source)))
    assert text(back).replace("1*", "") == written


@pytest.mark.parametrize(
    ("source", "factors"),
    [
        ("sum(i, 1, n, v[i]/a)", ["a"]),
        ("sum(i, 1, n, v[i]/(2*a + 2))", ["a + 1"]),
        ("sum(i, 1, n, v[i]/(a*b**2*(v[i] + b)))", ["a", "b"]),
        ("sum(i, 1, n, 1/v[i])", []),
        ("sum(i, 1, n, 1/i)", []),
        ("sum(i, 1, n, v[i]/sqrt(x))", ["sqrt(x)"]),
        ("sum(i, 1, n, v[i]/u[2])", ["u[2]"]),
        ("sum(i, 1, n, a*v[i])", []),
        ("sum(i, 1, n, 1/(i - i))", []),
        ("sum(i, 1, n, [i, 1/a])", []),
    ],
)
def test_divisors_that_leave_a_sum_are_named(source: str, factors: list[str]) -> None:
    assert sorted(map(text, pulled_out(parse(source)))) == factors


def test_fractions_are_written_back() -> None:
    for source in ("0", "1", "x", "-x", "3*x", "1/2", "x**2 + y", "x*y**2", "x/y", "x/(y + 1)", "(2*x - 3)/(x*y + 1)"):
        ring, (value,), _ = scalars_of([parse(source)])
        assert same(text(fraction_node(value, ring.names)), source)
    ring, (value,), _ = scalars_of([parse("x**2*y - 3/2*x + 1")])
    assert text(polynomial_node(value.num, ring.names)) == "x**2*y + -3/2*x + 1"
    ring, (value,), _ = scalars_of([parse("7/2 + x - x")])
    assert text(polynomial_node(value.num, ring.names)) == "7/2"
    assert text(polynomial_node(value.num - value.num, ring.names)) == "0"


@pytest.mark.parametrize(
    ("source", "refusal"),
    [
        ("sum(i, 1, n, [i, 1])", "a sum of matrices is taken entry by entry"),
        ("mean(w, [X[w], 1])", "a sum of matrices is taken entry by entry"),
        ("[a, b][k]", "entries are counted from 1 to 2, with plain numbers"),
        ("sqrt([1, 2])", "do not fit together"),
        ("[[1, 2], [3, 4]]**k", "is a matrix, and a number is needed"),
        ("iterate(s, k, [1, 2], s)", "is a matrix, and a number is needed"),
    ],
)
def test_a_matrix_is_never_one_symbol(source: str, refusal: str) -> None:
    with pytest.raises(Malformed, match=refusal):
        fractions_of([parse(source)])


def test_a_matrix_is_no_number_and_no_formulas_are_no_trouble() -> None:
    with pytest.raises(Malformed, match="a matrix stands where a number is needed"):
        scalars_of([parse("x"), parse("[1, x]")])
    _, (value,), _ = fractions_of([parse("[[a, 1], [0, b]]**2")])
    assert isinstance(value, Mat)
    assert fractions_of([])[1] == []
