"""Every mistake gives one line: file, line, field, what is wrong and what is allowed."""

import inspect
from pathlib import Path
from typing import Any

import pytest

from tavern_abm.games import GAMES, load_game
from tavern_abm.scenario import ScenarioError, builtin_scenarios, load_scenario

TABLE_GAMES = "rotting-toes, magic-wand, arm-wrestling, heads-or-tails"
CHASE_ALONE = "chase is played with `tavern play chase` alone, not in an evening"
YARD = "[[taverns]]\n[[taverns.yard]]\n"

# Text of inn.toml, and the whole message.
MISTAKES = {
    "unknown key": (
        "patrons = 4\n\n\n\n\n[[taverns]]\ncapcity = 3",
        "inn.toml:7: taverns.0.capcity: unknown field (did you mean 'capacity'?)",
    ),
    "negative capacity": (
        "\n\n\n\n[[taverns]]\ncapacity = -3",
        "inn.toml:6: taverns.0.capacity: must be greater than 0 (got -3)",
    ),
    "unknown key like nothing": (
        "[[taverns]]\ntables = [{ xyzzy = 1 }]",
        "inn.toml:2: taverns.0.tables.0.xyzzy: unknown field (allowed: game, count, seats, stake, "
        "options)",
    ),
    "key of another table": (
        "mug_cp = 4",
        "inn.toml:1: mug_cp: unknown field (did you mean 'taverns.0.mug_cp'?)",
    ),
    "letter case": ("Patrons = 4", "inn.toml:1: Patrons: unknown field (did you mean 'patrons'?)"),
    "unknown table": (
        "[[tavern]]\nname = 'x'",
        "inn.toml:1: tavern: unknown field (did you mean 'taverns'?)",
    ),
    "text for a number": (
        "patrons = 'many'",
        "inn.toml:1: patrons: must be a whole number (got 'many')",
    ),
    "digits in quotes": ("patrons = '9'", "inn.toml:1: patrons: must be a whole number (got '9')"),
    "fraction": ("patrons = 4.0", "inn.toml:1: patrons: must be a whole number (got 4.0)"),
    "true for a number": (
        "patrons = true",
        "inn.toml:1: patrons: must be a whole number (got true)",
    ),
    "number for true": (
        "[minds]\ntau_moves = 1",
        "inn.toml:2: minds.tau_moves: must be true or false (got 1)",
    ),
    "text for a fraction": (
        "minds.tau = 'high'",
        "inn.toml:1: minds.tau: must be a number (got 'high')",
    ),
    "number for text": ("name = 3", "inn.toml:1: name: must be text in quotes (got 3)"),
    "a date": (
        "patrons = 2024-01-01",
        "inn.toml:1: patrons: must be a whole number (got 2024-01-01)",
    ),
    "nan": ("minds.tau = nan", "inn.toml:1: minds.tau: must be a finite number (got nan)"),
    "inf": (
        "[population.trades]\nguard = inf",
        "inn.toml:2: population.trades.guard: must be a finite number (got inf)",
    ),
    "too small": ("patrons = 0", "inn.toml:1: patrons: must be at least 1 (got 0)"),
    "too large": ("minds.tau = 1.5", "inn.toml:1: minds.tau: must be at most 1 (got 1.5)"),
    "at an open end": (
        "[population]\nshare_of_cheats = 1.0",
        "inn.toml:2: population.share_of_cheats: must be less than 1 (got 1.0)",
    ),
    "nearly auto": (
        "[[taverns]]\ncapacity = 'atuo'",
        "inn.toml:2: taverns.0.capacity: must be a whole number or 'auto' "
        "(got 'atuo'; did you mean 'auto'?)",
    ),
    "no number nor auto": (
        "[[taverns]]\ntables = [\n{ count = [] },\n]",
        "inn.toml:3: taverns.0.tables.0.count: must be a whole number or 'auto' (got a list)",
    ),
    "no money": (
        "[[taverns]]\nstaff_cp = '3 groats'",
        "inn.toml:2: taverns.0.staff_cp: not a sum of money: '3 groats'; "
        "write it like '3 gp 5 sp 2 cp'",
    ),
    "negative money": (
        "[[taverns]]\nmug_cp = '-3 gp'",
        "inn.toml:2: taverns.0.mug_cp: must be at least 0 (got '-3 gp')",
    ),
    "free stake": (
        "[[taverns]]\n[[taverns.tables]]\nstake = 0",
        "inn.toml:3: taverns.0.tables.0.stake: must be at least 1 (got 0)",
    ),
    "more money than there is": (
        "[[taverns]]\ntill_cp = 99999999999999999999",
        "inn.toml:2: taverns.0.till_cp: must be at most 1000000000000 (got 99999999999999999999)",
    ),
    "one table where a list belongs": (
        "[taverns]\nname = 'x'",
        "inn.toml:1: taverns: must be a list of tables, each under [[taverns]] (got a table)",
    ),
    "a list where one table belongs": (
        "[[minds]]\ntau = 1",
        "inn.toml:1: minds: must be one table, under [minds] (got a list)",
    ),
    "number where a table belongs": (
        "taverns = [3]",
        "inn.toml:1: taverns.0: must be a table (got 3)",
    ),
    "number where names belong": (
        "population.trades = 3",
        "inn.toml:1: population.trades: must be one table, under [population.trades] (got 3)",
    ),
    "no tavern": ("taverns = []", "inn.toml:1: taverns: must have at least 1 entry (got 0)"),
    "no name": ("[[people]]\nsex = 'male'", "inn.toml:1: people.0.name: must be given"),
    "empty name": (
        "name = ''",
        "inn.toml:1: name: must have at least 1 character (got 0)",
    ),
    "long name": (
        f"name = '{'x' * 61}'",
        "inn.toml:1: name: must have at most 60 characters (got 61)",
    ),
    "name that is a path": (
        "name = '../x'",
        "inn.toml:1: name: must not start with a dot nor hold '/', '\\', ':' or line breaks "
        "(got '../x')",
    ),
    "tavern of two lines": (
        '[[taverns]]\nname = "a\\nb"',
        "inn.toml:2: taverns.0.name: must be one line that is not blank (got 'a\\nb')",
    ),
    "blank person": (
        "[[people]]\nname = '  '",
        "inn.toml:2: people.0.name: must be one line that is not blank (got '  ')",
    ),
    "person who turns the line": (
        "[[people]]\nname = 'Tam \u202elraH'",
        "inn.toml:2: people.0.name: must not hold signs that turn the direction of writing "
        "(got 'Tam \\u202elraH')",
    ),
    "blank scenario": (
        "name = ' '",
        "inn.toml:1: name: must be one line that is not blank (got ' ')",
    ),
    "none of the words": (
        "[[people]]\nname = 'x'\nsex = 'femal'",
        "inn.toml:3: people.0.sex: must be 'female' or 'male' "
        "(got 'femal'; did you mean 'female'?)",
    ),
    "honest cheat": (
        "[[people]]\nname = 'x'\ncheat = false\npropensity = 0.5",
        "inn.toml:1: people.0: cheat = false and a propensity contradict each other; leave out one",
    ),
    "no weight": (
        "[population.trades]\nguard = 0",
        "inn.toml:1: population.trades: must hold a weight above 0",
    ),
    "negative weight": (
        "[population.ancestries]\norc = -1",
        "inn.toml:2: population.ancestries.orc: must be at least 0 (got -1)",
    ),
    "unknown game": (
        "[[taverns]]\n[[taverns.tables]]\ngame = 'roting-toes'",
        "inn.toml:3: taverns.0.tables.0.game: no such game "
        f"(got 'roting-toes'; allowed {TABLE_GAMES}; did you mean 'rotting-toes'?)",
    ),
    "unknown game in the yard": (
        f"{YARD}game = 'rase'\nrounds = [1]",
        "inn.toml:3: taverns.0.yard.0.game: no such game "
        "(got 'rase'; allowed long-throw, race; did you mean 'race'?)",
    ),
    "chase at a table": (
        "[[taverns]]\n[[taverns.tables]]\ngame = 'chase'",
        f"inn.toml:3: taverns.0.tables.0.game: {CHASE_ALONE}",
    ),
    "chase in the yard": (
        f"{YARD}game = 'chase'\nrounds = [1]",
        f"inn.toml:3: taverns.0.yard.0.game: {CHASE_ALONE}",
    ),
    "race at a table": (
        "[[taverns]]\n[[taverns.tables]]\ngame = 'race'",
        "inn.toml:3: taverns.0.tables.0.game: race is not played at a table; "
        "give it [[taverns.yard]]",
    ),
    "table game in the yard": (
        f"{YARD}game = 'magic-wand'\nrounds = [1]",
        "inn.toml:3: taverns.0.yard.0.game: magic-wand is not held in a yard; "
        "give it [[taverns.tables]]",
    ),
    "one round for a list": (
        f"{YARD}game = 'race'\nrounds = 7",
        "inn.toml:4: taverns.0.yard.0.rounds: must be a list of whole numbers, such as [7] (got 7)",
    ),
    "text among rounds": (
        f"{YARD}rounds = [1, '7']",
        "inn.toml:3: taverns.0.yard.0.rounds.1: must be a whole number (got '7')",
    ),
    "round named twice": (
        f"{YARD}rounds = [1, 7, 1]",
        "inn.toml:3: taverns.0.yard.0.rounds.2: must not be named twice (got 1)",
    ),
    "two events at once": (
        f"{YARD}rounds = [1, 7]\n[[taverns.yard]]\ngame = 'long-throw'\nrounds = [13, 7]",
        "inn.toml:6: taverns.0.yard.1.rounds.1: taverns.0.yard.0 is held in this round, "
        "and nobody can be in both (got 7)",
    ),
    "list for an option": (
        f"{YARD}rounds = [1]\noptions = {{ course = ['a', 'b'] }}",
        "inn.toml:4: taverns.0.yard.0.options.course: "
        "must be true or false, a number or text (got a list)",
    ),
    "nan for an option": (
        f"{YARD}rounds = [1]\noptions = {{ dc = nan }}",
        "inn.toml:4: taverns.0.yard.0.options.dc: "
        "must be true or false, a number or text (got nan)",
    ),
    "unknown home": (
        "[[taverns]]\nname = 'Eel Pot'\n[[people]]\nname = 'x'\nhome = 'Eel Pit'",
        "inn.toml:5: people.0.home: no such tavern "
        "(got 'Eel Pit'; allowed Eel Pot; did you mean 'Eel Pot'?)",
    ),
    "two taverns of one name": (
        "[[taverns]]\nname = 'a'\n[[taverns]]\nname = 'b'\n[[taverns]]\nname = 'a'",
        "inn.toml:6: taverns.2.name: must differ from that of taverns.0 (got 'a')",
    ),
    "two taverns that differ in capitals": (
        "[[taverns]]\nname = 'The Eel'\n[[taverns]]\nname = 'the eel'",
        "inn.toml:4: taverns.1.name: must differ from that of taverns.0, 'The Eel', "
        "by more than capitals and blanks (got 'the eel')",
    ),
    "two taverns that differ in blanks": (
        "[[taverns]]\nname = 'The Eel'\n[[taverns]]\nname = ' The  Eel '",
        "inn.toml:4: taverns.1.name: must differ from that of taverns.0, 'The Eel', "
        "by more than capitals and blanks (got ' The  Eel ')",
    ),
    "two taverns of one name after one that sounds like it": (
        "[[taverns]]\nname = 'A'\n[[taverns]]\nname = 'b'\n[[taverns]]\nname = 'b'",
        "inn.toml:6: taverns.2.name: must differ from that of taverns.1 (got 'b')",
    ),
    "two people of one name": (
        "[[people]]\nname = 'a'\n[[people]]\nname = 'a'",
        "inn.toml:4: people.1.name: must differ from that of people.0 (got 'a')",
    ),
    "too many people": (
        "patrons = 1\n[[people]]\nname = 'a'\n[[people]]\nname = 'b'",
        "inn.toml:2: people: 2 people are pinned by name, so patrons must be at least 2 (got 1)",
    ),
    "not TOML": (
        "patrons = 4\nname = \n",
        "inn.toml:2: not valid TOML: Invalid value (column 8)",
    ),
    "not closed": (
        "patrons = 4\ntaverns = [\n\n",
        "inn.toml:2: not valid TOML: Invalid value at the end of the file",
    ),
    "key twice": (
        "patrons = 4\npatrons = 5\n",
        "inn.toml:2: not valid TOML: Cannot overwrite a value (column 12)",
    ),
    "bottomless": ("x = " + "[" * 5000 + "]" * 5000, "inn.toml: nested too deeply"),
    "extends nothing known": (
        "\nextends = 'rusty-flagn'",
        "inn.toml:2: extends: no such scenario (did you mean 'rusty-flagon'? "
        f"built in: {', '.join(builtin_scenarios())}; a file's name ends in .toml; "
        "got 'rusty-flagn')",
    ),
    "extends a missing file": (
        "extends = 'ina.toml'",
        "inn.toml:1: extends: no such file (got 'ina.toml'; did you mean 'inn.toml'?)",
    ),
    "extends a folder": ("extends = './'", "inn.toml:1: extends: is a folder (got './')"),
    "extends a number": (
        "extends = 3",
        "inn.toml:1: extends: must be the name or path of a scenario (got 3)",
    ),
    "extends itself": (
        "extends = './inn.toml'",
        "inn.toml:1: extends: goes round in a circle (inn.toml -> inn.toml)",
    ),
}


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def message_of(source: Any) -> str:
    with pytest.raises(ScenarioError) as error:
        load_scenario(source)
    return str(error.value)


@pytest.mark.parametrize(("text", "message"), MISTAKES.values(), ids=MISTAKES)
def test_one_mistake_one_line(text: str, message: str) -> None:
    Path("inn.toml").write_text(text, encoding="utf-8")
    assert message_of("inn.toml") == message


@pytest.mark.parametrize(("key", "place"), [("tables", "table"), ("yard", "yard")])
def test_games_that_are_named_may_stand_there(key: str, place: str) -> None:
    rounds = "\nrounds = [1]" if place == "yard" else ""
    text = f"[[taverns]]\n[[taverns.{key}]]\ngame = 'x'{rounds}"
    Path("inn.toml").write_text(text, encoding="utf-8")
    fitting = [game for game in GAMES if place == load_game(game).PLACE]
    assert f"allowed {', '.join(fitting)})" in message_of("inn.toml")


def test_two_houses_hold_events_in_the_same_round() -> None:
    yard = "[[taverns.yard]]\nrounds = [1, 7]\n"
    text = f"[[taverns]]\nname = 'a'\n{yard}[[taverns]]\nname = 'b'\n{yard}"
    Path("inn.toml").write_text(text, encoding="utf-8")
    assert [len(house.yard) for house in load_scenario("inn.toml").taverns] == [1, 1]


@pytest.mark.parametrize(
    ("place", "kind", "given"),
    [
        ("[[taverns]]\ncustom", "custom", "decnt"),
        ("[[people]]\nname = 'a'\ntrade", "trade", "gard"),
        ("[[people]]\nname = 'a'\nancestry", "ancestry", "humn"),
    ],
)
def test_names_of_the_data_tables(place: str, kind: str, given: str) -> None:
    Path("inn.toml").write_text(f"{place} = '{given}'", encoding="utf-8")
    message = message_of("inn.toml")
    assert f"no such {kind} (got '{given}'; allowed " in message
    nearest = {"decnt": "decent", "gard": "guard", "humn": "human"}[given]
    assert message.endswith(f"did you mean '{nearest}'?)")
    assert message.startswith(f"inn.toml:{place.count('\n') + 1}: ")


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        ("population.ancestries", "ancestry"),
        ("population.trades", "trade"),
        ("economy.wages_cp", "trade"),
    ],
)
def test_weights_and_wages_are_of_known_names(table: str, kind: str) -> None:
    Path("inn.toml").write_text(f"[{table}]\nxyzzy = 3", encoding="utf-8")
    message = message_of("inn.toml")
    assert message.startswith(f"inn.toml:2: {table}.xyzzy: no such {kind} (got 'xyzzy'; allowed ")


def test_all_problems_at_once_in_the_order_of_the_lines() -> None:
    text = """\
    nam = "x"
    [[taverns]]
    custom = "decnt"
    staff_cp = -1
    [[taverns.tables]]
    game = "roting-toes"
    seats = 1
    [[people]]
    home = "Nowhere"
    [minds]
    tau = 7
    """
    Path("inn.toml").write_text(inspect.cleandoc(text), encoding="utf-8")
    with pytest.raises(ScenarioError) as error:
        load_scenario("inn.toml")
    found = [(problem.line, problem.field) for problem in error.value.problems]
    assert found == [
        (1, "nam"),
        (3, "taverns.0.custom"),
        (4, "taverns.0.staff_cp"),
        (6, "taverns.0.tables.0.game"),
        (7, "taverns.0.tables.0.seats"),
        (8, "people.0.name"),
        (9, "people.0.home"),
        (11, "minds.tau"),
    ]
    assert str(error.value).count("\n") == 7
    first = error.value
    assert (first.path, first.line, first.field) == ("inn.toml", 1, "nam")
    assert first.problem == "unknown field (did you mean 'name'?)"


def test_a_tavern_without_its_name_spoils_no_home() -> None:
    text = "[[taverns]]\nname = 3\n[[people]]\nname = 'a'\nhome = 'Eel Pot'"
    Path("inn.toml").write_text(text, encoding="utf-8")
    assert message_of("inn.toml") == "inn.toml:2: taverns.0.name: must be text in quotes (got 3)"


def test_missing_file_with_its_nearest_neighbour() -> None:
    assert message_of("inn.toml") == "inn.toml: no such file"
    Path("town").mkdir()
    Path("town/inns.toml").touch()
    assert message_of("town/inn.toml") == (
        "town/inn.toml: no such file (did you mean 'town/inns.toml'?)"
    )


def test_folder_for_a_file() -> None:
    Path("inn.toml").mkdir()
    assert message_of("inn.toml") == "inn.toml: is a folder, not a file"
    assert message_of(Path()) == ".: is a folder, not a file"


def test_file_that_is_no_folder() -> None:
    Path("inn.toml").touch()
    assert message_of("inn.toml/x.toml") == "inn.toml/x.toml: cannot be read: Not a directory"
    assert message_of("a\0.toml").endswith(": cannot be read: embedded null byte")


def test_not_utf8() -> None:
    Path("inn.toml").write_bytes(b"patrons = 4\n# caf\xe9\n")
    assert message_of("inn.toml") == (
        "inn.toml:2: not UTF-8 text (got byte 0xe9); save the file as UTF-8"
    )


def test_wrong_names() -> None:
    assert message_of("orcgate") == (
        "orcgate: no such scenario (did you mean 'orc-gate'? "
        f"built in: {', '.join(builtin_scenarios())}; a file's name ends in .toml)"
    )
    Path("inn.toml").touch()
    assert "(did you mean 'inn.toml'? " in message_of("inn")


def test_missing_data_folder() -> None:
    Path("inn.toml").write_text("\ndata = 'mine'", encoding="utf-8")
    folder = Path("mine").absolute()
    assert message_of("inn.toml") == f"inn.toml:2: data: no such folder (got '{folder}')"


def test_a_longer_circle_is_named_in_full() -> None:
    Path("a.toml").write_text("extends = 'b.toml'", encoding="utf-8")
    Path("b.toml").write_text("\nextends = 'c.toml'", encoding="utf-8")
    Path("c.toml").write_text("extends = 'a.toml'", encoding="utf-8")
    assert message_of("a.toml") == (
        "c.toml:1: extends: goes round in a circle (a.toml -> b.toml -> c.toml -> a.toml)"
    )
