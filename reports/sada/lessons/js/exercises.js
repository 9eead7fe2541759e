// Exercises: numbers, choices, formulas that are equal at several points, positions of the controls.

/** 0.5, 5e-1, 1/2 and −2.5 are numbers; anything else is NaN. */
function read(text) {
  const parts = text.trim().replaceAll("−", "-").replace(",", ".").split("/");
  if (parts.length > 2 || parts.some((part) => part.trim() === "")) return NaN;
  const [top, bottom = 1] = parts.map(Number);
  return top / bottom;
}

/** The words of a formula: numbers, the letters of the exercise (the longest first), sqrt, signs and brackets. */
function tokens(text, letters) {
  const names = letters.flatMap(([typed, shown], i) => [[typed, i], [shown, i], [`\\${typed}`, i]]).sort((a, b) => b[0].length - a[0].length);
  const found = [];
  let rest = text.replaceAll("−", "-").replaceAll("·", "*").replaceAll("×", "*").replaceAll("**", "^").replaceAll("√", "sqrt").replaceAll("²", "^2").replace(/[[{]/g, "(").replace(/[\]}]/g, ")");
  while ((rest = rest.trimStart())) {
    const number = /^(\d+\.?\d*|\.\d+)/.exec(rest)?.[0];
    const name = names.find(([word]) => rest.startsWith(word));
    if (number) found.push({ number: Number(number) });
    else if (rest.startsWith("sqrt")) found.push({ sign: "sqrt" });
    else if (name) found.push({ letter: name[1] });
    else if ("+-*/^()".includes(rest[0])) found.push({ sign: rest[0] });
    else throw new Error(`I cannot read “${rest[0]}”`);
    rest = rest.slice(number ? number.length : rest.startsWith("sqrt") ? 4 : name ? name[0].length : 1);
  }
  return found;
}

/** A formula as a function of its letters; sums of products of powers, a product may leave out its sign. */
function formula(text, letters) {
  const words = tokens(text, letters);
  let at = 0;
  const sign = (...signs) => signs.includes(words[at]?.sign) && words[at++].sign;
  const atom = () => {
    const word = words[at++];
    if (word === undefined) throw new Error("something is missing at the end");
    if (word.number !== undefined) return () => word.number;
    if (word.letter !== undefined) return (point) => point[word.letter];
    if (word.sign === "sqrt") { const inner = power(); return (point) => Math.sqrt(inner(point)); }
    if (word.sign !== "(") throw new Error(`I did not expect “${word.sign}” there`);
    const inner = sum();
    if (!sign(")")) throw new Error("a bracket is not closed");
    return inner;
  };
  const power = () => {
    const base = atom();
    if (!sign("^")) return base;
    const exponent = factor();
    return (point) => base(point) ** exponent(point);
  };
  const factor = () => {
    if (sign("-")) { const inner = factor(); return (point) => -inner(point); }
    sign("+");
    return power();
  };
  const product = () => {
    let value = factor();
    while (words[at] && !["+", "-", ")"].includes(words[at].sign)) {
      const [left, divide] = [value, sign("*", "/") === "/"];
      const right = factor();
      value = divide ? (point) => left(point) / right(point) : (point) => left(point) * right(point);
    }
    return value;
  };
  const sum = () => {
    let value = product();
    for (let way = sign("+", "-"); way; way = sign("+", "-")) {
      const [left, right, plus] = [value, product(), way === "+"];
      value = (point) => (plus ? left(point) + right(point) : left(point) - right(point));
    }
    return value;
  };
  if (!words.length) throw new Error("nothing is typed yet");
  const whole = sum();
  if (at < words.length) throw new Error("a bracket is closed that was never opened");
  return whole;
}

/** [right?, what to say] of each kind of answer; `null` where there is nothing to judge yet. */
function judged(told, text) {
  if (told.broken) return [lesson.broken(lesson.values), ""];
  if (told.formula) {
    try {
      const mine = formula(text, told.formula.letters);
      return [told.formula.points.every((point, i) => Math.abs(mine(point) - told.formula.values[i]) <= 1e-9 * (1 + Math.abs(told.formula.values[i]))), ""];
    } catch (error) {
      return [null, `${error.message}. The letters are ${told.formula.letters.map((pair) => pair[1]).join(", ")}.`];
    }
  }
  const mine = read(text);
  if (Number.isNaN(mine)) return [null, "Type a number, for example 0.25 or 1/4, or choose."];
  return [Math.abs(mine - told.answer) <= told.tolerance * Math.abs(told.answer) + 1e-12, ""];
}

const solved = new Set();
DATA.exercises.forEach((told, i) => {
  const box = byId(`exercise-${i + 1}`);
  const input = one("#answer-" + (i + 1), box);
  const see = one(".see", box);
  const check = () => {
    const [right, words] = judged(told, input?.value ?? "");
    const verdict = one("output", box);
    verdict.textContent = right === null ? words : right ? "Right." : told.broken ? "Not here. The hint is open." : "Not yet. The hint is open.";
    verdict.className = right === null ? "" : right ? "right" : "wrong";
    if (right === false) one(".hint", box).open = true;
    if (right) { solved.add(i); one(".solution", box).open = true; const whole = box.closest(".yours")?.querySelector(".whole"); if (whole) whole.open = true; }
    if (see && right !== null) see.hidden = false;
    byId("score").textContent = `${solved.size} of ${DATA.exercises.length} solved.`;
  };
  one(".check", box).addEventListener("click", check);
  see?.addEventListener("click", () => { put(told.example); byId("play").scrollIntoView(); one("select, input", byId("play")).focus({ preventScroll: true }); });
  // a list of choices would open at Enter, and take the next Tab to close
  input?.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); check(); } });
  for (const letter of all(".letter", box)) {
    letter.addEventListener("click", () => {
      input.setRangeText(letter.dataset.insert, input.selectionStart, input.selectionEnd, "end");
      input.focus();
    });
  }
});
