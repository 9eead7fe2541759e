"""How much a proof may cost: counted in sequents, splits and degrees, so that results do not depend on the machine."""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass
class Fuel:
    """How many sequents may still be tried: shared by all branches of one proof."""

    left: int

    def burn(self) -> bool:
        self.left -= 1
        return self.left >= 0


@dataclass(frozen=True)
class Effort:
    """How much work a proof may cost; counted in splits and degrees, so that results do not depend on the machine."""

    splits: int = 2
    degree: int = 4
    heavy: bool = True
    patient: bool = False
    depth: int = 0
    fuel: Fuel = field(default_factory=lambda: Fuel(200), compare=False)

    def deeper(self) -> Effort:
        return replace(self, depth=self.depth + 1)


def quick() -> Effort:
    return Effort(splits=1, degree=2, heavy=False, fuel=Fuel(60))


def normal() -> Effort:
    return Effort(fuel=Fuel(300))


def hard() -> Effort:
    return Effort(splits=4, degree=6, patient=True, fuel=Fuel(3000))
