"""Sources of samples, read once and in order: fresh draws, arrays, CSV, Parquet and npz files larger than memory.

A stream can be opened at any row, so that an interrupted run resumes; the rows do not depend on the block size.
"""

from .base import Block, Reader, Stream
from .files import CsvStream, NpzStream, ParquetStream, open_stream
from .memory import ArrayStream, FreshStream, InterleavedStream, Pattern

__all__ = [
    "ArrayStream",
    "Block",
    "CsvStream",
    "FreshStream",
    "InterleavedStream",
    "NpzStream",
    "ParquetStream",
    "Pattern",
    "Reader",
    "Stream",
    "open_stream",
]
