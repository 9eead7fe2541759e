"""The shell of a page: it allows what it holds and nothing else."""

from __future__ import annotations

import re

import pytest
from markupsafe import Markup

from reports.page import asset, digest, page


def policy_of(html: str) -> dict[str, str]:
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert found
    return {part.split()[0]: " ".join(part.split()[1:]) for part in found[1].split(";")}


def test_the_policy_allows_nothing_but_what_is_in_the_file() -> None:
    html = page("t", Markup("<p>x</p>"), script="let a = 1;", style="p{color:red}")
    policy = policy_of(html)
    assert policy["default-src"] == "'none'"
    code = re.search(r"<script>(.*?)</script>", html, re.S)
    sheet = re.search(r"<style>(.*?)</style>", html, re.S)
    assert code
    assert sheet
    assert policy["script-src"] == digest(code[1])
    assert policy["style-src"] == digest(sheet[1])
    assert policy["font-src"] == "data:"
    assert "unsafe" not in html.split("</head>")[0].split("<style>")[0]


def test_a_changed_script_is_not_the_one_that_the_policy_names() -> None:
    html = page("t", Markup(""), script="let a = 1;")
    assert digest("let a = 2;") not in html
    assert policy_of(page("t", Markup(""), script="let a = 2;"))["script-src"] != policy_of(html)["script-src"]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("<script>x</script>", "<script>"),
        ("<p style='color:red'>x</p>", "style= on <p>"),
        ("<img onerror='x'>", "onerror= on <img>"),
        ("<iframe></iframe>", "<iframe>"),
        ("<svg><style>x{}</style></svg>", "<style>"),
    ],
)
def test_a_body_that_the_policy_would_break_is_refused(body: str, named: str) -> None:
    with pytest.raises(ValueError, match=re.escape(named)):
        page("t", Markup(body))


def test_a_body_of_plain_text_is_refused() -> None:
    with pytest.raises(TypeError, match="Markup"):
        page("t", "<p>not escaped</p>")  # type: ignore[arg-type]


def test_titles_links_and_data_are_escaped() -> None:
    evil = "</script><script>alert(1)</script>"
    html = page(evil, Markup("<p>x</p>"), data={"a": evil}, nav=(("#x", evil),), description=evil)
    assert html.count("<script>") == 1
    assert html.count("</script>") == 1
    assert "&lt;/script&gt;" in html


def test_a_page_names_no_address_of_the_network() -> None:
    html = page("t", Markup("<p>x</p>"), script=asset("report.js"), style=asset("report.css"))
    assert not re.search(r"(?:https?:)?//[a-z]+\.[a-z]", re.sub(r"base64,[A-Za-z0-9+/=]+", "", html))
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|WebSocket|import)\s*\(", html)
