"""Eight doubles at once inside numba: the few vector operations that the streaming kernels are made of.

numba has no vector type, and its loops over short rows end up in the scalar remainder; here a row is read eight entries
at a time and the last read is masked, so that d = 10 costs two vector reads. Results do not depend on alignment or on
how rows are batched: every row is summed in the same order. Arrays are flat, contiguous float64; state vectors are
padded with zeros to a multiple of eight, data rows are not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]  # llvmlite has no stubs
from numba import extending, types
from numba.core import cgutils

from numerics.designs.checks import Array

LANES = 8


def intrinsic(function: Callable[..., Any]) -> Any:
    return extending.intrinsic(function)


def padded(d: int) -> int:
    """The length of a state vector of dimension d."""
    return -(-d // LANES) * LANES


def aligned_zeros(n: int) -> Array:
    """n zeros that start on a cache line, so that vector reads of the state never straddle two lines."""
    raw = np.zeros(n + LANES)
    offset = (-raw.ctypes.data % 64) // 8
    return raw[offset : offset + n]


class VectorType(types.Type):  # type: ignore[misc]  # numba's classes are untyped
    """The numba type of eight doubles in a register."""

    def __init__(self) -> None:
        super().__init__(name=f"float64x{LANES}")


vector = VectorType()
_V = ir.VectorType(ir.DoubleType(), LANES)
_I32 = ir.IntType(32)


@extending.register_model(VectorType)
class VectorModel(extending.models.PrimitiveModel):  # type: ignore[misc]  # numba's classes are untyped
    def __init__(self, manager: Any, front_end: Any) -> None:
        super().__init__(manager, front_end, _V)


def _vector_at(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), _V.as_pointer())


def _constant(values: list[int]) -> Any:
    return ir.Constant(ir.VectorType(_I32, len(values)), values)


def _splat(builder: Any, scalar: Any, lanes: Any) -> Any:
    one = builder.insert_element(ir.Constant(lanes, ir.Undefined), scalar, ir.Constant(_I32, 0))
    return builder.shuffle_vector(one, one, _constant([0] * LANES))


@intrinsic
def load(typing: Any, array: Any, index: Any) -> Any:
    """array[index : index + 8]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = builder.load(_vector_at(context, builder, signature.args[0], *arguments))
        value.align = 8
        return value

    return vector(array, types.intp), generate


@intrinsic
def load_row(typing: Any, array: Any, index: Any, left: Any) -> Any:
    """array[index : index + min(left, 8)], then zeros; nothing is read past the `left` entries."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _vector_at(context, builder, signature.args[0], *arguments[:2])
        lanes = ir.VectorType(ir.IntType(64), LANES)
        mask = builder.icmp_signed("<", ir.Constant(lanes, list(range(LANES))), _splat(builder, arguments[2], lanes))
        form = ir.FunctionType(_V, [_V.as_pointer(), _I32, ir.VectorType(ir.IntType(1), LANES), _V])
        masked = cgutils.get_or_insert_function(builder.module, form, f"llvm.masked.load.v{LANES}f64.p0")
        return builder.call(masked, [pointer, ir.Constant(_I32, 8), mask, ir.Constant(_V, [0.0] * LANES)])

    return vector(array, types.intp, types.intp), generate


@intrinsic
def store(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """array[index : index + 8] = value."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _vector_at(context, builder, signature.args[0], *arguments[:2])).align = 8
        return context.get_dummy_value()

    return types.void(array, types.intp, vector), generate


@intrinsic
def zero(typing: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return ir.Constant(_V, [0.0] * LANES)

    return vector(), generate


@intrinsic
def splat(typing: Any, scalar: Any) -> Any:
    """The same number in all lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _splat(builder, arguments[0], _V)

    return vector(types.float64), generate


@intrinsic
def fma(typing: Any, x: Any, y: Any, z: Any) -> Any:
    """x * y + z, fused where the machine can."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        form = ir.FunctionType(_V, [_V] * 3)
        return builder.call(
            cgutils.get_or_insert_function(builder.module, form, f"llvm.fmuladd.v{LANES}f64"), arguments
        )

    return vector(vector, vector, vector), generate


@intrinsic
def mul(typing: Any, x: Any, y: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fmul(*arguments)

    return vector(vector, vector), generate


@intrinsic
def add(typing: Any, x: Any, y: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fadd(*arguments)

    return vector(vector, vector), generate


@intrinsic
def total(typing: Any, x: Any) -> Any:
    """The sum of the lanes: halves onto halves."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value, width = arguments[0], LANES
        while width > 1:
            width //= 2
            low = builder.shuffle_vector(value, value, _constant(list(range(width))))
            high = builder.shuffle_vector(value, value, _constant(list(range(width, 2 * width))))
            value = builder.fadd(low, high)
        return builder.extract_element(value, ir.Constant(_I32, 0))

    return types.float64(vector), generate


_PAIRS = ([0, 8, 2, 10, 4, 12, 6, 14], [1, 9, 3, 11, 5, 13, 7, 15])
_QUADS = ([0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15])
_HALVES = ([0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15])


@intrinsic
def totals(typing: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> Any:
    """The sums of eight vectors as one vector: 7 additions and 14 shuffles instead of 24 and 48."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def merge(x: Any, y: Any, order: tuple[list[int], list[int]]) -> Any:
            return builder.fadd(*(builder.shuffle_vector(x, y, _constant(half)) for half in order))

        level = list(arguments)
        for order in (_PAIRS, _QUADS, _HALVES):
            level = [merge(level[i], level[i + 1], order) for i in range(0, len(level), 2)]
        return level[0]

    return vector(*([vector] * LANES)), generate


@intrinsic
def lane(typing: Any, x: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.extract_element(arguments[0], arguments[1])

    return types.float64(vector, types.intp), generate


@intrinsic
def prefetch(typing: Any, array: Any, index: Any) -> Any:
    """Ask for the cache line of array[index]; harmless past the end of the array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        form = ir.FunctionType(ir.VoidType(), [byte, _I32, _I32, _I32])
        call = cgutils.get_or_insert_function(builder.module, form, "llvm.prefetch.p0")
        pointer = builder.bitcast(_vector_at(context, builder, signature.args[0], *arguments), byte)
        builder.call(call, [pointer, *(ir.Constant(_I32, flag) for flag in (0, 3, 1))])  # read, keep, data
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


@intrinsic
def call_address(typing: Any, address: Any, z: Any, b: Any) -> Any:
    """f(z, b) for the C function double f(double, double) at `address`: the derivative of a user's own loss."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = ir.DoubleType()
        function = builder.inttoptr(arguments[0], ir.FunctionType(number, [number, number]).as_pointer())
        return builder.call(function, arguments[1:])

    return types.float64(types.intp, types.float64, types.float64), generate
