"""`tavern odds`: the odds of a game, exact wherever that can be."""

from __future__ import annotations

import json
from typing import Any

import click

from ..asking import Question, RefusedError, to_json
from ..games import load_game
from .games import HELP_NAMES, GamesGroup, asked_of, make_command, refuse, to_click


def make_odds(game: str) -> click.Command | None:
    """The command ``tavern odds GAME``: what the game's `ODDS` says it can be asked."""
    question: Question | None = getattr(load_game(game), "ODDS", None)
    return None if question is None else make_odds_of(game, question)


def make_odds_of(game: str, question: Question) -> click.Command:
    """The command of a question that a game called `game` can be asked."""

    def answer(as_json: bool, **values: Any) -> None:
        try:
            found = question.answer(asked_of(click.get_current_context(), values))
        except RefusedError as error:
            refuse(error)
        if as_json:
            document = {"game": game} | to_json(found.data)
            click.echo(json.dumps(document, indent=2, allow_nan=False))
            return
        for line in found.lines:
            click.echo(line)

    options = [to_click(option, "The question") for option in question.options]
    return make_command(game, answer, options, question.help)


odds = GamesGroup(
    "odds",
    make=make_odds,
    help="""Give the odds of a game.

    Exact wherever that can be: the rules are run over every possible throw, or a
    Markov chain is solved. Where that is out of reach, the answer says that it is
    simulated, and how sure it is.

    \b
      tavern odds rotting-toes --thievery 6
      tavern odds arm-wrestling --strength-a 2 --strength-b 0
      tavern odds GAME --help        what can be asked about a game
    """,
    context_settings=HELP_NAMES,
    options_metavar="",
    subcommand_metavar="GAME [OPTIONS]",
)
