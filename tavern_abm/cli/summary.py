"""`tavern summary`: estimates with intervals from a sweep."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from .parameters import Confidence, WholeNumber, Width
from .progress import bar_of

if TYPE_CHECKING:
    import pandas as pd

    from ..sweeps.design import Design
    from ..sweeps.outputs import Configuration
    from ..sweeps.stores.frames import Frames
    from ..sweeps.stores.store import Store

FORMATS = ("text", "csv", "parquet", "json", "html")


@click.command()
@click.argument("store", type=click.Path(path_type=Path))
@click.option(
    "--output",
    "outputs",
    multiple=True,
    help="Only this one, as often as you like; A/B: the ratio of the sums of two.",
)
@click.option(
    "--by",
    multiple=True,
    help="Take points together that agree in this parameter: its path, the end of it, or its "
    "label.",
)
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
    help="Say how many replications make an interval so narrow: 0.01, or 5% of the mean (with "
    "--against: of the change).",
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
      tavern summary sweeps/cheating-and-custom --against custom=lax --within 0.002
      tavern summary sweeps/cheating-and-custom --sensitivity
      tavern summary sweeps/cheating-and-custom --format csv > summary.csv
      tavern summary sweeps/cheating-and-custom --format html --out page.html
    """  # noqa: D301
    _verify_usage(given)
    out, page = _places(store, given)
    if given["format_"] != "html":
        _summarize(store, out, given)
    if page is not None:
        _write_page(store, page, given)


def _verify_usage(given: dict[str, Any]) -> None:
    """Refuse what does not go together."""
    if given["format_"] == "parquet" and given["out"] is None:
        raise click.UsageError("parquet goes to a file; name one with --out")
    if given["format_"] == "html" and given["page"] is not None:
        raise click.UsageError("--page goes with the other formats; the page of html is --out")
    is_page = given["format_"] == "html" or given["page"] is not None
    for name in ("by", "against", "within", "simultaneous"):
        if given["sensitivity"] and given[name]:
            raise click.UsageError(f"--sensitivity is of all points; leave --{name} out")
        if is_page and given[name]:
            raise click.UsageError(f"a page is of all points as they are; leave --{name} out")
    if is_page and any("/" in name for name in given["outputs"]):
        raise click.UsageError("a page has no ratios of sums; leave such an --output out")


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
    from .places import verify_out_file, verify_outside_sweeps

    is_inside = place.resolve().parent == store.resolve()
    if is_inside and not place.name.startswith("summary."):
        text = f"'{place}' lies in the sweep itself; call it summary.{place.suffix.strip('.')}"
        raise click.BadParameter(f"{text}, or name another folder", param_hint="'--out'")
    verify_outside_sweeps(place, but="summary.")
    verify_out_file(place, force=force or is_inside, run=store)


# ---------------------------------------------------------------- the table


def _summarize(store: Path, out: Path | None, given: dict[str, Any]) -> None:
    from ..sweeps.errors import SweepError
    from ..sweeps.estimating.convergence import add_needed
    from ..sweeps.estimating.groups import DONE
    from ..sweeps.estimating.labels import labels_of
    from ..sweeps.stores.frames import read
    from ..sweeps.stores.store import Store

    tables = read(store, series=False)
    _echo_remark(tables)
    if not (tables.runs["status"] == DONE).any():
        raise SweepError("no run of it is done: there is nothing to summarize", store)
    design = _unplayed(Store.open(store))
    given["labels"] = labels_of(design)
    _verify_names(tables, given)
    if given["sensitivity"]:
        found = _indices(Store.open(store).design, tables, given)
    else:
        found = _differences(tables, given) if given["against"] else _means(design, tables, given)
    if given["within"]:
        found = add_needed(found, **given["within"])
    _write(_made(store, design, tables, found, given), out)


def _echo_remark(tables: Frames) -> None:
    if tables.remark:
        click.echo(tables.remark, err=True)


def _unplayed(store: Store) -> Design:
    """Its design without what plays it, which may be a function that is not to be had here."""
    from ..sweeps.design import Auto, Design, Factor

    document: dict[str, Any] = store.document
    asked = document["replications"]
    return Design(
        name=document["name"],
        about=document["about"],
        configuration=cast("Configuration", None),
        points=store.points,
        factors=tuple(map(Factor.from_document, document["factors"])),
        method=document["method"],
        replications=Auto(**asked) if isinstance(asked, dict) else asked,
        luck=document["luck"],
    )


def _verify_names(tables: Frames, given: dict[str, Any]) -> None:
    """See that outputs and parameters are there; names become full paths."""
    from ..sweeps.errors import SweepError
    from ..sweeps.estimating.labels import paths_named

    _verify_outputs(tables, given)
    try:
        named = [paths_named(name, tables.paths, given["labels"]) for name in given["by"]]
    except SweepError as error:
        raise click.BadParameter(error.problem, param_hint="'--by'") from None
    given["by"] = [path for several in named for path in several] or None


def _verify_outputs(tables: Frames, given: dict[str, Any]) -> None:
    """See that they are there; none named is all."""
    from ..sweeps.errors import SweepError
    from ..sweeps.estimating.groups import outputs_of

    try:
        given["outputs"] = outputs_of(tables, given["outputs"] or None)
    except SweepError as error:
        raise click.BadParameter(error.problem, param_hint="'--output'") from None


def _means(design: Design, tables: Frames, given: dict[str, Any]) -> pd.DataFrame:
    from ..sweeps.design import Auto
    from ..sweeps.estimating.convergence import add_stopped
    from ..sweeps.estimating.summaries import summarize

    names = ("confidence", "outputs", "by", "simultaneous")
    with bar_of("output", len(given["outputs"]), is_silent=False) as bar:
        how = {name: given[name] for name in names}
        found = summarize(tables, **how, tell=lambda _: bar.update())
    asked = design.replications
    if isinstance(asked, Auto) and given["by"] is None:
        return add_stopped(found, asked)
    return found


def _differences(tables: Frames, given: dict[str, Any]) -> pd.DataFrame:
    from ..sweeps.errors import SweepError
    from ..sweeps.estimating.pairs import differences, parse_against

    names = ("confidence", "outputs", "by", "simultaneous")
    try:
        base = parse_against(given["against"], tables.runs, given["labels"])
        return differences(tables, base, **{name: given[name] for name in names})
    except SweepError as error:
        raise click.BadParameter(error.problem, param_hint="'--against'") from None


def _indices(design: Design, tables: Frames, given: dict[str, Any]) -> pd.DataFrame:
    import pandas as pd

    from ..sweeps.sensitivities.sensitivity import indices

    parts = []
    with bar_of("output", len(given["outputs"]), is_silent=False) as bar:
        for name in given["outputs"]:
            parts.append(indices(design, tables, [name], given["confidence"]))
            bar.update()
    return pd.concat(parts, ignore_index=True)


def _made(
    store: Path, design: Design, tables: Frames, found: pd.DataFrame, given: dict[str, Any]
) -> str | bytes:
    from ..sweeps.estimating import tables as printing

    if given["format_"] == "csv":
        return printing.csv_of(found)
    if given["format_"] == "parquet":
        return printing.parquet_of(found)
    from ..sweeps.stores.manifest import read_manifest
    from ..sweeps.stores.merging import results_of

    manifest, results = read_manifest(store), results_of(store)
    if given["format_"] == "json":
        from ..sweeps.estimating.summary_words import about_json

        about = about_json(tables, given["confidence"], manifest.name)
        return printing.json_of(found, about | {"results": results})
    how: dict[str, Any] = {"name": manifest.name, "planned": manifest.planned}
    if manifest.shard is not None:
        how["name"] += ", shard {} of {}".format(*manifest.shard)
    if manifest.nights is not None:
        how["titles"] = _titles(given["outputs"])
    lines = _text(design, tables, found, given, **how)
    return "\n".join([*lines, *(["", f"results: SHA-256 {results}"] if results else [])])


def _text(
    design: Design, tables: Frames, found: pd.DataFrame, given: dict[str, Any], **how: Any
) -> list[str]:
    from ..sweeps.design import Auto
    from ..sweeps.estimating.pairs import have_like
    from ..sweeps.estimating.summary_words import difference_text, summary_text

    if given["sensitivity"]:
        from ..sweeps.sensitivities.index_lines import index_text

        del how["planned"]
        return index_text(found, **how, confidence=given["confidence"])
    how |= {name: given[name] for name in ("confidence", "rows", "labels")}
    how["idle"] = _idle(design, tables)
    if not given["against"]:
        auto = design.replications if isinstance(design.replications, Auto) else None
        return summary_text(tables, found, **how, auto=auto)
    how["are_alike"] = given["by"] is None or have_like(tables, given["by"])
    base = given["against"]
    said = f"point {base[0]}" if "=" not in base[0] else ", ".join(base)
    return difference_text(tables, found, against=said, **how)


def _idle(design: Design, tables: Frames) -> list[str]:
    """Titles of the factors that change nothing in any outcome."""
    import numpy as np

    from ..sweeps.estimating.cells import cells_of
    from ..sweeps.estimating.varied import titles_of, varied_of
    from ..sweeps.sensitivities.idle import idle

    left = factors = varied_of(design)
    is_any_moved = False
    for name in tables.outputs if factors else ():
        cells = cells_of(tables.outcomes, name, len(design.points), design.luck)
        known = cells.values[np.isfinite(cells.values)]
        if len(known) and np.ptp(known) > 0:
            is_any_moved = True
            found = [each.label for each in idle(factors, cells)]
            left = [each for each in left if each.label in found]
    titles = dict(zip((each.label for each in factors), titles_of(factors), strict=True))
    return [titles[each.label] for each in left] if is_any_moved else []


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


def _write(content: str | bytes, out: Path | None) -> None:
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


def _write_page(store: Path, page: Path, given: dict[str, Any]) -> None:
    from ..sweep_pages.page import write_page
    from ..sweeps.stores.frames import read
    from .places import writing_to

    if given["format_"] == "html":  # else the table has seen to them
        tables = read(store, series=False)
        _echo_remark(tables)
        _verify_outputs(tables, given)
    with writing_to(page):
        page.parent.mkdir(parents=True, exist_ok=True)
        write_page(store, page, confidence=given["confidence"], outputs=given["outputs"])
    click.echo(page)
