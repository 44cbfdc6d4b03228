"""What a game master reads of a pack, as labels and texts: one for every page that shows it."""

from __future__ import annotations

from typing import NamedTuple

from ..pack import pages
from ..pack.documents import Card, Pack, PlayerRumor, Rumor, SessionHook
from ..rumor_words import in_passing

EDITIONS = ("3.5", "4e", "5e")
"""Of the rules, as the three numbers of a card come."""


class Line(NamedTuple):
    """One line of a key, a card or a situation."""

    label: str
    text: str


def die(pack: Pack) -> str:
    """The die that the rumours are rolled with, such as "d20"."""
    return f"d{len(pack.rumors)}"


def key_lines(rumor: Rumor) -> list[Line]:
    """The key of a rumour: all that its teller does not say."""
    lines = [
        Line("Says it", says_it(rumor)),
        Line("What is so", rumor.key),
        Line("The teller adds", _added(rumor)),
        Line("From whom", chain(rumor)),
        Line("If pressed", rumor.pressed),
        Line("Leads to", rumor.hook),
    ]
    return _filled(lines)


def _added(rumor: Rumor) -> str:
    said = rumor.said
    if not said.adds or said.adds in rumor.key:
        return ""
    return f"{said.adds}: untrue" if said.adds_untrue else said.adds


def says_it(rumor: Rumor) -> str:
    """Who tells it, and where he sits."""
    places = (rumor.teller, rumor.seat, in_passing(rumor.tavern))
    return ", ".join(place for place in places if place)


def chain(rumor: Rumor) -> str:
    """Whom it has come through, from whoever saw or made it to the teller."""
    return pages.chain_of(rumor.chain)


def spoken_by(rumor: Rumor | PlayerRumor) -> str:
    """Who is seen to speak, and in which house."""
    house = rumor.tavern if isinstance(rumor, Rumor) else rumor.heard_at
    return f"{rumor.speaker_as_seen}, {in_passing(house)}"


def card_lines(card: Card) -> list[Line]:
    """The lines of a half-card below its name."""
    lines = [
        Line("tonight", card.tonight),
        Line("see/hear", card.looks),
        Line("says", card.says),
        Line("wants", card.wants),
        Line("belief", card.belief),
        Line("SECRET", card.secret),
    ]
    return _filled(lines)


def number_lines(card: Card) -> list[Line]:
    """Three numbers in each of three editions, and how he fights."""
    lines = [
        Line(edition, text.removeprefix(f"{edition} "))
        for edition, text in zip(EDITIONS, card.numbers, strict=True)
    ]
    return _filled([*lines, Line("fight", card.fight)])


def rumors_of(card: Card) -> str:
    """In which rumours he is, such as "rumours 6, 11, 13"; empty if in none.

    Those that the pack has not are named all the same: numbers are as on the die.
    """
    numbers = sorted(set(card.rumors))
    if not numbers:
        return ""
    word = "rumour" if len(numbers) == 1 else "rumours"
    return f"{word} {', '.join(map(str, numbers))}"


def hook_lines(hook: SessionHook) -> list[Line]:
    """The lines of a situation below its title."""
    lines = [
        Line("NOW", hook.now),
        Line("WANTS", _sentences(hook.wants)),
        Line("CLOCK", hook.clock),
        Line("IF NOBODY ACTS", hook.if_nobody),
        Line("LEVER", hook.lever),
        Line("STAKES", hook.stakes),
    ]
    return _filled(lines)


def _sentences(wants: tuple[str, ...]) -> str:
    return " ".join(want if want.endswith((".", "!", "?")) else f"{want}." for want in wants)


def made_of(pack: Pack) -> str:
    """Which run a pack was made of: with this a player could run the town again."""
    run = pack.run
    words = [f"{name} {run[name]}" for name in ("scenario", "seed", "replicate") if name in run]
    words.append(f"night {pack.night}")
    if run.get("version"):
        words.append(f"tavern_abm {run['version']}")
    return ", ".join(words)


def _filled(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line.text]
