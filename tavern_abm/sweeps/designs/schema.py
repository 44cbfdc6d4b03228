"""What a design file may say: every key with its default, its range and its reason.

The JSON Schema, the reference page and the checks of the reader all come from these classes.
"""

from __future__ import annotations

from math import isfinite
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    model_validator,
)

from ...scenario.fields import AUTO_TAG, NUMBER_TAG, Auto, no_path, readable
from ...scenario.problems import shown
from ..runs import REPLICATIONS
from .settings_words import plain_path

MOST_NIGHTS = 1_000_000
MOST_SEED = 2**63 - 1


def _number(value: Any) -> Any:
    """Keep whole numbers whole; make one message of what is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"must be a number (got {shown(value)})")
    return value


def _number_or_auto(value: Any) -> str:
    return AUTO_TAG if isinstance(value, str) else NUMBER_TAG


def _a_path(path: str) -> str:
    if not all(part.strip() for part in path.split(".")):
        raise ValueError("must be a dotted path, such as population.share_of_cheats")
    return plain_path(path)


Number = Annotated[Any, BeforeValidator(_number), WithJsonSchema({"type": "number"})]
DottedPath = Annotated[str, AfterValidator(_a_path)]
Name = Annotated[
    str, Field(min_length=1, max_length=60), AfterValidator(no_path), AfterValidator(readable)
]
Replicates = Annotated[
    Annotated[int, Field(ge=1, le=REPLICATIONS), Tag(NUMBER_TAG)] | Auto,
    Discriminator(_number_or_auto),
]


class Words(BaseModel):
    """A part of a design file: unknown keys are errors, and types are strict."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, allow_inf_nan=False, populate_by_name=True
    )


class RangeWords(Words):
    """Levels from one number to another, both included."""

    first: Annotated[Number, Field(alias="from", description="the first level")]
    to: Annotated[Number, Field(description="the last one, if a step falls on it")]
    step: Annotated[
        Number | None, Field(description="from one level to the next; below 0 to go down")
    ] = None
    levels: Annotated[
        int | None, Field(ge=2, le=1_000_000, description="in place of step: how many, evenly")
    ] = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.step is None) == (self.levels is None):
            raise ValueError("needs either step or levels")
        return self


class FactorWords(Words):
    """What varies: a field of the scenario, or several that vary together."""

    path: Annotated[
        DottedPath | None,
        Field(description="of the field, as `--set` names it: taverns.0.rake_bp"),
    ] = None
    paths: Annotated[
        list[DottedPath] | None,
        Field(min_length=1, description="in place of path: fields that vary together"),
    ] = None
    label: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=60,
            description="what tables and figures call it; left out: the first path",
        ),
    ] = None
    values: Annotated[
        list[Any] | None,
        Field(
            min_length=1,
            description="its levels; with paths each may be a list of a value a path",
        ),
    ] = None
    range: Annotated[RangeWords | None, Field(description="its levels, by a rule")] = None
    between: Annotated[
        list[Number] | None,
        Field(
            min_length=2,
            max_length=2,
            description="lowest and highest value, for [sampling] to draw from",
        ),
    ] = None
    whole: Annotated[bool, Field(description="between: whole numbers only, both ends included")] = (
        False
    )
    log: Annotated[
        bool, Field(description="between: evenly on a logarithmic scale, for bounds above 0")
    ] = False

    @model_validator(mode="after")
    def _said_once(self) -> Self:
        if (self.path is None) == (self.paths is None):
            raise ValueError("needs either path or paths")
        said = [key for key in ("values", "range", "between") if getattr(self, key) is not None]
        if len(said) > 1:
            raise ValueError(f"{said[1]}: {said[0]} says already how it varies; leave one out")
        return self

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Self:
        for key in ("whole", "log"):
            if getattr(self, key) and self.between is None:
                raise ValueError(f"{key}: is said of between = [low, high]")
        if self.between is not None:
            self._verify_bounds(*self.between)
        return self

    def _verify_bounds(self, low: float, high: float) -> None:
        given = f"(got {low} and {high})"
        if low >= high:
            raise ValueError(f"between: the lower bound comes first {given}")
        if self.whole and (low != int(low) or high != int(high)):
            raise ValueError(f"between: bounds of whole numbers must be whole numbers {given}")
        if self.log and low <= 0:
            raise ValueError(f"between: bounds of a logarithmic scale must be above 0 {given}")
        if self.log and self.whole:
            raise ValueError("log: does not go with whole; leave one out")

    @property
    def all_paths(self) -> tuple[str, ...]:
        """Its paths, one or more."""
        return tuple(self.paths or [self.path or ""])


class SamplingWords(Words):
    """How points are drawn from the space of the factors, instead of all combinations."""

    method: Annotated[
        Literal["grid", "latin-hypercube", "sobol", "random", "saltelli", "morris", "table"],
        Field(description="grid: every combination; table: the rows of a file"),
    ] = "grid"
    points: Annotated[
        int | None,
        Field(
            ge=1,
            description="how many; of saltelli the base sample N, which makes N (2 k + 2) points "
            "of k factors; sobol and saltelli: a power of two",
        ),
    ] = None
    trajectories: Annotated[
        int | None, Field(ge=2, description="of morris: r, which makes r (k + 1) points")
    ] = None
    levels: Annotated[
        int, Field(ge=2, le=1000, description="of morris: levels of its grid, an even number")
    ] = 4
    second_order: Annotated[
        bool,
        Field(description="of saltelli: pairs of factors too; without them N (k + 2) points"),
    ] = True
    scramble: Annotated[
        bool,
        Field(
            description="latin-hypercube: anywhere in the cells, not in the middle; sobol and "
            "saltelli: a scrambled sequence"
        ),
    ] = True
    seed: Annotated[
        int | None,
        Field(ge=0, le=MOST_SEED, description="of the draw; left out: from the master seed"),
    ] = None
    file: Annotated[
        str | None,
        Field(
            min_length=1,
            description="of table: .csv or .parquet with a column a path and a row a point, as "
            "seen from the design",
        ),
    ] = None


class AutoWords(Words):
    """Replicates until an interval is as narrow as asked; for replicates = "auto"."""

    output: Annotated[str, Field(description="whose mean is watched: one of outputs")]
    half_width: Annotated[
        float | None,
        Field(gt=0, description="half of the interval that is narrow enough, in its units"),
    ] = None
    relative: Annotated[
        float | None,
        Field(gt=0, le=1, description="the same as a share of the mean; of both the wider counts"),
    ] = None
    confidence: Annotated[float, Field(gt=0, lt=1, description="of the interval")] = 0.95
    at_least: Annotated[
        int,
        Field(
            ge=2,
            le=REPLICATIONS,
            description="replicates with a value, not all the same, that each point needs",
        ),
    ] = 10
    at_most: Annotated[
        int, Field(ge=2, le=REPLICATIONS, description="where it stops in any case")
    ] = 200
    step: Annotated[
        int, Field(ge=1, le=REPLICATIONS, description="so many are added to a point at a time")
    ] = 10

    @model_validator(mode="after")
    def _can_end(self) -> Self:
        if self.half_width is None and self.relative is None:
            raise ValueError("needs half_width or relative: how narrow is narrow enough?")
        if self.at_least > self.at_most:
            text = f"at_least: must not be above at_most (got {self.at_least} and {self.at_most})"
            raise ValueError(text)
        return self


class DesignWords(Words):
    """A design: what is played, what varies, how often, and what is wanted of it."""

    name: Annotated[
        Name | None, Field(description="of the sweep and its folder; left out: the file's name")
    ] = None
    about: Annotated[str, Field(description="what it asks, in a line or two")] = ""
    scenario: Annotated[
        str,
        Field(
            min_length=1,
            description="name of a built-in scenario, or a file as seen from the design",
        ),
    ] = "rusty-flagon"
    nights: Annotated[int, Field(ge=1, le=MOST_NIGHTS, description="of each run")] = 30
    warm_up: Annotated[
        int,
        Field(ge=0, lt=MOST_NIGHTS, description="first nights that outcomes and series leave out"),
    ] = 0
    replicates: Annotated[
        Replicates,
        Field(description="runs of each point; auto: until an interval is narrow, see [auto]"),
    ] = 10
    seed: Annotated[
        int, Field(ge=0, le=MOST_SEED, description="the master seed; another one, other luck")
    ] = 1
    luck: Annotated[
        Literal["shared", "own"],
        Field(
            description="shared: a replicate has the same luck in every point, so that points "
            "compare in pairs; own: each point its own"
        ),
    ] = "shared"
    outputs: Annotated[
        list[str],
        Field(description="numbers wanted of each run, see outcomes.md; left out: common ones"),
    ] = []
    series: Annotated[
        list[str], Field(description="nightly columns wanted of each run, see outcomes.md")
    ] = []
    digest: Annotated[
        Literal["state", "results"],
        Field(
            description="of what a run's digest is made: how the town stands at the end, or every "
            "result table, as `tavern run` prints it (slower)"
        ),
    ] = "state"
    set: Annotated[
        dict[str, Any],
        Field(description="fields of the scenario that are the same in all points, by dotted path"),
    ] = {}
    auto: Annotated[AutoWords | None, Field(description="when there are enough replicates")] = None
    sampling: Annotated[
        SamplingWords, Field(description="how points are drawn; left out: every mix of levels")
    ] = SamplingWords()
    factors: Annotated[list[FactorWords], Field(description="what varies")] = []
    points: Annotated[
        list[dict[str, Any]],
        Field(
            description="in place of factors: the points one by one, each what it sets by dotted "
            "path; a field that one leaves out stays as the scenario has it"
        ),
    ] = []

    @model_validator(mode="after")
    def _warm_up_ends(self) -> Self:
        if self.warm_up >= self.nights:
            text = f"warm_up: must leave nights to look at (got {self.warm_up} of {self.nights})"
            raise ValueError(text)
        return self
