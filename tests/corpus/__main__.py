"""The report of the corpus."""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator

from tests import corpus
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


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus", description=corpus.__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("kinds", nargs="*", metavar="class", help=f"all without one: {', '.join(CLASSES)}")
    parser.add_argument("--peers", action="store_true", help="ask z3 and cvc5 as well")
    chosen = parser.parse_args(words)
    strange = sorted(set(chosen.kinds) - set(CLASSES))
    if strange:
        parser.error(f"{strange[0]} is no class; choose among {', '.join(CLASSES)}")
    every: list[Outcome] = []
    for kind in chosen.kinds or CLASSES:
        found = [judged(case) for case in cases(kind)]
        every += found
        print(row(kind, found), flush=True)
        for one in found:
            if not one.settled or one.seconds > 10:
                print(
                    f"    {one.verdict.name:10} {one.seconds:6.1f} s  {one.case.truth!s:5} {one.case.name}", flush=True
                )
    print(row("all", every))
    if chosen.peers:
        for line in beside_the_peers(every):
            print(line, flush=True)


if __name__ == "__main__":
    main()
