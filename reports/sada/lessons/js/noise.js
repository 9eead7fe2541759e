// Lesson 2: the core dynamics of one direction, by iteration and in closed form.
const LIMITS = [["1/30, 8/15", 30, 8 / 15], ["1/16, 1", 16, 1], ["printed: 1/4, 4", 4, 4]];
const limit = (kt, eta, lam, first, second) => 1 / (first * kt) + second * eta * lam;

/** lam Pi_t,22 for noise lam at every time in `times` (ascending). */
function heights(lam, steps, times) {
  const step = flow(lam, steps);
  let [state, t] = [[0, 0, 0], 0];
  return times.map((time) => {
    for (; t < time; t += 1) state = step(state, lam);
    return [time, lam * state[0]];
  });
}

function firstAbove(lam, steps, goal) {
  const step = flow(lam, steps);
  let [state, t] = [[0, 0, 0], 0];
  while (lam * state[0] < goal && t < 1e7) { state = step(state, lam); t += 1; }
  return t;
}

begin(({ eta, kt, mu, spread, t }) => {
  const lam = mu * spread;
  const steps = chosen(mu, kt, eta);
  const top = lam * lam * stationary(lam, steps);
  const now = heights(lam, steps, [t])[0][1];
  const ninety = firstAbove(lam, steps, 0.9 * top);
  tell("lam", lam);
  tell("theta", steps.theta);
  tell("gamma", steps.gamma);
  tell("now", now);
  tell("level", top);
  tell("share", now / top);
  tell("ninety", ninety);
  tell("printed", limit(kt, eta, lam, 4, 4));
  tell("sharper", limit(kt, eta, lam, 16, 1));
  tell("sharpest", limit(kt, eta, lam, 30, 8 / 15));
  tell("ratio", top / limit(kt, eta, lam, 30, 8 / 15));
  const last = Math.max(4 * ninety, t);
  const times = [...new Set(range(161, (i) => Math.round((i * last) / 160)))];
  plot("climb", {
    title: "One direction fills up", words: `The noise level by iteration against its limit ${show(top)}.`,
    x: { label: "steps t" }, y: { label: "λ² Π_t,22", zero: true },
    series: [{ name: "iteration", points: heights(lam, steps, times) }, { name: "", points: [[t, now]], style: "points", colour: 1, size: 5 }],
    levels: [{ value: top, label: "closed form" }, { value: t, label: "t", vertical: true }],
  });
  const curvatures = geometric(mu, 1, 60);
  plot("levels", {
    title: "The level", words: "The level against the curvature, below the three bounds.",
    x: { label: "curvature λ", log: true }, y: { label: "λ² Π_22", log: true },
    series: [
      { name: "level", points: curvatures.map((l) => [l, l * l * stationary(l, steps)]) },
      ...LIMITS.map(([name, a, b]) => ({ name, style: "dash", points: curvatures.map((l) => [l, limit(kt, eta, l, a, b)]) })),
    ],
    levels: [{ value: lam, label: "this direction", vertical: true }],
  });
});
