"""How a table plays a round of its game."""
