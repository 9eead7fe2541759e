// Lesson 1: the block of one eigendirection.
const SHOWN = 200;
const REGIMES = DATA.regimes;

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

begin(({ lam, eta, theta, ratio }) => {
  const block = numbersOf({ eta, theta, gamma: eta * ratio });
  const { c, q } = block;
  const [low, high] = critical(block, eta);
  const both = roots(1 + c - q * lam, c * (1 - eta * lam));
  const radius = Math.max(...both.map(([re, im]) => Math.hypot(re, im)));
  const path = orbitOf(block, eta, lam, SHOWN);
  const held = theta * ratio <= 1 && eta * lam <= 1 && ratio >= 1;
  tell("regime", REGIMES[lam <= low ? 0 : lam < high ? 1 : 2]);
  tell("c", c);
  tell("q", q);
  tell("low", low);
  tell("high", high);
  tell("re1", both[0][0]);
  tell("im1", Math.abs(both[0][1]));
  tell("re2", both[1][0]);
  tell("radius", radius);
  tell("efold", radius > 0 && radius < 1 ? -1 / Math.log(radius) : Infinity);
  tell("plain", eta * lam < 1 ? -1 / Math.log1p(-eta * lam) : 0);
  tell("largest", Math.max(...path.map(([, x]) => Math.abs(x))));
  tell("bound", held ? "|x_k| ≤ 1 is proved here" : "no bound is proved here: θγ > η");
  const turn = range(121, (i) => [Math.cos((i * Math.PI) / 60), Math.sin((i * Math.PI) / 60)]);
  const frame = [-1.15, 1.15];
  plot("circle", {
    title: "Eigenvalues of A", square: true,
    words: `Eigenvalues of A in the complex plane; spectral radius ${show(radius)}.`,
    x: { label: "real part", range: frame }, y: { label: "imaginary part", range: frame },
    series: [{ name: "eigenvalues", points: both, style: "points", size: 6 }, { name: "unit circle", points: turn, colour: 8 }],
  });
  const plain = range(SHOWN + 1, (k) => [k, (1 - eta * lam) ** k]);
  const top = Math.max(2.2, Math.min(1.1 * Math.max(...path.map(([, x]) => Math.abs(x))), 1e6));
  plot("orbit", {
    title: "One eigendirection", words: "The first entry of A to the k times (1, 1), with and without momentum, and the bounds 1 and 2.",
    x: { label: "steps k" }, y: { label: "x_k", range: [-top, top] },
    series: [{ name: "with momentum", points: path }, { name: "without momentum", points: plain, style: "dash" }],
    levels: [{ value: 1, label: "proved: 1" }, { value: -1, label: "" }, { value: 2, label: "printed: 2" }, { value: -2, label: "" }],
  });
}, {
  critical: ({ eta, theta, ratio }) => put({ lam: critical(numbersOf({ eta, theta, gamma: eta * ratio }), eta)[0] }),
});
