"""Situations to walk into tonight: motifs of the record, in words, the best of them chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..run_folder import RunFolder
from ..stories import weight_of
from .ahead import Ahead
from .documents import SessionHook
from .evening import Evening
from .identity import id_of, luck_of, salt_of
from .motifs import MOTIFS, Past, Situation
from .motifs.tonight import earlier_tonight
from .motifs.words import Lines, Outcome, lines_of

COUNT = 5
SAME_MOTIF = 0.8
"""What each further situation of a motif loses against those of others."""
SAME_HOUSE = 0.15
"""The same for a tavern."""
GRAVEST = 80
"""Weight of an event from which on an outcome is as grave as can be."""


@dataclass(frozen=True)
class _Candidate:
    situation: Situation
    outcome: Outcome
    score: float


def hooks_of(
    run: RunFolder,
    evening: Evening,
    *,
    tavern: int | None = None,
    count: int = COUNT,
    ahead: Ahead | None = None,
) -> list[SessionHook]:
    """Find the situations of an evening that are worth walking into, the best first.

    Parameters
    ----------
    run : RunFolder
        The run.
    evening : Evening
        Of it.
    tavern : int, optional
        Only those of this house, by its tavern_id.
    count : int, default 5
        How many at the most.
    ahead : Ahead, optional
        What happened afterwards; without it no hook says what comes of it.

    Returns
    -------
    list of SessionHook
        No person is in two of them.
    """
    salt, chosen = salt_of(run), []
    for candidate, lines in _chosen(_candidates(run, evening, tavern, ahead), evening, count):
        chosen.append(_hook(candidate.situation, lines, evening, salt))
    return chosen


def _candidates(
    run: RunFolder, evening: Evening, tavern: int | None, ahead: Ahead | None
) -> list[_Candidate]:
    found = []
    for situation in situations_of(run, evening):
        if tavern is None or situation.tavern == tavern:
            outcome = outcome_of(situation, ahead)
            found.append(_Candidate(situation, outcome, _score(situation, outcome)))
    return sorted(found, key=lambda each: (-each.score, *_key(each.situation)))


def outcome_of(situation: Situation, ahead: Ahead | None) -> Outcome:
    """What comes of a situation, as far as one has looked ahead."""
    if ahead is None:
        return Outcome(0, [])
    more = ahead.believers.get(situation.story, 0)
    return Outcome(ahead.last_of(situation), ahead.outcome(situation), more, ahead.until)


def situations_of(run: RunFolder, evening: Evening) -> Iterator[Situation]:
    """All situations of an evening in one of its houses, motif by motif."""
    past = Past(run, evening.night)
    for motif in MOTIFS.values():
        for situation in motif(past, evening):
            if situation.tavern in evening.houses:  # there is nowhere else to walk into
                yield replace(situation, tonight=earlier_tonight(past, situation))


def _score(situation: Situation, outcome: Outcome) -> float:
    """How good a situation is; one of which something comes is worth more."""
    if not outcome.happened:
        return situation.score
    gravest = max(weight_of(each.kind) for each in outcome.happened)
    return situation.score + 0.5 + min(1.0, gravest / GRAVEST)


def _key(situation: Situation) -> tuple[int, str]:
    """An order of those that score alike: the same in every run of the program."""
    what = (situation.motif, situation.scene, *situation.people, *situation.events)
    return luck_of("hook", *what), repr(what)


def _chosen(
    candidates: list[_Candidate], evening: Evening, count: int
) -> Iterator[tuple[_Candidate, Lines]]:
    """The best, one after the other: no person twice, and no motif while there are others."""
    motifs: Counter[str] = Counter()
    houses: Counter[int] = Counter()
    taken: set[int] = set()
    left, n_chosen = list(candidates), 0
    while left and n_chosen < count:
        best = max(left, key=lambda each: _worth(each, motifs, houses))
        left.remove(best)
        lines = lines_of(best.situation, evening, best.outcome)
        if lines is None:
            continue
        yield best, lines
        n_chosen += 1
        motifs[best.situation.motif] += 1
        houses[best.situation.tavern] += 1
        taken |= {*best.situation.people}
        left = [each for each in left if taken.isdisjoint(each.situation.people)]


def _worth(each: _Candidate, motifs: Counter[str], houses: Counter[int]) -> float:
    situation = each.situation
    repeated = SAME_MOTIF * motifs[situation.motif] + SAME_HOUSE * houses[situation.tavern]
    return each.score - repeated


def _hook(situation: Situation, lines: Lines, evening: Evening, salt: str) -> SessionHook:
    return SessionHook(
        id=id_of(salt, "hook", situation.motif, *situation.people, *situation.events),
        title=lines.title,
        motif=situation.motif,
        tavern=evening.houses[situation.tavern],
        tavern_id=situation.tavern,
        now=lines.now,
        wants=lines.wants,
        clock=lines.clock,
        if_nobody=lines.nobody,
        lever=lines.lever,
        stakes=lines.stakes,
        people=situation.people,
        events=situation.events,
    )
