"""Keyed dice: a throw is a pure function of where, when and what for.

The generator is splitmix64 (Steele, Lea and Flood 2014), used as a hash: the
`label`-th number of the stream that starts at `key`. Keys are chained,

    run    = run_key(seed, replicate)
    night  = subkey(run, NIGHT, night)
    table  = subkey(subkey(night, TAVERN, tavern), TABLE, table)
    patron = subkey(night, PATRON, patron_id)

and every draw names its purpose and its index. So the number of threads, the
order of tables or a rule that draws more never moves anybody else's luck, and
two scenarios compare on common random numbers. Nothing here holds state.

Keys and draws are whole numbers of 63 bits, so they pass between Python,
NumPy and compiled code as plain ``int64``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .compiled import rule

GOLDEN = 0x9E3779B97F4A7C15
MIX_1, MIX_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORD = 2**64 - 1

# Kinds of subkey: what a key is the key of.
NIGHT, TAVERN, TABLE, PATRON, PERSON, NAME = range(1, 7)

# Purposes: one for each kind of draw, never used for two things.
(
    THROW,
    THIEVERY,
    CHEAT,
    BET,
    ODD_THROW,
    FOLLOW,
    ACCUSE,
    SENTENCE,
    NIGHTS_HURT,
    BRAWL,
    GO_OUT,
    MUGS,
    SEATING,
    LEAVE,
    ARRIVE,
    TRAIT,
    ABILITY,
    CHOICE,
    PLAY,
    PICK_GAME,
    TASTE,
    ENTER,
    BACK,
    CONTEST,
    DAMAGE,
    PICK_TAVERN,
    NOTICE,
    LEARN,
    FLEE,
    CHASE,
    LEND,
    REPAY,
    BRIBE,
    TALK_ORDER,
    MEET,
    TELL,
    BELIEVE,
    BEND,
    LIE,
    KIN,
    TIE,
    GAMBLER,
    DICE_OWNED,
    HOME,
    COME_TO_MIND,
    MOVE_HOUSE,
) = range(101, 147)

INDEX_PER_ROUND = 64


def hash63_wrapping(key: Any, label: Any) -> Any:
    """`hash63` in uint64, which wraps by itself: for compiled code and NumPy arrays."""
    z = np.uint64(key) + (np.uint64(label) + np.uint64(1)) * np.uint64(GOLDEN)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(MIX_1)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(MIX_2)
    return np.int64((z ^ (z >> np.uint64(31))) >> np.uint64(1))


def splitmix64(key: int, label: int) -> int:
    """The `label`-th number, 64 bits, of the splitmix64 stream that starts at `key`.

    Examples
    --------
    >>> splitmix64(1234567, 0)
    6457827717110365317
    """
    z = (int(key) + (int(label) + 1) * GOLDEN) & WORD
    z = (z ^ (z >> 30)) * MIX_1 & WORD
    z = (z ^ (z >> 27)) * MIX_2 & WORD
    return z ^ (z >> 31)


def hash63(key: int, label: int) -> int:
    """The upper 63 bits of `splitmix64`: a key or a draw."""
    return splitmix64(key, label) >> 1


rule(hash63, twin=hash63_wrapping)


def run_key(seed: int, replicate: int = 0) -> int:
    """The key of a run. Seeds are taken modulo 2**64."""
    return hash63(hash63(seed, 0), replicate)


@rule
def subkey(key: int, kind: int, number: int) -> int:
    """The key of a part: of night `number` in a run, of table `number` in a night."""
    return hash63(hash63(key, kind), number)


@rule
def draw(key: int, purpose: int, index: int) -> int:
    """A uniform whole number of 63 bits."""
    return hash63(key, purpose * 2**32 + int(index))


@rule
def slot(round_: int, index: int) -> int:
    """The index of the `index`-th draw (0 to 63) of one purpose in round `round_`."""
    return round_ * INDEX_PER_ROUND + index


@rule
def unit(key: int, purpose: int, index: int) -> float:
    """A float in [0, 1), a multiple of 2**-53."""
    return (draw(key, purpose, index) >> 10) * 2.0**-53


@rule
def roll(key: int, purpose: int, index: int, faces: int) -> int:
    """One die, 1 to `faces`.

    A face's probability differs from ``1 / faces`` by less than 2**-63,
    about 1.1e-19, since 2**63 draws are dealt out over the faces in turn.
    """
    return draw(key, purpose, index) % faces + 1


@rule
def throw(key: int, purpose: int, index: int, faces: int, dice: Any) -> None:
    """Fill `dice` with faces 1 to `faces`, one draw a die from `index` on."""
    for i in range(len(dice)):
        dice[i] = roll(key, purpose, index + i, faces)


def draws(keys: Any, purpose: int, index: int) -> Any:
    """`draw` for a whole array of keys (int64) at once."""
    label = np.full(1, purpose * 2**32 + index, np.int64)  # only arrays wrap without a warning
    return hash63_wrapping(np.asarray(keys, np.int64), label)


def subkeys(key: int, kind: int, numbers: Any) -> Any:
    """`subkey` for a whole array of numbers at once."""
    base = np.full(np.shape(numbers), hash63(key, kind), np.int64)
    return hash63_wrapping(base, np.asarray(numbers, np.int64))


def units(keys: Any, purpose: int, index: int) -> Any:
    """`unit` for a whole array of keys at once."""
    return (draws(keys, purpose, index) >> 10) * 2.0**-53
