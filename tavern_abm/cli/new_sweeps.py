"""A commented design for `tavern new FILE --sweep`."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ..shipped import shipped

DESIGN = """\
#:schema ./design.schema.json
# A design: an experiment, many runs of it. Every line may go: what is left out has a
# default. A line that starts with one # and a key may be taken in.
#   tavern check FILE              says how many runs of what, or what is wrong and where
#   tavern sweep FILE --dry-run    says how long it takes, and how much disk
#   tavern sweep FILE              plays it; stopped, it goes on with --resume
#   tavern summary sweeps/NAME     estimates with intervals, as text, tables or a page
#   tavern schema --sweep > design.schema.json    lets an editor complete the keys

about = "Does the custom of a house change how many cheat?"  # what it asks
scenario = "rusty-flagon"  # a built-in one, or a file as seen from here
nights = 30  # of each run
replicates = 10  # runs of each point; "auto" goes by [auto] below
seed = 1  # another one, other luck
#warm_up = 7  # first nights that the numbers leave out
#luck = "own"  # left out: a replicate has the same luck in all points, so they compare in pairs
# What is wanted of each run; all that there is: docs/reference/outcomes.md
outputs = ["cheating_rate", "conviction_ppv", "unjust_beatings", "gini"]
#series = ["tricks_tried"]  # nightly columns to keep as well

#[set]  # the same in all points, as --set does it
#"minds.tau" = 0.3

[[factors]]  # what varies; of several factors every mix of levels is a point
path = "taverns.0.custom"  # as --set names it: docs/reference/parameters.md
label = "custom"
values = ["decent", "dockside", "orc"]

[[factors]]
path = "population.share_of_cheats"
label = "share of cheats"
range = { from = 0.05, to = 0.20, step = 0.05 }  # both ends belong to it; or levels = 4

#[[factors]]  # fields that vary together: a value for all of them, or a list with one for each
#paths = ["suspicion.sore_loser", "suspicion.paranoia"]
#label = "temper"
#values = [[0.0, 0.0], [1.5, 0.5]]

# Points drawn from a space, in place of every mix: a method, and bounds for what has no levels.
#[sampling]
#method = "latin-hypercube"  # or sobol, random; saltelli and morris for sensitivities
#points = 64
#
#[[factors]]
#path = "suspicion.false_alarm"
#between = [0.005, 0.05]

# Replicates until an interval is narrow enough: replicates = "auto" above, and
#[auto]
#output = "cheating_rate"
#half_width = 0.002
#at_most = 100
"""
_SCENARIO = 'scenario = "rusty-flagon"'


def design_text(file: Path, scenario: str | None) -> str:
    """The text of a design that is to be written to a file.

    Parameters
    ----------
    file : Path
        Where it goes: the scenario is named as seen from there.
    scenario : str or None
        What it plays: a built-in one, or a file as seen from the current folder.

    Examples
    --------
    >>> text = design_text(Path("studies/rake.toml"), "inns/eel.toml")
    >>> [line for line in text.splitlines() if line.startswith("scenario")]
    ['scenario = "../inns/eel.toml"  # a built-in one, or a file as seen from here']
    """
    if scenario is None:
        return DESIGN
    seen = scenario if _is_built_in(scenario) else _as_seen_from(file, scenario)
    return DESIGN.replace(_SCENARIO, f"scenario = {json.dumps(seen, ensure_ascii=False)}", 1)


def _is_built_in(scenario: str) -> bool:
    is_name = not scenario.endswith(".toml") and os.sep not in scenario
    return is_name and (shipped("scenarios") / f"{scenario}.toml").is_file()


def _as_seen_from(file: Path, scenario: str) -> str:
    return Path(os.path.relpath(scenario, file.parent)).as_posix()
