"""Can it be trusted? Mutants of the mathematics and of the code, forgeries, near misses: what the referee catches."""
