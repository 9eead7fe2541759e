// Lesson 6: exact fractions of BigInt; nothing is rounded until it is drawn.
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
  head.append(row(["k", "xₖ", "yₖ", "energy"], "th"));
  body.append(...range(7, (k) => row([k, ...[...path[k], heat[k]].map((value) => spell(value).replace("-", "−"))], "td")));
  table.append(head, body);
  byId("orbit-table").replaceChildren(table);
}

function judgedAt({ lam, eta, c, q, k }) {
  const [l, e, d, r] = [lam, eta, c, q].map(sixteenth);
  const path = orbitOf(l, e, d, r);
  const fair = less(mul(e, l), ONE) && !less(r, e);
  return { path, heat: heatOf(path, l, e, d, r), verdict: fair ? (less(TWO, size(path[k][0])) ? 0 : 1) : 2, kept: !less(mul(add(ONE, d), e), r) };
}

begin((values) => {
  const { k } = values;
  const { path, heat, verdict, kept } = judgedAt(values);
  const x = path[k][0];
  const largest = path.map(([value]) => size(value)).reduce((a, b) => (less(a, b) ? b : a));
  tell("verdict", DATA.verdicts[verdict]);
  tell("exact", spell(x));
  tell("h3", DATA.spoken[kept ? 0 : 1]);
  fill(path, heat);
  const points = path.map(([value], j) => [j, near(value)]);
  const top = clamp(1.1 * near(largest), 2.4, 40);
  plot("orbit", {
    title: "The first entry", words: `The orbit; x at k = ${k} is ${spell(x)}.`, height: 340,
    x: { label: "k" }, y: { label: "xₖ", range: [-top, top] },
    series: [{ name: "xₖ", points, marks: true }, { name: `k = ${k}`, points: [points[k]], style: "points", size: 7 }],
    levels: [{ value: 2, label: "printed: at most 2" }, { value: -2, label: "" }, { value: 1, label: "repaired: at most 1" }, { value: -1, label: "" }],
  });
}, {
  witness: () => put(DATA.witness),
  repair: ({ c, eta }) => put({ q: Math.floor((1 + c) * eta * 16) / 16 }),
}, (values) => judgedAt(values).verdict === 0 && values.q <= 2);
