"""What a ledger was made with. Read from the installed metadata, so that nothing heavy is imported."""

from __future__ import annotations

from typing import Any

PACKAGES = {
    "lemmalab": "lemmalab",
    "flint": "python-flint",
    "sympy": "sympy",
    "numpy": "numpy",
    "scipy": "scipy",
    "hypothesis": "hypothesis",
    "z3": "z3-solver",
    "cvc5": "cvc5",
}


def version_of(distribution: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def versions() -> dict[str, str | None]:
    import platform

    found = {name: version_of(distribution) for name, distribution in PACKAGES.items()}
    return {**found, "python": platform.python_version()}


def header(title: str, seed: int, effort: str, stamped: bool = True) -> dict[str, Any]:
    """Without the stamp of the versions for what is shown and not kept."""
    body: dict[str, Any] = {"paper": title, "seed": seed, "effort": effort}
    return {**body, "versions": versions()} if stamped else body
