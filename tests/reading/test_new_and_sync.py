"""`lemmalab new` and `lemmalab sync` on papers that nobody has prepared."""

from __future__ import annotations

import json
import os
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from reports.cli import main
from theory.project import project
from theory.reading.coverage import coverage
from theory.reading.latex.notation import read_notation

PAPER = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\newcommand{\half}{\frac{1}{2}}
\title{Two small facts}
\begin{document}
\section{Facts}
\begin{lemma}[Young]\label{lem:young}
Let $c > 0$. Then
\begin{equation}\label{eq:young}
 2ab \le c a^2 + \frac{b^2}{c}.
\end{equation}
\end{lemma}
\begin{proof} By Lemma~\ref{lem:sum}, nothing; but
\[ c\left(a - \frac{b}{c}\right)^2 \geq 0. \]
\end{proof}
\begin{lemma}
For every $k$,
\[ \sum_{i=1}^{k} i = \half k(k+1). \]
\end{lemma}
\begin{lemma}\label{lem:sum} With vectors,
\[ \|x - \eta g\|^2 \leq \|x\|^2. \]
\end{lemma}
\begin{lemma}\label{lem:means} With means,
\[ \mathbb{E}\|x - \eta g\|^2 \leq \|x\|^2. \]
\end{lemma}
\end{document}
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.fixture
def made(tmp_path: Path) -> Path:
    (tmp_path / "paper.tex").write_text(PAPER, encoding="utf-8")
    result = run("new", tmp_path / "paper.tex", "--out", tmp_path / "mine")
    assert result.exit_code == 0, result.output
    assert "4 statements, 5 displays" in result.output
    return tmp_path / "mine"


def rows(root: Path) -> dict[str, dict[str, Any]]:
    data = tomllib.loads((root / "paper.toml").read_text("utf-8"))
    return {row["id"]: row for table in ("statement", "display") for row in data.get(table, [])}


def unlabelled(root: Path) -> str:
    return next(id_ for id_, row in rows(root).items() if row.get("kind") == "lemma" and not row["label"])


def edit(root: Path, old: str, new: str) -> None:
    source = root.parent / "paper.tex"
    text = source.read_text("utf-8")
    assert old in text
    source.write_text(text.replace(old, new), encoding="utf-8")


def sync(root: Path) -> dict[str, str]:
    result = run("--paper", root, "sync", "--json")
    assert result.exit_code == 0, result.output
    return {one["id"]: one["what"] for one in json.loads(result.output)}


def test_a_project_is_made_that_is_judged_at_once(made: Path) -> None:
    mine = project(made)
    assert mine.title == "Two small facts"
    assert mine.checks["lem:young"].claim.says == ("2*a*b <= c*a**2 + b**2/c",)
    assert mine.checks["lem:young"].claim.given == ("c > 0",)
    records = {record.key: record.judgement.verdict.name for record in mine.judge(jobs=1).records}
    assert records.pop("lem:sum") == "REFUTED", "a false claim about vectors is read and falls"
    assert set(records.values()) == {"PROVED"}
    assert len(records) == 3


def test_what_is_not_read_as_a_claim_stays_on_the_list_with_its_reading(made: Path) -> None:
    stub = (made / "statements" / "lem_means.py").read_text("utf-8")
    assert "mean(w, norm2(x - eta*g)) <= norm2(x)" in stub
    assert "is not read as a claim: what is random" in stub
    found = coverage(project(made).paper, project(made).statements)
    assert [item.id for items in found.missing().values() for item in items][:1] == ["lem:means"]


def test_references_become_edges_and_macros_are_gone_from_formulas(made: Path) -> None:
    told = rows(made)
    assert told["lem:young"]["uses"] == ["lem:sum"]
    assert "half" not in json.dumps(told)
    assert read_notation(made / "symbols.toml")["x"].kind == "vector"


def test_nothing_is_written_over_or_half_written(made: Path, tmp_path: Path) -> None:
    again = run("new", tmp_path / "paper.tex", "--out", made)
    assert again.exit_code == 2
    assert "already holds" in again.output
    (tmp_path / "broken.tex").write_text("\\begin{document}\\begin{lemma}", encoding="utf-8")
    broken = run("new", tmp_path / "broken.tex", "--out", tmp_path / "other")
    assert broken.exit_code == 2
    assert "broken.tex:1" in broken.output
    assert run("new", tmp_path / "none.tex").exit_code == 2
    assert sorted(os.listdir(tmp_path)) == ["broken.tex", "mine", "paper.tex"]


def test_sync_without_an_edit_changes_nothing(made: Path) -> None:
    before = {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}
    assert sync(made) == {}
    assert {path: path.read_bytes() for path in made.rglob("*") if path.is_file()} == before


def test_sync_lists_what_moved_changed_appeared_and_went(made: Path) -> None:
    nameless = unlabelled(made)
    edit(made, "\\section{Facts}", "\\section{Facts}\n\\begin{lemma}\\label{lem:new} \\[ p = p \\] \\end{lemma}")
    edit(made, "c a^2 + \\frac{b^2}{c}", "c a^2 + \\frac{b^2}{2c}")
    edit(made, "For every $k$", "For each $k$")
    edit(made, PAPER[PAPER.index("\\begin{lemma}\\label{lem:sum}") : PAPER.index("\\end{document}")], "")
    told = sync(made)
    assert told["lem:new"] == "appeared"
    assert told["lem:sum"] == "went"
    assert told["eq:young"] == told["lem:young"] == told[nameless] == "changed"
    assert "moved" in told.values()
    assert rows(made)[nameless]["first_line"] == 17
    assert (made / "statements" / "lem_new.py").is_file()
    assert not (made / "statements" / "lem_sum.py").exists()
    assert "b**2/(2*c)" in (made / "statements" / "lem_young.py").read_text("utf-8")


def test_sync_never_touches_what_the_author_has_changed(made: Path) -> None:
    young, total = made / "statements" / "lem_young.py", made / "statements" / "lem_sum.py"
    own = {young: young.read_text("utf-8") + "# my own line\n", total: total.read_text("utf-8") + "# kept\n"}
    for path, text in own.items():
        path.write_text(text, encoding="utf-8")
    table = (made / "paper.toml").read_text("utf-8")
    (made / "paper.toml").write_text(table.replace('title = "Young"', 'title = "Mine"'), encoding="utf-8")
    edit(made, "2ab", "4ab")
    edit(made, "\\label{lem:sum} With vectors", "With vectors")
    edit(made, "\\[ \\|x - \\eta g\\|^2 \\leq \\|x\\|^2. \\]", "")
    told = run("--paper", made, "sync").output
    assert "statements/lem_young.py was edited and stays as it is" in told
    assert {path: path.read_text("utf-8") for path in own} == own
    assert rows(made)["lem:young"]["title"] == "Mine"
    assert rows(made)["eq:young"]["formula"].startswith("4ab")


def test_a_label_that_is_added_keeps_the_id(made: Path) -> None:
    nameless = unlabelled(made)
    edit(made, "\\begin{lemma}\nFor every", "\\begin{lemma}\\label{lem:gauss}\nFor every")
    assert nameless not in {id_ for id_, what in sync(made).items() if what == "went"}
    assert rows(made)[nameless]["label"] == "lem:gauss"
    assert sync(made) == {}


def test_sync_outside_a_project_that_new_has_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "lemmalab.toml").write_text('name = "x"\n', encoding="utf-8")
    result = run("--paper", tmp_path, "sync")
    assert result.exit_code == 2
    assert "anchors.json" in result.output


QUANTIFIED = r"""\documentclass{article}
\newtheorem{prop}{Proposition}
\begin{document}
\begin{prop}\label{prop:noise}
If $0 < \alpha < 1$ and $s_{k+1} \le (1-\alpha) s_k + \alpha^2\sigma^2$ for all $k \ge 0$, then
$$ s_n \le (1-\alpha)^n s_0 + \alpha\sigma^2 $$
for $n \ge 1$.
\end{prop}
\end{document}
"""


def test_a_hypothesis_for_every_index_is_not_one_for_a_single_index(tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(QUANTIFIED.replace("$k \\ge 0$", "$k = 0, \\dots, n - 1$"), encoding="utf-8")
    assert run("new", tmp_path / "paper.tex", "--out", tmp_path / "mine").exit_code == 0
    stub = (tmp_path / "mine" / "statements" / "prop_noise.py").read_text("utf-8")
    assert "forall(k, 0, n - 1, s[k + 1] <= (1 - alpha)*s[k] + alpha**2*sigma**2)" in stub
    assert '"n >= 1"' in stub, "what is assumed behind the display is a hypothesis too"
    assert "UNCOMPARED" in stub
    records = project(tmp_path / "mine").judge(jobs=1).records
    assert [record.judgement.verdict.name for record in records] == ["PROVED"]


def test_without_its_hypotheses_a_display_is_no_claim(tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(QUANTIFIED, encoding="utf-8")
    assert run("new", tmp_path / "paper.tex", "--out", tmp_path / "mine").exit_code == 0
    stub = (tmp_path / "mine" / "statements" / "prop_noise.py").read_text("utf-8")
    assert "for all }k \\ge 0` is not read as a hypothesis:" in stub
    assert "names the last index" in " ".join(stub.replace("#", "").split())
    assert "is not read as a claim: a hypothesis of the statement is not read" in stub
    assert not project(tmp_path / "mine").checks


def stub_of(tmp_path: Path, body: str, name: str = "lem_one.py") -> str:
    """The stub of one lemma, as one line."""
    head = r"\documentclass{article}\newtheorem{lemma}{Lemma}\begin{document}\begin{lemma}\label{lem:one} "
    (tmp_path / "paper.tex").write_text(head + body + r"\end{lemma}\end{document}", encoding="utf-8")
    assert run("new", tmp_path / "paper.tex", "--out", tmp_path / "mine").exit_code == 0
    return " ".join((tmp_path / "mine" / "statements" / name).read_text("utf-8").replace("#", "").split())


def test_what_is_assumed_at_one_index_is_no_hypothesis_about_another(tmp_path: Path) -> None:
    stub = stub_of(tmp_path, r"With $\eta_t = \frac{1}{\mu t}$ and $\mu > 0$, \[ \eta_t \le \eta_{t-1}. \]")
    assert "eta[t] == 1/(mu*t) is assumed for one t, and eta[t - 1] is spoken of; say for which it holds" in stub
    assert not project(tmp_path / "mine").checks


def test_a_claim_in_words_is_a_claim_and_not_a_hypothesis(tmp_path: Path) -> None:
    stub = stub_of(tmp_path, r"For $x \ge 0$ and $y \ge 0$, $(x + y)^2 \ge x^2 + y^2$.")
    assert 'printed( ("(x + y)**2 >= x**2 + y**2",), given=("x >= 0", "y >= 0")' in stub
    assert [r.verdict.name for r in project(tmp_path / "mine").judge(jobs=1).records] == ["PROVED"]


def test_a_claim_in_words_behind_a_display_has_a_part_of_its_own(tmp_path: Path) -> None:
    stub = stub_of(tmp_path, r"For $x \ge 1$, \[ x^2 \ge x. \] Moreover, $x^3 \ge x$.")
    assert '("x**2 >= x",), given=("x >= 1",)' in stub
    assert '("x**3 >= x",), part="in words 1", given=("x >= 1",)' in stub
    assert len(project(tmp_path / "mine").checks) == 2


def test_the_base_of_the_exponential_is_no_symbol_of_the_paper(tmp_path: Path) -> None:
    assert '("exp(-x) <= 1",), given=("x >= 0",)' in stub_of(tmp_path, r"For $x \ge 0$, \[ e^{-x} \le 1. \]")
    assert 'name = "e"' not in (tmp_path / "mine" / "symbols.toml").read_text("utf-8")


def test_what_the_print_draws_is_random(tmp_path: Path) -> None:
    stub = stub_of(
        tmp_path, r"For every $c$, \[ \mathbb{E}_{a \sim D}[a^2] \ge 2 c \, \mathbb{E}_{a \sim D}[a] - c^2. \]"
    )
    assert "mean(w, a[w]**2) >= 2*c*mean(w, a[w]) - c**2" in stub


def test_a_refuted_reading_that_nobody_compared_is_no_erratum(tmp_path: Path) -> None:
    stub_of(tmp_path, r"For $x \ge 0$ and $y \ge 0$, \[ (x + y)^2 \le x^2 + y^2. \]")
    told = run("--paper", tmp_path / "mine", "errata")
    assert "nothing wrong was found" not in told.output
    assert told.exit_code == 3
    assert "nobody has compared them with the print: lem:one" in told.output
    shutil.copytree(tmp_path / "mine", tmp_path / "compared")
    file = tmp_path / "compared" / "statements" / "lem_one.py"
    file.write_text(file.read_text("utf-8").replace("UNCOMPARED", "AS_PRINTED"), encoding="utf-8")
    again = run("--paper", tmp_path / "compared", "errata")
    assert again.output.startswith("1 slip at 1 place"), again.output
    assert "compared them" not in again.output


def test_a_recursion_is_assumed_for_every_index_before_the_one_that_is_claimed(tmp_path: Path) -> None:
    given = r"Let $a_{t+1} \le (1-\gamma) a_t + \gamma^2$ with $0 < \gamma \le 1$."
    says = given + r" Then \[ a_t \le (1-\gamma)^t a_0 + \gamma. \]"
    assert '"forall(k, 0, t - 1, a[k + 1] <= (1 - gamma)*a[k] + gamma**2)"' in stub_of(tmp_path, says)
    assert [r.verdict.name for r in project(tmp_path / "mine").judge(jobs=1).records] == ["PROVED"]


def test_a_recursion_stays_at_its_index_where_the_claim_speaks_of_nothing_else(tmp_path: Path) -> None:
    stub = stub_of(tmp_path, r"If $a_{t+1} \le a_t$ then \[ a_{t+1} - a_t \le 0. \]")
    assert 'given=("a[t + 1] <= a[t]",)' in stub


def test_letters_in_an_order_are_matrices_and_the_words_say_which(tmp_path: Path) -> None:
    says = r"Let $A$ and $B$ be positive definite with $A \preceq B$. Then \[ A^2 \preceq B^2. \]"
    stub = stub_of(tmp_path, says)
    assert '("A@A << B@B",), given=("A << B",), kinds={"A": "pd(d)", "B": "pd(d)"}' in stub
    assert [r.verdict.name for r in project(tmp_path / "mine").judge(jobs=1).records] == ["REFUTED"]


def test_a_letter_in_an_order_of_which_the_words_say_nothing_is_symmetric(tmp_path: Path) -> None:
    assert '"A": "symmetric(d)"' in stub_of(tmp_path, r"If $A \preceq B$ then \[ A + C \preceq B + C. \]")


def test_a_statement_takes_the_spellings_that_a_lemma_takes(tmp_path: Path) -> None:
    assert '("cosh(x) <= exp(x**2/2)",)' in stub_of(tmp_path, r"For all $x$, \[ \cosh(x) \le \exp(x^2/2). \]")
    assert [r.verdict.name for r in project(tmp_path / "mine").judge(jobs=1).records] == ["PROVED"]


def test_a_title_is_what_is_printed_and_one_thing_is_one(tmp_path: Path) -> None:
    body = r"\begin{lemma} For $x \ge 0$, \[ x \le x + 1. \] \end{lemma}"
    title = r"\title{Means \thanksref{t1} of \emph{heavy}\mbox{ tails}: 100\% \LaTeX R\&D}"
    (tmp_path / "p.tex").write_text(
        rf"\documentclass{{article}}{title}\newtheorem{{lemma}}{{Lemma}}\begin{{document}}{body}\end{{document}}"
    )
    told = run("new", tmp_path / "p.tex", "--out", tmp_path / "mine").output.splitlines()
    assert told[0] == "Means of heavy tails: 100% R&D"
    assert told[1] == "1 statement, 1 display, 1 symbol"
    assert told[2].startswith("1 display is read as a claim; its hypotheses")
