"""What goes into pages of HTML, and cannot break out of them."""

import json

import jinja2
import plotly.graph_objects as go
import pytest

from tavern_abm import html_pages


def test_text_cannot_end_the_script_it_stands_in() -> None:
    name = "</script><!-- <script> \u2028 & \"'"
    text = html_pages.embedded({"name": name})
    assert "<" not in text
    assert "\u2028" not in text
    assert json.loads(str(text)) == {"name": name}


def test_a_number_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        html_pages.embedded([float("nan")])


def test_figures_are_plain_data() -> None:
    text = html_pages.embedded_figures({"one": go.Figure(go.Bar(x=[1], y=[2]))})
    assert json.loads(str(text))["one"]["data"][0]["y"] == [2]


def test_parts_are_put_one_after_the_other() -> None:
    both = html_pages.part("report/page.css", "economy/page.css")
    assert both == "\n".join(
        html_pages.part(name) for name in ("report/page.css", "economy/page.css")
    )


def test_templates_escape_and_know_all_their_names() -> None:
    made = html_pages.environment()
    assert made.from_string("{{ name }}").render(name="<b>") == "&lt;b&gt;"
    assert made.from_string("{{ 2 | times('night') }}").render() == "2 nights"
    with pytest.raises(jinja2.UndefinedError):
        made.from_string("{{ name }}").render()


def test_the_library_does_not_end_its_script() -> None:
    assert "</script" not in html_pages.plotly_js()
