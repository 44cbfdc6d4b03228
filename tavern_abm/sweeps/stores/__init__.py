"""The folder of a sweep: streams, records, locks, and the tables made of them."""
