"""What stands in a run folder: every table and column, every key, every array.

The one place that says so. Tables are written with the types given here, and
the reference page is made from it.
"""

from __future__ import annotations

from .columns_of_society import ACQUAINTANCES, EVENINGS, RUMORS, TELLINGS, TRIALS
from .scores import MEANINGS
from .tables_described import NIGHT, Column, Table, alike

NIGHTS = Table(
    "a night and tavern",
    (
        NIGHT,
        Column("tavern_id", "int16", "id", "counted from 1, in the order of the scenario"),
        Column("tavern", "text", "name", "its sign"),
        *alike("int64", "people", {"guests": "who came in"}),
        *alike(
            "int64",
            "count",
            {
                "games": "tables opened, added up over the sittings",
                "rounds": "rounds played",
            },
        ),
        *alike(
            "int64",
            "cp",
            {
                "staked_cp": "put on the tables",
                "changed_hands_cp": "went from losers to winners, rake included",
                "rake_cp": "the house's share of that",
            },
        ),
        Column("mugs", "int64", "count", "mugs sold"),
        Column("drinks_cp", "int64", "cp", "paid for them"),
        *alike(
            "int64",
            "count",
            {
                "tricks_tried": "tries at turning a die",
                "tricks_noticed": "failed checks, which everybody sees as an odd throw",
                "tricks_convicted": "second failed checks of a night: the round is void",
                "accusations_just": "accusations of those of the cheating kind who had tried",
                "accusations_unjust": "accusations of others",
                "convictions_just": "accused found guilty by the table who are cheats",
                "convictions_unjust": "accused found guilty by the table who are not",
                "cleared": "accused acquitted",
                "warned": "sentences to no more than a warning",
                "thrown_out": "sentences: out for the night",
                "banned": "sentences: out for some nights",
                "beaten_just": "beatings of cheats, by sentence",
                "beaten_unjust": "beatings of others, by sentence",
                "killed_just": "cheats killed",
                "killed_unjust": "others killed",
                "too_lucky": "beatings for too many wins in a row, where that is the custom",
                "too_lucky_chances": "rounds whose Hand stood one win short of it",
                "brawls": "accuser and accused who came to blows after an acquittal",
                "contests": "bouts, throws and races decided",
            },
        ),
        Column("bets_cp", "int64", "cp", "put on contests by those who looked on"),
        *alike(
            "int64",
            "count",
            {
                "hurt": "people hurt in contests and chases",
                "tricked_hands": "rounds of a Hand who tried a trick or threw weighted dice in it",
            },
        ),
        Column("cheats_hands", "int64", "count", "rounds of a Hand of the cheating kind"),
        *alike(
            "int64",
            "cp",
            {
                "cheats_staked_cp": "what these Hands staked themselves",
                "cheats_net_cp": "what they won less what they lost",
            },
        ),
        Column("honest_hands", "int64", "count", "rounds of other Hands"),
        *alike(
            "int64",
            "cp",
            {
                "honest_staked_cp": "what these Hands staked themselves",
                "honest_net_cp": "what they won less what they lost",
            },
        ),
        *alike(
            "int64",
            "count",
            {
                "dice_noticed": "rounds in which somebody noticed weighted dice",
                "ran": "condemned who ran",
                "got_away": "of them, those whom nobody caught",
                "bribes": "sentences that a bribe of the warden turned into a warning",
            },
        ),
        Column("bribes_cp", "int64", "cp", "paid for that"),
        Column("loans", "int64", "count", "stakes lent"),
        Column("loans_cp", "int64", "cp", "lent"),
        *alike(
            "int64",
            "count",
            {
                "paid_back": "loans paid back",
                "dodged": "loans not paid when they were due",
                "hearsay": "suspicions told to somebody",
                "rumors": "stories and versions of them that came up",
                "tellings": "rumours told to somebody",
                "believed": "of them, those that were new to him and believed",
            },
        ),
        *alike(
            "int64",
            "pairs",
            {
                "suspected_right": "as the night closed: who holds a cheat for one (above 0.5), by "
                "the home tavern of the one who believes it",
                "suspected_wrong": "who holds an honest person for a cheat",
                "missed": "who holds a cheat for honest",
                "unsuspected": "who holds an honest person for honest",
            },
        ),
        Column("till_cp", "int64", "cp", "in the till as the night closed"),
        Column(
            "gini",
            "float64",
            "0 to 1",
            "Gini coefficient of the purses of all who live here, whatever their tavern; "
            "null if nobody does",
        ),
        Column("median_cp", "int64", "cp", "median of these purses"),
        *alike(
            "int64",
            "people",
            {
                "broke": "of them, those who cannot pay the fee and two mugs",
                "living": "who live here, whatever their tavern",
            },
        ),
        Column(
            "brier",
            "float64",
            "0 to 1",
            "mean squared distance from the truth of all beliefs in the town about people living "
            "here; null if nobody believes anything",
        ),
        Column("is_open", "bool", "yes/no", "whether the house opened its doors that evening"),
        Column(
            "repute",
            "float64",
            "utility",
            "the name of the house as the night closed: 0 as any, below 0 ill",
        ),
        Column("unpaid_cp", "int64", "cp", "bills of the night that its till could not pay"),
        Column(
            "stakes_pct",
            "int64",
            "per cent",
            "of the usual, what its tables agreed on as a stake where none is fixed",
        ),
    ),
)

PATRONS = Table(
    "a person who has ever lived here",
    (
        Column("patron_id", "int32", "id", "counted from 1, for good"),
        Column("name", "text", "name", "in full"),
        Column("ancestry", "text", "name", "one of data/ancestries"),
        Column("sex", "text", "word", "female or male"),
        Column("household_id", "int32", "id", "of the head of the household; its members are kin"),
        Column(
            "temper", "text", "word", "how he talks: sour, merry, fearful, boastful, careful, pious"
        ),
        Column("gambler", "text", "name", "a preset of data/gamblers"),
        Column("trade", "text", "name", "one of data/trades"),
        Column("rank", "text", "word", "of the trade: poor, common, well-off, noble"),
        Column("home_tavern", "text", "name", "where he goes of an evening"),
        Column("district", "text", "name", "the part of town he lives in"),
        *alike(
            "bool",
            "yes/no",
            {
                "is_player": "a player's character: sits at no table by himself",
                "is_cheat_kind": "of the cheating kind: the truth, which nobody knows",
                "has_weighted_dice": "has dice of his own that favour one face",
                "has_tried": "has tried a trick",
                "is_cheat": "of the kind and has tried: what beliefs are scored against",
            },
        ),
        Column("level", "int64", "level", "of his class"),
        *alike(
            "int64",
            "score",
            dict.fromkeys(
                (
                    "strength",
                    "dexterity",
                    "constitution",
                    "intelligence",
                    "wisdom",
                    "charisma",
                ),
                "ability",
            ),
        ),
        *alike(
            "int64",
            "modifier",
            {
                "thievery": "added to d20 when he turns a die",
                "perception": "added to d20 when he watches",
                "bluff": "skill",
                "insight": "skill (Sense Motive)",
            }
            | dict.fromkeys(
                ("climb", "swim", "jump", "balance", "tumble", "hide", "spot", "ride"), "skill"
            ),
        ),
        Column("speed_ft", "int64", "feet", "that he walks in a round of six seconds"),
        Column("feats", "list of text", "name", "feats, if any"),
        *alike(
            "float32",
            "z-score",
            {
                "honesty": "honesty-humility: 0 is the average, 1 a standard deviation more",
                "emotionality": "HEXACO trait",
                "extraversion": "HEXACO trait",
                "agreeableness": "HEXACO trait",
                "conscientiousness": "HEXACO trait",
                "openness": "HEXACO trait",
            },
        ),
        Column("wage_cp", "int64", "cp", "a day"),
        Column("arrived_night", "int32", "night", "he came; 0 for those here from the start"),
        Column("gone_night", "int32", "night", "he left or died; null while he lives here"),
        Column("whereabouts", "text", "word", "here, left or dead"),
        Column(
            "condition",
            "text",
            "word",
            "healthy, wounded or hand injured; at home: lying low, bruised",
        ),
        Column("wounds", "int64", "points", "of damage that have not healed"),
        Column("banned_tavern_id", "int16", "id", "from which he is banned; 0 from none"),
        *alike(
            "int64",
            "cp",
            {
                "start_cp": "his purse when he came",
                "end_cp": "his purse at the end of the run; 0 for those who left or died",
                "owes_cp": "a loan he has not paid back",
            },
        ),
        Column("owes_to_id", "int32", "id", "to whom; 0 nobody"),
        *alike(
            "int64",
            "cp",
            {
                "games_net_cp": "won less lost at the tables, repayments counted",
                "drinks_cp": "drunk away",
            },
        ),
        *alike(
            "int64",
            "count",
            {
                "hands": "rounds as the Hand",
                "hand_wins": "of them, those he won",
                "tries": "at a trick",
                "failed_checks": "of his tries, those that looked odd",
            },
        ),
        *alike(
            "int32",
            "night",
            {
                "first_try_night": "of his first try at a trick; null if he never tried",
                "suspected_night": "on which somebody first held him for a cheat (above 0.5), "
                "and rightly; null if nobody has",
            },
        ),
        *alike(
            "int64",
            "count",
            {
                "convicted": "verdicts against him",
                "beaten": "beatings he took, for luck as well",
                "escaped": "sentences he ran from and got away",
                "dodged": "debts he did not pay when they were due",
                "accused_others": "accusations he made",
                "was_accused": "accusations he met with",
            },
        ),
        Column(
            "reputation",
            "float64",
            "0 to 1",
            "mean belief, of those here who hold one, that he is a cheat; null if none does",
        ),
        *alike(
            "int64",
            "people",
            {
                "notoriety": "who hold him a cheat rather than not (belief above 0.5)",
                "believers": "who hold any belief about him",
            },
        ),
    ),
)

GAMES = Table(
    "a night, tavern and game that is played there",
    (
        NIGHT,
        Column("tavern_id", "int16", "id", "where"),
        Column("game", "text", "name", "as `tavern play` knows it"),
        *alike(
            "int64",
            "count",
            {
                "tables": "opened, added up over the sittings; events held",
                "rounds": "rounds, games, bouts or contests played",
            },
        ),
        *alike(
            "int64",
            "cp",
            {
                "staked_cp": "put on the tables, onlookers' bets included",
                "changed_hands_cp": "went from losers to winners, the house's take included",
                "rake_cp": "the house's take: rake, and coins of a book that do not divide",
                "bets_cp": "put on contests by those who looked on",
            },
        ),
    ),
)

PLAYERS = Table(
    "a person and game he has had a part in: a seat, an entry, or a bet on others",
    (
        Column("patron_id", "int32", "id", "who"),
        Column("game", "text", "name", "as `tavern play` knows it"),
        Column("sittings", "int64", "count", "in which he had a seat; contests he entered"),
        Column("net_cp", "int64", "cp", "won less lost at it; adds up to his `games_net_cp`"),
    ),
)

WEALTH = Table(
    "a night and person living here",
    (
        Column("night", "int32", "night", "as it closed; 0 is the start of the run"),
        Column("patron_id", "int32", "id", "whose purse"),
        Column("gold_cp", "int64", "cp", "in it"),
    ),
)

EVENTS = Table(
    "a notable event",
    (
        Column("event_id", "int32", "id", "counted from 1, in the order they happened"),
        NIGHT,
        Column(
            "round",
            "int16",
            "round",
            "of the night, counted from 1; 0 by day, one past the last at closing time",
        ),
        Column("tavern_id", "int16", "id", "where; 0 in no tavern"),
        Column(
            "table_id",
            "int32",
            "id",
            "at which table of it, from 1; 0 at none. The rooms of a tavern, in the order of the "
            "scenario, number their tables one after the other, the first from 1: a room of "
            '`count = "auto"` keeps 1,000,000 numbers, any other as many as its count. The '
            "events of the yard follow on 1,000,000 x the number of rooms, one each (with two "
            "rooms 2,000,001, 2,000,002, ...). Tables that a thriving house adds to a room, "
            "the rooms counted from 0, follow on 1,000,000 x (the number of rooms + 1 + the room)",
        ),
        Column("kind", "text", "word", "one of the kinds below"),
        Column("patron_id", "int32", "id", "who did it or whom it befell; 0 nobody"),
        Column("other_id", "int32", "id", "the other one; 0 nobody"),
        Column("amount_cp", "int64", "cp", "at stake, paid back, won, left behind"),
        Column(
            "is_just",
            "bool",
            "yes/no",
            "whether it fell on the right one, by the truth; null where that is no question",
        ),
        Column("natural", "int8", "pips", "the d20 of a check; 0 without one"),
        Column("dc", "int8", "DC", "of the check; 0 without one"),
        Column("modifier", "float64", "log-odds", "what moved his chance of a try away from tau"),
        Column("witnesses", "list of int32", "id", "who else saw it"),
        Column("text", "text", "sentence", "for people"),
    ),
)

SUSPICION = Table(
    "a belief: a night (every seventh, and the last), who holds it, whom it is about",
    (
        NIGHT,
        Column("observer_id", "int32", "id", "who believes it"),
        Column("subject_id", "int32", "id", "about whom"),
        Column("log_odds", "float32", "log-odds", "of his being a cheat, -6 to 6"),
        Column("belief", "float64", "chance", "the same as a chance, 0 to 1"),
        Column("n_own", "float32", "rounds", "of his as the Hand seen oneself, fading"),
        Column("settled", "bool", "yes/no", "a trick confirmed in public"),
        Column(
            "in_full",
            "bool",
            "yes/no",
            "whether all that this observer believes is in the table: yes in towns of up to "
            "20,000 patrons. In bigger ones that is so of one observer in 23; of others only "
            "suspicions (belief above 0.5) are",
        ),
    ),
)

LEDGER = Table(
    "a night, tavern, pair of accounts and reason",
    (
        NIGHT,
        Column("tavern_id", "int16", "id", "where; 0 in no tavern"),
        Column("from_account", "text", "account", "whence: purse/<trade>, pot, till/<id>, outside"),
        Column("to_account", "text", "account", "whither: one of these, or treasury"),
        Column("reason", "text", "word", "wage, living, fee, drink, stake, payout, rake, ..."),
        Column("amount_cp", "int64", "cp", "that went, above 0"),
    ),
)

ROUNDS = Table(
    "a round of a table (only with `--record full`)",
    (
        NIGHT,
        Column("round", "int16", "round", "of the night, counted from 1"),
        Column("tavern_id", "int16", "id", "where"),
        Column("table_id", "int32", "id", "at which table of it, from 1"),
        Column("game", "text", "name", "as `tavern play` knows it"),
        Column(
            "hand_id",
            "int32",
            "id",
            "whose turn it was: the Hand, the button, the tosser; in a contest the first entrant",
        ),
        Column("winner_id", "int32", "id", "who won most at it; 0 nobody"),
        Column("winner_net", "int64", "cp", "what he won"),
        Column("stake", "int64", "cp", "of each seat, or ante"),
        Column("pool", "int64", "cp", "that changed hands"),
        Column("ended", "text", "word", "Rotting Toes: won or lost by the Hand, or void"),
        Column("dice", "text", "faces", "of it, in the order thrown: 4, then 3, then 2"),
        Column(
            "n_rot",
            "int8",
            "people",
            "who bet that he loses; null in other games",
        ),
        Column(
            "n_not", "int8", "people", "who bet that he wins, beside himself; null in other games"
        ),
        Column(
            "plain",
            "int8",
            "bits",
            "throws at which he might have cheated (bit 0: the first); null in other games",
        ),
        Column("tried", "int8", "bits", "throws at which he tried a trick; null in other games"),
        Column("failed", "int8", "bits", "throws at which his check failed; null in other games"),
        Column("odd", "int8", "bits", "throws that looked odd; null in other games"),
        Column(
            "failed_before",
            "int8",
            "count",
            "failed checks tonight before this round; null in other games",
        ),
        Column(
            "modifier",
            "float64",
            "log-odds",
            "what moved his chance of a try away from tau; null in other games",
        ),
    ),
)

TABLES = {
    "nights": NIGHTS,
    "patrons": PATRONS,
    "games": GAMES,
    "players": PLAYERS,
    "wealth": WEALTH,
    "evenings": EVENINGS,
    "events": EVENTS,
    "trials": TRIALS,
    "rumors": RUMORS,
    "tellings": TELLINGS,
    "acquaintances": ACQUAINTANCES,
    "suspicion": SUSPICION,
    "ledger": LEDGER,
    "rounds": ROUNDS,
}
"""Every table by name; each is a file ``<name>.parquet``."""

FILES = {
    "run.json": "what was played, with what, and the totals; written last",
    "scenario.toml": "the scenario, resolved: nothing in it hangs on a default or on a scenario it "
    "extends; a `data` folder of your own is named, not copied",
    "state.npz": "how things stood at the end, to go on from; of towns of more than 20,000 "
    "patrons only with `--record full`",
    "interventions.toml": "what was put in from outside, all of it so far (only if anything was)",
    "report.html": "the report page (not with `--no-report`)",
    "ro-crate-metadata.json": "what the folder is, for machines: RO-Crate 1.1 (JSON-LD) with every "
    "file, the program, the seed and the times; [how to cite](../how-to/cite-and-reproduce.md)",
}
"""What else is in the folder."""

INFO = {
    "format": "of the run folder: 5",
    "status": '"finished"; nothing else is ever written',
    "scenario": "its name",
    "seed": "of the run",
    "replicate": "another run of the same seed has another; 0",
    "nights": "played",
    "patrons": "places in the town",
    "record": '"notable" or "full"',
    "extent": (
        "how much of talk and beliefs is written down: the beliefs of `one_observer_in`, the "
        "tellings of `one_story_in`; 1 is all. `has_state`: whether `state.npz` is there "
        "without `--record full`"
    ),
    "digest": (
        "SHA-256 over the names and values of the result tables, the same for any "
        "`--record`, `--out` and `--threads`"
    ),
    "versions": "of Python and of the packages that have a say in the results",
    "decisions": "names of those that were a user's own; [] for the shipped ones",
    "data_digest": "SHA-256 over the files of the scenario's own `data` folder; null without one",
    "salt": "32 random hexadecimal digits; ids in exports, and which rumours of an evening are "
    "told in which words, follow from them, so that nobody can guess them; the same for all that "
    "a run goes on to; no part of the digest",
    "continued_from": "of a run that goes on from another: `nights`, `digest` and `version` (of "
    "tavern_abm) of that one; null otherwise",
    "started": "ISO 8601, in UTC",
    "ended": "the same, when the last night was over",
    "seconds": "between the two",
    "totals": "see below",
    "ledger": (
        "`opening_cp`, `inflow_cp`, `outflow_cp`, `closing_cp`, of purses and tills together; "
        "opening + inflow - outflow = closing; `treasury_cp` of the outflow was taxes and excise"
    ),
}
"""The keys of ``run.json``."""

TOTALS = {
    "arrived": "newcomers",
    "left": "people who left for good",
    "died": "people killed",
    "broke": "people who could not pay for an evening at the end",
    "living": "people who live here at the end",
    "gini": "Gini coefficient of their purses; null if nobody is left",
    "auc_reputation": (
        "chance that a cheat has the worse reputation of a cheat and an honest person drawn "
        "at random, of those about whom anybody holds a belief; null if one of the two is missing"
    ),
    "till_cp": "in all tills at the end",
    **{name: f"{score.text}; null where undefined" for name, score in MEANINGS.items()},
}
"""The totals that are not sums of a column of the nights."""

_PEOPLE = {
    "trade": "index into data/trades",
    "wage": "cp a day",
    "home": "index of his tavern, from 0",
    "is_player": "1: a player's character",
    "is_rooted": "1: never leaves for good",
    "is_cheat": "1: of the cheating kind",
    "propensity": "pinned chance of a try; -1 where it is not pinned",
    "thievery": "modifier",
    "perception": "modifier",
    "soreness": "0 to 1: how far a loss colours what he saw",
    "threshold": "log-odds above which he accuses",
    "rationality": "precision of his choice of bets",
    "whereabouts": "0 not yet come, 1 here, 2 left, 3 dead",
    "gold": "cp",
    "bruised_until": "last night at home",
    "banned_from": "index of a tavern, -1 for none",
    "banned_until": "last night of the ban",
    "also_banned": "an earlier ban that still holds elsewhere: last night * 2**20 + tavern",
    "punished": "last night on which he was thrown out, banned or beaten",
    "lost_face_until": "last night of it",
    "seen_rounds": "others' rounds as the Hand he has followed",
    "seen_wins": "of them, those the Hand won",
    "arrived": "night; 0 from the start",
    "gone": "night; 0 while he is here",
    "start_gold": "cp when he came",
    "games_net": "cp won less lost",
    "drinks_cp": "cp drunk away",
    "hands": "rounds as the Hand",
    "hand_wins": "of them, those won",
    "tries": "at a trick",
    "failed_ever": "failed checks",
    "convicted": "verdicts against him",
    "beaten": "beatings he took",
    "accusations": "he made",
    "accused": "times he was",
    "luck": "key of tonight's draws",
    "tavern": "index of the tavern he is in, -1 at home",
    "table": "the table he last sat at tonight, -1",
    "sitting": "the last in which he had a seat tonight, 0 for none",
    "drinks": "mugs tonight",
    "streak": "wins in a row as the Hand",
    "failed": "failed checks tonight",
    "filter": "chance that he has one, if he were a cheat, as his table sees it",
    "has_accused": "1: has accused somebody tonight",
    "wish": "room he would play in this sitting, -1 for none",
    "sittings": "in which he had a seat, and contests he entered",
    "wounds": "points of damage that have not healed",
    "hurt_hand": "1: a hand is injured, until the wounds have healed",
    "weary": "1: worn out by a contest, for tonight",
    "cheating": "what his way of gambling adds to the log-odds of a try",
    "boldness": "what it adds to a raise at Magic Wand, in stakes",
    "visited": "index of the tavern he went to tonight, -1 at home",
    "thrill": "what having a bet is worth to him, in stakes",
    "chasing": "what losses of tonight add to that",
    "superstition": "log-odds by which each win in a row of a Hand sways him",
    "net_before": "cp won less lost as the evening began",
    "thirst": "how much more than others he drinks: a factor",
    "weighted": "1: has weighted dice",
    "is_tricking": "1: has chosen to cheat in this turn (with reinforcement learning)",
    "q_cheat": "propensity to cheat (with reinforcement learning)",
    "q_honest": "propensity to play honestly",
    "reference": "what he has come to expect of a turn, in stakes",
    "first_try": "night of his first try at a trick; 0 for none",
    "suspected": "night on which somebody first rightly held him for a cheat; 0",
    "low_until": "last night he lies low",
    "owes_to": "row of his creditor, -1",
    "owes_cp": "what he owes him",
    "owes_due": "night on which it is due",
    "grudge": "row of whom he bears a grudge, -1",
    "grudge_night": "since when",
    "dodged": "debts he did not pay when due",
    "escaped": "sentences he ran from and got away",
}
_SHEET = {
    "ancestry": "index into data/ancestries",
    "sex": "0 female, 1 male",
    "level": "of his class",
    "size_class": "0 small, 1 medium, 2 large, 3 huge",
    "base_attack": "bonus on attack rolls",
    "speed_ft": "feet a round",
    "household": "row of the head of the household",
    "temper": "0 sour, 1 merry, 2 fearful, 3 boastful, 4 careful, 5 pious",
    "gambler": "index into data/gamblers",
    "rank": "0 poor, 1 common, 2 well-off, 3 noble",
    "quarter": "index of the district he lives in",
    "feats": "a bit for each of Endurance, Run, Far Shot, Two-Weapon Fighting, Weapon Focus",
}
_BELIEFS = {
    "subject": "row of whom it is about, -1 where a place is free",
    "strength": "what it is kept for in a full memory",
    "log_odds": "as of the night it last moved",
    "n_own": "rounds of his as the Hand seen oneself, as of that night",
    "moved": "that night",
    "settled": "1: a trick confirmed in public",
    "told": "who has told of him of late: a bit for teller's row mod 63",
}
_ACQUAINTANCES = {
    "other": "row of whom he knows, -1 where a place is free",
    "since": "night, 0 from the start",
    "tie": "0 kin, 1 trade, 2 tavern, 3 chance, 4 met",
}
_KNOWN = {
    "story": "number of a story's first version, from 0; -1 where a place is free",
    "rumor": "number of the version he knows: rumor_id - 1",
    "told_from": "number of the telling he has it from: telling_id - 1; -1 for none",
    "heard": "night",
    "claim": "what it claims: the place among the claims, as `rumors` names them",
    "subject": "row of whom it is about",
    "status": "whether he tells it, has stopped, or did not believe it: 0, 1, 2",
    "n_heard": "stories so far, forgotten ones included",
}
_VERSIONS = {
    "story": "number of the story's first version, from 0",
    "parent": "number of the version it was bent from; -1 for none",
    "subject": "row of whom it is about",
    "other": "row of who else was in it, -1",
    "amount": "cp, as claimed; 0 where no sum is told",
    "night": "as claimed",
    "made_night": "when it came up",
    "made_by": "row of who bent or invented it; -1: it is what was seen",
    "table": "number of the event's table, -1",
    "tavern": "index, as claimed; -1: in no house",
    "in_round": "of the event",
    "claim": "the place among the claims",
    "kind": "of its event: the place among the kinds that make a story; -1: invented",
    "game": "the place among the games, -1",
    "changed": "bits: 1 sum, 2 place, 4 night, 8 person, 16 invented",
}
_AS_IN_PATRONS = {
    column.name: column.meaning
    for column in PATRONS.columns
    if column.unit in ("score", "modifier", "z-score")
    and column.name not in ("thievery", "perception")
}

STATE = {
    "night": "nights played",
    "n_rows": "rows of people so far; further ones are drawn ahead for newcomers",
    "tills": "cp in each till",
    "ledger.opening_cp": "cp in purses and tills at the start",
    "ledger.outside_cp": "cp gone outside since, less what came from there",
    "ledger.treasury_cp": "taxes and excise paid so far",
    "ledger.inflow_cp": "cp that have come from outside so far",
    "ledger.outflow_cp": "cp that have gone outside and to the treasury so far",
    "ledger.purses": "cp in purses by the books, by trade",
    "ledger.tills": "cp in tills by the books",
    "houses.is_open": "0: has closed for good",
    "houses.repute": "its name in the town",
    "houses.lift": "per cent of the usual, what its tables agree on as a stake",
    "houses.failing": "nights in a row with bills unpaid",
    "houses.spent": "goods and excise since it last looked at its books, in cp",
    "houses.tills_then": "what its till held then, in cp",
    "rooms.n_tables": "tables of each room of the town, -1: as many as are needed",
    "rooms.stake": "its stake in cp, 0: tables agree on it",
    "rooms.crowded": "evenings since the last look on which it was crowded",
    "beliefs.epoch": "night from which strengths of beliefs are counted",
    "tellings": "how many there were so far",
    "games.inclination": "how each is inclined to each game of the town, as a utility",
    "games.won": "cp won less lost, by person and game; 0 where there is one game alone",
    "games.sat": "sittings, by person and game; 0 where there is one game alone",
    **{f"people.{name}": meaning for name, meaning in _PEOPLE.items()},
    **{f"sheet.{name}": meaning for name, meaning in (_SHEET | _AS_IN_PATRONS).items()},
    **{f"beliefs.{name}": meaning for name, meaning in _BELIEFS.items()},
    **{f"acquaintances.{name}": meaning for name, meaning in _ACQUAINTANCES.items()},
    **{f"known.{name}": meaning for name, meaning in _KNOWN.items()},
    **{f"versions.{name}": meaning for name, meaning in _VERSIONS.items()},
}
"""The arrays of ``state.npz``. Row ``patron_id - 1`` is that patron."""
