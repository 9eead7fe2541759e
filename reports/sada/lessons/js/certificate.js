// Lesson 7: the two sides of the identity in the step of an induction.
const termsAt = (x, k, weights) => {
  const p = x ** k;
  return [1 - p * (1 + k * (1 - x)), p * (1 - x) ** 2, p * k * (1 - x) ** 2].map((term, i) => weights[i] * term);
};
const leftAt = (x, k) => 1 - x * x ** k * (1 + (k + 1) * (1 - x));
const total = (values) => values.reduce((a, b) => a + b, 0);

begin(({ x, k, kind }) => {
  const weights = DATA.weights[kind];
  const [left, right] = [leftAt(x, k), total(termsAt(x, k, weights))];
  tell("kernel", DATA.verdicts[kind]);
  tell("left", left);
  tell("right", right);
  const xs = range(101, (i) => i / 100);
  const rows = xs.map((at) => termsAt(at, k, weights));
  const heaps = rows.map((row) => range(4, (l) => total(row.slice(0, l))));
  plot("terms", {
    title: `The step from ${k} to ${k + 1}`, words: `At x = ${show(x)} the left side is ${show(left)} and the terms add up to ${show(right)}.`, height: 300,
    x: { label: "x" }, y: { label: "", range: [0, 1.25] },
    series: [
      ...["the bound at k", "p(1−x)²", "pk(1−x)²"].map((name, l) => ({ name, solid: true, colour: l, points: xs.map((at, i) => [at, heaps[i][l + 1]]), low: heaps.map((h) => h[l]), high: heaps.map((h) => h[l + 1]) })),
      { name: "to be shown ≥ 0", colour: 8, style: "dash", points: xs.map((at) => [at, leftAt(at, k)]) },
      { name: "", colour: 8, style: "points", size: 5, points: [[x, left]] },
    ],
    levels: [{ value: x, label: "", vertical: true }],
  });
}, {}, ({ x, k, kind }) => Math.abs(leftAt(x, k) - total(termsAt(x, k, DATA.weights[kind]))) >= 0.05);
