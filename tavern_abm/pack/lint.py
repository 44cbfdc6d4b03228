"""What is wrong with wordings: of a file as it stands, and of an utterance as it came out.

`lint_file` needs no run: it reads a file and tells line by line what is wrong and what to
do about it. `lint_rendered` looks at the words that players would hear; for the shipped
wordings it must find nothing, whatever they are said of.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ..data_tables import document_of, read_source
from .colors import Color, Colors, fitted, load_colors
from .evening import Evening
from .identity import luck_of
from .lint_words import RULES, letters
from .matter import Tale, Utterance
from .samples import obstacle_to
from .speaking import MOST, TWICE, beside, fits, speak
from .speech import capitalised, four_grams, words_in
from .templates import SLOT, expanded, slots_of
from .wordings import (
    COLORS,
    Condition,
    Fault,
    Wording,
    Wordings,
    read_lines,
    wording_files,
)

UNFIT = "no event ever fits it"
FEWEST = 11
"""Words of a thing that somebody says at least, without what is put before and after it."""
MOST_BESIDE = 20
"""Words of what is put before or after."""
WORDS_OF = {
    "who": (1, 4),
    "by": (1, 4),
    "src": (1, 4),
    "first": (1, 4),
    "sum": (2, 6),
    "when": (1, 5),
    "since": (2, 5),
    "at": (1, 5),
    "place": (2, 5),
    "house": (2, 5),
    "game": (1, 3),
    "a.trade": (2, 3),
    "thing": (2, 8),
    "pledge": (2, 7),
    "spot": (2, 7),
    "tell": (2, 8),
}
"""The fewest and the most words that a slot comes out as; of the others one."""


# ------------------------------------------------------------- a file


def lint_file(path: str | Path) -> list[Fault]:
    """All that is wrong with a file of wordings, in the order of its lines.

    Parameters
    ----------
    path : str or Path
        Named as a kind of event, or ``heads.toml``, ``tails.toml`` or ``colors.toml``.

    Raises
    ------
    DataError
        If it cannot be read at all, is no TOML, or is named as none of these.
    """
    if Path(path).stem == COLORS:
        return list(_of_colors(Path(path)))
    found, faults = read_lines(read_source(Path(path)), is_lenient=True)
    wrong = {fault.line for fault in faults}
    faults += [fault for wording in found for fault in _told(wording, wrong)]
    return sorted((*faults, *_shared(found)), key=lambda fault: fault.line)


def _told(wording: Wording, wrong: set[int]) -> list[Fault]:
    """What is wrong with a line; of one whose condition is wrong not that nothing fits it."""
    found = lint_wording(wording)
    return [each for each in found if wording.line not in wrong or not _is_unfit(each)]


def _is_unfit(fault: Fault) -> bool:
    return fault.problem.startswith(UNFIT)


def lint_folder(folder: str | Path) -> list[Fault]:
    """All that is wrong with the files of a folder of wordings, by file and line."""
    files = [*wording_files(Path(folder)), *Path(folder).glob(f"{COLORS}.toml")]
    return [fault for file in sorted(files) for fault in lint_file(file)]


def lint_wording(wording: Wording) -> list[Fault]:
    """What is wrong with one line, each thing once however many choices it has."""
    found: dict[tuple[str, str], None] = {}
    for text in expanded(wording.text):
        for rule in RULES:
            found |= dict.fromkeys(rule(wording, text))
        found |= dict.fromkeys(_of_length(wording, text))
    if not found and (why := obstacle_to(wording)):
        found[(f"{UNFIT}: {why}", "change the condition or the slots")] = None
    return [Fault(wording.path, wording.line, *each) for each in found]


def _of_length(wording: Wording, text: str) -> Iterator[tuple[str, str]]:
    least, most = length_of(text)
    if wording.place != "say":
        if most > MOST_BESIDE:
            yield f"may come to {most} words", f"at most {MOST_BESIDE} may stand beside"
    elif least < FEWEST:
        yield f"may come to {least} words only", f"at least {FEWEST} are wanted"
    elif least + most > 2 * MOST:  # where it comes out longer, it is not said
        mostly = (least + most) // 2
        yield f"mostly comes to {mostly} words", f"at most {MOST} can be said in one breath"


def length_of(text: str) -> tuple[int, int]:
    """The fewest and the most words that a text may come to.

    Examples
    --------
    >>> length_of("{who} owes {sum} to {by}.")
    (6, 16)
    """
    own = SLOT.sub("x", re.sub(r"\{[^{}]*\}('\w+)?", "", text))
    words = len(words_in(own))
    slots = [WORDS_OF.get(slot, (1, 1)) for slot in slots_of(text)]
    return words + sum(low for low, _ in slots), words + sum(high for _, high in slots)


def _shared(found: Iterable[Wording]) -> Iterator[Fault]:
    """Lines of a file that share four words in a row: they would sound alike in one evening."""
    first: dict[tuple[str, ...], Wording] = {}
    for wording in found:
        own = {gram for text in expanded(wording.text) for gram in four_grams(own_words(text))}
        for gram in sorted(own):
            other = first.setdefault(gram, wording)
            if other is not wording:
                problem = f"shares {' '.join(gram)!r} with line {other.line}"
                yield Fault(wording.path, wording.line, problem, "say it otherwise")
                break


def own_words(text: str) -> list[str]:
    """The words of a text that are not filled in."""
    return words_in(re.sub(r"\{[^{}]*\}('s\b)?", " ", text))


# ------------------------------------------------------------- colours


def _of_colors(path: Path) -> Iterator[Fault]:
    """Every value in the sentence of its slot, said of a man and of a woman."""
    load_colors(path.parent)
    lines = read_source(path).content.decode().splitlines()
    for name in (row["name"] for row in document_of(read_source(path)).get("color", ())):
        color = load_colors(path.parent)[name]
        for value in color.values:
            line = next((n for n, each in enumerate(lines, 1) if f'"{value}"' in each), 1)
            for problem, cure in _of_value(color, value):
                yield Fault(str(path), line, f"{{{name}}} {value!r}: {problem}", cure)


def _of_value(color: Color, value: str) -> Iterator[tuple[str, str]]:
    for sex in ("male", "female"):
        text = color.frame.replace(f"{{{color.name}}}", fitted(value, sex))
        yield from letters(Wording("", "head", (), Condition(), text), text)
        if wrong := _ARTICLE.search(text):
            yield f"{wrong[0]!r}", "a before a consonant, an before a vowel"
    if SLOT.sub("", value) != value and color.name == "spot":
        yield "a place is nobody's", "leave the slot out"


_LETTERS = string.ascii_lowercase
_ARTICLE = re.compile(
    r"\ba (?:[aei]|o(?!ne)|u(?!n[aeiou]|s[aeiou]|til))\w*|\ban [bcdfgj-np-tv-z]\w*"
)

# ------------------------------------------------------------- an utterance


def lint_evening(
    evening: Evening,
    tales: Sequence[Tale],
    wordings: Wordings,
    colors: Colors,
    *,
    times: int = 3,
    most: int | None = None,
) -> Iterator[str]:
    """What is wrong with all that could be said on an evening, in whatever words.

    Parameters
    ----------
    evening : Evening
        Tonight.
    tales : sequence of Tale
        What could be told.
    wordings : Wordings
        In whose words.
    colors : Colors
        The details of the run.
    times : int, default 3
        So often each is said: alone, with something before it, with something after.
    most : int, optional
        Tales that each wording is tried with; left out: all that it fits.

    Yields
    ------
    str
        A line for each utterance with something wrong: the wording, what it is, the text.
    """
    for wording in (line for lines in wordings.says.values() for line in lines):
        for tale in _fitting(tales, wording)[:most]:
            for turn in range(times):
                head = beside(wordings.heads, tale, turn) if turn % 3 == 1 else None
                tail = beside(wordings.tails, tale, turn) if turn % 3 == 2 else None
                said = speak(tale, wording, evening, colors, turn, head=head, tail=tail)
                if said and (found := lint_rendered(said, tale, evening)):
                    yield f"{wording.path}:{wording.line}: {', '.join(found)}: {said.text}"


def _fitting(tales: Sequence[Tale], wording: Wording) -> list[Tale]:
    """Tales that a wording fits, in an order that follows from both."""

    def place(tale: Tale) -> int:
        return luck_of(wording.id, tale.teller, tale.rumor_id, tale.event_id)

    return sorted((tale for tale in tales if fits(tale, wording)), key=place)


def lint_rendered(utterance: Utterance, tale: Tale, evening: Evening) -> list[str]:
    """What is wrong with an utterance as players would hear it.

    Parameters
    ----------
    utterance : Utterance
        As `speaking.speak` gave it.
    tale : Tale
        Of which it was said.
    evening : Evening
        On which.
    """
    text = _unnamed(utterance, evening)
    found = [problem for problem, at in _OF_SPEECH if at.search(text)]
    if capitalised(text) != text:
        found.append("small letter at the start of a sentence")
    if text.count("“") != text.count("”"):
        found.append("quotes that do not match")
    if tale.claim.subject not in (*utterance.named, tale.teller):
        found.append("nobody could tell whom it is about")
    if tale.teller in utterance.named:
        found.append("the teller speaks of himself by name")
    if not (utterance.head or utterance.tail):
        n_words = len(words_in(text))
        if not FEWEST <= n_words <= MOST:
            found.append(f"{n_words} words")
    return found + _of_names(utterance, evening)


def _unnamed(utterance: Utterance, evening: Evening) -> str:
    """The text without what is odd in the names of people and houses: that is theirs."""
    names = [evening.people[one].name for one in sorted(utterance.named) if one in evening.people]
    words = (word for name in (*names, *evening.houses.values()) for word in name.split())
    text = utterance.text
    for place, word in enumerate(dict.fromkeys(word for word in words if not word.isalpha())):
        text = text.replace(word, f"X{_LETTERS[place % len(_LETTERS)]}")
    return text


def _of_names(utterance: Utterance, evening: Evening) -> list[str]:
    """Everybody who counts as named must stand in the words, or be described by kin."""
    words = {word.removesuffix("'s") for word in words_in(utterance.text)}
    found = []
    for one in sorted(utterance.named):
        person = evening.people[one]
        if not words & {*words_in(person.name), *words_in(person.what)}:
            kin = [each for each in evening.people if evening.are_kin(one, each)]
            if not any(words & {*words_in(evening.people[each].name)} for each in kin):
                found.append(f"{person.name} is nowhere in the words")
    return found


_OF_SPEECH = (
    ("a digit", re.compile(r"\d")),
    ("a slot that was not filled", re.compile(r"[{}\[\]|]")),
    ("two spaces, or one at an end", re.compile(r"\s\s|^\s|\s$")),
    ("a word twice", TWICE),
    ("a stop too many", re.compile(r"\s[,.;:!?]|[,;:][,.;:!?]|(?<!\.)\.\.(?!\.)")),
    ("at here", re.compile(r"\bat here\b", re.IGNORECASE)),
    ("two articles", re.compile(r"\b(?:the|an?) (?:the|an?)\b", re.IGNORECASE)),
    ("a straight quote", re.compile('"')),
)
