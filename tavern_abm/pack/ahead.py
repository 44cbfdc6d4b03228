"""What comes of an evening if nobody acts: the run's own later nights, or the run played on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..run_folder import RunFolder, RunFolderError
from .motifs.past import BULK, COLUMNS, Happening, happenings_of
from .motifs.situation import Situation, Watch

if TYPE_CHECKING:
    from ..model import TavernModel

NIGHTS = 7
"""Nights on which one looks for what comes of a situation, if nothing else is said."""
MOST_TOLD = 2
"""Events that are told of one situation."""
AFTER = 4
"""Nights beyond the clock of a situation for which what befalls its people is of its making."""
BETWEEN = ("cleared", "brawl")
"""Kinds of event that are of a situation only if both are of it: of others there are many."""

type Believers = Counter[tuple[int, int]]
"""How many have come to believe a story of somebody: by story_id and patron_id."""


@dataclass(frozen=True)
class Ahead:
    """What happened in the nights after one.

    Attributes
    ----------
    night : int
        The evening from which one looks ahead.
    until : int
        The last night that was played.
    happenings : tuple of Happening
        The events of the nights between, in the order they happened.
    believers : mapping of (int, int) to int
        How many have come to believe a story in these nights: by its story_id, and by
        the patron_id of whom they believe it.
    """

    night: int
    until: int
    happenings: tuple[Happening, ...]
    believers: Mapping[tuple[int, int], int] = field(default_factory=dict)

    @cached_property
    def _by_person(self) -> dict[int, list[Happening]]:
        found: defaultdict[int, list[Happening]] = defaultdict(list)
        for each in self.happenings:
            found[each.patron_id].append(each)
        return found

    def last_of(self, situation: Situation) -> int:
        """The last night that has to do with a situation, of those that were looked at."""
        return min(self.until, max(self.night, situation.until) + AFTER)

    def outcome(self, situation: Situation) -> list[Happening]:
        """What comes of a situation, in the order it happens; empty if nothing does.

        The first of its watches that sees anything answers the question; another may
        add what it sees of another round.
        """
        told: list[Happening] = []
        for watch in situation.watches:
            seen = min(self._seen(watch, situation), default=None)
            if seen is not None and not any(_is_same_matter(seen[1], each) for each in told):
                told.append(seen[1])
        return sorted(told[:MOST_TOLD])

    def _seen(self, watch: Watch, situation: Situation) -> Iterator[tuple[int, Happening]]:
        """The events a watch looks for, each after how little it matters."""
        last = self.last_of(situation)
        for each in self._of(watch.role, situation):
            if each.night > last:
                break
            if each.kind in watch.kinds and _is_meant(each, watch, situation):
                yield watch.kinds.index(each.kind), each

    def _of(self, role: str, situation: Situation) -> list[Happening]:
        if role == "house":
            return [each for each in self.happenings if each.tavern_id == situation.tavern]
        return self._by_person[situation.cast[role].patron_id]


def _is_meant(each: Happening, watch: Watch, situation: Situation) -> bool:
    if watch.other and each.other_id != situation.cast[watch.other].patron_id:
        return False
    if each.kind in BETWEEN and each.other_id not in situation.people:
        return False
    return not watch.house or each.tavern_id == situation.tavern


def _is_same_matter(one: Happening, other: Happening) -> bool:
    """Whether two events are of one round, such as a verdict and its sentence."""
    return (one.night, one.round, one.table_id) == (other.night, other.round, other.table_id)


def nights_to_play(run: RunFolder, night: int, nights: int = NIGHTS) -> int:
    """How many nights have to be played on, beyond those that the run has itself."""
    return max(0, night + nights - int(run.info["nights"]))


def ahead_of(
    run: RunFolder,
    night: int,
    nights: int = NIGHTS,
    progress: Callable[[], object] | None = None,
) -> Ahead:
    """Look ahead from an evening.

    Where the run has later nights of its own they are read; from its last night on
    it is taken up where it stands and played on, as it would have gone. Nothing is
    written.

    Parameters
    ----------
    run : RunFolder
        The run.
    night : int
        The evening.
    nights : int, default 7
        How many further nights.
    progress : callable, optional
        Called after each night that is played on.

    Raises
    ------
    RunFolderError
        If the run has to be played on and its folder does not say how things stood.
    """
    happened, believers = _recorded(run, night, night + nights)
    n_more = nights_to_play(run, night, nights)
    if n_more:
        model = _played_on(run, n_more, progress)
        happened += _events_of(model, run.info["nights"])
        believers += _believers_of(model, run.info["nights"])
    return Ahead(night, night + nights, tuple(happened), believers)


# ------------------------------------------------------------- the run's own nights


def _recorded(run: RunFolder, night: int, until: int) -> tuple[list[Happening], Believers]:
    """What the record has of the nights after one."""
    between = [("night", ">", night), ("night", "<=", until)]
    events = run.table("events", COLUMNS, [*between, ("kind", "not in", BULK)])
    told = run.table("tellings", ("rumor_id",), [*between, ("believed", "==", True)])
    versions = run.table("rumors", ("rumor_id", "story_id", "subject_id"))
    of = told.merge(versions, on="rumor_id")
    return happenings_of(events), _counted(of["story_id"], of["subject_id"])


def _counted(stories: Any, subjects: Any) -> Believers:
    return Counter(zip(stories.tolist(), subjects.tolist(), strict=True))


# ------------------------------------------------------------- nights played on


def _played_on(run: RunFolder, n_nights: int, progress: Callable[[], object] | None) -> TavernModel:
    _verify_has_state(run)
    # Not imported above: the model takes long to import, and most that is asked needs none.
    from ..continuing import revive

    model = revive(run)
    for _ in range(n_nights):
        model.run_for(1)
        if progress is not None:
            progress()
    return model


def _verify_has_state(run: RunFolder) -> None:
    file = run.path / "state.npz"
    if not file.is_file():
        problem = (
            "there is none, as of any big town, so the run cannot be played on; --no-ahead gives "
            "situations without that, --night an evening whose later nights the run has itself"
        )
        raise RunFolderError(file, problem)


def _events_of(model: TavernModel, last: int) -> list[Happening]:
    """The events of the nights after one, of a model that has played them."""
    events = model.events
    return happenings_of(events[(events["night"] > last) & ~events["kind"].isin(BULK)])


def _believers_of(model: TavernModel, last: int) -> Believers:
    grapevine = model.company.grapevine
    told = grapevine.tellings_frame()
    of = grapevine.versions[told.loc[(told["night"] > last) & told["believed"], "rumor_id"] - 1]
    return _counted(of.story + 1, of.subject + 1)
