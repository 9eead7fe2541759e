"""Two SMT solvers, z3 and cvc5, on the facts and the negated goal: what they say is told to people and proves nothing.

The question is one SMT-LIB script that both solvers read (`smtlib`). A model is rounded to a rational candidate point.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theory.kernel.sequent import Sequent
from theory.provers.budget import Budget
from theory.provers.smtlib import Script, quoted, script


@dataclass(frozen=True, slots=True)
class Answer:
    solver: str
    version: str
    answer: str
    model: tuple[tuple[str, Fraction], ...] = ()


def agree(sequent: Sequent, budget: Budget) -> tuple[str, ...]:
    """The solvers and their versions if both refute the negated goal, else nothing."""
    question = script(sequent)
    if question is None:
        return ()
    answers = [ask(question, budget) for ask in (ask_z3, ask_cvc5)]
    if any(one is None or one.answer != "unsat" for one in answers):
        return ()
    return tuple(f"{one.solver} {one.version}" for one in answers if one is not None)


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
        value = values.get(name, values.get(quoted(name)))
        if value is None or not value.isRealValue():
            return ()
        found.append((name, Fraction(value.getRealValue())))
    return tuple(found)
