"""How a line of wordings sounds: said by the people of a run, or by people made up for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..run_folder import RunFolder
from .colors import Colors, load_colors
from .evening import Evening, evening_of
from .identity import luck_of
from .knowledge import tales_of
from .matter import Tale, Utterance
from .samples import Stage, stages
from .speaking import fits, speak
from .wordings import Wording, Wordings, load_wordings


@dataclass(frozen=True)
class Choir:
    """Those who say a line to let it be heard.

    Attributes
    ----------
    evening : Evening or None
        Of a run; None: a stage is made up for each line.
    tales : sequence of Tale
        What those of a run could tell.
    colors : Colors
        Details of events.
    wordings : Wordings
        What a head or a tail is put to.
    """

    evening: Evening | None
    tales: Sequence[Tale]
    colors: Colors
    wordings: Wordings

    @classmethod
    def made_up(cls) -> Choir:
        """People made up for each line."""
        return cls(None, (), Colors(("made up",), load_colors()), load_wordings())

    @classmethod
    def of(cls, run: RunFolder) -> Choir:
        """The people of a run on its last evening."""
        evening = evening_of(run)
        return cls(evening, tales_of(run, evening), Colors.of(run), load_wordings())

    def samples(self, line: Wording, most: int) -> list[Utterance]:
        """A line as it would be said, at most so often, each time of another tale.

        Parameters
        ----------
        line : Wording
            A thing to say; or what stands before or after one, which is then put to
            something that may be said of the tale.
        most : int
            So many, if there are as many.
        """
        found: dict[str, Utterance] = {}
        for stage in self._stages(line):
            said = self._said(stage, line)
            if said:
                found.setdefault(said.text, said)
            if len(found) == most:
                break
        return list(found.values())

    def _stages(self, line: Wording) -> Iterator[Stage]:
        if self.evening is None:
            yield from stages(line)
            return
        fitting = [tale for tale in self.tales if fits(tale, line)]
        fitting.sort(key=lambda tale: luck_of("sample", line.id, tale.teller, tale.rumor_id))
        yield from (Stage(self.evening, tale) for tale in fitting)

    def _said(self, stage: Stage, line: Wording) -> Utterance | None:
        evening, tale = stage
        if line.place == "say":
            return speak(tale, line, evening, self.colors)
        says = self.wordings.says[tale.claim.kind]
        fitting = [each for each in says if not each.is_full and fits(tale, each)]
        if not fitting:
            return None
        say = min(fitting, key=lambda each: luck_of(each.id, tale.teller, tale.rumor_id))
        head, tail = (line, None) if line.place == "head" else (None, line)
        return speak(tale, say, evening, self.colors, head=head, tail=tail)
