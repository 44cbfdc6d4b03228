"""Settings of every test."""

from hypothesis import settings

# A first call may compile a kernel, and machines may be busy: time is no error.
settings.register_profile("tavern", deadline=None)
settings.load_profile("tavern")
