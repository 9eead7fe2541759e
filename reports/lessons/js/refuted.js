// Lesson 5: exact fractions of BigInt; nothing is rounded until it is drawn.
const LONGEST = 12;
const gcd = (a, b) => { let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]; while (y) [x, y] = [y, x % y]; return x; };
const frac = (n, d = 1n) => { const g = gcd(n, d) * (d < 0n ? -1n : 1n); return { n: n / g, d: d / g }; };
const add = (a, b) => frac(a.n * b.d + b.n * a.d, a.d * b.d);
const mul = (a, b) => frac(a.n * b.n, a.d * b.d);
const neg = (a) => ({ n: -a.n, d: a.d });
const less = (a, b) => a.n * b.d < b.n * a.d;
const size = (a) => (a.n < 0n ? neg(a) : a);
const words = (a) => (a.d === 1n ? String(a.n) : `${a.n}/${a.d}`);
/** The nearest number: the quotient with 40 more digits than a double has. */
const float = (a) => Number(`${(a.n * 10n ** 60n) / a.d}e-60`);
const sixteenth = (value) => frac(BigInt(Math.round(value * 16)), 16n);
const [ONE, TWO] = [frac(1n), frac(2n)];

function orbitOf(lam, eta, c, q) {
  const [u, b] = [add(ONE, neg(mul(eta, lam))), add(add(ONE, c), neg(mul(q, lam)))];
  const found = [[ONE, ONE]];
  for (let k = 0; k < LONGEST; k += 1) {
    const [x, y] = found[k];
    found.push([mul(u, y), add(neg(mul(c, x)), mul(b, y))]);
  }
  return found;
}

const square = (a) => mul(a, a);
const heatOf = (path, lam, eta, c, q) => {
  const bc = mul(mul(add(q, neg(eta)), lam), c);
  return path.map(([x, y]) => add(mul(bc, square(x)), square(add(y, neg(x)))));
};

function fill(path, heat) {
  const row = (cells, tag) => { const line = document.createElement("tr"); for (const text of cells) { const cell = document.createElement(tag); cell.textContent = text; if (tag === "th") cell.scope = "col"; line.append(cell); } return line; };
  const [table, head, body] = ["table", "thead", "tbody"].map((tag) => document.createElement(tag));
  head.append(row(["k", "x_k", "y_k", "energy"], "th"));
  body.append(...range(7, (k) => row([k, words(path[k][0]), words(path[k][1]), words(heat[k])], "td")));
  table.append(head, body);
  byId("orbit-table").replaceChildren(table);
}

begin((values) => {
  const [lam, eta, c, q] = ["lam", "eta", "c", "q"].map((name) => sixteenth(values[name]));
  const { k } = values;
  const path = orbitOf(lam, eta, c, q);
  const heat = heatOf(path, lam, eta, c, q);
  const x = path[k][0];
  const [small, ordered] = [less(mul(eta, lam), ONE), !less(q, eta)];
  const largest = path.map(([value]) => size(value)).reduce((a, b) => (less(a, b) ? b : a));
  const grew = range(LONGEST, (j) => j + 1).find((j) => less(heat[j - 1], heat[j]));
  const spoken = (truth) => (truth ? "holds" : "fails");
  tell("exact", words(x));
  tell("decimal", float(x));
  tell("largest", words(largest));
  tell("h1", spoken(small));
  tell("h2", spoken(ordered));
  tell("h3", spoken(!less(mul(add(ONE, c), eta), q)));
  tell("verdict", DATA.verdicts[small && ordered ? (less(TWO, size(x)) ? 0 : 1) : 2]);
  tell("energy", words(heat[k]));
  tell("grew", grew === undefined ? "never up to k = 12" : `at step ${grew}`);
  fill(path, heat);
  const points = path.map(([value], j) => [j, float(value)]);
  const top = clamp(1.1 * float(largest), 2.4, 40);
  plot("orbit", {
    title: "x_k", words: `The orbit; x at k = ${k} is ${words(x)}.`,
    x: { label: "k" }, y: { label: "x_k", range: [-top, top] },
    series: [{ name: "x_k", points, marks: true }, { name: `k = ${k}`, points: [points[k]], style: "points", size: 7 }],
    levels: [{ value: 2, label: "2" }, { value: -2, label: "-2" }, { value: 1, label: "1" }, { value: -1, label: "-1" }],
  });
}, {
  witness: () => put(DATA.witness),
  repair: ({ c, eta }) => put({ q: Math.floor((1 + c) * eta * 16) / 16 }),
});
