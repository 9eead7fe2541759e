// The errata: filters by words, severity and evidence, kept in the address of the page.
{
  const slips = all("#errata .slip");
  const groups = all("#errata details.slips");
  const controls = { find: byId("errata-find"), severity: byId("errata-severity"), known: byId("errata-known") };
  const state = new URLSearchParams(location.search);
  for (const [name, control] of Object.entries(controls)) {
    const kept = state.get(`errata-${name}`);
    if (kept !== null) control.value = kept;
  }
  const fits = (slip) =>
    `${slip.dataset.find} ${slip.textContent}`.toLowerCase().includes(controls.find.value.toLowerCase().trim()) &&
    (!controls.severity.value || slip.dataset.severity === controls.severity.value) &&
    (!controls.known.value || slip.dataset.known === controls.known.value);
  const apply = () => {
    let shown = 0;
    const there = new Set();
    for (const slip of slips) {
      slip.hidden = !fits(slip);
      if (!slip.hidden) {
        shown += 1;
        there.add(slip.dataset.severity);
      }
    }
    const asked = Object.values(controls).some((control) => control.value);
    for (const group of groups) {
      group.hidden = !there.has(group.dataset.severity);
      if (asked && !group.hidden) group.open = true;
    }
    byId("errata-found").textContent = shown === slips.length ? `${shown} slips` : `${shown} of ${slips.length} slips`;
  };
  const keep = () => {
    const query = new URLSearchParams(location.search);
    for (const [name, control] of Object.entries(controls)) {
      if (control.value) query.set(`errata-${name}`, control.value);
      else query.delete(`errata-${name}`);
    }
    const told = query.toString();
    try {
      history.replaceState(null, "", `${location.pathname}${told ? `?${told}` : ""}${location.hash}`);
    } catch { /* a page without an address, such as a preview */ }
  };
  Object.values(controls).forEach((control) => control.addEventListener("input", () => { apply(); keep(); }));
  apply();
  // a link to a slip that a filter hides shows it
  const reveal = () => {
    const slip = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    if (slip && slip.hidden && slip.classList.contains("slip")) {
      Object.values(controls).forEach((control) => { control.value = ""; });
      apply();
      keep();
      slip.scrollIntoView();
    }
  };
  addEventListener("hashchange", reveal);
  reveal();
}
