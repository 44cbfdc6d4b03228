"""`tavern rumors`: what people say tonight, for a game master to read aloud."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .packs import told_plainly
from .parameters import Kind, WholeNumber

if TYPE_CHECKING:
    from ..pack.memory import Memory
    from ..pack.rumors import Made
    from ..run_folder import RunFolder

MAX_ID = 2**31 - 1
DICE = ("d6", "d8", "d12", "d20", "d100")


class Mix(Kind):
    """Three weights, as in ``60,25,15``."""

    name = "mix"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Read the weights of true, partly true and false."""
        if isinstance(value, tuple):
            return value
        parts = [part.strip() for part in str(value).split(",")]
        if len(parts) != 3 or not all(part.isdecimal() and len(part) <= 6 for part in parts):
            self.fail(
                f"'{value}' is no mix; write true, partly true, false as 60,25,15", param, ctx
            )
        if not any(map(int, parts)):
            self.fail(f"'{value}' leaves nothing; at least one must be above 0", param, ctx)
        return tuple(map(int, parts))


class Kinds(Kind):
    """Kinds of event between commas."""

    name = "kinds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Read the kinds; the nearest one is offered for one that there is not."""
        from ..pack.tags import KINDS
        from ..scenario.problems import nearest

        if isinstance(value, tuple):
            return value
        kinds = [part.strip().replace(" ", "_") for part in str(value).split(",") if part.strip()]
        for kind in kinds:
            if kind not in KINDS:
                meant = nearest(kind, KINDS)
                hint = f"did you mean '{meant}'?" if meant else f"there are {', '.join(KINDS)}"
                self.fail(f"no kind of rumour is called '{kind}'; {hint}", param, ctx)
        return tuple(kinds)


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--die", type=click.Choice(DICE), help="As many as the die has faces.  [default: d20]"
)
@click.option("--count", type=WholeNumber(1, 1000), help="So many, in place of a die.")
@click.option("--tavern", "house", help="Only what is told in this house: its name or number.")
@click.option("--night", type=WholeNumber(1, MAX_ID), help="Of which night.  [default: the last]")
@click.option(
    "--mix",
    type=Mix(),
    default="60,25,15",
    show_default=True,
    help="True, partly true and false; the counts are drawn around it.",
)
@click.option("--kind", "kinds", type=Kinds(), default=(), help="Only these, such as owes,brawl.")
@click.option(
    "--strength",
    type=WholeNumber(1, 3),
    help="Only what leads at least so far: 1 gossip, 2 a lead, 3 somebody needs something done.",
)
@click.option("--event", type=WholeNumber(1, MAX_ID), help="The tree of what was told of it.")
@click.option(
    "--versions", is_flag=True, help="With --event: versions of it that contradict each other."
)
@click.option(
    "--seen",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File that remembers what was told, so that nothing is repeated.",
)
@click.option("--again", is_flag=True, help="With --seen: the last set once more.")
@click.option(
    "--draw",
    type=WholeNumber(0, MAX_ID),
    default=0,
    show_default=True,
    help="Another number, another set.",
)
@click.option("--players", is_flag=True, help="The players' page: no truth, no key.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "md", "json", "csv"]),
    default="text",
    show_default=True,
    help="md: Markdown; json: a list of objects; csv: a row a rumour.",
)
@click.option("--out", type=click.Path(path_type=Path), help="File to write.  [default: stdout]")
@click.option("--force", is_flag=True, help="Replace that file.")
@click.option("--stories", is_flag=True, help="List every story of the run instead.")
@click.option("--story", type=WholeNumber(1, MAX_ID), help="The tree of this story instead.")
@click.option(
    "--top", type=WholeNumber(1, MAX_ID), default=30, show_default=True, help="Stories to list."
)
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
def rumors(run: Path, **given: Any) -> None:
    """Give the rumours worth telling tonight in RUN, the folder of a finished run.

    Each in its teller's words, and below the table a key for the game master: what is
    true, through whom it came, what the teller says when pressed, what it leads to and
    the DC to pick it up. --players gives the page for the players, which has no key.

    \b
      tavern rumors runs/river-town-4 --die d20
      tavern rumors runs/river-town-4 --tavern "The Eel Pot" --seen told.json
      tavern rumors runs/river-town-4 --seen told.json --again --players
      tavern rumors runs/river-town-4 --event 40 --versions

    What was told in the run, and how it came about:

    \b
      tavern rumors runs/gossip-town-1 --stories
      tavern rumors runs/gossip-town-1 --event 40
      tavern rumors runs/gossip-town-1 --story 17 --json
    """  # noqa: D301
    if given.pop("as_json"):
        given["format_"] = "json"
    if given["stories"] or given["story"] or (given["event"] and not given["versions"]):
        _verify_traceable(given)
        _trace(run, given)
        return
    _verify_together(given)
    _tell(run, given)


TRACED = ("event", "story", "stories", "top", "format_", "out", "force")
"""Options that have a say in a tree, or in the list of stories."""


def _verify_traceable(given: dict[str, Any]) -> None:
    """See that nothing was asked for that a tree, or the list of stories, does not heed."""
    asked = "--stories" if given["stories"] else "--story" if given["story"] else "--event"
    if given["players"]:
        text = f"{asked} tells the truth of what was told; leave --players out"
        raise click.UsageError(text)
    context = click.get_current_context()
    for parameter in context.command.params:
        name = str(parameter.name)
        source = context.get_parameter_source(name)
        is_given = source is not None and source.name == "COMMANDLINE"
        heeds = name in (*TRACED, "run", "as_json") and not (name == "top" and not given["stories"])
        if is_given and not heeds:
            instead = " without --versions" if asked == "--event" else ""
            text = f"{parameter.opts[0]} has no say in what {asked}{instead} prints; leave it out"
            raise click.UsageError(text)
    if given["format_"] not in ("text", "json"):
        raise click.UsageError(f"{asked} is printed as text or json, not as {given['format_']}")


def _verify_together(given: dict[str, Any]) -> None:
    if given["versions"] and not given["event"]:
        raise click.UsageError("--versions needs --event: versions of what?")
    if given["die"] and given["count"]:
        raise click.UsageError("--die and --count both say how many; give one of them")
    if given["again"] and not given["seen"]:
        raise click.UsageError("--again needs --seen: the file that remembers the last set")


# ------------------------------------------------------------- rumours of tonight


def _tell(run: Path, given: dict[str, Any]) -> None:
    """Make a set, print or write it, and remember it."""
    from ..data_tables import DataError
    from ..pack import memory, rumors
    from ..pack.assembly import PACK_ERRORS
    from ..pack.identity import salt_of
    from ..run_folder import read_run, reading
    from .packs import remember, verify_room, verify_seen

    found = read_run(run)
    if given["out"]:
        from .places import verify_out_file

        verify_out_file(given["out"], force=given["force"], run=run)
    verify_seen(given["seen"])
    with told_plainly(given), reading(found, *PACK_ERRORS, memory.NoMemoryError, DataError):
        asked = _asked(found, given)
        run_id = rumors.run_id(salt_of(found))
        told = _memory_of(given["seen"])
        before = _before(told, run_id, asked, given)
        if before is None:
            verify_room(given["seen"])
        made = rumors.make_rumors(found, **asked, seen=before if before is not None else told)
    _give(_page_of(found, made, asked, given), given)
    if given["seen"] and before is None:
        night, of = asked["night"] or found.info["nights"], str(found.info["scenario"])
        session = memory.session_of(run_id, night, asked, rumors.told_of(made.rumors), of)
        remember(given["seen"], told.and_then(session))


def _asked(found: RunFolder, given: dict[str, Any]) -> dict[str, Any]:
    """What is asked for, as `make_rumors` takes it; a memory compares it."""
    return {
        "night": given["night"],
        "tavern": _house(found, given["house"]),
        "count": given["die"] or given["count"],
        "mix": list(given["mix"]),
        "kinds": list(given["kinds"]),
        "strength": given["strength"],
        "event": given["event"],
        "draw": given["draw"],
    }


def _house(found: RunFolder, name: str | None) -> int | None:
    """The number of a house by its sign; the nearest one is offered for one that there is not."""
    if name is None:
        return None
    from ..pack.assembly import NoSuchTavernError, tavern_of

    try:
        return tavern_of(found, name)
    except NoSuchTavernError as error:
        raise click.BadParameter(str(error), param_hint="'--tavern'") from None


def _memory_of(file: Path | None) -> Memory:
    from ..pack.memory import Memory, read_memory

    return Memory() if file is None else read_memory(file)


def _before(
    told: Memory, run_id: str, asked: dict[str, Any], given: dict[str, Any]
) -> Memory | None:
    """What had been told before the last set, if that is to be given once more."""
    if not given["again"] and not given["players"]:
        return None
    before = told.before_last(run_id, asked)
    if before is None and given["again"]:
        raise click.BadParameter(
            f"'{given['seen']}' does not end with a set of these options; "
            f"{told.about_last(run_id)}",
            param_hint="'--again'",
        )
    return before


def _page_of(found: RunFolder, made: Made, asked: dict[str, Any], given: dict[str, Any]) -> str:
    from ..pack import pages

    if given["players"]:
        return pages.FOR_PLAYERS[given["format_"]](pages.players_of(made.rumors))
    return pages.FOR_MASTER[given["format_"]](
        pages.page_of(found, made.rumors, made.notes, asked["night"], asked["tavern"])
    )


def _give(page: str, given: dict[str, Any]) -> None:
    """Print a page, or write it."""
    out = given["out"]
    if out is None:
        click.echo(page)
        return
    from .. import folders
    from .places import writing_to

    with writing_to(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        folders.put_file(out, (page + "\n").encode())
    click.echo(out)


# ------------------------------------------------------------- how they came about


def _trace(run: Path, given: dict[str, Any]) -> None:
    """List the stories of a run, or draw the tree of one."""
    from ..lineages import NoSuchStoryError, lineage, list_lines, stories_of, tree_lines
    from ..run_folder import read_run, reading

    event, story, as_json = given["event"], given["story"], given["format_"] == "json"
    if bool(event) + bool(story) + given["stories"] > 1:
        raise click.UsageError("--event, --story and --stories ask for three things; give one")
    found = read_run(run)
    if given["out"]:
        from .places import verify_out_file

        verify_out_file(given["out"], force=given["force"], run=run)
    if given["stories"]:
        with reading(found):
            told = stories_of(found)
            lines = list_lines(told, given["top"])
        _give(_json(told) if as_json else "\n".join(lines), given)
        return
    try:
        with reading(found, NoSuchStoryError):
            tree = lineage(found, event=event or 0, story=story or 0)
    except NoSuchStoryError as error:
        hint = "'--event'" if event else "'--story'"
        raise click.BadParameter(str(error), param_hint=hint) from None
    _give(_json(tree) if as_json else "\n".join(tree_lines(tree)), given)


def _json(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False)
