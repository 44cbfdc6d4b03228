"""The command `tavern`.

Each command is a module that is imported only when it is called, so that help
and wrong usage answer at once: Mesa alone takes longer to import than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

import click

from .errors import exit_with


class Entry(NamedTuple):
    """A command: where it is, and the line of help that `tavern --help` shows."""

    place: str
    help: str


COMMANDS = {
    "run": Entry("run:run", "Play some nights of a scenario and keep the record."),
    "report": Entry("report:report", "Write the report page of a run again."),
    "story": Entry("story:story", "Tell one person's nights as a diary."),
    "rumors": Entry("rumors:rumors", "Give the rumours that are worth telling tonight."),
    "npcs": Entry("npcs:npcs", "Give the people of the evening on half-cards."),
    "hooks": Entry("hooks:hooks", "Give situations to walk into tonight."),
    "economy": Entry("economy:economy", "Show the money of a run's town on one page."),
    "export": Entry("export:export", "Turn a run into files for other programs."),
    "sweep": Entry("sweep:sweep", "Play an experiment: many runs of a design, kept in a store."),
    "merge": Entry("merge:merge", "Join the parts of a sweep, or its shards, into tables."),
    "summary": Entry("summary:summary", "Estimates with intervals from a sweep."),
    "compare": Entry("compare:compare", "Hold two runs against each other."),
    "whatif": Entry("whatif:whatif", "Change one thing, keep the luck, and see what it does."),
    "rerun": Entry("rerun:rerun", "Play a kept run again and hold its digest against the record."),
    "play": Entry("play:play", "Play one game at the table, every throw told."),
    "odds": Entry("odds:odds", "Give the exact odds of a game."),
    "validate": Entry("validate:validate", "Hold the model against what is known, in one table."),
    "new": Entry("new:new", "Write a commented scenario to start from."),
    "check": Entry("check:check", "Check a scenario file and say what is in it."),
    "scenarios": Entry("scenarios:scenarios", "List the built-in scenarios."),
    "schema": Entry("schema:schema", "Print the reference of scenario files."),
}
"""Every command by name, in the order of the help."""


class LazyGroup(click.Group):
    """A group that imports a command when it is called, and maps errors to exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the registry."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's module and take the command from it."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].place.partition(":")
        command: click.Command = getattr(import_module(f"{__name__}.{module}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by what the registry says, importing none."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is meant; suggest the nearest one if there is none."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            from difflib import get_close_matches

            close = get_close_matches(name, COMMANDS, n=1, cutoff=0.5)
            hint = f"did you mean '{close[0]}'?" if close else f"there are {', '.join(COMMANDS)}."
            raise click.UsageError(f"no such command '{name}'; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the program and exit; see `click.Command.main` for the arguments."""
        run = super().main

        def command() -> Any:
            return run(
                args=args,
                prog_name=prog_name,
                complete_var=complete_var,
                standalone_mode=False,
                windows_expand_args=windows_expand_args,
                **extra,
            )

        return exit_with(command) if standalone_mode else command()


def _print_version(ctx: click.Context, option: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("tavern-abm")
    except PackageNotFoundError:
        number = "(not installed)"
    click.echo(f"tavern {number}")
    ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def tavern() -> None:
    """Play evenings in a tavern: dice, cheats, suspicion and rough justice.

    \b
      tavern run                       thirty nights at the Rusty Flagon
      tavern play rotting-toes         one round, throw by throw
      tavern odds rotting-toes         its exact odds
      tavern new inn.toml              a scenario of your own
      tavern check inn.toml
      tavern run inn.toml --nights 60 --seed 7
      tavern rumors runs/inn-7 --die d20    what a game master needs: rumours to roll for

    Results go to stdout, all else to stderr. Exit codes: 0 done, 1 a run
    failed, 2 wrong usage, 3 invalid scenario or data, 130 interrupted.
    """  # noqa: D301


def main() -> NoReturn:
    """Run the command line; the console script `tavern`."""
    tavern.main(prog_name="tavern")
    raise AssertionError("the command line exits by itself")
