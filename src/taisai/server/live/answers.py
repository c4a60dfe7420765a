"""Writes the answers to a connection: registered, refused, a voucher's number, not let in."""

import msgspec

from taisai.core.cage.state import CageState, Voucher, printed_session
from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.kernel.messages import Order
from taisai.core.rules.reason import Refusal
from taisai.protocol import PROTOCOL
from taisai.protocol.server_messages import Refused, VoucherPrinted
from taisai.protocol.server_messages import Registered as SentRegistered
from taisai.runtime.answers import Registered
from taisai.server.live.connection import NOT_LET_IN, Connection
from taisai.wording import say

_WHY = {
    "HELLO_FIRST": "The first message is a Hello that says who this is.",
    "HELLO_TWICE": "A connection says hello once; connect anew to be somebody else.",
    "PROTOCOL": f"This venue speaks version {PROTOCOL} of the protocol.",
    "NOT_LET_IN": "The terminal, the table or the key is not right.",
    "SESSION_ENDED": "There is no such session, or it is over; log in again.",
    "KEY_REPLACED": "This terminal has been given another key.",
    "WITHDRAWN": "This terminal was withdrawn.",
    "TOO_MANY_TRIES": "There were too many wrong tries; wait a while.",
}

_encode = msgspec.json.Encoder().encode


def turn_away(connection: Connection, code: str) -> None:
    """Close a connection that is not let in, or not any more."""
    connection.end(NOT_LET_IN, code, _WHY[code])


def registered(id_: str, to: str, answer: Registered) -> bytes:
    """Write the answer to a command that is carried out and durable."""
    last = answer.events[-1]
    if type(last) is ApprovalRequested:
        waits = last.pending, last.expires
        sent = SentRegistered(id_, to, answer.first, answer.last, answer.at, *waits)
    else:
        sent = SentRegistered(id_, to, answer.first, answer.last, answer.at)
    return _encode(sent)


def refused(id_: str, refusal: Refusal, language: str, *, again: bool) -> Refused:
    """Write a refusal in a language."""
    sentence = say(refusal.reason, language)
    return Refused(id_, refusal.code, sentence, refusal.reason, refusal.clause, again)


def voucher(cage: CageState, order: Order, number: str, printed: Voucher) -> bytes:
    """Write the number of a voucher that was printed for a terminal."""
    transit = getattr(order.command, "transit", "")
    session = printed_session(cage, printed)
    return _encode(VoucherPrinted(transit, number, printed.value, printed.expires, session))
