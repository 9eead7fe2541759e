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
  const path = (points, more) => ({ name: "", style: "arrow", ...more, points });
  plot("plane", {
    title: t === 0 ? "The start" : `Step ${t} of ${DATA.horizon}`, height: 330, words: `${t === 0 ? "" : `Step ${t}, `}${DATA.lines[line]}. Excess risk of x ${show(excessOf(x))}, of z ${show(excessOf(z))}.`,
    x: { label: "flat direction", range: [-2.4, 3.4] }, y: { label: "steep direction", range: [-1.6, 3] },
    series: [
      ...[0.02, 0.1, 0.3, 0.8].map((level) => ({ name: "", colour: 8, style: "dots", points: ring(level) })),
      { name: "", colour: 3, points: [...zs.slice(0, before + 1), z], faint: true }, { name: "", colour: 0, points: [...xs.slice(0, before + 1), x], faint: true },
      { name: "x", colour: 0, style: "points", size: 6, points: [x] }, { name: "z", colour: 3, style: "points", size: 6, points: [z] },
      { name: "minimiser", colour: 8, style: "points", size: 4, points: [DATA.target] },
    ],
  });
  const [old, far, y, next, end] = [xs[before], zs[before], ys[before], xs[t], zs[t]];
  const pulled = mix(theta, y, 1 - theta, far);
  const around = (i) => {
    const all_ = [old, far, y, next, end].map((point) => point[i]);
    const [low, high] = [Math.min(...all_), Math.max(...all_)];
    const pad = 0.12 * (high - low) + 1e-3;
    return [low - pad, high + pad];
  };
  plot("close", {
    title: "The last step, enlarged", height: 330, words: `The three lines of ${t === 0 ? "the first step, none of which has run" : `step ${t}`}, enlarged.`,
    x: { label: "flat direction", range: around(0) }, y: { label: "steep direction", range: around(1) },
    series: [
      path([old, far], { style: "dots", colour: 8 }),
      path(line >= 1 ? [old, y] : [], { name: "line 1", colour: 2 }), path(line >= 2 ? [y, next] : [], { name: "line 2", colour: 0 }),
      path(line >= 3 ? [far, pulled, end] : [], { name: "line 3", colour: 3 }),
      path([line >= 2 ? next : old], { style: "points", colour: 0, size: 5 }), path([line >= 3 ? end : far], { style: "points", colour: 3, size: 5 }),
      path(line >= 1 ? [y] : [], { name: "y", style: "points", colour: 2, size: 5 }),
    ],
  });
}, {
  sgd: () => put({ gamma: DATA.eta }),
  end: () => put({ lines: 3 * DATA.horizon }),
}, ({ theta, gamma }) => {
  const [xs] = runOf(theta, gamma);
  return excessOf(xs.at(-1)) > excessOf(xs[0]);
});
