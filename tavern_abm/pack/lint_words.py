"""What no wording may say, whatever is filled in: a pattern, what is wrong with it, the cure.

Each rule is handed one wording and its text with one of every choice taken, and yields
what is wrong. `lint` goes through them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..scenario.problems import nearest
from .tags import PEOPLE_SLOTS, SLOTS
from .templates import SLOT, outside_quotes
from .wordings import Wording

Found = Iterator[tuple[str, str]]
"""What is wrong, and what to do about it."""
Rule = Callable[[Wording, str], Found]

PRESENT = frozenset(("eye", "self", "doer", "lie"))
"""Who may say that he saw something; whoever made it up is free with such proof."""
CLOSE = PRESENT | {"knows", "here", "kin", "by kin", "present"}
"""Who may say that he had to do with it or with them; those of ``i am`` may, too."""


DENIABLE = frozenset(("cheats", "accused"))
"""Kinds in which somebody is charged with cheating."""


class Banned(NamedTuple):
    """Words that must not stand, unless one of some tags must hold, or the teller adds them."""

    pattern: re.Pattern[str]
    problem: str
    cure: str
    unless: frozenset[str] = frozenset()
    is_own: bool = False  # only what the teller says himself counts, no words in quotes


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE | re.VERBOSE)


_NOUNS = "|".join((*PEOPLE_SLOTS, "place", "house", "thing", "pledge", "spot", "tell"))
_SMALL = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_LARGE = (
    r"(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
    r"|hundreds?|thousands?|dozens?|scores?\ of"
)
_IDIOMS = (
    r"\ (?:of\ (?:us|them|you|those|\{his\}\ own)|fingers?|toes?|hands?|eyes?|ears?|feet|legs?"
    r"|knees?|thumbs?|sides?|minds?|kinds?|sorts?|words?|ways?|ends?|halves|cheeks?|faces?"
    r"|pairs?|more|and\ two|dice|people|of\ the)\b"
)

# ------------------------------------------------------------- letters and stops

LETTERS = (
    Banned(_pattern(r"\d"), "a digit", "write numbers as words, and sums and nights as slots"),
    Banned(_pattern(r"\ \ "), "two spaces", "leave one"),
    Banned(_pattern(r"^\s|\s$"), "a space at the beginning or end", "leave it out"),
    Banned(_pattern(r"\s[,.;:!?]"), "a space before a stop", "leave it out"),
    Banned(_pattern(r"[,;:]\s*[,.;:!?]|(?<!\.)\.\.(?!\.)|\?\?|!!"), "two stops", "leave one"),
    Banned(_pattern(r"\.\.\.|--|\s-\s"), "dots or dashes of several signs", "write … or a comma"),
    Banned(_pattern(r"\b(\w+)\ \1\b(?<!\bhad\ had)"), "a word twice", "leave it out"),
    Banned(_pattern(r"\b(?:an?)\ \{(?!a\.)"), "a or an before a slot", "use {a.trade}, or turn it"),
    Banned(
        _pattern(rf"\b(?:the|this|my|your|our|old|young|little)\ \{{(?:{_NOUNS})\}}"),
        "an article or the like before a slot that brings its own",
        "leave it out",
    ),
    Banned(
        _pattern(r"\b(?:at|in|from|to|of|outside|inside|near)\ \{at\}"),
        "a preposition before {at}, which brings its own",
        "use {place}, or leave it out",
    ),
    Banned(
        _pattern(r"\{(?:by\.|src\.)?his\}(?=[.,;:!?”]|$|\ to\b)"),
        "{his} with nothing after it, which for a woman would be hers",
        "name the thing",
    ),
    Banned(
        _pattern(r"\b(?:back|come|comes|came|walks?|walked|runs?|ran)\ \{at\}"),
        "a word of going before {at}, which says where somebody is",
        "use {place} after a preposition",
    ),
    Banned(
        _pattern(r"\b(?:since|for|on|in)\ \{(?:when|since)\}|\{(?:when|since)\}\ (?:ago|back)\b"),
        "a word of time beside a slot that brings its own",
        "leave it out; for since when there is {since}",
    ),
)

# ------------------------------------------------------------- what is stale

STALE = (
    Banned(
        _pattern(
            r"^\W*(?:(?:they|folks?|some)\ (?:all\ )?say(?:s|ing)?|rumou?rs?\ ha(?:s|ve)"
            r"|word\ (?:is|has|goes)|have\ you\ heard|did\ you\ hear"
            r"|i\ (?:have\ )?heard\ (?:that|tell)"
            r"|legend\ has|it\ is\ said|there(?:'s|\ is)\ (?:a\ )?(?:rumou?r|talk))\b"
        ),
        "an opening that says nothing",
        "begin with the thing itself",
    ),
)

# ------------------------------------------------------------- what nobody can answer for

CLAIMS = (
    Banned(
        _pattern(
            r"\bI\ (?:saw|watched|was\ there|stood\ (?:by|there))"
            r"|\bI\ was\ (?:sitting|standing)\ (?:by|next)"
            r"|\bI(?:'ve|\ have)\ seen\ \{(?!src|first)|(?:my|these)\ own\ (?:two\ )?eyes"
        ),
        "says that the teller saw it",
        'add "eye" to the condition, or to adds what he only says he saw',
        PRESENT,
        True,
    ),
    Banned(
        _pattern(
            r"\bI\ (?:told|asked|met|held|caught|warned)\ (?:\{(?!src|first)|her\b|him\b)"
            r"|\{(?:who|by|he|by\.he)\}\ (?:asked|told|showed|owes|sold|hit|offered|gave|lent)"
            r"\ me\b"
            r"|\bwe\ (?:all\ )?(?:saw|were|sat|played|stood|threw|met|drank|took|held|buried)\b"
        ),
        "says that the teller had to do with them",
        'add "knows", "kin", "here", "eye" or his part to the condition, or what he adds to adds',
        CLOSE,
        True,
    ),
    Banned(
        _pattern(r"\bunder\ here\b|\bthis\ (?:room|house)\b|\btaste\ th(?:at|is)\b"),
        "says that it was in this house",
        'add "here" to the condition',
        frozenset(("here", "present", "absent")),
    ),
    Banned(
        _pattern(
            r"\b(?:last|this|past)\ (?:night|evening|morning|week|month)\b|\byesterday\b"
            r"|\b(?:days?|nights?|weeks?|months?)\ (?:ago|back|past|since)\b"
            r"|\bthe\ other\ night\b"
            r"|\b(?:was|were|did|went|came|got|lost|won|took|saw|beat|threw|ran)\b[^.?!,;:”]*"
            r"\btonight\b"
        ),
        "says when it was",
        "use {when} or {since}, or have fresh, recent or old in the condition",
        frozenset(("fresh", "recent", "old")),
    ),
    Banned(
        _pattern(
            r"\b(?:eighty|ninety|child|children|wife|husband|widow|widower|limps?|limping|lame"
            r"|bald|beard|bearded|swims|pregnant|toothless|one-eyed|left-handed)\b"
            r"|\bold\ (?:man|woman)\b"
            r"|\{(?:by\.)?his\}\ (?:son|daughter|mother|father|brother|sister|cousin|uncle)s?\b"
        ),
        "says of somebody what is in no record",
        "put it into adds, or leave it out",
        frozenset(("kin", "by kin")),
    ),
    Banned(
        _pattern(
            rf"\b(?:{_LARGE})\b"
            rf"|(?<!\bthe\ )(?<!\bthose\ )(?<!\bthese\ )\b(?:{_SMALL})\b(?!{_IDIOMS})"
        ),
        "names a number",
        "use a slot, say it without, or put it into adds",
    ),
)


def letters(wording: Wording, text: str) -> Found:
    """What is wrong with letters, spaces, stops and articles."""
    yield from _banned(LETTERS, wording, text)
    if text.count("“") != text.count("”"):
        yield "a quote that is not closed, or not opened", "write “ before and ” after"
    if '"' in text and "“" in text:
        yield "straight and curly quotes together", "write “ and ”"
    if "’" in text and "'" in text:
        yield "straight and curly apostrophes together", "write '"
    if wording.place == "say" and text[-1:] not in ".!?…”":
        yield "no stop at the end", "write one"


OTHER_SLOTS = {
    **dict.fromkeys(("gold", "money", "coins", "coin", "amount", "silver", "price"), "sum"),
    **dict.fromkeys(("name", "person", "subject", "target", "victim", "whom"), "who"),
    **dict.fromkeys(("other", "accuser", "lender", "killer", "second"), "by"),
    **dict.fromkeys(("night", "time", "date", "day"), "when"),
    **dict.fromkeys(("tavern", "inn", "location", "where"), "place"),
    **dict.fromkeys(("item", "object"), "thing"),
    **dict.fromkeys(("job", "profession", "occupation"), "trade"),
    **{"she": "he", "her": "his", "hers": "his", "source": "src", "teller": "src"},
}
"""Names that people give to slots, and which they mean."""


def slots(wording: Wording, text: str) -> Found:
    """Slots that do not exist."""
    for slot in SLOT.findall(text):
        if slot not in SLOTS:
            meant = OTHER_SLOTS.get(slot.casefold()) or nearest(slot, sorted(SLOTS))
            known = ", ".join(f"{{{each}}}" for each in sorted(SLOTS) if "." not in each)
            cure = f"use {{{meant}}}" if meant else f"take it out; there are {known}"
            yield f"unknown slot {{{slot}}}", cure
    if re.search(r"[{}\[\]|]", SLOT.sub("", text)):
        yield "a bracket that is not closed, or not opened", "write {slot} or [one|the other]"


def stale(wording: Wording, text: str) -> Found:
    """Openings that everybody has heard before."""
    yield from _banned(STALE, wording, text)


def claims(wording: Wording, text: str) -> Found:
    """What is claimed that nobody can answer for when players ask on."""
    if not wording.adds:
        yield from _banned(CLAIMS, wording, text)


def parts(wording: Wording, text: str) -> Found:
    """Who is spoken of: he must be findable, and nobody names himself."""
    found = set(SLOT.findall(text))
    tags = wording.condition.wanted
    yield from _of_himself(found, tags)
    is_said = wording.place == "say"
    if is_said and "self" not in tags and "who" not in found:
        yield "nobody could tell whom it is about", "name {who}, or ask for self"
    if found & {"by.he", "by.him", "by.his"} and "by" not in found and "doer" not in tags:
        yield "{by.he} and the like of somebody not named", "name {by}"
    if re.search(r"\{first\}\ (?:saw|watched|was there)", text):
        yield "{first} may have done it, not seen it", "say that it started with {first}"
    if re.search(r"\{src\}\ (?:saw|watched)", text) and "source saw it" not in tags:
        yield "{src} need not have seen it", 'add "source saw it" to the condition'
    if "{src} was there" in text and not tags & {"heard", "source saw it", "source did it"}:
        yield "{src} need not have been there", 'add "heard" to the condition'


def _of_himself(found: set[str], tags: frozenset[str]) -> Found:
    """The teller in the third person."""
    for tag, slot in (("self", "who"), ("doer", "by")):
        own = {slot, *(f"by.{each}" if slot == "by" else each for each in _PRONOUNS)}
        named = sorted(found & own)
        if tag in tags and named:
            yield f"the teller speaks of himself as {{{named[0]}}}", "say I, me, my"


_PRONOUNS = ("he", "him", "his", "himself")


def denials(wording: Wording, text: str) -> Found:
    """What denies a charge is of a kind in which there is one."""
    del text
    if wording.denies and not DENIABLE.issuperset(wording.kinds):
        yield "denies, and nobody is charged with anything", "leave denies out"


def speakers(wording: Wording, text: str) -> Found:
    """Exchanges that are overheard are said to be."""
    if wording.place != "say":
        return
    spoken = text.count("“")
    is_exchange = spoken > 1 and not re.search(r"\w", outside_quotes(text))
    if is_exchange and not wording.is_full:
        yield "an overheard exchange", "write full = true"
    if wording.is_full and spoken < 2:
        yield "full, and nobody answers anybody", "leave full out"


def _banned(rules: tuple[Banned, ...], wording: Wording, text: str) -> Found:
    own = outside_quotes(text)
    tags = wording.condition.wanted
    is_keeper = any(tag.startswith("i am ") for tag in tags)
    for rule in rules:
        found = rule.pattern.search(own if rule.is_own else text)
        is_allowed = tags & rule.unless or (rule.unless >= CLOSE and is_keeper)
        if found and not is_allowed:
            yield f"{rule.problem}: {found[0].strip() or 'a space'!r}", rule.cure


RULES: tuple[Rule, ...] = (slots, letters, stale, claims, parts, speakers, denials)
