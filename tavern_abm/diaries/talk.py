"""What somebody was told in a night, whether he believed it, and what he told on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..rumor_words import changes_of, listed, spelled
from . import wordings
from .voice import Night, Voice


def heard(voice: Voice, night: Night) -> Iterator[str]:
    """What he was told, and whether he believed it; the weightiest first."""
    own = sorted(night.heard, key=lambda each: _weight(voice, each))
    for salt, telling in enumerate(own[: wordings.MOST_HEARD]):
        said_as = wordings.HEARD if telling["believed"] else wordings.DOUBTED
        teller, claim = voice.who(int(telling["teller_id"])), voice.claim(telling["rumor"], telling)
        said = voice.say(said_as, night.night, salt, teller=teller, claim=claim)
        yield f"{said}{_in_truth(voice, telling)}"
    rest = len(own) - wordings.MOST_HEARD
    if rest > 0:
        tales = "one more tale" if rest == 1 else f"{spelled(rest)} more tales"
        yield voice.say(wordings.MORE_HEARD, night.night, tales=tales)


def _weight(voice: Voice, telling: Mapping[str, Any]) -> tuple[int, int]:
    """Sorts first what is about himself, then by the claim."""
    rumor = telling["rumor"]
    is_own = voice.patron_id in (rumor["subject_id"], rumor["other_id"])
    claims = list(wordings.CLAIMS_BY_WEIGHT)
    claim = str(rumor["claim"])
    return -is_own, claims.index(claim) if claim in claims else len(claims)


def _in_truth(voice: Voice, telling: Mapping[str, Any]) -> str:
    """What the record has to say to it, where he was wrong."""
    truth, believed = telling["rumor"]["truth"], telling["believed"]
    if believed and truth == "false":
        return " It was not so."
    if believed and truth == "wrong person":
        return " It had been somebody else."
    is_doubted = truth == "true" and not believed and telling["rumor"]["claim"] != "won"
    return " It was true all the same." if is_doubted else ""


def told(voice: Voice, night: Night) -> Iterator[str]:
    """What he told on, story by story, to those who did not know it."""
    stories: dict[int, list[dict[str, Any]]] = {}
    for telling in night.told:  # the version that was heard: a bent one is a sentence of its own
        stories.setdefault(int(telling["rumor_id"]), []).append(telling)
    ordered = sorted(stories.values(), key=lambda told: (_weight(voice, told[0]), -len(told)))
    for salt, told in enumerate(ordered[: wordings.MOST_TOLD]):
        yield _telling(voice, night.night, told, salt)
    rest = len(ordered) - wordings.MOST_TOLD
    if rest > 0:
        tales = "one other tale" if rest == 1 else f"{spelled(rest)} other tales"
        yield voice.say(wordings.MORE_TOLD, night.night, tales=tales)


def _telling(voice: Voice, night: int, told: list[dict[str, Any]], salt: int) -> str:
    first = told[0]
    names = list(dict.fromkeys(voice.who(int(each["listener_id"])) for each in told))
    rest = len(names) - wordings.MOST_NAMED
    named = names if rest <= 0 else [*names[: wordings.MOST_NAMED], f"{spelled(rest)} more"]
    is_first_hand = not first["told_from"]
    is_lie = is_first_hand and first["as_known"]["event_id"] == 0
    is_own = first["as_known"]["subject_id"] == voice.patron_id
    is_bent = first["rumor_id"] != first["told_rumor_id"]
    said_as: str | tuple[str, ...] = wordings.TOLD_ON
    if is_lie:
        said_as = _MADE_UP.get(str(first["rumor"]["truth"]), wordings.INVENTED)
    elif is_first_hand and not is_own and not is_bent:
        said_as = wordings.SAW_IT
    claim = voice.claim(first["rumor"], first)
    text = voice.say(said_as, night, salt, listeners=listed(named), claim=claim)
    if not is_bent:
        return text
    change = changes_of(first["rumor"]) or "the story changed"
    return f"{text[:-1]}; in {voice.words['his']} mouth {change}."


_MADE_UP = {"true": wordings.MADE_UP_AND_TRUE, "partly true": wordings.MADE_UP_IN_PART}
"""How it is told that somebody made a story up, by what the record has to say to it."""
