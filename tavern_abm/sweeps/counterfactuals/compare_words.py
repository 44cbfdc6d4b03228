"""What a difference is called: for each quantity a title, a unit and a clause to say it in."""

from __future__ import annotations

import math
from typing import NamedTuple

from ..estimating.estimates import Estimate

__all__ = ["DEFAULT", "WORDINGS", "Wording", "number", "said", "wording_of"]

MINUS = "\N{MINUS SIGN}"


class Wording(NamedTuple):
    """How a quantity is told.

    Attributes
    ----------
    group : str
        Heading under which it stands in a table.
    title : str
        Its row there.
    unit : "cp", "count", "people", "share", "index" or "nights"
        What it is counted in; a share is 0 to 1 and told in per cent.
    clause : str
        A clause with ``{}`` where "12 cp a night less" goes.
    more, less : str
        Words for a change upwards and downwards.
    is_nightly : bool
        A sum over the nights, told by the night.
    """

    group: str
    title: str
    unit: str
    clause: str
    more: str = "more"
    less: str = "less"
    is_nightly: bool = False


def _coins(group: str, title: str, clause: str) -> Wording:
    """A sum of money over the nights."""
    return Wording(group, title, "cp", clause, is_nightly=True)


def _times(group: str, title: str, clause: str, unit: str = "count") -> Wording:
    """A number of things in the whole run."""
    return Wording(group, title, unit, clause, "more", "fewer")


def _share(group: str, title: str, clause: str) -> Wording:
    return Wording(group, title, "share", clause, "more", "fewer")


def _level(group: str, title: str, unit: str, clause: str) -> Wording:
    return Wording(group, title, unit, clause, "higher", "lower")


MONEY, TRICKS, JUSTICE = "Money", "Tricks", "Justice"
BELIEFS, TALK, PEOPLE = "Beliefs", "Talk", "People"

WORDINGS: dict[str, Wording] = {
    # ------------------------------------------------------------- money
    "staked_cp": _coins(MONEY, "staked at the tables", "people stake {} at the tables"),
    "changed_hands_cp": _coins(MONEY, "lost to winners", "{} changes hands at the tables"),
    "cheats_net_cp": _coins(MONEY, "won by cheating Hands", "cheats win {} as the Hand"),
    "honest_net_cp": _coins(MONEY, "won by honest Hands", "honest people win {} as the Hand"),
    "bets_cp": _coins(MONEY, "bet by onlookers", "onlookers bet {}"),
    "loans_cp": _coins(MONEY, "lent", "people lend each other {}"),
    "drinks_cp": _coins(MONEY, "drunk", "people drink for {}"),
    "rake_cp": _coins(MONEY, "rake", "the houses rake in {}"),
    "house_profit_cp": _coins(MONEY, "made by the houses", "the houses make {}"),
    "bribes_cp": _coins(MONEY, "bribes", "the wardens are bribed with {}"),
    "unpaid_cp": _coins(MONEY, "bills that houses left unpaid", "the houses leave {} unpaid"),
    "till_cp": _level(MONEY, "in the tills at the end", "cp", "what is in the tills is {}"),
    "median_cp": _level(MONEY, "median purse at the end", "cp", "the median purse is {}"),
    "house_edge": _level(MONEY, "house edge (rake per staked)", "share", "the house edge is {}"),
    "gini": _level(MONEY, "inequality of purses (Gini)", "index", "the inequality (Gini) is {}"),
    "gini_change": _level(
        MONEY, "change of the Gini", "index", "the change of the Gini over the run is {}"
    ),
    "top_10_share": _level(
        MONEY, "held by the richest tenth", "share", "the share of the richest tenth is {}"
    ),
    "broke": _times(MONEY, "broke at the end", "{} people are broke at the end", "people"),
    "broke_share": _share(MONEY, "share of people broke", "of all people, {} are broke"),
    # ------------------------------------------------------------- tricks
    "tricks_tried": _times(TRICKS, "tricks tried", "{} tricks are tried"),
    "tricks_noticed": _times(TRICKS, "tricks fumbled", "{} tricks are fumbled in plain sight"),
    "tricks_convicted": _times(
        TRICKS, "cheats caught in the act", "{} cheats are caught in the act"
    ),
    "cheating_rate": _level(
        TRICKS, "cheating rate", "share", "the share of rounds with a trick is {}"
    ),
    "cheating_per_100": _level(
        TRICKS, "cheats earn, per 100 staked", "index", "what cheats earn of 100 staked is {}"
    ),
    "honest_per_100": _level(
        TRICKS, "the honest earn, per 100 staked", "index", "what the honest earn of 100 is {}"
    ),
    "cheats_win": _level(TRICKS, "rounds won by cheats", "share", "cheats' share of wins is {}"),
    "honest_win": _level(
        TRICKS, "rounds won by the honest", "share", "honest people's share of wins is {}"
    ),
    # ------------------------------------------------------------- justice
    "accusations_just": _times(JUSTICE, "just accusations", "{} cheats are accused"),
    "accusations_unjust": _times(JUSTICE, "unjust accusations", "{} innocents are accused"),
    "just_convictions": _times(JUSTICE, "just convictions", "{} cheats are convicted"),
    "convictions_just": _times(JUSTICE, "just convictions", "{} cheats are convicted"),
    "unjust_convictions": _times(JUSTICE, "unjust convictions", "{} innocents are convicted"),
    "convictions_unjust": _times(JUSTICE, "unjust convictions", "{} innocents are convicted"),
    "conviction_ppv": _share(
        JUSTICE, "convictions that are just", "of all convictions, {} are just"
    ),
    "unjust_per_100_convictions": _level(
        JUSTICE,
        "unjust of 100 convictions",
        "index",
        "the number of unjust ones in 100 convictions is {}",
    ),
    "beaten_just": _times(JUSTICE, "beatings of cheats", "{} cheats are beaten"),
    "unjust_beatings": _times(
        JUSTICE, "unjust beatings", "{} people who had not cheated are beaten"
    ),
    "killed_just": _times(JUSTICE, "cheats killed", "{} cheats are killed"),
    "killed_unjust": _times(JUSTICE, "innocents killed", "{} innocents are killed"),
    "too_lucky": _times(JUSTICE, "beaten for mere luck", "{} people are beaten for mere luck"),
    "cleared": _times(JUSTICE, "acquittals", "{} accused are acquitted"),
    "banned": _times(JUSTICE, "bans", "{} people are banned from their house"),
    "thrown_out": _times(JUSTICE, "thrown out", "{} people are thrown out"),
    "warned": _times(JUSTICE, "let off with a warning", "{} people are let off with a warning"),
    "brawls": _times(JUSTICE, "brawls", "{} brawls break out"),
    "ran": _times(JUSTICE, "ran from a sentence", "{} of the condemned run"),
    # ------------------------------------------------------------- beliefs
    "tpr": _share(BELIEFS, "cheats suspected (TPR)", "of those who know a cheat, {} suspect him"),
    "fpr": _share(
        BELIEFS, "honest people suspected (FPR)", "of those who know an honest man, {} suspect him"
    ),
    "ppv": _share(BELIEFS, "suspicions that are right (PPV)", "of all suspicions, {} are right"),
    "auc": _level(BELIEFS, "ranking of cheats (AUC)", "index", "the AUC of beliefs is {}"),
    "auc_observer": _level(
        BELIEFS, "ranking by one observer (AUC)", "index", "the AUC of one observer is {}"
    ),
    "auc_pairs": _level(
        BELIEFS, "ranking by all beliefs (AUC)", "index", "the AUC of all beliefs is {}"
    ),
    "auc_reputation": _level(
        BELIEFS, "ranking by reputation (AUC)", "index", "the AUC of reputations is {}"
    ),
    "brier": _level(
        BELIEFS, "error of beliefs (Brier)", "index", "the Brier error of beliefs is {}"
    ),
    "ece": _level(BELIEFS, "calibration error", "index", "the calibration error of beliefs is {}"),
    "nights_to_suspicion": Wording(
        BELIEFS,
        "nights until a cheat is suspected",
        "nights",
        "it takes {} until a cheat is suspected",
        "longer",
        "less",
    ),
    "nights_to_suspicion_30": Wording(
        BELIEFS,
        "nights until a cheat is suspected (of 30)",
        "nights",
        "of the first 30 nights, it takes {} until a cheat is suspected",
        "longer",
        "less",
    ),
    # ------------------------------------------------------------- talk
    "hearsay": _times(TALK, "suspicions passed on", "{} suspicions are passed on"),
    "rumors": _times(TALK, "rumours that came up", "{} rumours come up"),
    "tellings": _times(TALK, "rumours told", "{} rumours are told"),
    "believed": _times(TALK, "rumours believed", "{} rumours are believed"),
    "false_tellings": _times(TALK, "false rumours told", "{} false rumours are told"),
    "false_telling_share": _share(
        TALK, "share of rumours told that are false", "of the rumours told, {} are false"
    ),
    # ------------------------------------------------------------- people
    "guests": _times(PEOPLE, "evenings out", "people go out on {} evenings"),
    "rounds": _times(PEOPLE, "rounds played", "{} rounds are played"),
    "mugs": _times(PEOPLE, "mugs", "{} mugs are drunk"),
    "arrived": _times(PEOPLE, "newcomers", "{} newcomers arrive", "people"),
    "left": _times(PEOPLE, "left town", "{} people leave town", "people"),
    "died": _times(PEOPLE, "died", "{} people die", "people"),
    "living": _times(PEOPLE, "live here at the end", "{} people live here at the end", "people"),
    "contests": _times(PEOPLE, "contests", "{} contests are decided"),
    "hurt": _times(PEOPLE, "hurt in contests", "{} people are hurt in contests and chases"),
    "loans": _times(PEOPLE, "loans", "{} loans are made"),
    "dodged": _times(PEOPLE, "debts dodged", "{} debts are not paid when they are due"),
}
"""Every quantity that there are words for, in the order of the tables."""

DEFAULT = (
    *("staked_cp", "cheats_net_cp", "honest_net_cp", "house_profit_cp", "drinks_cp"),
    *("median_cp", "gini", "broke"),
    *("tricks_tried", "tricks_convicted"),
    *("accusations_just", "accusations_unjust", "just_convictions", "unjust_convictions"),
    *("conviction_ppv", "unjust_beatings", "killed_just", "killed_unjust", "brawls"),
    *("tpr", "fpr", "ppv", "brier"),
    *("hearsay", "tellings"),
    *("guests", "rounds", "living"),
)
"""What is looked at unless one asks for something else."""


def wording_of(name: str) -> Wording:
    """The words for a quantity, for any name.

    Parameters
    ----------
    name : str
        Such as ``"gini"``; ``"gini:mean"`` for another way of taking it, and
        ``"rake_cp@The Honest Ounce"`` for one house.

    Examples
    --------
    >>> wording_of("gini:max").title
    'inequality of purses (Gini), max of the nights'
    >>> wording_of("rake_cp@The Honest Ounce").title, wording_of("delay").clause
    ('rake, The Honest Ounce', 'delay is {}')
    """
    rest, _, house = name.partition("@")
    base, _, way = rest.partition(":")
    known = WORDINGS.get(base) or _plain(base)
    parts = [known.title, f"{way} of the nights" if way else "", house]
    title = ", ".join(filter(None, parts))
    if title == known.title:
        return known
    own = known._replace(title=title, clause=f"{title}: {{}}", more="more", less="less")
    return own._replace(is_nightly=known.is_nightly and way in ("", "sum"))


def _plain(name: str) -> Wording:
    """Words for a quantity that has none of ours: those of the registry, or its name."""
    from ..measuring.quantities import quantities

    known = quantities().get(name)
    if known is None:
        return Wording("Others", name, "number", f"{name} is {{}}", "higher", "lower")
    units = {"0 to 1": "share", "cp": "cp"}
    title = known.title[:1].lower() + known.title[1:]
    return _level("Others", title, units.get(known.unit, "number"), f"{title}: {{}}")


def decimals(half: float) -> int:
    """Digits after the point that half an interval leaves any sense in, at most four.

    Examples
    --------
    >>> [decimals(half) for half in (340, 5.2, 0.4, 0.03, 0)]
    [0, 0, 1, 2, 2]
    """
    if not math.isfinite(half) or half <= 0:
        return 2
    return min(4, max(0, -math.floor(math.log10(half))))


def number(value: float, digits: int, *, sign: bool = False) -> str:
    """A number with thousands set apart and a minus that is one; an en dash if undefined.

    Examples
    --------
    >>> number(-1234.5, 0), number(0.126, 2, sign=True), number(float("nan"), 1)
    ('−1,234', '+0.13', '–')
    """
    if math.isnan(value):
        return "\N{EN DASH}"
    rounded = round(value, digits) + 0.0  # no minus before a zero
    text = f"{rounded:+,.{digits}f}" if sign and rounded else f"{rounded:,.{digits}f}"
    return text.replace("-", MINUS)


def scale(wording: Wording, n_nights: int) -> float:
    """By what a value is multiplied to be told: a share in per cent, a sum by the night."""
    if wording.unit == "share":
        return 100.0
    return 1 / n_nights if wording.is_nightly else 1.0


def unit_told(wording: Wording) -> str:
    """The unit of a row of a table.

    Examples
    --------
    >>> unit_told(WORDINGS["staked_cp"]), unit_told(WORDINGS["ppv"]), unit_told(WORDINGS["gini"])
    ('cp a night', '%', '')
    """
    if wording.is_nightly:
        return f"{wording.unit} a night"
    return {"cp": "cp", "share": "%", "nights": "nights"}.get(wording.unit, "")


def said(wording: Wording, change: Estimate, n_nights: int) -> str:
    """Say a change in a clause, with its interval: for one whose sign is known.

    One that is the same in every pair has no interval.

    Parameters
    ----------
    change : Estimate
        In the unit of the quantity, over all nights.
    n_nights : int
        Nights of the run.

    Examples
    --------
    >>> change = Estimate(-360.0, -510.0, -210.0, 50, 1.0)
    >>> said(WORDINGS["cheats_net_cp"], change, 30)
    'cheats win 12 cp a night less as the Hand (7 to 17)'
    >>> said(WORDINGS["ppv"], Estimate(0.08, 0.03, 0.13, 50, 1.0), 30)
    'of all suspicions, 8 points more are right (3 to 13)'
    >>> said(WORDINGS["living"], Estimate(-1.0, -1.0, -1.0, 50, 0.0), 30)
    '1 fewer people live here at the end'
    """
    factor = scale(wording, n_nights) * (1 if change.value >= 0 else -1)
    value, ends = change.value * factor, sorted((change.low * factor, change.high * factor))
    is_whole = change.half == 0 and value == round(value)
    digits = 0 if is_whole else decimals(change.half * abs(factor))
    word = wording.more if change.value >= 0 else wording.less
    amount = number(value, digits)
    amount = f"{amount}{_unit_within(wording, is_one=amount == '1')} {word}"
    if change.half == 0:
        return wording.clause.format(amount)
    interval = f"{number(ends[0], digits)} to {number(ends[1], digits)}"
    return f"{wording.clause.format(amount)} ({interval})"


def _unit_within(wording: Wording, *, is_one: bool) -> str:
    ending = "" if is_one else "s"
    units = {"share": f" point{ending}", "cp": " cp", "nights": f" night{ending}"}
    return units.get(wording.unit, "") + (" a night" if wording.is_nightly else "")
