"""`tavern check` of a town: what it comes to, in few lines however large it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(text: str, *options: str) -> Result:
    Path("t.toml").write_text(text, encoding="utf-8")
    return CliRunner().invoke(tavern, ["check", "t.toml", *options])


def test_a_hamlet() -> None:
    result = check('[town]\npopulation = 80\n[[people]]\nname = "Hob"')
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "t: a sound scenario"
    assert lines[1] == (
        "  hamlet of 80 by the river: 18 households, 40 who earn a wage, 22 patrons (28%)"
    )
    assert (
        lines[2]
        == "  on average: 11 poor (50.0%), 11 common (50.0%), 0 well-off (0.0%), 0 noble (0.0%)"
    )
    assert "    farmer             -       12        8  1 gp" in lines
    assert "    shoemaker          1        2        1  7 sp" in lines
    assert lines[-2:] == [
        "  10% of the cheating kind; 24 rounds a night, 6 a sitting",
        "  pinned: Hob",
    ]


@pytest.mark.parametrize(("patrons", "is_told"), [(80, False), (81, True)])
def test_more_patrons_than_inhabitants_are_noted(patrons: int, is_told: bool) -> None:
    lines = check(f"patrons = {patrons}\n[town]\npopulation = 80").stdout.splitlines()
    assert ("  note: there are more patrons than inhabitants" in lines) == is_told


@pytest.mark.parametrize("population", [430, 5_000, 100_000, 357_143])
def test_it_fits_on_a_screen(population: int) -> None:
    lines = check(f'[town]\npopulation = {population}\nwater = "sea"').stdout.splitlines()
    assert 12 < len(lines) <= 28
    assert max(map(len, lines)) <= 105


def test_all_trades_are_told_when_asked_for() -> None:
    """As docs/how-to/own-town.md cites them of a Paris of 50,000."""
    town = "[town]\npopulation = 50000"
    lines = check(town, "--trades").stdout.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("  trades  "))
    assert lines[start].endswith("wage a day (patrons on average: each is drawn)")
    table = {line.split()[0]: line.split()[1:4] for line in lines[start + 1 :]}
    masters = [table[name][0] for name in ("shoemaker", "tailor", "baker", "innkeeper")]
    assert masters == ["365", "197", "62", "24"]
    assert table["innkeeper"][1] == "48"
    assert not any("more trade" in line for line in lines)
    short = check(town).stdout.splitlines()
    assert len(short) < len(lines) - 20
    assert set(short) - set(lines) == {next(line for line in short if "more trade" in line)}


def test_all_trades_are_always_told_to_programs() -> None:
    trades = json.loads(check("[town]\npopulation = 5000", "--json").stdout)["town"]["trades"]
    assert sum(each["n_patrons"] for each in trades) == 1_400
    assert sum(each["n_people"] for each in trades) == 2_500
    (innkeeper,) = (each for each in trades if each["trade"] == "innkeeper")
    assert (innkeeper["n_masters"], innkeeper["wage_cp"]) == (2, 250)


def test_trades_are_those_of_a_town() -> None:
    result = check("patrons = 20", "--trades")
    assert result.exit_code == 2
    assert "--trades is said of a town, and 't.toml' has no [town]" in result.stderr


def test_of_many_who_are_pinned_some_are_named() -> None:
    people = "".join(f"[[people]]\nname = 'Hob {i}'\n" for i in range(1, 24))
    last = check(f"[town]\npopulation = 5000\n{people}").stdout.splitlines()[-1]
    assert last.endswith(", Hob 19, Hob 20 and 3 more")


def test_districts_and_houses_add_up() -> None:
    found = json.loads(check("[town]\npopulation = 100000", "--json").stdout)
    town = found["town"]
    assert (town["settlement"], town["population"], found["patrons"]) == ("city", 100_000, 28_000)
    assert sum(town["patrons_by_trade"].values()) == 28_000
    assert len(found["taverns"]) == 233
    assert sum(town["houses_by_quality"].values()) == 233
    assert sum(town["houses_by_district"].values()) == 233
    assert sum(town["share_by_district"].values()) == pytest.approx(100, abs=0.3)
    assert found["games"][0] == "arm-wrestling"


def test_the_trades_are_those_that_are_played() -> None:
    text = "patrons = 40\n[town]\npopulation = 80\n[population.trades]\nguard = 3\nsailor = 1"
    lines = check(text).stdout.splitlines()
    assert "    guard              -        -       30  2 gp" in lines
    assert "    sailor             -        -       10  1 gp 4 sp" in lines


def test_districts_with_trades_of_their_own_count() -> None:
    text = """
    patrons = 40
    [town]
    population = 80
    [[districts]]
    name = "barracks"
    share = 3
    trades = { guard = 1 }
    [[districts]]
    name = "quay"
    trades = { sailor = 1 }
    """
    lines = check(text).stdout.splitlines()
    assert "    guard              -        -       30  2 gp" in lines
    assert "    sailor             -        -       10  1 gp 4 sp" in lines


def test_too_few_places_are_told() -> None:
    text = "[town]\npopulation = 5000\ntaverns = 3"
    assert ", too few for the 840 who may go out: " in check(text).stdout
    assert "too few" not in check("[town]\npopulation = 5000").stdout


def test_a_town_that_cannot_be_founded() -> None:
    result = check("[town]\npopulation = 5000000")
    assert result.exit_code == 3
    assert result.stderr == (
        "t.toml:1: town: tavern_going of its population must be 1 to 1,000,000 patrons"
        " (got 1,400,000)\n"
    )
    result = check("[town]\npopulation = 3")
    assert result.stderr == "t.toml:2: town.population: must be at least 20 (got 3)\n"
