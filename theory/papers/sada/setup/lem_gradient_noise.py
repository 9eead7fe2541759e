r"""lem:gradient-noise: E (l'(a.x, b) - l'(a.x*, b))^2 |a|_{Sigma^-1}^2 <= 2 L_l alpha kt (F(x) - F(x*)).

True as printed; the same proof as lem:gradient-noise-I in the norm of Sigma^-1, with kt in the place of R^2.
"""

from theory.papers.sada.setup._noise import verification

STATEMENT = verification("lem:gradient-noise", "kt", "disp:534", "disp:539", "in the Sigma^-1-norm")
