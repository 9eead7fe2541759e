"""Three ways to run the outer loop: the printed momentum, the repaired one, and half the step besides."""

from __future__ import annotations

from dataclasses import replace

from theory.papers.sada.outer_loop._energy import PLAIN, F, R, Square, Way, cone
from theory.papers.sada.outer_loop._model import EXTRAPOLATED, FREE, H, Setting, expected, total
from theory.provers.tactics import Tactic, auto

HALF = "alpha*th**2/Ll"
SMALL, SMALL_HALF = f"6*Ll*({H}) <= 1", f"12*Ll*({HALF}) <= 1"
CAP_PRINTED = f"288*alpha*Ll*Leff**2*({H}) <= T**2"
CAP = "288*alpha**2*Leff**2*th**2 <= T**2"  # theta_k <= T/(12 sqrt(2) alpha L_eff), line 559
S, S_HALF = "(2*alpha*th**2)", "(alpha*th**2)"
OLD_Z = "(x[i] + (1-tp)/tp*(x[i]-p[i]))"
SLOWLY = "1/th - 1/tp <= 1/4"
FIRST = 18  # facts before the numbers, with SLOWLY


def _common(s: str, young: int, bias: str, rho: str = "") -> str:
    """What is left of s |grad F|^2 for |r|^2 at most rho |grad F|^2, divided by s; rho = s/(8 alpha) if not given."""
    n, share = f"({F}+{s})", rho or f"{s}/(8*alpha)"
    rest = f"({n}/2*(1+{young}) + ({F}-1+{s})/(2*th) + {bias}/{s})"
    return f"1 - {n}/2 - th*({F}-1+{s})/2 - {share}*{rest}"


_D, _Y2 = "(x_i-p_i)", "((1+th)*(x_i-o_i)+(1-th)*(x_i-p_i))"
_STEP, _B = "(1/th-1/tp)", "((1-th)/(1+th))"
_GAP = f"(5/8+2*th)*{_B}**2 - 2*{_STEP}*{_B} - (2-3*th)*{_STEP}**2"
_WORST = "(5/8+2*th)*(1-th)**2 - (1-th)*(1+th)/2 - (2-3*th)/16*(1+th)**2"  # the same at 1/4, times (1+th)^2
_Q = FIRST + 8
_NUMBERS: tuple[tuple[str, Tactic], ...] = (
    (f"{_STEP} >= 0", auto()),
    (f"{_STEP}**2 <= 1/16", {"kind": "cone", "terms": [{"c": "1", "of": [_Q, 17]}, {"c": "1/4", "of": [17]}]}),
    (f"{_WORST} >= 0", auto()),
    ("1/(1+th)**2 >= 0", PLAIN),
    ("2-3*th >= 0", auto()),
    (f"2*{_B} >= 0", auto()),
    (f"{_GAP} >= 0", cone(([_Q + 2, _Q + 3], ""), ([17, _Q + 5], ""), ([_Q + 1, _Q + 4], ""))),
    (f"{F}*(1-th)/(4*alpha*th) >= 0", auto()),
)
_P_BIAS = f"{F}*alpha*th*(2+8/3*(1-th))"
_FREE_BIAS = f"{F}*alpha*th*(2-th)"
_HALF_BIAS = f"{F}*alpha*th*(6+th**2)"


# the printed momentum by name: h_k, y_{k-1}, x_k, z_k and z_{k-1}, and the energy with these
BY_NAME = {
    "h": H,
    "y[i]": EXTRAPOLATED,
    "xk[i, w]": "y[i] - Ll*h*g[i] + h*(r[i,w]+v[i,w])",
    "zk[i, w]": "xk[i,w] + (1-th)/th*(xk[i,w]-x[i])",
    "z[i]": OLD_Z,
}
ENERGY = f"Fn - Fs + {F}*(1/(4*alpha))*{expected('(zk[i,w]-o[i])**2')}"
ENERGY_BEFORE = f"Fx - Fs + (1+tp/12)*(1/(4*alpha))*{total('(z[i]-o[i])**2')}"


def by_name(rate: str, noise: str) -> str:
    """`contraction` for the printed momentum, in these names."""
    return f"{ENERGY} <= (1-{rate}*th)*({ENERGY_BEFORE}) + {noise}*(alpha*sig2/Ll)*th**2"


def printed_momentum(rate: str, cap: str = CAP, room: str = "32") -> Way:
    """beta_k = (1-theta_k)/(1+theta_k) as printed, theta_k as printed or any other with 1/theta_k growing by <= 1/4."""
    return Way(
        setting=Setting(EXTRAPOLATED, OLD_Z, H, SMALL, cap),
        s=S,
        rate=rate,
        weight="1/(4*alpha)",
        young=16,
        kept=f"{F}*(1-th)/(4*alpha)",
        bias=_P_BIAS,
        budget=_common(S, 16, _P_BIAS),
        squares=(
            Square(f"{F}*th/(8*alpha*Ll**2*(1+th)**2)", f"Ll*{_Y2} - 4*alpha*(1+th)*{R}"),
            Square(f"{F}/(8*alpha*th**3*tp**2*(1+th)**2)", f"th**2*tp*{_Y2} - 2*(tp-th)*(1-th)*(1+th)*{_D}"),
            Square(f"3*{F}*(1-th)/(32*alpha*th*Ll**2*(1+th)**2)", f"Ll*(1-th)*{_D} - 16/3*alpha*th*(1+th)*{R}"),
            Square(f"{F}*(1-th)/(4*alpha*th)*({_GAP})", _D, cone(([_Q + 6, _Q + 7], ""))),
        ),
        old_z=Square("1/tp**2", f"tp*(x_i-o_i)+(1-tp)*{_D}"),
        middle=f"th*{_Y2} + (1-th)**2*{_D}",
        scale="(1+th)",
        numbers=_NUMBERS,
        cap=room,
        extra=(SLOWLY,),
    )


REPAIRED_MOMENTUM = Way(
    setting=Setting(*FREE, H, SMALL, CAP),
    s=S,
    rate="11/12",
    weight="1/(4*alpha)",
    young=21,
    kept=f"{F}*(1-th)/(4*alpha)",
    bias=_FREE_BIAS,
    budget=_common(S, 21, _FREE_BIAS),
    squares=(
        Square(f"{F}*th/(4*alpha*Ll**2)", f"Ll*(y_i-o_i) - 2*alpha*{R}"),
        Square(f"{F}*(1-th)/(4*alpha*th*Ll**2)", f"Ll*(y_i-x_i) - 2*alpha*th*{R}"),
        Square(f"{F}*(1-th)/(2*alpha)", "(y_i-x_i)"),
    ),
    old_z=Square("1/th**2", "th*(y_i-o_i)+(y_i-x_i)"),
    middle="th*(y_i-o_i)+(1-th)*(y_i-x_i)",
)
HALF_STEP = Way(
    setting=Setting(*FREE, HALF, SMALL_HALF, CAP),
    s=S_HALF,
    rate="11/12",
    weight="1/(2*alpha)",
    young=33,
    kept=f"{F}*(1-11/12*th)/(2*alpha)",
    bias=_HALF_BIAS,
    budget=_common(S_HALF, 33, _HALF_BIAS),
    squares=(
        Square(f"{F}/(24*alpha*th*Ll**2)", f"Ll*(th*(y_i-o_i)+(y_i-x_i)) - 12*alpha*th*{R}"),
        Square(f"{F}/(4*alpha*th*Ll**2)", f"Ll*(y_i-x_i) + 2*alpha*th**2*{R}"),
        Square(f"{F}/(2*alpha*th)*(1/2-th**2)", "(y_i-x_i)", auto()),
    ),
    old_z=Square("1/th**2", "th*(y_i-o_i)+(y_i-x_i)"),
    middle="th*(y_i-o_i)+(1-th)*(y_i-x_i)",
)
EARLY = "th/32"  # the bias of an inner loop that stops earlier: more than L_l h/(8 alpha) when theta < 1/4
EARLY_STOP = replace(
    HALF_STEP,
    setting=Setting(*FREE, HALF, SMALL_HALF, CAP, EARLY),
    budget=_common(S_HALF, 33, _HALF_BIAS, EARLY),
)
