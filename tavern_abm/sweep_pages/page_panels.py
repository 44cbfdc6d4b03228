"""The figures of the page of a sweep, each in words and as a table as well."""

from __future__ import annotations

from ..report.panel import Panel
from .page_data import SweepData
from .page_effects import effects, tornado
from .page_indices import sensitivity_panel
from .page_maps import maps, overview
from .page_runs import convergence, every_point, nights, single_point


def panels(data: SweepData) -> list[Panel]:
    """All figures that there is something for, in the order of the page."""
    if not data.outputs:
        return []
    varies = bool(data.factors) and data.n_points > 1
    some = [
        overview(data) if varies and len(data.factors) > 1 and len(data.outputs) > 1 else None,
        effects(data) if varies else None,
        tornado(data) if varies and len(data.factors) > 1 else None,
        maps(data) if varies and len(data.factors) > 1 else None,
        sensitivity_panel(data) if varies and len(data.factors) > 1 else None,
        every_point(data) if data.n_points > 1 else single_point(data),
        nights(data),
        convergence(data),
    ]
    return [each for each in some if each is not None]
