"""`lemmalab check`, `show`, `recheck`: exit codes, one clear message each, data on stdout, whole files or none."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from reports.cli.check import outcome
from tests.cli_lab import Lab, lab, module, use
from tests.theory import standin
from theory.kernel import Claim, Verdict
from theory.ledger.judging import check_all, load, save

__all__ = ["lab"]


def test_checking_everything_is_fine_and_writes_the_ledger(lab: Lab) -> None:
    done = lab.run("check")
    assert done.exit_code == 0, done.output
    assert "9 checks: 6 proved, 2 refuted, 1 supported; all as expected" in done.stdout
    assert lab.files() == ["ledger.json"]
    assert json.loads((lab.folder / "ledger.json").read_text())["format"] == "lemmalab ledger"


def test_a_second_run_proves_nothing_again(lab: Lab) -> None:
    lab.run("check")
    standin.CALLS.clear()
    done = lab.run("check")
    assert "9 unchanged" in done.stdout
    assert standin.CALLS == []
    lab.run("check", "--fresh")
    assert len(standin.CALLS) == 9


def test_two_ledgers_differ_in_their_timings_only(lab: Lab) -> None:
    for name in ("a.json", "b.json"):
        lab.run("check", "--ledger", name, "--seed", "7")
    one, other = (json.loads((lab.folder / name).read_text()) for name in ("a.json", "b.json"))
    assert one.pop("timings") is not None
    assert other.pop("timings") is not None
    assert one == other
    assert one["header"]["seed"] == 7


@pytest.mark.parametrize(
    ("asked", "keys"),
    [
        ("lem:bound", ["lem:bound", "lem:bound/repaired"]),
        ("lem:means/disp:2.1", ["lem:means/disp:2.1"]),
        ("disp:2", ["lem:means/disp:2.1", "lem:means/disp:2.2"]),
        ("lem:user#power", ["lem:user#power"]),
    ],
)
def test_an_id_is_a_statement_a_check_or_a_display(lab: Lab, asked: str, keys: list[str]) -> None:
    found = lab.json("check", asked)
    assert found["asked"] == keys
    assert found["exit"] == 0


def test_for_one_statement_the_scope_and_the_witness_are_told(lab: Lab) -> None:
    shown = lab.run("check", "lem:bound").stdout
    assert "lem:bound: false; the kernel has re-checked an exact witness\n  at x = 1/2" in shown
    assert "where the left side is 1/4 and the right side 1/5" in shown
    assert "lem:bound/repaired: proved for all parameters" in shown
    assert "scope: all parameters that satisfy the hypotheses" in shown


def test_checking_one_statement_keeps_the_others_in_the_ledger(lab: Lab) -> None:
    lab.run("check")
    lab.run("check", "lem:bound")
    assert len(json.loads((lab.folder / "ledger.json").read_text())["checks"]) == 9


def test_an_unknown_id_gets_close_matches_and_writes_nothing(lab: Lab) -> None:
    done = lab.run("check", "lem:boundd")
    assert done.exit_code == 2
    assert "no statement, display or check has the id 'lem:boundd'; did you mean lem:bound" in done.stderr
    assert lab.files() == []


def test_a_display_without_a_check_is_inconclusive_not_fine(lab: Lab) -> None:
    done = lab.run("check", "disp:130")
    assert done.exit_code == 3
    assert "disp:130 (line 130) has no check yet" in done.stderr


def test_an_empty_registry_is_never_fine(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, {})
    for command in (("check",), ("errata",), ("graph",), ("report",)):
        done = lab.run(*command)
        assert done.exit_code == 3, command
        assert "holds no check at all" in done.stderr


@pytest.mark.parametrize(
    ("verdict", "expected", "code"),
    [
        (Verdict.PROVED, Verdict.PROVED, 0),
        (Verdict.REFUTED, Verdict.REFUTED, 0),
        (Verdict.REFUTED, Verdict.PROVED, 1),
        (Verdict.SUPPORTED, Verdict.PROVED, 1),
        (Verdict.PROVED, Verdict.SUPPORTED, 1),
        (Verdict.UNDECIDED, Verdict.PROVED, 3),
        (Verdict.UNDECIDED, Verdict.UNDECIDED, 3),
    ],
)
def test_the_exit_code_tells_what_happened(
    monkeypatch: pytest.MonkeyPatch, verdict: Verdict, expected: Verdict, code: int
) -> None:
    standin.install(monkeypatch)
    record = check_all(["lem:bound/repaired"], jobs=1, checks=standin.CHECKS).records[0]
    judged = replace(record, judgement=replace(record.judgement, verdict=verdict), expected=expected)
    assert outcome([judged]) == code


def test_a_verdict_that_falls_short_outranks_an_undecided_one(monkeypatch: pytest.MonkeyPatch) -> None:
    standin.install(monkeypatch)
    record = check_all(["lem:bound/repaired"], jobs=1, checks=standin.CHECKS).records[0]
    open_ = replace(record, judgement=replace(record.judgement, verdict=Verdict.UNDECIDED))
    short = replace(record, judgement=replace(record.judgement, verdict=Verdict.REFUTED))
    assert outcome([open_, short, record]) == 1


def test_a_check_that_falls_short_is_told_apart(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    weak = replace(standin.CHECKS["lem:means"], expect=Verdict.SUPPORTED)
    statement = replace(standin.MEANS, checks=(weak, *standin.MEANS.checks[1:]))
    use(monkeypatch, {**standin.STATEMENTS, "lem:means": statement})
    done = lab.run("check", "lem:means")
    assert done.exit_code == 1
    assert "expected SUPPORTED" in done.stdout


def test_a_referee_that_fails_is_an_internal_error_and_the_rest_is_judged(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = replace(standin.CHECKS["lem:means"], proof=lambda claim: {}["nothing"])
    statement = replace(standin.MEANS, checks=(broken, *standin.MEANS.checks[1:]))
    use(monkeypatch, {**standin.STATEMENTS, "lem:means": statement})
    done = lab.run("check")
    assert done.exit_code == 4
    assert "the referee failed on lem:means with KeyError" in done.stdout
    assert "lem:bound" in done.stdout


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "lemmalab ledger", "schema": 99}'])
def test_a_broken_ledger_in_the_way_is_left_alone_and_named(lab: Lab, text: str) -> None:
    lab.write("ledger.json", text)
    for command in (
        ("check",),
        ("show", "lem:bound", "--ledger", "ledger.json"),
        ("errata",),
        ("recheck", "ledger.json"),
    ):
        done = lab.run(*command)
        assert done.exit_code == 2, (command, done.output)
        assert "ledger.json" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
    assert (lab.folder / "ledger.json").read_text() == text
    assert lab.files() == ["ledger.json"]
    assert lab.run("check", "--fresh").exit_code == 0


def test_a_place_that_cannot_be_written_is_refused_before_the_work(lab: Lab) -> None:
    lab.write("file", "")
    done = lab.run("check", "--ledger", "file/ledger.json")
    assert done.exit_code == 2
    assert "file/ledger.json cannot be written" in done.stderr
    assert standin.CALLS == []


def test_recheck_passes_and_says_what_rests_on_the_kernel(lab: Lab) -> None:
    lab.run("check")
    done = lab.run("recheck", "ledger.json")
    assert done.exit_code == 0
    assert "9 checks: 8 verdicts re-derived by the kernel" in done.stdout
    assert lab.json("recheck", "ledger.json")["passed"] is True


def test_another_claim_under_an_id_of_the_paper_is_named(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.run("check")
    other = replace(standin.CHECKS["lem:means"], claim=Claim("lem:means", ("0 <= 1",)))
    statement = replace(standin.MEANS, checks=(other, *standin.MEANS.checks[1:]))
    use(monkeypatch, {**standin.STATEMENTS, "lem:means": statement})
    done = lab.run("recheck", "ledger.json")
    assert done.exit_code == 1
    assert "lem:means: claim: is proved or refuted here, but it is not what this version reads" in done.stdout
    assert [one["key"] for one in lab.json("recheck", "ledger.json")["findings"]] == ["lem:means"]


def test_recheck_runs_where_no_prover_and_no_solver_can_be_imported(lab: Lab) -> None:
    lab.run("check")
    script = (
        "import sys\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('sympy', 'z3', 'cvc5', 'scipy', 'numpy', 'numba', 'hypothesis'):\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Block())\n"
        "from reports.cli import main\n"
        "main(['recheck', sys.argv[1]])\n"
    )
    run = [sys.executable, "-c", script, str(lab.folder / "ledger.json")]
    done = subprocess.run(run, capture_output=True, text=True)
    assert "8 verdicts re-derived by the kernel" in done.stdout
    assert done.returncode == 1, done.stderr  # it is compared with the shipped paper, which it is not of
    assert "lem:means: key: stands in the ledger, but the project declares no such check" in done.stdout
    assert "not compared" not in done.stdout, "every statement of the paper is read without numpy and sympy"
    assert "lem:means: the kernel" not in done.stdout


def test_recheck_finds_a_changed_digit_and_says_where(lab: Lab) -> None:
    lab.run("check")
    path = lab.folder / "ledger.json"
    whole = path.read_text()
    assert whole.count('"x": "1/2"') == 1
    path.write_text(whole.replace('"x": "1/2"', '"x": "1/3"'))
    done = lab.run("recheck", "ledger.json")
    assert done.exit_code == 1
    assert "BROKEN  lem:bound: evidence.witness: was changed after it was written" in done.stdout
    (finding, *_) = lab.json("recheck", "ledger.json")["findings"]
    assert (finding["key"], finding["path"]) == ("lem:bound", "evidence.witness")


def test_recheck_of_a_file_that_is_not_there_says_how_to_make_it(lab: Lab) -> None:
    done = lab.run("recheck", "nowhere.json")
    assert done.exit_code == 2
    assert "nowhere.json does not exist; write it with `lemmalab check --ledger nowhere.json`" in done.stderr


def test_show_puts_formula_proof_and_verdict_together(lab: Lab) -> None:
    lab.run("check")
    done = lab.run("show", "lem:means")
    assert done.exit_code == 0, done.output
    for part in (
        "2ab ≤ a² + b²",
        "PROVED",
        "Identity: [a² + b² − 2·a·b]",
        "= (a-b)²",
        "steps:",
        "the cross term is lost",
        "used by:",
        "lem:user",
    ):
        assert part in done.stdout, part


def test_show_evaluates_both_sides_at_the_witness(lab: Lab) -> None:
    shown = lab.run("show", "lem:bound").stdout
    assert "witness   x = 1/2" in shown
    assert "is 1/4 = 0.25, the right side 1/5 = 0.2" in shown


def test_show_writes_an_induction_out(lab: Lab) -> None:
    shown = lab.run("show", "lem:user#power").stdout
    assert "By induction on k, with p = x^k" in shown
    assert "Invariant: p ≤ 1; p ≥ 0" in shown


def test_show_as_json_holds_the_proof_and_the_neighbours(lab: Lab) -> None:
    found = lab.json("show", "lem:user")
    assert [check["verdict"] for check in found["checks"]] == ["PROVED", "PROVED"]
    assert any("By lem:means" in line for line in found["checks"][0]["proof"])


def test_show_does_not_believe_a_ledger_whose_seals_were_made_anew(lab: Lab) -> None:
    lab.run("check")
    path = lab.folder / "ledger.json"
    found = load(path)
    refuted = next(record for record in found.records if record.verdict is Verdict.REFUTED)
    magic = replace(refuted.judgement, verdict=Verdict.PROVED, reason="by magic")
    forged = [replace(r, judgement=magic) if r.key == refuted.key else r for r in found.records]
    save(replace(found, records=tuple(forged)), path)
    assert "by magic" in path.read_text()
    done = lab.run("show", refuted.key)
    assert "REFUTED" in done.stdout
    assert "by magic" not in done.stdout


def test_show_uses_the_ledger_where_it_is_current(lab: Lab) -> None:
    lab.run("check")
    standin.CALLS.clear()
    lab.run("show", "lem:bound")
    assert standin.CALLS == []
    assert lab.run("show", "lem:nothing").exit_code == 2


def test_nothing_but_data_reaches_stdout_and_no_colour_a_pipe(lab: Lab) -> None:
    done = lab.run("check", "lem:bound")
    assert "\x1b[" not in done.output
    assert done.stderr == ""


def test_an_unknown_command_gets_a_close_match() -> None:
    done = Lab(Path()).run("chek")
    assert done.exit_code == 2
    assert "there is no command 'chek'; did you mean check" in done.stderr


def test_a_defect_is_one_message_and_exit_code_4(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(where: object = None) -> None:
        raise RuntimeError("the sky is falling")

    monkeypatch.setattr(module, "project", broken)
    done = lab.run("coverage")
    assert done.exit_code == 4
    assert "internal error: RuntimeError: the sky is falling" in done.stderr
    assert "LEMMALAB_DEBUG=1" in done.stderr


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys\nfrom reports.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'sympy', 'scipy', 'flint', 'rich', 'jinja2', 'hypothesis', 'joblib', 'theory', 'numba'}\n"
        "sys.exit(repr(sorted(heavy & set(sys.modules))) if heavy & set(sys.modules) else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Exit codes" in done.stdout
