"""What a theorem about matrices in letters says, from the claim alone. This file is trusted, as statement.py is.

A letter is a matrix of any size `dim`: a function of two indices below `dim`; a random letter P[w] has one for every
outcome. Matrices are equal when their entries below `dim` are. Lists of letters are block matrices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from theory.coq.errors import NotExpressible
from theory.coq.reserved import ident
from theory.coq.statement import Names, conclusion, hypothesis, need_text, needs, real
from theory.kernel.claim import Claim
from theory.kernel.lang import Node, Relation, text, walk

Kind = str | tuple[int, int]  # "number", "matrix", or the size of a block matrix


@dataclass(frozen=True)
class Letters:
    """The letters of a claim, and which of them are random."""

    kinds: Mapping[str, str]
    drawn: frozenset[str]
    names: Names

    def kind(self, node: Node) -> Kind:
        match node.op:
            case "num":
                return "number"
            case "sym":
                return "matrix" if node.value in self.kinds else "number"
            case "index":
                return "matrix" if node.args[0].value in self.kinds else "number"
            case "list":
                first = self.kind(node.args[0])
                return (len(node.args), first[0] if isinstance(first, tuple) else 1)
            case "mean" | "neg" | "+" | "-" | "/" | "**":
                return self.kind(node.args[-1] if node.op == "mean" else node.args[0])
            case "*":
                left, right = map(self.kind, node.args)
                return right if left == "number" else left
            case "T":
                inner = self.kind(node.args[0])
                return (inner[1], inner[0]) if isinstance(inner, tuple) else inner
            case "@":
                left, right = map(self.kind, node.args)
                return (left[0], right[1]) if isinstance(left, tuple) and isinstance(right, tuple) else left
        raise NotExpressible(f"{text(node)[:80]} has no meaning for matrices in letters")


def letters_of(claim: Claim) -> Letters:
    sides = [side for goal in claim.goals for side in (goal.left, goal.right)]
    drawn = {str(p.args[0].value) for s in sides for p in walk(s) if p.op == "index" and p.args[0].op == "sym"}
    return Letters(dict(claim.letters), frozenset(drawn), Names(frozenset(claim.naturals), terms={}, sorts={}))


def matrix(node: Node, letters: Letters) -> str:
    """The formula as a matrix, or as a block matrix."""
    block, args = isinstance(letters.kind(node), tuple), node.args
    stem = "block_" if block else ""
    match node.op:
        case "sym":
            return "one" if letters.kinds[str(node.value)] == "identity" else ident(str(node.value))
        case "index":
            return f"({ident(str(args[0].value))} {ident(str(args[1].value))})"
        case "list":
            rows = [arg.args if arg.op == "list" else (arg,) for arg in args]
            return "[" + "; ".join(f"[{'; '.join(matrix(x, letters) for x in row)}]" for row in rows) + "]"
        case "neg" if not block:
            return f"(opp {matrix(args[0], letters)})"
        case "+" | "-":
            word = "plus" if node.op == "+" else "minus"
            return f"({stem}{word} {matrix(args[0], letters)} {matrix(args[1], letters)})"
        case "*":
            scalar, other = args if letters.kind(args[0]) == "number" else args[::-1]
            return f"({stem}scale {real(scalar, letters.names)} {matrix(other, letters)})"
        case "/":
            return f"({stem}scale (/ {real(args[1], letters.names)}) {matrix(args[0], letters)})"
        case "@":
            return f"({stem}times dim {matrix(args[0], letters)} {matrix(args[1], letters)})"
        case "T":
            return f"({stem}flip {matrix(args[0], letters)})"
        case "**" if args[1].op == "num" and not block and args[1].value >= 1:
            return f"(power dim {matrix(args[0], letters)} {args[1].value})"
        case "mean":
            inner, size = matrix(args[1], letters), letters.kind(args[1])
            sizes = f" {size[0]} {size[1]}" if isinstance(size, tuple) else ""
            return f"({stem}mean E{sizes} (fun {ident(str(args[0].value))} => {inner}))"
    raise NotExpressible(f"{text(node)[:80]} has no meaning for matrices in letters")


def equation(goal: Relation, letters: Letters) -> list[str]:
    """What a conclusion between matrices says: its divisors are nonzero, its sides are equal."""
    if letters.kind(goal.left) == "number":
        return conclusion(goal, letters.names)
    if goal.op != "==" or goal.binder is not None:
        raise NotExpressible("letters are compared with ==")
    word = "block_eq" if isinstance(letters.kind(goal.left), tuple) else "meq"
    shown = f"{word} dim {matrix(goal.left, letters)} {matrix(goal.right, letters)}"
    return [
        *dict.fromkeys(
            need_text(replace(n, binders=()), letters.names) for s in (goal.left, goal.right) for n in needs(s)
        ),
        shown,
    ]


def parameters(claim: Claim) -> list[tuple[str, str]]:
    letters = letters_of(claim)
    result = [("dim", "nat")]
    if any(p.op == "mean" for g in claim.goals for s in (g.left, g.right) for p in walk(s)):
        result += [("Omega", "Type"), ("E", "(Omega -> R) -> R"), ("HE", "expectation E")]
    numbers = [n for n in claim.variables if n not in letters.kinds]
    result += [(ident(n), "nat" if n in claim.naturals else "R") for n in numbers]
    named = [n for n, kind in claim.letters if kind != "identity"]
    return result + [(ident(n), "Omega -> mat" if n in letters.drawn else "mat") for n in named]


def premises(claim: Claim) -> list[str]:
    """Numbers as in every claim; symmetric letters are symmetric."""
    letters = letters_of(claim)
    found = [one for relation in claim.hypotheses for one in hypothesis(relation, letters.names)]
    for name, kind in claim.letters:
        if kind == "symmetric":
            drawn = name in letters.drawn
            found.append(f"(forall w, symmetric dim ({ident(name)} w))" if drawn else f"symmetric dim {ident(name)}")
    return found


def proposition(claim: Claim) -> str:
    letters = letters_of(claim)
    ends = [one for goal in claim.goals for one in equation(goal, letters)]
    binders = " ".join(f"({name} : {kind})" for name, kind in parameters(claim))
    body = "".join(f"  {one} ->\n" for one in premises(claim)) + "  " + " /\\\n  ".join(dict.fromkeys(ends))
    return f"forall {binders},\n{body}"
