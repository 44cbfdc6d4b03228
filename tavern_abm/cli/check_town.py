"""What a town comes to, for `tavern check`: its people, districts and houses in few lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..coins import show
from ..founding import resolved
from ..founding.census import Calling, Census, apportioned
from ..founding.towns import census_of

if TYPE_CHECKING:
    from ..data_tables import DataTables
    from ..scenario import Scenario, Tavern

MOST_DISTRICTS = 9
MOST_TRADES = 8
MOST_NAMED = 2
"""So many houses of a district are named; of more, only how many there are of each band."""

_WATER = {"none": "", "river": " by the river", "sea": " by the sea"}


def town_lines(scenario: Scenario, data: DataTables, *, all_trades: bool = False) -> Iterator[str]:
    """Its inhabitants, ranks, trades, districts and houses, without indent."""
    town = scenario.town
    assert town is not None
    whole = resolved(scenario, data)
    people = census_of(scenario, data)
    yield (
        f"{people.settlement} of {town.population:,}{_WATER[town.water]}:"
        f" {_times(people.n_households, 'household')}, {people.n_people:,} who earn a wage,"
        f" {_times(whole.patrons, 'patron')} ({whole.patrons / town.population:.0%})"
    )
    if whole.patrons > town.population:
        yield "note: there are more patrons than inhabitants"
    patrons = patrons_by_trade(whole)
    yield f"on average: {_ranks(patrons, data)}"
    yield "trades         masters  at work  patrons  wage a day (patrons on average: each is drawn)"
    table = trades_table(patrons, people, scenario, data)
    yield from _trade_lines(table, len(table) if all_trades else MOST_TRADES)
    yield f"{_times(len(whole.taverns), 'house')} {_places(whole)}: {_bands(whole.taverns, data)}"
    yield f"customs: {_counted(t.custom for t in whole.taverns)}"
    yield f"games: {_games(whole.taverns)}"
    yield "districts               people  houses"
    yield from _district_lines(whole, data)


def _places(whole: Scenario) -> str:
    """How many guests the houses hold; and that they are too few, if so."""
    places = sum(t.capacity for t in whole.taverns if t.capacity != "auto")
    guests = whole.patrons * whole.minds.go_out_prob
    few = f", too few for the {guests:,.0f} who may go out" if places < guests else ""
    return f"with {places:,} places{few}"


def patrons_by_trade(whole: Scenario) -> dict[str, int]:
    """How many patrons of each trade are to be expected, the commonest first."""
    shares: dict[str, float] = {}
    total = sum(each.share for each in whole.districts) or 1.0
    for district in whole.districts:
        weights = district.trades or whole.population.trades
        for trade, weight in weights.items():
            part = district.share / total * weight / sum(weights.values())
            shares[trade] = shares.get(trade, 0.0) + part
    named = sorted(shares, key=lambda trade: -shares[trade])
    numbers = apportioned(whole.patrons, [shares[trade] for trade in named]).tolist()
    return dict(zip(named, numbers, strict=True))


def _ranks(patrons: dict[str, int], data: DataTables) -> str:
    counts = dict.fromkeys(("poor", "common", "well-off", "noble"), 0)
    for trade, n in patrons.items():
        counts[data.trades[trade].rank] += n
    total = sum(counts.values()) or 1
    return ", ".join(f"{n:,} {rank} ({n / total:.1%})" for rank, n in counts.items())


def trades_table(
    patrons: dict[str, int], people: Census, scenario: Scenario, data: DataTables
) -> list[Calling]:
    """Every trade of the town, with the patrons that are to be expected; the commonest first."""
    known = {each.trade: each for each in people.callings}
    table = []
    for trade in dict.fromkeys([*patrons, *known]):
        wage = scenario.economy.wages_cp.get(trade, data.trades[trade].wage_cp)
        nobody = Calling(trade, data.trades[trade].rank, wage, 0, 0, 0)
        table.append(known.get(trade, nobody)._replace(n_patrons=patrons.get(trade, 0)))
    return table


def _trade_lines(table: Sequence[Calling], most: int) -> Iterator[str]:
    for each in table[:most]:
        masters, at_work = (f"{n:,}" if n else "-" for n in (each.n_masters, each.n_people))
        patrons = f"{each.n_patrons:,}"
        yield f"  {each.trade:<12} {masters:>7}  {at_work:>7}  {patrons:>7}  {show(each.wage_cp)}"
    rest = [each.n_patrons for each in table[most:] if each.n_patrons]
    if rest:
        yield f"  and {_times(len(rest), 'more trade')}: {_times(sum(rest), 'patron')}"


def _district_lines(whole: Scenario, data: DataTables) -> Iterator[str]:
    houses: dict[str, list[Tavern]] = {each.name: [] for each in whole.districts}
    for tavern in whole.taverns:
        houses.setdefault(tavern.district, []).append(tavern)
    shares = {each.name: each.share for each in whole.districts}
    total = sum(shares.values()) or 1.0
    ranked = sorted(houses, key=lambda name: (-shares.get(name, 0.0), -len(houses[name])))
    shown = ranked if len(ranked) <= MOST_DISTRICTS + 1 else ranked[:MOST_DISTRICTS]
    for name in shown:
        there = houses[name]
        part = f"{shares.get(name, 0.0) / total:6.1%}"
        yield f"  {name:<20}  {part}  {_houses_of(there, data)}"
    rest = ranked[len(shown) :]
    if rest:
        part = f"{sum(shares.get(name, 0.0) for name in rest) / total:6.1%}"
        others = [tavern for name in rest for tavern in houses[name]]
        yield f"  {f'and {len(rest)} more':<20}  {part}  {_houses_of(others, data)}"


def _houses_of(taverns: Sequence[Tavern], data: DataTables) -> str:
    names = _band_names(data)
    if len(taverns) <= MOST_NAMED:
        named = [f"{each.name} ({names[each.quality]})" for each in taverns]
        return ", ".join(named) or "none"
    return f"{len(taverns):,}: {_bands(taverns, data)}"


def _bands(taverns: Sequence[Tavern], data: DataTables) -> str:
    counts = Counter(each.quality for each in taverns)
    return ", ".join(f"{counts[band]:,} {_band_names(data)[band]}" for band in sorted(counts))


def _band_names(data: DataTables) -> dict[int, str]:
    return {each.band: each.name for each in data.qualities.values()}


def _games(taverns: Sequence[Tavern]) -> str:
    played = [
        {*(each.game for each in tavern.tables), *(each.game for each in tavern.yard)}
        for tavern in taverns
    ]
    games = Counter(game for games in played for game in sorted(games))
    return ", ".join(f"{game} {n:,}" for game, n in games.most_common()) or "none"


def _counted(words: Iterable[str]) -> str:
    return ", ".join(f"{word} {n:,}" for word, n in Counter(words).most_common())


def _times(number: int, singular: str) -> str:
    return f"{number:,} {singular}{'' if number == 1 else 's'}"


def town_summary(scenario: Scenario, data: DataTables) -> dict[str, Any]:
    """The same for programs."""
    town = scenario.town
    assert town is not None
    whole = resolved(scenario, data)
    people = census_of(scenario, data)
    patrons = patrons_by_trade(whole)
    return {
        "settlement": people.settlement,
        "population": town.population,
        "households": people.n_households,
        "wage_earners": people.n_people,
        "patrons_by_trade": patrons,
        "trades": [each._asdict() for each in trades_table(patrons, people, scenario, data)],
        "houses_by_quality": dict(sorted(Counter(t.quality for t in whole.taverns).items())),
        "houses_by_district": dict(Counter(t.district for t in whole.taverns)),
        "share_by_district": {each.name: each.share for each in whole.districts},
    }
