"""The pack as two Markdown files: one for the game master, one for the players."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..pack.documents import Card, Pack, PlayerRumor, PlayersPage, Rumor, SessionHook, players_page
from ..rumor_words import in_passing
from . import gm_words
from .gm_words import Line

GAME_MASTER = "game-master.md"
PLAYERS = "for-players.md"
_SPECIAL = re.compile(
    r"[\\`*\[\]<#|~$^]"  # wherever they stand
    r"|(?<!\w)_|_(?!\w)"  # not inside a word
    r"|=(?==)|(?<==)=|%(?=%)|(?<=%)%"  # two of them mark a text, or hide it, in Obsidian
    r"|&(?=#?\w+;)"
)
_AT_THE_START = re.compile(r"^(\d*)([.)>+-])")


def files(pack: Pack) -> dict[str, bytes]:
    """Both files by name."""
    return {
        GAME_MASTER: game_master(pack).encode(),
        **player_files(players_page(pack)),
    }


def player_files(page: PlayersPage) -> dict[str, bytes]:
    """What the players may have."""
    return {PLAYERS: players(page).encode()}


def escaped(text: str) -> str:
    r"""Text as it is, whatever signs of Markdown are in it; line breaks become spaces.

    Examples
    --------
    >>> print(escaped("[[Tam]] owes *you* | me & us"))
    \[\[Tam\]\] owes \*you\* \| me & us
    >>> print(escaped("3. A tavern_abm"))
    3\. A tavern_abm
    """
    plain = " ".join(text.split())
    return _AT_THE_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\g<0>", plain))


def game_master(pack: Pack) -> str:
    """The table, the key, the people and the situations."""
    blocks = [f"# {escaped(pack.title)}", *_roll_table(pack), *map(escaped, pack.notes)]
    blocks.append("## The key, for you alone")
    blocks += [block for rumor in pack.rumors for block in _key(rumor)]
    if pack.cards:
        blocks.append("## People")
        blocks += [block for card in pack.cards for block in _card(card)]
    if pack.hooks:
        blocks.append("## Situations")
        blocks += [block for hook in pack.hooks for block in _hook(hook)]
    blocks.append(f"Made of: {escaped(gm_words.made_of(pack))}.")
    return "\n\n".join(blocks) + "\n"


def players(page: PlayersPage) -> str:
    """The words, where they were heard and who was seen to speak."""
    blocks = [f"# {escaped(page.title)}"]
    blocks += [_heard(number, each) for number, each in enumerate(page.rumors, start=1)]
    return "\n\n".join(blocks) + "\n"


def bullets(lines: Iterable[Line]) -> str:
    """A list of lines, each with its label in bold."""
    return "\n".join(f"- **{line.label}**: {escaped(line.text)}" for line in lines)


def _roll_table(pack: Pack) -> list[str]:
    rows = [f"| {gm_words.die(pack)} | Rumour | Who is seen to say it |", "|---:|---|---|"]
    rows += [
        f"| {each.number} | {escaped(each.text)} | {escaped(gm_words.spoken_by(each))} |"
        for each in pack.rumors
    ]
    return ["\n".join(rows)]


def _key(rumor: Rumor) -> list[str]:
    return [
        f"### {rumor.number}. {rumor.truth.upper()} (DC {rumor.dc})",
        f"> {escaped(rumor.text)}",
        bullets(gm_words.key_lines(rumor)),
    ]


def _card(card: Card) -> list[str]:
    lines = [*gm_words.card_lines(card), *gm_words.number_lines(card)]
    lines += [Line("in", text) for text in [gm_words.rumors_of(card)] if text]
    return [f"### {escaped(card.name)}, {escaped(card.what)}", bullets(lines)]


def _hook(hook: SessionHook) -> list[str]:
    return [
        f"### {escaped(hook.title)} ({escaped(in_passing(hook.tavern))})",
        bullets(gm_words.hook_lines(hook)),
    ]


def _heard(number: int, rumor: PlayerRumor) -> str:
    who = escaped(gm_words.spoken_by(rumor))
    return f"{number}. {escaped(rumor.text)}\n\n{' ' * len(f'{number}. ')}*{who}*"
