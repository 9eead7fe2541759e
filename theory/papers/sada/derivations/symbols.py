"""The letters of the paper for sympy, named as claims name them, and the LaTeX that stands for each in print."""

from __future__ import annotations

import sympy

eta, theta, gam, lam, nu = sympy.symbols("eta theta gam lam nu", positive=True)
c, q, mu, kt, h, Ll, alpha = sympy.symbols("c q mu kt h Ll alpha", positive=True)
x, y, z, g, p, e = sympy.symbols("x y z g p e", real=True)  # one coordinate; p is a a^T, e is eps a in it
k, n = sympy.symbols("k n", integer=True, nonnegative=True)
x1, x2 = sympy.symbols("x1 x2", real=True)  # the eigenvalues of A(lambda)

EYE = sympy.eye(2)

LATEX = {
    r"\boldsymbol{\Sigma}": "lam",
    r"\mathbf{I}": "1",
    r"\mathbf{O}": "0",
    r"\mathbf{R}": "R",
    r"\lambda_i": "lam",
    r"\lambda": "lam",
    r"\eta": "eta",
    r"\gamma": "gam",
    r"\theta": "theta",
    r"\tilde{\kappa}": "kt",
    r"\mu": "mu",
    r"\alpha": "alpha",
    r"L_\ell": "Ll",
    "h_k": "h",
    "c": "c",
    "q": "q",
    "m_i": "m",
    "k": "k",
    "r": "r",
    "a": "a",
}
SHOWN = {
    "lam": "lambda", "gam": "gamma", "kt": "kappatilde", "Ll": "L_ell", "th": "theta_k", "tp": "theta_{k-1}",
    "top": "theta_max", "x1": "x_1", "x2": "x_2", "h": "h_k", "x_next": "x_t", "z_next": "z_t", "second": "E_p2",
    "rk": "r^k", "sn": "s_phi", "cs": "c_phi",
}  # fmt: skip
