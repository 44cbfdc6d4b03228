"""Estimates with intervals, differences on shared luck, and summaries of them."""
