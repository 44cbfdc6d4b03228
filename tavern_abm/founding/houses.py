"""The taverns of a town: where each new one stands, how fine and how large it is, what is played.

A house is a pure function of the town's seed, its number and its district, so
that one more house leaves the others as they are.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from scipy.special import ndtri

from .. import chance
from ..scenario.schema import TableOfGames, Tavern, YardEvent
from .signs import Tone, load_signs, make_signs

if TYPE_CHECKING:
    from ..scenario.schema import Scenario
    from .tables import DistrictKind, Fare, Founding

SEATS_PER_PATRON = 1.1
"""Places in all houses for each patron: about twice as many as go out of an evening."""
SIZES = {1: 0.8, 2: 1.1, 3: 1.2, 4: 0.65, 5: 0.45}
"""Size of a house by its band, against the middle: few can pay what a fine one asks."""
SIZE_SPREAD = 0.25
"""Standard deviation of a house's size about that (log scale)."""
QUALITY_SPREAD = 0.5
"""Standard deviation of a house's quality about that of its district, in bands."""
LEAST_CAPACITY = 8
FINE_FROM = 20_000
"""Inhabitants from which a town has a fine house, whatever was drawn for its houses."""
FINE = 5
# What is drawn for a house, each its own index.
_SITE, _QUALITY, _SIZE, _FARE, _CUSTOM = range(5)


class Site(NamedTuple):
    """A district as those who open a house see it.

    Attributes
    ----------
    name : str
        Of the district.
    kind : str
        What kind it is of; its own name where it is of none.
    custom : float
        How much of the town's custom is to be had there.
    quality : float
        Mean band of quality of its houses.
    customs : mapping
        Weights of the customs of its houses.
    """

    name: str
    kind: str
    custom: float
    quality: float
    customs: Mapping[str, float]


def sites_of(scenario: Scenario, founding: Founding) -> list[Site]:
    """The districts of a scenario as sites, each with the kind that its name says.

    A district that somebody made himself is of a kind if it is called as the kind
    or one of its names; else it is as the town is in the middle.
    """
    return [_site(each.name, each.share, founding) for each in scenario.districts]


def _site(name: str, share: float, founding: Founding) -> Site:
    kind = kind_of(name, founding)
    if kind is None:
        return Site(name, name, share, 2.5, {})
    return Site(name, kind.name, share * kind.houses, kind.quality, kind.customs)


def kind_of(name: str, founding: Founding) -> DistrictKind | None:
    """The kind of a district by its name; None if it is of none.

    Examples
    --------
    >>> from tavern_abm.founding.tables import load_founding
    >>> kind_of("Fish Quay", load_founding()).name, kind_of("elf town", load_founding())
    ('harbour', None)
    """
    spoken = name.casefold()
    for kind in founding.kinds.values():
        if spoken in (kind.name.casefold(), *(each.casefold() for each in kind.names)):
            return kind
    return None


def found_houses(
    scenario: Scenario, n: int, n_usual: int, places: float, founding: Founding
) -> list[Tavern]:
    """Those of a town's houses that nobody has written out.

    Parameters
    ----------
    scenario : Scenario
        With its districts and the taverns that are written out, which have the
        first numbers; it is of a town.
    n : int
        Houses in all.
    n_usual : int
        As many as a town of its population has, if nobody says otherwise.
    places : float
        Of a house of middling size.

    Returns
    -------
    list of Tavern
        From the first number that is free to `n`.
    """
    written = scenario.taverns if "taverns" in scenario.model_fields_set else []
    sites = sites_of(scenario, founding)
    most = max(n, n_usual)
    chosen = choose_sites(most, [tavern.district for tavern in written], sites, seed_of(scenario))
    keys = [_key(scenario, number) for number in range(most)]
    bands = [_quality(key, site) for key, site in zip(keys, chosen, strict=True)]
    tones = [Tone(site.kind, band) for site, band in zip(chosen[:n], bands, strict=False)]
    taken = [tavern.name for tavern in written]
    signs = make_signs(n, seed_of(scenario), taken, tones, load_signs(scenario.data))
    if scenario.town is not None and scenario.town.population >= FINE_FROM:
        qualities = [*(tavern.quality for tavern in written), *bands[len(written) : n_usual]]
        fine = the_finest(qualities, chosen, len(written))
        if fine is not None:
            bands[fine] = FINE
    return [
        _house(signs[i], keys[i], chosen[i], bands[i], places, scenario, founding)
        for i in range(len(written), n)
    ]


def the_finest(qualities: Sequence[int], chosen: Sequence[Site], first: int) -> int | None:
    """The house that is fine where none was drawn so: the first of the finest district.

    It is one of those that a town of its population has, so that a house more or
    less moves it to no other; its sign stays as well, and with it all others.

    Parameters
    ----------
    qualities : sequence of int
        Bands of the houses, those that are written out first.
    chosen : sequence of Site
        Where each stands.
    first : int
        The first number that is not written out.

    Returns
    -------
    int or None
        Its number; None where there is a fine house already.

    Examples
    --------
    >>> castle, lanes = Site("castle", "castle", 1, 4.6, {}), Site("lanes", "poor", 1, 1.3, {})
    >>> the_finest([1, 4, 4], [lanes, castle, castle], 0), the_finest([1, 5], [lanes, castle], 0)
    (1, None)
    """
    if FINE in qualities:
        return None
    return max(
        range(first, len(qualities)),
        key=lambda number: (chosen[number].quality, -number),
        default=None,
    )


def seed_of(scenario: Scenario) -> int:
    """The key of a scenario's town."""
    assert scenario.town is not None
    return chance.run_key(scenario.town.seed)


def _key(scenario: Scenario, number: int) -> int:
    return chance.subkey(seed_of(scenario), chance.TAVERN, number)


def choose_sites(n: int, written: Sequence[str], sites: Sequence[Site], seed: int) -> list[Site]:
    """Where each house stands: at every number the district that lacks one most.

    A district lacks as many houses as its part of the custom would feed, of all
    there are so far and this one, less those that it has. Luck moves a lack by
    half a house at the most, so that two towns are not built alike.

    Parameters
    ----------
    n : int
        Houses in all.
    written : sequence of str
        Districts of the first ones; one that is no site counts nowhere.
    sites : sequence of Site
        At least one.
    seed : int
        A key.

    Examples
    --------
    >>> market, lanes = Site("market", "market", 3, 3.0, {}), Site("lanes", "poor", 1, 1.5, {})
    >>> [site.name for site in choose_sites(4, [], [market, lanes], 1)].count("market")
    3
    """
    total = sum(site.custom for site in sites) or 1.0
    parts = [site.custom / total for site in sites]
    places = {site.name: i for i, site in enumerate(sites)}
    counts = [0] * len(sites)
    chosen = []
    for number in range(n):
        key = chance.subkey(seed, chance.TAVERN, number)
        stands = places.get(written[number]) if number < len(written) else None
        if stands is None:
            stands = _lacking(parts, counts, number + 1, key)
        counts[stands] += number >= len(written) or written[number] in places
        chosen.append(sites[stands])
    return chosen


def _lacking(parts: Sequence[float], counts: Sequence[int], n: int, key: int) -> int:
    """The site that lacks a house most, with luck of up to half a house among those that do."""
    lacks = [part * n - count for part, count in zip(parts, counts, strict=True)]
    lucks = [chance.unit(key, chance.HOME, i) / 2 for i in range(len(parts))]
    usable = [i for i, part in enumerate(parts) if part > 0]
    return max(usable, key=lambda i: lacks[i] + lucks[i], default=0)


def _quality(key: int, site: Site) -> int:
    """Its band: about that of the district."""
    return min(5, max(1, round(site.quality + QUALITY_SPREAD * _normal(key, _QUALITY))))


def _capacity(key: int, quality: int, places: float) -> int:
    """Its size, in fives where it is not small."""
    luck = math.exp(SIZE_SPREAD * _normal(key, _SIZE) - SIZE_SPREAD**2 / 2)
    size = places * SIZES[quality] * luck
    return max(LEAST_CAPACITY, round(size / 5) * 5 if size > 20 else round(size))


def _normal(key: int, index: int) -> float:
    """A normal number within two standard deviations."""
    return max(-2.0, min(2.0, float(ndtri(chance.unit(key, chance.CHOICE, index) + 2.0**-54))))


def _house(
    name: str,
    key: int,
    site: Site,
    quality: int,
    places: float,
    scenario: Scenario,
    founding: Founding,
) -> Tavern:
    capacity = _capacity(key, quality, places)
    fare = fare_of(key, site.kind, quality, capacity, founding)
    customs = {
        custom: fare.customs.get(custom, 0.0) + site.customs.get(custom, 0.0)
        for custom in dict.fromkeys([*fare.customs, *site.customs])
    }
    return Tavern(
        name=name,
        district=site.name,
        quality=quality,
        capacity=capacity,
        custom=_pick(key, _CUSTOM, customs) if any(customs.values()) else "decent",
        rake_bp=fare.rake_bp,
        tables=tables_of(fare, capacity),
        yard=yard_of(fare, scenario),
    )


def fare_of(key: int, kind: str, quality: int, capacity: int, founding: Founding) -> Fare:
    """What kind of house it is: one that fits, or if none does, one that would fit anywhere."""
    usable = [fare for fare in founding.fares.values() if fare.weight > 0]
    fitting = [fare for fare in usable if fare.fits(kind, quality, capacity)]
    fitting = fitting or [fare for fare in usable if not fare.kinds]
    return founding.fares[_pick(key, _FARE, {fare.name: fare.weight for fare in fitting})]


def _pick(key: int, index: int, weights: Mapping[str, float]) -> str:
    """One of the names, by weight."""
    names, bounds = list(weights), list(accumulate(weights.values()))
    luck = chance.unit(key, chance.CHOICE, index) * bounds[-1]
    return names[min(bisect_right(bounds, luck), len(names) - 1)]


def tables_of(fare: Fare, capacity: int) -> list[TableOfGames]:
    """Its tables, as many as a house of such a size has."""
    return [
        TableOfGames(
            game=table.game,
            count=max(1, round(capacity / table.places)) if table.places else table.count,
            seats=table.seats,
            stake=table.stake,
            options=table.options,
        )
        for table in fare.tables
    ]


def yard_of(fare: Fare, scenario: Scenario) -> list[YardEvent]:
    """Its throws and races, as far as the evening is long enough for them."""
    held = [(each, 1 + (each.sitting - 1) * scenario.rounds_per_sitting) for each in fare.yard]
    return [
        YardEvent(
            game=each.game,
            rounds=[round_],
            entrants=each.entrants,
            stake=each.stake,
            options=each.options,
        )
        for each, round_ in held
        if round_ <= scenario.rounds_per_night
    ]
