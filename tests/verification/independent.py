"""A verifier written from `docs/audit.md` alone, without the program's code.

It stands for a verifier in another language. It uses SQLite, SHA-256, JSON and Ed25519, and nothing
of the program that wrote the journal.
"""

import base64
import json
import sqlite3
import struct
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

#: Each chain of seals has this many numbers.
CHAIN = 2**40
#: Rows of a table, each a tuple of its columns; texts are bytes.
Rows = list[tuple[Any, ...]]


class Journal(NamedTuple):
    """The content of a journal, in the order of its keys."""

    events: Rows
    checkpoints: Rows
    snapshots: Rows
    seals: Rows
    commands: Rows


def require(holds: bool, *what: object) -> None:
    """Raise an error unless a condition is true."""
    if not holds:
        raise ValueError(*what)


def read_journal(file: Path) -> Journal:
    """Read the three tables of a file."""
    with closing(sqlite3.connect(file)) as database:
        database.text_factory = bytes
        ask = database.execute
        return Journal(
            ask("SELECT * FROM events ORDER BY stream, version").fetchall(),
            ask("SELECT * FROM checkpoints ORDER BY number").fetchall(),
            ask("SELECT * FROM snapshots ORDER BY stream, version").fetchall(),
            ask("SELECT * FROM seals ORDER BY number").fetchall(),
            ask("SELECT * FROM commands ORDER BY batch, place").fetchall(),
        )


def read_copy(lines: Iterable[bytes]) -> Journal:
    """Read a copy of the log: the text between the names of fields is the journal's."""
    events, checkpoints = [], []
    for line in lines:
        read = json.loads(line)
        before, _, after = line.rstrip(b"\n").partition(b',"data":')
        if "stream" in read:
            data = after.rpartition(b',"hash":')[0]
            cause = before.partition(b',"cause":')[2] if "cause" in read else None
            if "data64" in read:
                data = base64.b64decode(read["data64"])
                cause = base64.b64decode(read["cause64"]) if "cause64" in read else None
            named = (read["stream"].encode(), read["version"], read["shape"], read["at"])
            events.append((*named, cause, data, bytes.fromhex(read["hash"])))
        elif "part" not in read:
            data = base64.b64decode(read["data64"]) if "data64" in read else after[:-1]
            signed = (read["key"].encode(), bytes.fromhex(read["signature"]))
            checkpoints.append((read["checkpoint"], data, *signed))
    return Journal(sorted(events, key=lambda row: row[:2]), checkpoints, [], [], [])


def link(before: bytes, event: tuple[Any, ...]) -> bytes:
    """Compute the hash of an event from the hash before it."""
    _, version, shape, at, cause, data, _ = event
    caused = 0 if cause is None else len(cause) + 1
    header = struct.pack(">QqHII", version, at, shape, caused, len(data))
    return sha256(before + header + (cause or b"") + data).digest()


def check_chains(events: Rows) -> dict[tuple[bytes, int], str]:
    """Follow every stream from its genesis; give the hash of each event."""
    hashes: dict[tuple[bytes, int], str] = {}
    stream, version, before = b"", 0, b""
    for event in events:
        if event[0] != stream:
            stream, version, before = event[0], 0, sha256(b"taisai stream " + event[0]).digest()
        version, before = version + 1, link(before, event)
        require(event[1] == version, stream, version, "is missing")
        require(event[6] == before, stream, version, "has another hash")
        hashes[stream, version] = before.hex()
    return hashes


def check_seals(journal: Journal, forgotten: int) -> dict[int, str]:
    """Follow the seals, and compare the command ids with them; give the hash of each seal."""
    hashes, chain, before = {0: "0" * 64}, 0, "0" * 64
    ids: dict[int, list[Any]] = {}
    for stream, sender, id_, input_, issued, first, last, answer, batch, _ in journal.commands:
        texts = (each.decode() for each in (stream, sender, id_))
        answered = None if answer is None else base64.b64encode(answer).decode()
        row = [*texts, base64.b64encode(input_).decode(), issued, first, last, answered]
        ids.setdefault(batch, []).append(row)
    for number, data, _, _ in journal.seals:
        read = json.loads(data)
        if number // CHAIN != chain:
            chain, before = number // CHAIN, "0" * 64
            hashes[chain * CHAIN] = before
        require(number - 1 in hashes, "seal", number - 1, "is missing")
        require((read["number"], read["before"]) == (number, before), "seal", number)
        rows = json.dumps(ids.pop(number, None), separators=(",", ":"), ensure_ascii=False)
        hash_ = None if rows == "null" else sha256(rows.encode()).hexdigest()
        old = read["issued"] is not None and read["issued"] < forgotten
        require(old or read["commands"] == hash_, "ids of batch", number)
        hashes[number] = before = sha256(data).hexdigest()
    require(not ids, "ids of no batch")
    return hashes


def check_keys(lines: list[bytes]) -> dict[bytes, tuple[int, Ed25519PublicKey]]:
    """Follow the published keys: the first has signed itself, each has signed the next."""
    keys: dict[bytes, tuple[int, Ed25519PublicKey]] = {}
    signer, previous = None, None
    for number, line in enumerate(lines, 1):
        read = json.loads(line)
        public = bytes.fromhex(read["public"])
        key = Ed25519PublicKey.from_public_bytes(public)
        signature = read["signature"].encode()
        unsigned = line.replace(b'"signature":"%s"' % signature, b'"signature":""')
        (signer or key).verify(bytes.fromhex(read["signature"]), b"taisai key\0" + unsigned)
        require((read["number"], read["previous"]) == (number, previous), "key", number)
        keys[sha256(public).hexdigest()[:32].encode()] = (number, key)
        signer, previous = key, sha256(line).hexdigest()
    return keys


def verify(journal: Journal, published: bytes) -> None:
    """Verify chains, keys, checkpoints and snapshots; whatever is wrong raises ValueError."""
    try:
        _verify(journal, published)
    except (InvalidSignature, KeyError, TypeError, struct.error, OverflowError) as error:
        raise ValueError(repr(error)) from error


def _verify(journal: Journal, published: bytes) -> None:
    hashes, keys = check_chains(journal.events), check_keys(published.splitlines())
    number, at, position = 0, 0, 0
    previous: str | None = None
    heads: dict[str, Any] = {}
    sealed: dict[int, int] = {}
    forgotten = max([json.loads(row[1])["forgotten"] for row in journal.checkpoints], default=0)
    # A copy of the log has no seals.
    seals = check_seals(journal, forgotten) if journal.seals else None
    for row_number, data, key, signature in journal.checkpoints:
        signed_by, public = keys[key]
        public.verify(signature, b"taisai checkpoint\0" + data)
        read, number = json.loads(data), number + 1
        require(row_number == read["number"] == number, "checkpoint", number, "is missing")
        require(read["previous"] == previous, "checkpoint", number, "follows on another")
        require(read["at"] >= at and signed_by >= position, "checkpoint", number, "is too late")
        require(read["events"] == sum(version for version, _ in read["heads"].values()))
        for stream, (version, hash_) in read["heads"].items():
            require(hashes[stream.encode(), version] == hash_, stream, version)
        if seals is not None:
            chains = [read["seals"], *read.get("chains", [])]
            require(all(seals[last] == hash_ for last, hash_ in chains), "seals of", number)
            named = {last // CHAIN: last for last, _ in chains}
            require(all(named[chain] >= sealed[chain] for chain in sealed), "seals shrank")
            sealed = named
        require(all(read["heads"][each][0] >= heads[each][0] for each in heads), "it shrank")
        at, position, heads, previous = (
            read["at"],
            signed_by,
            read["heads"],
            sha256(data).hexdigest(),
        )
    for stream, version, head, data, key, signature in journal.snapshots:
        require(hashes[stream, version] == head.hex(), "a snapshot of", stream, version)
        header = struct.pack(">QI", version, len(stream)) + stream + head
        signed = b"taisai snapshot\0" + header + sha256(data).digest()
        keys[key][1].verify(signature, signed)
