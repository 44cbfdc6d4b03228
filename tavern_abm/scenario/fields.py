"""What the fields of a scenario are made of: sums of money, shares, weights, names."""

from __future__ import annotations

from math import isfinite
from typing import Annotated, Any, Literal
from unicodedata import category

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
)

from .. import coins
from ..coins import MOST_CP
from .problems import shown

MOST_PATRONS = 1_000_000
MOST_TAVERNS = 10_000

NUMBER_TAG = "#number"
AUTO_TAG = "#auto"


def _coins(value: Any) -> Any:
    """Let a sum of money be written as ``"3 gp 5 sp"`` as well as in cp."""
    return coins.parse(value) if isinstance(value, str) else value


def _money_schema(least: int) -> WithJsonSchema:
    number = {"type": "integer", "minimum": least, "maximum": MOST_CP}
    return WithJsonSchema({"anyOf": [number, {"type": "string", "pattern": r"\d"}]})


def _number_or_auto(value: Any) -> str:
    return AUTO_TAG if value == "auto" else NUMBER_TAG


def _flag_number_or_text(value: Any) -> Any:
    """Make one message of what is none of these, not one for each kind."""
    is_nan = isinstance(value, float) and not isfinite(value)
    if is_nan or not isinstance(value, bool | int | float | str):
        raise ValueError(f"must be true or false, a number or text (got {shown(value)})")
    return value


def no_path(name: str) -> str:
    """Keep names usable as the name of a folder: ``runs/<scenario>-<seed>``."""
    if name.startswith(".") or any(sign in "/\\:" or not sign.isprintable() for sign in name):
        raise ValueError("must not start with a dot nor hold '/', '\\', ':' or line breaks")
    return name


_UNREADABLE = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's control signs, half signs and breaks of lines and paragraphs."""
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of all that comes after them."""


def readable(name: str) -> str:
    """Keep names to one line on which something can be seen."""
    if not name.strip() or any(category(sign) in _UNREADABLE for sign in name):
        raise ValueError("must be one line that is not blank")
    if not _TURNING.isdisjoint(name):
        raise ValueError("must not hold signs that turn the direction of writing")
    return name


def _some_weight(weights: dict[str, float]) -> dict[str, float]:
    if weights and not any(weights.values()):
        raise ValueError("must hold a weight above 0")
    return weights


Prob = Annotated[float, Field(ge=0, le=1)]
Money = Annotated[int, BeforeValidator(_coins), Field(ge=0, le=MOST_CP), _money_schema(0)]
Stake = Annotated[int, BeforeValidator(_coins), Field(ge=1, le=MOST_CP), _money_schema(1)]
Auto = Annotated[Literal["auto"], Tag(AUTO_TAG)]
# Told apart by their tags, so that one mistake makes one message, not one for each kind.
RoomOrAuto = Annotated[
    Annotated[int, Field(gt=0, le=1_000_000), Tag(NUMBER_TAG)] | Auto,
    Discriminator(_number_or_auto),
]
CountOrAuto = Annotated[
    Annotated[int, Field(ge=0, le=100_000), Tag(NUMBER_TAG)] | Auto,
    Discriminator(_number_or_auto),
]
StakeOrAuto = Annotated[
    Annotated[Stake, Tag(NUMBER_TAG)] | Auto,
    Discriminator(_number_or_auto),
]
MoneyOrAuto = Annotated[
    Annotated[Money, Tag(NUMBER_TAG)] | Auto,
    Discriminator(_number_or_auto),
]
Weights = Annotated[
    dict[str, Annotated[float, Field(ge=0, le=1e9)]],
    AfterValidator(_some_weight),
]
Options = Annotated[
    dict[str, Annotated[bool | int | float | str, BeforeValidator(_flag_number_or_text)]],
    Field(description="the game's own, as its page in docs/games names them"),
]
Ability = Annotated[int | None, Field(ge=1, le=60, description="ability score")]
Skill = Annotated[int | None, Field(ge=-5, le=40, description="modifier of the skill")]
Trait = Annotated[float | None, Field(ge=-5, le=5, description="HEXACO z-score")]


class Part(BaseModel):
    """A part of a scenario: unknown keys are errors, and nothing is changed later.

    Types are strict, as they are in TOML: ``"120"`` and ``true`` are no numbers.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)
