"""`tavern summary`: estimates with intervals from a sweep."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .parameters import Kind, WholeNumber
from .run import _bar

if TYPE_CHECKING:
    import pandas as pd

    from ..sweeps.stores.frames import Frames

FORMATS = ("text", "csv", "parquet", "json", "html")


class Confidence(Kind):
    """A share between 0 and 1: ``0.95`` or ``95%``."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the share."""
        found = _share(value)
        if found is None or not 0 < found < 1:
            self.fail(f"'{value}' is no confidence; write it like 0.95 or 95%", param, ctx)
        return found


class Width(Kind):
    """Half of an interval: ``0.01`` in units of the output, or ``5%`` of the mean."""

    name = "width"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number, and whether it is a share of the mean."""
        found = _share(value)
        if found is None or not 0 < found < float("inf"):
            self.fail(f"'{value}' is no width; write it like 0.01 or 5%", param, ctx)
        return {"relative" if str(value).strip().endswith("%") else "half_width": found}


def _share(value: Any) -> float | None:
    text = str(value).strip()
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return None


@click.command()
@click.argument("store", type=click.Path(path_type=Path))
@click.option(
    "--output",
    "outputs",
    multiple=True,
    help="Only this one, as often as you like; A/B: the ratio of the sums of two.",
)
@click.option("--by", multiple=True, help="Take points together that agree in this parameter.")
@click.option(
    "--against",
    multiple=True,
    metavar="POINT",
    help="Differences to this point (a number), or from each point to the one that has this "
    "value (path=value) and is else the same.",
)
@click.option(
    "--confidence", type=Confidence(), default="0.95", show_default=True, help="Of the intervals."
)
@click.option(
    "--simultaneous",
    is_flag=True,
    help="Widen the intervals until all of them hold together (Bonferroni).",
)
@click.option(
    "--within",
    type=Width(),
    help="Say how many replications make an interval so narrow: 0.01, or 5% of the mean.",
)
@click.option(
    "--sensitivity",
    is_flag=True,
    help="Which factor moves an output, and by how much: Sobol, Morris or regression indices.",
)
@click.option(
    "--rows",
    type=WholeNumber(0),
    default=40,
    show_default=True,
    help="Points printed of each output; 0: all.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="csv, parquet, json: one tidy table; html: a page with figures.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="File to write.  [default: stdout; html: summary.html in STORE]",
)
@click.option("--page", type=click.Path(path_type=Path), help="Write the page with figures, too.")
@click.option("--force", is_flag=True, help="Replace what is there already.")
def summary(store: Path, **given: Any) -> None:
    """Give estimates with intervals from STORE, the folder of a sweep.

    For every point and output: the mean over replications with its Student's t
    interval, the standard deviation, and where the runs fell; from 50 replications
    on a bootstrap interval as well. A sweep that is not finished is summarized as
    far as it is.

    \b
      tavern summary sweeps/cheating-and-custom
      tavern summary sweeps/cheating-and-custom --output cheating_rate --by custom
      tavern summary sweeps/cheating-and-custom --against custom=lax --simultaneous
      tavern summary sweeps/cheating-and-custom --against 0
      tavern summary sweeps/cheating-and-custom --within 5%
      tavern summary sweeps/cheating-and-custom --sensitivity
      tavern summary sweeps/cheating-and-custom --format csv > summary.csv
      tavern summary sweeps/cheating-and-custom --format html --out page.html
    """  # noqa: D301
    _verify_usage(given)
    out, page = _places(store, given)
    if given["format_"] != "html":
        _summarize(store, out, given)
    if page is not None:
        _write_page(store, page, given["confidence"])


def _verify_usage(given: dict[str, Any]) -> None:
    """Refuse what does not go together."""
    if given["format_"] == "parquet" and given["out"] is None:
        raise click.UsageError("parquet goes to a file; name one with --out")
    if given["format_"] == "html" and given["page"] is not None:
        raise click.UsageError("--page goes with the other formats; the page of html is --out")
    if given["against"] and given["within"]:
        raise click.UsageError("--within goes with means; leave --against out")
    for name in ("by", "against", "within", "simultaneous"):
        if given["sensitivity"] and given[name]:
            raise click.UsageError(f"--sensitivity is of all points; leave --{name} out")


def _places(store: Path, given: dict[str, Any]) -> tuple[Path | None, Path | None]:
    """Where the table and the page go, made sure of before the work; None where nowhere."""
    is_page = given["format_"] == "html"
    wanted = (None if is_page else given["out"], given["out"] if is_page else given["page"])
    for place in wanted:
        if place is not None:
            _verify_free(place, store, force=given["force"])
    if is_page and wanted[1] is None:
        return None, store / "summary.html"
    return wanted


def _verify_free(place: Path, store: Path, *, force: bool) -> None:
    from .places import verify_out_file

    is_inside = place.resolve().parent == store.resolve()
    if is_inside and not place.name.startswith("summary."):
        text = f"'{place}' lies in the sweep itself; call it summary.{place.suffix.strip('.')}"
        raise click.BadParameter(f"{text}, or name another folder", param_hint="'--out'")
    verify_out_file(place, force=force or is_inside, run=store)


# ---------------------------------------------------------------- the table


def _summarize(store: Path, out: Path | None, given: dict[str, Any]) -> None:
    from ..sweeps.errors import SweepError
    from ..sweeps.estimating.groups import DONE
    from ..sweeps.stores.frames import read

    tables = read(store, series=False)
    if not (tables.runs["status"] == DONE).any():
        raise SweepError("no run of it is done: there is nothing to summarize", store)
    _verify_names(tables, given)
    if given["sensitivity"]:
        found = _indices(store, tables, given)
    else:
        found = _differences(tables, given) if given["against"] else _means(tables, given)
    _write(_made(store, tables, found, given), out, given["format_"])


def _verify_names(tables: Frames, given: dict[str, Any]) -> None:
    """See that outputs and parameters are there; names become full paths."""
    from ..sweeps.errors import SweepError
    from ..sweeps.estimating.groups import outputs_of, path_named, paths_of

    option = "--output"
    try:
        given["outputs"] = outputs_of(tables, given["outputs"] or None)
        option = "--by"
        paths = paths_of(tables.runs)
        given["by"] = [path_named(name, paths) for name in given["by"]] or None
    except SweepError as error:
        raise click.BadParameter(error.problem, param_hint=f"'{option}'") from None


def _means(tables: Frames, given: dict[str, Any]) -> pd.DataFrame:
    from ..sweeps.estimating.convergence import add_needed
    from ..sweeps.estimating.summaries import summarize

    names = ("confidence", "outputs", "by", "simultaneous")
    with _bar("output", len(given["outputs"]), is_silent=False) as bar:
        how = {name: given[name] for name in names}
        found = summarize(tables, **how, tell=lambda _: bar.update())
    return add_needed(found, **given["within"]) if given["within"] else found


def _differences(tables: Frames, given: dict[str, Any]) -> pd.DataFrame:
    from ..sweeps.errors import SweepError
    from ..sweeps.estimating.pairs import differences, parse_against

    names = ("confidence", "outputs", "by", "simultaneous")
    try:
        base = parse_against(given["against"], tables.runs)
        return differences(tables, base, **{name: given[name] for name in names})
    except SweepError as error:
        raise click.BadParameter(error.problem, param_hint="'--against'") from None


def _indices(store: Path, tables: Frames, given: dict[str, Any]) -> pd.DataFrame:
    import pandas as pd

    from ..sweeps.sensitivities.sensitivity import indices
    from ..sweeps.stores.store import Store

    parts = []
    design = Store.open(store).design
    with _bar("output", len(given["outputs"]), is_silent=False) as bar:
        for name in given["outputs"]:
            parts.append(indices(design, tables, [name], given["confidence"]))
            bar.update()
    return pd.concat(parts, ignore_index=True)


def _made(store: Path, tables: Frames, found: pd.DataFrame, given: dict[str, Any]) -> str | bytes:
    from ..sweeps.estimating import tables as printing

    if given["format_"] == "csv":
        return printing.csv_of(found)
    if given["format_"] == "parquet":
        return printing.parquet_of(found)
    from ..sweeps.stores.manifest import read_manifest

    manifest = read_manifest(store)
    if given["format_"] == "json":
        from ..sweeps.estimating.summary_words import about_json

        return printing.json_of(found, about_json(tables, given["confidence"], manifest.name))
    how: dict[str, Any] = {"name": manifest.name, "planned": manifest.planned}
    if manifest.shard is not None:
        how["name"] += ", shard {} of {}".format(*manifest.shard)
    if manifest.nights is not None:
        how["titles"] = _titles(given["outputs"])
    return "\n".join(_text(tables, found, given, **how))


def _text(tables: Frames, found: pd.DataFrame, given: dict[str, Any], **how: Any) -> list[str]:
    from ..sweeps.estimating.summary_words import difference_text, summary_text

    if given["sensitivity"]:
        from ..sweeps.sensitivities.index_lines import index_text

        del how["planned"]
        return index_text(found, **how, confidence=given["confidence"])
    how |= {"confidence": given["confidence"], "rows": given["rows"]}
    if not given["against"]:
        return summary_text(tables, found, **how)
    base = given["against"]
    said = f"point {base[0]}" if "=" not in base[0] else ", ".join(base)
    return difference_text(tables, found, against=said, **how)


def _titles(outputs: Sequence[str]) -> dict[str, str]:
    """What outputs of the model are called; nothing of a user's own."""
    from ..sweeps.errors import SweepError
    from ..sweeps.measuring.quantities import quantity_of

    found = {}
    for name in outputs:
        with contextlib.suppress(SweepError):
            quantity = quantity_of(name)
            found[name] = quantity.title + (f", {quantity.unit}" if quantity.unit else "")
    return found


def _write(content: str | bytes, out: Path | None, format_: str) -> None:
    if out is None:
        click.echo(str(content).removesuffix("\n"))
        return
    from .. import folders
    from .places import writing_to

    data = content if isinstance(content, bytes) else (content.removesuffix("\n") + "\n").encode()
    with writing_to(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        folders.put_file(out, data)
    click.echo(out)


def _write_page(store: Path, page: Path, confidence: float) -> None:
    from ..sweeps.pages.page import write_page
    from .places import writing_to

    with writing_to(page):
        page.parent.mkdir(parents=True, exist_ok=True)
        write_page(store, page, confidence=confidence)
    click.echo(page)
