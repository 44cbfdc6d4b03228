"""Playing a design into a store: who plays, in what order, whatever dies meanwhile."""
