"""Towns for `tavern new`: from a number of inhabitants, and from the burgs of a map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from pydantic import ValidationError

from ..data_tables import DataError, load_tables
from ..folders import put_file
from ..founding.azgaar import Burg, file_stems, find_burg, read_burgs, town_of
from ..founding.tables import FEWEST, MOST
from ..founding.towns import filled
from ..founding.written import town_text
from ..scenario import Scenario, load_scenario
from ..scenario.messages import explained
from ..scenario.schema import Town
from .new import refuse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..data_tables import DataTables

_SHOWN = 5  # burgs in a message


def town_text_for(
    path: Path, given: Mapping[str, Any], mine: str | None, *, all_houses: bool
) -> str:
    """The text of a town's scenario that is to be written to a path.

    Parameters
    ----------
    given : mapping
        Fields of the town by name; None where nothing was said.
    mine : str or None
        A scenario to keep, by name or path.

    Raises
    ------
    click.BadParameter
        If there cannot be such a town.
    """
    base = load_scenario(mine) if mine is not None else Scenario()
    said = {name: value for name, value in given.items() if value is not None}
    if base.town is None and "population" not in said:
        raise click.UsageError(f"'{mine}' is no town: give --town N as well")
    _verify_inhabitants(said.get("population"))
    kept = base.town.model_dump(exclude_unset=True) if base.town is not None else {}
    try:
        town = Town.model_validate(kept | said)
    except ValidationError as error:
        text = explained(error.errors()[0])
        raise click.BadParameter(text, param_hint="'--town'") from None
    return _text(base, town, path, all_houses=all_houses, tell=True)


def _verify_inhabitants(number: int | None) -> None:
    if number is not None and not FEWEST <= number <= MOST:
        text = f"a town has {FEWEST} to {MOST:,} inhabitants (got {number:,})"
        raise click.BadParameter(text, param_hint="'--town'")


def _text(
    base: Scenario,
    town: Town,
    path: Path,
    *,
    all_houses: bool,
    tell: bool,
    description: str | None = None,
) -> str:
    """Lay a town over a scenario and write it."""
    said = base.model_dump(exclude_unset=True, exclude_none=True)
    if base.town is None or base.town.population != town.population:
        said.pop("patrons", None)  # those of another place
    if description is not None:
        said["description"] = description
    elif base.town is not None and base.town.model_dump() != town.model_dump():
        said.pop("description", None)  # that of another town
    said["town"] = town.model_dump(exclude_unset=True)
    data = load_tables(base.data)
    scenario = _housed(said, data, tell)
    return town_text(scenario, data, all_houses=all_houses, folder=path.parent)


def _housed(said: dict[str, Any], data: DataTables, tell: bool) -> Scenario:
    """The scenario, with houses of one's own where this town has no such district moved to one.

    Which, is left to the town; `tell` says whose it is.
    """
    scenario = Scenario.model_validate(said)
    if "taverns" not in said:
        return scenario
    names = {"town", *(district.name for district in filled(scenario, data).districts)}
    for tavern in said["taverns"]:
        if tavern.get("district", "town") not in names:
            district = tavern.pop("district")
            if tell:
                name = tavern.get("name", "a house")
                text = f"note: there is no district '{district}' in this town; {name} gets another"
                click.echo(text, err=True)
    return Scenario.model_validate(said)


def write_burgs(
    out: Path,
    world: Path,
    burg: str | None,
    mine: str | None,
    *,
    all_houses: bool,
    force: bool,
) -> None:
    """Write the towns of a map: one of them to a file, or all into a folder.

    Burgs of too few people for a town are left out, and their number is said; of too
    many, they are named as well.
    """
    burgs = read_burgs(world)
    base = load_scenario(mine) if mine is not None else Scenario()
    if burg is not None:
        path = out if out.suffix else out.with_suffix(".toml")
        refuse(path, force)
        found = find_burg(burgs, burg, world)
        text = _burg_text(base, found, path, world, all_houses, tell=True)
        put_file(path, text.encode())
        click.echo(f"wrote {path}; next: tavern check {path}")
        return
    large = [each for each in burgs if each.population >= FEWEST]
    if not large:
        raise click.BadParameter(f"no burg of {world} has {FEWEST} people", param_hint="'--azgaar'")
    towns = _not_too_large(large, world)
    paths = [out / f"{stem}.toml" for stem in file_stems(towns)]
    _make_folder(out, paths, force)
    for each, path in zip(towns, paths, strict=True):
        text = _burg_text(base, each, path, world, all_houses, tell=False)
        put_file(path, text.encode())
    left_out = len(burgs) - len(large)
    note = f" ({left_out} of fewer than {FEWEST} people left out)" if left_out else ""
    n = "1 town" if len(towns) == 1 else f"{len(towns)} towns"
    click.echo(f"wrote {n} to {out}{note}; next: tavern check {paths[0]}")


def _not_too_large(burgs: Sequence[Burg], world: Path) -> list[Burg]:
    """Those of so few people that a town can be played; on the others there is a note.

    Raises
    ------
    DataError
        If all are too large.
    """
    towns, others = [], []
    for burg in burgs:
        try:
            town_of(burg, world)
        except DataError:
            others.append(burg)
        else:
            towns.append(burg)
    if not towns:
        town_of(burgs[-1], world)  # says why not even this one
    if others:
        named = ", ".join(f"{each.name} ({each.population:,})" for each in others[:_SHOWN])
        more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        click.echo(f"note: of more people than a town may have, left out: {named}{more}", err=True)
    return towns


def _burg_text(
    base: Scenario, burg: Burg, path: Path, world: Path, all_houses: bool, *, tell: bool
) -> str:
    description = f"{burg.name}, {burg.population:,} people."
    town = town_of(burg, world)
    return _text(base, town, path, all_houses=all_houses, tell=tell, description=description)


def _make_folder(out: Path, paths: list[Path], force: bool) -> None:
    """Make the folder, if nothing stands there that must stay."""
    if out.exists() and not out.is_dir():
        text = f"the towns go into a folder, and '{out}' is a file; name one with --burg"
        raise click.BadParameter(text, param_hint="FILE")
    if not out.parent.is_dir():
        raise click.BadParameter(f"there is no folder '{out.parent}'", param_hint="FILE")
    out.mkdir(exist_ok=True)
    for path in paths:
        refuse(path, force)
