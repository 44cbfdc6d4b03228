"""What the folder of a sweep says of itself: ``sweep.json``, and what tells sweeps apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, asdict, dataclass, fields, replace
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from ... import folders
from ...shipped import shipped
from ...versions import versions
from ..errors import SweepError

if TYPE_CHECKING:
    from ..design import Design
from .shards import Shard

FORMAT = 1
"""Of the folder of a sweep; a later one may lay it out otherwise."""
FILE = "sweep.json"
OUTSIDE = (
    *("cli", "crates", "diaries", "economies", "exports", "pack", "plots", "report", "validate"),
    *("html_pages.py", "lineages.py", "rumor_trees.py"),
    *("odd_constants.py", "odd_decisions.py", "odd_reference.py", "odd_state.py"),
    *("processors.py", "rerunning.py", "run_reference.py", "stories.py", "summary.py"),
    *("sweep_pages", "versions.py", "writing.py"),
)
"""What of the package has no say in what a run gives: it looks at runs that were played."""
OF_SWEEPS = ("design.py", "designs/points.py", "measuring", "outputs.py", "runs.py")
"""What of `sweeps` has one: files, and a package with all that is in it."""
OF_SALIB = ("saltelli", "morris")
"""Methods whose points are drawn by SALib."""

type SweepStatus = Literal["playing", "stopped", "finished"]


@dataclass(frozen=True)
class Manifest:
    """What ``sweep.json`` says.

    Attributes
    ----------
    name : str
        Of the design.
    design : str
        Its digest: see `Design.digest`.
    outputs, series : tuple of str
        Columns that every run gives.
    nights : int or None
        Nights of every run; None where it is no scenario that is played.
    points : int
        Design points.
    replications : int or None
        Runs of each point; None where it is decided as they come in.
    shard : (int, int) or None
        Which part of the runs is played here: number, from 1, and of how many.
    versions : dict of str to str
        Of Python and of the packages that have a say in the results; of SALib, where it drew
        the points.
    source : str
        Digest of the program: see `source_digest`.
    created : str
        When the folder was made, in UTC.
    status : "playing", "stopped" or "finished"
        As the sweep last left it; "playing" as well where it was killed.
    merged_from : tuple of str
        The stores that were merged into this one.
    options : tuple of str or None
        With which options ``design.toml`` gives this design: see `again.options_for`.
    """

    name: str
    design: str
    outputs: tuple[str, ...]
    series: tuple[str, ...]
    nights: int | None
    points: int
    replications: int | None
    shard: tuple[int, int] | None
    versions: dict[str, str | None]
    source: str
    created: str
    status: SweepStatus = "stopped"
    merged_from: tuple[str, ...] = ()
    options: tuple[str, ...] | None = None

    @property
    def planned(self) -> int | None:
        """Runs that shall be here in the end; None where nobody knows yet."""
        if self.replications is None:
            return None
        total = self.points * self.replications
        if self.shard is None:
            return total
        return Shard(*self.shard).count_of(self.points, self.replications)

    def write(self, folder: Path) -> None:
        """Write it aside and move it into place."""
        content = {"format": FORMAT, **asdict(self)}
        text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
        folders.put_file(folder / FILE, (text + "\n").encode())

    def with_(self, **changes: Any) -> Self:
        """The same but for some fields."""
        return replace(self, **changes)


def new_manifest(design: Design, shard: tuple[int, int] | None) -> Manifest:
    """What is said of a sweep of a design, or of a shard of it, that begins."""
    configuration = design.configuration
    until = getattr(configuration, "until", None)
    return Manifest(
        name=design.name,
        design=design.digest(),
        outputs=tuple(configuration.outputs),
        series=tuple(configuration.series),
        nights=None if until is None else int(until),
        points=len(design.points),
        replications=replications_of(design),
        shard=shard,
        versions=versions() | _drawn_by(design),
        source=source_digest(),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _drawn_by(design: Design) -> dict[str, str | None]:
    """The version of SALib, where that drew the points."""
    if design.method not in OF_SALIB:
        return {}
    try:
        return {"salib": version("SALib")}
    except PackageNotFoundError:
        return {"salib": None}


def replications_of(design: Design) -> int | None:
    """Runs of each point, if that is known beforehand."""
    return design.replications if isinstance(design.replications, int) else None


def read_manifest(folder: Path) -> Manifest:
    """Read what a folder says of itself.

    Raises
    ------
    SweepError
        If it is no sweep, one of a later format, or damaged.
    """
    content = _content(folder)
    file = folder / FILE
    if type(content.get("format")) is not int:
        raise SweepError("damaged: it lacks the format", file)
    if not 1 <= content["format"] <= FORMAT:
        text = f"a sweep of format {content['format']}; this version reads 1 to {FORMAT}"
        later = ": update tavern-abm" if content["format"] > FORMAT else "; no version wrote that"
        raise SweepError(f"{text}{later}", folder)
    del content["format"]
    try:
        return _manifest(content)
    except (TypeError, ValueError, LookupError) as error:
        raise SweepError(f"damaged: {error}", file) from error


def _content(folder: Path) -> dict[str, Any]:
    file = folder / FILE
    if not folder.exists():
        raise SweepError("no such folder", folder)
    if not folder.is_dir():
        raise SweepError("not a folder; give the folder that `tavern sweep` wrote", folder)
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SweepError(f"not a sweep (it has no {FILE})", folder) from None
    except (OSError, ValueError) as error:
        raise SweepError(f"damaged: {error}", file) from error
    if not isinstance(content, dict):
        raise SweepError("damaged: not a JSON object", file)
    return content


def _manifest(content: dict[str, Any]) -> Manifest:
    known = {field.name: field for field in fields(Manifest)}
    for name in content:
        if name not in known:
            raise ValueError(f"it has {name!r}, which format {FORMAT} has not")
    for name, field in known.items():
        if name not in content and field.default is MISSING:
            raise ValueError(f"it lacks {name!r}")
    for name, value in content.items():
        if not _IS[name](value):
            raise ValueError(f"{name} cannot be {json.dumps(value)}")
    lists = {name: tuple(value) for name, value in content.items() if isinstance(value, list)}
    return Manifest(**{**content, **lists})


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 1


def _is_shard(value: Any) -> bool:
    is_pair = isinstance(value, list) and len(value) == 2 and all(map(_is_count, value))
    return is_pair and value[0] <= value[1]


def _is_versions(value: Any) -> bool:
    return isinstance(value, dict) and all(
        each is None or _is_text(each) for each in value.values()
    )


def _or_none(is_it: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or is_it(value)


_IS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("name", "design", "source", "created"), _is_text),
    **dict.fromkeys(("outputs", "series", "merged_from"), _is_texts),
    "options": _or_none(_is_texts),
    "points": _is_count,
    **dict.fromkeys(("nights", "replications"), _or_none(_is_count)),
    "shard": _or_none(_is_shard),
    "versions": _is_versions,
    "status": lambda value: value in get_args(SweepStatus.__value__),
}
"""What each of its fields may be, as it stands in JSON."""


def plain(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document as it comes back from its JSON."""
    found: dict[str, Any] = json.loads(json.dumps(document))
    return found


@lru_cache(maxsize=1)
def source_digest() -> str:
    """SHA-256 over the sources and tables that have a say in what a run gives.

    A checkout in which a rule was changed has another one, although its version is the same.
    """
    sha = hashlib.sha256()
    for name, file in sources():
        content = file.read_bytes()
        sha.update(f"{name} {len(content)}\n".encode())
        sha.update(content)
    return sha.hexdigest()


def sources() -> Iterator[tuple[str, Path]]:
    """The files that have a say in what a run gives, by name: code, and tables of data."""
    package, data = Path(__file__).resolve().parents[2], shipped("data")
    for file in sorted(package.rglob("*.py")):
        name = file.relative_to(package)
        if _has_a_say(name):
            yield name.as_posix(), file
    for file in sorted(data.rglob("*.toml")):
        yield f"data/{file.relative_to(data).as_posix()}", file


def _has_a_say(name: Path) -> bool:
    if name.parts[0] == "sweeps":
        part = name.relative_to("sweeps")
        return part.as_posix() in OF_SWEEPS or part.parts[0] in OF_SWEEPS
    return name.parts[0] not in OUTSIDE and name.parts[0] != "data"
