"""How a run is played, and what is taken from it: outcomes, series, a digest."""
