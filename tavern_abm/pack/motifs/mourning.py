"""The situation that a killing by day leaves: kin in the house, and who did it, or strangers."""

from __future__ import annotations

from collections.abc import Iterator

from ..evening import Evening, Person
from .past import Happening, Past
from .room import ago, all_present, anybody, kin_of, living, present, whereabouts
from .situation import Situation, Watch

FRESH = 10
"""Nights for which a grave is new."""


def mourned(past: Past, evening: Evening) -> Iterator[Situation]:
    """Kin of one who was killed outside every house, by no table's sentence."""
    for each in past.of("killed", since=evening.night - FRESH):
        victim = anybody(evening, each.patron_id)
        if each.tavern_id or victim is None:
            continue
        ids = [one.patron_id for one in kin_of(evening, victim) if one.patron_id != each.other_id]
        kin = all_present(evening, ids)
        killer = living(evening, each.other_id)
        if kin and (killer or not each.other_id):
            near = [one for one in kin if killer and one.tavern == killer.tavern]
            yield _mourned(past, evening, each, victim, (near or kin)[0], killer)


def _mourned(
    past: Past,
    evening: Evening,
    each: Happening,
    victim: Person,
    kin: Person,
    killer: Person | None,
) -> Situation:
    ids = [one for one in each.witnesses if one != each.other_id]
    saw = all_present(evening, ids, kin.tavern)
    saw = [one for one in saw if one.household != victim.household]
    values = {
        "when": _when(each.night, evening.night),
        "saw": "@one_saw" if saw else "@none_saw",
        "witness": f"{saw[0].name} ({saw[0].trade_word})" if saw else "",
        "where": whereabouts(evening, killer, kin.tavern) if killer else "",
    }
    is_here = killer is not None and present(evening, killer.patron_id, kin.tavern) is not None
    scene = "here" if is_here else "known" if killer else "strangers"
    if killer and not _knows(past, each, kin):
        scene = "unknown"
    return Situation(
        "mourned",
        scene,
        kin.tavern,
        {"kin": kin, "victim": victim} | ({"killer": killer} if killer else {}),
        values,
        (each.event_id,),
        1.9 + 0.4 * is_here - 0.04 * (evening.night - each.night),
        _watched(killer),
    )


def _knows(past: Past, each: Happening, kin: Person) -> bool:
    """Whether somebody saw who did it, or was told so and believes it."""
    held = past.held(each.night, [kin.patron_id])
    is_told = any(
        (row["event_id"], row["other_id"]) == (each.event_id, each.other_id) for row in held
    )
    return kin.patron_id in each.witnesses or is_told


def _watched(killer: Person | None) -> tuple[Watch, ...]:
    leaves = Watch("kin", ("left",))
    if killer is None:
        return (leaves,)
    between = ("brawl", "accused")
    kinds = (("kin", "killer"), ("killer", "kin"))
    return (
        *(Watch(one, between, other=other) for one, other in kinds),
        Watch("killer", ("killed", "left")),
        leaves,
    )


def _when(night: int, tonight: int) -> str:
    """When something happened in the morning of a night.

    Examples
    --------
    >>> _when(14, 14), _when(13, 14), _when(9, 14)
    ('this morning', 'yesterday morning', 'five nights back')
    """
    mornings = ("this morning", "yesterday morning")
    return mornings[tonight - night] if tonight - night < len(mornings) else ago(night, tonight)
