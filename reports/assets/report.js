// The report's own part: search, focus in the graph, the map's panel. The page is whole without it.
const GREEK = {
  α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "eps", ϵ: "eps", ζ: "zeta", η: "eta", θ: "theta", κ: "kappa",
  λ: "lambda", μ: "mu", π: "pi", ρ: "rho", σ: "sigma", τ: "tau", φ: "phi", ϕ: "phi", ψ: "psi", ω: "omega", Σ: "sigma",
  Π: "pi", Ω: "omega", ℓ: "l", ξ: "xi",
};
/** Formulas and what people type for them, in one spelling: κ̃, \tilde\kappa and "kappa" meet, so do 𝐇⁻¹ and H^-1. */
const plain = (text) => text.normalize("NFKD").toLowerCase()
  .replace(/\\(left|right|tilde|mathbf|boldsymbol|operatorname|mathrm|frac)/g, "").replace(/\\leq/g, "≤").replace(/\\geq/g, "≥")
  .replace(/<=/g, "≤").replace(/>=/g, "≥").replace(/[−–]/g, "-")
  .replace(/[^\x00-\x7f]/g, (sign) => GREEK[sign] ?? GREEK[sign.toUpperCase()] ?? (/[≤≥√∑]/.test(sign) ? sign : ""))
  .replace(/[\s\\{}_^~*·]/g, "");

/** Rows or articles that match the words and the choices; the count is told to everyone. */
function filtering(items, controls, matches, counter, noun) {
  const apply = () => {
    let shown = 0;
    for (const item of items) {
      const fits = matches(item);
      item.hidden = !fits;
      shown += fits;
    }
    counter.textContent = shown === items.length ? `${items.length} ${noun}` : `${shown} of ${items.length} ${noun}`;
  };
  controls.forEach((control) => control.addEventListener("input", apply));
  apply();
}

const texts = new Map();
/** The words and formulas of an element, read when they are first looked for. */
function textOf(item) {
  if (!texts.has(item)) texts.set(item, plain(item.textContent));
  return texts.get(item);
}
const has = (item, query) => query.trim() === "" || query.trim().split(/\s+/).every((word) => textOf(item).includes(plain(word))) || textOf(item).includes(plain(query));

const statements = all("details.statement[data-status]");
filtering(statements, [byId("find"), byId("by-status")], (item) =>
  has(item, byId("find").value) &&
  (!byId("by-status").value || item.dataset.status === byId("by-status").value), byId("found"), "statements");
byId("open-all").addEventListener("click", () => statements.forEach((item) => { if (!item.hidden) item.open = true; }));
byId("close-all").addEventListener("click", () => statements.forEach((item) => { item.open = false; }));

const nodes = all(".graph-svg .node");
const edges = all(".graph-svg .edge");
const nodeOf = new Map(nodes.map((node) => [node.dataset.id, node]));
function focusOn(id, scroll = true) {
  const known = DATA.graph[id];
  const kept = known ? new Set([id, ...known.up, ...known.down]) : null;
  nodes.forEach((node) => {
    node.classList.toggle("dim", kept !== null && !kept.has(node.dataset.id));
    node.classList.toggle("focus", node.dataset.id === id);
    node.setAttribute("tabindex", node.dataset.id === (known ? id : nodes[0].dataset.id) ? "0" : "-1");
  });
  edges.forEach((edge) => {
    const inside = kept !== null && kept.has(edge.dataset.from) && kept.has(edge.dataset.to);
    edge.classList.toggle("dim", kept !== null && !inside);
    edge.classList.toggle("lit", inside);
  });
  byId("focus").value = known ? id : "";
  const words = byId("focus-words");
  words.replaceChildren();
  if (known) {
    const link = document.createElement("a");
    link.href = `#${known.anchor}`;
    link.textContent = id;
    words.append(link, `, ${known.title}: ${known.status}. Rests on ${known.up.length}, carries ${known.down.length} statements.`);
    if (scroll) nodeOf.get(id).scrollIntoView({ block: "nearest", inline: "center" });
  }
  remember(new Map([["graph", known ? id : ""]]));
}
/** Up and down along the edges, left and right along the row. */
function neighbour(node, key) {
  const { above, below } = DATA.graph[node.dataset.id];
  if (key === "ArrowUp" || key === "ArrowDown") return nodeOf.get((key === "ArrowUp" ? above : below)[0]);
  const at = (one) => one.querySelector("rect");
  const place = (one, name) => Number(at(one).getAttribute(name));
  const row = nodes.filter((one) => place(one, "y") === place(node, "y")).sort((a, b) => place(a, "x") - place(b, "x"));
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  return step ? row[(row.indexOf(node) + step + row.length) % row.length] : undefined;
}
nodes.forEach((node) => {
  node.addEventListener("click", (event) => { event.preventDefault(); focusOn(node.dataset.id, false); });
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.stopPropagation();
      event.preventDefault();
      location.hash = `#${DATA.graph[node.dataset.id].anchor}`;
      return;
    }
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const next = neighbour(node, event.key);
    if (next) { focusOn(next.dataset.id); next.focus(); }
  });
});
byId("focus").addEventListener("change", () => focusOn(byId("focus").value));
byId("unfocus").addEventListener("click", () => focusOn(""));
all(".focus-link").forEach((link) => link.addEventListener("click", (event) => {
  event.preventDefault();
  byId("graph").scrollIntoView();
  focusOn(link.dataset.focus);
}));
function fromAddress() {
  const id = state().get("graph");
  if (id) { byId("graph").scrollIntoView(); focusOn(id); }
}
addEventListener("hashchange", fromAddress);
fromAddress();

// The panel has a place and a height of its own: nothing moves when it is filled.
const panel = byId("map-panel");
const cells = all(".map .cell");
function tell(cell) {
  if (panel.dataset.of === cell.dataset.display) return;
  panel.dataset.of = cell.dataset.display;
  const display = byId(cell.dataset.display);
  const words = document.createElement("p");
  words.textContent = cell.getAttribute("aria-label");
  panel.replaceChildren(words);
  const printed = display && one(".printed", display);
  if (printed) panel.append(printed.cloneNode(true));
}
function enter(position) {
  const next = cells[position];
  if (!next) return;
  cells.forEach((cell) => { cell.tabIndex = cell === next ? 0 : -1; });
  next.focus();
}
cells.forEach((cell, position) => {
  cell.addEventListener("mouseenter", () => tell(cell));
  cell.addEventListener("focus", () => tell(cell));
  cell.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) { event.preventDefault(); enter(position + step); }
  });
});
