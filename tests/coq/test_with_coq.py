"""What Coq itself says; these tests exist where coqc does."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.coq.test_kinds import with_kinds
from tests.coq.test_statements import records
from tests.kernel import (
    test_counting,
    test_false_proofs,
    test_false_proofs_by_rewriting,
    test_false_proofs_of_hidden_parts,
    test_false_proofs_of_letters,
)
from tests.kernel.test_false_proofs import Forgery
from theory.claims.userfile import lemma
from theory.coq.compile import ACCEPTED, REFUSED, Result, _limited, compile_all, compile_library, version
from theory.coq.errors import NotExpressible
from theory.coq.logic import law_name
from theory.coq.rules import proof_of
from theory.coq.statement import proposition
from theory.coq.theorems import PROBLEMS, Theorem, names_for, says_of
from theory.coq.translate import theorems_of
from theory.coq.volumes import ALWAYS, LIBRARY, Volume, volumes_of, without_proofs
from theory.kernel import Claim
from theory.kernel.errors import KernelError
from theory.kernel.laws import LAWS
from theory.ledger.examples import Unfit, prepared
from theory.ledger.judging import check_all

SAMPLE = (
    "lem:A-inverse",  # a refutation with small matrices
    "lem:A-inverse/repaired",  # an inverse of small matrices
    "lem:aux-lemma-r",  # an induction over a power
    "def:r-v",  # a telescope
    "rem:hyperparameters/sharper#exponential",  # laws of exp
    "lem:gradient-bound#in numbers",  # sums and means
    "lem:outer-sketch",  # a refutation with means
    "rem:gaussian-hyperparameters#attained",  # a refutation with sums
    "cor:sample-complexity/disp:161.worst case",  # a sum compared term by term
    "alg:sada-ud",  # a refutation at a large count
    "lem:radius-bound/disp:804.1",  # a refutation that computes a recursion
    "lem:radius-bound/disp:804.by recursion",  # a recursion that begins with -1
    "lem:r-bound#product",  # an exponent n + 0
)
ENDS = ("before_all_forgeries", "after_all_forgeries")
FORGERIES = [
    one
    for module in (test_false_proofs, test_false_proofs_by_rewriting, test_false_proofs_of_hidden_parts)
    for one in module.FORGERIES
]


def near_misses(table: Mapping[str, tuple[Any, ...]]) -> list[Forgery]:
    """Proofs of the rules about indices, as proofs of claims; what speaks of every index without end is no claim."""
    found = []
    for name, (cert, sequent, *_) in table.items():
        try:
            claim = Claim("c", (str(sequent.goal),), tuple(map(str, sequent.facts)), naturals=tuple(sequent.naturals))
        except KernelError:
            continue
        found.append(Forgery(name, claim, cert, {}, ""))
    return found


FORGERIES += near_misses(test_counting.REFUSED)
FORGERIES += [
    Forgery(name, claim, cert, {}, "", test_false_proofs_of_letters.LIBRARY)
    for name, (claim, cert, _) in test_false_proofs_of_letters.REFUSED.items()
]


def verdicts(theorems: list[Theorem], folder: Path) -> dict[str, Result]:
    return {result.key: result for result in compile_all(volumes_of(theorems), folder).results}


def in_one_file(theorems: list[Theorem]) -> list[Theorem]:
    """To load the library takes longer than most of the proofs."""
    return [replace(theorem, home="sample") for theorem in theorems]


def forged(number: int, forgery: Forgery) -> tuple[Theorem, list[Theorem]] | None:
    """The theorem of a false proof, and what it cites as premises; None when there is not even a translation."""
    names = names_for(forgery.library)
    cert = {"goals": [forgery.proof], "defined": forgery.defined}
    try:
        called = {k: f"f{number}_{v}" for k, v in names.items()}
        lines = proof_of(forgery.claim, cert, forgery.library, called, bold=True)
        cited = [(k, says_of(claim)) for k, claim in forgery.library.items()]
        believed = [Theorem(f"{number} {k}", f"{number}", called[k], says, held=True) for k, says in cited]
        return Theorem(f"{number}", f"{number}", f"forgery_{number}", says_of(forgery.claim), tuple(lines)), believed
    except PROBLEMS:
        return None


def in_a_file(theorem: Theorem, believed: list[Theorem]) -> Volume:
    """A file of its own; that it rests on its premises is no objection: it may not be accepted from those, either."""
    return Volume(theorem.name, theorem.name, (*believed, theorem), ())


def accepted_in_one_session(scripts: list[tuple[Theorem, list[Theorem]]], folder: Path) -> set[str]:
    """The theorems that Coq has proved once it has read all scripts, each with what it cites believed.

    After an error Coq goes on with the next sentence, so that one process judges them all.
    """
    compile_library(folder, version())
    loads = [f"Require Import LemmaLab.{name.removesuffix('.v')}." for name in LIBRARY[ALWAYS - 1 :]]
    lines = [*loads, "Set Silent."]
    for theorem, believed in scripts:
        proof = theorem.text(bare=True).removesuffix(f"Print Assumptions {theorem.name}.\n")
        lines += [*(one.text() for one in believed), proof, "Abort All."]
        lines.append(f'Redirect "{theorem.name}" Check {theorem.name}.')
    command = ["coqtop", "-q", "-Q", ".", "LemmaLab"]
    with (folder / "session.log").open("w") as log:
        told = subprocess.run(
            command, input="\n".join(lines), text=True, cwd=folder, stdout=log, stderr=log, preexec_fn=_limited
        )
    assert told.returncode == 0, "Coq did not come to the end of the session"
    return {theorem.name for theorem, _ in scripts if (folder / f"{theorem.name}.out").read_text().strip()}


def with_axioms(theorem: Theorem, axioms: list[str]) -> Volume:
    """A file of its own for a theorem, with axioms that nobody has accepted."""

    class Believing(Volume):
        def library(self, without: Mapping[str, str]) -> list[str]:
            return [name.removesuffix(".v") for name in LIBRARY[ALWAYS:]]

        def text(self, without: Mapping[str, str], bare: bool = False, each: bool = False) -> str:
            head, *rest = super().text(without, bare, each).split("\n\n(**", 1)
            return "\n\n(**".join(["\n".join([head, *axioms]), *rest])

    return Believing(theorem.name, theorem.name, (theorem,), ())


if shutil.which("coqc"):

    @pytest.fixture(scope="module")
    def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
        return tmp_path_factory.mktemp("coq")

    def test_coq_accepts_a_sample_and_remembers_it(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        theorems = in_one_file(theorems_of(records()[key] for key in SAMPLE))
        first = verdicts(theorems, shelf)
        assert {key: one.reason for key, one in first.items() if one.status != ACCEPTED} == {}
        monkeypatch.setattr("theory.coq.compile._coqc", None)
        assert verdicts(theorems, shelf) == first

    def test_the_theorem_end_to_end_rests_on_what_it_cites_and_on_nothing_else(shelf: Path) -> None:
        """What it cites is judged by `make coq`; here it is believed, and `Print Assumptions` names it."""
        key, cited = "thm:full-glm/sharper#the algorithm as printed", "thm:full-glm#end to end"
        (theorem,) = theorems_of([with_kinds()[key], with_kinds()[cited]])[:1]
        believed = f"Axiom {names_for([cited])[cited]} : {says_of(with_kinds()[cited].claim)}."
        (found,) = compile_all([with_axioms(theorem, [believed])], shelf).results
        assert found.reason == "it rests on thm_full_glm_end_to_end"

    def test_coq_accepts_claims_about_matrices_of_every_size_and_refuses_what_is_claimed_beyond_them(
        shelf: Path,
    ) -> None:
        keys = (
            "lem:v-bound#eigenvalue low",
            "lem:v-bound#equal entries",
            "lem:v-bound#row gain",
            "ass:gradient-noise#quadratic loss",  # a letter is called o
            "lem:var-fourth-moment/disp:1433.1",  # an index counts down
            "lem:v-L-var#split pairs",  # sums of means over two times of one history
            "ass:fourth-moment#kt at most kappa",  # a refutation
            "lem:sigma0-lower/disp:1940.2",  # an order of matrices that does not hold
        )
        theorems = in_one_file(theorems_of(with_kinds()[key] for key in keys))
        more = theorems[0].says.replace("mu <= lam", "(2 * mu) <= lam")
        beyond = replace(theorems[0], key="beyond", home="beyond", name="beyond", says=more)
        found = verdicts([*theorems, beyond], shelf)
        assert {key: one.status for key, one in found.items()} == {**dict.fromkeys(keys, ACCEPTED), "beyond": REFUSED}

    def test_coq_accepts_an_order_shown_in_every_direction_and_norms_that_get_names(shelf: Path) -> None:
        vectors = dict.fromkeys("xy", "vector(d)")
        stretched = "forall(x, vector(n), norm2(A@x) <= L**2*norm2(x))"
        own = (
            lemma("A.T@A << L**2*I(n)", given=[stretched], kinds={"A": "matrix(m, n)"}, name="stretch"),
            lemma("norm(x)*norm(y) >= 0", kinds=vectors, name="lengths"),
            lemma("norm2(x - y) <= norm2(y)", given=["norm(x - y) <= norm(y)"], kinds=vectors, name="nearer"),
        )
        checks = {one.key: prepared(one) for one in own}
        assert not [one for one in checks.values() if isinstance(one, Unfit)]
        found = verdicts(in_one_file(theorems_of(check_all(checks=checks).records)), shelf)  # type: ignore[arg-type]
        assert {key: one.reason for key, one in found.items() if one.status != ACCEPTED} == {}
        assert found.keys() == checks.keys()

    def test_coq_accepts_a_refutation_in_which_exp_is_enclosed_by_rationals(shelf: Path) -> None:
        own = (
            lemma("exp(x) <= 1 + x", witness={"x": "1"}, name="tangent"),
            lemma("(1 - t)**2 >= exp(-2*t)", given=["t > 0"], witness={"t": "1/10"}, name="square"),
        )
        checks = {one.key: prepared(one) for one in own}
        assert not [one for one in checks.values() if isinstance(one, Unfit)]
        found = verdicts(in_one_file(theorems_of(check_all(checks=checks).records)), shelf)  # type: ignore[arg-type]
        assert {key: one.reason for key, one in found.items() if one.status != ACCEPTED} == {}
        assert found.keys() == checks.keys()

    def test_every_law_of_the_kernel_is_a_theorem_about_coqs_own_functions(shelf: Path) -> None:
        laws = [
            Theorem(key, "laws", f"{law_name(key)}_as_stated", proposition(law), (f"exact {law_name(key)}.",))
            for key, law in LAWS.items()
        ]
        found = verdicts(laws, shelf)
        assert {key: one.reason for key, one in found.items() if one.status != ACCEPTED} == {}
        assert len(found) == len(LAWS)

    def test_coq_accepts_facts_for_every_index_inductions_and_terms_apart(shelf: Path) -> None:
        theorems = []
        untold = []  # no translation yet
        for number, one in enumerate(near_misses(test_counting.ACCEPTED)):
            try:
                lines = tuple(proof_of(one.claim, {"goals": [one.proof]}, {}, {}))
            except NotExpressible:
                untold.append(one.trick)
                continue
            theorems.append(Theorem(one.trick, "counting", f"counting_{number}", proposition(one.claim), lines))
        found = verdicts(theorems, shelf)
        assert {key: one.reason for key, one in found.items() if one.status != ACCEPTED} == {}
        assert len(found) >= 7
        assert untold == [
            "a factor of a power whose exponent is shown to be positive",
            "a power without factors is one",
            "a divisor below a sum by a fact over a longer range",
            "terms by a fact over a longer range",
        ]

    def test_coq_refuses_a_proof_with_one_digit_changed(shelf: Path) -> None:
        (good,) = theorems_of([records()["lem:A-inverse/repaired"]])
        (place,) = [i for i, line in enumerate(good.lines) if "apply (eq_nz _ ((- 1) * lam" in line]
        lines = [
            line.replace("(- 1) * lam", "(- 2) * lam") if i == place else line for i, line in enumerate(good.lines)
        ]
        bad = Theorem("bad", "bad", "bad", good.says, tuple(lines))
        assert verdicts([bad], shelf)["bad"].status == REFUSED

    def test_what_cites_a_refused_theorem_is_not_accepted(shelf: Path) -> None:
        wrong = Theorem("w", "w", "w", "1 = 2", ("lra.",))
        citing = Theorem("c", "c", "c", "1 = 2", ("exact w.",), ("w",))
        found = verdicts([wrong, citing], shelf)
        assert (found["w"].status, found["c"].reason) == (REFUSED, "it cites w, which has no theorem")

    def test_a_theorem_that_rests_on_an_axiom_of_ours_is_not_accepted_and_its_neighbour_is(shelf: Path) -> None:
        true = Theorem("true", "axioms", "true_", "True", ("exact I.",))
        false = Theorem("false", "axioms", "false_", "False", ("exact ours.",))
        believing = with_axioms(true, ["Axiom ours : False."])
        found = compile_all([replace(believing, theorems=(true, false))], shelf).results
        assert [(one.key, one.status, one.reason) for one in found] == [
            ("true", ACCEPTED, ""),
            ("false", REFUSED, "it rests on ours"),
        ]

    def test_what_was_accepted_before_is_a_premise_and_an_axiom_of_ours_is_none(shelf: Path) -> None:
        """What it cites is in another file, which is not loaded here: Print Assumptions names it with its file then."""
        below = Theorem("below", "p1", "below_", "1 < 2", ("lra.",))
        middle = Theorem("middle", "p2", "middle_", "1 < 2", ("exact below_.",), ("below",))
        above = Theorem("above", "p3", "above_", "1 < 2", ("exact middle_.",), ("middle",))
        wrong = Theorem("wrong", "p3", "wrong_", "1 < 0", ("exact below_.",), ("below",))
        premises = without_proofs(volumes_of([below, middle, above, wrong]), {"below"})
        assert [(v.name, t.key) for v in premises for t in v.theorems if t.held] == [("p1", "below")]
        found = {one.key: one.status for one in compile_all(premises, shelf).results}
        assert found == dict.fromkeys(("below", "middle", "above"), ACCEPTED) | {"wrong": REFUSED}
        believing = with_axioms(replace(above, lines=("exact ours.",), cites=()), ["Axiom ours : 1 < 2."])
        (told,) = compile_all([believing], shelf).results
        assert (told.status, told.reason) == (REFUSED, "it rests on ours")

    def test_coq_refuses_every_false_proof(shelf: Path) -> None:
        """A true theorem stands at either end of the session: what Coq accepts is seen there. A session passes over
        a sentence that fails and may find a proof without it; a file does not, and decides for those that remain."""
        translated = [one for one in map(forged, range(len(FORGERIES)), FORGERIES) if one is not None]
        print(f"{len(translated)} of {len(FORGERIES)} false proofs have a translation; Coq refuses them")
        first, last = (Theorem(name, name, name, "forall x : R, x <= x + 1", ("intro x; lra.",)) for name in ENDS)
        found = accepted_in_one_session([(first, []), *translated, (last, [])], shelf)
        assert found >= {*ENDS}
        suspects = [in_a_file(*one) for one in translated if one[0].name in found]
        told = [one for one in compile_all(suspects, shelf).results if one.key.isdigit()]
        assert [FORGERIES[int(one.key)].trick for one in told if one.status == ACCEPTED] == []
        assert [one.reason for one in told if "rests on" in one.reason] == []
        assert len(suspects) <= 3
        assert len(translated) >= 30

    def test_a_root_in_a_definition_without_a_value_has_a_translation_and_coq_refuses_it(shelf: Path) -> None:
        (number,) = (i for i, one in enumerate(FORGERIES) if one.trick.startswith("a sequence that has no value where"))
        made = forged(number, FORGERIES[number])
        assert made is not None
        found = {one.key: one.status for one in compile_all([in_a_file(*made)], shelf).results}
        assert found[f"{number}"] == REFUSED
