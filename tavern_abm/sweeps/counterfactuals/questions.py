"""The question of a what-if, checked before anything is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...rumor_words import listed
from ..design import Design, Factor
from ..errors import SweepError
from . import compare_words as words
from .absences import Absence, absences_in, is_pinned, verify_left
from .counterfactual import PATH, Counterfactual
from .matching import Share

if TYPE_CHECKING:
    from ...model import TavernModel
    from ...run_folder import RunFolder
    from ...scenario import Scenario

__all__ = ["NIGHTS", "REPLICATES", "Question", "ask", "shares_among", "with_parts"]

NIGHTS, REPLICATES = 30, 50
MOST_PURSES = 500
"""In a town of more people it is not asked one by one who gains and who loses."""


@dataclass(frozen=True)
class Question:
    """What is asked, checked and complete.

    Attributes
    ----------
    played : Counterfactual
        How a run is played.
    title : str
        Of the scenario.
    replicates : int
        Pairs of runs.
    seed : int
        The master seed; of a town that is kept, its seed.
    outputs : tuple of str
        The quantities that are told.
    people : tuple of str
        Names of those who are there on the first morning, in the order of their ids.
    notes : tuple of str
        What one should know of how it is asked.
    """

    played: Counterfactual
    title: str
    replicates: int
    seed: int
    outputs: tuple[str, ...]
    people: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def nights(self) -> int:
        """Nights of each run."""
        return self.played.played.until

    def design(self) -> Design:
        """The design of it: two points, all else as in any sweep."""
        from ..designs.points import Grid

        factor = Factor((PATH,), "changed", ((False,), (True,)))
        return Design(
            name=f"whatif-{self.title}",
            about="the town as it is, and with one thing changed",
            configuration=self.played,
            points=Grid([factor]),
            factors=(factor,),
            replications=self.replicates,
            seed=self.seed,
        )


def ask(
    scenario: str | Path | Scenario,
    *,
    without: Sequence[str] = (),
    changes: Mapping[str, Any] | None = None,
    nights: int | None = None,
    replicates: int = REPLICATES,
    seed: int | None = None,
    same_people: bool = False,
    patron: str | None = None,
    outputs: Sequence[str] = (),
) -> Question:
    """See that a question can be asked, before anything is played; see `what_if`."""
    from ..measuring.configuration import RunConfiguration

    if not without and not changes:
        raise SweepError("nothing is changed: say what with --without NAME or --set path=value")
    base = _base(scenario, nights, seed)
    wanted = tuple(outputs or words.DEFAULT)
    played = RunConfiguration(base.scenario, base.nights, outputs=with_parts(wanted))
    changes = dict(changes or {})
    model = _town(played.scenario, base.seed)
    absences = absences_in(model, without)
    who = None if patron is None else _patron(model, patron, absences)
    is_kept = same_people or base.is_run or not _are_pinned(played.scenario, absences, who)
    _verify_changes(played.scenario, changes)
    changed = _town(played.scenario.with_settings(changes), base.seed) if changes else model
    _verify_changed(changed, absences, who)
    _verify_entries(base.put_in, absences)
    people = _of_both(model, changed) if is_kept else ()
    asked = Counterfactual(
        played,
        changes,
        absences,
        base.put_in,
        town=base.seed if is_kept else None,
        patron=who,
        n_purses=len(people),
    )
    notes = _notes(base, asked, is_asked=same_people)
    shown = played.outputs[: len(wanted)]
    return Question(asked, played.scenario.name, replicates, base.seed, shown, people, notes)


@dataclass(frozen=True)
class _Base:
    """What a town is asked about: a scenario, its nights and seed, what is put into it."""

    scenario: Scenario
    nights: int
    seed: int
    put_in: tuple[Any, ...] = ()
    is_run: bool = False


def _base(scenario: str | Path | Scenario, nights: int | None, seed: int | None) -> _Base:
    from ...scenario import load_scenario

    if isinstance(scenario, str | Path) and (Path(scenario) / "run.json").is_file():
        return _of_run(Path(scenario), nights, seed)
    loaded = load_scenario(scenario) if isinstance(scenario, str | Path) else scenario
    return _Base(loaded, nights or NIGHTS, 1 if seed is None else seed)


def _of_run(folder: Path, nights: int | None, seed: int | None) -> _Base:
    from ...continuing import read_interventions
    from ...run_folder import read_run
    from ...scenario import load_scenario

    run = read_run(folder)
    _verify_run(run, seed)
    last = nights or run.info["nights"]
    file = folder / "interventions.toml"
    entries = read_interventions(file) if file.is_file() else []
    within = tuple(each for each in entries if (each.what.night or 1) <= last)
    scenario = load_scenario(folder / "scenario.toml")
    return _Base(scenario, max(1, last), run.info["seed"], within, is_run=True)


def _verify_run(run: RunFolder, seed: int | None) -> None:
    """A run is asked about with its own seed, and can be played from its folder alone."""
    if seed is not None and seed != run.info["seed"]:
        text = f"it was played with seed {run.info['seed']}; leave --seed out, or give a scenario"
        raise SweepError(text, run.path)
    if run.info.get("replicate", 0):
        text = "it is another replicate of its seed, played from Python; ask it of its scenario"
        raise SweepError(text, run.path)
    if run.info.get("decisions"):
        names = ", ".join(run.info["decisions"])
        raise SweepError(f"it was played with decisions of its own ({names})", run.path)


def shares_among(outputs: Iterable[str]) -> dict[str, Share]:
    """Those of some quantities that are ratios of sums over the nights, and their parts."""
    from ..measuring.quantities import quantities, wanted

    found = {}
    for name in outputs:
        if name.partition("@")[0].partition(":")[0] not in quantities():
            continue  # one of the user's own
        asked = wanted(name)
        if asked.how == "ratio":
            found[name] = Share(*asked.quantity.parts, asked.quantity.times)
    return found


def with_parts(outputs: Iterable[str]) -> tuple[str, ...]:
    """Quantities, and after them the parts of those that are ratios of sums.

    Examples
    --------
    >>> with_parts(["gini", "conviction_ppv"])
    ('gini', 'conviction_ppv', 'convictions_just', 'convictions')
    """
    outputs = tuple(outputs)
    parts = [name for share in shares_among(outputs).values() for name in share.top + share.bottom]
    return tuple(dict.fromkeys([*outputs, *parts])) if parts else outputs


def _town(scenario: Scenario, seed: int) -> TavernModel:
    from ...model import TavernModel

    return TavernModel(scenario, rng=seed)


def _patron(model: TavernModel, name: str, absences: Iterable[Absence]) -> str:
    from ...scenario.problems import nearest

    people = {model.name_of(row).casefold(): model.name_of(row) for row in range(model.n_rows)}
    found = people.get(" ".join(name.split()).casefold())
    if found is None:
        meant = nearest(name, people.values())
        guess = f" (did you mean {meant!r}?)" if meant else ""
        raise SweepError(
            f"--patron: nobody in the town of seed {model.seed} is called {name!r}{guess}"
        )
    if Absence("person", found) in tuple(absences):
        raise SweepError(f"--patron: {found} is the one who is left out; name somebody else")
    return found


def _are_pinned(scenario: Scenario, absences: Iterable[Absence], patron: str | None) -> bool:
    named = [*absences, *([] if patron is None else [Absence("person", patron)])]
    return all(is_pinned(each, scenario) for each in named)


def _verify_changes(scenario: Scenario, changes: Mapping[str, Any]) -> None:
    """See that the scenario takes the changes, and is another one with them."""
    if changes and scenario.with_settings(changes) == scenario:
        fields = listed(f"{path}={value}" for path, value in changes.items())
        raise SweepError(f"--set {fields} changes nothing: so it is in the scenario")


def _verify_entries(entries: Iterable[Any], absences: Iterable[Absence]) -> None:
    """Who is left out can do nothing and have nothing done to him later on."""
    gone = {each.name.casefold() for each in absences if each.kind == "person"}
    for entry in entries:
        names = {str(value).casefold() for value in _names_in(entry.what)}
        if gone & names:
            who = next(each.name for each in absences if each.name.casefold() in names)
            text = f"{who}, who is left out, has a part in what was put into this run"
            raise SweepError(text, Path(entry.path), entry.line)


def _names_in(what: Any) -> list[str]:
    said = [getattr(what, name, None) for name in ("who", "by", "from_", "about", "other")]
    return [each for each in said if each] + list(getattr(what, "seen_by", ()))


def _verify_changed(changed: TavernModel, absences: Sequence[Absence], patron: str | None) -> None:
    """See that those who are named are there when the fields are set, too."""
    absences_in(changed, [each.name for each in absences])
    verify_left(changed, absences)
    if patron is not None:
        _patron(changed, patron, absences)


def _of_both(model: TavernModel, changed: TavernModel) -> tuple[str, ...]:
    """Who is there from the start either way, as far as ids go.

    Nobody where the change makes other people of some, or where they are too many.
    """
    n = min(model.n_rows, changed.n_rows)
    if n > MOST_PURSES:
        return ()
    names = tuple(model.name_of(row) for row in range(n))
    return names if all(changed.name_of(row) == name for row, name in enumerate(names)) else ()


def _notes(base: _Base, asked: Counterfactual, *, is_asked: bool) -> tuple[str, ...]:
    """What one should know of how a question is asked, in sentences."""
    if asked.town is None:
        return (
            "Each pair is a town of its own: the people whom the scenario names are the same in "
            "all, the others are drawn anew. What is said holds for towns of this scenario.",
        )
    named = [*asked.without, *([Absence("person", asked.patron)] if asked.patron else [])]
    strangers = [each.name for each in named if not is_pinned(each, base.scenario)]
    is_told = bool(strangers) and not is_asked and not base.is_run
    why = f" ({listed(strangers)} would live in no other)" if is_told else ""
    first = "that run itself and its changed twin" if base.is_run else "those of a run of that seed"
    far = ", as far as the change leaves them alone" if asked.changes else ""
    return (
        f"All pairs are of one town, that of seed {base.seed}{why}: the same people{far}, with "
        f"other dice from pair to pair; the first pair are {first}. What is said holds for this "
        "town.",
    )
