// Lesson 1: one inner loop in two dimensions, on the samples that Python drew.
const dot = (u, v) => u[0] * v[0] + u[1] * v[1];
const mix = (p, u, q, v) => [p * u[0] + q * v[0], p * u[1] + q * v[1]];
const excessOf = (point) => point.reduce((sum, value, i) => sum + (DATA.spectrum[i] * (value - DATA.target[i]) ** 2) / 2, 0);

/** Every x and z from the start on, every y before its step. */
function runOf(theta, gamma) {
  const [xs, zs, ys] = [[DATA.start], [DATA.start], []];
  DATA.a.forEach((a, t) => {
    const y = mix(1 / (1 + theta), xs[t], theta / (1 + theta), zs[t]);
    const slope = dot(a, y) - DATA.b[t];
    ys.push(y);
    xs.push(mix(1, y, -DATA.eta * slope, a));
    zs.push(mix(1, mix(theta, y, 1 - theta, zs[t]), -gamma * slope, a));
  });
  return [xs, zs, ys];
}

const ring = (level) => range(91, (i) => DATA.spectrum.map((s, k) => DATA.target[k] + Math.sqrt((2 * level) / s) * [Math.cos, Math.sin][k]((i * Math.PI) / 45)));

begin(({ lines, theta, gamma }) => {
  const [xs, zs, ys] = runOf(theta, gamma);
  const t = Math.ceil(lines / 3);
  const line = lines === 0 ? 0 : ((lines - 1) % 3) + 1;
  const before = Math.max(t - 1, 0);
  const [x, z] = [xs[line >= 2 ? t : before], zs[line >= 3 ? t : before]];
  tell("now", t === 0 ? DATA.lines[0] : `step ${t}, ${DATA.lines[line]}`);
  tell("riskx", excessOf(x));
  tell("riskz", excessOf(z));
  const move = (name, colour, from, to, on) => ({ name, colour, style: "arrow", points: on ? [from, to] : [] });
  plot("plane", {
    title: t === 0 ? "The start" : `Step ${t} of ${DATA.horizon}`, height: 345, words: `${t === 0 ? "" : `Step ${t}, `}${DATA.lines[line]}. Excess risk of x ${show(excessOf(x))}, of z ${show(excessOf(z))}.`,
    x: { label: "flat direction", range: [-2.4, 3.4] }, y: { label: "steep direction", range: [-1.6, 3] },
    series: [
      ...[0.02, 0.1, 0.3, 0.8].map((level) => ({ name: "", colour: 8, style: "dots", points: ring(level) })),
      { name: "", colour: 3, points: zs.slice(0, before + 1), faint: true }, { name: "", colour: 0, points: xs.slice(0, before + 1), faint: true },
      move("1: look ahead to y", 2, xs[before], ys[before], line >= 1), move("2: short step to x", 0, ys[before], xs[t], line >= 2),
      move("3: long step to z", 3, zs[before], zs[t], line >= 3),
      { name: "x", colour: 0, style: "points", size: 6, points: [x] }, { name: "z", colour: 3, style: "points", size: 6, points: [z] },
      { name: "minimiser", colour: 8, style: "points", size: 4, points: [DATA.target] },
    ],
  });
}, {
  sgd: () => put({ gamma: DATA.eta }),
  end: () => put({ lines: 3 * DATA.horizon }),
}, ({ theta, gamma }) => {
  const [xs] = runOf(theta, gamma);
  return excessOf(xs.at(-1)) > excessOf(xs[0]);
});
