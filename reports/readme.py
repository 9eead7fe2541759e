"""The outputs in README.md, made by the commands that they show.

    python -m reports.readme           run every command again and write what it prints
    python -m reports.readme --check   say what is no longer current, and exit with 1
    python -m reports.readme --screenshot report/index.html      the picture, by Chromium

A block stands between `<!-- output: COMMAND -->` and `<!-- end -->`; `output 12: COMMAND` keeps so many lines. All
commands run in one folder that holds the sources of the papers that ship, in their place, and every Python block of
the README whose first line is the name of a file. `<!-- verdicts: NAME NAME -->` is the table of verdicts of these
papers.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
BLOCK = re.compile(r"<!-- (output|verdicts)(?: (\d+))?: (.+?) -->\n(.*?)<!-- end -->", re.DOTALL)
FILE = re.compile(r"```python\n# (\w+\.py)\n(.*?)```", re.DOTALL)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
TIME = re.compile(r", \d+(?:\.\d+)? s\)")  # how long it took here says nothing about there


def made(text: str) -> str:
    """The README with every block made again."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in ROOT.glob("theory/papers/*/*.tex"):
            copy = folder / source.relative_to(ROOT)
            copy.parent.mkdir(parents=True)
            shutil.copy(source, copy)
        for file, body in FILE.findall(text):
            (folder / file).write_text(body, encoding="utf-8")
        return BLOCK.sub(lambda found: _block(found, folder), text)


def stale(text: str) -> Iterator[str]:
    """The blocks that are not what their commands give today."""
    for old, new in zip(BLOCK.finditer(text), BLOCK.finditer(made(text)), strict=True):
        if old[4] != new[4]:
            yield f"{old[3]}\n--- README\n{old[4]}--- today\n{new[4]}"


def _block(found: re.Match[str], folder: Path) -> str:
    kind, lines, what = found[1], int(found[2] or 0), found[3]
    body = _output(what, folder, lines) if kind == "output" else _verdicts(what.split())
    head = found[0].partition("\n")[0]
    return f"{head}\n{body}<!-- end -->"


def _output(command: str, folder: Path, most: int) -> str:
    where, _, rest = command.rpartition(" && ")
    place = folder / where.removeprefix("cd ") if where else folder
    words = [sys.executable, "-m", "reports.cli", *shlex.split(rest)[1:]]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    done = subprocess.run(words, cwd=place, env=env, capture_output=True, text=True)
    lines = TIME.sub(")", done.stdout + done.stderr).rstrip().splitlines()
    shown = [*lines[:most], "…"] if most and len(lines) > most else lines
    return "\n".join(["```", f"$ {command}", *(line[:150] for line in shown), "```", ""])


def _verdicts(names: list[str]) -> str:
    from theory.ledger.stands import SENTENCES

    counts = [_shipped(name) for name in names]
    rows = [f"| verdict | what it says | {' | '.join(names)} |", "|---|---|" + "---|" * len(names)]
    for verdict, words in SENTENCES.items():
        if any(one[verdict] for one in counts) or verdict in ("CERTIFIED", "UNDECIDED"):
            rows.append(f"| {verdict} | {words} | {' | '.join(str(one[verdict]) for one in counts)} |")
    rows.append(f"| all | | {' | '.join(str(one.total()) for one in counts)} |")
    return "\n".join([*rows, ""])


def _shipped(name: str) -> Counter[str]:
    """The verdicts of the evidence that ships with a paper, with the links that the project names.

    `pytest theory` holds that the kernel gives these verdicts.
    """
    from theory.ledger.judging import as_it_stands
    from theory.ledger.records import Ledger
    from theory.project import project

    records = tuple(project(name).kept(None).values())
    return Counter(record.shown for record in as_it_stands(Ledger({}, records, {})).records)


def screenshot(page: Path) -> None:
    """The first window of a report as reports/screenshot.png."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None or not page.is_file():
        raise SystemExit(f"{page} or a browser ({', '.join(BROWSERS)}) is missing; run make report, install Chromium")
    quiet = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--no-first-run",
        "--window-size=1280,900",
    ]
    with tempfile.TemporaryDirectory() as profile:
        target = f"--screenshot={ROOT / 'reports' / 'screenshot.png'}"
        words = [browser, *quiet, f"--user-data-dir={profile}", target, page.resolve().as_uri()]
        subprocess.run(words, check=True, capture_output=True)


def main() -> int:
    if "--screenshot" in sys.argv[:-1]:
        screenshot(Path(sys.argv[-1]))
        return 0
    text = README.read_text(encoding="utf-8")
    if "--check" in sys.argv:
        wrong = list(stale(text))
        print("\n\n".join(wrong) or "every output of README.md is current")
        return 1 if wrong else 0
    README.write_text(made(text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
