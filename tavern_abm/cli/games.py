"""Commands with a subcommand for every game, made of what the game says it can be asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

import click

from .. import games
from ..asking import ByName, Flag, OneOf, Option, RefusedError, Sum, Whole
from ..asking import Kind as GameKind
from ..coins import show
from ..games import GAMES, about
from .parameters import Kind, WholeNumber

HELP_NAMES = {"help_option_names": ["-h", "--help"]}
OUTPUT = "Output"
LONGEST_WORDS = 24
_ABOUT = re.compile(r'^ABOUT(?:: str)? = "([^"\\]+)"$', re.MULTILINE)


class Asked(Kind):
    """A value of a kind that a game asks for."""

    def __init__(self, kind: GameKind) -> None:
        self.kind, self.name = kind, kind.word or "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it as the game does; a default that is no text is a value already."""
        if not isinstance(value, str):
            return value
        try:
            return self.kind.read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class GroupedOption(click.Option):
    """An option that stands under a heading of its own in the help text."""

    def __init__(self, *args: Any, group: str, **kw: Any) -> None:
        super().__init__(*args, **kw)
        self.group = group

    def get_help_extra(self, ctx: click.Context) -> Any:
        """What stands in brackets: the default as one would type it, and the range if short."""
        extra = super().get_help_extra(ctx)
        if "default" in extra:
            extra["default"] = extra["default"].removeprefix("(").removesuffix(")")
        if len(extra.get("range", "")) > LONGEST_WORDS:
            extra.pop("range")
        return extra


class GameCommand(click.Command):
    """A command of a game; its help lists the options under their headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A section for each heading, in the order of the options."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                sections.setdefault(getattr(param, "group", OUTPUT), []).append(record)
        sections[OUTPUT] = sections.pop(OUTPUT)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)


class GamesGroup(click.Group):
    """A command with a subcommand a game; a game's module is imported when it is asked for.

    Parameters
    ----------
    make : callable
        From a game's name to its click command, or None if the game has none.
    """

    def __init__(self, *args: Any, make: Callable[[str], click.Command | None], **kw: Any) -> None:
        super().__init__(*args, **kw)
        self.make = make

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every game."""
        return list(GAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A game's command."""
        return self.make(cmd_name) if cmd_name in GAMES else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Let the options of a game stand before its name as well as after it."""
        at = next((i for i, word in enumerate(args) if word in GAMES), 0)
        own = ctx.help_option_names
        if at and not any(word in own for word in args[:at]) and args[0].startswith("-"):
            args = [args[at], *args[:at], *args[at + 1 :]]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the games by what they say of themselves, a line each."""
        wide = max(map(len, GAMES))
        with formatter.section("Games"):
            for name in GAMES:
                formatter.write(f"{'':{formatter.current_indent}}{name:<{wide}}  {_about(name)}\n")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the game that is meant; suggest the nearest one if there is none."""
        name = args[0]
        if name in GAMES or ctx.resilient_parsing:
            command = self.get_command(ctx, name)
            if command is None and not ctx.resilient_parsing:
                raise click.UsageError(f"tavern {ctx.info_name} has nothing for {name}", ctx)
            return name, command, args[1:]
        if name.startswith("-"):
            return super().resolve_command(ctx, args)
        close = get_close_matches(name.lower(), GAMES, n=1, cutoff=0.5)
        hint = f"did you mean '{close[0]}'?" if close else f"games: {', '.join(GAMES)}"
        raise click.UsageError(f"no such game: '{name}'; {hint}", ctx)


def make_command(
    name: str, call: Callable[..., Any], options: Iterable[click.Parameter], help_: str
) -> click.Command:
    """A command of a game, with ``--json`` beside its options."""
    return GameCommand(
        name,
        callback=call,
        params=[*options, as_json()],
        help=help_,
        context_settings=HELP_NAMES,
    )


def to_click(option: Option, group: str) -> click.Option:
    """A game's option as click has it, under the heading `group` if it names none itself."""
    return GroupedOption(
        _flags(option), group=option.group or group, help=_help(option), **_settings(option)
    )


def as_json() -> click.Option:
    """The option ``--json``."""
    return click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON document.")


def asked_of(ctx: click.Context, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with the names of those that were said, as a game's question has them."""
    default = click.core.ParameterSource.DEFAULT
    said = {name for name in values if ctx.get_parameter_source(name) is not default}
    return dict(values) | {"given": said}


def refuse(error: RefusedError) -> NoReturn:
    """Turn what a game refuses into wrong usage."""
    if error.option is None:
        raise click.UsageError(str(error)) from None
    flag = Option(error.option, Flag()).flag
    raise click.BadParameter(str(error), param_hint=f"'{flag}'") from None


def _flags(option: Option) -> Sequence[str]:
    if isinstance(option.kind, Flag) and option.default:
        return [f"{option.flag}/--no-{option.flag.removeprefix('--')}"]
    return [option.flag]


def _settings(option: Option) -> dict[str, Any]:
    kind, default = option.kind, option.default
    if isinstance(kind, Flag):
        return {"is_flag": True, "default": bool(default), "show_default": bool(default)}
    return {
        "type": WholeNumber(kind.low, kind.high) if isinstance(kind, Whole) else Asked(kind),
        "default": default,
        "show_default": _shown(option) or False,
        "metavar": _metavar(kind),
    }


def _shown(option: Option) -> str:
    """The default as somebody would type it."""
    default = option.default
    if isinstance(option.kind, Sum) and isinstance(default, int):
        return show(default)
    if isinstance(default, tuple):
        return ",".join(map(str, default))
    return str(default) if isinstance(default, str | int | float | Fraction) else ""


def _help(option: Option) -> str:
    words = _words(option.kind)
    is_long = len("|".join(words)) > LONGEST_WORDS
    return f"{option.help}  [{', '.join(words)}]" if is_long else option.help


def _words(kind: GameKind) -> tuple[str, ...]:
    inner = kind.kind if isinstance(kind, ByName) else kind
    return inner.words if isinstance(inner, OneOf) else ()


def _metavar(kind: GameKind) -> str:
    if isinstance(kind, ByName):
        return f"NAME={_metavar(kind.kind)},..."
    words = "|".join(_words(kind))
    if words:
        return f"[{words}]" if len(words) <= LONGEST_WORDS else "WORD"
    return kind.word.upper()


def _about(name: str) -> str:
    """A game's line, read off its source: to import every game takes too long for a help text."""
    source = Path(games.__file__).with_name(f"{GAMES[name]}.py")
    found = _ABOUT.search(source.read_text("utf-8")) if source.is_file() else None
    return found[1] if found else about(name)
