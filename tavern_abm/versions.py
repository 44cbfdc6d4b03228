"""What is noted of the programs by which something was played."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("tavern-abm", "mesa", "numba", "numpy", "pandas", "pyarrow", "scipy")
"""Those that have a say in the results, or in the bytes of the tables."""


def versions() -> dict[str, str | None]:
    """Versions of Python and of the packages that have a say in the results.

    Examples
    --------
    >>> list(versions())
    ['python', 'tavern_abm', 'mesa', 'numba', 'numpy', 'pandas', 'pyarrow', 'scipy']
    """
    found = {name.replace("-", "_"): _version(name) for name in PACKAGES}
    return {"python": sys.version.split()[0]} | found


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:  # run from a checkout that is not installed
        return None
