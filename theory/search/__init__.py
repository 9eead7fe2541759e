"""Refutation: untrusted search for exact witnesses, which the kernel confirms."""

from theory.search.engine import search
from theory.search.result import GLANCE, HARD, NORMAL, QUICK, Effort, SearchResult
from theory.search.score import ratio
from theory.search.sharpen import Bracket, sharpen

__all__ = ["GLANCE", "HARD", "NORMAL", "QUICK", "Bracket", "Effort", "SearchResult", "ratio", "search", "sharpen"]
