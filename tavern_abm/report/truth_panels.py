"""The figures of a report page that hold what people believe against the truth."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from .. import analysis
from ..accuracy import calibration_line, reliability
from ..plots.accuracy import plot_accuracy
from ..plots.known import plot_known
from ..plots.trials import plot_trials
from ..scores import MEANINGS, by_night
from ..stories import percent, times
from .data import RunData
from .panel import MOST_ROWS, Panel

CALIBRATED = 0.01
"""A mean belief within this of the share that is true needs no remark."""
STRAIGHT = 0.1
"""Nor does a slope within this of 1."""


def trials(data: RunData) -> Panel:
    """Accusations: what the table believed, and what was true."""
    verdicts = analysis.verdicts_by_belief(data.trials)
    return Panel(
        "accusations",
        "Accusations",
        "Each bar counts trials by what the judges, the others at the table, believed on average "
        "after they had heard the accuser. It takes more than half of them to hold the accused "
        "for a cheat rather than not. Which of the two figures a trial belongs in, nobody there "
        "could know. Who is caught in the act stands no trial.",
        _trials_finding(data.trials),
        plot_trials(verdicts) if len(verdicts) else None,
        [
            "When",
            "Accused",
            "In truth",
            "Accuser",
            "Accuser's belief",
            "Judges' belief",
            "Votes",
            "Verdict",
            "Sentence",
        ],
        [_trial_row(row, data.names) for row in data.trials.head(MOST_ROWS).to_dict("records")],
        n_rows=len(data.trials),
    )


def _trials_finding(trials: pd.DataFrame) -> str:
    voted = trials[trials["verdict"] != "caught"]
    n_caught = len(trials) - len(voted)
    caught = (
        f"{times(n_caught, 'person was', 'people were')} caught in the act." if n_caught else ""
    )
    if voted.empty:
        return f"Nobody was accused; {caught}" if caught else "Nobody was accused."
    parts = [
        _share_guilty(voted[voted["is_cheat"]], "of those who had cheated"),
        _share_guilty(voted[~voted["is_cheat"]], "of those who had not"),
    ]
    found = " and ".join(filter(None, parts))
    return f"{times(len(voted), 'accusation')}. The tables found guilty {found}. {caught}".strip()


def _share_guilty(accused: pd.DataFrame, whom: str) -> str:
    if accused.empty:
        return ""
    guilty = int((accused["verdict"] == "convicted").sum())
    return f"{guilty:,} of {len(accused):,} {whom} ({percent(guilty / len(accused))})"


def _trial_row(row: dict[Any, Any], names: dict[int, str]) -> list[Any]:
    is_caught = row["verdict"] == "caught"
    sentence = str(row["sentence"] or "none").replace("_", " ")
    return [
        f"Night {row['night']}, round {row['round']}",
        names.get(row["accused_id"], "?"),
        "a cheat" if row["is_cheat"] else "no cheat",
        "–" if is_caught else names.get(row["accuser_id"], "?"),
        "–" if is_caught else _belief(row["accuser_belief"]),
        _belief(row["judges_belief"]),
        "–" if is_caught else f"{row['n_guilty']} of {row['n_judges']}",
        "caught in the act" if is_caught else str(row["verdict"]),
        f"{sentence}; ran" if row["ran"] else sentence,
    ]


def _belief(value: Any) -> str:
    return "–" if pd.isna(value) else percent(float(value))


def known(data: RunData) -> Panel:
    """Suspicions right and wrong, night by night, and all scores."""
    nights = by_night(data.nights)
    return Panel(
        "scores",
        "Suspicion right and wrong",
        "Of all who remember anything of a cheat, how many suspect that person (belief above one "
        "half); of all who remember anything of an honest person, how many suspect that one; and "
        "how many suspicions are right. A cheat is whoever is of the cheating kind and has tried.",
        _known_finding(data),
        plot_known(nights) if nights["pairs"].sum() else None,
        ["Score", "Value", "What it says"],
        [[each.title, _score(name, data), each.text] for name, each in MEANINGS.items()],
        is_open=True,
    )


def _known_finding(data: RunData) -> str:
    found = data.scores
    parts = []
    if found["ppv"] is not None:
        parts.append(f"At the end {percent(float(found['ppv']))} of suspicions are right.")
    if found["tpr"] is not None and found["fpr"] is not None:
        parts.append(
            f"Of those who remember a cheat, {percent(float(found['tpr']))} suspect that person; "
            f"of those who remember an honest person, {_small(float(found['fpr']))}."
        )
    parts.append(_found_out(data))
    return " ".join(parts)


def _found_out(data: RunData) -> str:
    tried, known = int(data.scores["cheats_tried"] or 0), int(data.scores["cheats_suspected"] or 0)
    if not tried:
        return "Nobody of the cheating kind has tried a trick."
    text = f"Of {times(tried, 'cheat')}, {known:,} {'has' if known == 1 else 'have'} been suspected"
    nights = data.scores["nights_to_suspicion"]
    return f"{text}, {nights:.1f} nights after the first try on average." if nights else f"{text}."


def _score(name: str, data: RunData) -> str:
    value = data.scores[name]
    if value is None:
        return "–"
    if MEANINGS[name].is_share:
        return _small(float(value))
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def _small(share: float) -> str:
    """A share in per cent, with a decimal where it is small."""
    if 0 < share < 0.1:
        return f"{share:.1%}".replace("%", "\N{NO-BREAK SPACE}%")
    return percent(share)


def accuracy(data: RunData) -> Panel:
    """ROC curve and calibration."""
    return Panel(
        "accuracy",
        "Beliefs and the truth",
        "The first figure suspects everybody above some line: the lower the line, the more cheats "
        "are found, and the more honest people are suspected with them. The higher the curve, the "
        "better beliefs tell one from the other. The second sorts beliefs by strength: on the "
        "dotted line, of all beliefs at 30 % three in ten are about a cheat." + _sampled(data),
        _accuracy_finding(data),
        plot_accuracy(data.pairs, data.patrons),
        ["Beliefs", "Number", "Mean belief", "Share about a cheat"],
        _bins(data.pairs),
    )


def _sampled(data: RunData) -> str:
    """Whose beliefs these are, where it is not everybody's."""
    n = data.one_in("observer")
    return "" if n == 1 else f" Of a town this big it is the beliefs of one person in {n}."


def _bins(pairs: pd.DataFrame) -> list[list[Any]]:
    return [
        [
            f"{percent(row['low'])} to {percent(row['high'])}",
            f"{row['pairs']:,}",
            f"{row['believed']:.3f}",
            f"{row['share']:.3f}",
        ]
        for row in reliability(pairs["belief"], pairs["is_cheat"]).to_dict("records")
    ]


def _accuracy_finding(data: RunData) -> str:
    pairs = data.pairs
    believed, true = float(pairs["belief"].mean()), float(pairs["is_cheat"].mean())
    lean = "about as much as is true"
    if abs(believed - true) > CALIBRATED:
        lean = "more than is true" if believed > true else "less than is true"
    text = (
        f"People believe {_small(believed)} on average, and {_small(true)} of the {len(pairs):,} "
        f"pairs are about a cheat: {lean}."
    )
    return f"{text} {_strong_beliefs(pairs)}".strip()


def _strong_beliefs(pairs: pd.DataFrame) -> str:
    """What the slope of calibration says; nothing where there is none."""
    slope = calibration_line(pairs["log_odds"], pairs["is_cheat"]).slope
    if math.isnan(slope):
        return ""
    text = "Strong beliefs are as often right as they claim"
    if abs(slope - 1) > STRAIGHT:
        kind, how = ("timid", "more") if slope > 1 else ("rash", "less")
        text = f"They are {kind}: strong beliefs are right {how} often than they claim"
    return f"{text} (slope {slope:.2f})."
