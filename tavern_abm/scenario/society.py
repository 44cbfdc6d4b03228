"""What a scenario says of what happens around the tables: suspicion, justice, loans, talk."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from .fields import Part, Prob


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
