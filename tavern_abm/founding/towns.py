"""A whole town from its population: patrons, trades, districts and houses.

What the scenario says stays; everything else is founded around it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..data_tables import DataError
from ..shipped import shipped
from .census import Census, census
from .houses import (
    LEAST_CAPACITY,
    SEATS_PER_PATRON,
    choose_sites,
    found_houses,
    seed_of,
    sites_of,
)
from .quarters import districts_from, plan_quarters
from .tables import Founding, load_founding, verify_against

if TYPE_CHECKING:
    from ..data_tables import DataTables
    from ..scenario.schema import Scenario, Tavern, Town


def filled(scenario: Scenario, data: DataTables) -> Scenario:
    """A scenario of a town with its patrons, trades, districts and houses.

    1. *Patrons*, where left out: `tavern_going` of the population, or as many as
       are pinned by name if these are more.
    2. *Trades* of the population, where none are named: the census's.
    3. *Districts*, where none are written out: those a town of this size has.
    4. *Taverns*: those that are written out come first and stay as they are, but
       for two things that they may leave to the town: the district, if they name
       none that there is, and the capacity.
       Then as many are founded as are lacking.

    Parameters
    ----------
    scenario : Scenario
        With a ``town``.
    data : DataTables
        The tables of trades and customs.

    Returns
    -------
    Scenario
        For which this changes nothing any more.

    Raises
    ------
    DataError
        If a table cannot be used.
    """
    town = scenario.town
    assert town is not None
    founding = load_founding(scenario.data)
    verify_against(founding, data, scenario.data)
    people = census_of(scenario, data, founding)
    population = scenario.population
    if not population.trades:
        population = population.model_copy(update={"trades": people.weights})
    districts = scenario.districts
    if not districts:
        plan = plan_quarters(town.population, town.water, town.seed, founding)
        districts = districts_from(plan, population.trades)
    update = {"patrons": people.n_patrons, "population": population, "districts": districts}
    settled = scenario.model_copy(update=update)
    places = places_of(town, people.n_patrons)
    written = _written(settled, places, founding)
    settled = settled.model_copy(update={"taverns": written} if written else {})
    n = max(len(written), number_of_houses(town))
    n_usual = _by_population(town)
    houses = found_houses(settled, n, n_usual, places, founding) if n > len(written) else []
    return settled.model_copy(update={"taverns": [*written, *houses]})


def census_of(scenario: Scenario, data: DataTables, founding: Founding | None = None) -> Census:
    """Count the people of a scenario's town.

    Raises
    ------
    DataError
        If a table cannot be used, or nobody there would go to a tavern.
    """
    town = scenario.town
    assert town is not None
    founding = founding or load_founding(scenario.data)
    people = census(
        town.population,
        n_patrons_of(scenario),
        data,
        founding,
        town.water,
        scenario.economy.wages_cp,
    )
    if not people.n_patrons:
        path = (Path(scenario.data) if scenario.data else shipped("data")) / "settlements.toml"
        trades = ", ".join(each.trade for each in people.callings)
        problem = f"goes: nobody of a town of {town.population:,} would go to taverns"
        raise DataError(path, f"{problem} (its trades: {trades})", entry=people.settlement)
    return people


def n_patrons_of(scenario: Scenario) -> int:
    """How many patrons it has: as it says, or by the population of its town."""
    town = scenario.town
    if town is None or "patrons" in scenario.model_fields_set:
        return scenario.patrons
    return max(1, round(town.population * town.tavern_going), len(scenario.people))


def number_of_houses(town: Town) -> int:
    """How many houses a town has in all, unless more are written out.

    Examples
    --------
    >>> from tavern_abm.scenario.schema import Town
    >>> [number_of_houses(Town(population=n)) for n in (80, 430, 5_000, 100_000, 357_143)]
    [1, 1, 12, 233, 831]
    """
    return _by_population(town) if town.taverns == "auto" else town.taverns


def _by_population(town: Town) -> int:
    return max(1, round(town.population / town.people_per_tavern))


def places_of(town: Town, n_patrons: int) -> float:
    """Places of a house of middling size; `town.taverns` does not move it."""
    return max(LEAST_CAPACITY, SEATS_PER_PATRON * n_patrons / _by_population(town))


def _written(scenario: Scenario, places: float, founding: Founding) -> list[Tavern]:
    """The houses that somebody has written out, with what they leave to the town."""
    if "taverns" not in scenario.model_fields_set:
        return []
    named = [tavern.district for tavern in scenario.taverns]
    sites = choose_sites(len(named), named, sites_of(scenario, founding), seed_of(scenario))
    return [
        tavern.model_copy(update=_left_to_the_town(tavern, site.name, places))
        for tavern, site in zip(scenario.taverns, sites, strict=True)
    ]


def _left_to_the_town(tavern: Tavern, district: str, places: float) -> dict[str, object]:
    left: dict[str, object] = {}
    if tavern.district == type(tavern).model_fields["district"].default:
        left["district"] = district
    if tavern.capacity == "auto":
        left["capacity"] = max(LEAST_CAPACITY, round(places))
    return left
