r"""Papers of other people: what is said between displays, options left empty, slides, other languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from reports.cli import main
from reports.errata.markup import escaped
from theory.detectors.names import unknown
from theory.detectors.text import text_of
from theory.project import project
from theory.reading.latex.atoms import atoms
from theory.reading.latex.document import plain
from theory.reading.latex.outline import relations_in
from theory.reading.latex.workspace import create

HEAD = r"""\documentclass{article}\title{On rates}
\newcommand{\norm}[2][]{\lVert #2\rVert_{#1}}
\newtheorem{lem}{Lemma}\newtheorem{hyp}{Hypothèse}
\begin{document}
"""


def stub(tmp_path: Path, body: str, name: str = "lem_a") -> str:
    """The stub of one lemma."""
    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "paper.tex").write_text(HEAD + body + "\n\\end{document}\n", encoding="utf-8")
    create(tmp_path / "paper.tex", tmp_path / "made")
    text = (tmp_path / "made" / "statements" / f"{name}.py").read_text(encoding="utf-8")
    return text.partition("STATEMENT = ")[2]


def lemma(inside: str) -> str:
    return rf"\begin{{lem}}\label{{lem:a}} {inside} \end{{lem}}"


def test_what_is_quantified_between_displays_is_a_hypothesis_when_its_letters_are_new(tmp_path: Path) -> None:
    text = stub(
        tmp_path,
        lemma(
            r"Let $a,b\ge 0$. Then \[ 2ab\le a^2+b^2. \] Moreover, for every $t\in[0,1]$,"
            r"\begin{align} (1-t)^2 &\le 1-t,\\ (1-t)^3&\le(1-t)^2. \end{align}"
        ),
    )
    assert text.count('given=("a >= 0", "b >= 0", "0 <= t", "t <= 1"),') == 2


def test_what_is_quantified_anew_between_displays_is_not_put_under_the_first(tmp_path: Path) -> None:
    text = stub(tmp_path, lemma(r"Then \[ t^2\ge 0. \] Moreover, for every $t\in[0,1]$, \[ t^2\le t. \]"))
    assert r"`t\in[0,1]` is not read as a hypothesis" in text
    assert "printed(" not in text


def test_a_formula_in_intertext_is_not_lost(tmp_path: Path) -> None:
    rows = r"\begin{align} x+y &\ge x \\ \intertext{and, with $x = 2y$,} x+y &= 3y \end{align}"
    text = stub(tmp_path, lemma(rf"For $y\ge 0$, {rows}"))
    assert "`x = 2y` is not read as a hypothesis" in text
    assert "printed(" not in text


def test_to_be_in_a_set_that_is_more_than_a_kind_is_a_hypothesis(tmp_path: Path) -> None:
    text = stub(tmp_path, lemma(r"Let $x\in\{-1,1\}$. Then \[ x^2 = 1. \]"))
    assert r"`x\in\{-1,1\}` is not read as a hypothesis" in text
    assert "printed(" not in text
    assert "printed(" in stub(tmp_path / "b", lemma(r"Let $x\in\mathbb{R}$. Then \[ x^2 \ge 0. \]"))


def test_what_follows_then_is_claimed_beside_a_display(tmp_path: Path) -> None:
    text = stub(tmp_path, lemma(r"Let $x,y>0$. Then $2xy\le x^2+y^2$, and \[ x+y\ge x. \]"))
    assert '("2*x*y <= x**2 + y**2",),' in text
    assert text.count('given=("x > 0", "y > 0"),') == 2


def test_a_range_without_end_behind_a_claim_is_a_hypothesis(tmp_path: Path) -> None:
    text = stub(tmp_path, lemma(r"We have $\sum_{t=1}^{T}\frac1t\le 1+\log(T)$ for every $T\ge2$."))
    assert '("sum(t, 1, T, 1/t) <= 1 + log(T)",),' in text
    assert 'given=("T >= 2",),' in text
    assert 'naturals=("T",),' in text


def test_an_empty_option_leaves_no_script(tmp_path: Path) -> None:
    assert atoms(r"x_{}^2 + y_{ }^{} \ge 0") == atoms(r"x^2 + y \ge 0")
    assert "norm2(" in stub(tmp_path, lemma(r"For $u\in\mathbb{R}^d$ we have \[ \norm{u}^2\ge 0. \]"))


def test_what_stands_behind_for_all_is_no_relation_of_its_own() -> None:
    assert relations_in(r"a \le b \quad\text{for all } n \ge 1,\ N \ge 2") == 1
    assert relations_in(r"a &\le b &&\text{if } n \ge 1, \\ c &\le d") == 2


def test_an_overlay_of_slides_is_no_inequality(tmp_path: Path) -> None:
    body = lemma(r"Let $x\ge 0$. Then \[ \alert<2>{1+x} \uncover<3->{}\ge 1. \]")
    text = stub(tmp_path, body.replace("{lem}", "{lem}<1->", 1))
    assert '("1 + x >= 1",),' in text


def test_a_number_set_by_hand_is_no_part_of_the_formula(tmp_path: Path) -> None:
    assert '("1 + x >= 1",),' in stub(tmp_path, lemma(r"Let $x\ge 0$. Then $$ 1+x\ge 1.\eqno(7) $$"))


def test_an_assumption_in_another_language_asserts_nothing(tmp_path: Path) -> None:
    text = stub(tmp_path, r"\begin{hyp}\label{hyp:é} $\lambda > 0$ et $\mu > 0$. \end{hyp}", "hyp_e")
    assert "printed(" not in text
    assert '"hyp:e": "a hypothèse, used as a hypothesis"' in text


@pytest.mark.parametrize(
    ("latex", "told"),
    [
        (r"Robbins--Monro \\ and ``rates''\thanks{x}", "Robbins–Monro and “rates”"),
        (r"\L ojasiewicz, Poincar\'e, H\"older, Erd\H{o}s, na\"{\i}ve", "Łojasiewicz, Poincaré, Hölder, Erdős, naïve"),
        (
            r"\texorpdfstring{$\sqrt{T}$}{sqrt T} regret for $\eta$-smooth \emph{losses}",
            "sqrt T regret for η-smooth losses",
        ),
    ],
)
def test_a_title_is_told_as_it_is_printed(latex: str, told: str) -> None:
    assert plain(latex) == told


def test_errata_in_latex_keep_the_letters_of_a_title() -> None:
    assert escaped("Hölder, Łojasiewicz – α") == r"Hölder, Łojasiewicz -- $\alpha$"


def undefined(tmp_path: Path, body: str) -> list[str]:
    stub(tmp_path, body + lemma(r"For $x\ge 0$, \[ x\le 2x. \]"))
    return [one.words for one in unknown(text_of(project(tmp_path / "made")), {6})]


def test_an_abstract_and_an_assumption_introduce_what_they_speak_of(tmp_path: Path) -> None:
    assert not undefined(
        tmp_path, "\\begin{abstract}We bound $q$.\\end{abstract}\\section{One}\n\\begin{hyp} $p>0$ \\end{hyp}"
    )


def test_names_behind_for_all_in_a_display_are_introduced(tmp_path: Path) -> None:
    assert not undefined(tmp_path, r"The following is true. \[ 1\le M \quad\text{for all } n\ge 1,\ M\ge 2 \]")
    assert len(undefined(tmp_path / "b", r"The following is true. \[ 1\le M \]")) == 1


def test_words_that_are_not_english_are_not_searched_for_introductions(tmp_path: Path) -> None:
    told = r"Nous supposons que $z$ est petit et nous prouvons ce qui suit dans cette section du texte."
    stub(tmp_path, told + r"\begin{lem}\label{lem:a} Alors \[ z\le 2z. \] \end{lem}")
    assert not list(unknown(text_of(project(tmp_path / "made"))))


@pytest.mark.parametrize(
    "file",
    ["symbols.toml", "paper.toml", "lemmalab.toml", "links.toml", "highlights.toml", "errata.toml", "anchors.json"],
)
@pytest.mark.parametrize("body", ["na*me = 1\n", "symbol = 3\nstatement = [1]\nfinding = {}\nslip = [[]]\n"])
def test_a_damaged_file_of_a_project_is_named_by_every_command(tmp_path: Path, file: str, body: str) -> None:
    stub(tmp_path, lemma(r"Let $x\ge 0$. Then \[ 2x\ge x. \]"))
    (tmp_path / "made" / file).write_text(body, encoding="utf-8")
    for words in (["detect"], ["ratios", "lem:a"], ["show", "lem:a"], ["sync"]):
        done = CliRunner().invoke(main, ["--paper", str(tmp_path / "made"), *words])
        assert "internal error" not in done.output
        assert done.exit_code != 2 or file in done.output, words
