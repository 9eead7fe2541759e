"""README says how many lines of code are trusted; here they are counted."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[2]
NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def code_lines(source: str) -> int:
    """Lines with code on them: no blank lines, no comments, no docstrings."""
    words: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            words |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = (range(one.start[0], one.end[0] + 1) for one in tokens if one.type not in NO_CODE)
    return len({line for span in lines for line in span} - words)


SAMPLE = '''"""Words."""

# more
x = (1,
     2)  # here


def f():
    """And
    more."""
    return x
'''


def test_code_is_counted_without_words() -> None:
    assert code_lines(SAMPLE) == 4


def test_readme_says_how_many_lines_are_trusted() -> None:
    counted = sum(code_lines(path.read_text()) for path in (ROOT / "theory" / "kernel").rglob("*.py"))
    said = re.search(r"the kernel \(([\d,]+) lines of code", (ROOT / "README.md").read_text())
    assert said is not None
    assert said[1] == f"{counted:,}", f"write {counted:,} lines of code in README.md, under `What is trusted`"
