"""How a run is played: a scenario for so many nights.

Names are those of Mesa 4's ``RunConfiguration``: `RunConfiguration.instantiate_model`,
`RunConfiguration.run_model` and `RunConfiguration.extract_output`, each of which a class
of one's own may replace.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, Self, cast

import numpy as np

from ..errors import SweepError
from ..outputs import Configuration, Output, verify_finite
from ..runs import Run
from .function_configuration import FunctionConfiguration
from .naming import canonical, imported, name_of
from .own_outputs import OwnOutput, read_own

if TYPE_CHECKING:
    from ...model import TavernModel
    from ...scenario import Scenario

__all__ = [
    "FunctionConfiguration",
    "RunConfiguration",
    "canonical",
    "configuration_from",
]

type DigestOf = Literal["state", "results"]

KEPT = 256
"""Scenarios of design points that a process keeps: making one takes up to some milliseconds."""


class _Recent:
    """The scenarios that were asked for last; threads may share it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Scenario] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[str, str]) -> Scenario | None:
        with self._lock:
            return self._kept.get(key)

    def put(self, key: tuple[str, str], scenario: Scenario) -> None:
        with self._lock:
            self._kept[key] = scenario
            self._kept.move_to_end(key)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)


_RECENT = _Recent()


@dataclass(frozen=True)
class RunConfiguration:
    """A scenario, played for so many nights.

    Parameters
    ----------
    scenario : Scenario, str or path
        What is played; the points of a design change it. A name or a file is loaded.
    until : int
        The last night, at least 1.
    warm_up : int, default 0
        Nights at the beginning that are left out of outcomes and series.
    outputs : sequence of str, optional
        Outcomes wanted, in the order of the tables: see `quantities`, or ``"file.py:function"``
        for one's own, whose column is called as the function. Without any, `DEFAULT_OUTPUTS`
        of `quantities`.
    series : sequence of str, optional
        Nightly columns wanted.
    digest_of : "state" or "results", default "state"
        What the digest of a run is made of: how the town stands at the end and what its
        nights came to, or every result table, as ``tavern run`` prints it (slower).
    own : sequence of OwnOutput, optional
        Outputs of one's own that have been read already.

    Raises
    ------
    SweepError
        If a name is unknown or there twice, or numbers are out of range.

    Examples
    --------
    >>> configuration = RunConfiguration("plain-dice", until=2, outputs=["rounds", "gini"])
    >>> output = configuration(Run(0, 0, seed=1, settings={"patrons": 20}))
    >>> list(output.outcomes), len(output.digest)
    (['rounds', 'gini'], 64)
    """

    scenario: Scenario
    until: int
    warm_up: int = 0
    outputs: tuple[str, ...] = ()
    series: tuple[str, ...] = ()
    digest_of: DigestOf = "state"
    own: tuple[OwnOutput, ...] = ()

    def __post_init__(self) -> None:
        """Load what is only named, and see that all of it can be used."""
        from .quantities import DEFAULT_OUTPUTS, verify_outputs, verify_series

        _verify_nights(self.until, self.warm_up)
        if self.digest_of not in ("state", "results"):
            raise SweepError(f"digest must be 'state' or 'results' (got {self.digest_of!r})")
        outputs, own = read_own(self.outputs or DEFAULT_OUTPUTS, self.own)
        verify_outputs(outputs, own=[each.name for each in own])
        verify_series(tuple(self.series))
        scenario = _loaded(self.scenario)
        _verify_houses((*outputs, *self.series), own, scenario)
        given = {
            "scenario": scenario,
            "outputs": outputs,
            "series": tuple(self.series),
            "own": own,
        }
        for name, value in given.items():
            object.__setattr__(self, name, value)

    def __call__(self, run: Run) -> Output:
        """Play one run."""
        return self.play(run)[0]

    def play(self, run: Run) -> tuple[Output, TavernModel]:
        """Play one run: what it gives, and the model as it stands after its last night.

        Raises
        ------
        ValueError
            If an outcome is infinite.
        """
        model = self.instantiate_model(run)
        self.run_model(model)
        output = self.extract_output(model)
        verify_finite(output.outcomes)  # of a class of one's own, too
        return output, model

    def instantiate_model(self, run: Run) -> TavernModel:
        """The model of a run before its first night."""
        from ...model import TavernModel

        key = (self._key, canonical(run.settings))
        known = _RECENT.get(key)
        model = TavernModel(known or self.scenario_of(run.settings), rng=run.seed)
        # What is kept is resolved: a town is founded once, not in every replication.
        _RECENT.put(key, known or model.scenario)
        return model

    def run_model(self, model: TavernModel) -> None:
        """Play the nights."""
        model.run_for(self.until)

    def extract_output(self, model: TavernModel) -> Output:
        """Take what is wanted from a model that has been played."""
        from .collecting import Collected, state_digest

        # First of all: a function of the user's own may change the model.
        digest = state_digest(model) if self.digest_of == "state" else model.digest()
        collected = Collected(model, self.warm_up)
        mine = {each.name: each for each in self.own}
        series = {name: collected.series(name) for name in self.series}
        outcomes = {
            name: mine[name](model) if name in mine else collected.outcome(name)
            for name in self.outputs
        }
        verify_finite(outcomes)
        return Output(outcomes, series, collected.nights, digest, collected.source.n_nights)

    def scenario_of(self, settings: Mapping[str, Any]) -> Scenario:
        """The scenario of a design point.

        Raises
        ------
        ScenarioError
            If it refuses a setting.
        """
        return self.scenario.with_settings(settings) if settings else self.scenario

    def document(self) -> dict[str, Any]:
        """What tells this configuration from others, as plain data for JSON.

        ``scenario`` holds every field of it for readers, ``said`` those that were said:
        a town is filled up around these, so they are what it is made of again. Own tables are
        named as they are in the folder of a sweep: see `own_tables`.
        """
        from ...continuing.sameness import digest_of_files
        from .own_tables import digests_of, portable

        said = self.scenario.model_dump(mode="json", exclude_unset=True)
        return {
            "kind": "scenario",
            "class": name_of(type(self)),
            "scenario": portable(self.scenario.model_dump(mode="json", exclude_none=True)),
            "said": portable(said),
            "data_digest": digest_of_files(self.scenario.data),
            "files": digests_of(said),
            "until": self.until,
            "warm_up": self.warm_up,
            "outputs": list(self.outputs),
            "series": list(self.series),
            "digest_of": self.digest_of,
            "own": [each.document() for each in self.own],
            **self._further(),
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The configuration that a document tells of; own tables are seen from here.

        Raises
        ------
        SweepError
            If own tables are not there any more, or have been changed.
        """
        from .own_tables import placed, scenario_of

        document = placed(document, Path.cwd())
        more = document.get("further", {})
        return cls(
            scenario=scenario_of(document),
            until=document["until"],
            warm_up=document["warm_up"],
            outputs=tuple(document["outputs"]),
            series=tuple(document["series"]),
            digest_of=document["digest_of"],
            own=tuple(map(OwnOutput.from_document, document["own"])),
            **more,
        )

    def _further(self) -> dict[str, Any]:
        """Fields that a class of one's own has added."""
        known = {each.name for each in fields(RunConfiguration)}
        more = {each.name: getattr(self, each.name) for each in fields(self)}
        more = {name: value for name, value in more.items() if name not in known}
        return {"further": more} if more else {}

    @cached_property
    def _key(self) -> str:
        text = f"{self.scenario.model_dump_json(exclude_unset=True)}{type(self)}"
        return hashlib.sha256(text.encode()).hexdigest()


def configuration_from(document: Mapping[str, Any]) -> Configuration:
    """The configuration that a document tells of: see ``document()`` of each.

    Raises
    ------
    SweepError
        If it names a class or a function that cannot be imported, or is of a kind unknown
        to this version.

    Examples
    --------
    >>> one = RunConfiguration("plain-dice", until=3, outputs=["gini"])
    >>> import json
    >>> configuration_from(json.loads(json.dumps(one.document()))) == one
    True
    """
    kind = document.get("kind")
    if kind == "function":
        return FunctionConfiguration.from_document(document)
    if kind != "scenario":
        raise SweepError(f"a configuration of kind {kind!r} is unknown to this version")
    made_of = imported(document["class"], "class")
    return cast(Configuration, cast(Any, made_of).from_document(document))


def _verify_nights(until: Any, warm_up: Any) -> None:
    for name, value, least in (("nights", until, 1), ("warm_up", warm_up, 0)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise SweepError(f"{name} must be a whole number (got {value!r})")
        if value < least:
            raise SweepError(f"{name} must be at least {least} (got {value})")
    if warm_up >= until:
        text = f"warm_up must leave nights to look at (got {warm_up} of {until} nights)"
        raise SweepError(text)


def _verify_houses(names: Sequence[str], own: Sequence[OwnOutput], scenario: Scenario) -> None:
    """See that every house that is asked for by its sign is one of the scenario."""
    from .quantities import houses_in, verify_house

    mine = {each.name for each in own}
    asked = houses_in(name for name in names if name not in mine)
    if not asked:
        return
    from ...data_tables import load_tables
    from ...founding import resolved

    played = resolved(scenario, load_tables(scenario.data))
    for sign in asked:
        verify_house(sign, [tavern.name for tavern in played.taverns])


def _loaded(scenario: Any) -> Scenario:
    from ...scenario import load_scenario

    return load_scenario(scenario) if isinstance(scenario, str | Path) else scenario
