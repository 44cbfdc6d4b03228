"""The pack on paper: one page for the game master, another file for the players.

Both fit on A4 and on Letter. The game master's has the table to roll on, the key on a
sheet of its own, people on cards to cut out and situations; the players' has slips to cut
out and nothing else, so that whatever is printed on a back is theirs as well.
"""

from __future__ import annotations

from .. import html_pages
from ..pack.documents import Pack, PlayersPage, players_page
from ..rumor_words import in_passing
from . import gm_words

GAME_MASTER = "game-master.html"
PLAYERS = "for-players.html"


def files(pack: Pack) -> dict[str, bytes]:
    """Both pages by name."""
    return {
        GAME_MASTER: game_master(pack).encode(),
        **player_files(players_page(pack)),
    }


def player_files(page: PlayersPage) -> dict[str, bytes]:
    """What the players may have."""
    return {PLAYERS: players(page).encode()}


def game_master(pack: Pack) -> str:
    """Make the game master's page; the same pack gives the same bytes."""
    template = html_pages.environment().get_template("pack/game_master.html.j2")
    return template.render(
        pack=pack,
        words=gm_words,
        in_passing=in_passing,
        has_houses=len({rumor.tavern for rumor in pack.rumors}) > 1,
        style=html_pages.part("pack/page.css", "pack/game_master.css"),
    )


def players(page: PlayersPage) -> str:
    """Make the players' page, of nothing but what is theirs."""
    template = html_pages.environment().get_template("pack/players.html.j2")
    return template.render(
        page=page,
        spoken_by=gm_words.spoken_by,
        style=html_pages.part("pack/page.css", "pack/players.css"),
    )
