"""One history: two checkpoints compared by anybody, and what a witness cosigns."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from taisai.runtime.journal.checkpoints import (
    CheckpointError,
    make_checkpoint,
    write_checkpoint_file,
)
from taisai.runtime.journal.contract import Checkpoint, Head
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.signing import fresh_keys, publish_keys
from taisai.runtime.operations.witness import check_cosigned, cosign, create_witness
from taisai.runtime.verification.consistency import (
    InconsistentError,
    check_between,
    check_streams,
)
from tests.cli.command import taisai
from tests.kit.journals import make_journal, venue_keys

PUBLIC = venue_keys().public


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_journal(tmp_path_factory.mktemp("made") / "journal.sqlite", rounds=3)


@pytest.fixture(scope="module")
def signed(file: Path) -> list[Checkpoint]:
    async def read() -> list[Checkpoint]:
        journal = await SqliteJournal.open(file, read_only=True)
        try:
            return await journal.checkpoints()
        finally:
            await journal.close()

    return asyncio.run(read())


def another(number_of: list[Checkpoint]) -> Checkpoint:
    """Sign another history with the venue's own key."""
    heads = {"venue": Head(10_000, bytes(32))}
    return make_checkpoint(2_000_000_000_000, heads, number_of[-2], venue_keys().signer)


def test_the_checkpoints_between_prove_that_one_grew_out_of_the_other(
    signed: list[Checkpoint],
) -> None:
    check_between(signed[0], signed[-1], signed[1:], PUBLIC)
    check_between(signed[0], signed[0], [], PUBLIC)
    check_between(signed[-2], signed[-1], [], PUBLIC)


def test_what_is_not_of_one_history_is_refused(signed: list[Checkpoint]) -> None:
    old, new = signed[0], signed[-1]
    for between in ([], signed[2:], signed[1:-1], [*signed[1:3], new]):
        with pytest.raises(CheckpointError):
            check_between(old, new, between, PUBLIC)
    with pytest.raises(InconsistentError, match="is older than"):
        check_between(new, old, [], PUBLIC)
    with pytest.raises(InconsistentError, match="two histories"):
        check_between(new, another(signed), [], PUBLIC)
    with pytest.raises(CheckpointError, match="none of this venue's"):
        check_between(old, new, signed[1:], fresh_keys(0).public)


def test_every_stream_leads_from_the_one_to_the_other(
    file: Path, signed: list[Checkpoint], tmp_path: Path
) -> None:
    async def follow(path: Path) -> int:
        journal = await SqliteJournal.open(path, read_only=True)
        try:
            return await check_streams(journal, signed[0], signed[-1])
        finally:
            await journal.close()

    assert asyncio.run(follow(file)) > 0
    altered = Path(shutil.copy(file, tmp_path / "altered"))
    with closing(sqlite3.connect(altered)) as database, database:
        database.execute("UPDATE events SET at = at + 1 WHERE stream = 'cage' AND version = 4")
    with pytest.raises(InconsistentError, match="cage does not lead from"):
        asyncio.run(follow(altered))


def test_a_witness_cosigns_what_follows_on_what_it_saw(
    signed: list[Checkpoint], tmp_path: Path
) -> None:
    place = tmp_path / "witness"
    public = create_witness(place, PUBLIC)
    first = cosign(place, signed[1], [], 5)
    check_cosigned(first, signed[1], public)
    cosign(place, signed[-1], signed[2:], 6)
    with pytest.raises(InconsistentError, match="is older than"):
        cosign(place, signed[2], [], 7)
    with pytest.raises(InconsistentError, match="two histories"):
        cosign(place, another(signed), [], 8)
    # The same question gets the same answer.
    check_cosigned(cosign(place, signed[-1], [], 9), signed[-1], public)


def test_the_commands(file: Path, signed: list[Checkpoint], tmp_path: Path) -> None:
    for name, checkpoint in (("old", signed[1]), ("new", signed[-1])):
        write_checkpoint_file(checkpoint, tmp_path / f"{name}.json")
    old, new, proof = (str(tmp_path / each) for each in ("old.json", "new.json", "proof.jsonl"))
    published = str(tmp_path / "published.keys")
    publish_keys(PUBLIC, Path(published))
    keys = ("--keys", published)
    given = ("--journal", str(file), "--save-proof", proof, *keys)
    answer = taisai("audit", "consistency", old, new, *given)
    assert (answer.status, "grew out of" in answer.out) == (0, True)
    assert taisai("audit", "consistency", old, new, "--proof", proof, *keys).status == 0
    answer = taisai("audit", "consistency", new, old, *keys)
    assert (answer.status, "is older than" in answer.err) == (1, True)
    witness, cosigned = str(tmp_path / "witness"), str(tmp_path / "cosigned.json")
    public = taisai("witness", "create", witness, *keys, "--json").json["public"]
    assert taisai("witness", "sign", witness, old, "--to", str(tmp_path / "first")).status == 0
    answer = taisai("witness", "sign", witness, new, "--to", cosigned)
    assert (answer.status, "number" in answer.err) == (1, True)
    answer = taisai("witness", "sign", witness, new, "--proof", proof, "--to", cosigned)
    assert answer.status == 0
    assert taisai("witness", "check", cosigned, new, "--public", public).status == 0
    answer = taisai("witness", "check", cosigned, old, "--public", public)
    assert (answer.status, "another checkpoint" in answer.err) == (1, True)
    answer = taisai("witness", "sign", witness, old, "--to", str(tmp_path / "back"))
    assert (answer.status, "is older than" in answer.err) == (1, True)
