"""What stands in the tables of a run folder about people among people: evenings, trials, talk."""

from __future__ import annotations

from .tables_described import NIGHT, Column, Table, alike

EVENINGS = Table(
    "a night and person living here",
    (
        NIGHT,
        Column("patron_id", "int32", "id", "who"),
        Column("tavern_id", "int16", "id", "where he went; 0 stayed at home"),
        Column("table_id", "int32", "id", "the last table he sat at, from 1; 0 at none"),
        Column("drinks", "int16", "count", "mugs he had"),
        Column("stayed", "bool", "yes/no", "whether he was there at closing time"),
        Column("net_cp", "int64", "cp", "won less lost at the tables that night"),
        Column(
            "condition",
            "text",
            "word",
            "as the night closed: healthy, wounded, hand injured, lying low or bruised",
        ),
    ),
)

TRIALS = Table(
    "an accusation, or a cheat caught in the act",
    (
        NIGHT,
        Column("round", "int16", "round", "of the night, counted from 1"),
        Column("tavern_id", "int16", "id", "where"),
        Column("table_id", "int32", "id", "at which table of it, from 1"),
        Column("game", "text", "name", "as `tavern play` knows it"),
        *alike(
            "int32",
            "id",
            {
                "accuser_id": "who spoke up; 0: nobody had to",
                "accused_id": "whom it was about",
            },
        ),
        Column(
            "accuser_belief", "float64", "0 to 1", "the accuser's that the other one is a cheat"
        ),
        Column("judges", "list of int32", "id", "the others at the table"),
        Column(
            "beliefs",
            "list of float64",
            "0 to 1",
            "theirs, having heard the accuser out; null: no opinion",
        ),
        Column("n_guilty", "int16", "people", "of the judges who found him guilty"),
        Column("verdict", "text", "word", "caught, convicted or cleared"),
        Column(
            "is_cheat",
            "bool",
            "yes/no",
            "the truth: of the cheating kind, and had tried; or caught in the act",
        ),
        Column("tricked", "bool", "yes/no", "the truth: in this very round"),
        Column("sentence", "text", "word", "warned to killed; empty for none"),
        Column("ran", "bool", "yes/no", "whether he ran from it"),
        Column("repaid_cp", "int64", "cp", "he had to give back"),
    ),
)

RUMORS = Table(
    "a version of a story: as it sprang from what happened, was bent in the telling, or invented",
    (
        Column("rumor_id", "int32", "id", "counted from 1"),
        Column("story_id", "int32", "id", "all versions of one story share it: its first version"),
        Column("parent_id", "int32", "id", "the version it was bent from; 0 for none"),
        Column("event_id", "int32", "id", "the event the story springs from; 0: invented"),
        Column("claim", "text", "word", "what is said of the subject"),
        Column("game", "text", "name", "at which game, if at any"),
        Column("subject_id", "int32", "id", "about whom"),
        Column("other_id", "int32", "id", "who did it, or to whom; 0 nobody"),
        Column("amount_cp", "int64", "cp", "as claimed; 0 where there is none"),
        NIGHT._replace(meaning="as claimed"),
        Column("tavern_id", "int16", "id", "as claimed; 0 in no tavern"),
        Column(
            "changed",
            "text",
            "word",
            "what the one who made it changed: sum, place, night, person; invented; or nothing",
        ),
        Column("made_by", "int32", "id", "who bent or invented it; 0: it is what was seen"),
        Column("made_night", "int32", "night", "when it came up"),
        Column("truth", "text", "word", "true, partly true, false or wrong person"),
    ),
)

TELLINGS = Table(
    "a rumour told by somebody to somebody; in towns of more than 20,000 patrons only of one story "
    "in 23, those whose `story_id` divides by it",
    (
        Column("telling_id", "int32", "id", "counted from 1, in the order they were told"),
        Column("rumor_id", "int32", "id", "the version the listener heard"),
        Column("told_rumor_id", "int32", "id", "the version the teller knew"),
        Column("teller_id", "int32", "id", "who told it"),
        Column("listener_id", "int32", "id", "to whom"),
        NIGHT,
        Column("tavern_id", "int16", "id", "where they sat"),
        Column("knew", "bool", "yes/no", "whether the listener knew some version already"),
        Column("believed", "bool", "yes/no", "whether he believed it; no if he knew it"),
        Column("changed", "text", "word", "what changed in this telling; or nothing"),
        Column(
            "told_from",
            "int32",
            "id",
            "the telling by which the teller came to know; 0: a witness, or its inventor",
        ),
    ),
)

ACQUAINTANCES = Table(
    "two people living here at the end who know each other",
    (
        Column("patron_id", "int32", "id", "the one with the lower id"),
        Column("other_id", "int32", "id", "the other one"),
        Column("tie", "text", "word", "by what: kin, trade, tavern, chance or met"),
        Column("since_night", "int32", "night", "since when; 0 from the start"),
    ),
)
