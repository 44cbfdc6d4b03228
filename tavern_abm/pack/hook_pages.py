"""Situations as pages for the game master: plain text, Markdown, JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from ..rumor_words import in_passing
from .documents import SessionHook

WIDTH = 88
NOTHING = "No situation to walk into: the record of this evening has none in this place."


def lines_of(hook: SessionHook) -> Iterator[tuple[str, Sequence[str]]]:
    """The lines of a situation under their names, in the order in which they are needed."""
    yield "now", (hook.now,)
    yield "wants", hook.wants
    yield "clock", (hook.clock,)
    yield "if nobody acts", (hook.if_nobody,)
    yield "lever", (hook.lever,)
    yield "stakes", (hook.stakes,)


def to_text(hooks: Sequence[SessionHook]) -> str:
    """Situations as plain text, one after the other."""
    return "\n\n".join("\n".join(_text(n, hook)) for n, hook in enumerate(hooks, 1)) or NOTHING


def _text(number: int, hook: SessionHook) -> Iterator[str]:
    yield f"{number}. {hook.title.upper()} ({in_passing(hook.tavern)})"
    for name, texts in lines_of(hook):
        for at, text in enumerate(texts):
            lead = f"   {name.upper() if at == 0 else '':<15}"
            yield textwrap.fill(text, WIDTH, initial_indent=lead, subsequent_indent=" " * len(lead))


def to_markdown(hooks: Sequence[SessionHook]) -> str:
    """Situations in Markdown, a heading each."""
    return "\n\n".join("\n".join(_markdown(hook)) for hook in hooks) or NOTHING


def _markdown(hook: SessionHook) -> Iterator[str]:
    yield f"## {_escaped(hook.title)}"
    yield ""
    yield f"*{_escaped(in_passing(hook.tavern))}*"
    yield ""
    for name, texts in lines_of(hook):
        said = "; ".join(_escaped(text) for text in texts)
        yield f"- **{name.capitalize()}** {said}"


def _escaped(text: str) -> str:
    r"""Text in which Markdown finds nothing of its own.

    Examples
    --------
    >>> print(_escaped("Tam [Red] *Harl* <b>"))
    Tam \[Red\] \*Harl\* \<b>
    """
    return "".join(f"\\{sign}" if sign in "\\`*_[]<#|" else sign for sign in text)


def to_json(hooks: Sequence[SessionHook]) -> str:
    """Situations as a JSON list of objects: all that a `SessionHook` holds."""
    return json.dumps([asdict(hook) for hook in hooks], indent=2, ensure_ascii=False)


PAGES = {"text": to_text, "md": to_markdown, "json": to_json}
"""What makes a page in each format."""
