"""Detectors: checks that run over every formula of the paper, not over chosen ones."""
