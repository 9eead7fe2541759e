"""The compiled reader of CSV lines: the doubles that Python reads, text and quotes, and odd lines by their places."""

from __future__ import annotations

import random
import struct
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest

from numerics.errors import StreamError
from numerics.streams.lines import read_lines
from numerics.streams.source import Wanted
from numerics.streams.text import CsvSource


def numbers(rng: random.Random) -> list[str]:
    """Texts that are hard to round: 17 digits, many more, wide exponents, middles of two doubles and near them."""
    with localcontext() as context:
        context.prec = 60
        middle = Decimal((rng.getrandbits(52) | 1 << 52) * 2 + 1) / 2 ** rng.randint(1, 8)
        near = middle + Decimal(10) ** rng.randint(-25, -3)
    return [
        repr(rng.gauss(0, 1) * 10.0 ** rng.randint(-20, 20)),
        repr(struct.unpack("d", rng.randbytes(8))[0]),
        f"{rng.getrandbits(64)}e{rng.randint(-90, 40)}",
        f"{rng.uniform(-1, 1):.{rng.randint(0, 40)}f}",
        str(rng.randint(-(10**25), 10**25)),
        str(middle),
        str(near),
        rng.choice(["0", "-0", "+3", "1.", " 2 ", ".5", "-.5e-3", "1E+05", '"7.25"', '" 8 "', "00012.50", "1e0005"]),
    ]


def test_numbers_are_the_doubles_that_python_reads() -> None:
    rng = random.Random(7)
    written = [text for _ in range(4000) for text in numbers(rng)]
    found = read_lines("\n".join(written).encode(), ",", 1, None, frozenset())
    odd = set(found.odd[:, 0].tolist())
    assert len(found.rows) == len(written)
    for i, (text, (value,)) in enumerate(zip(written, found.rows.tolist(), strict=True)):
        truth = float(text.strip().strip('"'))
        if i not in odd:
            assert struct.pack("d", value) == struct.pack("d", truth), text
        elif abs(truth) <= 1e100 and not 0 < abs(truth) < 1e-280:
            assert len(text) > 18, f"{text} is plain"  # cut off between two doubles


def test_odd_lines_are_told_by_their_places_and_the_others_are_read() -> None:
    lines = [
        b"1,x,2",
        b"",
        b" \t",
        b"oops,y,3",
        b'"4" , "a ""quoted"" b",5',
        b'6,"p,q", 7 ',
        b"8,z",
        b"9,,1",
        b"1,u,nan",
    ]
    found = read_lines(b"\r\n".join(lines), ",", 3, 1, frozenset())
    assert [found.rows[i].tolist() for i in (0, 3)] == [[1.0, 0.0, 2.0], [6.0, 0.0, 7.0]]
    assert found.text is not None
    assert [str(found.text[i]) for i in (0, 3)] == ["x", "p,q"]
    starts = np.cumsum([0, *(len(line) + 2 for line in lines)])
    assert found.odd.tolist()[:2] == [[1, starts[3], starts[4]], [2, starts[4], starts[5]]]
    assert found.odd[:, 0].tolist() == [1, 2, 4, 5, 6]


def test_text_of_any_language_and_quotes_within_quotes_are_classes(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('x,k\n1,Köln\n2,"say ""hi"""\n3,京都\n')
    block = next(iter(CsvSource(path).blocks(0, Wanted(text=1))))
    assert block.text is not None
    assert block.text.tolist() == ["Köln", 'say "hi"', "京都"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (f"x,k\n1,{'a' * 300}\n", "line 2: column 'k' has 300 characters, a class at most 256"),
        (f'x,k\n1,"{"a" * 200_000}\n', "line 2: cannot be split into fields"),
        ("x,k\n1,a\n2,\0\n3\n", "line 4: 1 fields, expected 2"),
    ],
)
def test_fields_that_are_no_class_are_named(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content)
    with pytest.raises(StreamError, match=words):
        list(CsvSource(path).blocks(0, Wanted(text=1)))


@pytest.mark.parametrize("given", ["||", "é", "5", "-", "\n", '"'])
def test_a_delimiter_is_one_character_that_is_no_part_of_a_number(tmp_path: Path, given: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x\ty\n1\t2\n")
    with pytest.raises(StreamError, match="must be one character that is no part of a number"):
        CsvSource(path, delimiter=given)
    assert CsvSource(path, delimiter=r"\t").names == ["x", "y"]


def test_underscores_make_no_number_and_the_complaint_says_so(tmp_path: Path) -> None:
    """Python reads 1_0 as ten; the complaint was that 10 is beyond 1e+100."""
    path = tmp_path / "t.csv"
    path.write_text("a,y\n1,2\n1_0,3\n")
    with pytest.raises(StreamError, match="line 3: column 'a' is '1_0', not a number"):
        list(CsvSource(path).blocks(0, Wanted()))
