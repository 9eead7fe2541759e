"""Formulas as MathML, made when the page is built: the paper's LaTeX and the kernel's own formulas. No script, no font
server. A command that is not known is refused by name; nothing is left out silently."""

from reports.mathml.diff import Marks, differences
from reports.mathml.formula import relation_mathml, text_mathml
from reports.mathml.tex import MathsError, tex_mathml

__all__ = ["Marks", "MathsError", "differences", "relation_mathml", "tex_mathml", "text_mathml"]
