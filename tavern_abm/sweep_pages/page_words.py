"""What the page of a sweep says in words: numbers, headlines, the method, how to cite it."""

from __future__ import annotations

import json
import math
from typing import Any

from ..rumor_words import listed
from ..stories import times
from ..sweeps.design import Auto, Factor
from ..sweeps.sensitivities.luck import is_luck_alone
from .page_data import SweepData

SOFTWARE = "tavern_abm: an agent-based simulation of taverns"
METHODS = {
    "grid": "every combination of the levels of its factors",
    "points": "design points given one by one",
    "table": "design points given as a table",
    "latin-hypercube": "a Latin hypercube sample",
    "sobol": "a scrambled Sobol sequence",
    "random": "a random sample",
    "saltelli": "a Saltelli sample for Sobol indices",
    "morris": "trajectories of Morris's elementary effects",
}
SENSITIVITY = {
    "sobol": "First and total order Sobol indices are those of Saltelli et al. (2010), with "
    "bootstrap intervals over points, by SALib (Herman and Usher 2017; Iwanaga et al. 2022)",
    "morris": "Elementary effects are summed up by mu*, mu and sigma (Morris 1991; Campolongo et "
    "al. 2007), with bootstrap intervals over trajectories, by SALib (Herman and Usher 2017; "
    "Iwanaga et al. 2022)",
    "shares": "Sobol indices are those of the grid itself, all levels counted alike, what luck "
    "adds to each variance taken off, with jackknife intervals over replications",
    "regression": "Sensitivity is told by standardized regression coefficients and partial rank "
    "correlations of the points' means (Marino et al. 2008), factors of words held fixed, too, "
    "with bootstrap intervals over points",
}
FEW_REPLICATIONS = 5
UNKNOWN_LUCK = "Points have too few values to tell what moved it from luck."


def number(value: float) -> str:
    """A number for people: three digits, or all of a large one.

    Examples
    --------
    >>> number(0.12345), number(1234.5), number(-20.0), number(float("nan")), number(0.0)
    ('0.123', '1,234', '-20', '–', '0')
    """
    if math.isnan(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def with_interval(value: float, low: float, high: float) -> str:
    """An estimate with its interval, to as many places as that is wide.

    Examples
    --------
    >>> with_interval(0.2, 0.1, 0.3), with_interval(0.2, float("nan"), float("nan"))
    ('0.20 (0.10 to 0.30)', '0.2')
    >>> with_interval(1234.5, 1200.1, 1268.9), with_interval(0.0, 0.0, 0.0)
    ('1,234 (1,200 to 1,269)', '0')
    """
    if not high > low:
        return number(value)
    digits = places((high - low) / 2, 2)
    return f"{value:,.{digits}f} ({low:,.{digits}f} to {high:,.{digits}f})"


def span(low: float, high: float) -> str:
    """From one number to another, to as many places as they lie apart.

    Examples
    --------
    >>> span(0.00144, 0.0427), span(0.0, 118.2), span(5.0, 5.0)
    ('0.0014 to 0.0427', '0 to 118', '5')
    """
    if not high > low:
        return number(low)
    digits = places(high - low, 3)
    return f"{low:,.{digits}f} to {high:,.{digits}f}"


def places(width: float, significant: int) -> int:
    """Decimal places that give a width so many digits.

    Examples
    --------
    >>> places(0.0413, 3), places(118.2, 3), places(0.0, 3)
    (4, 0, 3)
    """
    if not width > 0:
        return 3
    return max(0, significant - 1 - math.floor(math.log10(width)))


def percent(share: float) -> str:
    """A share in per cent.

    Examples
    --------
    >>> percent(0.0004), percent(0.037), percent(0.43)
    ('Less than 0.1 %', '3.7 %', '43 %')
    """
    if share < 0.001:
        return "Less than 0.1 %"
    return f"{share:.1%}".replace("%", " %") if share < 0.1 else f"{share:.0%}".replace("%", " %")


# ---------------------------------------------------------------- at the top


def facts(data: SweepData) -> list[tuple[str, str]]:
    """The few facts under the title."""
    design = data.design
    found = []
    if data.scenario is not None:
        found.append(("Scenario", data.scenario))
    found += [
        ("Factors", f"{len(data.factors):,}"),
        ("Design points", f"{data.n_points:,}"),
        ("Replications", replications(data)),
        ("Runs", f"{data.n_done:,}"),
    ]
    if data.n_failed:
        found.append(("Runs that failed", f"{data.n_failed:,}"))
    if (nights := getattr(design.configuration, "until", None)) is not None:
        found.append(("Nights", f"{nights:,}"))
    if warm_up := getattr(design.configuration, "warm_up", 0):
        found.append(("Left out as warm-up", times(warm_up, "night")))
    found.append(("Master seed", str(design.seed)))
    return found


def replications(data: SweepData) -> str:
    """How many each point has."""
    least, most = data.replications
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def headlines(data: SweepData, most: int = 6) -> list[dict[str, str]]:
    """A card an outcome: between which means the points lie, and what moves it most."""
    cards = []
    for output, outcome in list(zip(data.outputs, data.outcomes, strict=True))[:most]:
        points = data.points(output)["mean"]
        low, high = float(points.min()), float(points.max())
        value = number(low) if len(points) < 2 else span(low, high)
        cards.append({"name": outcome.with_unit, "value": value, "meaning": _meaning(data, output)})
    return cards


def _meaning(data: SweepData, output: str) -> str:
    points = data.points(output)
    if len(points) < 2:
        row = points.iloc[0]
        return f"Mean of {times(int(row['n']), 'run')}, {_share(data)} interval {_span(row)}."
    return moved_most(data, output) or "The lowest and the highest mean of a design point."


def moved_most(data: SweepData, output: str) -> str:
    """Which factor moves an outcome most and how far, if that is more than luck; "" if none."""
    if math.isnan(data.cells(output).luck_p()):
        return UNKNOWN_LUCK
    if is_luck(data, output):
        return "Its points differ by no more than luck alone would make them."
    leading, table = data.leading(output), data.swings(output)
    if leading is not None:
        return _by_index(leading)
    return "" if table.empty else _by_swing(table.iloc[0].to_dict(), is_grid=data.is_grid)


def _by_index(row: dict[Any, Any]) -> str:
    told = with_interval(row["value"], row["low"], row["high"])
    if row["kind"] == "mu_star":
        return f"Moved most by {row['title']}: by {told} over its range, on average (mu*)."
    return f"Moved most by {row['title']}: a share of {told} of the variance (ST)."


def _by_swing(row: dict[Any, Any], *, is_grid: bool) -> str:
    """Off a grid how far, not from where to where: ends of a fit may be impossible values."""
    title, far = row["title"], with_interval(row["swing"], row["low"], row["high"])
    if row["low"] <= 0:
        return f"No factor moves it for sure; most may be due to {title}, by {far}."
    if is_grid:
        return (
            f"Moved most by {title}: {number(row['low_mean'])} at {row['low_level']}, "
            f"{number(row['high_mean'])} at {row['high_level']}."
        )
    if row["way"] == "line":
        way = "up" if row["rises"] else "down"
        return f"Moved furthest by {title}: by a straight line, {way} by {far} over its range."
    levels = f"{row['low_level']} to {row['high_level']}"
    return f"Moved furthest by {title}: up by {far} from {levels}."


def over_what(data: SweepData) -> str:
    """What the intervals of effects and indices hold."""
    if data.is_grid:
        return "over luck"
    if data.design.luck == "own":
        return "over points, the luck of each run in them"
    least, most = data.replications
    if most < 2:
        return "over points only: the luck of the one replication that all share is not in them"
    text = f"over points and over the luck of the {most:,} replications that all of them share"
    few = ", of which so few tell little, so that they are wide"
    return text + (few if least < FEW_REPLICATIONS else "")


def _span(row: Any) -> str:
    return "unknown" if math.isnan(row["low"]) else span(row["low"], row["high"])


def _share(data: SweepData) -> str:
    return f"{data.confidence * 100:g}\N{NO-BREAK SPACE}%"


def is_luck(data: SweepData, output: str) -> bool:
    """Whether luck alone may have made the points differ (F test)."""
    return bool(is_luck_alone(data.cells(output).luck_p()))


# ---------------------------------------------------------------- the method


def method(data: SweepData) -> list[str]:
    """The paragraphs of a method section."""
    return [_played(data), _analysed(data)]


def _played(data: SweepData) -> str:
    design = data.design
    what = "A function of its settings and a seed"
    if data.scenario is not None:
        nights = times(getattr(design.configuration, "until", 0), "night")
        what = f"The scenario {data.scenario} of {_version(data)} was played for {nights}"
        warm_up = getattr(design.configuration, "warm_up", 0)
        if warm_up:
            what += f" a run, of which the first {warm_up:,} were left out of every outcome"
    else:
        what += " was evaluated"
    design_text = f"The design is {METHODS[design.method]}"
    if data.factors:
        design_text += f" over {listed(list(data.titles.values()))}"
        if logs := [data.titles[each.label] for each in data.factors if each.is_log]:
            design_text += f" ({listed(logs)} on a logarithmic scale)"
    n = f"{data.n_done:,} runs"
    if data.n_failed:
        n += f" and {data.n_failed:,} that failed"
    auto = _auto(design.replications)
    if data.n_points == 1:
        return f"{what}: {n}{auto}. The master seed is {design.seed}."
    return (
        f"{what}. {design_text}: {times(data.n_points, 'design point')} with "
        f"{_each(data)} each{auto}, {n} in all. {_luck(design.luck)} "
        f"The master seed is {design.seed}."
    )


def _each(data: SweepData) -> str:
    least, most = data.replications
    return times(least, "replication") if least == most else f"{least:,} to {most:,} replications"


def _version(data: SweepData) -> str:
    known = None if data.manifest is None else data.manifest.versions.get("tavern_abm")
    return f"tavern_abm {known}" if known else "tavern_abm"


def _auto(replications: int | Auto) -> str:
    if not isinstance(replications, Auto):
        return ""
    goals = [f"half as wide as {replications.half_width:g}" if replications.half_width else ""]
    goals.append(f"within {replications.relative:.0%} of it" if replications.relative else "")
    return (
        f" (from {replications.at_least} to {replications.at_most}, until the interval of the mean "
        f"of {replications.output} was {' or '.join(filter(None, goals))})"
    )


def _luck(luck: str) -> str:
    if luck == "shared":
        return (
            "All points share the luck of a replication (common random numbers), so they are "
            "compared replication by replication."
        )
    return "Every run has luck of its own, so points are compared as independent samples."


def _analysed(data: SweepData) -> str:
    share = _share(data)
    text = (
        f"Intervals of means are Student's t at {share} over replications; they hold one by one, "
        "not all together."
    )
    if data.replications[1] < 2:
        text = "With one replication a point there are no intervals over luck."
    if len(data.factors) > 1 and len(data.indices):
        text += f" {SENSITIVITY[str(data.indices['method'].iloc[0])]}."
        if not data.is_grid:
            text += f" Intervals of effects and indices are {over_what(data)}."
    if data.n_filled:
        text += (
            f" {times(data.n_filled, 'point')} of the grid without a value got what an additive "
            "fit to the others expects, for effects and indices only (Yates 1933)."
        )
    return text


# ---------------------------------------------------------------- how it was run, how to cite


def settings(factor: Factor) -> str:
    """The levels of a factor, or where it was sampled."""
    if factor.levels is not None:
        together = [" / ".join(dict.fromkeys(map(_plain, level))) for level in factor.levels]
        return ", ".join(together)
    kind = ", whole numbers" if factor.is_whole else ""
    kind = ", on a logarithmic scale" if factor.is_log else kind
    return f"between {factor.low:g} and {factor.high:g}{kind}"


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def how_run(data: SweepData) -> list[tuple[str, str]]:
    """Versions, digests, times."""
    manifest = data.manifest
    if manifest is None:
        found = [("Design", data.design.digest())]
    else:
        found = [
            ("Begun", manifest.created),
            ("State", manifest.status),
            ("Design", manifest.design),
            ("Program", manifest.source),
            *[(name.replace("_", "-"), str(value)) for name, value in manifest.versions.items()],
        ]
        if manifest.merged_from:
            found.insert(1, ("Merged from", ", ".join(manifest.merged_from)))
    if data.seconds is not None:
        found.append(("Computing time", _duration(data.seconds)))
    return found


def _duration(seconds: float) -> str:
    """A time for people.

    Examples
    --------
    >>> _duration(89.6), _duration(3725), _duration(0.5)
    ('1 min 30 s', '1 h 2 min', '0.5 s')
    """
    if seconds < 10:
        return f"{seconds:.2g} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60} min"


def commands(data: SweepData) -> list[tuple[str, str]]:
    """What to type to go on from here."""
    place = data.place
    found = [
        (f"tavern summary {place}", "the same numbers as a table"),
        (f"tavern rerun {place} --run {_first_run(data)}", "plays one run again and compares it"),
    ]
    if data.missing:
        found.append((f"tavern sweep {place} --resume", "plays what is missing"))
    if data.n_failed:
        retry = f"tavern sweep {place} --resume --retry-failed"
        found.append((retry, "tries the runs again that failed"))
    return found


def _first_run(data: SweepData) -> int:
    runs = data.frames.runs["run_id"]
    return int(runs.iloc[0]) if len(runs) else 0


def bibtex(data: SweepData) -> str:
    """The program as an entry of a bibliography."""
    manifest = data.manifest
    version = manifest.versions.get("tavern_abm") if manifest is not None else None
    year = manifest.created[:4] if manifest is not None else None
    fields = {
        "title": f"{{{SOFTWARE}}}",
        "author": "{{the tavern_abm authors}}",
        "version": f"{{{version}}}" if version else None,
        "year": f"{{{year}}}" if year else None,
    }
    lines = [f"  {name} = {value}," for name, value in fields.items() if value]
    return "\n".join(["@software{tavern_abm,", *lines, "}"])
