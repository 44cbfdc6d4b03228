"""The page of a sweep: one HTML file."""
