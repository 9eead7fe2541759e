"""Mutants of the source are what they say, run in a copy, and a test suite that looks away is found out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.trust import source_mutants as lab
from tests.trust.source_mutants import ENGINE, KERNEL, Room, Target, expand, mutated, run, sampled, source_mutants

SOURCE = '''"""Words of 3."""
@decorated(5)
def f(x: int = 1) -> bool:
    if x < 0 and not x == -2:
        raise ValueError(x + 7)
    return x + 1 >= 2
'''
TESTED = "from theory.kernel.small import size\n\n\ndef test_it():\n    assert size(3) == 4\n"
BLIND = "from theory.kernel.small import size\n\n\ndef test_it():\n    size(3)\n"


def small_tree(folder: Path, test: str) -> Target:
    for name in ("theory", "theory/kernel", "tests"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("")
    (folder / "theory" / "kernel" / "small.py").write_text("def size(x):\n    return x + 1\n")
    (folder / "tests" / "test_small.py").write_text(test)
    return Target("small", (Room(("theory/kernel/small.py",), (("tests/test_small.py",),)),))


def test_every_slip_is_made_once_and_nothing_else_is_touched() -> None:
    made = [mutated(one, SOURCE) for one in source_mutants("f.py", SOURCE)]
    assert len(set(made)) == len(made)
    changed = {line.strip() for text in made for line in text.splitlines()} - {
        line.strip() for line in mutated_nothing().splitlines()
    }
    assert changed == {
        "def f(x: int=2) -> bool:",
        "if x < 0 or not x == -2:",
        "if x <= 0 and (not x == -2):",
        "if x < 1 and (not x == -2):",
        "if x < 0 and (not not x == -2):",
        "if x < 0 and (not x != -2):",
        "if x < 0 and (not x == +2):",
        "if x < 0 and (not x == -3):",
        "pass",
        "return None",
        "return x + 1 > 2",
        "return x - 1 >= 2",
        "return x + 2 >= 2",
        "return x + 1 >= 3",
    }


def mutated_nothing() -> str:
    import ast

    return ast.unparse(ast.parse(SOURCE))


def test_a_test_that_looks_kills_and_one_that_looks_away_does_not(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    good = run(small_tree(tmp_path / "a", TESTED), 10, np.random.default_rng(0), tmp_path / "a", jobs=2)
    blind = run(small_tree(tmp_path / "b", BLIND), 10, np.random.default_rng(0), tmp_path / "b")
    assert (good.made, good.killed) == (3, 3)
    assert (blind.made, blind.killed) == (3, 0)
    assert blind.survivors[0].startswith("theory/kernel/small.py:2: return")


def test_tests_that_fail_without_a_mutant_are_no_measure(tmp_path: Path) -> None:
    target = small_tree(tmp_path, TESTED.replace("== 4", "== 5"))
    with pytest.raises(RuntimeError, match="fail without any mutant"):
        run(target, 1, np.random.default_rng(0), tmp_path)


def test_the_tree_itself_is_not_written_to(tmp_path: Path) -> None:
    target = small_tree(tmp_path, TESTED)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.py")}
    run(target, 3, np.random.default_rng(0), tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.py")} == before


def test_an_endless_mutant_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.py").write_text("import time\n\n\ndef test_it():\n    time.sleep(60)\n")
    monkeypatch.setattr(lab, "SECONDS", 1.5)
    assert not lab._passes((("t.py",),), tmp_path)


def test_the_same_seed_samples_the_same_mutants_of_the_kernel() -> None:
    files = expand(KERNEL.rooms[0].files)
    first, second = (sampled(files, 20, np.random.default_rng(1)) for _ in range(2))
    assert first == second
    assert len({str(one.file) for one in first}) > 3


def test_every_module_of_the_kernel_and_of_the_numerics_has_a_room_whose_tests_exist() -> None:
    for target, patterns in ((KERNEL, ("theory/kernel/*.py",)), (ENGINE, ("numerics/**/*.py",))):
        covered = [file for room in target.rooms for file in expand(room.files)]
        assert len(covered) == len(set(covered))
        assert {*expand(patterns)} - {*covered} <= {"numerics/__init__.py", "numerics/errors.py"}
        assert all((lab.ROOT / test).exists() for room in target.rooms for group in room.tests for test in group)


def test_a_survivor_is_shown_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "_reasons", lambda: {"a/b.py: constant: 2 for 1": "it does not matter"})
    assert lab.explained("a/b.py:17: constant: 2 for 1") == "a/b.py:17: constant: 2 for 1: it does not matter"
    assert lab.explained("a/b.py:17: sign: -x").endswith("not explained: a test is missing")
