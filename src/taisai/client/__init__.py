"""A small typed client of a live venue.

    async with connect("http://127.0.0.1:8888", terminal=key) as live:
        table = await live.watch(key.table)
        await live.until(lambda: table.taking_bets)
        answer = await live.place({"small": 1000})

It comes back by itself when a connection is lost, goes on where it was, and asks again, with the
same id, what was not answered. It knows the protocol and nothing of how a venue works.
"""

from taisai.client.failures import (
    Backoff,
    ClientError,
    HttpProblem,
    NotAllowed,
    NotAnswered,
    NotConnected,
    NotReceived,
    NotWelcome,
)
from taisai.client.link import Link
from taisai.client.live import Live, LiveTable, Missed, connect
from taisai.protocol.client_messages import TerminalKey
from taisai.protocol.views import PositionView

__all__ = [
    "Backoff",
    "ClientError",
    "HttpProblem",
    "Link",
    "Live",
    "LiveTable",
    "Missed",
    "NotAllowed",
    "NotAnswered",
    "NotConnected",
    "NotReceived",
    "NotWelcome",
    "PositionView",
    "TerminalKey",
    "connect",
]
