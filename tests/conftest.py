"""What holds for all tests: Hypothesis tries the same examples every time, and takes its time.

Whoever asks for `postgres_url` gets an empty database of a real server, which starts when the first
one asks and is gone at the end.
"""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.postgres import any_server, empty, own_database

settings.register_profile("house", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("house")


@pytest.fixture(scope="session")
def postgres_database() -> Iterator[str]:
    """Give the address of a database of our own on a real server, for the whole run."""
    with any_server() as server, own_database(server) as url:
        yield url


@pytest.fixture
def postgres_url(postgres_database: str) -> str:
    """Give the address of a database that is empty."""
    empty(postgres_database)
    return postgres_database
