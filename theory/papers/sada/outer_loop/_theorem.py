"""The theorem as a composition: an inner loop's variance, one outer step, the recursion over K = 2 half steps.

The first goal is one outer step at a given state: it cites the variance bound of the inner loop and the one-step lemma,
and ends in E_k <= (1 - a theta_k) E_{k-1} + c theta_k^2, c a number times alpha sigma^2/L_l. The second goal is about
every sequence with that property (its slacks Da[k]^2 and Ea[k]^2 are arbitrary, see _recursion.py), in particular about
the means of the energies: the mean over the past is monotone. Names: G, dim for the gradient and the coordinates of the
outer loop (g, d, lam belong to the inner one), top = theta_max, E0 = E_0, E_K = top_K/bottom_K,
F0 = F(x_0) - F(x*), K = 2 half, T = 2(p+1).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from theory.claims.statement import Check
from theory.kernel.lang import Node, Relation, parse, parse_relation, substitute, substitute_relation, text
from theory.papers.sada.composition.constants import coefficient
from theory.papers.sada.inner_loop._blocks import HYPERPARAMETERS
from theory.papers.sada.inner_loop._facts import PLAIN, added, at
from theory.papers.sada.inner_loop._noise import TR_Q, TR_SIGMA_Q
from theory.papers.sada.outer_loop._model import NOISE, expected, total
from theory.provers.tactics import Tactic, chain, cite, termwise

T = "2*(p+1)"
RENAMED = {"g": "G", "d": "dim", "p": "xp"}
RECURSION = "lem:auxilary-recursion"
SEQUENCE = {"th": "top", "L0": "E0", "n": "half", "D": "Da", "E": "Ea"}
VARIANCE = "sum(i, 1, dim, mean(w, v[i,w]**2))"
SQUARED_BIAS = "sum(i, 1, dim, mean(w, r[i,w]**2)) == Ll*r2"
GRADIENT = "sum(i, 1, dim, G[i]**2)"
SAME_GRADIENT = f"{GRADIENT} == sum(i, 1, d, g[i]**2/(Ll*lam[i]))"


@dataclass(frozen=True)
class Parts:
    """The checks that are composed, and the numbers that come out.

    near, far   the variance of the inner loop is (near tr(Sigma^-1 Q) + far eta kt tr Q)/T and what L_eff multiplies
    noise, rate the outer step: E_k <= (1 - rate theta) E_{k-1} + noise (alpha sigma^2/L_l) theta^2
    start       E_0 <= start (F(x_0) - F(x*))
    settled     the bias has decayed below that of a step with theta_k times this number
    """

    variance: Check
    bias: Check
    one_step: Check
    recursion: Check
    near: Fraction
    far: Fraction
    l_eff: str
    noise: Fraction
    rate: Fraction
    start: Fraction
    statistical: Fraction
    coupling: Fraction
    settled: Fraction

    @property
    def where(self) -> dict[str, str]:
        return {
            **HYPERPARAMETERS,
            "trSQ": TR_SIGMA_Q,
            "trQ": TR_Q,
            "sigma2": f"({self.near}*trSQ+{self.far}*eta*kt*trQ)/({T})",
            "cc": f"{self.noise}*alpha*sigma2/Ll",
            "leff": self.l_eff,
            "top_K": f"{self.sequence}[1]",
            "bottom_K": f"{self.sequence}[2]",
        }

    @property
    def names(self) -> dict[str, str]:
        """One outer step in the names of the theorem."""
        return {**RENAMED, "T": T, "sig2": "sigma2", "Leff": "leff", "Fy": "mean(w, V[w])"}

    def renamed(self, relation: Relation) -> str:
        return str(substitute_relation(relation, {old: parse(new) for old, new in self.names.items()}))

    @property
    def step(self) -> str:
        return self.renamed(parse_relation(self.one_step.claim.says[0]))

    @property
    def link(self) -> str:
        """E|v|_H^2 = L_l E|v|_Sigma^2, and E|v|_Sigma^2 is what lem:v-bound bounds."""
        return f"{VARIANCE} == Ll*({text(parse_relation(self.variance.claim.says[0]).left)})"

    @property
    def given(self) -> tuple[str, ...]:
        """What the lemmas ask for, without what one of them grants to another."""
        inner = self.variance.claim.given
        granted = (NOISE, self.asked, "sig2 >= 0", "T > 0", *inner)
        outer = [self.renamed(parse_relation(one)) for one in self.one_step.claim.given if one not in granted]
        bias = [one for one in map(self._of_bias, self.bias.claim.given) if one not in (*outer, *inner, *self._clear())]
        ends = ("tp > 0", "half >= 1", "top > 0", f"{self.rate}*top <= 1", "E0 >= 0", f"E0 <= {self.start}*F0")
        return (*inner, *outer, *bias, self.link, SQUARED_BIAS, SAME_GRADIENT, *ends)

    @property
    def _bias_names(self) -> dict[str, str]:
        return {"n": "p+1", "D": "Dr", "thk": "th" if self.settled == 1 else f"{self.settled}*th"}

    @property
    def asked(self) -> str:
        """The hypothesis on r of the one-step lemma."""
        return next(one for one in self.one_step.claim.given if one.startswith(f"{expected('r[i,w]**2')} <="))

    def _of_bias(self, source: str) -> str:
        names = {old: parse(new) for old, new in self._bias_names.items()}
        changed = substitute_relation(parse_relation(source), names)
        return source if changed == parse_relation(source) else str(changed)

    def _clear(self) -> tuple[str, ...]:
        """Hypotheses of the bias bound that follow from the others."""
        return ("theta < 1", "mu > 0", self._of_bias("n >= 1"), self._of_bias("12*alpha*thk**2 <= 1"))

    @property
    def sequence(self) -> str:
        """The state of the recursion in the names of the theorem: E_K = top_K/bottom_K."""
        env = {**SEQUENCE, "a": str(self.rate), "c": "cc"}
        goal = parse_relation(self.recursion.claim.says[0])
        state = goal.left.args[0]
        return text(substitute(state, {old: parse(new) for old, new in env.items()}))

    @property
    def end(self) -> str:
        samples = f"((2*half)*({T}))"
        first = f"{self.start}*(1-{self.rate}*top)**half*F0"
        second = f"{self.statistical}*alpha*(trSQ/Ll)/{samples}"
        third = f"{self.coupling}*alpha*eta*kt*trQ/(Ll*{samples})"
        return f"top_K <= bottom_K*({first}+{second}+{third})"

    def expanded(self, source: str) -> str:
        """With all definitions put in, as the kernel sees it."""
        known: dict[str, Node] = {}
        for name, formula in self.where.items():
            known[name] = substitute(parse(formula), known)
        return (
            str(substitute_relation(parse_relation(source), known))
            if _is_relation(source)
            else text(substitute(parse(source), known))
        )

    def proof(self) -> list[Tactic]:
        return [self._one_step(), self._whole()]

    def _signs(self) -> list[tuple[str, Tactic]]:
        """The two traces are means of nonnegative numbers."""
        given = [one for one in self.given if not one.startswith("forall(") or "Omega" in one]
        near, far = (given.index(f"forall(w, Omega, Omega, {name}[w] >= 0)") for name in ("n", "N"))
        return [
            (f"{TR_SIGMA_Q} >= 0", termwise("mean", added(("1", [near], "l0_u")), index="u")),
            (f"{TR_Q} >= 0", termwise("mean", added(("1", [far], "l0_u")), index="u")),
        ]

    def _one_step(self) -> Tactic:
        """The bounds of the inner loop, in the norm of H, are the hypotheses on v and r of the one-step lemma."""
        first = len(self.given)
        positive = at(self.given, "Ll > 0")
        known = self.expanded(self.renamed(parse_relation(NOISE)))
        noise = added(("1", [positive, first + 2], ""), modulo=[(at(self.given, self.link), "-1")])
        facts: list[str | tuple[str, Tactic]] = [self.expanded("sigma2 >= 0"), f"{T} > 0", (known, noise)]
        facts += [*self._small(), *self._bias(first + 9)]
        env = {name: self.expanded(formula) for name, formula in self.names.items()}
        lemma = cite(self.one_step.key, env, then=added(("1", [first + 12], "")))
        return chain(*self._signs(), then=cite(self.variance.key, then=self._chain(facts, lemma)))

    def _chain(self, facts: list[str | tuple[str, Tactic]], lemma: Tactic) -> Tactic:
        """The bias bound is cited after the first six facts."""
        rest = chain(*facts[6:], then=lemma)
        return chain(*facts[:6], then=cite(self.bias.key, self._bias_names, then=rest))

    def _small(self) -> tuple[tuple[str, Tactic], ...]:
        """theta < 1, T/2 >= 1, and theta_k is small."""
        theta = at(self.given, "16*theta <= 1")
        small = next(i for i, one in enumerate(self.given) if one.endswith("<= 1") and "*Ll*(" in one)
        room = 1 - self.settled**2
        below = [("1", [small], "")] if not room else [(f"{self.settled**2}", [small], ""), (f"{room}", [], "")]
        return (
            ("theta < 1", added(("1/16", [theta], ""), ("15/16", [], ""))),
            (self._of_bias("n >= 1"), PLAIN),
            (self._of_bias("12*alpha*thk**2 <= 1"), added(*below)),
        )

    def _bias(self, cited: int) -> tuple[tuple[str, Tactic], ...]:
        """`cited` is Ll r2 <= L_l^2 (settled theta)^2/4 |grad|^2; the step asks for L_l^3 h/(8 alpha) |grad|^2."""
        needed = coefficient(parse_relation(self.asked).right, total("g[i]**2"), "1/(Ll**2*th**2)")
        room = needed - self.settled**2 / 4
        terms = [("1", [cited], "")] + ([(f"{room}", [cited + 1], "Ll*th")] if room else [])
        links = [
            (at(self.given, SQUARED_BIAS), "-1"),
            (at(self.given, SAME_GRADIENT), f"{self.settled**2 / 4}*Ll**2*th**2"),
        ]
        bound = self.expanded(self.renamed(parse_relation(self.asked)))
        return (
            (f"{GRADIENT} >= 0", termwise("sum", added(("1", [], "G_k")), index="k")),
            (bound, added(*terms, modulo=links)),
        )

    def _whole(self) -> Tactic:
        """Q times (1 - a top)^half times (start F0 - E0) is what the recursion leaves over."""
        first = len(self.given)
        env = {**SEQUENCE, "a": str(self.rate), "c": self.expanded("cc")}
        power = {"x": f"1-{self.rate}*top", "m": "half"}
        recursion, denominator, powered = first + 6, first + 7, first + 9
        room = at(self.given, f"E0 <= {self.start}*F0")
        last = added(("1", [recursion], ""), ("1", [denominator, powered, room], ""))
        lengths = {**env, "m": "half", "n": "half", "o": "0"}
        cited = cite(f"{RECURSION}/sharper#power", power, then=last)
        cited = cite(f"{RECURSION}/sharper#any lengths", lengths, then=cited)
        cited = cite(self.recursion.key, env, then=cited)
        return self.ready(cited)

    def ready(self, then: Tactic) -> Tactic:
        """Six facts that the lemmas on the recursion ask for."""
        facts = ("alpha > 0", self.expanded("cc >= 0"), f"1-{self.rate}*top >= 0", f"1-{self.rate}*top <= 1")
        return chain(*self._signs(), *facts, then=then)


def _is_relation(source: str) -> bool:
    return any(op in source for op in ("<", ">", "=="))
