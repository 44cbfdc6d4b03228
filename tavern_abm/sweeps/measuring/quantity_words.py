"""What quantities that are columns of the nights are called, and under which heading they stand."""

from __future__ import annotations

MONEY, PLAY, CHEATS, BELIEFS, TALK, PEOPLE, HOUSES = GROUPS = (
    "Money",
    "Play",
    "Cheating and justice",
    "Beliefs against the truth",
    "Talk",
    "People",
    "Houses",
)
"""Headings of the reference page, in order."""
STANDING = (
    *("suspected_right", "suspected_wrong", "missed", "unsuspected", "till_cp", "gini"),
    *("median_cp", "broke", "living", "brier", "repute", "stakes_pct", "is_open"),
)
"""Columns of the nights that say how things stand at closing time: of these the last counts."""
OF_THE_TOWN = ("gini", "median_cp", "broke", "living", "brier")
MEAN_OF_HOUSES = ("repute", "stakes_pct")
TITLES = {
    "gini": "Gini of purses",
    "median_cp": "Median purse",
    "broke": "People who are broke",
    "living": "People living here",
    "brier": "Brier score of beliefs",
    "till_cp": "Coins in tills",
    "is_open": "Houses open",
    "repute": "Name of the houses",
    "stakes_pct": "Stakes agreed on",
    "games": "Tables opened",
    "rake_cp": "Rake",
    "staked_cp": "Coins staked",
    "changed_hands_cp": "Coins that changed hands",
    "bets_cp": "Bets on contests",
    "drinks_cp": "Paid for drinks",
    "unpaid_cp": "Bills unpaid",
    "bribes_cp": "Paid in bribes",
    "loans_cp": "Coins lent",
    "paid_back": "Loans paid back",
    "dodged": "Loans dodged",
    "hurt": "People hurt",
    "cheats_hands": "Rounds of cheats as the Hand",
    "cheats_staked_cp": "Staked by cheats as the Hand",
    "cheats_net_cp": "Won by cheats as the Hand",
    "honest_hands": "Rounds of honest people as the Hand",
    "honest_staked_cp": "Staked by honest people as the Hand",
    "honest_net_cp": "Won by honest people as the Hand",
    "tricks_convicted": "Tricks caught in the act",
    "tricked_hands": "Rounds with a trick",
    "dice_noticed": "Weighted dice noticed",
    "accusations_just": "Just accusations",
    "accusations_unjust": "Unjust accusations",
    "convictions_just": "Just convictions",
    "convictions_unjust": "Unjust convictions",
    "beaten_just": "Cheats beaten",
    "beaten_unjust": "Others beaten by sentence",
    "killed_just": "Cheats killed",
    "killed_unjust": "Others killed",
    "too_lucky": "Beaten for luck",
    "too_lucky_chances": "Chances to be beaten for luck",
    "ran": "Condemned who ran",
    "got_away": "Condemned who got away",
    "rumors": "Rumours",
    "believed": "Tellings believed",
    "suspected_right": "Cheats suspected (pairs)",
    "suspected_wrong": "Honest people suspected (pairs)",
    "missed": "Cheats not suspected (pairs)",
    "unsuspected": "Honest people not suspected (pairs)",
}
MEANINGS = {
    "gini": "of all who live here, whatever their tavern: 0 all have the same, 1 one has all",
    "median_cp": "of all who live here",
    "broke": "who cannot pay the fee and two mugs",
    "games": "added up over the sittings",
    "rake_cp": "the house's share of what changes hands",
    "drinks_cp": "at the bar",
    "bribes_cp": "for milder sentences",
    "killed_just": "by sentence",
    "killed_unjust": "by sentence, though they had not cheated",
    "got_away": "of those who ran, those whom nobody caught",
    "believed": "those that were new to the listener and believed",
    "suspected_right": "who holds a cheat for one (belief above 0.5); in the home tavern of the "
    "one who believes it",
    "brier": "mean squared distance from the truth of all beliefs about people living here",
    "till_cp": "as the night closed",
    "repute": "as the night closed: 0 as any, below 0 ill",
}
"""Where the words of the table of nights hang on the column before."""
COLUMNS_OF = {
    MONEY: "gini median_cp broke",
    PLAY: "guests games rounds staked_cp changed_hands_cp contests bets_cp hurt cheats_hands "
    "cheats_staked_cp cheats_net_cp honest_hands honest_staked_cp honest_net_cp",
    CHEATS: "tricks_tried tricks_noticed tricks_convicted accusations_just accusations_unjust "
    "convictions_just convictions_unjust cleared warned thrown_out banned beaten_just "
    "beaten_unjust killed_just killed_unjust too_lucky too_lucky_chances brawls tricked_hands "
    "dice_noticed ran got_away bribes bribes_cp",
    BELIEFS: "suspected_right suspected_wrong missed unsuspected brier",
    TALK: "hearsay rumors tellings believed",
    PEOPLE: "living loans loans_cp paid_back dodged",
    HOUSES: "rake_cp mugs drinks_cp till_cp unpaid_cp is_open repute stakes_pct",
}
GROUP_OF = {name: group for group, names in COLUMNS_OF.items() for name in names.split()}
