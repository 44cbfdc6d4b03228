"""How one run of a what-if is played: the town as it is, or with one thing changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ...chance import hash63
from ..measuring.configuration import RunConfiguration
from ..outputs import Output
from ..runs import Run
from .absences import Absence, leave_out

if TYPE_CHECKING:
    from ...continuing.interventions import Entry
    from ...model import TavernModel

__all__ = ["OF_PATRON", "PATH", "Counterfactual", "purse_of", "row_of_purse"]

PATH = "is_changed"
"""What a design point sets: whether the change is made."""
OF_PATRON = (
    *("patron.purse_cp", "patron.games_net_cp", "patron.is_here", "patron.is_dead"),
    *("patron.tries", "patron.accused", "patron.convicted", "patron.beaten"),
    "patron.suspected_by",
)
"""Outcomes of one person."""
_PURSE = "purse_cp.of."


@dataclass(frozen=True)
class Counterfactual:
    """A scenario for so many nights, as it is or changed.

    Parameters
    ----------
    played : RunConfiguration
        The scenario as it is, the nights, and what is wanted of them.
    changes : mapping
        Fields of the scenario by dotted path, set in the changed runs.
    without : tuple of Absence
        Who and what is left out in the changed runs.
    put_in : tuple of Entry
        Interventions of both.
    town : int, optional
        The people are those of this seed in every run, and only what falls by chance in
        their nights differs from replication to replication; replication 0 is the very run
        of that seed. If it is not given, every replication is of a seed, and a town, of
        its own.
    patron : str, optional
        Somebody of whom `OF_PATRON` are wanted.
    n_purses : int, default 0
        Of so many people, in the order of their ids, the purse at the end is wanted.
    """

    played: RunConfiguration
    changes: Mapping[str, Any] = field(default_factory=dict)
    without: tuple[Absence, ...] = ()
    put_in: tuple[Entry, ...] = ()
    town: int | None = None
    patron: str | None = None
    n_purses: int = 0

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outcomes: those of the town, of one person, and purses."""
        of_patron = OF_PATRON if self.patron is not None else ()
        return (*self.played.outputs, *of_patron, *map(purse_of, range(self.n_purses)))

    @property
    def series(self) -> tuple[str, ...]:
        """Names of the nightly columns."""
        return self.played.series

    def __call__(self, run: Run) -> Output:
        """Play one run."""
        model = self.instantiate_model(run)
        self.played.run_model(model)
        output = self.played.extract_output(model)
        return output._replace(outcomes={**output.outcomes, **self._of_people(model)})

    def instantiate_model(self, run: Run) -> TavernModel:
        """The model of a run before its first night, with the change made if it is."""
        from ...continuing import put_in

        is_changed = bool(run.settings[PATH])
        seed = run.seed if self.town is None else self.town
        settings = self.changes if is_changed else {}
        model = self.played.instantiate_model(run._replace(seed=seed, settings=settings))
        if self.town is not None and run.replication_id > 0:
            model.dice_key = hash63(model.run_key, run.replication_id)
        if self.put_in:
            put_in(model, self.put_in, self.played.until)
        if is_changed:
            leave_out(model, self.without)
        return model

    def _of_people(self, model: TavernModel) -> dict[str, float]:
        purses = _purses(model, self.n_purses)
        found = {purse_of(row): float(purse) for row, purse in enumerate(purses)}
        return found if self.patron is None else {**_of_patron(model, self.patron), **found}

    def document(self) -> dict[str, Any]:
        """What tells this configuration from others, as plain data for JSON."""
        from ...continuing.interventions import written

        return {
            "kind": "scenario",
            "class": f"{type(self).__module__}:{type(self).__qualname__}",
            "played": self.played.document(),
            "changes": dict(self.changes),
            "without": [list(each) for each in self.without],
            "put_in": written(self.put_in),
            "town": self.town,
            "patron": self.patron,
            "n_purses": self.n_purses,
            **{name: list(getattr(self, name)) for name in ("outputs", "series")},
            **{name: getattr(self.played, name) for name in ("until", "warm_up", "digest_of")},
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The configuration that a document tells of."""
        from ...continuing.interventions import interventions_of

        put_in = interventions_of(document["put_in"].encode(), Path("put_in"))
        return cls(
            played=RunConfiguration.from_document(document["played"]),
            changes=document["changes"],
            without=tuple(Absence(*each) for each in document["without"]),
            put_in=tuple(put_in),
            town=document["town"],
            patron=document["patron"],
            n_purses=document["n_purses"],
        )


def purse_of(row: int) -> str:
    """The outcome of a person's purse at the end.

    Examples
    --------
    >>> purse_of(16), row_of_purse("purse_cp.of.17"), row_of_purse("gini")
    ('purse_cp.of.17', 16, None)
    """
    return f"{_PURSE}{row + 1}"


def row_of_purse(name: str) -> int | None:
    """The row of the person whose purse it is; None if the outcome is another one."""
    return int(name.removeprefix(_PURSE)) - 1 if name.startswith(_PURSE) else None


def _purses(model: TavernModel, n: int) -> Any:
    """What people hold at the end, in cp; NaN for those who have left or died."""
    from ...patrons.columns import HERE

    rows = np.asarray(model.people)[:n]
    return np.where(rows["whereabouts"] == HERE, rows["gold"].astype(float), np.nan)


def _of_patron(model: TavernModel, name: str) -> dict[str, float]:
    """What became of one person; NaN for the purse of one who has left or died."""
    from ...measures import SUSPECTS
    from ...patrons.columns import DEAD, HERE

    row = next(row for row in range(model.n_rows) if model.name_of(row) == name)
    who = np.asarray(model.people)[row]
    edges = model.suspicion.columns
    of_him = (edges["subject_id"] == row + 1) & (edges["belief"] > SUSPECTS)
    is_here = who["whereabouts"] == HERE
    values = (
        float(who["gold"]) if is_here else np.nan,
        who["games_net"],
        is_here,
        who["whereabouts"] == DEAD,
        who["tries"],
        who["accused"],
        who["convicted"],
        who["beaten"],
        of_him.sum(),
    )
    return {name: float(value) for name, value in zip(OF_PATRON, values, strict=True)}
