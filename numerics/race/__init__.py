"""All methods on one stream: problems by name, curves with intervals, fitted terms, bounds, the exact engine beside."""

from .acceleration import KAPPAS, Acceleration, Needed, measure
from .bounds import CONSTANTS, Bound, TheoremConstants, asymptotic_constant, bound, statistical_trace
from .exact import expected_excess
from .lanes import RIVALS, Entrant, Outcome, risk_of, run_stream
from .problems import READY, ProblemSpec, table_problem
from .run import RacePlan, RaceResult, geometric_sizes, race
from .statistics import Interval, Terms, band, fit_terms, jackknife, reached, slope
from .summary import Summary, summarise

__all__ = [
    "CONSTANTS",
    "KAPPAS",
    "READY",
    "RIVALS",
    "Acceleration",
    "Bound",
    "Entrant",
    "Interval",
    "Needed",
    "Outcome",
    "ProblemSpec",
    "RacePlan",
    "RaceResult",
    "Summary",
    "Terms",
    "TheoremConstants",
    "asymptotic_constant",
    "band",
    "bound",
    "expected_excess",
    "fit_terms",
    "geometric_sizes",
    "jackknife",
    "measure",
    "race",
    "reached",
    "risk_of",
    "run_stream",
    "slope",
    "statistical_trace",
    "summarise",
    "table_problem",
]
