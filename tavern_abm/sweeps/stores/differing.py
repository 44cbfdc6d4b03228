"""In what two designs differ, in words for whoever asks why they are not one sweep."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

NO_MATTER = ("name", "about", "replications")
"""Of a design: what may change while the runs that are there stay good."""
_CHANGED = {
    "source": "{file} has been changed",
    "source_digest": "the function {function} has been changed",
    "data_digest": "the tables in the folder `data` have been changed",
    "files": "a file that an option of a game names has been changed",
}
"""What is told of a difference in place of digests and the texts of whole files."""
_CALLED = {"configuration.until": "nights"}
"""What a design file calls a field of the document."""


def differences(
    there: Any, here: Any, path: str = "", ignored: tuple[str, ...] = NO_MATTER
) -> Iterator[str]:
    """What differs between two documents of designs, one phrase each.

    Examples
    --------
    >>> list(differences({"seed": 1, "luck": "own"}, {"seed": 2, "luck": "own"}))
    ['seed: 1 there, 2 here']
    >>> list(differences({"configuration": {"until": 3}}, {"configuration": {"until": 5}}))
    ['nights: 3 there, 5 here']
    """
    if isinstance(there, dict) and isinstance(here, dict):
        for key in sorted({*there, *here} - set(ignored if not path else ())):
            inner = f"{path}.{key}" if path else key
            both = (there.get(key), here.get(key))
            if key in _CHANGED and None not in both and both[0] != both[1]:
                yield _CHANGED[key].format_map({"file": "", "function": "", **here})
                continue
            yield from differences(there.get(key), here.get(key), inner)
    elif path == "factors" and _are_alike(there, here):
        for one, other in zip(there, here, strict=True):
            yield from _of_factor(one, other)
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        for place, (former, now) in enumerate(zip(there, here, strict=True)):
            yield from differences(former, now, f"{path}.{place}")
    elif there != here:
        yield _told(_called(path), there, here)


def _called(path: str) -> str:
    return _CALLED.get(path, path.removeprefix("configuration."))


def _are_alike(there: Any, here: Any) -> bool:
    """Whether both are factors of the same paths."""
    if not (isinstance(there, list) and isinstance(here, list)):
        return False
    return [each.get("paths") for each in there] == [each.get("paths") for each in here]


def _of_factor(there: dict[str, Any], here: dict[str, Any]) -> Iterator[str]:
    """What differs in a factor, under the names of the fields that it varies.

    Examples
    --------
    >>> one, other = ({"paths": ["patrons"], "levels": [[40], [n]]} for n in (80, 90))
    >>> list(_of_factor(one, other))
    ['patrons, level 2: 80 there, 90 here']
    """
    name = " and ".join(map(str, there["paths"]))
    before, now = there.get("levels"), here.get("levels")
    if isinstance(before, list) and isinstance(now, list):
        one, other = ([_plain(level) for level in levels] for levels in (before, now))
        if len(one) != len(other):
            yield _told(f"levels of {name}", one, other)
        else:
            pairs = enumerate(zip(one, other, strict=True), 1)
            yield from (_told(f"{name}, level {k}", a, b) for k, (a, b) in pairs if a != b)
    elif before != now:
        yield _told(f"levels of {name}", before, now)
    for key in sorted({*there, *here} - {"paths", "levels"}):
        if there.get(key) != here.get(key):
            yield _told(f"{key} of {name}", there.get(key), here.get(key))


def _plain(level: Any) -> Any:
    """A level of one field is its value."""
    return level[0] if isinstance(level, list) and len(level) == 1 else level


def _told(name: str, there: Any, here: Any) -> str:
    return f"{name}: {_shown(there)} there, {_shown(here)} here"


def _shown(value: Any, most: int = 60) -> str:
    if value is None:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else f"{text[: most - 4]} ..."
