"""The showdown of Magic Wand as it is told: every spell in a sentence or two.

`games.magic_wand` says whose turn it is and what a spell does; here it is asked
for, thrown for and put into words. A spell's record says whom it changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..games import magic_wand as mw
from . import magic_wand_words as words
from .telling import BACK, AtTable, Told


@dataclass
class Reveal:
    """Hands on the table.

    Parameters
    ----------
    table : AtTable
        Who throws and who decides.
    number : int
        Of the game.
    names : sequence of str
        By seat.
    hands : Hands
        As the rules have them.
    pick : callable
        Picks one of some wordings.
    """

    table: AtTable
    number: int
    names: Sequence[str]
    hands: mw.Hands
    pick: Callable[[Sequence[str]], str]

    def live(self) -> list[int]:
        """Seats that have not folded, clockwise from the button."""
        n_seats = len(self.names)
        seats = [mw.caster_at(self.hands, step) for step in range(n_seats)]
        return [seat for seat in seats if self.hands.live[seat] == 1]

    def scores(self) -> dict[str, int]:
        """Of everybody who has not folded."""
        return {self.names[seat]: mw.score(self.hands, seat) for seat in self.live()}

    def dice(self) -> dict[str, list[int]]:
        """The hand dice of everybody who has not folded; 0 for a discarded one."""
        return {self.names[seat]: list(self.hands.dice[seat]) for seat in self.live()}

    def told(self, kind: str, text: str, facts: Mapping[str, Any], joins: bool = False) -> Told:
        """A record of this game."""
        return Told(kind, text, facts, self.number, joins)


def showdown(reveal: Reveal) -> Iterator[Told]:
    """Show the hands, cast every spell, and say how scores stand."""
    hands = reveal.hands
    shows = {reveal.names[seat]: mw.shows(hands, seat) for seat in reveal.live()}
    facts = {
        "dice": reveal.dice(),
        "scores": reveal.scores(),
        "shows": {who: mw.SPELLS.get(spell) for who, spell in shows.items()},
    }
    yield reveal.told("hands", words.hands(reveal.dice(), shows), facts)
    n_told = 0
    for step in range(mw.last_step(hands)):
        told = _at_step(reveal, step)
        if told is not None:
            n_told += 1
            yield told
    if n_told:
        text = words.standing(reveal.scores())
        yield reveal.told("scores", text, {"scores": reveal.scores()})


def _at_step(reveal: Reveal, step: int) -> Told | None:
    """What happens at a step, if anything does."""
    hands = reveal.hands
    seat, spell = mw.caster_at(hands, step), mw.spell_at(hands, step)
    if spell == mw.NO_SPELL:
        waits = step >= len(reveal.names) and hands.cast[seat] == mw.CONTINGENCY
        return _sleeps(reveal, seat) if waits else None
    if spell == mw.CONTINGENCY_COMES:
        return _comes(reveal, seat)
    return _spell(reveal, step, seat, spell)


def _spell(reveal: Reveal, step: int, seat: int, spell: int) -> Told:
    hands, who = reveal.hands, reveal.names[seat]
    before = reveal.scores()
    said = reveal.pick(words.INCANTATIONS[spell])
    said = said.format(who=who, faces=words.faces_of(hands.dice[seat]))
    facts: dict[str, Any] = {"who": who, "spell": mw.SPELLS[spell]}
    if spell == mw.TELEPORT:
        effect, more = _teleport(reveal, step, seat)
    elif spell == mw.REDUCE_PERSON:
        effect, more = _reduce(reveal, seat)
    elif spell == mw.DISINTEGRATION:
        effect, more = _disintegrate(reveal, seat)
    else:
        effect, more = _throw_for(reveal, seat, spell)
    after = reveal.scores()
    changed = {name: [before[name], after[name]] for name in after if after[name] != before[name]}
    return reveal.told("spell", f"{said} {effect}".rstrip(), facts | more | {"scores": changed})


type _Effect = tuple[str, dict[str, Any]]


def _throw_for(reveal: Reveal, seat: int, spell: int) -> _Effect:
    """The spells that work on their caster alone."""
    dice = _extra(reveal, seat, spell)
    _cast(reveal, seat, spell, dice=dice)
    score = mw.score(reveal.hands, seat)
    return words.thrown_for(reveal.names[seat], spell, dice, score), {"dice": dice}


def _extra(reveal: Reveal, seat: int, spell: int) -> list[int]:
    what = mw.SPELLS[mw.CONTINGENCY if spell == mw.CONTINGENCY_COMES else spell]
    faces = [mw.extra_faces(spell, i) for i in range(mw.n_extra(spell))]
    return [reveal.table.dice.roll(reveal.names[seat], each, what) for each in faces]


def _cast(
    reveal: Reveal, seat: int, spell: int, swap: int = mw.DECLINE, dice: Sequence[int] = ()
) -> None:
    a, b, c = [*dice, 0, 0, 0][:3]
    mw.cast_spell(reveal.hands, seat, spell, swap, a, b, c)


def _reduce(reveal: Reveal, seat: int) -> _Effect:
    hands, names = reveal.hands, reveal.names
    others = [other for other in reveal.live() if other != seat]
    reached = [other for other in others if mw.can_reduce(hands, seat, other)]
    shielded = [names[other] for other in others if mw.is_shielded(hands, other)]
    immune = [names[other] for other in others if mw.is_immune(hands, other)]
    before = {names[other]: mw.score(hands, other) for other in reached}
    _cast(reveal, seat, mw.REDUCE_PERSON)
    after = {names[other]: mw.score(hands, other) for other in reached}
    text = words.halved(before, after) + words.blocked(shielded, immune)
    return text, {"halved": list(before), "shielded": shielded, "immune": immune}


def _disintegrate(reveal: Reveal, seat: int) -> _Effect:
    hands, names = reveal.hands, reveal.names
    others = [other for other in reveal.live() if other != seat]
    lost = {}
    for other in others:
        if mw.can_disintegrate(hands, seat, other):
            lost[names[other]] = _threes(hands, other)
    lost = {who: dice for who, dice in lost.items() if dice}
    shielded = [names[other] for other in others if mw.is_shielded(hands, other)]
    _cast(reveal, seat, mw.DISINTEGRATION)
    text = words.crumbled(lost) + words.blocked(shielded)
    return text, {"discarded": lost, "shielded": shielded}


def _threes(hands: mw.Hands, seat: int) -> list[str]:
    dice, second = hands.dice[seat], hands.second[seat]
    named = [(face, name) for face, name in zip(dice, words.DICE, strict=True)]
    named += [(face, f"second {name}") for face, name in zip(second, words.DICE, strict=True)]
    return [name for face, name in named if face == 3]


def _teleport(reveal: Reveal, step: int, seat: int) -> _Effect:
    hands, names = reveal.hands, reveal.names
    swap = _choose_swap(reveal, step, seat)
    shielded = [names[other] for other in reveal.live() if mw.is_shielded(hands, other)]
    facts: dict[str, Any] = {"declined": swap == mw.DECLINE, "shielded": shielded}
    if swap == mw.DECLINE:
        return words.declined(names[seat]) + _baffled(shielded), facts
    target, die = divmod(swap, mw.N_DICE)
    faces = hands.dice[seat][die], hands.dice[target][die]
    could = mw.shows(hands, target) if mw.could_use(hands, step, target) else mw.NO_SPELL
    _cast(reveal, seat, mw.TELEPORT, swap)
    can = mw.shows(hands, target) if mw.could_use(hands, step, target) else mw.NO_SPELL
    points = mw.score(hands, seat), mw.score(hands, target)
    text = words.swapped(names[seat], names[target], die, faces, points)
    text += words.swap_makes(names[target], could, can)
    facts |= {"target": names[target], "die": mw.FACES[die], "faces": list(faces)}
    facts |= {"broken": mw.SPELLS.get(could), "made": mw.SPELLS.get(can)}
    return text, facts


def _baffled(shielded: Sequence[str]) -> str:
    """Whose dice could not be had."""
    if not shielded:
        return ""
    return f" {words.in_a_row([f"{who}'s" for who in shielded])} dice are shielded."


def _choose_swap(reveal: Reveal, step: int, seat: int) -> int:
    """What the caster swaps: anything that may be swapped, if he is asked."""
    hands, names = reveal.hands, reveal.names
    target, die = divmod(mw.choose_swap(hands, step), mw.N_DICE)
    swaps = {
        other: [die for die in range(mw.N_DICE) if mw.can_swap(hands, seat, other, die)]
        for other in reveal.live()
    }
    by_name = {names[other]: other for other, dice in swaps.items() if dice}
    careful = names[target] if names[target] in by_name and target >= 0 else words.KEEP
    while True:
        name = _choose_target(reveal, seat, by_name, careful)
        if name == words.KEEP:
            return mw.DECLINE
        other = by_name[name]
        chosen = _choose_die(reveal, seat, other, swaps[other], die)
        if chosen != mw.DECLINE:
            return mw.N_DICE * other + chosen


def _choose_target(reveal: Reveal, seat: int, by_name: Mapping[str, int], careful: str) -> str:
    """Whose die the caster wants; `careful`: whose he takes of himself."""
    hands, who = reveal.hands, reveal.names[seat]
    others = {name: hands.dice[other] for name, other in by_name.items()}
    question = words.whose_die(who, hands.dice[seat], others)
    choices = [words.KEEP, *by_name]
    return reveal.table.deciders.choose(who, question, choices, lambda u: careful)


def _choose_die(reveal: Reveal, seat: int, target: int, dice: Sequence[int], careful: int) -> int:
    """Which of somebody's dice the caster wants; DECLINE: go back."""
    hands, who = reveal.hands, reveal.names[seat]
    swaps = {words.DICE[die]: (hands.dice[seat][die], hands.dice[target][die]) for die in dice}
    question = words.which_die(who, reveal.names[target], swaps)
    chosen = reveal.table.deciders.choose(
        who, question, [*swaps, BACK], lambda u: words.DICE[careful]
    )
    return mw.DECLINE if chosen == BACK else words.DICE.index(chosen)


def _comes(reveal: Reveal, seat: int) -> Told:
    hands, who = reveal.hands, reveal.names[seat]
    before = mw.score(hands, seat)
    highest = mw.best_other(hands, seat)
    above = next(name for name, points in reveal.scores().items() if points == highest)
    dice = _extra(reveal, seat, mw.CONTINGENCY_COMES)
    _cast(reveal, seat, mw.CONTINGENCY_COMES, dice=dice)
    after = mw.score(hands, seat)
    facts = {"who": who, "comes": True, "dice": dice, "scores": {who: [before, after]}}
    return reveal.told(
        "contingency", words.contingency(who, above, (before, after), dice[0]), facts
    )


def _sleeps(reveal: Reveal, seat: int) -> Told:
    who = reveal.names[seat]
    facts = {"who": who, "comes": False, "dice": [], "scores": {}}
    return reveal.told("contingency", words.no_contingency(who), facts)
