"""A project made from a LaTeX source, and brought up to date after an edit of the source.

create(Path("paper.tex"), Path("my-paper"))     lemmalab new
synchronise(Path("my-paper"))                   lemmalab sync
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from theory.claims.collection import module_name
from theory.claims.files import reading, toml_of
from theory.reading.latex import stubs
from theory.reading.latex.document import Document, read_document
from theory.reading.latex.errors import LatexError
from theory.reading.latex.guess import as_notation, guessed
from theory.reading.latex.matching import Pair, paired
from theory.reading.latex.notation import Notation, read_notation
from theory.reading.latex.outline import Item, outline
from theory.reading.latex.readings import Told, read_all

ANCHORS = "anchors.json"
ROOM = "statements"
FILES = ("lemmalab.toml", "paper.toml", "symbols.toml", ANCHORS, ROOM)


@dataclass(frozen=True)
class Made:
    """What `create` has made, for the summary."""

    root: Path
    title: str
    statements: int
    displays: int
    read: int
    symbols: int


def create(source: Path, target: Path) -> Made:
    """Make a project. Everything is written beside the target first: it comes into being whole or not at all."""
    document = read_document(source)
    items = outline(document)
    if not items:
        raise LatexError(f"{source} holds no statement and no display; give the main file of a paper")
    _free(target)
    notation = as_notation(guessed(_formulas(items), (one.source for one in items)))
    files, read = _files(document, items, notation, source, target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".lemmalab-") as folder:
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        _move(Path(folder), target)
    shown = sum(one.display for one in items)
    return Made(target, document.title, len(items) - shown, shown, read, len(notation.glyphs))


def _free(target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise LatexError(f"{target} is a file; give another folder with --out")
    there = [name for name in FILES if (target / name).exists()]
    if there:
        raise LatexError(
            f"{target} already holds {there[0]}; give another folder with --out, or run lemmalab sync in it"
        )


def _move(made: Path, target: Path) -> None:
    fresh = not target.exists()
    target.mkdir(exist_ok=True)
    moved: list[Path] = []
    try:
        for one in sorted(made.iterdir()):
            os.rename(one, target / one.name)
            moved.append(target / one.name)
    except OSError:
        for one in moved:
            shutil.rmtree(one) if one.is_dir() else one.unlink()
        if fresh:
            target.rmdir()
        raise


def _formulas(items: Sequence[Item]) -> list[str]:
    return [text for one in items for text in ([one.row["formula"]] if one.display else one.inline)]


def _files(
    document: Document, items: Sequence[Item], notation: Notation, source: Path, target: Path
) -> tuple[dict[str, str], int]:
    title = document.title or source.stem
    told = read_all(items, notation)
    made = stub_texts(items, told)
    read = sum(one.display and bool(one.row["statement"]) and not told.displays[one.id].reason for one in items)
    anchors = anchors_of(items, made, os.path.relpath(source.resolve(), target.resolve()))
    return {
        "lemmalab.toml": stubs.manifest_toml(stubs.project_name(target.resolve().name), title),
        "paper.toml": stubs.paper_toml(title, rows_of(items)),
        "symbols.toml": stubs.symbols_toml(notation.glyphs.values()),
        ANCHORS: anchors,
        **{f"{ROOM}/{name}": text for name, text in made.items()},
    }, read


def rows_of(items: Sequence[Item]) -> list[tuple[str, dict[str, Any]]]:
    return [("display" if one.display else "statement", one.row) for one in items]


def stub_texts(items: Sequence[Item], told: Told) -> dict[str, str]:
    """The stub of every statement, by file name."""
    shown: defaultdict[str, list[Item]] = defaultdict(list)
    for one in items:
        if one.display:
            shown[one.row["statement"]].append(one)
    found: dict[str, str] = {}
    for item in (one for one in items if not one.display):
        mine = shown[item.id]
        own, steps = [o for o in mine if not o.row["proof"]], [o for o in mine if o.row["proof"]]
        found[f"{module_name(item.id)}.py"] = stubs.stub(item, own, steps, told)
    return found


def anchors_of(items: Sequence[Item], made: Mapping[str, str], source: str) -> str:
    """What sync compares a later source with; written by lemmalab, not to be edited."""
    body = {
        "source": Path(source).as_posix(),
        "items": {one.id: anchor(one) for one in items},
        "stubs": {name: digest(text) for name, text in made.items()},
    }
    return json.dumps(body, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def anchor(one: Item) -> dict[str, Any]:
    return {"display": one.display, "kind": one.kind, "file": one.file, "text": one.text, "row": one.row}


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# --- sync --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """One line of the report of sync. `what` is moved, changed, appeared or went."""

    what: str
    id: str
    words: str


def synchronise(root: Path, source: Path | None = None) -> list[Change]:
    """Compare the source with the project and bring paper.toml, anchors and untouched stubs up to date."""
    old = _anchors(root)
    main = source if source is not None else root / old["source"]
    document = read_document(main)
    before = [_item(id_, body) for id_, body in old["items"].items()]
    pairs = paired(before, outline(document))
    after = _renamed(pairs)
    user = _user_rows(root)
    rows = [(table, _merged(row, user.get(row["id"]), old["items"].get(row["id"]))) for table, row in rows_of(after)]
    notation = read_notation(root / "symbols.toml") if (root / "symbols.toml").is_file() else Notation()
    fresh = [
        one
        for one in guessed(_formulas(after), (i.source for i in after))
        if one.latex not in {g.latex for g in notation.glyphs.values()}
    ]
    known = replace(notation, glyphs={**{one.name: one for one in fresh}, **notation.glyphs})
    made = stub_texts(after, read_all(after, known))
    writes, removes, notes = _stub_edits(root, made, old["stubs"])
    writes |= {root / "paper.toml": stubs.paper_toml(document.title, rows)}
    relative = os.path.relpath(main.resolve(), root.resolve())
    writes[root / ANCHORS] = anchors_of(after, made, relative)
    free = [one for one in fresh if one.name not in notation.glyphs]
    if free and (root / "symbols.toml").is_file():
        text = (root / "symbols.toml").read_text("utf-8")
        if "[[symbol]]" in text or "symbol" not in toml_of(root / "symbols.toml"):
            added = "".join(map(stubs.symbol_row, free))
            writes[root / "symbols.toml"] = text.rstrip() + "\n\n# found by sync\n" + added
    _replace_all(writes)
    for path in removes:
        path.unlink(missing_ok=True)
    return _changes(pairs, notes)


def _anchors(root: Path) -> dict[str, Any]:
    path = root / ANCHORS
    if not path.is_file():
        raise LatexError(f"{path} does not exist; sync works in a project that `lemmalab new paper.tex` has made")
    try:
        body = json.loads(path.read_text("utf-8"))
        found = {"items": dict(body["items"]), "stubs": dict(body["stubs"]), "source": str(body["source"])}
    except (ValueError, KeyError, TypeError):
        raise LatexError(f"{path} is damaged; restore it from your version control, or make the project anew") from None
    return found


def _item(id_: str, body: Mapping[str, Any]) -> Item:
    return Item(dict(body["row"]), body["display"], body["kind"], body["file"], body["text"])


def _renamed(pairs: Sequence[Pair]) -> list[Item]:
    """The new items under the ids of the old ones that they are."""
    names = {pair.new.id: pair.old.id for pair in pairs if pair.old is not None and pair.new is not None}
    taken = set(map(module_name, names.values()))
    for pair in (one for one in pairs if one.old is None and one.new is not None):
        assert pair.new is not None
        fresh, k = pair.new.id, 2
        while module_name(fresh) in taken:
            fresh, k = f"{pair.new.id}-{k}", k + 1
        taken.add(module_name(fresh))
        names[pair.new.id] = fresh
    found: list[Item] = []
    for pair in pairs:
        if pair.new is None:
            continue
        row = {**pair.new.row, "id": names[pair.new.id]}
        if "statement" in row:
            row["statement"] = names.get(row["statement"], row["statement"])
        if "uses" in row:
            row["uses"] = [names.get(one, one) for one in row["uses"]]
        found.append(replace(pair.new, row=row))
    return found


def _user_rows(root: Path) -> dict[str, dict[str, Any]]:
    path = root / "paper.toml"
    with reading(path, "mend it, then run sync again"):
        data = toml_of(path)
        return {row["id"]: row for table in ("statement", "display") for row in data.get(table, [])}


def _merged(new: dict[str, Any], user: Mapping[str, Any] | None, old: Mapping[str, Any] | None) -> dict[str, Any]:
    """What the author has changed in paper.toml stays; everything else follows the source."""
    if user is None or old is None:
        return new
    made = old["row"]
    kept = {key: value for key, value in user.items() if key in new and value != made.get(key) and key not in ("id",)}
    return {**new, **{key: value for key, value in kept.items() if key not in ("first_line", "last_line", "proof")}}


def _stub_edits(
    root: Path, made: Mapping[str, str], known: Mapping[str, str]
) -> tuple[dict[Path, str], list[Path], dict[str, str]]:
    """Stubs that nobody has touched follow the source; edited ones stay, and are named."""
    writes: dict[Path, str] = {}
    notes: dict[str, str] = {}
    for name, text in made.items():
        path = root / ROOM / name
        there = path.read_text("utf-8") if path.is_file() else None
        if there is None or digest(there) == known.get(name):
            if there != text:
                writes[path] = text
        elif there != text:
            notes[name] = f"{ROOM}/{name} was edited and stays as it is; compare it with the print again"
    removes: list[Path] = []
    for name in known.keys() - made.keys():
        path = root / ROOM / name
        if path.is_file() and digest(path.read_text("utf-8")) == known[name]:
            removes.append(path)
        elif path.is_file():
            notes[name] = f"{ROOM}/{name} was edited and is kept"
    return writes, removes, notes


def _replace_all(writes: Mapping[Path, str]) -> None:
    """Each file is written beside its place and then put there; a failure leaves the old ones."""
    ready: list[tuple[Path, Path]] = []
    try:
        for path, text in writes.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = path.with_name(f".{path.name}.new")
            beside.write_text(text, encoding="utf-8")
            ready.append((beside, path))
        for beside, path in ready:
            os.replace(beside, path)
    finally:
        for beside, _ in ready:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)


def _changes(pairs: Sequence[Pair], notes: Mapping[str, str]) -> list[Change]:
    found: list[Change] = []
    for pair in pairs:
        one = pair.old or pair.new
        assert one is not None
        note = notes.get(f"{module_name(one.id)}.py", "") if not one.display else ""
        tail = f"; {note}" if note else ""
        if pair.new is None:
            found.append(Change("went", one.id, f"was at {one.place}{tail}"))
        elif pair.old is None:
            found.append(Change("appeared", pair.new.id, f"at {pair.new.place}"))
        elif pair.old.text != pair.new.text:
            found.append(Change("changed", pair.old.id, f"at {pair.new.place}{tail or ''}"))
        elif pair.old.place != pair.new.place:
            found.append(Change("moved", pair.old.id, f"{pair.old.place} -> {pair.new.place}"))
    order = ("changed", "appeared", "went", "moved")
    return sorted(found, key=lambda change: order.index(change.what))
