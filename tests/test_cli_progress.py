"""What a command tells on the way: progress with totals, work that survives Ctrl-C, completion of ids in shells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner, Result

from reports.cli import main
from reports.cli.completion import BASH, SHELLS, VARIABLE
from reports.cli.progress import Bar

LEMMAS = """
from theory import lemma
one = lemma("x**2 >= 0")
two = lemma("x**2 + 1 >= 2*x")
"""


PAPER = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\begin{document}
\begin{lemma}\label{lem:one} \[ x^2 \ge 0 \] \end{lemma}
\begin{lemma}\label{lem:two} \[ x^2 + 1 \ge 2x \] \end{lemma}
\end{document}
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


def test_a_bar_says_how_much_is_done_of_how_much_and_how_long_it_will_take() -> None:
    shown = Bar("judging", started=0.0)
    assert shown.line(12.0) == "judging, 12 s"
    shown(3, 12, "lem:x")
    assert shown.line(6.0) == "judging [#####               ] 3/12, 6 s, 18 s left  lem:x"
    assert len(shown.line(6.0, 40)) < 40, "a line is never wider than the terminal"


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_gets_a_script(shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert VARIABLE in result.output


def test_ids_are_completed_with_statements_and_displays() -> None:
    found = BashComplete(main, {}, "lemmalab", VARIABLE)
    items = [one.value for one in found.get_completions(["--paper", "potentials", "show"], "lem:d")]
    assert "lem:descent" in items
    assert all(one.startswith("lem:d") for one in items)
    assert [one.value for one in found.get_completions([], "rech")] == ["recheck"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_an_id_behind_its_colon(tmp_path: Path) -> None:
    script = tmp_path / "lemmalab"
    code = "from reports.cli import main; main(prog_name='lemmalab')"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}" "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    line = "lemmalab --paper potentials show lem:desc"
    asked = (
        f'{BASH}\nCOMP_LINE="{line}"; COMP_POINT={len(line)}; _lemmalab {script}; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    found = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, env=env, check=True)
    assert found.stdout.split() == ["descent"]


def test_what_was_judged_before_an_interrupt_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from theory.ledger import judging

    (tmp_path / "paper.tex").write_text(PAPER, encoding="utf-8")
    assert run("new", tmp_path / "paper.tex", "--out", tmp_path / "mine").exit_code == 0
    monkeypatch.chdir(tmp_path / "mine")
    whole = judging._referee_all

    def broken(*arguments: Any) -> Any:
        results = iter(whole(*arguments))
        yield next(results)
        raise KeyboardInterrupt

    monkeypatch.setattr(judging, "_referee_all", broken)
    result = run("check", "--fresh", "--jobs", "1")
    assert result.exit_code == 130
    assert "interrupted after 1 of 2 checks; the 1 new proofs" in result.output
    assert not Path("ledger.json").exists()
    monkeypatch.setattr(judging, "_referee_all", whole)
    assert "(1 unchanged," in run("check", "--jobs", "1").output, "the next run goes on where this one was"


def test_a_search_that_is_interrupted_tells_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import reports.cli.hunt as hunt

    (tmp_path / "mine.py").write_text(LEMMAS, encoding="utf-8")
    whole, calls = hunt._hunted, []

    def broken(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return whole(*arguments)

    monkeypatch.setattr(hunt, "_hunted", broken)
    result = run("hunt", tmp_path / "mine.py", "--seconds", "0.4")
    assert result.exit_code == 130
    assert "no violation" in result.output
    assert "1 of 2 checks were searched" in result.output


def test_verdicts_come_first_and_proofs_on_request(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LEMMAS, encoding="utf-8")
    short, long = run("check", tmp_path / "mine.py"), run("check", "-v", tmp_path / "mine.py")
    assert short.output.startswith("one  PROVED")
    assert "proof" in long.output.split("-v")[0]
    assert "  proof\n" not in short.output
    assert "  proof\n" in long.output
