"""The corpus: pairs of known truth, of which a sample is judged here; the whole is `python -m tests.corpus`."""

from __future__ import annotations

import pytest

from tests.corpus import CLASSES, cases, judged
from tests.corpus.__main__ import main as report
from theory.kernel import Verdict

SAMPLE = [case for kind in CLASSES for case in list(cases(kind))[:4]]


def test_the_corpus_has_as_many_false_lemmas_as_true_ones() -> None:
    every = list(cases())
    assert len(every) >= 240
    assert sum(case.truth for case in every) * 2 == len(every)
    assert len({(case.says, case.given) for case in every}) == len(every)


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: f"{case.kind}: {case.name}, {case.truth}")
def test_a_lemma_of_the_corpus_is_settled(case: object) -> None:
    found = judged(case)  # type: ignore[arg-type]
    assert found.verdict is (Verdict.PROVED if found.case.truth else Verdict.REFUTED)


def test_the_corpus_explains_itself_and_refuses_a_class_that_it_has_not(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        report(["--help"])
    assert done.value.code == 0
    assert all(kind in capsys.readouterr().out.replace("\n", " ") for kind in CLASSES[:1])
    with pytest.raises(SystemExit) as refused:
        report(["recursion"])
    assert refused.value.code == 2
    assert "recursion is no class; choose among chance" in capsys.readouterr().err
