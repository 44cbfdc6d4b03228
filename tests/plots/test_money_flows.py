import pandas as pd

from tavern_abm.plots.money_flows import (
    DRAWN,
    KEPT,
    OTHER,
    TILLS_DRAWN,
    TILLS_KEPT,
    WINNERS,
    Stream,
    plot_money_flows,
    streams,
    tavern_streams,
)

COLUMNS = ["source", "target", "reason", "amount_cp"]


def flows(*rows: tuple[str, str, str, int]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=COLUMNS)


EVENING = flows(
    ("outside", "purses/poor", "wage", 1000),
    ("outside", "purses/noble", "wage", 3000),
    ("purses/poor", "outside", "living", 700),
    ("purses/noble", "outside", "living", 3200),
    ("purses/poor", "tills", "drink", 80),
    ("purses/poor", "tills", "fee", 20),
    ("purses/poor", "tables", "stake", 500),
    ("tables", "purses/poor", "payout", 440),
    ("purses/noble", "tables", "stake", 300),
    ("tables", "purses/noble", "payout", 350),
    ("tables", "tills", "rake", 10),
    ("tills", "outside", "goods", 40),
    ("tills", "outside", "staff", 90),
    ("purses/poor", "treasury", "tax", 5),
    ("tills", "treasury", "excise", 4),
)


def found(some: list[Stream]) -> dict[tuple[str, str], int]:
    return {(each.source, each.target): each.amount_cp for each in some}


def test_every_account_gives_what_it_gets() -> None:
    assert found(streams(EVENING)) == {
        ("wages", "purses/poor"): 1000,
        ("wages", "purses/noble"): 3000,
        ("purses/poor", "living"): 700,
        ("purses/noble", "living"): 3200,
        ("purses/poor", "taverns"): 100,
        ("purses/poor", "the tables"): 60,
        ("the tables", "won by nobles"): 50,
        ("the tables", "taverns"): 10,
        ("taverns", "the brewer"): 40,
        ("taverns", "staff"): 90,
        ("purses/poor", "the treasury"): 5,
        ("taverns", "the treasury"): 4,
        # What is left of it: 1000 - 700 - 100 - 60 - 5; 3000 - 3200; 110 - 134.
        ("purses/poor", KEPT): 135,
        (DRAWN, "purses/noble"): 200,
        (TILLS_DRAWN, "taverns"): 24,
    }


def test_nothing_gets_lost_on_the_way() -> None:
    into: dict[str, int] = {}
    out_of: dict[str, int] = {}
    for source, target, amount in streams(EVENING):
        assert amount > 0
        out_of[source] = out_of.get(source, 0) + amount
        into[target] = into.get(target, 0) + amount
    middle = set(into) & set(out_of)
    assert {name for name in middle if into[name] != out_of[name]} == set()
    assert {"taverns", "the tables", "purses/poor"} <= middle


def test_a_full_till_is_kept() -> None:
    evening = flows(("purses/poor", "tills", "drink", 9), ("tills", "outside", "goods", 4))
    assert found(streams(evening))["taverns", TILLS_KEPT] == 5


def test_gifts_and_what_was_taken_away_stand_at_either_end() -> None:
    given = flows(
        ("outside", "purses/poor", "intervention", 9),
        ("purses/noble", "outside", "intervention", 4),
    )
    assert ("gifts", "purses/poor") in found(streams(given))
    assert ("purses/noble", "taken away") in found(streams(given))


def test_the_part_in_taverns_leaves_out_wages_and_living() -> None:
    some = found(tavern_streams(EVENING))
    assert some["purses/poor", "taverns"] == 100
    assert {"wages", "living", KEPT, DRAWN}.isdisjoint({end for ends in some for end in ends})


def test_what_is_drawn() -> None:
    figure = plot_money_flows(EVENING)
    (sankey,) = figure.data
    labels = list(sankey.node.label)
    assert "wages 40 gp" in labels
    assert "common people" not in " ".join(labels)
    assert len(sankey.link.value) == len(streams(EVENING))
    assert all(0 < each < 1 for each in [*sankey.node.x, *sankey.node.y])
    assert all(a != b for a, b in zip(sankey.link.source, sankey.link.target, strict=True))
    by_name = dict(zip(labels, sankey.node.x, strict=True))
    assert by_name["wages 40 gp"] < by_name["the poor 10 gp"] < by_name["living 39 gp"]
    told = "the poor → living: 7 gp"
    assert told in sankey.link.customdata
    assert figure.layout.meta["paper"] < figure.layout.height


def test_the_smallest_ends_are_put_together() -> None:
    many = pd.concat(
        [
            EVENING.assign(amount_cp=EVENING["amount_cp"] * 10_000),
            flows(
                ("purses/poor", "outside", "bribe", 2),
                ("purses/poor", "outside", "estate", 3),
            ),
        ]
    )
    figure = plot_money_flows(many)
    names = list(figure.data[0].node.customdata)
    assert OTHER in names
    assert {"bribes", "left or died with it"}.isdisjoint(names)
    assert WINNERS not in names
    values = dict(zip(figure.data[0].link.customdata, figure.data[0].link.value, strict=True))
    assert values[f"the poor → {OTHER}: 5 cp"] == 5


def test_nothing_to_draw() -> None:
    nothing = flows()
    assert plot_money_flows(nothing).layout.annotations[0].text == "No coin changed hands."
    wages = EVENING.head(2)
    text = plot_money_flows(wages, in_taverns=True).layout.annotations[0].text
    assert text == "Nobody spent a coin in a tavern."
