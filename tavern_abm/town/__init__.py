"""Houses, days, doors and money."""
