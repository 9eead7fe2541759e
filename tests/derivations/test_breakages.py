"""Break one line of a derivation, such as a sign in the algorithm, and something goes red: kept for every module."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mpmath
import pytest

from theory.derivation.compare import compared
from theory.derivation.opinion import DIGITS, GUARD, agreement
from theory.papers.sada.derivations import FILE
from theory.papers.sada.derivations.catalogue import printed
from theory.provers import driver

HOME = FILE.parent
PACKAGE = "theory.papers.sada.derivations"
BREAKAGES = (  # the file, the line as it is, the line as it is not, the module in which it shows
    ("algorithm", "y - eta * g)", "y + eta * g)", "block"),
    ("algorithm", "(x + theta * z) / (1 + theta)", "(x - theta * z) / (1 + theta)", "update"),
    ("algorithm", "(1 - theta) * z - gam * g", "(1 - theta) * z + gam * g", "block"),
    ("algorithm", "theta * y + (1 - theta) * z", "theta * y + (1 + theta) * z", "block"),
    ("algorithm", "p * y - e", "p * y + e", "update"),
    ("algorithm", "y - eta * g)", "y + eta * g)", "inverse"),
    ("algorithm", "y - eta * g)", "y + eta * g)", "stationary"),
    ("algorithm", "theta * y + (1 - theta) * z", "theta * y + (1 + theta) * z", "energies"),
    ("block", "factor(-block_of_a_sample().derived[1, 0])", "factor(block_of_a_sample().derived[1, 0])", "block"),
    ("inverse", "EYE - in_letters()\n", "EYE + in_letters()\n", "inverse"),
    ("spectrum", "(X * EYE - block).det()", "(X * EYE + block).det()", "spectrum"),
    ("spectrum", "sympy.Eq(c * (q - eta), t**2)", "sympy.Eq(c * (q + eta), t**2)", "spectrum"),
    ("powers", "alpha * in_letters() + beta * EYE", "alpha * in_letters() - beta * EYE", "powers"),
    ("powers", "sine * cs - cosine * sn", "sine * cs + cosine * sn", "powers"),
    ("stationary", "UNKNOWN * in_letters().T + NOISE", "UNKNOWN * in_letters().T - NOISE", "stationary"),
    ("stationary", "1 + trace + determinant", "1 + trace - determinant", "stationary"),
    ("covariances", "solution() - power * solution()", "solution() + power * solution()", "covariances"),
    ("covariances", "left * UNKNOWN * right - NOISE)", "left * UNKNOWN * right + NOISE)", "covariances"),
    ("energies", "(after[1] - after[0]) ** 2", "(after[1] + after[0]) ** 2", "energies"),
    ("energies", "(x_after - y) / th", "(x_after - y) * th", "energies"),
    ("moments", "(mean - replaced", "(mean + replaced", "moments"),
    ("tail", "ROW * in_letters() + FIRST", "ROW * in_letters() - FIRST", "tail"),
    ("tail", "(EYE - W) * constant", "(EYE + W) * constant", "tail"),
    ("choices", "16 * kt * theta * gam", "4 * kt * theta * gam", "choices"),
    ("outer", "(1 / tp - 1) * (x - before)", "(1 / tp + 1) * (x - before)", "outer"),
    ("recursion", "rest, (1 - a * top) * rest", "rest, (1 + a * top) * rest", "recursion"),
    ("recursion", "(b + j - 2) - ansatz", "(b + j - 1) - ansatz", "recursion"),
)  # fmt: skip


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for packages that are thrown away."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("broken")]:
        del sys.modules[name]


def copied(workshop: Path, change: tuple[str, str, str] | None) -> str:
    """The package under another name, with one line changed."""
    package = "broken"
    (workshop / package).mkdir()
    for source in HOME.glob("*.py"):
        text = source.read_text("utf-8").replace(PACKAGE, package)
        if change and source.stem == change[0]:
            assert text.count(change[1]) >= 1, f"{source.name} no longer holds {change[1]!r}; break it elsewhere"
            text = text.replace(change[1], change[2])
        (workshop / package / source.name).write_text(text, "utf-8")
    return package


def red(package: str, module: str) -> list[str]:
    """What a test would see: no derivation, no proof of what it came from or of what is printed, or no agreement."""
    rooms = [importlib.import_module(f"{package}.{name}") for name in (module, "symbols", "_draws")]
    return [name for make in rooms[0].ALL for name in _red(make, rooms[1].LATEX, rooms[2].FAMILIES)]


def _red(make: Any, latex: dict[str, str], families: dict[str, Any]) -> Iterator[str]:
    try:
        one = make()
        found = compared(one, latex, printed())
        with mpmath.workdps(DIGITS + GUARD):
            points = list(families[one.opinion.family](random.Random(0), 1))
        agreed = agreement(one, points)
    except (IndexError, KeyError, ValueError, TypeError, ZeroDivisionError, AttributeError) as error:
        yield f"{make.__name__}: {error}"
        return
    yield from (one.name for at in agreed if at.digits < DIGITS)
    for claim in (found.solves, *found.places):
        if (
            claim.expect == "PROVED"
            and driver.prove(claim.claim, {}, driver.quick(), list(claim.proof) or None) is None
        ):
            yield claim.key


@pytest.mark.parametrize(("file", "right", "wrong", "module"), BREAKAGES)
def test_a_broken_line_goes_red(workshop: Path, file: str, right: str, wrong: str, module: str) -> None:
    assert red(copied(workshop, (file, right, wrong)), module)


@pytest.mark.parametrize("module", sorted({one[-1] for one in BREAKAGES}))
def test_an_unbroken_copy_stays_green(workshop: Path, module: str) -> None:
    assert red(copied(workshop, None), module) == []


def test_every_module_of_derivations_is_broken_somewhere() -> None:
    from theory.papers.sada.derivations.catalogue import MODULES

    assert set(MODULES) == {one[-1] for one in BREAKAGES}
