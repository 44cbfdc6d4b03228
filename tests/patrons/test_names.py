"""Nobody has another's name, and neighbours do not sound alike."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.data_tables import Names, People, load_tables
from tavern_abm.patrons.names import (
    NameBook,
    _next_free,
    confusable,
    edit_distance,
    name_of,
)

NAMES = load_tables().names
SEXES = ("female", "male")
EVERYBODY = list(itertools.product(NAMES.people, SEXES))
LUCK = 20_240_607

words = st.text("abcd", max_size=7)


def small(n_female: int, n_male: int, n_bynames: int, n_epithets: int = 2) -> Names:
    """Lists of a handful of names for two peoples and their children."""

    def people(name: str) -> People:
        return People(
            name=name,
            female=tuple(f"{name}f{i}" for i in range(n_female)),
            male=tuple(f"{name}m{i}" for i in range(n_male)),
            bynames=tuple(f"{name}b{i}" for i in range(n_bynames)),
        )

    mixed = People(name="mixed", parents=("x", "y"))
    lists = {"x": people("x"), "y": people("y"), "mixed": mixed}
    return Names(lists, tuple(f"of E{i}" for i in range(n_epithets)))


def names_of(ancestry: str, sex: str, last: int, names: Names = NAMES) -> list[str]:
    return [name_of(number, ancestry, sex, names, LUCK) for number in range(1, last + 1)]


def test_60_000_people_of_one_list_have_60_000_names() -> None:
    for sex in SEXES:
        assert len(set(names_of("human", sex, 60_000))) == 60_000


def test_no_two_lists_hold_the_same_name() -> None:
    found = [name for who in EVERYBODY for name in names_of(*who, 12_000)]
    assert len(set(found)) == len(found) == 12_000 * len(EVERYBODY)


@given(
    sizes=st.tuples(*[st.integers(1, 6)] * 3, st.integers(1, 3)),
    luck=st.integers(0, 2**63 - 1),
)
def test_short_lists_never_repeat_either(sizes: tuple[int, int, int, int], luck: int) -> None:
    names = small(*sizes)
    everybody = itertools.product(range(1, 150), ("x", "y", "mixed"), SEXES)
    found = [name_of(number, *who, names, luck) for number, *who in everybody]
    assert len(set(found)) == len(found)


def test_every_pair_is_used_before_the_first_epithet() -> None:
    names = small(3, 3, 5)
    women = names_of("x", "female", 3 * 5 * 3 + 1, names)
    pairs = {f"xf{i} xb{j}" for i in range(3) for j in range(5)}
    assert set(women[:15]) == pairs
    for lap in (women[15:30], women[30:45]):
        assert {name.rsplit(" of E", 1)[0] for name in lap} == pairs
    assert women[45].endswith(", the Second")
    assert ", the" not in "".join(women[:45])


def test_a_town_of_ten_thousand_humans_needs_no_epithet() -> None:
    human = NAMES.people["human"]
    assert len(human.female) * len(human.bynames) > 10_000
    assert all(name.count(" ") == 1 for name in names_of("human", "male", 10_000))


def test_epithets_are_spread() -> None:
    later = [name_of(n, "orc", "male", NAMES, LUCK).split(" ", 2)[2] for n in range(7000, 8000)]
    assert max(Counter(later).values()) < 50
    assert set(later) <= set(NAMES.epithets)


@pytest.mark.parametrize(("ancestry", "sex"), EVERYBODY)
def test_neighbours_share_neither_given_name_nor_byname(ancestry: str, sex: str) -> None:
    found = [name.split(" ")[:2] for name in names_of(ancestry, sex, 20_000)]
    shared = [pair for pair in itertools.pairwise(found) if set(pair[0]) & set(pair[1])]
    assert not shared


@pytest.mark.parametrize("luck", range(5))
def test_neighbours_share_initials_no_more_often_than_chance(luck: int) -> None:
    """Sexes in turn, as in a town; chance from the lists, 4 standard errors."""
    n = 10_000
    found = [name_of(i, "human", SEXES[i % 2], NAMES, luck) for i in range(1, n + 1)]
    human = NAMES.people["human"]
    for part, (ones, others) in enumerate(
        [(human.female, human.male), (human.bynames, human.bynames)]
    ):
        counts, other_counts = (Counter(word[0] for word in each) for each in (ones, others))
        chance = sum(counts[a] * other_counts[a] for a in counts) / (len(ones) * len(others))
        initials = [name.split(" ")[part][0] for name in found]
        shared = sum(a == b for a, b in itertools.pairwise(initials)) / (n - 1)
        assert shared < chance + 4 * (chance * (1 - chance) / n) ** 0.5


def test_luck_shuffles_and_repeats() -> None:
    assert names_of("elf", "female", 50) == names_of("elf", "female", 50)
    other = [name_of(number, "elf", "female", NAMES, LUCK + 1) for number in range(1, 51)]
    assert sum(a == b for a, b in zip(names_of("elf", "female", 50), other, strict=True)) < 5


def test_every_block_has_an_order_of_its_own() -> None:
    n = len(NAMES.people["elf"].female)
    women = [name.split(" ")[0] for name in names_of("elf", "female", 3 * n)]
    blocks = [tuple(women[i : i + n]) for i in range(0, 3 * n, n)]
    assert len(set(blocks)) == 3
    assert all(sorted(block) == sorted(NAMES.people["elf"].female) for block in blocks)


def test_people_of_two_peoples_have_a_name_of_each() -> None:
    human, orc = NAMES.people["human"], NAMES.people["orc"]
    kinds = Counter()
    for name in names_of("half-orc", "female", 1000):
        given_name, byname = name.split(" ")[:2]
        kinds[given_name in human.female and byname in orc.bynames] += 1
        assert (given_name in human.female) == (byname in orc.bynames)
        assert (given_name in orc.female) == (byname in human.bynames)
    assert kinds == {True: 500, False: 500}


def test_names_follow_sex() -> None:
    for ancestry, people in NAMES.people.items():
        if not people.parents:
            assert {name.split(" ")[0] for name in names_of(ancestry, "male", 500)} == set(
                people.male
            )


@pytest.mark.parametrize(
    ("patron_id", "ancestry", "sex", "message"),
    [
        (0, "human", "male", r"at least 1 \(got 0\)"),
        (1, "dragon", "male", "no names for ancestry 'dragon'; there are human, half-elf"),
        (1, "human", "boy", r"must be 'female' or 'male' \(got 'boy'\)"),
    ],
)
def test_unknown_people_are_refused(patron_id: int, ancestry: str, sex: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        name_of(patron_id, ancestry, sex, NAMES, LUCK)


def test_no_two_made_up_given_names_of_a_list_are_close() -> None:
    for people in NAMES.people.values():
        limit = 1 if people.name == "human" else 2
        for names in (people.female, people.male):
            close = [p for p in itertools.combinations(names, 2) if edit_distance(*p) <= limit]
            assert not close


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Hob", "Hedda", False),
        ("Joss", "Jory", True),  # the same two first letters
        ("Giles", "Miles", True),  # one change
        ("Maud", "Paula", False),  # three changes
        ("Orm", "Form", True),  # one letter put in
        ("WYMAR", "wymar", True),
        ("Lettice", "Petronel", False),
        ("Al", "Bo", True),  # two changes are the whole of it
    ],
)
def test_confusable(a: str, b: str, expected: bool) -> None:
    assert confusable(a, b) is confusable(b, a) is expected


@given(words, words)
def test_edit_distance_is_that_of_the_recursive_definition(a: str, b: str) -> None:
    assert edit_distance(a, b) == plain_distance(a, b)


def plain_distance(a: str, b: str) -> int:
    if not a or not b:
        return len(a) + len(b)
    if a[0] == b[0]:
        return plain_distance(a[1:], b[1:])
    return 1 + min(plain_distance(a[1:], b), plain_distance(a, b[1:]), plain_distance(a[1:], b[1:]))


@given(words, words, words)
def test_edit_distance_is_a_distance(a: str, b: str, c: str) -> None:
    assert (edit_distance(a, b) == 0) == (a == b)
    assert edit_distance(a, b) == edit_distance(b, a)
    assert edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c)


# ---------------------------------------------------------------- families


def entered(
    n: int, names: Names = NAMES, kin: int = 3, pinned: tuple[str, ...] = ()
) -> tuple[NameBook, list[int]]:
    """A town in whose households there are `kin` people each; sexes and peoples vary."""
    book, heads = NameBook(names, LUCK, pinned), list(range(len(pinned)))
    everybody = list(itertools.product(names.people, SEXES))
    for row in range(len(pinned), n):
        head = row - row % kin if row - row % kin >= len(pinned) else row
        ancestry = everybody[head % len(everybody)][0]
        book.enter(ancestry, SEXES[row % 7 % 2], head)
        heads.append(head)
    return book, heads


def test_a_family_shares_the_byname_and_nobody_a_name() -> None:
    book, heads = entered(9000)
    found = [book[row] for row in range(9000)]
    assert len(book) == len(set(found)) == 9000
    bynames = [name.split(" ")[1] for name in found]
    assert all(bynames[row] == bynames[head] for row, head in enumerate(heads))
    given_names = [name.split(" ")[0] for name in found]
    assert all(
        given_names[row] != given_names[head] for row, head in enumerate(heads) if row != head
    )
    assert not any(name.count(" ") > 1 for name in found)  # no need of epithets yet


def test_a_family_of_two_peoples_names_all_children_after_one() -> None:
    human, orc = NAMES.people["human"], NAMES.people["orc"]
    for head in (0, 1):
        book = NameBook(NAMES, LUCK, ["Ada Bell"][:head])
        names = [book.enter("half-orc", sex, head).split(" ") for sex in (*SEXES, *SEXES)]
        ones = {word for sex in SEXES for word in getattr(human, sex)}
        assert len({given_name in ones for given_name, _ in names}) == 1
        assert len({byname for _, byname in names}) == 1
        assert names[0][1] in human.bynames + orc.bynames


@given(
    sizes=st.tuples(*[st.integers(1, 4)] * 3, st.integers(1, 3)),
    kin=st.integers(1, 6),
)
def test_families_with_short_lists_never_repeat_either(
    sizes: tuple[int, int, int, int], kin: int
) -> None:
    pinned = ("xf0 xb0", "xf0 xb0 of E0", "Ada Bell")
    book, _ = entered(200, small(*sizes), kin, pinned)
    assert len({book[row] for row in range(200)}) == 200
    assert book[0] == pinned[0]


def test_a_hundred_thousand_people_have_a_hundred_thousand_names() -> None:
    book, _ = entered(100_000)
    names = {book[row] for row in range(100_000)}
    assert len(names) == 100_000
    assert max(name.count(" ") for name in names) <= 5  # one epithet at most, and none numbered
    assert not any("," in name for name in names)


@given(
    n=st.integers(1, 70), start=st.integers(0, 69), borne=st.sets(st.integers(0, 69), max_size=70)
)
def test_the_next_free_name_is_the_first_in_turn(n: int, start: int, borne: set[int]) -> None:
    start %= n
    in_turn = ((start + step) % n for step in range(n))
    expected = next((at for at in in_turn if at not in borne), -1)
    assert _next_free(sum(1 << at for at in borne if at < n), start, n) == expected


def test_heads_have_the_names_of_their_numbers() -> None:
    book = NameBook(NAMES, LUCK)
    for row in range(300):
        name = book.enter("human", SEXES[row % 2], row)
        assert name == name_of(row + 1, "human", SEXES[row % 2], NAMES, LUCK)


def test_whose_name_is_taken_goes_by_the_next_given_name() -> None:
    natural = name_of(1, "dwarf", "male", NAMES, LUCK)
    book = NameBook(NAMES, LUCK, [natural])
    second = name_of(2, "dwarf", "male", NAMES, LUCK)
    assert book.enter("dwarf", "male", 1) == second
    book = NameBook(NAMES, LUCK, [second])
    given_name, byname = book.enter("dwarf", "male", 1).split(" ")
    assert (given_name, byname) != tuple(second.split(" "))
    assert byname == second.split(" ")[1]
    assert given_name in NAMES.people["dwarf"].male
