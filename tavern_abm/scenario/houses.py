"""What a scenario says of its houses: doors, bars, tables, yards and customs."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from ..checks import HARD_DC
from .fields import CountOrAuto, MoneyOrAuto, Options, Part, RoomOrAuto, StakeOrAuto, readable


class TableOfGames(Part):
    """Tables of one game in a tavern."""

    game: Annotated[str, Field(description="as `tavern play` knows it")] = "rotting-toes"
    count: Annotated[
        CountOrAuto, Field(description="how many; auto: as many as tonight's guests fill")
    ] = "auto"
    seats: Annotated[int, Field(ge=2, le=12, description="seats at each")] = 6
    stake: Annotated[
        StakeOrAuto,
        Field(description="cp; auto: the largest round sum of at most 2 % of the median purse"),
    ] = "auto"
    options: Options = {}


class YardEvent(Part):
    """A throw or a race in the yard of a tavern; whoever is there may enter, or look on and bet."""

    game: Annotated[str, Field(description="as `tavern play` knows it")] = "race"
    rounds: Annotated[
        list[Annotated[int, Field(ge=1, le=200)]],
        Field(min_length=1, description="held in these rounds, each the first of a sitting"),
    ]
    entrants: Annotated[int, Field(ge=2, le=12, description="at the most")] = 6
    stake: Annotated[
        StakeOrAuto,
        Field(
            description="cp, of each entrant and each bet; auto: the largest round sum of at most "
            "2 % of the median purse of all who could enter"
        ),
    ] = "auto"
    options: Options = {}


class Tavern(Part):
    """One house: its door, its bar, its tables and its custom."""

    name: Annotated[
        str,
        Field(min_length=1, max_length=60, description="its sign; no two houses share one"),
        AfterValidator(readable),
    ] = "The Rusty Flagon"
    district: Annotated[
        str, Field(max_length=60, description="the part of town where it stands")
    ] = "town"
    quality: Annotated[int, Field(ge=1, le=5, description="1 poor, 3 decent, 5 fine")] = 3
    capacity: Annotated[
        RoomOrAuto,
        Field(
            description="guests at a time; auto: room for everybody, in a [town] a middling room"
        ),
    ] = "auto"
    custom: Annotated[
        str, Field(description="how it deals with cheats: a name of data/customs")
    ] = "decent"
    own_dice: Annotated[
        bool, Field(description="whether people may throw dice of their own at Rotting Toes")
    ] = False
    streaks_last: Annotated[
        bool,
        Field(
            description="whether a streak of wins as the Hand lasts beyond the evening: of those "
            "whose home it is, wherever they play"
        ),
    ] = False
    thievery_dc: Annotated[
        int, Field(ge=1, le=60, description="DC of a Thievery check at the tables")
    ] = HARD_DC
    rake_bp: Annotated[
        int, Field(ge=0, le=10_000, description="rake of the coins that change hands, basis points")
    ] = 0
    seat_fee_cp: Annotated[
        MoneyOrAuto,
        Field(description="at the door, each guest, each night; auto, here and below: by quality"),
    ] = "auto"
    mug_cp: Annotated[MoneyOrAuto, Field(description="price of a mug")] = "auto"
    mugs_mean: Annotated[
        float, Field(ge=0, le=20, description="mean mugs a guest has in an evening")
    ] = 2.5
    goods_bp: Annotated[
        int,
        Field(ge=0, le=10_000, description="what the drink itself costs the house, of its price"),
    ] = 5_000
    staff_cp: Annotated[MoneyOrAuto, Field(description="wages of the house, a night")] = "auto"
    upkeep_cp: Annotated[MoneyOrAuto, Field(description="repairs and rent, a night")] = "auto"
    till_cp: Annotated[MoneyOrAuto, Field(description="in the till on the first morning")] = "auto"
    tables: Annotated[
        list[TableOfGames], Field(max_length=1000, description="its tables, game by game")
    ] = [TableOfGames()]
    yard: Annotated[
        list[YardEvent], Field(max_length=100, description="its throws and races, of an evening")
    ] = []
