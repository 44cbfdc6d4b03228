"""The books of a town: every figure about its money, as tables."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from ..data_tables import RANKS

QUINTILES = 5

OUTSIDE = "outside"
TABLES = "tables"
TILLS = "tills"
TREASURY = "treasury"
PURSES = tuple(f"purses/{rank}" for rank in RANKS)
"""Accounts of `TownBooks.flows`: these, and one of purses for each rank."""
THE_HOUSE = "the house"
"""Who wins a rake, in `TownBooks.transfers`."""


@dataclass(frozen=True)
class TownBooks:
    """What a run's ledger comes to. Money is in whole cp, or in cp as a float for means.

    Every sum of money is one of the ledger; head counts, guests and single purses
    are those of the tables ``wealth``, ``nights``, ``evenings`` and ``patrons``.
    No table holds a NaN but where this says so; no row is there twice.

    Attributes
    ----------
    scenario : str
        Name of the scenario.
    seed : int
        Of the run.
    n_nights : int
        Nights played.
    inhabitants : int or None
        Of the town, where the scenario says how many it has.
    facts : dict of str to float, int or None
        Sums and rates, each of them explained in `FACTS`.
    trades : DataFrame, index ``trade``
        A trade that anybody living here had. ``rank``; ``wage_cp``, the wage of most of its people;
        ``people``, the mean number living here; ``person_days``, nights of all of them together;
        ``paid_days``, days on which they earned and paid for their living: those who were here as
        the night before closed do, newcomers begin the day after; ``nights_out``, evenings of all
        of them in a house; ``mugs`` they had there. Then the ledger: ``income_cp`` (wages),
        ``living_cp``, ``tax_cp``, ``fee_cp``, ``drink_cp``, ``bribe_cp``, ``staked_cp``,
        ``payout_cp``, ``repaid_cp`` (made good by those convicted, received less paid),
        ``games_net_cp`` (payout - staked + repaid), ``lent_cp`` (borrowed less lent, and paid
        back), ``given_cp`` (by whoever looked after the run, less what was taken), ``arrived_cp``
        (in newcomers' purses), ``estate_cp`` (in the purses of those who left or died), ``net_cp``
        (what all of it comes to). ``income_a_day``, ``living_a_day``, ``tax_a_day``,
        ``drink_a_day`` (fees counted), ``games_net_a_day``, ``staked_a_day``: float, cp a person
        and day: the first three of the ``paid_days``, the others of the ``person_days``;
        ``purses_cp``, in the purses at the end; ``median_cp``: float, of these purses, NaN if
        nobody is left.
    ranks : DataFrame, index ``rank``
        The same columns but ``wage_cp``, by rank; only ranks that occur, from the lowest up.
    spending : DataFrame, index ``kind``
        What purses paid and did not get back: living, drink, fee, tax, games (lost to the
        houses: their rake), bribe. ``amount_cp``, ``share`` (of all of it; 0 if it is nothing).
    houses : DataFrame, index ``tavern_id``
        A house. ``tavern``, ``district``, ``quality`` (1 to 5), ``custom``, ``mug_cp`` and
        ``seat_fee_cp`` (prices); ``nights_open``, ``guests``, ``guests_per_night`` (of those
        open); ``drinks_cp``, ``fees_cp``, ``rake_cp``, ``takings_cp`` (the three together);
        ``goods_cp`` (to the brewer), ``staff_cp``, ``upkeep_cp``, ``excise_cp``, ``costs_cp``
        (the four together); ``profit_cp`` (takings - costs), ``profit_per_night_cp`` (float, a
        night open), ``invested_cp``, ``wound_up_cp`` (left in the till as it closed),
        ``till_start_cp``, ``till_cp`` (at the end), ``unpaid_cp`` (bills it could not pay, of all
        nights), ``staked_cp`` (put on its tables), ``closed_night`` (Int64, <NA> while it is open).
    house_nights : DataFrame
        A night and house, in that order: ``night``, ``tavern_id``, ``guests``, ``takings_cp``,
        ``costs_cp``, ``profit_cp``, ``till_cp``.
    districts : DataFrame, index ``district``
        A district where a house stands or somebody lives: ``houses``, ``people`` (mean number
        living there), ``guests``, ``takings_cp``, ``profit_cp``, ``median_cp`` (float, of the
        purses at the end of those who live there; NaN if nobody does).
    money : DataFrame, index ``night``
        As it closed, from 0, the start: ``purses_cp``, ``tills_cp``, ``supply_cp`` (both),
        ``inflow_cp``, ``outflow_cp`` (that night; the treasury's counted), ``treasury_cp`` (in
        it so far), ``staked_cp`` (that night), ``turnover`` (staked over supply, float).
    flows : DataFrame
        All ways money went, over all nights: ``source``, ``target`` (accounts: `OUTSIDE`,
        `PURSES`, `TABLES`, `TILLS`, `TREASURY`), ``reason`` (that of the ledger), ``amount_cp``
        > 0. Nothing is set off against anything: stakes and payouts stand apart.
    transfers : DataFrame
        Who won whose money at the tables: ``by`` ("trade" or "rank"), ``loser``, ``winner``,
        ``amount_cp`` (float). In each night and house the net losses of the groups that lost are
        shared among those that won in proportion to what they won; the house that takes a
        rake is a winner of the name "the house". What people of one group won from each other
        does not show.
    wealth : DataFrame, index ``when`` ("start", "end")
        Of the purses of those living here: ``n``, ``total_cp``, ``mean_cp``, ``median_cp``,
        ``gini``, ``gini_small_sample`` (times n/(n - 1)), ``theil``, ``hoover``, ``top_1``,
        ``top_10``, ``top_20`` (shares of the richest). NaN where nobody lives here, and
        ``gini_small_sample`` where one alone does. A third row, "losses": of what those have lost
        at the tables, on balance, who have lost.
    lorenz : DataFrame
        Lorenz curves: ``of`` ("start", "end", "losses"), ``share_of_people``, ``share_of_wealth``,
        both from 0 to 1; at most 201 points each. A curve of nobody is left out.
    mobility : DataFrame, shape (5, 5), index ``start``, columns 1 to 5
        Of those in a fifth of the purses at the start (1 the poorest), the share in each fifth
        at the end. Only people living here both times. Rows add up to 1; a row of nobody
        is NaN.
    turns : DataFrame
        The ruined and the enriched: ``patron_id``, ``name``, ``trade``, ``called`` (what he or she
        is by trade, in a word), ``rank``, ``turn`` ("ruined" or "enriched"), ``start_cp``,
        ``end_cp``, ``games_net_cp``; the greatest loss first, then the greatest win. `RUINED` and
        `ENRICHED` say who counts.
    estates : DataFrame
        What the dead and the gone left behind, by ``how`` (index: "left", "died"): ``people``,
        ``amount_cp``.
    notes : tuple of str
        What a reader should know before he believes a figure, a sentence each.
    """

    scenario: str
    seed: int
    n_nights: int
    inhabitants: int | None
    facts: dict[str, float | int | None]
    trades: pd.DataFrame
    ranks: pd.DataFrame
    spending: pd.DataFrame
    houses: pd.DataFrame
    house_nights: pd.DataFrame
    districts: pd.DataFrame
    money: pd.DataFrame
    flows: pd.DataFrame
    transfers: pd.DataFrame
    wealth: pd.DataFrame
    lorenz: pd.DataFrame
    mobility: pd.DataFrame
    turns: pd.DataFrame
    estates: pd.DataFrame
    notes: tuple[str, ...]


FACTS = {
    "opening_cp": "in purses and tills as the run began",
    "inflow_cp": "came from outside: wages, newcomers' purses",
    "outflow_cp": "went outside or to the treasury",
    "closing_cp": "in purses and tills at the end; opening + inflow - outflow",
    "purses_cp": "of it in purses",
    "tills_cp": "of it in tills",
    "treasury_cp": "taxes and excise paid",
    "people": "mean number of people living here (patrons)",
    "places": "people there is room for: as many as at the start; newcomers take vacant places",
    "houses": "number of houses",
    "houses_open": "of them, open at the end",
    "coins_a_head_cp": "in the purses at the end, a head",
    "wages_cp": "paid to all, all nights",
    "staked_cp": "put on the tables, all nights",
    "rake_cp": "the houses' share of it",
    "hold": "rake over staked; null if nothing was staked",
    "lost_cp": "lost at the tables by those who lost of an evening; null in older runs",
    "turnover": "mean over nights of what was staked over all money there is; null if no night",
    "gambling_share": "lost_cp over what people parted with: that, living, drink, fees and tax; "
    "null in older runs, or if nothing was spent",
    "mugs": "sold",
    "mug_cp": "paid for a mug, on average; null if none was sold",
    "takings_cp": "of all houses",
    "profit_cp": "of all houses",
    "quality_takings": "rank correlation of the houses' quality with what they take a night open; "
    "null where it is undefined",
    "district_takings": "the same of the median purse of the people of a house's district",
    "tax_rate": "tax over wages; null if none were paid",
    "spearman": "rank correlation of purses at the start and the end, of those here both times; "
    "null where it is undefined",
    "shorrocks": "Shorrocks index of `mobility`: 0 nobody moves, 1 where one begins says nothing; "
    "null where a fifth is empty",
    "ruined": "people who could pay for an evening and no longer can",
    "enriched": "people whom the tables made rich",
}
"""The keys of `TownBooks.facts` and what they mean."""

RUINED = (
    "came with at least five days' wages and the price of an evening at home, is still here, and "
    "cannot pay that any more"
)
ENRICHED = (
    "is still here with at least twice the purse he came with, and won at least 25 days' wages, "
    "where a purse comes to rest without games, at the tables on balance"
)
