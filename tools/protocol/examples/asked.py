"""Examples of a client's messages."""

from taisai.core.kernel.messages import BoxStake
from taisai.core.table.betting import PlaceBets
from taisai.protocol import PROTOCOL
from taisai.protocol.client_messages import (
    Ask,
    Deal,
    Grant,
    Hello,
    Ping,
    SentByClient,
    TerminalKey,
    Unwatch,
    Watch,
)
from tools.protocol.examples.afternoon import BET, PENDING, TABLE, TERMINAL, TUMBLED

#: No terminal anywhere has this key.
_KEY = "b7Xk0qYw3TnE5uZ2sVd8Rj1LmC6pHf9GaQiOeKxNtSy"

ASKED: tuple[SentByClient, ...] = (
    Hello(PROTOCOL, TerminalKey(TABLE, TERMINAL, _KEY)),
    Watch(TABLE, after=1_040),
    Unwatch(TABLE),
    Ask(TABLE, f"{BET}-a1", PlaceBets(TERMINAL, (BoxStake("small", 5_000),))),
    Grant(TABLE, f"{TUMBLED}-s9", PENDING, 1_043, "493817"),
    Deal(TABLE, f"{BET}-d2", automatic=False),
    Ping(7),
)
