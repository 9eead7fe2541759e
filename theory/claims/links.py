"""Links: what the paper derives and a check assumes. Nothing here is proved; each is a gap between two checks.

A draft names the links that its claim uses (`links=("some-link",)`), and whatever cites the claim inherits them:
"PROVED up to 3 links" means that the kernel proved the claim and that three derivations of the paper were done by hand.
What a link says stands in the paper's own links.toml; those that formulas show by themselves stand here.
"""

from __future__ import annotations

FINITE_MEAN = "finite-mean"
COMPUTED = {FINITE_MEAN: "E is a mean over a finite probability space; the paper speaks of every distribution"}


def computed(sources: tuple[str, ...]) -> tuple[str, ...]:
    """Links that the formulas themselves show."""
    return (FINITE_MEAN,) if any("mean(" in source for source in sources) else ()
