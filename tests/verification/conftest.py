"""One small journal for all tests of verification, and the keys to verify it with."""

import shutil
from pathlib import Path

import pytest

from taisai.runtime.verification.verifier import Asked
from tests.kit.journals import make_journal, venue_keys


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a journal of three tables, with checkpoints and snapshots; tests must not change it."""
    file = tmp_path_factory.mktemp("made") / "journal.sqlite"
    return make_journal(file, seed=57, rounds=4, batch=25, snapshot_every=5)


@pytest.fixture
def file(made: Path, tmp_path: Path) -> Path:
    """Give a copy of that journal, which a test may change."""
    return Path(shutil.copy(made, tmp_path / "journal.sqlite"))


@pytest.fixture
def asked() -> Asked:
    """Give the keys of the venue."""
    return Asked(venue_keys().public)
