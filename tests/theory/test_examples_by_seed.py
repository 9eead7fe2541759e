"""The example of a claim depends on the claim and the seed alone: certificates are bound to it."""

from __future__ import annotations

import os
import subprocess
import sys

SCRIPT = """
from theory.kernel import Claim
from theory.ledger.examples import find_example

VECTORS = (("u", "vector(d)"), ("v", "vector(d)"), ("x", "vector(d)"))
for claim in (
    Claim("vectors", ("u.T@v <= norm2(u) + norm2(v) + norm2(x)",), kinds=VECTORS),
    Claim("means", ("E(w, norm2(a[w] - u)) >= 0",), ("norm2(u) <= b",), kinds=(("a", "vector(d)[S]"), VECTORS[0])),
    Claim("numbers", ("a*b <= c + e",), ("a*b <= c", "e >= 0", "a >= 1")),
    Claim("sums", ("sum(i, 1, n, x[i]*y[i]) <= z",), ("z >= 1",), naturals=("n",)),
):
    print(sorted((find_example(claim) or {}).items()))
"""


def test_an_example_does_not_depend_on_the_order_of_sets() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    ]
    assert len(set(told)) == 1
    assert told[0].count("\n") == 4
    assert "[]" not in told[0], "an example is found for each"
