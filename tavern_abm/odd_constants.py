"""Numbers that are fixed in the code and are no parameters, by submodel of the ODD page.

Each is named once, with its module and what it is; its value is read from there.
"""

from __future__ import annotations

type Constant = tuple[str, str, str]
"""Module below ``tavern_abm``, name in it, what it is."""

_DECIDE = "patrons.decisions"

CONSTANTS: dict[str, tuple[Constant, ...]] = {
    "people": (
        ("patrons.traits", "LEVELS", "chances of level 1, 2, ... 5, added up"),
        ("patrons.traits", "TRAINED", "added to the Thievery of the cheating kind"),
        ("patrons.traits", "HOUSEHOLD", "ids in a lot, and the most in a household"),
        (f"{_DECIDE}.arm_wrestling", "MEAN_STRENGTH", "Strength of talent 0"),
        (f"{_DECIDE}.arm_wrestling", "SD_STRENGTH", "points of Strength that are talent 1"),
    ),
    "homes": (
        ("patrons.homes", "FITTING", "quality of the house that fits a rank best"),
        (
            "patrons.homes",
            "FAR_AWAY",
            "log-odds against a far house, times `minds.distance`",
        ),
    ),
    "doors": (
        (f"{_DECIDE}.general", "ENTRY_MUGS", "mugs that must be affordable to go in"),
        ("town.day", "DECENT", "band of quality from which taste is counted"),
        ("town.bar", "MAX_MUGS", "most mugs of a sitting"),
    ),
    "stakes": (
        (f"{_DECIDE}.general", "STAKES", "round sums a table agrees on, in cp"),
        ("games.rotting_toes", "MIN_SEATS", "fewest seats taken at which Rotting Toes is played"),
        ("games.magic_wand", "MIN_SEATS", "the same at Magic Wand"),
    ),
    "toes": (
        (f"{_DECIDE}.rotting_toes", "TALK_WINS", "pseudo-wins before anything was seen"),
        (f"{_DECIDE}.rotting_toes", "TALK_ROUNDS", "pseudo-rounds before anything was seen"),
        (f"{_DECIDE}.rotting_toes", "AFTER_A_FAILURE", "log-odds off a try after a failed check"),
        (f"{_DECIDE}.general", "NIGHTS_OF_FEAR", "nights for which a punishment deters"),
        ("checks", "HARD_DC", "default DC of a Thievery check"),
        ("games.rotting_toes", "DC_RISE", "added to it for each failed check of the night"),
        ("games.rotting_toes", "MAX_FAILED", "failed checks of a night that settle it"),
        ("games.rotting_toes", "NOTICE_DC", "DC of noticing weighted dice, before Thievery"),
    ),
    "beliefs": (
        ("society.suspicion", "BOUND", "log-odds stay within it; a settled belief stands at it"),
        ("society.suspicion", "HEARSAY_BOUND", "log-odds that can be put into words"),
        ("society.suspicion", "HEARSAY_WEIGHT", "own rounds that halve the weight of hearsay"),
        ("society.suspicion", "TELLER_BITS", "tellers told apart per subject (row modulo this)"),
        ("town.setup", "ASSUMED_SHARE", "prior share of cheats where there are none"),
    ),
    "justice": (
        ("society.judgement", "MIN_JUDGES", "fewest judges of a trial"),
        ("society.judgement", "NIGHTS_HURT_FACES", "faces of the die for nights of a beating"),
    ),
    "flight": (
        (f"{_DECIDE}.justice", "DREAD", "of none, warned, out, banned, beaten, killed"),
        (f"{_DECIDE}.justice", "FLIGHT_SENSE", "weight of what running promises"),
        (f"{_DECIDE}.justice", "FRIGHT", "weight of emotionality"),
        (f"{_DECIDE}.chase", "MEAN_ROLL", "mean of a d20"),
        (f"{_DECIDE}.chase", "VARIANCE", "of the difference of two d20s"),
        (f"{_DECIDE}.chase", "OVERSHOOT", "how far a walk leaps over its end on average"),
        (f"{_DECIDE}.chase", "TACTIC_SENSE", "precision of the choice of tactics"),
        (f"{_DECIDE}.chase", "WAY_SENSE", "precision of the choice of ways"),
        (f"{_DECIDE}.chase", "HARM_WEIGHT", "points of the lead a point of damage weighs"),
        (f"{_DECIDE}.chase", "HARM_SPREAD", "spread of that choice"),
        ("games.chase", "AWAY_LEAD", "lead at which the escapee is away"),
        ("games.chase", "HIDE_LEAD", "lead from which he may hide"),
        ("games.chase", "HAZARD_DC", "DC of making a hazard, a penalty apart"),
        ("games.chase", "HAZARD_BASE_DC", "DC of clearing a hazard, its penalty apart"),
        ("games.chase", "HAZARD_BASE_COST", "what a hazard costs beside its penalty"),
        ("games.chase", "RETRY_COST", "what a new try at an obstacle costs"),
        ("games.chase", "MAX_INCREMENTS", "increments after which the chaser gives up"),
        ("tables.sentencing", "ALONE", "edge of one whom nobody would follow"),
        ("tables.chase_ways", "ON_OFFER", "ways on offer in an increment"),
        ("tables.chase_told", "HIDING_PULL", "points of the lead a sure chance to hide is worth"),
        ("tables.chase_told", "HOPELESS", "points of the lead that not getting on is worth"),
    ),
    "acquaintance": (
        ("society.acquaintance", "ROOM", "places beyond those of a full circle"),
        ("society.acquaintance", "TIES", "what joins two people"),
    ),
    "talk": (
        (f"{_DECIDE}.talk", "CLAIMS", "what a rumour can claim"),
        (f"{_DECIDE}.talk", "INTEREST", "how much each is worth telling, in that order"),
        ("society.company", "ON_MIND", "stories on one's mind, times `talk.rumors`"),
        ("society.rumors", "LIE_ABOUT_DEBTS", "share of lies that are about debts"),
        ("society.talk", "MOST_DEBT_DAYS", "days' wages an invented debt comes to at most"),
        ("society.rumors", "WEEK", "nights by which a claimed night may be off"),
    ),
    "loans": (("town.loans", "MOST_ASKED", "friends one asks before a sitting"),),
    "fitness": (
        ("tables.fitness", "SOBER_MUGS", "mugs that cost nothing"),
        ("tables.fitness", "MOST_DRUNK", "mugs above them that count at most"),
        ("tables.fitness", "WEARINESS", "off checks of one who is worn out"),
        ("tables.fitness", "HURT_HAND", "off a throw at a target and off Climb with a hurt hand"),
    ),
    "wand": (
        (f"{_DECIDE}.magic_wand", "DOUBT", "log-odds a bet takes off, times its part of the pot"),
        (f"{_DECIDE}.magic_wand", "BOLDNESS", "utility of a raise, in stakes"),
        (f"{_DECIDE}.magic_wand", "BOLDER_A_MUG", "added to it for each mug above two"),
        (f"{_DECIDE}.magic_wand", "BOLDER_BY_EXTRAVERSION", "added to it per sd"),
        (f"{_DECIDE}.magic_wand", "BLUFF_PROB", "chance of a bluff at average honesty"),
        (f"{_DECIDE}.magic_wand", "BLUFFS_LESS_BY_HONESTY", "log factor per sd"),
        (f"{_DECIDE}.magic_wand", "MOST_BLUFF_PROB", "most it can be"),
        (f"{_DECIDE}.magic_wand", "WHIM", "share of a raise's height that is chance"),
        (f"{_DECIDE}.magic_wand", "TELEPORTS_TO", "what a Teleport is taken to make of the d8"),
        (f"{_DECIDE}.magic_wand", "TAKEN_AWAY", "what a Disintegration is taken to add to its 9"),
        ("games.magic_wand", "INITIAL_SCORE", "what Divine Intervention keeps"),
        ("tables.magic_wand_game", "MOST_BETS", "bets and raises a round without a fixed limit"),
    ),
    "contests": (
        (f"{_DECIDE}.arm_wrestling", "FELT", "log-odds of a win a point of modifier, to oneself"),
        (f"{_DECIDE}.arm_wrestling", "SEEN", "the same, to onlookers"),
        (f"{_DECIDE}.arm_wrestling", "PURSE_WEIGHT", "weight of the stake in one's purse"),
        (f"{_DECIDE}.long_throw", "POINTS_OF_A_CHECK", "points of a check that are one log-odds"),
        (
            f"{_DECIDE}.long_throw",
            "POINTS_OF_A_DOUBLED_CHECK",
            "the same where it is doubled",
        ),
        (f"{_DECIDE}.long_throw", "POINTS_OF_AN_ATTACK", "the same at a target"),
        (f"{_DECIDE}.race", "FORM", "log weight a standard deviation of the total"),
        (f"{_DECIDE}.race", "VAR_D20", "variance of a d20"),
        (f"{_DECIDE}.race", "STUBBORN", "steepness of giving up"),
        (f"{_DECIDE}.race", "HOPELESS", "standard deviations behind at which half give up"),
        (f"{_DECIDE}.race", "DAMAGE_PRECISION", "precision of taking damage"),
        (f"{_DECIDE}.race", "DS_PER_DAMAGE", "points of the total a point of damage weighs"),
        (f"{_DECIDE}.race", "PACE_PRECISION", "precision of the choice of pace"),
        (f"{_DECIDE}.race", "FORFEIT_DS", "points of the total a forfeit is taken to cost"),
        ("games.race", "RETRY_COST", "points of the total a new try at an obstacle costs"),
    ),
    "learning": (
        (f"{_DECIDE}.learning", "STRENGTH", "sum of both propensities at first, in stakes"),
        (f"{_DECIDE}.learning", "KEPT", "of a propensity, from turn to turn"),
        (f"{_DECIDE}.learning", "SPILL", "of a reinforcement, to what was not chosen"),
        (f"{_DECIDE}.learning", "LEAST", "lowest a propensity can fall"),
        (f"{_DECIDE}.learning", "DRIFT", "weight of the last turn in what is expected"),
        (f"{_DECIDE}.learning", "OUT_COST", "of being thrown out, in stakes"),
        (f"{_DECIDE}.learning", "BAN_COST_A_NIGHT", "of a night's ban"),
        (f"{_DECIDE}.learning", "BEATING_COST", "of a beating"),
    ),
    "repute": (
        ("town.reputation", "FADING", "of a name, from night to night"),
        ("town.reputation", "SCALE", "utility of one unit a guest"),
        ("town.reputation", "FEW", "fewer guests count as so many"),
        ("town.reputation", "MOST", "bound of a name, either way"),
    ),
    "fortunes": (
        ("town.fortunes", "LIFT_STEP", "step of agreed stakes, in hundredths of the usual"),
        ("town.fortunes", "MOST_TIMES", "times the first stakes they rise to at most"),
        ("town.fortunes", "LADDER", "round sums of fixed stakes, times powers of ten"),
    ),
    "recording": (
        ("model", "NIGHTS_BETWEEN_NETWORKS", "nights between two networks written down"),
        ("extent", "BIG_TOWN", "patrons up to whom all talk and beliefs are written down"),
    ),
}
"""The constants of each submodel that has some."""


OURS, BY_RULE, DERIVED = "ours", "rule", "derived"
"""Where a constant comes from: chosen by us; a rule of d20 or of a game; reckoned from rules,
or a technical bound."""
_ORIGINS = {
    BY_RULE: (
        "checks.HARD_DC",
        "games.rotting_toes.DC_RISE",
        "games.rotting_toes.MAX_FAILED",
        "games.rotting_toes.MIN_SEATS",
        "games.magic_wand.MIN_SEATS",
        "games.magic_wand.INITIAL_SCORE",
        "games.race.RETRY_COST",
        "games.chase.AWAY_LEAD",
        "games.chase.HIDE_LEAD",
        "games.chase.HAZARD_DC",
        "games.chase.HAZARD_BASE_DC",
        "games.chase.HAZARD_BASE_COST",
        "games.chase.RETRY_COST",
        "patrons.traits.TRAINED",
        "tables.fitness.WEARINESS",
        "tables.fitness.HURT_HAND",
    ),
    DERIVED: (
        f"{_DECIDE}.rotting_toes.TALK_WINS",
        f"{_DECIDE}.chase.MEAN_ROLL",
        f"{_DECIDE}.chase.VARIANCE",
        f"{_DECIDE}.chase.OVERSHOOT",
        f"{_DECIDE}.race.VAR_D20",
        f"{_DECIDE}.arm_wrestling.FELT",
        f"{_DECIDE}.arm_wrestling.MEAN_STRENGTH",
        f"{_DECIDE}.arm_wrestling.SD_STRENGTH",
        f"{_DECIDE}.magic_wand.TELEPORTS_TO",
        f"{_DECIDE}.magic_wand.TAKEN_AWAY",
        "society.suspicion.TELLER_BITS",
        "tables.magic_wand_game.MOST_BETS",
        "tables.sentencing.ALONE",
    ),
}
_ORIGIN_OF = {name: origin for origin, names in _ORIGINS.items() for name in names}


def origin_of(module: str, name: str) -> str:
    """Where a constant comes from.

    Examples
    --------
    >>> origin_of("checks", "HARD_DC"), origin_of("society.suspicion", "BOUND")
    ('rule', 'ours')
    """
    return _ORIGIN_OF.get(f"{module}.{name}", OURS)
