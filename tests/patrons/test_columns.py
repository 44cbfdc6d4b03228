"""The columns of the population, and how they grow."""

import numpy as np

from tavern_abm.patrons.columns import (
    ABILITIES,
    COLUMNS,
    FIRST,
    NEVER,
    NOBODY,
    NOT_YET,
    PEOPLE,
    SHEET_COLUMNS,
    SKILLS,
    TRAITS,
    blank_people,
    blank_sheet,
    stacked,
)

FLOATS = {"propensity", "soreness", "threshold", "rationality", "filter"}
FLOATS |= {"q_cheat", "q_honest", "reference"}
FLOATS |= {"thrill", "chasing", "superstition", "thirst", "cheating", "boldness"}


def test_a_blank_row_is_nobody_yet() -> None:
    people = blank_people(3)
    assert people.whereabouts.tolist() == [NOT_YET] * 3
    assert people.tavern.tolist() == people.table.tolist() == people.banned_from.tolist()
    assert people.tavern.tolist() == [NOBODY] * 3
    assert people.propensity.tolist() == [-1.0] * 3
    for name in ("bruised_until", "banned_until", "punished", "lost_face_until"):
        assert getattr(people, name).tolist() == [NEVER] * 3
    for name in COLUMNS:
        if name not in FIRST:
            assert not getattr(people, name).any()


def test_types_of_the_columns() -> None:
    people = blank_people(1)
    assert PEOPLE.names == COLUMNS
    for name in COLUMNS:
        expected = np.float64 if name in FLOATS else np.int64
        assert getattr(people, name).dtype == expected, name
    offsets = [offset for _, offset in PEOPLE.fields.values()]
    assert offsets == list(range(0, 8 * len(COLUMNS), 8))
    assert PEOPLE.itemsize >= 8 * len(COLUMNS)


def test_sheets_hold_scores_and_traits() -> None:
    sheet = blank_sheet(2)
    assert set(ABILITIES) | set(SKILLS) | set(TRAITS) < set(SHEET_COLUMNS)
    for name in SHEET_COLUMNS:
        column = getattr(sheet, name)
        assert column.shape == (2,)
        assert column.dtype == (np.float32 if name in TRAITS else np.int64)


def test_columns_grow_at_the_end_and_leave_old_rows_alone() -> None:
    people, more = blank_people(2), blank_people(3)
    people.gold[:], more.gold[:] = (1, 2), (3, 4, 5)
    joined = stacked(people, more)
    assert joined.gold.tolist() == [1, 2, 3, 4, 5]
    joined.gold[0] = 99
    assert people.gold.tolist() == [1, 2]

    sheet, more_sheets = blank_sheet(1), blank_sheet(2)
    sheet.wisdom[:], more_sheets.wisdom[:] = 8, (9, 10)
    longer = stacked(sheet, more_sheets)
    assert longer.wisdom.tolist() == [8, 9, 10]
    assert longer.honesty.dtype == np.float32


def test_a_row_lies_together_in_memory() -> None:
    people = blank_people(4)
    people[2].gold = 7
    assert people.gold.strides == (PEOPLE.itemsize,)
    assert np.asarray(people)[2]["gold"] == 7
