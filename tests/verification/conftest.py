"""One small journal for all tests of proving, made once, and what it is proved by."""

import shutil
from pathlib import Path

import pytest

from taisai.runtime.verification.verifier import Asked
from tests.kit.journals import make_journal, venue_keys


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of three tables, with checkpoints and snapshots; not to be touched."""
    file = tmp_path_factory.mktemp("made") / "journal.sqlite"
    return make_journal(file, seed=57, rounds=4, batch=25, snapshot_every=5)


@pytest.fixture
def file(made: Path, tmp_path: Path) -> Path:
    """A copy of that journal, to do anything to."""
    return Path(shutil.copy(made, tmp_path / "journal.sqlite"))


@pytest.fixture
def asked() -> Asked:
    """The keys of the venue."""
    return Asked(venue_keys().public)
