r"""lem:gradient-noise-I: E (l'(a.x, b) - l'(a.x*, b))^2 |a|^2 <= 2 L_l alpha R^2 (F(x) - F(x*)).

True as printed, for every distribution and every loss of Assumption l-condition. Modelled exactly: t = a.(x - x*),
l'(a.x) - l'(a.x*) = k t with mu_l <= k <= L_l (k is the mean of l'' along the segment), n = |a|^2, and the loss gap
lies above its tangent by mu_l t^2/2, where E l'(a.x*, b) t = <grad F(x*), x - x*> = 0.
"""

from theory.papers.sada.setup._noise import verification

STATEMENT = verification("lem:gradient-noise-I", "R2", "disp:517", "disp:522", "in the 2-norm")
