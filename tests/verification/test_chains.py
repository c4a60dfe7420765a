"""Where a chain breaks: every single bit of a record, any one byte, and what cannot be told."""

import hashlib

import pytest

from taisai.runtime.journal.contract import SHAPE, Head, Record, genesis, link, sound_links
from taisai.runtime.verification.chains import broken_link
from tests.verification.damage import bits_of, flipped

STREAM = "table/T1"
AT = 1_760_000_000_000


def chained(*datas: bytes, cause: bytes | None = b'["dealer","dan","order-1"]') -> list[Record]:
    """Chain records from the beginning of a stream."""
    version, before = genesis(STREAM)
    made = []
    for data in datas:
        version += 1
        before = link(before, version, SHAPE, AT, cause, data)
        made.append(Record(STREAM, version, SHAPE, AT, cause, data, before))
    return made


OPENED = b'{"type":"TableOpened","by":"sue"}'
CLOSED = b'{"type":"TableClosed","by":"sue"}'


def test_a_sound_chain_is_followed_to_its_end() -> None:
    page = chained(OPENED, CLOSED, OPENED)
    assert sound_links(genesis(STREAM), page) == (Head(3, page[2].hash), 3)
    # The hash is what it is said to be: everything, one after the other.
    header = (3).to_bytes(8, "big") + AT.to_bytes(8, "big") + (1).to_bytes(2, "big")
    cause = page[2].cause or b""
    lengths = (len(cause) + 1).to_bytes(4, "big") + len(OPENED).to_bytes(4, "big")
    content = page[1].hash + header + lengths + cause + OPENED
    assert hashlib.sha256(content).digest() == page[2].hash


@pytest.mark.parametrize("field", ["shape", "at", "cause", "data", "hash"])
def test_every_bit_of_a_record_is_found_and_told(field: str) -> None:
    page = chained(OPENED, CLOSED)
    sound = page[1]
    value = getattr(sound, field)
    for bit in range(bits_of(value)):
        altered = sound._replace(**{field: flipped(value, bit)})
        head, count = sound_links(genesis(STREAM), [page[0], altered])
        assert (head, count) == (Head(1, page[0].hash), 1)
        fault = broken_link(head, altered, None)
        assert (fault.stream, fault.version, fault.field) == (STREAM, 2, field)
        if isinstance(value, int):
            assert fault.found == str(flipped(value, bit))
            # A shape that cannot even be written has no hash to find the right one by.
            assert fault.expected == str(value) or not 0 <= flipped(value, bit) < 2**16
        else:
            assert fault.byte == bit // 8


def test_any_one_byte_is_found() -> None:
    (record,) = chained(b'{"type":"BetsRegistered","terminal":"7","bets":[["big",1000]]}')
    altered = record._replace(data=record.data.replace(b"1000", b"9000"))
    fault = broken_link(genesis(STREAM), altered, None)
    assert (fault.field, fault.byte) == ("data", record.data.index(b"1000"))
    assert (fault.expected, fault.found) == ("0x31 ('1')", "0x39 ('9')")
    assert fault.sentence == (
        "table/T1 breaks at version 1: byte 55 of its data is 0x39 ('9'), and its hash is of"
        " 0x31 ('1')"
    )


def test_two_bytes_cannot_be_told_without_a_copy_and_can_with_one() -> None:
    (record,) = chained(b'{"type":"BetsRegistered","terminal":"7","bets":[["big",1000]]}')
    altered = record._replace(data=record.data.replace(b"1000", b"9999"))
    fault = broken_link(genesis(STREAM), altered, None)
    assert fault.byte is None
    assert "cannot be told without a copy" in fault.sentence
    assert fault.found == record.hash.hex()
    fault = broken_link(genesis(STREAM), altered, record)
    assert (fault.field, fault.byte) == ("data", record.data.index(b"1000"))
    assert "the copy has 0x31 ('1')" in fault.sentence


def test_where_it_cannot_be_read_is_told() -> None:
    (record,) = chained(b'{"type":"TableOpened","by":"sue"}')
    fault = broken_link(genesis(STREAM), record._replace(data=b'{"type":"TableOpened",}!'), None)
    assert (fault.field, fault.byte) == ("data", 22)
    fault = broken_link(
        genesis(STREAM), record._replace(data=record.data[:-4] + b"\xff\xff}"), None
    )
    assert fault.field == "data"


@pytest.mark.parametrize("data", [b"", OPENED[:-1], OPENED + b" "])
def test_a_shorter_or_longer_record_is_compared_with_its_copy(data: bytes) -> None:
    (record,) = chained(OPENED)
    fault = broken_link(genesis(STREAM), record._replace(data=data), record)
    assert (fault.field, fault.byte) == ("data", min(len(data), len(OPENED)))


def test_a_cause_that_is_gone_or_a_hash_cut_short() -> None:
    (record,) = chained(OPENED)
    fault = broken_link(genesis(STREAM), record._replace(cause=None), record)
    assert (fault.field, fault.found) == ("cause", "nothing")
    fault = broken_link(genesis(STREAM), record._replace(hash=record.hash[:31]), None)
    assert fault.field == "hash"


def test_a_gap_is_named_by_what_is_missing() -> None:
    first, _, third = chained(OPENED, CLOSED, OPENED)
    head, count = sound_links(genesis(STREAM), [first, third])
    fault = broken_link(head, third, None)
    assert (count, fault.version, fault.found) == (1, 2, "3")
