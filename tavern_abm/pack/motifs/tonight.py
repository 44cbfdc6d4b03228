"""What the people of a situation have been through this evening, before the players come in."""

from __future__ import annotations

from collections.abc import Mapping

from .past import Happening, Past
from .room import often
from .situation import Situation

ON_TRIAL = ("cheat", "suspect", "hand", "named", "subject", "accused", "target", "owner", "exile")
"""Roles of those whom it matters to that somebody called them cheats, whoever it was."""
KINDS = ("cleared", "warned", "brawl")
"""Kinds of event that whoever sits there speaks of for the rest of the evening."""


def earlier_tonight(past: Past, situation: Situation) -> dict[str, str]:
    """What befell one of a situation's people tonight, as its `tonight` has it.

    The one it turns on first goes before the others, and what the other one of it did
    to him before what strangers to it did. What the situation was found in is no news.
    """
    role_of = {person.patron_id: role for role, person in situation.cast.items()}
    told = [
        each
        for each in past.of(*KINDS, since=past.night)
        if _is_of(each, role_of) and each.event_id not in situation.events
    ]
    if not told or any(each.event_id in situation.events for each in past.of(*KINDS)):
        return {}
    roles = [*situation.cast]
    first = min(told, key=lambda each: (roles.index(role_of[each.patron_id]), each.event_id))
    same = [each for each in told if (each.kind, each.patron_id) == (first.kind, first.patron_id)]
    return _told(same, role_of)


def _is_of(each: Happening, role_of: Mapping[int, str]) -> bool:
    """Whether it befell one of them, by another of them or in a matter that it is about."""
    role = role_of.get(each.patron_id)
    return role is not None and (each.other_id in role_of or role in ON_TRIAL)


def _told(same: list[Happening], role_of: dict[int, str]) -> dict[str, str]:
    """Events of one kind that befell one person."""
    first, others = same[0], {each.other_id for each in same}
    by = role_of.get(first.other_id, "") if len(others) == 1 else ""
    key = f"{first.kind}_by" if by else first.kind
    n = often(len(same)) if len(same) > 1 else ""
    return {"key": key, "who": role_of[first.patron_id], "other": by, "n": n}
