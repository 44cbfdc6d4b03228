"""What a scenario says of its town: districts, money and taxes, the fortunes of its houses."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from .fields import MOST_PATRONS, MOST_TAVERNS, Money, Part, RoomOrAuto, Weights, readable


class District(Part):
    """A part of town: who lives there. Without any, people live where their home tavern stands."""

    name: Annotated[
        str,
        Field(min_length=1, max_length=60, description="as `taverns.district` names it"),
        AfterValidator(readable),
    ]
    share: Annotated[
        float, Field(ge=0, le=1e9, description="weight of its people among those of the town")
    ] = 1.0
    near: Annotated[
        list[str], Field(description="districts from which people come as if they lived here")
    ] = []
    ancestries: Annotated[
        Weights, Field(description="weights by ancestry; empty: those of the population")
    ] = {}
    trades: Annotated[
        Weights, Field(description="weights by trade; empty: those of the population")
    ] = {}


class Town(Part):
    """A town to be filled up: what a scenario leaves out is founded from its population.

    Taverns, districts and people that are written out stay as they are; the
    rest is made around them.
    """

    population: Annotated[
        int, Field(ge=20, le=5_000_000, description="inhabitants, children included")
    ]
    tavern_going: Annotated[
        float,
        Field(gt=0, le=1, description="share of them who go to taverns: patrons, where left out"),
    ] = 0.28
    people_per_tavern: Annotated[
        float, Field(gt=0, le=1e6, description="inhabitants a house, by the three drink trades")
    ] = 430.0
    taverns: Annotated[
        RoomOrAuto, Field(description="houses in all; auto: from people_per_tavern")
    ] = "auto"
    water: Annotated[
        Literal["none", "river", "sea"],
        Field(description="what it lies by: a river has its quarter, the sea a harbour"),
    ] = "river"
    seed: Annotated[
        int, Field(ge=0, le=2**62, description="another one, other houses and other signs")
    ] = 1

    @model_validator(mode="after")
    def _can_be_played(self) -> Self:
        patrons = round(self.population * self.tavern_going)
        if not 1 <= patrons <= MOST_PATRONS:
            text = f"tavern_going of its population must be 1 to {MOST_PATRONS:,} patrons"
            raise ValueError(f"{text} (got {patrons:,})")
        n = self.population / self.people_per_tavern if self.taverns == "auto" else self.taverns
        if n > MOST_TAVERNS:
            raise ValueError(f"there must be {MOST_TAVERNS:,} houses at the most (got {n:,.0f})")
        return self


class Economy(Part):
    """Wages, living costs and taxes."""

    wages: Annotated[bool, Field(description="whether people earn their daily wage")] = True
    living: Annotated[bool, Field(description="whether people pay for their living")] = True
    wages_cp: Annotated[
        dict[str, Money], Field(description="daily wage by trade, in place of data/trades")
    ] = {}
    tax_bp: Annotated[
        int, Field(ge=0, le=10_000, description="of wages, to the treasury, basis points")
    ] = 0
    excise_bp: Annotated[
        int,
        Field(ge=0, le=10_000, description="of what houses take for drink, basis points"),
    ] = 0


class Fortunes(Part):
    """What becomes of houses that fail or thrive."""

    closing: Annotated[bool, Field(description="whether a house that cannot pay closes")] = True
    close_after: Annotated[
        int, Field(ge=1, le=10_000, description="nights in a row with bills unpaid, then it does")
    ] = 7
    growth: Annotated[
        bool, Field(description="whether one that thrives raises its stakes or adds a table")
    ] = False
    thrives_at: Annotated[
        float,
        Field(gt=0, le=10_000, description="nights of its costs in the till from which it thrives"),
    ] = 60.0
    every: Annotated[
        int, Field(ge=1, le=10_000, description="nights between two looks at the books")
    ] = 7
    table_cp: Annotated[Money, Field(description="what one more table costs")] = 500
