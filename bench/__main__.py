"""Side-by-side benchmarks, as ratios within one run on one core; exit 1 when a figure is missed.

python -m bench                 every part below, one after the other (what `make bench` runs)
python -m bench engine general  only these
python -m bench --quick         a rough answer
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

PARTS = {
    "engine": "exact dynamics of designs whose pairs decouple, against numpy, scipy and their own loops",
    "general": "finite, empirical and dense designs: doubling, spectral radii, growth in d, T, depth and atoms",
    "optimizers": "nanoseconds a sample of the streaming methods",
    "estimators": "the estimators against scikit-learn",
    "theory": "time to judge every certificate",
    "one_lemma": "one lemma asked for by name, in units of `import numpy`",
}


def main(arguments: Sequence[str] | None = None) -> int:
    listed = "\n".join(f"  {name:<12}{text}" for name, text in PARTS.items())
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=f"{__doc__}\nparts:\n{listed}\n\n`python -m bench.PART --help` has the options of one part; "
        "`python -m bench.radius` and `python -m bench.sweep` stand alone.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("part", nargs="*", metavar="PART", help="parts to run (all unless told)")
    parser.add_argument("--quick", action="store_true", help="shorter peers, fewer sizes and splits, where a part can")
    options = parser.parse_args(arguments)
    chosen = options.part or list(PARTS)
    unknown = [name for name in chosen if name not in PARTS]
    if unknown:
        parser.error(f"no part {unknown[0]!r}; choose among {', '.join(PARTS)}")
    return max(_run(name, quick=options.quick) for name in chosen)


def _run(name: str, *, quick: bool) -> int:
    from bench import engine, estimators, general, one_lemma, optimizers, theory

    shorter = ["--quick"] if quick else []
    calls: dict[str, Callable[[], int]] = {
        "engine": lambda: engine.main(shorter),
        "general": lambda: general.main(shorter),
        "optimizers": lambda: optimizers.main(shorter),
        "estimators": lambda: estimators.main(["--splits", "3"] if quick else []),
        "theory": theory.main,
        "one_lemma": one_lemma.main,
    }
    return calls[name]()


if __name__ == "__main__":
    sys.exit(main())
