"""Situations about money: debts, ruin, a house about to close."""

from __future__ import annotations

from collections.abc import Iterator

from ...coins import show
from ...rumor_words import spelled
from ..evening import Evening, Person
from .past import Happening, Past
from .room import ago, at_table, due, keeper_of, living, nights_of, number_in, present
from .situation import Situation, Watch

RUIN_DAYS = 3
"""Days' wages: who has lost as much in an evening, and half of what he had, has lost much."""
MOST_SHARES = 3
"""Who holds at least one in so many of the coins that somebody has lost is the one he looks at."""
LOOK_BACK = 5
"""Nights over which a till is seen to sink."""
LAST_NIGHTS = 10
"""Nights' losses that a till may still hold when a house is said to be about to close."""
OF_DEBTS = ("dodged", "paid_back", "lent")
GONE = ("left", "killed")
"""What ends a debt without a coin."""


def debt(past: Past, evening: Evening) -> Iterator[Situation]:
    """A debt with its due morning, or one that was not paid when it was due."""
    last: dict[int, Happening] = {}
    for each in past.of("lent", "paid_back", "dodged"):
        last[each.patron_id] = each
    for each in last.values():
        debtor, lender = living(evening, each.patron_id), living(evening, each.other_id)
        if each.kind != "paid_back" and debtor and lender:
            yield from _debt(past, evening, each, debtor, lender)


def _debt(
    past: Past, evening: Evening, each: Happening, debtor: Person, lender: Person
) -> Iterator[Situation]:
    debtor_in, lender_in = present(evening, debtor.patron_id), present(evening, lender.patron_id)
    where = debtor_in or lender_in
    if not where:
        return
    is_together = bool(debtor_in and lender_in and debtor.tavern == lender.tavern)
    place = "room" if is_together else "debtor" if debtor_in else "lender"
    until = _due(past, each)
    means = "able" if past.purses.get(debtor.patron_id, 0) >= each.amount_cp else "short"
    kept = "kept_" if each.kind == "dodged" else ""
    soon = max(1, until - evening.night)
    score = 0.9 + 0.3 * is_together + 0.3 * bool(kept) + 0.4 / soon + 0.2 * (means == "short")
    values = {
        "sum": show(each.amount_cp),
        "due": due(until, evening.night),
        "purse": _left(past, debtor.patron_id),
        "since": _since(each, evening.night),
        "means": f"@{means}",
        "bond": "@kin" if debtor.household == lender.household else "@friends",
    }
    yield Situation(
        "debt",
        kept + place,
        where.tavern,
        {"debtor": debtor, "lender": lender},
        values,
        (each.event_id,),
        score,
        (
            Watch("debtor", OF_DEBTS, other="lender"),
            Watch("debtor", GONE),
            Watch("lender", GONE),
        ),
        until,
    )


def _since(each: Happening, tonight: int) -> str:
    """When money was lent, of an evening, or fell due, of a morning."""
    if each.kind == "lent" or tonight - each.night > 1:
        return ago(each.night, tonight)
    return "this morning" if each.night == tonight else "yesterday morning"


def _left(past: Past, patron_id: int) -> str:
    """What somebody has in his purse, in words."""
    purse = past.purses.get(patron_id, 0)
    return show(purse) if purse else "nothing"


def _due(past: Past, each: Happening) -> int:
    """The night in whose morning a debt is due."""
    nights = past.due_nights
    if each.kind != "lent":
        return each.night + nights
    return number_in(each.text, r"night (\d+)", each.night + nights)


def ruin(past: Past, evening: Evening) -> Iterator[Situation]:
    """One who has lost days of wages tonight, and still sits with who has them."""
    for patron_id, net in past.won_tonight.items():
        loser = present(evening, patron_id)
        wage = max(1, past.wages.get(patron_id, 1))
        days = -net // wage
        if loser is None or days < RUIN_DAYS or past.purses.get(patron_id, 0) > -net:
            continue
        winner = _winner(past, at_table(evening, loser), -net // MOST_SHARES)
        if winner is not None:
            yield _ruin(past, evening, loser, winner, days)


def _winner(past: Past, people: list[Person], least: int) -> Person | None:
    """Who of them has won most tonight, if that is no less than so many cp."""
    won = [(past.won_tonight.get(each.patron_id, 0), -each.patron_id, each) for each in people]
    best = max(won, default=None, key=lambda each: each[:2])
    return best[2] if best and best[0] >= max(1, least) else None


def _ruin(past: Past, evening: Evening, loser: Person, winner: Person, days: int) -> Situation:
    turned = [e for e in past.cheats.get(winner.patron_id, ()) if e.night == evening.night]
    lost = -past.won_tonight[loser.patron_id]
    values = {
        "sum": show(lost),
        "days": f"{spelled(days)} days'",
        "purse": _left(past, loser.patron_id),
        "luck": "@cheat" if winner.patron_id in past.cheats else "@honest",
        "won": show(past.won_tonight[winner.patron_id]),
    }
    return Situation(
        "ruin",
        "crooked" if turned else "straight",
        loser.tavern,
        {"loser": loser, "winner": winner},
        values,
        tuple(each.event_id for each in turned),
        0.5 + min(1.0, days / 20) + 0.5 * bool(turned),
        (
            Watch("loser", ("accused",), other="winner"),
            Watch("loser", ("broke", "lent", "left")),
            Watch("winner", ("caught",)) if turned else Watch("winner", ("brawl",)),
        ),
    )


def closing(past: Past, evening: Evening) -> Iterator[Situation]:
    """A house that pays out more than it takes, and how long its till will last."""
    for tavern in evening.houses:
        keeper, rows = keeper_of(evening, tavern), past.houses.get(tavern, [])
        if keeper is None or not rows or not rows[-1]["is_open"]:
            continue
        left = _nights_left(rows)
        if left is not None:
            yield _closing(evening, tavern, keeper, rows, left)


def _nights_left(rows: list[dict[str, int]]) -> int | None:
    """Nights for which a till still holds at the pace of the last ones; None if it will do."""
    if rows[-1]["unpaid_cp"] > 0:
        return 0
    then = rows[-1 - LOOK_BACK]["till_cp"] if len(rows) > LOOK_BACK else rows[0]["till_cp"]
    n_nights = min(LOOK_BACK, len(rows) - 1)
    lost = then - rows[-1]["till_cp"]
    if n_nights == 0 or lost <= 0:
        return None
    left = rows[-1]["till_cp"] * n_nights // lost
    return left if left <= LAST_NIGHTS else None


def _closing(
    evening: Evening, tavern: int, keeper: Person, rows: list[dict[str, int]], left: int
) -> Situation:
    last = rows[-1]
    values = {
        "till": show(last["till_cp"]) if last["till_cp"] else "nothing",
        "unpaid": show(last["unpaid_cp"]),
        "guests": f"{last['guests']} guests",
        "left": nights_of(left),
        "night": str(evening.night + left),
    }
    return Situation(
        "closing",
        "unpaid" if last["unpaid_cp"] else "sinking",
        tavern,
        {"keeper": keeper},
        values,
        (),
        1.6 - 0.08 * left,
        (Watch("house", ("closed", "unpaid")),),
        evening.night + left,
    )
