"""What a scenario says of its people: who they are, how they decide, who is pinned by name."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from .fields import Ability, Money, Part, Prob, Skill, Trait, Weights, readable


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
        Field(
            ge=0,
            le=10,
            description="off checks in contests, arm wrestling and chases, a mug above two",
        ),
    ] = 1


class Person(Part):
    """A person pinned by name; what is left out is drawn as for anybody."""

    name: Annotated[
        str,
        Field(min_length=1, max_length=60, description="no two pinned people share one"),
        AfterValidator(readable),
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
