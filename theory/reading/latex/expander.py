"""One pass over the tokens of a LaTeX project: macros are replaced, files entered, everything else is passed on."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from theory.reading.latex.balance import Balance
from theory.reading.latex.errors import LatexError
from theory.reading.latex.macros import Macro, Theorem
from theory.reading.latex.tokens import FileTokens, ListTokens, Place, Token, read_text

MAX_DEPTH, MAX_TOKENS, MAX_FLAT = 200, 1_000_000, 8_000_000
OVERLAY = re.compile(r"\A<[\w.,:|@+-]*>")
Handlers: TypeAlias = "Mapping[str, Callable[[Expander, Token], None]]"


class Expander:
    """One pass over the tokens. The stack holds what is being read: files, and macros within them."""

    def __init__(self, main: Path, handlers: Handlers, prose: bool = False) -> None:
        self.handlers, self.prose = handlers, prose
        self.root = main.resolve().parent
        self.main = main.name
        self.macros: dict[str, Macro] = {}
        self.environments: dict[str, tuple[Macro, Macro]] = {}
        self.theorems: dict[str, Theorem] = {}
        self.switches: dict[str, bool] = {"false": False, "true": True}
        self.sources: dict[str, str] = {}
        self.stack: list[FileTokens | ListTokens] = []
        self.folders: list[Path] = [self.root]
        self.balance = Balance()
        self.packages: set[str] = set()
        self.parts: list[str] = []
        self.starts: list[int] = []
        self.places: list[Place] = []
        self.length = 0
        self.last = ""
        self.after_command = False
        self.muted = 0  # inside a package: definitions count, text does not
        self.place = Place(self.main, 1)

    def run(self) -> None:
        self.open(self.root / self.main, self.main)
        while (token := self.next()) is not None:
            self.step(token)
        self.balance.finish()

    # --- reading -----------------------------------------------------------------------------------------------

    def open(self, path: Path, name: str, internal: bool = False) -> None:
        chain = [one.name for one in self.stack if isinstance(one, FileTokens)]
        if name in chain:
            loop = " -> ".join([*chain[chain.index(name) :], name])
            raise LatexError(f"{self.place}: {name} is read while it is being read ({loop}); remove one \\input")
        source = read_text(path, name)
        self.sources[name] = source
        self.stack.append(FileTokens(name, source, internal))

    def next(self) -> Token | None:
        while self.stack:
            token = self.stack[-1].next()
            if token is not None:
                self.place = token.place
                return token
            done = self.stack.pop()
            if isinstance(done, FileTokens):
                self.muted -= done.name.endswith((".sty", ".cls"))
        return None

    def need(self, what: str) -> Token:
        place = self.place
        token = self.next()
        if token is None:
            raise LatexError(f"{place}: the text ends where {what} is expected; complete the command")
        return token

    def back(self, *tokens: Token) -> None:
        depth = self.stack[-1].depth if self.stack else 0
        self.stack.append(ListTokens(list(tokens), depth))

    def skip_space(self) -> Token | None:
        """Put back the next token that is no space, and show it."""
        while (token := self.next()) is not None:
            if not token.text.isspace():
                self.back(token)
                return token
        return None

    def taken(self, mark: str) -> bool:
        """Is this what comes next? Then it is passed."""
        following = self.skip_space()
        if following is None or not following.text.startswith(mark):
            return False
        token = self.need(mark)
        if token.text[len(mark) :]:
            self.back(Token(token.text[len(mark) :], token.place))
        return True

    def argument(self, what: str = "an argument") -> list[Token]:
        """A group without its braces, or one token, or one character of a text."""
        start = self.place
        if self.skip_space() is None:
            raise LatexError(f"{start}: the text ends where {what} is expected; complete the command")
        token = self.need(what)
        if token.text == "}":
            raise LatexError(f"{token.place}: '}}' stands where {what} is expected; complete the command")
        if token.text != "{":
            if token.text[0] != "\\" and len(token.text) > 1:
                self.back(Token(token.text[1:], token.place))
                return [Token(token.text[0], token.place)]
            return [token]
        return self.until_closed("{", "}", token.place)

    def until_closed(self, opening: str, closing: str, start: Place) -> list[Token]:
        found: list[Token] = []
        depth, braces = 1, 0
        while (token := self.next()) is not None:
            if token.text == "{" and opening != "{":
                braces += 1
            elif token.text == "}" and opening != "{":
                braces -= 1
            elif not braces:
                depth += (token.text == opening) - (token.text == closing)
            if depth == 0:
                return found
            if braces < 0:
                break
            found.append(token)
        raise LatexError(f"{start}: {opening!r} is never closed; add the missing {closing!r}")

    def optional(self) -> list[Token] | None:
        following = self.skip_space()
        if following is None or following.text != "[":
            return None
        return self.until_closed("[", "]", self.need("[").place)

    def overlay(self) -> None:
        """<2-> says on which slides something is seen; it is passed."""
        following = self.next()
        if following is not None:
            rest = OVERLAY.sub("", following.text)
            if rest:
                self.back(Token(rest, following.place))

    def words(self, what: str) -> str:
        return "".join(token.text for token in self.argument(what)).strip()

    # --- writing -----------------------------------------------------------------------------------------------

    def emit(self, text: str, place: Place) -> None:
        if self.muted or not text:
            return
        if self.last[:1] == "\\" and self.last[-1].isalpha() and text[0].isalpha():
            text = " " + text
        if not self.places or self.places[-1] != place:
            self.starts.append(self.length)
            self.places.append(place)
        self.parts.append(text)
        self.length += len(text)
        self.last = text
        if not text.isspace():
            self.after_command = text[0] == "\\"  # what follows may be its argument
        if "\n" in text:  # a text over several lines: each of its lines has its own place
            self._lines(text, place)
        if self.length > MAX_FLAT:
            raise LatexError(
                f"{place}: the paper has more than {MAX_FLAT} characters once its macros are expanded; "
                "look for a macro that multiplies itself"
            )

    def _lines(self, text: str, place: Place) -> None:
        base = self.length - len(text)
        at = text.find("\n")
        line = place.line
        while at >= 0 and at + 1 < len(text):
            line += 1
            self.starts.append(base + at + 1)
            self.places.append(Place(place.file, line))
            at = text.find("\n", at + 1)

    # --- one token ---------------------------------------------------------------------------------------------

    def step(self, token: Token) -> None:
        if token.text[0] != "\\":
            self._plain(token)
        elif token.text[1:] in self.macros:
            self.call(token, self.macros[token.text[1:]])
        elif token.text[1:] in self.handlers:
            self._handle(token)
        elif token.text.startswith("\\if") and token.text[3:] in self.switches:
            self._branch(self.switches[token.text[3:]], token)
        elif self._switch(token.text[1:]) or self.muted:
            return
        else:
            if token.text in (r"\[", r"\]", r"\(", r"\)"):
                self.balance.see(token)
            self.emit(token.text, token.place)

    def _handle(self, token: Token) -> None:
        try:
            self.handlers[token.text[1:]](self, token)
        except LatexError:
            if not self.muted:
                raise
            self.leave_file()  # a package that plays with TeX: the rest of it is LaTeX's own business

    def leave_file(self) -> None:
        while self.stack:
            done = self.stack.pop()
            if isinstance(done, FileTokens):
                self.muted -= done.name.endswith((".sty", ".cls"))
                return

    def file(self) -> FileTokens | None:
        """The file that is being read, if its next character is the next to be read."""
        while self.stack and isinstance(self.stack[-1], ListTokens) and not self.stack[-1].tokens:
            self.stack.pop()
        top = self.stack[-1] if self.stack else None
        return top if isinstance(top, FileTokens) else None

    def push(self, tokens: list[Token], token: Token) -> None:
        """Read these tokens next: what a macro or an environment stands for."""
        depth = self.stack[-1].depth + 1 if self.stack else 1
        if depth > MAX_DEPTH or len(tokens) > MAX_TOKENS:
            raise LatexError(f"{token.place}: {token.text} expands into itself without end; mend its definition")
        self.stack.append(ListTokens(tokens, depth))

    def _plain(self, token: Token) -> None:
        if self.muted:
            return
        if token.text == "$":
            following = self.next()
            if following is not None and following.text == "$" and self.balance.doubles():
                token = Token("$$", token.place)
            elif following is not None:
                self.back(following)
        if token.text in ("{", "}", "$", "$$"):
            self.balance.see(token)
        elif not self.prose and token.text[0] not in "[]" and not self.after_command and self.balance.in_prose():
            token = Token(" ", token.place)  # without `prose` words between statements are not read: soon parsed
        self.emit(token.text, token.place)

    def _switch(self, word: str) -> bool:
        """\\drafttrue and \\draftfalse, after \\newif\\ifdraft."""
        for ending, value in (("true", True), ("false", False)):
            if word.endswith(ending) and word != ending and word[: -len(ending)] in self.switches:
                self.switches[word[: -len(ending)]] = value
                return True
        return False

    def _branch(self, wanted: bool, opening: Token) -> None:
        """Keep one branch of \\iffalse … \\else … \\fi."""
        kept: list[Token] = []
        depth, first = 1, True
        while (token := self.next()) is not None:
            if token.is_word and token.text.startswith("\\if") and token.text not in ("\\iff", "\\ifthenelse"):
                depth += 1
            elif token.text == "\\fi":
                depth -= 1
                if depth == 0:
                    self.back(*kept)
                    return
            elif token.text == "\\else" and depth == 1:
                first = False
                continue
            if first == wanted:
                kept.append(token)
        raise LatexError(f"{opening.place}: {opening.text} has no \\fi; add it")

    def call(self, token: Token, macro: Macro) -> None:
        """Replace a call by what it stands for."""
        if macro.frozen:
            piece = macro.body[0]
            assert isinstance(piece, Token)
            self.emit(piece.text, token.place)
            return
        self.push(macro.replaced(self.arguments_of(macro, token), token.place), token)

    def arguments_of(self, macro: Macro, token: Token) -> list[list[Token]]:
        if macro.ends:
            self._passed(macro.ends[0])
            return [self._delimited(end, token) for end in macro.ends[1:]]
        given: list[list[Token]] = []
        if macro.starred:
            self.taken("*")
        if macro.overlay:
            self.overlay()
        if macro.default is not None:
            own = self.optional()
            given.append(list(macro.default) if own is None else own)
        while len(given) < macro.arguments:
            given.append(self.argument(f"argument {len(given) + 1} of {token.text}"))
        return given

    def _passed(self, marks: tuple[str, ...]) -> None:
        for mark in marks:
            self.taken(mark)

    def _delimited(self, end: tuple[str, ...], token: Token) -> list[Token]:
        if not end:
            return self.argument(f"an argument of {token.text}")
        found: list[Token] = []
        wanted = "".join(end)
        braces = 0
        while (one := self.next()) is not None:
            braces += (one.text == "{") - (one.text == "}")
            place = one.text.find(wanted) if not braces and len(end) == 1 and wanted[0] != "\\" else -1
            if place >= 0:
                rest = one.text[place + len(wanted) :]
                if rest:
                    self.back(Token(rest, one.place))
                return [*found, *([Token(one.text[:place], one.place)] if place else [])]
            found.append(one)
            if not braces and len(end) > 1 and [t.text for t in found[-len(end) :]] == list(end):
                return found[: -len(end)]
            if not braces and len(end) == 1 and one.text == wanted:
                return found[:-1]
        raise LatexError(f"{token.place}: {token.text} is used without the {wanted!r} of its definition; add it")
