"""What if: the same town with the same luck and one thing changed, and what that does.

Every pair of runs has the same seed: the same people (but for the change), the same dice at
every table, as long as the same people sit at it. What differs within a pair is what the
change brought about; how it differs from pair to pair says how sure one may be of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..estimating.estimates import CONFIDENCE
from .counterfactual import row_of_purse
from .matching import Effect, effects, match
from .questions import REPLICATES, Question, ask, shares_among

if TYPE_CHECKING:
    import pandas as pd

    from ...scenario import Scenario
    from ..running.progress import Progress

__all__ = ["WhatIf", "answer", "estimate", "what_if"]


@dataclass(frozen=True)
class WhatIf:
    """What the change did.

    Attributes
    ----------
    question : Question
        What was asked.
    n : int
        Pairs of runs that were played to their end.
    effects : tuple of Effect
        On the town, in the order of the outputs.
    of_patron : tuple of Effect
        On the person who was asked after.
    of_purses : tuple of Effect
        On the purse of each who is there from the start, where the town is kept.
    failures : DataFrame
        Runs that failed, as the store of a sweep has them.
    """

    question: Question
    n: int
    effects: tuple[Effect, ...]
    of_patron: tuple[Effect, ...]
    of_purses: tuple[Effect, ...]
    failures: pd.DataFrame

    def __str__(self) -> str:
        """The page of text that ``tavern whatif`` prints."""
        from .what_if_text import text_of

        return text_of(self)

    def to_frame(self) -> pd.DataFrame:
        """A row a quantity, of the town and of people: see `what_if_tables.frame_of`."""
        from .what_if_tables import frame_of

        return frame_of(self)


def what_if(
    scenario: str | Path | Scenario = "rusty-flagon",
    *,
    without: Sequence[str] = (),
    changes: Mapping[str, Any] | None = None,
    nights: int | None = None,
    replicates: int = REPLICATES,
    seed: int | None = None,
    same_people: bool = False,
    patron: str | None = None,
    outputs: Sequence[str] = (),
    confidence: float = CONFIDENCE,
    executor: Executor | None = None,
    jobs: int = 1,
) -> WhatIf:
    """Change one thing in a town, keep its luck, and estimate what that does.

    Parameters
    ----------
    scenario : str, Path or Scenario, default "rusty-flagon"
        A built-in scenario, a file, or the folder of a run: then it is asked of that town.
    without : sequence of str
        Names of people, houses or games that are left out.
    changes : mapping, optional
        Fields of the scenario by dotted path.
    nights : int, optional
        Of each run; 30, or those of the run whose folder is given.
    replicates : int, default 50
        Pairs of runs.
    seed : int, optional
        The master seed; 1, or that of the run.
    same_people : bool, default False
        Keep the town of the seed, and throw other dice in it, instead of a town of its own
        for every pair. It is kept anyway where somebody is named whom the file does not.
    patron : str, optional
        Somebody whose fortunes are told, too.
    outputs : sequence of str, optional
        Quantities, as those of a sweep.
    confidence : float, default 0.95
        Of the intervals.
    executor, jobs
        Who plays, as in `sweep`.

    Raises
    ------
    SweepError
        If nothing is changed, or a name is unknown.

    Examples
    --------
    >>> found = what_if("plain-dice", changes={"minds.tau": 0.0}, nights=2, replicates=3)
    >>> found.n, {each.name: each.n_differ for each in found.effects}["living"]
    (3, 0)
    """
    question = ask(
        scenario,
        without=without,
        changes=changes,
        nights=nights,
        replicates=replicates,
        seed=seed,
        same_people=same_people,
        patron=patron,
        outputs=outputs,
    )
    return answer(question, confidence=confidence, executor=executor, jobs=jobs)


def answer(
    question: Question,
    *,
    confidence: float = CONFIDENCE,
    executor: Executor | None = None,
    jobs: int = 1,
    progress: bool | Progress = False,
) -> WhatIf:
    """Play all pairs of a question and estimate what the change does."""
    from ..api import sweep

    result = sweep(question.design(), executor=executor, jobs=jobs, progress=progress)
    return estimate(question, result.runs, result.outcomes, result.failures, confidence)


def estimate(
    question: Question,
    runs: pd.DataFrame,
    outcomes: pd.DataFrame,
    failures: pd.DataFrame,
    confidence: float = CONFIDENCE,
) -> WhatIf:
    """What the runs of a question say; see `match` for the tables."""
    pairs = match(runs, outcomes)
    names = question.played.outputs
    of_patron = [name for name in names if name.startswith("patron.")]
    of_purses = [name for name in names if row_of_purse(name) is not None]
    return WhatIf(
        question,
        pairs.n,
        tuple(effects(pairs, question.outputs, confidence, shares_among(question.outputs))),
        tuple(effects(pairs, of_patron, confidence)),
        tuple(effects(pairs, of_purses, confidence)),
        failures,
    )
