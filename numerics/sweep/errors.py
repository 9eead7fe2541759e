"""What can go wrong with a sweep as a whole; a failed cell is not an error but a record."""

from __future__ import annotations


class SweepError(Exception):
    """The grid, the store or the scheduler cannot be used; what was computed before is in the store."""


class GridError(SweepError):
    """The grid file is wrong: says where, what it holds and what it may hold."""


class StoreError(SweepError):
    """The store cannot be read or written."""


class SchedulerError(SweepError):
    """The Dask scheduler cannot be reached, has no workers, or its workers run another program."""


class SchedulerLost(SchedulerError):
    """The scheduler went away during the sweep; run again to go on."""
