"""What holds for all tests: Hypothesis tries the same examples every time, and takes its time."""

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("house")
