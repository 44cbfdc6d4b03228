"""What a run hangs on beside its scenario and seed: it goes on as it was only with the same."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ..patrons.decisions import Policy, shipped_decisions


def own_decisions(policy: Policy) -> list[str]:
    """Names of the decisions of a policy that are not the shipped ones."""
    shipped = shipped_decisions()
    return [name for name in policy if policy[name] is not shipped[name]]


def digest_of_files(folder: str | None) -> str | None:
    """SHA-256 over the names and bytes of the tables in a folder of one's own."""
    if folder is None:
        return None
    sha = hashlib.sha256()
    for file in sorted(Path(folder).rglob("*.toml")):
        content = file.read_bytes()
        sha.update(f"{file.relative_to(folder).as_posix()} {len(content)}\n".encode())
        sha.update(content)
    return sha.hexdigest()
