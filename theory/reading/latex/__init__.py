"""LaTeX in and out: a paper's source as statements and displays, formulas read and printed in its notation."""
