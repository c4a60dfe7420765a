"""Snapshots: the state of a table, of the cage or of the venue as bytes, and back again.

Every field of a state is packed by its own type, so that a new field is included without any
change here. Derived data is left out: rules compiled from a rulebook's canonical content, the lines
of settled rounds, which are read again from the events that the snapshot names, and the numbers of
live vouchers, which are derived from a key that is in no snapshot.

This module does not check that a snapshot is genuine: its keeper signs it. A snapshot that is
damaged, or made by another version of the program, is refused, and the journal is replayed from its
beginning instead.
"""

import hashlib
import zlib
from collections.abc import Iterator, Mapping
from itertools import groupby
from struct import Struct as Layout
from typing import Any, get_args

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import fields

from taisai.core.cage.state import CageState
from taisai.core.kernel.messages import Order, SettledLine
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.proof import RulebookError
from taisai.core.rules.rulebook import Rulebook
from taisai.core.streams import TableEvent
from taisai.core.table.corrections import RoundResettled
from taisai.core.table.round import RoundSettled
from taisai.core.table.setup import journaled_rulebook
from taisai.core.table.state import RoundRecord, TableState
from taisai.core.venue.state import VenueState

#: The version of the snapshot format; raised when the meaning of a field changes.
FORMAT = 1

#: Format, checksum of what follows, fingerprint of the fields.
_HEADER = Layout(">HI8s")
_NOTHING = b"null"

# JSON, as in the journal: an amount may be larger than MessagePack's integers.
_encode = msgspec.json.Encoder().encode


class SnapshotError(ValueError):
    """A snapshot that cannot be read; the text says why."""


class Carried:
    """The fields of a struct that are packed one by one; the others are rebuilt.

    A snapshot is identified by the fields of the struct, and of the structs it is packed `with_`.
    """

    def __init__(
        self, kind: type[Struct], *rebuilt: str, with_: tuple["Carried", ...] = ()
    ) -> None:
        self._carried = [each for each in fields(kind) if each.name not in rebuilt]
        self.names = tuple(each.name for each in self._carried)
        self.shape: Any = tuple.__class_getitem__(tuple(each.type for each in self._carried))
        described = "\n".join(line for each in (self, *with_) for line in each.layout())
        self.fingerprint = hashlib.sha256(described.encode()).digest()[:8]
        self._decode = msgspec.json.Decoder(self.shape).decode

    def pack(self, state: Struct) -> tuple[object, ...]:
        """Take the fields out of a struct, in order; sets have no order, and are sorted."""
        values = [getattr(state, name) for name in self.names]
        return tuple(sorted(each) if isinstance(each, set | frozenset) else each for each in values)

    def named(self, values: tuple[Any, ...]) -> dict[str, Any]:
        """Give the fields their names again."""
        return dict(zip(self.names, values, strict=True))

    def read(self, values: bytes | Raw) -> dict[str, Any]:
        """Read the fields of a struct that was packed."""
        return self.named(_read(self._decode, values))

    def sealed(self, state: Struct) -> bytes:
        """Pack a state that needs nothing besides its fields."""
        return _sealed(self.fingerprint, self.pack(state))

    def opened(self, data: bytes) -> dict[str, Any]:
        """Read the fields of such a state back."""
        return self.read(_opened(data, self.fingerprint))

    def layout(self) -> Iterator[str]:
        """Describe the fields, down to the structs they are made of."""
        structs: dict[type[Struct], None] = {}
        for each in self._carried:
            yield f"{each.name}: {each.type}"
            _find_structs(each.type, structs)
        for struct in structs:
            yield f"{struct} {[(each.name, str(each.type)) for each in fields(struct)]}"


def _find_structs(kind: object, found: dict[type[Struct], None]) -> None:
    """Find the structs a type is made of; orders are read as the journal reads them."""
    for part in get_args(kind):
        _find_structs(part, found)
    if isinstance(kind, type) and issubclass(kind, Struct) and kind not in {Order, *found}:
        found[kind] = None
        for each in fields(kind):
            _find_structs(each.type, found)


ROUND = Carried(RoundRecord, "lines", "rules", "sessions")
TABLE = Carried(TableState, "rulebook", "pay_table", "history", with_=(ROUND,))
CAGE = Carried(CageState, "key", "later", "by_number")
VENUE = Carried(VenueState)


#: Rulebook, pay table, rounds by the rules they were played by, each with its count of lines, and
#: the fields, which need not be read to learn which rounds are needed.
_Rounds = list[tuple[str, list[tuple[int, ROUND.shape]]]]  # type: ignore[name-defined]
_read_parts = msgspec.json.Decoder(tuple[Raw, int | None, _Rounds, Raw]).decode


def pack_table(state: TableState) -> bytes:
    """Pack a table, without the lines of its settled rounds."""
    history = groupby(state.history.values(), lambda record: record.rules)
    parts = (
        Raw(_NOTHING if state.rulebook is None else state.rulebook.canonical),
        None if state.pay_table is None else state.pay_table.number,
        [
            (rules, [(len(record.lines), ROUND.pack(record)) for record in records])
            for rules, records in history
        ],
        TABLE.pack(state),
    )
    return _sealed(TABLE.fingerprint, parts)


def rounds_needed(data: bytes) -> list[int]:
    """Name the versions of the events that hold the lines of a packed table's rounds."""
    rounds = _read(_read_parts, _opened(data, TABLE.fingerprint))[2]
    return [record.version for count, record in _records(rounds) if count]


def unpack_table(data: bytes, rounds: Mapping[int, TableEvent]) -> TableState:
    """Read a table back, given by version the events that hold the lines of its rounds."""
    canonical, number, packed, values = _read(_read_parts, _opened(data, TABLE.fingerprint))
    rulebook, pay_table = _rules(bytes(canonical), number)
    history = {}
    for count, record in _records(packed):
        if count:
            record.lines, record.sessions = _lines(record, count, rounds.get(record.version))
        history[record.number] = record
    named = TABLE.read(values)
    return TableState(rulebook=rulebook, pay_table=pay_table, history=history, **named)


def _records(rounds: list[tuple[str, list[tuple[int, Any]]]]) -> Iterator[tuple[int, RoundRecord]]:
    """Read the rounds, still without their lines, each with how many it has."""
    for rules, packed in rounds:
        for count, values in packed:
            yield count, RoundRecord(rules=rules, lines=(), **ROUND.named(values))


def _rules(canonical: bytes, number: int | None) -> tuple[Rulebook | None, PayTable | None]:
    """Compile the rulebook again, and find the pay table in it."""
    if canonical == _NOTHING:
        return None, None
    try:
        rulebook = journaled_rulebook(canonical.decode())
    except RulebookError as error:
        raise _unreadable(f"the rulebook in it does not hold together: {error}") from None
    if number is None or number not in rulebook.pay_tables:
        raise _unreadable(f"there is no pay table {number} in its rulebook, {rulebook.key}")
    return rulebook, rulebook.pay_tables[number]


def _lines(
    record: RoundRecord, count: int, event: TableEvent | None
) -> tuple[tuple[SettledLine, ...], dict[str, int]]:
    """Take a round's lines from its event, which must be the one that the snapshot names."""
    if (
        isinstance(event, RoundSettled | RoundResettled)
        and (event.round, event.faces) == (record.number, record.faces)
        and len(event.lines) == count
    ):
        return event.lines, event.sessions
    found = "nothing" if event is None else type(event).__name__
    raise _unreadable(
        f"round {record.number} should have {count} settled lines at version {record.version},"
        f" and there is {found}"
    )


def unpack_cage(data: bytes, key: bytes, later: tuple[bytes, ...] = ()) -> CageState:
    """Read the cage back; the numbers of its vouchers follow from the keys."""
    named = CAGE.opened(data)
    cage = CageState(key=key, later=later, **named)
    cage.by_number = {cage.number_of(serial): serial for serial in cage.outstanding}
    return cage


def _sealed(fingerprint: bytes, parts: object) -> bytes:
    """Put the header before a snapshot: its format, checksum and fingerprint."""
    body = _encode(parts)
    return _HEADER.pack(FORMAT, zlib.crc32(body, zlib.crc32(fingerprint)), fingerprint) + body


def _opened(data: bytes, expected: bytes) -> bytes:
    """Check and remove the header of a snapshot, and refuse a wrong one."""
    if len(data) < _HEADER.size:
        raise _unreadable(f"it ends after {len(data)} bytes")
    written, checksum, fingerprint = _HEADER.unpack_from(data)
    if written != FORMAT:
        raise _unreadable(f"it is of format {written}, and this program reads format {FORMAT}")
    body = data[_HEADER.size :]
    if zlib.crc32(body, zlib.crc32(fingerprint)) != checksum:
        raise _unreadable("it is damaged, or cut short")
    if fingerprint != expected:
        raise _unreadable("it is of something else, or a program made it that keeps other fields")
    return body


def _read(decode: Any, body: bytes) -> Any:
    try:
        return decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unreadable(f"what it holds is not a state: {error}") from None


def _unreadable(why: str) -> SnapshotError:
    return SnapshotError(f"this snapshot cannot be read: {why}")
