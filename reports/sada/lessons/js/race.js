// Lesson 9: recorded runs, replayed.
const indexAt = (race, n) => Math.max(0, race.sizes.filter((size) => size <= n).length - 1);
const valueAt = (race, method, i) => race.curves[method][i]?.value ?? NaN;
let playing = 0;

function curveOf(race, method, colour, last, strong) {
  const seen = race.curves[method].slice(0, last + 1).map((p, i) => [race.sizes[i], p]).filter(([, p]) => p);
  return {
    name: DATA.names[method], colour, marks: true, size: strong ? 3.5 : 2, faint: !strong, points: seen.map(([n, p]) => [n, p.value]),
    ...(strong ? { low: seen.map(([, p]) => p.low ?? p.value), high: seen.map(([, p]) => p.high ?? p.value) } : {}),
  };
}

begin(({ power, n, rival }) => {
  const race = DATA.races[power];
  const at = indexAt(race, n);
  const [own, other] = [valueAt(race, "sada", at), valueAt(race, rival, at)];
  const single = DATA.order.filter((m) => m !== "erm" && !Number.isNaN(valueAt(race, m, at)));
  tell("sada", own);
  tell("rivalrisk", other);
  tell("leader", DATA.names[single.reduce((best, m) => (valueAt(race, m, at) < valueAt(race, best, at) ? m : best))]);
  const best = race.sizes.map((size) => [size, race.asymptotic_optimum / size]);
  plot("race", {
    title: `Excess risk, κ = 10${raised(power)}`, height: 370,
    words: `Excess risk against samples up to ${race.sizes[at]} for ${DATA.order.length} methods; SADA is at ${show(own)}, ${DATA.names[rival]} at ${show(other)}.`,
    x: { label: "samples", log: true, range: [race.sizes[0], race.sizes.at(-1)] },
    y: { label: "excess risk", log: true, range: [race.asymptotic_optimum / race.sizes.at(-1) / 2, 2 * race.start] },
    series: [...DATA.order.map((m, i) => curveOf(race, m, i, at, m === "sada" || m === rival)), { name: "optimum", colour: 8, style: "dots", points: best }],
    levels: [{ value: race.target, label: "target" }],
  });
}, {
  play: ({ power }) => {
    clearInterval(playing);
    const { sizes } = DATA.races[power];
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) { put({ n: sizes.at(-1) }); return; }
    let i = 0;
    put({ n: sizes[0] });
    playing = setInterval(() => {
      i += 1;
      put({ n: sizes[i] });
      if (i === sizes.length - 1) clearInterval(playing);
    }, 350);
  },
}, ({ power, n, rival }) => {
  const race = DATA.races[power];
  const at = indexAt(race, n);
  return rival !== "erm" && valueAt(race, rival, at) < 0.9 * valueAt(race, "sada", at);
});
