"""Experiments: many runs of a design, their store, and what can be said of them.

The path of the data, one way: a design file -> `Design` -> `Run` by `Run` through a
`Configuration` -> `Output` -> the streams of a `Store` -> merged tables -> summaries.
"""

from __future__ import annotations
