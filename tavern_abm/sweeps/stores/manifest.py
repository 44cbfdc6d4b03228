"""What the folder of a sweep says of itself: ``sweep.json``, and what tells sweeps apart."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from ... import folders
from ...shipped import shipped
from ..errors import SweepError

if TYPE_CHECKING:
    from ..design import Design
from .shards import Shard

FORMAT = 1
"""Of the folder of a sweep; a later one may lay it out otherwise."""
FILE = "sweep.json"
PACKAGES = ("tavern-abm", "mesa", "numba", "numpy", "pandas", "pyarrow", "scipy")
OUTSIDE = (
    *("cli", "crates", "diaries", "economies", "exports", "pack", "plots", "report", "validate"),
    *("html_pages.py", "lineages.py", "odd_constants.py", "odd_reference.py", "rumor_trees.py"),
    *("run_reference.py", "stories.py", "summary.py", "writing.py"),
)
"""What of the package has no say in what a run gives: it looks at runs that were played."""
OF_SWEEPS = ("design.py", "designs/points.py", "measuring", "outputs.py", "runs.py")
"""What of `sweeps` has one: files, and a package with all that is in it."""
NO_MATTER = ("name", "about", "replications")
"""Of a design: what may change while the runs that are there stay good."""

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
        Of Python and of the packages that have a say in the results.
    source : str
        Digest of the program: see `source_digest`.
    created : str
        When the folder was made, in UTC.
    status : "playing", "stopped" or "finished"
        As the sweep last left it; "playing" as well where it was killed.
    merged_from : tuple of str
        The stores that were merged into this one.
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
        versions=versions(),
        source=source_digest(),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


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
        raise SweepError(f"{text}: update tavern-abm", folder)
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
    lists = {name: tuple(content[name]) for name in ("outputs", "series", "merged_from")}
    shard = content["shard"]
    if shard is not None:
        number, of = shard
        shard = (int(number), int(of))
    manifest = Manifest(**{**content, **lists, "shard": shard})
    if not isinstance(manifest.versions, dict) or not isinstance(manifest.points, int):
        raise ValueError("versions or points are not what they should be")
    return manifest


def plain(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document as it comes back from its JSON."""
    found: dict[str, Any] = json.loads(json.dumps(document))
    return found


def differences(
    there: Any, here: Any, path: str = "", ignored: tuple[str, ...] = NO_MATTER
) -> Iterator[str]:
    """What differs between two documents, one phrase each.

    Examples
    --------
    >>> list(differences({"nights": 30, "seed": 1}, {"nights": 60, "seed": 1}))
    ['nights: 30 there, 60 here']
    """
    if isinstance(there, dict) and isinstance(here, dict):
        for key in sorted({*there, *here} - set(ignored if not path else ())):
            inner = f"{path}.{key}" if path else key
            yield from differences(there.get(key), here.get(key), inner)
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        for place, (former, now) in enumerate(zip(there, here, strict=True)):
            yield from differences(former, now, f"{path}.{place}")
    elif there != here:
        yield f"{path}: {_shown(there)} there, {_shown(here)} here"


def _shown(value: Any, most: int = 60) -> str:
    if value is None:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else f"{text[: most - 4]} ..."


def versions() -> dict[str, str | None]:
    """Versions of Python and of the packages that have a say in the results."""
    found = {name.replace("-", "_"): _version(name) for name in PACKAGES}
    return {"python": sys.version.split()[0]} | found


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:  # run from a checkout that is not installed
        return None


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
