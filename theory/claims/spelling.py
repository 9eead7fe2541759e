"""The spellings that people use, in the words of the kernel's language. What is shown and judged is the result.

forall(i, 1, n, 0 <= x[i] <= M)     two facts for every index
forall(w, 0 <= a[w]), 0 <= a[w]     for every sample of the space that `kinds` declares
0 << A << B, 0 <= A <= B            the order of symmetric matrices; with two rows written out, the minors
I  with  "I": "identity(n)"         I(n)
x**(1/2), x**(-3/2), x**p           roots, and exp(p*log(x)) where p is no natural number
norm(v)**2, inner(u, v), trace(A)   norm2(v), u.T@v, tr(A)
E(w, exp(X[w])) of numbers alone     mean(w, exp(X[w])), over one probability space
max(i, 1, n, x[i])                  a name, with what is known of it (theory.claims.extrema)
cosh(x), sigmoid(x), ln(x), Var(w, X), Cov(w, X, Y), factorial(n)
inv(A + U@U.T), A**(-1)             the inverse of a letter that is declared and defined, where the form shows it pd
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from theory.claims import definite, extrema, idioms
from theory.claims.means import over_one_space
from theory.kernel import Malformed
from theory.kernel.errors import KernelError
from theory.kernel.kinds import NUMBER, has_letters, size_node, size_of, world_of
from theory.kernel.lang import text

FORMULAS = {
    ("ln", 1): "log(x)",
    ("trace", 1): "tr(x)",
    ("inner", 2): "x.T@y",
    ("dot", 2): "x.T@y",
    ("cosh", 1): "(exp(x) + exp(-(x)))/2",
    ("sinh", 1): "(exp(x) - exp(-(x)))/2",
    ("tanh", 1): "(exp(x) - exp(-(x)))/(exp(x) + exp(-(x)))",
    ("sigmoid", 1): "1/(1 + exp(-(x)))",
    ("softplus", 1): "log(1 + exp(x))",
    ("factorial", 1): "prod(factor_, 1, x, factor_)",
    ("pow", 2): "x**y",
}
IDIOMS = {
    "floor": "name it: a natural number q with q <= x and x < q + 1",
    "ceil": "name it: a natural number q with x <= q and q < x + 1",
    "P": "write an indicator: i of kind real[S] with forall(w, t*i[w] <= a[w]) in given, and E(w, i[w]) for its mean",
    "grad": "give the gradient a name of its own: a vector g with the inequalities that it satisfies",
    "E": "name the sample: E(w, a[w]), with kinds={'a': 'real[S]'}",
}
RANDOM = ("Var", "var", "Cov", "cov")
MATRICES = ("matrix", "symmetric", "psd", "pd")


@dataclass
class Written:
    """A claim as it will be judged."""

    says: tuple[str, ...]
    given: tuple[str, ...]
    kinds: dict[str, str]
    naturals: tuple[str, ...]


def spelled(
    says: Iterable[str],
    given: Iterable[str],
    kinds: Mapping[str, str],
    naturals: Iterable[str],
    defined: Iterable[str] = (),
    elsewhere: Iterable[str] = (),
) -> Written:
    """Everything that the kernel reads stays as it is written, to the letter; names of `elsewhere` are taken."""
    defined, elsewhere = tuple(defined), tuple(elsewhere)
    writer = Writer(dict(kinds), set(naturals), set(map(_bare, defined)))
    says, given, places = extrema.named(says, given, {*kinds, *naturals, *map(_bare, defined)}, writer.naturals)
    writer.naturals |= set(places)
    for source in elsewhere:
        writer.has_no_identity(source)
    stated = [one for source in says for one in writer.relations(source)]
    facts = [one for source in given for one in writer.relations(source, fact=True)]
    signs = [one for one in facts if not one.startswith("forall")]
    for power in (one for one in writer.powers if definite.may_be_zero(one.left, signs)):
        shown, base = ast.unparse(power)[:100], ast.unparse(power.left)[:100]
        raise Malformed(
            f"{shown}: a real power is exp(p*log(x)), for x > 0; give {base} > 0, and state {base} == 0 apart"
        )
    writer.plain = frozenset(
        n.id
        for one in (*stated, *facts, *kinds.values(), *defined, *elsewhere)
        for n in ast.walk(_read(one) or ast.Constant(0))
        if isinstance(n, ast.Name)
    )
    stated, facts = ([writer.inverses(one, signs) for one in part] for part in (stated, facts))
    plain = None if defined or writer.definitions or any("E(" in one for one in elsewhere) else over_one_space
    means = plain(stated, facts, writer.kinds) if plain else None
    if means is not None:
        return Written(tuple(means[0]), tuple(means[1]), {}, tuple(sorted(writer.naturals)))
    return Written(tuple(stated), (*facts, *writer.definitions), writer.kinds, tuple(sorted(writer.naturals)))


def _bare(defined: str) -> str:
    """The name of a definition with parameters or indices."""
    return defined.split("(")[0].split("[")[0].strip()


@dataclass
class Writer:
    kinds: dict[str, str]
    naturals: set[str]
    defined: set[str]
    identities: dict[str, str] = field(default_factory=dict)
    definitions: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)
    plain: frozenset[str] = frozenset()
    powers: list[ast.BinOp] = field(default_factory=list)  # those with a real exponent

    def __post_init__(self) -> None:
        for name, kind in list(self.kinds.items()):
            base = kind.replace(" ", "")
            if base.startswith("identity(") and base.endswith(")"):
                self.identities[name] = base[9:-1]
            elif base in ("natural", "nat"):
                self.naturals.add(name)
            elif base in ("integer", "int"):
                raise Malformed(f"{name}: an integer may be negative; write it as a difference of two natural numbers")
            elif base not in ("real", "number", "scalar", "real[nat]"):
                continue
            del self.kinds[name]

    def has_no_identity(self, source: str) -> None:
        """`where` and `steps` are read as they are written: an identity would be a number there."""
        parts = list(ast.walk(_read(source) or ast.Constant(0)))
        called = [part.func for part in parts if isinstance(part, ast.Call)]
        for name in (one.id for one in parts if isinstance(one, ast.Name) and one not in called):
            if name in self.identities:
                raise Malformed(f"{source}: write I({self.identities[name]}) for {name} in `where` and `steps`")

    # ---- relations

    def relations(self, source: str, *, fact: bool = False) -> list[str]:
        tree = _read(source)
        if tree is None:
            idiom = idioms.of_unreadable(source)
            if idiom is not None:
                raise Malformed(f"{source!r} is not in the language; {idiom}")
            return [source]
        meant = idioms.of_readable(tree)
        if meant is not None:
            raise Malformed(f"{meant[0][:100]}: not in the language; {meant[1]}")
        several = [two for one in _unchained(tree) for two in ([one] if self.kinds else _minors(one))]
        return [self._whole(one, source if one is tree else ast.unparse(one), fact) for one in several]

    def _whole(self, tree: ast.expr, source: str, fact: bool) -> str:
        before = ast.dump(tree)
        new = ast.fix_missing_locations(_Spelling(self).visit(tree))
        new = self._ordered(self._sampled(new, fact))
        return source if ast.dump(new) == before else ast.unparse(new)

    def _sampled(self, tree: ast.expr, fact: bool) -> ast.expr:
        """`forall(w, …)` and free samples: for every sample of their space."""
        match tree:
            case ast.Call(func=ast.Name(id="forall"), args=[ast.Name(id=name), body]):
                return _for_every(name, self._space(name, body), body)
        if fact and self.kinds:
            for name in sorted(_free_samples(tree, self.kinds)):
                tree = _for_every(name, self._space(name, tree), tree)
        return tree

    def _space(self, name: str, body: ast.expr) -> str:
        spaces = {_space_of(self.kinds[one]) for one, at in _indexed(body) if one in self.kinds and at == name}
        if len(spaces) != 1:
            shown = f"forall({name}, {ast.unparse(body)[:80]})"
            raise Malformed(
                f"{shown}: write the range, forall({name}, 0, K - 1, …), or declare what {name} is a sample of"
            )
        return spaces.pop()

    def _ordered(self, tree: ast.expr) -> ast.expr:
        """`A <= B` between matrices is `A << B`."""
        if isinstance(tree, ast.Call) and tree.args:
            tree.args[-1] = self._ordered(tree.args[-1])
        if not isinstance(tree, ast.Compare) or len(tree.ops) != 1 or not self._is_matrix(tree):
            return tree
        left, right = tree.left, tree.comparators[0]
        match tree.ops[0]:
            case ast.LtE():
                return ast.BinOp(left, ast.LShift(), right)
            case ast.GtE():
                return ast.BinOp(right, ast.LShift(), left)
            case ast.Lt() | ast.Gt():
                idiom = "for a strict one declare D as pd(n) and write Y == X + D"
                raise Malformed(f"{ast.unparse(tree)}: matrices have the order <<; {idiom}")
        return tree

    def _is_matrix(self, tree: ast.Compare) -> bool:
        return any(self.size(side) not in (None, NUMBER) for side in (tree.left, tree.comparators[0]))

    def size(self, tree: ast.expr) -> object:
        """Rows and columns by the declared kinds; None where nothing is declared, or the form is not read yet."""
        if not self.kinds:
            return None
        try:
            node = world_of(self.kinds).read(ast.unparse(tree))
            return size_of(node) if has_letters(node) else None
        except KernelError:
            return None

    # ---- inverses

    def inverses(self, source: str, facts: list[str]) -> str:
        """The inverse of a formula becomes that of a letter with its definition, where the form shows that it is pd."""
        tree = _read(source)
        if tree is None or not self.kinds or not ("inv(" in source or "/" in source):
            return source
        before = ast.dump(tree)
        new = _Inverses(self, facts).visit(tree)
        return source if ast.dump(new) == before else ast.unparse(new)

    def divisor(self, tree: ast.expr) -> str:
        source = ast.unparse(tree)
        if source not in self.named:
            taken = {*self.kinds, *self.naturals, *self.named.values(), *self.plain}
            self.named[source] = next(n for n in (f"q{i}" for i in range(1, 100)) if n not in taken)
            self.definitions.append(f"{self.named[source]} == {source}")
        return self.named[source]

    def name_for(self, tree: ast.expr, facts: list[str]) -> str:
        source = ast.unparse(tree)
        if source not in self.named:
            shown = f"inv({source[:100]})"
            shape = self.size(tree)
            if not isinstance(shape, tuple) or not definite.is_pd(tree, self.kinds, facts):
                raise Malformed(
                    f"{shown}: the form does not show that it is positive definite; declare Q as pd(n), "
                    f"add Q == {source[:60]} to given, and write inv(Q)"
                )
            name = next(
                n for n in (f"Q{i}" for i in range(1, 100)) if n not in {*self.kinds, *self.naturals, *self.plain}
            )
            self.kinds[name] = f"pd({text(size_node(shape[0]))})"
            self.named[source] = name
            self.definitions.append(f"{name} == {source}")
        return self.named[source]


class _Inverses(ast.NodeTransformer):
    def __init__(self, writer: Writer, facts: list[str]) -> None:
        self.writer, self.facts = writer, facts
        self.bound: list[str] = []

    def _is_bound(self, tree: ast.expr) -> bool:
        """Whether it changes with a bound name: then no one name stands for it."""
        return any(_uses(tree, name) for name in self.bound)

    def _has_value(self, tree: ast.expr) -> bool:
        positive = [f"{name} > 0" for source, name in self.writer.named.items() if f"{source} > 0" in self.facts]
        return definite.has_value(tree, [*self.facts, *positive])

    def visit_BinOp(self, tree: ast.BinOp) -> ast.expr:
        """A number made of letters that divides gets a name."""
        self.generic_visit(tree)
        right = tree.right
        if not isinstance(tree.op, ast.Div) or self.writer.size(right) != NUMBER:
            return tree
        if _free_samples(right, self.writer.kinds) or _calls(right, "E") or self._is_bound(right):
            return tree
        if not self._has_value(right):
            return tree
        return ast.BinOp(tree.left, tree.op, ast.Name(self.writer.divisor(right)))

    def visit_Call(self, tree: ast.Call) -> ast.expr:
        binds = _binds(tree)
        self.bound += binds
        self.generic_visit(tree)
        del self.bound[len(self.bound) - len(binds) :]
        match tree:
            case ast.Call(func=ast.Name(id="inv"), args=[ast.BinOp() | ast.Call() as inner]):
                if self._is_bound(inner):
                    shown = ast.unparse(tree)[:100]
                    raise Malformed(f"{shown}: it changes with a bound name; declare a sequence of pd matrices for it")
                if self.writer.size(inner) != NUMBER:
                    if not self._has_value(inner):
                        shown = ast.unparse(tree)[:100]
                        raise Malformed(f"{shown}: a divisor, a root or a logarithm in it; give a fact such as c > 0")
                    return ast.Call(tree.func, [ast.Name(self.writer.name_for(inner, self.facts))], [])
        return tree


class _Spelling(ast.NodeTransformer):
    """Functions and powers by their formulas."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.bound: list[str] = []

    def visit_Name(self, tree: ast.Name) -> ast.expr:
        size = self.writer.identities.get(tree.id)
        return tree if size is None else _read_surely(f"I({size})")

    def visit_Call(self, tree: ast.Call) -> ast.expr:
        name = tree.func.id if isinstance(tree.func, ast.Name) else ""
        binds = _binds(tree)
        self.bound += binds
        tree.args = [arg if binds and i == 0 else self.visit(arg) for i, arg in enumerate(tree.args)]
        del self.bound[len(self.bound) - len(binds) :]
        return tree if name in self.writer.defined else self._called(tree, name)

    def _called(self, tree: ast.Call, name: str) -> ast.expr:
        args = tree.args
        if name in ("max", "min") and len(args) == 4 and isinstance(args[0], ast.Name) and _uses(args[3], args[0].id):
            index, lo, hi, body = map(ast.unparse, args)
            fact = f"forall({index}, {lo}, {hi}, {body} {'<=' if name == 'max' else '>='} M)"
            raise Malformed(f"{ast.unparse(tree)}: a {name}imum over an index is a name M with {fact} in given")
        if name == "det" and len(args) == 1:
            return _determinant(tree)
        if (
            name in IDIOMS
            and name not in self.writer.kinds
            and not (name == "E" and len(args) == 2 and isinstance(args[0], ast.Name))
        ):
            raise Malformed(f"{ast.unparse(tree)[:100]}: {name} is not in the language; {IDIOMS[name]}")
        if name in RANDOM:
            return _moment(tree, name, self.writer.kinds)
        formula = FORMULAS.get((name, len(args)))
        return tree if formula is None else _put(formula, dict(zip("xy", args, strict=False)))

    def visit_BinOp(self, tree: ast.BinOp) -> ast.expr:
        self.generic_visit(tree)
        if not isinstance(tree.op, ast.Pow):
            return tree
        match tree:
            case ast.BinOp(left=ast.Call(func=ast.Name(id="norm"), args=[inner]), right=ast.Constant(value=2)) if (
                "norm" not in self.writer.defined
            ):
                return ast.Call(ast.Name("norm2"), [inner], [])
        power = _number(tree.right)
        if power is None:
            return self._real_power(tree)
        if power == -1 and self.writer.size(tree.left) not in (None, NUMBER):
            return ast.Call(ast.Name("inv"), [tree.left], [])
        if power.denominator == 2 and self.writer.size(tree.left) in (None, NUMBER):
            return _half_power(tree.left, power)
        if power.denominator > 2:
            raise Malformed(f"{ast.unparse(tree)}: write exp(({power})*log(x)) for x > 0, or name the root")
        return tree

    def _real_power(self, tree: ast.BinOp) -> ast.expr:
        if isinstance(tree.left, ast.Name) and tree.left.id == "e" and "e" not in self.writer.kinds:
            raise Malformed(f"{ast.unparse(tree)}: e is a free name here; write exp({ast.unparse(tree.right)})")
        names = {one.id for one in ast.walk(tree.right) if isinstance(one, ast.Name)}
        counted = self.writer.naturals | set(self.bound) | self.writer.defined
        if names <= counted or any(isinstance(one, ast.Subscript | ast.Call) for one in ast.walk(tree.right)):
            return tree
        self.writer.powers.append(tree)
        return _put("exp((y)*log(x))", {"x": tree.left, "y": tree.right})


def _determinant(tree: ast.Call) -> ast.expr:
    """Of a matrix that is written out, with two rows."""
    match tree.args[0]:
        case ast.List(elts=[ast.List(elts=[a, b]), ast.List(elts=[c, d])]):
            w, x, y, z = (f"({ast.unparse(one)})" for one in (a, b, c, d))
            return _read_surely(f"{w}*{z} - {x}*{y}")
    raise Malformed(f"{ast.unparse(tree)[:100]}: det is for two rows that are written out, det([[a, b], [c, d]])")


def _half_power(base: ast.expr, power: Fraction) -> ast.expr:
    whole, up = abs(power.numerator) // 2, power > 0
    root = "sqrt(x)" if not whole else "x*sqrt(x)" if whole == 1 else f"x**{whole}*sqrt(x)"
    return _put(root if up else f"1/({root})", {"x": base})


def _moment(tree: ast.Call, name: str, kinds: Mapping[str, str]) -> ast.expr:
    """Var(w, X) and Cov(w, X, Y) by their definitions; of a vector, the mean squared distance from its mean."""
    if len(tree.args) not in (2, 3) or not isinstance(tree.args[0], ast.Name):
        raise Malformed(f"{ast.unparse(tree)[:100]}: write Var(w, X) or Cov(w, X, Y) with the sample first")
    sample = tree.args[0].id
    apart = [f"({ast.unparse(arg)} - E({sample}, {ast.unparse(arg)}))" for arg in tree.args[1:]]
    if len(apart) == 2:
        return _read_surely(f"E({sample}, {apart[0]}*{apart[1]})")
    vector = any(kinds.get(one, "").startswith("vector") for one, _ in _indexed(tree.args[1]))
    return _read_surely(f"E({sample}, norm2{apart[0]})" if vector else f"E({sample}, {apart[0]}**2)")


# ---- trees


def _read(source: str) -> ast.expr | None:
    try:
        return ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _read_surely(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


def _put(source: str, values: Mapping[str, ast.expr]) -> ast.expr:
    class Put(ast.NodeTransformer):
        def visit_Name(self, tree: ast.Name) -> ast.expr:
            return values.get(tree.id, tree)

    return Put().visit(_read_surely(source))  # type: ignore[no-any-return]


def _unchained(tree: ast.expr) -> Iterator[ast.expr]:
    """`a <= b <= c` and `a << b << c`, also inside a forall, are several relations."""
    match tree:
        case ast.Call(func=ast.Name(id="forall"), args=[*ahead, body]):
            inner = list(_unchained(body))
            yield from [tree] if len(inner) == 1 else (ast.Call(tree.func, [*ahead, one], []) for one in inner)
        case ast.Compare(left=left, ops=ops, comparators=sides) if len(ops) > 1:
            for a, op, b in zip((left, *sides), ops, sides, strict=False):
                yield ast.Compare(a, [op], [b])
        case ast.BinOp(left=ast.BinOp(op=ast.LShift() | ast.RShift()) as left, op=ast.LShift() | ast.RShift() as op):
            yield from _unchained(left)
            yield ast.BinOp(left.right, op, tree.right)
        case _:
            yield tree


def _minors(tree: ast.expr) -> list[ast.expr]:
    """`A << B` with two rows that are written out: B - A is symmetric, and its minors are not negative."""
    if not isinstance(tree, ast.BinOp) or not isinstance(tree.op, ast.LShift | ast.RShift):
        return [tree]
    sides = [_two_by_two(side) for side in (tree.left, tree.right)]
    if sides == [None, None] or not all(
        side or _number(part) == 0 for side, part in zip(sides, (tree.left, tree.right), strict=True)
    ):
        return [tree]
    small, big = (side or ["0"] * 4 for side in (sides if isinstance(tree.op, ast.LShift) else sides[::-1]))
    a, b, c, d = (one if other == "0" else f"({one}) - ({other})" for one, other in zip(big, small, strict=True))
    symmetric = [] if b == c else [f"{b} == {c}"]
    return [_read_surely(one) for one in (*symmetric, f"{a} >= 0", f"{d} >= 0", f"({a})*({d}) - ({b})**2 >= 0")]


def _two_by_two(tree: ast.expr) -> list[str] | None:
    match tree:
        case ast.List(elts=[ast.List(elts=[_, _]) as top, ast.List(elts=[_, _]) as low]):
            return [ast.unparse(one) for one in (*top.elts, *low.elts)]
    return None


def _for_every(name: str, space: str, body: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("forall"), [ast.Name(name), _read_surely(f"sample({space})"), body], [])


def _indexed(tree: ast.expr) -> Iterator[tuple[str, str]]:
    """Names and their last index, where that is a name."""
    for one in ast.walk(tree):
        match one:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=at)):
                yield name, at
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=[*_, ast.Name(id=at)])):
                yield name, at


def _space_of(kind: str) -> str:
    return kind.rsplit("[", 1)[-1].rstrip("] ").split(",")[-1].strip() if "[" in kind else ""


def _free_samples(tree: ast.expr, kinds: Mapping[str, str]) -> set[str]:
    random = {name for name, kind in kinds.items() if _space_of(kind) not in ("", "nat")}
    bound = {
        one.args[0].id
        for one in ast.walk(tree)
        if isinstance(one, ast.Call)
        and one.args
        and isinstance(one.func, ast.Name)
        and isinstance(one.args[0], ast.Name)
        if one.func.id in ("E", "sum", "prod", "forall")
    }
    return {at for name, at in _indexed(tree) if name in random} - bound - set(kinds)


def _binds(tree: ast.Call) -> list[str]:
    """The name that a sum, a mean or a forall binds."""
    match tree:
        case ast.Call(
            func=ast.Name(id="sum" | "prod" | "E" | "mean" | "forall" | "iterate"), args=[ast.Name(id=name), *_]
        ):
            return [name]
    return []


def _calls(tree: ast.expr, name: str) -> bool:
    return any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == name for one in ast.walk(tree)
    )


def _uses(tree: ast.expr, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(tree))


def _number(tree: ast.expr) -> Fraction | None:
    match tree:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return Fraction(str(value))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            found = _number(inner)
            return None if found is None else -found
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            a, b = _number(left), _number(right)
            return a / b if a is not None and b else None
    return None
