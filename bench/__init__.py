"""Side-by-side benchmarks against peers, as ratios of one interleaved run on one core."""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is imported: every figure is for one core
