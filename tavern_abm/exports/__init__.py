"""Files for other programs, made from a run folder; one format a file."""
