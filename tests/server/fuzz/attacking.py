"""One attack: all messages at once over one connection, then the checks of the venue."""

from collections.abc import Callable, Sequence

from taisai.core.venue.staff import LockedOut
from taisai.runtime.journal.contract import Record
from taisai.runtime.streams import kind_of
from tests.server.fuzz.hall import MALLORY, TABLE, Hall, is_by, nothing
from tests.server.fuzz.sockets import Frame
from tests.server.fuzz.strategies import NOW

Attack = Sequence[Frame | bytes]


def by_mallory(record: Record) -> bool:
    """Allow what a terminal does to itself, and nothing that it does to others."""
    event = kind_of(record.stream).read(record)
    return is_by(record, "terminal", MALLORY) and getattr(event, "terminal", None) == MALLORY


def only_lock_outs(record: Record) -> bool:
    """Allow records of wrong PINs alone."""
    return isinstance(kind_of(record.stream).read(record), LockedOut)


#: The attackers: how each says hello, and which records it may cause.
AS: dict[str, tuple[Callable[[Hall], Sequence[str]], Callable[[Record], bool]]] = {
    "nobody": (lambda _: (), nothing),
    "visitor": (lambda _: ('{"type":"Hello","protocol":1}',), nothing),
    "terminal": (lambda hall: (hall.hello(TABLE, MALLORY),), by_mallory),
    "auditor": (lambda hall: (hall.hello_staff("auditor"),), only_lock_outs),
}


async def attack(hall: Hall, who: str, sent: Attack) -> None:
    """Attack, and check the venue."""
    hello, may = AS[who]
    socket = await hall.open(*hello(hall))
    now = str(hall.live.venue.clock.now()).encode()
    for each in sent:
        socket.send_raw(encoded(each, now))
    said = b"".join(each if isinstance(each, bytes) else each.payload for each in sent)
    heard = await hall.last_words(socket)
    # Staff may see everybody's names; messages to them are checked elsewhere.
    await hall.check([] if who == "auditor" else heard, may, said)


def encoded(each: Frame | bytes, now: bytes) -> bytes:
    """Encode the bytes to send, with the venue's time where an id must be right."""
    if isinstance(each, bytes):
        return each
    payload = each.payload.replace(NOW.encode(), now)
    return Frame(each.opcode, payload, each.fin, each.masked, each.reserved, each.claimed).encoded()
