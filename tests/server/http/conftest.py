"""One demo venue for all tests of its HTTP side; each test makes terminals of its own."""

from collections.abc import Iterator

import pytest

from tests.kit.desk import Desk, opened


@pytest.fixture(scope="package")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Give a demo venue that is served."""
    with opened(tmp_path_factory.mktemp("venue") / "data") as desk:
        yield desk
