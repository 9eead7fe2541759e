// Lesson 3: the core dynamics of one direction, by iteration and in closed form.
const MU = 0.01;
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

const levelOf = ({ eta, kt, spread }) => (MU * spread) ** 2 * stationary(MU * spread, chosen(MU, kt, eta));

begin((values) => {
  const { t, eta, kt, spread } = values;
  const lam = MU * spread;
  const steps = chosen(MU, kt, eta);
  const [top, proved] = [levelOf(values), limit(kt, eta, lam, 30, 8 / 15)];
  const times = [...new Set([...geometric(1, 20000, 90).map(Math.round), t])].sort((a, b) => a - b);
  const rows = heights(lam, steps, times);
  const now = rows.find(([time]) => time === t)[1];
  tell("now", now);
  tell("level", top);
  tell("ratio", proved / top);
  plot("climb", {
    title: "One direction fills up", words: `The noise is ${show(now)} after ${t} steps; its level is ${show(top)}.`, height: 380,
    x: { label: "steps t", log: true }, y: { label: "λΠₜ,₂₂", log: true, range: [Math.min(rows[0][1], top / 100) / 2, 3 * limit(kt, eta, lam, 4, 4)] },
    series: [{ name: "after t steps", points: rows }, { name: "now", points: [[t, now]], style: "points", colour: 1, size: 6 }],
    levels: [{ value: top, label: "level" }, { value: proved, label: "proved: 1/(30κ̃) + 8ηλ/15" }, { value: limit(kt, eta, lam, 4, 4), label: "printed: 1/(4κ̃) + 4ηλ" }],
  });
}, {}, (values) => levelOf(values) > limit(values.kt, values.eta, MU * values.spread, 40, 1 / 2));
