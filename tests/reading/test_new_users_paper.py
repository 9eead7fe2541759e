"""A paper in several files with everything that authors do, made into a project and refereed as a new user would."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reading.test_new_and_sync import rows, run, stub_of
from theory.detectors.registry import detect
from theory.project import project
from theory.reading.latex.atoms import Unreadable, atoms

MAIN = r"""% \begin{thm} in a comment is none
\documentclass[11pt]{amsart}
\input{macros}
\newtheorem{thm}{Theorem}[section]
\newtheorem{prop}[thm]{Proposition}
\newtheorem*{fact*}{Fact}
\title{On the Ångström--Erdős bound\thanks{Supported by nobody}}
\begin{document}
\begin{abstract} We bound things. $$ 1 + 1 = 2 $$ \end{abstract}
\input{parts/one}
\include{parts/two.tex}
\begin{comment}
\begin{thm} Never seen. \end{thm}
\end{comment}
\iffalse \begin{thm} Never seen either. \end{thm} \fi
\begin{verbatim}
\begin{thm} Not a theorem $x$ \end{verb
\end{verbatim}
\begin{prop}[A case of Jensen's]\label{prop:weird, v2/α}
  For all $a,b\in\R$,
  \begin{gather*}
   \Bigl(\frac{a+b}2\Bigr)^2 \le \frac{a^2+b^2}2, \\
   \abs{a+b} \le \abs a + \abs b .
  \end{gather*}
\end{prop}
\begin{proof}[Proof of Proposition~\ref{prop:weird, v2/α}]
 \begin{multline}
  \frac{a^2+b^2}{2} - \frac{(a+b)^2}{4} \\
   = \frac{(a-b)^2}{4} \ge 0. \notag
 \end{multline}
\end{proof}
\end{document}
\begin{thm} behind the end \end{thm}
"""
MACROS = r"""
\newcommand{\R}{\mathbb{R}}
\newcommand{\abs}[1]{\left\lvert #1\right\rvert}
\newcommand{\nrm}[2][2]{\left\|#2\right\|_{#1}}
\def\pair<#1,#2>{\langle #1, #2\rangle}
\newcommand\step[2]{#1 - \eta #2}
\let\le\leqslant
\newenvironment{claim}{\begin{thm}}{\end{thm}}
\NewDocumentCommand{\half}{}{\tfrac12}
"""
ONE = r"""
\begin{thm}[Descent]
Suppose $0<\eta\leq 1$ and $x \in \R$. Then
\begin{align}
 (\step{x}{x})^2 &\le x^2, \label{eq:a}\\
 x^2 - (\step{x}{x})^2 &= \eta(2-\eta)x^2 \nonumber
\end{align}
\end{thm}
""".replace("\n", "\r\n")
TWO = r"""
\section{Größen}
\begin{fact*}
For every $n \ge 1$, $$ \sum_{i=1}^n i = \frac{n(n+1)}{2}. $$
\end{fact*}
\begin{thm}\label{thm:outer}
Let $a, b > 0$. We have \[ 2ab \le a^2 + b^2. \]
\begin{claim}\label{thm:inner} nested: $a + \frac1a \ge 2$. \end{claim}
\end{thm}
\begin{thm}\label{thm:vectors} Let $u, v \in \R^d$. Then
\[ \pair<u,v> \le \half\nrm{u}^2 + \half\nrm{v}^2. \]
\end{thm}
\begin{thm}\label{thm:greek} For $α > 0$, we have $\log α \le α - 1$.\end{thm}
"""


@pytest.fixture
def made(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    named = {"main": MAIN, "macros": MACROS, "parts/one": ONE, "parts/two": TWO}
    for name, text in named.items():
        (tmp_path / f"{name}.tex").write_bytes(text.encode())
    result = run("new", tmp_path / "main.tex", "--out", tmp_path / "mine")
    assert result.exit_code == 0, result.output
    assert "7 statements, 7 displays" in result.output
    assert "6 displays are read as claims" in result.output, "the one of the abstract is nobody's"
    return tmp_path / "mine"


def test_every_claim_that_is_read_is_proved_and_the_ledger_is_verified_again(made: Path) -> None:
    mine = project(made)
    says = {key: check.claim.says for key, check in mine.checks.items()}
    assert says["thm:vectors"] == ("u.T@v <= 1/2*norm2(u) + 1/2*norm2(v)",)
    assert says["thm:greek"] == ("log(alpha) <= alpha - 1",)
    assert mine.checks["thm:inner"].claim.given == ("a > 0", "b > 0"), "what is assumed around it holds in it"
    ledger = made.parent / "ledger.json"
    checked = run("--paper", made, "check", "--ledger", ledger)
    assert checked.exit_code == 0, checked.output
    again = run("--paper", made, "recheck", ledger)
    assert again.exit_code == 0, again.output


def test_lines_of_several_files_are_told_apart(made: Path) -> None:
    table = rows(made)
    assert table["thm:outer"]["file"] == "parts/two.tex"
    assert "file" not in table["prop:weird-v2"]
    paper = project(made).paper
    starts = [one.first_line for one in (*paper.statements, *paper.displays)]
    assert len(set(starts)) == len(starts)
    assert str(paper.statement("thm:outer").first_line) == "parts/two.tex:6"
    assert "parts/two.tex:6" in run("--paper", made, "show", "thm:outer").output
    assert run("--paper", made, "sync", "--json").output.strip() == "[]"


def test_a_paper_without_slips_has_none(made: Path) -> None:
    assert [one.words for one in detect(project(made))] == []


def test_a_slip_in_an_included_file_is_told_with_the_file(made: Path) -> None:
    two = made.parent / "parts" / "two.tex"
    two.write_text(TWO.replace(r"\le a^2 + b^2", r"\le a^2 + b^2 + \varphi"), encoding="utf-8")
    assert run("--paper", made, "sync").exit_code == 0
    told = run("--paper", made, "errata", "--format", "lines").output
    assert "parts/two.tex:7: slip: φ is used here" in told
    assert '"parts/two.tex:7"' in run("--paper", made, "errata", "--json").output


@pytest.mark.parametrize(
    ("latex", "commands"),
    [
        ("α² ≤ β₁·γ", r"\alpha^2 \leq \beta_1\cdot\gamma"),
        ("∑_{i=1}^n λ_i ≥ 0", r"\sum_{i=1}^n \lambda_i \geq 0"),
        ("‖x‖ − ε ∈ ℝ", r"\|x\| - \varepsilon \in \mathbb{R}"),
    ],
)
def test_characters_are_the_commands_that_print_them(latex: str, commands: str) -> None:
    assert atoms(latex) == atoms(commands)


@pytest.mark.parametrize("letter", ["é", "𝐱", "ж"])
def test_a_letter_without_a_name_is_not_read(letter: str, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="has no name in the language"):
        atoms(letter)
    assert "is not read as a claim" in stub_of(tmp_path, rf"For $y > 0$, \[ {letter} + y \ge {letter}. \]")


@pytest.mark.parametrize(
    ("formula", "role"),
    [("1 + 1 = 2", "step"), ("f(x) = x^2", "definition"), ("c = 1 - x", "definition"), (r"x^2 \le 1", "step")],
)
def test_outside_of_statements_only_an_equation_for_one_name_defines(formula: str, role: str, tmp_path: Path) -> None:
    source = rf"\begin{{document}}\[ {formula} \]\end{{document}}"
    (tmp_path / "paper.tex").write_text(source, encoding="utf-8")
    assert run("new", tmp_path / "paper.tex", "--out", tmp_path / "mine").exit_code == 0
    (only,) = rows(tmp_path / "mine").values()
    assert only["role"] == role


SORTED = r"""\documentclass{article}\newtheorem{lemma}{Lemma}\begin{document}
\begin{lemma}\label{lem:let} Let $a \ge 0$ satisfy $a \le b$, with $b \le 1$. Then for every $c \ge 1$
\[ a \le c. \] \end{lemma}
\begin{lemma}\label{lem:gives} Let $a > 0$. Then \[ a \le 2a. \] In particular $a = 1$ gives \[ a \le 2. \] \end{lemma}
\begin{lemma}\label{lem:also} Let $0 \le a \le 1$. Then $b = 1 - a$ satisfies $b \ge 0$ and \[ b \le 1. \] \end{lemma}
\begin{lemma}\label{lem:words} Let $a$ satisfy $a \ge 2$. Then $a^2 \ge 4$. \end{lemma}
\end{document}"""


def test_what_stands_between_a_hypothesis_and_a_display_is_assumed_or_named(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(SORTED, encoding="utf-8")
    assert run("new", tmp_path / "main.tex", "--out", tmp_path / "mine").exit_code == 0
    mine = project(tmp_path / "mine")
    given = {key: check.claim.given for key, check in mine.checks.items()}
    assert given == {"lem:let": ("a >= 0", "a <= b", "b <= 1", "c >= 1"), "lem:words": ("a >= 2",)}
    for name in ("lem_gives", "lem_also"):
        stub = (tmp_path / "mine" / "statements" / f"{name}.py").read_text("utf-8")
        assert "do not tell whether it is assumed or" in stub
