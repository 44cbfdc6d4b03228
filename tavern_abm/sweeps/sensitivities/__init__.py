"""Which factor moves an outcome, and how far."""
