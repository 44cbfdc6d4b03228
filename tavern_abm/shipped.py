"""Where the files that come with the program are.

A wheel carries scenarios, data and dashboards inside the package; a checkout
has them beside it, and so has an editable install, which is only a pointer to
the checkout.
"""

from pathlib import Path

SHIPPED = ("scenarios", "data", "dashboards")

_PACKAGE = Path(__file__).resolve().parent


def shipped(kind: str) -> Path:
    """Find the folder of shipped files of one kind.

    The folder inside the package is taken first, so that an installed copy never
    picks up a folder of the same name that happens to lie beside it.

    Parameters
    ----------
    kind : {"scenarios", "data", "dashboards"}
        Which folder.

    Returns
    -------
    pathlib.Path
        The folder, absolute; it exists.

    Raises
    ------
    FileNotFoundError
        If `kind` is not a shipped folder, or the installation lacks it.

    Examples
    --------
    >>> shipped("scenarios").name
    'scenarios'
    """
    if kind not in SHIPPED:
        raise FileNotFoundError(f"no shipped folder {kind!r}; there are {', '.join(SHIPPED)}")
    places = (_PACKAGE / kind, _PACKAGE.parent / kind)
    for place in places:
        if place.is_dir():
            return place
    raise FileNotFoundError(
        f"shipped folder {kind!r} is missing: looked for {places[0]} and {places[1]}; "
        "reinstall tavern-abm"
    )
