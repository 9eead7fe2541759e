"""How proofs about indices, matrices and samples are written out for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from theory.kernel import Sequent
from theory.kernel.errors import KernelError
from theory.kernel.lang import Relation
from theory.kernel.orders import placed
from theory.reading.readable_leaves import Lines, gap, short

Render = Callable[[Any], Lines]
Cert = Mapping[str, Any]


def order(cert: Cert, sequent: Sequent) -> Lines:
    """The sum of nonnegative parts that the difference is."""
    every = sequent.every_fact()
    parts = [_part(item, every, sequent) for item in cert.get("items", ())]
    front = "".join(f"({gap(every[int(i)])}) * " for i in cert.get("multiplier", ()))
    after = list(_after(cert.get("ops", ()), every))
    if not parts and not after:
        yield "Both sides are the same sum of words."
        return
    if parts:
        yield f"{front}[{'left - right' if sequent.goal.op in ('==', '>=') else 'right - left'}] is the sum of"
        yield from (f"  {short(part)}" for part in parts)
    if after:
        yield f"as words, after {' and '.join(after)}."


def _part(item: Cert, every: list[Relation], sequent: Sequent) -> str:
    if "eq" in item:
        body = f"[{every[int(item['eq'])]}]"
        body = f"{body} (its difference is symmetric)" if item.get("sym") else body
        body = f"{body}.T" if item.get("T") else body
        body = " @ ".join(
            [*([str(item["L"])] if "L" in item else []), body, *([str(item["R"])] if "R" in item else [])]
        )
        body = f"tr({body})" if item.get("tr") else body
        body = f"({item['k']}) * {body}" if "k" in item else body
        return _below(item, body)
    if "tr" in item:
        body = f"tr({' @ '.join(f'({_part(one, every, sequent)})' for one in item['tr'])}) >= 0"
    else:
        middle = _fact(item, every, sequent) if "of" in item else str(item.get("psd", ""))
        left = str(item["L"]) if "L" in item else ""
        body = " @ ".join(piece for piece in (left and f"({left})", middle, left and f"({left}).T") if piece)
    factors = [_factor(one, every) for one in item.get("c", ())]
    return _below(item, " * ".join([*factors, body]))


def _fact(item: Cert, every: list[Relation], sequent: Sequent) -> str:
    """A fact, at the indices and vectors that are put in."""
    fact = every[int(item["of"])]
    if not item.get("at"):
        return f"[{fact}]"
    try:
        return f"[{placed(fact, item['at'], sequent, sequent.world)[0]}]"
    except KernelError:  # a sample that the part itself draws
        return f"[{fact}] at {', '.join(f'{name} = {value}' for name, value in item['at'].items())}"


def _factor(factor: Cert, every: list[Relation]) -> str:
    if "sq" in factor:
        return f"({factor['sq']})^2"
    return f"({gap(every[int(factor['fact'])])})" if "fact" in factor else f"({factor['is']})"


def _below(item: Cert, body: str) -> str:
    for name, space in item.get("E", {}).items():
        body = f"E over {name} in {space} of {body}"
    return body


def _after(ops: Any, every: list[Relation]) -> Iterator[str]:
    for step in ops:
        fresh = step == "advance" or "advance" in step
        yield "one step of the recursion with a fresh sample" if fresh else f"using {every[int(step['use'])]}"


def expand(cert: Cert, sequent: Sequent, render: Render) -> Lines:
    yield "Scalar products, traces and means are multiplied out and named; it remains a statement about numbers:"
    yield from (f"  {line}" for line in render(cert["then"]))


def instance(cert: Cert, sequent: Sequent, render: Render) -> Lines:
    at = ", ".join(f"{name} = {value}" for name, value in cert["at"].items())
    yield f"Use {short(str(sequent.facts[int(cert['fact'])]))} at {at}."
    for duty, proof in cert.get("within", {}).items():
        yield f"  inside the range, {duty}: {' '.join(render(proof))}"
    yield from render(cert["then"])


def induct(cert: Cert, sequent: Sequent, render: Render) -> Lines:
    general = f", for every {', '.join(cert['general'])} at once" if cert.get("general") else ""
    yield f"By induction on {cert['on']} from {cert.get('start', '0')} on{general}."
    yield "Start:"
    yield from (f"  {line}" for line in render(cert["base"]))
    yield "Step:"
    yield from (f"  {line}" for line in render(cert["step"]))


def unroll(cert: Cert, sequent: Sequent, render: Render) -> Lines:
    what = {"last": "its last term apart", "first": "its first term apart", "empty": "it is empty"}
    yield f"Write {short(str(cert['of']))}: {what.get(str(cert['end']), 'one step apart')}."
    yield from render(cert["then"])


def eigen(cert: Cert, sequent: Sequent, render: Render) -> Lines:
    matrix, u, lam = short(str(cert["of"])), cert["vector"], cert["value"]
    yield f"Both sides are traces, sums over an orthonormal basis of eigenvectors of {matrix}. At one of them,"
    yield f"{matrix} @ {u} = {lam}*{u} with |{u}| = 1:"
    yield from (f"  {line}" for line in render(cert["then"]))


def form(cert: Cert, sequent: Sequent, render: Render) -> Lines:
    yield f"Both sides are symmetric; compare them at any vector {cert['vector']}:"
    yield from (f"  {line}" for line in render(cert["then"]))


def slope(cert: Cert, sequent: Sequent, render: Render) -> Lines:
    x, start, y = cert["in"], short(str(cert["from"])), cert["name"]
    goes = "does not fall" if cert["way"] == "up" else "does not rise"
    yield f"As a function of {x}, from {start} on: what has to be nonnegative is so at {start} and {goes} up to {x}."
    for heading, key in ((f"At {start}:", "base"), (f"Its slope, at {y} between {start} and {x}:", "slope")):
        yield heading
        yield from (f"  {line}" for line in render(cert[key]))


def only(cert: Cert, sequent: Sequent, render: Render) -> Lines:
    yield f"From {len(cert['facts'])} of the {len(sequent.facts)} facts alone:"
    yield from (f"  {line}" for line in render(cert["then"]))


def let(cert: Cert, sequent: Sequent, render: Render) -> Lines:
    yield f"Let {cert['name']} = {short(str(cert['is']))}."
    yield from render(cert["then"])


WRITERS = {
    "let": let,
    "eigen": eigen,
    "slope": slope,
    "form": form,
    "only": only,
    "expand": expand,
    "instance": instance,
    "induct": induct,
    "unroll": unroll,
}
