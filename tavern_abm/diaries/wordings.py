"""The wordings of a diary: whole sentences, with the slots that a `Voice` fills in.

{He}, {he}, {him} and {his} are the person whose diary it is.
"""

from __future__ import annotations

HOME = {
    "bruised": ("Still bruised, {he} lay at home.", "{He} lay in bed with {his} bruises."),
    "lying low": ("{He} lay low.", "{He} kept out of sight."),
    "broke": (
        "With {purse} to {his} name {he} could not pay for a mug, and stayed at home.",
        "{His} purse held {purse}, too little for an evening out.",
    ),
    "banned": ("The door of {house} was shut to {him}, and {he} stayed at home.",),
    "": (
        "{He} stayed at home.",
        "{He} did not go out.",
        "{He} spent the evening at home.",
        "{He} kept to {his} own hearth.",
    ),
}
"""An evening at home, by the reason that the record gives for it."""
OUT = (
    "{He} spent the evening at {house} over {mugs} and {came}{seat}.",
    "{He} went to {house}, had {mugs} and {came}{seat}.",
    "The evening found {him} at {house}, where {he} had {mugs} and {came}{seat}.",
    "{He} had {mugs} at {house} and {came}{seat}.",
)
DRY = (
    "{He} went to {house}, drank nothing and {came}{seat}.",
    "{He} spent the evening at {house} without a mug and {came}{seat}.",
)
CAME = {
    1: ("won {sum}", "went home {sum} the richer", "came away {sum} to the good"),
    -1: ("lost {sum}", "went home {sum} the poorer", "left {sum} behind"),
    0: ("neither won nor lost", "came out even"),
}
"""What an evening's play came to, by its sign."""
UNKNOWN = ("sat down to play", "took a seat where there was one")
"""What is said of the play where the record has no sums of an evening."""
PLAYER = "{He} was at {house}; what {he} did there is for {his} player to tell."
TRICKS = {
    "weighted_dice": (
        ("{He} threw dice of {his} own, which loved a six.",),
        ("{He} threw dice of {his} own {times}, and they loved a six.",),
    ),
    "trick": (
        (
            "{He} turned a die, and nobody saw it.",
            "Once {he} helped a die along, unseen.",
            "One of {his} throws was better than it had fallen.",
        ),
        (
            "{He} turned a die {times}, and nobody saw it.",
            "{He} helped the dice along {times}, unseen.",
        ),
    ),
    "failed_trick": (
        (
            "{He} reached for a die, {his} thumb slipped, and people looked up.",
            "One trick went wrong under everybody's eyes.",
            "{He} tried to turn a die and made a poor job of it.",
        ),
        ("{He} reached for a die {times} too clumsily, and people looked up.",),
    ),
}
"""Tries at a trick: one of them, and several."""
SENTENCED = {
    "warned": "{Who} got off with a warning.",
    "thrown_out": "{Who} {was} thrown out for the night.",
    "banned": "{Who} {was} banned{nights}.",
    "beaten": "{Who} {was} beaten and had to lie up{nights}.",
    "killed": "{Who} {was} cut down at the table.",
}
"""What became of the condemned: the person of the diary or another."""
COINS_FROM_OUTSIDE = {
    "given": (" had {sum} from ",),
    "taken": (" was made {sum} poorer by somebody from outside.",),
}
"""What stands in sentences of ours that tell of coins put in, with the sum in figures."""
DEEDS = {
    "arrived": ("{He} came to town with {sum}.", ""),
    "left": ("{He} left town for good with {sum}.", ""),
    "caught": ("{He} was caught at it a second time, and all stakes went back.", ""),
    "too_lucky": ("{He} won once too often as the Hand and was beaten for it{nights}.", ""),
    "broke": ("Then {he} could not cover another stake and got up.", ""),
    "brawl": (
        "{He} and {other} came to blows over it, and both went home.",
        "{He} and {other} came to blows over it, and both went home.",
    ),
    "dice_noticed": (
        "{other} saw that {his} dice were weighted, and said so.",
        "{He} saw that {other}'s dice were weighted, and said so.",
    ),
    "bribed": ("{He} slipped the warden {sum}, and the warden thought again.", ""),
    "ran": (
        "{He} did not wait for it: {he} was over the bench and out of the door.",
        "{other} ran for it, and {he} ran after.",
    ),
    "got_away": ("{He} got away.", "{other} got away from {him}."),
    "run_down": ("{other} ran {him} down.", "{He} ran {other} down."),
    "lent": ("{He} borrowed {sum} from {other}.", "{He} lent {other} {sum}."),
    "paid_back": (
        "{He} paid {other} back the {sum} that {he} owed.",
        "{other} paid {him} back {sum}.",
    ),
    "dodged": (
        "{He} owed {other} {sum} and did not pay.",
        "{other} owed {him} {sum} and did not pay.",
    ),
}
"""What he did or what befell him, by the kind of event: as the doer, and as the other one."""
SEEN = {
    "caught": "{other} was caught at it a second time, and {he} sat by.",
    "too_lucky": "{He} saw {other} beaten for winning too often.",
    "killed": "{He} was there when {other} was cut down at the table.",
    "beaten": "{He} saw {other} beaten.",
    "brawl": "{He} watched {other} and {third} come to blows.",
    "ran": "{He} saw {other} run for it.",
}
"""What the person only saw: worth a sentence where nothing of his own is."""
SIGHTS = ("killed", "too_lucky", "beaten", "caught", "brawl", "ran")
"""The kinds of the same, the most striking first."""
CALLED = {
    True: "{accuser} called {him} a cheat, and the table believed it{votes}.",
    False: "{accuser} called {him} a cheat, but the table cleared {him}.",
}
"""He is accused: whether the table found him guilty."""
CALLS = {
    True: "{He} called {other} a cheat{sure}, and the table agreed{votes}; {other} was {truth}.",
    False: "{He} called {other} a cheat{sure}, but the table would not have it, and {he} lost face;"
    " {other} was {truth}.",
}
"""He accuses another, and the record knows better than the table."""
JUDGED = {
    (True, True): (
        "{He} was among the judges when {accuser} called {accused} a cheat, and believed it, as"
        " the table did.",
        "{accuser} called {accused} a cheat; {own} voice was for it, and so was the table.",
    ),
    (True, False): (
        "{He} was among the judges when {accuser} called {accused} a cheat, and believed it; the"
        " table did not.",
    ),
    (False, True): (
        "{He} was among the judges when {accuser} called {accused} a cheat, and did not believe"
        " it; the table did.",
    ),
    (False, False): (
        "{He} was among the judges when {accuser} called {accused} a cheat, and believed it no"
        " more than the table did.",
        "{accuser} called {accused} a cheat; {own} voice was against it, and so was the table.",
    ),
}
"""A trial in which he had a say: whether he was against the accused, and whether the table was."""
HEARD = (
    "{teller} told {him} that {claim}, and {he} believed it.",
    "From {teller} {he} heard that {claim}; {he} took it for true.",
    "{teller} had it that {claim}, and {he} saw no reason to doubt it.",
    "{He} learned from {teller} that {claim}.",
)
DOUBTED = (
    "{teller} told {him} that {claim}; {he} did not believe it.",
    "{teller} would have it that {claim}, but {he} had {his} doubts.",
    "That {claim}, as {teller} said, {he} took for idle talk.",
)
SAW_IT = (
    "{He} told {listeners} that {claim}; {he} had been there.",
    "{He} had been there, and {listeners} had it from {him} that {claim}.",
    "{listeners} had it from {him} at first hand that {claim}.",
)
TOLD_ON = (
    "{He} told {listeners} that {claim}.",
    "{He} passed it on to {listeners} that {claim}.",
    "{listeners} heard from {him} that {claim}.",
)
INVENTED = "{He} put it about that {claim}, every word of it made up, and told {listeners}."
MADE_UP_AND_TRUE = (
    "{He} put it about that {claim}, made it up, hit on the truth, and told {listeners}."
)
MADE_UP_IN_PART = (
    "{He} put it about that {claim}, made it up, came near the truth, and told {listeners}."
)
MORE_HEARD = ("{He} heard {tales} besides.", "{He} listened to {tales}.", "{tales} went round.")
CLAIMS_BY_WEIGHT = (
    *("killed", "beaten", "too_lucky", "run_down", "ran", "banned", "brawl", "thrown_out"),
    *("bribed", "owes", "cheats", "broke", "won"),
)
MORE_TOLD = ("{He} had {tales} to tell.", "{tales} went on from {him}.")
MOST_JUDGED = 2
MOST_HEARD = 2
MOST_TOLD = 2
MOST_NAMED = 3
SENTENCES = tuple(SENTENCED)
QUIETLY = (
    "Nothing to tell: {he} {did}.",
    "Quiet nights. {He} {did}.",
    "{He} {did}, and that was all.",
)
AT_HOME = {
    "bruised": "{He} lay at home and mended.",
    "lying low": "{He} lay low and was seen by nobody.",
    "broke": "{He} had not the price of a mug, and stayed at home.",
    "banned": "The door was shut to {him}, and {he} stayed at home.",
    "": "{He} stayed at home.",
}
"""Several nights at home in a row, by the reason."""
TRAITS = {
    "honesty": ("crooked by nature", "honest to the bone"),
    "extraversion": ("a loner", "good company"),
    "agreeableness": ("quick to quarrel", "slow to anger"),
    "emotionality": ("hard to frighten", "easily frightened"),
    "conscientiousness": ("careless", "careful"),
    "openness": ("set in {his} ways", "curious"),
}
"""What is said of a trait far below the average, and far above it."""
RANKS = {"common": "of the common sort", "well-off": "well off", "noble": "of high birth"}
STRIKING = 1.0
"""A trait is told from so many standard deviations on."""
