// Lesson 5: bias and variance of the tail average for Gaussian data in four dimensions.
const DIM = 4;
const even = (t) => Math.max(2, 2 * Math.ceil(t / 2));

/** E|mean of x over T/2 < t <= T|^2_Sigma and E|x_T|^2_Sigma, for noise Sigma from rest or for a start without noise. */
function run({ lam, steps }, horizon, start, noisy) {
  const { eta, theta } = steps;
  const { c, q, rho } = numbersOf(steps);
  const moves = lam.map((l) => flow(l, steps));
  let states = lam.map((_, i) => [start[i] ** 2, 0, 0]);
  // s is the running sum of x over the tail: E s y, E s v, E s^2, direction by direction
  let sums = lam.map(() => [0, 0, 0]);
  for (let t = 1; t <= horizon; t += 1) {
    const driven = excess(lam, states.map((s) => s[0]));
    const next = states.map((s, i) => moves[i](s, driven[i] + (noisy ? lam[i] : 0)));
    if (t > horizon / 2) {
      sums = sums.map(([sy, sv, ss], i) => {
        const [p, u, w] = next[i];
        const l = lam[i];
        return [
          (1 - q * l) * sy + c * theta * sv + p - theta * u,
          c * sv - rho * l * sy + u - theta * w,
          ss + 2 * (1 - eta * l) * sy + xMoment(next[i], theta),
        ];
      });
    }
    states = next;
  }
  const weigh = (values) => values.reduce((sum, value, i) => sum + lam[i] * value, 0);
  return [(4 / horizon ** 2) * weigh(sums.map((s) => s[2])), weigh(states.map((s) => xMoment(s, theta)))];
}

const kept = new Map();
/** [variance, bias, late variance, late bias] at T, remembered for one kappa. */
function parts(kappa, horizon) {
  const key = `${kappa} ${horizon}`;
  if (kept.size > 4000) kept.clear();
  if (!kept.has(key)) {
    const design = gaussian(DIM, kappa, 1);
    const rest = design.lam.map(() => 0);
    const [variance, late] = run(design, horizon, rest, true);
    const [bias, stays] = run(design, horizon, design.lam.map((l) => 1 / Math.sqrt(DIM * l)), false);
    kept.set(key, [variance, bias, late, stays]);
  }
  return kept.get(key);
}

function rules(kappa, last) {
  const { mu, kt, steps } = gaussian(DIM, kappa, 1);
  const printed = Math.sqrt(kt / (mu * steps.eta)) * Math.log(kappa) * Math.log(4 / last ** 2);
  const repaired = (2 / steps.theta) * Math.log((6 * kappa) / last ** 2);
  return [steps.theta, even(printed), even(repaired)];
}

const NOISE = 0.01;
const missed = (kappa, last) => parts(kappa, rules(kappa, last)[1])[1] / (last ** 2 / 4);

begin(({ kappa, t, last }) => {
  const [, printed, repaired] = rules(kappa, last);
  const [variance, bias, late, stays] = parts(kappa, t);
  tell("total", NOISE * variance + bias);
  tell("single", NOISE * late + stays);
  tell("missed", missed(kappa, last));
  const times = [...new Set(geometric(2, 30000, 28).map(even))];
  const rows = times.map((time) => [time, ...parts(kappa, time)]);
  const line = (name, value, style) => ({ name, style, points: rows.map((row) => [row[0], value(row)]) });
  plot("risk", {
    title: "Risk of the tail average", words: `Risk against T: the tail average has ${show(NOISE * variance + bias)} at T = ${t}, the last iterate ${show(NOISE * late + stays)}.`, height: 385,
    x: { label: "steps T", log: true }, y: { label: "risk", log: true, range: [1e-8, 10] },
    series: [
      line("variance", (r) => NOISE * r[1]), line("bias", (r) => r[2]), line("tail average", (r) => NOISE * r[1] + r[2]),
      line("last iterate", (r) => NOISE * r[3] + r[4], "dash"), { name: "now", points: [[t, NOISE * variance + bias]], style: "points", colour: 2, size: 6 },
    ],
    levels: [
      { value: printed, label: "T printed", vertical: true }, { value: repaired, label: "T repaired", vertical: true },
      { value: last ** 2 / 4, label: "bias allowed" },
    ],
  });
}, {}, ({ kappa, last }) => missed(kappa, last) > 1);
