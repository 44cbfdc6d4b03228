"""Whether there is something to compile before a design can be played."""

from __future__ import annotations

from typing import Any


def games_to_compile(configuration: Any) -> list[str]:
    """Games of a scenario whose tables have not been compiled yet, in their order.

    Compiling takes 10 to 20 seconds a game, once a version; processes that begin at the same
    time would all do it. Games that only some points of a design set are not looked for.

    Parameters
    ----------
    configuration : Configuration
        One without a scenario has nothing to compile.
    """
    scenario = getattr(configuration, "scenario", None)
    if scenario is None or not hasattr(scenario, "taverns"):
        return []
    from ...compiled import cache_folder
    from ...games import GAMES

    games = [table.game for tavern in scenario.taverns for table in tavern.tables]
    games += [event.game for tavern in scenario.taverns for event in tavern.yard]
    folder = cache_folder()
    if folder is None:
        return list(dict.fromkeys(games))
    return [
        game for game in dict.fromkeys(games) if not any(folder.rglob(f"{GAMES[game]}.make_*.nbi"))
    ]
