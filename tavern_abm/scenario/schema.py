"""What a scenario file may say: every field with its default, its range and its reason.

The JSON Schema, the reference page of parameters and the checks of the loader
all come from these classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal, Self
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
    field_validator,
    model_validator,
)

from .. import coins
from ..checks import HARD_DC
from .problems import shown

MOST_CP = 10**12
"""The largest sum a file may name: a million purses of it still fit in 63 bits."""

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


def _no_path(name: str) -> str:
    """Keep names usable as the name of a folder: ``runs/<scenario>-<seed>``."""
    if name.startswith(".") or any(sign in "/\\:" or not sign.isprintable() for sign in name):
        raise ValueError("must not start with a dot nor hold '/', '\\', ':' or line breaks")
    return name


_UNREADABLE = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's control signs, half signs and breaks of lines and paragraphs."""


def _readable(name: str) -> str:
    """Keep names to one line on which something can be seen."""
    if not name.strip() or any(category(sign) in _UNREADABLE for sign in name):
        raise ValueError("must be one line that is not blank")
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


class Population(Part):
    """Who lives here, and how they come and go."""

    share_of_cheats: Annotated[
        float, Field(ge=0, lt=1, description="mean share of people of the cheating kind")
    ] = 0.10
    honesty_odds_ratio: Annotated[
        float,
        Field(
            gt=0, le=1000, description="odds ratio of being of the kind per sd of honesty-humility"
        ),
    ] = 0.53
    leave_prob: Annotated[Prob, Field(description="chance to leave for good, a night")] = 0.005
    arrive_prob: Annotated[
        Prob, Field(description="chance that a vacant place is filled, a night")
    ] = 0.33
    purse_days: Annotated[
        float, Field(gt=0, le=10_000, description="mean purse at the start, in days' wages")
    ] = 15.0
    purse_sigma: Annotated[
        float, Field(ge=0, le=3, description="spread of purses at the start (log scale)")
    ] = 0.8
    ancestries: Annotated[
        Weights, Field(description="weights by ancestry; empty: those of data/ancestries")
    ] = {}
    trades: Annotated[
        Weights, Field(description="weights by trade; empty: those of data/trades")
    ] = {}
    gamblers: Annotated[
        Weights, Field(description="weights by preset of data/gamblers; empty: all are plain")
    ] = {}
    newcomers_share_of_cheats: Annotated[
        float | None,
        Field(ge=0, lt=1, description="that share among newcomers; left out: share_of_cheats"),
    ] = None
    hold_prevalence: Annotated[
        bool,
        Field(
            description="a control for studies: whoever goes or dies is replaced the next morning"
            " by one of the same kind, cheat or not"
        ),
    ] = False
    kin_prob: Annotated[
        Prob,
        Field(description="chance that somebody belongs to the household of the one before him"),
    ] = 0.4


class District(Part):
    """A part of town: who lives there. Without any, people live where their home tavern stands."""

    name: Annotated[
        str,
        Field(min_length=1, max_length=60, description="as `taverns.district` names it"),
        AfterValidator(_readable),
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


class Minds(Part):
    """How people decide."""

    rationality: Annotated[
        float, Field(ge=0, le=100, description="precision of the logit choice of bets")
    ] = 4.0
    thrill: Annotated[
        float, Field(ge=-10, le=10, description="utility of having a bet at all, in stakes")
    ] = 0.25
    ride_the_cheat: Annotated[
        bool, Field(description="whether bettors reckon with a suspected Hand's better chances")
    ] = True
    tau: Annotated[
        float,
        Field(ge=0, le=1, description="chance that a cheat tries at a throw, all else neutral"),
    ] = 0.25
    tau_moves: Annotated[
        bool, Field(description="whether stake, drink, custom and fear move that chance")
    ] = True
    learning: Annotated[
        Literal["none", "reinforcement"],
        Field(description="whether people learn to cheat, or not to, from what it brings them"),
    ] = "none"
    start_honest: Annotated[
        float,
        Field(
            gt=0,
            lt=1,
            description="with learning: share of turns an honest man would cheat in at first",
        ),
    ] = 0.02
    go_out_prob: Annotated[
        Prob, Field(description="chance that a man with five days' wages goes out")
    ] = 0.6
    roaming: Annotated[
        bool, Field(description="whether people choose among the taverns, or go to their own")
    ] = True
    loyalty: Annotated[
        float, Field(ge=0, le=20, description="what makes one's home tavern dearer (utility)")
    ] = 2.0
    home_fit: Annotated[
        float,
        Field(
            ge=0,
            le=20,
            description="how closely the quality of one's home tavern follows one's rank"
            " (log-odds, a band)",
        ),
    ] = 1.5
    quality_taste: Annotated[
        float,
        Field(ge=-10, le=10, description="what a band of quality adds to a house (utility)"),
    ] = 0.5
    distance: Annotated[
        float,
        Field(ge=0, le=20, description="what a house in a district far from home lacks (utility)"),
    ] = 1.0
    repute: Annotated[
        float,
        Field(ge=-10, le=10, description="what a house's name adds to its appeal (utility)"),
    ] = 0.5
    taste_sd: Annotated[
        float,
        Field(ge=0, le=10, description="how far people's tastes for games differ (utility)"),
    ] = 1.0
    talent: Annotated[
        float,
        Field(ge=-10, le=10, description="what being good at a game adds to its appeal, per sd"),
    ] = 0.5
    drink_penalty: Annotated[
        int,
        Field(ge=0, le=10, description="off checks of strength and skill, a mug above two"),
    ] = 1


class Suspicion(Part):
    """What people make of what they see."""

    memory: Annotated[int, Field(ge=1, le=4096, description="others a patron remembers")] = 32
    fading: Annotated[Prob, Field(description="what is left of a belief after a night")] = 0.95
    settled_fading: Annotated[
        Prob, Field(description="what is left of a settled belief after a night")
    ] = 0.99
    assumed_share: Annotated[
        float | None,
        Field(
            gt=0,
            lt=1,
            description="share of cheats people start from; left out: that of the population, or"
            " 0.10 where there are none",
        ),
    ] = None
    assumed_thievery: Annotated[
        int, Field(ge=-5, le=40, description="Thievery people assume of a cheat")
    ] = 6
    assumed_tau: Annotated[
        float, Field(gt=0, le=1, description="chance of a try at a throw people assume of a cheat")
    ] = 0.25
    false_alarm: Annotated[
        float, Field(gt=0, lt=1, description="chance that an innocent throw looks odd")
    ] = 0.01
    attention: Annotated[
        bool, Field(description="whether people follow a round only now and then")
    ] = True
    sore_loser: Annotated[
        float, Field(ge=0, le=10, description="how much losers overrate what incriminates")
    ] = 0.5
    paranoia: Annotated[
        float, Field(ge=-5, le=5, description="added to the log-odds people start from")
    ] = 0.0
    hearsay: Annotated[
        Prob, Field(description="greatest share of the way a belief moves on one telling")
    ] = 0.3
    teller_memory: Annotated[
        int,
        Field(
            ge=0,
            le=10_000,
            description="nights in which a teller counts once per subject; 0: never",
        ),
    ] = 14


class Justice(Part):
    """Who accuses, and what happens then. The custom itself is the tavern's."""

    accusations: Annotated[bool, Field(description="whether losers accuse")] = True
    accuse_prob: Annotated[
        Prob, Field(description="chance that one who is sure enough speaks up")
    ] = 0.3
    threshold_mean: Annotated[
        float, Field(ge=-10, le=10, description="mean log-odds at which a person accuses")
    ] = 0.7
    threshold_sd: Annotated[
        float, Field(ge=0, le=10, description="spread of that threshold among people")
    ] = 0.7
    lost_face: Annotated[
        float, Field(ge=0, le=10, description="added to the threshold after a false accusation")
    ] = 0.7
    lost_face_nights: Annotated[
        int, Field(ge=0, le=10_000, description="nights for which it stays higher")
    ] = 10
    brawl_prob: Annotated[
        Prob, Field(description="chance of a brawl after somebody was cleared")
    ] = 0.15
    grudge_nights: Annotated[
        int, Field(ge=0, le=10_000, description="nights for which one who was wronged resents it")
    ] = 30


class Flight(Part):
    """Running from a sentence."""

    runs: Annotated[bool, Field(description="whether the condemned may run for it")] = True
    lie_low_nights: Annotated[
        int, Field(ge=0, le=10_000, description="nights at home of one who got away")
    ] = 7


class Bribes(Part):
    """Coins slipped to the warden, so that he looks away."""

    bribe_prob: Annotated[
        Prob, Field(description="chance that a condemned man tries the warden; 0: never")
    ] = 0.05
    take_prob: Annotated[Prob, Field(description="chance that the warden takes it")] = 0.5
    bribe_days: Annotated[
        float, Field(gt=0, le=1000, description="the sum, in days' wages of who pays it")
    ] = 2.0


class Dice(Part):
    """Weighted dice, for houses that let people bring their own (`taverns.own_dice`)."""

    owners: Annotated[
        Prob, Field(description="share of the cheating kind who have weighted dice")
    ] = 0.3
    bias: Annotated[
        float, Field(ge=0, le=1, description="chance that such a die shows its favoured face")
    ] = 1 / 3


class Loans(Part):
    """Stakes lent among friends."""

    lending: Annotated[bool, Field(description="whether anybody lends")] = True
    due_nights: Annotated[
        int, Field(ge=1, le=10_000, description="nights after which a loan is due")
    ] = 7
    trust: Annotated[
        float,
        Field(ge=0, le=1, description="belief that one is a cheat above which nobody lends to him"),
    ] = 0.3
    share_of_purse: Annotated[
        float, Field(gt=0, le=1, description="of the lender's purse, lent at the most")
    ] = 0.1
    dodge_prob: Annotated[
        Prob, Field(description="chance that one of average honesty does not pay when he could")
    ] = 0.1


class Talk(Part):
    """Who meets whom, what is told, and what becomes of it."""

    contacts: Annotated[
        int, Field(ge=0, le=100, description="whom one talks to in an evening; 0: no talk")
    ] = 3
    acquaintances: Annotated[
        int,
        Field(ge=2, le=60, multiple_of=2, description="whom one knows at first, on average"),
    ] = 12
    rewiring: Annotated[
        Prob, Field(description="share of acquaintances beyond tavern, trade and kin")
    ] = 0.1
    acquainted_prob: Annotated[
        Prob, Field(description="share of talk with acquaintances, if any is there")
    ] = 0.8
    befriend_prob: Annotated[
        Prob, Field(description="chance that strangers who talk know each other from then on")
    ] = 0.1
    beliefs: Annotated[
        int, Field(ge=0, le=32, description="suspicions one tells each contact; 0: none")
    ] = 3
    extreme: Annotated[
        float, Field(ge=0, le=12, description="log-odds from the prior below which none is told")
    ] = 1.0
    rumors: Annotated[
        int, Field(ge=0, le=32, description="rumours one tells each contact at most; 0: none")
    ] = 3
    rumor_memory: Annotated[int, Field(ge=1, le=4096, description="rumours a patron remembers")] = (
        32
    )
    fresh_nights: Annotated[
        int,
        Field(
            ge=1,
            le=10_000,
            description="nights for which one tells a rumour, from when he heard it",
        ),
    ] = 7
    tell_prob: Annotated[
        Prob, Field(description="chance to tell a rumour of middling interest")
    ] = 0.5
    believe_prob: Annotated[
        Prob, Field(description="chance to believe somebody as trusted as a stranger")
    ] = 0.7
    stifle_prob: Annotated[
        Prob, Field(description="chance that a teller stops whose listener knew it already")
    ] = 1.0
    exaggerate_prob: Annotated[Prob, Field(description="chance, a telling, that a sum grows")] = (
        0.05
    )
    misplace_prob: Annotated[
        Prob, Field(description="chance, a telling, that the place or the night changes")
    ] = 0.05
    mistake_prob: Annotated[
        Prob, Field(description="chance, a telling, that it becomes another person's story")
    ] = 0.02
    lie_prob: Annotated[
        Prob,
        Field(description="chance, a night, that one of average honesty who bears a grudge lies"),
    ] = 0.05


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
        StakeOrAuto, Field(description="cp, of each entrant and each bet; auto: as at a table")
    ] = "auto"
    options: Options = {}


class Tavern(Part):
    """One house: its door, its bar, its tables and its custom."""

    name: Annotated[
        str,
        Field(min_length=1, max_length=60, description="its sign; no two houses share one"),
        AfterValidator(_readable),
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
        bool, Field(description="whether a streak of wins as the Hand lasts beyond the evening")
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


class Person(Part):
    """A person pinned by name; what is left out is drawn as for anybody."""

    name: Annotated[
        str,
        Field(min_length=1, max_length=60, description="no two pinned people share one"),
        AfterValidator(_readable),
    ]
    ancestry: Annotated[str | None, Field(description="a name of data/ancestries")] = None
    sex: Annotated[
        Literal["female", "male"] | None, Field(description="for names and pronouns")
    ] = None
    trade: Annotated[str | None, Field(description="a name of data/trades")] = None
    home: Annotated[str | None, Field(description="name of the home tavern")] = None
    gold: Annotated[Money | None, Field(description="purse at the start")] = None
    strength: Ability = None
    dexterity: Ability = None
    constitution: Ability = None
    intelligence: Ability = None
    wisdom: Ability = None
    charisma: Ability = None
    thievery: Skill = None
    perception: Skill = None
    honesty: Trait = None
    emotionality: Trait = None
    extraversion: Trait = None
    agreeableness: Trait = None
    conscientiousness: Trait = None
    openness: Trait = None
    temper: Annotated[
        Literal["sour", "merry", "fearful", "boastful", "careful", "pious"] | None,
        Field(description="how he talks; left out: it follows from his traits"),
    ] = None
    household: Annotated[
        str | None,
        Field(max_length=60, description="pinned people who name the same one are kin"),
    ] = None
    gambler: Annotated[str | None, Field(description="a preset of data/gamblers")] = None
    weighted_dice: Annotated[bool | None, Field(description="has weighted dice or not")] = None
    cheat: Annotated[bool | None, Field(description="of the cheating kind or not")] = None
    propensity: Annotated[
        float | None,
        Field(ge=0, le=1, description="chance of a try at a throw, whatever else; makes a cheat"),
    ] = None
    rationality: Annotated[
        float | None, Field(ge=0, le=100, description="in place of minds.rationality")
    ] = None
    player: Annotated[
        bool, Field(description="a player's character: sits down at no table by himself")
    ] = False

    @model_validator(mode="after")
    def _propensity_makes_a_cheat(self) -> Self:
        if self.propensity is not None and self.cheat is False:
            raise ValueError("cheat = false and a propensity contradict each other; leave out one")
        return self


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
        AfterValidator(_no_path),
        AfterValidator(_readable),
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
