"""Any bit flipped in an event, a key, a hash, a checkpoint or a snapshot is found and named.

Every bit of small values is tested, and bits all over large ones, in some rows of every stream.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import apsw
import pytest

from taisai.runtime.verification.report import Fault
from taisai.runtime.verification.verifier import Asked
from tests.verification.damage import Hand, Row, bits_of, flipped

BITS_TRIED = 12


@pytest.fixture
def hand(file: Path) -> Iterator[Hand]:
    hand = Hand(file)
    yield hand
    hand.close()


def tried(value: Any, most: int = BITS_TRIED) -> range:
    """Choose bits of a value, always the same, so that every bit of a byte has its turn."""
    bits = bits_of(value)
    return range(bits) if bits <= most else range(0, bits, bits // most | 1)


def chosen_events(hand: Hand) -> list[Row]:
    """Choose events of every stream: the first, one that begins no decision, the last."""
    rows = hand.rows("events")
    chosen = []
    for stream in sorted({row["stream"] for row in rows}):
        own = [row for row in rows if row["stream"] == stream]
        between = [row for row in own[1:-1] if row["cause"] is None and len(row["data"]) < 400]
        chosen += [own[0], *islice(between, 1), own[-1]]
    return chosen


def flips(hand: Hand, table: str, row: Row, column: str, asked: Asked) -> Iterator["Flip"]:
    """Flip bits of one cell, one at a time, and give the faults found."""
    for bit in tried(row[column]):
        value = flipped(row[column], bit)
        try:
            with hand.cell(table, row, column, value):
                yield Flip(value, bit // 8, hand.verify(asked).faults)
        except apsw.ConstraintError:
            # There is such a row already: a key cannot be there twice.
            continue


class Flip:
    """A flipped bit, and the faults found."""

    def __init__(self, value: Any, byte: int, faults: list[Fault]) -> None:
        assert faults, f"{value!r} was not found"
        self.value = value
        self.byte = byte
        self.first = faults[0]
        self.said = " / ".join(fault.sentence for fault in faults)


@pytest.mark.parametrize("column", ["data", "cause", "hash"])
def test_in_an_event_the_very_byte_is_named(hand: Hand, asked: Asked, column: str) -> None:
    count = 0
    for row in chosen_events(hand):
        if row[column] is None:
            continue
        for flip in flips(hand, "events", row, column, asked):
            count += 1
            found = flip.first
            assert (found.stream, found.version) == (row["stream"], row["version"]), flip.said
            assert found.field == column, flip.said
            assert found.byte == flip.byte, flip.said
            assert f"0x{row[column][flip.byte]:02x}" in str(found.expected)
            assert f"0x{flip.value[flip.byte]:02x}" in str(found.found)
    assert count > 80


@pytest.mark.parametrize("column", ["at", "shape"])
def test_in_the_time_or_the_shape_of_an_event(hand: Hand, asked: Asked, column: str) -> None:
    for row in chosen_events(hand)[1::4]:
        for flip in flips(hand, "events", row, column, asked):
            found = flip.first
            where = (found.stream, found.version, found.field)
            assert where == (row["stream"], row["version"], column), flip.said
            assert found.found == str(flip.value)
            assert found.expected in (str(row[column]), None)


def test_in_the_version_of_an_event(hand: Hand, asked: Asked) -> None:
    for row in chosen_events(hand)[::3]:
        for flip in flips(hand, "events", row, "version", asked):
            assert flip.first.stream == row["stream"]
            assert flip.first.version in (row["version"], flip.value), flip.said
            assert flip.first.field == "version"


def test_in_the_stream_of_an_event(hand: Hand, asked: Asked) -> None:
    for row in chosen_events(hand)[::3]:
        for flip in flips(hand, "events", row, "stream", asked):
            shown = flip.value.decode("utf-8", "backslashreplace")
            named = {(row["stream"], row["version"]), (shown, row["version"]), (shown, 1)}
            assert (flip.first.stream, flip.first.version) in named, flip.said
            assert shown in flip.said or row["stream"] in flip.said


@pytest.mark.parametrize("column", ["data", "key", "signature", "number"])
def test_in_a_checkpoint(hand: Hand, asked: Asked, column: str) -> None:
    rows = hand.rows("checkpoints")
    for row in (rows[0], rows[len(rows) // 2], rows[-1]):
        for flip in flips(hand, "checkpoints", row, column, asked):
            found = flip.first
            assert found.in_ == "checkpoint", flip.said
            assert found.checkpoint == row["number"] or str(flip.value) in found.sentence


@pytest.mark.parametrize("column", ["data", "head", "key", "signature", "version", "stream"])
def test_in_a_snapshot(hand: Hand, asked: Asked, column: str) -> None:
    rows = hand.rows("snapshots")
    assert len(rows) >= 3
    for row in (rows[0], rows[-1]):
        for flip in flips(hand, "snapshots", row, column, asked):
            found = flip.first
            value = flip.value
            if isinstance(value, bytes):
                value = value.decode("utf-8", "backslashreplace")
            assert found.in_ == "snapshot", flip.said
            assert found.stream in (row["stream"], value), flip.said
            assert found.version in (row["version"], value), flip.said


def test_without_keys_what_the_chain_covers_is_found_all_the_same(hand: Hand) -> None:
    row = chosen_events(hand)[-1]
    for flip in islice(flips(hand, "events", row, "data", Asked()), 10):
        assert (flip.first.stream, flip.first.byte) == (row["stream"], flip.byte)
    checkpoint = hand.rows("checkpoints")[1]
    for flip in islice(flips(hand, "checkpoints", checkpoint, "data", Asked()), 40):
        assert flip.first.checkpoint in (2, 3) or flip.first.in_ == "stream", flip.said
