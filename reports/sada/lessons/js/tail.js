// Lesson 4: bias and variance of the tail average for Gaussian data in four dimensions.
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
  const repaired = 2 * (Math.log((32 * kappa) / (3 * last ** 2)) / -Math.log1p(-steps.theta) - 1);
  return [steps.theta, even(printed), even(repaired)];
}

begin(({ kappa, t, noise, last }) => {
  const [theta, printed, repaired] = rules(kappa, last);
  const [variance, bias, late, stays] = parts(kappa, t);
  tell("theta", theta);
  tell("variance", noise * variance);
  tell("bias", bias);
  tell("total", noise * variance + bias);
  tell("single", noise * late + stays);
  tell("gain", (noise * late + stays) / (noise * variance + bias));
  tell("limit", (2 * DIM * noise) / t);
  tell("printed", printed);
  tell("repaired", repaired);
  tell("needed", (3 * last ** 2) / 16);
  tell("atprinted", parts(kappa, printed)[1]);
  tell("atrepaired", parts(kappa, repaired)[1]);
  const times = [...new Set(geometric(2, 30000, 28).map(even))];
  const rows = times.map((time) => [time, ...parts(kappa, time)]);
  const line = (name, value, style) => ({ name, style, points: rows.map((row) => [row[0], value(row)]) });
  plot("risk", {
    title: "Risk of the tail average", words: "Variance, bias and risk of the tail average against T, and the risk of the last iterate.",
    x: { label: "steps T", log: true }, y: { label: "risk", log: true, range: [1e-8, 10] },
    series: [
      line("variance", (r) => noise * r[1]), line("bias", (r) => r[2]), line("tail average", (r) => noise * r[1] + r[2]),
      line("last iterate", (r) => noise * r[3] + r[4], "dash"),
    ],
    levels: [
      { value: printed, label: "T printed", vertical: true }, { value: repaired, label: "T repaired", vertical: true },
      { value: (3 * last ** 2) / 16, label: "bias that is needed" },
    ],
  });
});
