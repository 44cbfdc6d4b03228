"""Whether what was said is so: judged on the claims the words make, and on nothing else.

- **false**: it did not happen to the one they name, or was not brought about by the
  other one they name;
- **partly true**: it did, but for a sum, a night, a house or a game that they name
  and that is another, or they add something that is not so;
- **true**: all that they say is so, by tonight.

That somebody *cheats* is true if he has tried a trick by tonight. A night is right
for it if he had tried by then and something did happen on it: a try of his, or what
the story sprang from, if that was about him; so is a house, and a game. Of what was
made up, night and house are right whatever they are: there is none they could be
held against. Where the words name who called him a cheat, night, house and game are
those on which that one did.

That somebody *owes* is partly true of a debt that was paid back since.

What **denies** a charge claims that it is not so: whoever has tried a trick denies it
falsely, and anybody else truly. Where people whisper it is in no record; when and where
somebody named made the charge is. Who denies it and says that he was cleared must have
been, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..rumor_words import SHORT, claim_of, game_title, in_coins, in_passing, spelled
from .facts import CHEATS, HAPPENS_AS, PARTS, Fact, Facts
from .matter import Said, Span
from .speech import number
from .tags import OF_RUMORS

TRUE, PARTLY, FALSE = "true", "partly true", "false"
_NEXT = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


@dataclass(frozen=True)
class Verdict:
    """The truth of what was said.

    Attributes
    ----------
    truth : str
        "true", "partly true" or "false".
    wrong : tuple of str
        What of it is not so, in the teller's terms: "told as 18 gold, was nine gold".
    key : str
        What is so, in a sentence or two.
    event_id : int
        The event it was held against; 0 if there is none.
    charge : str
        Of words that deny a charge: the truth of that charge; empty of others.
    """

    truth: str
    wrong: tuple[str, ...]
    key: str
    event_id: int = 0
    charge: str = ""

    @property
    def of_charge(self) -> str:
        """The truth of what is told of somebody, even by who denies it."""
        return self.charge or self.truth


def truth_of(said: Said, event_id: int, facts: Facts) -> Verdict:
    """Judge what was said.

    Parameters
    ----------
    said : Said
        What the words claim; what they leave open (None) is not judged.
    event_id : int
        The event that the story sprang from; 0 if it was made up.
    facts : Facts
        The record up to tonight.
    """
    judge = _of_denial if said.denies else _of_claim
    return judge(said, event_id, facts)


def _of_claim(said: Said, event_id: int, facts: Facts) -> Verdict:
    fitting = [fact for fact in facts.that(said.kind, said.subject) if _fits(said, fact, facts)]
    if not fitting:
        return _false(said, event_id, facts)
    wrong, fact = _likest(said, event_id, [*fitting, *_springs(said, event_id, facts)], facts)
    key = " ".join([_key(said, fact, facts), *_of_another(said, event_id, facts)])
    return Verdict(PARTLY if wrong else TRUE, tuple(wrong), key, fact.event_id)


def _likest(
    said: Said, event_id: int, seen: Sequence[Fact], facts: Facts
) -> tuple[list[str], Fact]:
    """Of several the one that is like it, and of these what it sprang from; and what is wrong."""
    if said.kind == CHEATS and said.other is not None:
        seen = facts.said_by(said.other, said.subject)
    judged = [(_details(said, event_id, fact, facts), fact) for fact in seen]
    wrong, fact = min(
        judged,
        key=lambda each: (len(each[0]), each[1].event_id != event_id, each[1].kind == "accused"),
    )
    return [*wrong, *_added(said)], fact


def _added(said: Said) -> Iterator[str]:
    if said.adds_untrue:
        yield f"the teller adds: {said.adds}" if said.adds else "the teller adds to it"


def _of_denial(said: Said, event_id: int, facts: Facts) -> Verdict:
    """Words that deny what is charged."""
    charge = _of_claim(replace(said, denies=False), event_id, facts)
    is_so = bool(facts.that(CHEATS, said.subject))
    if said.kind != CHEATS and charge.truth == FALSE:  # nor was he cleared
        return replace(charge, charge=FALSE)
    key = f"{_ON_DENIALS[is_so]} {' '.join(_about_tries(said.subject, facts))} {charge.key}"
    wrong = ("the charge is true",) if is_so else tuple(_wrong_of_denial(said, charge, facts))
    truth = FALSE if is_so else PARTLY if wrong else TRUE
    return Verdict(truth, wrong, _unlike(key), charge.event_id, charge.truth)


_ON_DENIALS = {
    True: "The charge is true, and the denial false.",
    False: "The charge is false, and the denial true.",
}


def _unlike(key: str) -> str:
    """A key without the sentences that stand in it twice."""
    return " ".join(dict.fromkeys(_NEXT.split(key)))


def _wrong_of_denial(said: Said, charge: Verdict, facts: Facts) -> Iterator[str]:
    """What is told otherwise by somebody who is right to deny it."""
    if said.kind != CHEATS:
        yield from charge.wrong
        return
    if said.other is None:
        yield from _added(said)
    elif facts.said_by(said.other, said.subject):
        yield from _likest(said, 0, (), facts)[0]
    else:
        yield _not_by(said, None, facts)
        yield from _added(said)


def _fits(said: Said, fact: Fact, facts: Facts) -> bool:
    """Whether the other one is right too, if they name him."""
    if said.other is None:
        return True
    others = facts.accusers(said.subject) if said.kind == CHEATS else fact.parts
    return said.other in others


def _springs(said: Said, event_id: int, facts: Facts) -> list[Fact]:
    """For somebody who cheats: the event that the story sprang from, if it was about him."""
    fact = facts.by_id.get(event_id)
    return [fact] if said.kind == CHEATS and fact and fact.subject == said.subject else []


# ------------------------------------------------------------- what of it is wrong


def _details(said: Said, event_id: int, fact: Fact, facts: Facts) -> list[str]:
    """What they tell otherwise than it was."""
    is_made_up = said.kind == CHEATS and not event_id
    found = [*_wrong_sum(said, fact), *_wrong_game(said, fact)]
    if fact.paid:
        found.append(f"paid back since, on night {fact.paid}")
    if said.kind == CHEATS and said.other is not None:  # it is of the charge that they speak
        found += [*_wrong_night(said, fact.night, facts), *_wrong_house(said, fact, facts)]
    elif not is_made_up:
        was = fact.night
        if said.kind == CHEATS:  # one who had not tried yet did not cheat that night
            was = max(was, _first_try(said, facts))
        found += [*_wrong_night(said, was, facts), *_wrong_house(said, fact, facts)]
    elif said.night and _first_try(said, facts) > said.night[1]:
        found.append(_on_nights(said.night, _first_try(said, facts), facts.night))
    return found


def _first_try(said: Said, facts: Facts) -> int:
    return min(fact.night for fact in facts.that(CHEATS, said.subject))


def _wrong_sum(said: Said, fact: Fact) -> Iterator[str]:
    span = said.amount_cp
    if span and said.kind != CHEATS and not span[0] <= fact.amount_cp <= span[1]:
        yield f"told as {_about(span)}, was {_coins(fact.amount_cp)}"


def _about(span: Span) -> str:
    """A sum that words leave open, as one says it.

    Examples
    --------
    >>> _about((276, 276)), _about((3200, 3299)), _about((60, 90))
    ('two gold and eight silver', 'about thirty-two gold', 'six silver to nine silver')
    """
    least, most = _coins(span[0]), _coins(span[1])
    if least == most:
        return least
    is_narrow = (span[1] - span[0]) * 20 <= span[1]
    return f"about {least}" if is_narrow else f"{least} to {most}"


def _coins(amount_cp: int) -> str:
    """A sum in words throughout."""
    return _FIGURES.sub(lambda at: number(int(at[0].replace(",", ""))), in_coins(amount_cp))


_FIGURES = re.compile(r"\d[\d,]*")


def _wrong_night(said: Said, was: int, facts: Facts) -> Iterator[str]:
    span = said.night
    if span and not span[0] <= was <= span[1]:
        yield _on_nights(span, was, facts.night)


def _on_nights(span: Span, was: int, now: int) -> str:
    """Which nights the words can mean, the latest first, and which it was.

    Examples
    --------
    >>> _on_nights((3, 15), 22, 23)
    'told as eight nights back to twenty nights back, was last night (night 22)'
    """
    least, most = _back(span[1], now), _back(span[0], now)
    told = least if least == most else f"{least} to {most}"
    return f"told as {told}, was {_back(was, now)} (night {was})"


def _back(night: int, now: int) -> str:
    ago = now - night
    if ago <= 1:
        return "last night" if ago == 1 else "tonight"
    return f"{number(ago)} nights back"


def _wrong_house(said: Said, fact: Fact, facts: Facts) -> Iterator[str]:
    if said.tavern is not None and said.tavern != fact.tavern:
        told, was = (
            in_passing(facts.people.houses.get(at, "")) for at in (said.tavern, fact.tavern)
        )
        yield f"told of {told or 'no tavern'}, was {f'at {was}' if was else 'in no tavern'}"


def _wrong_game(said: Said, fact: Fact) -> Iterator[str]:
    if said.game and fact.games and said.game not in fact.games:
        yield f"told of {_game(said.game)}, was at {_game(min(fact.games))}"


def _game(game: str) -> str:
    return SHORT.get(game) or game_title(game)


# ------------------------------------------------------------- what is so


def _false(said: Said, event_id: int, facts: Facts) -> Verdict:
    """It did not happen to him: to whom it did, or that it was made up."""
    fact = facts.by_id.get(event_id)
    who = facts.people.who
    wrong, key = [], []
    happened = facts.that(said.kind, said.subject)
    if said.kind == CHEATS and not happened:
        wrong.append(f"{who(said.subject)} has never tried a trick")
        key.append(f"{who(said.subject)} has never tried a trick.")
    elif happened:
        of = None if said.kind == CHEATS else happened[-1]
        wrong.append(_not_by(said, of, facts))
        key.append(_key(said, happened[-1], facts))
    if fact and fact.subject != said.subject:
        if said.kind != CHEATS or facts.that(CHEATS, fact.subject):
            wrong.append(f"it was {who(fact.subject)}, not {who(said.subject)}")
        key.append(_key(said, fact, facts))
    elif fact and not happened:
        key.append(_sentence(fact, facts))
    elif not fact:
        wrong.append("made up")
        key.append("It was made up.")
    unlike = list(dict.fromkeys(key))
    return Verdict(FALSE, tuple(wrong), " ".join(unlike), fact.event_id if fact else 0)


def _not_by(said: Said, fact: Fact | None, facts: Facts) -> str:
    """Who the other one was."""
    who = facts.people.who
    others = fact.parts if fact else facts.accusers(said.subject)
    told = who(said.other or 0)
    return f"it was {who(min(others))}, not {told}" if others else f"{told} had no part in it"


def _key(said: Said, fact: Fact, facts: Facts) -> str:
    if said.kind == CHEATS:
        return " ".join([*_about_tries(fact.subject, facts), *_trial(fact, facts)])
    return _sentence(fact, facts)


def _about_tries(subject: int, facts: Facts) -> Iterator[str]:
    """How often somebody has cheated, and since when."""
    tries, name = facts.that(CHEATS, subject), facts.people.who(subject)
    if not tries:
        yield f"{name} has never tried a trick."
    elif len(tries) == 1:
        yield f"{name} has tried one trick, on night {tries[0].night}{_at(tries[0], facts)}."
    else:
        yield (
            f"{name} has tried {spelled(len(tries))} tricks, the first on night "
            f"{tries[0].night}{_at(tries[0], facts)}."
        )


def _trial(fact: Fact, facts: Facts) -> Sequence[str]:
    """The charge that the story sprang from, if it did from one, and what came of it."""
    return [_first_sentence(fact.text)] if fact.kind in _CHARGES else []


_CHARGES = ("accused", "denounced", "cleared", "convicted", "caught")


def _sentence(fact: Fact, facts: Facts) -> str:
    """An event in a sentence, with its night and house."""
    claim = {kind: claim for claim, kind in HAPPENS_AS.items()}.get(fact.kind, "")
    if claim in OF_RUMORS and claim != "brawl" and not fact.paid:
        text = claim_of(_as_rumor(fact, claim), facts.people.who, facts.people.houses)
        return "; ".join([f"{text[:1].upper()}{text[1:]}", *_parts(fact, facts)]) + "."
    paid = f"; paid back since, on night {fact.paid}" if fact.paid else ""
    return f"{_first_sentence(fact.text).rstrip('.')} (night {fact.night}{_at(fact, facts)}){paid}."


def _of_another(said: Said, event_id: int, facts: Facts) -> Iterator[str]:
    """What the story sprang from, where that befell somebody else, or that it was made up."""
    if not event_id:
        yield "It was made up all the same."
    fact = facts.by_id.get(event_id)
    if fact and said.subject not in (fact.subject, *fact.parts):
        yield f"What it sprang from: {_sentence(fact, facts)}"


def _parts(fact: Fact, facts: Facts) -> Iterator[str]:
    """Who brought it about, and how."""
    him = "her" if facts.people.pronoun(fact.subject) == "she" else "him"
    for each, part in fact.parts.items():
        if part:
            yield PARTS[part].format(who=facts.people.who(each), him=him)
    if fact.kind == "killed" and not fact.tavern and not fact.parts:
        yield PARTS["killer"].format(who="strangers")


def _as_rumor(fact: Fact, claim: str) -> dict[str, object]:
    others = list(fact.parts)
    return {
        "claim": claim,
        "game": min(fact.games, default=""),
        "subject_id": fact.subject,
        "other_id": others[0] if others else 0,
        "amount_cp": fact.amount_cp,
        "night": fact.night,
        "tavern_id": fact.tavern,
    }


def _at(fact: Fact, facts: Facts) -> str:
    sign = in_passing(facts.people.houses.get(fact.tavern, ""))
    return f", {sign}" if sign else ""


def _first_sentence(text: str) -> str:
    """The first of it: a chase goes on for a page.

    Examples
    --------
    >>> _first_sentence("Hob was out of the door. Hob runs: 3 + 8 = 11.")
    'Hob was out of the door.'
    """
    return _NEXT.split(text.strip(), maxsplit=1)[0]
