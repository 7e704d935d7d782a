"""Settings of all tests."""

from hypothesis import settings

settings.register_profile("bigroad", deadline=None, derandomize=True, database=None)
settings.load_profile("bigroad")
