"""The theorem with the paper's own constants rests on the paper's own lemmas; the others need no layers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from theory.project import project

LAYERS = (
    "lem:v-decom/repaired",
    "lem:L-var-C-tilde/repaired",
    "lem:C-1-bound",
    "lem:L-var-bound-C-l",
    "lem:var-sigma-l-recursion",
    "lem:var-fourth-moment",
)
ALWAYS = ("lem:v-L-var", "lem:noise-bound-Sigma-inverse", "lem:noise-bound-2-norm", "lem:bias-bound#step of the run")


def cited(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if node.get("kind") == "cite":
            yield from (node[name] for name in ("claim", "of", "lemma", "key", "id") if isinstance(node.get(name), str))
        yield from (key for value in node.values() for key in cited(value))
    elif isinstance(node, list):
        yield from (key for value in node for key in cited(value))


@cache
def below(top: str) -> frozenset[str]:
    """Everything that the shipped proof of `top` cites, directly or not."""
    kept = project("sada").kept([top])
    found: set[str] = set()
    todo = [top]
    while todo:
        record = kept.get(todo.pop())
        fresh = set(cited(record.evidence.certificate)) - found if record is not None else set()
        found |= fresh
        todo += fresh
    return frozenset(found)


def test_the_paper_s_constants_come_from_its_layers() -> None:
    assert set(LAYERS) <= below("thm:full-glm/repaired#as the paper argues")
    assert "lem:auxilary-recursion/repaired#every sequence" in below("thm:full-glm/repaired#as the paper argues")


def test_the_printed_constants_need_no_layer() -> None:
    assert not set(LAYERS) & below("thm:full-glm/repaired")


def test_every_reading_of_the_theorem_rests_on_both_halves_of_the_inner_loop() -> None:
    for role in (
        "repaired",
        "repaired#as the paper argues",
        "sharper#the algorithm as printed",
        "sharper#our algorithm",
    ):
        assert set(ALWAYS) <= below(f"thm:full-glm/{role}")


def test_the_theorem_of_the_main_text_assumes_nothing_about_the_noise() -> None:
    """B = αR² and L = ακ̃ are derived, not assumed."""
    assert {"lem:gradient-noise-I", "lem:gradient-noise"} <= below("thm:glm")
    names = " ".join(project("sada").checks["thm:glm"].claim.given)
    assert "*B*" not in names
    assert "*L*" not in names
