"""One thing changed on the same luck, and two runs held against each other."""
