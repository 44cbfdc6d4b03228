"""Figures of a run. Each is one function of data frames, in a file of its own."""
