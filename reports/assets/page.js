// Shared by every page. Without it everything is there: it only opens, sorts, filters and highlights.
const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const byId = (id) => document.getElementById(id);
document.documentElement.classList.add("scripted");

/** Open every <details> around an element, and the element itself when it is one. */
function reveal(element) {
  for (let at = element; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
}

/** State in the address: #name=value&name=value; a plain #id is an anchor. */
function state() {
  const parts = location.hash.slice(1).split("&").filter((part) => part.includes("="));
  return new Map(parts.map((part) => part.split("=", 2).map(decodeURIComponent)));
}

function remember(values) {
  const kept = [...values].filter(([, value]) => value !== "").map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  history.replaceState(null, "", kept.length ? `#${kept.join("&")}` : location.pathname + location.search);
}

function goToAnchor() {
  const hash = decodeURIComponent(location.hash.slice(1));
  const target = hash && !hash.includes("=") ? byId(hash) : null;
  if (target) { reveal(target); target.scrollIntoView(); }
}
addEventListener("hashchange", goToAnchor);
goToAnchor();

/** Tables with class "sortable": a click on a heading sorts by data-sort, else by text. */
function sortable(table) {
  const heads = all("thead th", table);
  heads.forEach((head, column) => {
    const button = one("button", head);
    if (!button) return;
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const value = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim();
      const rows = all("tbody tr", table);
      rows.sort((a, b) => value(a).localeCompare(value(b), "en", { numeric: true }) * (up ? 1 : -1));
      rows.forEach((row) => row.parentElement.append(row));
    });
  });
}
all("table.sortable").forEach(sortable);
