"""Situations at a gaming table that is still warm: slips, streaks, trials to come, easy prey."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...coins import show
from ...rumor_words import spelled
from ..evening import Evening, Person
from .past import Past
from .room import ago, all_present, at_table, harshness_of, often, present, threat_of
from .situation import Situation, Watch

SURE = 0.6
"""A belief at which people speak up, one in three or so of those who lose."""
NEW = 7
"""Nights for which one who has come to town is a newcomer."""
ENOUGH = 3
"""Believers in one room that make a danger of a suspicion."""
FATE = ("killed", "beaten", "banned", "thrown_out", "run_down", "got_away", "caught")
JUDGED = (*FATE, "too_lucky", "warned", "convicted", "cleared")
"""What may befall one who is held for a cheat, what ends the matter first."""


def one_slip(past: Past, evening: Evening) -> Iterator[Situation]:
    """A cheat whose hand slipped once tonight: the second time is the last."""
    tonight = past.of("failed_trick", "dice_noticed", since=evening.night)
    slips = Counter(each.patron_id for each in tonight)
    over = {each.patron_id for each in past.of("caught", "convicted", since=evening.night)}
    for each in tonight:
        cheat = present(evening, each.patron_id, each.tavern_id)
        if cheat is None or slips[each.patron_id] != 1 or each.patron_id in over:
            continue
        saw = all_present(evening, each.witnesses, each.tavern_id)
        saw = [one for one in saw if not evening.are_kin(one.patron_id, cheat.patron_id)]
        if saw:
            yield _one_slip(past, evening, each.event_id, cheat, _surest(past, cheat, saw))


def _surest(past: Past, about: Person, people: list[Person]) -> Person:
    beliefs = past.suspicions.get(about.patron_id, {})
    return max(people, key=lambda one: (beliefs.get(one.patron_id, 0.0), -one.patron_id))


def _one_slip(
    past: Past, evening: Evening, event_id: int, cheat: Person, witness: Person
) -> Situation:
    custom = past.customs[cheat.tavern]
    tries = past.cheats[cheat.patron_id]
    n_tonight = sum(each.night == evening.night for each in tries)
    values = {
        "threat": threat_of(custom),
        "tries": often(n_tonight),
        "all": often(len(tries)),
        "won": show(max(0, past.won_tonight.get(cheat.patron_id, 0))),
    }
    return Situation(
        "one_slip",
        "winning" if past.won_tonight.get(cheat.patron_id, 0) > 0 else "losing",
        cheat.tavern,
        {"cheat": cheat, "witness": witness},
        values,
        (event_id,),
        0.7 + 0.5 * harshness_of(custom) + 0.05 * min(6, n_tonight),
        (Watch("cheat", JUDGED),),
    )


def trial(past: Past, evening: Evening) -> Iterator[Situation]:
    """A cheat and who is about to say so, at one table, and how the others would judge."""
    for subject, beliefs in past.suspicions.items():
        suspect = present(evening, subject)
        if suspect is None or subject not in past.cheats:
            continue
        others = at_table(evening, suspect)
        accuser = _accuser(beliefs, suspect, others, evening)
        if accuser is not None:
            yield _trial(past, evening, suspect, accuser, others)


def noose(past: Past, evening: Evening) -> Iterator[Situation]:
    """An innocent whom the people round him hold for a cheat."""
    for subject, beliefs in past.suspicions.items():
        suspect = present(evening, subject)
        if suspect is None or subject in past.cheats:
            continue
        others = at_table(evening, suspect)
        accuser = _accuser(beliefs, suspect, others, evening)
        if accuser is not None:
            yield _trial(past, evening, suspect, accuser, others)
            continue
        room = all_present(evening, beliefs, suspect.tavern)
        room = [one for one in room if not evening.are_kin(one.patron_id, subject)]
        if len(room) >= ENOUGH:
            yield _noose(past, suspect, room)


def _accuser(
    beliefs: dict[int, float], suspect: Person, others: list[Person], evening: Evening
) -> Person | None:
    able = [one for one in others if beliefs.get(one.patron_id, 0.0) >= SURE]
    able = [one for one in able if not evening.are_kin(one.patron_id, suspect.patron_id)]
    return max(able, default=None, key=lambda one: (beliefs[one.patron_id], -one.patron_id))


def _trial(
    past: Past, evening: Evening, suspect: Person, accuser: Person, others: list[Person]
) -> Situation:
    beliefs = past.suspicions[suspect.patron_id]
    judges = [one for one in others if one is not accuser]
    votes = sum(one.patron_id in beliefs for one in judges)
    falls = 2 * votes > len(judges)
    custom, tries = past.customs[suspect.tavern], past.cheats.get(suspect.patron_id, [])
    values = {
        "threat": threat_of(custom),
        "flips": spelled(votes - len(judges) // 2) if falls else "",
        "votes": _votes(votes, len(judges)),
        "tries": often(len(tries)) if tries else "never",
        "last": ago(tries[-1].night, evening.night) if tries else "",
    }
    return Situation(
        "trial" if tries else "noose",
        "falls" if falls else "stands",
        suspect.tavern,
        {"suspect": suspect, "accuser": accuser},
        values,
        tuple(each.event_id for each in tries[-1:]),
        0.7 + 0.5 * harshness_of(custom) + 0.3 * falls + 0.4 * (not tries) + _weight(beliefs),
        (Watch("suspect", JUDGED, other="accuser"), Watch("suspect", JUDGED)),
    )


def _votes(guilty: int, judges: int) -> str:
    """How many of a table would vote guilty.

    Examples
    --------
    >>> [_votes(guilty, 4) for guilty in (0, 1, 4)]
    ['nobody', 'one of the other four', 'all four others']
    """
    if not guilty:
        return "nobody"
    if guilty == judges:
        return f"all {spelled(judges)} others" if judges > 1 else "the only other"
    return f"{spelled(guilty)} of the other {spelled(judges)}"


def _noose(past: Past, suspect: Person, room: list[Person]) -> Situation:
    beliefs = past.suspicions[suspect.patron_id]
    loudest = max(room, key=lambda one: (beliefs[one.patron_id], -one.patron_id))
    custom = past.customs[suspect.tavern]
    values = {"threat": threat_of(custom), "n": spelled(len(room)), "all": spelled(len(beliefs))}
    return Situation(
        "noose",
        "room",
        suspect.tavern,
        {"suspect": suspect, "accuser": loudest},
        values,
        (),
        0.8 + 0.5 * harshness_of(custom) + 0.1 * min(6, len(room)),
        (Watch("suspect", JUDGED),),
    )


def _weight(beliefs: dict[int, float]) -> float:
    return min(0.3, 0.02 * len(beliefs))


def streak(past: Past, evening: Evening) -> Iterator[Situation]:
    """One win short of a beating for luck, where that is the custom."""
    for patron_id, wins in past.streaks.items():
        hand = present(evening, patron_id)
        most = past.customs[hand.tavern].lucky_wins if hand and hand.tavern in past.customs else 0
        if hand is None or not most or wins != most - 1:
            continue
        others = at_table(evening, hand)
        if others:
            yield _streak(past, hand, others, wins)


def _streak(past: Past, hand: Person, others: list[Person], wins: int) -> Situation:
    foe = min(others, key=lambda one: (past.won_tonight.get(one.patron_id, 0), one.patron_id))
    is_cheat = hand.patron_id in past.cheats
    lasts = hand.tavern in past.lasting
    values = {
        "wins": spelled(wins),
        "most": spelled(wins + 1),
        "won": show(max(0, past.won_tonight.get(hand.patron_id, 0))),
        "truth": "@cheat" if is_cheat else "@honest",
        "lost": show(max(0, -past.won_tonight.get(foe.patron_id, 0))),
    }
    return Situation(
        "streak",
        "lasts" if lasts else "tonight",
        hand.tavern,
        {"hand": hand, "foe": foe},
        values,
        (),
        1.8 + 0.2 * (not is_cheat),
        (Watch("hand", ("too_lucky",), house=True),) if lasts else (),
    )


def marked(past: Past, evening: Evening) -> Iterator[Situation]:
    """A newcomer at the table of one who turns dice."""
    for each in past.of("arrived", since=evening.night - NEW):
        newcomer = present(evening, each.patron_id)
        if newcomer is None or each.patron_id in past.cheats:
            continue
        cheats = [one for one in at_table(evening, newcomer) if one.patron_id in past.cheats]
        cheats = [one for one in cheats if one.household != newcomer.household]
        if cheats:
            yield _marked(past, evening, each.event_id, newcomer, cheats)


def _marked(
    past: Past, evening: Evening, event_id: int, newcomer: Person, cheats: list[Person]
) -> Situation:
    cheat = max(cheats, key=lambda one: (len(past.cheats[one.patron_id]), -one.patron_id))
    tries = past.cheats[cheat.patron_id]
    net = past.won_tonight.get(newcomer.patron_id, 0)
    came = next(each for each in past.of("arrived") if each.event_id == event_id)
    values = {
        "purse": show(past.purses.get(newcomer.patron_id, 0)),
        "lost": show(max(0, -net)),
        "won": show(max(0, net)),
        "tries": often(len(tries)),
        "came": ago(came.night, evening.night),
    }
    return Situation(
        "marked",
        "losing" if net < 0 else "winning",
        newcomer.tavern,
        {"newcomer": newcomer, "cheat": cheat},
        values,
        (event_id, tries[-1].event_id),
        1.3 + 0.2 * (net < 0),
        (
            Watch("newcomer", ("accused",), other="cheat"),
            Watch("newcomer", ("broke", "left", "lent")),
            Watch("cheat", JUDGED),
        ),
    )
