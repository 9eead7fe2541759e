"""The report of the corpus."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator

from tests.corpus import CLASSES, Outcome, cases, judged


def row(kind: str, found: list[Outcome]) -> str:
    shares = []
    for truth in (True, False):
        own = [one for one in found if one.case.truth is truth]
        shares.append(f"{sum(one.settled for one in own)}/{len(own)}")
    wrong = sum(one.wrong for one in found)
    seconds = statistics.median(one.seconds for one in found)
    return f"{kind:12} proved {shares[0]:>7}  refuted {shares[1]:>7}  wrong {wrong}  median {seconds:.2f} s"


def beside_the_peers(every: list[Outcome]) -> Iterator[str]:
    """z3, cvc5 and we, on what all three can express."""
    from tests.corpus.peers import asked, expressible

    said = set(expressible(one.case for one in every))
    ours = [one for one in every if one.case in said]
    yield f"{len(said)} of {len(every)} can be said in real arithmetic"
    yield row("LemmaLab", ours)
    yield from (peer.row() for peer in asked(one.case for one in ours))


def main(words: list[str]) -> None:
    kinds = [word for word in words if word != "--peers"]
    every: list[Outcome] = []
    for kind in kinds or CLASSES:
        found = [judged(case) for case in cases(kind)]
        every += found
        print(row(kind, found), flush=True)
        for one in found:
            if not one.settled or one.seconds > 10:
                print(
                    f"    {one.verdict.name:10} {one.seconds:6.1f} s  {one.case.truth!s:5} {one.case.name}", flush=True
                )
    print(row("all", every))
    if "--peers" in words:
        for line in beside_the_peers(every):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
