"""The points of a design, and what spans them: a grid, a sample, a list or a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..design import Factor, Method
from ..errors import SweepError
from ..runs import REPLICATIONS, seed_of
from . import checking
from .design_tables import DesignTable, read_design_table
from .factors import as_json, factors_of_columns, level_of, levels_of, levels_of_range
from .places import At, Places
from .points import Grid, Listed
from .sampling import Drawing, problem_of, spread, unit_sample
from .schema import DesignWords, FactorWords, RangeWords
from .settings_words import anchored, flattened, value_at, values_of


class Span(NamedTuple):
    """The points of a design, and what spans them."""

    points: Grid | Listed
    factors: tuple[Factor, ...]
    method: Method
    problem: Mapping[str, Any] | None = None
    table: DesignTable | None = None


def span_of(
    words: DesignWords,
    places: Places,
    folder: Path,
    table: DesignTable | None = None,
    base: Mapping[str, Any] | None = None,
) -> Span:
    """The points that a design asks for.

    Parameters
    ----------
    words : DesignWords
        What the design says.
    places : Places
        Where it says so, for errors.
    folder : Path
        From which files are seen.
    table : DesignTable, optional
        Points that came from Python.
    base : mapping, optional
        The scenario as plain tables: what a listed point leaves out is as it says.

    Raises
    ------
    SweepError
        If there would be too many, or the words do not fit together.
    """
    if table is not None or words.sampling.method == "table":
        return _tabled(words, places, folder, table)
    if words.sampling.file is not None:
        text = f'goes with method = "table" (got {words.sampling.method!r})'
        raise places.error(("sampling", "file"), text)
    if words.points:
        return _listed(words, places, folder, base or {})
    factors = [_factor(each, k, places, folder) for k, each in enumerate(words.factors)]
    if words.sampling.method == "grid":
        return _grid(words, factors, places)
    return _sampled(words, factors, places)


def _grid(words: DesignWords, factors: Sequence[Factor], places: Places) -> Span:
    for number, factor in enumerate(factors):
        if factor.levels is None:
            text = "is for samples; give [sampling] a method, or this factor values or a range"
            raise places.error(("factors", number, "between"), text)
    if words.sampling.points is not None or words.sampling.trajectories is not None:
        text = "needs a method to draw points by, such as latin-hypercube (the method is grid)"
        raise places.error(("sampling",), text)
    checking.verify_grid(factors, places)
    return Span(Grid(factors), tuple(factors), "grid")


def _sampled(words: DesignWords, factors: Sequence[Factor], places: Places) -> Span:
    asked = words.sampling
    if not factors:
        raise places.error(("sampling",), "there are no factors to sample; add [[factors]]")
    checking.verify_sample(words, len(factors), places)
    _verify_for_morris(asked.method, factors, places)
    drawing = Drawing(asked.scramble, asked.second_order, asked.levels)
    seed = seed_of(words.seed, REPLICATIONS) if asked.seed is None else asked.seed
    n = asked.trajectories if asked.method == "morris" else asked.points
    try:
        unit = unit_sample(asked.method, n or 0, len(factors), seed, drawing)
    except SweepError as error:
        raise places.error(("sampling", "method"), error.problem) from None
    columns = {
        path: column
        for number, factor in enumerate(factors)
        for path, column in zip(
            factor.paths, spread(factor, unit[:, number], asked.method), strict=True
        )
    }
    problem = problem_of(factors, asked.method, drawing)
    return Span(Listed(columns), tuple(factors), asked.method, problem)


def _verify_for_morris(method: str, factors: Sequence[Factor], places: Places) -> None:
    for number, factor in enumerate(factors):
        if method == "morris" and factor.levels is not None:
            text = "Morris steps between bounds: give between = [low, high], or sample by saltelli"
            raise places.error(("factors", number, "values"), text)


def _listed(words: DesignWords, places: Places, folder: Path, base: Mapping[str, Any]) -> Span:
    """The points of a list; each column is complete by what the scenario says itself."""
    if words.sampling.method != "grid":
        text = f"listed points are not sampled (got {words.sampling.method!r}); leave one out"
        raise places.error(("sampling", "method"), text)
    said = (flattened(each, ("points", k), places) for k, each in enumerate(words.points))
    points = [values_of(each, folder) for each in said]
    for number, point in enumerate(points):
        _verify_point(point, ("points", number), places)
    paths = list(dict.fromkeys(path for point in points for path in point))
    columns = {path: [point.get(path, value_at(base, path)) for point in points] for path in paths}
    checking.verify_columns(paths, ("points",), places)
    factors = factors_of_columns(columns, _labels(words, columns, places))
    listed = Listed(columns, len(points))
    checking.verify_different(listed, places)
    return Span(listed, tuple(factors), "points")


def _verify_point(point: Mapping[str, Any], at: At, places: Places) -> None:
    for path, value in point.items():
        try:
            as_json(value)
        except ValueError as error:
            raise places.error(at, str(error), path) from None


def _tabled(words: DesignWords, places: Places, folder: Path, table: DesignTable | None) -> Span:
    if words.points:
        raise places.error(("points",), "the points come from a table already; leave one out")
    if words.sampling.method not in ("grid", "table"):
        text = f"the points come from a table already (got {words.sampling.method!r})"
        raise places.error(("sampling", "method"), text)
    if table is None:
        if words.sampling.file is None:
            text = "must be given for method 'table': a .csv or .parquet file"
            raise places.error(("sampling", "file"), text)
        if not (folder / words.sampling.file).exists():
            text = f"no such file (got {words.sampling.file!r}, as seen from the design)"
            raise places.error(("sampling", "file"), text)
        table = read_design_table(folder / words.sampling.file)
    lines: At = ("columns",)
    checking.verify_columns([*table.columns], lines, Places(table.path, {lines: 1}))
    checking.verify_different_rows(table)
    columns = {
        path: [anchored(path, value, folder) for value in values]
        for path, values in table.columns.items()
    }
    factors = factors_of_columns(columns, _labels(words, columns, places))
    return Span(Listed(columns), tuple(factors), "table", table=table._replace(columns=columns))


def _labels(words: DesignWords, columns: Mapping[str, Any], places: Places) -> dict[str, str]:
    """What [[factors]] call the columns of points that are there already."""
    for number, factor in enumerate(words.factors):
        at: At = ("factors", number)
        if factor.values or factor.range or factor.between:
            text = "the points are given one by one; a factor beside them may have a label, no more"
            raise places.error(at, text, "")
        for path in factor.all_paths:
            if path not in columns:
                known = ", ".join(columns)
                raise places.error((*at, "path"), f"{path} is set by no point (set are {known})")
    return {f.all_paths[0]: f.label for f in words.factors if f.label and len(f.all_paths) == 1}


def _factor(words: FactorWords, number: int, places: Places, folder: Path) -> Factor:
    """A factor with its levels or bounds."""
    paths, label = words.all_paths, words.label or words.all_paths[0]
    at: At = ("factors", number)
    if words.between is not None:
        low, high = words.between
        return Factor(paths, label, None, low, high, words.whole, words.log)
    if words.values is not None:
        rows = _rows(words.values, len(paths), (*at, "values"), places)
    elif words.range is not None:
        rows = [(value,) * len(paths) for value in _numbers(words.range, (*at, "range"), places)]
    else:
        text = "needs values, a range, or bounds (between = [low, high])"
        raise places.error(at, text)
    try:
        levels = levels_of(rows)
    except ValueError as error:
        raise places.error((*at, "values"), str(error)) from None
    found = [
        tuple(anchored(path, value, folder) for path, value in zip(paths, level, strict=True))
        for level in levels
    ]
    return Factor(paths, label, tuple(found))


def _rows(values: Sequence[Any], n_paths: int, at: At, places: Places) -> list[tuple[Any, ...]]:
    rows = []
    for number, value in enumerate(values):
        try:
            rows.append(level_of(value, n_paths))
        except ValueError as error:
            raise places.error((*at, number), str(error)) from None
    return rows


def _numbers(words: RangeWords, at: At, places: Places) -> list[Any]:
    try:
        return levels_of_range(words.first, words.to, words.step, words.levels)
    except ValueError as error:
        raise places.error(at, str(error)) from None
