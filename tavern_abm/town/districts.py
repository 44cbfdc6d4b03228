"""Districts of the town: which there are, and how close they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..patrons.columns import Floats
    from ..scenario.schema import Scenario


def districts_of(scenario: Scenario) -> list[str]:
    """Names of the districts: those of the scenario, then those where only taverns stand."""
    named = [district.name for district in scenario.districts]
    return list(dict.fromkeys([*named, *(tavern.district for tavern in scenario.taverns)]))


def closeness(scenario: Scenario) -> Floats:
    """How readily each house comes to mind in each district, shape (n_districts, n_taverns).

    Any as readily as another.
    """
    return np.ones((len(districts_of(scenario)), len(scenario.taverns)))
