"""lemmalab doctor: what is installed, what is missing, and the command that installs it."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from dataclasses import asdict, dataclass

import click

from reports.cli.common import FINE, SHORT, json_option, paint, print_json, table

NEEDED = {
    "flint": ("python-flint", "exact arithmetic of the kernel"),
    "sympy": ("sympy", "formulas of users, algebra of provers"),
    "numpy": ("numpy", "search and simulation"),
    "scipy": ("scipy", "linear and semidefinite programs of provers"),
    "numba": ("numba", "fast simulation"),
    "hypothesis": ("hypothesis", "property tests, shrinking of witnesses"),
    "joblib": ("joblib", "parallel checks"),
    "jinja2": ("jinja2", "the report"),
    "rich": ("rich", "progress on a terminal"),
    "pytest": ("pytest", "pytest theory"),
}
EXTRAS = {
    "z3": ("z3-solver", "smt", "a second opinion on open claims"),
    "cvc5": ("cvc5", "smt", "a third opinion on open claims"),
    "distributed": ("distributed", "cluster", "sweeps on many machines"),
    "sklearn": ("scikit-learn", "sklearn", "estimators in scikit-learn style"),
    "pyarrow": ("pyarrow", "parquet", "Parquet output"),
    "marimo": ("marimo", "notebooks", "notebooks"),
    "xdist": ("pytest-xdist", "dev", "pytest theory in parallel"),
}


@dataclass(frozen=True)
class Finding:
    name: str
    state: str  # "ok", "missing", "broken"
    version: str
    what_for: str
    remedy: str
    required: bool


@click.command("doctor", short_help="What is installed, what is missing, how to install it.")
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Look at the installation: Python, the exact arithmetic, the solvers, and whether the kernel does its work."""
    found = [_python(), *_needed(), *_extras(), _kernel()]
    bad = [f for f in found if f.required and f.state != "ok"]
    if as_json:
        print_json({"ok": not bad, "machine": _machine(), "findings": [asdict(f) for f in found]})
    else:
        colour = {"ok": "green", "missing": "yellow", "broken": "red"}
        rows = [
            [paint(f.state, "red" if f in bad else colour[f.state]), f.name, f.version, f.what_for, f.remedy]
            for f in found
        ]
        for line in table(rows):
            click.echo(line)
        click.echo(f"machine: {_machine()}")
        click.echo("all that is needed is there" if not bad else f"broken: {', '.join(f.name for f in bad)}")
    ctx.exit(FINE if not bad else SHORT)


def _machine() -> str:
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _python() -> Finding:
    fine = sys.version_info >= (3, 11)
    remedy = "" if fine else "install Python 3.11 or newer"
    return Finding("python", "ok" if fine else "broken", platform.python_version(), "everything", remedy, True)


def _present(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _needed() -> list[Finding]:
    from theory.ledger.versions import version_of

    found = []
    for module, (package, what_for) in NEEDED.items():
        there = _present(module)
        remedy = "" if there else f"pip install {package}"
        version = (version_of(package) or "") if there else ""
        found.append(Finding(module, "ok" if there else "missing", version, what_for, remedy, True))
    return found


def _extras() -> list[Finding]:
    from theory.ledger.versions import version_of

    found = []
    for module, (package, extra, what_for) in EXTRAS.items():
        there = _present(module)
        remedy = "" if there else f"pip install 'lemmalab[{extra}]'"
        version = (version_of(package) or "") if there else ""
        found.append(Finding(module, "ok" if there else "missing", version, what_for, remedy, False))
    return found


def _kernel() -> Finding:
    """The kernel accepts a small proof and rejects the same proof of something false."""
    what_for = "accepts a proof, rejects a forgery"
    try:
        from theory.kernel import SCHEMA, Claim, Evidence, Rejected, Verdict, judge

        def offer(says: str) -> Verdict:
            claim = Claim("doctor", (says,), example=(("a", "1"), ("b", "2")))
            goal = {"kind": "cone", "terms": [{"c": "1", "sq": "a-b"}]}
            return judge(claim, Evidence({"schema": SCHEMA, "claim": claim.digest, "goals": [goal]}), {}).verdict

        accepted = offer("2*a*b <= a**2 + b**2") is Verdict.PROVED
        try:
            offer("2*a*b <= a**2 + b**2 - 1")
            rejected = False
        except Rejected:
            rejected = True
    except ImportError as error:
        return Finding(
            "kernel", "broken", "", what_for, f"cannot be imported ({error}); pip install python-flint", True
        )
    fine = accepted and rejected
    return Finding("kernel", "ok" if fine else "broken", "", what_for, "" if fine else "reinstall LemmaLab", True)
