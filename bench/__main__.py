"""`make bench`: every benchmark, one after the other; exit 1 when a figure is missed."""

from __future__ import annotations

import sys

from bench import engine, optimizers


def main() -> int:
    missed = [engine.main(), optimizers.main(sys.argv[1:])]
    return max(missed)


if __name__ == "__main__":
    sys.exit(main())
