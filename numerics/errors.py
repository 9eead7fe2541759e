"""What can go wrong while an optimizer runs: typed exceptions whose messages name the thing, its value and the remedy.

A run that fails keeps what it had: `run` puts the records made so far into `partial` before the exception leaves it.
"""

from __future__ import annotations

from typing import Any


class OptimizerError(Exception):
    """Base class; `partial` is the Result up to the failure, None where no run was under way."""

    partial: Any = None

    def with_partial(self, partial: Any) -> OptimizerError:
        """The same exception carrying the results made before it."""
        self.partial = partial
        return self


class DataError(OptimizerError, ValueError):
    """The data cannot be used: NaN, infinity, wrong shape, a label outside the loss's domain."""


class StreamError(DataError):
    """A source of data cannot be read: missing, truncated, of another format, too short."""


class ParameterError(OptimizerError, ValueError):
    """A parameter is outside its range before any sample is read."""


class DivergenceError(OptimizerError, ArithmeticError):
    """The iterates left every reasonable range; `parameter` and `value` are the first suspect."""

    def __init__(self, message: str, *, parameter: str, value: float, samples: int) -> None:
        super().__init__(message)
        self.parameter = parameter
        self.value = value
        self.samples = samples


class HorizonError(OptimizerError, ValueError):
    """More samples were offered than the method was planned for."""


class CheckpointError(OptimizerError, ValueError):
    """A checkpoint is truncated, altered, of another version, or belongs to another run."""
