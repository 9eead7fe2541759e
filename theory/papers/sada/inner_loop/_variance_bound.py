"""lem:v-bound for every dimension and distribution: from one eigenvector to traces, from the drive to the noise.

The last drive N = R + (M - M~) C_2n,22 is bounded by itself: with sigma = tr(Sigma C_2n,22),

    tr(Sigma^-1 N) <= tr(Sigma^-1 R) + kappa~ sigma,      tr N <= tr R + R^2 sigma,
    sigma <= tr(Sigma^-1 N)/(16 kappa~) + eta tr N,

so that sigma is at most 8/7 of what R alone gives.
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada import language
from theory.papers.sada.inner_loop._tail_rows import ID, ours
from theory.papers.sada.inner_loop._variance_of_every_size import CORE, OPTIMAL, POINT, cited, tail
from theory.papers.sada.language import weight
from theory.provers.tactics import Tactic, auto, chain, cite, have, identity, order, solve

SIGMA = "Sigma == moment"
LOW = "mu*I(d) << Sigma"
FOURTH = "E(w, (a[w].T @ a[w])*P[w]) << R2*Sigma"
FOURTH_KAPPA = "E(w, (a[w].T @ inv(Sigma) @ a[w])*P[w]) << kt*Sigma"
CHOICE = (
    "mu > 0", "theta > 0", "step == 16*kt*theta**2/mu", "gam == theta/mu", "16*step*R2 <= 1", "kt*mu <= R2",
    "c*(1 + theta) == 1 - theta", "q*(1 + theta) == step + theta*gam",
)  # fmt: skip
SETTING = (SIGMA, LOW, FOURTH, FOURTH_KAPPA, *CHOICE, "kt > 0")
EIGEN, UNIT = "Sigma @ u == lam*u", "u.T @ u == 1"
EXAMPLE: dict[str, Any] = {
    **POINT, "Sigma": [["1"]], "mu": "1", "R2": "1", "kt": "1", "theta": "1/32", "gam": "1/32",
    "p11": "25/2279", "p12": "226/20511", "p22": "14303/1292193", "X": [["1"]],
}  # fmt: skip
PLAIN = {name: value for name, value in EXAMPLE.items() if isinstance(value, str)}
SAMPLE = {"a": "vector(d)[S]", "Sigma": "pd(d)"}
MOMENTS = {name: language.TAIL[name] for name in ("P[w]", "moment", "D(Y)")}
STATE: dict[str, Any] = {"scope": language.EVERY_SIZE, "example": EXAMPLE}
NUMBERS = ("mu > 0", "kt >= 1", *CHOICE[1:])
BETWEEN = ("lam >= mu", "lam <= R2")


# ---- the choice of step sizes, in numbers


def numbers(part: str, says: str | list[str], words: str, proof: Any, given: tuple[str, ...] = NUMBERS) -> Any:
    scope = "all hyperparameters of lines 549-570, every eigenvalue λ of Σ"
    return ours(part, says, words, given=given, example=PLAIN, scope=scope, proof=lambda claim: proof)


SIXTEEN = chain(
    "R2 > 0",
    "256*kt*theta**2*R2 <= mu",
    "256*kt**2*theta**2*mu <= 256*kt*theta**2*R2",
    "256*kt**2*theta**2 <= 1",
    "1+16*kt*theta > 0",
)
D1, D2 = "(1 - c + c*step*lam)", "(2 + 2*c - (q + c*step)*lam)"
P22 = f"((1+c)*(q - c*step) + c*step*(q + c*step)*lam)/({D1}*{D2}*lam)"
P12 = f"((c**2 + c)*step**2*lam - (c**2 + c)*step + step*q*lam + (1 + c)*q - q**2*lam)/({D1}*{D2}*lam)"
P11 = f"(1 - step*lam)**2*({P22}) + step**2"
DETERMINANT = f"(q - step)**2*(q - c*step)/({D1}**2*{D2}*lam)"
AT_LAM = (
    "lam > 0", "step > 0", "c > 0", "c <= 1", "16*step*lam <= 1", "step <= q", "q <= (1+c)*step", "q - c*step > 0",
)  # fmt: skip
STATIONARY = solve(8, "q", solve(7, "c", solve(4, "gam", solve(3, "step"))))

CHOSEN = (
    numbers("16 kappa theta", "16*kt*theta <= 1", "θ ≤ 1/(16 κ̃), since η ≤ 1/(16 R²) and κ̃ ≤ R²/μ.", SIXTEEN),
    numbers("theta", "16*theta <= 1", "θ ≤ 1/16.", cite(f"{ID}#16 kappa theta")),
    numbers("c", ["c > 0", "c <= 1"], "0 < c ≤ 1.", [cite(f"{ID}#theta"), auto()]),
    numbers("step", "step > 0", "η > 0.", auto()),
    numbers(
        "q",
        "step <= q",
        "η ≤ q, since η ≤ γ.",
        cite(
            f"{ID}#16 kappa theta",
            then=chain("step <= gam", "theta*step <= theta*gam", "1 + theta > 0", "(1 + theta)*(q - step) >= 0"),
        ),
    ),
    numbers(
        "q above",
        "q <= (1+c)*step",
        "q ≤ (1 + c)η, since θγ ≤ η.",
        chain("theta*gam <= step", "(1+theta)*((1+c)*step) == 2*step"),
    ),
    numbers(
        "determinant",
        "q - c*step > 0",
        "q − cη is θ(γ + η)/(1 + θ), which is positive.",
        chain("step > 0", "gam > 0", "(1 + theta)*(q - c*step) == theta*(gam + step)"),
    ),
    numbers("eta lambda", "step*lam <= 1/16", "ηλ ≤ 1/16.", chain("step > 0"), (*NUMBERS, *BETWEEN)),
    numbers(
        "divisors", [f"{D1} > 0", f"{D2} > 0"], "The divisors of the stationary block are positive.",
        [auto(), chain("q*lam <= (1+c)*step*lam")], AT_LAM,
    ),
    numbers("entry", f"{P22} > 0", "Its lower right entry is positive.", cite(f"{ID}#divisors"), AT_LAM),
    numbers(
        "psd",
        f"({P11})*({P22}) - ({P12})**2 >= 0",
        "Its determinant is (q − η)²(q − cη)/(…) ≥ 0: the stationary block is positive semidefinite.",
        cite(f"{ID}#divisors", then=chain(
            (f"({P11})*({P22}) - ({P12})**2 == {DETERMINANT}", identity()), (f"{DETERMINANT} >= 0", auto()))),
        AT_LAM,
    ),
    numbers(
        "stationary entry",
        f"lam*({P22}) <= 1/(16*kt*lam) + step",
        "The scalar bound behind lem:Pi-stationary-bound, with 1/16 and 1.",
        cite(f"{ID}#theta", then=STATIONARY),
        ("mu > 0", "kt >= 1", *CHOICE[1:], *BETWEEN),
    ),
)  # fmt: skip

# ---- eigenvalues of Sigma

SPECTRAL: dict[str, Any] = {"kinds": {**SAMPLE, "u": "vector(d)"}, "where": MOMENTS, **STATE}
AT_EIGEN = (*SETTING, EIGEN, UNIT)


def lam_squared() -> Tactic:
    """lambda^2 = (E (u.a)^2)^2 <= E (u.a)^4 <= E |a|^2 (u.a)^2 <= R^2 lambda."""
    second = order({"eq": 2, "L": "u.T"}, {"eq": 1, "L": "u.T", "R": "u", "k": "-1"}, {"eq": 3, "k": "lam"})
    whole = order(
        {"of": 0, "L": "u.T"},
        {"E": {"v": "S"}, "c": [{"sq": "u.T @ a[v]"}], "L": "a[v].T @ (I(d) - u @ u.T)"},
        {"E": {"v": "S"}, "L": "(u.T @ a[v])**2 - lam"},
        {"eq": 2, "L": "u.T", "k": "-R2"},
        {"eq": 3, "k": "-R2*lam"},
        {"eq": 3, "E": {"v": "S"}, "k": "-(u.T @ a[v])**4"},
        {"eq": "E(w, (u.T @ a[w])**2)", "k": "2*lam"},
    )
    return have("E(w, (u.T @ a[w])**2) == lam", second, then=whole)


def kappa_at_least_d() -> Tactic:
    mean = "E(w, a[w].T @ inv(Sigma) @ a[w])"
    squares = order(
        {"tr": [{"psd": "inv(Sigma)"}, {"of": 1}]},
        {"E": {"v": "S"}, "L": "a[v].T @ inv(Sigma) @ a[v] - d"},
        {"eq": mean, "k": "2*d"},
    )
    inner = have("d**2 <= kt*d", squares, then=auto())
    return have(f"{mean} == d", order({"eq": 0, "L": "inv(Sigma)", "tr": 1, "k": "-1"}), then=inner)


def among(part: str) -> Tactic:
    """A fact about numbers, at an eigenvalue."""
    last = cite(f"{ID}#{part}")
    if part == "eigenvalue":
        return last
    for known in ("eigenvalue low", "eigenvalue high", "eigenvalue", "kappa"):
        last = cite(f"{ID}#{known}", then=last)
    return last


NUMBERS_AT = (
    ("eigenvalue", "lam > 0"), ("step", "step > 0"), ("c", "c > 0"), ("c", "c <= 1"), ("eta lambda", "step*lam <= 1"),
    ("q", "step <= q"), ("q above", "q <= (1+c)*step"), ("determinant", "q - c*step > 0"),
    ("eta lambda", "16*step*lam <= 1"),
)  # fmt: skip
SPECTRUM = (
    ours(
        "eigenvalue low", "mu <= lam", "Every eigenvalue is at least μ.", **SPECTRAL, given=(LOW, EIGEN, UNIT),
        proof=lambda claim: order({"of": 0, "L": "u.T"}, {"eq": 1, "L": "u.T", "k": "-1"}, {"eq": 2, "k": "mu - lam"}),
    ),
    ours(
        "eigenvalue squared", "lam**2 <= R2*lam", "By Assumption fourth-moment every eigenvalue is at most R².",
        **SPECTRAL, given=(FOURTH, SIGMA, EIGEN, UNIT), proof=lambda claim: lam_squared(),
    ),
    ours(
        "kappa at least d", "d <= kt", "κ̃ ≥ d (lem:R2-kappa-lower), for every distribution.",
        kinds=SAMPLE, where=MOMENTS, **STATE, given=(SIGMA, FOURTH_KAPPA), proof=lambda claim: kappa_at_least_d(),
    ),
    ours(
        "kappa", "kt >= 1", "So κ̃ ≥ 1.", kinds=SAMPLE, where=MOMENTS, **STATE, given=(SIGMA, FOURTH_KAPPA),
        proof=lambda claim: cite(f"{ID}#kappa at least d"),
    ),
    ours(
        "eigenvalue", "lam > 0", "Every eigenvalue is positive.", **SPECTRAL, given=AT_EIGEN,
        proof=lambda claim: cite(f"{ID}#eigenvalue low"),
    ),
    ours(
        "eigenvalue high", "lam <= R2", "λ ≤ R².", **SPECTRAL, given=AT_EIGEN,
        proof=lambda claim: cite(f"{ID}#eigenvalue", then=cite(f"{ID}#eigenvalue squared")),
    ),
    ours(
        "sizes", [says for _, says in NUMBERS_AT], "What the choice of step sizes gives at every eigenvalue.",
        **SPECTRAL, given=AT_EIGEN,
        proof=lambda claim: [among(part) for part, _ in NUMBERS_AT],
    ),
)  # fmt: skip

# ---- traces

WHOLE: dict[str, Any] = {**CORE, "kinds": {**language.TAIL_KINDS, "Sigma": "pd(d)"}, "example": EXAMPLE}
POWERED: dict[str, Any] = {
    **WHOLE, "kinds": {**WHOLE["kinds"], "Pw": "matrix(2*d, 2*d)[nat]"}, "steps": {**WHOLE["steps"], **language.POWERS},
}  # fmt: skip
INVERSE = order({"eq": "eigen", "L": "inv(Sigma)", "k": "-1/lam"})
TO_MOMENT = order({"eq": "eigen"}, {"eq": 0, "R": "u", "k": "-1"})


def with_inverse(then: Tactic) -> Tactic:
    return {**have("inv(Sigma) @ u == (1/lam)*u", INVERSE, then=then), "called": "inverse"}


def fourth_moment() -> list[Tactic]:
    """-Sigma X Sigma is dropped; the trace of a product of two nonnegative matrices is nonnegative."""
    dropped = {"psd": "X", "L": "moment"}
    return [
        order({"tr": [{"psd": "X"}, {"of": 0}]}, {"tr": [{"psd": "inv(Sigma)"}, dropped]}),
        order({"tr": [{"psd": "X"}, {"of": 1}]}, {"tr": [{"L": "I(d)"}, dropped]}),
    ]


LAST = "(E2.T @ C[n + n] @ E2)"


def drive(time: str) -> Tactic:
    """N_t is nonnegative: the noise, and a mean of congruences."""
    excess = {"E": {"v": "S", "g": "H"}, "L": f"(P[v] - moment) @ E2.T @ eta[{time}, g]"}
    return order({"E": {"v": "S"}, "L": "eps[v]*a[v]"}, excess)


def variance() -> Tactic:
    """C_t is driven by N_t, which is at most the last drive N_2n."""
    state = {"E": {"g": "H"}, "L": "E2.T @ eta[n + n, g]"}
    kappa, small = {"fact": SETTING.index("kt > 0")}, {"fact": SETTING.index("16*step*R2 <= 1")}
    last = order(
        {"eq": "v", "k": "-1"},
        {"of": "driven"},
        {"of": "fourth moment", "c": [weight("60/(7*n)")]},
        {"of": "stationary", "c": [weight("64/(7*n)"), kappa]},
        {"of": "fourth moment.2", "c": [weight("64/(7*n)"), kappa, {"fact": "step"}]},
        {"tr": [{"psd": "Sigma"}, state], "c": [weight("4/(7*n)"), kappa, small]},
    )
    last = cited("fourth moment", last, letters={"X": {"is": LAST}}, signs={"X": order(state)})
    below = cited("drive below", order({"of": "drive below"}), {"l": "e", "K": "n + n"})
    moves = cited("drive", order({"eq": "drive"}), {"t": "e"})
    facts = [order(ops=[{"use": "eta[0, h]"}]), moves, drive("e"), below, order()]
    sequence: dict[str, Any] = {
        "letters": {"X": {"at": ["t"], "is": "C[t]"}, "N": {"at": ["t"], "is": "N[t]"}, "M": {"is": "N[n + n]"}},
        "signs": {"M": drive("n + n")},
        "discharge": {str(len(SETTING) + i): one for i, one in enumerate(facts)},
    }
    last = cite("lem:Pi-average-bound#driven", then=last, called="driven", **sequence)
    times = {"t": "n + n", "K": "n + n"}
    last = cite("lem:Pi-average-bound#stationary", times, then=last, called="stationary", **sequence)
    last = cite("lem:v-L-var", then=last, called="v")
    return cite(f"{ID}#kappa", then=cited("step", last))


V = f"(1/n)*(E1.T @ {tail('n')})"
TRACES = (
    ours(
        "fourth moment", ["tr(inv(Sigma) @ D(X)) <= kt*tr(Sigma @ X)", "tr(D(X)) <= R2*tr(Sigma @ X)"],
        "lem:var-fourth-moment for every positive semidefinite matrix.",
        kinds={**SAMPLE, "X": "psd(d)"}, where=MOMENTS, **STATE, given=(FOURTH_KAPPA, FOURTH),
        proof=lambda claim: fourth_moment(),
    ),
    ours(
        "in the noise", f"E(h, norm2({V}, Sigma)) <= (60/7*tr(inv(Sigma) @ R) + 64/7*kt*step*tr(R))/n",
        "E‖v‖²_Σ against the covariance R of the noise; T = 2n.",
        **POWERED, given=(*SETTING, OPTIMAL, "n >= 1"), naturals="n", proof=lambda claim: variance(),
    ),
)  # fmt: skip

EVERY_SIZE = (*CHOSEN, *SPECTRUM, *TRACES)
