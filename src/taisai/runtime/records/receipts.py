"""Receipts for a player's round: what is to be signed, and the check against a journal."""

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import printable
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import RoundResettled, RoundsReversed
from taisai.core.table.round import settled_record
from taisai.core.table.state import RoundRecord
from taisai.protocol.receipts import ReceiptLine, RoundReceipt
from taisai.runtime.journal.contract import Journal, Record
from taisai.runtime.journal.receipts import ReceiptError
from taisai.runtime.past_rounds import read_end
from taisai.runtime.records.entries import Source, event_of, names, type_of
from taisai.runtime.streams import table_of, table_stream


def bets_in(record: RoundRecord, session: str) -> tuple[ReceiptLine, ...]:
    """Give the bets of a session in a round, and their outcomes; empty if it bet nothing."""
    position, _, number = session.rpartition("@")
    if str(record.sessions.get(position)) != number:
        return ()
    own = (line for line in record.lines if line.position == position)
    return tuple(ReceiptLine(line.box, line.stake, line.won, line.back) for line in own)


def of_round(record: RoundRecord, table: str, session: str, at: Instant) -> RoundReceipt | None:
    """Give a session's receipt for a round, without hash and key; `None` if it bet nothing."""
    bets = bets_in(record, session)
    if not bets:
        return None
    return RoundReceipt(
        stream=table_stream(table),
        version=record.version,
        hash="",
        round=record.number,
        session=session,
        faces=record.faces,
        void=record.void,
        bets=bets,
        at=at,
        key="",
    )


async def round_as_of(
    journal: Journal, stream: str, number: int, version: int, *, put_right: bool = True
) -> RoundRecord | None:
    """Read a settled round, however old, as the journal has it up to a version.

    If the caller knows that it was never put right, later events need not be read [D24].
    """
    end = await read_end(journal, stream, number, version)
    if end is None:
        return None
    settled, event = end
    if isinstance(event, RoundVoided):
        return None
    record = settled_record(event, "", settled)
    if put_right:
        async for page in journal.read(stream, settled, version):
            for each in page:
                if type_of(each) in _CORRECTIONS:
                    _correct(record, each)
    return record


_CORRECTIONS = names(RoundsReversed, RoundResettled)


def _correct(record: RoundRecord, found: Record) -> None:
    """Apply an event that puts a round right, if it is about this round."""
    event = event_of(found)
    if isinstance(event, RoundsReversed) and record.number in event.rounds:
        record.void, record.version = True, found.version
    elif isinstance(event, RoundResettled) and event.round == record.number:
        record.faces, record.lines, record.version = event.faces, event.lines, found.version


async def hold_round_against(receipt: RoundReceipt, journal: Journal) -> None:
    """Refuse a journal in which the round had another outcome when the receipt was signed.

    It is read up to the event that the receipt names.
    """
    stream = receipt.stream
    table = table_of(stream)
    if table is None:
        raise ReceiptError(f"{printable(stream)} is no table, and has no rounds")
    # A journal without that table is refused, with the tables that it has.
    await Source.of(journal, tables=[table])
    played = await round_as_of(journal, stream, receipt.round, receipt.version)
    told = None if played is None else of_round(played, table, receipt.session, receipt.at)
    if told is None or _facts(told) != _facts(receipt):
        raise ReceiptError(
            f"by the journal, round {receipt.round} of {printable(stream)} did not come to what the"
            f" receipt says for {printable(receipt.session)}"
        )


def _facts(receipt: RoundReceipt) -> tuple[object, ...]:
    return receipt.version, receipt.faces, receipt.void, receipt.bets
