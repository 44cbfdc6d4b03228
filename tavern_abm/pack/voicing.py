"""The words and the truth of a run's evening, as `offers` asks for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from .facts import Facts
from .judging import Verdict, truth_of
from .speaking import beside, speak
from .templates import slots_of
from .wordings import Wording, Wordings, load_wordings

if TYPE_CHECKING:
    from ..run_folder import RunFolder
    from .colors import Colors
    from .evening import Evening
    from .matter import Said, Tale, Utterance


TOLD_BY = ("src", "first")
"""Slots of whom a teller has it from; a head names one of them."""
FROM_OTHERS = frozenset(("heard", "far", "source saw it", "source did it"))
"""Conditions under which words say themselves that the teller has it from others."""


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
        self,
        wording: Wording,
        tale: Tale,
        *,
        key: object,
        head: bool,
        tail: bool,
        told: Mapping[str, int] = MappingProxyType({}),
    ) -> Utterance | None:
        """A tale in the words of a wording; None if it does not fit."""
        heads = heads_before(wording, tale, self.said.heads) if head else ()
        before = beside(heads, tale, key, told=told)
        after = beside(self.said.tails, tale, key, told=told) if tail else None
        return speak(tale, wording, self.evening, self.colors, key, head=before, tail=after)

    def judge(self, said: Said, event_id: int) -> Verdict:
        """Whether what was said is so."""
        return truth_of(said, event_id, self.facts)


def heads_before(wording: Wording, tale: Tale, heads: Sequence[Wording]) -> list[Wording]:
    """The heads that go with a wording and a tale.

    None goes with words that say themselves whom the teller has it from, or that deny what
    is told; and none that names as its source somebody whom the rumour is about.

    Parameters
    ----------
    wording : Wording
        What is said after it.
    tale : Tale
        What is told.
    heads : sequence of Wording
        To choose from.
    """
    if wording.denies or FROM_OTHERS & wording.condition.wanted or _sources(wording):
        return []
    if len(tale.chain) < 2:
        return []
    told_by = {"src": tale.chain[-2].patron_id, "first": tale.chain[0].patron_id}
    about = (tale.claim.subject, tale.claim.other)
    return [head for head in heads if not any(told_by[slot] in about for slot in _sources(head))]


def _sources(line: Wording) -> set[str]:
    """Which of whom the teller has it from a line names."""
    return {slot.partition(".")[0] for slot in slots_of(line.text)}.intersection(TOLD_BY)
