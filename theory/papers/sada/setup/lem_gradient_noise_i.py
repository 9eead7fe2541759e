r"""lem:gradient-noise-I: E (l'(a.x, b) - l'(a.x*, b))^2 |a|^2 <= 2 L_l alpha R^2 (F(x) - F(x*)).

True as printed, for every dimension, distribution and loss of Assumption l-condition: the loss lies above its tangent
by mu_l t^2/2 with t = a.(x - x*), and E l'(a.x*, b) a = grad F(x*) = 0.
"""

from theory.papers.sada.setup._noise import verification

STATEMENT = verification("lem:gradient-noise-I", "R2", "disp:517", "disp:522", "in the 2-norm")
