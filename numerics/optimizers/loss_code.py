"""A loss as the compiled kernels take it: a code with three parameters, or the address of the user's own derivative.

A user's loss runs at the speed of its callable: compiled when it carries a numba kernel, about a microsecond a call
otherwise. An exception inside the callable is kept and raised after the kernel returns.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from numba import cfunc, types

from numerics.losses import Loss, UserLoss

from .sada_kernels import LossCode

_FORM = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)


@dataclass(frozen=True, eq=False)
class CompiledLoss:
    """`code` goes to the kernels; `keep` keeps the callable alive; `errors` collects what the callable raised."""

    code: LossCode
    keep: Any = None
    errors: list[Exception] = field(default_factory=list)

    def raise_error(self) -> None:
        """Raise the first exception of the user's callable, if there was one."""
        if self.errors:
            raise self.errors.pop(0)


def compiled_loss(loss: Loss) -> CompiledLoss:
    """The loss for the kernels."""
    if not isinstance(loss, UserLoss):
        p0, p1, p2 = (float(p) for p in loss.params)
        return CompiledLoss((loss.code, p0, p1, p2, 0))
    if loss.kernel is not None:
        function = getattr(loss.kernel, "py_func", loss.kernel)
        native = cfunc(types.float64(types.float64, types.float64), error_model="numpy")(function)
        return CompiledLoss((loss.code, 0.0, 0.0, 0.0, int(native.address)), keep=native)
    return _called(loss, loss.d1, [])


def compiled_curvature(loss: Loss, errors: list[Exception]) -> CompiledLoss:
    """l'' for the kernels; a user's own runs at the speed of its callable, and adds what it raises to `errors`."""
    if not isinstance(loss, UserLoss):
        return compiled_loss(loss)
    return _called(loss, loss.d2, errors)


def _called(loss: Loss, function: Callable[[float, float], Any], errors: list[Exception]) -> CompiledLoss:
    """A callable of Python behind an address."""

    def call(z: float, b: float) -> float:
        try:
            return float(function(z, b))
        except Exception as error:
            errors.append(error)
            return math.nan

    callback = _FORM(call)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    return CompiledLoss((loss.code, 0.0, 0.0, 0.0, int(address or 0)), keep=callback, errors=errors)
