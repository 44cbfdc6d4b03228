"""Bouts of arm wrestling as events: who put whom down, and who was hurt."""

from __future__ import annotations

from collections.abc import Iterator

from ..compiled import rule
from ..games import arm_wrestling as aw
from .happenings import Event, Teller
from .record import HURT

N_FACTS = 10
RIVAL, PULL, RIVAL_PULL, N_ROUNDS, LEAD, ENDED, GAVE_OUT, DAMAGE, WENT_HOME, N_BETS = range(N_FACTS)
"""What a cell's `facts` hold.

The rival's seat (the holder's is the cell's `hand`); the modifiers of both; the
rounds and the lead, positive if the holder leads; A_WINS if he has won, or
B_WINS, or DRAW; bits for a holder (1) and a rival (2) who gave out; what the
loser suffered, and whether it sent him home; the onlookers' bets."""

KINDS = {
    "bout": "an arm-wrestling bout worth telling: won against other_id; amount_cp is won on it",
    "drawn_bout": "an arm-wrestling bout in which both gave out at once, with other_id",
    "hurt_hand": "hurt in an arm-wrestling bout by other_id",
}
"""Kinds of event that this game brings."""

PUT_DOWN = (
    "{winner} put {loser}'s hand down in {rounds}.",
    "It took {winner} {rounds} to slam {loser}'s hand on the board.",
    "{winner} took {loser} by the hand and had {him} down after {rounds}.",
)
STARED_DOWN = (
    "{winner} stared {loser} down in {rounds}.",
    "After {rounds} {loser} looked away from {winner}.",
)
WORN_OUT = (
    "{loser}'s strength gave out against {winner} after {rounds}.",
    "After {rounds} {loser} could hold {winner} no longer.",
)
UPSETS = (
    " Nobody had given {winner} a chance.",
    " {loser} had looked far the stronger.",
    " It was the last thing anybody had looked for.",
)
HURTS = {
    "spikes": "The nails went into {loser}'s hand ({damage} damage){home}.",
    "flames": "The candle burnt {loser}'s hand ({damage} damage){home}.",
    "table": "{loser} bled from the nose ({damage} damage){home}.",
}
UPSET_AT = 3
"""A win by one whose modifier is so much lower is one worth telling."""


def tell_round(teller: Teller) -> Iterator[Event]:
    """The events of one bout, in the order they happened."""
    facts = teller.cell["facts"]
    rival = teller.seats[facts[RIVAL]]
    if facts[ENDED] == aw.DRAW:
        name = teller.who(rival).name
        text = f"{teller.hand.name} and {name} gave out at once, and neither led: a draw."
        yield teller.event("drawn_bout", text, teller.hand_row, rival)
    elif facts[ENDED] == aw.A_WINS:
        yield from _won(teller, teller.hand_row, rival)
    else:
        yield from _won(teller, rival, teller.hand_row)
    yield from teller.luck("on one bout")


def _won(teller: Teller, winner_row: int, loser_row: int) -> Iterator[Event]:
    facts, stake = teller.cell["facts"], teller.cell["stake"]
    winner, loser = teller.who(winner_row), teller.who(loser_row)
    names = {"winner": winner.name, "loser": loser.name, "him": loser.him}
    names["rounds"] = "1 round" if facts[N_ROUNDS] == 1 else f"{facts[N_ROUNDS]} rounds"
    put_down = STARED_DOWN if teller.options.get("style") == "mental" else PUT_DOWN
    text = teller.pick(WORN_OUT if facts[GAVE_OUT] else put_down).format(**names)
    if is_upset(facts[PULL], facts[RIVAL_PULL], facts[ENDED]):
        text += teller.pick(UPSETS, salt=1).format(**names)
    yield teller.event("bout", text, winner_row, loser_row, amount=stake)
    if teller.cell["notable"] & HURT:
        home = f", and {loser.he} went home to lie up" if facts[WENT_HOME] else ""
        told = HURTS[teller.options.get("surface", "table")]
        text = told.format(loser=loser.name, damage=facts[DAMAGE], home=home)
        yield teller.event("hurt_hand", text, loser_row, winner_row)


@rule
def is_upset(pull: int, rival_pull: int, ended: int) -> bool:
    """Say whether one has won whose modifier is lower by `UPSET_AT` or more."""
    edge = pull - rival_pull
    return (ended == aw.A_WINS and edge <= -UPSET_AT) or (ended == aw.B_WINS and edge >= UPSET_AT)
