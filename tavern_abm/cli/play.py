"""`tavern play`: a game at the table, every throw told."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from ..checks import HARD_DC
from .parameters import DC, GAME, MODIFIER, SUM, Kind, WholeNumber

if TYPE_CHECKING:
    from ..tables.rotting_toes_records import Told

MIN_PLAYERS, MAX_PLAYERS = 2, 12
MAX_NAME = 40
_BETS = ("rot", "not", "out")


class Players(Kind):
    """Names, parted by commas."""

    name = "names"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Read the names; each seat needs one of its own."""
        if isinstance(value, tuple):
            return value
        names = tuple(name.strip() for name in str(value).split(","))
        if not MIN_PLAYERS <= len(names) <= MAX_PLAYERS:
            allowed = f"{MIN_PLAYERS} to {MAX_PLAYERS} names, parted by commas"
            self.fail(f"give {allowed} (got {len(names)})", param, ctx)
        for name in names:
            if not (name and name.isprintable() and len(name) <= MAX_NAME):
                allowed = f"1 to {MAX_NAME} printable characters"
                self.fail(f"a name has {allowed} (got {name!r})", param, ctx)
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            self.fail(f"two seats are called '{twice[0]}'", param, ctx)
        return names


class Bets(Kind):
    """Bets by name: ``East=rot,South=not``."""

    name = "name=bet"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, str]:
        """Read the bets; whether the names are at the table is seen later."""
        if isinstance(value, dict):
            return value
        bets: dict[str, str] = {}
        for each in str(value).split(","):
            name, _, bet = (part.strip() for part in each.partition("="))
            if bet.lower() not in _BETS:
                self.fail(f"'{each.strip()}' is no bet; write NAME=rot, =not or =out", param, ctx)
            if name in bets:
                self.fail(f"'{name}' bets twice", param, ctx)
            bets[name] = bet.lower()
        return bets


@click.command()
@click.argument("game", type=GAME)
@click.option(
    "--players",
    type=Players(),
    default="North,East,South,West",
    show_default=True,
    help="2 to 12 names clockwise; the first is the Hand in round 1.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Another one, other dice.")
@click.option(
    "--rounds",
    type=WholeNumber(1, 1000),
    default=1,
    show_default=True,
    help="How many to play.",
)
@click.option(
    "--stake", type=SUM, default="1 gp", show_default=True, help="Of the Hand and of each bet."
)
@click.option("--bets", type=Bets(), default={}, help="Fixed bets: 'East=rot,South=not'.")
@click.option("--cheat", metavar="NAME", help="Tries a trick at each throw without doubles.")
@click.option("--weighted", metavar="NAME", help="Has dice that show a 6 with chance 1/3.")
@click.option("--thievery", type=MODIFIER, help="Of --cheat or --weighted, -5 to 30.  [default: 6]")
@click.option("--dc", type=DC, default=HARD_DC, show_default=True, help="Of a trick, 5 to 40.")
@click.option(
    "--custom",
    type=click.Choice(["tavern", "orc"]),
    default="tavern",
    show_default=True,
    help="A caught Hand is thrown out, or killed.",
)
@click.option(
    "--lucky", is_flag=True, help="Beat whoever wins 4 times in a row as the Hand; orcs always do."
)
@click.option("--quick", is_flag=True, help="Pay winners 2d4 gp for each gp of bet.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def play(game: str, as_json: bool, **given: Any) -> None:
    """Play a round of GAME, or several, and tell every throw.

    Made to be read aloud at the table. Bets that are not given are drawn: people
    know the odds and like a bet. The same seed gives the same game.

    \b
      tavern play rotting-toes
      tavern play rotting-toes --players "Ann,Bo,Cy" --rounds 3 --stake "5 sp"
      tavern play rotting-toes --bets "East=rot,South=not" --seed 3
      tavern play rotting-toes --cheat East --thievery 6 --rounds 4 --custom orc
      tavern play rotting-toes --quick
    """  # noqa: D301
    _verify(given)
    from ..tables import rotting_toes_told as told

    rules = told.Game(
        **given
        | {
            "thievery": told.Game.thievery if given["thievery"] is None else given["thievery"],
            "lucky": given["lucky"] or given["custom"] == "orc",
        }
    )
    telling = told.tell(rules)
    if as_json:
        click.echo(json.dumps(_document(game, given, telling), indent=2, ensure_ascii=False))
        return
    for line in told.lines(telling):
        click.echo(line)


def _verify(given: dict[str, Any]) -> None:
    """Check what one option says against another, and rename the stake."""
    players = given["players"]
    named = [("--cheat", given["cheat"]), ("--weighted", given["weighted"])]
    for option, name in [*named, *(("--bets", name) for name in given["bets"])]:
        if name is not None and name not in players:
            raise click.BadParameter(
                f"nobody here is called '{name}'; there are {', '.join(players)}",
                param_hint=f"'{option}'",
            )
    if given["thievery"] is not None and not any(name for _, name in named):
        raise click.UsageError("--thievery says nothing without --cheat or --weighted")
    if given["weighted"] and given["custom"] == "orc":
        raise click.UsageError("--weighted: orcs let nobody throw dice of his own")
    given["stake_cp"] = given.pop("stake")


def _document(game: str, given: dict[str, Any], telling: Iterable[Told]) -> dict[str, Any]:
    rounds: list[dict[str, Any]] = []
    net_cp = dict.fromkeys(given["players"], 0)
    for each in (told.to_dict() for told in telling):
        if each["kind"] == "opening":
            rounds.append({"round": each["round"], "hand": each["hand"], "records": []})
        if each["kind"] == "result":
            rounds[-1] |= {"ended": each["ended"], "net_cp": {}}
        if each["kind"] in ("payout", "quick_payout"):
            rounds[-1]["net_cp"] = each["net_cp"]
            for name, net in each["net_cp"].items():
                net_cp[name] += net
        if each["kind"] != "closing":
            rounds[-1]["records"].append(each)
    asked = ("seed", "players", "stake_cp", "custom", "quick")
    return (
        {"game": game} | {key: given[key] for key in asked} | {"rounds": rounds, "net_cp": net_cp}
    )
