"""What a round came to for a player, to be signed; and whether a journal has it so."""

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import printable
from taisai.core.table.state import RoundRecord, TableState
from taisai.protocol.receipts import ReceiptLine, RoundReceipt
from taisai.runtime.journal.contract import Journal
from taisai.runtime.journal.receipts import ReceiptError
from taisai.runtime.records.entries import Source
from taisai.runtime.records.money import replay
from taisai.runtime.streams import table_of, table_stream


def bets_in(record: RoundRecord, session: str) -> tuple[ReceiptLine, ...]:
    """Give what a session bet in a round, and what came of it; nothing where it bet nothing."""
    position, _, number = session.rpartition("@")
    if str(record.sessions.get(position)) != number:
        return ()
    own = (line for line in record.lines if line.position == position)
    return tuple(ReceiptLine(line.box, line.stake, line.won, line.back) for line in own)


def of_round(record: RoundRecord, table: str, session: str, at: Instant) -> RoundReceipt | None:
    """Say what a round came to for a session; none where it bet nothing. Hash and key follow."""
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


async def hold_round_against(receipt: RoundReceipt, journal: Journal) -> None:
    """Refuse a journal by which the round came to something else when the receipt was signed.

    The table is played again up to the event that the receipt names.
    """
    stream = receipt.stream
    table = table_of(stream)
    if table is None:
        raise ReceiptError(f"{printable(stream)} is no table, and has no rounds")
    source = await Source.of(journal, tables=[table])
    state = TableState()
    async for page in source.records(stream):
        for record in page:
            if record.version <= receipt.version:
                replay(state, record)
        if page[-1].version >= receipt.version:
            break
    played = state.history.get(receipt.round)
    told = None if played is None else of_round(played, table, receipt.session, receipt.at)
    if told is None or _facts(told) != _facts(receipt):
        raise ReceiptError(
            f"by the journal, round {receipt.round} of {printable(stream)} did not come to what the"
            f" receipt says for {printable(receipt.session)}"
        )


def _facts(receipt: RoundReceipt) -> tuple[object, ...]:
    return receipt.version, receipt.faces, receipt.void, receipt.bets
