// Lesson 2: the block of one eigendirection.
const SHOWN = 200;
const ETA = DATA.eta;

function critical({ c, q }, eta) {
  const [s, t] = [Math.sqrt(q - c * eta), Math.sqrt(Math.max(c * (q - eta), 0))];
  return [((1 - c) / (s + t)) ** 2, s > t ? ((1 - c) / (s - t)) ** 2 : Infinity];
}

/** Both roots of x^2 - trace x + det, as [re, im]. */
function roots(trace, det) {
  const discriminant = (trace * trace) / 4 - det;
  if (discriminant < 0) return [[trace / 2, -Math.sqrt(-discriminant)], [trace / 2, Math.sqrt(-discriminant)]];
  const far = trace / 2 + Math.sign(trace || 1) * Math.sqrt(discriminant);
  return [[far, 0], [far === 0 ? 0 : det / far, 0]].sort((a, b) => a[0] - b[0]);
}

function orbitOf({ c, q }, eta, lam, count) {
  let [x, y] = [1, 1];
  const found = [[0, 1]];
  for (let k = 1; k <= count; k += 1) {
    [x, y] = [(1 - eta * lam) * y, -c * x + (1 + c - q * lam) * y];
    found.push([k, x]);
  }
  return found;
}

const pace = (both) => {
  const radius = Math.max(...both.map(([re, im]) => Math.hypot(re, im)));
  return radius > 0 && radius < 1 ? -1 / Math.log(radius) : Infinity;
};
const plainPace = (lam) => -1 / Math.log1p(-ETA * lam);
const rootsAt = ({ c, q }, lam) => roots(1 + c - q * lam, c * (1 - ETA * lam));
const blockOf = ({ theta, ratio }) => numbersOf({ eta: ETA, theta, gamma: ETA * ratio });

begin((values) => {
  const { lam } = values;
  const block = blockOf(values);
  const [low, high] = critical(block, ETA);
  const both = rootsAt(block, lam);
  const path = orbitOf(block, ETA, lam, SHOWN);
  tell("regime", DATA.regimes[lam <= low ? 0 : lam < high ? 1 : 2]);
  tell("efold", pace(both));
  tell("plain", plainPace(lam));
  const turn = range(121, (i) => [Math.cos((i * Math.PI) / 60), Math.sin((i * Math.PI) / 60)]);
  const frame = [-1.15, 1.15];
  plot("circle", {
    title: "Eigenvalues of A", square: true, height: 320,
    words: `Eigenvalues of A in the complex plane: ${both.map(([re, im]) => `${show(re)}${im ? ` and ${show(im)} i` : ""}`).join("; ")}.`,
    x: { label: "real part", range: frame }, y: { label: "imaginary part", range: frame },
    series: [{ name: "eigenvalues", points: both, style: "points", size: 6 }, { name: "unit circle", points: turn, colour: 8 }],
  });
  const plain = range(SHOWN + 1, (k) => [k, (1 - ETA * lam) ** k]);
  const top = Math.max(1.2, Math.min(1.1 * Math.max(...path.map(([, x]) => Math.abs(x))), 1e6));
  plot("orbit", {
    title: "One eigendirection", words: "The first entry of A to the k times (1, 1), with and without momentum.", height: 320,
    x: { label: "steps k" }, y: { label: "xₖ", range: [-top, top] },
    series: [{ name: "with momentum", points: path }, { name: "without momentum", points: plain, style: "dash" }],
  });
}, {
  critical: (values) => put({ lam: critical(blockOf(values), ETA)[0] }),
}, (values) => pace(rootsAt(blockOf(values), values.lam)) > plainPace(values.lam));
