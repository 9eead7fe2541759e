"""A certificate as a proof that people read: what is put in for what, which identity shows it, which cases there are.

The kernel walks through the certificate once more and tells what has to be shown at each place; this module finds the
words. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from theory.kernel import RULES, Claim, KernelError, Sequent, Tally
from theory.kernel.judge import check_certificate
from theory.kernel.lang import parse, text
from theory.kernel.rules import Library, Rule
from theory.kernel.sequent import Certificate
from theory.reading import readable_orders
from theory.reading.readable_leaves import LEAVES, Lines, expanded, gap_name, short

MARK = "_place"
BROKEN = (KernelError, KeyError, TypeError, ValueError, IndexError, AttributeError)


def proof_lines(claim: Claim, certificate: Certificate, library: Library) -> list[str]:
    """The whole certificate of a claim, goal by goal; then why everything in it is defined."""
    marked = _marked(dict(certificate), iter(range(10**9)))
    told: dict[int, Sequent] = {}
    try:
        check_certificate(claim, marked, library, Tally(table=_listening(told)))
    except BROKEN as error:
        return [f"(the kernel does not accept this certificate: {error})"]
    lines: list[str] = []
    for goal, proof in zip(claim.goals, marked["goals"], strict=False):
        lines.append(f"To show: {short(str(goal))}")
        lines += _inside(_render(proof, told))
    for duty, proof in sorted(marked.get("defined", {}).items()):
        inner = proof.get("proof", proof)
        if inner.get(MARK) in told:
            lines.append(f"Well defined: {short(duty)}")
            lines += _inside(_render(inner, told))
    return lines


def _marked(value: Any, numbers: Iterator[int]) -> Any:
    """A copy in which every certificate carries a number, so that it can be recognised."""
    if isinstance(value, dict):
        copied = {key: _marked(inner, numbers) for key, inner in value.items()}
        return {**copied, MARK: next(numbers)} if "kind" in value else copied
    return [_marked(inner, numbers) for inner in value] if isinstance(value, list) else value


def _listening(told: dict[int, Sequent]) -> dict[str, Rule]:
    """The kernel's rules, each of which also notes what it was asked to show."""

    def listener(rule: Rule) -> Rule:
        def listening(cert: Certificate, sequent: Sequent, library: Library, tally: Tally) -> None:
            told.setdefault(cert.get(MARK, -1), sequent)
            rule(cert, sequent, library, tally)

        return listening

    return {kind: listener(rule) for kind, rule in RULES.items()}


Told = Mapping[int, Sequent]


def _render(cert: Any, told: Told) -> Lines:
    """Lines for one rule; what has no words is named by its kind rather than left out."""
    if not isinstance(cert, dict) or cert.get(MARK) not in told:
        yield "nothing is left to show"
        return
    kind, sequent = str(cert["kind"]), told[cert[MARK]]
    try:
        if kind in LEAVES:
            lines = list(LEAVES[kind](cert, sequent))
        elif kind == "order":
            lines = list(readable_orders.order(cert, sequent))
        elif kind in WRITERS:
            lines = list(WRITERS[kind](cert, sequent, told))
        elif kind in readable_orders.WRITERS:
            lines = list(readable_orders.WRITERS[kind](cert, sequent, lambda inner: _render(inner, told)))
        else:
            lines = [f"by the rule {kind}", *_inside(_children(cert, told))]
    except BROKEN as error:
        lines = [f"by the rule {kind} (cannot be written out: {type(error).__name__}: {error})"]
    yield from lines


def _inside(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _with(words: str, lines: Iterable[str]) -> Lines:
    """A short reason stands on the same line, a longer one below."""
    listed = list(lines)
    if len(listed) == 1:
        yield f"{words}: {listed[0]}"
    else:
        yield f"{words}:"
        yield from _inside(listed)


def _goal(cert: Any, told: Told) -> str:
    return short(str(told[cert[MARK]].goal)) if isinstance(cert, dict) and cert.get(MARK) in told else "nothing"


def _new_facts(cert: Any, told: Told, before: Sequent) -> list[str]:
    known = set(before.facts)
    return [short(str(fact)) for fact in told[cert[MARK]].facts if fact not in known]


def _children(cert: Certificate, told: Told) -> Lines:
    for name, value in cert.items():
        for position, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, dict) and child.get(MARK) in told:
                label = f"{name} {position + 1}" if isinstance(value, list) else name
                yield f"{label}: {_goal(child, told)}"
                yield from _inside(_render(child, told))


def _positive(cert: Certificate, sequent: Sequent, told: Told) -> Lines:
    for name, slack in cert.get("slacks", {}).items():
        words = f"Let {name} = {short(slack['is'])} {'>' if slack.get('strict') else '>='} 0"
        yield from _with(words, _render(slack["because"], told))
    put = {name: parse(formula) for name, formula in cert.get("put", {}).items()}
    if put:
        yield "Put " + ", ".join(f"{name} = {short(text(formula))}" for name, formula in put.items())
    top, bottom = expanded(sequent.goal, put)
    if not put and bottom == "1" and len(top) < 40:
        yield f"{top} has no negative part"
        return
    yield f"Then {gap_name(sequent.goal)} = {short(top)}" + ("" if bottom == "1" else f"  over  {short(bottom)}")
    yield "All coefficients are >= 0, and so is every name that occurs with an odd power."


def _cases(cert: Certificate, sequent: Sequent, told: Told) -> Lines:
    for op, branch in ((">=", "nonnegative"), ("<" if cert.get("strict") else "<=", "nonpositive")):
        yield from _with(f"Case {short(cert['on'])} {op} 0", _render(cert[branch], told))


def _split(cert: Certificate, sequent: Sequent, told: Told) -> Lines:
    for branch in cert["branches"]:
        words = f"Case {short(cert['of'])} with {', '.join(_new_facts(branch, told, sequent)) or 'one value'}"
        yield from _with(words, _render(branch, told))


def _root(cert: Certificate, sequent: Sequent, told: Told) -> Lines:
    name = str(cert["name"])
    square = short(text(parse(cert["of"]).args[0]))
    yield f"Name the root: {name} = {short(cert['of'])}, so {name} >= 0 and {name}**2 = {square}"
    yield from _render(cert["then"], told)


def _solve(cert: Certificate, sequent: Sequent, told: Told) -> Lines:
    yield f"Solve {short(str(sequent.facts[int(cert['fact'])]))} for {cert['for']} and put it in."
    yield f"It remains: {_goal(cert['then'], told)}"
    yield from _render(cert["then"], told)


def _both(cert: Certificate, sequent: Sequent, told: Told) -> Lines:
    for op in ("<=", ">="):
        yield from _with(f"Direction {op}", _render(cert[op], told))


def _have(cert: Certificate, sequent: Sequent, told: Told) -> Lines:
    yield from _with(f"First {short(str(cert['fact']))}", _render(cert["proof"], told))
    yield from _render(cert["then"], told)


def _cite(cert: Certificate, sequent: Sequent, told: Told) -> Lines:
    values = cert.get("with", {})
    instance = f" with {', '.join(f'{n} = {short(f)}' for n, f in values.items())}" if values else ""
    yield f"By {cert['claim']}{instance}: {'; '.join(_new_facts(cert['then'], told, sequent))}"
    for proof in cert.get("discharge", {}).values():
        if proof.get(MARK) in told:
            yield from _inside(_with(f"its hypothesis {_goal(proof, told)}", _render(proof, told)))
    yield from _render(cert["then"], told)


def _induction(cert: Certificate, sequent: Sequent, told: Told) -> Lines:
    yield f"By induction on {cert['on']}, with " + "; ".join(f"{n} = {short(s)}" for n, s in cert["states"].items())
    yield "Invariant: " + "; ".join(short(source) for source in cert["invariant"])
    for base in cert["base"]:
        yield from _with(f"Start, {_goal(base, told)}", _render(base, told))
    for onward in cert["step"]:
        yield from _with(f"Step, {_goal(onward, told)}", _render(onward, told))
    yield from _with(f"The invariant gives {_goal(cert['then'], told)}", _render(cert["then"], told))


def _termwise(cert: Certificate, sequent: Sequent, told: Told) -> Lines:
    index = cert.get("index", "i")
    yield f"Compare the {cert['over']}s term by term, at a generic index {index}: {_goal(cert['each'], told)}"
    yield from _inside(_render(cert["each"], told))
    rest = cert.get("rest")
    if isinstance(rest, dict) and rest.get(MARK) in told:
        yield f"What stands outside: {_goal(rest, told)}"
        yield from _inside(_render(rest, told))


def _telescope(cert: Certificate, sequent: Sequent, told: Told) -> Lines:
    index, _, _, body = sequent.goal.left.args
    if text(body) == "1" and cert["of"] == text(index):
        yield "A sum of ones counts its terms."
        return
    written = int(cert.get("written", 0))
    begin = f" after the first {written if written > 1 else 'one'}, written out" if written else ""
    yield f"The sum telescopes{begin}: each term is compared with G({text(index)} + 1) - G({text(index)}) for"
    yield f"  G({text(index)}) = {short(cert['of'])}"
    yield from _with(f"Each term, {_goal(cert['each'], told)}", _render(cert["each"], told))
    yield from _with(f"The ends, {_goal(cert['ends'], told)}", _render(cert["ends"], told))
    yield from _with(f"The range is long enough, {_goal(cert['long'], told)}", _render(cert["long"], told))


WRITERS: dict[str, Callable[[Certificate, Sequent, Told], Lines]] = {
    "positive": _positive,
    "cases": _cases,
    "split": _split,
    "root": _root,
    "solve": _solve,
    "both": _both,
    "have": _have,
    "cite": _cite,
    "induction": _induction,
    "termwise": _termwise,
    "telescope": _telescope,
}
