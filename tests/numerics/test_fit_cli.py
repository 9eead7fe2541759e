"""lemmalab fit and predict on files of one's own: formats, tasks, kills, changed bytes, bad rows, plain refusals."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from click.testing import CliRunner
from threadpoolctl import threadpool_limits

from numerics.estimators import SADAClassifier, SADAGeneralizedLinear, SADARegressor
from reports.cli import main

RNG = np.random.default_rng(0)
X = RNG.standard_normal((6000, 3)) * [1, 100, 0.01]
Z = X @ [1.0, 0.01, -100.0] + 0.5
Y = Z + 0.3 * RNG.standard_normal(6000)
HEAD = "a,b,c,y\n"


def lines_of(columns: list[np.ndarray]) -> str:
    return "".join(",".join(str(x) for x in row) + "\n" for row in zip(*(c.tolist() for c in columns), strict=True))


def table(path: Path, labels: np.ndarray = Y, head: str = HEAD) -> Path:
    path.write_text(head + lines_of([*X.T, labels]))
    return path


def lemmalab(*arguments: Any, code: int = 0, stdin: bytes | None = None) -> str:
    result = CliRunner().invoke(main, [str(a) for a in arguments], input=stdin)
    assert result.exit_code == code, result.output
    return result.output


def fitted(folder: Path, name: str = "m") -> tuple[bytes, bytes]:
    return (folder / f"{name}.json").read_bytes(), (folder / f"{name}.npz").read_bytes()


def test_every_format_and_a_pipe_give_the_same_model(tmp_path: Path) -> None:
    """Red on release 0.1, where no command fits a user's own stream."""
    plain = table(tmp_path / "t.csv")
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(plain.read_bytes()))
    columns = dict(zip("abcy", [*X.T, Y], strict=True))
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "t.parquet", row_group_size=1000)
    np.save(tmp_path / "t.npy", np.column_stack([X, Y]))
    np.savez(tmp_path / "t.npz", X=X, y=Y)
    lemmalab("fit", plain, "--label", "y", "--out", tmp_path / "m")
    expected = json.loads(fitted(tmp_path)[0])
    assert expected["coefficients"][0] == pytest.approx([1.0, 0.01, -100.0], rel=0.05)
    for name, label in (("t.csv.gz", "y"), ("t.parquet", "y"), ("t.npy", "3"), ("t.npz", "y")):
        lemmalab("fit", tmp_path / name, "--label", label, "--out", tmp_path / "other")
        assert json.loads(fitted(tmp_path, "other")[0])["coefficients"] == expected["coefficients"]
    lemmalab("fit", "-", "--label", "y", "--out", tmp_path / "pipe", stdin=plain.read_bytes())
    assert fitted(tmp_path, "pipe") == fitted(tmp_path)
    model = SADARegressor.load(tmp_path / "m.npz")
    assert np.array_equal(model.coef_, SADARegressor().partial_fit(X, Y).coef_)
    assert list(model.feature_names_in_) == ["a", "b", "c"]


@pytest.mark.parametrize("loss", ["huber", "pseudo-huber", "quantile", "poisson"])
def test_losses_of_regression(loss: str, tmp_path: Path) -> None:
    labels = np.round(np.exp(np.clip(Z, -3, 3))) if loss == "poisson" else Y
    path = table(tmp_path / "t.csv", labels)
    shown = json.loads(lemmalab("fit", path, "--label", "y", "--loss", loss, "--out", tmp_path / "m", "--json"))
    model = SADAGeneralizedLinear.load(tmp_path / "m.npz")
    assert shown["coefficients"][0] == model.coef_.tolist()
    assert np.array_equal(model.coef_, SADAGeneralizedLinear(loss=loss).partial_fit(X, labels).coef_)
    text = lemmalab("predict", tmp_path / "m.json", path).splitlines()
    assert text[0] == "prediction"
    assert np.array(text[1:], dtype=float) == pytest.approx(model.predict(X), rel=1e-12)


@pytest.mark.parametrize("kinds", [["no", "yes"], ["1", "2", "3"]])
def test_classes_are_learnt_and_predicted_by_name(kinds: list[str], tmp_path: Path) -> None:
    labels = np.array(kinds)[np.digitize(Z, np.quantile(Z, np.linspace(0, 1, len(kinds) + 1)[1:-1]))]
    path = table(tmp_path / "t.csv", labels)
    lemmalab("fit", path, "--label", "y", "--task", "classification", "--out", tmp_path / "m")
    model = SADAClassifier.load(tmp_path / "m.npz")
    assert model.classes_.tolist() == kinds
    assert model.score(X, labels) > 0.85
    lemmalab("predict", tmp_path / "m.npz", path, "--proba", "--out", tmp_path / "p.csv")
    rows = [line.split(",") for line in (tmp_path / "p.csv").read_text().splitlines()]
    assert rows[0] == ["prediction", *(f"p({kind})" for kind in kinds)]
    assert [row[0] for row in rows[1:]] == model.predict(X).tolist()
    assert np.array([row[1:] for row in rows[1:]], dtype=float) == pytest.approx(model.predict_proba(X))
    some = kinds[:-1]
    out = lemmalab("fit", path, "--label", "y", "--task", "classification", "--classes", ",".join([*some, "?"]), code=2)
    assert f"the label is none of {', '.join(sorted([*some, '?']))}" in out


KILLED = """
import os, signal, sys
from numerics import checkpoint
from reports.cli import main
honest, made = checkpoint.save, []
def save(*arguments):
    honest(*arguments)
    made.append(1)
    if len(made) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
checkpoint.save = save
import numerics.streams.text as text
text.READ = 20_000
main(sys.argv[2:], standalone_mode=False)
"""


def killed(after: int, *arguments: Any, stdin: Path | None = None) -> None:
    """The command in a process of its own, killed after so many checkpoints."""
    with stdin.open("rb") if stdin else open(os.devnull, "rb") as source:
        words = [sys.executable, "-c", KILLED, str(after), *map(str, arguments)]
        assert subprocess.run(words, stdin=source, capture_output=True).returncode == -signal.SIGKILL


@pytest.mark.parametrize("after", [1, 5])
@pytest.mark.parametrize("piped", [False, True])
def test_a_run_that_was_killed_resumes_to_the_same_bytes(after: int, piped: bool, tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv")
    where = "-" if piped else path
    lemmalab("fit", where, "--label", "y", "--out", tmp_path / "whole", stdin=path.read_bytes())
    arguments = ("fit", where, "--label", "y", "--every", 500, "--out", tmp_path / "m")
    killed(after, *arguments, stdin=path if piped else None)
    assert "--resume goes on, --anew begins anew" in lemmalab(*arguments, code=2)
    told = lemmalab(*arguments, "--resume", stdin=path.read_bytes())
    counted = re.match(r"([\d,]+) rows, \d+ columns, ([\d,]+) of them in", told)
    assert counted is not None
    assert int(counted[2].replace(",", "")) <= int(counted[1].replace(",", "")) - 500 * after
    assert fitted(tmp_path) == fitted(tmp_path, "whole")
    assert not (tmp_path / "m.part.npz").exists()


@pytest.mark.parametrize("place", [0.02, 0.5, 0.999])
@pytest.mark.parametrize("piped", [False, True])
def test_one_changed_byte_anywhere_is_refused(place: float, piped: bool, tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv")
    where = "-" if piped else path
    arguments = ("fit", where, "--label", "y", "--every", 500, "--out", tmp_path / "m")
    killed(2, *arguments, stdin=path if piped else None)
    content, times = bytearray(path.read_bytes()), path.stat()
    position = next(i for i in range(int(place * len(content)), 0, -1) if chr(content[i]) in "12345678")
    content[position] += 1
    path.write_bytes(bytes(content))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    if piped and place > 0.1:  # a pipe is compared as far as it had been read
        lemmalab(*arguments, "--resume", stdin=bytes(content))
        return
    out = lemmalab(*arguments, "--resume", code=2, stdin=bytes(content))
    assert "its content is not what it was" in out or "gives other data than before" in out


def test_other_options_or_another_file_are_not_resumed(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv")
    arguments = ("fit", path, "--label", "y", "--every", 500, "--out", tmp_path / "m")
    killed(1, *arguments)
    out = lemmalab(*arguments, "--resume", "--loss", "huber", code=2)
    assert "was made with loss = 'squared', not 'huber'; give the same options" in out
    lemmalab(*arguments, "--anew")
    assert "there is nothing to resume" in lemmalab(*arguments, "--resume", code=2)
    (tmp_path / "m.part.npz").write_bytes((tmp_path / "m.npz").read_bytes())
    assert "is no checkpoint of `lemmalab fit`" in lemmalab(*arguments, "--resume", code=2)


def test_bad_rows_are_skipped_with_their_count_and_places(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    lines = (HEAD + lines_of([*X.T, Y])).splitlines()
    bad = {10: "1,2,3", 500: "1,x,3,4", 5990: "1,2,3,1e300"}
    for line, content in bad.items():
        lines.insert(line - 1, content)
    path.write_text("\n".join(lines))
    out = lemmalab("fit", path, "--label", "y", "--out", tmp_path / "m", code=2)
    assert "t.csv: line 10: 3 fields, expected 4" in out
    out = lemmalab("fit", path, "--label", "y", "--out", tmp_path / "m", "--skip-bad-rows")
    assert "3 rows were left out" in out
    assert "line 500: column 'b' is 'x', not a number" in out
    shown = json.loads(lemmalab("fit", path, "--label", "y", "--out", tmp_path / "m", "--skip-bad-rows", "--json"))
    assert (shown["rows"], shown["bad_rows"], len(shown["bad_places"])) == (6000, 3, 3)
    clean = table(tmp_path / "clean.csv")
    lemmalab("fit", clean, "--label", "y", "--out", tmp_path / "clean")
    assert json.loads(fitted(tmp_path, "clean")[0])["coefficients"] == shown["coefficients"]


def test_a_label_that_is_not_allowed_is_named_by_its_line_in_any_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numerics.streams.text.READ", 1 << 12)
    path = tmp_path / "t.csv"
    lines = [f"{k % 7},{k % 5}" for k in range(3000)]
    lines[99], lines[100], lines[1000], lines[2999] = "1,-1", "1,x", "  ", "2,-3"
    path.write_text("a,y\n" + "\n".join(lines))
    arguments = ("fit", path, "--label", "y", "--loss", "poisson", "--out", tmp_path / "m", "--skip-bad-rows")
    assert "line 102: column 'y' is 'x'" in lemmalab(*arguments[:-1], code=2)  # read before labels are looked at
    places = [place.split(":")[0] for place in json.loads(lemmalab(*arguments, "--json"))["bad_places"]]
    assert sorted(places) == ["line 101", "line 102", "line 3001"]
    rows = np.column_stack([np.arange(3000) % 7, np.arange(3000) % 5]).astype(float)
    rows[[99, 2999], 1], rows[100, 1] = -1, np.nan
    np.save(tmp_path / "t.npy", rows)
    found = json.loads(lemmalab("fit", tmp_path / "t.npy", "--label", "1", *arguments[4:], "--json"))
    assert sorted(place.split(":")[0] for place in found["bad_places"]) == ["row 100", "row 2999", "row 99"]


def test_rows_sorted_by_class_are_called_so_in_one_line(tmp_path: Path) -> None:
    labels = np.where(np.sort(Z) > 0, "yes", "no")
    labels[:2] = "yes"
    out = lemmalab(
        "fit", table(tmp_path / "t.csv", labels), "--label", "y", "--out", tmp_path / "m", "--task", "classification"
    )
    assert re.search(r"^Warning: a whole page of rows has one class.*shuffle them first", out, re.MULTILINE)
    assert "warnings.warn" not in out


def test_the_model_does_not_depend_on_the_number_of_threads(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((60_000, 50))
    np.save(tmp_path / "t.npy", np.column_stack([rows, rows.sum(axis=1) + rng.standard_normal(60_000)]))
    models = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            lemmalab("fit", tmp_path / "t.npy", "--label", "50", "--out", tmp_path / "m")
        models.append(fitted(tmp_path))
    assert models[0] == models[1]


def test_weights_and_dropped_columns(tmp_path: Path) -> None:
    weights = np.arange(6000) % 3
    path = tmp_path / "t.csv"
    path.write_text("id,a,b,c,w,y\n" + lines_of([np.array([f"r{k}" for k in range(6000)]), *X.T, weights, Y]))
    lemmalab("fit", path, "--label", "y", "--weight", "w", "--drop", "id", "--out", tmp_path / "m")
    model = SADARegressor.load(tmp_path / "m.npz")
    assert np.array_equal(model.coef_, SADARegressor().partial_fit(X, Y, sample_weight=weights).coef_)
    out = lemmalab("predict", tmp_path / "m.json", path).splitlines()
    assert float(out[1]) == pytest.approx(model.predict(X[:1])[0])
    for weight in ("-1", "1e90"):
        path.write_text(f"a,w,y\n1,{weight},2\n3,1,4\n")
        assert "weight 'w' is negative or extreme" in lemmalab("fit", path, "--label", "y", "--weight", "w", code=2)


REFUSALS = [
    (("--label", "z"), "no column 'z'; there are: a, b, c, y"),
    (("--label", "y", "--drop", "y"), "cannot be dropped"),
    (("--label", "y", "--loss", "logistic", "--task", "regression"), "logistic is for classification"),
    (("--label", "y", "--ridge", "0"), "--ridge 0 must be positive"),
    (("--label", "y", "--quantile", "2"), "--quantile 2 must lie between 0 and 1"),
    (("--label", "y", "--loss", "poisson"), "labels are counts or rates"),
    (("--label", "y", "--drop", "a", "--drop", "b", "--drop", "c"), "no column is left to learn from"),
    (("--label", "y", "--delimiter", ";"), "fitting needs data and a label: give the --delimiter"),
]


@pytest.mark.parametrize(("arguments", "words"), REFUSALS)
def test_refusals_are_plain(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv")
    assert words in lemmalab("fit", path, *arguments, "--out", tmp_path / "m", code=2).replace("\n", " ")


def test_text_labels_hint_at_classification_and_one_class_is_named(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", np.full(6000, "yes"))
    out = lemmalab("fit", path, "--label", "y", "--out", tmp_path / "m", code=2)
    assert "column 'y' is 'yes', not a number" in out
    assert "or learn classes with --task classification" in out
    out = lemmalab("fit", path, "--label", "y", "--loss", "logistic", "--out", tmp_path / "m", code=2)
    assert "the first rows hold one class only, 'yes'; name all with --classes" in out


def test_predictions_find_their_columns_and_say_which_is_missing(tmp_path: Path) -> None:
    lemmalab("fit", table(tmp_path / "t.csv"), "--label", "y", "--out", tmp_path / "m")
    mixed = tmp_path / "mixed.csv"
    mixed.write_text("note,c,a,b\n" + lines_of([np.full(5, "x"), X[:5, 2], X[:5, 0], X[:5, 1]]))
    expected = SADARegressor.load(tmp_path / "m.npz").predict(X[:5])
    assert np.array(lemmalab("predict", tmp_path / "m.json", mixed).split()[1:], dtype=float) == pytest.approx(expected)
    bare = tmp_path / "bare.csv"
    bare.write_text(lines_of([*X[:5].T]))
    assert np.array(lemmalab("predict", tmp_path / "m.json", bare).split()[1:], dtype=float) == pytest.approx(expected)
    bare.write_text(lines_of([Y[:5], *X[:5].T]))  # a label in front would be taken for a column
    assert "give the 3 columns of the model and no other" in lemmalab("predict", tmp_path / "m.json", bare, code=2)
    mixed.write_text("a,b\n1,2\n")
    assert "has no column 'c'" in lemmalab("predict", tmp_path / "m.json", mixed, code=2)
    assert "leave --proba out" in lemmalab("predict", tmp_path / "m.json", bare, "--proba", code=2)
    assert "no such model" in lemmalab("predict", tmp_path / "none.json", bare, code=2)


def test_a_model_of_one_column_predicts_from_a_table_of_one_column(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + lines_of([X[:, 0], 2 * X[:, 0]]))
    lemmalab("fit", path, "--label", "y", "--out", tmp_path / "m")
    path.write_text("a\n1\n-3\n")
    found = np.array(lemmalab("predict", tmp_path / "m.json", path).split()[1:], dtype=float)
    assert found == pytest.approx([2, -6], abs=0.01)


def test_labels_whose_powers_overflow_are_bad_rows(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", np.where(np.arange(6000) == 4000, 1e90, Y))
    assert "line 4002: the label" in lemmalab("fit", path, "--label", "y", "--out", tmp_path / "m", code=2)
    assert "1 " in lemmalab("fit", path, "--label", "y", "--out", tmp_path / "m", "--skip-bad-rows")
    assert SADARegressor.load(tmp_path / "m.npz").n_samples_seen_ == 5999


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import numerics.estimators.fitting as fitting

    path = table(tmp_path / "t.csv")
    honest = fitting._learnt

    def meddling(*arguments: Any) -> Any:
        if not path.read_text().endswith("1,2,3,4\n"):
            path.write_text(path.read_text() + "1,2,3,4\n")
        return honest(*arguments)

    monkeypatch.setattr(fitting, "_learnt", meddling)
    assert "was changed while it was read" in lemmalab("fit", path, "--label", "y", "--out", tmp_path / "m", code=2)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """The peak of resident memory is the same for 10 MB and for 30 MB, up to a few blocks."""
    script = (
        "import sys; from reports.cli import main; main(sys.argv[1:], standalone_mode=False); "
        "print(next(l.split()[1] for l in open('/proc/self/status') if l.startswith('VmHWM')))"
    )
    block, peaks = lines_of([*X.T, Y]), []
    for copies in (40, 120):
        path = tmp_path / f"{copies}.csv"
        path.write_text(HEAD + block * copies)
        words = [sys.executable, "-c", script, "fit", path, "--label", "y", "--out", tmp_path / str(copies)]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout.split()[-1]))
    assert (tmp_path / "120.csv").stat().st_size > 30e6
    assert abs(peaks[1] - peaks[0]) < 15_000, "kilobytes; the rows alone would need twice that"


def test_an_interrupt_leaves_a_checkpoint_that_goes_on(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv")
    lemmalab("fit", path, "--label", "y", "--out", tmp_path / "whole")
    script = KILLED.replace(
        "text.READ = 20_000",
        "text.READ = 20_000\nimport time, numerics.estimators.fitting as f\n"
        "slow = f._learnt\ndef late(*a):\n    time.sleep(0.2)\n    return slow(*a)\nf._learnt = late\n"
        "print('ready', flush=True)",
    )
    words = [sys.executable, "-c", script, "99", "fit", str(path), "--label", "y", "--out", str(tmp_path / "m")]
    words[2] = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n{words[2]}"
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(2.0)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert "the same command with --resume goes on" in said
    lemmalab("fit", path, "--label", "y", "--out", tmp_path / "m", "--resume")
    assert fitted(tmp_path) == fitted(tmp_path, "whole")


def test_neither_scikit_learn_nor_pyarrow_is_needed(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv")
    script = (
        "import sys; sys.modules.update({name: None for name in ('sklearn', 'pyarrow', 'pyarrow.csv')}); "
        "from reports.cli import main; main(sys.argv[1:], standalone_mode=False)"
    )
    words = [sys.executable, "-c", script, "fit", path, "--label", "y", "--out", tmp_path / "bare"]
    subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True)
    lemmalab("fit", path, "--label", "y", "--out", tmp_path / "m")
    assert fitted(tmp_path, "bare") == fitted(tmp_path)


def test_a_named_pipe_is_read_like_a_pipe(tmp_path: Path) -> None:
    path, fifo = table(tmp_path / "t.csv"), tmp_path / "fifo"
    lemmalab("fit", path, "--label", "y", "--out", tmp_path / "m")
    os.mkfifo(fifo)
    with subprocess.Popen(["cp", str(path), str(fifo)]):
        lemmalab("fit", fifo, "--label", "y", "--out", tmp_path / "other")
    assert fitted(tmp_path, "other") == fitted(tmp_path)
    out = lemmalab("fit", "-", "--label", "y", "--out", tmp_path / "x", code=2, stdin=gzip.compress(path.read_bytes()))
    assert "standard input: is compressed; pipe it through zcat" in out
