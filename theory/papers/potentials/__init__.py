"""Potential functions for first-order methods: the paper, its claims and the proofs."""
