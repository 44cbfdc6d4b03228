"""A told long throw keeps the rules, and its sentences say what its records hold."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.asking import RefusedError, read_options
from tavern_abm.coins import rake, show
from tavern_abm.games import long_throw as lt
from tavern_abm.games.long_throw_odds import feet
from tavern_abm.patrons.competitor import Competitor, gather_sheets
from tavern_abm.tables import long_throw_words as words
from tavern_abm.tables.long_throw_told import PLAY, to_thrower
from tavern_abm.tables.telling import AtTable, Deciders, Dice, Told

STRONG = {name: Competitor(name, strength=18) for name in ("Ann", "Bo", "Cy")}


def table(
    players: Sequence[str] = ("Ann", "Bo", "Cy"),
    *,
    seed: int = 1,
    rounds: int = 1,
    stake_cp: int = 100,
    purses: Mapping[str, int] | None = None,
    rake_bp: int = 0,
    dice: Mapping[str, Sequence[int] | None] | None = None,
    sheets: Mapping[str, Competitor] | None = None,
    ask: Callable[[str], str] | None = None,
    asked: Sequence[str] = (),
    **options: Any,
) -> AtTable:
    return AtTable(
        players=players,
        seed=seed,
        rounds=rounds,
        stake_cp=stake_cp,
        purses=purses or {},
        rake_bp=rake_bp,
        dice=Dice(seed, players, dice, ask, "long-throw"),
        deciders=Deciders(seed, players, asked, ask),
        options=read_options(PLAY.options, options),
        sheets=gather_sheets(players, seed, STRONG if sheets is None else sheets),
    )


def told(*args: Any, **kw: Any) -> list[Told]:
    return list(PLAY.tell(table(*args, **kw)))


def of(kind: str, records: Sequence[Told]) -> list[Any]:
    """Facts of all records of a kind."""
    return [each.facts for each in records if each.kind == kind]


def texts(records: Sequence[Told]) -> str:
    return "\n".join(each.text for each in records)


def refused(*args: Any, **kw: Any) -> str:
    with pytest.raises(RefusedError) as error:
        told(*args, **kw)
    return f"{error.value.option}: {error.value}"


@st.composite
def tables(draw: st.DrawFn) -> AtTable:
    players = draw(st.lists(st.sampled_from("ABCDEFGHIJKL"), min_size=2, max_size=12, unique=True))
    feats = st.lists(st.sampled_from(["Far Shot", "Weapon Focus", "Run"]), unique=True)
    sheets = {
        name: Competitor(
            name,
            strength=draw(st.integers(10, 40)),
            dexterity=draw(st.integers(3, 30)),
            base_attack=draw(st.integers(0, 12)),
            size=draw(st.sampled_from(lt.SIZES)),
            feats=tuple(draw(feats)),
        )
        for name in players
    }
    sheets[players[0]] = Competitor(players[0], strength=20)
    sheets[players[1]] = Competitor(players[1], strength=20)
    style = draw(st.sampled_from(lt.STYLES))
    backers = st.dictionaries(
        st.sampled_from(["Zed", "Yan", "Xe"]), st.sampled_from(list(players[:2]))
    )
    return table(
        players,
        seed=draw(st.integers(0, 2**63)),
        rounds=draw(st.integers(1, 6)),
        stake_cp=draw(st.integers(1, 1000)),
        purses={draw(st.sampled_from(players)): draw(st.integers(1000, 3000))},
        rake_bp=draw(st.integers(0, 3000)),
        sheets=sheets,
        style=style,
        object="halfling" if style == "toss" else draw(st.sampled_from(["log", "javelin"])),
        backers=draw(backers),
        onlookers_bet=draw(st.booleans()),
    )


# ---------------------------------------------------------------- by the rules


def winners_of(records: Sequence[Told], at: AtTable, number: int) -> list[str]:
    """Who has won contest `number` by the rules, from the naturals that were told."""
    mine = [each for each in records if each.round == number]
    (opening,) = of("opening", mine)
    names = opening["throwers"]
    thing = of("announcement", records)[0]
    contest = lt.to_contest(
        thing["weight_lb"], thing["increment_ft"], thing["object"] == "javelin", at.options
    )
    throwers = {who: to_thrower(at.sheets[who]) for who in names}
    is_in = [1] * len(names)
    if contest.style != lt.PRECISION:
        results, winners = [0] * len(names), [0] * len(names)
        for i, throw in enumerate(of("throw", mine)):
            one = throwers[throw["thrower"]]
            assert throw["thrower"] == names[i]
            results[i] = lt.degree_of_success(throw["natural"], one, contest)
            assert results[i] == throw["result"]
            if contest.style != lt.CABER:
                assert throw["tenths_ft"] == lt.distance_tenths(throw["natural"], one, contest)
            is_in[i] = int(not throw.get("falls_short", False))
        lt.find_best(results, is_in, winners)
        return [who for who, won in zip(names, winners, strict=True) if won]
    for series in of("series", mine):
        assert sum(is_in) > 1
        has_hit = [0] * len(names)
        for throw in of("throw", mine):
            if throw["series"] != series["series"]:
                continue
            one, seat = throwers[throw["thrower"]], names.index(throw["thrower"])
            assert is_in[seat]
            if lt.can_reach(one, contest, series["series"]):
                modifier = lt.attack_modifier(one, contest, series["series"])
                has_hit[seat] = int(lt.hits(throw["natural"], modifier, 5))
            assert throw["hit"] == has_hit[seat]
        lt.after_series(is_in, has_hit)
    return [who for who, still in zip(names, is_in, strict=True) if still]


@given(tables())
def test_every_contest_is_by_the_rules_and_not_a_coin_is_lost(at: AtTable) -> None:
    records = list(PLAY.tell(at))
    net = dict.fromkeys([*at.players, *at.options["backers"]], 0)
    house = 0
    for result in (each for each in records if each.kind == "result"):
        winners = winners_of(records, at, result.round)
        assert result.facts["winners"] == winners
        mine = [each for each in records if each.round == result.round]
        (paid,) = of("payout", mine)
        throwers = of("opening", mine)[0]["throwers"]
        n_losers = len(throwers) - len(winners) if winners else 0
        assert paid["house_cp"] == rake(n_losers * at.stake_cp, at.rake_bp)
        assert all(
            (paid["net_cp"][who] >= 0) == (who in winners or not winners) for who in throwers
        )
        for each in [paid, *of("book", mine)]:
            assert sum(each["net_cp"].values()) + each["house_cp"] == 0
            house += each["house_cp"]
            for who, gain in each["net_cp"].items():
                net[who] += gain
    closing = records[-1]
    assert (closing.kind, closing.facts) == ("closing", {"net_cp": net, "house_cp": house})
    for who, purse in at.purses.items():
        assert purse + net[who] >= 0
    assert all(each.text == each.text.strip() and "\n" not in each.text for each in records)


@given(tables())
def test_the_same_seed_tells_the_same(at: AtTable) -> None:
    again = replace(at, dice=Dice(at.seed, at.players), deciders=Deciders(at.seed, at.players))
    assert list(PLAY.tell(at)) == list(PLAY.tell(again))


def test_names_do_not_matter() -> None:
    sheets = {name: replace(STRONG["Ann"], name=name) for name in "XYZ"}
    first = told(("Ann", "Bo", "Cy"), rounds=5)
    second = told(("X", "Y", "Z"), rounds=5, sheets=sheets)
    renamed = texts(first).replace("Ann", "X").replace("Bo", "Y").replace("Cy", "Z")
    assert renamed == texts(second)


# ---------------------------------------------------------------- far


def test_a_contest_by_hand() -> None:
    """Strength 18 and the log: +4 and a medium load, -3."""
    records = told(object="log", dice={"Ann": [12], "Bo": [9], "Cy": [2]})
    assert [each["result"] for each in of("throw", records)] == [13, 10, 3]
    assert [each["tenths_ft"] for each in of("throw", records)] == [20, 20, 6]
    assert of("result", records) == [{"winners": ["Ann"]}]
    assert records[-1].facts["net_cp"] == {"Ann": 200, "Bo": -100, "Cy": -100}
    assert "For Ann it is a medium load: -3 on every roll." in texts(records)
    assert re.search(r"Ann .*: 12 \+ 1 makes 13\. .* 2 ft\.", texts(records))


def test_tied_throwers_share() -> None:
    records = told(stake_cp=5, dice={"Ann": [9], "Bo": [9], "Cy": [2]})
    assert records[-1].facts["net_cp"] == {"Ann": 3, "Bo": 2, "Cy": -5}
    assert "Ann and Bo tie at 13 and share." in texts(records)


def test_far_shot_is_told() -> None:
    sheets = STRONG | {"Bo": Competitor("Bo", strength=18, feats=("Far Shot",))}
    records = told(sheets=sheets, dice={"Ann": [20], "Bo": [10], "Cy": [2]})
    assert of("throw", records)[1] == {
        "thrower": "Bo",
        "natural": 10,
        "modifier": 4,
        "result": 28,
        "tenths_ft": 400,
    }
    assert "10 + 4 makes 14, doubled by Far Shot to 28." in texts(records)


def test_a_shorter_throw_wins_by_far_shot_and_that_is_told() -> None:
    sheets = STRONG | {"Bo": Competitor("Bo", strength=18, feats=("Far Shot",))}
    records = told(sheets=sheets, dice={"Ann": [13], "Bo": [5], "Cy": [2]})
    assert [each["tenths_ft"] for each in of("throw", records)] == [200, 180, 60]
    assert of("result", records) == [{"winners": ["Bo"]}]
    assert "The highest check wins, however far it flies." in records[0].text
    assert (
        "Ann threw farther, but the check counts and not the feet, and Far Shot doubles Bo's."
        in texts(records)
    )


def test_of_two_as_far_the_better_check_wins_and_that_is_told() -> None:
    records = told(dice={"Ann": [16], "Bo": [17], "Cy": [2]})
    assert of("result", records) == [{"winners": ["Bo"]}]
    assert "Ann threw as far, but the check counts and not the feet." in texts(records)


def test_a_tie_may_be_thrown_off() -> None:
    dice = {"Ann": [9, 5, 12], "Bo": [9, 5, 3], "Cy": [2]}
    records = told(stake_cp=5, throw_off=True, dice=dice)
    assert [each["who"] for each in of("throw_off", records)] == [["Ann", "Bo"]] * 2
    assert [each["thrower"] for each in of("throw", records)] == ["Ann", "Bo", "Cy"] + 2 * [
        "Ann",
        "Bo",
    ]
    assert of("result", records) == [{"winners": ["Ann"]}]
    assert records[-1].facts["net_cp"] == {"Ann": 10, "Bo": -5, "Cy": -5}


def test_tosses_too_short_do_not_end_a_throw_off() -> None:
    dice = {"Ann": [14, 1, 15], "Bo": [14, 1, 1], "Cy": [1]}
    records = told(style="toss", throw_off=True, dice=dice)
    assert of("result", records) == [{"winners": ["Ann"]}]


def test_who_cannot_lift_is_told_and_does_not_throw() -> None:
    sheets = STRONG | {"Cy": Competitor("Cy", strength=12)}
    records = told(object="log", sheets=sheets)
    assert [each["thrower"] for each in of("throw", records)] == ["Ann", "Bo"]
    assert "130 lb are the most Cy can lift. No throw for Cy." in texts(records)
    assert records[-1].facts["net_cp"]["Cy"] == 0


# ---------------------------------------------------------------- thrown people


def landing(natural: int, die: int, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Any:
    """The landing of a throw by Ann: 10 ft at Strength 18, with the halfling's dice set."""
    house = {20: natural, 6: die, 4: 3}
    thrown = Dice.roll

    def roll(self: Dice, who: str, faces: int, what: str = "") -> int:
        return house[faces] if who == "the house" else thrown(self, who, faces, what)

    monkeypatch.setattr(Dice, "roll", roll)
    records = told(dice={"Ann": [10], "Bo": [1], "Cy": [1]}, object="halfling", **options)
    return next(iter(of("landing", records)), None), texts(records)


def test_a_thrown_halfling_takes_1d6(monkeypatch: pytest.MonkeyPatch) -> None:
    facts, text = landing(13, 5, monkeypatch)
    assert (facts["damage"], facts["struck_damage"]) == (5, 0)
    assert "5 points of damage." in text


def test_a_tumble_against_15_spares_the_halfling(monkeypatch: pytest.MonkeyPatch) -> None:
    facts, text = landing(14, 5, monkeypatch)
    assert (facts["damage"], facts["struck_damage"], facts["die"]) == (0, 0, 0)
    assert "The halfling tumbles (14 + 1 makes 15) and" in text


def test_against_a_wall_the_strength_bonus_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is struck takes as much, even if the halfling tumbles."""
    facts, text = landing(13, 5, monkeypatch, wall=10)
    assert (facts["damage"], facts["struck_damage"]) == (9, 9)
    assert "What was struck takes 9 points of damage." in text
    facts, _ = landing(14, 5, monkeypatch, wall=10)
    assert (facts["damage"], facts["struck_damage"]) == (0, 9)
    facts, _ = landing(13, 5, monkeypatch, wall=11)
    assert (facts["damage"], facts["is_solid"]) == (5, False)


def test_a_toss_too_short_is_pelted_and_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    _, text = landing(13, 5, monkeypatch, style="toss", stone_damage=2)
    assert "3 stones find Ann, 6 points of damage, and Ann has lost." in text
    assert "Not one has reached the hay, and so nobody wins." in text


def test_a_toss_into_the_hay_wins_and_may_be_soft() -> None:
    dice = {"Ann": [14], "Bo": [19], "Cy": [1]}
    records = told(style="toss", dice=dice)
    assert of("result", records) == [{"winners": ["Bo"]}]
    assert [each["thrower"] for each in of("pelted", records)] == ["Cy"]
    assert len(of("landing", records)) == 3
    soft = told(style="toss", dice=dice, soft_landing=True)
    assert len(of("landing", soft)) == 1


# ---------------------------------------------------------------- caber and precision


def test_the_caber_asks_for_dexterity() -> None:
    sheets = STRONG | {"Bo": Competitor("Bo", strength=18, dexterity=18)}
    records = told(style="caber", sheets=sheets, dice={"Ann": [12], "Bo": [10], "Cy": [2]})
    assert [each["result"] for each in of("throw", records)] == [9, 11, -1]
    assert of("result", records) == [{"winners": ["Bo"]}]


def test_precision_by_hand() -> None:
    """Series 1 all miss and stay; 2 Cy is out; 3 at 150 ft Bo is out."""
    dice = {"Ann": [12, 13, 15], "Bo": [1, 20, 14], "Cy": [2, 12]}
    records = told(style="precision", dice=dice)
    assert [each["distance_ft"] for each in of("series", records)] == [120, 120, 150]
    assert [each["out"] for each in of("series_end", records)] == [[], ["Cy"], ["Bo"]]
    assert of("result", records) == [{"winners": ["Ann"]}]
    assert "Bo: 20 - 8 makes 12 against AC 5; " in texts(records)


@pytest.mark.parametrize(
    ("natural", "modifier", "is_hit", "text"),
    [
        (20, -15, True, "20 - 15 makes 5 against AC 5"),
        (20, -16, True, "20 - 16 makes 4 against AC 5, but a 20 always hits"),
        (1, 4, False, "1 + 4 makes 5 against AC 5, but a 1 always misses"),
        (1, 0, False, "1 against AC 5"),
    ],
)
def test_the_rule_of_20_and_1_is_said_where_it_decides(
    natural: int, modifier: int, is_hit: bool, text: str
) -> None:
    assert words.aimed(natural, modifier, 5, is_hit) == text


def test_out_of_reach_they_share() -> None:
    misses = {name: [2] * 4 for name in STRONG}
    records = told(style="precision", dice=misses)
    assert of("result", records) == [{"winners": ["Ann", "Bo", "Cy"]}]
    assert "Ann, Bo and Cy cannot throw 180 ft and share." in texts(records)
    assert set(records[-1].facts["net_cp"].values()) == {0}


def test_who_cannot_reach_has_missed() -> None:
    sheets = STRONG | {"Bo": Competitor("Bo", feats=("Far Shot",))}
    dice = {"Ann": [2] * 4, "Bo": [2] * 4 + [11], "Cy": [2] * 4}
    records = told(style="precision", sheets=sheets, dice=dice)
    assert "Ann cannot throw so far; that is a miss." in texts(records)
    assert of("result", records) == [{"winners": ["Bo"]}]


# ---------------------------------------------------------------- money


def test_onlookers_back_and_the_book_pays() -> None:
    records = told(
        dice={"Ann": [20], "Bo": [1], "Cy": [1]},
        backers={"Zed": "Ann", "Yan": "Bo", "Xe": "Bo"},
        rake_bp=500,
    )
    assert of("book", records)[0]["net_cp"] == {"Zed": 190, "Yan": -100, "Xe": -100}
    assert records[-1].facts["net_cp"] == {
        "Ann": 190,
        "Bo": -100,
        "Cy": -100,
        "Zed": 190,
        "Yan": -100,
        "Xe": -100,
    }
    assert records[-1].facts["house_cp"] == 20


def test_the_book_pays_in_proportion_to_bets() -> None:
    backers = {"Zed": "Ann:3 sp", "Yan": "Ann:1 sp", "Xe": "Bo:2 sp"}
    records = told(dice={"Ann": [20], "Bo": [1], "Cy": [1]}, backers=backers)
    assert of("bet", records)[0] == {"onlooker": "Zed", "backs": "Ann", "bet_cp": 30}
    assert "Zed lays 3 sp on Ann." in texts(records)
    assert of("book", records)[0]["net_cp"] == {"Zed": 15, "Yan": 5, "Xe": -20}


def test_a_bet_on_who_does_not_throw_is_named() -> None:
    records = told(
        backers={"Zed": "Ann"}, asked=("Ann",), ask=lambda q: "no" if "throw" in q else "0"
    )
    assert "Zed's bet on Ann was never laid: Ann had no throw." in texts(records)


def test_who_cannot_lift_may_back() -> None:
    sheets = STRONG | {"Cy": Competitor("Cy", strength=12)}
    records = told(object="log", sheets=sheets, backers={"Cy": "Ann"})
    assert of("bet", records) == [{"onlooker": "Cy", "backs": "Ann", "bet_cp": 100}]
    bets = [
        each["backs"]
        for seed in range(20)
        for each in of("bet", told(object="log", sheets=sheets, onlookers_bet=True, seed=seed))
    ]
    assert set(bets) == {"Ann", "Bo"}


def test_who_runs_out_looks_on() -> None:
    records = told(
        ("Ann", "Bo"), rounds=3, purses={"Ann": 150}, dice={"Ann": [1, 1, 1], "Bo": [20, 20, 20]}
    )
    assert "Ann can no longer cover the stake and looks on." in texts(records)
    assert records[-1].facts["net_cp"] == {"Ann": -100, "Bo": 100}


def test_people_decide_for_themselves() -> None:
    answers = iter(["no", "2"])
    sheets = STRONG | {"Cy": Competitor("Cy", strength=12)}
    players = ("Ann", "Bo", "Cy", "Di")
    sheets["Di"] = Competitor("Di", strength=18)
    records = told(
        players,
        object="log",
        sheets=sheets,
        asked=("Ann", "Cy"),
        ask=lambda question: next(answers) if "Cy" not in question else "2",
    )
    assert "Ann would rather look on." in texts(records)
    assert of("opening", records)[0]["throwers"] == ["Bo", "Di"]
    assert [each["onlooker"] for each in of("bet", records)] == ["Ann", "Cy"]


# ---------------------------------------------------------------- refused


def test_an_object_nobody_or_only_one_can_lift() -> None:
    weak = {name: Competitor(name, strength=12) for name in STRONG}
    text = refused(object="log", sheets=weak)
    assert "Cy cannot lift the log: 150 lb is above Cy's maximum load of 130 lb" in text
    assert text.endswith("a contest needs two who can lift it, and nobody can (long-throw)")
    text = refused(object="log", sheets=weak | {"Ann": STRONG["Ann"]})
    assert text.endswith("needs two who can lift it, and only Ann can lift it (long-throw)")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"purses": {"Bo": 99}}, "purses: Bo cannot cover the stake of 1 gp with 9 sp 9 cp"),
        ({"object": "anvil"}, "object: no such object: 'anvil'"),
        ({"style": "toss", "object": "log"}, "object: a toss needs a person to toss"),
        ({"wall": 10}, "wall: a wall hurts people, and the stone is none"),
        ({"tumble": 4}, "tumble: people tumble, and the stone is none"),
        (
            {"style": "caber", "object": "halfling", "wall": 10},
            "wall: it goes with the styles far and toss, not with caber (long-throw)",
        ),
        (
            {"style": "precision", "distance": 30},
            "distance: it goes with the style toss, not with precision (long-throw)",
        ),
        ({"soft_landing": True}, "soft_landing: it goes with the style toss, not with far"),
        ({"stone_damage": 2}, "stone_damage: it goes with the style toss, not with far"),
        ({"backers": {"Zed": "Nobody"}}, "backers: Zed cannot back Nobody; they throw: Ann, Bo"),
        ({"backers": {"Ann": "Bo"}}, "backers: Ann throws and cannot back anybody"),
        ({"style": "precision", "throw_off": True}, "throw_off: a throw-off is for tied checks"),
        (
            {"style": "precision", "target_increments": 11},
            "target_increments: nobody can throw the javelin 330 ft",
        ),
    ],
)
def test_what_makes_no_sense(options: Mapping[str, Any], message: str) -> None:
    assert refused(**options).startswith(message)


def test_a_face_the_die_does_not_have() -> None:
    assert "a d20 has no face 21 (a Strength check with the stone)" in refused(dice={"Ann": [21]})


# ---------------------------------------------------------------- sentences


@pytest.mark.parametrize("style", lt.STYLES)
def test_sentences_say_what_records_hold(style: str) -> None:
    for seed in range(30):
        for each in told(style=style, seed=seed, rake_bp=700, backers={"Zed": "Ann", "Yan": "Bo"}):
            facts, text = each.facts, each.text
            if each.kind == "throw":
                assert text.startswith(facts["thrower"])
                assert facts["natural"] is None or str(facts["natural"]) in text
                if facts.get("tenths_ft"):
                    assert f" {feet(facts['tenths_ft'])} ft" in text
            if each.kind == "landing" and facts["damage"]:
                assert f" {facts['damage']} point" in text
            if each.kind in ("payout", "book"):
                for who, net in facts["net_cp"].items():
                    assert net <= 0 or f"{who} gains {show(net)}" in text
            assert not re.search(r"\b1 points\b|  |\.\.|\b(a) [aeio]", text)
