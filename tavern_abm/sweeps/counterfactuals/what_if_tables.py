"""What a what-if found, as one tidy table and as JSON, in the units of the quantities."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .compare_words import wording_of
from .counterfactual import row_of_purse
from .matching import Effect
from .verdicts import title_of, verdict
from .what_if import WhatIf

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["csv_of", "frame_of", "json_of"]


def frame_of(found: WhatIf) -> pd.DataFrame:
    """A row a quantity, of the town and of people.

    Returns
    -------
    DataFrame
        ``about`` ("town", or somebody's name), ``quantity``, ``base`` and ``changed`` (means
        over the pairs), ``difference``, ``low``, ``high``, ``sd`` (of the differences), ``n``
        (pairs in which it is defined on both sides), ``n_differ``, ``p``, ``p_holm``,
        ``narrowed`` and ``verdict``: "sure", "likely", "alike", "not seen" or "untouched".
        Sums are those of all nights.
    """
    import pandas as pd

    return pd.DataFrame(list(_rows(found)))


def _rows(found: WhatIf) -> Iterator[dict[str, Any]]:
    for effect in found.effects:
        yield _row("town", effect.name, effect)
    for effect in found.of_patron:
        yield _row(str(found.question.played.patron), effect.name.removeprefix("patron."), effect)
    for effect in found.of_purses:
        row: Any = row_of_purse(effect.name)
        yield _row(found.question.people[row], "purse_cp", effect)


def _row(about: str, quantity: str, effect: Effect) -> dict[str, Any]:
    change = effect.change
    return {
        "about": about,
        "quantity": quantity,
        "base": effect.base.value,
        "changed": effect.changed.value,
        "difference": change.value,
        "low": change.low,
        "high": change.high,
        "sd": change.sd,
        "n": change.n,
        "n_differ": effect.n_differ,
        "p": effect.p,
        "p_holm": effect.p_holm,
        "narrowed": effect.narrowed,
        "verdict": verdict_of(effect),
    }


def verdict_of(effect: Effect) -> str:
    """How far a change is known: sure, likely, alike, not seen or untouched."""
    if effect.is_untouched:
        return "untouched"
    if effect.is_alike:
        return "alike"
    return "sure" if effect.is_sure else "likely" if effect.is_likely else "not seen"


def csv_of(found: WhatIf) -> str:
    """The table as text with commas; what is not defined is left empty."""
    return frame_of(found).to_csv(index=False, lineterminator="\n")


def json_of(found: WhatIf) -> str:
    """One JSON object: what was asked, the verdict in words, and the rows of the table."""
    question, asked = found.question, found.question.played
    document = {
        "title": title_of(found),
        "scenario": question.title,
        "without": [each._asdict() for each in asked.without],
        "changes": dict(asked.changes),
        "nights": question.nights,
        "pairs": found.n,
        "failed_runs": len(found.failures),
        "seed": question.seed,
        "same_people": asked.town is not None,
        "confidence": found.effects[0].change.confidence if found.effects else None,
        "notes": list(question.notes),
        "verdict": [each._asdict() for each in verdict(found)],
        "effects": [_plain(row) for row in _rows(found)],
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """With null for what is not defined, and for what is infinite."""
    title = {"title": wording_of(row["quantity"]).title} if row["about"] == "town" else {}
    finite = {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }
    return {**title, **finite}
