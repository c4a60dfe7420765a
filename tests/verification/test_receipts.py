"""A receipt signed for a terminal agrees with the venue's journal, or the journal has lost it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from taisai.core.table.round import OpenBets
from taisai.protocol.receipts import Receipt
from taisai.runtime.journal.receipts import ReceiptError, check_receipt
from taisai.runtime.keys.signing import fresh_keys, publish_keys
from taisai.runtime.operations.backup import back_up
from taisai.runtime.records.receipts import of_round
from tests.cli.command import taisai
from tests.kit.floor import Floor, keys, run
from tests.kit.people import DEALER

KEYS = keys()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a journal, a copy from a moment earlier, and a terminal's receipt from in between."""
    place = tmp_path_factory.mktemp("receipts")

    async def play() -> None:
        floor = await Floor.open(place / "journal", KEYS)
        await floor.found()
        stream = await floor.add_table("T1", terminals=1)
        await floor.do(stream, DEALER, OpenBets())
        await back_up(place / "journal", place / "older")
        await floor.bet("T1", "T1-1", "small", 500)
        given = floor.venue.receipt(stream)
        # The same request gets the same receipt; a stream that does not exist has none.
        assert floor.venue.receipt(stream) is given
        assert floor.venue.receipt("table/T9") is None
        (place / "receipt.json").write_bytes(msgspec.json.encode(given))
        await floor.bet("T1", "T1-1", "small", 500)
        assert floor.venue.receipt(stream) != given
        await floor.close_and_enter("T1", (1, 2, 3))
        await floor.settle("T1")
        said = of_round(floor.venue.table("T1").history[1], "T1", "T1-1@1", 7)
        assert said is not None
        (record,) = await floor.venue.journal.records(stream, [said.version])
        for name, paid in (("round.json", 1_000), ("false.json", 9_000)):
            bets = (msgspec.structs.replace(said.bets[0], won=paid, back=paid + 1_000),)
            told = msgspec.structs.replace(said, hash=record.hash.hex(), bets=bets)
            signed = floor.venue.round_receipt(told)
            (place / name).write_bytes(msgspec.json.encode(signed))
        await floor.venue.stop()

    run(play())
    publish_keys(KEYS.public, place / "published.keys")
    return place


def held(made: Path) -> Receipt:
    return msgspec.json.decode((made / "receipt.json").read_bytes(), type=Receipt)


def told(made: Path, receipt: Path, journal: str, keys: str = "published.keys") -> tuple[int, str]:
    """Compare a receipt with a journal; gives the exit status and the output."""
    arguments = (str(receipt), str(made / journal), "--keys", str(made / keys))
    done = taisai("audit", "receipt", *arguments)
    return done.status, done.out + done.err


def test_a_journal_has_what_was_signed_for(made: Path) -> None:
    receipt = held(made)
    status, said = told(made, made / "receipt.json", "journal")
    assert status == 0
    assert f"has table/T1 up to version {receipt.version} as the venue signed it" in said


def test_a_players_receipt_is_held_against_the_round_as_it_was_played(made: Path) -> None:
    """10.00 on Small pays as much: 20.00 go back, and a signed receipt for 100.00 is false."""
    status, said = told(made, made / "round.json", "journal")
    assert status == 0, said
    assert "Round 1 on 1, 2, 3: T1-1@1 staked 10.00, and 20.00 went back." in said
    status, said = told(made, made / "false.json", "journal")
    assert (status, "round 1 of table/T1 did not come to what the receipt says" in said) == (
        1,
        True,
    )
    status, said = told(made, made / "round.json", "older")
    assert (status, "its end was cut off" in said) == (1, True)


def test_a_tail_that_was_cut_off_shows_by_the_receipt_alone(made: Path) -> None:
    """The copy verifies, and no checkpoint was signed since: only the receipt's holder can tell."""
    verified = taisai(
        "audit", "verify", str(made / "older"), "--keys", str(made / "published.keys")
    )
    assert verified.status == 0
    version = held(made).version
    status, said = told(made, made / "receipt.json", "older")
    assert status == 1
    assert f"ends at version {version - 1}, and the venue signed that it had {version}" in said


def test_another_event_in_its_place_shows(made: Path) -> None:
    other = made / "other"
    other.write_bytes((made / "journal").read_bytes())
    with closing(sqlite3.connect(other)) as database, database:
        database.execute(
            "UPDATE events SET hash = zeroblob(32) WHERE stream = 'table/T1' AND version = ?",
            (held(made).version,),
        )
    status, said = told(made, made / "receipt.json", "other")
    assert status == 1
    assert "it is another history" in said


@pytest.mark.parametrize(
    "change", [{"version": 1}, {"hash": "0" * 64}, {"stream": "cage"}, {"at": 1}, {"signature": ""}]
)
def test_a_receipt_that_was_altered_is_worth_nothing(
    made: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    altered = msgspec.structs.replace(held(made), **change)
    with pytest.raises(ReceiptError, match="is not signed by the key"):
        check_receipt(altered, KEYS.public)
    (tmp_path / "altered.json").write_bytes(msgspec.json.encode(altered))
    status, said = told(made, tmp_path / "altered.json", "journal")
    assert (status, "is not signed by the key" in said) == (1, True)


def test_a_receipt_takes_keys_and_is_of_one_venue(made: Path, tmp_path: Path) -> None:
    without = taisai("audit", "receipt", str(made / "receipt.json"), str(made / "journal"))
    assert "name the public keys with --keys" in without.err
    with pytest.raises(ReceiptError):
        check_receipt(held(made), fresh_keys(1_760_000_000_000).public)
    (tmp_path / "none.json").write_text('{"stream": "table/T1"}')
    status, said = told(made, tmp_path / "none.json", "journal")
    assert (status, "is no receipt" in said) == (1, True)
