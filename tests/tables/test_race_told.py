"""A told race is a race by the rules, and its sentences say what happened."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavern_abm.asking import RefusedError, read_options
from tavern_abm.courses import course_names, load_course, mounted, plain_course, to_array
from tavern_abm.data_tables import DataError
from tavern_abm.games import race, race_sheet
from tavern_abm.patrons.competitor import Competitor, gather_sheets
from tavern_abm.tables.race_told import PLAY
from tavern_abm.tables.telling import AtTable, Deciders, Dice, Told, lines

SIX = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")


def table(
    players: Sequence[str] = ("Ann", "Bo"),
    *,
    seed: int = 1,
    rounds: int = 1,
    purses: Mapping[str, int] | None = None,
    rake_bp: int = 0,
    dice: Mapping[str, Sequence[int] | None] | None = None,
    asked: Sequence[str] = (),
    ask: Any = None,
    sheets: Sequence[Competitor] = (),
    **options: Any,
) -> AtTable:
    return AtTable(
        players=tuple(players),
        seed=seed,
        rounds=rounds,
        stake_cp=100,
        purses=purses or {},
        rake_bp=rake_bp,
        dice=Dice(seed, players, dice, ask, "race"),
        deciders=Deciders(seed, players, asked, ask),
        options=read_options(PLAY.options, options),
        sheets=gather_sheets(players, seed, {sheet.name: sheet for sheet in sheets}),
    )


def tell(*args: Any, **more: Any) -> list[Told]:
    return list(PLAY.tell(table(*args, **more)))


def of(records: Sequence[Told], kind: str) -> list[Mapping[str, Any]]:
    return [told.facts for told in records if told.kind == kind]


def texts(records: Sequence[Told]) -> str:
    return " ".join(told.text for told in records if told.text)


def answers(*lines: str) -> Any:
    left = list(lines)
    return lambda question: left.pop(0)


# ---------------------------------------------------------------- by the rules


@settings(max_examples=60)
@given(
    st.integers(0, 2**64),
    st.sampled_from([None, *course_names()]),
    st.integers(2, 12),
    st.booleans(),
    st.sampled_from(race.FATIGUE),
)
def test_every_race_is_by_the_rules(
    seed: int, name: str | None, n: int, damage_instead: bool, fatigue: str
) -> None:
    """Feed the recorded throws and choices to the rules: they need just those, in order."""
    players = "ABCDEFGHIJKL"[:n]
    at = (
        table(players, seed=seed, fatigue=fatigue, damage_instead=damage_instead, course=name)
        if name
        else table(players, seed=seed, fatigue=fatigue)
    )
    records = list(PLAY.tell(at))
    course = load_course(name) if name else plain_course()
    rows = to_array(course, damage_instead)
    is_long = race.is_long_race(len(rows), race.FATIGUE.index(fatigue))
    paces = {each["who"]: race_sheet.PACES[each["pace"]] for each in of(records, "pace")}
    who = {
        p: race_sheet.entrant(mounted(at.sheets[p], course.mount), paces[p], is_long)
        for p in players
    }
    racers = {p: np.zeros(race.N_RACER, np.int64) for p in players}
    fresh = set(players)
    for told in records:
        if told.kind not in ("check", "damage", "choice", "increment"):
            continue
        name_, racer = told.facts["who"], racers[told.facts["who"]]
        if name_ in fresh:
            fresh.remove(name_)
            race.enter(racer, rows, who[name_])
        if told.kind == "check":
            assert told.facts["modifier"] == race.needed_modifier(racer, rows, who[name_])
            assert told.facts.get("dc", race.NO_DC) == race.needed_dc(racer, rows)
            race.after(racer, rows, who[name_], told.facts["natural"])
        elif told.kind == "damage":
            for face in told.facts["dice"]:
                assert racer[race.NEEDS] == race.HARM
                race.after(racer, rows, who[name_], face)
        elif told.kind == "choice":
            choices = {"retry": 1, "damage": 2, "on": 2, "slow": 3, "quit": 0}
            race.after(racer, rows, who[name_], choices[told.facts["choice"]])
        else:
            fresh.add(name_)
            assert racer[race.NEEDS] == race.NOTHING
            assert told.facts["total"] == racer[race.TOTAL]
            assert (told.facts["out"] is None) == (racer[race.OUT] == race.RUNNING)
    (result,) = of(records, "result")
    left = {p: int(r[race.TOTAL]) for p, r in racers.items() if r[race.OUT] == race.RUNNING}
    best = [p for p in left if left[p] == max(left.values())]
    assert result["winners"] == best
    assert len(left) < 2 or race.completed(racers[best[0]]) == len(rows)


@given(st.integers(0, 2**64), st.integers(2, 12), st.integers(0, 10_000), st.integers(1, 4))
def test_not_a_coin_is_made_or_lost(seed: int, n: int, rake_bp: int, rounds: int) -> None:
    players = "ABCDEFGHIJKL"[:n]
    backers = {"Zed": "A", "Yan": "B", "Xi": "A"}
    records = tell(
        players,
        seed=seed,
        rounds=rounds,
        rake_bp=rake_bp,
        course="quay-dash",
        backers=backers,
        purses=dict.fromkeys(players, 150),
    )
    last = records[-1]
    assert (last.kind, sum(last.facts["net_cp"].values())) == (
        "closing",
        -last.facts["house_cp"],
    )
    assert set(last.facts["net_cp"]) == {*players, *backers}
    assert all(last.facts["net_cp"][who] >= -150 for who in players)


def test_the_same_seed_tells_the_same() -> None:
    assert tell(SIX, course="treetop-race") == tell(SIX, course="treetop-race")
    assert tell(SIX, course="treetop-race") != tell(SIX, seed=2, course="treetop-race")


# ---------------------------------------------------------------- the sample marathon


def ordinary(name: str) -> Competitor:
    return Competitor(name, constitution=30, mount_jump=0)


def test_six_run_the_sample_marathon_on_nothing_but_tens() -> None:
    """Every natural roll 10: each of them ends with 325, and they share."""
    records = tell(
        SIX,
        course="dak-rothian-marathon",
        pacing=False,
        dice={name: [10] * 100 for name in SIX},
        sheets=[ordinary(name) for name in SIX],
    )
    assert of(records, "result") == [
        {"winners": list(SIX), "totals": dict.fromkeys(SIX, 325)},
    ]
    assert [each["totals"]["Ann"] for each in of(records, "standings")] == [
        *range(16, 177, 16),
        *(191, 191, 207, 223, 239, 255, 271, 298, 325),
    ]
    assert "Ann, Bo, Cy, Di, Ed and Flo come in together with 325 and share." in texts(records)
    assert records[-1].facts["net_cp"] == dict.fromkeys(SIX, 0)


def test_the_marathon_is_told_increment_by_increment() -> None:
    records = tell(SIX, course="dak-rothian-marathon")
    assert len(of(records, "leg")) == 7
    assert [each["increment"] for each in of(records, "standings")] == list(range(1, 21))
    assert [(each["increment"], each["skill"], each["dc"]) for each in of(records, "way")] == [
        (3, "jump", 15),
        (8, "jump", 12),
        (16, "balance", 12),
        (20, "jump", 18),
    ]
    told = [told.text for told in records if told.text and not told.joins]
    assert max(map(len, told)) < 240
    assert len(set(told)) > 0.9 * len(told)


def test_who_comes_to_grief_is_told_with_the_check() -> None:
    records = tell(
        course="dak-rothian-marathon",
        pacing=False,
        dice={"Ann": [10, 10, 8, 9, 10, 10, 7, 12], "Bo": [10] * 60},
        sheets=[ordinary("Ann"), ordinary("Bo")],
    )
    said = texts(records)
    assert re.search(r"the small canyon, Jump 8 \+ 6 = 14 against DC 15\. 3d6 damage to Ann:", said)
    assert re.search(r"Ann \S.* the cliff, Climb 7 \+ 6 = 13 against DC 14\.", said)
    assert "After 3: Bo takes" in said or "After 3: Bo" in said
    (choice, *_) = of(records, "choice")
    assert (choice["who"], choice["choice"]) == ("Ann", "retry")
    assert of(records, "increment")[4]["gain"] == -10
    assert records[-1].facts["damage"]["Ann"] == sum(
        sum(each["dice"]) for each in of(records, "damage") if each["who"] == "Ann"
    )


def test_a_drowning_swimmer_is_pulled_out_and_the_last_one_left_wins_at_once() -> None:
    records = tell(
        course="harbour-swim",
        dice={"Ann": [10, 10, 10, 1], "Bo": [10, 10, 10, 10]},
        sheets=[Competitor("Ann", swim=-2), Competitor("Bo")],
    )
    said = texts(records)
    assert "Swim 1 + 4 = 5 against DC 13. Ann is pulled out, and is out of the race." in said
    assert "Bo is the last one left, and has won." in said
    assert len(of(records, "standings")) == 3
    assert records[-1].facts["net_cp"] == {"Ann": -100, "Bo": 100}


def test_nobody_is_left_and_the_stakes_go_back() -> None:
    records = tell(kind="climb", dc=60, increments=2, backers={"Zed": "Ann"})
    said = texts(records)
    assert "Ann could throw a 20 and not get past the wall" in said
    assert "Nobody is left in the race, and nobody has won it. The stakes go back." in said
    assert said.endswith("The bets go back.")
    assert records[-1].facts["net_cp"] == {"Ann": 0, "Bo": 0, "Zed": 0}


def test_resting_is_news_once_and_seen_in_the_standings() -> None:
    weak = [Competitor(name, constitution=3) for name in ("Ann", "Bo")]
    records = tell(increments=8, fatigue="on", pacing=False, sheets=weak, seed=4)
    rests = [each for each in of(records, "increment") if each["rests"]]
    assert len(rests) > 2
    told = [each for each in records if each.facts.get("check") == "constitution"]
    news = [each.text for each in told if each.text.endswith(").")]
    assert len(news) == 2 < len(told)
    for each in told:
        assert f"Constitution {each.facts['natural']} - 4 = " in each.text
        if not each.facts["passed"] and each.text not in news:
            assert each.text.endswith(", a rest.")
    assert "Constitution checks come after so many increments: both 3 (-4)." in texts(records)


# ---------------------------------------------------------------- stakes, choices, people


def test_the_winner_takes_all_and_the_book_pays_his_backers() -> None:
    records = tell(
        ("Ann", "Bo", "Cy"),
        increments=1,
        rake_bp=1000,
        dice={"Ann": [20], "Bo": [1], "Cy": [1]},
        sheets=[Competitor(name) for name in ("Ann", "Bo", "Cy")],
        backers={"Zed": "Ann:1 gp", "Yan": "Bo"},
    )
    assert records[-1].facts["net_cp"] == {
        "Ann": 180,
        "Bo": -100,
        "Cy": -100,
        "Zed": 90,
        "Yan": -100,
    }
    assert records[-1].facts["house_cp"] == 30
    assert "Ann wins 1 gp 8 sp. Bo and Cy lose 1 gp each. The house takes 2 sp." in texts(records)


def test_who_has_run_out_of_coins_looks_on() -> None:
    records = tell(rounds=5, increments="dash", purses={"Ann": 100}, seed=3)
    assert records[-1].facts["net_cp"]["Ann"] >= -100
    if of(records, "looks_on"):
        assert "Ann can no longer cover the stake" in texts(records)


def test_people_are_asked_whether_they_race_at_what_pace_and_whether_they_go_on() -> None:
    lines = ["yes", "sprint", "q"]
    asked = []

    def ask(question: str) -> str:
        asked.append(question)
        return lines.pop(0)

    records = tell(
        kind="climb",
        dc=20,
        increments=2,
        fatigue="on",
        asked=["Ann"],
        ask=ask,
        dice={"Ann": [5]},
        pace={"Bo": "pace"},
    )
    assert [re.sub(r"\d+", "", question) for question in asked] == [
        "Ann, race for  gp? [yes/no]",
        "Ann, what pace? Easy: - on checks, + Constitution; a sprint the reverse"
        " [steady/pace/sprint]",
        "Ann, with  so far: try again for  DS, or give up? [retry/quit]",
    ]
    assert of(records, "pace") == [
        {"who": "Ann", "pace": "sprint"},
        {"who": "Bo", "pace": "pace"},
    ]
    assert of(records, "choice")[0] == {"who": "Ann", "choice": "quit"}
    assert "Ann means to sprint all the way" in texts(records)
    assert "Bo sets off at an easy pace" in texts(records)


def test_too_few_who_would_race() -> None:
    records = tell(asked=["Bo"], ask=answers("no"))
    assert "Fewer than two would race" in texts(records)
    assert records[-1].facts["net_cp"] == {"Ann": 0, "Bo": 0}


def test_damage_in_place_of_a_failure_is_a_choice_the_table_may_allow() -> None:
    asked = {
        "course": "dak-rothian-marathon",
        "pacing": False,
        "dice": {"Ann": [10, 10, 8, 10], "Bo": [10] * 4},
        "sheets": [ordinary("Ann"), ordinary("Bo")],
        "asked": ["Ann"],
    }
    records = PLAY.tell(table(**asked, damage_instead=True, ask=answers("yes", "on")))
    told = []
    for each in records:
        told.append(each)
        if each.kind == "standings" and each.facts["increment"] == 3:
            break
    assert of(told, "choice") == [{"who": "Ann", "choice": "on"}]
    assert [each["who"] for each in of(told, "damage")] == ["Ann"]
    assert of(told, "standings")[2]["totals"] == {"Ann": 48, "Bo": 48}


@pytest.mark.parametrize(
    ("more", "option", "message"),
    [
        ({"backers": {"Zed": "Cy"}}, "backers", "Zed cannot back Cy; they race: Ann, Bo (race)"),
        ({"backers": {"Bo": "Ann"}}, "backers", "Bo races and cannot back anybody (race)"),
        ({"pace": {"Cy": "pace"}}, "pace", "nobody in the race is called 'Cy'; they race: Ann"),
        (
            {"purses": {"Bo": 99}},
            "purses",
            "Bo cannot cover the stake of 1 gp with 9 sp 9 cp (race)",
        ),
        (
            {"pace": {"Ann": "sprint"}, "pacing": False},
            "pace",
            "in a race without pacing nobody has a pace; leave out --pace or --no-pacing (race)",
        ),
        ({"course": "/none.toml"}, "course", "race: /none.toml: no such file"),
        ({"course": "quay"}, "course", "no course called 'quay'"),
        ({"course": "quay-dash", "kind": "swim"}, "kind", "the course says so itself (got swim)"),
        ({"kind": "foot", "dc": 3}, "dc", "no DC in a race of kind 'foot'"),
        ({"dice": {"Ann": [21]}}, "dice", "throw 1 of Ann in race: a d20 has no face 21"),
    ],
)
def test_refused(more: dict[str, Any], option: str, message: str) -> None:
    with pytest.raises(RefusedError, match=re.escape(message)) as error:
        tell(**more)
    assert error.value.option == option


def test_a_wrong_course_names_file_increment_and_what_is_meant(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[leg]]\nkind = "swimm"\nincrements = 2\n')
    with pytest.raises(DataError) as error:
        tell(course=str(path))
    assert str(error.value) == (
        f"{path}: leg 1, from increment 1: kind: 'swimm' is none of"
        " foot, swim, climb, mounted, driven (did you mean 'swim'?)"
    )


# ---------------------------------------------------------------- every throw


@settings(max_examples=40)
@given(st.integers(0, 2**64), st.sampled_from(course_names()), st.integers(2, 8), st.booleans())
def test_every_throw_is_told_with_its_sum(
    seed: int, name: str, n: int, damage_instead: bool
) -> None:
    """Whoever adds up what is read out gets the modifier, the result and the total."""
    records = tell(SIX[:n], seed=seed, course=name, damage_instead=damage_instead, fatigue="on")
    for told in records:
        if told.kind == "check":
            natural, modifier = told.facts["natural"], told.facts["modifier"]
            (figures,) = re.findall(rf"\b{natural}(?: [+-] \d+)*(?: = -?\d+)?(?=[ ,.)])", told.text)
            summed, _, result = figures.partition(" = ")
            assert sum(
                int(each) for each in summed.replace("+ ", "").replace("- ", "-").split()
            ) == (natural + modifier)
            assert int(result or natural) == natural + modifier
            assert told.text.endswith(".")


def test_the_line_of_an_increment() -> None:
    sheets = [
        Competitor("Ann", strength=16),
        Competitor("Bo", strength=8, speed_ft=40, feats=("Run",)),
    ]
    dice = {"Ann": [14], "Bo": [5]}
    said = list(lines(tell(increments=1, dice=dice, sheets=sheets)))
    assert said[2:5] == [
        "On foot (Strength and speed): Ann 3 + 6 = 9, Bo -1 + 10 = 9.",
        "Increment 1. Ann 14 + 9 = 23. Bo 5 + 9 = 14.",
        said[4],
    ]
    assert re.fullmatch(r"After 1: Ann .* with 23, Bo 14\.", said[4])


def test_a_mounted_increment_tells_the_ride_check_and_what_it_gives() -> None:
    dice = {"Ann": [15, 10], "Bo": [3, 10]}
    sheets = [Competitor("Ann", ride=5), Competitor("Bo")]
    said = list(lines(tell(increments=1, kind="mounted", dice=dice, sheets=sheets)))
    assert (
        said[2]
        == "Mounted (the mount's Strength and speed): both 3 + 12 = 15. Ride: Ann +5, Bo +0."
    )
    assert said[3:5] == [
        "Increment 1. Ann, Ride 15 + 5 = 20 for +4. Then 10 + 15 + 4 = 29.",
        "Bo, Ride 3, no help. Then 10 + 15 = 25.",
    ]


def test_a_passed_way_is_told_with_its_dc() -> None:
    sheets = [Competitor("Ann"), Competitor("Bo")]
    dice = {"Ann": [10, 12, 3], "Bo": [10, 2, 3]}
    said = list(lines(tell(course="quay-dash", dice=dice, sheets=sheets)))
    at = said.index("Increment 2: the fish-wives' wet planks, Balance DC 10.")
    assert said[at + 1] == "Ann, Balance 12 + 6 = 18. Then 3 + 6 = 9."
    assert "the fish-wives' wet planks, Balance 2 + 6 = 8 against DC 10." in said[at + 2]
    assert said[at + 3].startswith("Ann ")


def test_a_retry_that_succeeds_is_worth_nothing_and_told_so() -> None:
    dice = {"Ann": [1, 20], "Bo": [10]}
    sheets = [Competitor("Ann"), Competitor("Bo")]
    records = tell(kind="climb", dc=12, increments=1, dice=dice, sheets=sheets, retries=1)
    said = texts(records)
    assert "In an increment one may try again once at the most." in said
    assert "Then 20 + 6 = 26, worth nothing." in said


def test_no_try_is_left() -> None:
    dice = {"Ann": [1, 1, 20], "Bo": [10]}
    sheets = [Competitor("Ann"), Competitor("Bo")]
    records = tell(kind="climb", dc=12, increments=1, dice=dice, sheets=sheets, retries=1)
    assert [each["choice"] for each in of(records, "choice")] == ["retry", "quit"]
    assert of(records, "result")[0]["winners"] == ["Bo"]
    assert "Nothing may be tried again." in texts(tell(kind="climb", retries=0))


def test_all_get_past_only_where_all_do() -> None:
    """Who left at the ledge has not got past it, however many are left."""
    sheets = [Competitor(name) for name in SIX[:4]]
    dice = {name: [10] * 20 for name in SIX[:4]} | {"Ann": [10, 10, 10, 1]}
    asked = {"course": "tower-climb", "dice": dice, "sheets": sheets}
    said = texts(tell(SIX[:4], asked=["Ann"], ask=answers("yes", "quit"), **asked))
    assert re.search(r"All but Ann (get past|clear) the overhanging ledge", said)
    assert not re.search(r"All (get past|clear) the overhanging ledge", said)


def test_who_is_left_alone_is_ahead_of_nobody() -> None:
    dice = {"Ann": [10], "Bo": [1]}
    sheets = [Competitor("Ann"), Competitor("Bo")]
    records = tell(kind="climb", dc=12, increments=3, dice=dice, sheets=sheets, retries=0)
    assert "After 1" not in texts(records)
    assert of(records, "standings") == [{"increment": 1, "totals": {"Ann": 16}}]


def test_what_damage_means_is_said_once() -> None:
    for seed in range(5):
        said = texts(tell(SIX, seed=seed, rounds=2, course="dak-rothian-marathon"))
        assert said.count("Who is hurt runs on") == 1


def test_endurance_where_the_table_lets_it_help() -> None:
    sheets = [
        Competitor("Ann", constitution=2, feats=("Endurance",)),
        Competitor("Bo", constitution=2),
    ]
    asked: dict[str, Any] = {"increments": 4, "fatigue": "on", "pacing": False, "sheets": sheets}
    plain = of(tell(**asked), "check")
    helped = of(tell(**asked, endurance_helps=True), "check")
    for records, modifier in ((plain, -4), (helped, 0)):
        found = [each for each in records if each["check"] == "constitution"]
        assert {each["modifier"] for each in found if each["who"] == "Ann"} == {modifier}
        assert {each["modifier"] for each in found if each["who"] == "Bo"} == {-4}


def test_backers_lay_what_they_like() -> None:
    sheets = [Competitor("Ann"), Competitor("Bo")]
    records = tell(
        increments=1,
        dice={"Ann": [20], "Bo": [1]},
        sheets=sheets,
        backers={"Zed": "Ann:3 sp", "Yan": "Ann:1 sp", "Xe": "Bo:2 sp"},
    )
    assert "Zed lays 3 sp on Ann. Yan lays 1 sp on Ann. Xe lays 2 sp on Bo." in texts(records)
    net = records[-1].facts["net_cp"]
    assert (net["Zed"], net["Yan"], net["Xe"]) == (15, 5, -20)
