"""`make bench`: every benchmark, one after the other; exit 1 when a figure is missed."""

from __future__ import annotations

import sys

from bench import engine, estimators, optimizers, theory


def main() -> int:
    missed = [engine.main([]), optimizers.main([]), estimators.main([]), theory.main()]
    return max(missed)


if __name__ == "__main__":
    sys.exit(main())
