"""Grids of runs: problems x methods x sizes x seeds, on this machine or a Dask cluster, resumable after any end."""

from .cells import Cell, run_cells
from .errors import GridError, SchedulerError, SchedulerLost, StoreError, SweepError
from .grid import Grid, read_grid
from .run import Sweep, sweep
from .summary import Row, summarise, to_csv, to_json, to_parquet

__all__ = [
    "Cell",
    "Grid",
    "GridError",
    "Row",
    "SchedulerError",
    "SchedulerLost",
    "StoreError",
    "Sweep",
    "SweepError",
    "read_grid",
    "run_cells",
    "summarise",
    "sweep",
    "to_csv",
    "to_json",
    "to_parquet",
]
