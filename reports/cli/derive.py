"""lemmalab derive: the objects of the paper, derived step by step and compared with print by the kernel."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from reports.cli.common import FINE, SHORT, USAGE, Stop, brings_no, here, json_option, print_json, table, verdict_word

if TYPE_CHECKING:
    from theory.derivation.compare import Compared
    from theory.derivation.comparison import Comparison
    from theory.derivation.store import Stored

OWN = "its own equation"
WORST_FIRST = ("REFUTED", "UNDECIDED", "SUPPORTED", "CITED", "CERTIFIED", "PROVED")
WIDTH = 110
LONGEST = 200


@click.command("derive", short_help="Objects of the paper re-derived by sympy, step by step, against print.")
@click.argument("name", required=False)
@click.option("--latex", "as_latex", is_flag=True, help="Print the steps as LaTeX.")
@click.option("--digits", is_flag=True, help="Ask for a third opinion: 50-digit runs of the recursion itself.")
@click.option("--write", is_flag=True, help="Derive everything anew and write the file that claims are built from.")
@json_option
def command(name: str | None, as_latex: bool, digits: bool, write: bool, as_json: bool) -> None:
    """Derive NAME from something more basic, or list everything that is derived. Each object is compared with what the
    paper prints by the kernel; what is printed nowhere is put into the equation that it came from.

    Exit code 1 when a verdict is not the one that the file records.
    """
    if write:
        click.echo(f"{catalogue().write()} derivations written to {room().FILE}")
        return
    names = [_known(name)] if name else list(room().every())
    odd = _as_json(names) if as_json else _as_latex(names) if as_latex else _shown(names, bool(name), digits)
    raise click.exceptions.Exit(SHORT if odd else FINE)


def _known(name: str) -> str:
    try:
        return str(room().find(room().every(), name).name)
    except KeyError as error:
        raise Stop(str(error.args[0]), USAGE) from None


def _shown(names: list[str], one: bool, digits: bool) -> int:
    if one:
        return _one(names[0], digits)
    odd, rows = 0, []
    for stored in room().every().values():
        verdict, at, wrong = _verdict(stored, _places(stored))
        odd += wrong
        rows.append([stored.name, verdict_word(verdict), at.place.display if at else OWN, stored.title])
    for line in table([["name", "verdict", "against", "what it is"], *rows]):
        click.echo(line)
    click.echo(f"\n{len(rows)} objects; `lemmalab derive NAME` shows how one is derived.")
    return odd


def room() -> Any:
    """What is stored: read without sympy."""
    project = here()
    found = project.bring("derivations")
    if found is None:
        raise brings_no("derivations", project)
    return found


def catalogue() -> Any:
    """What is derived afresh: imports sympy."""
    return importlib.import_module(f"{room().__name__}.catalogue")


@dataclass(frozen=True)
class Judged:
    """One place where the object is printed: LaTeX and reading of the fragment, the kernel's verdict, a witness."""

    place: Comparison
    tex: str
    printed: str
    verdict: str
    witness: dict[str, Any]


def _places(one: Stored) -> list[Judged]:
    compared = [place for place in one.places if not place.repairs]
    rows = zip(compared, one.printed, strict=True)
    return [Judged(place, tex, printed, *_judged(place)) for place, (_, tex, printed) in rows]


def _verdict(one: Stored, places: list[Judged]) -> tuple[str, Judged | None, int]:
    """The worst verdict, where it is, and how many verdicts are not as recorded."""
    wrong = sum(found.verdict != found.place.expect for found in places)
    if not places:
        verdict = _judged(one.solves)[0]
        return verdict, None, int(verdict != "PROVED")
    worst = min(places, key=lambda found: WORST_FIRST.index(found.verdict))
    return worst.verdict, worst, wrong


def _judged(place: Comparison) -> tuple[str, dict[str, Any]]:
    from theory.derivation.compare import verdict_on

    evidence, judgement = verdict_on(place)
    return judgement.verdict.name, dict((evidence.witness or {}).get("point", {}))


def _one(name: str, digits: bool) -> int:
    found: Compared = catalogue().of(name)
    odd = 0
    for line in _heading(found):
        click.echo(line)
    verdict, _ = _judged(found.solves)
    odd += verdict != "PROVED"
    click.echo(f"put into what it came from: {verdict_word(verdict)}")
    for judged in _places(catalogue().entry(name)):
        odd += judged.verdict != judged.place.expect
        for line in _comparison(found, judged):
            click.echo(line)
    if not found.places:
        click.echo("printed nowhere in the paper.")
    if digits:
        click.echo(_third_opinion(name))
    return odd


def _heading(found: Compared) -> Iterator[str]:
    from theory.derivation.render import step_lines
    from theory.derivation.words import spoken

    one = found.derivation
    yield f"{one.name}: {spoken(one.title)}"
    yield f"from {spoken(one.source)}"
    yield ""
    yield from step_lines(found, catalogue().SHOWN, WIDTH)


def _comparison(found: Compared, judged: Judged) -> Iterator[str]:
    from reports.cli.letters import point_text

    yield f"{judged.place.display} prints  {_readable(judged.printed)}"
    yield f"  derived         {_readable(found.derived) if len(found.derived) < LONGEST else 'as in the last step'}"
    yield f"  derived == printed: {verdict_word(judged.verdict)}"
    if judged.witness:
        yield f"  they differ at  {_readable(point_text(judged.witness))}"
    yield f"  {judged.place.words}"


def _readable(text: str) -> str:
    """A text of the claim language with the paper's letters."""
    from theory.derivation.words import spoken

    shown: dict[str, str] = catalogue().SHOWN
    return spoken(re.sub(r"[A-Za-z]\w*", lambda word: shown.get(word[0], word[0]), text))


def _third_opinion(name: str) -> str:
    from theory.derivation.words import spoken

    found = catalogue().third_opinion(name)
    worst = min(found, key=lambda one: one.digits)
    return (
        f"third opinion: at {len(found)} random parameters, regimes and borders, the recursion itself agrees to"
        f" {int(worst.digits)} digits or more (fewest: {spoken(worst.where)})."
    )


def _as_latex(names: list[str]) -> int:
    from theory.derivation.render import latex_lines

    for name in names:
        found = catalogue().of(name)
        click.echo(f"% {name}: {found.derivation.title}; from {found.derivation.source}")
        for line in latex_lines(found, catalogue().SHOWN):
            click.echo(line)
    return 0


def _as_json(names: list[str]) -> int:
    odd, found = 0, []
    for name in names:
        kept: Stored = catalogue().entry(name)
        places = _places(kept)
        verdict, at, wrong = _verdict(kept, places)
        odd += wrong
        found.append(
            {
                "name": name,
                "title": kept.title,
                "from": kept.source,
                "derived": kept.derived,
                "derived_latex": kept.latex,
                "printed": at.printed if at else "",
                "printed_latex": at.tex if at else "",
                "display": at.place.display if at else "",
                "verdict": verdict,
                "verdict_of": "derived == printed" if at else "the object solves what it came from",
                "solves": _judged(kept.solves)[0],
                "places": [
                    {"display": p.place.display, "printed": p.printed, "verdict": p.verdict, "witness": p.witness}
                    for p in places
                ],
                "steps": [{"label": label, "latex": tex} for label, tex in kept.steps],
            }
        )
    print_json(found)
    return odd
