"""What people write and the language does not have, with what to write instead."""

from __future__ import annotations

import ast
import keyword
import re

SIGNS = {"≤": "<=", "≥": ">=", "≠": "!=", "≪": "<<", "≼": "<<", "×": "*", "·": "*", "−": "-", "∞": "oo, in forall only"}
UNREADABLE: tuple[tuple[str, str], ...] = (
    (r"\bimplies\b|=>|->", "what is assumed stands in given: lemma('x <= y + 1', given=['x <= y'])"),
    (r"[\w)]\s*!(?!=)", "a factorial is prod(i, 1, n, i)"),
    (r"\\|_\{|\^\{", "this is LaTeX; write sum(i, 1, n, x[i]) and sqrt(x), or let `lemmalab new` read the paper"),
    (r"\|\|", "a norm is norm(v), its square norm2(v), with kinds={'v': 'vector(d)'}"),
    (r"\|", "an absolute value is abs(x)"),
    (r"(?<![<>=!:])=(?!=)", "an equation is written with =="),
    (r"\d[A-Za-z(]", "a product needs its sign: 2*x"),
    (r"\w'", "a prime is no part of a name; write x_next or y"),
)


def of_unreadable(source: str) -> str | None:
    """The idiom for a text that Python does not read."""
    words = [word for word in re.findall(r"[A-Za-z_]\w*", source) if keyword.iskeyword(word)]
    for pattern, idiom in UNREADABLE:
        if re.search(pattern, source):
            return idiom
    if words:
        return f"{words[0]} is a word of Python and no name; write {words[0][:3]} or {words[0]}_"
    return None


def of_readable(tree: ast.expr) -> tuple[str, str] | None:
    """(part, idiom) for a text that Python reads and that says something else than is meant."""
    for part in ast.walk(tree):
        match part:
            case ast.BinOp(op=ast.BitXor()):
                return ast.unparse(part), f"a power is {ast.unparse(part.left)}**{ast.unparse(part.right)}"
            case ast.BinOp(op=ast.BitOr()):
                return ast.unparse(part), "an absolute value is abs(x)"
            case ast.BoolOp(op=ast.And()):
                return ast.unparse(part), "give several relations as a list: says=['x >= 0', 'y >= 0']"
            case ast.BoolOp():
                return ast.unparse(
                    part
                ), "one of two is not in the language; max(a, b) >= 0 says that a or b is not negative"
            case ast.Call(func=ast.Name("sum" | "prod" as name), args=[first, second, *rest]) if isinstance(
                second, ast.Name
            ) and not isinstance(first, ast.Name):
                ends = ", ".join(map(ast.unparse, (second, *rest, first)))
                return ast.unparse(part), f"the index comes first: {name}({ends})"
            case ast.Subscript(value=ast.Name("E")):
                return ast.unparse(part), (
                    "a mean names its sample: E(w, X[w]), with kinds={'X': 'real[S]'}; "
                    "a sequence has another name than E"
                )
            case ast.GeneratorExp() | ast.ListComp():
                return ast.unparse(part), "a sum is sum(i, 1, n, x[i])"
            case ast.Lambda():
                return ast.unparse(part), "lambda is a word of Python; write lam"
    return None
