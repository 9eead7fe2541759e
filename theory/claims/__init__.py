"""What a claim is: statements of a paper, lemmas of your own, sympy in, the symbols of a paper."""
