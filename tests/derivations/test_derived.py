"""Every derivation solves what it came from, is compared with print by the kernel, and feeds the claims."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from theory import derivation
from theory.derivation.compare import same, verdict_on
from theory.derivation.store import find
from theory.derivation.value import Setting
from theory.kernel import Verdict
from theory.ledger.judging import check_all
from theory.papers.sada.derivations import FILE, comparisons, derived, every
from theory.papers.sada.derivations.catalogue import derivations, entry, of
from theory.project import project
from theory.reading.errata import errata

NAMES = tuple(derivations())
every_name = pytest.mark.parametrize("name", NAMES)
REQUIRED = (
    *("update", "A", "c", "q", "inverse", "inverse-noise", "characteristic", "discriminant", "lambda_L", "lambda_U"),
    *("regimes", "x1", "x2", "double-root", "power", "power-complex", "power-double", "recursion", "Pi_11", "Pi_12"),
    *("Pi_21", "Pi_22", "Jury", "Pi_t", "Pi_cross", "power-energy", "bias-weight", "outer-weight", "B-Btilde", "noise"),
    *("L_var", "L_var-gain", "gamma_squared", "theta_squared", "q-eta", "beta", "phase-1", "phase-2"),
)
REFUTED = {
    "A": {"disp:742", "disp:749"},
    "inverse-noise": {"disp:773"},
    "power-complex": {"disp:844"},
    "bias-weight": {"disp:1570"},
    "beta": {"disp:1702"},
    "phase-1": {"disp:1818"},
}


def test_everything_that_was_asked_for_is_derived() -> None:
    assert set(REQUIRED) <= set(NAMES)
    assert len(NAMES) >= 20


@every_name
def test_the_derived_object_solves_what_it_came_from(name: str) -> None:
    assert verdict_on(of(name).solves)[1].verdict is Verdict.PROVED


@every_name
def test_the_kernel_compares_it_with_print_as_recorded(name: str) -> None:
    for place in of(name).places:
        evidence, judgement = verdict_on(place)
        assert judgement.verdict.name == place.expect, f"{place.key}: {judgement.reason}"
        assert bool(evidence.witness) == (place.expect == "REFUTED")


@every_name
def test_what_is_stored_is_what_is_derived_afresh_by_the_kernel(name: str) -> None:
    stored, fresh = find(every(), name), entry(name)
    example = {**of(name).derivation.setting.example}
    free = {str(symbol) for symbol in of(name).derivation.derived.free_symbols}
    setting = Setting(stored.solves.given, dict(stored.solves.where[:-1]), stored.solves.naturals, example)
    usable = setting if free <= _known(setting) else Setting(example=dict.fromkeys(free, "1/3"))
    assert same(name, stored.derived, fresh.derived, usable).verdict is Verdict.PROVED
    assert [place.key for place in stored.places] == [place.key for place in fresh.places]
    assert (stored.title, stored.home, stored.printed) == (fresh.title, fresh.home, fresh.printed)
    for one, other in zip((stored.solves, *stored.places), (fresh.solves, *fresh.places), strict=True):
        plain = ("given", "naturals", "example", "expect", "words", "repairs", "witness", "scope")
        assert [getattr(one, field) for field in plain] == [getattr(other, field) for field in plain]
        assert verdict_on(one)[1].verdict.name == one.expect


def _known(setting: Setting) -> set[str]:
    return {*setting.example, *setting.where}


def test_what_is_refuted_is_exactly_what_we_know() -> None:
    found = {name: {p.display for p in of(name).places if p.expect == "REFUTED"} for name in NAMES}
    assert {name: displays for name, displays in found.items() if displays} == REFUTED


def test_every_comparison_is_an_ordinary_check_of_the_registry() -> None:
    ours = {place.key for one in every().values() for place in one.places}
    assert ours == {key for key in project("sada").checks if ".derived-" in key}
    assert len(comparisons("lem:A-inverse")) == 4


def test_what_is_refuted_is_in_the_errata_with_its_witness_and_what_is_right() -> None:
    keys = [p.key for one in every().values() for p in one.places if p.expect == "REFUTED" or p.repairs]
    found = errata(project("sada").paper, check_all(keys, jobs=1, checks=project("sada").checks).records)
    assert {one.main.display for one in found} == set().union(*REFUTED.values())
    assert all(one.main.witness and one.repairs for one in found)


def test_claims_are_built_from_what_is_derived() -> None:
    from theory.papers.sada.inner_loop import _blocks, _regimes, lem_pi_infinity

    assert derived("A_cq") == _blocks.A_TRUE
    assert derived("discriminant") in _regimes.DISCRIMINANT
    assert derived("x1") in _regimes.X1
    assert derived("x2") in _regimes.X2
    assert all(derived(f"Pi_{ij}") in lem_pi_infinity.PI.values() for ij in ("11", "12", "21"))
    for name, key in (("A_cq", "lem:A-inverse/repaired"), ("Pi_11", "lem:Pi-infinity/sharper#all entries")):
        assert derived(name) in str(project("sada").checks[key].claim.to_json())


def test_nothing_rests_on_simplify() -> None:
    for source in (*FILE.parent.glob("*.py"), *Path(derivation.__file__).parent.glob("*.py")):
        assert not re.search(r"simplify\(|\.equals\(|is_zero|nsimplify", source.read_text("utf-8")), source.name


def test_a_name_that_is_not_derived_is_refused_with_a_hint() -> None:
    with pytest.raises(KeyError, match="did you mean Pi_22"):
        derived("Pi22")


SILENT = """
import sys
from reports.cli import main
main({args!r}, standalone_mode=False)
assert "sympy" not in sys.modules, "sympy was imported"
"""


def test_help_and_a_warm_check_do_not_import_sympy(tmp_path: Path) -> None:
    def run(code: str) -> None:
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]

    run(SILENT.format(args=["--help"]))
    run("from reports.cli import main\nmain(['check', 'lem:A-inverse', '--jobs', '1'], standalone_mode=False)")
    run(SILENT.format(args=["check", "lem:A-inverse", "--jobs", "1"]))
