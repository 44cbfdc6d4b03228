"""The reference page of outcomes and series, made from the registry of quantities.

``python -m tavern_abm.sweeps.measuring.outputs_reference > docs/reference/outcomes.md`` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .quantities import DEFAULT_OUTPUTS, Quantity, quantities
from .quantity_words import GROUPS

_OPENING = """\
# Outcomes and series

Made by `python -m tavern_abm.sweeps.measuring.outputs_reference` from what a run can be asked
for; a test holds it equal.

An *outcome* is a number of a whole run, a *series* a number a night. A design asks for them by
name:

    outputs = ["gini", "gini:mean", "conviction_ppv", "rake_cp@The Rusty Flagon", "mine.py:delay"]
    series = ["gini", "cheating_rate"]

- A name alone takes the natural way from nights to the run, the last column below. Counts and
  coins are added up (*sum*); of what stands at closing time the *last* night counts; a *ratio* is
  one sum over another, over all nights together, so that a night with one conviction weighs
  less than one with ten.
- `NAME:mean`, `:sum`, `:last`, `:max`, `:min` and `:sd` (standard deviation from night to night)
  say otherwise. Nights that have no number (a share of nothing) are left out, but by `:sum`
  and `:last`. A ratio has no `:sum`; its `:mean` is that of its nights.
- `NAME@HOUSE` is of one tavern, by its sign, for the quantities marked so.
- *final* ones are of the run as it ends; they have no nights and are no series.
- `FILE.py:FUNCTION` is one of your own: see below.

The first `warm_up` nights of a design are left out of all of it. Money is in whole copper pieces
(cp). *Just* and *unjust* measure by the truth: a cheat is one of the cheating kind who has tried a
trick by then. An outcome that is not defined is null in the tables (NaN in a DataFrame), and left
out of summaries, which say of how many runs.

Without `outputs` a design takes {defaults}.

`tavern schema --outputs` prints all names.

The same numbers in Python, of a model or of a run folder:

    from tavern_abm import TavernModel
    from tavern_abm.sweeps.measuring.collecting import Collected

    model = TavernModel("rusty-flagon", rng=1)
    model.run_for(30)
    Collected(model).outcome("gini:mean")
    Collected(model, warm_up=10).series("rounds")

Taking the usual outcomes of thirty nights of the Rusty Flagon, and a digest of its state, adds
some three milliseconds to the fifty of the run.
"""
_HOW_TO_ASK = """\
NAME:mean, :sum, :last, :max, :min, :sd sum nights up in another way than the one above;
NAME@HOUSE is of one tavern, FILE.py:FUNCTION a function of your own.
"""
_OWN = """\
## Outputs of your own

A function of a Python file, given the model after its last night; it returns a number (NaN
where it is not defined):

    # mine.py
    def delay(model):
        \"""Mean nights from a cheat's first try until somebody suspects him.\"""
        people, n = model.people, model.n_rows
        tried, suspected = people.first_try[:n], people.suspected[:n]
        is_known = (tried > 0) & (suspected > 0)
        return (suspected - tried)[is_known].mean() if is_known.any() else float("nan")

`outputs = ["gini", "mine.py:delay"]` in a design beside it makes a column `delay`. The file stands
alone: it may import packages, not files beside it. Its text goes into the store with the design, so
workers on other machines need no copy, and changing the file later makes another design. A function
that raises, or gives no number or an infinite one, makes a failed run that says so; where it
raises, the traceback has its line.

## How long a warm-up

A town begins with purses, beliefs and tills that nobody has played for yet. MSER-5 [1] looks for
the number of nights to leave out after which the mean of the rest has the least squared error:

    from tavern_abm import sweep
    from tavern_abm.sweeps.measuring.warm_up import suggest_warm_up

    design = {
        "scenario": "rusty-flagon",
        "nights": 200,
        "replicates": 20,
        "series": ["gini", "guests", "cheating_rate", "tpr", "till_cp", "broke_share"],
    }
    print(suggest_warm_up(sweep(design).series).to_string(index=False))

prints

     scenario_id        series  warm_up  is_settled  nights  n
               0          gini       85        True     200 20
               0        guests       45        True     200 20
               0 cheating_rate       25        True     200 20
               0           tpr       40        True     200 20
               0       till_cp      100       False     200 20
               0   broke_share       10        True     200 20

The replications of each point are averaged first. `warm_up` is how many nights to leave out;
`is_settled` whether the series comes to rest within half of the run: the till, which fills night
by night, never does, and a mean over its nights says nothing. Take the most of the series that you
measure, and the same for all points. Of runs of fewer than 50 nights (after the warm-up that they
have already) nothing can be told, whatever the series: that is refused. Of a sweep that is kept,
`python -m tavern_abm.sweeps.measuring.warm_up sweeps/NAME` prints the same table.

[1] K. P. White (1997), An effective truncation heuristic for bias reduction in simulation output,
Simulation 69 (6), 323-334.
"""


def markdown() -> str:
    """The page as text."""
    by_group: dict[str, list[Quantity]] = {group: [] for group in GROUPS}
    for quantity in quantities().values():
        by_group[quantity.group].append(quantity)
    named = [f"`{name}`" for name in DEFAULT_OUTPUTS]
    opening = _OPENING.format(defaults=f"{', '.join(named[:-1])} and {named[-1]}")
    sections = (_section(group, some) for group, some in by_group.items())
    return "\n".join([_wrapped(opening), *sections, _OWN])


def plain() -> str:
    """Names, natural ways and titles as a list for the screen.

    Examples
    --------
    >>> print(plain().splitlines()[1])
      gini                        last   Gini of purses (0 to 1)
    """
    lines, width = [], max(map(len, quantities()))
    group = ""
    for each in quantities().values():
        lines += [each.group] if each.group != group else []
        group = each.group
        lines.append(
            f"  {each.name:<{width}}  {each.how or 'final':<5}  {each.title} ({each.unit})"
        )
    return "\n".join([*lines, "", *_HOW_TO_ASK.splitlines(), ""])


def _wrapped(text: str) -> str:
    """The text with the one long line of names broken."""
    from textwrap import fill

    lines = text.split("\n")
    return "\n".join(
        fill(line, 100) if line.startswith("Without `outputs`") else line for line in lines
    )


def _section(title: str, some: Iterable[Quantity]) -> str:
    head = "| name | unit | meaning | of nights |\n|---|---|---|---|"
    return "\n".join([f"## {title}", "", head, *_rows(some), ""])


def _rows(some: Iterable[Quantity]) -> Iterator[str]:
    for each in some:
        by_house = ", by house" if each.by_house else ""
        way = f"{each.how or 'final'}{by_house}"
        yield f"| `{each.name}` | {each.unit} | {each.title}: {each.meaning} | {way} |"


if __name__ == "__main__":
    print(markdown(), end="")
