"""The trusted core: formulas, exact evaluation, rules of proof, verdicts. No prover, no search, no float."""

from theory.kernel.claim import SCHEMA, Claim, Evidence, Point
from theory.kernel.errors import KernelError, Malformed, Rejected, Undecidable, Undefined
from theory.kernel.judge import Judgement, Verdict, judge, standing
from theory.kernel.points import check_witness, holds, satisfies_hypotheses, side_values
from theory.kernel.rules import RULES, check
from theory.kernel.sequent import Sequent, Tally

__all__ = [
    "RULES",
    "SCHEMA",
    "Claim",
    "Evidence",
    "Judgement",
    "KernelError",
    "Malformed",
    "Point",
    "Rejected",
    "Sequent",
    "Tally",
    "Undecidable",
    "Undefined",
    "Verdict",
    "check",
    "check_witness",
    "holds",
    "judge",
    "satisfies_hypotheses",
    "side_values",
    "standing",
]
