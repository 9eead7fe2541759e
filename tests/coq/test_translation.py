"""Translations without Coq: every kind of record has a theorem or a reason, and files come in a proper order."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from click.testing import CliRunner

from reports.cli import main
from tests.coq.test_statements import records
from theory.coq import compile as compiling
from theory.coq.compile import ACCEPTED, AXIOMS, OVER, REFUSED, Result, _blamed, _judge, _remembered, _strange_axioms
from theory.coq.forms import _from_the_right
from theory.coq.reserved import ident
from theory.coq.rules import RULES
from theory.coq.scene import Scene
from theory.coq.statement import Names, Need
from theory.coq.theorems import Theorem, comment, names_for
from theory.coq.translate import theorems_of
from theory.coq.volumes import LIBRARY, volumes_of
from theory.kernel.lang import parse, parse_relation
from theory.kernel.rules import RULES as KERNEL_RULES
from theory.kernel.sequent import Sequent

ELSEWHERE = {"balls", "slope"}


def test_every_rule_of_the_kernel_has_a_translation_or_is_named_here() -> None:
    assert set(RULES) | ELSEWHERE == set(KERNEL_RULES)


@pytest.mark.parametrize(
    "key", ["lem:A-inverse", "lem:A-inverse/repaired", "lem:aux-lemma-r", "rem:examples#worst case"]
)
def test_what_is_proved_or_refuted_has_a_theorem(key: str) -> None:
    (theorem,) = theorems_of([records()[key]])
    assert theorem.lines
    assert theorem.refutes == (records()[key].verdict.name == "REFUTED")
    assert f"Theorem {theorem.name}" in theorem.text()


def test_a_translation_is_kept_by_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record, shelf = records()["lem:A-inverse/repaired"], tmp_path / "theorems.json"
    first = theorems_of([record], shelf)
    monkeypatch.setattr("theory.coq.translate.theorem_of", lambda *_: None)
    assert theorems_of([record], shelf) == first
    changed = replace(record, evidence=replace(record.evidence, certificate={"goals": []}))
    assert theorems_of([changed], shelf) == []
    shelf.write_text("{", encoding="utf-8")
    assert theorems_of([record], shelf) == []


def test_what_has_no_translation_says_why() -> None:
    (theorem,) = theorems_of([records()["lem:L-var-monotone"]])
    assert "not an integer by its form" in theorem.reason


def test_a_file_that_is_cited_comes_first() -> None:
    cited = Theorem("b#1", "b", "b_1", "True", ("exact I.",))
    citing = Theorem("a#1", "a", "a_1", "True", ("exact I.",), ("b#1",))
    assert [(v.name, v.imports) for v in volumes_of([citing, cited])] == [("b", ()), ("a", ("b",))]


def test_statements_that_cite_each_other_have_several_files_and_all_others_one() -> None:
    parts = [
        ("a#1", "a", ()), ("a#0", "a", ()), ("b#1", "b", ("a#1",)), ("a#2", "a", ("b#1", "a#1")), ("c#1", "c", ()),
        ("c#2", "c", ("a#2", "c#1")), ("d#1", "d", ("c#1",)),
    ]  # fmt: skip
    theorems = [Theorem(key, home, key[0] + key[2], "True", ("exact I.",), cites) for key, home, cites in parts]
    found = {v.name: ([t.key for t in v.theorems], v.imports) for v in volumes_of(theorems)}
    assert found == {
        "a": (["a#1", "a#0"], ()),
        "b": (["b#1"], ("a",)),
        "a_part_2": (["a#2"], ("a", "b")),
        "c": (["c#1", "c#2"], ("a_part_2",)),
        "d": (["d#1"], ("c",)),
    }


def test_names_are_names_of_coq_and_no_two_are_alike() -> None:
    names = names_for(["a/b", "a:b", "a b", "1"])
    assert len(set(names.values())) == 4
    assert all(name.isidentifier() and name.isascii() for name in names.values())
    assert [ident(n) for n in ("S", "λ", "x")] == ["S_", "_u3bb__", "x"]


def test_an_error_is_blamed_on_the_theorem_above_its_line() -> None:
    one, two = (Theorem(k, "s", k, "True", ("exact I.",)) for k in "ab")
    (volume,) = volumes_of([one, two])
    line = volume.text({}).splitlines().index("Theorem b :") + 3
    said = f'File "s.v", line {line}, characters 0-1:\nError: no.'
    assert _blamed(volume, {}, CompletedProcess([], 1, "", said)) == {"b": "Coq refuses the proof: no."}


def test_what_is_over_the_limit_goes_alone_with_what_cites_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """coqc that ends without a word takes no other theorem of its file with it."""
    cites = {"a": (), "b": (), "c": ("b",), "d": ("a",)}
    theorems = [Theorem(key, "s", key, "True", ("exact I.",), below) for key, below in cites.items()]

    def limited(folder: Path, name: str) -> CompletedProcess[str]:
        return CompletedProcess([], -9 if "Theorem b " in (folder / name).read_text() else 0, "", "")

    monkeypatch.setattr(compiling, "_coqc", limited)
    (volume,) = volumes_of(theorems)
    told = {one["key"]: (one["status"], one["reason"]) for one in _judge(volume, tmp_path, {})["results"]}
    assert told["a"] == told["d"] == (ACCEPTED, "")
    assert told["b"] == (OVER, compiling.LIMITS)
    assert told["c"] == (REFUSED, "it cites b, which has no theorem")
    assert [path.name for path in tmp_path.iterdir()] == ["s.v"]


def test_what_other_limits_stopped_is_judged_again(tmp_path: Path) -> None:
    kept, compiled = tmp_path / ".s.json", tmp_path / "s.vo"
    compiled.touch()
    for reason, known in ((compiling.LIMITS, True), ("coqc needs more than 1 s of processor or 1 GB", False)):
        result = asdict(Result("a", False, OVER, reason))
        kept.write_text(json.dumps({"asked": "x", "results": [result]}), encoding="utf-8")
        assert (_remembered(kept, "x", compiled) is not None) is known


def test_an_interruption_is_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that is being judged is not remembered; those before it are."""
    first, second = (Theorem(k, k, k, "True", ("exact I.",), below) for k, below in (("a", ()), ("b", ("a",))))
    monkeypatch.setattr(compiling, "version", lambda: "8")
    monkeypatch.setattr(compiling, "compile_library", lambda *_: compiling.Shelf("8", dict.fromkeys(LIBRARY, "")))

    def judged(folder: Path, name: str) -> CompletedProcess[str]:
        if name == "b.v":
            raise compiling.Stopped
        (folder / name).with_suffix(".vo").touch()
        return CompletedProcess([], 0, "", "")

    monkeypatch.setattr(compiling, "_coqc", judged)
    with pytest.raises(compiling.Stopped):
        compiling.compile_all(volumes_of([first, second]), tmp_path, 1)
    assert sorted(path.name for path in tmp_path.glob(".*.json")) == [".a.json"]
    monkeypatch.setattr(compiling, "_coqc", lambda *_: CompletedProcess([], 0, "", ""))
    assert compiling.compile_all(volumes_of([first, second]), tmp_path, 1).remembered == 1


def test_an_axiom_of_our_own_is_not_accepted() -> None:
    (volume,) = volumes_of([Theorem("a", "s", "a", "True", ("exact I.",))])
    known = "\n".join(f"{name} : Prop" for name in sorted(AXIOMS))
    assert _strange_axioms(f"Axioms:\n{known}\n", volume, {}) == {}
    assert _strange_axioms(f"Axioms:\n{known}\nours : False\n", volume, {}) == {"a": "ours"}
    assert _strange_axioms(f"Axioms:\n{known}\nours\n  : forall long : Prop, long\n", volume, {}) == {"a": "ours"}


def test_the_table_counts_what_coq_said() -> None:
    from reports.cli.coq import summary

    told = [
        Result("a", False, "accepted"),
        Result("b", False, "refused", "why"),
        Result("c", True, "not expressible", "why"),
        Result("d", True, "over the limit", "why"),
        Result("e", True, "not judged"),
    ]
    assert summary(told)[1:] == [
        ["PROVED", "1", "0", "1", "0", "0", "50.0 %"],
        ["REFUTED", "0", "1", "0", "1", "1", "0.0 %"],
    ]


def test_export_writes_one_readable_file_for_a_statement(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["export", "--coq", str(tmp_path), "lem:A-inverse"])
    assert done.exit_code == 0, done.output
    text = (tmp_path / "lem_A_inverse.v").read_text(encoding="utf-8")
    assert "Theorem lem_A_inverse_repaired :" in text
    assert "Theorem lem_A_inverse_refuted :\n~ (" in text
    library = "".join((tmp_path / name).read_text(encoding="utf-8") for name in ("LemmaLab.v", "Matrices.v"))
    for word in ("Admitted", "Axiom", "Parameter", "Hypothesis", "admit"):
        assert word not in (text + library).replace("no axiom and no Admitted", "")


def test_export_writes_a_file_of_lemmas_without_examples(tmp_path: Path) -> None:
    """Roots, extremes and the names that they get keep the kinds; and what cannot hold is told by its name."""
    source, out = tmp_path / "mine.py", tmp_path / "out"
    source.write_text(
        "from theory import lemma\n"
        "lengths = lemma('norm(x)*norm(y) >= 0', kinds={'x': 'vector(d)', 'y': 'vector(d)'})\n"
        "nowhere = lemma('a >= 0', given=['a < 0', 'a > 1'])\n",
        encoding="utf-8",
    )
    done = CliRunner().invoke(main, ["export", "--coq", str(out), str(source)])
    assert "1 theorem of 1 check in 1 file" in done.output
    assert "nowhere: not judged: nowhere: contradictory hypotheses" in done.output
    assert "Theorem lengths :" in (out / "lengths.v").read_text(encoding="utf-8")


def test_no_quotation_mark_and_no_bracket_of_a_reason_ends_up_in_a_comment() -> None:
    assert comment('The term "G has (* type *)') == "The term 'G has ( * type * )"


def test_what_an_iteration_needs_at_a_generic_index_is_said_of_the_entry_there() -> None:
    names = Names(naturals=frozenset({"n"}), terms={}, sorts={"lam": ("Z",)})
    scene = Scene(Sequent((), parse_relation("mu >= 0")), (), names, entries={"lam_i": parse("lam[i]")})
    need = Need("nonzero", parse("mu"), (parse("iterate(s, n, [1], [lam_i*s[1]])"),))
    assert "lam_i" not in scene.need(need)
    assert "(lam i)" in scene.need(need)


def test_sizes_of_three_parts_or_more_are_bracketed_as_the_library_adds_them() -> None:
    assert _from_the_right((("d", 3), ("", 1))) == "(d + (d + (d + 1)))%nat"


def test_a_name_that_has_a_meaning_is_not_given_to_the_state_of_an_iteration() -> None:
    scene = Scene(
        Sequent((parse_relation("s >= 0"),), parse_relation("mu >= 0")), ("F",), Names(naturals=frozenset({"n"}))
    )
    assert scene.speaks_of("s")
    assert not scene.speaks_of("t")
