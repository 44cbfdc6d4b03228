"""The form of an utterance, found by rule: so that a set of twenty has more than one."""

from __future__ import annotations

import re

from .templates import QUOTED, outside_quotes

OVERHEARD, ADDRESS, QUESTION, FIRST_PERSON, PLAIN = FORMS = (
    "overheard",
    "address",
    "question",
    "first person",
    "plain",
)
_YOU = re.compile(r"\b(you|your|yours|yourself|friend)\b", re.IGNORECASE)
_I = re.compile(r"\b(I|I'\w+|me|my|mine|myself|we|us|our|ours|we'\w+)\b")
_ORDERS = re.compile(
    r"\W*(ask|bet|buy|count|don['’]t|drink|find|give|go|keep|leave|let|listen|look|mind|never"
    r"|notice|put|remember|say|sit|stand|stay|take|talk|tell|try|wait|walk|want|watch)\b",
    re.IGNORECASE,
)


def form_of(text: str) -> str:
    """How something is said.

    Returns
    -------
    str
        "overheard" if two or more speak in it; "address" if the listener is spoken to;
        "question" if something is asked; "first person" if the teller speaks of himself;
        else "plain". The first of these that fits counts.

    Examples
    --------
    >>> form_of("“Who's that?” “My cousin.”"), form_of("Don't sit down with Tam Harl.")
    ('overheard', 'address')
    >>> form_of("Where is Tam Harl tonight?"), form_of("I lent Tam Harl a coat.")
    ('question', 'first person')
    >>> form_of("Tam Harl owes everybody a drink.")
    'plain'
    """
    if len(QUOTED.findall(text)) > 1:
        return OVERHEARD
    own = outside_quotes(text)
    if _YOU.search(own) or _ORDERS.match(own):
        return ADDRESS
    if "?" in own:
        return QUESTION
    return FIRST_PERSON if _I.search(own) else PLAIN
