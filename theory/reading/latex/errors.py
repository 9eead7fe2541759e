"""One kind of failure for everything that is wrong with a LaTeX source: place, value, remedy."""

from __future__ import annotations

from theory.claims.files import ProjectError


class LatexError(ProjectError):
    """A source that cannot be read. The message is one sentence with the file, the line and the remedy."""
