"""Faults: `check`, `report`, `sweep` and `race` killed at random moments, a full disk, a read-only folder, and worse.

After every fault each result on disk is whole and equal to that of an undisturbed run, nothing that was there before is
lost, and the next run ends as if nothing had happened. Commands run in processes of their own, in a temporary folder.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from numerics.sweep import store
from theory.ledger.archive import load
from theory.ledger.storage import LedgerError, canonical, read_json

RUN = (sys.executable, "-c", "from reports.cli import main; main()")
GRID = 'methods = ["sada", "sgd"]\nsizes = [100, 200]\nseeds = 3\nproblems = [{name = "least-squares", dim = 2}]\n'
INTERNAL = 4
LIMIT = 600.0  # seconds for one run: only a run that hangs takes so long
State = Mapping[str, str]


class Broken(Exception):
    """A result on disk that is not whole."""


class NotMeasured(Exception):
    """The fault cannot be made here; the message says why."""


@dataclass(frozen=True)
class Scenario:
    """A command, what must be there before it, and how its results are read: name -> content."""

    name: str
    command: tuple[str, ...]
    state: Callable[[Path], State]
    before: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Outcome:
    """`hit` of `tried` faults struck a run that was still going; `problems` names every result lost or damaged."""

    name: str
    tried: int
    hit: int
    problems: tuple[str, ...]
    skipped: str = ""


def _ledger(folder: Path) -> State:
    path = folder / "ledger.json"
    if not path.exists():
        return {}
    try:
        load(path)
    except LedgerError as error:
        raise Broken(str(error)) from None
    return {raw["key"]: canonical(raw).decode() for raw in read_json(path)["checks"]}


def _cells(folder: Path) -> State:
    found = store.read(folder / "grid.jsonl")
    if found.damaged:
        raise Broken(f"grid.jsonl: lines {found.damaged} are damaged")
    return {key: canonical(record).decode() for key, record in found.records.items()}


def _files(*names: str) -> Callable[[Path], State]:
    def state(folder: Path) -> State:
        return {name: (folder / name).read_text(encoding="utf-8") for name in names if (folder / name).exists()}

    return state


SMALL = ("--paper", "potentials")  # a whole paper and its page in a few seconds
CHECK = Scenario(
    "check",
    (*SMALL, "check", "--ledger", "ledger.json", "--jobs", "1"),
    _ledger,
    before=((*SMALL, "check", "lem:pl", "--ledger", "ledger.json", "--jobs", "1"),),
)
SWEEP = Scenario("sweep", ("sweep", "grid.toml", "--jobs", "1"), _cells)
RACE = Scenario(
    "race",
    (
        *("race", "least-squares", "--kappa", "10", "--dim", "2", "--methods", "sada,sgd", "--samples", "300"),
        *("--seeds", "2", "--jobs", "1", "--figure", "race.svg", "--csv", "race.csv"),
    ),
    _files("race.svg", "race.csv"),
)
REPORT = Scenario(
    "report",
    (*SMALL, "report", "--no-ratios", "--ledger", "ledger.json", "--out", "out", "--junit", "out/junit.xml"),
    _files("out/index.html", "out/junit.xml"),
    before=(CHECK.command,),
)
SCENARIOS = (CHECK, SWEEP, RACE, REPORT)


def _start(arguments: tuple[str, ...], folder: Path) -> subprocess.Popen[str]:
    quiet = {"NO_COLOR": "1", "LEMMALAB_JOBS": "1", "GIT_DIR": os.devnull}  # a page names the commit, which may change
    return subprocess.Popen(
        [*RUN, *arguments],
        cwd=folder,
        env={**os.environ, **quiet},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # so that its worker processes die with it
    )


def finish(arguments: tuple[str, ...], folder: Path) -> tuple[int, str]:
    """Exit code and words of an undisturbed run."""
    process = _start(arguments, folder)
    try:
        words, _ = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        _kill(process)
        return -1, f"{' '.join(arguments)} did not end within {LIMIT:.0f} s"
    return process.returncode, words


def kill_after(arguments: tuple[str, ...], folder: Path, seconds: float) -> bool:
    """Start the command and kill it, workers and all; False when it had ended before."""
    process = _start(arguments, folder)
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        _kill(process)
        return True
    return False


def _kill(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def prepared(scenario: Scenario, folder: Path) -> None:
    """An empty folder with what the command needs."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    (folder / "grid.toml").write_text(GRID)
    for arguments in scenario.before:
        code, words = finish(arguments, folder)
        if code:
            raise RuntimeError(f"{' '.join(arguments)} ends with {code} undisturbed: {words[-300:]}")


@contextmanager
def laboratory(scenario: Scenario) -> Iterator[tuple[Path, Path, State, float]]:
    """A folder ready for the command, a copy of it, the results of an undisturbed run, and its seconds."""
    with tempfile.TemporaryDirectory(prefix="lemmalab-faults-") as name:
        folder, pristine = Path(name) / "work", Path(name) / "pristine"
        folder.mkdir()
        prepared(scenario, folder)
        shutil.copytree(folder, pristine)
        started = time.perf_counter()
        code, words = finish(scenario.command, folder)
        seconds = time.perf_counter() - started
        if code not in (0, 1, 3):
            raise RuntimeError(f"{scenario.name} ends with {code} undisturbed: {words[-300:]}")
        right = scenario.state(folder)
        _reset(pristine, folder)
        yield folder, pristine, right, seconds


def _reset(pristine: Path, folder: Path) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(pristine, folder, dirs_exist_ok=True)


def damage(scenario: Scenario, folder: Path, before: State, right: State) -> list[str]:
    """What is lost or wrong on disk, compared with before the fault and with an undisturbed run."""
    try:
        after = scenario.state(folder)
    except (Broken, OSError, ValueError) as error:
        return [f"{scenario.name}: {error}"]
    lost = [f"{scenario.name}: {key} is lost" for key in before if key not in after]
    return lost + [f"{scenario.name}: {key} differs" for key, value in after.items() if right.get(key) != value]


def recovers(scenario: Scenario, folder: Path, right: State) -> list[str]:
    """The next run, undisturbed, ends with all the results."""
    code, words = finish(scenario.command, folder)
    found = damage(scenario, folder, right, right)
    return found + ([] if code in (0, 1, 3) else [f"{scenario.name}: the next run ends with {code}: {words[-200:]}"])


def killed(scenario: Scenario, kills: int, rng: np.random.Generator, recover_every: int = 5) -> Outcome:
    """SIGKILL at moments that are uniform over the length of an undisturbed run."""
    problems: list[str] = []
    hit = 0
    with laboratory(scenario) as (folder, pristine, right, seconds):
        for number in range(1, kills + 1):
            before = scenario.state(folder)
            if before == right:
                _reset(pristine, folder)
                before = scenario.state(folder)
            hit += kill_after(scenario.command, folder, rng.uniform(0, seconds))
            problems += damage(scenario, folder, before, right)
            if number % recover_every == 0 or number == kills:
                problems += recovers(scenario, folder, right)
    return Outcome(f"{scenario.name} killed", kills, hit, tuple(problems))


def refused(scenario: Scenario, folder: Path, before: State, right: State, word: str) -> list[str]:
    """The command says what is wrong, calls it no defect of its own, and leaves all that was there."""
    code, words = finish(scenario.command, folder)
    found = damage(scenario, folder, before, right)
    if code in (0, INTERNAL) or word not in words:
        found.append(f"{scenario.name}: ends with {code} and says {words[-200:].strip()!r}, not {word!r}")
    return found


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[None]:
    """A disk of its own over this folder, with the same files on it."""
    with tempfile.TemporaryDirectory(prefix="lemmalab-disk-") as kept:
        shutil.copytree(folder, kept, dirs_exist_ok=True)
        _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder))
        try:
            shutil.copytree(kept, folder, dirs_exist_ok=True)
            yield
        finally:
            subprocess.run(["umount", str(folder)], check=False, capture_output=True)


def _mount(*arguments: str) -> None:
    try:
        done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise NotMeasured("there is no command `mount` here") from None
    if done.returncode:
        raise NotMeasured(f"a small disk cannot be mounted here ({done.stderr.strip()[:120]}); run as root")


def full_disk(scenario: Scenario) -> Outcome:
    """No byte is left; then there is room again."""
    with laboratory(scenario) as (folder, _, right, _), small_disk(folder, "16m"):
        before = scenario.state(folder)
        ballast = folder / "ballast"
        _fill(ballast)
        problems = refused(scenario, folder, before, right, "No space left")
        ballast.unlink()
        problems += recovers(scenario, folder, right)
    return Outcome(f"{scenario.name} on a full disk", 1, 1, tuple(problems))


def _fill(path: Path) -> None:
    with open(path, "wb", buffering=0) as out:
        for size in (1 << 16, 1):
            try:
                while out.write(b"x" * size):
                    pass
            except OSError:
                continue


def read_only(scenario: Scenario) -> Outcome:
    """The folder may be read and not written to; then it may."""
    with laboratory(scenario) as (folder, _, right, _), small_disk(folder, "16m"):
        before = scenario.state(folder)
        _mount("-o", "remount,ro", str(folder))
        problems = refused(scenario, folder, before, right, "cannot be written")
        _mount("-o", "remount,rw", str(folder))
        problems += recovers(scenario, folder, right)
    return Outcome(f"{scenario.name} into a read-only folder", 1, 1, tuple(problems))


def damaged_ledger(times: int, rng: np.random.Generator) -> Outcome:
    """One byte of the ledger changed, or its end cut off: `check` refuses it, and `--fresh` writes it again."""
    problems: list[str] = []
    with laboratory(CHECK) as (folder, pristine, right, _):
        for number in range(times):
            _reset(pristine, folder)
            path = folder / "ledger.json"
            _hurt(path, rng, cut=number % 2 == 0)
            hurt = path.read_bytes()
            code, words = finish(CHECK.command, folder)
            if code in (0, INTERNAL) or "--fresh" not in words or path.read_bytes() != hurt:
                problems.append(f"check on a damaged ledger ends with {code}: {words[-200:].strip()}")
            for arguments in (*CHECK.before, CHECK.command):
                finish((*arguments, "--fresh"), folder)
            problems += damage(CHECK, folder, right, right)
    return Outcome("check on a damaged ledger", times, times, tuple(problems))


def damaged_store(times: int, rng: np.random.Generator) -> Outcome:
    """One byte of a result changed: the sweep says so, computes that cell again, and the table is the same."""
    problems: list[str] = []
    with laboratory(SWEEP) as (folder, _, right, _):
        finish(SWEEP.command, folder)
        whole = (folder / "grid.jsonl").read_bytes()
        for number in range(times):
            (folder / "grid.jsonl").write_bytes(whole)
            _hurt(folder / "grid.jsonl", rng, cut=number % 2 == 0)
            code, words = finish(SWEEP.command, folder)
            found = {
                key: canonical(record).decode() for key, record in store.read(folder / "grid.jsonl").records.items()
            }
            if code or found != right:
                problems.append(f"sweep on a damaged store ends with {code}: {words[-200:].strip()}")
    return Outcome("sweep on a damaged store", times, times, tuple(problems))


def _hurt(path: Path, rng: np.random.Generator, *, cut: bool) -> None:
    content = bytearray(path.read_bytes())
    place = int(rng.integers(len(content) // 4, len(content) - 2))
    if cut:
        path.write_bytes(content[:place])
        return
    digits = [at for at in range(place, len(content)) if chr(content[at]).isdigit()] or [place]
    content[digits[0]] = ord("7") if content[digits[0]] != ord("7") else ord("3")
    path.write_bytes(content)


def two_at_once(times: int) -> Outcome:
    """Two processes, one ledger: what each of them found is in it; two sweeps, one store: all cells are."""
    problems: list[str] = []
    with laboratory(CHECK) as (folder, pristine, right, _):
        for _ in range(times):
            _reset(pristine, folder)
            pair = [_start(CHECK.command, folder), _start(CHECK.before[0], folder)]
            codes = [process.communicate()[0] and process.returncode for process in pair]
            problems += damage(CHECK, folder, right, right)
            problems += [f"check beside another: exit {code}" for code in codes if code]
    with laboratory(SWEEP) as (folder, pristine, right, _):
        for _ in range(times):
            _reset(pristine, folder)
            pair = [_start(SWEEP.command, folder) for _ in range(2)]
            told = [(process.communicate()[0], process.returncode) for process in pair]
            problems += damage(SWEEP, folder, right, right)
            problems += [f"sweep: {w[-150:]}" for w, code in told if code and "another sweep is writing" not in w]
    return Outcome("two processes at once", 2 * times, 2 * times, tuple(problems))


def clock_jumps() -> Outcome:
    """Files of the year 2100 and of 1970: neither is taken for newer or older than it is."""
    problems: list[str] = []
    for scenario in (CHECK, SWEEP):
        with laboratory(scenario) as (folder, _, right, _):
            for when in (4_102_444_800, 0):
                for path in folder.rglob("*"):
                    os.utime(path, (when, when))
                problems += recovers(scenario, folder, right)
    return Outcome("clock jumps", 4, 4, tuple(problems))


def every(kills: int, rng: np.random.Generator) -> Iterator[Outcome]:
    """All faults; those that cannot be made here are told as skipped."""
    for scenario in SCENARIOS:
        yield killed(scenario, kills, rng)
    for fault, words in ((full_disk, "on a full disk"), (read_only, "into a read-only folder")):
        for scenario in SCENARIOS:
            try:
                yield fault(scenario)
            except NotMeasured as error:
                yield Outcome(f"{scenario.name} {words}", 0, 0, (), str(error))
    few = max(2, kills // 10)
    yield damaged_ledger(few, rng)
    yield damaged_store(few, rng)
    yield two_at_once(few)
    yield clock_jumps()
