"""Magic Wand: the showdown against one that was written differently, on random hands.

The reference thinks in people, words and whole histories: a score is told from
the beginning each time it is asked for, and a Teleport is weighed by playing it
on a copy of the table.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import permutations, product

import pytest

from tavern_abm.games import magic_wand as mw

LISTED = {
    "123": "Reduce Person",
    "234": "Teleport",
    "345": "Shield",
    "456": "Contingency",
    "111": "Divine Intervention",
    "222": "Mirror Image",
    "333": "Disintegration",
    "444": "Bull's Strength",
}
IN_ANY_ORDER = {
    tuple(map(int, order)): name for faces, name in LISTED.items() for order in permutations(faces)
}
AS_LISTED = {tuple(map(int, faces)): name for faces, name in LISTED.items()}
EVERY_HAND = list(product(range(1, 5), range(1, 7), range(1, 9)))
CASTING = [hand for hand in EVERY_HAND if hand in IN_ANY_ORDER]
OTHER_DICE = dict[str, list[int]]


@dataclass
class Person:
    at: int
    hand: list[int | None]
    is_in: bool
    has_cast: str | None = None
    had_turn: bool = False
    again: list[int | None] = field(default_factory=list)
    history: list[str] = field(default_factory=list)


@dataclass
class Round:
    people: list[Person]
    button: int
    names: dict[tuple[int, ...], str]
    halves_up: bool

    def in_order(self) -> Iterator[Person]:
        n = len(self.people)
        for i in range(self.button, self.button + n):
            if self.people[i % n].is_in:
                yield self.people[i % n]

    def others(self, person: Person) -> list[Person]:
        """From his left on."""
        n = len(self.people)
        seats = [(person.at + i) % n for i in range(1, n)]
        return [self.people[seat] for seat in seats if self.people[seat].is_in]

    def showing(self, person: Person) -> str | None:
        return self.names.get(tuple(face or 0 for face in person.hand))

    def is_shielded(self, person: Person) -> bool:
        return self.showing(person) == "Shield" and person.has_cast is None

    def score(self, person: Person) -> int:
        points = sum(face for face in person.hand if face is not None)
        for event in person.history:
            if event == "halved":
                points = -(-points // 2) if self.halves_up else points // 2
            elif event == "again":
                points = 3 + sum(face for face in person.again if face is not None)
            elif event.startswith("x"):
                points *= int(event[1:])
            else:
                points += int(event)
        return points

    def lead(self, person: Person) -> int:
        return self.score(person) - max(map(self.score, self.others(person)), default=0)

    def winners(self) -> set[int]:
        best = max(map(self.score, self.in_order()))
        tied = [person for person in self.in_order() if self.score(person) == best]
        casters = [person for person in tied if person.has_cast == "Reduce Person"]
        return {person.at for person in casters or tied}

    def play(self, dice: list[OTHER_DICE]) -> None:
        for person in self.in_order():
            spell = self.showing(person)
            if spell not in (None, "Shield", "Teleport"):
                person.has_cast = spell
            if spell is not None:
                self.cast(person, spell, dice[person.at])
            person.had_turn = True
        for person in self.in_order():
            if person.has_cast == "Contingency" and self.lead(person) < 0:
                person.history.append(f"+{dice[person.at]['later'][0]}")

    def cast(self, person: Person, spell: str, dice: OTHER_DICE) -> None:
        if spell == "Reduce Person":
            for other in self.others(person):
                is_immune = "Reduce Person" in (other.has_cast, self.showing(other))
                if not (is_immune or self.is_shielded(other)):
                    other.history.append("halved")
        elif spell == "Teleport":
            self.teleport(person)
        elif spell == "Divine Intervention":
            person.again = list(dice["own"])
            person.history.append("again")
        elif spell == "Mirror Image":
            person.history.append("x3" if dice["mirror"] == [6] else "x2")
        elif spell == "Disintegration":
            for other in self.others(person):
                if not self.is_shielded(other):
                    other.hand = [None if face == 3 else face for face in other.hand]
                    other.again = [None if face == 3 else face for face in other.again]
        elif spell == "Bull's Strength":
            person.history.append(f"+{dice['own'][0]}")

    def teleport(self, person: Person) -> None:
        choices = [((-self.lead(person), 0, 0, 0), None)]
        for distance, other in enumerate(self.others(person)):
            for die, face in enumerate(other.hand):
                if face is None or self.is_shielded(other):
                    continue
                tried = deepcopy(self)
                tried.exchange(person.at, other.at, die)
                if not tried.can_use(tried.people[other.at]):
                    lead = tried.lead(tried.people[person.at])
                    choices.append(((-lead, 1, distance, -die), (other.at, die)))
        _, chosen = min(choices)
        if chosen is not None:
            self.exchange(person.at, *chosen)
            person.has_cast = "Teleport"

    def exchange(self, here: int, there: int, die: int) -> None:
        one, other = self.people[here].hand, self.people[there].hand
        one[die], other[die] = other[die], one[die]

    def can_use(self, person: Person) -> bool:
        spell = self.showing(person)
        if spell == "Shield":
            return person.has_cast is None
        return spell is not None and not person.had_turn


def by_the_rules(hands: mw.Hands, dice: list[OTHER_DICE]) -> None:
    step = mw.next_step(hands, 0)
    while step < mw.last_step(hands):
        seat, spell = mw.caster_at(hands, step), mw.spell_at(hands, step)
        kind = {mw.MIRROR_IMAGE: "mirror", mw.CONTINGENCY_COMES: "later"}.get(spell, "own")
        swap = mw.choose_swap(hands, step) if spell == mw.TELEPORT else mw.DECLINE
        thrown = dice[seat][kind][: mw.n_extra(spell)]
        mw.cast_spell(hands, seat, spell, swap, *(thrown + [0] * (3 - len(thrown))))
        step = mw.next_step(hands, step + 1)


def random_table(rng: random.Random) -> tuple[mw.Hands, Round, list[OTHER_DICE]]:
    """A table on which spells meet: half of the hands show one."""
    n_seats = rng.randint(4, 6)
    hand_of = [rng.choice(rng.choice([EVERY_HAND, CASTING])) for _ in range(n_seats)]
    live = [int(rng.random() < 0.9) for _ in range(n_seats)]
    live[rng.randrange(n_seats)] = 1
    button = rng.randrange(n_seats)
    strictly, up = rng.random() < 0.1, rng.random() < 0.1
    dice = [
        {
            "own": [rng.randint(1, faces) for faces in (4, 6, 8)],
            "mirror": [rng.randint(1, 6)],
            "later": [rng.randint(1, 4)],
        }
        for _ in range(n_seats)
    ]
    people = [Person(at, list(hand), live[at] == 1) for at, hand in enumerate(hand_of)]
    names = AS_LISTED if strictly else IN_ANY_ORDER
    hands = mw.deal_hands(hand_of, live, button, strictly, up)
    return hands, Round(people, button, names, up), dice


@pytest.mark.parametrize("part", range(7))
def test_showdowns_come_out_as_in_the_reference(part: int) -> None:
    rng = random.Random(part)
    swaps = 0
    for number in range(3000):
        hands, reference, dice = random_table(rng)
        start = deepcopy(hands)
        by_the_rules(hands, dice)
        reference.play(dice)
        where = f"table {number}: {start}, {dice}"
        for person in reference.people:
            faces = [face or 0 for face in person.hand]
            assert hands.dice[person.at] == faces, where
            assert mw.score(hands, person.at) == reference.score(person), where
            cast = mw.SPELLS.get(hands.cast[person.at])
            assert cast == person.has_cast, where
            swaps += cast == "Teleport"
        ranks = [mw.rank(hands, seat) for seat in range(len(hands.live))]
        best = {seat for seat, rank in enumerate(ranks) if rank == max(ranks)}
        assert best == reference.winners(), where
    assert swaps > 100
