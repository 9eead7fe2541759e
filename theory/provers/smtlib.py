"""Facts and a negated goal as one SMT-LIB script in nonlinear real arithmetic.

Denominators are multiplied out (they are nonzero where the formula is defined), roots, minima and maxima become names
with their defining relations, anything else that is not rational becomes a free name.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq, fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.flat import Atoms
from theory.kernel.lang import Node, Relation, num, symbols
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.sequent import Sequent
from theory.provers.linear import exponents

NEGATED = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}


@dataclass(frozen=True, slots=True)
class Script:
    """The question in SMT-LIB, and the names whose values make a candidate point."""

    text: str
    names: tuple[str, ...]


def script(sequent: Sequent) -> Script | None:
    """The facts and the negated goal as SMT-LIB; None for matrices and goals with an index."""
    goal = sequent.goal
    if goal.binder is not None:
        return None
    relations = [f for f in sequent.every_fact() if f.binder is None]
    writer = _Writer()
    try:
        lines = [writer.relation(Relation(NEGATED[goal.op], goal.left, goal.right))]
    except KernelError:
        return None
    for fact in relations:
        try:
            lines.append(writer.relation(fact))
        except KernelError:
            continue
    lines += writer.definitions()
    plain = tuple(sorted(n for n in writer.names if n not in writer.atoms.opaque))
    head = ["(set-logic QF_NRA)", *(f"(declare-const {quoted(n)} Real)" for n in sorted(writer.names))]
    return Script("\n".join([*head, *(f"(assert {line})" for line in lines), "(check-sat)", ""]), plain)


class _Writer:
    """Formulas to terms; atoms that were met are defined at the end."""

    def __init__(self) -> None:
        self.atoms = Atoms()
        self.names: set[str] = set()

    def relation(self, relation: Relation) -> str:
        """N/D op 0 becomes N*D op 0 and D != 0: the same wherever the formula is defined."""
        value = self._fraction(Node("-", (relation.left, relation.right)))
        top = value.num if value.den.is_constant() else value.num * value.den
        names = tuple(str(n) for n in value.num.context().names())
        body = f"({'=' if relation.op in ('==', '!=') else relation.op} {_polynomial(top, names)} 0)"
        body = f"(not {body})" if relation.op == "!=" else body
        return body if value.den.is_constant() else f"(and (not (= {_polynomial(value.den, names)} 0)) {body})"

    def _fraction(self, node: Node) -> Frac:
        flat = self.atoms.flatten(node)
        names = tuple(sorted(symbols(flat)))
        ring = RationalFunctions(names)
        value: Frac | Mat = evaluate(flat, ring.env(), ring)
        if isinstance(value, Mat):
            raise KernelError("matrices have no order")
        self.names |= set(names)
        return value

    def definitions(self) -> list[str]:
        """What is known of roots, absolute values, minima and maxima; other atoms stay free."""
        lines: list[str] = []
        done: set[str] = set()
        while True:
            waiting = sorted(n for n in self.names if n in self.atoms.opaque and n not in done)
            if not waiting:
                return lines
            for name in waiting:
                done.add(name)
                lines += self._define(self.atoms.opaque[name])

    def _define(self, node: Node) -> list[str]:
        try:
            if node.op == "sqrt":
                root = [Relation(">=", node, num(0)), Relation("==", Node("**", (node, num(2))), node.args[0])]
                return [self.relation(r) for r in root]
            if node.op in ("abs", "min", "max"):
                options = list(node.args) if node.op != "abs" else [node.args[0], Node("neg", (node.args[0],))]
                op = "<=" if node.op == "min" else ">="
                bounds = [self.relation(Relation(op, node, option)) for option in options]
                equal = " ".join(self.relation(Relation("==", node, option)) for option in options)
                return [*bounds, f"(or {equal})"]
            if node.op == "exp":
                return [self.relation(Relation(">", node, num(0)))]
        except KernelError:
            return []
        return []


def quoted(name: str) -> str:
    """A symbol of SMT-LIB: plain characters, no bar and no backslash."""
    plain = name.encode("ascii", "backslashreplace").decode()
    return f"|{plain.replace('|', '!').replace(chr(92), '!')}|"


def _number(value: fmpq) -> str:
    size = f"{abs(int(value.p))}.0" if value.q == 1 else f"(/ {abs(int(value.p))}.0 {int(value.q)}.0)"
    return size if value >= 0 else f"(- {size})"


def _polynomial(poly: fmpq_mpoly, names: tuple[str, ...]) -> str:
    terms = []
    for powers, c in sorted(exponents(poly).items(), reverse=True):
        factors = [quoted(n) for n, e in zip(names, powers, strict=False) for _ in range(e)]
        if c != 1 or not factors:
            factors.insert(0, _number(c))
        terms.append(factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})")
    if not terms:
        return "0.0"
    return terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"
