"""Journals altered by more than a bit: cut, swapped, forged with matching hashes, combined."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from taisai.core.cage.unclaimed import UnclaimedPaid
from taisai.core.table import state as table_state
from taisai.runtime.journal.checkpoints import make_checkpoint, sign_snapshot
from taisai.runtime.journal.contract import Checkpoint, Head
from taisai.runtime.keys.signing import fresh_keys
from taisai.runtime.verification.replay import COMPARE_EVERY
from taisai.runtime.verification.report import Report
from taisai.runtime.verification.verifier import Asked
from tests.kit.journals import make_journal, played, venue_keys
from tests.verification.damage import Hand, Row, rechained, row_key, verify_file

PUBLIC = venue_keys().public


@pytest.fixture
def hand(file: Path) -> Iterator[Hand]:
    hand = Hand(file)
    yield hand
    hand.close()


def newest_checkpoint(hand: Hand) -> Checkpoint:
    return Checkpoint(**hand.rows("checkpoints")[-1])


def unsigned(hand: Hand) -> None:
    """Delete every signature, as an attacker would who cannot make any."""
    hand.do("DELETE FROM checkpoints")
    hand.do("DELETE FROM snapshots")


def find(hand: Hand, kind: str, suits: Any = lambda _: True) -> tuple[Row, Any]:
    """Find an event of a kind, as a row and as plain data."""
    for row in hand.rows("events"):
        event = msgspec.json.decode(row["data"])
        if event["type"] == kind and suits(event):
            return row, event
    raise AssertionError(f"there is no such {kind} in this journal")


def first(report: Report) -> tuple[str | None, int | None]:
    """Give the first fault's stream and version."""
    assert report.faults
    return report.faults[0].stream, report.faults[0].version


# --- sound ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [2, 5, 8])
def test_a_sound_journal_is_proved_and_counted(seed: int, tmp_path: Path, asked: Asked) -> None:
    file = make_journal(tmp_path / "journal.sqlite", seed, 20)
    report = verify_file(file, asked)
    decided = played(seed, 20)
    found = [note for note in report.notes if "not to have happened" in note]
    assert (report.faults, report.notes) == ([], found)
    kinds = [type(event).__name__ for each in decided for event in each.events]
    assert len(found) == kinds.count("ReportDeclined")
    assert report.decisions == len(decided)
    assert report.events == sum(len(each.events) for each in decided)
    assert report.streams == len({each.stream for each in decided})
    assert report.rounds == kinds.count("RoundStarted")
    hand = Hand(file)
    assert report.checkpoints == len(hand.rows("checkpoints")) > 3
    assert report.snapshots == len(hand.rows("snapshots")) > 1
    hand.close()
    money = report.money
    assert money.currency == "SGD"
    # The money in the venue came over the counter, or out of the venue's own bank.
    lines = [line for each in decided for event in each.events for line in settled(event)]
    assert money.turnover == sum(line.stake for line in lines)
    assert money.won == sum(line.won for line in lines)
    events: list[Any] = [event for each in decided for event in each.events]
    sold = sum(event.value for event in events if is_sale(event))
    paid = sum(event.value for event in events if is_paid(event))
    paid += sum(event.amount for event in events if isinstance(event, UnclaimedPaid))
    inside = money.credits + money.stakes + money.vouchers + money.in_transit + money.unclaimed
    assert inside + money.bank == sold - paid


def settled(event: Any) -> tuple[Any, ...]:
    return event.lines if type(event).__name__ == "RoundSettled" else ()


def is_sale(event: Any) -> bool:
    return type(event).__name__ == "VoucherIssued" and event.transit is None


def is_paid(event: Any) -> bool:
    """Say whether cash was paid out: for a voucher, or for a sale that was taken back."""
    return type(event).__name__ in ("VoucherPaid", "VoucherVoided")


def test_an_empty_journal_is_sound(hand: Hand, asked: Asked) -> None:
    unsigned(hand)
    hand.do("DELETE FROM events")
    report = hand.verify(asked)
    assert (report.faults, report.events, report.newest_checkpoint) == ([], 0, None)


def test_what_no_signature_covers_is_said(hand: Hand, asked: Asked) -> None:
    hand.do("DELETE FROM checkpoints WHERE number > 2")
    report = hand.verify(asked)
    assert report.verified
    assert ["no signature vouches yet" in note for note in report.notes] == [True]


def test_without_keys_no_signature_is_checked_and_that_is_said(hand: Hand) -> None:
    report = hand.verify(Asked())
    assert report.verified
    assert "no public keys were given" in report.notes[0]


# --- cut, swapped, combined ----------------------------------------------------------------------


def test_a_stream_that_is_gone_is_missed_by_the_journals_own_checkpoints(
    hand: Hand, asked: Asked
) -> None:
    hand.do("DELETE FROM events WHERE stream = 'table/T2'")
    report = hand.verify(asked)
    assert first(report) == ("table/T2", 1)
    assert "table/T2 is gone; checkpoint" in report.faults[0].sentence
    # Other streams may refer to it; that is no fault of theirs.
    assert {fault.stream for fault in report.faults} == {"table/T2"}


def test_a_stream_that_is_gone_with_its_checkpoints_is_missed_by_one_held_elsewhere(
    hand: Hand,
) -> None:
    held = newest_checkpoint(hand)
    hand.do("DELETE FROM events WHERE stream = 'table/T2'")
    unsigned(hand)
    report = hand.verify(Asked(PUBLIC, held))
    said = [fault.sentence for fault in report.faults]
    assert f"checkpoint {held.number}, held elsewhere, is gone; the journal ends with 0" in said
    assert any("table/T2 is gone; checkpoint" in each for each in said)


@pytest.mark.parametrize("stream", ["venue", "cage", "table/T1"])
@pytest.mark.parametrize("without_signatures", [False, True])
def test_a_tail_that_was_cut_off_is_missed(
    hand: Hand, stream: str, *, without_signatures: bool
) -> None:
    held = newest_checkpoint(hand)
    end = len(hand.rows("events", "stream = ?", stream))
    hand.do("DELETE FROM events WHERE stream = ? AND version = ?", stream, end)
    if without_signatures:
        unsigned(hand)
    report = hand.verify(Asked(PUBLIC, held))
    assert any((each.stream, each.version) == (stream, end) for each in report.faults)
    assert any(f"{stream} ends at version {end - 1}" in each.sentence for each in report.faults)


def test_two_records_that_were_swapped(hand: Hand, asked: Asked) -> None:
    rows = hand.rows("events", "stream = 'table/T1'")
    one, other = rows[4], rows[7]
    for there, row in ((one, other), (other, one)):
        columns = [row[name] for name in ("shape", "at", "cause", "data", "hash")]
        hand.do(
            "UPDATE events SET shape = ?, at = ?, cause = ?, data = ?, hash = ?"
            " WHERE stream = ? AND version = ?",
            *columns,
            *row_key(there),
        )
    assert first(hand.verify(asked)) == row_key(one)


def test_a_record_in_the_middle_that_is_gone(hand: Hand, asked: Asked) -> None:
    hand.do("DELETE FROM events WHERE stream = 'cage' AND version = 5")
    hand.do("UPDATE events SET version = version - 1000000 WHERE stream = 'cage' AND version > 5")
    hand.do("UPDATE events SET version = version + 999999 WHERE stream = 'cage' AND version < 0")
    report = hand.verify(asked)
    assert first(report) == ("cage", 5)


@pytest.mark.parametrize("number", [1, 2])
def test_a_checkpoint_that_is_gone(hand: Hand, asked: Asked, number: int) -> None:
    hand.do("DELETE FROM checkpoints WHERE number = ?", number)
    report = hand.verify(asked)
    assert report.faults[0].checkpoint == number
    assert f"checkpoint {number} is missing" in report.faults[0].sentence


def test_the_newest_checkpoint_that_is_gone_is_missed_by_one_held_elsewhere(hand: Hand) -> None:
    held = newest_checkpoint(hand)
    hand.do("DELETE FROM checkpoints WHERE number = ?", held.number)
    report = hand.verify(Asked(PUBLIC, held))
    assert [fault.checkpoint for fault in report.faults] == [held.number]


def test_a_checkpoint_of_another_venue_is_none_of_ours(hand: Hand, asked: Asked) -> None:
    another = fresh_keys(0).signer
    forged = make_checkpoint(0, {"venue": Head(1, bytes(32))}, None, another)
    report = hand.verify(Asked(PUBLIC, forged))
    assert "held elsewhere: checkpoint 1 names the key" in report.faults[0].sentence
    hand.do("DELETE FROM checkpoints")
    hand.do("INSERT INTO checkpoints VALUES (?, ?, ?, ?)", *forged)
    assert hand.verify(asked).faults[0].checkpoint == 1


def test_a_damaged_file_is_told_in_a_sentence(file: Path, asked: Asked) -> None:
    data = bytearray(file.read_bytes())
    size = len(data)
    for begin in range(4096, size, 4096):
        data[begin : begin + 512] = bytes(512)
    file.write_bytes(data)
    faults = verify_file(file, asked).faults
    assert faults[0].in_ == "journal"
    assert "cannot be read" in faults[0].sentence
    assert "malformed" in faults[0].sentence


# --- forged, with matching hashes ----------------------------------------------------------------


def forge(hand: Hand, kind: str, edit: Any, suits: Any = lambda _: True) -> tuple[str, int]:
    row, event = find(hand, kind, suits)
    edit(event)
    rechained(hand, row["stream"], row["version"], msgspec.json.encode(event))
    return row_key(row)


def test_a_checkpoint_finds_history_that_was_written_anew(hand: Hand, asked: Asked) -> None:
    stream, version = forge(hand, "TableOpened", lambda event: event.update(by="nobody"))
    report = hand.verify(asked)
    found, at = first(report)
    assert found == stream
    assert at is not None
    assert at >= version
    assert "is another at version" in report.faults[0].sentence


def test_a_voucher_forged_is_found_by_the_auditor(hand: Hand, asked: Asked) -> None:
    unsigned(hand)
    where = forge(hand, "VoucherIssued", lambda event: event.update(value=event["value"] + 100))
    assert first(hand.verify(asked))[0] == where[0]


def test_credits_out_of_nothing_are_found_by_the_auditor(hand: Hand, asked: Asked) -> None:
    unsigned(hand)
    where = forge(hand, "CreditsReceived", lambda event: event.update(transit="cage-999"))
    report = hand.verify(asked)
    assert first(report) == where
    assert report.faults[0].in_ == "audit"
    assert "arrived and was never sent" in report.faults[0].sentence


def test_a_settlement_forged_is_found_by_the_auditor(tmp_path: Path, asked: Asked) -> None:
    hand = Hand(make_journal(tmp_path / "journal.sqlite", 5, 12))
    unsigned(hand)

    def pay_more(event: Any) -> None:
        line = next(line for line in event["lines"] if line[3])
        line[3] += 100
        line[4] += 100
        event["paid"] += 100

    where = forge(hand, "RoundSettled", pay_more, lambda e: any(line[3] for line in e["lines"]))
    report = hand.verify(asked)
    hand.close()
    assert first(report) == where
    assert "the dice" in report.faults[0].sentence


def test_of_bets_in_turn_the_forged_one_is_named(tmp_path: Path, asked: Asked) -> None:
    """Wherever it is in a run of bets, its own version and time are given."""
    hand = Hand(make_journal(tmp_path / "journal.sqlite", 5, 12))
    unsigned(hand)
    rows = hand.rows("events")
    kinds = [msgspec.json.decode(row["data"])["type"] for row in rows]
    bets = ["BetsRegistered"] * 3
    place = next(at for at in range(len(rows)) if kinds[at - 1 : at + 2] == bets)
    row, event = rows[place], msgspec.json.decode(rows[place]["data"])
    event["bets"][0][1] += 1
    rechained(hand, *row_key(row), msgspec.json.encode(event))
    report = hand.verify(asked)
    hand.close()
    assert first(report) == row_key(row)
    assert report.faults[0].in_ == "audit"
    assert f"{event['bets'][0][0]} is off the step" in report.faults[0].sentence


def test_an_event_that_is_no_event_is_told(hand: Hand, asked: Asked) -> None:
    unsigned(hand)
    row, _ = find(hand, "TableOpened")
    rechained(hand, row["stream"], row["version"], b'{"type":"TableOpened"}')
    report = hand.verify(asked)
    assert first(report) == row_key(row)
    assert "the event cannot be read: Object missing required field `by`" in str(report.faults[0])


def test_an_event_that_fails_the_replay_is_told(hand: Hand, asked: Asked) -> None:
    unsigned(hand)
    row, _ = find(hand, "BetsRegistered")
    data = b'{"type":"BetsRegistered","terminal":"none","bets":[["small",100]]}'
    rechained(hand, row["stream"], row["version"], data)
    report = hand.verify(asked)
    assert first(report) == row_key(row)
    assert report.faults[0].in_ in ("replay", "audit")


def test_time_that_goes_back_is_found(hand: Hand, asked: Asked) -> None:
    unsigned(hand)
    row = hand.rows("events", "stream = 'table/T1' AND cause IS NOT NULL")[3]
    hand.do("UPDATE events SET at = 5 WHERE stream = ? AND version = ?", *row_key(row))
    rechained(hand, row["stream"], row["version"], row["data"])
    assert first(hand.verify(asked)) == row_key(row)


def test_a_stream_that_nobody_began_is_found(hand: Hand, asked: Asked) -> None:
    unsigned(hand)
    hand.do("UPDATE events SET cause = NULL WHERE stream = 'venue' AND version = 1")
    row = hand.rows("events", "stream = 'venue'")[0]
    rechained(hand, "venue", 1, row["data"])
    assert first(hand.verify(asked)) == ("venue", 1)


def test_a_snapshot_of_another_state_is_found_though_it_is_signed(hand: Hand, asked: Asked) -> None:
    one, other = hand.rows("snapshots", "stream LIKE 'table/%'")[:2]
    signer = venue_keys().signer
    forged = sign_snapshot(one["stream"], one["version"], one["head"], other["data"], signer)
    hand.do("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", *forged)
    report = hand.verify(asked)
    assert first(report) == (one["stream"], one["version"])
    assert "not the state that the events up to there give" in report.faults[0].sentence


def test_a_snapshot_of_another_chain_is_found_though_it_is_signed(hand: Hand, asked: Asked) -> None:
    one = hand.rows("snapshots")[0]
    forged = sign_snapshot(
        one["stream"], one["version"], bytes(32), one["data"], venue_keys().signer
    )
    hand.do("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", *forged)
    assert first(hand.verify(asked)) == (one["stream"], one["version"])


def test_a_snapshot_of_another_program_is_left_out_and_told(hand: Hand, asked: Asked) -> None:
    one = hand.rows("snapshots")[0]
    data = b"\x00\x63" + one["data"][2:]
    signed = sign_snapshot(one["stream"], one["version"], one["head"], data, venue_keys().signer)
    hand.do("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", *signed)
    report = hand.verify(asked)
    assert report.verified
    assert "of format 99" in report.notes[0]
    assert first(hand.verify(Asked())) == (one["stream"], one["version"])


def test_a_long_journal_has_its_books_compared_on_the_way(tmp_path: Path, asked: Asked) -> None:
    file = make_journal(tmp_path / "journal.sqlite", 21, 150, batch=400, snapshot_every=500)
    report = verify_file(file, asked)
    assert report.verified, report.faults
    assert report.events > COMPARE_EVERY
    shutil.rmtree(tmp_path)


def test_a_checkpoint_older_than_what_it_covers_is_found(hand: Hand, asked: Asked) -> None:
    rows = hand.rows("events", "stream = 'venue'")
    heads = {"venue": Head(len(rows), rows[-1]["hash"])}
    hand.do("DELETE FROM checkpoints")
    forged = make_checkpoint(5, heads, None, venue_keys().signer)
    hand.do("INSERT INTO checkpoints VALUES (?, ?, ?, ?)", *forged)
    report = hand.verify(asked)
    assert first(report) == ("venue", len(rows))
    assert "of a later time than checkpoint 1" in report.faults[0].sentence


def test_books_that_do_not_agree_are_found(
    hand: Hand, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong posting that still balances: the counter's cash in another account."""
    unsigned(hand)
    monkeypatch.setattr("taisai.core.cage.vouchers.CASH", "cash:elsewhere")
    report = hand.verify(asked)
    fault = next(each for each in report.faults if each.in_ == "audit")
    assert fault.stream == "cage"
    assert "cash:" in fault.sentence


def test_a_state_that_is_not_packed_again_alike_is_found(
    hand: Hand, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", 1)
    report = hand.verify(asked)
    assert {fault.in_ for fault in report.faults} == {"snapshot"}
