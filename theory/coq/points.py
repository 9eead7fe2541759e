"""A refutation of a claim with kinds: letters are matrices that are written out, samples points of a finite space."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from theory.coq.errors import NotExpressible
from theory.coq.kinds import Premise, is_random, names_of, parameters, premises, spaces
from theory.coq.scene import Out, taken_apart
from theory.coq.statement import compare, conclusion, number
from theory.kernel.claim import Claim
from theory.kernel.evaluate import Family, Mat
from theory.kernel.instances import weights_of
from theory.kernel.kinds import NUMBER, Letter, size_of
from theory.kernel.lang import Relation
from theory.kernel.points import environment, holds, range_of

ONE_BY_ONE = "where the claim fails a matrix order is about matrices that are larger than one by one"


def refutation_with_kinds(claim: Claim, point: Mapping[str, Any], every: Any) -> list[str]:
    """The tactics that prove `~ proposition`; `every` prints the cases of an index."""
    return _Point(claim, point, every).tactics()


class _Point:
    def __init__(self, claim: Claim, point: Mapping[str, Any], every: Any) -> None:
        self.claim, self.every, self.out = claim, every, Out()
        self.env = environment(point, claim)
        if claim.world.steps or claim.world.clauses:
            raise NotExpressible("a refutation that computes a recursion of letters")

    def tactics(self) -> list[str]:
        out = self.out
        out.say("intro H.")
        arguments = [self._argument(what, name) for _, _, what, name in parameters(self.claim) if what != "space"]
        out.say(f"assert (C := H {' '.join([*self._spaces(), *arguments])}); clear H; cbv beta in C.")
        out.say("assert (tables := sized_table).")
        for premise in premises(self.claim):
            out.say("lapply C; clear C; [intro C | ].")
            with out.block("2:"):
                out.say(self._shown(premise))
        self._refute()
        return out.lines

    # ---- the point

    def _spaces(self) -> list[str]:
        if not spaces(self.claim.world):
            return []
        (space,) = spaces(self.claim.world)
        self.points = [_fraction(row[0]) for row in weights_of(space, self.env).rows]
        listed = f"[{'; '.join(map(number, self.points))}]"
        self.out.say(f"assert (X : sampling (finite_mean {listed})).")
        with self.out.block():
            self.out.say("apply finite_mean_sampling; [repeat constructor; compute_fact | compute_fact].")
        return ["nat", f"(finite_mean {listed})", "X", "(fun _ => O)"]

    def _argument(self, what: str, name: str) -> str:
        match what:
            case "size" | "natural":
                return f"{int(_fraction(self.env[name]))}%nat"
            case "number":
                return number(_fraction(self.env[name]))
            case "sample":
                return f"{int(_fraction(self.env[name])) - 1}%nat"
            case "inverse":
                return self._inverse(name)
        return self._letter(self.claim.world.letters[name])

    def _letter(self, letter: Letter) -> str:
        value = self.env[letter.name]
        if not letter.indices:
            return self._value(letter, value)
        if len(letter.indices) > 1 or not is_random(letter) or not isinstance(value, Family):
            raise NotExpressible(f"{letter.name}: a sequence of letters, at a point")
        is_number = (letter.rows, letter.cols) == NUMBER
        every = [value.values[i] for i in sorted(value.values)]
        *cases, last = (number(_fraction(one)) if is_number else _rows(one) for one in every)
        if not cases:
            return f"(fun _ : nat => {self._value(letter, every[0])})"
        shown = " | ".join(f"{i}%nat => {one}" for i, one in enumerate(cases))
        chosen = f"match w with {shown} | _ => {last} end"
        ends = f"{self._size(letter.rows)} {self._size(letter.cols)}"
        return f"(fun w => {chosen})" if is_number else f"(fun w => table {ends} {chosen})"

    def _value(self, letter: Letter, value: Any) -> str:
        if (letter.rows, letter.cols) == NUMBER:
            return number(_fraction(value))
        return f"(table {self._size(letter.rows)} {self._size(letter.cols)} {_rows(value)})"

    def _inverse(self, name: str) -> str:
        letter, value = self.claim.world.letters[name], self.env[name]
        entry = value.rows[0][0] if isinstance(value, Mat) else value
        if self._count(letter.rows) != 1:
            raise NotExpressible(ONE_BY_ONE)
        return f"(table 1 1 [[{number(1 / _fraction(entry))}]])"

    def _count(self, form: Any) -> int:
        """A size at the point."""
        return sum(count * (int(_fraction(self.env[name])) if name else 1) for name, count in form)

    def _size(self, form: Any) -> str:
        return f"{self._count(form)}%nat"

    # ---- premises

    def _shown(self, premise: Premise) -> str:
        match premise.what:
            case "sized":
                return "intros; apply sized_table."
            case "symmetric":
                rows = self._size(self.claim.world.letters[premise.name].rows)
                return f"intros; matrices_alike {rows} {rows}."
            case "nonneg":
                return f"intros; {self._sign(self.claim.world.letters[premise.name].rows)}."
            case "inverse":
                rows = self._size(self.claim.world.letters[premise.name].rows)
                return f"repeat split; [apply sized_table | matrices_alike {rows} {rows} ..]."
            case "sense":
                return "compute_fact."
        return self._fact(self.claim.facts[int(premise.name)])

    def _sign(self, rows: Any) -> str:
        if self._count(rows) != 1:
            raise NotExpressible(ONE_BY_ONE)
        return "single_sign"

    def _fact(self, fact: Relation) -> str:
        parts = []
        for index, lo, hi in fact.binders:
            outcome = lo.op == "domain"
            ends = (1, len(self.points)) if outcome else range_of(lo, hi, index, self.env)
            parts.append(self.every(index, *ends, outcome))
        rows, cols = size_of(fact.left)
        if (rows, cols) == NUMBER:
            last = "compute_fact"
        elif fact.op == "<<":
            last = self._sign(rows)
        elif fact.op == "==":
            last = f"matrices_alike {self._size(rows)} {self._size(cols)}"
        else:
            raise NotExpressible(f"{fact} at a point")
        return "; ".join([*parts, *(["repeat split"] if parts else []), last]) + "."

    # ---- what fails

    def _refute(self) -> None:
        names = names_of(self.claim)
        shown = list(dict.fromkeys(one for goal in self.claim.goals for one in conclusion(goal, names)))
        parts = [f"C{i}" for i in range(len(shown))]
        self.out.say(taken_apart("C", parts) if len(parts) > 1 else "rename C into C0.")
        goal = next((g for g in self.claim.goals if g.binder is None and not holds(g, self.env)), None)
        if goal is None:
            raise NotExpressible("the conclusion that fails is not told by a plain computation")
        here = parts[shown.index(compare(goal, names))]
        rows, cols = size_of(goal.left)
        if (rows, cols) == NUMBER:
            self.out.say(f"compute_false {here}.")
        elif goal.op == "<<":
            self._sign(rows)
            self.out.say(f"apply single_entry in {here}; compute_false {here}.")
        elif goal.op == "==":
            self.out.say(f"apply entry_alike with (i := O) (j := O) in {here}; compute_false {here}.")
        else:
            raise NotExpressible(f"{goal} fails at a point")


def _fraction(value: Any) -> Fraction:
    return Fraction(str(value))


def _rows(value: Any) -> str:
    rows = value.rows if isinstance(value, Mat) else ((value,),)
    return f"[{'; '.join('[' + '; '.join(number(_fraction(x)) for x in row) + ']' for row in rows)}]"


__all__ = ["refutation_with_kinds"]
