"""What holds for all tests: Hypothesis tries the same examples every time, and takes its time.

Whoever asks for `postgres_url` gets an empty database of a real server, which starts when the first
one asks and is gone at the end. Tests in a browser run when they are asked for by their folder:
their browser keeps an event loop running for as long as they do, in which no other test could.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.postgres import any_server, empty, own_database

settings.register_profile("house", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("house")

_BROWSER = Path(__file__).parent / "browser"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the tests in a browser out, unless somebody asks for them."""
    if collection_path != _BROWSER:
        return None
    root = config.invocation_params.dir
    asked = [(root / each.partition("::")[0]).resolve() for each in config.args]
    return None if any(each.is_relative_to(_BROWSER) for each in asked) else True


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
