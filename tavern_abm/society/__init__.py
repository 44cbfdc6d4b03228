"""What people believe of each other, and what they make of it."""
