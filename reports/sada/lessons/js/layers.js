// Lesson 4: layers of the noise for Gaussian data, direction by direction.
const DEPTH = 3;

/** E|y|^2_Sigma of layers 0..3 and of the rest, at every time in `times` (ascending). */
function layersAt({ lam, steps }, times) {
  const moves = lam.map((l) => flow(l, steps));
  let states = range(DEPTH + 2, () => lam.map(() => [0, 0, 0]));
  let t = 0;
  const energy = (layer) => layer.reduce((sum, s, i) => sum + lam[i] * s[0], 0);
  return times.map((time) => {
    for (; t < time; t += 1) {
      const below = states.map((layer) => excess(lam, layer.map((s) => s[0])));
      states = states.map((layer, l) => layer.map((s, i) => {
        const driven = l === 0 ? lam[i] : l <= DEPTH ? below[l - 1][i] : below[DEPTH][i] + below[DEPTH + 1][i];
        return moves[i](s, driven);
      }));
    }
    return states.map(energy);
  });
}

/** sigma^(l)/sigma^(l-1) of the stationary layers. */
function limits({ lam, steps }) {
  const sigma = [];
  let noise = lam;
  for (let l = 0; l <= DEPTH; l += 1) {
    const p = lam.map((x, i) => stationary(x, steps) * noise[i]);
    sigma.push(p.reduce((sum, value, i) => sum + lam[i] * value, 0));
    noise = excess(lam, p);
  }
  return range(DEPTH, (l) => sigma[l + 1] / sigma[l]);
}

begin(({ d, kappa, share, t }) => {
  const design = gaussian(d, kappa, share);
  const times = [...new Set(range(101, (i) => Math.max(1, Math.round((i * t) / 100))))];
  const rows = layersAt(design, times);
  const now = rows.at(-1);
  const total = now.reduce((x, y) => x + y, 0);
  const factor = limits(design);
  tell("share0", now[0] / total);
  tell("f1", factor[0]);
  tell("slack", 1 / 15 / factor[0]);
  const heaps = rows.map((row) => range(4, (l) => row.slice(0, l).reduce((x, y) => x + y, 0)));
  plot("stack", {
    title: "Layers of the noise, stacked", height: 320, words: `Layers stacked over time; layer 0 holds ${show(now[0] / total)} of the whole.`,
    x: { label: "steps t" }, y: { label: "E yᵀΣy", zero: true },
    series: range(3, (l) => ({
      name: `layer ${l}`, solid: true, points: times.map((x, i) => [x, heaps[i][l + 1]]),
      low: heaps.map((h) => h[l]), high: heaps.map((h) => h[l + 1]),
    })),
  });
  plot("factors", {
    title: "Factor between layers", height: 320, words: "Each layer over the one below, against the printed factor 1/2 and our 1/15.",
    x: { label: "steps t" }, y: { label: "factor", log: true, range: [1e-3, 1] },
    series: range(3, (l) => ({ name: `layer ${l + 1} over layer ${l}`, points: times.map((x, i) => [x, rows[i][l + 1] / rows[i][l]]) })),
    levels: [{ value: 1 / 2, label: "printed: 1/2" }, { value: 1 / 15, label: "ours: 1/15" }],
  });
}, {}, ({ d, kappa, share }) => limits(gaussian(d, kappa, share))[0] > 1 / 35);
