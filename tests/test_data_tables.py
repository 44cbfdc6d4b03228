"""The tables of data/: what is shipped, a user's own before it, and what is refused."""

import pickle
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tavern_abm.data_tables import (
    ABILITIES,
    SENTENCES,
    SKILLS,
    Ancestry,
    Custom,
    DataError,
    Trade,
    load_tables,
)
from tavern_abm.shipped import shipped
from tavern_abm.trade_words import trade_of, trades_played

WAGES = {
    "beggar": 10,
    "peasant": 14,
    "barmaid": 60,
    "farmer": 100,
    "smith": 110,
    "merchant": 120,
    "sailor": 140,
    "guard": 200,
    "noble": 300,
}
PEOPLES = ("human", "half-elf", "elf", "dwarf", "gnome", "halfling", "half-orc", "orc")
# warned, out, banned, beaten, killed, nights of a ban, restraint, lucky wins
CUSTOMS = {
    "lax": (1, 0, 0, 0, 0, 0, 0, 0),
    "decent": (0.30, 0.45, 0.20, 0.05, 0, 7, 0.5, 0),
    "guild": (0.20, 0.30, 0.45, 0.05, 0, 30, 1, 0),
    "dockside": (0.10, 0.30, 0.20, 0.38, 0.02, 14, 1, 0),
    "orc": (0, 0, 0, 0.30, 0.70, 2, 2, 4),
    "gallows": (0, 0, 0, 0, 1, 30, 2, 0),
    "envious": (1, 0, 0, 0, 0, 0, 0.5, 4),
}
GENERATORS_WAGES = {
    "baker": 80,
    "tailor": 100,
    "cook": 90,
    "bartender": 200,
    "minstrel": 130,
    "gambler": 130,
    "thief": 120,
    "miner": 60,
    "banker": 800,
}
"""More of the wages that the model's come from."""
PARIS = {
    "shoemaker": 366,
    "tailor": 197,
    "barber": 152,
    "jeweller": 131,
    "cook": 130,
    "mason": 104,
    "carpenter": 95,
    "weaver": 86,
    "baker": 62,
    "vintner": 56,
    "brewer": 37,
    "physician": 29,
    "innkeeper": 24,
    "smith": 34 + 27 + 22,
    "butcher": 51 + 42,
    "merchant": 70 + 43 + 35 + 22 + 21,
}
"""Practitioners on the tax roll of 1292, among some 50,000 people."""

DELVER = """
[[trade]]
name = "delver"
wage_cp = "6 sp"
weight = 0.1
rank = "common"
climb = 1
feats = ["Endurance"]
"""
LAX = """
[[custom]]
name = "lax"
warned = 0.5
out = 0.5
banned = 0
beaten = 0
killed = 0
ban_nights = 0
restraint = 0.0
lucky_wins = 0
"""
GOBLIN = """
[[ancestry]]
name = "goblin"
weight = 0.1
size = "small"
speed_ft = 30
dexterity = 2
"""
GOBLIN_NAMES = """
[[people]]
name = "goblin"
female = ["Ashka"]
male = ["Dobrik"]
bynames = ["Lamp-Thief"]
"""


def own(folder: Path, **files: str) -> str:
    """Write tables into a folder of the user's."""
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return str(folder)


def located(folder: Path, **files: str) -> str:
    """Say how these tables are refused, and on which line."""
    with pytest.raises(DataError) as error:
        load_tables(own(folder, **files))
    return str(error.value).removeprefix(f"{folder}/")


def problem(folder: Path, **files: str) -> str:
    """Say how these tables are refused, whatever the line."""
    return re.sub(r"^(\w+\.toml):\d+: ", r"\1: ", located(folder, **files))


def test_wages_are_those_of_the_model() -> None:
    wages = {name: trade.wage_cp for name, trade in load_tables().trades.items()}
    assert {name: wages[name] for name in list(wages)[: len(WAGES)]} == WAGES
    assert {name: wages[name] for name in GENERATORS_WAGES} == GENERATORS_WAGES


def test_trades_of_a_whole_town_are_drawn_by_nobody_who_asks_for_none() -> None:
    trades = list(load_tables().trades.values())
    assert all(trade.weight > 0 for trade in trades[: len(WAGES)])
    assert not any(trade.weight for trade in trades[len(WAGES) :])


def test_a_run_whose_own_tables_are_gone_calls_trades_by_the_shipped_ones(tmp_path: Path) -> None:
    own = '[[trade]]\nname = "barmaid"\nmale = "pot-boy"\nwage_cp = 1\nweight = 1\nrank = "poor"\n'
    (tmp_path / "trades.toml").write_text(own)
    scenario = {"data": str(tmp_path)}
    assert trade_of("barmaid", "male", trades_played(scenario)) == "pot-boy"
    (tmp_path / "trades.toml").unlink()
    assert trade_of("barmaid", "male", trades_played(scenario)) == "potman"
    assert trade_of("barmaid", "male", trades_played({})) == "potman"


def test_people_per_practitioner_are_those_of_paris() -> None:
    trades = load_tables().trades
    assert {name: trades[name].people_per for name in PARIS} == {
        name: round(50_000 / n) for name, n in PARIS.items()
    }
    drink = [trades[name].people_per for name in ("innkeeper", "brewer", "vintner")]
    assert 1 / sum(1 / each for each in drink) == pytest.approx(50_000 / (24 + 37 + 56), abs=0.1)


def test_mean_wage_of_the_tavern_goers_balances_an_inn() -> None:
    trades = load_tables().trades.values()
    assert sum(trade.weight for trade in trades) == pytest.approx(1, abs=1e-12)
    assert sum(trade.weight * trade.wage_cp for trade in trades) == pytest.approx(100, abs=1)


def test_few_beggars_and_nobles_and_ranks_follow_the_wage() -> None:
    trades = load_tables().trades
    assert max(trades["beggar"].weight, trades["noble"].weight) <= 0.03
    poor = [trade.wage_cp for trade in trades.values() if trade.rank == "poor"]
    assert max(poor) < min(trade.wage_cp for trade in trades.values() if trade.rank != "poor")


def test_trades_bring_skills_and_feats() -> None:
    trades = load_tables().trades
    assert trades["beggar"].thievery == 2
    sailor, guard = trades["sailor"], trades["guard"]
    assert min(sailor.climb, sailor.swim, sailor.balance) > 0 < min(guard.perception, guard.spot)
    taught = {feat for trade in trades.values() for feat in trade.feats}
    assert taught == {"Endurance", "Run", "Far Shot", "Two-Weapon Fighting", "Weapon Focus"}


def test_ancestries_are_those_of_the_d20_system() -> None:
    ancestries = load_tables().ancestries
    assert tuple(ancestries) == PEOPLES
    changes = {
        name: {ability: change for ability in ABILITIES if (change := getattr(each, ability))}
        for name, each in ancestries.items()
    }
    assert changes == {
        "human": {},
        "half-elf": {},
        "elf": {"dexterity": 2, "constitution": -2},
        "dwarf": {"constitution": 2, "charisma": -2},
        "gnome": {"strength": -2, "constitution": 2},
        "halfling": {"strength": -2, "dexterity": 2},
        "half-orc": {"strength": 2, "intelligence": -2, "charisma": -2},
        "orc": {"strength": 4, "intelligence": -2, "wisdom": -2, "charisma": -2},
    }
    assert [name for name, each in ancestries.items() if each.size == "small"] == [
        "gnome",
        "halfling",
    ]
    slow = {name for name, each in ancestries.items() if each.speed_ft == 20}
    assert slow == {"dwarf", "gnome", "halfling"}
    assert {each.speed_ft for each in ancestries.values()} == {20, 30}


def test_ancestries_make_a_town_of_humans() -> None:
    ancestries = load_tables().ancestries
    assert sum(each.weight for each in ancestries.values()) == pytest.approx(1, abs=1e-12)
    assert ancestries["human"].weight >= 0.75


def test_customs_are_those_of_the_model() -> None:
    found = {
        name: (*each.odds, each.ban_nights, each.restraint, each.lucky_wins)
        for name, each in load_tables().customs.items()
    }
    assert found == CUSTOMS


def test_odds_of_every_custom_add_up() -> None:
    for custom in load_tables().customs.values():
        assert sum(getattr(custom, sentence) for sentence in SENTENCES) == pytest.approx(1)
        assert custom.about


@pytest.mark.parametrize("model", [Trade, Ancestry])
def test_every_skill_is_a_field(model: type[Trade] | type[Ancestry]) -> None:
    assert set(SKILLS) <= set(model.model_fields)


@pytest.mark.parametrize("path", sorted(shipped("data").glob("*.toml")), ids=lambda path: path.name)
def test_every_table_opens_with_what_it_is(path: Path) -> None:
    opening = path.read_text().split("\n\n")[0].splitlines()
    assert len(opening) >= 2
    assert all(line.startswith("#") for line in opening)


def test_entries_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        load_tables().trades["smith"].wage_cp = 1  # type: ignore[misc]


def test_tables_are_read_once_and_shared() -> None:
    assert load_tables() is load_tables()


def test_own_trade_is_added_behind_the_shipped(tmp_path: Path) -> None:
    trades = load_tables(own(tmp_path, trades=DELVER)).trades
    assert list(trades) == [*load_tables().trades, "delver"]
    assert (trades["delver"].wage_cp, trades["delver"].climb) == (60, 1)
    assert "delver" not in load_tables().trades


def test_own_entry_goes_before_the_shipped_one(tmp_path: Path) -> None:
    customs = load_tables(own(tmp_path, customs=LAX)).customs
    assert list(customs) == list(CUSTOMS)
    assert customs["lax"].odds == (0.5, 0.5, 0, 0, 0)
    assert customs["lax"].about == ""
    assert customs["orc"] == load_tables().customs["orc"]


def test_an_edited_table_is_read_again(tmp_path: Path) -> None:
    folder = own(tmp_path, trades=DELVER)
    assert load_tables(folder).trades["delver"].wage_cp == 60
    own(tmp_path, trades=DELVER.replace("6 sp", "7 sp"))
    assert load_tables(folder).trades["delver"].wage_cp == 70


def test_own_people(tmp_path: Path) -> None:
    tables = load_tables(own(tmp_path, ancestries=GOBLIN, names=GOBLIN_NAMES))
    assert tables.ancestries["goblin"].dexterity == 2
    assert tables.names.people["goblin"].male == ("Dobrik",)
    assert tables.names.epithets == load_tables().names.epithets


def test_own_epithets(tmp_path: Path) -> None:
    assert load_tables(own(tmp_path, names='epithets = ["the Bold"]')).names.epithets == (
        "the Bold",
    )


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=re.escape(f"{tmp_path}/nowhere: no such folder")):
        load_tables(tmp_path / "nowhere")


def test_file_for_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "trades.toml"
    path.write_text(DELVER)
    with pytest.raises(DataError, match=re.escape(f"{path}: is not a folder")):
        load_tables(path)


def test_folder_for_a_file(tmp_path: Path) -> None:
    (tmp_path / "trades.toml").mkdir()
    assert problem(tmp_path) == "trades.toml: cannot be read: Is a directory"


def test_folder_without_tables_names_them(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"trades\.toml, ancestries\.toml, customs\.toml, names"):
        load_tables(tmp_path)


def test_misspelt_table(tmp_path: Path) -> None:
    assert problem(tmp_path, custom=LAX, trades=DELVER) == (
        "custom.toml: no table of that name (did you mean 'customs.toml'?)"
    )


def test_other_files_in_the_folder_are_let_be(tmp_path: Path) -> None:
    assert "delver" in load_tables(own(tmp_path, trades=DELVER, inn="patrons = 40")).trades


@pytest.mark.parametrize(
    ("files", "line", "rest"),
    [
        ({"customs": LAX.replace("out = 0.5", "out = 0.4")}, 2, "lax: the odds of warned, out,"),
        ({"customs": "\n\n" + LAX.replace("out = 0.5", "out = 1.5")}, 6 + 1, "lax: out: must be"),
        ({"trades": DELVER + DELVER.replace('name = "delver"\n', "")}, 10, "trade 2: name: is"),
        ({"trades": DELVER * 2}, 11, "delver: stands here twice"),
        (
            {"trades": DELVER.replace('["E', '["Run",\n "E').replace("En", "In")},
            9,
            "delver: feats.1",
        ),
        (
            {"trades": DELVER.replace("climb = 1", "climb = 99")},
            7,
            "delver: climb: must be at most",
        ),
        (
            {"names": GOBLIN_NAMES + 'female = ["X", "Y Z"]\n'.replace("female", "x")},
            7,
            "goblin: x",
        ),
        ({"names": '# none\nepithets = ["the Bold", "The bold"]'}, 2, "epithets: none may stand"),
        ({"gamblers": '[[gambler]]\nname = "mad"\nthirst = -1.0'}, 3, "mad: thirst: must be at"),
    ],
)
def test_an_entry_is_refused_with_its_line(
    tmp_path: Path, files: dict[str, str], line: int, rest: str
) -> None:
    (name,) = files
    assert located(tmp_path, **files).startswith(f"{name}.toml:{line}: {rest}")


def test_odds_that_do_not_add_up(tmp_path: Path) -> None:
    assert problem(tmp_path, customs=LAX.replace("out = 0.5", "out = 0.4")) == (
        "customs.toml: lax: the odds of warned, out, banned, beaten, killed add up to 0.9, not to 1"
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"6 sp"', "-6", "wage_cp: must be at least 0 (got -6)"),
        ('"6 sp"', '"6 shillings"', "wage_cp: not a sum of money: '6 shillings'"),
        ('"6 sp"', "6.5", "wage_cp: must be a whole number (got 6.5)"),
        ('"6 sp"', "true", "wage_cp: must be a whole number (got true)"),
        ("wage_cp", "wages_cp", "wages_cp: unknown field (did you mean 'wage_cp'?)"),
        ("weight = 0.1", "weight = -0.1", "weight: must be at least 0 (got -0.1)"),
        ("weight = 0.1", "weight = inf", "weight: must be a finite number (got inf)"),
        ("weight = 0.1", "", "weight: is missing"),
        ('"common"', '"rich"', "rank: must be 'poor', 'common', 'well-off' or 'noble' (got"),
        ("climb = 1", "climb = 99", "climb: must be at most 20 (got 99)"),
        ('"Endurance"', '"Cleave"', "feats.0: must be 'Endurance', 'Run', 'Far Shot'"),
    ],
)
def test_bad_trade_names_file_entry_and_what_is_allowed(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = problem(tmp_path, trades=DELVER.replace(old, new))
    assert text.startswith("trades.toml: delver: ")
    assert message in text
    assert "\n" not in text


def test_entry_without_a_name_goes_by_its_number(tmp_path: Path) -> None:
    text = DELVER + DELVER.replace('name = "delver"\n', "")
    assert problem(tmp_path, trades=text) == "trades.toml: trade 2: name: is missing"


def test_names_may_be_neither_empty_nor_long(tmp_path: Path) -> None:
    text = problem(tmp_path, trades=DELVER.replace('"delver"', '""'))
    assert text == "trades.toml: trade 1: name: must have at least 1 character (got 0)"
    text = problem(tmp_path, trades=DELVER.replace("delver", "x" * 61))
    assert text.endswith("xxx: name: must have at most 60 characters (got 61)")


def test_entry_twice(tmp_path: Path) -> None:
    assert problem(tmp_path, trades=DELVER * 2) == "trades.toml: delver: stands here twice"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[trades]]\nname = 'x'", "unknown table 'trades' (did you mean 'trade'?)"),
        ("trade = 3", "must hold entries that open with [[trade]]"),
        ("trade = [3]", "trade 1: must be a table (got 3)"),
        (
            "[[trade]]\nname = 'x'\nwage_cp = 1\nweight = 1\nrank = 'common'\nfeats = 3",
            "x: feats: must be a list (got 3)",
        ),
    ],
)
def test_bad_shape(tmp_path: Path, text: str, message: str) -> None:
    assert problem(tmp_path, trades=text).startswith(f"trades.toml: {message}")


@pytest.mark.parametrize(
    ("text", "line"), [("\n[[trade]]\nname = delver\n", 3), ("\n\n[[trade]]\nname = '''x\n\n", 4)]
)
def test_invalid_toml_gives_the_line(tmp_path: Path, text: str, line: int) -> None:
    assert located(tmp_path, trades=text).startswith(f"trades.toml:{line}: invalid TOML: ")


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "trades.toml").write_bytes(b"[[trade]]\nname = '\xe9'\n")
    assert located(tmp_path) == "trades.toml:2: is not UTF-8 text"


def test_weights_of_nothing(tmp_path: Path) -> None:
    rows = (shipped("data") / "trades.toml").read_text()
    assert problem(tmp_path, trades=re.sub(r"weight = [\d.]+", "weight = 0", rows)) == (
        "trades.toml: the weights of all trades together must be more than 0"
    )


def test_ancestry_without_names_is_put_down_to_the_users_file(tmp_path: Path) -> None:
    assert problem(tmp_path, ancestries=GOBLIN) == (
        "ancestries.toml: goblin: no names for it; names.toml needs an entry of that name"
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Ashka", "agnes", "'agnes' stands under 'human' already; a name may stand once only"),
        ("Ashka", "Dobrik", "'Dobrik' stands under 'goblin' already; a name may stand once only"),
        ("Lamp-Thief", "Irons", "'Irons' stands under 'human' already; a name may stand once only"),
        ("Ashka", "Ash Ka", "female.0: must be one word without spaces or commas (got 'Ash Ka')"),
        ('"Ashka"', "", "needs female, male and bynames with a name each, or two parents"),
        ("bynames", 'parents = ["orc", "elf"]\nbynames', "parents must be two different peoples"),
    ],
)
def test_names_that_could_stand_for_two_people(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = problem(tmp_path, names=GOBLIN_NAMES.replace(old, new))
    assert text.startswith(f"names.toml: goblin: {message}")


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ('"elf", "elf"', "parents must be two different peoples"),
        ('"elf"', "parents must be two different peoples"),
        ('"elf", "half-orc"', "parents: 'half-orc' is no people with names of its own"),
        ('"elf", "dragon"', "parents: 'dragon' is no people with names of its own"),
        ('"elf", "human"', "parents: 'half-elf' has the same two; their names would not differ"),
    ],
)
def test_bad_parents(tmp_path: Path, parents: str, message: str) -> None:
    text = problem(tmp_path, names=f'[[people]]\nname = "sea-elf"\nparents = [{parents}]')
    assert text.startswith(f"names.toml: sea-elf: {message}")


@pytest.mark.parametrize(
    ("epithets", "message"),
    [
        ('"the Bold", "The bold"', "epithets: none may stand twice"),
        ('"the Bold, the Second"', "epithets.0: must be one word"),
        ("3", "epithets.0: must be text in quotes (got 3)"),
        (f'"{"X" * 31}"', "epithets.0: must have at most 30 characters (got 31)"),
    ],
)
def test_bad_epithets(tmp_path: Path, epithets: str, message: str) -> None:
    assert problem(tmp_path, names=f"epithets = [{epithets}]").startswith(f"names.toml: {message}")


def test_error_carries_its_parts_and_can_be_pickled(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        load_tables(own(tmp_path, trades="x = ["))
    error = caught.value
    assert (error.path, error.entry, error.line) == (str(tmp_path / "trades.toml"), "", 1)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.problem) == (str(error), error.problem)


def test_tables_can_be_pickled() -> None:
    tables = load_tables()
    again = pickle.loads(pickle.dumps(tables))
    assert (again.trades, again.names.people) == (tables.trades, tables.names.people)


@given(st.lists(st.integers(0, 1000), min_size=5, max_size=5).filter(any))
def test_odds_are_taken_exactly_if_they_add_up(parts: list[int]) -> None:
    shares = [part / sum(parts) for part in parts]
    rest = {"name": "x", "ban_nights": 0, "restraint": 0.0, "lucky_wins": 0}
    custom = Custom.model_validate(rest | dict(zip(SENTENCES, shares, strict=True)))
    assert custom.odds == tuple(shares)
    shares[parts.index(max(parts))] *= 0.99
    with pytest.raises(ValidationError, match="not to 1"):
        Custom.model_validate(rest | dict(zip(SENTENCES, shares, strict=True)))


def test_shipped_lists_are_long_enough_and_by_people() -> None:
    people = load_tables().names.people
    assert tuple(people) == PEOPLES
    human = people["human"]
    assert min(len(human.female), len(human.male)) >= 60
    assert len(human.bynames) >= 160
    for each in people.values():
        if not each.parents:
            assert min(len(each.female), len(each.male)) >= 50
            assert len(each.bynames) >= 80
    assert people["half-elf"].parents == ("human", "elf")
    assert people["half-orc"].parents == ("human", "orc")


def test_names_are_for_the_ear() -> None:
    lists = tomllib.loads((shipped("data") / "names.toml").read_text())["people"]
    words = [word for each in lists for key in ("female", "male") for word in each.get(key, [])]
    assert all(re.fullmatch(r"[A-Z][a-z]{1,10}", word) for word in words)
    bynames = [word for each in lists for word in each.get("bynames", [])]
    assert all(re.fullmatch(r"[A-Z][a-z]+(-[A-Z][a-z]+)?", word) for word in bynames)
