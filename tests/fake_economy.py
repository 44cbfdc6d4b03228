"""The books of a small town, made up without a model: for tests of whatever shows them."""

import numpy as np
import pandas as pd

from tavern_abm.economies.books import TownBooks

AWKWARD = ("The <b>Bold</b> & Brave", 'Zoë\'s "Crown"', "The Short Rope")
"""Signs of the houses, as users may write them."""
_SUMS = [
    "income_cp",
    "living_cp",
    "tax_cp",
    "fee_cp",
    "drink_cp",
    "bribe_cp",
    "staked_cp",
    "payout_cp",
    "repaid_cp",
    "games_net_cp",
    "lent_cp",
    "given_cp",
    "arrived_cp",
    "estate_cp",
    "net_cp",
]


def fake_books(n_nights: int = 10, n_houses: int = 3, awkward: bool = True) -> TownBooks:
    """Books that look like a town's; the sums within a table agree."""
    houses = _houses(n_houses, n_nights, awkward)
    nights = _house_nights(houses, n_nights)
    ranks = _people({"poor": 60.0, "common": 120.0, "noble": 6.0}, n_nights, "rank")
    trades = _people({"labourer": 60.0, "smith": 120.0, "noble": 6.0}, n_nights, "trade")
    trades.insert(0, "rank", ["poor", "common", "noble"])
    trades.insert(1, "wage_cp", [14, 110, 300])
    return TownBooks(
        scenario="fake-town",
        seed=1,
        n_nights=n_nights,
        inhabitants=660,
        facts=_facts(houses, trades, n_nights),
        trades=trades,
        ranks=ranks,
        spending=_spending(trades, houses),
        houses=houses,
        house_nights=nights,
        districts=_districts(houses),
        money=_money(n_nights),
        flows=_flows(ranks, houses),
        transfers=pd.DataFrame(
            [
                ("trade", "labourer", "smith", 310.5),
                ("trade", "labourer", "noble", 20.0),
                ("trade", "smith", "noble", 60.25),
                ("trade", "smith", "the house", 12.0),
                ("rank", "poor", "common", 310.5),
                ("rank", "poor", "noble", 20.0),
                ("rank", "common", "noble", 60.25),
                ("rank", "common", "the house", 12.0),
            ],
            columns=["by", "loser", "winner", "amount_cp"],
        ),
        wealth=_wealth(),
        lorenz=_lorenz(),
        mobility=_mobility(),
        turns=_turns(),
        estates=pd.DataFrame(
            {"people": [4, 1], "amount_cp": [5200, 640]},
            index=pd.Index(["left", "died"], name="how"),
        ),
        notes=("A house of few people: the Gini of so small a sample is low.",),
    )


def _houses(n: int, n_nights: int, awkward: bool) -> pd.DataFrame:
    number = np.arange(1, n + 1)
    signs = [AWKWARD[i] if awkward and i < len(AWKWARD) else f"House {i + 1}" for i in range(n)]
    guests = (40 + 13 * number % 90) * n_nights
    mug = np.array([2, 4, 8])[number % 3]
    table = pd.DataFrame(
        {
            "tavern": signs,
            "district": [("harbour", "market", "castle")[i % 3] for i in range(n)],
            "quality": 1 + number % 5,
            "custom": "decent",
            "mug_cp": mug,
            "seat_fee_cp": mug // 2,
            "nights_open": n_nights,
            "guests": guests,
            "guests_per_night": guests / n_nights,
            "drinks_cp": guests * mug * 2,
            "fees_cp": guests * (mug // 2),
            "rake_cp": number % 7 * 3,
        },
        index=pd.Index(number, name="tavern_id"),
    )
    table["takings_cp"] = table["drinks_cp"] + table["fees_cp"] + table["rake_cp"]
    table["goods_cp"] = table["drinks_cp"] // 2
    table["staff_cp"] = 250 * n_nights
    table["upkeep_cp"] = 10 * n_nights
    table["excise_cp"] = table["drinks_cp"] // 20
    table["costs_cp"] = table[["goods_cp", "staff_cp", "upkeep_cp", "excise_cp"]].sum(axis=1)
    table["profit_cp"] = table["takings_cp"] - table["costs_cp"]
    table["profit_per_night_cp"] = table["profit_cp"] / n_nights
    table["invested_cp"] = 0
    table["wound_up_cp"] = 0
    table["till_start_cp"] = 10_000
    table["till_cp"] = table["till_start_cp"] + table["profit_cp"]
    table["unpaid_cp"] = 0
    table["staked_cp"] = guests * 5
    table["closed_night"] = pd.array([pd.NA] * n, dtype="Int64")
    return table


def _house_nights(houses: pd.DataFrame, n_nights: int) -> pd.DataFrame:
    rows = []
    for night in range(1, n_nights + 1):
        for tavern_id, house in houses.iterrows():
            takings, costs = (
                int(house["takings_cp"]) // n_nights,
                int(house["costs_cp"]) // n_nights,
            )
            till = 10_000 + night * (takings - costs)
            guests = int(house["guests"]) // n_nights
            rows.append((night, tavern_id, guests, takings, costs, takings - costs, till))
    names = ["night", "tavern_id", "guests", "takings_cp", "costs_cp", "profit_cp", "till_cp"]
    return pd.DataFrame(rows, columns=names)


def _people(groups: dict[str, float], n_nights: int, name: str) -> pd.DataFrame:
    index = pd.Index(list(groups), name=name)
    people = np.array(list(groups.values()))
    wages = np.array([14, 110, 300])[: len(groups)]
    table = pd.DataFrame(0, index=index, columns=_SUMS)
    table.insert(0, "people", people)
    table.insert(1, "person_days", (people * n_nights).astype(int))
    table.insert(2, "paid_days", (people * n_nights).astype(int))
    table.insert(3, "nights_out", (people * n_nights * 0.5).astype(int))
    table.insert(4, "mugs", (people * n_nights * 1.2).astype(int))
    days = table["person_days"]
    table["income_cp"] = days * wages
    table["living_cp"] = days * wages * 8 // 10
    table["tax_cp"] = table["income_cp"] // 20
    table["fee_cp"] = table["nights_out"] * 2
    table["drink_cp"] = table["mugs"] * 4
    table["staked_cp"] = days * 3
    table["games_net_cp"] = [-330, 258, 60][: len(groups)]
    table["payout_cp"] = table["staked_cp"] + table["games_net_cp"]
    table["arrived_cp"] = 900
    table["estate_cp"] = 1100
    spent = table[["living_cp", "tax_cp", "fee_cp", "drink_cp", "estate_cp"]].sum(axis=1)
    table["net_cp"] = table["income_cp"] + table["games_net_cp"] + table["arrived_cp"] - spent
    for short, column in (
        ("income", table["income_cp"]),
        ("living", table["living_cp"]),
        ("tax", table["tax_cp"]),
        ("drink", table["drink_cp"] + table["fee_cp"]),
        ("games_net", table["games_net_cp"]),
        ("staked", table["staked_cp"]),
    ):
        table[f"{short}_a_day"] = column / days
    table["purses_cp"] = [9_000, 160_000, 34_000][: len(groups)]
    table["median_cp"] = [150.0, 1300.5, 5000.0][: len(groups)]
    return table


def _spending(trades: pd.DataFrame, houses: pd.DataFrame) -> pd.DataFrame:
    sums = {kind: int(trades[f"{kind}_cp"].sum()) for kind in ("living", "drink", "fee", "tax")}
    sums |= {"games": int(houses["rake_cp"].sum()), "bribe": 0}
    total = sum(sums.values())
    return pd.DataFrame(
        {"amount_cp": list(sums.values()), "share": [each / total for each in sums.values()]},
        index=pd.Index(list(sums), name="kind"),
    )


def _districts(houses: pd.DataFrame) -> pd.DataFrame:
    sums = houses.groupby("district")[["guests", "takings_cp", "profit_cp"]].sum()
    sums.insert(0, "houses", houses.groupby("district").size())
    sums.insert(1, "people", 186.0 / len(sums))
    sums["median_cp"] = 800.0
    return sums


def _money(n_nights: int) -> pd.DataFrame:
    nights = np.arange(n_nights + 1)
    purses, tills = 200_000 + 300 * nights, 30_000 + 90 * nights
    return pd.DataFrame(
        {
            "purses_cp": purses,
            "tills_cp": tills,
            "supply_cp": purses + tills,
            "inflow_cp": np.where(nights > 0, 20_390, 0),
            "outflow_cp": np.where(nights > 0, 20_000, 0),
            "treasury_cp": 700 * nights,
            "staked_cp": np.where(nights > 0, 900, 0),
            "turnover": np.where(nights > 0, 900 / (purses + tills), 0.0),
        },
        index=pd.Index(nights, name="night"),
    )


def _flows(ranks: pd.DataFrame, houses: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for rank, sums in ranks.iterrows():
        purse = f"purses/{rank}"
        rows += [
            ("outside", purse, "wage", sums["income_cp"]),
            ("outside", purse, "arrival", sums["arrived_cp"]),
            (purse, "outside", "living", sums["living_cp"]),
            (purse, "outside", "estate", sums["estate_cp"]),
            (purse, "treasury", "tax", sums["tax_cp"]),
            (purse, "tills", "fee", sums["fee_cp"]),
            (purse, "tills", "drink", sums["drink_cp"]),
            (purse, "tables", "stake", sums["staked_cp"]),
            ("tables", purse, "payout", sums["payout_cp"]),
        ]
    rows += [
        ("tables", "tills", "rake", houses["rake_cp"].sum()),
        ("tills", "outside", "goods", houses["goods_cp"].sum()),
        ("tills", "outside", "staff", houses["staff_cp"].sum()),
        ("tills", "outside", "upkeep", houses["upkeep_cp"].sum()),
        ("tills", "treasury", "excise", houses["excise_cp"].sum()),
    ]
    table = pd.DataFrame(rows, columns=["source", "target", "reason", "amount_cp"])
    return table.astype({"amount_cp": int})


def _facts(
    houses: pd.DataFrame, trades: pd.DataFrame, n_nights: int
) -> dict[str, float | int | None]:
    money = _money(n_nights)
    staked, rake = int(trades["staked_cp"].sum()), int(houses["rake_cp"].sum())
    return {
        "opening_cp": int(money["supply_cp"].iloc[0]),
        "inflow_cp": int(money["inflow_cp"].sum()),
        "outflow_cp": int(money["outflow_cp"].sum()),
        "closing_cp": int(money["supply_cp"].iloc[-1]),
        "purses_cp": int(money["purses_cp"].iloc[-1]),
        "tills_cp": int(money["tills_cp"].iloc[-1]),
        "treasury_cp": int(money["treasury_cp"].iloc[-1]),
        "people": float(trades["people"].sum()),
        "places": 190,
        "houses": len(houses),
        "houses_open": len(houses),
        "coins_a_head_cp": 1095.2,
        "wages_cp": int(trades["income_cp"].sum()),
        "staked_cp": staked,
        "rake_cp": rake,
        "hold": rake / staked,
        "lost_cp": 900,
        "turnover": float(money["turnover"].iloc[1:].mean()) if n_nights else None,
        "gambling_share": 0.01,
        "mugs": int(trades["mugs"].sum()),
        "mug_cp": 4.25,
        "takings_cp": int(houses["takings_cp"].sum()),
        "profit_cp": int(houses["profit_cp"].sum()),
        "quality_takings": 0.5,
        "district_takings": None,
        "tax_rate": 0.05,
        "spearman": 0.83,
        "shorrocks": 0.45,
        "ruined": 2,
        "enriched": 1,
    }


def _wealth() -> pd.DataFrame:
    columns = [
        "n",
        "total_cp",
        "mean_cp",
        "median_cp",
        "gini",
        "gini_small_sample",
        "theil",
        "hoover",
        "top_1",
        "top_10",
        "top_20",
    ]
    rows = [
        (186, 200_000, 1075.3, 700.0, 0.43, 0.4323, 0.31, 0.31, 0.05, 0.31, 0.48),
        (185, 203_000, 1097.3, 690.5, 0.46, 0.4625, 0.36, 0.33, 0.06, 0.34, 0.51),
        (90, 2_100, 23.3, 12.0, 0.61, 0.6169, 0.70, 0.45, 0.12, 0.45, 0.62),
    ]
    return pd.DataFrame(
        rows, columns=columns, index=pd.Index(["start", "end", "losses"], name="when")
    )


def _lorenz() -> pd.DataFrame:
    people = np.linspace(0, 1, 21)
    curves = {"start": people**2.5, "end": people**2.7, "losses": people**4.0}
    return pd.concat(
        pd.DataFrame({"of": name, "share_of_people": people, "share_of_wealth": curve})
        for name, curve in curves.items()
    ).reset_index(drop=True)


def _mobility() -> pd.DataFrame:
    stay = np.full((5, 5), 0.09) + np.eye(5) * 0.55
    stay[0, 1] = stay[1, 0] = 0.09
    table = pd.DataFrame(stay / stay.sum(axis=1, keepdims=True), columns=range(1, 6))
    return table.set_index(pd.Index(range(1, 6), name="start"))


def _turns() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "patron_id": [3, 9, 44],
            "name": ['Ned "Fingers" O\'Malley', "<script>alert('boo')</script>", "Alda Brook"],
            "trade": ["labourer", "smith", "barmaid"],
            "called": ["labourer", "smith", "potman"],
            "rank": ["poor", "common", "common"],
            "turn": ["ruined", "ruined", "enriched"],
            "start_cp": [210, 1300, 900],
            "end_cp": [3, 7, 2600],
            "games_net_cp": [-180, -1100, 1500],
        }
    )
