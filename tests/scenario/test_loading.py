"""Scenario files: what loads, what they extend, what settings do, and the way back to TOML."""

import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavern_abm.scenario import (
    Scenario,
    ScenarioError,
    builtin_scenarios,
    load_scenario,
    parse_setting,
)
from tavern_abm.scenario.writing import to_toml


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Write files into an empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)

    def write_file(text: str, name: str = "inn.toml") -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


# --- by name and path


@pytest.mark.parametrize("name", builtin_scenarios())
def test_builtin_scenarios_load_and_carry_their_name(name: str) -> None:
    scenario = load_scenario(name)
    assert scenario.name == name
    assert scenario.description
    is_yardstick = name == "plain-dice"
    assert bool(scenario.people) != is_yardstick, "a pinned person or two shows how it is done"


@pytest.mark.parametrize("path", builtin_scenarios().values(), ids=lambda path: path.stem)
def test_builtin_scenarios_open_with_schema_and_comment(path: Path) -> None:
    first, second, third, *_ = path.read_text(encoding="utf-8").splitlines()
    assert first.startswith("#:schema ")
    assert (path.parent / first.removeprefix("#:schema ")).is_file()
    assert second == "#"
    assert third.startswith("# ")


def test_the_two_evenings_of_the_book() -> None:
    inn, gate = load_scenario("rusty-flagon"), load_scenario("orc-gate")
    assert inn.patrons == 120
    assert [tavern.custom for tavern in inn.taverns] == ["decent"]
    assert [tavern.custom for tavern in gate.taverns] == ["orc"]
    weights = gate.population.ancestries
    assert weights["orc"] > sum(weights.values()) / 2


def test_default_scenario_is_the_rusty_flagon() -> None:
    assert Scenario.load() == load_scenario("rusty-flagon") == load_scenario()


def test_empty_file_is_a_scenario_named_after_its_file(write: Any) -> None:
    assert load_scenario(write("")) == Scenario(name="inn")


def test_file_by_text_path_and_with_byte_order_mark(write: Any) -> None:
    path = write("\ufeffpatrons = 7\r\nrounds_per_night = 3\r\n")
    assert load_scenario("inn.toml").patrons == 7
    assert load_scenario(f"./{path}").rounds_per_night == 3
    assert Scenario.load(path, {"patrons": 8}).patrons == 8


def test_a_file_beside_does_not_hide_a_builtin_name(write: Any) -> None:
    write("patrons = 1", "rusty-flagon")
    assert load_scenario("rusty-flagon").patrons == 120


def test_money_may_be_written_in_coins(write: Any) -> None:
    text = """
    [[taverns]]
    staff_cp = "3 gp 5 sp"
    tables = [{ stake = "2 sp" }]
    [economy.wages_cp]
    guard = "2 gp"
    [[people]]
    name = "Hob Reed"
    gold = "1 gp 1 cp"
    """
    scenario = load_scenario(write(text))
    assert scenario.taverns[0].staff_cp == 350
    assert scenario.taverns[0].tables[0].stake == 20
    assert scenario.economy.wages_cp == {"guard": 200}
    assert scenario.people[0].gold == 101


def test_data_folder_is_seen_from_the_file(write: Any, tmp_path: Path) -> None:
    write(
        '[[trade]]\nname = "eel-catcher"\nwage_cp = 20\nweight = 1\nrank = "poor"',
        "towns/mine/trades.toml",
    )
    text = 'data = "mine"\n[population.trades]\neel-catcher = 1'
    scenario = load_scenario(write(text, "towns/inn.toml"))
    assert scenario.data == str(tmp_path / "towns" / "mine")


def test_mistakes_in_a_data_folder_name_its_file(write: Any, tmp_path: Path) -> None:
    write('[[trade]]\nname = "eel-catcher"\nwage = 20', "mine/trades.toml")
    with pytest.raises(ScenarioError) as error:
        load_scenario(write('data = "mine"'))
    assert str(error.value).startswith(f"{tmp_path}/mine/trades.toml:")
    assert "eel-catcher" in str(error.value)


LANE = 'title = "the Lane"\n[[leg]]\nkind = "foot"\nincrements = 3\n'
RACE = '[[taverns]]\n[[taverns.yard]]\nrounds = [1]\noptions = { course = "%s" }'


def course_of(scenario: Scenario) -> Any:
    return scenario.taverns[0].yard[0].options["course"]


def test_course_is_seen_from_the_file_that_names_it(write: Any, tmp_path: Path) -> None:
    lane = str(tmp_path / write(LANE, "towns/lane.toml"))
    path = write(RACE % "../lane.toml", "towns/inns/inn.toml")
    assert course_of(load_scenario(path)) == lane
    child = write('extends = "../towns/inns/inn.toml"', "others/child.toml")
    assert course_of(load_scenario(child)) == lane


def test_course_by_name_is_no_path(write: Any) -> None:
    assert course_of(load_scenario(write(RACE % "quay-dash"))) == "quay-dash"


def test_a_course_that_is_not_there_is_missed_beside_its_file(write: Any, tmp_path: Path) -> None:
    write(LANE, "lane.toml")
    path = write(RACE % "lane.toml", "towns/inn.toml")
    with pytest.raises(ScenarioError) as error:
        load_scenario(path)
    assert str(error.value).startswith("towns/inn.toml:4: taverns.0.yard.0.options")
    assert f"{tmp_path}/towns/lane.toml" in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        RACE % r"\u0000.toml",
        "taverns = [{ yard = 3 }]",
        "taverns = [{ tables = [3], yard = [{ options = 3 }] }]",
        "taverns = 'x.toml'",
        r'data = "\u0000"',
    ],
)
def test_paths_and_tables_that_are_none_are_told(write: Any, text: str) -> None:
    with pytest.raises(ScenarioError, match=r"^inn\.toml:\d: "):
        load_scenario(write(text))


def test_paths_hold_from_anywhere_once_loaded(
    write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(LANE, "towns/lane.toml")
    write(RACE % "lane.toml", "towns/inn.toml")
    write(LANE, "mine/courses/lane.toml")
    first = load_scenario("towns/inn.toml", {"data": "mine"})
    assert first.data == str(tmp_path / "mine")
    write(first.to_toml(), "runs/inn-1/scenario.toml")
    monkeypatch.chdir(tmp_path / "runs")
    assert load_scenario("inn-1/scenario.toml") == first


def test_a_course_that_is_set_is_seen_from_the_current_folder(write: Any, tmp_path: Path) -> None:
    write(LANE, "lane.toml")
    path = write(RACE % "quay-dash", "towns/inn.toml")
    scenario = load_scenario(path, {"taverns.0.yard.0.options.course": "lane.toml"})
    assert course_of(scenario) == str(tmp_path / "lane.toml")


def test_what_is_set_is_left_as_it_was_given(write: Any) -> None:
    write(LANE, "lane.toml")
    events = [{"rounds": [1], "options": {"course": "lane.toml"}}]
    Scenario().with_settings({"taverns.0.yard": events, "taverns.0.yard.0.entrants": 3})
    assert events == [{"rounds": [1], "options": {"course": "lane.toml"}}]


# --- extends

TOWN = """
description = "A town."
patrons = 50
[minds]
tau = 0.5
thrill = 1.0
[population.trades]
guard = 1.0
[[taverns]]
name = "Three Keys"
mug_cp = 9
tables = [{ seats = 5 }, { seats = 4, stake = 3 }]
[[taverns]]
name = "Eel Pot"
[[people]]
name = "Hob Reed"
honesty = -1.0
thievery = 3
[[people]]
name = "Wymar Irons"
"""


def test_extends_merges_tables_key_by_key(write: Any) -> None:
    write(TOWN, "town.toml")
    child = load_scenario(
        write('extends = "town.toml"\n[minds]\ntau = 0.1\n[population.trades]\nsmith = 2')
    )
    assert child.name == "inn"
    assert child.description == "A town."
    assert (child.patrons, child.minds.tau, child.minds.thrill) == (50, 0.1, 1.0)
    assert child.population.trades == {"guard": 1.0, "smith": 2.0}


def test_extends_merges_taverns_and_their_tables_by_position(write: Any) -> None:
    write(TOWN, "town.toml")
    text = """
    extends = "town.toml"
    [[taverns]]
    rake_bp = 100
    tables = [{ seats = 3 }]
    [[taverns]]
    [[taverns]]
    name = "Gorm's Yard"
    """
    houses = load_scenario(write(text)).taverns
    assert [house.name for house in houses] == ["Three Keys", "Eel Pot", "Gorm's Yard"]
    assert (houses[0].mug_cp, houses[0].rake_bp) == (9, 100)
    assert [(table.seats, table.stake) for table in houses[0].tables] == [(3, "auto"), (4, 3)]


def test_extends_adds_people_and_the_same_name_replaces(write: Any) -> None:
    write(TOWN, "town.toml")
    text = """
    extends = "town.toml"
    [[people]]
    name = "Petronel Vye"
    [[people]]
    name = "Hob Reed"
    thievery = 9
    """
    people = load_scenario(write(text)).people
    assert [person.name for person in people] == ["Hob Reed", "Wymar Irons", "Petronel Vye"]
    assert (people[0].thievery, people[0].honesty) == (9, None)


def test_extends_goes_through_several_files_and_folders(write: Any) -> None:
    write('extends = "rusty-flagon"\npatrons = 11\nrounds_per_night = 5', "a/base.toml")
    write('extends = "../a/base.toml"\npatrons = 12', "b/middle.toml")
    scenario = load_scenario(write('extends = "b/middle.toml"'))
    assert (scenario.patrons, scenario.rounds_per_night) == (12, 5)
    assert [person.name for person in scenario.people][:1] == ["Wymar Irons"]


@pytest.mark.parametrize(
    ("child", "message"),
    [
        ("\n[minds]\ntau = 2", "inn.toml:4: minds.tau: must be at most 1 (got 2)"),
        ("[[people]]\nname = 3", "inn.toml:3: people.2.name: must be text in quotes (got 3)"),
        (
            "[[people]]\nname = 'Hob Reed'\nthievry = 1",
            "inn.toml:4: people.0.thievry: unknown field (did you mean 'thievery'?)",
        ),
        (
            "[[people]]\nname = [1]",
            "inn.toml:3: people.2.name: must be text in quotes (got a list)",
        ),
        (
            "people = 3",
            "inn.toml:2: people: must be a list of tables, each under [[people]] (got 3)",
        ),
        # The people of the town are too many for it.
        (
            "patrons = 1",
            "town.toml:15: people: 2 people are pinned by name, "
            "so patrons must be at least 2 (got 1)",
        ),
    ],
)
def test_mistakes_are_shown_in_the_file_that_made_them(
    write: Any, child: str, message: str
) -> None:
    write(TOWN, "town.toml")
    path = write(f'extends = "town.toml"\n{child}')
    with pytest.raises(ScenarioError) as error:
        load_scenario(path)
    assert str(error.value) == message


def test_mistakes_of_the_extended_file_name_that_file(write: Any) -> None:
    write("patrons = 5\n\nmindz = {}", "towns/town.toml")
    with pytest.raises(ScenarioError) as error:
        load_scenario(write('extends = "towns/town.toml"'))
    assert str(error.value) == "towns/town.toml:3: mindz: unknown field (did you mean 'minds'?)"


# --- settings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("patrons=40", ("patrons", 40)),
        ("minds.tau = 0.5", ("minds.tau", 0.5)),
        ("minds.tau_moves=false", ("minds.tau_moves", False)),
        ("taverns.0.custom=orc", ("taverns.0.custom", "orc")),
        ('taverns.0.name="3"', ("taverns.0.name", "3")),
        ("taverns.0.name=The Eel Pot", ("taverns.0.name", "The Eel Pot")),
        ("taverns.0.till_cp=3 gp", ("taverns.0.till_cp", "3 gp")),
        ("population.trades={guard = 1}", ("population.trades", {"guard": 1})),
        ("description=a=b", ("description", "a=b")),
        ("description=", ("description", "")),
        ("patrons=1\nname=2", ("patrons", "1\nname=2")),
    ],
)
def test_parse_setting(text: str, expected: tuple[str, Any]) -> None:
    assert parse_setting(text) == expected


@pytest.mark.parametrize("text", ["patrons", "=3", "  = 3", ""])
def test_parse_setting_wants_a_path_and_a_value(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"^not a setting: .*write it like taverns\.0\.rake_bp=500"
    ):
        parse_setting(text)


def test_settings_reach_everywhere_and_leave_the_scenario_alone() -> None:
    before = Scenario()
    after = before.with_settings(
        {
            "patrons": 40,
            "taverns.0.tables.0.stake": "1 sp",
            "taverns.0.tables.1.seats": 4,
            "taverns.1.name": "Eel Pot",
            "population.trades.guard": 3.0,
            "people.0.name": "Hob Reed",
        }
    )
    assert before == Scenario()
    assert after.patrons == 40
    assert [(table.stake, table.seats) for table in after.taverns[0].tables] == [
        (10, 6),
        ("auto", 4),
    ]
    assert after.taverns[1].name == "Eel Pot"
    assert after.population.trades == {"guard": 3.0}
    assert after.people[0].name == "Hob Reed"


def test_settings_take_numpy_numbers_and_none() -> None:
    import numpy as np

    scenario = Scenario().with_settings({"patrons": np.int64(9), "minds.tau": np.float64(0.5)})
    assert (scenario.patrons, scenario.minds.tau) == (9, 0.5)
    pinned = scenario.with_settings({"people.0": {"name": "Hob Reed", "gold": 3}})
    assert pinned.with_settings({"people.0.gold": None}).people[0].gold is None


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("patrns", 4, "patrns: unknown field (did you mean 'patrons'?)"),
        ("rake_bp", 4, "rake_bp: unknown field (did you mean 'taverns.0.rake_bp'?)"),
        ("mindz.tau", 0.1, "mindz: unknown field (did you mean 'minds'?)"),
        (
            "taverns.0.rake",
            4,
            "taverns.0.rake: unknown field (did you mean 'rake_bp'?)",
        ),
        ("patrons", "many", "patrons: must be a whole number (got 'many')"),
        (
            "taverns.3.rake_bp",
            4,
            "taverns.3.rake_bp: no such entry of taverns (got 3; it has 1, and taverns.1 adds one)",
        ),
        (
            "taverns.rake_bp",
            4,
            "taverns.rake_bp: taverns is a list: a number must follow, as in taverns.0 "
            "(got 'rake_bp')",
        ),
        ("patrons.x", 4, "patrons.x: patrons is no table (it is 120)"),
        ("patrons.x.y", 4, "patrons.x.y: patrons is no table (it is 120)"),
        (
            "taverns.0.tables.0.game",
            "roting-toes",
            "taverns.0.tables.0.game: no such game "
            "(got 'roting-toes'; allowed rotting-toes, magic-wand, arm-wrestling, heads-or-tails; "
            "did you mean 'rotting-toes'?)",
        ),
        (
            "taverns.0.yard.0",
            {"rounds": 7},
            "taverns.0.yard.0.rounds: must be a list of whole numbers, such as [7] (got 7)",
        ),
        (
            "taverns.0.yard",
            [{"rounds": [7]}, {"rounds": [1, 7]}],
            "taverns.0.yard.1.rounds.1: taverns.0.yard.0 is held in this round, ",
        ),
        (
            "taverns.0.tables.0.game",
            "chase",
            "taverns.0.tables.0.game: chase is played with `tavern play chase` alone, ",
        ),
        ("data", "/no/such", "data: no such folder (got '/no/such')"),
        ("extends", "orc-gate", "extends: unknown field (allowed: name, description, "),
    ],
)
def test_settings_that_cannot_be(path: str, value: Any, message: str) -> None:
    with pytest.raises(ScenarioError) as error:
        load_scenario("rusty-flagon", {path: value})
    assert str(error.value).startswith(f"settings: {message}")
    assert (error.value.path, error.value.line) == ("settings", None)


def test_a_file_without_the_ending_loads_by_its_name(write: Any) -> None:
    path = write("patrons = 7", "inn")
    write("extends = 'inn'", "child.toml")
    assert load_scenario("inn").patrons == load_scenario("child.toml").patrons == 7
    assert path.is_file()


def test_a_path_never_means_a_builtin(write: Any) -> None:
    with pytest.raises(ScenarioError, match=r"no such file .*is called 'rusty-flagon'"):
        load_scenario("./rusty-flagon")


# --- and back

SIGNS = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))
NAMES = st.text(SIGNS, min_size=1, max_size=12).filter(str.strip)
SCENARIO_NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9 _.'-]{0,20}", fullmatch=True)
PROBS = st.floats(0, 1)
SUMS = st.integers(0, 10**12) | st.sampled_from(["3 gp 5 sp", "7 cp", "1,200 gp"])
TRADES = st.dictionaries(st.sampled_from(["guard", "smith"]), st.floats(0.001, 1e6), max_size=2)


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Any selection of these fields."""
    return st.fixed_dictionaries({}, optional=fields)


TABLES = some(
    count=st.just("auto") | st.integers(0, 9),
    seats=st.integers(2, 12),
    stake=st.just("auto") | st.integers(1, 10**6) | st.just("2 sp"),
)
TAVERNS = some(
    district=st.text(max_size=10),
    capacity=st.just("auto") | st.integers(1, 500),
    custom=st.sampled_from(["lax", "orc"]),
    staff_cp=SUMS,
    mugs_mean=st.floats(0, 20),
    tables=st.lists(TABLES, max_size=3),
)
PEOPLE = some(
    sex=st.sampled_from(["female", "male"]),
    trade=st.sampled_from(["guard", "noble"]),
    gold=SUMS,
    honesty=st.floats(-5, 5),
    player=st.booleans(),
)


def _spoken(name: str) -> str:
    return " ".join(name.split()).casefold()


@st.composite
def scenario_tables(draw: st.DrawFn) -> dict[str, Any]:
    """Tables of a sound scenario file, in which anything may be left out."""
    table = draw(
        some(
            name=SCENARIO_NAMES,
            description=st.text(max_size=30),
            patrons=st.integers(5, 10**6),
            population=some(leave_prob=PROBS, trades=TRADES),
            economy=some(living=st.booleans(), wages_cp=TRADES.map(lambda t: dict.fromkeys(t, 9))),
            minds=some(tau=PROBS, rationality=st.floats(0, 100)),
        )
    )
    houses = draw(st.lists(NAMES, max_size=3, unique_by=_spoken))
    if houses:
        table["taverns"] = [{"name": name, **draw(TAVERNS)} for name in houses]
    names = draw(st.lists(NAMES, max_size=3, unique=True))
    table["people"] = [{"name": name, **draw(PEOPLE)} for name in names]
    return table


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("round-trip")


@settings(deadline=None)  # writes and reads files
@given(table=scenario_tables())
def test_load_write_load_gives_the_same(folder: Path, table: dict[str, Any]) -> None:
    first, second = folder / "first.toml", folder / "second.toml"
    first.write_text(to_toml(table), encoding="utf-8")
    scenario = load_scenario(first)
    second.write_text(scenario.to_toml(), encoding="utf-8")
    again = load_scenario(second)
    assert again == scenario
    assert again.to_toml() == scenario.to_toml()
    assert scenario.name == table.get("name", "first")


@settings(deadline=None)  # writes and reads files
@given(table=scenario_tables(), patrons=st.integers(5, 1000))
def test_a_file_over_another_wins_and_keeps_the_rest(
    folder: Path, table: dict[str, Any], patrons: int
) -> None:
    base, child = folder / "base.toml", folder / "child.toml"
    base.write_text(to_toml(table), encoding="utf-8")
    child.write_text(f'extends = "base.toml"\npatrons = {patrons}', encoding="utf-8")
    expected = load_scenario(base, {"patrons": patrons, "name": "child"})
    assert load_scenario(child) == expected


def test_what_is_pinned_survives_pickling() -> None:
    scenario = load_scenario("orc-gate")
    assert pickle.loads(pickle.dumps(scenario)) == scenario
    with pytest.raises(ScenarioError) as error:
        load_scenario("orc-gat")
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)
