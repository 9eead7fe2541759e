"""Brute force over all sample paths of a finite-support design: the independent referee of C_t, A^(s-t) C_t and L_var.

One eigenvalue. A sample i of K atoms has the weight p[i], the entries f[i] = 1 - eta P[i], g[i] = 1 + c - q P[i] of the
random matrix [[0, f], [-c, g]] and the noise (zx[i], zy[i]), centred. Every expectation below is a sum over all paths
(i_1, ..., i_t): nothing of the theory is used. f, g, zx, zy are free, so this covers more than a a^T and eps a.
"""

from __future__ import annotations

WEIGHT = "sum(j, 1, K, p[j])"
GIVEN = (f"{WEIGHT} > 0",)
EXAMPLE = {
    "c": "1/2",
    "K": "2",
    "p": ["1", "2"],
    "f": ["7/8", "1/2"],
    "g": ["5/4", "1/2"],
    "zx": ["1", "-1"],
    "zy": ["2", "1"],
}
SCOPE = "one eigenvalue; every design with finite support, every noise of mean zero; all paths of length 4 summed up"


def average(index: str, body: str) -> str:
    """The expectation over one sample."""
    return f"(sum({index}, 1, K, p[{index}]*({body}))/{WEIGHT})"


def centred(name: str, index: str) -> str:
    return f"({name}[{index}] - {average('j', f'{name}[j]')})"


def iterates(last: int, f: str = "f[{}]", g: str = "g[{}]") -> list[tuple[str, str]]:
    """(x_t, y_t) for t = 0, ..., last on the path i1, i2, ... from (0, 0)."""
    found = [("0", "0")]
    for t in range(1, last + 1):
        x, y, i = *found[-1], f"i{t}"
        new_x = f"({f.format(i)}*{y} + {centred('zx', i)})"
        found.append((new_x, f"({g.format(i)}*{y} - c*{x} + {centred('zy', i)})"))
    return found


def expected(length: int, body: str) -> str:
    """The expectation over all paths of this length."""
    for t in range(length, 0, -1):
        body = average(f"i{t}", body)
    return body


# d = 2, T = 4, eta = q = 1/4, c = 1/2: three atoms a = (1, 0), (0, 1), (1, 1) with noise eps = -1, -2, 2, so that
# E eps a = 0 and R does not commute with Sigma
ATOMS = ((("1/2"), (1, 0), -1), (("1/4"), (0, 1), -2), (("1/4"), (1, 1), 2))
SIGMA = "[[3/4, 1/4, 0, 0], [1/4, 1/2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]"


def two_dimensions() -> dict[str, str]:
    """H1, H2, H3: the matrices of the update; z1, z2, z3: its noise; C1, ..., C4 by the recursion of disp:733."""
    found: dict[str, str] = {"S": SIGMA}
    for k, (_, (a, b), eps) in enumerate(ATOMS, start=1):
        aa, ab, bb = a * a, a * b, b * b
        rows = (f"[0, 0, 1-{aa}/4, -{ab}/4]", f"[0, 0, -{ab}/4, 1-{bb}/4]")
        lower = (f"[-1/2, 0, 3/2-{aa}/4, -{ab}/4]", f"[0, -1/2, -{ab}/4, 3/2-{bb}/4]")
        found[f"H{k}"] = f"[{', '.join((*rows, *lower))}]"
        found[f"z{k}"] = f"[{', '.join(f'({eps * x})/4' for x in (a, b, a, b))}]"
    found["A"] = " + ".join(f"{p}*H{k}" for k, (p, _, _) in enumerate(ATOMS, start=1))
    found["C1"] = " + ".join(f"{p}*(z{k} @ z{k}.T)" for k, (p, _, _) in enumerate(ATOMS, start=1))
    for t in (2, 3, 4):
        moved = " + ".join(f"{p}*(H{k} @ C{t - 1} @ H{k}.T)" for k, (p, _, _) in enumerate(ATOMS, start=1))
        found[f"C{t}"] = f"{moved} + C1"
    return found


def two_dimensional_paths() -> str:
    """The sum of weight times v^T Sigma v over all 81 paths, v = (eta_3 + eta_4)/2."""
    terms = []
    for i, (pi, _, _) in enumerate(ATOMS, start=1):
        for j, (pj, _, _) in enumerate(ATOMS, start=1):
            for k, (pk, _, _) in enumerate(ATOMS, start=1):
                third = f"(H{k} @ (H{j} @ z{i} + z{j}) + z{k})"
                for m, (pm, _, _) in enumerate(ATOMS, start=1):
                    v = f"(H{m} @ {third} + z{m} + {third})"
                    terms.append(f"{pi}*{pj}*{pk}*{pm}/4*({v}.T @ S @ {v})[1]")
    return " + ".join(terms)
