"""Sheets for games of skill at the table: drawn, or read from a roster."""

import re
from collections import Counter
from math import sqrt
from pathlib import Path

import pytest

from tavern_abm.asking import RefusedError
from tavern_abm.data_tables import DataError
from tavern_abm.patrons.competitor import (
    ABILITIES,
    FEATS,
    SHEET,
    SKILL_ABILITY,
    Competitor,
    draw_competitor,
    gather_sheets,
    load_roster,
)


def roster(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "roster.toml"
    path.write_text(text, "utf-8")
    return path


# ---------------------------------------------------------------- what somebody can do


def test_a_name_is_enough() -> None:
    ann = Competitor("Ann")
    assert {ann.modifier(ability) for ability in ABILITIES} == {0}
    assert {ann.skill(name) for name in SKILL_ABILITY} == {0}
    assert not any(ann.has(feat) for feat in FEATS)


def test_an_untrained_skill_is_its_ability() -> None:
    bo = Competitor("Bo", strength=16, dexterity=7, climb=9, wisdom=12)
    assert (bo.skill("climb"), bo.skill("swim"), bo.skill("jump")) == (9, 3, 3)
    assert (bo.skill("balance"), bo.skill("hide"), bo.skill("spot")) == (-2, -2, 1)


def test_a_skill_of_naught_is_no_untrained_one() -> None:
    assert Competitor("Bo", strength=18, climb=0).skill("climb") == 0


# ---------------------------------------------------------------- drawn


def test_who_is_not_described_is_drawn_by_his_place() -> None:
    ann = draw_competitor("Ann", seed=4, place=1)
    assert ann == draw_competitor("Ann", 4, 1)
    assert ann != draw_competitor("Ann", 4, 2)
    assert ann != draw_competitor("Ann", 5, 1)
    scores = [getattr(ann, ability) for ability in ABILITIES]
    assert scores == [getattr(draw_competitor("Zed", 4, 1), ability) for ability in ABILITIES]


def test_scores_are_4d6_without_the_lowest() -> None:
    """Mean 12.2446 and standard deviation 2.8468, exact."""
    n = 1000
    scores = Counter(
        getattr(draw_competitor("X", seed, 1), ability)
        for seed in range(n)
        for ability in ABILITIES
    )
    assert min(scores) >= 3
    assert max(scores) <= 18
    mean = sum(score * number for score, number in scores.items()) / scores.total()
    assert abs(mean - 12.2446) < 4 * 2.8468 / sqrt(scores.total())


def test_a_roster_comes_before_the_dice() -> None:
    known = {"Bo": Competitor("Bo", strength=18)}
    sheets = gather_sheets(("Ann", "Bo"), 4, known)
    assert sheets == {"Ann": draw_competitor("Ann", 4, 1), "Bo": known["Bo"]}


# ---------------------------------------------------------------- a roster


def test_a_roster(tmp_path: Path) -> None:
    path = roster(
        tmp_path,
        """
        [[people]]
        name = "Ann"
        strength = 16
        climb = 5
        size = "Small"
        feats = ["run", "Far Shot"]

        [[people]]
        name = "Bo"
        feats = "Endurance, run"
        mount_is_exempt = true
        """,
    )
    ann, bo = load_roster(path).values()
    assert ann == Competitor("Ann", strength=16, climb=5, size="small", feats=("Run", "Far Shot"))
    assert bo == Competitor("Bo", feats=("Endurance", "Run"), mount_is_exempt=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "nobody is in it; write [[people]] and a name"),
        ("people = 3", "a roster has [[people]] tables and nothing else"),
        ("people = [1, 2]", "a roster has [[people]] tables and nothing else"),
        ("[[folk]]\nname = 'Ann'", "a roster has [[people]] tables and nothing else"),
        ("[[people]]\nstrength = 12", "person 1 has no name"),
        ("[[people]]\nname = ''", "name: must be one line that is not blank"),
        ("[[people]]\nname = 'A'\n[[people]]\nname = 'A'", "two people are called 'A'"),
        (
            "[[people]]\nname = 'Ann'\nstrenght = 12",
            "Ann: strenght: no such field (did you mean 'strength'?)",
        ),
        ("[[people]]\nname = 'Ann'\nstrength = 0", "Ann: strength: must lie in 1 to 60 (got 0)"),
        (
            "[[people]]\nname = 'Ann'\nstrength = '12'",
            "Ann: strength: must be a whole number, got text '12'",
        ),
        ("[[people]]\nname = 'Ann'\nstrength = 1.5", "Ann: strength: 1.5 is not a whole number"),
        ("[[people]]\nname = 'Ann'\nsize = 'tiny'", "Ann: size: 'tiny' is none of small"),
        (
            "[[people]]\nname = 'Ann'\nfeats = ['Rum']",
            "Ann: feats: no such feat: 'Rum' (did you mean 'Run'?)",
        ),
        ("[[people]]\nname = 'Ann'\nfeats = 3", "Ann: feats: no such feat: '3'; there are Endur"),
        ("[[people]]\nname = 'Ann'\nfeats = [['Run']]", "Ann: feats: no such feat"),
        ("[[people", "not a TOML file"),
    ],
)
def test_what_a_roster_may_not_say(tmp_path: Path, text: str, words: str) -> None:
    path = roster(tmp_path, text)
    with pytest.raises(DataError) as caught:
        load_roster(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert words in str(caught.value)


def test_a_roster_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(RefusedError, match=str(path)) as caught:
            load_roster(path)
        assert caught.value.option == "roster"
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match=r"bytes\.toml: is not UTF-8 text$"):
        load_roster(tmp_path / "bytes.toml")


def test_every_field_of_a_sheet_may_be_said() -> None:
    assert {option.name for option in SHEET} == set(Competitor.__dataclass_fields__)
    for option in SHEET[1:]:
        assert option.default == Competitor.__dataclass_fields__[option.name].default


def page() -> str:
    path = Path(__file__).parents[2] / "docs" / "how-to" / "own-people.md"
    return path.read_text(encoding="utf-8")


def test_the_page_names_every_field_with_its_default() -> None:
    rows = [line.split("|")[1:5] for line in page().splitlines() if line.startswith("| `")]
    defaults = {
        name: default.strip(" `")
        for fields, default, *_ in rows
        for name in re.findall(r"`(\w+)`", fields)
    }
    for option in SHEET[1:]:
        skill = f"as `{SKILL_ABILITY.get(option.name)}".strip(" `")
        words = {"None": skill, "()": "none", "False": "false"}
        shown = words.get(str(option.default), str(option.default))
        assert defaults[option.name].strip('"') == shown, option.name
    assert set(defaults) == {option.name for option in SHEET}


def test_the_roster_of_the_page_can_be_read(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", page(), re.DOTALL)
    people = load_roster(roster(tmp_path, text))
    assert list(people) == ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
    assert people["Ed"].mount_is_exempt
    assert people["Bo"].feats == ("Far Shot", "Weapon Focus")
