"""Pages of experiments: of a sweep, of a what-if, of two runs held against each other."""
