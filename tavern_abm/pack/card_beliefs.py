"""Whom somebody holds for a cheat, and who him: the line belief of a half-card."""

from __future__ import annotations

from ..rumor_words import spelled
from .card_words import PRONOUNS
from .dossiers import SUSPICION, Belief, Dossier, Records
from .ear import confusable
from .situations import is_about

HALF = 0.3
"""Belief from which somebody half suspects another."""


def belief_of(dossier: Dossier, records: Records, *, is_brief: bool = False) -> str:
    """The line belief: what he thinks of others, and others of him, and who is right.

    Parameters
    ----------
    dossier : Dossier
        What the record has of him.
    records : Records
        That of the others.
    is_brief : bool, default False
        Leave out what the least hangs on.
    """
    top = _top(dossier, records)
    own = _his(top, records) if top else ""
    theirs = _of_him(dossier, records, _name(top, records) if top else "")
    line = "; ".join(part for part in (own, theirs) if part) or _neither(dossier, is_brief)
    line = own if is_brief and own else line
    return line if dossier.believed_on in (0, records.evening.night) else f"{line}{_then(dossier)}"


def _then(dossier: Dossier) -> str:
    """Beliefs are kept every seventh night only."""
    return f", as of night {dossier.believed_on}"


def _top(dossier: Dossier, records: Records) -> Belief | None:
    """Whom he suspects most, if he half suspects anybody who is still about."""
    known = (each for each in dossier.suspects if is_about(records.evening, each.patron_id))
    top = next(known, None)
    return top if top and top.belief >= HALF else None


def _his(top: Belief, records: Records) -> str:
    verb = "suspects" if round(top.belief, 1) > SUSPICION else "half suspects"
    rightly = "rightly" if records.is_cheat(top.patron_id) else "wrongly"
    return f"{verb} {_name(top, records)} ({shown(top.belief)}), {rightly}"


def _of_him(dossier: Dossier, records: Records, beside: str) -> str:
    """What others believe of him; nobody is named whom the ear takes for who is `beside`."""
    him = PRONOUNS[records.evening.people[dossier.patron_id].sex]
    about = [each for each in dossier.suspected_by if is_about(records.evening, each.patron_id)]
    sure = [each for each in about if each.belief > SUSPICION]
    right = "true" if dossier.is_cheat else "false"
    if len(sure) > 1:
        return f"{spelled(len(sure))} believe {him['he']} cheats ({right})"
    if sure:
        is_told_apart = not (beside and confusable(_name(sure[0], records), beside))
        one = _name(sure[0], records) if is_told_apart else "one other"
        return f"{one} believes {him['he']} cheats ({right})"
    about = [each for each in about if not (beside and confusable(_name(each, records), beside))]
    if about and about[0].belief >= HALF:
        return f"{_name(about[0], records)} half suspects {him['him']} ({shown(about[0].belief)})"
    return ""


def _name(belief: Belief, records: Records) -> str:
    return records.evening.people[belief.patron_id].name


def _neither(dossier: Dossier, is_brief: bool) -> str:
    if not dossier.believed_on:
        return "not on record this early"
    if is_brief:
        return "suspects nobody"
    if dossier.suspects:
        return "holds nobody for a cheat, nor is held for one"
    return "has no opinion of anybody's dice, and is not talked of"


def shown(belief: float) -> str:
    """A belief as a card has it: one figure, never certain.

    Examples
    --------
    >>> shown(0.634), shown(0.999)
    ('0.6', '0.9')
    """
    return f"{min(0.9, round(belief, 1)):.1f}"
