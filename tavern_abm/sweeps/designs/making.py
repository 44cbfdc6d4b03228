"""From the words of a design to a `Design`: one builder, whoever brings the words.

A file (`reading.load_design`), a mapping (`design_from`), keywords (`design_of`) and a
DataFrame (`Design.from_dataframe`) all end here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ..design import Auto, Design, Factor
from ..errors import SweepError
from . import checking
from .design_tables import DesignTable, table_of
from .factors import inside
from .places import At, Places, misread
from .points import Listed, plain
from .schema import AutoWords, DesignWords
from .settings_words import Setting, flattened, values_of
from .spanning import Span, span_of

if TYPE_CHECKING:
    from ...scenario import Scenario
    from ..outputs import Configuration

type ModelFunction = Callable[[dict[str, Any], int], Mapping[str, float]]


def design_from(
    document: Mapping[str, Any],
    folder: str | Path = ".",
    settings: Mapping[str, Any] | None = None,
) -> Design:
    """A design from what a design file would say.

    Parameters
    ----------
    document : mapping
        Keys as in the file: ``{"factors": [{"path": "patrons", "values": [40, 80]}]}``.
    folder : str or Path
        From where files in it are seen.
    settings : mapping, optional
        Fields of the scenario set on top of what the document sets, by dotted path.

    Raises
    ------
    SweepError
        If anything in it cannot be used.
    ScenarioError
        If the scenario itself cannot.

    Examples
    --------
    >>> design = design_from({"factors": [{"path": "patrons", "values": [40, 80]}]})
    >>> len(design.points), design.points[1]
    (2, {'patrons': 80})
    """
    places = Places()
    return scenario_design(words_of(document, places), places, Path(folder), settings)


def design_of(
    function: ModelFunction | None = None,
    *,
    factors: Mapping[str, Any] | Sequence[Factor | Mapping[str, Any]] = (),
    scenario: Scenario | str | Path | None = None,
    replications: int | Auto = 1,
    rng: int = 1,
    fixed: Mapping[str, Any] | None = None,
    table: Any = None,
    **words: Any,
) -> Design:
    """A design from Python, of a scenario or of any function that is a model.

    Parameters
    ----------
    function : callable, optional
        Of a module, so that other processes find it: gets a dict of settings and a seed,
        gives a number for each output. Without it a scenario is played.
    factors : mapping or sequence
        By path the levels, as a list, or ``{"between": [low, high]}``, ``{"range": {...}}``;
        or a sequence of `Factor`, or of mappings with the keys of a design file.
    scenario : Scenario, str or Path, optional
        What is played where there is no function.
    replications : int or Auto
        Runs of each point.
    rng : int
        The master seed.
    fixed : mapping, optional
        What all points set.
    table : DataFrame or mapping of lists, optional
        Points, a row each, in place of factors.
    **words
        Further keys of a design file: ``outputs``, ``sampling``, ``luck``, ``nights`` ...

    Raises
    ------
    SweepError
        If anything in it cannot be used.

    Examples
    --------
    >>> def model(settings, seed):
    ...     return {"y": settings["a"] + seed % settings["b"]}
    >>> grid = {"a": [0, 1], "b": [2, 3, 4]}
    >>> design = design_of(model, factors=grid, outputs=["y"], replications=5)
    >>> len(design.points), design.points[5], design.configuration.outputs
    (6, {'a': 1, 'b': 4}, ('y',))
    """
    places, said = Places(), dict(words)
    said |= {"factors": _factor_words(factors), "seed": int(rng), "set": dict(fixed or {})}
    said |= _replicates(replications)
    base = _of_scenario(scenario, said)
    checked = words_of(said, places)
    samples = None if table is None else table_of(table)
    if function is None:
        return scenario_design(checked, places, Path(), table=samples, base=base)
    return _function_design(function, checked, places, samples)


def words_of(document: Mapping[str, Any], places: Places) -> DesignWords:
    """What a document says, of the right shape.

    Raises
    ------
    SweepError
        A line for each mistake, with its place.
    """
    try:
        return DesignWords.model_validate(plain(document))
    except ValidationError as error:
        raise misread(error, places) from None


def scenario_design(
    words: DesignWords,
    places: Places,
    folder: Path,
    settings: Mapping[str, Any] | None = None,
    *,
    table: DesignTable | None = None,
    base: Scenario | None = None,
) -> Design:
    """The design of a scenario, checked to the last level."""
    fixed = flattened(words.set, ("set",), places)
    played = base or _base(words, places, folder)
    played = _with_fixed(played, fixed, places, folder)
    if settings:
        played = played.with_settings(settings)
    span = span_of(words, places, folder, table, played.model_dump(exclude_none=True))
    said = {path: setting.at for path, setting in fixed.items()}
    said |= dict.fromkeys(settings or (), ())  # no line of the design
    checking.verify_factors(span.factors, said, places)
    _verify_span(played, span, places)
    configuration = _configuration(words, played, places, folder)
    return _design(words, places, span, configuration)


def _function_design(
    function: ModelFunction, words: DesignWords, places: Places, table: DesignTable | None
) -> Design:
    from ..measuring.configuration import FunctionConfiguration

    span = span_of(words, places, Path(), table)
    checking.verify_factors(span.factors, dict.fromkeys(words.set, ("set",)), places)
    configuration = FunctionConfiguration(function, tuple(words.outputs), dict(words.set))
    return _design(words, places, span, configuration)


def _design(words: DesignWords, places: Places, span: Span, configuration: Configuration) -> Design:
    checking.verify_outputs(words, configuration.outputs, places)
    auto = words.auto and Auto(**words.auto.model_dump())
    replications = auto if auto and words.replicates == "auto" else int(words.replicates)
    checking.verify_runs(len(span.points), replications, places)
    return Design(
        name=words.name or "design",
        about=words.about,
        configuration=configuration,
        points=span.points,
        factors=span.factors,
        method=span.method,
        problem=span.problem,
        replications=replications,
        seed=words.seed,
        luck=words.luck,
    )


def _verify_span(base: Scenario, span: Span, places: Places) -> None:
    """Let the scenario judge what the points set."""
    if span.table is not None:
        checking.verify_table(base, span.table)
    elif span.method == "points":
        assert isinstance(span.points, Listed)
        checking.verify_points(base, span.points, places)
    else:
        checking.verify_levels(base, span.points, span.factors, places)


def _base(words: DesignWords, places: Places, folder: Path) -> Scenario:
    """The scenario that a design names."""
    from ...scenario import ScenarioError, builtin_scenarios, load_scenario

    given = words.scenario
    is_path = given.endswith(".toml") or "/" in given
    beside = folder / given
    if not is_path and given not in builtin_scenarios() and beside.is_file():
        is_path = True
    try:
        return load_scenario(beside if is_path else given)
    except ScenarioError as error:
        first = error.problems[0]
        if first.line is None and first.path in (given, str(beside)):
            text = first.problem.removesuffix(")")
            sign = "; got" if text != first.problem else " (got"
            raise places.error(("scenario",), f"{text}{sign} {given!r})") from None
        raise


def _with_fixed(
    base: Scenario, fixed: Mapping[str, Setting], places: Places, folder: Path
) -> Scenario:
    """The scenario with what the design sets for all points."""
    from ...scenario import ScenarioError

    if not fixed:
        return base
    try:
        return base.with_settings(values_of(fixed, folder))
    except ScenarioError as error:
        field = error.problems[0].field
        near = [path for path in fixed if inside(field, path)]
        near += [path for path in fixed if inside(path, field)]
        at = fixed[near[0]].at if near else ("set",)
        raise places.refused(at, error) from None


def _configuration(
    words: DesignWords, base: Scenario, places: Places, folder: Path
) -> Configuration:
    """How a run of the design is played, with the line of an output that cannot be had."""
    from ..measuring.configuration import RunConfiguration
    from ..measuring.own_outputs import read_own
    from ..measuring.quantities import verify_outputs, verify_series

    own: dict[str, Any] = {}
    names: list[str] = []
    for number, output in enumerate(words.outputs):
        at: At = ("outputs", number)
        try:
            (name,), read = read_own([output], own.values(), folder)
            own |= {each.name: each for each in read}
            verify_outputs((*names, name), own=[*own])
        except SweepError as error:
            raise _at_output(error, at, places) from None
        names.append(name)
    for number in range(len(words.series)):
        try:
            verify_series(tuple(words.series[: number + 1]))
        except SweepError as error:
            raise _at_output(error, ("series", number), places) from None
    try:
        return RunConfiguration(
            scenario=base,
            until=words.nights,
            warm_up=words.warm_up,
            outputs=tuple(names),
            series=tuple(words.series),
            digest_of=words.digest,
            own=tuple(own.values()),
        )
    except SweepError as error:  # a house that is not there
        raise _at_output(error, ("outputs",), places) from None


def _at_output(error: SweepError, at: At, places: Places) -> SweepError:
    """The error at the line of the design, unless it is in a file of the user's outputs."""
    is_in_file = error.path is not None and error.path.is_file()
    return error if is_in_file else places.error(at, error.problem, "")


def _factor_words(factors: Any) -> list[Any]:
    if isinstance(factors, Mapping):
        return [{"path": path} | _spec(spec) for path, spec in factors.items()]
    return [_of_factor(each) if isinstance(each, Factor) else dict(each) for each in factors]


def _spec(spec: Any) -> dict[str, Any]:
    return dict(spec) if isinstance(spec, Mapping) else {"values": list(spec)}


def _of_factor(factor: Factor) -> dict[str, Any]:
    said: dict[str, Any] = {"paths": list(factor.paths), "label": factor.label}
    if factor.levels is None:
        said |= {"whole": factor.is_whole, "log": factor.is_log}
        return said | {"between": [factor.low, factor.high]}
    is_one = len(factor.paths) == 1
    return said | {"values": [level[0] if is_one else list(level) for level in factor.levels]}


def _replicates(replications: int | Auto) -> dict[str, Any]:
    if isinstance(replications, Auto):
        return {"replicates": "auto", "auto": AutoWords(**asdict(replications))}
    return {"replicates": int(replications)}


def _of_scenario(scenario: Any, said: dict[str, Any]) -> Scenario | None:
    """A scenario that is there already; a name or path is left to the words."""
    if isinstance(scenario, str | Path):
        said["scenario"] = str(scenario)
        return None
    found: Scenario | None = scenario
    return found
