"""Inequalities that nobody prepared the provers for: names, goals, facts.

Equality is attained in every one of `ATTAINED` and `ENDLESS`: each becomes false when its smaller side grows by 1e-9.
"""

from __future__ import annotations

from theory.kernel.lang import parse_relation
from theory.kernel.sequent import Sequent

POSITIVE = ("a > 0", "b > 0", "c > 0")
NONNEGATIVE = ("a >= 0", "b >= 0", "c >= 0")
TRIANGLE = ("a < b + c", "b < c + a", "c < a + b")
SPECTRUM = ("mu > 0", "mu <= lam", "lam <= L")
ROOTS = ("m > 0", "m <= s", "lam >= m**2", "lam <= s**2")

ATTAINED: dict[str, tuple[str, ...]] = {
    "AM-GM in two variables": ("a**2 + b**2 >= 2*a*b",),
    "AM-GM in three variables": ("a**3 + b**3 + c**3 >= 3*a*b*c", *NONNEGATIVE),
    "AM-GM in four variables": ("x**4 + y**4 + z**4 + w**4 >= 4*x*y*z*w",),
    "AM-GM of sixth powers": ("a**6 + b**6 + c**6 >= 3*a**2*b**2*c**2",),
    "AM-GM with weights": ("2*a**3 + b**3 >= 3*a**2*b", "a >= 0", "b >= 0"),
    "AM-GM of ratios": ("a/b + b/c + c/a >= 3", *POSITIVE),
    "AM-HM in three variables": ("(a + b + c)*(1/a + 1/b + 1/c) >= 9", *POSITIVE),
    "Cauchy-Schwarz in the plane": ("(a**2 + b**2)*(c**2 + d**2) >= (a*c + b*d)**2",),
    "Cauchy-Schwarz in space": ("(a**2 + b**2 + c**2)*(x**2 + y**2 + z**2) >= (a*x + b*y + c*z)**2",),
    "Cauchy-Schwarz in Engel's form": ("a**2/b + b**2/c + c**2/a >= a + b + c", *POSITIVE),
    "Nesbitt": ("a/(b + c) + b/(a + c) + c/(a + b) >= 3/2", *POSITIVE),
    "Nesbitt in four variables": ("a/(b + c) + b/(c + d) + c/(d + a) + d/(a + b) >= 2", "d > 0", *POSITIVE),
    "Schur of degree one": ("a*(a-b)*(a-c) + b*(b-a)*(b-c) + c*(c-a)*(c-b) >= 0", *NONNEGATIVE),
    "Schur of degree two": ("a**2*(a-b)*(a-c) + b**2*(b-a)*(b-c) + c**2*(c-a)*(c-b) >= 0",),
    "Schur of degree three": ("a**3*(a-b)*(a-c) + b**3*(b-a)*(b-c) + c**3*(c-a)*(c-b) >= 0", *NONNEGATIVE),
    "Muirhead": ("a**3 + b**3 + c**3 >= a**2*b + b**2*c + c**2*a", *NONNEGATIVE),
    "Newton": ("(a*b + b*c + c*a)**2 >= 3*a*b*c*(a + b + c)",),
    "Chebyshev's sum": ("3*(a*x + b*y + c*z) >= (a+b+c)*(x+y+z)", "a <= b", "b <= c", "x <= y", "y <= z"),
    "Hölder": ("(a**3 + 1)*(b**3 + 1)*(c**3 + 1) >= (a*b*c + 1)**3", *NONNEGATIVE),
    "the power mean": ("(a**3 + b**3)/2 >= ((a + b)/2)**3", "a >= 0", "b >= 0"),
    "Motzkin": ("x**4*y**2 + x**2*y**4 + 1 >= 3*x**2*y**2",),
    "Motzkin's form": ("x**4*y**2 + x**2*y**4 + z**6 >= 3*x**2*y**2*z**2",),
    "Robinson": (
        "x**6 + y**6 + z**6 + 3*x**2*y**2*z**2 >= x**4*(y**2 + z**2) + y**4*(z**2 + x**2) + z**4*(x**2 + y**2)",
    ),
    "Choi and Lam": ("w**4 + x**2*y**2 + y**2*z**2 + z**2*x**2 >= 4*x*y*z*w",),
    "Choi and Lam in three variables": ("x**4*y**2 + y**4*z**2 + z**4*x**2 >= 3*x**2*y**2*z**2",),
    "Horn's copositive form": (
        "(a + b + c + d + e)**2 >= 4*(a*b + b*c + c*d + d*e + e*a)",
        *NONNEGATIVE,
        "d >= 0",
        "e >= 0",
    ),
    "Vasile's cyclic quartic": ("(a**2 + b**2 + c**2)**2 >= 3*(a**3*b + b**3*c + c**3*a)",),
    "Turkevich": (
        "a**4 + b**4 + c**4 + d**4 + 2*a*b*c*d >= a**2*(b**2 + c**2 + d**2) + b**2*(c**2 + d**2) + c**2*d**2",
        *NONNEGATIVE,
        "d >= 0",
    ),
    "the Iranian problem of 1996": (
        "(a*b + b*c + c*a)*(1/(a+b)**2 + 1/(b+c)**2 + 1/(c+a)**2) >= 9/4",
        *POSITIVE,
    ),
    "the olympiad problem of 1964": (
        "3*a*b*c >= a**2*(b + c - a) + b**2*(c + a - b) + c**2*(a + b - c)",
        *TRIANGLE,
    ),
    "the olympiad problem of 1983": ("a**2*b*(a - b) + b**2*c*(b - c) + c**2*a*(c - a) >= 0", *TRIANGLE),
    "the olympiad problem of 1984": (
        "7/27 >= a*b + (a + b)*(1 - a - b) - 2*a*b*(1 - a - b)",
        "a >= 0",
        "b >= 0",
        "a + b <= 1",
    ),
    "Chebyshev's fifth polynomial": ("1 >= 16*x**5 - 20*x**3 + 5*x", "x >= -1", "x <= 1"),
    "a cubic on the unit interval": ("4/27 >= x*(1 - x)**2", "x >= 0", "x <= 1"),
    "an irrational minimiser": ("x**4 + 4 >= 4*x**2",),
    "a linear form on the disc": ("5 >= 3*x + 4*y", "x**2 + y**2 <= 1"),
    "the discriminant": ("a*x**2 + b*x + c >= 0", "a > 0", "b**2 <= 4*a*c"),
    "a semidefinite matrix": ("a*x**2 + 2*b*x*y + c*y**2 >= 0", "a > 0", "a*c >= b**2"),
    "the sum of two semidefinite matrices": (
        "(a + d)*(c + f) >= (b + e)**2",
        "a > 0",
        "d > 0",
        "a*c >= b**2",
        "d*f >= e**2",
    ),
    "Young with a weight": ("(1 + t)*x**2 + (1 + 1/t)*y**2 >= (x + y)**2", "t > 0"),
    "Kantorovich": ("m + M >= a + m*M/a", "m > 0", "m <= a", "a <= M"),
    "convexity of the square": ("t*x**2 + (1 - t)*y**2 >= (t*x + (1 - t)*y)**2", "t >= 0", "t <= 1"),
    "Bernoulli": ("(1 + x)**3 >= 1 + 3*x", "x >= -1"),
    "gradient descent with a short step": ("1 - eta*mu >= (1 - eta*lam)**2", *SPECTRUM, "eta > 0", "eta <= 1/L"),
    "gradient descent with a long step": (
        "(1 - eta*mu)**2 >= (1 - eta*lam)**2",
        *SPECTRUM,
        "eta > 0",
        "eta <= 2/(L + mu)",
    ),
    "gradient descent with the best step": ("((L - mu)/(L + mu))**2 >= (1 - 2*lam/(L + mu))**2", *SPECTRUM),
    "heavy ball has complex roots": ("4*((s-m)/(s+m))**2 >= (1 + ((s-m)/(s+m))**2 - 4*lam/(s+m)**2)**2", *ROOTS),
    "Nesterov has complex roots": (
        "4*((s - 1)/(s + 1))*(1 - l) >= ((1 + (s - 1)/(s + 1))*(1 - l))**2",
        "s >= 1",
        "l >= 1/s**2",
        "l <= 1",
    ),
    "Nesterov contracts": ("(1 - s)**2 >= ((1 - s)/(1 + s))*(1 - l)", "s > 0", "s <= 1", "l >= s**2", "l <= 1"),
    "the descent lemma": ("L*eta**2/2*g**2 - eta*g**2 <= -eta/2*g**2", "L > 0", "eta > 0", "eta <= 1/L"),
}

HYPOTHESES: dict[str, tuple[str, ...]] = {
    "the geometric mean by name": ("(a + b)/2 >= r", "a >= 0", "b >= 0", "r >= 0", "r**2 == a*b"),
    "the quadratic mean by name": ("r >= (a + b)/2", "r >= 0", "r**2 == (a**2 + b**2)/2"),
    "the cube is monotone": ("x <= y", "x**3 <= y**3"),
    "the square is monotone": ("x <= y", "y >= 0", "x**2 <= y**2"),
    "the reciprocal is antitone": ("1/x >= 1/y", "x > 0", "y >= x"),
    "a root's square is positive": ("r > 0", "r >= 0", "r**2 > 0"),
    "the rate is convex in the eigenvalue": (
        "(1 - eta*mu)**2 >= (1 - eta*lam)**2",
        "mu <= lam",
        "lam <= L",
        "(1 - eta*mu)**2 >= (1 - eta*L)**2",
    ),
    "heavy ball with roots of the spectrum": (
        "(1 + ((r-s)/(r+s))**2 - 4*lam/(r+s)**2)**2 <= 4*((r-s)/(r+s))**2",
        "s**2 > 0",
        "s**2 <= lam",
        "lam <= r**2",
        "r >= 0",
        "s >= 0",
    ),
    "a small theta": ("t <= 1/4", "t >= 0", "t**2 == m*e/(16*k)", "m > 0", "e > 0", "k >= 1", "e*m <= 1"),
    "on the simplex": ("27*a*b*c <= 1", "a + b + c == 1", *NONNEGATIVE),
}

STRICT: dict[str, tuple[str, ...]] = {
    "a plane quadratic": ("x**2 + y**2 + 1 > x + y",),
    "a form with one positive variable": ("a**2 + a*b + b**2 > 0", "a > 0"),
    "a sum of a strict and a weak inequality": ("a + b > 2*c", "a > c", "b >= c"),
    "a cubic": ("a**3 + b**3 > a**2*b + a*b**2", "a > b", "b > 0"),
    "the sides of a triangle": ("a**2 + b**2 + c**2 < 2*(a*b + b*c + c*a)", *TRIANGLE),
    "stability of heavy ball": ("(1 + b - a*l)**2 < (1 + b)**2", "b >= 0", "b < 1", "a > 0", "l > 0", "a*l < 2*(1+b)"),
}

SIZES = ("forall(i, 1, d, u[i] >= 0)", "forall(i, 1, d, v[i] >= 0)")
UNIT = ("x >= 0", "x < 1")

# For every number of terms, steps or dimensions, and beyond rational functions; equality is attained in each.
ENDLESS: dict[str, tuple[str, ...]] = {
    "Bernoulli for every power": ("(1 + x)**n >= 1 + n*x", "x >= -1"),
    "a power against its exponent": ("1 >= (1 - x)**n*(1 + n*x)", "x >= 0", "x <= 1"),
    "powers of two": ("2**n >= n + 1",),
    "powers of two against squares": ("2**n >= n**2", "n >= 4"),
    "a power decays": ("x**n >= x**(n + 1)", "x >= 0", "x <= 1"),
    "the geometric sum of any length": ("1/(1 - x) >= sum(i, 0, n, x**i)", *UNIT),
    "the weighted geometric sum": ("x/(1 - x)**2 >= sum(i, 0, n, i*x**i)", *UNIT),
    "the reciprocals of roots": ("2*sqrt(n) >= sum(i, 1, n, 1/sqrt(i))",),
    "the reciprocals of squares": ("2 - 1/n >= sum(i, 1, n, 1/i**2)", "n >= 1"),
    "the reciprocals": ("n >= sum(i, 1, n, 1/i)",),
    "the squares from below": ("sum(i, 1, n, i**2) >= n**3/3",),
    "Cauchy-Schwarz in any dimension": ("sum(i, 1, d, u[i]**2)*sum(i, 1, d, v[i]**2) >= sum(i, 1, d, u[i]*v[i])**2",),
    "Young in any dimension": ("sum(i, 1, d, u[i]**2) + sum(i, 1, d, v[i]**2) >= 2*sum(i, 1, d, u[i]*v[i])",),
    "a product of sums of sizes": ("sum(i, 1, d, u[i])*sum(i, 1, d, v[i]) >= sum(i, 1, d, u[i]*v[i])", *SIZES),
    "Jensen for the square": ("mean(w, X[w]**2) >= mean(w, X[w])**2",),
    "Cauchy-Schwarz of means": ("mean(w, X[w]**2)*mean(w, Y[w]**2) >= mean(w, X[w]*Y[w])**2",),
    "the mean of a square's distance": ("mean(w, (X[w] - c)**2) >= mean(w, (X[w] - mean(w, X[w]))**2)",),
    "a contraction, iterated": ("x >= iterate(s, n, x, q*s)", "x >= 0", "q >= 0", "q <= 1"),
    "a recursion with noise, iterated": (
        "x + c/a >= iterate(s, n, x, (1 - a)*s + c)",
        "x >= 0",
        "c >= 0",
        "a > 0",
        "a <= 1",
    ),
    "the exponential and its tangent": ("exp(x) >= 1 + x",),
    "the logarithm and its tangent": ("x - 1 >= log(x)", "x > 0"),
    "the geometric mean": ("(a + b)/2 >= sqrt(a*b)", "a >= 0", "b >= 0"),
    "the root of a sum": ("sqrt(a) + sqrt(b) >= sqrt(a + b)", "a >= 0", "b >= 0"),
    "the triangle inequality": ("abs(a) + abs(b) >= abs(a + b)",),
    "the larger of two": ("max(a, b) >= (a + b)/2",),
    "the quadratic mean": ("sqrt((a**2 + b**2)/2) >= (a + b)/2",),
}
NATURALS = ("n", "d")
OUT_OF_REACH: dict[str, str] = {}  # and why


def sequent(goal: str, *facts: str) -> Sequent:
    return Sequent(tuple(map(parse_relation, facts)), parse_relation(goal))


def missed(goal: str, *facts: str) -> Sequent:
    """The same with the smaller side larger by 1e-9: false, since equality is attained."""
    relation = parse_relation(goal)
    text = f"{relation.left} - 1/10**9 {relation.op} {relation.right}"
    if relation.op in ("<=", "<"):
        text = f"{relation.left} {relation.op} {relation.right} - 1/10**9"
    return sequent(text, *facts)
