"""Files for other programs, made of a run folder or of an evening; one format a file."""
