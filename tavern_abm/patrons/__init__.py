"""The people: their columns, their names, what they decide."""
