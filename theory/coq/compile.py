"""Run Coq on the files, on all cores, and keep what it said: the same texts are not judged twice."""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

from theory.coq.theorems import Theorem, insistent
from theory.coq.volumes import ALWAYS, LIBRARY, Volume, write_library

ACCEPTED, INEXPRESSIBLE, REFUSED, OVER = "accepted", "not expressible", "refused", "over the limit"
SECONDS = 600  # of processor for one file, and
GIGABYTES = 4  # for each coqc: what needs more is left out with what cites it, and the run goes on
LIMITS = f"coqc needs more than {SECONDS} s of processor or {GIGABYTES} GB"
AXIOMS = frozenset(  # of Coq's own reals, and classical logic, on which they rest
    {
        "ClassicalDedekindReals.sig_not_dec",
        "ClassicalDedekindReals.sig_forall_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
INSTALL = "apt-get install coq"
Progress = Callable[[str, int, int], None]


class NoCoq(Exception):
    """There is no coqc; the message says how to get it."""


@dataclass(frozen=True)
class Result:
    key: str
    refutes: bool
    status: str
    reason: str = ""
    file: str = ""


def version() -> str:
    """8.16.1, say."""
    if shutil.which("coqc") is None:
        raise NoCoq(f"coqc is not here; as root: {INSTALL}")
    found = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True, check=True)
    return found.stdout.split()[0]


@dataclass(frozen=True)
class Run:
    """What Coq said of every theorem; the processor seconds that it took now, and how many files were remembered."""

    coq: str
    results: tuple[Result, ...]
    processor: float
    files: int
    remembered: int


def compile_all(
    volumes: list[Volume],
    folder: Path,
    jobs: int | None = None,
    progress: Progress | None = None,
    keep: Callable[[str, list[Result]], None] | None = None,
) -> Run:
    """The verdict of Coq on every theorem; files and compiled files stay in the folder.

    keep   is told the version of Coq and all verdicts so far, whenever a file has been judged
    """
    coq, start = version(), os.times()
    shelf = compile_library(folder, coq)
    shelf = replace(shelf, believed=_believed(volumes))
    by_name = {volume.name: volume for volume in volumes}
    sorter = TopologicalSorter({v.name: set(v.imports) for v in volumes})
    sorter.prepare()
    told: dict[str, list[Result]] = {}
    again = 0
    seals: dict[str, str] = {}
    cores = jobs or os.cpu_count() or 1
    ready: list[tuple[int, str]] = []  # short files first: a run that ends early has judged as many as possible
    with _until_stopped(), ThreadPoolExecutor(cores) as pool:
        running: dict[Future[tuple[list[Result], str, bool]], str] = {}
        while sorter.is_active():
            for name in sorter.get_ready():
                heappush(ready, (len(by_name[name].text({}, bare=True)), name))
            while ready and len(running) < cores:
                volume = by_name[heappop(ready)[1]]
                refused = {r.key: r.reason for other in told.values() for r in other if r.status != ACCEPTED}
                below = [seals[other] for other in volume.imports]
                running[pool.submit(_compile, volume, folder, shelf, below, refused)] = volume.name
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                name = running.pop(future)
                told[name], seals[name], old = future.result()
                again += old
                sorter.done(name)
                if progress is not None:
                    progress(name, len(told), len(volumes))
                if keep is not None:
                    keep(coq, [result for one in told.values() for result in one])
    end = os.times()
    spent = end.children_user + end.children_system - start.children_user - start.children_system
    results = tuple(result for volume in volumes for result in told[volume.name])
    return Run(coq, results, spent, len(volumes), again)


def _believed(volumes: Iterable[Volume]) -> frozenset[str]:
    """The theorems that are only said, as `Print Assumptions` names them in a file that loads theirs and elsewhere."""
    held = [(volume.name, theorem.name) for volume in volumes for theorem in volume.theorems if theorem.held]
    return frozenset(shown for home, name in held for shown in (name, f"{home}.{name}"))


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


class Stopped(Exception):
    """The run was interrupted: what coqc said then is no verdict."""


_stop = threading.Event()
_alive: set[subprocess.Popen[str]] = set()


@contextmanager
def _until_stopped() -> Iterator[None]:
    """An interruption ends the processes that run, and nothing of them is kept."""
    _stop.clear()
    try:
        yield
    except BaseException:
        _stop.set()
        for process in list(_alive):
            process.kill()
        raise


def _limited() -> None:
    os.setsid()  # an interruption at the keyboard is for us; we end coqc
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))


def _coqc(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    command = ["coqc", "-q", "-Q", ".", "LemmaLab", name]
    if _stop.is_set():
        raise Stopped
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=_limited
    ) as process:
        _alive.add(process)
        try:
            out, err = process.communicate()
        finally:
            _alive.discard(process)
    if _stop.is_set():
        raise Stopped
    return subprocess.CompletedProcess(command, process.returncode, out, err)


@dataclass(frozen=True)
class Shelf:
    """The version of Coq, the texts of the library, and what was accepted before and is only said now."""

    coq: str
    texts: dict[str, str]
    believed: frozenset[str] = frozenset()

    def seal(self, names: Iterable[str]) -> str:
        return _digest([self.coq, *(self.texts[name] for name in names)])


def compile_library(folder: Path, coq: str) -> Shelf:
    """Compile what the theorems rest on, each file that has changed or whose base has."""
    write_library(folder)
    shelf = Shelf(coq, {name: (folder / name).read_text(encoding="utf-8") for name in LIBRARY})
    for name in LIBRARY:
        seal, kept = shelf.seal(LIBRARY[: LIBRARY.index(name) + 1]), folder / f".{name}.seal"
        compiled = (folder / name).with_suffix(".vo").exists()
        if compiled and kept.exists() and kept.read_text(encoding="utf-8") == seal:
            continue
        found = _coqc(folder, name)
        if found.returncode:
            raise RuntimeError(f"Coq refuses the library {name}: {found.stderr[-800:]}")
        kept.write_text(seal, encoding="utf-8")
    return shelf


def _compile(
    volume: Volume, folder: Path, shelf: Shelf, below: list[str], refused: dict[str, str]
) -> tuple[list[Result], str, bool]:
    """One file: what Coq refuses is taken out with what cites it, until the rest is accepted."""
    without = {t.key: t.reason for t in volume.theorems if t.reason}
    _cite_nothing_refused(volume, without, refused)
    kept = folder / f".{volume.name}.json"
    loads = [*LIBRARY[:ALWAYS], *(f"{name}.v" for name in volume.library(without))]
    seal = _digest([shelf.seal(loads), *sorted(shelf.believed), *below])
    asked = _digest([seal, volume.text(without, bare=True)])
    old = _remembered(kept, asked, folder / f"{volume.name}.vo")
    record = old or _judge(volume, folder, without, AXIOMS | shelf.believed)
    if old is None:
        kept.write_text(json.dumps({"asked": asked, **record}, indent=1), encoding="utf-8")
    results = [Result(**one) for one in record["results"]]
    return results, _digest([seal, record["text"]]), old is not None


def _remembered(kept: Path, asked: str, compiled: Path) -> dict[str, Any] | None:
    if not kept.exists() or not compiled.exists():
        return None
    try:
        record: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    except ValueError:  # a run that was cut off
        return None
    other = any(one["status"] == OVER and one["reason"] != LIMITS for one in record.get("results", []))
    return record if record.get("asked") == asked and not other else None  # what other limits stopped is tried again


def _cite_nothing_refused(volume: Volume, without: dict[str, str], refused: dict[str, str]) -> None:
    gone = {**refused, **without}
    for theorem in volume.theorems:
        weak = next((cited for cited in theorem.cites if cited in gone), None)
        if weak is not None and theorem.key not in without:
            without[theorem.key] = gone[theorem.key] = f"it cites {weak}, which has no theorem"


def _judge(volume: Volume, folder: Path, without: dict[str, str], known: frozenset[str] = AXIOMS) -> dict[str, Any]:
    path, inexpressible = folder / f"{volume.name}.v", set(without)
    started = time.time()
    while True:
        path.write_text(volume.text(without), encoding="utf-8")
        found = _coqc(folder, path.name)
        if found.returncode == 0:
            break
        blamed = _blamed(volume, without, found) or _too_large(volume, folder, without)
        if len(blamed) == 1 and (again := _insisted(volume, *blamed)) is not None:
            volume = again
            continue
        without |= blamed
        _cite_nothing_refused(volume, without, {})
    bad = {}
    if _axioms(found.stdout) - known:
        path.write_text(volume.text(without, each=True), encoding="utf-8")
        bad = _strange_axioms(_coqc(folder, path.name).stdout, volume, without, known)
    results = []
    for theorem in volume.theorems:
        reason = without.get(theorem.key, "")
        status = OVER if reason == LIMITS else REFUSED
        if theorem.key not in without or theorem.key in inexpressible:
            status = INEXPRESSIBLE if theorem.key in inexpressible else ACCEPTED
        if theorem.key in bad:
            status, reason = REFUSED, f"it rests on {bad[theorem.key]}"
        results.append(asdict(Result(theorem.key, theorem.refutes, status, reason, path.name)))
    return {
        "results": results,
        "text": _digest([volume.text(without, bare=True)]),
        "seconds": round(time.time() - started, 1),
    }


def _insisted(volume: Volume, key: str) -> Volume | None:
    """The file with another try at one proof, if there is one."""
    new = tuple(insistent(theorem) if theorem.key == key else theorem for theorem in volume.theorems)
    return replace(volume, theorems=new) if new != volume.theorems else None


def _blamed(volume: Volume, without: dict[str, str], found: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """The theorem that Coq stumbled over, from the line that it names; none where it names no line."""
    place = re.search(r'File "[^"]*", line (\d+)', found.stderr)
    here = [t for t in volume.theorems if t.key not in without and not t.held]
    if not here:
        raise RuntimeError(f"{volume.name}.v: {found.stderr[-800:]}")
    if place is None:
        return {}
    before = volume.text(without).splitlines()[: int(place.group(1))]
    named = [line.split()[1] for line in before if line.startswith("Theorem ")]
    theorem = next((t for t in here if named and t.name == named[-1]), here[0])
    message = " ".join(found.stderr.split("Error:")[-1].split())[:300]
    return {theorem.key: f"Coq refuses the proof: {message}"}


def _too_large(volume: Volume, folder: Path, without: dict[str, str]) -> dict[str, str]:
    """Where coqc ended without a word, the theorems that it cannot judge with nothing else but what they cite."""
    here = [t for t in volume.theorems if t.key not in without]
    judged = [t for t in here if not t.held]
    if len(judged) == 1:
        return {judged[0].key: LIMITS}
    found: dict[str, str] = {}
    for theorem in judged:
        if any(cited in found for cited in theorem.cites):
            continue  # it goes with what it cites
        chosen = _with_cited(theorem, here)
        probe = replace(volume, name=f"{volume.name}_alone", theorems=tuple(t for t in here if t.key in chosen))
        path = folder / f"{probe.name}.v"
        path.write_text(probe.text({}), encoding="utf-8")
        told = _coqc(folder, path.name)
        if told.returncode and not _blamed(probe, {}, told):
            found[theorem.key] = LIMITS
        for old in folder.glob(f"{probe.name}.*"):
            old.unlink()
    return found or {judged[-1].key: LIMITS}  # each alone is small enough: one less then


def _with_cited(theorem: Theorem, here: list[Theorem]) -> set[str]:
    by_key, chosen, stack = {t.key: t for t in here}, {theorem.key}, [theorem.key]
    while stack:
        new = {cited for cited in by_key[stack.pop()].cites if cited in by_key} - chosen
        chosen |= new
        stack += new
    return chosen


def _strange_axioms(
    printed: str, volume: Volume, without: dict[str, str], known: frozenset[str] = AXIOMS
) -> dict[str, str]:
    """Theorems that rest on an axiom that is not of Coq's reals, read from `Print Assumptions`."""
    reports = re.split(r"^(?=Closed under the global context|Axioms:)", printed, flags=re.MULTILINE)[1:]
    shown = [t for t in volume.theorems if t.key not in without and not t.held]
    shown.sort(key=lambda t: t.refutes)
    if len(reports) != len(shown):
        raise RuntimeError(f"{volume.name}.v: {len(reports)} reports of assumptions for {len(shown)} theorems")
    found = {}
    for theorem, report in zip(shown, reports, strict=True):
        strange = sorted(_axioms(report) - known)
        if strange:
            found[theorem.key] = ", ".join(strange)
    return found


def _axioms(printed: str) -> set[str]:
    """The axioms that `Print Assumptions` names; where the type of one is long, its colon is on the next line."""
    return set(re.findall(r"^([A-Za-z_][\w.']*)\s*:", printed, flags=re.MULTILINE)) - {"Axioms"}
