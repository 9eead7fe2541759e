r"""LaTeX as formulas, in the paper's notation: what cannot be read in exactly one way is refused, with the reason.

from_latex(r"\|\mathbf{x}_{k+1}\|^2 \le (1-\eta\mu)\|\mathbf{x}_k\|^2", notation)   relations, a chain link by link
formula_from_latex(r"\frac{1}{2}\kappa", notation)                                  one formula
"""

from __future__ import annotations

from itertools import pairwise

from theory.kernel.lang import SPACE, Node, Relation
from theory.reading.latex.atoms import Atom, Atoms, Unreadable, atoms, sign
from theory.reading.latex.formulas import FormulaReader, Scope
from theory.reading.latex.notation import Notation
from theory.reading.latex.operators import split
from theory.reading.latex.ranges import FORALL, SURELY, Binder, binder, is_range, told

RELATIONS = {"<=": "<=", ">=": ">=", "<": "<", ">": ">", "=": "==", "!=": "!=", "<<": "<<", ">>": ">>", ":=": ":="}
ROW_TABLES = frozenset({"aligned", "gathered", "split", "alignedat", "multlined", "array"})
NO_RELATION = "a formula without a relation states nothing"


def formula_from_latex(source: str, notation: Notation) -> Node:
    """One formula."""
    return FormulaReader(notation).formula(_closed(atoms(source)))


def from_latex(source: str, notation: Notation) -> tuple[Relation, ...]:
    """The relations that a display states, in order; `a = b \\le c` is two."""
    found: list[Relation] = []
    for part in _named_together(_parts(_rows(source), notation), notation):
        found += _relations(part, notation)
    if not found:
        raise Unreadable(f"{source[:60]!r} states no relation")
    return tuple(found)


def _rows(source: str) -> Atoms:
    """One list: alignment marks and line ends between rows say nothing; a table of rows is opened."""
    flat: list[Atom] = []
    table = atoms(rf"\begin{{aligned}}{source}\end{{aligned}}")[0]
    for row in _cells(table):
        for atom in row:
            if atom.kind == "table" and atom.name in ROW_TABLES and atom.bare:
                flat += [inner for more in _cells(atom) for inner in more]
            else:
                flat.append(atom)
    return _closed(tuple(flat))


def _cells(table: Atom) -> list[Atoms]:
    """The rows of a table of formulas; a row that goes on without a sign begins a formula of its own."""
    rows: list[Atoms] = []
    at = 0
    for count in table.rows:
        cells = [atom for cell in table.args[at : at + count] for atom in cell]
        at += count
        goes_on = bool(cells) and cells[0].kind == "sign"
        if rows and goes_on and cells[0].name in RELATIONS:
            rows[-1] = _ended(rows[-1])  # `a = b, \\\\ \\le c` is one chain
        rows.append(((Atom("break", ""),) if rows and not goes_on and _complete(rows[-1]) else ()) + tuple(cells))
    return rows


def _complete(row: Atoms) -> bool:
    """Is the row before finished? It is not when it ends with a sign, such as + or =."""
    return bool(row) and not (row[-1].kind == "sign" and row[-1].name not in (",", ".", ";"))


def _closed(given: Atoms) -> Atoms:
    """Without the punctuation of the sentence around it."""
    given = _ended(given)
    while given and given[0].kind == "break":
        given = given[1:]
    return given


def _ended(given: Atoms) -> Atoms:
    """Without the punctuation behind it; a break before it still ends what stands there."""
    while given and (sign(given[-1], ",", ".", ";") or given[-1].kind == "break"):
        given = given[:-1]
    return given


def _parts(given: Atoms, notation: Notation) -> list[Atoms]:
    """Formulas side by side: cut at commas, wide spaces and `and`; what `for all` says stays with its formula."""
    parts: list[list[Atom]] = [[]]
    bound = False
    for atom in given:
        first, *rest = told(atom) if atom.kind == "words" else (atom,)
        if first.kind == "letter" and first.name == r"\forall":
            first = Atom("words", "for all")
        if first.kind == "words":
            bound = _binds(first, notation)
        ends = first.kind == "words" or first.kind == "break" or sign(first, ",", ";")
        ends = ends or (notation.literal and sign(first, "=>"))
        if not bound and ends:
            parts.append([])
        elif first.kind != "break":
            parts[-1] += [first, *rest]
    return _reunited([tuple(part) for part in parts if part], notation)


def _binds(words: Atom, notation: Notation) -> bool:
    """Do these words say for what a formula holds? Words that say anything else are refused, or kept with it."""
    word = words.name.strip().lower()
    if notation.literal and word not in ("and", "or", "", ","):
        return True
    if word == "or":
        raise Unreadable("one formula or another is no claim")
    if word not in (*FORALL, *SURELY, "and", "", ","):
        raise Unreadable(f"the words {words.name.strip()!r} are no formula")
    return word in FORALL or word in SURELY


def _reunited(parts: list[Atoms], notation: Notation) -> list[Atoms]:
    r"""`…, for all i` and `…, \quad k \ge 1` belong to what stands before them."""
    found: list[Atoms] = []
    for part in parts:
        if found and part[0].kind == "words":
            found[-1] += part
        elif found and is_range(part, notation) and not any(one.kind == "words" for one in found[-1]):
            found[-1] += (Atom("words", "for all"), *part)
        else:
            found.append(part)
    return found


def _named_together(parts: list[Atoms], notation: Notation) -> list[Atoms]:
    r"""`a, b \ge 0` is a \ge 0 and b \ge 0: what is said of the last name is said of each."""
    reader = FormulaReader(notation)
    found: list[Atoms] = []
    waiting: list[Atoms] = []
    for part in parts:
        cut = next((k for k, atom in enumerate(part) if atom.kind == "sign" and atom.name in (*RELATIONS, "∈")), -1)
        if cut < 0 and notation.literal:
            continue
        if cut < 0 and reader.is_name(part):
            waiting.append(part)
            continue
        if waiting and not reader.is_name(part[: max(cut, 0)]):
            raise Unreadable(NO_RELATION)
        found += [*(one + part[cut:] for one in waiting), part]
        waiting = []
    if waiting:
        raise Unreadable(NO_RELATION)
    return found


def _relations(given: Atoms, notation: Notation) -> list[Relation]:
    words = next((k for k, atom in enumerate(given) if atom.kind == "words"), len(given))
    body, over, scope = given[:words], *_over(given[words:], notation)
    reader = FormulaReader(notation, scope)
    if any(sign(atom, "∈") for atom in body):
        return _between(body, reader, over)
    cuts = [k for k, atom in enumerate(body) if atom.kind == "sign" and atom.name in RELATIONS and atom.bare]
    if not cuts:
        strange = next((atom.name for atom in body if atom.kind == "sign" and not atom.name.isascii()), "")
        reason = f"{strange} is no relation of the language" if strange else NO_RELATION
        raise Unreadable(reason)
    ends = [-1, *cuts, len(body)]
    sides = [reader.formula(_closed(body[a + 1 : b])) for a, b in pairwise(ends)]
    return [Relation(RELATIONS[body[cut].name], sides[k], sides[k + 1], over) for k, cut in enumerate(cuts)]


def _between(body: Atoms, reader: FormulaReader, over: Binder | None) -> list[Relation]:
    r"""x \in [a, b] is a \le x and x \le b; other sets are not in the language."""
    cut = next(k for k, atom in enumerate(body) if sign(atom, "∈"))
    home = body[cut + 1 :]
    ends = split(home[0].args[0]) if len(home) == 1 and home[0].kind == "fence" and home[0].bare else []
    if len(ends) != 2 or home[0].name not in ("[", "("):
        raise Unreadable("∈ is no relation of the language but for an interval [a, b] or (a, b)")
    order = "<=" if home[0].name == "[" else "<"
    low, high, name = reader.formula(ends[0]), reader.formula(ends[1]), reader.formula(body[:cut])
    return [Relation(order, low, name, over), Relation(order, name, high, over)]


def _over(tail: Atoms, notation: Notation) -> tuple[Binder | None, Scope]:
    """For what the relations hold, by the words behind them."""
    if not tail or notation.literal:
        return None, Scope()
    if tail[0].name.strip().lower() in SURELY:
        if len(tail) > 1:
            raise Unreadable("more than `almost surely` stands after the formula")
        return (notation.sample, SPACE, SPACE), Scope(sample=notation.sample)
    if any(one.kind == "words" for one in tail[1:]):
        raise Unreadable("more than one range stands after the formula")
    found = binder(_closed(tail[1:]), notation)
    return found, Scope() if found is None else Scope(bound=(found[0],))
