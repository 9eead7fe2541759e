"""Lesson 7, the race: SADA against its rivals, replayed from runs recorded by `lemmalab race` (see record.py)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from reports.charts import Chart, Level, Series, draw
from reports.sada.lessons.model import Choice, Claims, Exercise, Lesson, Numbers, Picture, Readout, Slider, Values
from reports.sada.lessons.record import POWERS
from reports.sada.lessons.source import source

METHODS = ("sada", "asgd", "sgd", "sgd-decay", "streaming-svrg", "root-sgd", "erm")
RIVALS = (
    ("sgd", "SGD, tail-averaged"),
    ("asgd", "accelerated SGD"),
    ("sgd-decay", "SGD, step decay"),
    ("streaming-svrg", "streaming SVRG"),
    ("root-sgd", "ROOT-SGD"),
    ("erm", "empirical minimiser (sees all samples at once)"),
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
    own, other = risk(power, "sada", at), risk(power, rival, at)
    single = {m: risk(power, m, at) for m in METHODS if m != "erm"}
    return {
        "kappa": 10.0**power,
        "size": race(power)["sizes"][at],
        "sada": own,
        "rivalrisk": other,
        "factor": other / own,
        "leader": min((m for m in single if not math.isnan(single[m])), key=single.__getitem__),
        "optimum": race(power)["asymptotic_optimum"] / race(power)["sizes"][at],
        "sadareached": reached(power, "sada"),
        "rivalreached": reached(power, rival),
        "sadaexponent": exponent("sada"),
        "rivalexponent": exponent(rival),
    }


def pictures() -> tuple[Picture, ...]:
    power = int(LESSON.start["power"])
    found = race(power)
    series = []
    for i, method in enumerate(METHODS):
        points = [(n, p) for n, p in zip(found["sizes"], found["curves"][method], strict=True) if p is not None]
        low, high = ([p[end] or p["value"] for _, p in points] for end in ("low", "high"))
        values = [p["value"] for _, p in points]
        series.append(Series(method, [n for n, _ in points], values, low, high, colour=i))
    levels = (Level(found["target"], "target"),)
    return (
        Picture(
            "race",
            draw(
                Chart("Excess risk, κ = 10^3", "samples", "excess risk", tuple(series), True, True, levels, height=440)
            ),
            "Mean excess risk over eight streams with 95% bands; least squares in ten dimensions, noise 0.1.",
        ),
    )


def data() -> Mapping[str, Any]:
    """What the script replays, without what it does not show."""
    kept = ("sizes", "curves", "asymptotic_optimum", "target", "start", "methods")
    races = {str(p): {name: race(p)[name] for name in kept} for p in POWERS}
    for told in races.values():
        told["methods"] = {row["method"]: row["reached"] and row["reached"]["value"] for row in told["methods"]}
    exponents = {m: None if math.isnan(exponent(m)) else exponent(m) for m in METHODS}
    return {"races": races, "exponents": exponents, "order": METHODS}


LESSON = Lesson(
    number=7,
    slug="the-race",
    title="The race",
    goal="See who wins a race over one pass of data, when acceleration pays, and when it does not.",
    before=(
        "Seven methods read the same streams of samples of a least-squares problem in ten dimensions, each sample "
        "once. All of them end at the same statistical rate, $\\operatorname{tr}(H^{-1}Q)/(2n)$ at best; what "
        "differs is how long they take to forget the start. Without momentum that is about $\\kappa$ samples, with "
        "momentum about $\\sqrt{\\kappa\\tilde\\kappa}$: nothing to gain when $\\kappa$ is small, everything when "
        "it is large.",
        "Nothing is simulated on this page. It replays runs recorded by `lemmalab race least-squares --kappa 1e3 "
        "--samples 1000000 --seeds 8 --json` and its like for $\\kappa=10,\\dots,10^5$, eight streams each, with "
        "fixed seeds; `python -m reports.sada.lessons.record` records them again. The exponents are from "
        "`lemmalab race acceleration`.",
    ),
    controls=(
        Slider("power", "$\\log_{10}\\kappa(\\Sigma)$", 1, 5, 3, step=1, whole=True),
        Slider("n", "samples read", 100, 1_000_000, 1_000_000, step=1, log=True, whole=True),
        Choice("rival", "compare SADA with", RIVALS),
    ),
    buttons=(("play", "Run the race"),),
    readouts=(
        Readout("kappa", "$\\kappa(\\Sigma)$"),
        Readout("size", "samples of the recorded run"),
        Readout("sada", "SADA, excess risk"),
        Readout("rivalrisk", "rival, excess risk"),
        Readout("factor", "rival over SADA"),
        Readout("leader", "single-pass leader here"),
        Readout("optimum", "asymptotic optimum"),
        Readout("sadareached", "SADA, samples to the target"),
        Readout("rivalreached", "rival, samples to the target"),
        Readout("sadaexponent", "SADA, exponent of $\\kappa$"),
        Readout("rivalexponent", "rival, exponent of $\\kappa$"),
    ),
    numbers=numbers,
    pictures=pictures,
    data=data,
    after=(
        "Three things to see. For $\\kappa=10$ plain averaged SGD reaches the target first: momentum costs and has "
        "nothing to give. For $\\kappa=10^5$ only SADA and accelerated SGD get there within a million samples. And "
        "once there, a tail average over half of the samples pays a factor of two to the optimum, which no momentum "
        "brings back.",
        "SADA does not beat accelerated SGD here: on least squares they are relatives. What SADA adds is the outer "
        "loop, for losses that are not quadratic. A dash means that the race does not show the number: the target "
        "was not reached within a million samples, or already before the first hundred.",
    ),
    exercises=(
        Exercise(
            "At $\\kappa=1000$, how many times more samples does tail-averaged SGD need than SADA to reach the target?",
            lambda: reached(3, "sgd") / reached(3, "sada"),
            "Divide the two numbers of samples to the target.",
            "About three; at $\\kappa=10$ it is the other way round.",
            tolerance=0.02,
        ),
        Exercise(
            "Measured without noise, samples grow like which power of $\\kappa$ for tail-averaged SGD?",
            lambda: exponent("sgd"),
            "The readout of the rival's exponent.",
            "Close to 1, as the theory says; SADA's is close to 1/2.",
            tolerance=0.02,
        ),
        Exercise(
            "At $\\kappa=10$, which of these reaches the target first?",
            lambda: float(min(range(3), key=lambda i: reached(1, ("sada", "asgd", "sgd")[i]))),
            "Compare the samples to the target, rival by rival.",
            "With so small a condition number there is nothing to accelerate.",
            choices=("SADA", "accelerated SGD", "tail-averaged SGD"),
        ),
    ),
    claims=Claims(
        (
            ("thm:full-glm", "the theorem as printed"),
            ("thm:full-glm/repaired", "the theorem repaired"),
            ("thm:full-glm/sharper", "the theorem with sharper constants"),
            ("cor:sample-complexity", "samples needed"),
        )
    ),
)
