"""A town as the text of a scenario file: every district and every house written out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..coins import show
from ..scenario.schema import Population
from ..scenario.writing import to_toml
from ..town.prices import prices_of
from .tables import load_founding
from .towns import filled

if TYPE_CHECKING:
    from ..data_tables import DataTables
    from ..scenario.schema import Scenario, Tavern, Town

MOST_WRITTEN = 60
"""Of more houses only the town is written, unless all are asked for."""

STAYING = 0.001
"""Chance to leave a night, as it suits people of a town: a third of them leave in a year."""

_HEAD = """\
#:schema ./scenario.schema.json
# {title}
#   tavern check FILE    says what is in it, or what is wrong with it and where
#   tavern run FILE      plays it
#
"""
_WRITTEN_OUT = """\
# Everything is written out: change any line. What you delete is founded anew from the
# population: `patrons`, [population.trades], all [[districts]] together, or a house, in place
# of which another is opened. Name people of your own in [[people]].

"""
_IN_SHORT = """\
# Its {n_houses:,} houses and its districts are founded from the population when it is loaded.
# A house, a district or somebody that you write out stays as you write it, and the rest is
# made around it. To have all of it written out: tavern new FILE --town {population} --all

"""
_PARTS = ("town", "population", "districts", "taverns", "people")


def town_text(
    scenario: Scenario, data: DataTables, *, all_houses: bool = False, folder: Path | None = None
) -> str:
    """Write a scenario of a town as a file for people to go on from.

    Loaded again it is, filled up, the same scenario as this one filled up, but for the
    name, which is the file's.

    Parameters
    ----------
    scenario : Scenario
        With a `town`; what it says besides is kept.
    data : DataTables
        The tables it asks for.
    all_houses : bool
        Write out every house, however many there are.
    folder : Path, optional
        Where the file will be, so that the folder of tables is named as seen from there.
    """
    town = scenario.town
    assert town is not None
    whole = filled(scenario, data)
    is_short = len(whole.taverns) > MOST_WRITTEN and not all_houses
    title = _title(whole, town)
    parts = [_HEAD.format(title=title)]
    if is_short:
        parts.append(_IN_SHORT.format(n_houses=len(whole.taverns), population=town.population))
        parts += _short(scenario, town, len(whole.taverns), folder)
    else:
        parts.append(_WRITTEN_OUT)
        parts += _long(scenario, whole, town, data, folder)
    return "".join(parts)


def _title(whole: Scenario, town: Town) -> str:
    n = len(whole.taverns)
    houses = "one house" if n == 1 else f"{n:,} houses"
    return (
        f"{_settlement(whole)} of {town.population:,} inhabitants: {whole.patrons:,} patrons,"
        f" {houses} and {_districts(len(whole.districts))}."
    )


def _settlement(scenario: Scenario) -> str:
    assert scenario.town is not None
    place = load_founding(scenario.data).settlement(scenario.town.population)
    return f"{'An' if place.name[0] in 'aeiou' else 'A'} {place.name}"


def _districts(n: int) -> str:
    return "one district" if n == 1 else f"{n} districts"


def _short(scenario: Scenario, town: Town, n_houses: int, folder: Path | None) -> Iterator[str]:
    """What was said, and no more."""
    said = scenario.model_dump(exclude_unset=True, exclude_none=True)
    yield _opening(scenario, said, town, None, folder)
    yield _town_lines(town, n_houses)
    yield f"\n{_leaving(said.get('population', {}))}"
    inner = {name: said[name] for name in _PARTS[2:] if said.get(name)}
    yield from (f"\n{to_toml({name: part})}" for name, part in inner.items())
    yield from _other_parts(said)


def _long(
    scenario: Scenario, whole: Scenario, town: Town, data: DataTables, folder: Path | None
) -> Iterator[str]:
    """Everything, with a word on where it comes from."""
    said = scenario.model_dump(exclude_unset=True, exclude_none=True)
    yield _opening(scenario, said, town, whole.patrons, folder)
    yield _town_lines(town, len(whole.taverns))
    yield _population_text(said.get("population", {}), whole)
    yield from _other_parts(said)
    yield "\n# Parts of town: out of a hundred people, how many live there on average; which lie\n"
    yield "# near; and out of a hundred who live there, how many follow each trade on average.\n"
    yield "# A household is drawn as one, so kin live in one part of town.\n"
    yield from map(_district_text, whole.model_dump(exclude_none=True)["districts"])
    yield "\n# The houses. Prices go by quality (data/qualities), and a larger house pays more\n"
    yield "# staff; a mug_cp, a seat_fee_cp or a staff_cp that you write goes first.\n"
    n_own = len(said.get("taverns", []))
    for number, tavern in enumerate(whole.taverns):
        yield _tavern_text(tavern, data, whole if number < n_own else None)
    if said.get("people"):
        yield f"\n{to_toml({'people': said['people']})}"


def _opening(
    scenario: Scenario, said: dict[str, Any], town: Town, patrons: int | None, folder: Path | None
) -> str:
    """The keys that stand before all tables."""
    description = scenario.description or f"{_settlement(scenario)} of {town.population:,} people."
    keys: dict[str, Any] = {"description": description}
    if patrons is not None or "patrons" in said:
        keys["patrons"] = scenario.patrons if patrons is None else patrons
    others = ("rounds_per_night", "rounds_per_sitting", "data")
    keys |= {name: said[name] for name in others if name in said}
    if "data" in keys and folder is not None:
        keys["data"] = os.path.relpath(keys["data"], folder.resolve())
    return to_toml(keys)


def _town_lines(town: Town, n_houses: int) -> str:
    lines = [
        f"population = {town.population}  # inhabitants, children included",
        f'water = "{town.water}"  # "none", "river" or "sea"',
        f"seed = {town.seed}  # another one, other houses",
        _if_own(town, "tavern_going", "of them are patrons"),
        _if_own(town, "people_per_tavern", "inhabitants a house"),
        _if_own(town, "taverns", "houses in all", n_houses),
    ]
    return "\n[town]\n" + "\n".join(lines) + "\n"


def _if_own(town: Town, name: str, about: str, otherwise: Any = None) -> str:
    """A line for a value that is not the default; else the same line, put out."""
    value, default = getattr(town, name), type(town).model_fields[name].default
    if value == default:
        return f"#{name} = {_whole(otherwise or (1 if value == 'auto' else value))}  # {about}"
    return f"{name} = {_whole(value)}  # {about}"


def _other_parts(said: dict[str, Any]) -> Iterator[str]:
    """What the scenario says of how people think, and so on."""
    known = ("name", "description", "patrons", "data", *_PARTS)
    for name, part in said.items():
        if name not in known and isinstance(part, dict) and part:
            yield f"\n{to_toml({name: part})}"


def _population_text(said: dict[str, Any], whole: Scenario) -> str:
    """The people, with the trades of the town."""
    text = _leaving(said | {"trades": _plain(whole.population.trades)})
    about = (
        "# The trade of each patron is drawn by these weights: so many of them follow it on\n"
        "# average, and in a small place it may be twice as many, or nobody.\n"
    )
    header = "[population.trades]\n"
    return "\n" + text.replace(header, about + header, 1)


def _leaving(population: dict[str, Any]) -> str:
    """The people, with a line on how many leave, which is put out where nothing is said of it."""
    header = "[population]\n"
    text = to_toml({"population": population}) if population else header
    if "leave_prob" in population:
        return text
    default = Population.model_fields["leave_prob"].default
    line = (
        f"#leave_prob = {STAYING}  # for good, a night: a third of them in a year;"
        f" left out, {default} as at an inn\n"
    )
    return text.replace(header, header + line, 1)


def _district_text(district: dict[str, Any]) -> str:
    """A district, its trades in one line."""
    trades = district.pop("trades", {})
    ancestries = district.pop("ancestries", {})
    district["share"] = _whole(district["share"])
    if not district["near"]:
        del district["near"]
    text = "\n" + to_toml({"districts": [district]})
    for name, weights in (("ancestries", ancestries), ("trades", trades)):
        if weights:
            text += _in_a_line(name, _plain(weights))
    return text


def _in_a_line(name: str, table: dict[str, Any]) -> str:
    """An inline table, which TOML wants on one line."""
    return (
        to_toml({"_": [table, 0]}).replace("_ = [", f"{name} = ", 1).removesuffix(", 0]\n") + "\n"
    )


def _tavern_text(tavern: Tavern, data: DataTables, whole: Scenario | None) -> str:
    """A house: all that was said of one that somebody wrote himself, else what matters."""
    prices = _prices(tavern, data)
    said = tavern.model_dump(exclude_unset=True, exclude_none=True)
    own = {"name": said.pop("name", tavern.name)} | said
    if whole is None and not own["rake_bp"]:
        del own["rake_bp"]
    for part in ("tables", "yard"):
        if part in own:
            own[part] = [_thin(each) for each in own[part]]
    if not own.get("yard"):
        own.pop("yard", None)
    head, _, rest = to_toml({"taverns": [own]}).partition("\n\n")
    return f"\n{head.rstrip()}\n{prices}{f'\n{rest}' if rest else ''}"


def _prices(tavern: Tavern, data: DataTables) -> str:
    """What an evening there costs, as a comment."""
    band = next(each for each in data.qualities.values() if each.band == tavern.quality)
    prices = prices_of(tavern, data)
    fee = f", {show(prices.seat_fee_cp)} at the door" if prices.seat_fee_cp else ""
    mug, staff = show(prices.mug_cp), show(prices.staff_cp)
    return f"# {band.name}: a mug is {mug}{fee}; staff {staff} a night\n"


def _thin(table: dict[str, Any]) -> dict[str, Any]:
    """A table or an event without what is not worth saying."""
    return {
        name: value
        for name, value in table.items()
        if not (name in ("count", "stake") and value == "auto") and value != {}
    }


def _plain(weights: dict[str, float]) -> dict[str, Any]:
    return {name: _whole(weight) for name, weight in weights.items()}


def _whole(number: float) -> float | int:
    """Without a point where there is nothing behind it."""
    return int(number) if number == int(number) else number
