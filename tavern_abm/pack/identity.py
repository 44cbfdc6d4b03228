"""What tells things of a pack apart: ids that cannot be guessed, and an order that tells nothing.

Both hang on the run's salt: 32 random digits in its ``run.json``, outside the digest; so do
which rumours are told of an evening, and their words. Who knows seed and scenario can play a
run again; without its salt he still cannot tell which event, let alone which truth, an id or a
place in a list stands for.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Callable, Iterable

from ..folders import put_file
from ..run_folder import RunFolder, RunFolderError

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
ID_LENGTH = 16
"""Letters and digits of an id: what Foundry VTT takes as one."""
N_BYTES = 16
"""Of a salt."""
_SALT = re.compile(r"[0-9a-f]{32}\Z")
_SEAM = "\x1f"
"""Stands between the parts of a key, so that "1", "23" is not "12", "3"."""


def salt_of(run: RunFolder) -> str:
    """The salt of a run; one that has none yet gets one, and keeps it.

    Raises
    ------
    RunFolderError
        If the one it has is damaged, or one that it gets cannot be written down.
    """
    file = run.path / "run.json"
    kept = run.info.get("salt")
    if kept is None:
        kept = run.info["salt"] = _salted(run)
    if not isinstance(kept, str) or not _SALT.match(kept):
        problem = "damaged: its salt is not 32 digits of 0-9 and a-f; remove that line for another"
        raise RunFolderError(file, problem)
    return kept


def _salted(run: RunFolder) -> str:
    """Write a salt down, or take the one that somebody has written down meanwhile."""
    file = run.path / "run.json"
    try:
        info = json.loads(file.read_text(encoding="utf-8"))
        if "salt" in info:
            return str(info["salt"])
        salt = secrets.token_hex(N_BYTES)
        text = json.dumps(info | {"salt": salt}, indent=2, ensure_ascii=False) + "\n"
        put_file(file, text.encode())
    except (OSError, ValueError, TypeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        problem = f"cannot be written ({why}), and ids that nobody can guess must be kept there"
        raise RunFolderError(file, f"{problem}; copy the folder to where it can be") from error
    return salt


def id_of(salt: str, kind: str, *what: object) -> str:
    """The id of a thing of a kind, by what it is: 16 letters and digits.

    Examples
    --------
    >>> id_of("5a17" * 8, "rumor", 12, "won-3fa9c01e")
    'gsiZ4Ag5OK36JGhO'
    >>> len({id_of("5a17" * 8, kind, n) for kind in ("rumor", "card") for n in range(500)})
    1000
    """
    number = _keyed(salt, kind, *what)
    letters = []
    for _ in range(ID_LENGTH):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return "".join(letters)


def shuffled[Thing](
    salt: str, items: Iterable[Thing], key: Callable[[Thing], object]
) -> list[Thing]:
    """Things in an order that tells nothing of them.

    Parameters
    ----------
    salt : str
        The run's.
    items : iterable
        In any order.
    key : callable
        What a thing is known by. One more or less among them leaves the order of the
        others as it was.

    Examples
    --------
    >>> order = shuffled("5a17" * 8, ["true", "partly", "false"], str)
    >>> order == shuffled("5a17" * 8, ["false", "true", "partly"], str)
    True
    """
    return sorted(items, key=lambda item: (_keyed(salt, "order", key(item)), str(key(item))))


def luck_of(*what: object) -> int:
    """A whole number of 63 bits that follows from what is named, and from nothing else.

    Secret only if what is named is: where somebody sits follows from the salt as well.

    Examples
    --------
    >>> luck_of("seat", 4, 17) == luck_of("seat", 4, 17) != luck_of("seat", 41, 7)
    True
    """
    text = _SEAM.join(map(str, what))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) >> 1


def _keyed(salt: str, *what: object) -> int:
    text = _SEAM.join(map(str, what))
    return int.from_bytes(hmac.digest(salt.encode(), text.encode(), "sha256"))
