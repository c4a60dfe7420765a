"""A journal on a read-only disk is read like any other; a venue there says why it cannot start."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from taisai.runtime.journal.location import JOURNAL_FILE
from taisai.runtime.keys.directory import create_keys
from taisai.runtime.keys.signing import publish_keys
from tests.cli.command import Answer
from tests.kit.journals import played, venue_keys
from tests.kit.unprivileged import answers
from tests.records.recorded import written


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make a data directory as if on a read-only disk."""
    folder = tmp_path_factory.mktemp("archive")
    written(folder, played(5, 2))
    create_keys(folder / "keys")
    assert {each.name for each in folder.iterdir()} == {JOURNAL_FILE, "keys"}
    (folder / JOURNAL_FILE).chmod(0o444)
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)


@pytest.fixture(scope="module")
def told(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Answer]:
    place, log = tmp_path_factory.mktemp("out"), tmp_path_factory.mktemp("unsettled")
    keys, two = place / "published.keys", ["--by", "Ann", "--second", "Bob"]
    publish_keys(venue_keys().public, keys)
    shutil.copy(archive / JOURNAL_FILE, log)
    (log / f"{JOURNAL_FILE}-wal").write_bytes(bytes(100))
    half = ("--second-half", "half")
    log.chmod(0o555)
    try:
        return answers(
            ["audit", "verify", str(archive), "--keys", str(keys), "--json"],
            ["export", str(archive), "rounds", "--to", "rounds.csv"],
            ["backup", str(archive), "copy.sqlite", "--keys", str(keys), "--json"],
            ["audit", "events", "copy.sqlite"],
            ["audit", "events", str(archive)],
            ["serve", "--data", str(archive)],
            ["staff", "add", str(archive), "--person", "Cy", "--role", "cage", *two, *half],
            ["audit", "events", str(log)],
            cwd=place,
        )
    finally:
        log.chmod(0o755)


def test_it_is_verified_exported_and_backed_up(told: list[Answer]) -> None:
    verified, exported, backed_up, of_the_copy, events = told[:5]
    assert verified.json["faults"] == []
    assert verified.json["events"] > 30
    assert exported.status == 0, exported.err
    assert backed_up.json["events"] == verified.json["events"]
    assert of_the_copy == events
    assert (events.status, events.err) == (0, "")


@pytest.mark.parametrize("number", [5, 6])
def test_a_venue_says_that_nothing_can_be_written(
    number: int, told: list[Answer], archive: Path
) -> None:
    assert told[number] == Answer(
        1,
        "",
        f"taisai: nothing can be written to the data directory {archive}: Permission denied; name"
        " one that belongs to whoever runs the venue, on a disk that can be written\n",
    )


def test_a_log_that_is_not_in_the_file_yet_is_not_passed_over(told: list[Answer]) -> None:
    assert told[7].status == 1
    assert "holds events that are not in journal.sqlite yet" in told[7].err
    assert "copy both files to a disk that can be written" in told[7].err
