// Lesson 8: the outer loop on F(x) = q x^2/2, with two energies.
const WEIGHTS = { printed: (alpha) => 1 / (3 * alpha), repaired: (alpha, theta) => (1 + theta / 12) / (4 * alpha) };

const energy = (weight, q, theta, x, gap) => (q * x * x) / 2 + weight * (x + (1 / theta - 1) * gap) ** 2;

/** One step of the printed algorithm: the new x and the step that led there. */
function advance({ alpha, theta, q }, x, gap) {
  const y = x + ((1 - theta) / (1 + theta)) * gap;
  const next = y * (1 - 2 * alpha * theta * theta * q);
  return [next, next - x];
}

function run(kind, { alpha, theta, q, gap }, steps = DATA.steps) {
  const weight = WEIGHTS[kind](alpha, theta);
  let [x, last] = [1, gap];
  const found = [energy(weight, q, theta, x, last)];
  for (let k = 0; k < steps; k += 1) {
    [x, last] = advance({ alpha, theta, q }, x, last);
    found.push(energy(weight, q, theta, x, last));
  }
  return found;
}

/** The largest E_1/E_0 over states (x, theta u): the larger root of det(after - r before) = 0, and the gap it has. */
function worst(kind, { alpha, theta, q }) {
  const weight = WEIGHTS[kind](alpha, theta);
  const form = (of) => {
    const [a, b, both] = [of(1, 0), of(0, theta), of(1, theta)];
    return [a, (both - a - b) / 2, b];
  };
  const [a, b, d] = form((x, gap) => energy(weight, q, theta, x, gap));
  const [p, r, s] = form((x, gap) => energy(weight, q, theta, ...advance({ alpha, theta, q }, x, gap)));
  const [two, one_, zero] = [a * d - b * b, -(p * d + s * a - 2 * r * b), p * s - r * r];
  const ratio = (-one_ + Math.sqrt(Math.max(one_ * one_ - 4 * two * zero, 0))) / (2 * two);
  const [m, n] = [r - ratio * b, s - ratio * d];
  const gap = Math.abs(n) > Math.abs(m) ? (-m / n) * theta : (-(p - ratio * a) / m) * theta;
  return [ratio, gap];
}

const withTheta = (values) => ({ ...values, theta: values.share / Math.sqrt(12 * values.alpha) });

const inside = ({ q, alpha }) => q * alpha >= 1 - 1e-12;

begin((told) => {
  const values = withTheta(told);
  const { theta } = values;
  const [printed, repaired] = [run("printed", values), run("repaired", values)];
  tell("hypotheses", DATA.words[inside(values) ? 0 : 1]);
  tell("ratio", printed[1] / printed[0]);
  tell("repratio", repaired[1] / repaired[0]);
  const relative = (run_) => run_.map((value, k) => [k, value / run_[0]]);
  const curve_ = relative(printed);
  plot("energy", {
    title: "Energy over its start", words: `Both energies along the same run; the printed one is multiplied by ${show(printed[1] / printed[0])} in the first step.`, height: 340,
    x: { label: "step k" }, y: { label: "Eₖ/E₀" },
    series: [
      { name: "printed weight", points: curve_ }, { name: "it grows", style: "points", size: 3, points: curve_.filter(([, e], k) => k > 0 && e > curve_[k - 1][1]) },
      { name: "repaired weight", points: relative(repaired) },
      { name: "claimed: (1 − θ/2)ᵏ", points: printed.map((_, k) => [k, (1 - theta / 2) ** k]), style: "dash", colour: 8 },
    ],
  });
}, {
  witness: () => put(DATA.witness),
  worst: (values) => put({ gap: clamp(worst("printed", withTheta(values))[1], -1, 1) }),
}, (values) => {
  const [before, after] = run("printed", withTheta(values), 1);
  return inside(values) && values.alpha <= 1000 && after > before;
});
