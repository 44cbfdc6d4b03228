"""A tale in the words of a wording, and what these words claim.

The words say no more than what is filled in: a wrong sum that nobody mentions makes
nothing wrong. So an utterance carries `Said`, the claims that its words really make, and
whoever judges it looks at nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ..rumor_words import SHORT, game_title, in_passing
from .colors import Colors, fitted
from .evening import Evening
from .forms import form_of
from .identity import luck_of
from .matter import Said, Span, Tale, Utterance
from .referring import SECRET_TRADES, Names, UnfitError
from .speech import Spoken, capitalised, curled, since_said, sum_said, when_said
from .tags import COLOR_SLOTS
from .templates import chosen, pieces, slots_of
from .wordings import Wording

CHASE = "chase"
MOST = 40
"""Words that can be said in one breath, without what is put before and after."""
TIME_WORDS = re.compile(
    r"\b(?:(?:last|this|past) (?:night|evening|morning|week|month)|yesterday|tonight"
    r"|(?:days?|nights?|weeks?|months?) (?:ago|back|past|since)|the other night)\b",
    re.IGNORECASE,
)
"""Words that say when it was, without a slot."""
TWICE = re.compile(r"\b(\w+) \1\b(?<!had had)", re.IGNORECASE)
"""A word said twice, as where a detail ends in the word that follows it."""
AGE = {"fresh": (0, 1), "recent": (2, 4), "old": (5, 10_000)}
"""Nights back that a tag of age stands for."""


def fits(tale: Tale, line: Wording) -> bool:
    """Whether a line may be said of a tale; `speak` may find yet that it cannot.

    Looks at the kind, the condition, and whether there is anything to fill the slots with.
    """
    return (
        (not line.kinds or tale.claim.kind in line.kinds)
        and line.condition.holds(tale.tags)
        and _can_fill(tale, slots_of(line.text))
    )


def beside(
    lines: Sequence[Wording],
    tale: Tale,
    *key: object,
    told: Mapping[str, int] = MappingProxyType({}),
) -> Wording | None:
    """One of the lines that may stand before or after a tale; None if none fits.

    Parameters
    ----------
    lines : sequence of Wording
        Heads, or tails.
    *key : object
        What the choice follows from, with the tale.
    told : mapping of str to int, optional
        How often each was told before, by its id: one is taken that was told the least.
    """
    fitting = [line for line in lines if fits(tale, line)]
    if not fitting:
        return None
    what = (tale.teller, tale.rumor_id, tale.event_id)
    return min(
        fitting,
        key=lambda line: (told.get(line.id, 0), luck_of("beside", line.id, *what, *key)),
    )


def speak(
    tale: Tale,
    wording: Wording,
    evening: Evening,
    colors: Colors,
    *key: object,
    head: Wording | None = None,
    tail: Wording | None = None,
) -> Utterance | None:
    """Say a tale in the words of a wording.

    Parameters
    ----------
    tale : Tale
        A version of a story in somebody's head.
    wording : Wording
        What he says.
    evening : Evening
        Tonight: who is who to whom, and where.
    colors : Colors
        What was left behind, and other details that are the same whoever tells.
    *key : object
        What the choices between words follow from, with the tale.
    head, tail : Wording, optional
        What he says before and after; a wording that is full has neither, and nobody says
        whom he has a thing from that he denies.

    Returns
    -------
    Utterance or None
        None if it does not fit: the condition is not met, a slot has nothing to be filled
        with, the teller would speak of himself as of another, or it could not be told
        who is meant.
    """
    if wording.is_full:
        head = tail = None
    elif wording.denies:
        head = None
    lines = [line for line in (head, wording, tail) if line]
    if not all(fits(tale, line) for line in lines):
        return None
    try:
        return _Speech(tale, wording, evening, colors, key).utterance(head, tail)
    except UnfitError:
        return None


def _can_fill(tale: Tale, slots: Sequence[str]) -> bool:
    """Whether a tale has something for each slot."""
    claim, chain = tale.claim, tale.chain
    for slot in slots:
        kind = slot.partition(".")[0]
        if kind in _OF_SUBJECT and claim.subject == tale.teller:
            return False
        if kind == "by" and claim.other in (0, tale.teller):
            return False
        if kind in ("src", "first") and len(chain) < 2:
            return False
        if slot == "sum" and claim.amount_cp <= 0:
            return False
        if slot in ("at", "place") and claim.tavern <= 0:
            return False
        if slot == "game" and claim.game in ("", CHASE):
            return False
    return True


_OF_SUBJECT = frozenset(("who", "he", "him", "his", "himself"))


class _Speech:
    """An utterance while it is put together."""

    def __init__(
        self,
        tale: Tale,
        wording: Wording,
        evening: Evening,
        colors: Colors,
        key: tuple[object, ...],
    ) -> None:
        self.tale, self.wording, self.evening, self.colors = tale, wording, evening, colors
        self.key = (*key, tale.teller, tale.rumor_id, tale.event_id)
        self.claim, self.teller = tale.claim, evening.people[tale.teller]
        self.subject = evening.people[tale.claim.subject]
        hops = [hop.patron_id for hop in tale.chain]
        src, first = (hops[-2], hops[0]) if len(hops) > 1 else (0, 0)
        self.people = {
            "who": self.claim.subject,
            "by": self.claim.other,
            "src": src,
            "first": first,
        }
        self.names = Names(evening, tale.teller, tuple(self.people.values()))
        self.slots: dict[str, Spoken | None] = {}  # that were filled, with what room they leave

    def utterance(self, head: Wording | None, tail: Wording | None) -> Utterance:
        """All of it.

        Raises
        ------
        UnfitError
            If it cannot be said.
        """
        self._verify_people(slots_of(self.wording.text))
        lines = [line for line in (head, self.wording, tail) if line]
        parts = [self._filled(line) for line in lines]
        text = capitalised(" ".join(parts))
        self._verify_text(text, parts[1 if head else 0])
        named = frozenset((*self.names.named, *self.names.through))
        return Utterance(
            text=text,
            said=self._said(lines),
            wording=self.wording.id,
            form=form_of(text),
            head=head.id if head else "",
            tail=tail.id if tail else "",
            named=named,
        )

    def _verify_text(self, text: str, say: str) -> None:
        """It can be told who is meant, nothing is said twice, and it takes one breath."""
        is_found = self.claim.subject in (*self.names.named, self.tale.teller)
        if not is_found or TWICE.search(text) or say.count(" ") >= MOST:
            raise UnfitError

    def _verify_people(self, slots: Sequence[str]) -> None:
        """Nobody stands in two slots of a line: it would be said of two."""
        people = [self.people[slot] for slot in dict.fromkeys(slots) if slot in self.people]
        if len({*people}) < len(people):
            raise UnfitError

    # ------------------------------------------------------------- filling in

    def _filled(self, line: Wording) -> str:
        """A line with a choice taken and every slot filled."""
        text = curled(chosen(line.text, line.id, *self.key))
        said: list[str] = []
        depth = 0
        for at, part in enumerate(pieces(text)):
            depth += part.count("“") - part.count("”")
            self.names.is_quoted = depth > 0
            said.append(self._slot(part, said[-1]) if at % 2 else part)
        return "".join(said)

    def _slot(self, slot: str, before: str) -> str:
        """What stands for a slot, behind some words."""
        if slot in _OF_SUBJECT and slot != "who":
            return self.names.pronoun(self.claim.subject, slot)
        person, _, form = slot.partition(".")
        if form and person in ("by", "src"):
            self.slots[person] = None
            return self.names.pronoun(self.people[person], form)
        if slot in self.people:
            name = self._name(slot)
            is_that = before.endswith("that ") and name.startswith("that ")
            return f"the{name[4:]}" if is_that else name
        if slot in COLOR_SLOTS:
            return self._color(slot)
        return self._thing(slot)

    def _name(self, slot: str) -> str:
        self.slots[slot] = None
        return self.names.name(self.people[slot])

    def _color(self, slot: str) -> str:
        """A detail; of a person's own it says his and her."""
        if slot == "tell":
            return self.subject.tell
        value = self.colors.of_event(slot, self.tale.event_id, self.tale.story_id)
        if "{" in value and self.claim.subject == self.tale.teller:
            return _of_mine(value)
        return fitted(value, self.subject.sex)

    def _thing(self, slot: str) -> str:
        """A sum, a time, a place, a game or a trade."""
        if slot in ("sum", "when", "since"):
            spoken = self._spoken(slot)
            self.slots[slot] = spoken
            return spoken.words
        self.slots[slot] = None
        return self._where(slot) if slot in ("at", "place", "house") else self._what(slot)

    def _spoken(self, slot: str) -> Spoken:
        hops = len(self.tale.chain)
        what = (self.tale.teller, self.tale.rumor_id, self.tale.event_id, slot != "sum")
        if slot == "sum":
            return sum_said(self.claim.amount_cp, hops, *what)
        back = max(self.evening.night - self.claim.night, 0)
        return (when_said if slot == "when" else since_said)(back, hops, *what)

    def _where(self, slot: str) -> str:
        if slot == "house":
            return in_passing(self.evening.houses[self.teller.tavern])
        is_here = self.claim.tavern == self.teller.tavern
        place = in_passing(self.evening.houses[self.claim.tavern])
        if slot == "place":
            return "this house" if is_here else place
        return "here" if is_here else f"at {place}"

    def _what(self, slot: str) -> str:
        if slot == "game":
            return GAMES_SAID.get(self.claim.game) or game_title(self.claim.game)
        if self.subject.trade in SECRET_TRADES:
            raise UnfitError
        trade = self.subject.trade_word
        if slot == "trade":
            return trade
        return f"{'an' if trade[:1].lower() in 'aeiou' else 'a'} {trade}"

    # ------------------------------------------------------------- what it claims

    def _said(self, lines: Sequence[Wording]) -> Said:
        """The claims that the words make."""
        claim, wording = self.claim, self.wording
        wanted = frozenset(tag for line in lines for tag in line.condition.wanted)
        amount = self.slots.get("sum")
        is_placed = "at" in self.slots or "place" in self.slots or "here" in wanted
        is_game = "game" in self.slots or any(tag.startswith("game ") for tag in wanted)
        return Said(
            kind=claim.kind,
            subject=claim.subject,
            other=claim.other if claim.other and self._names_other() else None,
            game=claim.game if is_game and claim.game else None,
            amount_cp=amount.span if amount else None,
            night=self._night(lines, wanted),
            tavern=claim.tavern if is_placed and claim.tavern else None,
            adds=wording.adds,
            adds_untrue=wording.adds_untrue,
            denies=wording.denies,
        )

    def _names_other(self) -> bool:
        """Whether the words say who the other one was: by name, or because it is the teller."""
        is_doer = self.claim.other == self.tale.teller and "doer" in self.wording.condition.wanted
        return is_doer or "by" in self.slots

    def _night(self, lines: Sequence[Wording], wanted: frozenset[str]) -> Span | None:
        """The nights that the words can mean."""
        spoken = self.slots.get("when") or self.slots.get("since")
        if spoken:
            return self._nights(spoken.span)
        ages = [AGE[tag] for tag in ("fresh", "recent", "old") if tag in wanted]
        if ages and any(TIME_WORDS.search(line.text) for line in lines):
            return self._nights(ages[0])
        return None

    def _nights(self, back: Span) -> Span:
        return max(1, self.evening.night - back[1]), max(1, self.evening.night - back[0])


GAMES_SAID = {**SHORT, "long-throw": "the long throw", "race": "the races"}
"""What games are called in passing: what stands after "at"."""


def _of_mine(value: str) -> str:
    """A detail with {his} as he says it of whose it is."""
    for slot, word in (("{his}", "my"), ("{him}", "me"), ("{he}", "I")):
        value = value.replace(slot, word)
    return value
