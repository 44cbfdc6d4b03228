"""`tavern new --town` writes out the town that its population alone would make."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tavern_abm.data_tables import load_tables
from tavern_abm.founding import resolved
from tavern_abm.scenario import Scenario, load_scenario
from tavern_abm.scenario.schema import Town
from tavern_abm.shipped import shipped

MINE = """
description = "Mine."
patrons = 7
rounds_per_night = 12
data = "tables"

[minds]
tau = 0.5

[population]
share_of_cheats = 0.2

[[taverns]]
name = "The Crab & Anchor"
district = "river"
quality = 4
rake_bp = 250
mug_cp = 9
tables = []
yard = [{ rounds = [1], options = { course = "quay-dash" } }]

[[people]]
name = 'Hob "Two Fingers" Reed'
trade = "sailor"
home = "The Crab & Anchor"
thievery = 6
"""
TABLES = """
[[custom]]
name = "soft"
warned = 1.0
out = 0.0
banned = 0.0
beaten = 0.0
killed = 0.0
ban_nights = 0
restraint = 0.0
lucky_wins = 0
"""
MAP = {
    "info": {},
    "settings": {"populationRate": 1000, "urbanization": 1},
    "pack": {
        "burgs": [
            {},
            {"i": 1, "name": "Eelmere", "population": 3, "port": 4},
            {"i": 2, "name": "Oxney", "population": 0.3, "type": "River"},
            {"i": 3, "name": "Mote", "population": 0.009},
        ]
    },
}


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, list(arguments))


def whole(source: str | Scenario) -> Scenario:
    """A scenario filled up, whatever it is called."""
    scenario = load_scenario(source) if isinstance(source, str) else source
    found = resolved(scenario, load_tables(scenario.data))
    return found.model_copy(update={"name": "", "description": ""})


@pytest.mark.parametrize("population", [20, 80, 430, 5_000, 25_000, 26_500, 100_000])
@pytest.mark.parametrize("extra", [[], ["--all"]])
def test_what_is_written_is_the_town_of_that_population(population: int, extra: list[str]) -> None:
    result = run(
        "new", "t.toml", "--town", str(population), "--seed", "5", "--water", "sea", *extra
    )
    assert result.exit_code == 0, result.output
    assert result.stdout == "wrote t.toml; next: tavern check t.toml\n"
    short = Scenario(town=Town(population=population, seed=5, water="sea"))
    assert whole("t.toml") == whole(short)


def test_everything_is_written_out_up_to_sixty_houses() -> None:
    run("new", "t.toml", "--town", "5000")
    text = Path("t.toml").read_text(encoding="utf-8")
    assert text.startswith("#:schema ")
    assert text.count("\n[[taverns]]") == 12
    assert text.count("\n[[districts]]") == 8
    assert "patrons = 1400\n" in text
    assert "# decent: a mug is " in text
    assert max(len(line) for line in text.splitlines() if not line.startswith("trades =")) < 101


def test_a_city_is_written_in_short_unless_all_is_asked_for() -> None:
    run("new", "t.toml", "--town", "100000")
    text = Path("t.toml").read_text(encoding="utf-8")
    assert "[[taverns]]" not in text
    assert "tavern new FILE --town 100000 --all" in text
    assert len(text.splitlines()) < 25
    run("new", "t.toml", "--town", "100000", "--all", "--force")
    assert Path("t.toml").read_text(encoding="utf-8").count("\n[[taverns]]") == 233


def test_lines_that_are_put_out_can_be_taken_in() -> None:
    for population in ("5000", "100000"):
        run("new", "t.toml", "--town", population, "--force")
        before = whole("t.toml")
        text = Path("t.toml").read_text(encoding="utf-8")
        assert "\n#taverns = " in text
        for key in ("tavern_going", "people_per_tavern", "taverns"):
            text = text.replace(f"\n#{key} = ", f"\n{key} = ")
        Path("t.toml").write_text(text, encoding="utf-8")
        after = whole("t.toml")
        assert after.model_copy(update={"town": before.town}) == before


def test_a_line_that_is_changed_counts_and_a_house_that_is_deleted_is_replaced() -> None:
    run("new", "t.toml", "--town", "5000")
    text = Path("t.toml").read_text(encoding="utf-8")
    head, *houses = text.split("\n[[taverns]]\n")
    sign = houses[3].splitlines()[0]
    changed = [houses[0].replace("quality = 3", "quality = 5"), *houses[1:3], *houses[4:]]
    Path("t.toml").write_text("\n[[taverns]]\n".join([head, *changed]), encoding="utf-8")
    found = whole("t.toml")
    assert found.taverns[0].quality == 5
    assert len(found.taverns) == 12
    assert sign not in [f'name = "{each.name}"' for each in found.taverns[:11]]


def test_an_own_scenario_is_kept_and_the_town_made_around_it() -> None:
    Path("tables").mkdir()
    Path("tables/customs.toml").write_text(TABLES)
    Path("towns").mkdir()
    Path("mine.toml").write_text(MINE, encoding="utf-8")
    result = run("new", "towns/t.toml", "--town", "5000", "--from", "mine.toml")
    assert result.exit_code == 0, result.output
    text = Path("towns/t.toml").read_text(encoding="utf-8")
    assert 'data = "../tables"' in text
    mine, found = load_scenario("mine.toml"), whole("towns/t.toml")
    assert found.patrons == 1_400
    assert len(found.taverns) == 12
    for part in ("people", "minds", "rounds_per_night", "data"):
        assert getattr(found, part) == getattr(mine, part)
    assert found.population.share_of_cheats == 0.2
    crab = found.taverns[0]
    assert (crab.name, crab.district, crab.quality) == ("The Crab & Anchor", "river", 4)
    assert (crab.mug_cp, crab.rake_bp, crab.tables) == (9, 250, [])
    assert crab.yard == mine.taverns[0].yard
    short = mine.model_dump(exclude_unset=True) | {"town": {"population": 5_000}}
    del short["patrons"]
    assert found == whole(Scenario.model_validate(short))


def test_a_house_of_ones_own_moves_where_the_town_has_no_such_district() -> None:
    Path("mine.toml").write_text(MINE.replace('data = "tables"', ""), encoding="utf-8")
    result = run("new", "t.toml", "--town", "430", "--from", "mine.toml")
    assert result.exit_code == 0, result.output
    text = "there is no district 'river' in this town; The Crab & Anchor gets another"
    assert result.stderr == f"note: {text}\n"
    assert load_scenario("t.toml").taverns[0].district == "village"
    assert run("new", "u.toml", "--town", "5000", "--from", "mine.toml").stderr == ""


@pytest.mark.parametrize("population", [5_000, 100_000])
def test_it_is_said_how_many_leave_and_can_be_taken_in(population: int) -> None:
    run("new", "t.toml", "--town", str(population))
    text = Path("t.toml").read_text(encoding="utf-8")
    assert text.count("\n#leave_prob = 0.001  # ") == 1
    assert load_scenario("t.toml").population.leave_prob == 0.005
    Path("t.toml").write_text(text.replace("\n#leave_prob", "\nleave_prob"), encoding="utf-8")
    assert load_scenario("t.toml").population.leave_prob == 0.001
    Path("mine.toml").write_text("population.leave_prob = 0.01\npopulation.kin_prob = 0.1")
    run("new", "u.toml", "--town", str(population), "--from", "mine.toml")
    text = Path("u.toml").read_text(encoding="utf-8")
    assert "#leave_prob" not in text
    assert "\nleave_prob = 0.01\n" in text


def test_it_is_said_that_people_are_drawn() -> None:
    run("new", "t.toml", "--town", "80")
    text = Path("t.toml").read_text(encoding="utf-8")
    assert (
        "# The trade of each patron is drawn by these weights: so many of them follow it on\n"
        in text
    )
    assert "how many follow each trade on average.\n" in text


def test_a_town_of_ones_own_is_founded_anew_with_other_numbers() -> None:
    Path("mine.toml").write_text(
        "[town]\npopulation = 430\ntavern_going = 0.5\npeople_per_tavern = 100"
    )
    assert run("new", "a.toml", "--from", "mine.toml").exit_code == 0
    assert whole("a.toml") == whole("mine.toml")
    assert len(whole("a.toml").taverns) == 4
    assert run("new", "b.toml", "--from", "mine.toml", "--town", "1000").exit_code == 0
    found = whole("b.toml")
    assert (found.patrons, len(found.taverns)) == (500, 10)


def test_another_town_has_a_description_of_its_own() -> None:
    mine = 'description = "Mine, by the river."\n'
    Path("inn.toml").write_text(mine)
    Path("mine.toml").write_text(f"{mine}[town]\npopulation = 430")
    assert run("new", "a.toml", "--from", "inn.toml", "--town", "430").exit_code == 0
    assert load_scenario("a.toml").description == "Mine, by the river."
    assert run("new", "b.toml", "--from", "mine.toml", "--town", "1000").exit_code == 0
    assert load_scenario("b.toml").description == "A town of 1,000 people."
    assert run("new", "c.toml", "--from", "mine.toml", "--seed", "2").exit_code == 0
    assert load_scenario("c.toml").description == "A village of 430 people."
    # The same town, written out, is what it was.
    assert run("new", "d.toml", "--from", "mine.toml").exit_code == 0
    assert load_scenario("d.toml").description == "Mine, by the river."


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("settlements", "goes = { poor = 0, common = 0, well-off = 0, noble = 0 }", "goes: must"),
        ("districts", "least = 1000000", "least, most: no kind without `water` fits a town of 20"),
    ],
)
def test_tables_from_which_no_town_can_be_made(file: str, text: str, problem: str) -> None:
    shipped_text = (shipped("data") / f"{file}.toml").read_text(encoding="utf-8")
    key = text.partition(" ")[0]
    Path("t").mkdir()
    Path(f"t/{file}.toml").write_text(re.sub(rf"(?m)^{key} = .*", text, shipped_text))
    Path("mine.toml").write_text('data = "t"\n[town]\npopulation = 600')
    for command in (("check", "mine.toml"), ("new", "zz", "--town", "600", "--from", "mine.toml")):
        result = run(*command)
        assert result.exit_code == 3
        assert f"/t/{file}.toml:" in result.stderr
        assert problem in result.stderr
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--town", "3"], "'--town': a town has 20 to 5,000,000 inhabitants (got 3)"),
        (["--town", "abc"], "'--town': 'abc' is not a valid integer"),
        (["--town", "5000000"], "'--town': tavern_going of its population must be 1 to 1,000,000"),
        (["--town", "80", "--seed", "-1"], "'--seed': -1 is not in the range"),
        (["--town", "80", "--water", "lake"], "'lake' is not one of 'none', 'river', 'sea'"),
        (["--seed", "3"], "--seed is said of a town: give --town N as well"),
        (["--all"], "--all is said of a town: give --town N as well"),
        (["--from", "rusty-flagon"], "'rusty-flagon' is no town: give --town N as well"),
        (["--burg", "Oxney"], "--burg names a town of a map: give --azgaar MAP.json as well"),
        (["--azgaar", "m.json", "--town", "80"], "--town cannot be said of the towns of a map"),
    ],
)
def test_wrong_usage(arguments: list[str], text: str) -> None:
    result = run("new", "t.toml", *arguments)
    assert result.exit_code == 2
    assert text in result.stderr
    assert not list(Path().iterdir())


def test_an_existing_town_is_kept_unless_forced() -> None:
    Path("t.toml").write_text("patrons = 3", encoding="utf-8")
    result = run("new", "t.toml", "--town", "80")
    assert result.exit_code == 2
    assert "'t.toml' exists already; --force replaces it" in result.stderr
    assert Path("t.toml").read_text(encoding="utf-8") == "patrons = 3"


def test_mistakes_in_an_own_scenario_are_told() -> None:
    Path("mine.toml").write_text("taverns = []")
    result = run("new", "t.toml", "--town", "80", "--from", "mine.toml")
    assert result.exit_code == 3
    assert result.stderr == "mine.toml:1: taverns: must have at least 1 entry (got 0)\n"
    Path("mine.toml").write_text('[[taverns]]\nname = "A"\n[[taverns]]\nname = "A"')
    result = run("new", "t.toml", "--town", "80", "--from", "mine.toml")
    assert result.exit_code == 3
    assert "taverns.1.name: must differ from that of taverns.0 (got 'A')" in result.stderr


# ------------------------------------------------------------- maps


def test_the_towns_of_a_map_go_into_a_folder() -> None:
    Path("m.json").write_text(json.dumps(MAP))
    result = run("new", "reedland", "--azgaar", "m.json")
    assert result.exit_code == 0, result.output
    assert result.stdout == (
        "wrote 2 towns to reedland (1 of fewer than 20 people left out);"
        " next: tavern check reedland/eelmere.toml\n"
    )
    assert sorted(path.name for path in Path("reedland").iterdir()) == [
        "eelmere.toml",
        "oxney.toml",
    ]
    found = load_scenario("reedland/eelmere.toml")
    assert found.description == "Eelmere, 3,000 people."
    assert whole("reedland/eelmere.toml") == whole(
        Scenario(town=Town(population=3_000, water="sea", seed=1001))
    )
    again = run("new", "reedland", "--azgaar", "m.json")
    assert again.exit_code == 2
    assert "exists already; --force replaces it" in again.stderr
    assert run("new", "reedland", "--azgaar", "m.json", "--force").exit_code == 0


def test_burgs_of_too_many_people_are_left_out_with_a_note() -> None:
    names = ("Ur", "Kish", "Nippur", "Lagash", "Umma", "Susa")
    large = [
        {"i": 10 + n, "name": name, "population": 9_000 - n, "port": 0}
        for n, name in enumerate(names)
    ]
    burgs = [*large[:2], {"i": 1, "name": "Eelmere", "population": 3}]
    Path("m.json").write_text(json.dumps(MAP | {"pack": {"burgs": burgs}}))
    result = run("new", "reedland", "--azgaar", "m.json")
    assert (result.exit_code, result.stdout) == (
        0,
        "wrote 1 town to reedland; next: tavern check reedland/eelmere.toml\n",
    )
    note = "note: of more people than a town may have, left out: Ur (9,000,000), Kish (8,999,000)"
    assert result.stderr == f"{note}\n"
    assert [path.name for path in Path("reedland").iterdir()] == ["eelmere.toml"]
    Path("m.json").write_text(json.dumps(MAP | {"pack": {"burgs": [*large, burgs[-1]]}}))
    assert run("new", "r", "--azgaar", "m.json").stderr.endswith("Umma (8,996,000) and 1 more\n")
    Path("m.json").write_text(json.dumps(MAP | {"pack": {"burgs": large}}))
    result = run("new", "s", "--azgaar", "m.json")
    assert (result.exit_code, result.stderr) == (
        3,
        "m.json: burg 'Susa': 8,995,000 people: a town has 20 to 5,000,000\n",
    )
    assert not Path("s").exists()


def test_one_burg_of_a_map() -> None:
    Path("m.json").write_text(json.dumps(MAP))
    assert run("new", "o", "--azgaar", "m.json", "--burg", "oxney").exit_code == 0
    town = load_scenario("o.toml").town
    assert town is not None
    assert (town.population, town.water, town.seed) == (300, "river", 1002)
    result = run("new", "p", "--azgaar", "m.json", "--burg", "Oxny")
    assert result.exit_code == 3
    assert "did you mean 'Oxney'?" in result.stderr
    result = run("new", "p", "--azgaar", "m.json", "--burg", "Mote")
    assert result.exit_code == 3
    assert "9 people" in result.stderr


def test_maps_that_are_none() -> None:
    result = run("new", "p", "--azgaar", "m.json")
    assert (result.exit_code, result.stderr) == (
        3,
        "m.json: cannot be read: No such file or directory\n",
    )
    Path("m.json").write_text(json.dumps(MAP))
    Path("file").write_text("")
    result = run("new", "file", "--azgaar", "m.json")
    assert result.exit_code == 2
    assert "the towns go into a folder" in result.stderr
