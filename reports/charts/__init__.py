"""Every picture of ours, as SVG: curves over axes, strips of dots, heat maps, bars and cascades."""

from reports.charts.curves import Axis, Chart, Level, Series, draw
from reports.charts.marks import STYLE, Dot, bars, cascade, heat, number, strip, svg

__all__ = [
    "STYLE",
    "Axis",
    "Chart",
    "Dot",
    "Level",
    "Series",
    "bars",
    "cascade",
    "draw",
    "heat",
    "number",
    "strip",
    "svg",
]
