"""How much work a prover may spend.

The counters (`terms`, `degree`, `rounds`, `boxes`, `rlimit`) decide what is tried: the same input and budget give the
same certificate on every machine. `seconds` is a soft limit that only ends a search which is already taking too long.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one search.

    seconds  processor time for the whole search, looked at between attempts: a busy machine changes nothing
    terms    unknowns in one linear program; a semidefinite one may have a quarter as many
    degree   largest total degree of an identity
    rounds   programs solved by one prover
    boxes    leaves of a subdivision
    bits     largest precision of a ball cover
    rlimit   resource units of an SMT solver (about a million to a second)
    """

    seconds: float = 20.0
    terms: int = 6_000
    degree: int = 12
    rounds: int = 24
    boxes: int = 2_000
    bits: int = 256
    rlimit: int = 20_000_000
    started: float = field(default_factory=time.process_time, compare=False)

    def __post_init__(self) -> None:
        for name in ("seconds", "terms", "degree", "rounds", "boxes", "bits", "rlimit"):
            value = getattr(self, name)
            if not value >= 0:
                raise ValueError(f"budget: {name} = {value} is negative; give a limit of at least 0")

    def deadline(self) -> float:
        """The instant on the process clock at which the search should end."""
        return self.started + self.seconds

    def left(self) -> float:
        return max(0.0, self.deadline() - time.process_time())

    def spent(self) -> bool:
        return time.process_time() >= self.deadline()

    def share(self, part: float) -> Budget:
        """A part of the time that is left, for one of several provers."""
        return replace(self, seconds=self.left() * part, started=time.process_time())
