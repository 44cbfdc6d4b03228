"""A race in the yard as events: who won it, who was pulled out of the water, who was hurt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from ..coins import show
from ..courses import load_course, plain_course
from ..data_tables import DataError
from ..games import race_sheet
from .happenings import Event, Teller
from .race_words import in_a_row, upper

N_FACTS = 10
(
    WINNERS,
    TOTAL,
    N_RUN,
    N_ONLOOKERS,
    BETS_CP,
    FINISHED,
    DROWNED,
    HURT,
    WORST,
    WORST_DAMAGE,
) = range(N_FACTS)
"""What a cell's `facts` hold.

A bit for each winner; the best total; how many increments were run before the
race was decided; how many looked on, and what they bet in cp; a bit for each
racer who was still in at the end, who drowned almost, and who was hurt; the
place of the one who was hurt most, and the damage. The racers are the cell's
`rows`, in the order in which they were drawn."""

KINDS = {
    "race_won": "won a race; other_id tied if anybody did; amount_cp is won on it",
    "race_unfinished": "a race in which nobody was left, the first of those who ran it",
    "pulled_out": "went under in a race and was pulled out of the water",
    "hurt_racing": "was hurt in a race more than anybody else, or alone",
}
"""Kinds of event that this game brings."""

WON = (
    "{winner} won {course} with {total} before {others}.",
    "{course}: {winner} came in first with {total}, and {others} after.",
    "Nobody could keep up with {winner}, who won {course} with {total} before {others}.",
)
LAST_LEFT = (
    "After {n} {winner} was the last one left in {course}, and had won.",
    "{others} dropped out, and {course} was {winner}'s after {n}.",
)
SHARED = "{winners} came in together in {course}, with {total}, and shared."
NOT_IN = (
    "{gone} never came in.",
    "{gone} did not see the end of it.",
)
UNFINISHED = (
    "Nobody saw the end of {course}, and every stake went back.",
    "{course} was too much for everybody; the stakes went back.",
)
PULLED_OUT = (
    "{name} went under in {course} and was pulled out.",
    "They had to fish {name} out in {course}.",
)
HURTS = (
    "{name} was hurt in {course}: {damage}.",
    "{course} cost {name} some skin: {damage}.",
)
MOST_NAMED = 3
COUNTED = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def tell_round(teller: Teller) -> Iterator[Event]:
    """The events of one race, in the order in which a yard would tell them."""
    facts, course = teller.cell["facts"], _title(teller)
    winners = teller.rows(facts[WINNERS])
    if winners:
        yield _won(teller, winners, course)
    else:
        text = upper(teller.pick(UNFINISHED).format(course=course))
        yield teller.event("race_unfinished", text, teller.hand_row)
    for place, row in enumerate(teller.rows(facts[DROWNED])):
        text = teller.pick(PULLED_OUT, place).format(name=teller.who(row).name, course=course)
        yield teller.event("pulled_out", upper(text), row)
    if facts[HURT]:
        row, points = teller.seats[facts[WORST]], facts[WORST_DAMAGE]
        damage = "1 point of damage" if points == 1 else f"{points} points of damage"
        text = teller.pick(HURTS).format(name=teller.who(row).name, course=course, damage=damage)
        yield teller.event("hurt_racing", upper(text), row)


def _won(teller: Teller, winners: Sequence[int], course: str) -> Event:
    facts = teller.cell["facts"]
    came_in = teller.rows(facts[FINISHED])
    gone = [row for row in teller.at_table if row not in came_in]
    is_last = came_in == winners and len(winners) == 1
    losers = gone if is_last else [row for row in came_in if row not in winners]
    n = facts[N_RUN]
    words = {
        "winner": teller.who(winners[0]).name,
        "winners": in_a_row([teller.who(row).name for row in winners]),
        "others": _some(teller, losers),
        "course": course,
        "total": facts[TOTAL],
        "n": "1 increment" if n == 1 else f"{n} increments",
    }
    if len(winners) > 1:
        told = SHARED
    else:
        told = teller.pick(LAST_LEFT if is_last else WON)
    text = upper(told.format(**words))
    if gone and not is_last:
        not_in = teller.pick(NOT_IN).format(gone=_some(teller, gone, ""))
        text += f" {upper(not_in)}"
    if facts[BETS_CP]:
        text += f" {show(facts[BETS_CP])} lay in the book."
    other = winners[1] if len(winners) > 1 else -1
    return teller.event("race_won", text, winners[0], other, amount=teller.cell["winner_net"])


def _some(teller: Teller, rows: Sequence[int], what: str = " others") -> str:
    """Names of a few people, or how many there are."""
    if len(rows) > MOST_NAMED:
        return f"{COUNTED[len(rows)]}{what}"
    return in_a_row([teller.who(row).name for row in rows]) if rows else "nobody"


def _title(teller: Teller) -> str:
    options = teller.options
    if options["course"] is None:
        return plain_course(options["kind"] or race_sheet.KINDS[0], 1).title
    return title_of(options["course"])


@cache
def title_of(name: str) -> str:
    """What a course is called: a shipped one by its title, another by its name.

    Examples
    --------
    >>> title_of("quay-dash"), title_of("my/mill-race.toml")
    ('the Quay Dash', 'the Mill Race')
    """
    try:
        return load_course(name).title
    except DataError:
        return "the " + Path(name).stem.replace("-", " ").title()
