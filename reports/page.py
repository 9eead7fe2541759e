"""The shell of every page that we write: one HTML file that opens from disk and asks the network for nothing.

    page("Title", body, script="…")

The policy forbids everything that is not in the file: scripts and styles run only when their digest is in it, so that
`body` must not hold <script>, <style> or style attributes of its own (`page` refuses them).
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html.parser import HTMLParser
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

FORBIDDEN = frozenset({"script", "style", "link", "meta", "iframe", "object", "embed", "base", "form"})


_TAG = re.compile(r"<[a-z][^<>]*>")
_ATTRIBUTE = re.compile(  # HTML needs no quotes around plain words
    r" (class|scope|[lr]space|width|height|display|accent|form|stretchy|m[a-z]+|text-anchor|overflow|c[xy]|[xyr][12]?)"
    r'="([A-Za-z0-9.%-]+)"(?=[ >])'
)


class _Guard(HTMLParser):
    """Finds what the policy would block, so that nobody ships a page whose parts silently do not work."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        wrong = next((name for name, _ in attrs if name == "style" or name.startswith("on")), None)
        if tag in FORBIDDEN or wrong:
            what = f"<{tag}>" if tag in FORBIDDEN else f"{wrong}= on <{tag}>"
            raise ValueError(f"the body holds {what}, which the page's own policy forbids; use a class or `script`")


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Templates with every text escaped; a name that is not given is an error."""
    return Environment(
        loader=PackageLoader("reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@lru_cache(maxsize=16)
def asset(name: str) -> str:
    return files("reports").joinpath("assets", name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def font() -> str:
    """The maths font as a rule of the style sheet."""
    data = base64.b64encode(files("reports").joinpath("assets", "stix-two-math.woff2").read_bytes()).decode()
    return f'@font-face{{font-family:"STIX Two Math";src:url(data:font/woff2;base64,{data}) format("woff2")}}'


def digest(text: str) -> str:
    """How a policy names an inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def page(
    title: str,
    body: Markup,
    *,
    script: str = "",
    style: str = "",
    data: Mapping[str, object] | None = None,
    nav: Sequence[tuple[str, str]] = (),
    description: str = "",
) -> str:
    """The whole file.

    script   our own code, after the shared part (reports/assets/page.js); nothing is added when both are empty
    style    rules after the shared style sheet (reports/assets/page.css)
    data     what the script reads as `DATA`, embedded as JSON
    nav      links of the top line: (href, words)
    """
    if not isinstance(body, Markup):
        raise TypeError("the body of a page is Markup, in which every text has been escaped; render it with jinja2")
    _Guard().feed(body)
    body = Markup(_TAG.sub(lambda one: _ATTRIBUTE.sub(r" \1=\2", one[0]), body))
    sheet = font() + asset("page.css") + style
    code = _code(script, data)
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; font-src data:; img-src data:; "
        f"style-src {digest(sheet)}; script-src {digest(code)}"
    )
    return (
        environment()
        .get_template("page.html.j2")
        .render(
            title=title,
            description=description,
            policy=Markup(policy),
            sheet=Markup(sheet),
            code=Markup(code),
            nav=nav,
            body=body,
        )
    )


def _code(script: str, data: Mapping[str, object] | None) -> str:
    """The shared script, the data and the page's own script; a closing tag inside the data is spelled otherwise."""
    told = json.dumps(data or {}, ensure_ascii=False, sort_keys=True, separators=(",", ":")).replace("<", "\\u003c")
    return f'"use strict";\nconst DATA = {told};\n{asset("page.js")}\n{script}'
