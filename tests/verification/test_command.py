"""`taisai audit verify`, `taisai backup` and `taisai restore` as people and programs use them."""

import asyncio
import re
import shutil
from pathlib import Path

import pytest

from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.directory import write_keys
from taisai.runtime.keys.signing import publish_keys
from taisai.runtime.operations.log_copier import Copier
from tests.cli.command import taisai
from tests.kit.journals import venue_keys
from tests.records.recorded import answered
from tests.verification.damage import Hand


@pytest.fixture(scope="session")
def data(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a data directory, with public keys and a copy of the log; tests must not change it."""
    place = tmp_path_factory.mktemp("place")
    (place / "data").mkdir()
    (place / "copy").mkdir()
    shutil.copy(made, place / "data" / "journal.sqlite")
    publish_keys(venue_keys().public, place / "published.keys")
    write_keys(place / "venue-keys", venue_keys())

    async def copy() -> None:
        journal = await SqliteJournal.open(made, read_only=True)
        copier = Copier(journal, place / "copy")
        copier.start()
        await copier.stop()
        await journal.close()

    asyncio.run(copy())
    return place / "data"


@pytest.fixture
def keys(data: Path) -> str:
    return str(data.parent / "published.keys")


def test_a_sound_journal_verifies(data: Path, keys: str, tmp_path: Path) -> None:
    held = tmp_path / "held.json"
    answer = taisai("audit", "verify", str(data), "--keys", keys, "--save-checkpoint", str(held))
    assert (answer.status, answer.err) == (0, "")
    assert "is sound." in answer.out
    assert re.search(r"The newest checkpoint is \d+, of ", answer.out)
    more = ("--checkpoint", str(held), "--copy", str(data.parent / "copy"), "--json")
    answer = taisai("audit", "verify", str(data / "journal.sqlite"), "--keys", keys, *more)
    assert answer.status == 0
    assert answer.json["verified"]
    assert answer.json["faults"] == []
    assert answer.json["copied_events"] == answer.json["events"] > 100
    assert answer.json["money"]["currency"] == "SGD"
    assert answer.json["newest_checkpoint"]["number"] == answer.json["checkpoints"] > 3


def test_a_damaged_journal_is_told_and_refused(data: Path, keys: str, tmp_path: Path) -> None:
    file = Path(shutil.copy(data / "journal.sqlite", tmp_path))
    hand = Hand(file)
    row = next(
        each for each in hand.rows("events", "stream = 'cage'") if b'"value":' in each["data"]
    )
    version = row["version"]
    altered = row["data"].replace(b'"value":', b'"value":9', 1)
    change = "UPDATE events SET data = ? WHERE stream = 'cage' AND version = ?"
    hand.do(change, altered, version)
    hand.close()
    answer = taisai("audit", "verify", str(file), "--keys", keys)
    assert (answer.status, answer.out) == (1, "")
    first, second, *_ = answer.err.splitlines()
    assert first == f"taisai: the journal {file} does not verify"
    assert second.startswith(f"taisai: cage breaks at version {version}: its hash is ")
    answer = taisai(
        *("audit", "verify", str(file), "--keys", keys, "--json"),
        *("--copy", str(data.parent / "copy")),
    )
    assert answer.status == 1
    fault = answer.json["faults"][0]
    where = (fault["in"], fault["stream"], fault["version"], fault["field"], fault["byte"])
    assert where == ("event", "cage", version, "data", row["data"].index(b'"value":') + 8)
    backup = tmp_path / "backup.sqlite"
    answer = taisai("backup", str(file), str(backup), "--keys", keys)
    assert answer.status == 1
    assert "was made, and does not verify" in answer.err
    answer = taisai("restore", str(backup), str(tmp_path / "new"), "--by", "Ann", "--second", "Bob")
    assert answer.status == 1
    assert "nothing was restored" in answer.err
    assert not (tmp_path / "new").exists()


def test_backup_and_restore(data: Path, keys: str, tmp_path: Path) -> None:
    backup, new = str(tmp_path / "monday.sqlite"), str(tmp_path / "new")
    answer = taisai("backup", str(data), backup, "--keys", keys, "--json")
    assert (answer.status, answer.json["verified"]) == (0, True)
    answer = taisai("backup", str(data), backup)
    assert answer.status == 1
    assert "nothing is written over" in answer.err
    named = ("--by", "Ann Lee", "--second", "Bob Tan", "--keys")
    answer = taisai("restore", backup, new, *named, keys)
    assert (answer.status, "is not a directory" in answer.err) == (1, True)
    two = (*named, str(data.parent / "venue-keys"))
    answer = taisai("restore", backup, new, *two)
    assert answer.status == 0
    assert "by Ann Lee and Bob Tan" in answer.out
    assert re.search(r"The newest checkpoint is \d+, of ", answer.out)
    assert taisai("audit", "verify", new, "--keys", keys).status == 0
    told = taisai("audit", "events", new).out
    assert re.search(r"restored from a backup up to checkpoint \d+, by Ann Lee and Bob Tan", told)
    answer = taisai("restore", backup, new, *two)
    assert answer.status == 1
    assert "is there already" in answer.err
    answer = taisai("restore", backup, str(tmp_path / "other.sqlite"), *two, "--json")
    assert (answer.status, answer.json["by"]) == (0, "Ann Lee")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("audit", "verify", "nowhere"), "there is no journal nowhere"),
        (("audit", "verify", "DATA", "--keys", "nowhere"), "nowhere is missing"),
        (("audit", "verify", "DATA", "--checkpoint", "nowhere"), "nowhere is missing"),
        (("audit", "verify", "DATA", "--copy", "nowhere"), "there is no copy of a log at nowhere"),
        (("backup", "nowhere", "file"), "there is no journal nowhere"),
        (("restore", "nowhere", "x", "--by", "a", "--second", "b"), "there is no backup nowhere"),
        (("restore", "JOURNAL", "x", "--by", "a", "--second", "A"), "two different persons"),
        (("backup", "mysql://host/db", "file"), "mysql:// is neither"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(
    data: Path, words: tuple[str, ...], said: str
) -> None:
    named = {"DATA": str(data), "JOURNAL": str(data / "journal.sqlite")}
    answer = taisai(*(named.get(word, word) for word in words))
    assert (answer.status, answer.out) == (1, "")
    assert said in answer.err


def test_a_copy_that_is_not_there_says_nothing_of_the_journal(data: Path, keys: str) -> None:
    nowhere = str(data / "nowhere")
    for more in ((), ("--json",)):
        answer = answered("audit", "verify", str(data), "--keys", keys, "--copy", nowhere, *more)
        assert (answer.status, answer.out) == (1, "")
        assert answer.err == f"taisai: there is no copy of a log at {nowhere}\n"


ADDRESS = "postgresql://ann:hunter2@127.0.0.1:1/venue"


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "verify", ADDRESS),
        ("audit", "verify", ADDRESS, "--json"),
        ("audit", "verify", ADDRESS, "--copy", ADDRESS),
        ("audit", "verify", ADDRESS, "--keys", ADDRESS),
        ("audit", "round", ADDRESS, "T1", "1"),
        ("audit", "events", ADDRESS),
        ("audit", "events", ADDRESS.replace("//", "/")),
        ("audit", "events", "DATA", ADDRESS),
        ("audit", "events", "postgresql://127.0.0.1:1/venue?user=ann&password=hunter2"),
        ("audit", "events", "postgresql://ann:x#hunter2@127.0.0.1:1/venue"),
        ("audit", "events", "postgresql://ann:hunter2/venue"),
        ("export", ADDRESS, "bets", "--to", "-", "--format", "csv"),
        ("backup", ADDRESS, "NEW"),
        ("restore", "JOURNAL", ADDRESS, "--by", "Ann", "--second", "Bob"),
    ],
)
def test_no_password_is_ever_shown(data: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    named = {
        "DATA": str(data),
        "JOURNAL": str(data / "journal.sqlite"),
        "KEYS": str(data.parent / "venue-keys"),
        "NEW": str(tmp_path / "new"),
    }
    answer = answered(*(named.get(word, word) for word in words))
    assert answer.status in (1, 2)
    assert answer.err.startswith("taisai: ")
    assert "hunter2" not in answer.out + answer.err


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "verify", "BAD"),
        ("audit", "round", "BAD", "T1", "1"),
        ("audit", "events", "BAD"),
        ("export", "BAD", "bets", "--to", "-", "--format", "csv"),
        ("backup", "BAD", "NEW"),
        ("restore", "JOURNAL", "BAD", "--by", "Ann", "--second", "Bob", "--keys", "KEYS"),
    ],
)
def test_an_address_that_is_none_is_told_in_a_sentence(
    data: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    named = {
        "BAD": "postgresql://[bad",
        "JOURNAL": str(data / "journal.sqlite"),
        "KEYS": str(data.parent / "venue-keys"),
        "NEW": str(tmp_path / "new"),
    }
    answer = answered(*(named.get(word, word) for word in words))
    assert (answer.status, answer.out) == (1, "")
    assert "postgresql://[bad cannot be opened: that is no address; write it like" in answer.err


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "verify", ""),
        ("audit", "verify", "DATA", "--copy", ""),
        ("audit", "round", "", "T1", "1"),
        ("audit", "events", ""),
        ("export", "", "bets", "--to", "-", "--format", "csv"),
        ("export", "DATA", "bets", "--to", "", "--format", "csv"),
        ("backup", "", "file"),
        ("restore", "JOURNAL", "", "--by", "Ann", "--second", "Bob"),
        ("keys", "show", ""),
    ],
)
def test_a_blank_place_is_wrong_usage(data: Path, words: tuple[str, ...]) -> None:
    named = {"DATA": str(data), "JOURNAL": str(data / "journal.sqlite")}
    answer = answered(*(named.get(word, word) for word in words))
    assert (answer.status, answer.out) == (2, "")
    assert "it is blank, and names nothing" in answer.err


@pytest.mark.parametrize("command", [("audit", "verify"), ("backup",), ("restore",)])
def test_every_command_has_an_example(command: tuple[str, ...]) -> None:
    answer = taisai(*command, "--help")
    assert answer.status == 0
    assert "example:\n  taisai " in answer.out
