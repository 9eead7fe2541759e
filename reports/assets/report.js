// The report's own part: filters, focus in the graph, the map's panel.
const lower = (text) => text.toLowerCase();

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

const statements = all("details.statement[data-status]");
filtering(statements, [byId("find"), byId("by-status")], (item) =>
  lower(item.dataset.words).includes(lower(byId("find").value)) &&
  (!byId("by-status").value || item.dataset.status === byId("by-status").value), byId("found"), "statements");
byId("open-all").addEventListener("click", () => statements.forEach((item) => { if (!item.hidden) item.open = true; }));
byId("close-all").addEventListener("click", () => statements.forEach((item) => { item.open = false; }));

const nodes = all(".graph-svg .node");
const edges = all(".graph-svg .edge");
function focusOn(id) {
  const known = DATA.graph[id];
  const kept = known ? new Set([id, ...known.up, ...known.down]) : null;
  nodes.forEach((node) => {
    node.classList.toggle("dim", kept !== null && !kept.has(node.dataset.id));
    node.classList.toggle("focus", node.dataset.id === id);
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
    const node = nodes.find((one) => one.dataset.id === id);
    node.scrollIntoView({ block: "nearest", inline: "center" });
  }
  remember(new Map([["graph", known ? id : ""]]));
}
nodes.forEach((node) => node.addEventListener("click", (event) => { event.preventDefault(); focusOn(node.dataset.id); }));
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

const panel = byId("map-panel");
const cells = all(".map .cell");
function tell(cell) {
  const display = byId(cell.dataset.display);
  const words = document.createElement("p");
  words.textContent = cell.title;
  panel.replaceChildren(words);
  const printed = display && one(".printed", display);
  if (printed) panel.append(printed.cloneNode(true));
  panel.hidden = false;
}
cells.forEach((cell, position) => {
  cell.addEventListener("mouseenter", () => tell(cell));
  cell.addEventListener("focus", () => tell(cell));
  cell.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && cells[position + step];
    if (next) { event.preventDefault(); next.focus(); }
  });
});
one(".map").addEventListener("mouseleave", () => { panel.hidden = true; });
