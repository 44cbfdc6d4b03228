"""Keyed dice: the stated generator, the same in Python, NumPy and kernels, and fair."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tavern_abm import chance
from tavern_abm.compiled import kernel

int64s = st.integers(-(2**63), 2**63 - 1)
keys = st.integers(0, 2**63 - 1)
N_ROLLS = 60_000
SURE = 1e-4


@kernel
def hash_all(keys: np.ndarray, labels: np.ndarray, out: np.ndarray) -> None:
    for i in range(len(out)):
        out[i] = chance.hash63(keys[i], labels[i])


@kernel
def draw_all(keys: np.ndarray, purpose: int, index: int, out: np.ndarray) -> None:
    for i in range(len(out)):
        out[i] = chance.unit(chance.subkey(keys[i], purpose, index), purpose, index)


def test_known_answers_of_splitmix64() -> None:
    """The five numbers that other implementations print for seed 1234567."""
    assert [chance.splitmix64(1234567, label) for label in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(int64s, int64s)
def test_both_hashes_agree(key: int, label: int) -> None:
    plain = chance.hash63(key, label)
    arrays = np.array([key], np.int64), np.array([label], np.int64)
    assert chance.hash63_wrapping(*arrays).tolist() == [plain]
    assert 0 <= plain < 2**63


@given(st.lists(st.tuples(int64s, int64s), min_size=1, max_size=20))
def test_the_kernel_agrees(pairs: list[tuple[int, int]]) -> None:
    columns = np.array(pairs, np.int64).T.copy()
    out = np.zeros(len(pairs), np.int64)
    hash_all(columns[0], columns[1], out)
    assert out.tolist() == [chance.hash63(key, label) for key, label in pairs]


@given(st.lists(keys, min_size=1, max_size=10), st.integers(1, 200), st.integers(0, 10**6))
def test_arrays_of_draws_agree_to_the_bit(some: list[int], purpose: int, index: int) -> None:
    column = np.array(some, np.int64)
    assert chance.draws(column, purpose, index).tolist() == [
        chance.draw(key, purpose, index) for key in some
    ]
    assert chance.units(column, purpose, index).tolist() == [
        chance.unit(key, purpose, index) for key in some
    ]
    assert chance.subkeys(some[0], purpose, column).tolist() == [
        chance.subkey(some[0], purpose, number) for number in some
    ]
    compiled = np.zeros(len(some))
    draw_all(column, purpose, index, compiled)
    plain = [chance.unit(chance.subkey(key, purpose, index), purpose, index) for key in some]
    assert compiled.tolist() == plain


@given(keys, st.integers(1, 200), st.integers(0, 10**6))
def test_a_unit_lies_in_its_range(key: int, purpose: int, index: int) -> None:
    u = chance.unit(key, purpose, index)
    assert 0 <= u < 1
    assert u * 2**53 == int(u * 2**53)


@pytest.mark.parametrize("faces", [2, 4, 6, 8, 10, 12, 15, 20, 100])
def test_the_stated_bias(faces: int) -> None:
    """Whole draws of 63 bits dealt out over the faces: each gets the floor or one more."""
    each, over = divmod(2**63, faces)
    for count in (each, each + (over > 0)):
        assert abs(Fraction(count, 2**63) - Fraction(1, faces)) < Fraction(1, 10**17)


def _by_index(faces: int) -> list[int]:
    key = chance.run_key(11)
    return [chance.roll(key, chance.THROW, index, faces) for index in range(N_ROLLS)]


def _by_key(faces: int) -> list[int]:
    keys = chance.subkeys(chance.run_key(12), chance.TABLE, np.arange(N_ROLLS))
    return (chance.draws(keys, chance.THROW, 0) % faces + 1).tolist()


@pytest.mark.parametrize("faces", [4, 6, 20])
@pytest.mark.parametrize("sample", [_by_index, _by_key])
def test_faces_are_alike(sample: Callable[[int], list[int]], faces: int) -> None:
    counts = Counter(sample(faces))
    assert set(counts) == set(range(1, faces + 1))
    assert stats.chisquare(list(counts.values())).pvalue > SURE


def test_dice_of_a_throw_are_independent() -> None:
    dice = [0, 0]
    counts: Counter[tuple[int, ...]] = Counter()
    for number in range(N_ROLLS // 2):
        chance.throw(chance.run_key(13), chance.THROW, 2 * number, 6, dice)
        counts[tuple(dice)] += 1
    assert stats.chisquare([counts[i, j] for i in range(1, 7) for j in range(1, 7)]).pvalue > SURE


def test_purposes_and_kinds_are_told_apart() -> None:
    names = [name for name, value in vars(chance).items() if name.isupper() and value in range(300)]
    values = [getattr(chance, name) for name in names if name != "INDEX_PER_ROUND"]
    assert len(set(values)) == len(values)
    key = chance.run_key(1)
    assert len({chance.draw(key, purpose, 0) for purpose in values}) == len(values)


def test_slots_of_two_rounds_never_meet() -> None:
    slots = [chance.slot(round_, index) for round_ in range(1, 30) for index in range(64)]
    assert len(set(slots)) == len(slots)


def test_seeds_count_modulo_two_to_the_64() -> None:
    assert chance.run_key(5) == chance.run_key(5 + 2**64)
    assert (
        len({chance.run_key(seed, replicate) for seed in range(50) for replicate in range(50)})
        == 2500
    )
