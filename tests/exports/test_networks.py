"""The suspicion network as GEXF and GraphML: read back, it is what the tables say."""

import io
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from tavern_abm import TavernModel
from tavern_abm.cli import tavern
from tavern_abm.cli.export import NETWORKS as OFFERED
from tavern_abm.exports.networks import NETWORKS, files, gexf, graphml, suspicion_graph
from tavern_abm.run_folder import RunFolder, RunFolderError, read_run
from tavern_abm.writing import write_run
from tests.fake_run import AWKWARD, Fake, write_fake_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # People come and go, and some are dead by the end of the second week.
    lively = {"population.leave_prob": 0.05, "population.share_of_cheats": 0.4}
    model = TavernModel("orc-gate", rng=5, patrons=40, **lively)
    model.run_for(9)
    return write_run(model, tmp_path_factory.mktemp("runs") / "run", report=False)


@pytest.fixture(scope="module")
def run(folder: Path) -> RunFolder:
    return read_run(folder)


def back(format_: str, content: bytes) -> nx.DiGraph:
    """A file as networkx reads it."""
    read = nx.read_gexf if format_ == "gexf" else nx.read_graphml
    return read(io.BytesIO(content), node_type=int)


def export(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["export", *arguments], prog_name="tavern")


@pytest.mark.parametrize("format_", NETWORKS)
@pytest.mark.parametrize("night", [7, 9])
def test_read_back_the_edges_are_those_of_the_table(
    run: RunFolder, format_: str, night: int
) -> None:
    (content,) = files(run, format_, night).values()
    graph = back(format_, content)
    table = run.table("suspicion")
    table = table[table["night"] == night]
    assert graph.is_directed()
    assert graph.number_of_edges() == len(table) > 0
    for row in table.itertuples():
        edge = graph.edges[row.observer_id, row.subject_id]
        assert edge["belief"] == edge["weight"] == row.belief
        assert np.float32(edge["log_odds"]) == np.float32(row.log_odds)
        assert np.float32(edge["n_own"]) == np.float32(row.n_own)
        assert edge["settled"] is bool(row.settled)


@pytest.mark.parametrize("format_", NETWORKS)
def test_the_nodes_are_those_who_lived_here_that_night_or_are_remembered(
    run: RunFolder, format_: str
) -> None:
    wealth, patrons = run.table("wealth"), run.table("patrons").set_index("patron_id")
    for night in (7, 9):
        gold = wealth[wealth["night"] == night].set_index("patron_id")["gold_cp"]
        graph = back(format_, next(iter(files(run, format_, night).values())))
        remembered = set(graph) - set(gold.index)
        assert set(gold.index) <= set(graph)
        assert all(graph.in_degree(patron_id) for patron_id in remembered)
        for patron_id, node in graph.nodes(data=True):
            row = patrons.loc[patron_id]
            assert node["is_here"] is (patron_id not in remembered)
            assert node.get("gold_cp") == gold.get(patron_id)
            assert (node["name"], node["trade"]) == (row["name"], row["trade"])
            assert node["feats"] == ";".join(row["feats"])
            tried = pd.notna(row["first_try_night"]) and row["first_try_night"] <= night
            assert node["is_cheat"] is bool(row["is_cheat_kind"] and tried)
            assert ("gone_night" in node) == bool(pd.notna(row["gone_night"]))


def test_reputation_is_the_mean_belief_of_that_night(run: RunFolder) -> None:
    graph = suspicion_graph(run, 7)
    for patron_id, node in graph.nodes(data=True):
        beliefs = [edge["belief"] for _, _, edge in graph.in_edges(patron_id, data=True)]
        assert node["believers"] == len(beliefs)
        assert node["notoriety"] == sum(belief > 0.5 for belief in beliefs)
        if beliefs:
            assert node["reputation"] == pytest.approx(np.mean(beliefs))
        else:
            assert "reputation" not in node


@pytest.mark.parametrize("write", [gexf, graphml])
def test_the_same_run_gives_the_same_bytes_whatever_the_day(
    run: RunFolder, write: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = write(suspicion_graph(run))
    monkeypatch.setattr("time.strftime", lambda *_: "1999-12-31")
    assert write(suspicion_graph(run)) == before


def test_gexf_is_the_draft_that_gephi_reads_without_a_date(run: RunFolder) -> None:
    text = gexf(suspicion_graph(run)).decode()
    assert 'xmlns="http://www.gexf.net/1.2draft"' in text
    assert "lastmodifieddate" not in text
    assert 'defaultedgetype="directed"' in text
    labels = re.findall(r'<node id="\d+" label="([^"]+)"', text)
    assert len(labels) == suspicion_graph(run).number_of_nodes()


def test_booleans_of_graphml_are_those_of_xml(run: RunFolder) -> None:
    root = ET.fromstring(graphml(suspicion_graph(run)))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    kinds = {key.get("id"): key.get("attr.type") for key in root.iter(f"{space}key")}
    found = {data.text for data in root.iter(f"{space}data") if kinds[data.get("key")] == "boolean"}
    assert found == {"true", "false"}


@pytest.mark.parametrize("format_", NETWORKS)
def test_names_that_are_hard_on_xml(tmp_path: Path, format_: str) -> None:
    run = read_run(write_fake_run(tmp_path / "run", Fake(patrons=8, nights=3)))
    graph = back(format_, next(iter(files(run, format_).values())))
    assert set(AWKWARD) <= {node["name"] for _, node in graph.nodes(data=True)}


def test_a_night_that_was_not_written_down(run: RunFolder) -> None:
    with pytest.raises(RunFolderError, match=r"no network of night 8 .* those of 7, 9\)"):
        suspicion_graph(run, 8)


def test_the_command(folder: Path, tmp_path: Path) -> None:
    assert set(OFFERED) == set(NETWORKS)
    place = tmp_path / "net"
    result = export(str(folder), "--to", "gexf", "--night", "7", "--out", str(place))
    assert (result.exit_code, result.stdout) == (0, f"{place}\n")
    assert [path.name for path in place.iterdir()] == ["suspicion-night-7.gexf"]
    result = export(str(folder), "--to", "graphml", "--night", "8")
    assert result.exit_code == 3
    assert "no network of night 8" in result.stderr
    result = export(str(folder), "--to", "graphml", "--die", "d6")
    assert result.exit_code == 2
    assert "--die is about one evening; --to graphml writes the whole network" in result.stderr
