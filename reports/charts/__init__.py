"""Every picture of ours, as SVG: curves over axes, spans on one axis, bars and cascades."""

from reports.charts.curves import Axis, Chart, Level, Series, draw
from reports.charts.marks import STYLE, bars, cascade, svg
from reports.charts.spans import Row, Span, spans

__all__ = [
    "STYLE",
    "Axis",
    "Chart",
    "Level",
    "Row",
    "Series",
    "Span",
    "bars",
    "cascade",
    "draw",
    "spans",
    "svg",
]
