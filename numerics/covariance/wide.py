r"""The hot loop of the 3d diagonal state, eight eigendirections at a time.

One step of the coupled diagonal: with tau = sum_i lam_i p_i and n_i = trace lam_i tau + R_i,

    (p, u, w)_i += K_i (p, u, w)_i + (q^2, q rho, rho^2) n_i.

LLVM's automatic vectoriser stays at 256 bits on several processors with 512-bit units, so the step is written as
explicit vectors of eight doubles; on narrower machines LLVM splits them. Packing: see `pack`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]  # numba's own code generator
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from numerics.operators import Array

LANES = 8
_COEFFICIENTS = 9
_ACCUMULATORS = 4


@intrinsic  # type: ignore[untyped-decorator]
def _step_eight(typingctx: Any, g: Any, x: Any, acc: Any, block: Any, tau: Any, consts: Any) -> Any:
    """One step of eight lanes: reads g[block], updates x[block], adds lam * p to acc[block % 4]."""
    signature = types.void(g, x, acc, block, tau, consts)

    def codegen(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
        vector = ir.VectorType(ir.DoubleType(), LANES)
        pointers = [cgutils.create_struct_proxy(sig.args[k])(context, builder, value=args[k]).data for k in range(3)]
        index = builder.zext(args[3], ir.IntType(64)) if args[3].type.width < 64 else args[3]

        def at(pointer: Any, rows: int, row: int, which: Any) -> Any:
            offset = builder.add(
                builder.mul(which, ir.Constant(ir.IntType(64), rows * LANES)),
                ir.Constant(ir.IntType(64), row * LANES),
            )
            return builder.bitcast(builder.gep(pointer, [offset]), vector.as_pointer())

        def load(pointer: Any, rows: int, row: int, which: Any) -> Any:
            return builder.load(at(pointer, rows, row, which), align=8)

        def store(value: Any, pointer: Any, rows: int, row: int, which: Any) -> None:
            builder.store(value, at(pointer, rows, row, which), align=8)

        def splat(scalar: Any) -> Any:
            single = builder.insert_element(ir.Constant(vector, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
            mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
            return builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), mask)

        fused = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(vector, [vector] * 3), f"llvm.fma.v{LANES}f64"
        )

        def fma(a: Any, b: Any, c: Any) -> Any:
            return builder.call(fused, [a, b, c])

        coefficients = [load(pointers[0], _COEFFICIENTS, k, index) for k in range(_COEFFICIENTS)]
        a11, a12, a21, a22, a31, a32, coupling, lam, noise = coefficients
        a13, a23, a33, q2, qr, r2 = (splat(builder.extract_value(args[5], k)) for k in range(6))
        p, u, w = (load(pointers[1], 3, k, index) for k in range(3))
        n = fma(coupling, splat(args[4]), noise)
        rows = ((p, a11, a12, a13, q2), (u, a21, a22, a23, qr), (w, a31, a32, a33, r2))
        # the noise comes last, for it waits for tau: the next step begins while the lanes of the last are still summed
        new_p, new_u, new_w = (
            builder.fadd(old, fma(push, n, fma(k3, w, fma(k2, u, builder.fmul(k1, p)))))
            for old, k1, k2, k3, push in rows
        )
        for k, value in enumerate((new_p, new_u, new_w)):
            store(value, pointers[1], 3, k, index)
        slot = builder.and_(index, ir.Constant(ir.IntType(64), _ACCUMULATORS - 1))
        store(fma(lam, new_p, load(pointers[2], 1, 0, slot)), pointers[2], 1, 0, slot)
        return context.get_dummy_value()

    return signature, codegen


@njit(cache=True)  # type: ignore[untyped-decorator]
def _advance(g: Array, x: Array, acc: Array, consts: tuple[float, ...], tau: float, steps: int) -> None:
    blocks = x.shape[0]
    for _ in range(steps):
        acc[:, :] = 0.0
        for block in range(blocks):
            _step_eight(g, x, acc, block, tau, consts)
        for lane in range(LANES):
            acc[0, lane] = (acc[0, lane] + acc[1, lane]) + (acc[2, lane] + acc[3, lane])
        tau = ((acc[0, 0] + acc[0, 1]) + (acc[0, 2] + acc[0, 3])) + ((acc[0, 4] + acc[0, 5]) + (acc[0, 6] + acc[0, 7]))


def advance(g: Array, x: Array, consts: tuple[float, ...], tau: float, steps: int) -> None:
    """`steps` steps of the packed diagonal state x in place; tau is its present tr(Sigma p)."""
    _advance(g, x, _aligned((_ACCUMULATORS, LANES)), consts, tau, steps)


def pack(rows: list[Array]) -> Array:
    """Rows of length d as (blocks, len(rows), 8), padded with zeros and aligned to cache lines."""
    d = len(rows[0])
    blocks = -(-d // LANES)
    padded = np.zeros((len(rows), blocks * LANES))
    padded[:, :d] = rows
    out = _aligned((blocks, len(rows), LANES))
    out[...] = padded.reshape(len(rows), blocks, LANES).transpose(1, 0, 2)
    return out


def _aligned(shape: tuple[int, ...], line: int = 64) -> Array:
    """An uninitialised array that starts on a cache line: vectors that straddle lines cost a third of the speed."""
    size = int(np.prod(shape))
    buffer = np.empty(size + line // 8)
    start = (-buffer.ctypes.data % line) // 8
    return buffer[start : start + size].reshape(shape)


def unpack(x: Array, d: int) -> Array:
    """The inverse of `pack` for a (blocks, rows, 8) array."""
    return np.ascontiguousarray(x.transpose(1, 0, 2).reshape(x.shape[1], -1)[:, :d])
