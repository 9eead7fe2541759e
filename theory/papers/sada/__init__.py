"""Accelerating Single-Pass SGD for Generalized Linear Prediction: what it prints, what is true, and the proofs."""
