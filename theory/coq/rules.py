"""The translation of every rule of proof: a new rule is one more function here."""

from __future__ import annotations

from theory.coq import algebra, counting, lifting, logic, nested, orders, spectral
from theory.coq.proof import RULES, Proof, proof_of

RULES |= {
    "identity": algebra.rule_identity,
    "cone": algebra.rule_cone,
    "positive": algebra.rule_positive,
    "cases": logic.rule_cases,
    "split": logic.rule_split,
    "root": logic.rule_root,
    "solve": logic.rule_solve,
    "both": logic.rule_both,
    "have": logic.rule_have,
    "cite": logic.rule_cite,
    "induction": lifting.rule_induction,
    "termwise": lifting.rule_termwise,
    "telescope": lifting.rule_telescope,
    "instance": counting.rule_instance,
    "induct": counting.rule_induct,
    "unroll": counting.rule_unroll,
    "only": orders.rule_only,
    "order": orders.rule_order,
    "expand": orders.rule_expand,
    "eigen": spectral.rule_eigen,
    "form": spectral.rule_form,
    "let": nested.rule_let,
}

__all__ = ["RULES", "Proof", "proof_of"]
