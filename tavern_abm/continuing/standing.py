"""How a town stands as a night has closed: as plain arrays, and a model put back into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..games import GAMES
from ..patrons.columns import (
    DEAD,
    HOUSES,
    NOBODY,
    NOT_YET,
    PEOPLE,
    SEXES,
    SHEET,
    SIZES,
    TEMPERS,
    aligned,
)
from ..patrons.decisions.talk import CLAIMS
from ..society.acquaintance import ACQUAINTANCE, TIES
from ..society.rumors import AN_INVENTION, CHANGES, KINDS, KNOWN, NO_GAME, VERSION
from ..society.suspicion import HELD

if TYPE_CHECKING:
    from ..model import TavernModel

RECORDS: dict[str, tuple[Any, Callable[[TavernModel], Any]]] = {
    "people": (PEOPLE, lambda model: model.people),
    "sheet": (SHEET, lambda model: model.sheet),
    "beliefs": (HELD, lambda model: model.beliefs.held),
    "acquaintances": (ACQUAINTANCE, lambda model: model.company.acquaintances),
    "known": (KNOWN, lambda model: model.company.grapevine.store.known),
    "versions": (VERSION, lambda model: model.company.grapevine.versions),
}
"""Arrays of records by the name that their fields are kept under."""


PER_PERSON = (
    "sheet.sex",
    "beliefs.subject",
    "beliefs.strength",
    "beliefs.told",
    "acquaintances.other",
    "known.story",
    "known.n_heard",
)
"""Arrays with a row for everybody."""
FAR = 2**62
"""More stories than anybody hears."""


def state(model: TavernModel) -> dict[str, Any]:
    """How things stand, as plain arrays; with scenario and seed, enough to go on from."""
    store = model.company.grapevine.store
    playing = model.playing
    return {
        "night": np.int64(model.time),
        "n_rows": np.int64(model.n_rows),
        "tills": model.tills,
        **{f"ledger.{name}": value for name, value in model.ledger.balances().items()},
        **model.fortunes.state(model.houses, playing.rooms),
        "beliefs.epoch": np.int64(model.ways.epoch),
        "beliefs.subject": model.beliefs.subject,
        "beliefs.strength": model.beliefs.strength,
        "beliefs.told": model.beliefs.told,
        "known.story": store.story,
        "known.n_heard": store.n_heard,
        "tellings": np.int64(model.company.grapevine.n_tellings),
        "games.inclination": playing.inclinations,
        "games.won": playing.won,
        "games.sat": playing.sat,
        **{
            f"{name}.{field}": column
            for name, (_, of) in RECORDS.items()
            for field, column in _fields(np.asarray(of(model)))
        },
    }


def _fields(records: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a record array, each as an array of its own."""
    for name in records.dtype.names:
        yield name, np.ascontiguousarray(records[name])


def stand(model: TavernModel, arrays: Mapping[str, Any]) -> None:
    """Put a model of the same scenario and seed that has played nothing yet where another stood.

    Parameters
    ----------
    arrays : mapping of ndarray
        As `state` gives them.

    Raises
    ------
    KeyError
        Naming an array that is missing.
    ValueError
        If arrays do not fit the scenario.
    """
    _verify(model, arrays)
    _place_people(model, arrays)
    _place_houses(model, arrays)
    _place_games(model, arrays)
    _place_talk(model, arrays)
    model.ledger.carry_over({name: arrays[f"ledger.{name}"] for name in model.ledger.balances()})
    model.look_around(int(arrays["night"]))


def _verify(model: TavernModel, arrays: Mapping[str, Any]) -> None:
    """Kernels trust what they are handed: see that no row points beyond what there is."""
    _verify_kinds(state(model), arrays)
    n_rows, n, n_games = int(arrays["n_rows"]), len(arrays["people.gold"]), len(model.playing.games)
    if not 0 <= n_rows <= n:
        raise ValueError(f"it has {n} people and says {n_rows}")
    for name in PER_PERSON:
        if len(arrays[name]) != n:
            raise ValueError(f"{name} is of {len(arrays[name])} people, not of {n}")
    for name in ("games.inclination", "games.won", "games.sat"):
        if arrays[name].shape != (n, n_games):
            raise ValueError(f"{name} is not of {n} people and {n_games} games")
    _verify_shapes(arrays)
    for name, (first, end) in _ranges(model, arrays).items():
        if arrays[name].size and not first <= arrays[name].min() <= arrays[name].max() < end:
            raise ValueError(f"{name} points beyond what there is")
    if (arrays["people.also_banned"] % HOUSES).max(initial=0) >= len(model.tills):
        raise ValueError("people.also_banned points beyond what there is")


def _verify_kinds(own: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Numbers of the kind that they were, in as many dimensions."""
    for name, array in own.items():
        wanted, found = np.asarray(array), arrays[name]
        if (found.dtype, found.ndim) != (wanted.dtype, wanted.ndim):
            text = f"is of {found.dtype} in {found.ndim} dimensions"
            raise ValueError(f"{name} {text}, not of {wanted.dtype} in {wanted.ndim}")
        if found.dtype.kind == "f" and not np.isfinite(found).all():
            raise ValueError(f"{name} holds what is no number")


def _verify_shapes(arrays: Mapping[str, Any]) -> None:
    """All fields of a kind of record are as long as its first."""
    for name, (kind, _) in RECORDS.items():
        shape = arrays[f"{name}.{kind.names[0]}"].shape
        for field in kind.names:
            if arrays[f"{name}.{field}"].shape != shape:
                raise ValueError(f"{name}.{field} is not as long as {name}.{kind.names[0]}")
    for one, other in (("beliefs.subject", "beliefs.log_odds"), ("known.story", "known.rumor")):
        if arrays[one].shape != arrays[other].shape:
            raise ValueError(f"{one} is not as long as {other}")


def _ranges(model: TavernModel, arrays: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    """What points at something else: the least that it may be, and the first that is too much."""
    n, n_versions = len(arrays["people.gold"]), len(arrays["versions.story"])
    n_taverns, n_rooms = len(model.tills), len(arrays["rooms.stake"])
    tavern, person, version = (NOBODY, n_taverns), (NOBODY, n), (0, n_versions)
    return {
        "people.home": (0, n_taverns),
        "people.tavern": tavern,
        "people.visited": tavern,
        "people.banned_from": tavern,
        "people.wish": (NOBODY, n_rooms),
        "people.trade": (0, len(model.trades)),
        "people.whereabouts": (NOT_YET, DEAD + 1),
        "people.owes_to": person,
        "people.grudge": person,
        "beliefs.subject": person,
        "acquaintances.other": person,
        "acquaintances.tie": (0, len(TIES)),
        "sheet.household": (0, n),
        "sheet.ancestry": (0, len(model.ancestries)),
        "sheet.sex": (0, len(SEXES)),
        "sheet.size_class": (0, len(SIZES)),
        "sheet.temper": (0, len(TEMPERS)),
        "sheet.gambler": (0, len(model.gamblers)),
        "known.story": (NOBODY, n_versions),
        "known.rumor": (0, max(1, n_versions)),
        "known.told_from": (NOBODY, max(1, int(arrays["tellings"]))),
        "known.subject": (0, n),
        "known.claim": (0, len(CLAIMS)),
        "known.n_heard": (0, FAR),
        "versions.story": version,
        "versions.parent": (NOBODY, n_versions),
        "versions.subject": (0, n),
        "versions.other": person,
        "versions.made_by": person,
        "versions.tavern": tavern,
        "versions.claim": (0, len(CLAIMS)),
        "versions.kind": (AN_INVENTION, len(KINDS)),
        "versions.game": (NO_GAME, len(GAMES)),
        "versions.changed": (0, max(CHANGES) + 1),
    }


def _records(name: str, arrays: Mapping[str, Any]) -> Any:
    """A record array put together of its fields."""
    kind = RECORDS[name][0]
    shape = arrays[f"{name}.{kind.names[0]}"].shape
    records = aligned(shape, kind).view(np.recarray)
    for field in kind.names:
        records[field] = arrays[f"{name}.{field}"]
    return records


def _copy(array: Any) -> Any:
    """An array that begins at a cache line, as those of a model do."""
    copy = aligned(array.shape, array.dtype)
    copy[...] = array
    return copy


def _place_people(model: TavernModel, arrays: Mapping[str, Any]) -> None:
    model.take_in(_records("people", arrays), _records("sheet", arrays), int(arrays["n_rows"]))
    subject, strength, told = (
        _copy(arrays[f"beliefs.{name}"]) for name in ("subject", "strength", "told")
    )
    held = _records("beliefs", arrays)
    model.beliefs = type(model.beliefs)(subject, strength, held, told)
    model.ways = model.ways._replace(epoch=int(arrays["beliefs.epoch"]))


def _place_houses(model: TavernModel, arrays: Mapping[str, Any]) -> None:
    model.tills[:] = arrays["tills"]
    playing = model.playing
    night = int(arrays["night"])
    model.fortunes.carry_over(night, arrays, model.houses, playing.rooms, playing.menu)


def _place_games(model: TavernModel, arrays: Mapping[str, Any]) -> None:
    likes, won, sat = (_copy(arrays[f"games.{name}"]) for name in ("inclination", "won", "sat"))
    model.playing.inclinations, model.playing.won, model.playing.sat = likes, won, sat


def _place_talk(model: TavernModel, arrays: Mapping[str, Any]) -> None:
    company = model.company
    company.acquaintances = _records("acquaintances", arrays)
    kept = (_copy(arrays["known.story"]), _records("known", arrays), _copy(arrays["known.n_heard"]))
    store = type(company.grapevine.store)(*cast(Any, kept))
    company.grapevine.carry_over(store, _records("versions", arrays), int(arrays["tellings"]))
