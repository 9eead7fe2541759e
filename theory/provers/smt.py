"""Two SMT solvers, z3 and cvc5, on the facts and the negated goal: both must answer unsat (a quorum, attested only).

The question is one SMT-LIB script in nonlinear real arithmetic that both solvers read. Denominators are multiplied
out (they are nonzero where the formula is defined), roots, minima and maxima become names with their defining
relations, anything else that is not rational becomes a free name. A model is rounded to a rational candidate point for
the refutation search; it proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mpoly

from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.flat import Atoms
from theory.kernel.lang import Node, Relation, num, symbols
from theory.kernel.rings import Frac, RationalFunctions
from theory.kernel.sequent import Certificate, Sequent
from theory.provers.budget import Budget
from theory.provers.frame import accepted
from theory.provers.linear import exponents

INSTALL = "not installed; pip install 'lemmalab[smt]'"
NEGATED = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}


@dataclass(frozen=True, slots=True)
class Script:
    """The question in SMT-LIB, and the names whose values make a candidate point."""

    text: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    solver: str
    version: str
    answer: str
    model: tuple[tuple[str, Fraction], ...] = ()


def available() -> dict[str, dict[str, str | None]]:
    """For each solver its version, or why it cannot be used."""
    result: dict[str, dict[str, str | None]] = {}
    for name, version in (("z3", _z3_version), ("cvc5", _cvc5_version)):
        found = version()
        result[name] = {"version": found, "missing": None if found else INSTALL}
    return result


def find(sequent: Sequent, budget: Budget) -> Certificate | None:
    """A quorum certificate when both solvers refute the negated goal."""
    question = script(sequent)
    if question is None or any(entry["missing"] for entry in available().values()):
        return None
    answers = []
    for ask in (ask_z3, ask_cvc5):
        answer = ask(question, budget)
        if answer is None or answer.answer != "unsat":
            return None
        answers.append({"name": answer.solver, "version": answer.version, "answer": answer.answer})
    cert: Certificate = {
        "kind": "quorum",
        "solvers": answers,
        "goal": str(sequent.goal),
        "facts": [str(fact) for fact in sequent.every_fact()],
        "script": question.text,
    }
    return cert if accepted(cert, sequent) else None


def candidate(sequent: Sequent, budget: Budget | None = None) -> dict[str, Fraction] | None:
    """A rational point near a model of the facts and the negated goal, for the kernel to look at exactly."""
    question = script(sequent)
    if question is None:
        return None
    for ask in (ask_z3, ask_cvc5):
        answer = ask(question, budget or Budget())
        if answer is not None and answer.answer == "sat" and answer.model:
            return dict(answer.model)
    return None


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
    head = ["(set-logic QF_NRA)", *(f"(declare-const {_quoted(n)} Real)" for n in sorted(writer.names))]
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


def _quoted(name: str) -> str:
    return f"|{name.replace('|', '!')}|"


def _number(value: fmpq) -> str:
    size = f"{abs(int(value.p))}.0" if value.q == 1 else f"(/ {abs(int(value.p))}.0 {int(value.q)}.0)"
    return size if value >= 0 else f"(- {size})"


def _polynomial(poly: fmpq_mpoly, names: tuple[str, ...]) -> str:
    terms = []
    for powers, c in sorted(exponents(poly).items(), reverse=True):
        factors = [_quoted(n) for n, e in zip(names, powers, strict=False) for _ in range(e)]
        if c != 1 or not factors:
            factors.insert(0, _number(c))
        terms.append(factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})")
    if not terms:
        return "0.0"
    return terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"


def _z3_version() -> str | None:
    try:
        import z3
    except ImportError:
        return None
    return str(z3.get_version_string())


def _cvc5_version() -> str | None:
    try:
        import cvc5
    except ImportError:
        return None
    return str(cvc5.__version__)


def ask_z3(question: Script, budget: Budget) -> Answer | None:
    version = _z3_version()
    if version is None:
        return None
    import z3

    solver = z3.SolverFor("QF_NRA")
    solver.set("rlimit", budget.rlimit)
    solver.set("timeout", max(1, int(budget.left() * 1000)))
    try:
        solver.from_string(question.text)
        answer = str(solver.check())
    except z3.Z3Exception:
        return Answer("z3", version, "unknown")
    model = _z3_model(solver.model(), question) if answer == "sat" else ()
    return Answer("z3", version, answer, model)


def _z3_model(model: Any, question: Script) -> tuple[tuple[str, Fraction], ...]:
    import z3

    found = []
    for name in question.names:
        value = model.eval(z3.Real(name), model_completion=True)
        if z3.is_algebraic_value(value):
            value = value.approx(12)
        if not z3.is_rational_value(value):
            return ()
        found.append((name, Fraction(value.numerator_as_long(), value.denominator_as_long())))
    return tuple(found)


def ask_cvc5(question: Script, budget: Budget) -> Answer | None:
    version = _cvc5_version()
    if version is None:
        return None
    import cvc5

    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    solver.setOption("produce-models", "true")
    solver.setOption("rlimit", str(budget.rlimit))
    solver.setOption("tlimit-per", str(max(1, int(budget.left() * 1000))))
    try:
        answer, model = _run_cvc5(cvc5, solver, question)
    except RuntimeError:
        return Answer("cvc5", version, "unknown")
    return Answer("cvc5", version, answer, model)


def _run_cvc5(cvc5: Any, solver: Any, question: Script) -> tuple[str, tuple[tuple[str, Fraction], ...]]:
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, question.text, "question")
    table = parser.getSymbolManager()
    answer = "unknown"
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        said = str(command.invoke(solver, table)).strip()
        answer = said if said in ("sat", "unsat") else answer
    if answer != "sat":
        return answer, ()
    values = {str(term): solver.getValue(term) for term in table.getDeclaredTerms()}
    return answer, _cvc5_model(values, question)


def _cvc5_model(values: dict[str, Any], question: Script) -> tuple[tuple[str, Fraction], ...]:
    found = []
    for name in question.names:
        value = values.get(name, values.get(_quoted(name)))
        if value is None or not value.isRealValue():
            return ()
        found.append((name, Fraction(value.getRealValue())))
    return tuple(found)
