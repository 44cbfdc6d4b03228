"""The grapevine of a town: what its people know, and every rumour and telling so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..games import GAMES
from ..patrons.columns import HERE, NOBODY, Ints, People, Sheet, aligned, stacked
from ..patrons.decisions.general import logistic
from ..patrons.decisions.talk import CLAIMS
from ..texts import named
from .company import Evening, Talk, blank_mind, company_of
from .rumors import (
    CHANGES,
    KINDS,
    NO_GAME,
    TELLING,
    TOLD,
    VERSION,
    Store,
    Vine,
    blank_store,
    invent,
    learn,
    spring,
)
from .suspicion import Beliefs, Ways
from .talk import Choices, make_gossip

if TYPE_CHECKING:
    import pandas as pd

N_TALLIED = 4
"""Hearsay, versions, tellings, new believers: columns of a tally."""
ROOM = 256
"""Versions there is room for at first."""
_KIND_NAMES, _GAME_NAMES = list(KINDS), list(GAMES)
_CHANGE_NAMES = [CHANGES.get(bits, "") for bits in range(max(CHANGES) + 1)]
_EVENT_KEY = ["night", "round", "tavern_id", "table_id", "kind", "patron_id"]


class Grapevine:
    """Who knows what, and how it came about. It can be pickled.

    Parameters
    ----------
    talk : Talk
        How people talk; see `company.make_talk`.
    memory : int
        Stories each patron remembers: ``talk.rumor_memory``.
    n_taverns : int
        Taverns of the town.
    games : sequence of str, optional
        Those that a liar may name.

    Attributes
    ----------
    store : Store
        What everybody knows, a row a patron.
    n_versions, n_tellings : int
        How many there are so far.
    """

    def __init__(
        self, talk: Talk, memory: int, n_taverns: int, games: Sequence[str] = _GAME_NAMES
    ) -> None:
        self.talk, self.memory, self.n_taverns = talk, memory, n_taverns
        self.games: Ints = np.array([_GAME_NAMES.index(name) for name in games], np.int64)
        self.store: Store = blank_store(0, memory if self.has_rumors else 1)
        self._versions: Any = aligned(ROOM, VERSION).view(np.recarray)
        self._n = np.zeros(2, np.int64)
        self._filed: list[tuple[Ints, Any]] = []  # numbers and an array of TOLD, a night each
        self._tonight: Any = aligned(0, TOLD).view(np.recarray)

    @property
    def is_on(self) -> bool:
        """Whether anybody talks in this town."""
        return self.talk.contacts > 0

    @property
    def has_rumors(self) -> bool:
        """Whether rumours travel in this town; where they do not, none springs."""
        return self.is_on and self.talk.how.n_rumors > 0

    @property
    def n_versions(self) -> int:
        """Versions of rumours so far."""
        return int(self._n[0])

    @property
    def n_tellings(self) -> int:
        """Tellings so far."""
        return int(self._n[1])

    @property
    def versions(self) -> Any:
        """Every version so far: a record array of VERSION."""
        return self._versions[: self.n_versions]

    def carry_over(self, store: Store, versions: Any, n_tellings: int) -> None:
        """Go on from what people knew, and all versions, after so many tellings."""
        self.store, self._versions = store, versions
        self._n[:] = len(versions), n_tellings

    def grow(self, n_rows: int) -> None:
        """Make room for so many patrons in all."""
        lacking = n_rows - len(self.store.n_heard)
        if lacking > 0:
            more = blank_store(lacking, self.store.story.shape[1])
            story, known = (stacked(*pair) for pair in zip(self.store[:2], more[:2], strict=True))
            n_heard = np.concatenate([self.store.n_heard, more.n_heard])
            self.store = Store(story, known, n_heard)

    def room_for(self, n_versions: int, n_tellings: int = 0) -> Vine:
        """What kernels write into, with room for so many more versions and tellings."""
        needed = self.n_versions + n_versions
        if needed > len(self._versions):
            room = max(needed, len(self._versions) * 5 // 4)
            more = aligned(room - len(self._versions), VERSION)
            self._versions = stacked(self._versions, more)
        if n_tellings > len(self._tonight):
            self._tonight = aligned(n_tellings, TOLD).view(np.recarray)
        return Vine(self.store, self._versions, self._tonight, self._n, self.n_tellings)

    # ------------------------------------------------------------- what happens

    def spring_plain(
        self,
        kind: str,
        night: int,
        subject: int,
        other: int = NOBODY,
        *,
        witnesses: Sequence[int] = (),
        amount: int = 0,
        round_: int = 0,
        tavern: int = NOBODY,
        table: int = NOBODY,
        game: int = NO_GAME,
    ) -> None:
        """Let a rumour spring from an event that has no cell: a debt, say.

        Both in it are its witnesses, and these. Does nothing where there are no
        rumours.

        Parameters
        ----------
        kind : str
            Of the event, one of `rumors.KINDS`.
        subject, other : int
            Rows of the event's ``patron_id`` and ``other_id``.
        tavern, table : int
            Index and number, as in cells; NOBODY for none.
        """
        if not self.has_rumors:
            return
        vine = self.room_for(1)
        place = (tavern, table)
        at = spring(
            vine, _KIND_NAMES.index(kind), game, subject, other, amount, night, round_, *place
        )
        for row in dict.fromkeys([subject, other, *witnesses]):
            if row != NOBODY:
                learn(vine, row, at, TELLING, NOBODY, night)

    def first_of(self, kind: str, subject: int) -> Any:
        """The first version of the first story that sprang from an event of a kind.

        Parameters
        ----------
        kind : str
            One of `rumors.KINDS`.
        subject : int
            Row of whom it befell.

        Returns
        -------
        record of VERSION or None
            None if no story has.
        """
        of = self.versions
        is_it = (of.kind == _KIND_NAMES.index(kind)) & (of.subject == subject) & (of.parent < 0)
        found = np.flatnonzero(is_it)
        return of[found[0]] if len(found) else None

    def plant(
        self,
        night: int,
        teller: int,
        claim: int,
        subject: int,
        *,
        other: int = NOBODY,
        amount: int = 0,
        claimed_night: int,
        tavern: int = NOBODY,
        game: int = NO_GAME,
    ) -> None:
        """Put a rumour into somebody's mouth, as if he had made it up; he tells it from now on.

        Parameters
        ----------
        night : int
            From which on he tells it.
        teller, subject, other : int
            Rows of who tells it, whom it is about, and who else was in it.
        claim : int
            Place of what it claims among `CLAIMS`.
        claimed_night, tavern : int
            When and where it claims to have happened; a tavern's index, NOBODY for none.

        Raises
        ------
        ValueError
            If no rumours travel in this town.
        """
        if not self.has_rumors:
            raise ValueError("no rumours travel in this town")
        vine = self.room_for(1)
        at = invent(vine, teller, claim, game, subject, amount, night, tavern)
        version = vine.versions[at]
        version.night = claimed_night
        if other != NOBODY:
            version.other = other

    def gossip(
        self,
        night: int,
        n_rows: int,
        people: People,
        sheet: Sheet,
        acquaintances: Any,
        beliefs: Beliefs,
        ways: Ways,
        choices: Choices,
        one_story_in: int = 1,
    ) -> Ints:
        """Let everybody who is in a house talk; what came of it, by tavern.

        Parameters
        ----------
        one_story_in : int
            Tellings are filed of the stories whose id divides by it.

        Returns
        -------
        ndarray of int, shape (n_taverns, 4)
            Beliefs told, versions made, rumours told, rumours newly believed.
        """
        tally = np.zeros((self.n_taverns, N_TALLIED), np.int64)
        if not self.is_on:
            return tally
        company = company_of(people, n_rows, self.n_taverns, HERE, self.talk.contacts)
        n_told = len(company.tellers) * self.talk.contacts * self.talk.how.n_rumors
        vine = self.room_for(len(company.tellers) + n_told, n_told)
        mind = blank_mind(self.talk, acquaintances.shape[1], self.store.story.shape[1])
        evening = Evening(
            night,
            company,
            people,
            sheet,
            acquaintances,
            beliefs,
            ways,
            logistic(ways.prior),
            self.talk,
            vine,
            self.games,
            mind,
            tally,
        )
        make_gossip(choices)(evening)
        self._file(vine.first, one_story_in)
        return tally

    def _file(self, first: int, one_story_in: int) -> None:
        """Keep tonight's tellings, from number `first` on: those of one story in so many."""
        told = self._tonight[: self.n_tellings - first]
        story = self._versions.story[told.rumor]
        at = np.flatnonzero((story + 1) % one_story_in == 0)
        if len(at):
            self._filed.append(((first + at).astype(np.int32), told[at]))

    # ------------------------------------------------------------- tables

    def rumors_frame(self, events: pd.DataFrame) -> pd.DataFrame:
        """Every version of every rumour, one a row, with its truth.

        Parameters
        ----------
        events : DataFrame
            The table of events of the same run.
        """
        import pandas as pd

        from .truth import label

        of = self._versions[: self.n_versions]
        table = pd.DataFrame(
            {
                "rumor_id": np.arange(1, len(of) + 1, dtype=np.int32),
                "story_id": of.story + 1,
                "parent_id": of.parent + 1,
                "event_id": self._event_ids(events)[of.story],
                "claim": named(CLAIMS, of.claim),
                "game": named(_GAME_NAMES, of.game),
                "subject_id": of.subject + 1,
                "other_id": of.other + 1,
                "amount_cp": of.amount,
                "night": of.night,
                "tavern_id": of.tavern + 1,
                "changed": named(_CHANGE_NAMES, of.changed),
                "made_by": of.made_by + 1,
                "made_night": of.made_night,
            }
        )
        return table.assign(truth=label(table, events))

    def _event_ids(self, events: pd.DataFrame) -> Any:
        """The id of the event each version's own story would have, 0 for none."""
        import pandas as pd

        of = self._versions[: self.n_versions]
        key = pd.DataFrame(
            {
                "night": of.night,
                "round": of.in_round,
                "tavern_id": of.tavern + 1,
                "table_id": of.table + 1,
                "kind": named(_KIND_NAMES, of.kind),
                "patron_id": of.subject + 1,
            }
        )
        known = events.loc[events["kind"].isin(_KIND_NAMES), [*_EVENT_KEY, "event_id"]]
        if key.empty or known.empty:  # an empty column has forgotten what it would have held
            return np.zeros(len(key), np.int32)
        found = key.merge(known.drop_duplicates(_EVENT_KEY), "left", _EVENT_KEY)["event_id"]
        return found.fillna(0).to_numpy(np.int32)

    def tellings_frame(self) -> pd.DataFrame:
        """The tellings that are filed, one a row, in the order in which they happened."""
        import pandas as pd

        def of(name: str) -> Any:
            parts = [told[name] for _, told in self._filed]
            return np.concatenate(parts) if parts else np.zeros(0, TOLD[name])

        number = [number for number, _ in self._filed] or [np.zeros(0, np.int32)]
        rumor, known = of("rumor"), of("known")
        changed = np.where(rumor != known, self._versions.changed[rumor], 0)
        return pd.DataFrame(
            {
                "telling_id": np.concatenate(number) + np.int32(1),
                "rumor_id": rumor + 1,
                "told_rumor_id": known + 1,
                "teller_id": of("teller") + 1,
                "listener_id": of("listener") + 1,
                "night": of("night"),
                "tavern_id": of("tavern") + 1,
                "knew": of("knew") == 1,
                "believed": of("believed") == 1,
                "changed": named(_CHANGE_NAMES, changed),
                "told_from": of("told_from") + 1,
            }
        )
