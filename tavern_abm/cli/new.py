"""`tavern new`: a commented scenario or design to start from."""

from pathlib import Path

import click

from ..folders import put_file

SCENARIO = """\
#:schema ./scenario.schema.json
# A scenario: a town, its people and its taverns. Every line may go: what is left
# out has a default. A line that starts with one # and a key may be taken in.
#   tavern check FILE    says what is in it, or what is wrong with it and where
#   tavern run FILE      plays it
#   tavern schema > scenario.schema.json    lets an editor complete the keys

description = "An inn of my own."  # the first line stands in lists
patrons = 120  # places in the town, each filled at the start
rounds_per_night = 24  # of ten minutes each
#extends = "orc-gate"  # start from another scenario (see: tavern scenarios)

[population]
share_of_cheats = 0.10  # of the cheating kind; they try now and then, nobody else does
leave_prob = 0.005  # chance to leave for good, a night
#trades = { guard = 3, sailor = 1 }  # three guards for each sailor, and nobody else

[minds]
tau = 0.25  # chance that a cheat tries at a throw where there is something to gain
#tau_moves = false  # whatever the stake, the drink and the custom of the house

[suspicion]
false_alarm = 0.01  # chance that an honest throw looks odd
sore_loser = 0.5  # how much losers overrate what speaks against the winner

[justice]
accuse_prob = 0.3  # chance that one who is sure enough speaks up

[[taverns]]  # one such block for each house
name = "The Eel Pot"
district = "harbour"
custom = "dockside"  # lax, decent, guild, dockside or orc: how it deals with cheats
thievery_dc = 19  # what a cheat has to reach with d20 + Thievery
seat_fee_cp = 2  # at the door, each night; money may be written "3 gp 5 sp" as well
mug_cp = 4
#rake_bp = 500  # 5 % of the coins that change hands go to the house
#capacity = 60  # left out: room for everybody

[[taverns.tables]]
game = "rotting-toes"
seats = 6
stake = "auto"  # or a sum; auto goes by the purses of those who sit there
#count = 4  # left out: as many tables as tonight's guests fill

#[[taverns.tables]]  # another game; people choose by taste, talent, purse and stake
#game = "magic-wand"  # or arm-wrestling, heads-or-tails: tavern play --help lists them
#count = 1
#options = { limit = "pot", referee = false }  # the game's own: see its page in docs/games

#[[taverns.yard]]  # a throw or a race, with bets by those who look on
#game = "race"  # or long-throw
#rounds = [7]  # each the first of a sitting
#stake = "1 sp"
#options = { course = "harbour-swim" }

[[people]]  # somebody pinned by name; what is left out is drawn as for anybody
name = "Wymar Irons"
sex = "male"
trade = "smith"
honesty = -1.5  # honesty-humility, 0 is the average and 1 a standard deviation
thievery = 6
cheat = true
gold = "12 gp"
#home = "The Eel Pot"

#[[people]]
#name = "Lettice Vye"
#player = true  # a player's character: sits at no table by herself
"""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--town", "inhabitants", type=int, metavar="N", help="A town of N inhabitants.")
@click.option(
    "--water",
    type=click.Choice(["none", "river", "sea"]),
    help="What it lies by; by default a river.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**62),
    metavar="S",
    help="Another one, another town; by default 1.",
)
@click.option(
    "--from",
    "mine",
    metavar="SCENARIO",
    help="Keep what this scenario says: its people, its houses, all else; with --sweep play it.",
)
@click.option("--sweep", "is_sweep", is_flag=True, help="A design of an experiment instead.")
@click.option(
    "--azgaar",
    "world",
    type=click.Path(path_type=Path),
    metavar="MAP.json",
    help="Towns of a map of Azgaar's Fantasy Map Generator, each a file in the folder FILE.",
)
@click.option("--burg", metavar="NAME", help="Of that map this one alone, by name or number.")
@click.option("--all", "all_houses", is_flag=True, help="Write out more than 60 houses as well.")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
def new(
    file: Path,
    inhabitants: int | None,
    water: str | None,
    seed: int | None,
    mine: str | None,
    is_sweep: bool,
    world: Path | None,
    burg: str | None,
    all_houses: bool,
    force: bool,
) -> None:
    """Write a commented scenario to FILE, to start your own from.

    It is a small inn with every common parameter explained; with --town a
    whole town, founded from its population, with its districts and houses
    written out; with --sweep the design of an experiment. The name gets the
    ending .toml if it has none.

    \b
      tavern new inn.toml
      tavern new river.toml --town 5000
      tavern new river.toml --town 5000 --from inn.toml
      tavern new towns --azgaar MyWorld.json
      tavern new inn.toml --force && tavern check inn.toml && tavern run inn.toml
      tavern new study.toml --sweep && tavern sweep study.toml --dry-run
    """  # noqa: D301
    if file.name in ("", ".."):
        raise click.BadParameter(f"give the name of a file (got '{file}')", param_hint="FILE")
    if is_sweep:
        _refuse_of_towns(world, burg, inhabitants, water, seed, all_houses)
        _write_design(file, mine, force)
        return
    _refuse_alone(world, burg, inhabitants, water, seed, mine, all_houses)
    if world is not None:
        from .new_towns import write_burgs

        write_burgs(file, world, burg, mine, all_houses=all_houses, force=force)
        return
    path = file if file.suffix else file.with_suffix(".toml")
    refuse(path, force)
    if inhabitants is None and mine is None:
        text = SCENARIO
    else:
        from .new_towns import town_text_for

        given = {"population": inhabitants, "water": water, "seed": seed}
        text = town_text_for(path, given, mine, all_houses=all_houses)
    put_file(path, text.encode())
    click.echo(f"wrote {path}; next: tavern check {path}")


def _write_design(file: Path, scenario: str | None, force: bool) -> None:
    from .new_sweeps import design_text

    path = file if file.suffix else file.with_suffix(".toml")
    refuse(path, force, "a design")
    put_file(path, design_text(path, scenario).encode())
    click.echo(f"wrote {path}; next: tavern sweep {path} --dry-run")


def _refuse_of_towns(
    world: Path | None,
    burg: str | None,
    inhabitants: int | None,
    water: str | None,
    seed: int | None,
    all_houses: bool,
) -> None:
    """Stop where something is said of a town to be founded, and a design is wanted."""
    of_towns = {
        "--azgaar": world,
        "--burg": burg,
        "--town": inhabitants,
        "--water": water,
        "--seed": seed,
        "--all": all_houses or None,
    }
    for name, value in of_towns.items():
        if value is not None:
            text = f"{name} is said of a town, and --sweep writes a design; give --from SCENARIO"
            raise click.UsageError(text)


def _refuse_alone(
    world: Path | None,
    burg: str | None,
    inhabitants: int | None,
    water: str | None,
    seed: int | None,
    mine: str | None,
    all_houses: bool,
) -> None:
    """Stop where options were given that mean nothing without others, or beside them."""
    if burg is not None and world is None:
        raise click.UsageError("--burg names a town of a map: give --azgaar MAP.json as well")
    of_towns = {"--town": inhabitants, "--water": water, "--seed": seed}
    given = [name for name, value in of_towns.items() if value is not None]
    if world is not None and given:
        raise click.UsageError(f"{given[0]} cannot be said of the towns of a map (--azgaar)")
    if world is None and inhabitants is None and mine is None and (given or all_houses):
        name = given[0] if given else "--all"
        raise click.UsageError(f"{name} is said of a town: give --town N as well")


def refuse(path: Path, force: bool, what: str = "a scenario") -> None:
    """Stop before anything is lost, or where nothing can be written.

    Raises
    ------
    click.BadParameter
        If nothing can be written to that path, or something stands there already
        and `force` is not set.
    """
    if path.suffix != ".toml":
        raise click.BadParameter(f"{what}'s name ends in .toml (got '{path}')", param_hint="FILE")
    if path.is_dir():
        raise click.BadParameter(f"'{path}' is a folder", param_hint="FILE")
    if not path.parent.is_dir():
        raise click.BadParameter(f"there is no folder '{path.parent}'", param_hint="FILE")
    if path.exists() and not force:
        text = f"'{path}' exists already; --force replaces it"
        raise click.BadParameter(text, param_hint="FILE")
