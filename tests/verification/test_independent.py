"""A journal is verified by the description in `docs/audit.md` alone, and any alteration is found.

The page's worked example is made here again, byte for byte.
"""

import asyncio
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from taisai.core.kernel.messages import Actor, Order
from taisai.core.table.round import BetsOpened, OpenBets, RoundStarted
from taisai.runtime.answers import cause_of
from taisai.runtime.journal.checkpoints import make_checkpoint
from taisai.runtime.journal.contract import SHAPE, Head, Record, genesis, link
from taisai.runtime.journal.postgres_schema import TABLES as POSTGRES_TABLES
from taisai.runtime.journal.sqlite import TABLES as SQLITE_TABLES
from taisai.runtime.keys.signing import Endorsement, PublicKeys, Signer, endorse
from taisai.runtime.operations.log_copier import checkpoint_line, record_line
from tests.kit.journals import venue_keys
from tests.verification.independent import Journal, read_copy, read_journal, verify
from tests.verification.test_copying import copy_all

PAGE = (Path(__file__).parent.parent.parent / "docs" / "audit.md").read_text("utf-8")
#: The number of places altered in each cell; in a short row, every byte.
PLACES = 3


@pytest.fixture(scope="module")
def journal(made: Path) -> Journal:
    return read_journal(made)


@pytest.fixture(scope="module")
def keys() -> bytes:
    return venue_keys().public.lines()


def test_the_verifier_takes_nothing_from_the_program() -> None:
    source = (Path(__file__).parent / "independent.py").read_text("utf-8")
    assert "import taisai" not in source
    assert "from taisai" not in source
    assert "from tests" not in source


def test_the_journal_of_a_world_verifies(journal: Journal, keys: bytes) -> None:
    assert min(map(len, journal)) > 4
    verify(journal, keys)


#: Columns that only the venue can check, and a place, which has no meaning alone.
UNTOLD = {"seals": (2, 3), "commands": (9,)}


def altered(value: Any, place: int) -> Any:
    """Alter one byte, or one bit of a number."""
    if isinstance(value, int):
        return value ^ (1 << place % 62)
    return value[:place] + bytes([value[place] ^ 0x21]) + value[place + 1 :]


def alterations(journal: Journal) -> Iterator[Journal]:
    """Alter every cell of every row, each in several bytes; in the shortest rows in all."""
    chance = random.Random(5)  # noqa: S311 - places to alter, nothing secret
    for table, rows in journal._asdict().items():
        shortest = min(range(len(rows)), key=lambda at: sum(map(len, filter(_sized, rows[at]))))
        few = len(rows) // 6 if table in UNTOLD else 1
        for at, row in [*enumerate(rows)][::few]:
            for column, value in enumerate(row):
                if value is None or column in UNTOLD.get(table, ()):
                    continue
                size = len(value) if _sized(value) else 62
                places = range(size) if at == shortest else chance.choices(range(size), k=PLACES)
                for place in places:
                    now = (*row[:column], altered(value, place), *row[column + 1 :])
                    yield journal._replace(**{table: [*rows[:at], now, *rows[at + 1 :]]})


def _sized(value: Any) -> bool:
    return isinstance(value, bytes)


def test_no_byte_of_it_may_differ(journal: Journal, keys: bytes) -> None:
    tried = 0
    for each in alterations(journal):
        tried += 1
        with pytest.raises(ValueError):  # noqa: PT011 - whatever it says
            verify(each, keys)
    assert tried > 3_000


@pytest.mark.parametrize("table", ["events", "checkpoints"])
def test_nothing_of_it_may_be_gone_or_twice(journal: Journal, keys: bytes, table: str) -> None:
    rows = getattr(journal, table)
    # Without a checkpoint from elsewhere, a missing newest one goes unnoticed.
    for at in range(len(rows) - (table == "checkpoints")):
        with pytest.raises(ValueError):  # noqa: PT011 - whatever it says
            verify(journal._replace(**{table: rows[:at] + rows[at + 1 :]}), keys)
        with pytest.raises(ValueError):  # noqa: PT011 - whatever it says
            verify(journal._replace(**{table: rows[: at + 1] + rows[at:]}), keys)


def test_other_keys_have_signed_nothing(journal: Journal, keys: bytes) -> None:
    for place in range(len(keys) - 1):
        with pytest.raises(ValueError):  # noqa: PT011 - whatever it says
            verify(journal, altered(keys, place))


def test_a_copy_of_the_log_is_the_journal(
    journal: Journal, keys: bytes, file: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "journal.jsonl"
    asyncio.run(copy_all(file, copy))
    read = read_copy(copy.read_bytes().splitlines())
    assert read == journal._replace(snapshots=[], seals=[], commands=[])
    verify(read, keys)


# --- the page ------------------------------------------------------------------------------------


def example() -> str:
    """Make the worked example: a key, two events of one decision, and a checkpoint of them."""
    signer = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
    at, stream = 1_794_803_228_232, "table/T1"
    first = Endorsement(1, signer.public.hex(), at - 1, None, None, "0" * 64, "f" * 64, None)
    public = PublicKeys([endorse(first, signer)])
    cause: bytes | None = cause_of(Order("1794803228200-a1", Actor("dan", "dealer"), OpenBets()))
    hash_ = start = genesis(stream).hash
    records: list[Record] = []
    for event in (RoundStarted(1, at), BetsOpened("Place your bets", "3.5", "dan")):
        version, data = len(records) + 1, msgspec.json.encode(event)
        hash_ = link(hash_, version, SHAPE, at, cause, data)
        records.append(Record(stream, version, SHAPE, at, cause, data, hash_))
        cause = None
    checkpoint = make_checkpoint(at + 9, {stream: Head(2, hash_)}, None, signer)
    copy = b"".join((*map(record_line, records), checkpoint_line(checkpoint)))
    numbers = ((1, 8), (at, 8), (SHAPE, 2), (len(records[0].cause or b"") + 1, 4))
    header = b"".join(
        number.to_bytes(size) for number, size in (*numbers, (len(records[0].data), 4))
    )
    lines = (public.lines() + copy).decode().splitlines()
    return "\n".join((f"genesis {start.hex()}", f"header {header.hex()}", *lines))


def test_the_example_of_the_page_is_as_it_would_be_written() -> None:
    assert f"```\n{example()}\n```" in PAGE, f"docs/audit.md should have\n{example()}"


def test_the_example_of_the_page_verifies() -> None:
    _, _, key, *copy = example().encode().splitlines()
    verify(read_copy(copy), key)
    with pytest.raises(ValueError, match="hash"):
        verify(read_copy([copy[0].replace(b"dan", b"den"), *copy[1:]]), key)


@pytest.mark.parametrize("made", [SQLITE_TABLES, POSTGRES_TABLES])
@pytest.mark.parametrize("table", Journal._fields)
def test_the_page_has_the_columns_of_the_tables_in_their_order(made: str, table: str) -> None:
    listed = re.findall(r"`(\w+)`", PAGE.partition(f"| `{table}` |")[2].partition("\n")[0])
    declared = made.partition(f"{table} (")[2].partition(";")[0]
    assert listed == re.findall(
        r"(\w+) (?:TEXT|INTEGER|BLOB|bigint|bytea)\b", declared, re.IGNORECASE
    )
