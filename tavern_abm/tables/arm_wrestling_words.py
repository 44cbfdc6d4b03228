"""What is said at an arm-wrestling table: sentences to be read aloud.

Several wordings stand for what recurs; whoever tells the bout picks one.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..coins import show

SCENES = {
    ("arm", "table"): "{a} and {b} sit down across the table and clasp {hand} hands.",
    ("arm", "spikes"): "{a} and {b} clasp {hand} hands between two boards of upright nails.",
    ("arm", "flames"): "{a} and {b} clasp {hand} hands between two burning candles.",
    ("mage-hand", "table"): "{a} and {b} fold their arms; over the table two pale hands lock.",
    ("bigbys-hand", "table"): "{a} and {b} step back; two hands as tall as a door lock overhead.",
    ("mental", "table"): "{a} and {b} sit down face to face, hands in their laps, and stare.",
}
"""How a bout begins."""

HANDS = {
    "level": ["Nothing moves.", "Locked, and nothing moves.", "Neither gives an inch."],
    "upright": ["The hands stand upright again.", "They are back where they began."],
    "first": ["{gainer} gets the upper hand.", "The hands begin to tip."],
    "push": [
        "{gainer} bears down.",
        "{loser} gives way.",
        "{gainer} leans in.",
        "{gainer} puts a shoulder behind it.",
    ],
    "back": [
        "{gainer} fights back.",
        "{gainer} forces the hands up a little.",
        "{gainer} wins back an inch.",
    ],
    "turn": [
        "{gainer} turns it over!",
        "Up come the hands, and over to the other side!",
        "{gainer} roars, and now {loser} is under!",
    ],
}
MINDS = {
    "level": ["Neither blinks.", "The air between them hums, no more.", "Not a thought gives way."],
    "upright": ["They are back where they began.", "Neither has the other now."],
    "first": ["{gainer} finds a way in.", "{loser}'s eyelid twitches."],
    "push": ["{gainer} presses deeper.", "Sweat runs down {loser}'s temples."],
    "back": ["{gainer} wins back some ground.", "{gainer} shuts a door or two."],
    "turn": ["{gainer} turns it about!", "Now it is {loser} who winces!"],
}
HAND_STANDS = (
    "{behind}'s hand is just past upright",
    "{behind}'s hand is a quarter of the way down",
    "{behind}'s hand is more than halfway down",
    "{behind}'s knuckles are a finger's width from {surface}",
)
MIND_STANDS = (
    "{behind} is hardly troubled",
    "{behind} breathes hard",
    "{behind} is losing the thread",
    "{behind} can barely hold a thought",
)
"""How far the one behind has been pressed, by quarters of what it takes to win."""

SURFACE = {"table": "the wood", "spikes": "the points", "flames": "the flame"}
PINNED = {
    "arm": ["{winner} slams {loser}'s hand down.", "Down goes {loser}'s hand."],
    "mage-hand": ["{loser}'s pale hand is pressed flat and goes out like a lamp."],
    "bigbys-hand": ["{loser}'s great hand comes down, and the floor shakes."],
    "mental": ["{loser} cries out and looks away.", "{loser}'s head drops onto the table."],
}
GIVES_OUT = {
    "arm": ["{who}'s arm gives out.", "{who} can hold it no longer."],
    "mage-hand": ["{who}'s concentration breaks, and the pale hand fades."],
    "bigbys-hand": ["{who}'s concentration breaks, and the great hand fades."],
    "mental": ["{who} can bear it no longer.", "{who}'s mind goes blank."],
}
HOLDS_OUT = {
    "arm": ["{who}'s arm trembles, but holds.", "{who} grits teeth and holds out."],
    "mage-hand": ["{who} sways, but the hand stays."],
    "bigbys-hand": ["{who} sways, but the hand stays."],
    "mental": ["{who} turns pale, but holds out.", "{who} blinks hard and holds out."],
}
HURT = {
    "spikes": [
        "The points go into {loser}'s hand: {sum} damage.",
        "{loser} finds the nails: {sum} damage.",
    ],
    "flames": [
        "The flame licks {loser}'s hand: {sum} damage.",
        "It smells of singed hair, and {loser} howls: {sum} damage.",
    ],
    "mental": [
        "{loser}'s nose bleeds: {sum} damage.",
        "Something snaps behind {loser}'s eyes: {sum} damage.",
    ],
}


def sum_of(*parts: int) -> str:
    """A sum as it is read out.

    Examples
    --------
    >>> sum_of(3, 2), sum_of(3, 0), sum_of(14, -2)
    ('3 + 2 = 5', '3', '14 - 2 = 12')
    """
    first, *rest = parts
    signs = "".join(f" {'+' if part > 0 else '-'} {abs(part)}" for part in rest if part)
    return f"{first}{signs} = {sum(parts)}" if signs else str(first)


def moved(before: int, after: int) -> str:
    """Which kind of movement took the lead from `before` to `after`.

    Examples
    --------
    >>> moved(0, 5), moved(5, 9), moved(9, 2), moved(2, -3), moved(-3, 0), moved(4, 4)
    ('first', 'push', 'back', 'turn', 'upright', 'level')
    """
    if before == after:
        return "level"
    if after == 0:
        return "upright"
    if before == 0:
        return "first"
    if (before > 0) != (after > 0):
        return "turn"
    return "push" if abs(after) > abs(before) else "back"


def stands(style: str, surface: str, lead: int, target: int, a: str, b: str) -> str:
    """How it stands, in a sentence; the lead is positive if a leads.

    Examples
    --------
    >>> stands("arm", "table", -12, 20, "Ann", "Bo")
    "A lead of 12: Ann's hand is more than halfway down."
    """
    if lead == 0:
        return ""
    behind = b if lead > 0 else a
    words = MIND_STANDS if style == "mental" else HAND_STANDS
    quarter = min(len(words) - 1, len(words) * abs(lead) // target)
    how = words[quarter].format(behind=behind, surface=SURFACE[surface])
    return f"A lead of {abs(lead)}: {how}."


def in_a_row(names: Sequence[str]) -> str:
    """Names as they are read out.

    Examples
    --------
    >>> in_a_row(["Ann"]), in_a_row(["Ann", "Bo", "Cy"])
    ('Ann', 'Ann, Bo and Cy')
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def gains(net_cp: dict[str, int]) -> str:
    """Who wins and loses what, winners first; empty if nobody does.

    Examples
    --------
    >>> gains({"Ann": -50, "Bo": 50, "Cy": 0})
    'Bo wins 5 sp; Ann loses 5 sp.'
    """
    parts = [f"{name} wins {show(net)}" for name, net in net_cp.items() if net > 0]
    parts += [f"{name} loses {show(-net)}" for name, net in net_cp.items() if net < 0]
    return "; ".join(parts) + "." if parts else ""
