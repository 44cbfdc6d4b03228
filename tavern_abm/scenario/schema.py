"""What a scenario file may say: every field with its default, its range and its reason.

The JSON Schema, the reference page of parameters and the checks of the loader
all come from these classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, field_validator

from .fields import MOST_PATRONS, MOST_TAVERNS, Part, no_path, readable
from .houses import TableOfGames, Tavern, YardEvent
from .people import Minds, Person, Population
from .society import Bribes, Dice, Flight, Justice, Loans, Suspicion, Talk
from .towns import District, Economy, Fortunes, Town

__all__ = [
    "Bribes",
    "Dice",
    "District",
    "Economy",
    "Flight",
    "Fortunes",
    "Justice",
    "Loans",
    "Minds",
    "Person",
    "Population",
    "Scenario",
    "Suspicion",
    "TableOfGames",
    "Talk",
    "Tavern",
    "Town",
    "YardEvent",
]


class Scenario(Part):
    """A whole scenario: a town, its people, its taverns and how they think.

    Examples
    --------
    >>> Scenario(patrons=40).taverns[0].custom
    'decent'
    """

    name: Annotated[
        str,
        Field(min_length=1, max_length=60, description="left out: the file's name"),
        AfterValidator(no_path),
        AfterValidator(readable),
    ] = "scenario"
    description: Annotated[
        str, Field(description="what it shows; `tavern scenarios` prints the first line")
    ] = ""
    patrons: Annotated[
        int,
        Field(
            ge=1,
            le=MOST_PATRONS,
            description="places in the town, each filled at the start; of a [town], where left out:"
            " by its population",
        ),
    ] = 120
    rounds_per_night: Annotated[int, Field(ge=0, le=200, description="of ten minutes each")] = 24
    rounds_per_sitting: Annotated[
        int, Field(ge=1, le=200, description="rounds between two changes of seats")
    ] = 6
    data: Annotated[
        str | None, Field(description="a folder whose tables go before the shipped ones")
    ] = None
    population: Population = Population()
    town: Annotated[
        Town | None, Field(description="left out: the town is what the scenario says, no more")
    ] = None
    districts: Annotated[
        list[District], Field(max_length=1000, description="parts of town and who lives there")
    ] = []
    economy: Economy = Economy()
    fortunes: Fortunes = Fortunes()
    minds: Minds = Minds()
    suspicion: Suspicion = Suspicion()
    justice: Justice = Justice()
    flight: Flight = Flight()
    bribes: Bribes = Bribes()
    dice: Dice = Dice()
    loans: Loans = Loans()
    talk: Talk = Talk()
    taverns: Annotated[
        list[Tavern],
        Field(
            min_length=1,
            max_length=MOST_TAVERNS,
            description="of a [town]: those that are written out; more are founded beside them",
        ),
    ] = [Tavern()]
    people: Annotated[list[Person], Field(description="people pinned by name")] = []

    @field_validator("data")
    @classmethod
    def _folder_exists(cls, folder: str | None) -> str | None:
        if folder is not None and not Path(folder).is_dir():
            raise ValueError(f"no such folder (got '{folder}')")
        return folder

    @classmethod
    def load(
        cls, source: str | Path = "rusty-flagon", settings: Mapping[str, Any] | None = None
    ) -> Scenario:
        """Load a scenario by built-in name or by path; see `load_scenario`."""
        from .loading import load_scenario

        return load_scenario(source, settings)

    def with_settings(self, settings: Mapping[str, Any]) -> Scenario:
        """The same scenario with some fields set; this one stays as it is.

        Parameters
        ----------
        settings : mapping of str to object
            New values by dotted path, in order. Entries of lists go by number
            from 0; the number after the last adds one. A table given as a value
            replaces the whole table. Paths of files and folders are seen from
            the current folder, and kept absolute.

        Raises
        ------
        ScenarioError
            If a path or a value is not allowed.

        Examples
        --------
        >>> Scenario().with_settings({"taverns.0.rake_bp": 500, "patrons": 40}).patrons
        40
        """
        from .settings import with_settings

        return with_settings(self, settings)

    def to_toml(self) -> str:
        """Write every field out as TOML that loads as this same scenario.

        Of a town that is still to be filled up, what is left to that stays left out.
        """
        from .writing import to_toml

        unsaid = {"patrons", "taverns", "districts"} - self.model_fields_set
        left_out = unsaid if self.town is not None else set()
        return to_toml(self.model_dump(exclude_none=True, exclude=left_out))
