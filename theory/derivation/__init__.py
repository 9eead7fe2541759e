"""Derivations: objects of a paper re-derived by sympy, compared with print by the kernel. This room knows no paper.

value      what a derivation is; sympy expressions and texts, no verdict
language   sympy -> the language of claims
tex        a printed fragment of LaTeX -> the language of claims
compare    derived == printed, and "derived solves what it came from", as claims; the kernel decides
opinion    a third opinion: the derived formula beside the recursion itself, in 50 digits
store      the derived texts in a generated file, so that nobody imports sympy to read a claim
render     steps for the terminal, as LaTeX and as JSON
"""
