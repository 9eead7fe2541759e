r"""A LaTeX project read as one text: macros, files, verbatim, and what is wrong with it, each with its place."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from theory.reading.latex import expander
from theory.reading.latex.document import Document, read_document
from theory.reading.latex.errors import LatexError
from theory.reading.latex.outline import outline
from theory.reading.latex.source import read_source

FRAME = "\\documentclass{article}\n%s\n\\begin{document}\n%s\n\\end{document}\n"


def project(folder: Path, body: str, preamble: str = "", **files: str) -> Path:
    main = folder / "main.tex"
    main.write_text(FRAME % (preamble, body), encoding="utf-8")
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_tex", ".tex").replace("_sty", ".sty")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return main


def text(folder: Path, body: str, preamble: str = "", **files: str) -> str:
    flat = read_source(project(folder, body, preamble, **files)).text
    return "".join(flat.split("\\begin{document}")[1].split("\\end{document}")[0].split())


OWN = r"\newenvironment{P}[1]{\begin{proof}[#1]}{\end{proof}}"
SHORT = r"\newcommand{\be}{\begin{equation}}\def\ee{\end{equation}}"
GROWING = "".join("\\def\\" + c + "{" + 10 * ("\\" + d) + "}" for c, d in pairwise("abcdefghi")) + "\\def\\i{xxxx}"
EXPANSIONS = {
    "a macro without arguments": (r"\newcommand{\R}{\mathbb{R}}", r"$\R$", r"$\mathbb{R}$"),
    "a macro with two arguments": (r"\newcommand{\ip}[2]{<#1,#2>}", r"$\ip{a}{b}$", "$<a,b>$"),
    "an optional argument left out": (r"\newcommand{\n}[2][2]{\|#2\|_#1}", r"$\n{x}$", r"$\|x\|_2$"),
    "an optional argument given": (r"\newcommand{\n}[2][2]{\|#2\|_#1}", r"$\n[1]{x}$", r"$\|x\|_1$"),
    "an argument that is one token": (r"\newcommand{\b}[1]{\mathbf{#1}}", r"$\b x_1$", r"$\mathbf{x}_1$"),
    "a macro in a macro": (r"\newcommand{\a}{A}\newcommand{\c}[1]{\a#1}", r"$\c{\a}$", "$AA$"),
    "a macro defined anew": (r"\renewcommand{\leq}{\leqslant}", r"$a\leq b$", r"$a\leqslantb$"),
    "def with parameters": (r"\def\pair#1#2{(#1;#2)}", r"$\pair{x}y$", "$(x;y)$"),
    "def with delimiters": (r"\def\from#1to#2.{#1\to#2}", r"$\from a to b.$", r"$a\tob$"),
    "let of a macro": (r"\newcommand{\a}{A}\let\c\a\renewcommand{\a}{B}", r"$\c\a$", "$AB$"),
    "let of a primitive": (r"\let\old\phi\renewcommand{\phi}{\varphi}", r"$\old\phi$", r"$\phi\varphi$"),
    "an operator": (r"\DeclareMathOperator{\tr}{tr}", r"$\tr A$", r"$\operatorname{tr}A$"),
    "an operator with limits": (r"\DeclareMathOperator*{\am}{arg\,min}", r"$\am$", r"$\operatorname*{arg\,min}$"),
    "a fence": (r"\DeclarePairedDelimiter{\n}{|}{|}", r"$\n*{x}\n[\big]y$", r"$\left|x\right|\left|y\right|$"),
    "a macro that is a letter before a letter": (r"\def\e{\epsilon}", r"$\e x{\e}y$", r"$\epsilonx{\epsilon}y$"),
    "slides on which something is seen": (
        r"\newcommand<>{\hl}[1]{{\color#2{red}#1}}\newenvironment<>{P}{$}{$}",
        r"$\hl<2->{x}\hl{y}$\begin{P}<1>z\end{P}",
        r"${\color{red}x}{\color{red}y}$$z$",
    ),
    "an environment of one's own": (OWN, r"\begin{P}{of A}x\end{P}", r"\begin{proof}[ofA]x\end{proof}"),
    "short names for environments": (SHORT, r"\be x\ee", r"\begin{equation}x\end{equation}"),
    "a command of xparse": (r"\NewDocumentCommand{\n}{O{2} m}{#2^{#1}}", r"$\n{x}\n[3]{y}$", "$x^{2}y^{3}$"),
    "internal names": (r"\makeatletter\def\a@b{c}\def\x{\a@b}\makeatother", r"$\x$", "$c$"),
    "what is switched off": (r"\newif\ifdraft\drafttrue", r"{\iffalse a\else b\fi\ifdraft c\fi}", "{bc}"),
    "comments": ("", "{a% $ { \\begin{x}\n\\% b%\n}", "{a\\%b}"),
    "verbatim": ("", "\\begin{verbatim}\n$ { \\begin{lemma}\n\\end{verbatim}\\verb|$%|{x}", "{x}"),
    "addresses": ("", "\\url{http://a/b%20c#d}{x}", "{x}"),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPANSIONS)
def test_macros_are_expanded_as_latex_does(tmp_path: Path, name: str) -> None:
    preamble, body, wanted = EXPANSIONS[name]
    assert text(tmp_path, body, preamble) == wanted


def test_files_are_followed_with_their_own_places(tmp_path: Path) -> None:
    main = project(
        tmp_path,
        "\\input{part}\n\\include{sub/more}\n\\input sub/third \nend",
        part_tex="one\n\\[ x = y \\]\n",
        sub__more_tex="\\input{deep}\n",
        sub__deep_tex="\n\n\\[ z \\]",
        sub__third_tex="\\documentclass[../main]{subfiles}\\begin{document}{three}\\end{document}{ignored}",
    )
    document = read_document(main)
    assert [str(one.first) for one in document.displays] == ["part.tex:2", "sub/deep.tex:3"]
    assert "three" in document.flat.text
    assert "ignored" not in document.flat.text


def test_a_package_beside_the_paper_gives_its_definitions_and_no_text(tmp_path: Path) -> None:
    style = "\\newcommand{\\R}{\\mathbb R}\\renewcommand\\section{\\@startsection{x}}\\weird text {"
    preamble = "\\usepackage{mine}\\newtheorem{satz}{Satz}"
    assert text(tmp_path, r"\section{S}$\R$", preamble, mine_sty=style) == r"\section{S}$\mathbbR$"


FAULTS = {
    "environments that cross": ("", "\\begin{lemma}\n\\end{thm}", r"main.tex:5: \end{thm}", r"add \end{lemma}"),
    "an environment never closed": ("", "\\begin{lemma}", "main.tex:5", r"\end{lemma}"),
    "an end without a beginning": ("", "\\end{lemma}", r"main.tex:4: \end{lemma}", r"\begin{document}"),
    "a formula never closed": ("", "$a", "main.tex:5", "$"),
    "a brace never closed": ("", "{a", "main.tex:5", "}"),
    "a missing file": ("", "\\input{nowhere}", "main.tex:4", "nowhere"),
    "a shell pipe": ("", "\\input{|\"ls\"}", "main.tex:4", "does not exist"),
    "a macro without end": (r"\def\a{\a\a}", r"\a", "main.tex:4", "itself"),
    "a macro that multiplies itself": (GROWING, r"\a", "main.tex:4", "characters"),
    "a missing argument": (r"\newcommand{\f}[1]{#1}", r"{\f}", "main.tex:4", "argument 1"),
    "verbatim without end": ("", "\\begin{verbatim} x", "main.tex:4", "verbatim"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_is_said_once_with_place_and_remedy(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expander, "MAX_FLAT", 100_000)
    preamble, body, place, word = FAULTS[name]
    with pytest.raises(LatexError) as told:
        read_document(project(tmp_path, body, preamble))
    message = str(told.value)
    assert place in message
    assert word in message
    assert "\n" not in message


def test_a_cycle_of_files_is_named(tmp_path: Path) -> None:
    with pytest.raises(LatexError, match=r"a.tex -> b.tex -> a.tex"):
        read_document(project(tmp_path, "\\input{a}", a_tex="\\input{b}", b_tex="\n\\input{a}"))


def test_bytes_that_are_no_utf8_are_named_with_their_line(tmp_path: Path) -> None:
    main = project(tmp_path, "")
    main.write_bytes(main.read_bytes().replace(b"\\end{document}", b"caf\xe9\n\\end{document}"))
    with pytest.raises(LatexError, match=r"main.tex:5: the byte 0xe9 is no UTF-8"):
        read_document(main)


def test_a_file_of_a_hundred_thousand_lines_is_read_or_refused_in_one_message(tmp_path: Path) -> None:
    long = project(tmp_path, "% comment\n" * 100_000 + "\\[ x = y \\]")
    assert [one.first.line for one in read_document(long).displays] == [100_004]
    long.write_text("x" * 17_000_000)
    with pytest.raises(LatexError, match="17000000 bytes"):
        read_document(long)


DISPLAYS = (
    "equation", "equation*", "align", "align*", "gather", "gather*", "multline", "eqnarray", "eqnarray*", "flalign",
    "displaymath",
)  # fmt: skip


@pytest.mark.parametrize("name", DISPLAYS)
def test_every_kind_of_display_is_found_with_its_rows_and_labels(tmp_path: Path, name: str) -> None:
    rows = r"a &= b \label{eq:a} \\ c &= \begin{pmatrix} 1 \\ 2 \end{pmatrix} \nonumber \\[2pt]"
    body = rf"\begin{{{name}}} {rows} \end{{{name}}}"
    (display,) = read_document(project(tmp_path, body)).displays
    assert [row.label for row in display.rows if row.latex.strip("[2pt] ")] == ["eq:a", ""]
    assert "label" not in display.rows[0].latex


def test_brackets_and_dollars_are_displays_and_inline_formulas_are_not(tmp_path: Path) -> None:
    body = "$a$ \\[ b \\] $$ c $$ \\( d \\) $e$$f$ \\begin{alignat}{2} g &= h \\end{alignat}"
    document = read_document(project(tmp_path, body))
    assert [one.rows[0].latex for one in document.displays] == ["b", "c", "g &= h"]


def _small(folder: Path) -> Document:
    preamble = r"""
\newtheorem{thm}{Main Theorem}\newtheorem*{lem*}{Lemma}\declaretheorem[name=Hypothesis]{hyp}
\newtheorem{satz}[thm]{Satz}"""
    body = r"""
\section{First $\alpha$ part}
\begin{thm}[Sum]\label{thm:a} A \begin{equation}\label{eq:a} x = y \end{equation} \end{thm}
\begin{remark} see \cref{thm:a,eq:b} \end{remark}
\begin{proof} by \eqref{eq:b} \[ s \] \end{proof}
\begin{lem*} B \begin{equation}\label{eq:b} z \end{equation}\end{lem*}
\subsection{Proof of Theorem~\ref{thm:a}}
\begin{proof} \[ t \] \end{proof}
\begin{hyp}\label{hyp:h} C \end{hyp}
\begin{satz} D \end{satz}
\begin{proof}[Proof of \Cref{eq:b}] \[ u \] \end{proof}
\begin{algorithm}\caption{Run \textbf{it}}\label{alg:x}\begin{algorithmic} \State $x$ \end{algorithmic}\end{algorithm}
"""
    return read_document(project(folder, body, preamble))


def test_statements_of_every_declaration_are_found_with_kind_label_and_title(tmp_path: Path) -> None:
    found = [(one.kind, one.label, one.title) for one in _small(tmp_path).statements]
    assert found == [
        ("theorem", "thm:a", "Sum"), ("remark", "", ""), ("lemma", "", ""), ("hypothesis", "hyp:h", ""),
        ("satz", "", ""), ("algorithm", "alg:x", "Run it"),
    ]  # fmt: skip


def test_an_accent_in_the_running_text_does_not_swallow_what_follows(tmp_path: Path) -> None:
    body = "Erd\\H os, Poincar\\'e and words \\hspace 1\\begin{remark} x \\end{remark} \\'e"
    assert len(read_document(project(tmp_path, body)).statements) == 1


def test_a_display_in_a_proof_inside_its_lemma_is_a_step_of_it(tmp_path: Path) -> None:
    body = r"\begin{lemma} \[ a \] \begin{proof} \[ b \] \end{proof} \end{lemma}"
    found = outline(read_document(project(tmp_path, body)))
    assert [one.row["role"] for one in found[1:]] == ["statement", "step"]
    assert {one.row["statement"] for one in found[1:]} == {found[0].id}
    assert found[0].row["formula"] == "a"


def test_a_proof_belongs_to_what_it_names_or_follows(tmp_path: Path) -> None:
    document = _small(tmp_path)
    assert [document.statements[one.of].kind for one in document.proofs] == ["theorem", "theorem", "lemma"]
    assert document.statements[1].refers == ("thm:a", "eq:b")
    assert [one.section for one in document.displays][:1] == ["First α part"]


def test_a_macro_whose_argument_grows_without_end_is_named(tmp_path: Path) -> None:
    with pytest.raises(LatexError, match="expands into itself without end"):
        read_document(project(tmp_path, r"\[ \a{x} \le 1 \]", r"\def\a#1{\a{#1#1}}"))
