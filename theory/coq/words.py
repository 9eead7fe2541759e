"""Matrix identities in letters: both sides as expressions that LemmaLab's normal form reads, then coefficients."""

from __future__ import annotations

from typing import Any

from theory.coq.duties import plainly
from theory.coq.errors import NotExpressible
from theory.coq.letters import Letters, equation, letters_of, matrix, parameters, premises
from theory.coq.proof import conjunction
from theory.coq.reserved import ident
from theory.coq.scene import Out, Scene
from theory.coq.statement import need_text, needs, real
from theory.kernel.claim import Claim
from theory.kernel.lang import Node, Relation, num
from theory.kernel.sequent import Sequent

Rows = list[list[Node]]


def proof_of_words(claim: Claim, cert: dict[str, Any]) -> list[str]:
    """The tactics that prove a claim in letters."""
    letters, out = letters_of(claim), Out()
    wrong = [g for g in cert.get("goals", []) if not isinstance(g, dict) or g.get("kind") != "words"]
    if wrong or len(cert.get("goals", [])) != len(claim.goals):
        raise NotExpressible("a matrix identity is proved by words")
    facts = list(claim.hypotheses)
    names = [f"F{i}'" for i, _ in enumerate(premises(claim))]
    out.say(f"intros {' '.join([*(name for name, _ in parameters(claim)), *names])}.")
    if len(facts) + sum(kind == "symmetric" for _, kind in claim.letters) != len(names):
        raise NotExpressible("a hypothesis with a divisor beside letters")
    sequent = Sequent(tuple(facts), Relation("==", num(0), num(0)), frozenset(claim.naturals))
    scene = Scene(sequent, tuple(names[: len(facts)]), letters.names)
    done: dict[str, str] = {}
    for goal in claim.goals:
        for need in (n for side in (goal.left, goal.right) for n in needs(side)):
            _sense(out, scene, need_text(need, letters.names), need.node, done)
        shown = equation(goal, letters)[-1]
        if shown not in done:
            done[shown] = out.new("G")
            with out.block(f"assert ({done[shown]} : {shown})."):
                _equal(out, goal, letters, claim)
    out.say(f"exact {conjunction(list(done.values()))}.")
    return out.lines


def _sense(out: Out, scene: Scene, shown: str, node: Node, done: dict[str, str]) -> None:
    if shown not in done:
        done[shown] = out.new("N")
        with out.block(f"assert ({done[shown]} : {shown})."):
            plainly(out, "nonzero", node, scene)


def _equal(out: Out, goal: Relation, letters: Letters, claim: Claim) -> None:
    if letters.kind(goal.left) == "matrix":
        return _words(out, goal.left, goal.right, letters, claim)
    left, right = blocks(goal.left, letters), blocks(goal.right, letters)
    shown = [
        "[" + "; ".join(f"[{'; '.join(matrix(x, letters) for x in row)}]" for row in rows) + "]"
        for rows in (left, right)
    ]
    out.say(f"change (block_eq dim {shown[0]} {shown[1]}).")
    out.say("unfold block_eq; repeat apply Forall2_cons; try apply Forall2_nil.")
    for a, b in ((a, b) for r, s in zip(left, right, strict=True) for a, b in zip(r, s, strict=True)):
        with out.block():
            _words(out, a, b, letters, claim)
    return None


def _words(out: Out, left: Node, right: Node, letters: Letters, claim: Claim) -> None:
    """One equation between matrices, by the normal form of words."""
    named = [n for n, kind in claim.letters if kind != "identity"]
    fixed = [n for n in named if n not in letters.drawn]
    drawn = [n for n in named if n in letters.drawn]
    where = {**{n: f"Letter {i}" for i, n in enumerate(fixed)}, **{n: f"Random {i}" for i, n in enumerate(drawn)}}
    has_mean = any(name == "Omega" for name, _ in parameters(claim))
    space, mean = ("Omega", "E HE") if has_mean else ("unit", "_ no_mean")
    tables = [
        f"(fun k => nth k [{'; '.join(map(ident, fixed))}] zero)",
        f"(fun k (o : {space}) => nth k [{'; '.join(f'{ident(n)} o' for n in drawn)}] zero)",
        "(fun l => match l with "
        + " ".join(
            f"{kind} k _ => nth k [{'; '.join(_symmetric(n, letters) for n in group)}] false |"
            for kind, group in (("Fixed", fixed), ("Drawn", drawn))
        )
        + " Mean _ => false end)",
    ]
    out.say(
        f"refine (words {mean} dim {' '.join(tables)}",
        f"  {expression(left, letters, where)}",
        f"  {expression(right, letters, where)} _ _).",
    )
    with out.block():
        counted = [f"intros k; do {len(group)} known_letter k; no_letter k" for group in (fixed, drawn)]
        out.say(f"split; [{' | '.join(counted)}].")
    with out.block():
        out.say("by_words; first [ring | field; repeat split; nz].")


def _symmetric(name: str, letters: Letters) -> str:
    return "true" if letters.kinds[name] == "symmetric" else "false"


def expression(node: Node, letters: Letters, where: dict[str, str]) -> str:
    """The formula as an expression whose value is what the statement prints."""
    args = node.args

    def inner(arg: Node) -> str:
        return expression(arg, letters, where)

    match node.op:
        case "sym":
            return "One" if letters.kinds[str(node.value)] == "identity" else f"({where[str(node.value)]})"
        case "index":
            return f"({where[str(args[0].value)]})"
        case "neg":
            return f"(Scale (-1) {inner(args[0])})"
        case "+":
            return f"(Add {inner(args[0])} {inner(args[1])})"
        case "-":
            return f"(Add {inner(args[0])} (Scale (-1) {inner(args[1])}))"
        case "*":
            scalar, other = args if letters.kind(args[0]) == "number" else args[::-1]
            return f"(Scale {real(scalar, letters.names)} {inner(other)})"
        case "/":
            return f"(Scale (/ {real(args[1], letters.names)}) {inner(args[0])})"
        case "@":
            return f"(Mul {inner(args[0])} {inner(args[1])})"
        case "T":
            return f"(Flip {inner(args[0])})"
        case "mean":
            return f"(Expect {inner(args[1])})"
        case "**":
            result = inner(args[0])
            for _ in range(int(args[1].value) - 1):
                result = f"(Mul {result} {inner(args[0])})"
            return result
    raise NotExpressible(f"{node.op} has no meaning for matrices in letters")


def blocks(node: Node, letters: Letters) -> Rows:
    """The entries of a block matrix, as the operations of Matrices.v compute them."""
    args = node.args
    match node.op:
        case "list":
            return [list(arg.args) if arg.op == "list" else [arg] for arg in args]
        case "+" | "-":
            pairs = zip(blocks(args[0], letters), blocks(args[1], letters), strict=True)
            return [[Node(node.op, both) for both in zip(r, s, strict=True)] for r, s in pairs]
        case "*":
            scalar, other = args if letters.kind(args[0]) == "number" else args[::-1]
            return [[Node("*", (scalar, x)) for x in row] for row in blocks(other, letters)]
        case "/":
            return [[Node("/", (x, args[1])) for x in row] for row in blocks(args[0], letters)]
        case "@":
            return _product(blocks(args[0], letters), blocks(args[1], letters))
        case "T":
            return [[Node("T", (x,)) for x in row] for row in zip(*blocks(args[0], letters), strict=True)]
        case "mean":
            return [[Node("mean", (args[0], x)) for x in row] for row in blocks(args[1], letters)]
    raise NotExpressible(f"{node.op} has no meaning for block matrices")


def _product(left: Rows, right: Rows) -> Rows:
    columns = list(zip(*right, strict=True))
    return [[_sum([Node("@", both) for both in zip(r, c, strict=True)]) for c in columns] for r in left]


def _sum(parts: list[Node]) -> Node:
    total = parts[0]
    for part in parts[1:]:
        total = Node("+", (total, part))
    return total
