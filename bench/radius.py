"""Spectral radii against fifty digits on many random designs and step sizes.

    python -m bench.radius [--cases 3000] [--seed 0]

Cases and referee are those of the tests: the paper's rule with its factor 1/4 raised to 1/2 and 1, eta up to and past
the border, double roots of the mean, anything at all; eight kinds of designs and five more, d = 1, 2, 3. Prints the
largest error (relative where the radius exceeds 1), the number of refusals and how far numpy's eigenvalues in doubles
are off. Exit 1 on an error of 1e-9, on an error beyond the one stated, or on a refusal.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
from flint import arb, ctx

from numerics.covariance import UndecidedRadiusError, stability
from tests.numerics.radius_cases import draw
from tests.numerics.radius_referee import moments, radii, written_out


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(options.seed)
    worst, plain, refused, wrong = 0.0, [], [], []
    for _ in range(options.cases):
        label, design, steps = draw(rng)
        mean, radius = radii(design, steps)
        try:
            found = stability(design, steps)
        except UndecidedRadiusError as error:
            refused.append(f"{label}: {error}")
            continue
        with ctx.workprec(300):
            scale = max(1.0, float(radius))  # a radius of 1e4 has no nine digits after the point in doubles
            off = abs(float(1 - arb(found.gap) - radius))
            mean_off = abs(float(1 - arb(found.mean_gap) - mean))
        written, _ = written_out(steps, *moments(design), design.dim)
        size = written.nrows()
        doubles = np.array([float(v.mid()) for v in written.entries()]).reshape(size, size)
        plain.append(abs(float(np.max(np.abs(np.linalg.eigvals(doubles)))) - float(radius)) / scale)
        worst = max(worst, off / scale, mean_off / scale)
        if off > found.error or max(off, mean_off) >= 1e-9 * scale:
            wrong.append(f"{label}: {off:.1e} (stated {found.error:.1e}), mean {mean_off:.1e}, {steps}")
    for line in (*wrong, *refused):
        print(line)
    print(f"{options.cases} cases: largest error {worst:.1e}, wrong {len(wrong)}, refused {len(refused)}")
    print(f"numpy's eigenvalues: largest error {max(plain):.1e}, above 1e-9 in {sum(e > 1e-9 for e in plain)} cases")
    return 1 if wrong or refused else 0


if __name__ == "__main__":
    sys.exit(main())
