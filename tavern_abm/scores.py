"""How a town's beliefs and its justice did against the truth, from the tables of a run.

Everything here is computed from what is recorded: who believed what on the last
night, who has cheated, what came of it. A *pair* is an observer who lives here
and somebody who lives here of whom he remembers anything.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from .accuracy import auc_by, brier, calibration_error, calibration_line, confusion
from .analysis import latest
from .measures import auc, restricted_mean

HORIZON = 30
"""Nights within which the wait for a first just suspicion is compared."""


class Meaning(NamedTuple):
    """What a score is called, and what it says."""

    title: str
    text: str
    is_share: bool


MEANINGS = {
    "tpr": Meaning(
        "Cheats suspected (TPR)", "of the pairs about a cheat, those with a suspicion", True
    ),
    "fpr": Meaning(
        "Honest people suspected (FPR)",
        "of the pairs about an honest person, those with a suspicion",
        True,
    ),
    "ppv": Meaning("Suspicions that are right (PPV)", "of all suspicions, those of a cheat", True),
    "auc_observer": Meaning(
        "Ranking by one observer (AUC)",
        "how often one observer believes more of a cheat than of an honest person he knows; "
        "mean over observers, 50 % would be guessing",
        True,
    ),
    "auc_pairs": Meaning(
        "Ranking by all beliefs (AUC)",
        "how often a belief about a cheat, whoever holds it, is stronger than one about an "
        "honest person",
        True,
    ),
    "brier": Meaning(
        "Brier score", "mean squared distance of a belief from the truth; 0 is knowing", False
    ),
    "ece": Meaning(
        "Calibration error (ECE)",
        "by how much beliefs of a given strength miss the share of them that is right, on average",
        False,
    ),
    "calibration_intercept": Meaning(
        "Calibration intercept", "0 is right; below 0, people believe too much", False
    ),
    "calibration_slope": Meaning(
        "Calibration slope", "1 is right; above 1 beliefs are too timid, below 1 too rash", False
    ),
    "cheats_tried": Meaning("Cheats", "people of the kind who have ever tried a trick", False),
    "cheats_suspected": Meaning(
        "Cheats found out", "of them, those whom somebody has suspected at some time", False
    ),
    "nights_to_suspicion": Meaning(
        "Nights until then", "from the first try to the first suspicion, of those found out", False
    ),
    "nights_to_suspicion_30": Meaning(
        f"Nights until then, of the first {HORIZON}",
        "the same with those who are not found out, who wait on (Kaplan-Meier)",
        False,
    ),
    "unjust_beatings": Meaning(
        "Unjust beatings", "of people who had not cheated, by sentence or for their luck", False
    ),
    "cheating_per_100": Meaning(
        "Cheats earn",
        "stakes won for every 100 staked as the Hand by those of the cheating kind",
        False,
    ),
    "honest_per_100": Meaning("Honest people earn", "the same for all others", False),
    "cheats_win": Meaning(
        "Cheats win as the Hand", "of all rounds they threw, with a trick and without", True
    ),
    "honest_win": Meaning("Honest people win as the Hand", "of all rounds they threw", True),
}
"""Every score, in the order in which it is told."""

type Scores = dict[str, float | int | None]


def scores(
    nights: pd.DataFrame, patrons: pd.DataFrame, suspicion: pd.DataFrame, events: pd.DataFrame
) -> Scores:
    """Score a run against the truth.

    Parameters
    ----------
    nights : DataFrame
        ``night``, ``beaten_unjust`` and ``cheats_*`` and ``honest_*`` (stakes
        and net gains of Hands, in cp), a row a night and tavern.
    patrons : DataFrame
        ``patron_id``, ``is_cheat``, ``whereabouts``, ``gone_night``, ``hands``,
        ``hand_wins``, ``first_try_night`` and ``suspected_night`` (null where it never came).
    suspicion : DataFrame
        ``night``, ``observer_id``, ``subject_id``, ``log_odds``, ``belief``;
        the last night of it is scored.
    events : DataFrame
        ``kind`` and ``is_just``.

    Returns
    -------
    dict
        The keys of `MEANINGS`: numbers rounded to nine digits, None where a
        score is not defined (no pairs, no cheats, nobody honest, a run too short).
    """
    pairs = scored_pairs(suspicion, patrons)
    found: dict[str, float] = {
        **belief_scores(pairs),
        **waiting_scores(patrons, int(nights["night"].max()) if len(nights) else 0),
        "unjust_beatings": unjust_beatings(nights, events),
        **earnings(nights),
        **hands_won(patrons),
    }
    return {name: _plain(found[name]) for name in MEANINGS}


def scored_pairs(suspicion: pd.DataFrame, patrons: pd.DataFrame) -> pd.DataFrame:
    """The beliefs of the last recorded night among those who live here, with the truth.

    Returns
    -------
    DataFrame
        ``observer_id``, ``subject_id``, ``log_odds``, ``belief``, ``is_cheat``.
    """
    last = latest(suspicion)
    observers, subjects = last["observer_id"].to_numpy(), last["subject_id"].to_numpy()
    ids = patrons["patron_id"].to_numpy()
    # Looked up by id, not joined: a city holds some three million beliefs.
    is_here, is_cheat = np.zeros((2, 1 + max((0, *map(_most, (ids, observers, subjects))))), bool)
    is_here[ids] = patrons["whereabouts"] == "here"
    is_cheat[ids] = patrons["is_cheat"]
    scored = is_here[observers] & is_here[subjects]
    pairs: pd.DataFrame = last.loc[scored, ["observer_id", "subject_id", "log_odds", "belief"]]
    return pairs.assign(is_cheat=is_cheat[subjects[scored]]).reset_index(drop=True)


def _most(ids: np.ndarray) -> int:
    return int(ids.max()) if len(ids) else 0


def belief_scores(pairs: pd.DataFrame) -> dict[str, float]:
    """How well the beliefs of `scored_pairs` tell cheats, and what they stand for."""
    belief, is_cheat = pairs["belief"], pairs["is_cheat"]
    table = confusion(belief, is_cheat)
    line = calibration_line(pairs["log_odds"], is_cheat)
    areas = auc_by(pairs["observer_id"], belief, is_cheat)
    return {
        "tpr": table.tpr,
        "fpr": table.fpr,
        "ppv": table.ppv,
        "auc_observer": float(areas.mean()) if len(areas) else math.nan,
        "auc_pairs": auc(belief, is_cheat),
        "brier": brier(belief, is_cheat),
        "ece": calibration_error(belief, is_cheat),
        "calibration_intercept": line.intercept,
        "calibration_slope": line.slope,
    }


def waiting_scores(patrons: pd.DataFrame, n_nights: int) -> dict[str, float]:
    """How long cheats go undetected: from the first try to the first suspicion.

    Whoever is not suspected waits until he goes or the run ends, and is not
    left out of the mean of the first `HORIZON` nights.
    """
    cheats = patrons[patrons["is_cheat"]]
    tried = _nights(cheats["first_try_night"])
    suspected = _nights(cheats["suspected_night"])
    is_known = ~np.isnan(suspected)
    end = np.where(cheats["whereabouts"] == "here", n_nights, _nights(cheats["gone_night"]))
    waits = np.where(is_known, suspected, end) - tried
    return {
        "cheats_tried": len(cheats),
        "cheats_suspected": int(is_known.sum()),
        "nights_to_suspicion": float(waits[is_known].mean()) if is_known.any() else math.nan,
        "nights_to_suspicion_30": restricted_mean(waits, is_known, HORIZON),
    }


def _nights(column: pd.Series) -> np.ndarray:
    """Nights as floats; nan where there is none."""
    return column.astype("Float64").to_numpy(dtype=np.float64, na_value=math.nan)


def unjust_beatings(nights: pd.DataFrame, events: pd.DataFrame) -> int:
    """Beatings of people who had not cheated, by sentence or for mere luck."""
    lucky = events.loc[events["kind"] == "too_lucky", "is_just"].astype("boolean")
    return int(nights["beaten_unjust"].sum()) + int((~lucky.fillna(False)).sum())


def hands_won(patrons: pd.DataFrame) -> dict[str, float]:
    """The share of the rounds they threw that cheats won, and honest people."""
    sums = patrons.groupby("is_cheat")[["hands", "hand_wins"]].sum()
    shares = (sums["hand_wins"] / sums["hands"]).to_dict()
    return {"cheats_win": shares.get(True, math.nan), "honest_win": shares.get(False, math.nan)}


def earnings(nights: pd.DataFrame) -> dict[str, float]:
    """What Hands won for every 100 coins they staked: those of the cheating kind, and others.

    By kind, tricks or none: a trick is tried only at a throw without doubles, so
    that rounds with one began worse than others.
    """
    return {
        f"{name}_per_100": _per_100(nights, prefix)
        for name, prefix in (("cheating", "cheats"), ("honest", "honest"))
    }


def _per_100(nights: pd.DataFrame, prefix: str) -> float:
    staked = int(nights[f"{prefix}_staked_cp"].sum())
    return 100 * int(nights[f"{prefix}_net_cp"].sum()) / staked if staked else math.nan


def _plain(score: float) -> float | int | None:
    """As it goes into a file: the last bits may differ from machine to machine."""
    if isinstance(score, int):
        return score
    return None if math.isnan(score) else float(f"{score:.9g}")


def by_night(nights: pd.DataFrame) -> pd.DataFrame:
    """TPR, FPR and PPV of the suspicions of each night, over all taverns.

    Parameters
    ----------
    nights : DataFrame
        ``night``, ``suspected_right``, ``suspected_wrong``, ``missed``,
        ``unsuspected``: pairs, a row a night and tavern.

    Returns
    -------
    DataFrame
        A row a night, in order: ``night``, ``tpr``, ``fpr``, ``ppv`` (nan where
        undefined) and ``pairs``.
    """
    counted = ["suspected_right", "suspected_wrong", "missed", "unsuspected"]
    sums = nights.groupby("night")[counted].sum().astype(float)
    right, wrong, missed, unsuspected = (sums[name] for name in counted)
    table = pd.DataFrame(
        {
            "tpr": right / (right + missed),
            "fpr": wrong / (wrong + unsuspected),
            "ppv": right / (right + wrong),
            "pairs": sums.sum(axis=1).astype(int),
        }
    )
    return table.reset_index()
