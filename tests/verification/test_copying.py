"""A copy of the log as it grows: resumed, rotated, on a failing disk, compared with the journal."""

import asyncio
import errno
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from taisai.runtime.journal.checkpoints import make_checkpoint
from taisai.runtime.journal.contract import CHECKPOINTS_AT_ONCE, Checkpoint, Head, Record, genesis
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.operations import log_copier as copying
from taisai.runtime.operations.log_copier import (
    Copier,
    Copy,
    CopyError,
    checkpoint_line,
    read_line,
    record_line,
)
from taisai.runtime.verification.report import Report
from taisai.runtime.verification.verifier import Asked, verify
from tests.kit.journals import Pen, make_journal, played, venue_keys
from tests.verification.damage import Hand, rechained, verify_file

PUBLIC = venue_keys().public


async def copy_all(file: Path, target: Path, part_bytes: int = 10**9) -> Copier:
    """Copy a journal from where its copy ends."""
    journal = await SqliteJournal.open(file, read_only=True)
    copier = Copier(journal, target, part_bytes)
    copier.start()
    await copier.stop()
    await journal.close()
    return copier


def records_in(copy: Copy) -> list[Record]:
    return [each.content for each in copy.lines() if isinstance(each.content, Record)]


def as_in_the_journal(file: Path) -> list[Record]:
    hand = Hand(file)
    found = [Record(**row) for row in hand.rows("events")]
    hand.close()
    return found


@pytest.fixture
def copied(file: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Make a journal, and a directory with its whole copy in one part."""
    target = tmp_path / "elsewhere"
    target.mkdir()
    asyncio.run(copy_all(file, target))
    return file, target


def verified(copied: tuple[Path, Path]) -> Report:
    file, target = copied
    return verify_file(file, Asked(PUBLIC, copy=Copy(target)))


# --- the lines -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cause", "data"),
    [
        (b'["dealer","dan","1"]', b'{"type":"TableOpened","by":"sue"}'),
        (None, b'{"type":"TableOpened","by":"\xe8\x8b\x8f"}'),
        (b"", b""),
        (b"null", b"null"),
        (b"\n", b'{"a":\n1}'),
        (b"{", b'{"hash":"x"},"data":1'),
        (b"\xff\x00", b"\x80" * 9),
        (b'[1] , "at": 5', b' {"a":1} '),
    ],
)
def test_a_record_comes_back_from_its_line_byte_for_byte(cause: bytes | None, data: bytes) -> None:
    record = Record("table/\u8272\u5b50", 7, 1, 1_760_000_000_000, cause, data, bytes(range(32)))
    line = record_line(record)
    assert line.count(b"\n") == 1
    assert read_line(line) == record


def test_an_event_can_be_read_in_the_copy_by_eye() -> None:
    record = Record("cage", 7, 1, 5, b'["cage","cat","1"]', b'{"type":"VoucherPaid"}', bytes(2))
    assert record_line(record) == (
        b'{"stream":"cage","version":7,"shape":1,"at":5,"cause":["cage","cat","1"],'
        b'"data":{"type":"VoucherPaid"},"hash":"0000"}\n'
    )


def test_a_checkpoint_comes_back_from_its_line() -> None:
    heads = {"venue": genesis("x")._replace(version=3)}
    signed = make_checkpoint(5, heads, None, venue_keys().signer)
    for checkpoint in (signed, signed._replace(data=b'{"a":\n'), signed._replace(key="\u2028")):
        assert read_line(checkpoint_line(checkpoint)) == checkpoint


# --- following a journal -------------------------------------------------------------------------


def test_everything_is_copied_in_parts_and_compares(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.mkdir()
    copier = asyncio.run(copy_all(file, target, part_bytes=40_000))
    copy = Copy(target)
    sizes = [part.stat().st_size for part in copy.parts()]
    assert len(sizes) > 3
    assert all(size >= 40_000 for size in sizes[:-1])
    assert (copier.lag, copier.trouble) == (0, None)
    by_key = sorted(records_in(copy), key=lambda each: (each.stream, each.version))
    assert by_key == as_in_the_journal(file)
    report = verified((file, target))
    assert (report.faults, report.notes) == ([], [])
    assert report.copied_events == report.events
    assert {oct(part.stat().st_mode & 0o777) for part in copy.parts()} == {"0o600"}


def test_a_single_file_can_be_the_copy(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.jsonl"
    asyncio.run(copy_all(file, target, part_bytes=100_000))
    assert Copy(target).part(2) == tmp_path / "copy.jsonl.2"
    assert Copy(target).part(2).exists()
    assert verified((file, target)).verified


def test_a_journal_is_followed_as_it_grows_over_restarts(tmp_path: Path) -> None:
    decided, target = played(9, 12), tmp_path / "copy.jsonl"

    async def work() -> None:
        journal = await SqliteJournal.open(tmp_path / "journal.sqlite")
        pen = Pen(journal, venue_keys())
        for life in range(4):
            copier = Copier(journal, target, part_bytes=50_000)
            copier.start()
            for start in range(life * 40, life * 40 + 40, 10):
                await pen.write(decided[start : start + 10])
                copier.wake()
            await copier.stop()
            assert copier.lag == 0
        await journal.close()

    asyncio.run(work())
    report = verified((tmp_path / "journal.sqlite", target))
    assert report.verified, report.faults
    assert report.copied_events == report.events > 160


def test_a_line_that_was_cut_short_is_written_again(copied: tuple[Path, Path]) -> None:
    file, target = copied
    (part,) = Copy(target).parts()
    whole = part.read_bytes()
    for cut in (len(whole) - 1, len(whole) - 300, whole.index(b"\n") + 1, 5, 0):
        part.write_bytes(whole[:cut])
        asyncio.run(copy_all(file, target))
        assert sorted(part.read_bytes().splitlines()) == sorted(whole.splitlines())


def test_a_copy_that_is_behind_is_no_fault(copied: tuple[Path, Path]) -> None:
    (part,) = Copy(copied[1]).parts()
    lines = part.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join(lines[: len(lines) // 2]))
    report = verified(copied)
    assert report.verified
    assert "events behind" in report.notes[0]


# --- a disk that fails ---------------------------------------------------------------------------


class Disk:
    """Makes a copy's disk fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        self._fsync = os.fsync
        monkeypatch.setattr(os, "fsync", self.fsync)
        monkeypatch.setattr(copying, "RETRY_SECONDS", 0.001)

    def fsync(self, descriptor: int) -> None:
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        self._fsync(descriptor)


def test_a_full_disk_is_told_and_taken_up_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided, target = played(9, 12), tmp_path / "copy.jsonl"
    disk = Disk(monkeypatch)
    told: list[str] = []

    async def work() -> None:
        journal = await SqliteJournal.open(tmp_path / "journal.sqlite")
        pen = Pen(journal, venue_keys())
        copier = Copier(journal, target)
        heard = asyncio.Event()

        def receive(news: str) -> None:
            told.append(news)
            heard.set()

        copier.on_news = receive
        copier.start()
        disk.full = True
        await pen.write(decided[:100])
        copier.wake()
        await asyncio.wait_for(heard.wait(), 10)
        assert copier.trouble is not None
        heard.clear()
        disk.full = False
        await asyncio.wait_for(heard.wait(), 10)
        await copier.stop()
        await journal.close()

    asyncio.run(work())
    assert told[0] == f"the log is not being copied to {target}: No space left on device"
    assert told[-1] == f"the log is copied to {target} again"
    assert verified((tmp_path / "journal.sqlite", target)).verified


def test_a_place_that_is_not_there_is_told(file: Path, tmp_path: Path) -> None:
    copier = asyncio.run(copy_all(file, tmp_path / "no" / "such" / "place"))
    assert copier.trouble is not None
    assert "No such file or directory" in copier.trouble


def test_a_copy_of_another_journal_is_left_as_it_is(
    copied: tuple[Path, Path], tmp_path: Path
) -> None:
    _, target = copied
    (part,) = Copy(target).parts()
    before = part.read_bytes()
    other = make_journal(tmp_path / "other.sqlite", 31, 20)
    copier = asyncio.run(copy_all(other, target))
    assert copier.trouble is not None
    assert part.read_bytes() == before


def test_a_copy_that_cannot_be_read_is_left_as_it_is(copied: tuple[Path, Path]) -> None:
    file, target = copied
    (part,) = Copy(target).parts()
    lines = part.read_bytes().splitlines(keepends=True)
    lines[3] = b"{}\n"
    part.write_bytes(b"".join(lines))
    copier = asyncio.run(copy_all(file, target))
    assert copier.trouble is not None
    assert "line 4: it cannot be read" in copier.trouble
    assert part.read_bytes() == b"".join(lines)


def test_what_does_not_chain_is_not_copied(file: Path, tmp_path: Path) -> None:
    hand = Hand(file)
    hand.do("UPDATE events SET data = X'7b7d' WHERE stream = 'cage' AND version = 3")
    hand.close()
    copier = asyncio.run(copy_all(file, tmp_path / "copy.jsonl"))
    assert copier.trouble is not None
    assert "cage breaks at version 3" in copier.trouble


# --- compared with the journal -------------------------------------------------------------------


@pytest.fixture
def hand(copied: tuple[Path, Path]) -> Iterator[Hand]:
    hand = Hand(copied[0])
    yield hand
    hand.close()


def places(report: Report) -> list[tuple[Any, Any]]:
    return [(fault.stream, fault.version) for fault in report.faults]


def test_a_tail_cut_off_with_every_signature_is_missed(
    copied: tuple[Path, Path], hand: Hand
) -> None:
    end = len(hand.rows("events", "stream = 'table/T1'"))
    hand.do("DELETE FROM events WHERE stream = 'table/T1' AND version > ?", end - 2)
    hand.do("DELETE FROM checkpoints")
    hand.do("DELETE FROM snapshots")
    report = verified(copied)
    assert ("table/T1", end - 1) in places(report)
    assert any("is gone; the copy has it" in fault.sentence for fault in report.faults)


def test_a_stream_deleted_with_every_signature_is_missed(
    copied: tuple[Path, Path], hand: Hand
) -> None:
    hand.do("DELETE FROM events WHERE stream = 'table/T3'")
    hand.do("DELETE FROM checkpoints")
    hand.do("DELETE FROM snapshots")
    report = verified(copied)
    assert ("table/T3", 1) in places(report)


def test_history_written_anew_is_named_where_it_begins(
    copied: tuple[Path, Path], hand: Hand
) -> None:
    rows = hand.rows("events", "stream = 'venue'")
    row = next(each for each in rows if b"TableAdmitted" in each["data"])
    rechained(hand, "venue", row["version"], row["data"].replace(b"cage", b"cave"))
    hand.do("DELETE FROM checkpoints")
    hand.do("DELETE FROM snapshots")
    report = verified(copied)
    first = next(each for each in report.faults if each.stream == "venue")
    assert "neither a checkpoint nor a seal vouches for" in first.sentence
    fault = next(each for each in report.faults if each.stream == "venue" and each.field)
    assert (fault.version, fault.field) == (row["version"], "data")
    assert fault.byte == row["data"].index(b"cage") + 2
    assert "and the copy has 0x67 ('g')" in fault.sentence


def test_several_bytes_altered_are_told_by_the_copy(copied: tuple[Path, Path], hand: Hand) -> None:
    row = hand.rows("events", "stream = 'table/T1'")[0]
    hand.do(
        "UPDATE events SET data = ? WHERE stream = 'table/T1' AND version = 1",
        row["data"].replace(b"T1", b"X9"),
    )
    fault = verified(copied).faults[0]
    assert (fault.stream, fault.version, fault.field) == ("table/T1", 1, "data")
    assert fault.byte == row["data"].index(b"T1")
    assert (fault.expected, fault.found) == ("0x54 ('T')", "0x58 ('X')")


def test_a_checkpoint_signed_anew_is_not_the_one_in_the_copy(
    copied: tuple[Path, Path], hand: Hand
) -> None:
    last = Checkpoint(**hand.rows("checkpoints")[-1])
    data = last.data.replace(b'"at":1', b'"at":2')
    signature = venue_keys().signer.sign(b"taisai checkpoint\0" + data)
    hand.do("UPDATE checkpoints SET data = ?, signature = ? WHERE number = ?", data, signature,
            last.number)  # fmt: skip
    report = verified(copied)
    assert report.faults[-1].checkpoint == last.number
    assert "not the one that the copy has" in report.faults[-1].sentence


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (lambda lines: lines.insert(5, b"nonsense\n"), "line 6: it cannot be read"),
        (lambda lines: lines.pop(5), "line 6: "),
        (lambda lines: lines.pop(0), "does not begin as part 1"),
        (lambda lines: lines.__setitem__(4, lines[4].replace(b'"at":1', b'"at":2')), "line 5: "),
    ],
)
def test_a_copy_that_was_altered_is_told(copied: tuple[Path, Path], alter: Any, said: str) -> None:
    (part,) = Copy(copied[1]).parts()
    lines = part.read_bytes().splitlines(keepends=True)
    alter(lines)
    part.write_bytes(b"".join(lines))
    report = verified(copied)
    assert [fault.in_ for fault in report.faults] == ["copy"]
    assert said in report.faults[0].sentence


def test_a_part_that_is_gone_is_told(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.jsonl"
    asyncio.run(copy_all(file, target, part_bytes=40_000))
    Copy(target).part(2).write_bytes(Copy(target).part(3).read_bytes())
    report = verified((file, target))
    assert "does not begin as part 2" in report.faults[0].sentence
    target.unlink()
    report = verified((file, target))
    assert "there is no copy of a log" in report.faults[0].sentence
    with pytest.raises(CopyError):
        next(Copy(target).lines())


class GrowingJournal(SqliteJournal):
    """A journal to which a venue writes, and copies, after its heads were first read."""

    grow: Callable[[], Awaitable[None]] | None = None

    async def heads(self, streams: Iterable[str] | None = None) -> dict[str, Head]:
        found = await super().heads(streams)
        grow, self.grow = self.grow, None
        if grow is not None:
            await grow()
        return found


async def verified_while_growing(folder: Path, *, lose_again: bool) -> Report:
    """Verify a journal that gets new events, streams and checkpoints meanwhile, all copied."""
    decided = played(9, 4)
    begun = next(at for at, each in enumerate(decided) if each.stream.startswith("table/")) - 1
    written = await SqliteJournal.open(folder / "journal.sqlite")
    pen = Pen(written, venue_keys())
    await pen.write(decided[:begun])
    copier = Copier(written, folder / "copy")
    copier.start()
    journal = await GrowingJournal.open(folder / "journal.sqlite", read_only=True)
    before = await written.heads()

    async def grow() -> None:
        for start in range(begun, len(decided), 25):
            await pen.write(decided[start : start + 25])
        await pen.end()
        await copier.stop()
        if lose_again:
            await written.close()
            file = apsw.Connection(str(folder / "journal.sqlite"))
            for stream in pen.heads:
                cut = (stream, before[stream].version if stream in before else 0)
                file.execute("DELETE FROM events WHERE stream = ? AND version > ?", cut)
            file.execute("DELETE FROM checkpoints")
            file.close()

    journal.grow = grow
    report = await verify(journal, Asked(PUBLIC, copy=Copy(folder / "copy")))
    await journal.close()
    await written.close()
    return report


def test_a_journal_that_grows_meanwhile_is_not_missed(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    report = asyncio.run(verified_while_growing(tmp_path, lose_again=False))
    assert report.faults == []
    assert report.copied_events > report.events > 0


def test_what_is_really_gone_is_missed_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    report = asyncio.run(verified_while_growing(tmp_path, lose_again=True))
    said = [fault.sentence for fault in report.faults]
    assert "checkpoint 1 is gone; the copy has it" in said
    assert any(" is gone; the copy has it up to version " in each for each in said)
    assert any(each.startswith("venue ends at version ") for each in said)


def test_more_checkpoints_than_are_read_at_once_are_all_followed(tmp_path: Path) -> None:
    file = make_journal(tmp_path / "journal.sqlite", rounds=4, batch=1)
    (tmp_path / "copy").mkdir()
    asyncio.run(copy_all(file, tmp_path / "copy"))
    report = verified((file, tmp_path / "copy"))
    assert report.faults == []
    assert report.checkpoints == len(played(9, 4)) > CHECKPOINTS_AT_ONCE
    hand = Hand(file)
    hand.do("DELETE FROM checkpoints WHERE number = ?", CHECKPOINTS_AT_ONCE + 1)
    hand.close()
    first, *_ = verified((file, tmp_path / "copy")).faults
    assert first.checkpoint == CHECKPOINTS_AT_ONCE + 1
