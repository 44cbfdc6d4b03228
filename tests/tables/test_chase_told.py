"""A told chase is a chase by the rules, and ways and tactics are what they were said to be."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.asking import RefusedError
from tavern_abm.cli.play import play
from tavern_abm.data_tables import DataError
from tavern_abm.games import chase as rules
from tavern_abm.games import race_sheet
from tavern_abm.patrons.competitor import Competitor
from tavern_abm.tables import chase_told
from tavern_abm.tables import chase_words as words
from tavern_abm.tables.chase import PLAY, Plan
from tavern_abm.tables.chase_going import Tactic, check_modifier, pace_modifier
from tavern_abm.tables.chase_ways import Way, load_ways, on_offer, shipped_ways
from tavern_abm.tables.telling import AtTable, Deciders, Dice, Told

STREET = Way("street", "down a busy street")
MEADOW = Way("meadow", "over a meadow", is_open=True)
WALL = Way("wall", "over a wall", obstacle="a wall", check="climb", dc=15, failing="retry")
GATE = Way("gate", "through a gate", obstacle="a gate", check="strength", dc=18)
MUD = Way("mud", "through mud", obstacle="mud", check="balance", dc=12, failing="slowed")
ROOF = Way(
    "roof", "off a roof", obstacle="a drop", check="jump", dc=15, failing="hurt", damage=(2, 6)
)
CART = Way(
    "cart", "down the hill", "driven", obstacle="a barrow", check="ride", dc=20, failing="slowed",
    damage=(2, 6),
)  # fmt: skip
ROAD = Way("road", "down the road", "mounted")
IVY = Way("ivy", "up the ivy", kind="climb", check="climb", dc=13, failing="retry")
RALF = Competitor("Ralf", strength=14, dexterity=14, hide=5)
GUARD = Competitor("Guard", strength=12, spot=1)


def tell(
    way: Way | None = None,
    dice: dict[str, list[int]] | None = None,
    people: tuple[Competitor, Competitor] = (RALF, GUARD),
    seed: int = 1,
    rounds: int = 1,
    answers: list[str] | None = None,
    tmp: Path | None = None,
    **options: Any,
) -> list[Told]:
    """Records of a chase over one and the same way."""
    names = [each.name for each in people]
    lines = iter(answers or [])
    if way is not None:
        assert tmp is not None
        options |= {"ways": str(write(tmp, way)), "choices": 1}
    table = AtTable(
        names,
        seed,
        rounds,
        0,
        {},
        0,
        Dice(seed, names, dice, None, "chase"),
        Deciders(seed, names, names[:1] if answers else (), lambda question: next(lines)),
        {option.name: option.default for option in PLAY.options} | options,
        {each.name: each for each in people},
    )
    return list(PLAY.tell(table))


def write(folder: Path, *ways: Way) -> Path:
    path = folder / "ways.toml"
    text = ""
    for way in ways:
        fields = {"name": way.name, "path": way.path, "kind": way.kind, "obstacle": way.obstacle}
        fields |= {"check": way.check, "dc": way.dc or None}
        text += "[[ways]]\n" + "".join(
            f"{key} = {json.dumps(value)}\n" for key, value in fields.items() if value is not None
        )
        text += f"open = {str(way.is_open).lower()}\n"
        if way.can_choose:
            text += 'damage_is = "choice"\n'
        if way.damage[0]:
            text += f'damage = "{way.damage[0]}d{way.damage[1]}"\n'
        if way.dc and way.failing != "hurt":
            text += f'failing = "{way.failing}"\n'
    path.write_text(text, "utf-8")
    return path


def facts(told: list[Told], kind: str) -> list[dict[str, Any]]:
    return [dict(each.facts) for each in told if each.kind == kind]


def leads(told: list[Told]) -> list[int]:
    return [each["lead"] for each in facts(told, "lead")]


# ---------------------------------------------------------------- the worked example

# Ralf: Dexterity, Strength, Hide; the guard: Balance, Spot.
WORKED = {"Ralf": [16, 4, 12], "Guard": [7, 10]}


def test_the_worked_example_as_it_is_printed(tmp_path: Path) -> None:
    told = tell(
        STREET,
        WORKED,
        lead=12,
        hazard_base_cost=0,
        tactics=Plan().read("hazard 4, hide"),
        tmp=tmp_path,
    )
    (hazard,) = facts(told, "hazard")
    assert (hazard["cost"], hazard["lead"], hazard["made"]) == (4, 8, True)
    assert facts(told, "hampered")[0]["cleared"] is False
    assert [each["gained"] for each in facts(told, "pace")] == [12]
    assert leads(told) == [20]
    assert facts(told, "hide")[0]["hidden"] is True
    (end,) = facts(told, "end")
    assert (end["ended"], end["how"], end["increments"]) == ("away", "hidden", 2)


def test_the_worked_example_by_the_rule(tmp_path: Path) -> None:
    plan = Plan().read("hazard 4, run")
    told = tell(STREET, WORKED, lead=12, tactics=plan, max_increments=1, tmp=tmp_path)
    assert [(each["cost"], each["lead"]) for each in facts(told, "hazard")] == [(9, 3)]
    assert leads(told) == [15]
    with pytest.raises(
        RefusedError, match="Ralf cannot hide in increment 2: a lead of 15"
    ) as error:
        tell(STREET, WORKED, lead=12, tactics=Plan().read("hazard 4, hide"), tmp=tmp_path)
    assert error.value.option == "tactics"


@pytest.mark.parametrize(
    ("base_cost", "words_"), [("0", "hidden and is gone"), ("5", "cannot hide")]
)
def test_the_worked_example_at_the_command(tmp_path: Path, base_cost: str, words_: str) -> None:
    roster = tmp_path / "people.toml"
    roster.write_text(
        '[[people]]\nname = "Ralf"\nstrength = 14\ndexterity = 14\nhide = 5\n'
        '[[people]]\nname = "Guard"\nspot = 1\n'
    )
    result = run(
        *("--players", "Ralf,Guard", "--roster", str(roster), "--lead", "12"),
        *("--ways", str(write(tmp_path, STREET)), "--tactics", "hazard 4,hide"),
        *("--hazard-base-cost", base_cost, "--dice", "Ralf=16 4 12,Guard=7 10"),
    )
    assert words_ in result.stdout + result.stderr
    assert (result.exit_code == 0) == (base_cost == "0")
    if base_cost == "0":
        assert "the lead is 8" in result.stdout
        assert "20" in result.stdout
        assert result.stderr == ""


# ---------------------------------------------------------------- starts


def test_the_escapee_throws_initiative(tmp_path: Path) -> None:
    told = tell(STREET, {"Ralf": [14]}, tmp=tmp_path)
    assert facts(told, "start")[0]["lead"] == 16
    told = tell(STREET, {"Ralf": [1]}, (Competitor("Ralf", dexterity=8), GUARD), tmp=tmp_path)
    assert [each.kind for each in told] == ["start", "end", "closing"]
    assert facts(told, "end")[0]["ended"] == "caught"


def test_distance_counts_by_the_chasers_speed(tmp_path: Path) -> None:
    for speed, lead in ((30, 15), (20, 25), (60, 5)):
        slow = Competitor("Guard", speed_ft=speed)
        told = tell(STREET, people=(RALF, slow), distance_ft=100, tmp=tmp_path)
        assert facts(told, "start")[0]["lead"] == lead
    with pytest.raises(RefusedError, match="Guard cannot give chase"):
        tell(STREET, people=(RALF, Competitor("Guard", speed_ft=0)), distance_ft=9, tmp=tmp_path)


def test_one_start_is_enough(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="give --lead or --distance-ft, not both"):
        tell(STREET, lead=3, distance_ft=40, tmp=tmp_path)


# ---------------------------------------------------------------- ways


def test_modifiers_are_those_of_a_race() -> None:
    swimmer = Competitor("S", strength=14, swim=8, swim_ft=40, climb_ft=10, feats=("Run",))
    assert pace_modifier(swimmer, "foot") == 2 + 6 + 2
    assert pace_modifier(swimmer, "swim") == 8 + 8
    assert pace_modifier(swimmer, "climb") == 2 + 2
    assert pace_modifier(swimmer, "mounted") == 3 + 12
    assert check_modifier(swimmer, "foot", "balance") == 8
    assert check_modifier(swimmer, "foot", "strength") == 2 + 8
    assert check_modifier(swimmer, "driven", "jump") == 7 + 12
    who = race_sheet.entrant(swimmer)
    for number, kind in enumerate(race_sheet.KINDS):
        for skill, name in enumerate(race_sheet.SKILLS):
            expected = race_sheet.check_modifier(who, number, skill)
            assert check_modifier(swimmer, kind, name) == expected


def test_a_mount_is_ridden_as_in_a_race(tmp_path: Path) -> None:
    dice = {"Ralf": [18, 10], "Guard": [9, 5]}  # Ride 20: +4; Ride 9: nothing
    told = tell(ROAD, dice, lead=9, max_increments=1, tactics=(Tactic("run"),), tmp=tmp_path)
    assert [each["bonus"] for each in facts(told, "ride")] == [4, 0]
    assert leads(told) == [9 + (10 + 15 + 4) - (5 + 15)]


@pytest.mark.parametrize(("answer", "gain"), [("yes", 10 + 15 + 2), ("no", 0)])
def test_damage_may_be_chosen(tmp_path: Path, answer: str, gain: int) -> None:
    """A Ride check of 1 + 2 + 12 fails DC 20; then Ride 12 gives the mount 2."""
    dice = {"Ralf": [1, 10, 10], "Guard": [20, 1, 3], "the house": [4, 5]}
    told = tell(
        CART, dice, lead=20, max_increments=1, tactics=(Tactic("run"),), answers=[answer],
        tmp=tmp_path,
    )  # fmt: skip
    hurts = facts(told, "hurt")
    assert [(each["dice"], each["to_mount"]) for each in hurts] == (
        [([4, 5], True)] if answer == "yes" else []
    )
    assert leads(told) == [20 + gain - (3 + 15)]


def test_the_program_chooses_damage_that_is_worth_it(tmp_path: Path) -> None:
    chosen = set()
    for seed in range(60):
        told = tell(CART, {"Ralf": [1]}, seed=seed, lead=20, max_increments=1,
                    tactics=(Tactic("run"),), tmp=tmp_path)  # fmt: skip
        chosen.add("Ralf" in [each["who"] for each in facts(told, "hurt")])
    assert True in chosen


def test_the_offer_is_told_before_the_choice(tmp_path: Path) -> None:
    """What stands in each way is said, and numbered, and the question repeats it in short."""
    path = write(tmp_path, ROOF, MEADOW)
    asked: list[str] = []
    names = ["Ralf", "Guard"]
    seen: list[Told] = []

    def ask(question: str) -> str:
        asked.append(question)
        assert seen[-1].kind == "offer"
        return "roof"

    table = AtTable(
        names, 1, 1, 0, {}, 0, Dice(1, names), Deciders(1, names, ["Ralf"], ask),
        {option.name: option.default for option in PLAY.options}
        | {"ways": str(path), "lead": 5, "max_increments": 1},
        {each.name: each for each in (RALF, GUARD)},
    )  # fmt: skip
    for each in PLAY.tell(table):
        seen.append(each)
        if each.kind == "way":
            break
    offer = next(each for each in seen if each.kind == "offer")
    assert offer.text.startswith("Increment 1. ")
    assert "off a roof (a drop: Jump DC 15, or 2d6 damage)" in offer.text
    assert "over a meadow (open ground)" in offer.text
    assert "roof (Jump 15)" in asked[0]
    assert "meadow (open)" in asked[0]
    assert [each["dc"] for each in offer.facts["offered"] if "dc" in each] == [15]


def test_a_climb_is_an_obstacle_and_its_check_is_the_gain(tmp_path: Path) -> None:
    dice = {"Ralf": [10], "Guard": [5, 9]}  # with +8 and +7: 18; 12 fails DC 13, 16 passes
    told = tell(IVY, dice, lead=10, max_increments=1, tactics=(Tactic("run"),), tmp=tmp_path)
    assert leads(told) == [10 + 18 + 10]
    assert facts(told, "pace") == []
    assert facts(told, "stopped")[0]["gained"] == -10


def test_each_retry_costs_10(tmp_path: Path) -> None:
    dice = {"Ralf": [1, 1, 20], "Guard": [20, 1]}
    told = tell(WALL, dice, lead=29, max_increments=1, tactics=(Tactic("run"),), tmp=tmp_path)
    assert facts(told, "stopped")[0]["gained"] == -20
    assert leads(told) == [29 - 20 - (1 + 7)]


def test_giving_up_forfeits(tmp_path: Path) -> None:
    told = tell(
        WALL, {"Ralf": [1]}, lead=9, tactics=(Tactic("run"),), answers=["forfeit"], tmp=tmp_path
    )
    assert facts(told, "end")[0]["ended"] == "caught"
    assert facts(told, "forfeit")[0]["who"] == "Ralf"


def test_an_obstacle_without_retry_ends_the_chase(tmp_path: Path) -> None:
    run_on = (Tactic("run"),)
    told = tell(GATE, {"Ralf": [2]}, lead=9, tactics=run_on, tmp=tmp_path)
    assert facts(told, "end")[0]["ended"] == "caught"
    told = tell(GATE, {"Ralf": [20, 1], "Guard": [2]}, lead=9, tactics=run_on, tmp=tmp_path)
    end = facts(told, "end")[0]
    assert (end["ended"], end["how"]) == ("away", "forfeit")


def test_what_is_beyond_somebody_is_not_thrown_for(tmp_path: Path) -> None:
    cliff = Way("cliff", "up the cliff", kind="climb", check="climb", dc=40, failing="retry")
    told = tell(cliff, {"Ralf": [20]}, lead=9, tactics=(Tactic("run"),), tmp=tmp_path)
    assert facts(told, "obstacle") == []
    assert facts(told, "end")[0]["ended"] == "caught"


def test_a_hazard_of_the_ground_costs_the_increment(tmp_path: Path) -> None:
    dice = {"Ralf": [1], "Guard": [20, 3]}
    told = tell(MUD, dice, lead=20, max_increments=1, tactics=(Tactic("run"),), tmp=tmp_path)
    assert leads(told) == [20 - (3 + 7)]


def test_damage_and_the_increment_counts(tmp_path: Path) -> None:
    dice = {"Ralf": [1, 11], "Guard": [20, 10], "the house": [4, 5]}
    told = tell(ROOF, dice, lead=8, max_increments=1, tactics=(Tactic("run"),), tmp=tmp_path)
    assert facts(told, "hurt")[0]["dice"] == [4, 5]
    assert leads(told) == [8 + (11 + 8) - (10 + 7)]


def test_the_shipped_ways() -> None:
    ways = shipped_ways()
    assert {way.kind for way in ways} == set(race_sheet.KINDS)
    assert {way.failing for way in ways if way.dc} == {"retry", "slowed", "hurt"}
    assert any(way.can_choose for way in ways)
    assert any(way.is_open for way in ways)
    assert all(way.dc for way in ways if way.kind == "climb" or way.obstacle)


def test_ways_on_offer_differ_and_are_drawn_by_key() -> None:
    ways = shipped_ways()
    offers = [on_offer(ways, 3, key, index) for key in range(9) for index in range(9)]
    assert all(len({way.name for way in offer}) == 3 for offer in offers)
    assert {way.name for offer in offers for way in offer} == {way.name for way in ways}
    assert on_offer(ways, 3, 5, 2) == on_offer(ways, 3, 5, 2)
    assert len(on_offer(ways[:2], 5, 1, 0)) == 2


def test_no_way_is_on_offer_again_within_two_increments() -> None:
    ways = shipped_ways()
    for key in range(40):
        offers: list[list[Way]] = []
        for index in range(8):
            offers.append(on_offer(ways, 3, key, index, offers))
            names = [way.name for offer in offers[-3:] for way in offer]
            assert len(set(names)) == len(names)


def test_with_few_ways_only_the_latest_are_left_out() -> None:
    ways = [STREET, MEADOW, WALL, GATE]
    for key in range(20):
        first = on_offer(ways, 3, key, 0)
        again = on_offer(ways, 3, key, 1, [first], first[:1])
        assert first[0] not in again
        assert len(again) == 3
    assert set(on_offer(ways[:2], 3, 1, 1, [ways[:2]], ways[:1])) == set(ways[:2])
    assert on_offer(ways[:1], 1, 1, 1, [ways[:1]], ways[:1]) == ways[:1]


def test_a_file_says_what_a_way_is(tmp_path: Path) -> None:
    ways = [STREET, MEADOW, WALL, GATE, MUD, ROOF, IVY, CART, ROAD]
    assert load_ways(write(tmp_path, *ways)) == ways


@pytest.mark.parametrize(
    ("text", "words_"),
    [
        ("", "write \\[\\[ways\\]\\] tables"),
        ("[[ways]]\npath = 'x'", "way 1: it needs a name"),
        ("[[ways]]\nname = 'a'\nkind = 'fly'", "way 1, 'a': kind: 'fly' is none of foot"),
        ("[[ways]]\nname = 'a'\nobstacle = 'a wall'", "way 1, 'a': dc: .* needs a DC"),
        ("[[ways]]\nname = 'a'\nkind = 'climb'", "way 1, 'a': dc: .* needs a DC"),
        ("[[ways]]\nname = 'a'\nobstacle = 'b'\ndc = 9", "way 1, 'a': check: "),
        ("[[ways]]\nname = 'a'\ndc = 9", "nothing stands in the way"),
        ("[[ways]]\nname = 'a'\nkind = 'climb'\ndc = 9\ncheck = 'jump'", "a climb is an obstacle"),
        (
            "[[ways]]\nname = 'a'\ncheck = 'jump'\ndc = 9\ndamage = '2d6'\nfailing = 'retry'",
            "in place of anything else",
        ),
        ("[[ways]]\nname = 'a'\ncheck = 'jump'\ndc = 9\ndamage = '2d7'", "'2d7' is no damage"),
        (
            "[[ways]]\nname = 'a'\nkind = 'mounted'\ncheck = 'hide'\ndc = 9\nobstacle = 'b'",
            "way 1, 'a': check: 'hide' cannot be asked of a rider",
        ),
        (
            "[[ways]]\nname = 'a'\ncheck = 'jump'\ndc = 9\ndamage_is = 'choice'",
            "damage: there is no damage here",
        ),
        ("[[ways]]\nname = 'a'\nopn = true", "opn: no such field .did you mean 'open'"),
        ("[[ways]]\nname = 'a'\n[[ways]]\nname = 'a'", "two ways are called 'a'"),
        ("ways = 3", "write"),
        ("ways = [3]", "way 1: write it as"),
        ("[[", "not a TOML file"),
    ],
)
def test_a_file_that_makes_no_sense_is_named(tmp_path: Path, text: str, words_: str) -> None:
    path = tmp_path / "town.toml"
    path.write_text(text)
    with pytest.raises(DataError, match=f"town.toml: .*{words_}.*chase") as error:
        load_ways(path)
    assert error.value.path == str(path)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="No such file") as error:
        load_ways(tmp_path / "none.toml")
    assert error.value.option == "ways"


# ---------------------------------------------------------------- tactics


def test_a_failed_attempt_to_hide_gains_nothing(tmp_path: Path) -> None:
    dice = {"Ralf": [1], "Guard": [20, 5]}
    told = tell(STREET, dice, lead=25, tactics=(Tactic("hide"),), max_increments=1, tmp=tmp_path)
    assert leads(told) == [25 - (5 + 7)]


def test_a_hazard_is_paid_for_even_if_it_fails(tmp_path: Path) -> None:
    dice = {"Ralf": [2, 10], "Guard": [10]}
    plan = (Tactic("hazard", 3),)
    told = tell(STREET, dice, lead=20, tactics=plan, max_increments=1, tmp=tmp_path)
    assert leads(told) == [20 - 8 + (10 + 8) - (10 + 7)]
    assert facts(told, "hampered") == []


def test_the_check_fits_the_hazard(tmp_path: Path) -> None:
    jumper = Competitor("Guard", jump=9)
    dice = {"Ralf": [20, 1], "Guard": [1, 1]}
    told = tell(
        STREET,
        dice,
        (RALF, jumper),
        lead=20,
        tactics=(Tactic("hazard", 6),),
        hazard_check="jump",
        max_increments=1,
        tmp=tmp_path,
    )
    (hampered,) = facts(told, "hampered")
    assert (hampered["check"], hampered["modifier"], hampered["cleared"]) == ("jump", 15, True)


def test_each_hazard_of_a_plan_may_have_its_check(tmp_path: Path) -> None:
    assert Plan().read("hazard climb 3, hazard 2, run") == (
        Tactic("hazard", 3, "climb"),
        Tactic("hazard", 2),
        Tactic("run"),
    )
    dice = {"Ralf": [20, 5, 20, 5], "Guard": [20, 5, 20, 5]}
    plan = Plan().read("hazard 1 climb, hazard 1")
    told = tell(STREET, dice, lead=25, tactics=plan, max_increments=2, tmp=tmp_path)
    assert [each["check"] for each in facts(told, "hampered")] == ["climb", "balance"]


def test_in_the_saddle_a_hazard_is_cleared_by_riding(tmp_path: Path) -> None:
    dice = {"Ralf": [20, 1, 1], "Guard": [1, 1, 1]}
    plan = (Tactic("hazard", 4),)
    told = tell(ROAD, dice, lead=20, tactics=plan, max_increments=1, tmp=tmp_path)
    (hampered,) = facts(told, "hampered")
    assert (hampered["check"], hampered["modifier"]) == ("ride", 0 + 12)


@pytest.mark.parametrize(
    ("lead", "way", "plan", "words_"),
    [
        (25, MEADOW, "hide", "cannot hide in increment 1: open ground"),
        (19, STREET, "hide", "a lead of 19, below 20"),
        (9, STREET, "hazard 4", "its cost of 9 would use up the lead of 9"),
    ],
)
def test_a_tactic_that_is_not_allowed(
    tmp_path: Path, lead: int, way: Way, plan: str, words_: str
) -> None:
    with pytest.raises(RefusedError, match=words_):
        tell(way, lead=lead, tactics=Plan().read(plan), tmp=tmp_path)


@pytest.mark.parametrize(
    "said", ["", "fly", "hide 3", "hazard x", "hazard 1 2", "run,,hide", "hazard 1 climb jump"]
)
def test_a_plan_is_of_tactics(said: str) -> None:
    with pytest.raises(ValueError, match="'"):
        Plan().read(said)


@pytest.mark.parametrize("penalty", ["-3", "31", "1.5", "99999"])
def test_a_hazard_has_a_penalty_that_a_lead_may_pay(penalty: str) -> None:
    problem = f"a hazard's penalty is a whole number from 0 to 30 (got {penalty})"
    with pytest.raises(ValueError, match=re.escape(problem)):
        Plan().read(f"hide,hazard {penalty} climb")


def test_people_at_the_table_decide_for_themselves(tmp_path: Path) -> None:
    write(tmp_path, STREET, MEADOW)
    answers = ["street", "hazard", "2", "a cartload of hay", "jump", "meadow", "run"]
    dice = {"Ralf": [20, 20, 20], "Guard": [1, 1, 1]}
    told = tell(None, dice, lead=9, answers=answers, ways=str(tmp_path / "ways.toml"))
    assert [each["way"] for each in facts(told, "way")] == ["street"]
    assert facts(told, "hazard")[0]["penalty"] == 2
    assert facts(told, "hazard")[0]["thing"] == "a cartload of hay"
    assert any("Ralf tries it with a cartload of hay" in each.text for each in told)
    assert facts(told, "hampered")[0]["check"] == "jump"
    assert leads(told) == [9 - 7 + 28]


# ---------------------------------------------------------------- any chase


@given(st.integers(0, 2**63 - 1), st.sampled_from([{}, {"lead": 15}, {"distance_ft": 130}]))
def test_every_chase_is_by_the_rules(seed: int, start: dict[str, int]) -> None:
    """Add up the records: they must give every lead, and the end."""
    told = tell(seed=seed, **start)
    lead, gained = facts(told, "start")[0]["lead"], {"Ralf": 0, "Guard": 0}
    ways = {way.name: way for way in shipped_ways()}
    way = STREET
    for each in told:
        if each.kind == "way":
            way = ways[each.facts["way"]]
            assert way.name in each.facts["offered"]
        elif each.kind == "hide":
            assert rules.can_hide(lead, way.is_open)
        elif each.kind == "hazard":
            lead -= each.facts["cost"]
            assert lead == each.facts["lead"] > 0
        elif each.kind in ("pace", "stopped"):
            gained[each.facts["who"]] += each.facts["gained"]
        elif each.kind == "obstacle" and way.kind == "climb" and each.facts["passed"]:
            stopped = [x["who"] for x in facts(told, "stopped")
                       if x["increment"] == each.facts["increment"]]  # fmt: skip
            if each.facts["who"] not in stopped:
                gained[each.facts["who"]] += each.facts["natural"] + each.facts["modifier"]
        elif each.kind == "lead":
            lead += gained["Ralf"] - gained["Guard"]
            assert lead == each.facts["lead"]
            gained = {"Ralf": 0, "Guard": 0}
    (end,) = facts(told, "end")
    assert end["lead"] == lead
    if end["how"] == "":
        expected = {rules.CAUGHT: "caught", rules.AWAY: "away", rules.RUNNING: "called off"}
        assert end["ended"] == expected[rules.judged(lead)]
    assert told[-1].facts["net_cp"] == {"Ralf": 0, "Guard": 0}
    assert all(each.text for each in told[:-1])


@pytest.mark.parametrize(
    ("lead", "said"),
    [
        (0, "The lead is 0. That is no lead to run with: Ralf is caught on the spot."),
        (30, "The lead is 30. That is all it takes: Ralf has got away before it has begun."),
    ],
)
def test_a_chase_that_is_over_before_it_has_begun(lead: int, said: str) -> None:
    texts = " ".join(each.text for each in tell(lead=lead))
    assert said in texts


def test_a_wrong_file_is_invalid_data_and_none_at_all_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[[ways]]\nname = 'a'\nkind = 'fly'\n")
    assert isinstance(run("--ways", str(tmp_path / "bad.toml")).exception, DataError)
    missing = run("--ways", str(tmp_path / "none.toml"))
    assert missing.exit_code == 2
    assert "'--ways'" in missing.stderr


def test_several_chases() -> None:
    told = tell(rounds=4)
    assert len(told[-1].facts["results"]) == 4
    assert len(facts(told, "end")) == 4
    assert told[-1].text.startswith("In 4 chases Ralf was caught")


def test_sentences_begin_with_a_capital() -> None:
    assert words.spoken("the guard runs. DC 14: over it goes. he is gone.") == (
        "The guard runs. DC 14: over it goes. He is gone."
    )


def run(*args: str) -> Result:
    return CliRunner().invoke(play, ["chase", *args])


@pytest.mark.parametrize(
    ("n", "words_"), [(0, "never caught"), (1, "caught once"), (2, "caught twice"), (3, "3 times")]
)
def test_how_often_he_was_caught(n: int, words_: str) -> None:
    results = ["caught"] * n + ["away"] * (4 - n)
    assert chase_told._score("Ralf", results).startswith("In 4 chases Ralf was ")
    assert words_ in chase_told._score("Ralf", results)
