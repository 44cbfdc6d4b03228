"""The words and the truth of a run's evening, as `offers` asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .facts import Facts
from .judging import Verdict, truth_of
from .speaking import beside, speak
from .wordings import Wording, Wordings, load_wordings

if TYPE_CHECKING:
    from ..run_folder import RunFolder
    from .colors import Colors
    from .evening import Evening
    from .matter import Said, Tale, Utterance


@dataclass(frozen=True)
class RunVoice:
    """Speaks and judges for one evening of a run."""

    said: Wordings
    evening: Evening
    colors: Colors
    facts: Facts

    @classmethod
    def of(cls, run: RunFolder, evening: Evening, colors: Colors) -> RunVoice:
        """The voice of an evening, with the shipped wordings and those of the run's own data."""
        own = run.scenario().get("data")
        data = own if own and Path(own).is_dir() else None  # gone since: the shipped ones do
        return cls(load_wordings(data), evening, colors, Facts.of(run, evening.night))

    def wordings(self, kind: str) -> Sequence[Wording]:
        """The wordings of a kind."""
        return self.said.says[kind]

    def speak(
        self, wording: Wording, tale: Tale, *, key: object, head: bool, tail: bool
    ) -> Utterance | None:
        """A tale in the words of a wording; None if it does not fit."""
        before = beside(self.said.heads, tale, key) if head else None
        after = beside(self.said.tails, tale, key) if tail else None
        return speak(tale, wording, self.evening, self.colors, key, head=before, tail=after)

    def judge(self, said: Said, event_id: int) -> Verdict:
        """Whether what was said is so."""
        return truth_of(said, event_id, self.facts)
