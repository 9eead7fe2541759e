// Lesson 10: the constant of the theorem as a product of exact fractions.
const parse = (text) => { const [n, d = "1"] = text.split("/"); return frac(BigInt(n), BigInt(d)); };
const over = (a, b) => frac(a.n * b.d, a.d * b.n);
const same = (a, b) => a.n === b.n && a.d === b.d;
/** As `bound` of theory/reading/numbers.py: whole, or rounded up to four digits. */
function atLeast({ n, d }) {
  if (d === 1n) return String(n);
  const places = Math.max(0, 3 - Math.floor(Math.log10(near({ n, d }))));
  const scaled = (n * 10n ** BigInt(places) + d - 1n) / d;
  const text = String(scaled).padStart(places + 1, "0");
  return places ? `${text.slice(0, -places)}.${text.slice(-places)}`.replace(/\.?0+$/, "") : text;
}
const NAMES = ["s", "c", "w", "A", "g"];
const valueOf = (column, name) => parse(DATA.columns[column][name]);

function product(choice) {
  const factors = NAMES.map((name) => valueOf(choice[name], name));
  return factors.reduce(mul);
}

function kindOf(choice) {
  const fits = (column) => NAMES.every((name) => same(valueOf(choice[name], name), valueOf(column, name)));
  return DATA.words[Object.keys(DATA.words).find((column) => column !== "mixed" && fits(column)) ?? "mixed"];
}

/** Bars from before to after on a logarithmic axis, the constants that are sharper now marked, and the product. */
function cascade(choice) {
  const home = byId("cascade");
  const width = clamp(home.clientWidth || 720, 280, 860);
  const [left, right, line] = [width < 480 ? 96 : 150, width - (width < 480 ? 92 : 130), width < 480 ? 34 : 56];
  const sharp = new Set(Object.entries(choice).filter(([, column]) => column === "sharper").map(([name]) => DATA.symbols[name]));
  const ends = DATA.drops.flatMap((d) => [near(parse(d.before)), near(parse(d.after))]).map(Math.log10);
  const [low, high] = [Math.min(...ends) - 0.1, Math.max(...ends) + 0.1];
  const at = (value) => left + ((Math.log10(value) - low) / (high - low)) * (right - left);
  const bottom = 10 + line * DATA.drops.length;
  const height = bottom + 44;
  const told = DATA.drops.map((d) => `${d.symbol}: ${atLeast(parse(d.before))} to ${atLeast(parse(d.after))}`).join("; ");
  const svg = make("svg", { class: "chart-svg live", role: "img", viewBox: `0 0 ${width} ${height}`, width, height, "aria-label": `Waterfall. ${told}. Your product is ${atLeast(product(choice))}.` });
  svg.append(make("rect", { class: "paper", width, height }));
  const marks = [2000, 5000, 10000, 20000, 50000, 100000].filter((v) => width >= 480 || v === 2000 || v === 10000 || v === 50000);
  for (const mark of marks) {
    const x = at(mark).toFixed(1);
    svg.append(make("line", { class: "grid", x1: x, x2: x, y1: 4, y2: bottom }), make("text", { class: "small", x, y: bottom + 14, "text-anchor": "middle" }, String(mark)));
  }
  const [value, place] = [atLeast(product(choice)), at(near(product(choice)))];
  const back = place > width - 120;
  svg.append(make("line", { class: "limit", x1: place.toFixed(1), x2: place.toFixed(1), y1: 2, y2: height - 14 }));
  svg.append(make("text", { x: (place + (back ? -4 : 4)).toFixed(1), y: height - 4, ...(back ? { "text-anchor": "end" } : {}) }, `yours: ${value}`));
  DATA.drops.forEach((d, i) => {
    const [before, after] = [near(parse(d.before)), near(parse(d.after))];
    const [start, end] = [Math.min(at(before), at(after)), Math.max(at(before), at(after))];
    const y = 10 + line * i;
    const factor = after > before ? `×${show(Number((after / before).toPrecision(3)))}` : `÷${show(Number((before / after).toPrecision(3)))}`;
    if (sharp.has(d.symbol)) svg.append(make("rect", { class: "none soft", x: 0, y: y - 5, width, height: line - 2 }));
    svg.append(make("text", { x: 4, y: y + 15 }, `${d.symbol}: ${d.old} → ${d.new}`));
    svg.append(make("rect", { class: `${after > before ? "bad" : "good"} soft`, x: start.toFixed(1), y, width: Math.max(end - start, 2).toFixed(1), height: 20 }));
    svg.append(make("text", { x: (end + 6).toFixed(1), y: y + 15 }, `${factor}, ${atLeast(parse(d.after))}`));
  });
  home.replaceChildren(svg);
}

begin((values) => {
  const value = product(values);
  tell("kind", kindOf(values));
  tell("exact", spell(value));
  tell("value", atLeast(value));
  cascade(values);
}, Object.fromEntries(["printed", "implied", "sharper"].map((column) => [column, () => put(Object.fromEntries(NAMES.map((name) => [name, column])))])), (values) => {
  const changed = NAMES.filter((name) => values[name] !== "implied");
  return changed.length === 1 && values[changed[0]] === "sharper" && near(product(values)) < near(product(Object.fromEntries(NAMES.map((name) => [name, "printed"]))));
});
