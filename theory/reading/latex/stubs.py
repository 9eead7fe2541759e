"""The files of a project as texts: paper.toml, symbols.toml, lemmalab.toml and one stub for each statement."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from theory.reading.latex.notation import Glyph
from theory.reading.latex.outline import Item
from theory.reading.latex.readings import Assumed, Reading, Told
from theory.reading.paper import ASSERT_NOTHING

TO_COMPARE = "Read from the print by machine; compare it, and complete its hypotheses."
UNREAD = "is not read as a claim"


def stub(item: Item, own: Sequence[Item], steps: Sequence[Item], told: Told) -> str:
    """A module with one STATEMENT: its LaTeX, and the claims that could be read from its displays."""
    accounts = _accounts(item, own, steps)
    drafts = [] if item.id in accounts else _in_words(told.words.get(item.id, ()), single=not own)
    for at, one in enumerate((*own, *steps)):
        drafts += [] if one.id in accounts else _drafts(one, told.displays[one.id], at < len(own), len(own) > 1)
    used = [name for name in ("printed", "step") if f"    {name}(" in drafts]
    title = f"{item.id} ({item.kind}, {item.place}): {item.row['title']}."
    lines = [
        f'r"""{_quoted(title)}',
        "",
        *(_quoted(line) for line in item.source.split("\n")),
        '"""',
        "",
        f"from theory.claims.statement import {', '.join([*(['Faithfulness'] if used else []), *used, 'statement'])}",
        "",
        "STATEMENT = statement(",
        f"    {json.dumps(item.id)},",
        *_unread(told.assumed[item.id]),
        *drafts,
        *(
            [
                "    accounts={",
                *(f"        {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}," for k, v in accounts.items()),
                "    },",
            ]
            if accounts
            else []
        ),
        ")",
        "",
    ]
    return "\n".join(lines)


def _accounts(item: Item, own: Sequence[Item], steps: Sequence[Item]) -> dict[str, str]:
    """What asserts nothing, with the reason."""
    found = {one.id: "a definition" for one in (*own, *steps) if one.row["role"] == "definition"}
    if item.kind in ASSERT_NOTHING:
        article = "an" if item.kind[0] in "aeiou" else "a"
        reason = f"{article} {item.kind}, used as a hypothesis"
        found = {item.id: reason, **dict.fromkeys(found, reason)}
    return found


def _unread(given: Assumed) -> list[str]:
    """Hypotheses in the words of the statement that no claim below has."""
    told = [f"`{' '.join(latex.split())}` is not read as a hypothesis: {reason}" for latex, reason in given.unread]
    return [line for one in told for line in _comment(one)]


def _in_words(found: Sequence[Reading], single: bool) -> list[str]:
    """What the statement claims in its sentences, outside of displays."""
    drafts: list[str] = []
    for at, one in enumerate(found, start=1):
        if one.reason:
            drafts += _comment(f"`{one.display}` {UNREAD}: {one.reason}")
            continue
        part = [] if single and len(found) == 1 else [f"part={json.dumps(f'in words {at}')},"]
        drafts += _call("printed", [f"{_tuple(one.claims)},", *part, *_needs(one)])
    return drafts


def _comment(text: str) -> list[str]:
    return [f"    # {line}" for line in textwrap.wrap(text, 110, break_on_hyphens=False)]


def _drafts(one: Item, found: Reading, own: bool, several: bool) -> list[str]:
    if found.reason:
        readable = [f"    #   {claim}" for claim in found.claims]
        readable += [f"    #   given: {given}" for given in found.given]
        return [*_comment(f"{one.id} ({one.place}) {UNREAD}: {found.reason}"), *readable]
    more = _needs(found)
    if own:
        part = [f"part={json.dumps(one.id)},"] if several else []
        return _call("printed", [f"{_tuple(found.claims)},", *part, *more, f"display={json.dumps(one.id)},"])
    numbered = enumerate(found.claims, start=1)
    calls = (
        _call("step", [f"{json.dumps(one.id)},", f"{k},", f"{json.dumps(claim)},", *more]) for k, claim in numbered
    )
    return [line for call in calls for line in call]


def _needs(found: Reading) -> list[str]:
    naturals = [f"naturals={_tuple(found.naturals)},"] if found.naturals else []
    kinds = [f"kinds={json.dumps(dict(found.kinds))},"] if found.kinds else []
    return [f"given={_tuple(found.given)},", *naturals, *kinds]


def _call(name: str, arguments: Iterable[str]) -> list[str]:
    told = [*arguments, "faithfulness=Faithfulness.UNCOMPARED,", f"words={json.dumps(TO_COMPARE)},"]
    return [f"    {name}(", *(f"        {one}" for one in told), "    ),"]


def _tuple(texts: Sequence[str]) -> str:
    inner = ", ".join(map(json.dumps, texts))
    return f"({inner},)" if len(texts) == 1 else f"({inner})"


def _quoted(line: str) -> str:
    """A line that can stand in a raw docstring."""
    return line.replace('"""', "'''").replace("\x00", "")[:2000]


# --- tables ------------------------------------------------------------------------------------------------------


def paper_toml(title: str, rows: Sequence[tuple[str, dict[str, Any]]]) -> str:
    """paper.toml: every statement and every display, in reading order."""
    head = [
        f"# What {title or 'the paper'} prints, read from its LaTeX source.",
        "# `lemmalab sync` brings this file up to date after an edit of the source.",
        "# Titles, explanations, roles, uses and numbers of relations may be changed here; sync keeps what you change.",
        "",
    ]
    for table, row in rows:
        head += [f"[[{table}]]", *(f"{key} = {_value(key, value)}" for key, value in row.items()), ""]
    return "\n".join(head)


def _value(key: str, value: Any) -> str:
    if key == "formula":
        return _block(str(value))
    if isinstance(value, list):
        return "[" + ", ".join(json.dumps(one, ensure_ascii=False) for one in value) + "]"
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False)


def _block(text: str) -> str:
    return json.dumps(text, ensure_ascii=False) if "'''" in text or text.endswith("'") else f"'''\n{text}'''"


def symbols_toml(glyphs: Iterable[Glyph]) -> str:
    head = [
        "# Every symbol once: its name in claims, its LaTeX (#1, #2 are indices or arguments), its kind, its meaning.",
        "# kinds: real natural vector matrix symmetric psd pd random sequence function; of: that of the members.",
        "# assume: positive, nonnegative, integer, … The kinds are guesses from the print; correct and complete them.",
        "",
    ]
    return "\n".join(head) + "".join(symbol_row(glyph) for glyph in glyphs)


def symbol_row(glyph: Glyph) -> str:
    latex = f"'{glyph.latex}'" if "'" not in glyph.latex else json.dumps(glyph.latex)
    of = f'of = "{glyph.of}"\n' if glyph.kind in ("sequence", "function", "random") else ""
    return (
        f'[[symbol]]\nname = "{glyph.name}"\nlatex = {latex}\nkind = "{glyph.kind}"\n{of}meaning = ""\nassume = []\n\n'
    )


def manifest_toml(name: str, title: str) -> str:
    return "\n".join([
        f"name = {json.dumps(name, ensure_ascii=False)}",
        f"title = {json.dumps(title or name, ensure_ascii=False)}",
        'rooms = ["statements"]',
        "",
    ])  # fmt: skip


def project_name(stem: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", stem).strip("-") or "paper"
