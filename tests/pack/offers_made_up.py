"""Offers without a run: words of their own, and features that hang on truth or do not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tavern_abm.pack.balance import FORMS, TRUTHS
from tavern_abm.pack.choosing import Offer
from tavern_abm.pack.judging import Verdict
from tavern_abm.pack.matter import Claim, Hop, Said, Tale, Utterance

SHARES = (0.5, 0.25, 0.25)
"""Of the offers, how many are true, partly true and false."""
KINDS = ("won", "owes", "brawl", "cheats", "beaten")
SUMS = (0.2, 0.6, 0.7)
PLACES = (0.3, 0.7, 0.2)
TIMES = (0.3, 0.5, 0.1)
HEADS = (0.1, 0.3, 0.5)
"""How many of the offers of each truth name a sum, a place, a time, or have a head."""
WORDS = (18, 26, 30)
"""How many words they have."""


def offer(at: int = 1, truth: str = "true", text: str = "", **changes: object) -> Offer:
    """An offer; no two share anything that a set may not have twice."""
    fields: dict[str, object] = {
        "event": at,
        "teller": at,
        "wording": f"won-{at}",
        "form": FORMS[at % 5],
        "kind": "won",
        "head": "",
        "tail": "",
        "said": Said("won", 5000 + at),
        "hops": 1,
        "is_confusing": False,
    }
    fields |= changes
    claim = Claim(str(fields["kind"]), "", 5000 + at, 0, 0, 1, 1)
    teller, event = int(str(fields["teller"])), int(str(fields["event"]))
    chain = tuple(Hop(teller, "saw it", 1, 1) for _ in range(int(str(fields["hops"]))))
    tale = Tale(at, at, event, claim, teller, chain, frozenset(), 1, 10)
    text = text or " ".join(f"w{_letters(at)}{_letters(word)}" for word in range(14))
    words = Utterance(
        text,
        fields["said"],  # type: ignore[arg-type]
        str(fields["wording"]),
        str(fields["form"]),
        str(fields["head"]),
        str(fields["tail"]),
    )
    return Offer(
        tale,
        words,
        Verdict(truth, (), ""),
        is_confusing=bool(fields["is_confusing"]),
        marks=frozenset([text]),
    )


def _letters(number: int) -> str:
    return "".join(chr(97 + int(digit)) for digit in str(number))


def telling_offers(n: int, seed: int) -> list[Offer]:
    """Offers whose wording gives them away: bent ones name sums, false ones are long.

    Parameters
    ----------
    n : int
        How many.
    seed : int
        Of their luck.
    """
    rng = np.random.default_rng(seed)
    return [_telling(at, rng) for at in range(n)]


def _telling(at: int, rng: np.random.Generator) -> Offer:
    label = int(rng.choice(3, p=SHARES))
    said = Said(
        "won",
        5000 + at,
        amount_cp=(1, 2) if _has(rng, SUMS, label) else None,
        tavern=1 if _has(rng, PLACES, label) else None,
        night=(1, 1) if _has(rng, TIMES, label) else None,
    )
    n_words = int(rng.normal(WORDS[label], 6))
    return offer(
        at,
        TRUTHS[label],
        " ".join(f"w{_letters(at)}{_letters(word)}" for word in range(max(11, n_words))),
        said=said,
        head=f"heads-{at % 40}" if _has(rng, HEADS, label) else "",
        form=FORMS[int(rng.choice(5, p=_forms(label)))],
        kind=KINDS[at % len(KINDS)],
    )


def _has(rng: np.random.Generator, shares: Sequence[float], label: int) -> bool:
    return bool(rng.random() < shares[label])


def _forms(label: int) -> list[float]:
    return [[0.4, 0.2, 0.1, 0.2, 0.1], [0.2] * 5, [0.1, 0.3, 0.1, 0.1, 0.4]][label]
