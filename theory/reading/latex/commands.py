"""The commands of LaTeX that define, include, hide and bracket; everything else is passed on as it stands."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path

from theory.reading.latex.errors import LatexError
from theory.reading.latex.expander import Expander
from theory.reading.latex.macros import KEPT, KINDS, USUAL, Macro, Piece, Theorem, compiled
from theory.reading.latex.tokens import FileTokens, Place, Token

OPEN_MATHS = frozenset({"array", "aligned", "gathered", "split", "cases", "matrix", "pmatrix", "bmatrix"})
RAW = frozenset(
    {"verbatim", "verbatim*", "Verbatim", "lstlisting", "minted", "comment", "filecontents", "filecontents*"}
)


def _name(reader: Expander) -> str:
    """The name that a definition defines: \\x or {\\x}."""
    tokens = [token for token in reader.argument("the name of a macro") if not token.text.isspace()]
    if len(tokens) != 1 or tokens[0].text[0] != "\\":
        shown = "".join(token.text for token in tokens)
        raise LatexError(f"{reader.place}: {shown!r} is no name of a macro; write it as \\name")
    return tokens[0].text[1:]


def _define(reader: Expander, name: str, macro: Macro) -> None:
    if name not in KEPT:
        reader.macros[name] = macro


def _newcommand(reader: Expander, token: Token) -> None:
    reader.taken("*")
    overlay = reader.taken("<>")
    name = _name(reader)
    count = reader.optional()
    default = reader.optional() if count is not None else None
    number = _count(count, token.place)
    body = _on_every_slide(reader.argument(f"the definition of \\{name}"), number, overlay)
    if token.text == r"\providecommand" and name in reader.macros:
        return
    _define(reader, name, Macro(number, body, None if default is None else tuple(default), overlay=overlay))


def _on_every_slide(body: list[Token], number: int, overlay: bool) -> tuple[Piece, ...]:
    """The body; after \\newcommand<> one more argument says on which slides something is seen, and prints nothing."""
    return tuple(piece for piece in compiled(body, number + overlay) if piece != number + 1)


def _count(tokens: list[Token] | None, place: Place) -> int:
    text = "".join(token.text for token in tokens or []).strip() or "0"
    if len(text) != 1 or text not in "0123456789":
        raise LatexError(f"{place}: {text!r} is no number of arguments; LaTeX allows 0 to 9")
    return int(text)


def _def(reader: Expander, token: Token) -> None:
    name = _name(reader)
    head: list[Token] = []
    while (one := reader.need(f"the definition of \\{name}")).text != "{":
        head.append(one)
    reader.back(one)
    ends = _parameters(head)
    body = compiled(reader.argument(f"the definition of \\{name}"), len(ends) - 1)
    plain = not any(ends)
    _define(reader, name, Macro(len(ends) - 1, body, ends=() if plain else ends))


def _parameters(head: list[Token]) -> tuple[tuple[str, ...], ...]:
    """What stands before #1, after #1, after #2, …"""
    ends: list[list[str]] = [[]]
    after = False
    for token in head:
        text = token.text
        if text == "#":
            after = True
            continue
        if after and text[:1].isdecimal():
            ends.append([])
            text = text[1:]
        after = False
        if text and not text.isspace():
            ends[-1].append(text)
    return tuple(map(tuple, ends))


def _let(reader: Expander, token: Token) -> None:
    name = _name(reader)
    reader.taken("=")
    reader.skip_space()
    target = reader.need(f"what \\{name} is to mean")
    word = target.text[1:] if target.text[0] == "\\" else ""
    _define(reader, name, reader.macros.get(word) or Macro(0, (target,), frozen=True))


def _operator(reader: Expander, token: Token) -> None:
    star = "*" if reader.taken("*") else ""
    name = _name(reader)
    body = reader.argument(f"the definition of \\{name}")
    place = token.place
    wrapped = [Token(rf"\operatorname{star}", place), Token("{", place), *body, Token("}", place)]
    _define(reader, name, Macro(0, tuple(wrapped)))


def _paired(reader: Expander, token: Token) -> None:
    """\\norm{x}, \\norm*{x}, \\norm[\\big]{x}: the size makes no difference to what is meant."""
    name = _name(reader)
    left, right = reader.argument("a delimiter"), reader.argument("a delimiter")
    place = token.place
    gap = Token(" ", place)
    body: list[Piece] = [Token(r"\left", place), *left, gap, 2, Token(r"\right", place), *right, gap]
    _define(reader, name, Macro(2, tuple(body), default=(), starred=True))


def _document_command(reader: Expander, token: Token) -> None:
    """\\NewDocumentCommand with mandatory (m) and one leading optional argument (o, O{…})."""
    name = _name(reader)
    spec = "".join(one.text for one in reader.argument("the arguments of a command")).replace(" ", "")
    default = re.match(r"O\{([^{}]*)\}|o", spec)
    rest = spec[default.end() :] if default else spec
    body = reader.argument(f"the definition of \\{name}")
    if set(rest) - {"m"}:
        raise LatexError(f"{token.place}: \\{name} has the arguments {spec!r}; m and one leading o or O are read")
    number = len(rest) + bool(default)
    first = (Token(default[1] or "", token.place),) if default else None
    _define(reader, name, Macro(number, compiled(body, number), first))


def _environment(reader: Expander, token: Token) -> None:
    reader.taken("*")
    overlay = reader.taken("<>")
    name = reader.words("the name of an environment")
    number = _count(reader.optional(), token.place)
    default = reader.optional()
    begin, end = reader.argument("how the environment begins"), reader.argument("how the environment ends")
    body = _on_every_slide(begin, number, overlay)
    first = Macro(number, body, None if default is None else tuple(default), overlay=overlay)
    reader.environments[name] = (first, Macro(0, tuple(end)))


def _newtheorem(reader: Expander, token: Token) -> None:
    reader.taken("*")
    name = reader.words("the name of an environment")
    reader.optional()
    title = reader.argument("the title of a theorem")
    reader.optional()
    if token.text == r"\spnewtheorem":
        reader.argument(), reader.argument()
    reader.theorems[name] = Theorem(name, kind_of("".join(one.text for one in title), name), token.place)


def _declaretheorem(reader: Expander, token: Token) -> None:
    options = reader.optional() or []
    name = reader.words("the name of an environment")
    more = reader.optional() or []
    text = "".join(one.text for one in [*options, *more])
    title = re.search(r"(?:^|,)\s*(?:name|title|heading)\s*=\s*\{?([^,{}]*)", text)
    reader.theorems[name] = Theorem(name, kind_of(title[1] if title else name, name), token.place)


def kind_of(title: str, environment: str) -> str:
    """The kind that a title names: "Main Theorem" is a theorem, "Annahme" is annahme."""
    words = re.sub(r"\\[A-Za-z]+|[^\w\s-]", " ", title).lower().split()
    for word in [*words[::-1], environment.lower().rstrip("*")]:
        if word in KINDS or word in USUAL:
            return USUAL.get(word, word)
    return "-".join(words) or environment.lower()


def _input(reader: Expander, token: Token) -> None:
    following = reader.skip_space()
    if following is not None and following.text != "{":
        name = reader.need("a file name").text  # \input file, as TeX has it
        while (more := reader.next()) is not None and not more.text.isspace() and more.text[0] not in "\\{}":
            name += more.text
        if more is not None:
            reader.back(more)
    else:
        name = reader.words("a file name")
    _follow(reader, name, token)


def _import(reader: Expander, token: Token) -> None:
    folder = reader.words("a folder")
    _follow(reader, f"{folder.rstrip('/')}/{reader.words('a file name')}", token)


def _follow(reader: Expander, name: str, token: Token) -> None:
    if reader.muted:
        return
    path = located(reader, name, (".tex", ""))
    if path is None:
        raise LatexError(
            f"{token.place}: {token.text}{{{name}}} names a file that does not exist beside {reader.main}; "
            "add the file or remove the command"
        )
    reader.open(path, shown(reader, path))


def located(reader: Expander, name: str, endings: tuple[str, ...]) -> Path | None:
    current = next((one.name for one in reversed(reader.stack) if isinstance(one, FileTokens)), reader.main)
    for folder in (reader.root, (reader.root / current).parent):
        for ending in endings:
            with contextlib.suppress(OSError, ValueError):
                path = folder / (name + ending)
                if path.is_file():
                    return path
    return None


def shown(reader: Expander, path: Path) -> str:
    """The name of a file in messages and anchors: relative to the main file."""
    real = path.resolve()
    return real.relative_to(reader.root).as_posix() if real.is_relative_to(reader.root) else real.as_posix()


def _package(reader: Expander, token: Token) -> None:
    """A package that lies beside the paper is read for its definitions; the others are LaTeX's own."""
    reader.optional()
    ending = ".cls" if token.text in (r"\documentclass", r"\LoadClass") else ".sty"
    for name in reader.words("the name of a package").split(","):
        path = located(reader, name.strip(), (ending,))
        if path is None or path.as_posix() in reader.packages:
            continue
        reader.packages.add(path.as_posix())
        reader.open(path, shown(reader, path), internal=True)
        reader.muted += 1


def _begin(reader: Expander, token: Token) -> None:
    name = reader.words("the name of an environment")
    if reader.muted:
        return
    if name in RAW:
        _raw(reader, name, token)
    elif name in reader.environments:
        begin, _ = reader.environments[name]
        reader.push(begin.replaced(reader.arguments_of(begin, token), token.place), token)
    elif name == "document" and any(mark == r"\begin{document}" for mark, _ in reader.balance.open):
        reader.balance.begin("subfile", token.place)  # a subfile brings its own document
    else:
        reader.balance.begin(name, token.place)
        reader.emit(rf"\begin{{{name}}}", token.place)
        if name not in OPEN_MATHS:
            reader.overlay()


def _end(reader: Expander, token: Token) -> None:
    name = reader.words("the name of an environment")
    if reader.muted:
        return
    if name in reader.environments:
        _, end = reader.environments[name]
        reader.push(end.replaced([], token.place), token)
    elif name == "document" and reader.balance.open and reader.balance.open[-1][0] == r"\begin{subfile}":
        reader.balance.end("subfile", token.place)
        reader.leave_file()
    else:
        reader.balance.end(name, token.place)
        reader.emit(rf"\end{{{name}}}", token.place)
        if name == "document":
            reader.stack.clear()


def _raw(reader: Expander, name: str, token: Token) -> None:
    """What is verbatim is no mathematics: its lines are passed over."""
    file = reader.file()
    if file is None or file.raw_until(rf"\end{{{name}}}") is None:
        raise LatexError(f"{token.place}: \\begin{{{name}}} is never closed; add \\end{{{name}}}")


def _verb(reader: Expander, token: Token) -> None:
    file = reader.file()
    if file is None:
        return
    if file.source[file.at : file.at + 1] == "*":
        file.at += 1
    if token.text == r"\lstinline" and file.source[file.at : file.at + 1] == "[":
        file.raw_until("]")
    mark = file.source[file.at : file.at + 1]
    file.at += 1
    if not mark or mark.isspace() or file.raw_until("}" if mark == "{" else mark) is None:
        raise LatexError(f"{token.place}: {token.text} is never closed; close it with {mark!r}")


def _url(reader: Expander, token: Token) -> None:
    """An address may hold % and #; it is no part of what we read."""
    file = reader.file()
    if file is None:
        reader.argument("an address")
    elif file.source[file.at : file.at + 1] == "{":
        _verb(reader, token)


def _leave_file(reader: Expander, token: Token) -> None:
    reader.leave_file()


def _letters(reader: Expander, token: Token) -> None:
    for one in reader.stack:
        if isinstance(one, FileTokens):
            one.internal = token.text == r"\makeatletter"


def _seen(reader: Expander, token: Token) -> None:
    """\\only<2>{x}: what is seen on some slides stands in the paper."""
    reader.overlay()


def _newif(reader: Expander, token: Token) -> None:
    reader.switches[_name(reader).removeprefix("if")] = False


def _quiet(reader: Expander, token: Token) -> None:
    """A word that changes nothing that we read."""


DEFINITIONS = ("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand")
HANDLERS: dict[str, Callable[[Expander, Token], None]] = {
    **dict.fromkeys(DEFINITIONS, _newcommand),
    **dict.fromkeys(("def", "gdef", "edef", "xdef"), _def),
    **dict.fromkeys(("long", "global", "protected"), _quiet),
    "let": _let,
    "DeclareMathOperator": _operator,
    "DeclarePairedDelimiter": _paired,
    **dict.fromkeys(("NewDocumentCommand", "RenewDocumentCommand", "DeclareDocumentCommand"), _document_command),
    **dict.fromkeys(("newenvironment", "renewenvironment"), _environment),
    **dict.fromkeys(("newtheorem", "spnewtheorem"), _newtheorem),
    "declaretheorem": _declaretheorem,
    **dict.fromkeys(("input", "include", "subfile"), _input),
    **dict.fromkeys(("import", "subimport"), _import),
    **dict.fromkeys(("usepackage", "RequirePackage", "documentclass", "LoadClass"), _package),
    "begin": _begin,
    "end": _end,
    **dict.fromkeys(("verb", "lstinline"), _verb),
    "url": _url,
    "endinput": _leave_file,
    **dict.fromkeys(("makeatletter", "makeatother"), _letters),
    "newif": _newif,
    **dict.fromkeys(("alert", "only", "uncover", "visible", "onslide", "pause"), _seen),
}
