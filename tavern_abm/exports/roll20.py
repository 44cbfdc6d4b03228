"""Lines of text for Roll20: to paste into its chat or into a macro.

Roll20 takes in no files without a paid plan, so this is text. Two of the files hold only
what players may see, as what they print is printed for all; the notes are whispered to the
game master.
"""

from __future__ import annotations

import re

from ..pack.documents import Pack, PlayersPage, Rumor, players_page
from . import gm_words

TABLE = "Tavern-talk"
"""Name of the rollable table; a macro can call one only if there is no space in it."""
FOR_PLAYERS = frozenset({"talk.txt", "table.txt"})
"""Files that hold nothing but what players may see."""
_SIGNS = re.compile(r"[&<>{}\[\]|#=*`]")
_QUERY_SIGNS = re.compile(r"[&<>{}\[\]|#=*`,]")
_READ_ME = f"""\
For the game master: do not hand on this folder, notes.txt has the key.

talk.txt   The first line is a macro: roll the die it shows, choose the number. Each line after
           it says one rumour, in the order of the numbers: paste it into the chat.
notes.txt  The same numbers, whispered to you: who tells it, what is true of it.
table.txt  A rollable table '{TABLE}'. With the Mod script TableExport (a paid plan) paste all
           lines into the chat at once; otherwise make the table by hand from talk.txt. The
           last line is the macro that rolls on it.

Signs that Roll20 would take for its own are written as &#124; and the like, and come out as
themselves in the chat. Where you open a macro again to edit it, Roll20 may have put the signs
back in: paste the line anew.
"""


def files(pack: Pack, salt: str = "") -> dict[str, bytes]:
    """The files of the export by name: lines of text, UTF-8. No ids, so `salt` has no say."""
    page = players_page(pack)
    texts = {
        "READ-ME.txt": _READ_ME,
        "notes.txt": _joined([_note(rumor) for rumor in pack.rumors]),
        "table.txt": _joined(_table(page)),
        "talk.txt": _joined([_choice(page), *_lines(page)]),
    }
    return {name: text.encode() for name, text in texts.items()}


def escaped(words: str, *, in_query: bool = False) -> str:
    """Words in which Roll20 finds no command: signs as HTML entities, all on one line.

    Parameters
    ----------
    in_query : bool, default False
        Inside ``?{...}``, where a comma ends a label.

    Examples
    --------
    >>> escaped("[[1d6]] @{name} | 5")
    '&#91;&#91;1d6&#93;&#93; @&#123;name&#125; &#124; 5'
    >>> escaped("Two, he said", in_query=True)
    'Two&#44; he said'
    """
    signs = _QUERY_SIGNS if in_query else _SIGNS
    return signs.sub(lambda found: f"&#{ord(found[0])};", " ".join(words.split()))


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _box(title: str, *rows: tuple[str, str], whispered: bool = False) -> str:
    """A box of Roll20's plain template."""
    filled = "".join(f" {{{{{escaped(name)}={escaped(words)}}}}}" for name, words in rows if words)
    return f"{'/w gm ' * whispered}&{{template:default}} {{{{name={escaped(title)}}}}}{filled}"


def _lines(page: PlayersPage) -> list[str]:
    return [_box(rumor.heard_at, (rumor.speaker_as_seen, rumor.text)) for rumor in page.rumors]


def _choice(page: PlayersPage) -> str:
    """One macro for all: it throws the die and asks for the number."""
    options = "|".join(
        f"{at},{escaped(rumor.text, in_query=True)}" for at, rumor in enumerate(page.rumors, 1)
    )
    title = (
        f"{{{{name={escaped(page.title)}}}}} {{{{d{len(page.rumors)}=[[1d{len(page.rumors)}]]}}}}"
    )
    return f"&{{template:default}} {title} {{{{heard=?{{Number|{options}}} }}}}"


def _table(page: PlayersPage) -> list[str]:
    """Commands of TableExport, and the macro that rolls on the table."""
    return [
        f"!import-table --{TABLE} --hide",
        *(f"!import-table-item --{TABLE} --{_item(rumor.text)} --1 --" for rumor in page.rumors),
        f"&{{template:default}} {{{{name={escaped(page.title)}}}}} {{{{heard=[[1t[{TABLE}]]]}}}}",
    ]


def _item(words: str) -> str:
    """The words of an item: two dashes would end it, and are written as TableExport does."""
    return escaped(words).replace("--", "<%%-%%>")


def _note(rumor: Rumor) -> str:
    return _box(
        f"{rumor.number}: {rumor.truth}",
        ("The words", rumor.text),
        *gm_words.key_lines(rumor),
        ("DC to hear it", str(rumor.dc)),
        whispered=True,
    )
