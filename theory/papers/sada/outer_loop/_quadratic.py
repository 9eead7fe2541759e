"""The printed energy inequality on quadratics F(x) = sum_i q_i (x_i - o_i)^2/2 with 1/alpha <= q_i <= 1 (H = identity).

A refuted special case refutes the lemma. Momentum and z as the algorithm prints them: y_{k-1} uses beta_k, so that
z_{k-1} = y_{k-1} + (y_{k-1} - x_{k-1})/theta_{k-1}, and z_k, with y_k, uses beta_{k+1}: th = theta_k, tp = theta_{k-1},
tn = theta_{k+1}. In the first phase the three are one number.
"""

from __future__ import annotations

from theory.papers.sada.outer_loop._model import CENTRED, EXTRAPOLATED, expected, point, total

FY, FX = total(f"q[i]/2*({EXTRAPOLATED}-o[i])**2"), total("q[i]/2*(x[i]-o[i])**2")
FN = expected("q[i]/2*(xk[i,w]-o[i])**2")
GRADIENT = total(f"(q[i]*({EXTRAPOLATED}-o[i]))**2")
# y_{k-1}, x_k, z_{k-1} and z_k by name
ITERATES = {
    "y[i]": EXTRAPOLATED,
    "xk[i, w]": "y[i] - Ll*h*q[i]*(y[i]-o[i]) + h*(r[i,w]+v[i,w])",
    "z[i]": "y[i] + (y[i]-x[i])/tp",
    "zk[i, w]": "xk[i,w] + (1-tn)/(1+tn)*(1+1/th)*(xk[i,w]-x[i])",
}
OLD, NEW = total("(z[i]-o[i])**2"), expected("(zk[i,w]-o[i])**2")
CURVED = (
    *("Ll > 0", "alpha >= 1", "th > 0", "tp >= th", "12*alpha*tp**2 <= 1", "tn > 0", "tn <= th"),
    *("forall(i, 1, d, q[i] >= 1/alpha)", "forall(i, 1, d, q[i] <= 1)", "sig2 >= 0", CENTRED),
)
BIAS = f"{expected('r[i,w]**2')} <= Ll*h/(8*alpha)*{GRADIENT}"
NOISE = f"{expected('v[i,w]**2')} <= Ll*sig2 + Leff*Ll**2*{FY}"
# F = x^2/2, alpha = 10^4, constant theta = 1/1000, h = 1/50, no noise, x_{-1} = x_0 = 1: x_1 = 49/50, x_2 = 6727/7150,
# and the energy grows in the third step of the algorithm's own run
GROWING = point(
    "Ll=1 alpha=10000 th=1/1000 tp=1/1000 tn=1/1000 T=240 Leff=1 sig2=0 d=1",
    q=["1"], o=["0"], x=["6727/7150"], p=["49/50"], p_w=["1"], r=[["0"]], v=[["0"]],
)  # fmt: skip
# x = x_{k-1}, one coordinate; s = 2 alpha th^2; y = 1 and x - y = alpha th/(3 alpha th + 4)
LATE = "(1 + alpha*th/(3*alpha*th+4))"
GROWTH = (
    f"(1-2*alpha*th**2)**2/2 + 1/(3*alpha*th**2)*((1-2*alpha*th**2) - (1-th)*{LATE})**2"
    f" > {LATE}**2/2 + 1/(3*alpha*th**2)*((1+th) - {LATE})**2"
)


def energy_inequality(weight: str, rate: str, noise: str) -> str:
    return f"{FN} + {weight}*{NEW} <= (1-{rate}*th)*({FX} + {weight}*{OLD}) + {noise}"
