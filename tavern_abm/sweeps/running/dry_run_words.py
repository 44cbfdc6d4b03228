"""What a sweep will take, on screen and as plain data."""

from __future__ import annotations

from typing import Any

from ..design import Design
from ..designs.design_words import told
from ..stores.shards import Shard
from .dry_run import Outlook
from .progress import duration


def prospect(design: Design, outlook: Outlook, shard: Shard | None, jobs: int) -> list[str]:
    """Lines for the screen: runs, factors, outputs, luck, time and disk.

    Parameters
    ----------
    design : Design
        What would be played.
    outlook : Outlook
        What the sample told.
    shard : Shard or None
        Only these runs.
    jobs : int
        Processes.
    """
    lines = [_plan(design, outlook, shard), ""]
    lines += [*(f"  {line}" for line in told(design)), ""]
    lines += [*_time(outlook, jobs), _disk(outlook)]
    return lines + [f"a run of the sample failed: {error}" for error in outlook.errors]


def document(design: Design, outlook: Outlook, jobs: int) -> dict[str, Any]:
    """The outlook as plain data for JSON."""
    return {
        "design": design.name,
        "points": outlook.points,
        "runs": {"least": outlook.least, "most": outlook.most},
        "seconds_per_run": outlook.seconds_per_run,
        "sample": len(outlook.times),
        "seconds": outlook.seconds_of(outlook.most, jobs),
        "jobs": jobs,
        "bytes": outlook.bytes_of(outlook.most),
        "to_compile": list(outlook.to_compile),
        "errors": list(outlook.errors),
    }


def _plan(design: Design, outlook: Outlook, shard: Shard | None) -> str:
    until = getattr(design.configuration, "until", None)
    nights = "" if until is None else f" of {until:,} night{'s'[: until != 1]}"
    runs = f"{outlook.most:,} runs"
    if outlook.least != outlook.most:
        runs = f"{outlook.least:,} to {outlook.most:,} runs"
    of = f", of which shard {shard} has" if shard else ":"
    points = f"{len(design.points):,} point{'s'[: len(design.points) != 1]}"
    each = ""
    if isinstance(design.replications, int):
        each = f" x {design.replications:,} replications"
    return f"{design.name}: {points} ({design.method}){each}{of} {runs}{nights}"


def _time(outlook: Outlook, jobs: int) -> list[str]:
    if not outlook.times:
        return [_no_time(outlook)]
    mean, times = outlook.seconds_per_run, outlook.times
    sample = (
        f"{len(times)} runs of the sample took {duration(min(times))} to {duration(max(times))}"
    )
    lines = [f"time: {_range(outlook, 1)} in one process ({sample}, {mean:.3g} s on average)"]
    if jobs > 1:
        lines.append(f"      {_range(outlook, jobs)} with --jobs {jobs}")
    return lines


def _range(outlook: Outlook, jobs: int) -> str:
    times = (outlook.seconds_of(n, jobs) or 0.0 for n in (outlook.least, outlook.most))
    least, most = map(duration, times)
    return f"about {most}" if least == most else f"about {least} to {most}"


def _no_time(outlook: Outlook) -> str:
    if outlook.errors:
        return "time: not known: every run of the sample failed"
    text = f"time: not known: no run of the sample ended within {outlook.seconds:.0f} s"
    if outlook.to_compile:
        games = ", ".join(outlook.to_compile)
        text += f"; {games} had to be compiled first, 10 to 20 s a game and once a version"
        text += " (tavern run does it, too): ask again"
    return text


def _disk(outlook: Outlook) -> str:
    size = outlook.bytes_of(outlook.most)
    if size is None:
        return "disk: not known"
    return f"disk: {'' if outlook.least == outlook.most else 'up to '}about {_bytes(size)}"


def _bytes(size: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"
