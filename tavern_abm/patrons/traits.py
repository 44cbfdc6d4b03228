"""Drawing people: each a pure function of the run's key and his id.

So a person is the same whoever lives beside him, and newcomers can be drawn
ahead in blocks. Nothing here is called inside a night.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtri

from .. import chance
from ..games import game_number, load_game
from .callings import CHOOSE_ANCESTRY, choose_by, ranks_of, trades_of, weights_by_district
from .columns import (
    ABILITIES,
    COLUMNS,
    FEATS,
    SEXES,
    SIZES,
    TEMPERS,
    TRAITS,
    Floats,
    Ints,
    People,
    Sheet,
    blank_people,
    blank_sheet,
)
from .decisions.learning import set_out
from .gamblers import draw_gamblers
from .homes import (
    homes_by_lot,
    pinned_quarters,
    quarters_of,
    quarters_of_houses,
)

if TYPE_CHECKING:
    from ..data_tables import DataTables
    from ..scenario.schema import Person, Population, Scenario

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
HOUSEHOLD = 6
"""Ids are dealt out in so many; nobody is of the household of somebody in another lot."""
# Indices of the draws of purposes TRAIT and CHOICE: one each, never moved.
TRAIT_PURSE, TRAIT_THRESHOLD = 10, 11
# Of CHOICE, 0 and 1 are of `callings`, and 3 is free.
CHOOSE_SEX, CHOOSE_LEVEL, CHOOSE_KIND = 2, 4, 5


@cache
def cheat_intercept(share: float, odds_ratio: float) -> float:
    """The intercept that gives a mean share of cheats, over honesty ~ N(0, 1).

    Solves ``E[expit(a + ln(odds_ratio) H)] = share``; the logit of the share
    itself is *not* it. For a share of 0 it is minus infinity.

    Examples
    --------
    >>> round(cheat_intercept(0.10, 0.53), 5), round(cheat_intercept(0.05, 0.53), 5)
    (-2.35274, -3.12219)
    """
    if share == 0.0:
        return -math.inf
    nodes, weights = np.polynomial.hermite_e.hermegauss(64)
    weights = weights / weights.sum()
    slope = math.log(odds_ratio)

    def excess(a: float) -> float:
        return float(weights @ expit(a + slope * nodes)) - share

    lowest = min(-60.0, math.log(share) - 60.0)
    return float(brentq(excess, lowest, 60.0, xtol=1e-12))


def generate(
    ids: Ints, run_key: int, scenario: Scenario, data: DataTables, homes: Sequence[float]
) -> tuple[People, Sheet]:
    """Draw the people with these ids.

    Parameters
    ----------
    ids : ndarray of int, shape (n,)
        Patron ids, from 1.
    homes : sequence of float
        Places in the taverns, as weights of them as somebody's home tavern; how well
        a house suits his rank and how near it is count beside them.

    Returns
    -------
    People, Sheet
        Columns of n rows, in the order of `ids`; nobody has arrived yet.
    """
    keys = chance.subkeys(run_key, chance.PERSON, ids)
    people, sheet = blank_people(len(ids)), blank_sheet(len(ids))
    trades, ancestries = list(data.trades.values()), list(data.ancestries.values())
    population = scenario.population
    heads = heads_of(ids, run_key, scenario)
    sheet.household[:] = heads - 1
    quarters = quarters_of(heads, run_key, scenario)
    by_ancestry = weights_by_district(ancestries, "ancestries", scenario)
    head_keys = chance.subkeys(run_key, chance.PERSON, heads)
    sheet.ancestry[:] = choose_by(quarters, head_keys, CHOOSE_ANCESTRY, by_ancestry)
    sheet.quarter[:] = pinned_quarters(ids, quarters, scenario)
    people.trade[:] = trades_of(ids, sheet.quarter, run_key, scenario, data)
    sheet.rank[:] = ranks_of(data)[people.trade]
    if len(homes) > 1:
        of_heads = ranks_of(data)[trades_of(heads, quarters, run_key, scenario, data)]
        people.home[:] = homes_by_lot(heads, run_key, scenario, homes, quarters, of_heads)
    sheet.sex[:] = chance.draws(keys, chance.CHOICE, CHOOSE_SEX) % len(SEXES)
    level_luck = chance.units(keys, chance.CHOICE, CHOOSE_LEVEL)
    sheet.level[:] = 1 + np.searchsorted(LEVELS, level_luck, side="right")
    for i, name in enumerate(TRAITS):
        getattr(sheet, name)[:] = normal(keys, i)
    _draw_abilities(keys, sheet)
    pinned = _pinned(ids, scenario)
    _pin_sheet(people, sheet, pinned, scenario, data)
    if not scenario.districts:
        sheet.quarter[:] = quarters_of_houses(scenario)[people.home]
    _add_ancestry(sheet, ancestries)
    _pin(sheet, pinned, ABILITIES)
    _draw_kind(ids, keys, people, sheet, scenario)
    _pin_kind(people, pinned)
    draw_dice(keys, people, pinned, scenario)
    _draw_skills(people, sheet, trades, ancestries)
    _draw_mind(keys, people, sheet, scenario)
    draw_gamblers(keys, people, sheet, pinned, scenario, data)
    sheet.temper[:] = tempers(sheet)
    _pin_temper(sheet, pinned)
    wages = np.array([scenario.economy.wages_cp.get(t.name, t.wage_cp) for t in trades], np.int64)
    people.wage[:] = wages[people.trade]
    sigma = population.purse_sigma
    median = population.purse_days * people.wage * math.exp(-sigma * sigma / 2)
    people.gold[:] = np.rint(median * np.exp(sigma * normal(keys, TRAIT_PURSE)))
    _pin(people, pinned, ("gold", "thievery", "perception", "propensity", "rationality"))
    people.start_gold[:] = people.gold
    set_out(people, scenario.minds)
    return people, sheet


def heads_of(ids: Ints, run_key: int, scenario: Scenario) -> Ints:
    """The id of the head of each one's household: those with the same head are kin.

    Ids are dealt out in lots of six. The first of a lot, everybody pinned by name
    and the first who is not begin a household; each of the others joins that
    of the one before him with chance ``kin_prob``. People pinned with the same
    ``household`` are kin, the first of them its head.

    Parameters
    ----------
    ids : ndarray of int, shape (n,)
        Patron ids, from 1.

    Returns
    -------
    ndarray of int, shape (n,)
        Each at most the id itself, and the head's own head is he.
    """
    heads = ids - _joined_in_a_row(ids, run_key, scenario)
    first: dict[str, int] = {}
    for number, person in enumerate(scenario.people, start=1):
        if person.household is not None:
            head = first.setdefault(person.household, number)
            heads[ids == number] = head
    return heads


def _joined_in_a_row(ids: Ints, run_key: int, scenario: Scenario) -> Ints:
    """How many of those just before each one, down to him, have joined the one before."""
    slots = (ids - 1) % HOUSEHOLD
    joined = np.zeros(len(ids), np.int64)
    goes_on = np.ones(len(ids), bool)
    for back in range(HOUSEHOLD - 1):
        keys = chance.subkeys(run_key, chance.PERSON, ids - back)
        joins = chance.units(keys, chance.KIN, 0) < scenario.population.kin_prob
        goes_on &= joins & (slots > back) & (ids - back > len(scenario.people) + 1)
        joined += goes_on
    return joined


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


def _draw_kind(ids: Ints, keys: Ints, people: People, sheet: Sheet, scenario: Scenario) -> None:
    """Who is of the cheating kind: the less honest, the likelier."""
    population = scenario.population
    is_new = ids > scenario.patrons
    intercepts = np.where(is_new, *(intercept(population, new) for new in (True, False)))
    luck = chance.units(keys, chance.CHOICE, CHOOSE_KIND)
    people.is_cheat[:] = luck < kind_prob(sheet.honesty, intercepts, population)


def intercept(population: Population, is_new: bool) -> float:
    """That of the share of cheats among newcomers, or among those here from the start."""
    share = population.share_of_cheats
    if is_new and population.newcomers_share_of_cheats is not None:
        share = population.newcomers_share_of_cheats
    return cheat_intercept(share, population.honesty_odds_ratio)


def kind_prob(honesty: Any, intercept: Any, population: Population) -> Floats:
    """The chance of being of the cheating kind, by honesty."""
    slope = math.log(population.honesty_odds_ratio)
    return np.asarray(expit(intercept + slope * honesty.astype(np.float64)))


def draw_dice(
    keys: Ints, people: People, pinned: Sequence[tuple[int, Person]], scenario: Scenario
) -> None:
    """Who has weighted dice in his pocket: some of the cheating kind."""
    has_some = chance.units(keys, chance.DICE_OWNED, 0) < scenario.dice.owners
    people.weighted[:] = has_some & (people.is_cheat == 1)
    for row, person in pinned:
        if person.weighted_dice is not None:
            people.weighted[row] = int(person.weighted_dice)


def tempers(sheet: Sheet) -> Ints:
    """How each talks, as an index into `TEMPERS`: what stands out most in his character.

    The greatest of six scores, each of them of unit spread over the population:
    sour -A, merry X, fearful E, boastful (X - H)/sqrt 2, careful C, pious
    (H - O)/sqrt 2, with the HEXACO traits by their letters.
    """
    h, e, x, a, c, o = (getattr(sheet, name).astype(np.float64) for name in TRAITS)
    scores = {
        "sour": -a,
        "merry": x,
        "fearful": e,
        "boastful": (x - h) / math.sqrt(2),
        "careful": c,
        "pious": (h - o) / math.sqrt(2),
    }
    return np.argmax([scores[name] for name in TEMPERS], axis=0)


def _pin_temper(sheet: Sheet, pinned: Sequence[tuple[int, Person]]) -> None:
    for row, person in pinned:
        if person.temper is not None:
            sheet.temper[row] = TEMPERS.index(person.temper)


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
    people.thrill[:] = scenario.minds.thrill


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
    ancestries = list(data.ancestries)
    homes = [tavern.name for tavern in scenario.taverns]
    for row, person in pinned:
        people.is_rooted[row] = 1
        people.is_player[row] = int(person.player)
        head = scenario.people[int(sheet.household[row])]
        ancestry, home = person.ancestry or head.ancestry, person.home or head.home
        if ancestry is not None:
            sheet.ancestry[row] = ancestries.index(ancestry)
        if home is not None:
            people.home[row] = homes.index(home)
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
