"""Drawing people: each a pure function of the run's key and his id.

So a person is the same whoever lives beside him, and newcomers can be drawn
ahead in blocks. Nothing here is called inside a night.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtri

from .. import chance
from ..games import game_number, load_game
from .columns import (
    ABILITIES,
    COLUMNS,
    FEATS,
    SEXES,
    SIZES,
    TRAITS,
    Floats,
    Ints,
    People,
    Sheet,
    blank_people,
    blank_sheet,
)

if TYPE_CHECKING:
    from ..data_tables import DataTables
    from ..scenario.schema import Person, Scenario

TRAINED = 5
"""Modifier for a skill one is trained in (4th edition): cheats are, in Thievery."""
LEVELS = (0.60, 0.85, 0.95, 0.99, 1.0)
"""Chances of level 1, 2, ... 5, added up."""
SKILL_ABILITY = {
    "bluff": "charisma",
    "insight": "wisdom",
    "climb": "strength",
    "swim": "strength",
    "jump": "strength",
    "balance": "dexterity",
    "tumble": "dexterity",
    "hide": "dexterity",
    "spot": "wisdom",
    "ride": "dexterity",
    "perception": "wisdom",
    "thievery": "dexterity",
}
# Indices of the draws of purposes TRAIT and CHOICE: one each, never moved.
TRAIT_PURSE, TRAIT_THRESHOLD = 10, 11
CHOOSE_ANCESTRY, CHOOSE_TRADE, CHOOSE_SEX, CHOOSE_HOME, CHOOSE_LEVEL, CHOOSE_KIND = range(6)


def cheat_intercept(share: float, odds_ratio: float) -> float:
    """The intercept that gives a mean share of cheats, over honesty ~ N(0, 1).

    Solves ``E[expit(a + ln(odds_ratio) H)] = share``; the logit of the share
    itself is *not* it.

    Examples
    --------
    >>> round(cheat_intercept(0.10, 0.53), 5), round(cheat_intercept(0.05, 0.53), 5)
    (-2.35274, -3.12219)
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(64)
    weights = weights / weights.sum()
    slope = math.log(odds_ratio)

    def excess(a: float) -> float:
        return float(weights @ expit(a + slope * nodes)) - share

    return float(brentq(excess, -60.0, 60.0, xtol=1e-12))


def generate(
    ids: Ints, run_key: int, scenario: Scenario, data: DataTables, homes: Sequence[float]
) -> tuple[People, Sheet]:
    """Draw the people with these ids.

    Parameters
    ----------
    ids : ndarray of int, shape (n,)
        Patron ids, from 1.
    homes : sequence of float
        Weights of the taverns as somebody's home tavern.

    Returns
    -------
    People, Sheet
        Columns of n rows, in the order of `ids`; nobody has arrived yet.
    """
    keys = chance.subkeys(run_key, chance.PERSON, ids)
    people, sheet = blank_people(len(ids)), blank_sheet(len(ids))
    trades, ancestries = list(data.trades.values()), list(data.ancestries.values())
    population = scenario.population
    sheet.ancestry[:] = _choose(keys, CHOOSE_ANCESTRY, _weights(ancestries, population.ancestries))
    people.trade[:] = _choose(keys, CHOOSE_TRADE, _weights(trades, population.trades))
    people.home[:] = _choose(keys, CHOOSE_HOME, homes)
    sheet.sex[:] = chance.draws(keys, chance.CHOICE, CHOOSE_SEX) % len(SEXES)
    level_luck = chance.units(keys, chance.CHOICE, CHOOSE_LEVEL)
    sheet.level[:] = 1 + np.searchsorted(LEVELS, level_luck, side="right")
    for i, name in enumerate(TRAITS):
        getattr(sheet, name)[:] = normal(keys, i)
    _draw_abilities(keys, sheet)
    pinned = _pinned(ids, scenario)
    _pin_sheet(people, sheet, pinned, scenario, data)
    _add_ancestry(sheet, ancestries)
    _pin(sheet, pinned, ABILITIES)
    _draw_kind(keys, people, sheet, scenario)
    _pin_kind(people, pinned)
    _draw_skills(people, sheet, trades, ancestries)
    _draw_mind(keys, people, sheet, scenario)
    wages = np.array([scenario.economy.wages_cp.get(t.name, t.wage_cp) for t in trades], np.int64)
    people.wage[:] = wages[people.trade]
    sigma = population.purse_sigma
    median = population.purse_days * people.wage * math.exp(-sigma * sigma / 2)
    people.gold[:] = np.rint(median * np.exp(sigma * normal(keys, TRAIT_PURSE)))
    _pin(people, pinned, ("gold", "thievery", "perception", "propensity", "rationality"))
    people.start_gold[:] = people.gold
    return people, sheet


def inclinations(
    ids: Ints,
    run_key: int,
    games: Sequence[str],
    scenario: Scenario,
    people: People,
    sheet: Sheet,
) -> Floats:
    """How these people are inclined to each game, as a utility, shape (n, n_games).

    A taste, drawn once for life, and what they are good for in it: the game's
    own ``talent``, in standard deviations, where its decisions have one.
    """
    keys = chance.subkeys(run_key, chance.PERSON, ids)
    likes = np.zeros((len(ids), len(games)))
    for i, game in enumerate(games):
        u = chance.units(keys, chance.TASTE, game_number(game)) + 2.0**-54
        likes[:, i] = scenario.minds.taste_sd * ndtri(u)
        talent = getattr(load_game(game, "patrons.decisions"), "talent", None)
        if talent is not None:
            likes[:, i] += scenario.minds.talent * talent(people, sheet)
    return likes


def normal(keys: Ints, index: int) -> Floats:
    """A standard normal number for each key: the draw of purpose TRAIT at `index`."""
    u = chance.units(keys, chance.TRAIT, index) + 2.0**-54  # never 0, whose quantile is -inf
    return np.asarray(ndtri(u))


def _choose(keys: Ints, index: int, weights: Sequence[float]) -> Ints:
    total = np.cumsum(np.asarray(weights, np.float64))
    luck = chance.units(keys, chance.CHOICE, index) * total[-1]
    return np.searchsorted(total, luck, side="right").clip(max=len(total) - 1)


def _weights(kinds: Sequence[Any], chosen: Mapping[str, float]) -> list[float]:
    """Weights of the kinds by the scenario, or those of the data tables."""
    return [chosen.get(each.name, 0.0) if chosen else each.weight for each in kinds]


def _draw_abilities(keys: Ints, sheet: Sheet) -> None:
    """4d6, the lowest dropped, for each ability."""
    for i, name in enumerate(ABILITIES):
        dice = np.array([chance.draws(keys, chance.ABILITY, 4 * i + k) % 6 + 1 for k in range(4)])
        getattr(sheet, name)[:] = dice.sum(axis=0) - dice.min(axis=0)


def _add_ancestry(sheet: Sheet, ancestries: Sequence[Any]) -> None:
    for name in ABILITIES:
        bonus = np.array([getattr(each, name) for each in ancestries], np.int64)
        column = getattr(sheet, name)
        column[:] = np.maximum(1, column + bonus[sheet.ancestry])
    speed = np.array([each.speed_ft for each in ancestries], np.int64)
    sheet.speed_ft[:] = speed[sheet.ancestry]
    size = np.array([SIZES.index(each.size) for each in ancestries], np.int64)
    sheet.size_class[:] = size[sheet.ancestry]


def _draw_kind(keys: Ints, people: People, sheet: Sheet, scenario: Scenario) -> None:
    """Who is of the cheating kind: the less honest, the likelier."""
    population = scenario.population
    intercept = cheat_intercept(population.share_of_cheats, population.honesty_odds_ratio)
    slope = math.log(population.honesty_odds_ratio)
    luck = chance.units(keys, chance.CHOICE, CHOOSE_KIND)
    people.is_cheat[:] = luck < expit(intercept + slope * sheet.honesty.astype(np.float64))


def _draw_skills(
    people: People, sheet: Sheet, trades: Sequence[Any], ancestries: Sequence[Any]
) -> None:
    for name, ability in SKILL_ABILITY.items():
        by_ancestry = np.array([getattr(each, name) for each in ancestries], np.int64)
        by_trade = np.array([getattr(each, name) for each in trades], np.int64)
        modifier = (getattr(sheet, ability) - 10) // 2
        column = getattr(people if name in COLUMNS else sheet, name)
        column[:] = modifier + by_ancestry[sheet.ancestry] + by_trade[people.trade]
    people.thievery[:] += sheet.level // 2 + TRAINED * people.is_cheat
    bits = [sum(1 << FEATS.index(feat) for feat in each.feats) for each in trades]
    sheet.feats[:] = np.array(bits, np.int64)[people.trade]
    is_armed = np.array([each.martial for each in trades])[people.trade]
    sheet.base_attack[:] = np.where(is_armed, sheet.level, sheet.level // 2)


def _draw_mind(keys: Ints, people: People, sheet: Sheet, scenario: Scenario) -> None:
    justice = scenario.justice
    people.soreness[:] = expit(-sheet.agreeableness.astype(np.float64))
    spread = justice.threshold_sd * normal(keys, TRAIT_THRESHOLD)
    people.threshold[:] = justice.threshold_mean + spread
    people.rationality[:] = scenario.minds.rationality


def _pinned(ids: Ints, scenario: Scenario) -> list[tuple[int, Person]]:
    """Rows of these ids that belong to people pinned by name: the first ids are theirs."""
    rows = {int(patron_id): row for row, patron_id in enumerate(ids)}
    pinned = enumerate(scenario.people, start=1)
    return [(rows[i], person) for i, person in pinned if i in rows]


def _pin_sheet(
    people: People,
    sheet: Sheet,
    pinned: Sequence[tuple[int, Person]],
    scenario: Scenario,
    data: DataTables,
) -> None:
    """Who a pinned person is, before anything follows from it."""
    trades, ancestries = list(data.trades), list(data.ancestries)
    homes = [tavern.name for tavern in scenario.taverns]
    for row, person in pinned:
        people.is_rooted[row] = 1
        people.is_player[row] = int(person.player)
        if person.ancestry is not None:
            sheet.ancestry[row] = ancestries.index(person.ancestry)
        if person.trade is not None:
            people.trade[row] = trades.index(person.trade)
        if person.home is not None:
            people.home[row] = homes.index(person.home)
        if person.sex is not None:
            sheet.sex[row] = SEXES.index(person.sex)
    _pin(sheet, pinned, TRAITS)


def _pin_kind(people: People, pinned: Sequence[tuple[int, Person]]) -> None:
    for row, person in pinned:
        if person.propensity is not None:
            people.is_cheat[row] = int(person.propensity > 0)
        if person.cheat is not None:
            people.is_cheat[row] = int(person.cheat)


def _pin(
    columns: People | Sheet, pinned: Sequence[tuple[int, Person]], names: Sequence[str]
) -> None:
    """Write the values a scenario pins into the columns of the same names."""
    for row, person in pinned:
        for name in names:
            value = getattr(person, name)
            if value is not None:
                getattr(columns, name)[row] = value
