"""`tavern play`: a game at the table, every throw told."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from ..asking import ByName, Faces, Names, Option, RefusedError, Sum, Text, Whole
from ..games import load_game
from .errors import WRONG_USAGE, FailedError
from .games import HELP_NAMES, GamesGroup, asked_of, make_command, refuse, to_click
from .parameters import MAX_SEED

if TYPE_CHECKING:  # the dice bring NumPy along, which a help text can do without
    from ..tables.telling import AtTable, Play, Told

MAX_ROUNDS = 1000
AT_THE_TABLE, STAKES, REAL_PEOPLE = "At the table", "Stakes", "Real people at a real table"
OWN = "This game"


class SilenceError(RefusedError):
    """Somebody was asked, and nobody answers any more."""


class UnansweredError(FailedError):
    """The same as the command line says it: a game that was begun and cannot go on."""

    exit_code = WRONG_USAGE


class Voice:
    """Says a game's sentences in lines, and asks what the people at the table are asked.

    Parameters
    ----------
    is_aside : bool, default False
        Tell it on stderr, beside a document that goes to stdout.
    """

    def __init__(self, is_aside: bool = False) -> None:
        self.is_aside = is_aside
        self._line = ""

    def say(self, told: Told) -> None:
        """Put a sentence into the line it joins, or say that line and begin the next."""
        if told.text and not told.joins:
            self.pause()
        self._line = f"{self._line} {told.text}".strip()

    def pause(self) -> None:
        """Say what has not been said yet."""
        if self._line:
            click.echo(self._line, err=self.is_aside)
        self._line = ""

    def ask(self, question: str) -> str:
        """Ask for a line at the keyboard, or of whatever stands in its place.

        Raises
        ------
        SilenceError
            If there is none left.
        """
        self.pause()
        click.echo(f"{question}: ", nl=False, err=True)
        line = sys.stdin.readline() if sys.stdin else ""  # None where it was closed before us
        if not line:
            click.echo(err=True)
            raise SilenceError(f"nobody answered: {question}")
        if not sys.stdin.isatty():
            click.echo(line.rstrip("\n"), err=True)
        return line.strip()


def make_play(game: str) -> click.Command | None:
    """The command ``tavern play GAME``: what the game's `PLAY` says."""
    play: Play | None = getattr(load_game(game, "tables"), "PLAY", None)
    return None if play is None else make_play_of(game, play)


def make_play_of(game: str, play: Play) -> click.Command:
    """The command of a game called `game` that is played so."""

    def tell(as_json: bool, **values: Any) -> None:
        asked = asked_of(click.get_current_context(), values)
        voice = Voice(is_aside=as_json)
        try:
            table = _sit_down(game, play, asked, voice)
            told = _tell(play, table, voice, is_silent=as_json and not _asks(asked))
            if as_json:
                document = to_document(game, table, told)
                click.echo(json.dumps(document, indent=2, ensure_ascii=False))
            else:
                for _ in told:
                    pass
        except SilenceError as error:
            voice.pause()
            raise UnansweredError(str(error)) from None
        except RefusedError as error:
            voice.pause()
            refuse(error)
        _name_unused(table)

    options = [
        *(to_click(option, AT_THE_TABLE) for option in common_options(game, play)),
        *(to_click(option, OWN) for option in play.options),
    ]
    return make_command(game, tell, options, play.help)


def common_options(game: str, play: Play) -> Iterator[Option]:
    """What every game can be told."""
    low, high = play.seats
    seats = Names(low, high, game=game)
    yield Option("players", seats, play.players, f"{low} to {high} names, clockwise.")
    yield Option("seed", Whole(0, MAX_SEED), 1, "Another one, other dice.")
    yield Option("rounds", Whole(1, MAX_ROUNDS), 1, "How many to play.")
    if play.has_sheets:
        yield Option(
            "roster",
            Text("file"),
            None,
            "TOML file of what people can do (docs/how-to/own-people.md); the others are drawn.",
        )
    if play.has_stakes:
        yield Option("stake", Sum(), play.stake_cp, "What each stakes, such as '5 sp'.", STAKES)
        yield Option(
            "purses", ByName(Sum(0)), {}, "'Ann=3 gp,Bo=50'; the others have plenty.", STAKES
        )
        yield Option(
            "rake_bp",
            Whole(0, 10_000),
            0,
            "The house's share of the coins that change hands; 100 is 1 %.",
            STAKES,
        )
    yield Option(
        "ask",
        Names(1, high),
        None,
        "Ask these for every bet, call and choice of theirs: 'Ann,Bo'.",
        REAL_PEOPLE,
    )
    yield Option(
        "dice",
        ByName(Faces(), ()),
        {},
        "Dice they throw by hand: 'Ann' is asked at every throw; 'Bo=4 6 3' gives the"
        " faces in order, and then the program throws.",
        REAL_PEOPLE,
    )


def _sit_down(game: str, play: Play, asked: Mapping[str, Any], voice: Voice) -> AtTable:
    from ..patrons.competitor import gather_sheets, load_roster
    from ..tables.telling import HOUSE, AtTable, Deciders, Dice

    players, seed = asked["players"], asked["seed"]
    for option in ("purses", "ask", "dice"):
        for name in asked.get(option) or ():
            verify_name(name, players, option, (HOUSE,) if option == "dice" else ())
    roster = load_roster(asked["roster"]) if asked.get("roster") else {}
    dice = {name: faces or None for name, faces in asked["dice"].items()}
    return AtTable(
        players=players,
        seed=seed,
        rounds=asked["rounds"],
        stake_cp=asked.get("stake") or 0,
        purses=asked.get("purses") or {},
        rake_bp=asked.get("rake_bp") or 0,
        dice=Dice(seed, players, dice, voice.ask, game),
        deciders=Deciders(seed, players, asked["ask"] or (), voice.ask),
        options={option.name: asked[option.name] for option in play.options},
        sheets=gather_sheets(players, seed, roster) if play.has_sheets else {},
    )


def verify_name(name: str, players: Iterable[str], option: str, others: Iterable[str] = ()) -> None:
    """Say so if nobody at the table is called this, and is none of the `others` either."""
    if name not in players and name not in others:
        raise RefusedError(
            f"nobody here is called '{name}'; there are {', '.join(players)}", option
        )


def _tell(play: Play, table: AtTable, voice: Voice, is_silent: bool) -> Iterator[Told]:
    """What happens, said as it happens."""
    for told in play.tell(table):
        if not is_silent:
            voice.say(told)
        yield told
    voice.pause()


def _asks(asked: Mapping[str, Any]) -> bool:
    """Say whether anybody is going to be asked anything."""
    return bool(asked["ask"]) or any(not faces for faces in asked["dice"].values())


def _name_unused(table: AtTable) -> None:
    for name, number in table.dice.unused().items():
        faces = "1 face" if number == 1 else f"{number} faces"
        click.echo(f"not needed: {faces} of {name}'s dice", err=True)


def to_document(game: str, table: AtTable, telling: Iterable[Told]) -> dict[str, Any]:
    """A game as one document: what was asked, then round by round what happened."""
    opening: list[dict[str, Any]] = []
    rounds: dict[int, dict[str, Any]] = {}
    last: Mapping[str, Any] = {}
    for told in telling:
        if told.kind == "closing":
            last = told.facts
        elif told.round:
            part = rounds.setdefault(told.round, {"round": told.round, "records": []})
            part |= told.lifts
            part["records"].append(told.to_dict())
        else:
            opening.append(told.to_dict())
    document = {
        "game": game,
        "seed": table.seed,
        "players": list(table.players),
        "stake_cp": table.stake_cp,
        "options": {name: _plain(value) for name, value in table.options.items()},
        "opening": opening,
        "rounds": [_records_last(part) for part in rounds.values()],
    }
    return document | {key: fact for key, fact in last.items() if key not in document}


def _records_last(part: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in part.items() if key != "records"} | {
        "records": part["records"]
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | int | bool | float | None) else str(value)


play = GamesGroup(
    "play",
    make=make_play,
    help="""Play a game at the table and tell every throw, to be read aloud.

    The same seed gives the same game. Real people may throw real dice (--dice) and
    decide for themselves (--ask) while the program keeps the rules and the pots.

    \b
      tavern play rotting-toes
      tavern play magic-wand --players "Ann,Bo,Cy,Di" --ask Ann --dice Ann
      tavern play race --course dak-rothian-marathon
      tavern play GAME --help        what a game can be told
    """,
    context_settings=HELP_NAMES,
    options_metavar="",
    subcommand_metavar="GAME [OPTIONS]",
)
