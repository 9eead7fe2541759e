"""Formulas as MathML, made when the page is built: LaTeX, and sentences with mathematics in them. No script, no font
server. A command that is not known is refused by name; nothing is left out silently."""
