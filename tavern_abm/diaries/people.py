"""Who is meant, who he is, and how it stood with him in the end."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from ..rumor_words import in_coins, in_passing, spelled
from ..run_folder import RunFolder
from .voice import Voice
from .wordings import RANKS, STRIKING, TRAITS

MOST_NAMED = 6
"""Of several people that a part of a name fits, so many are named."""


class NobodyError(LookupError):
    """Nobody in a run is called so."""


def find_patron(run: RunFolder, wanted: str) -> int:
    """The id of whoever is called so.

    Parameters
    ----------
    run : RunFolder
        The run.
    wanted : str
        A name in full, a part of one that fits nobody else, or an id.

    Raises
    ------
    NobodyError
        Naming those who may have been meant.
    """
    rows = run.table("patrons", ["patron_id", "name"])
    ids, names = rows["patron_id"].tolist(), [str(name) for name in rows["name"]]
    sought = wanted.strip().casefold()
    if sought.isdecimal() and int(sought) in ids:
        return int(sought)
    exact = [i for i, name in zip(ids, names, strict=True) if name.casefold() == sought]
    partly = exact or [
        i for i, name in zip(ids, names, strict=True) if sought and sought in name.casefold()
    ]
    if len(partly) == 1:
        return int(partly[0])
    if partly:
        those = [name for i, name in zip(ids, names, strict=True) if i in partly[:MOST_NAMED]]
        dots = " ..." if len(partly) > MOST_NAMED else ""
        raise NobodyError(f"'{wanted}' fits {len(partly)} people: {', '.join(those)}{dots}")
    close = get_close_matches(wanted, names, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(repr(name) for name in close)}?" if close else ""
    raise NobodyError(f"nobody in this run is called '{wanted}'{hint}")


def opening(person: dict[Any, Any], voice: Voice) -> str:
    """Who he is: what he lives by, what he is like, and what nobody knows of him."""
    rank = RANKS.get(str(person["rank"]), str(person["rank"]))
    house = in_passing(str(person["home_tavern"]))
    trade = _a(f"{person['ancestry']} {person['trade']}")
    text = f"{voice.name} is {trade}, {rank}, and at home in {house}."
    traits = list(_traits(person, voice))[:2]
    if traits:
        text += voice.say(" {He} is {traits}.", 0, traits=" and ".join(traits))
    wage, purse = in_coins(int(person["wage_cp"])), in_coins(int(person["start_cp"]))
    text += voice.say(" {He} earns {wage} a day and began with {purse}.", 0, wage=wage, purse=purse)
    return f"{text} {_secret(person, voice)}"


def _secret(person: dict[Any, Any], voice: Voice) -> str:
    """His true nature, which nobody at the table knows."""
    if person["is_player"]:
        return voice.say("{He} is a player's character.", 0)
    tries, failed = int(person["tries"]), int(person["failed_checks"])
    if not person["is_cheat_kind"] and not tries:
        return voice.say("In truth {he} has never cheated.", 0)
    if not tries:
        return voice.say("In truth {he} is of the cheating kind, but never tried.", 0)
    tricks = "one trick" if tries == 1 else f"{spelled(tries)} tricks"
    wrong = "none went wrong" if not failed else f"{spelled(failed)} went wrong"
    if tries == 1:
        wrong = "it went wrong" if failed else "it came off"
    nature = "In truth {he} is a cheat: {he} tried {tricks}, and {wrong}."
    if not person["is_cheat_kind"]:
        nature = "{He} was no cheat by nature, but learned it: {he} tried {tricks}, and {wrong}."
    return voice.say(nature, 0, tricks=tricks, wrong=wrong)


def _traits(person: dict[Any, Any], voice: Voice) -> Iterator[str]:
    """What is striking about his character, the most striking first."""
    found = {name: float(person[name]) for name in TRAITS if abs(person[name]) >= STRIKING}
    for name in sorted(found, key=lambda name: -abs(found[name])):
        yield TRAITS[name][found[name] > 0].format(**voice.words)


def _a(words: str) -> str:
    """A noun with its article.

    Examples
    --------
    >>> _a("orc guard"), _a("human smith")
    ('an orc guard', 'a human smith')
    """
    return f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"


def closing(person: dict[Any, Any], voice: Voice) -> str:
    """How it stood at the end of the run: his luck, and what people thought of him."""
    net = int(person["games_net_cp"])
    came = f"{in_coins(net)} {'up' if net > 0 else 'down'}" if net else "even"
    text = voice.say("At the tables {he} came out {came} in all.", 0, came=came)
    holders, suspects = int(person["believers"]), int(person["notoriety"])
    if holders:
        few = "nobody" if not suspects else spelled(suspects)
        text += voice.say(
            " Of {holders} who had an opinion of {him}, {few} took {him} for a cheat.",
            0,
            holders="the one" if holders == 1 else spelled(holders),
            few=few,
        )
    return f"{text} {_end(person, voice)}".strip()


def _end(person: dict[Any, Any], voice: Voice) -> str:
    if person["whereabouts"] == "here":
        return ""
    went = "died" if person["whereabouts"] == "dead" else "left town for good"
    return voice.say("{He} {went} on night {last}.", 0, went=went, last=person["gone_night"])
