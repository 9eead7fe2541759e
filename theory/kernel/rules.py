"""The rules of proof. Each takes a certificate (plain JSON data) and a sequent, and raises `Rejected` or returns.

identity     both sides are the same rational function (modulo given equations, with cofactors)
cone         multiplier * (right - left) = sum of  c * facts * square,  c >= 0: read the identity and it is proved
positive     put slacks in for the variables; then no coefficient is negative
balls        on a rational box, subdivided: Arb encloses the difference on the right side of zero
cases, split an expression is >= 0 or <= 0; a max, min or abs is one of its arguments
root         a square root gets a name: r >= 0 and r**2 = argument
solve        an equation that is linear in a name is solved for it
both         an equation, from two inequalities
have         an intermediate fact, proved first
cite         an instance of another claim
only         some of the facts; the others are forgotten
let          a vector or a matrix gets a name
induction    an invariant of an iteration
termwise     a sum or a mean is monotone (this lifts a claim from one eigenvalue to every dimension)
telescope    a sum is compared with the difference of a function at its ends, since each term is
instance     a fact for every index, used at one of them
induct       over a natural number, from any start, with all earlier cases as facts
unroll       the first or the last term of a sum, a product or an iteration, apart
order        matrices of every size, traces and means: right - left is a sum of nonnegative parts
expand       numbers made of letters (scalar products, traces, means) are multiplied out
slope        a function starts above zero and does not fall (mean value theorem; again for its slope: Taylor)
eigen        two traces are compared at one eigenvector of a symmetric matrix at a time
form         X << Y is shown at one vector of which nothing is known
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from theory.kernel import algebra, counting, lifting, logic, orders, slopes, spectral
from theory.kernel.proof import Library, Rule, check, require_defined

_TABLE: dict[str, Rule] = {
    "identity": algebra.rule_identity,
    "cone": algebra.rule_cone,
    "positive": algebra.rule_positive,
    "balls": algebra.rule_balls,
    "cases": logic.rule_cases,
    "split": logic.rule_split,
    "root": logic.rule_root,
    "solve": logic.rule_solve,
    "both": logic.rule_both,
    "have": logic.rule_have,
    "cite": logic.rule_cite,
    "only": logic.rule_only,
    "let": logic.rule_let,
    "induction": lifting.rule_induction,
    "termwise": lifting.rule_termwise,
    "telescope": lifting.rule_telescope,
    "instance": counting.rule_instance,
    "induct": counting.rule_induct,
    "unroll": counting.rule_unroll,
    "order": orders.rule_order,
    "expand": orders.rule_expand,
    "slope": slopes.rule_slope,
    "eigen": spectral.rule_eigen,
    "form": spectral.rule_form,
}
RULES: Mapping[str, Rule] = MappingProxyType(_TABLE)

__all__ = ["RULES", "Library", "Rule", "check", "require_defined"]
