"""Exact values, worked out from the rule sheets alone.

Nothing in here imports the rest of the package. A mistake in a rule, a
likelihood or a kernel therefore cannot stand on both sides of a check: these
are second, independent derivations, written for whatever parameters are given.
"""
