// Lesson 5: exact fractions of BigInt; nothing is rounded until it is drawn.
const LONGEST = 12;
const sixteenth = (value) => frac(BigInt(Math.round(value * 16)), 16n);

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
  body.append(...range(7, (k) => row([k, spell(path[k][0]), spell(path[k][1]), spell(heat[k])], "td")));
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
  tell("exact", spell(x));
  tell("decimal", near(x));
  tell("largest", spell(largest));
  tell("h1", spoken(small));
  tell("h2", spoken(ordered));
  tell("h3", spoken(!less(mul(add(ONE, c), eta), q)));
  tell("verdict", DATA.verdicts[small && ordered ? (less(TWO, size(x)) ? 0 : 1) : 2]);
  tell("energy", spell(heat[k]));
  tell("grew", grew === undefined ? "never up to k = 12" : `at step ${grew}`);
  fill(path, heat);
  const points = path.map(([value], j) => [j, near(value)]);
  const top = clamp(1.1 * near(largest), 2.4, 40);
  plot("orbit", {
    title: "x_k", words: `The orbit; x at k = ${k} is ${spell(x)}.`,
    x: { label: "k" }, y: { label: "x_k", range: [-top, top] },
    series: [{ name: "x_k", points, marks: true }, { name: `k = ${k}`, points: [points[k]], style: "points", size: 7 }],
    levels: [{ value: 2, label: "2" }, { value: -2, label: "-2" }, { value: 1, label: "1" }, { value: -1, label: "-1" }],
  });
}, {
  witness: () => put(DATA.witness),
  repair: ({ c, eta }) => put({ q: Math.floor((1 + c) * eta * 16) / 16 }),
});
