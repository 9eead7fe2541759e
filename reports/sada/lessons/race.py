"""Lesson 9, the race: SADA against its rivals, replayed from runs recorded by `lemmalab race` (see record.py)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from reports.charts import Chart, Level, Series, draw
from reports.sada.lessons.model import (
    Choice,
    Claims,
    Derivation,
    Exercise,
    Formula,
    Lesson,
    Numbers,
    Picture,
    Readout,
    Slider,
    Values,
)  # fmt: skip
from reports.sada.lessons.record import POWERS
from reports.sada.lessons.source import source
from reports.sada.race import CALLED as NAMES

METHODS = ("sada", "asgd", "sgd", "sgd-decay", "streaming-svrg", "root-sgd", "erm")
RIVALS = (
    ("sgd", "averaged SGD"),
    ("asgd", "accelerated SGD"),
    ("sgd-decay", "SGD, step decay"),
    ("streaming-svrg", "streaming SVRG"),
    ("root-sgd", "ROOT-SGD"),
    ("erm", "empirical minimiser"),
)


@lru_cache(maxsize=1)
def recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(source("data", "races.json"))
    return found


@lru_cache(maxsize=8)
def race(power: int) -> dict[str, Any]:
    """The recorded race with kappa = 10^power."""
    found: dict[str, Any] = recorded()["races"][POWERS.index(power)]["result"]
    return found


def risk(power: int, method: str, index: int) -> float:
    point = race(power)["curves"][method][index]
    return math.nan if point is None else float(point["value"])


def reached(power: int, method: str) -> float:
    """Samples to the target; not a number where the race does not show it."""
    row = next(row for row in race(power)["methods"] if row["method"] == method)
    return math.nan if row["reached"] is None else float(row["reached"]["value"])


def exponent(method: str) -> float:
    """Of samples against kappa, measured without noise."""
    for needed in recorded()["acceleration"]["result"]["needed"]:
        if needed["entrant"] == method and needed["exponent"] is not None:
            return float(needed["exponent"]["value"])
    return math.nan


def _index(power: int, n: float) -> int:
    """The largest recorded size up to n."""
    return max(i for i, size in enumerate(race(power)["sizes"]) if size <= n or i == 0)


def numbers(v: Values) -> Numbers:
    power, rival = int(v["power"]), str(v["rival"])
    at = _index(power, v["n"])
    single = {m: risk(power, m, at) for m in METHODS if m != "erm" and not math.isnan(risk(power, m, at))}
    return {
        "sada": risk(power, "sada", at),
        "rivalrisk": risk(power, rival, at),
        "leader": NAMES[min(single, key=single.__getitem__)],
    }


def broken(v: Values) -> bool:
    """A rival that reads every sample once is ahead of SADA by a tenth or more."""
    power, rival = int(v["power"]), str(v["rival"])
    at = _index(power, v["n"])
    return rival != "erm" and bool(risk(power, rival, at) < 0.9 * risk(power, "sada", at))


def pictures() -> tuple[Picture, ...]:
    power = int(LESSON.start["power"])
    found = race(power)
    series = []
    for i, method in enumerate(METHODS):
        points = [(n, p) for n, p in zip(found["sizes"], found["curves"][method], strict=True) if p is not None]
        low, high = ([p[end] or p["value"] for _, p in points] for end in ("low", "high"))
        values = [p["value"] for _, p in points]
        series.append(Series(NAMES[method], [n for n, _ in points], values, low, high, colour=i))
    levels = (Level(found["target"], "target"),)
    return (
        Picture(
            "race",
            draw(
                Chart("Excess risk, κ = 10³", "samples", "excess risk", tuple(series), True, True, levels, height=440)
            ),
            "Mean excess risk over eight streams; the two methods compared have 95% bands.",
        ),
    )


def data() -> Mapping[str, Any]:
    """What the script replays, without what it does not show."""
    kept = ("sizes", "curves", "asymptotic_optimum", "target", "start")
    return {"races": {str(p): {name: race(p)[name] for name in kept} for p in POWERS}, "order": METHODS, "names": NAMES}


def _theta(mu: float, eta: float, kt: float) -> float:
    return math.sqrt(mu * eta / kt) / 4


LESSON = Lesson(
    number=9,
    slug="the-race",
    title="The race",
    goal="See who wins a race over one pass of data, when acceleration pays, and when it does not.",
    needs=("lessons 2 and 5", "logarithmic axes"),
    before=(
        "Seven methods read the same streams of samples of a least-squares problem in ten dimensions. At best they "
        "end at the statistical rate $\\operatorname{tr}(H^{-1}Q)/(2n)$, the dotted line; they differ in how long "
        "they take to forget the start. Without momentum that is about $\\kappa$ samples, with momentum about "
        "$\\sqrt{\\kappa\\tilde\\kappa}$. Six of them read each sample once; the empirical minimiser sees all "
        "samples at once.",
        "Nothing is simulated on this page. It replays recorded runs with fixed seeds, eight streams for each "
        "$\\kappa=10,\\dots,10^5$ (`lemmalab race least-squares --kappa 1e3 --samples 1000000 --seeds 8`).",
    ),
    controls=(
        Slider("power", "$\\log_{10}\\kappa(\\Sigma)$", 1, 5, 3, step=1, whole=True),
        Slider("n", "samples read", 100, 1_000_000, 1_000_000, step=1, log=True, whole=True),
        Choice("rival", "compare SADA with", RIVALS),
    ),
    buttons=(("play", "Run the race"),),
    readouts=(
        Readout("sada", "excess risk of SADA"),
        Readout("rivalrisk", "excess risk of the rival"),
        Readout("leader", "ahead, in one pass"),
    ),
    numbers=numbers,
    pictures=pictures,
    data=data,
    after=(
        "There are three things to see. For $\\kappa=10$ plain averaged SGD reaches the target first: momentum has a "
        "cost and nothing to give. For $\\kappa=10^5$ only SADA and accelerated SGD get there within a million "
        "samples. And once there, a tail average over half of the samples stays a factor of two above the optimum, "
        "which no momentum brings back.",
        "SADA does not beat accelerated SGD here; on least squares they are relatives. What SADA adds is the outer "
        "loop, for losses that are not quadratic. Without noise, the number of samples that it needs grows like "
        "$\\kappa^{0.54}$; for averaged SGD it grows like $\\kappa^{0.98}$.",
    ),
    derive=Derivation(
        "theta_squared",
        3,
        "Where does the square root come from? It comes from two equations that the proofs need. Forgetting the "
        "start takes about $1/\\theta$ steps.",
        told=(
            ("The bias has to contract.", r"\theta=\mu\gamma"),
            ("The noise has to stay at its level.", r"\eta=16\tilde\kappa\theta\gamma"),
            ("Put $\\gamma=\\theta/\\mu$ into the second.", ""),
            ("Solve for $\\theta^2$.", r"\theta^2=\frac{\mu\eta}{16\tilde\kappa}"),
        ),
    ),
    exercises=(
        Exercise(
            "Predict",
            "At $\\kappa=10$, which of these reaches the target first?",
            "What is there to accelerate when all directions are nearly alike?",
            "With so small a condition number there is nothing to accelerate, and averaged SGD is there first.",
            answer=lambda: float(min(range(3), key=lambda i: reached(1, ("sada", "asgd", "sgd")[i]))),
            choices=("SADA", "accelerated SGD", "averaged SGD"),
            example={"power": 1, "rival": "sgd"},
        ),
        Exercise(
            "Derive",
            "What is $\\theta$ itself, in $\\mu$, $\\eta$ and $\\tilde\\kappa$ (type k)? A root is typed sqrt(…).",
            "Eliminate $\\gamma$: $\\eta=16\\tilde\\kappa\\theta^2/\\mu$. Then take the root.",
            "It is $\\theta=\\sqrt{\\mu\\eta/\\tilde\\kappa}/4$. With $\\eta=1/(16R^2)$ and $\\kappa=R^2/\\mu$ the "
            "number of steps, $1/\\theta=16\\sqrt{\\kappa\\tilde\\kappa}$, has the square root.",
            formula=Formula((("mu", "μ"), ("eta", "η"), ("k", "κ̃")), _theta, "sqrt(mu*eta/k)/4"),
        ),
        Exercise(
            "Break it",
            "“SADA is the best single-pass method.” Find $\\kappa$, a number of samples, and a rival that reads each "
            "sample once and is ahead of SADA by a tenth or more.",
            "Begin with $\\kappa=10$, or stop early.",
            "For instance $\\kappa=10$ with 1000 samples and averaged SGD. A theorem about rates does not decide "
            "every race.",
            broken=broken,
            example={"power": 1, "n": 1000, "rival": "sgd"},
        ),
    ),
    claims=Claims(
        (
            ("thm:full-glm", "the theorem as printed"),
            ("thm:full-glm/repaired", "the theorem repaired"),
            ("cor:sample-complexity", "how many samples are needed"),
        )
    ),
    leads="The race shows rates. The theorem also has a constant, 46080 as printed. The last lesson takes it apart.",
)
