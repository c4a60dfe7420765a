"""Checkpoints and snapshots: signed, chained, and compared with the journal."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.exceptions import InvalidSignature

from taisai.runtime.journal.checkpoints import (
    CHECKPOINT_DOMAIN,
    CheckpointError,
    check_checkpoint,
    check_snapshot,
    make_checkpoint,
    read_checkpoint,
    read_checkpoint_file,
    sign_snapshot,
    write_checkpoint_file,
)
from taisai.runtime.journal.contract import Checkpoint, Head, Snapshot
from taisai.runtime.keys.directory import create_keys, load_keys, rotate_keys
from taisai.runtime.keys.files import KeysError
from taisai.runtime.keys.signing import PublicKeys, Signer, VenueKeys, fresh_keys
from tests.keys.bits import flips

AT = 1_790_000_000_000
HEADS = {
    "table/Dragon 1": Head(120, bytes(range(32))),
    "cage": Head(7, b"\x01" * 32),
    "venue": Head(2, b"\x02" * 32),
}
LATER = {**HEADS, "cage": Head(9, b"\x03" * 32), "table/Dragon 2": Head(1, b"\x04" * 32)}
KEYS = fresh_keys(AT)
FIRST = make_checkpoint(AT, HEADS, None, KEYS.signer)
SECOND = make_checkpoint(AT + 5, LATER, FIRST, KEYS.signer)


def signed(data: bytes, number: int = 1, keys: VenueKeys = KEYS) -> Checkpoint:
    """Sign any content, as a venue with a bug or a thief of its key would."""
    signature = keys.signer.sign(CHECKPOINT_DOMAIN + data)
    return Checkpoint(number, data, keys.signer.key_id, signature)


def changed(checkpoint: Checkpoint, **changes: Any) -> Checkpoint:
    """Change the content of a checkpoint and sign it again."""
    covered = msgspec.structs.replace(read_checkpoint(checkpoint), **changes)
    data = json.dumps(msgspec.to_builtins(covered), sort_keys=True, separators=(",", ":"))
    return signed(data.encode(), covered.number)


def test_a_checkpoint_is_written_in_one_way() -> None:
    dragon = bytes(range(32)).hex()
    assert FIRST.data.decode() == (
        f'{{"at":{AT},"events":129,"forgotten":0,"heads":{{"cage":[7,"{"01" * 32}"],'
        f'"table/Dragon 1":[120,"{dragon}"],"venue":[2,"{"02" * 32}"]}},'
        f'"number":1,"previous":null,"seals":[0,"{"00" * 32}"]}}'
    )
    backwards = dict(reversed(list(HEADS.items())))
    assert make_checkpoint(AT, backwards, None, KEYS.signer) == FIRST


def test_what_was_signed_is_read_back() -> None:
    covered = check_checkpoint(SECOND, KEYS.public, FIRST)
    assert {stream: covered.head(stream) for stream in covered.heads} == LATER
    assert (covered.number, covered.at, covered.events) == (2, AT + 5, 132)
    assert check_checkpoint(FIRST, KEYS.public) == read_checkpoint(FIRST)


def test_every_flipped_bit_is_found() -> None:
    for field in ("data", "key", "signature"):
        value = getattr(FIRST, field)
        as_bytes = value.encode() if field == "key" else value
        for flipped in flips(as_bytes):
            bad = flipped.decode("latin-1") if field == "key" else flipped
            with pytest.raises(CheckpointError, match="checkpoint 1 "):
                check_checkpoint(Checkpoint(**{**FIRST._asdict(), field: bad}), KEYS.public)
    for bit in range(63):
        with pytest.raises(CheckpointError, match="what is signed is number 1"):
            check_checkpoint(FIRST._replace(number=1 ^ (1 << bit)), KEYS.public)


def test_a_signature_of_another_kind_or_venue_is_no_checkpoints() -> None:
    bare = FIRST._replace(signature=KEYS.signer.sign(FIRST.data))
    snapshots = FIRST._replace(signature=KEYS.signer.sign(b"taisai snapshot\0" + FIRST.data))
    for wrong in (bare, snapshots):
        with pytest.raises(CheckpointError, match="checkpoint 1 is not signed by the key"):
            check_checkpoint(wrong, KEYS.public)
    with pytest.raises(CheckpointError, match="which is none of this venue's"):
        check_checkpoint(FIRST, fresh_keys(AT).public)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "checkpoint 1 cannot be read"),
        (b"\xff", "checkpoint 1 cannot be read"),
        (b"{}", "checkpoint 1 cannot be read"),
        (FIRST.data[:-1] + b',"more":1}', "checkpoint 1 cannot be read"),
        (FIRST.data.replace(b"[7,", b"[0,"), "checkpoint 1 cannot be read"),
        (FIRST.data.replace(b"0101", b"010G"), "checkpoint 1 cannot be read"),
        (FIRST.data.replace(b"[7,", b"[ 7,"), "it is not as a checkpoint is written"),
        (FIRST.data.replace(b"[7,", b"[8,"), "its count of events is not the sum"),
        (FIRST.data.replace(b'"number":1', b'"number":3'), "what is signed is number 3"),
    ],
)
def test_a_signed_checkpoint_must_still_be_sound(data: bytes, sentence: str) -> None:
    with pytest.raises(CheckpointError, match=sentence):
        check_checkpoint(signed(data), KEYS.public)


def test_only_the_first_has_none_before_it() -> None:
    with pytest.raises(CheckpointError, match="has none before it"):
        check_checkpoint(changed(FIRST, previous="0" * 64), KEYS.public)
    with pytest.raises(CheckpointError, match="has none before it"):
        check_checkpoint(changed(SECOND, previous=None), KEYS.public)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"number": 3}, "number 2 is expected"),
        ({"previous": "0" * 64}, "it was made after another one"),
        ({"at": AT - 1}, "its time is before that one's"),
        (
            {"heads": {"cage": (9, "03" * 32)}, "events": 9},
            "table/Dragon 1 is gone; checkpoint 1 has it at version 120",
        ),
        (
            {"heads": {**read_checkpoint(SECOND).heads, "cage": (6, "03" * 32)}, "events": 129},
            "cage ends at version 6; checkpoint 1 has it at version 7",
        ),
        (
            {"heads": {**read_checkpoint(SECOND).heads, "venue": (2, "03" * 32)}},
            "venue is another at version 2: its hash is 0303",
        ),
    ],
)
def test_each_follows_on_the_one_before(changes: dict[str, Any], fault: str) -> None:
    bad = changed(SECOND, **changes)
    with pytest.raises(CheckpointError, match=rf"{bad.number} does not follow on .* 1: .*{fault}"):
        check_checkpoint(bad, KEYS.public, FIRST)


def test_a_first_one_replaced_is_found_by_the_second() -> None:
    other = changed(FIRST, at=AT + 1)
    check_checkpoint(other, KEYS.public)
    with pytest.raises(CheckpointError, match="it was made after another one"):
        check_checkpoint(SECOND, KEYS.public, other)


def test_a_key_that_was_rotated_out_signs_no_more(tmp_path: Path) -> None:
    create_keys(tmp_path / "keys")
    old = load_keys(tmp_path / "keys")
    first = make_checkpoint(AT, HEADS, None, old.signer)
    rotate_keys(tmp_path / "keys", "Ann", "Bob")
    new = load_keys(tmp_path / "keys")
    second = make_checkpoint(AT, HEADS, first, new.signer)
    stolen = make_checkpoint(AT, HEADS, second, old.signer)
    check_checkpoint(second, new.public, first)
    with pytest.raises(CheckpointError, match="which had been rotated out by then"):
        check_checkpoint(stolen, new.public, second)
    with pytest.raises(CheckpointError, match=r"that one's key .* is none of this venue's"):
        check_checkpoint(second, new.public, first._replace(key="another"))


def why_not_after_the_first(heads: dict[str, Head]) -> str:
    """Sign other heads after the first checkpoint, and give the error."""
    second = make_checkpoint(AT, heads, FIRST, KEYS.signer)
    with pytest.raises(CheckpointError) as raised:
        check_checkpoint(second, KEYS.public, FIRST)
    return str(raised.value).removeprefix("checkpoint 2 does not follow on checkpoint 1: ")


@pytest.mark.parametrize("stream", HEADS)
def test_a_stream_that_vanished_is_named(stream: str) -> None:
    heads = {name: head for name, head in HEADS.items() if name != stream}
    version = HEADS[stream].version
    said = why_not_after_the_first(heads)
    assert said == f"{stream} is gone; checkpoint 1 has it at version {version}"


def test_a_cut_tail_is_named() -> None:
    heads = {**HEADS, "table/Dragon 1": Head(100, b"\x09" * 32)}
    assert why_not_after_the_first(heads) == (
        "table/Dragon 1 ends at version 100; checkpoint 1 has it at version 120"
    )


def test_a_changed_head_is_named() -> None:
    heads = {**HEADS, "cage": Head(7, b"\x05" * 32)}
    assert why_not_after_the_first(heads) == (
        f"cage is another at version 7: its hash is {'05' * 32}, and checkpoint 1 has {'01' * 32}"
    )


def test_ten_thousand_streams_and_no_more() -> None:
    heads = {f"table/{number}": Head(1, bytes(32)) for number in range(10_000)}
    full = make_checkpoint(AT, heads, None, KEYS.signer)
    assert check_checkpoint(full, KEYS.public).events == 10_000
    heads["cage"] = Head(1, bytes(32))
    with pytest.raises(CheckpointError, match=r"there are 10,001 streams; .* at most 10,000"):
        make_checkpoint(AT, heads, None, KEYS.signer)
    more = {stream: (head.version, head.hash.hex()) for stream, head in heads.items()}
    with pytest.raises(CheckpointError, match="it covers 10,001 streams"):
        check_checkpoint(changed(FIRST, heads=more, events=10_001), KEYS.public)


def test_a_checkpoint_goes_out_to_a_file_and_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.json"
    write_checkpoint_file(SECOND, file)
    assert read_checkpoint_file(file) == SECOND
    told = json.loads(file.read_text())
    assert (told["number"], told["key"]) == (2, KEYS.signer.key_id)
    assert json.loads(told["data"])["heads"]["cage"] == [9, "03" * 32]


def test_no_flipped_bit_of_the_file_goes_for_another_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.json"
    small = make_checkpoint(AT, {"cage": HEADS["cage"]}, None, KEYS.signer)
    write_checkpoint_file(small, file)
    unseen = 0
    for flipped in flips(file.read_bytes()):
        file.write_bytes(flipped)
        try:
            check_checkpoint(checkpoint := read_checkpoint_file(file), KEYS.public)
        except CheckpointError:
            continue
        # A blank between two words may become another blank: nothing has changed.
        assert checkpoint == small
        unseen += 1
    assert unseen < 10


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff\xfe", b'{"number": 1}'])
def test_a_file_that_is_no_checkpoint_is_named(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "checkpoint.json"
    file.write_bytes(data)
    with pytest.raises(CheckpointError, match=r"checkpoint.json is no checkpoint"):
        read_checkpoint_file(file)


def test_a_checkpoint_file_that_cannot_be_reached_is_named(tmp_path: Path) -> None:
    with pytest.raises(KeysError, match="none is missing"):
        read_checkpoint_file(tmp_path / "none")
    with pytest.raises(KeysError, match="cannot be written: No such file or directory"):
        write_checkpoint_file(FIRST, tmp_path / "no" / "file")


SNAPSHOT = sign_snapshot("table/1", 500, bytes(range(32)), b"the state of a table", KEYS.signer)


def test_a_snapshot_is_verified_by_any_key_of_the_venue(tmp_path: Path) -> None:
    assert check_snapshot(SNAPSHOT, KEYS.public)
    assert not check_snapshot(SNAPSHOT, fresh_keys(AT).public)
    create_keys(tmp_path / "keys")
    old = load_keys(tmp_path / "keys").signer
    public = rotate_keys(tmp_path / "keys", "Ann", "Bob")
    assert check_snapshot(sign_snapshot("cage", 1, bytes(32), b"", old), public)


@pytest.mark.parametrize("field", ["stream", "head", "data", "key", "signature"])
def test_every_flipped_bit_of_a_snapshot_is_found(field: str) -> None:
    value = getattr(SNAPSHOT, field)
    is_text = isinstance(value, str)
    for flipped in flips(value.encode() if is_text else value):
        bad = flipped.decode("latin-1") if is_text else flipped
        assert not check_snapshot(Snapshot(**{**SNAPSHOT._asdict(), field: bad}), KEYS.public)


def test_a_snapshot_of_another_version_is_found() -> None:
    for bit in range(64):
        assert not check_snapshot(SNAPSHOT._replace(version=500 ^ (1 << bit)), KEYS.public)
    assert not check_snapshot(SNAPSHOT._replace(version=-1), KEYS.public)
    assert not check_snapshot(SNAPSHOT._replace(version=1 << 64), KEYS.public)


def test_parts_of_a_snapshot_do_not_run_into_each_other() -> None:
    stream, head = SNAPSHOT.stream, SNAPSHOT.head
    moved = SNAPSHOT._replace(stream=stream + chr(head[0]), head=head[1:])
    assert not check_snapshot(moved, KEYS.public)
    assert not check_snapshot(Snapshot(stream, 500, b"", b"", SNAPSHOT.key, b""), KEYS.public)


def test_a_signer_is_known_by_its_key() -> None:
    signer = Signer.fresh()
    assert isinstance(KEYS.public, PublicKeys)
    assert KEYS.public.position(signer.key_id) is None


def test_the_recipe_in_the_documents_verifies_a_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (Path(__file__).parents[2] / "docs" / "keys.md").read_text("utf-8")
    (recipe,) = re.findall(r"```python\n(.+?)```", text, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    Path("signing.pub").write_bytes(KEYS.signer.public_pem())
    write_checkpoint_file(FIRST, Path("checkpoint.json"))
    exec(recipe, {})  # noqa: S102 - the documents' own words, tried as a reader would
    write_checkpoint_file(FIRST._replace(data=SECOND.data), Path("checkpoint.json"))
    with pytest.raises(InvalidSignature):
        exec(recipe, {})  # noqa: S102 - the same
