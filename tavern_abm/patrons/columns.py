"""The population as columns: one array an attribute, one row a patron.

`People` is what an evening reads and writes, and what kernels are handed: one
record array, so that what a table needs of a patron lies together in memory
(a seat is a random row) and a kernel is handed one thing and not fifty.
`Sheet` is the rest of a person, fixed on the day he comes. Row = patron_id - 1,
for good: the dead and the gone keep their rows, since beliefs point at them.
"""

from __future__ import annotations

from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

type Ints = NDArray[np.int64]
type Floats = NDArray[np.float64]

NOT_YET, HERE, LEFT, DEAD = 0, 1, 2, 3
"""Whereabouts. NOT_YET: a row drawn ahead for a newcomer who has not arrived."""
NOBODY = -1
HOUSES = 1 << 20
"""More than there are taverns in any town: two numbers in one column."""
NEVER = -1_000_000
"""A night long before the first."""


class Row(Protocol):
    """A patron's row: one record of `People`, read and written in place.

    What every round touches stands first, so that it shares cache lines.
    """

    # touched in every round
    gold: int  # cp
    games_net: int  # cp won less lost at the tables, repayments counted
    trade: int  # index into the trades
    luck: int  # key of tonight's draws
    seen_rounds: int  # others' rounds as Hand he has followed
    seen_wins: int  # those of them the Hand won
    rationality: float  # precision of his choice of bets, per stake
    soreness: float  # 0..1: how far he lets a loss colour what he saw
    # touched as the Hand
    streak: int  # wins in a row as the Hand, tonight
    failed: int  # failed checks tonight
    filter: float  # chance that he has one failed check, if he were a cheat, as the table sees it
    is_cheat: int  # 1: of the cheating kind (the truth)
    propensity: float  # pinned chance of a try at a throw; -1 where it is not pinned
    thievery: int  # modifier
    drinks: int  # mugs tonight
    punished: int  # last night on which he was thrown out, banned or beaten
    hands: int  # rounds as Hand
    hand_wins: int
    tries: int  # at a trick
    failed_ever: int  # failed checks
    weighted: int  # 1: has weighted dice in his pocket
    is_tricking: int  # 1: has chosen to cheat in this turn (reinforcement learning alone)
    q_cheat: float  # propensities of reinforcement learning
    q_honest: float
    reference: float  # what he has come to expect of a turn, in stakes
    cheating: float  # log-odds added to his chance of a try, by the kind of gambler he is
    first_try: int  # night of his first try at a trick; 0 for none yet
    suspected: int  # night on which somebody first held him for a cheat, and rightly; 0
    # touched by accusers
    threshold: float  # log-odds above which he accuses
    has_accused: int  # 1 once he has, tonight
    lost_face_until: int  # last night of it
    # touched between rounds
    tavern: int  # index of the tavern he is in, NOBODY when at home
    sitting: int  # the last in which he had a seat, from 1; 0 for none yet tonight
    table: int  # number of the table he last sat at tonight, NOBODY
    wish: int  # the room he would play in this sitting, NOBODY for none
    sittings: int  # in which he had a seat, in all nights
    perception: int  # modifier
    thrill: float  # what having a bet is worth to him, in stakes
    chasing: float  # what is added to that once he has lost a tenth of his purse tonight
    superstition: float  # log-odds by which each win in a row of a Hand sways him
    net_before: int  # games_net as the evening began
    drinks_cp: int
    thirst: float  # how much more than others he drinks: a factor
    boldness: float  # added to what a raise is worth to him at cards and dice, in stakes
    visited: int  # index of the tavern he went to tonight, NOBODY when he stayed at home
    # who he is
    wage: int  # cp a day
    home: int  # index of his tavern, 0 the first
    is_player: int  # 1: sits at no table by himself, is never killed
    is_rooted: int  # 1: never leaves for good (pinned by name)
    # how he stands
    whereabouts: int  # NOT_YET, HERE, LEFT, DEAD
    bruised_until: int  # last night at home
    banned_from: int  # index of a tavern, NOBODY for none
    banned_until: int  # last night of the ban
    also_banned: int  # an earlier ban that still holds elsewhere: last night * HOUSES + tavern
    low_until: int  # last night he lies low, having run from a sentence
    owes_to: int  # row of his creditor, NOBODY
    owes_cp: int
    owes_due: int  # night on which it is due
    grudge: int  # row of whom he bears a grudge, NOBODY
    grudge_night: int  # since when
    wounds: int  # points of damage that have not healed
    hurt_hand: int  # 1: a hand is injured, until the wounds have healed
    weary: int  # 1: worn out by a contest, for tonight
    # his record, for the books
    arrived: int  # night, 0 for those here from the start
    gone: int  # night he left or died; 0 while he is here
    start_gold: int  # cp, on the day he came
    convicted: int
    beaten: int
    accusations: int  # he made
    accused: int  # times he was accused
    dodged: int  # debts he did not pay when they were due
    escaped: int  # times he ran from a sentence and got away


class People(Protocol):
    """The columns: a NumPy record array, int64 or float64, of shape (n_rows,).

    ``people[row]`` is a patron's `Row`, ``people.gold`` a column.
    """

    def __getitem__(self, row: int) -> Row:
        """The record in a row."""

    def __getattr__(self, name: str) -> Any:
        """The column of that name, shape (n_rows,)."""


COLUMNS = tuple(Row.__annotations__)
CACHE_LINE = 64
_KINDS = [np.float64 if kind == "float" else np.int64 for kind in Row.__annotations__.values()]
# Rows fill whole cache lines and begin at one, so that what every round touches is one.
PEOPLE = np.dtype(
    {
        "names": COLUMNS,
        "formats": _KINDS,
        "offsets": [8 * i for i in range(len(COLUMNS))],
        "itemsize": -(-8 * len(COLUMNS) // CACHE_LINE) * CACHE_LINE,
    }
)
FIRST = {
    "propensity": -1.0,
    "banned_from": NOBODY,
    "bruised_until": NEVER,
    "banned_until": NEVER,
    "punished": NEVER,
    "lost_face_until": NEVER,
    "tavern": NOBODY,
    "visited": NOBODY,
    "table": NOBODY,
    "wish": NOBODY,
    "thirst": 1.0,
    "low_until": NEVER,
    "owes_to": NOBODY,
    "grudge": NOBODY,
    "grudge_night": NEVER,
}
"""What a column holds in a new row, where that is not 0."""

ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
TRAITS = (
    "honesty",
    "emotionality",
    "extraversion",
    "agreeableness",
    "conscientiousness",
    "openness",
)
SKILLS = (
    "bluff",
    "insight",
    "climb",
    "swim",
    "jump",
    "balance",
    "tumble",
    "hide",
    "spot",
    "ride",
)
FEATS = ("Endurance", "Run", "Far Shot", "Two-Weapon Fighting", "Weapon Focus")
SIZES = ("small", "medium", "large", "huge")
SEXES = ("female", "male")
TEMPERS = ("sour", "merry", "fearful", "boastful", "careful", "pious")


class SheetRow(Protocol):
    """A patron's character sheet: one record of `Sheet`."""

    ancestry: int  # index into the ancestries
    sex: int  # index into SEXES
    level: int
    size_class: int  # index into SIZES
    base_attack: int
    speed_ft: int
    feats: int  # a bit for each of FEATS
    household: int  # row of its head; those who share one are kin
    temper: int  # index into TEMPERS
    gambler: int  # index into the presets of gamblers
    rank: int  # index into RANKS, by his trade
    quarter: int  # index of the district he lives in
    strength: int
    dexterity: int
    constitution: int
    intelligence: int
    wisdom: int
    charisma: int
    bluff: int  # skills: modifiers
    insight: int
    climb: int
    swim: int
    jump: int
    balance: int
    tumble: int
    hide: int
    spot: int
    ride: int
    honesty: float  # traits: z-scores
    emotionality: float
    extraversion: float
    agreeableness: float
    conscientiousness: float
    openness: float


class Sheet(Protocol):
    """The character sheets: a NumPy record array of shape (n_rows,).

    int64, and float32 for the traits. ``sheet[row]`` is a `SheetRow`,
    ``sheet.strength`` a column.
    """

    def __getitem__(self, row: int) -> SheetRow:
        """The record in a row."""

    def __getattr__(self, name: str) -> Any:
        """The column of that name, shape (n_rows,)."""


SHEET_COLUMNS = tuple(SheetRow.__annotations__)
SHEET = np.dtype(
    [(name, np.float32 if name in TRAITS else np.int64) for name in SHEET_COLUMNS], align=True
)


def aligned(shape: int | tuple[int, ...], kind: Any) -> Any:
    """Zeros that begin at a cache line, as NumPy's own do not always."""
    kind = np.dtype(kind)
    n_bytes = int(np.prod(shape)) * kind.itemsize
    room = np.zeros(n_bytes + CACHE_LINE, np.uint8)
    start = -room.ctypes.data % CACHE_LINE
    return room[start : start + n_bytes].view(kind).reshape(shape)


def stacked(above: Any, below: Any) -> Any:
    """The rows of one array and below them those of another, as an `aligned` array."""
    joined = aligned((len(above) + len(below), *above.shape[1:]), above.dtype)
    joined[: len(above)], joined[len(above) :] = above, below
    return joined.view(type(above))


def blank_people(n: int) -> People:
    """`n` rows of nobody yet."""
    people = aligned(n, PEOPLE).view(np.recarray)
    for name in COLUMNS:
        people[name] = FIRST.get(name, 0)
    return cast(People, people)


def blank_sheet(n: int) -> Sheet:
    """`n` empty character sheets."""
    return cast(Sheet, aligned(n, SHEET).view(np.recarray))


def grown[T: tuple[Any, ...]](columns: T, more: T) -> T:
    """Columns with the rows of `more` below them (new arrays)."""
    return type(columns)(*(stacked(*pair) for pair in zip(columns, more, strict=True)))
