"""Arm wrestling told at the table: given dice, the line, tiredness, hurts and coins."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavern_abm.asking import RefusedError, read_options
from tavern_abm.patrons.competitor import Competitor, gather_sheets
from tavern_abm.tables import arm_wrestling_words as words
from tavern_abm.tables.arm_wrestling_told import OPTIONS, PLAY, tell
from tavern_abm.tables.telling import AtTable, Deciders, Dice, Told

Roster = Mapping[str, Competitor]
PLAIN = {name: Competitor(name) for name in ("Ann", "Bo", "Cy", "Di")}


def sit(
    *players: str,
    dice: Mapping[str, Sequence[int]] | None = None,
    roster: Roster = PLAIN,
    rounds: int = 1,
    seed: int = 1,
    stake_cp: int = 10,
    purses: Mapping[str, int] | None = None,
    rake_bp: int = 0,
    ask: Callable[[str], str] | None = None,
    **options: Any,
) -> AtTable:
    return AtTable(
        players=players,
        seed=seed,
        rounds=rounds,
        stake_cp=stake_cp,
        purses=purses or {},
        rake_bp=rake_bp,
        dice=Dice(seed, players, dice, None, "arm-wrestling"),
        deciders=Deciders(seed, players, players if ask else (), ask),
        options=read_options(OPTIONS, options),
        sheets=gather_sheets(players, seed, roster),
    )


def of_kind(told: Sequence[Told], kind: str) -> list[Told]:
    return [each for each in told if each.kind == kind]


def play(*players: str, **how: Any) -> list[Told]:
    return list(tell(sit(*players, **how)))


SLAM = {"Ann": [20, 20], "Bo": [1, 10]}


# ---------------------------------------------------------------- a bout


def test_a_bout_with_given_dice() -> None:
    told = play("Ann", "Bo", dice={"Ann": [12, 5, 20], "Bo": [5, 15, 1]}, target=15)
    leads = [each.facts["lead"] for each in of_kind(told, "round")]
    assert leads == [7, -3, 16]
    assert "A lead of 7: Bo's hand is a quarter of the way down." in told[1].text
    assert told[-1].facts["net_cp"] == {"Ann": 10, "Bo": -10}
    (result,) = of_kind(told, "result")
    assert result.facts == {"winner": "Ann", "by": "lead"}
    assert result.lifts == {"a": "Ann", "b": "Bo", "winner": "Ann", "n_rounds": 3, "lead": 16}


def test_modifiers_come_from_the_sheets() -> None:
    roster = PLAIN | {"Ann": Competitor("Ann", strength=16, constitution=13, feats=("Endurance",))}
    told = play("Ann", "Bo", dice=SLAM, roster=roster)
    assert told[0].facts["a"] == {
        "name": "Ann",
        "modifier": 3,
        "free_rounds": 13,
        "check_modifier": 5,
        "weighs": [],
    }
    assert told[1].facts["lead"] == 22


def test_a_constitution_check_is_made_and_told() -> None:
    roster = {"Ann": Competitor("Ann", constitution=1), "Bo": Competitor("Bo")}
    told = play("Ann", "Bo", roster=roster, dice={"Ann": [10, 18, 10, 9], "Bo": [10, 12]})
    checks = of_kind(told, "check")
    assert [(each.facts["dc"], each.facts["passed"]) for each in checks] == [
        (10, True),
        (11, False),
    ]
    assert checks[0].text.startswith("Ann tires, 18 - 5 = 13 against DC 10.")
    (result,) = of_kind(told, "result")
    assert result.facts == {"winner": "Bo", "by": "fatigue"}
    assert of_kind(told, "tired")[0].facts == {"who": ["Ann"]}
    assert told[-1].facts["tired"] == ["Ann"]


@pytest.mark.parametrize(("bo", "winner"), [(8, "Ann"), (12, "Bo"), (10, None)])
def test_both_give_out(bo: int, winner: str | None) -> None:
    weak = {name: Competitor(name, constitution=1) for name in ("Ann", "Bo")}
    told = play("Ann", "Bo", roster=weak, dice={"Ann": [10, 1], "Bo": [bo, 1]})
    (result,) = of_kind(told, "result")
    assert result.facts == {"winner": winner, "by": "fatigue"}
    if winner is None:
        assert told[-1].facts["net_cp"] == {"Ann": 0, "Bo": 0}
        assert of_kind(told, "payout")[0].text == "Both take back their stakes."
    assert of_kind(told, "tired")[0].text == "Ann and Bo wrestle at -2 until rested for a minute."


# ---------------------------------------------------------------- from bout to bout


WEAK = {"Ann": Competitor("Ann", constitution=1), "Bo": Competitor("Bo"), "Cy": Competitor("Cy")}
GIVES_OUT = {"Ann": [10, 1], "Bo": [10]}


def modifiers(told: Sequence[Told]) -> list[dict[str, int]]:
    opened = of_kind(told, "opening")
    return [{each.facts[k]["name"]: each.facts[k]["modifier"] for k in "ab"} for each in opened]


def test_the_tired_stay_tired_without_rest() -> None:
    told = play("Ann", "Bo", roster=WEAK, dice=GIVES_OUT, rounds=2)
    assert modifiers(told) == [{"Ann": 0, "Bo": 0}, {"Bo": 0, "Ann": -2}]
    assert "Ann: -2 (tired), good for 1 round." in of_kind(told, "opening")[1].text


def test_the_option_rest_gives_them_a_minute() -> None:
    told = play("Ann", "Bo", roster=WEAK, dice=GIVES_OUT, rounds=2, rest=True)
    assert modifiers(told)[1] == {"Bo": 0, "Ann": 0}
    assert not of_kind(told, "tired")


@pytest.mark.parametrize(("n_rounds", "modifier"), [(9, -2), (10, 0)])
def test_ten_rounds_of_others_are_a_minutes_rest(n_rounds: int, modifier: int) -> None:
    """Ann waits while Bo and Cy wrestle so many rounds; then she meets the winner."""
    bo = [10, *[10] * (n_rounds - 1), 20]
    cy = [*[10] * (n_rounds - 1), 1]
    dice = {"Ann": [10, 1], "Bo": bo, "Cy": cy}
    told = play("Ann", "Bo", "Cy", roster=WEAK, dice=dice, rounds=3, target=10)
    assert of_kind(told, "result")[1].lifts["n_rounds"] == n_rounds
    assert modifiers(told)[2] == {"Bo": 0, "Ann": modifier}


def test_the_winner_stays_and_the_next_in_line_challenges() -> None:
    told = play("Ann", "Bo", "Cy", "Di", rounds=12)
    line, expected = ["Ann", "Bo", "Cy", "Di"], []
    for result in of_kind(told, "result"):
        a, b = line[:2]
        expected.append((a, b))
        loser = a if result.facts["winner"] == b else b
        line = [a if loser == b else b, *line[2:], loser]
    assert [(each.lifts["a"], each.lifts["b"]) for each in of_kind(told, "result")] == expected
    assert len(set(expected)) > 3


def test_two_players_wrestle_each_other_every_time() -> None:
    told = play("Ann", "Bo", rounds=5)
    assert [{each.lifts["a"], each.lifts["b"]} for each in of_kind(told, "result")] == [
        {"Ann", "Bo"}
    ] * 5


# ---------------------------------------------------------------- variants


def test_the_off_hand() -> None:
    roster = PLAIN | {"Bo": Competitor("Bo", feats=("Two-Weapon Fighting",))}
    told = play("Ann", "Bo", hand="off", dice=SLAM, roster=roster)
    assert modifiers(told) == [{"Ann": -2, "Bo": 0}]
    assert "clasp left hands" in told[0].text
    assert "Ann: -2 (off hand), good for 10 rounds." in told[0].text


def test_the_left_handed_have_it_the_other_way() -> None:
    assert modifiers(play("Ann", "Bo", left_handed=("Ann",))) == [{"Ann": -2, "Bo": 0}]
    off = play("Ann", "Bo", left_handed=("Ann",), hand="off")
    assert modifiers(off) == [{"Ann": 0, "Bo": -2}]


@pytest.mark.parametrize("surface", ["spikes", "flames"])
def test_spikes_and_flames_hurt_the_loser(surface: str) -> None:
    roster = PLAIN | {"Ann": Competitor("Ann", strength=14)}
    told = play("Ann", "Bo", surface=surface, roster=roster, dice={"Ann": [20, 3], "Bo": [1]})
    (damage,) = of_kind(told, "damage")
    assert damage.facts == {"who": "Bo", "natural": 3, "bonus": 2, "damage": 5, "is_injured": True}
    assert "3 + 2 = 5 damage" in damage.text
    assert told[-1].facts["injured"] == ["Bo"]


def test_a_weak_winner_takes_nothing_off_the_damage() -> None:
    roster = PLAIN | {"Ann": Competitor("Ann", strength=6)}
    told = play(
        "Ann", "Bo", surface="spikes", roster=roster, dice={"Ann": [20, 19, 3], "Bo": [1, 1]}
    )
    assert of_kind(told, "damage")[0].facts["damage"] == 3


def test_a_draw_hurts_nobody() -> None:
    weak = {name: Competitor(name, constitution=1) for name in ("Ann", "Bo")}
    told = play("Ann", "Bo", roster=weak, surface="flames", dice={"Ann": [5, 1], "Bo": [5, 1]})
    assert not of_kind(told, "damage")


@pytest.mark.parametrize(("weighs", "modifier"), [(False, 0), (True, -2)])
def test_whether_an_injured_hand_weighs_on_the_next_bout(weighs: bool, modifier: int) -> None:
    dice = {"Ann": [20, 20, 3], "Bo": [1, 1]}
    told = play("Ann", "Bo", surface="spikes", dice=dice, rounds=2, injury_weighs=weighs)
    assert modifiers(told)[1]["Bo"] == modifier


@pytest.mark.parametrize("style", ["mage-hand", "bigbys-hand"])
def test_spectral_hands_go_by_caster_level(style: str) -> None:
    roster = PLAIN | {"Ann": Competitor("Ann", caster_level=7, constitution=12)}
    told = play("Ann", "Bo", style=style, caster_levels={"Bo": 3}, roster=roster)
    assert modifiers(told) == [{"Ann": 7, "Bo": 3}]
    assert told[0].facts["a"]["free_rounds"] == 12


def test_minds_go_by_intelligence_and_wisdom() -> None:
    ann = Competitor("Ann", intelligence=15, wisdom=3, constitution=18, feats=("Endurance",))
    told = play("Ann", "Bo", style="mental", roster=PLAIN | {"Ann": ann}, seed=3)
    assert told[0].facts["a"] | {"weighs": 0} == {
        "name": "Ann",
        "modifier": 2,
        "free_rounds": 3,
        "check_modifier": -4,
        "weighs": 0,
    }
    assert not of_kind(told, "damage")


def test_minds_may_be_damaged_where_the_house_says_so() -> None:
    roster = PLAIN | {"Ann": Competitor("Ann", intelligence=16)}
    dice = {"Ann": [20, 4], "Bo": [1]}
    told = play("Ann", "Bo", style="mental", mental_damage=True, roster=roster, dice=dice)
    (damage,) = of_kind(told, "damage")
    assert (damage.facts["damage"], damage.facts["is_injured"]) == (7, False)
    assert told[-1].facts["injured"] == []


# ---------------------------------------------------------------- coins


def test_the_house_takes_its_rake_of_the_losers_stake() -> None:
    told = play("Ann", "Bo", dice=SLAM, stake_cp=100, rake_bp=500)
    assert told[-1].facts["net_cp"] == {"Ann": 95, "Bo": -100}
    assert told[-1].facts["house_cp"] == 5


def test_backers_bet_in_the_book() -> None:
    backers = {"Zed": "Ann", "Yan": "Bo", "Xu": "Bo"}
    told = play("Ann", "Bo", dice={"Ann": [20, 20], "Bo": [1, 1]}, backers=backers, rake_bp=1000)
    assert [each.text for each in of_kind(told, "bet")] == [
        "Zed lays 1 sp on Ann.",
        "Yan lays 1 sp on Bo.",
        "Xu lays 1 sp on Bo.",
    ]
    net = {"Ann": 9, "Bo": -10, "Zed": 18, "Yan": -10, "Xu": -10}
    assert told[-1].facts["net_cp"] == net
    assert told[-1].facts["house_cp"] == 3


def test_backers_share_in_proportion_to_their_bets() -> None:
    backers = {"Zed": "Ann:3 sp", "Yan": "Ann", "Xu": "Bo:2 sp"}
    told = play("Ann", "Bo", dice=SLAM, backers=backers)
    assert of_kind(told, "bet")[0].text == "Zed lays 3 sp on Ann."
    assert of_kind(told, "bet")[2].facts == {"who": "Xu", "on": "Bo", "bet_cp": 20}
    assert of_kind(told, "book")[0].facts["net_cp"] == {"Zed": 15, "Yan": 5, "Xu": -20}


def test_a_bet_that_was_never_laid_is_named() -> None:
    backers = {"Zed": "Cy", "Ann": "Bo", "Yan": "Ann"}
    told = play("Ann", "Bo", "Cy", dice=SLAM, backers=backers)
    assert [each.text for each in of_kind(told, "not_laid")] == [
        "Zed's bet on Cy was never laid: Cy had no bout.",
        "Ann's bet on Bo was never laid: Bo had no bout that Ann could bet on.",
    ]


def test_backers_bet_only_while_their_man_wrestles() -> None:
    told = play("Ann", "Bo", "Cy", backers={"Zed": "Cy", "Cy": "Ann"}, rounds=6)
    for number in range(1, 7):
        pair = {
            each.lifts[k] for each in of_kind(told, "result") for k in "ab" if each.round == number
        }
        laid = {e.facts["who"]: e.facts["on"] for e in of_kind(told, "bet") if e.round == number}
        assert laid == {
            who: on
            for who, on in {"Zed": "Cy", "Cy": "Ann"}.items()
            if on in pair and who not in pair
        }


def test_players_who_wait_may_bet() -> None:
    told = play("Ann", "Bo", "Cy", "Di", onlookers_bet=True, rounds=8)
    betting = {each.facts["who"] for each in of_kind(told, "bet")}
    assert betting
    assert not of_kind(play("Ann", "Bo", "Cy", "Di", rounds=8), "bet")


def test_who_has_no_stake_left_stands_down() -> None:
    told = play("Ann", "Bo", "Cy", dice=SLAM, purses={"Bo": 15, "Ann": 25}, rounds=3)
    stood = of_kind(told, "stands_down")
    assert stood[0].facts == {"who": "Bo"}
    assert stood[0].round == 2
    assert all("Bo" not in each for each in modifiers(told)[1:])


def test_it_ends_when_only_one_can_pay() -> None:
    told = play("Ann", "Bo", purses={"Ann": 10, "Bo": 10}, rounds=50)
    assert len(of_kind(told, "opening")) < 50
    assert sorted(told[-1].facts["net_cp"].values()) == [-10, 10]


# ---------------------------------------------------------------- decisions


def test_whoever_is_asked_may_decline() -> None:
    answers = iter(["no", "yes", "yes", "neither"])
    told = play("Ann", "Bo", "Cy", ask=lambda question: next(answers), dice=SLAM)
    (declines,) = of_kind(told, "declines")
    assert declines.facts == {"who": "Bo", "against": "Ann"}
    assert declines.text == "Bo would rather not take on Ann."
    assert modifiers(told)[0].keys() == {"Ann", "Cy"}
    assert not of_kind(told, "bet")


def test_the_holder_may_decline_too_and_meets_the_next() -> None:
    """Bo will wrestle Ann, but not she him; both she and Cy are willing."""
    asked = []

    def answer(question: str) -> str:
        asked.append(question)
        if "wrestle" not in question:
            return "neither"
        return "no" if question.startswith("Ann, Bo") else "yes"

    told = play("Ann", "Bo", "Cy", ask=answer, dice=SLAM)
    assert asked[:2] == [
        "Bo, wrestle Ann for 1 sp? [yes/no]",
        "Ann, Bo challenges you; wrestle for 1 sp? [yes/no]",
    ]
    assert of_kind(told, "declines")[0].facts == {"who": "Ann", "against": "Bo"}
    assert modifiers(told)[0].keys() == {"Ann", "Cy"}


def test_the_table_passes_on_from_whom_nobody_takes_on() -> None:
    """Nobody wrestles Ann; Bo holds the table next, and the bout that comes is the first."""

    def answer(question: str) -> str:
        if "wrestle" not in question:
            return "neither"
        return "no" if "Ann" in question else "yes"

    told = play("Ann", "Bo", "Cy", ask=answer)
    passed = of_kind(told, "no_bout")[0]
    assert passed.text == "There is no bout against Ann, and the table passes to Bo."
    assert (told[-1].kind, passed.round) == ("closing", 1)
    opening = of_kind(told, "opening")[0]
    assert opening.facts["bout"] == 1
    assert {opening.facts[side]["name"] for side in "ab"} == {"Bo", "Cy"}


def test_waiting_players_are_asked_whom_they_back() -> None:
    asked = []

    def answer(question: str) -> str:
        asked.append(question)
        return "yes" if "wrestle" in question else "bo"

    told = play("Ann", "Bo", "Cy", ask=answer)
    assert asked[0] == "Bo, wrestle Ann for 1 sp? [yes/no]"
    assert asked[2] == "Cy, 1 sp on Ann, on Bo, or neither? [ann/bo/neither]"
    assert of_kind(told, "bet")[0].facts == {"who": "Cy", "on": "Bo", "bet_cp": 10}


def test_nobody_wants_to() -> None:
    told = play("Ann", "Bo", ask=lambda question: "no", rounds=2)
    kinds = ["declines", "no_bout"] * 2 + ["called_off", "closing"]
    assert [each.kind for each in told] == kinds
    assert told[-1].facts["net_cp"] == {"Ann": 0, "Bo": 0}


def test_the_choosy_shun_a_giant() -> None:
    giant = PLAIN | {"Ann": Competitor("Ann", strength=40)}
    refused = [
        bool(of_kind(play("Ann", "Bo", roster=giant, choosy=True, seed=seed), "no_bout"))
        for seed in range(20)
    ]
    assert sum(refused) >= 16
    assert not of_kind(play("Ann", "Bo", roster=giant, rounds=10), "no_bout")


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        ({"purses": {"Bo": 9}}, r"Bo cannot cover the stake of 1 sp with 9 cp \(arm-wrestling\)"),
        ({"style": "mage-hand"}, "Ann has no caster level: mage-hand bouts of arm-wrestling"),
        ({"style": "mental", "hand": "off"}, "mental bouts of arm-wrestling"),
        ({"style": "mental", "surface": "spikes"}, "mental bouts of arm-wrestling"),
        ({"mental_damage": True}, "mental bouts of arm-wrestling alone"),
        ({"left_handed": ("Zed",)}, "nobody here is called 'Zed'; there are Ann, Bo"),
        ({"style": "mage-hand", "caster_levels": {"Zed": 1}}, "nobody here is called 'Zed'"),
        (
            {"caster_levels": {"Ann": 3}},
            "go with the styles mage-hand and bigbys-hand, not with arm",
        ),
        ({"style": "mental", "left_handed": ("Bo",)}, "it goes with the style arm"),
        ({"backers": {"Ann": "Bo"}}, "of two who wrestle nobody looks on, and Ann cannot bet"),
        ({"backers": {"Zed": "Yan"}}, "Zed cannot back Yan; they wrestle: Ann, Bo"),
        ({"backers": {"Ann": "Ann"}}, r"Ann wrestles and cannot back Ann \(arm-wrestling\)"),
        (
            {"backers": {"Ann": "Bo:2 gp"}, "purses": {"Ann": 150}},
            "Ann cannot cover the bet of 2 gp with 1 gp 5 sp",
        ),
        ({"dice": {"Bo": [21]}}, r"throw 1 of Bo in arm-wrestling: a d20 has no face 21"),
    ],
)
def test_what_cannot_be_played_is_refused(how: dict[str, Any], problem: str) -> None:
    with pytest.raises(RefusedError, match=problem):
        play("Ann", "Bo", **how)


# ---------------------------------------------------------------- always


@settings(max_examples=40)
@given(
    st.integers(0, 2**32),
    st.integers(2, 12),
    st.integers(1, 8),
    st.integers(0, 10_000),
    st.booleans(),
    st.booleans(),
)
def test_not_a_coin_is_made_or_lost_and_nobody_is_in_debt(
    seed: int, n: int, rounds: int, rake_bp: int, choosy: bool, bet: bool
) -> None:
    players = [f"P{i}" for i in range(n)]
    purses = dict.fromkeys(players, 25)
    told = play(
        *players, seed=seed, rounds=rounds, purses=purses, rake_bp=rake_bp, roster={},
        choosy=choosy, onlookers_bet=bet, backers={"Zed": "P1"},
    )  # fmt: skip
    facts = told[-1].facts
    assert sum(facts["net_cp"].values()) + facts["house_cp"] == 0
    assert all(facts["net_cp"][name] >= -25 for name in players)
    assert all(each.text or each.kind == "closing" for each in told)
    paid = [each.facts for each in told if each.kind in ("payout", "book")]
    assert sum(each["house_cp"] for each in paid) == facts["house_cp"]


def test_the_same_seed_plays_the_same_and_names_do_not_matter() -> None:
    one, same = play("Ann", "Bo", "Cy", rounds=5), play("Ann", "Bo", "Cy", rounds=5)
    assert one == same
    other = play("X", "Y", "Z", rounds=5, roster={n: replace(PLAIN["Ann"], name=n) for n in "XYZ"})
    renamed = dict(zip(["Ann", "Bo", "Cy"], "XYZ", strict=True))
    assert [renamed.get(str(e.facts["winner"])) for e in of_kind(one, "result")] == [
        e.facts["winner"] for e in of_kind(other, "result")
    ]


def test_no_wording_is_longer_than_a_breath() -> None:
    for told in (words.HANDS, words.MINDS, words.PINNED, words.GIVES_OUT, words.HOLDS_OUT):
        for wordings in told.values():
            assert all(0 < len(each) < 70 for each in wordings)


def test_it_is_what_the_command_plays() -> None:
    assert (PLAY.seats, PLAY.has_sheets, PLAY.has_stakes) == ((2, 12), True, True)


@pytest.mark.parametrize("style", ["arm", "mage-hand", "bigbys-hand", "mental"])
def test_every_style_has_all_its_words(style: str) -> None:
    assert (style, "table") in words.SCENES
    assert all(style in told for told in (words.PINNED, words.GIVES_OUT, words.HOLDS_OUT))
