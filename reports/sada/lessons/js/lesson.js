// Shared by the lessons: controls with state in the address, numbers, exercises, pictures. The mathematics of a lesson is
// in its own file. Without scripts the page keeps its text, its numbers at the start and its pictures.
const NS = "http://www.w3.org/2000/svg";
const range = (n, f = (i) => i) => Array.from({ length: n }, (_, i) => f(i));
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const geometric = (low, high, n) => range(n, (i) => low * (high / low) ** (i / (n - 1)));

const raised = (power) => [...String(power)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)])).join("");

/** Four digits, as people write them; the whole number is in data-value. */
function show(value) {
  if (typeof value === "string") return value;
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (value === 0 || (Number.isInteger(value) && size < 1e7)) return String(value).replace("-", "−");
  if (size >= 1e-3 && size < 1e6) return String(Number(value.toPrecision(4))).replace("-", "−");
  const [mantissa, exponent] = value.toExponential(3).split("e");
  const front = Number(mantissa) === 1 ? "" : `${String(Number(mantissa)).replace("-", "−")}·`;
  return `${front}10${raised(Number(exponent))}`;
}

/** Put a number (or words) where the page has an <output> with this name. */
function tell(name, value) {
  const place = byId(`out-${name}`);
  place.textContent = show(value);
  place.dataset.value = String(value);
}

// --- controls -------------------------------------------------------------------------------------------------------
const lesson = { values: {}, draw: () => {}, broken: () => false };
const controls = new Map(DATA.controls.map((control) => [control.name, control]));

/** What a control allows; anything else is the start. */
function allowed(control, text) {
  if (control.options) return control.options.includes(text) ? text : control.start;
  const value = Number(text);
  if (text === "" || !Number.isFinite(value)) return control.start;
  const inside = clamp(value, control.low, control.high);
  return control.whole ? Math.round(inside / control.step) * control.step : inside;
}
const position = (control, value) => (control.log ? Math.log10(value) : value);
function fromPosition(control, at) {
  const value = control.log ? Number((10 ** at).toPrecision(4)) : at;
  return allowed(control, String(value));
}

/** Where the slider was moved to; a whole number moves by one step at least. */
function moved(control, at) {
  const [before, after] = [lesson.values[control.name], fromPosition(control, at)];
  if (!control.whole || after !== before) return after;
  return allowed(control, String(before + Math.sign(at - position(control, before)) * control.step));
}

function place(control) {
  const input = byId(`in-${control.name}`);
  const value = lesson.values[control.name];
  input.value = control.options ? value : position(control, value);
  if (control.options) return;
  byId(`val-${control.name}`).textContent = show(value);
  input.setAttribute("aria-valuetext", show(value));
}

/** Change some values, remember them in the address and draw again. */
function put(changes) {
  for (const [name, value] of Object.entries(changes)) {
    const control = controls.get(name);
    lesson.values[name] = control.options ? value : allowed(control, String(value));
    place(control);
  }
  const away = [...controls.values()].filter((c) => lesson.values[c.name] !== c.start);
  remember(new Map(away.map((c) => [c.name, String(lesson.values[c.name])])));
  lesson.draw(lesson.values);
}
const reset = () => put(Object.fromEntries([...controls.values()].map((c) => [c.name, c.start])));

function fromAddress() {
  const told = state();
  for (const control of controls.values()) {
    lesson.values[control.name] = told.has(control.name) ? allowed(control, told.get(control.name)) : control.start;
    place(control);
  }
  lesson.draw(lesson.values);
}

/** What is wider than its box can be scrolled by key; what is not is no stop for Tab. */
function stops() {
  for (const box of all(".scroll")) {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

/** The lesson begins: `draw(values)` shows everything, `actions` are what the buttons do, `broken(values)` is what the last
 * exercise asks for. */
function begin(draw, actions = {}, broken = () => false) {
  Object.assign(lesson, { draw, broken });
  for (const control of controls.values()) {
    const input = byId(`in-${control.name}`);
    input.addEventListener("input", () => {
      put({ [control.name]: control.options ? input.value : moved(control, Number(input.value)) });
    });
  }
  byId("reset").addEventListener("click", reset);
  for (const [name, act] of Object.entries(actions)) byId(`do-${name}`).addEventListener("click", () => act(lesson.values));
  addEventListener("hashchange", () => { if (location.hash.includes("=")) fromAddress(); });
  addEventListener("keydown", (event) => {
    const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) && event.target.type !== "range";
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "r") reset();
    const way = { n: "next", p: "previous" }[event.key];
    if (way && byId(way)) byId(way).click();
  });
  let wide = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== wide) { wide = innerWidth; lesson.draw(lesson.values); stops(); } });
  fromAddress();
  stops();
  addEventListener("toggle", stops, true);
}

// --- pictures -------------------------------------------------------------------------------------------------------
function make(tag, attributes, ...children) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function axis(spec, values, start, end) {
  const log = Boolean(spec.log);
  const usable = values.filter((v) => Number.isFinite(v) && (!log || v > 0));
  let [low, high] = spec.range ?? [Math.min(...usable), Math.max(...usable)];
  if (!(low < high)) [low, high] = log ? [(low || 1) / 2, (low || 1) * 2] : [(low || 0) - 1, (low || 0) + 1];
  if (!spec.range) {
    const pad = log ? (high / low) ** 0.05 : (high - low) * 0.05;
    [low, high] = log ? [low / pad, high * pad] : [spec.zero ? Math.min(low, 0) : low - pad, high + pad];
  }
  const scale = log ? Math.log10 : (v) => v;
  const at = (v) => start + clamp((scale(v) - scale(low)) / (scale(high) - scale(low)), -5, 6) * (end - start);
  return { low, high, log, start, end, at, ok: (v) => Number.isFinite(v) && (!log || v > 0) };
}

function ticks({ low, high, log }, most) {
  if (log) {
    const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    if (last - first >= 2) {
      const step = Math.max(1, Math.ceil((last - first) / most));
      return range(Math.floor((last - first) / step) + 1, (i) => [10 ** (first + i * step), `10${raised(first + i * step)}`]);
    }
    const fine = range(last - first + 3, (i) => first - 1 + i).flatMap((k) => [1, 2, 5].map((m) => m * 10 ** k));
    return fine.filter((v) => v >= low && v <= high).map((v) => [v, String(Number(v.toPrecision(3)))]);
  }
  const raw = (high - low) / most;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((m) => m * unit >= raw * (1 - 1e-9)) * unit;
  const first = Math.ceil(low / step - 1e-9);
  const label = (v) => (Math.abs(v) < 1e-9 * step ? "0" : String(Number(v.toPrecision(6))).replace("-", "−"));
  return range(Math.floor(high / step + 1e-9) - first + 1, (i) => (first + i) * step).map((v) => [v, label(v)]);
}

/** Circle, square, triangle or diamond, so that nobody needs the colour. */
function marker(shape, colour, x, y, r) {
  const to = (...points) => points.map(([a, b]) => `${(x + a * r).toFixed(1)},${(y + b * r).toFixed(1)}`).join(" ");
  if (shape % 4 === 0) return make("circle", { class: `dot ${colour}`, cx: x.toFixed(1), cy: y.toFixed(1), r });
  const outline = [to([-1, -1], [1, -1], [1, 1], [-1, 1]), to([0, -1.3], [1.2, 0.9], [-1.2, 0.9]), to([0, -1.4], [1.4, 0], [0, 1.4], [-1.4, 0])];
  return make("polygon", { class: `dot ${colour}`, points: outline[(shape % 4) - 1] });
}

/** The head of an arrow; none when it is too short to have a direction. */
function head(colour, [fromX, fromY], [toX, toY]) {
  const length = Math.hypot(toX - fromX, toY - fromY);
  const [u, v] = length < 1e-9 ? [0, 0] : [(toX - fromX) / length, (toY - fromY) / length];
  const size = Math.min(9, length);
  const corners = [[toX, toY], [toX - size * (u + 0.5 * v), toY - size * (v - 0.5 * u)], [toX - size * (u - 0.5 * v), toY - size * (v + 0.5 * u)]];
  return make("polygon", { class: `dot ${colour}`, points: corners.map((c) => c.map((n) => n.toFixed(1)).join(",")).join(" ") });
}

const DASHES = { dash: "7 4", dots: "2 4" };

function curve(series, position, x, y) {
  const colour = `c${series.colour ?? position}`;
  const fine = ([a, b]) => x.ok(a) && y.ok(b);
  const text = (points) => points.map(([a, b]) => `${x.at(a).toFixed(1)},${y.at(b).toFixed(1)}`).join(" ");
  const parts = [];
  if (series.low) {
    const rows = series.points.map(([a], i) => [a, series.low[i], series.high[i]]).filter((r) => r.every((v) => y.ok(v) || v === r[0]));
    const outline = [...rows.map(([a, , h]) => [a, h]), ...rows.map(([a, l]) => [a, l]).reverse()];
    parts.push(make("polygon", { class: `band ${colour}${series.solid ? " solid" : ""}`, points: text(outline) }));
  }
  if (series.style !== "points") {
    let piece = [];
    for (const point of [...series.points, [NaN, NaN]]) {
      if (fine(point)) piece.push(point);
      else if (piece.length) {
        const dash = DASHES[series.style] ? { "stroke-dasharray": DASHES[series.style] } : {};
        parts.push(make("polyline", { class: `curve ${colour}${series.faint ? " faint" : ""}`, points: text(piece), ...dash }));
        if (series.style === "arrow" && piece.length > 1) parts.push(head(colour, ...piece.slice(-2).map(([a, b]) => [x.at(a), y.at(b)])));
        piece = [];
      }
    }
  }
  if (series.style === "points" || series.marks) {
    for (const [a, b] of series.points.filter(fine)) {
      parts.push(marker(series.style === "points" ? 0 : position, colour, x.at(a), y.at(b), series.size ?? 3.5));
    }
  }
  return parts;
}

/** A picture in the place of the one that the page came with, as wide as the page allows. */
function plot(id, spec) {
  const home = byId(id);
  const width = clamp(home.clientWidth || 720, 280, 860);
  const named = spec.series.filter((s) => s.name);
  const rows = [[]];
  for (const series of named) {
    const used = rows.at(-1).reduce((sum, s) => sum + s.name.length * 6.6 + 46, 0);
    if (rows.at(-1).length && used + series.name.length * 6.6 + 46 > width - 20) rows.push([]);
    rows.at(-1).push(series);
  }
  const crowded = home.closest(".pair-of-figures") && matchMedia("(min-width:44.01rem) and (max-width:74.99rem)").matches;
  const tall = crowded ? 205 : Math.min(spec.height ?? 300, 0.8 * width); // two figures, one above the other, in one window
  const inner = spec.square ? Math.min(width - 70, tall) : tall;
  const [left, right] = [58, spec.square ? 58 + inner : width - 14];
  const [top, bottom] = [34, 34 + inner];
  const height = bottom + 44 + 18 * (named.length ? rows.length : 0);
  const xs = spec.series.filter((s) => s.scales !== false).flatMap((s) => s.points.map((p) => p[0]));
  const ys = spec.series.filter((s) => s.scales !== false).flatMap((s) => [...s.points.map((p) => p[1]), ...(s.low ?? []), ...(s.high ?? [])]);
  const x = axis({ ...spec.x, range: spec.x.range ?? (xs.length ? [Math.min(...xs), Math.max(...xs)] : undefined) }, xs, left, right);
  const y = axis(spec.y, ys, bottom, top);
  const svg = make("svg", { class: "figure-svg live", role: "img", viewBox: `0 0 ${width} ${height}`, width, height, "aria-label": spec.words });
  svg.append(make("rect", { class: "paper", width, height }), make("text", { class: "title", x: left, y: 20 }, spec.title));
  for (const [value, label] of ticks(x, width < 480 ? 4 : 7)) {
    const at = x.at(value).toFixed(1);
    svg.append(make("line", { class: "grid", x1: at, x2: at, y1: top, y2: bottom }), make("text", { x: at, y: bottom + 16, "text-anchor": "middle" }, label));
  }
  for (const [value, label] of ticks(y, 6)) {
    const at = y.at(value);
    svg.append(make("line", { class: "grid", x1: left, x2: right, y1: at.toFixed(1), y2: at.toFixed(1) }), make("text", { x: left - 6, y: (at + 4).toFixed(1), "text-anchor": "end" }, label));
  }
  svg.append(make("path", { class: "axis", d: `M${left} ${top}V${bottom}H${right}` }));
  svg.append(make("text", { x: (left + right) / 2, y: bottom + 34, "text-anchor": "middle" }, spec.x.label));
  const middle = (top + bottom) / 2;
  svg.append(make("text", { x: 13, y: middle, "text-anchor": "middle", transform: `rotate(-90 13 ${middle})` }, spec.y.label));
  const window_ = make("svg", { x: left, y: top, width: right - left, height: bottom - top, viewBox: `${left} ${top} ${right - left} ${bottom - top}`, overflow: "hidden" });
  spec.series.forEach((series, i) => window_.append(...curve(series, i, x, y)));
  svg.append(window_);
  const told = [];
  const named_ = []; // [row, from, to] of the labels of upright lines: none lies on another, none leaves the picture
  for (const { value, label, vertical } of spec.levels ?? []) {
    const line = vertical ? x : y;
    if (!line.ok(value) || value < line.low || value > line.high) continue;
    const at = line.at(value).toFixed(1);
    svg.append(make("line", vertical ? { class: "level", x1: at, x2: at, y1: top, y2: bottom } : { class: "level", x1: left, x2: right, y1: at, y2: at }));
    if (vertical) {
      const long = 6.8 * label.length;
      const back = Number(at) + 4 + long > right;
      const from = back ? Number(at) - 4 - long : Number(at) + 4;
      let row = 0;
      while (named_.some(([r, a, b]) => r === row && from < b && a < from + long)) row += 1;
      named_.push([row, from, from + long]);
      svg.append(make("text", { x: back ? Number(at) - 4 : from, y: top + 12 + 14 * row, ...(back ? { "text-anchor": "end" } : {}) }, label));
      continue;
    }
    if (told.some((other) => Math.abs(other - at) < 12)) continue;
    if (label) told.push(Number(at));
    svg.append(make("text", { x: right - 4, y: Number(at) - 4, "text-anchor": "end" }, label));
  }
  rows.forEach((row, r) => {
    let at = 10;
    for (const series of row) {
      const colour = `c${series.colour ?? spec.series.indexOf(series)}`;
      const y0 = bottom + 52 + 18 * r;
      if (series.solid) svg.append(make("rect", { class: `band ${colour} solid`, x: at, y: y0 - 9, width: 22, height: 10 }));
      else if (series.style === "points") svg.append(make("circle", { class: `dot ${colour}`, cx: at + 11, cy: y0 - 4, r: 4 }));
      else svg.append(make("line", { class: `curve ${colour}`, x1: at, x2: at + 22, y1: y0 - 4, y2: y0 - 4, ...(DASHES[series.style] ? { "stroke-dasharray": DASHES[series.style] } : {}) }));
      if (series.marks) svg.append(marker(spec.series.indexOf(series), colour, at + 11, y0 - 4, 4));
      svg.append(make("text", { x: at + 27, y: y0 }, series.name));
      at += series.name.length * 6.6 + 46;
    }
  });
  home.replaceChildren(svg);
}

// --- exact fractions --------------------------------------------------------------------------------------------------
const gcd = (a, b) => { let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]; while (y) [x, y] = [y, x % y]; return x; };
const frac = (n, d = 1n) => { const g = gcd(n, d) * (d < 0n ? -1n : 1n); return { n: n / g, d: d / g }; };
const add = (a, b) => frac(a.n * b.d + b.n * a.d, a.d * b.d);
const mul = (a, b) => frac(a.n * b.n, a.d * b.d);
const neg = (a) => ({ n: -a.n, d: a.d });
const less = (a, b) => a.n * b.d < b.n * a.d;
const size = (a) => (a.n < 0n ? neg(a) : a);
const spell = (a) => (a.d === 1n ? String(a.n) : `${a.n}/${a.d}`);
/** As a number, from sixty decimals. */
const near = (a) => Number(`${(a.n * 10n ** 60n) / a.d}e-60`);
const [ONE, TWO] = [frac(1n), frac(2n)];

// --- the inner loop, one eigendirection at a time, in the coordinates (y, v = z - y) that lose no digits ---------------
const chosen = (mu, kt, eta) => ({ eta, theta: Math.sqrt((mu * eta) / kt) / 4, gamma: Math.sqrt(eta / (kt * mu)) / 4 });
function numbersOf({ eta, theta, gamma }) {
  return { c: (1 - theta) / (1 + theta), q: (eta + theta * gamma) / (1 + theta), rho: (gamma - eta) / (1 + theta) };
}
/** What one step does to (E y^2, E y v, E v^2) of a direction, with gradient noise of second moment `noise`. */
function flow(lam, steps) {
  const { c, q, rho } = numbersOf(steps);
  const [a, b, e] = [1 - q * lam, c * steps.theta, -rho * lam];
  return ([p, u, w], noise) => [
    a * a * p + 2 * a * b * u + b * b * w + q * q * noise,
    a * e * p + (a * c + b * e) * u + b * c * w + q * rho * noise,
    e * e * p + 2 * e * c * u + c * c * w + rho * rho * noise,
  ];
}
/** Pi_infinity(lambda)_22 for unit noise, the paper's closed form. */
function stationary(lam, steps) {
  const { eta } = steps;
  const { c, q } = numbersOf(steps);
  const top = (1 + c) * (q - c * eta) + c * eta * (q + c * eta) * lam;
  return top / ((2 + 2 * c - (q + c * eta) * lam) * (1 - c + c * eta * lam) * lam);
}
/** Gaussian data with eigenvalues 1/kappa ... 1: the tight constants of the fourth-moment assumptions. */
function gaussian(d, kappa, share) {
  const lam = d > 1 ? range(d, (i) => (1 / kappa) * kappa ** (i / (d - 1))) : [1];
  const [mu, r2, kt] = [Math.min(...lam), lam.reduce((x, y) => x + y, 0) + 2 * Math.max(...lam), d + 2];
  return { lam, mu, r2, kt, steps: chosen(mu, kt, share / (16 * r2)) };
}
/** (M - M~)(X) on the diagonal, for Gaussian data: lam_i^2 p_i + lam_i tr(Sigma X). */
function excess(lam, p) {
  const trace = lam.reduce((sum, l, i) => sum + l * p[i], 0);
  return lam.map((l, i) => l * l * p[i] + l * trace);
}
/** E x^2 from the same moments: x = y - theta v. */
const xMoment = ([p, u, w], theta) => p - 2 * theta * u + theta * theta * w;
