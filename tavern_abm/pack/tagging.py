"""All that is so of a tale and its teller tonight, in the vocabulary that wordings ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..data_tables import load_tables
from .evening import Evening, Person
from .matter import Claim, Hop
from .tables import tables_of
from .tags import GAME_TAGS

SAW_IT, DID_IT, LIVED_IT, MADE_IT_UP, WAS_TOLD = (
    *("saw it", "did it", "lived it", "made it up"),
    "was told",
)
"""How somebody comes to know of a thing."""
FIRST_HAND = frozenset({SAW_IT, DID_IT, LIVED_IT})
TIPSY, DRUNK = 2, 4
"""Mugs from which one is."""
RECENT, OLD = 2, 5
"""Nights back."""
WORKDAYS = 25
"""Of a month: a sum above a labourer's wage for it is a big one."""
A_LABOURER = "labourer"
STANDING = {"poor": "low", "common": "mid", "well-off": "high", "noble": "high"}
KEEPERS = ("innkeeper", "bartender")
"""Trades of those who keep a house."""
STATES = ("bruised", "owes", "broke", "hiding", "dead", "banned", "gone")


def big_sum_of(scenario: Mapping[str, Any]) -> int:
    """What a labourer earns in a month in a town, in cp.

    Examples
    --------
    >>> big_sum_of({})
    1000
    """
    labourer = tables_of(scenario).trades.get(A_LABOURER) or load_tables().trades[A_LABOURER]
    return WORKDAYS * labourer.wage_cp


class Tagger:
    """Tags of the tales of one evening.

    Parameters
    ----------
    evening : Evening
        Tonight.
    big_sum_cp : int
        Above it a sum is big.
    """

    def __init__(self, evening: Evening, big_sum_cp: int) -> None:
        self.evening, self.big_sum_cp = evening, big_sum_cp
        self._tellers: dict[int, frozenset[str]] = {}
        self._subjects: dict[int, frozenset[str]] = {}

    def tags_of(
        self, claim: Claim, teller: int, chain: Sequence[Hop], *, is_grown: bool = False
    ) -> frozenset[str]:
        """All tags that are so of a tale.

        Parameters
        ----------
        claim : Claim
            What it says; its subject has come by, like the teller.
        teller : int
            His patron_id.
        chain : sequence of Hop
            Through whom it came to him, who is the last.
        is_grown : bool, default False
            Whether a retelling has raised its sum.
        """
        people = self.evening.people
        one, subject = people[teller], people[claim.subject]
        found = {
            *_knowing(chain),
            *self._nearness(one, subject, claim),
            *self._version(claim),
            _part(claim, teller),
            "present" if subject.tavern == one.tavern else "absent",
        }
        if is_grown:
            found.add("grown")
        if claim.other in people:
            found |= _of_two(subject, people[claim.other])
        return self._of_teller(one) | self._of_subject(subject) | found

    def _of_teller(self, one: Person) -> frozenset[str]:
        known = self._tellers.get(one.patron_id)
        if known is None:
            known = self._tellers[one.patron_id] = frozenset(_teller_tags(one))
        return known

    def _of_subject(self, one: Person) -> frozenset[str]:
        known = self._subjects.get(one.patron_id)
        if known is None:
            sex = "sex f" if one.sex == "female" else "sex m"
            states = one.state.intersection(STATES)
            known = self._subjects[one.patron_id] = states | {sex, f"trade {one.trade}"}
        return known

    def _nearness(self, one: Person, subject: Person, claim: Claim) -> set[str]:
        """Who is whose, and where it is said to have been."""
        found = set()
        if one.patron_id != subject.patron_id:
            if self.evening.knows(one.patron_id, subject.patron_id):
                found.add("knows")
            elif not subject.state & {"dead", "gone"}:  # whom these knew stands nowhere any more
                found.add("stranger")
            if one.household == subject.household:
                found.add("kin")
        if claim.other in self.evening.people and self.evening.are_kin(one.patron_id, claim.other):
            found.add("by kin")
        if claim.tavern:
            found.add("here" if claim.tavern == one.tavern else "elsewhere")
        return found

    def _version(self, claim: Claim) -> set[str]:
        """What the claim itself holds."""
        ago = self.evening.night - claim.night
        found = {"fresh" if ago < RECENT else "recent" if ago < OLD else "old"}
        holds = {"has by": claim.other, "has place": claim.tavern, "has sum": claim.amount_cp}
        found |= {tag for tag, value in holds.items() if value > 0}
        if claim.tavern <= 0:
            found.add("by day")
        if claim.amount_cp > self.big_sum_cp:
            found.add("big sum")
        if claim.game in GAME_TAGS:
            found.add(f"game {GAME_TAGS[claim.game]}")
        return found


def _teller_tags(one: Person) -> set[str]:
    drink = "drunk" if one.drinks >= DRUNK else "tipsy" if one.drinks >= TIPSY else "sober"
    found = {drink, one.temper, STANDING.get(one.rank, "mid"), f"i am {one.trade}"}
    return found | {"i am keeper"} if one.trade in KEEPERS else found


def _part(claim: Claim, teller: int) -> str:
    if teller == claim.subject:
        return "self"
    return "doer" if teller == claim.other else "bystander"


def _knowing(chain: Sequence[Hop]) -> set[str]:
    """How far the teller is from what happened, as he tells it.

    Whoever made a story up says that he saw it, and those he told it to believe that: how
    they speak must give neither away.

    Examples
    --------
    >>> saw, told = Hop(3, SAW_IT, 5, 1), [Hop(n, WAS_TOLD, 6, 1) for n in (4, 5)]
    >>> [sorted(_knowing(chain)) for chain in ([saw], [saw, told[0]], [saw, *told])]
    [['eye'], ['heard', 'source saw it'], ['far']]
    >>> invented = Hop(3, MADE_IT_UP, 5, 1)
    >>> sorted(_knowing([invented])), sorted(_knowing([invented, told[0]]))
    (['eye', 'lie'], ['heard', 'source saw it'])
    """
    if len(chain) == 1:
        return {"lie", "eye"} if chain[0].how == MADE_IT_UP else {"eye"}
    source = SAW_IT if chain[-2].how == MADE_IT_UP else chain[-2].how
    found = {"heard" if source in FIRST_HAND else "far"}
    if source in (SAW_IT, DID_IT):
        found.add(f"source {source}")
    return found


def _of_two(subject: Person, other: Person) -> set[str]:
    """The sex of the other one."""
    found = {"by f" if other.sex == "female" else "by m"}
    return found | {"same sex"} if subject.sex == other.sex else found
