"""All methods on one stream: problems by name, curves with intervals, fitted terms, bounds, the exact engine beside."""

from .acceleration import KAPPAS, Acceleration, Needed, measure
from .bounds import CONSTANTS, Bound, TheoremConstants, asymptotic_constant, bound, statistical_trace
from .exact import expected_excess
from .lanes import RIVALS, VARIANTS, Entrant, Outcome, entrants, risk_of, rivals, run_stream
from .problems import READY, ProblemSpec, table_problem
from .run import RacePlan, RaceResult, geometric_sizes, race
from .second_phase import LastLoop, efficient_risk, last_loop
from .statistics import Interval, Terms, band, fit_terms, jackknife, reached, slope
from .summary import Summary, summarise
from .theorem import TheoremPoint, distinct, theorem_curves, theorem_params

__all__ = [
    "CONSTANTS",
    "KAPPAS",
    "READY",
    "RIVALS",
    "VARIANTS",
    "Acceleration",
    "Bound",
    "Entrant",
    "Interval",
    "LastLoop",
    "Needed",
    "Outcome",
    "ProblemSpec",
    "RacePlan",
    "RaceResult",
    "Summary",
    "Terms",
    "TheoremConstants",
    "TheoremPoint",
    "asymptotic_constant",
    "band",
    "bound",
    "distinct",
    "efficient_risk",
    "entrants",
    "expected_excess",
    "fit_terms",
    "geometric_sizes",
    "jackknife",
    "last_loop",
    "measure",
    "race",
    "reached",
    "risk_of",
    "rivals",
    "run_stream",
    "slope",
    "statistical_trace",
    "summarise",
    "table_problem",
    "theorem_curves",
    "theorem_params",
]
