"""Details drawn once for each event, and where people sit: what is in the files."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tavern_abm.data_tables import DataError
from tavern_abm.pack.colors import Colors, fitted, load_colors
from tavern_abm.pack.seats import load_seats
from tavern_abm.pack.tags import COLOR_SLOTS, GAME_TAGS
from tavern_abm.run_folder import RunFolder


def test_every_slot_has_forty_values() -> None:
    colors = load_colors()
    assert set(colors) == set(COLOR_SLOTS)
    for color in colors.values():
        assert len(color.values) >= 40
        assert len({each.casefold() for each in color.values}) == len(color.values)


@pytest.mark.parametrize(
    ("slot", "pattern"),
    [
        ("thing", r"(a|an|one|half|the)\b"),
        ("pledge", r"\{his\} "),
        ("spot", r"the "),
        ("tell", r"(a|an|one)\b"),
    ],
)
def test_values_begin_as_their_slot_says(slot: str, pattern: str) -> None:
    for value in load_colors()[slot].values:
        assert re.match(pattern, value), value
        assert "," not in value
        assert not re.search(r"\ba [aeio]|\ban [^aeiou]", value), value
        if slot != "pledge":
            assert "{" not in value


def test_no_two_values_of_all_slots_share_four_words() -> None:
    seen: Counter[tuple[str, ...]] = Counter()
    for color in load_colors().values():
        for value in color.values:
            words = value.split()
            seen.update({tuple(words[k : k + 4]) for k in range(len(words) - 3)})
    assert not [words for words, n in seen.items() if n > 1]


def test_an_event_keeps_its_colour(talkative_run: RunFolder) -> None:
    colors = Colors.of(talkative_run)
    info = talkative_run.info | {"nights": 30, "seed": 8}
    again = Colors.of(RunFolder(talkative_run.path, info))
    for event in range(1, 40):
        assert colors.of_event("thing", event) == again.of_event("thing", event, story_id=7)
    drawn = {colors.of_event("thing", event) for event in range(1, 400)}
    assert drawn == set(load_colors()["thing"].values)
    other = Colors.of(RunFolder(talkative_run.path, talkative_run.info | {"salt": "0f" * 16}))
    assert any(colors.of_event("spot", n) != other.of_event("spot", n) for n in range(1, 9))


def test_an_invention_is_coloured_by_its_story(talkative_run: RunFolder) -> None:
    colors = Colors.of(talkative_run)
    assert len({colors.of_event("thing", 0, story) for story in range(1, 40)}) > 10


def test_pronouns_are_those_of_the_one_it_is_about() -> None:
    assert fitted("{his} hat suits {him} when {he} wins", "female") == (
        "her hat suits her when she wins"
    )


def _file(folder: Path, values: str, frame: str = "It was {thing}.", slot: str = "thing") -> Path:
    text = f'[[color]]\nname = "{slot}"\nframe = "{frame}"\nvalues = {values}\n'
    (folder / "colors.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_users_own_values_take_the_place_of_ours(tmp_path: Path) -> None:
    colors = load_colors(_file(tmp_path, '["one shoe"]'))
    assert colors["thing"].values == ("one shoe",)
    assert len(colors["spot"].values) >= 40


@pytest.mark.parametrize(
    ("values", "more", "problem"),
    [
        ('["2 boots"]', {}, "without digits"),
        ('["one boot."]', {}, "must end in a word"),
        ('["one  boot"]', {}, "single spaces"),
        ('["{her} boot"]', {}, "unknown {her}"),
        ('["a", "a"]', {}, "none may stand twice"),
        ("[]", {}, "values"),
        ('["a"]', {"frame": "It was so."}, "must hold {thing}"),
        ('["a"]', {"slot": "smell", "frame": "{smell}"}, "no slot {smell}"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(
    tmp_path: Path, values: str, more: dict[str, str], problem: str
) -> None:
    with pytest.raises(DataError, match=re.escape(problem)) as caught:
        load_colors(_file(tmp_path, values, **more))
    assert "colors.toml:" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_seats_are_named_as_people_name_them() -> None:
    seats = load_seats()
    assert sum(not seat.at for seat in seats) >= 40
    assert all(seat.name.startswith("the ") and seat.name[-1].isalpha() for seat in seats)
    assert {game for seat in seats for game in seat.at} <= set(GAME_TAGS)
