"""The books of a town as a page: one HTML file that opens anywhere and prints on paper."""

from __future__ import annotations

from .. import html_pages
from .books import TownBooks
from .common_lot import vacant_places
from .page_headlines import headlines
from .page_panels import panels


def page(books: TownBooks) -> str:
    """Make the page of a town's money as text.

    It needs no network, and fits on A4 and Letter when it is printed: figures
    and open tables stay whole. The same books give the same bytes.

    Parameters
    ----------
    books : TownBooks
        As `books_of` makes them from the folder of a run.

    Returns
    -------
    str
        HTML, with all figures, styles and scripts in it.
    """
    parts = panels(books)
    figures = {each.id: each.figure for each in parts if each.figure is not None}
    template = html_pages.environment().get_template("economy/page.html.j2")
    return template.render(
        books=books,
        headlines=headlines(books),
        vacant=vacant_places(books),
        panels=parts,
        figures=html_pages.embedded_figures(figures),
        style=html_pages.part("report/page.css", "economy/page.css"),
        script=html_pages.part("figures.js", "economy/page.js"),
        plotly=html_pages.plotly_js(),
    )
