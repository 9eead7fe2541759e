"""Two ways to run the outer loop: with the printed momentum, and with another one and half the step."""

from __future__ import annotations

from theory.papers.sada.outer_loop._energy import F, R, Square, Way
from theory.papers.sada.outer_loop._model import H

HALF = "alpha*th**2/Ll"
CAP_PRINTED = "288*alpha*Ll*Leff**2*hk <= T**2"
CAP = "288*alpha**2*Leff**2*th**2 <= T**2"  # theta_k <= T/(12 sqrt(2) alpha L_eff), line 559
S, S_HALF = "(2*alpha*th**2)", "(alpha*th**2)"
SLOWLY = "1/th - 1/tp <= 1/4"


def _common(s: str, young: int, bias: str) -> str:
    """What is left of s |grad F|^2 for |r|^2 at most (s/(8 alpha)) |grad F|^2, divided by s."""
    n = f"({F}+{s})"
    rest = f"({n}/2*(1+{young}) + ({F}-1+{s})/(2*th) + {bias}/{s})"
    return f"1 - {n}/2 - th*({F}-1+{s})/2 - {s}/(8*alpha)*{rest}"


_D, _Y2 = "(x-p)", "((1+th)*(x-o)+(1-th)*(x-p))"
_STEP, _B = "(1/th-1/tp)", "((1-th)/(1+th))"
_GAP = f"(5/8+2*th)*{_B}**2 - 2*{_STEP}*{_B} - (2-3*th)*{_STEP}**2"
_P_BIAS = f"{F}*alpha*th*(2+8/3*(1-th))"
_HALF_BIAS = f"{F}*alpha*th*(6+th**2)"


def printed_momentum(rate: str) -> Way:
    """beta_k = (1-theta_k)/(1+theta_k) as printed, theta_k as printed or any other with 1/theta_k growing by <= 1/4."""
    return Way(
        h=H,
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
            Square(f"{F}*(1-th)/(4*alpha*th)*({_GAP})", _D),
        ),
        middle=f"th*{_Y2} + (1-th)**2*{_D}",
        scale="(1+th)",
    )


HALF_STEP = Way(
    h=HALF,
    s=S_HALF,
    rate="11/12",
    weight="1/(2*alpha)",
    young=33,
    kept=f"{F}*(1-11/12*th)/(2*alpha)",
    bias=_HALF_BIAS,
    budget=_common(S_HALF, 33, _HALF_BIAS),
    squares=(
        Square(f"{F}/(24*alpha*th*Ll**2)", f"Ll*(th*(y-o)+(y-x)) - 12*alpha*th*{R}"),
        Square(f"{F}/(4*alpha*th*Ll**2)", f"Ll*(y-x) + 2*alpha*th**2*{R}"),
        Square(f"{F}/(2*alpha*th)*(1/2-th**2)", "(y-x)"),
    ),
    middle="th*(y-o)+(1-th)*(y-x)",
)
