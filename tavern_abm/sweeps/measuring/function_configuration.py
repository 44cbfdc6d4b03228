"""Any model that is a function of its settings and a seed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self, cast

import numpy as np

from ..errors import SweepError
from ..outputs import Output, verify_finite
from ..runs import Run
from .naming import canonical, imported, name_of, source_digest_of
from .own_outputs import number_of

type ModelFunction = Callable[[dict[str, Any], int], Mapping[str, float]]


@dataclass(frozen=True)
class FunctionConfiguration:
    """Any model that is a function of its settings and a seed.

    Parameters
    ----------
    function : callable
        Of a module (other processes find it by its name): gets the settings of the run as
        a dict and the seed as a whole number, gives a number for each output.
    outputs : sequence of str
        Names of these numbers, in the order of the tables.
    fixed : mapping, optional
        Settings of all runs; those of a point go before them.

    Raises
    ------
    SweepError
        If there are no outputs, or one is there twice.

    Examples
    --------
    >>> def area(settings, seed):
    ...     return {"area": settings["a"] * settings["b"]}
    >>> configuration = FunctionConfiguration(area, ["area"], fixed={"b": 3})
    >>> configuration(Run(0, 0, seed=1, settings={"a": 2})).outcomes
    {'area': 6.0}
    """

    function: ModelFunction
    outputs: tuple[str, ...]
    fixed: Mapping[str, Any] = field(default_factory=dict)
    series: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """See that it can be used."""
        from .quantities import verify_names

        if not callable(self.function):
            raise SweepError(f"function must be a function (got {self.function!r})")
        object.__setattr__(self, "outputs", tuple(self.outputs))
        verify_names(self.outputs)
        if not self.outputs:
            raise SweepError("outputs: name at least one number that the function gives")
        if self.series:
            raise SweepError("series: a function gives none; only the nights of a scenario do")

    def __call__(self, run: Run) -> Output:
        """Call the function."""
        given = self.function({**self.fixed, **run.settings}, run.seed)
        outcomes = {name: self._number(given, name) for name in self.outputs}
        verify_finite(outcomes)
        text = canonical({name: repr(value) for name, value in outcomes.items()})
        digest = hashlib.sha256(text.encode()).hexdigest()
        return Output(outcomes, {}, np.zeros(0, np.int64), digest)

    def _number(self, given: Mapping[str, float], name: str) -> float:
        if not isinstance(given, Mapping):
            raise TypeError(f"{name_of(self.function)} must give a dict (it gave {given!r})")
        if name not in given:
            named = ", ".join(map(str, given)) or "nothing"
            raise LookupError(f"{name_of(self.function)} gives no {name!r} (it gives {named})")
        return number_of(given[name], f"{name!r} of {name_of(self.function)}")

    def document(self) -> dict[str, Any]:
        """What tells this configuration from others, as plain data for JSON."""
        return {
            "kind": "function",
            "function": name_of(self.function),
            "source_digest": source_digest_of(self.function),
            "fixed": dict(self.fixed),
            "outputs": list(self.outputs),
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The configuration that a document tells of; its function is imported by name.

        Raises
        ------
        SweepError
            If there is no such function any more, or its text has changed since.
        """
        name, digest = document["function"], document["source_digest"]
        function = imported(name, "function")
        if digest is not None and source_digest_of(function) != digest:
            raise SweepError(f"function {name} is not the one that was played: it was changed")
        return cls(cast(Any, function), tuple(document["outputs"]), document["fixed"])
