"""A worked conversation: a terminal says hello, bets, loses its line and comes back.

It is data, written out as the page shows it; a test reads it back from the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from taisai.core.kernel.messages import BoxStake
from taisai.core.rules.reason import because
from taisai.core.table.betting import PlaceBets
from taisai.protocol import PROTOCOL, private, public
from taisai.protocol.client_messages import Ask, Hello, SentByClient, TerminalKey, Watch
from taisai.protocol.server_messages import (
    Private,
    Public,
    Refused,
    Registered,
    SentByServer,
    TableSnapshot,
    TerminalSnapshot,
    Totals,
    Welcome,
)
from tools.protocol.examples.afternoon import BEGAN, BET, CLOSED, SETTLED, TABLE, TERMINAL
from tools.protocol.examples.shown import LINES
from tools.protocol.examples.told import TABLE_VIEW, TERMINAL_VIEW

#: How a line of the conversation begins: what the client says, and what the server says.
SAID, HEARD = "> ", "< "
_KEY = TerminalKey(TABLE, TERMINAL, "b7Xk0qYw3TnE5uZ2sVd8Rj1LmC6pHf9GaQiOeKxNtSy")
_SMALL = PlaceBets(TERMINAL, (BoxStake("small", 5_000),))
_TOTAL = PlaceBets(TERMINAL, (BoxStake("total-10", 1_000),))
_LATE = PlaceBets(TERMINAL, (BoxStake("big", 1_000),))


@dataclass(frozen=True, slots=True)
class Passage:
    """A remark, and the messages it is about."""

    remark: str
    messages: Sequence[SentByClient | SentByServer]


PASSAGES = (
    Passage(
        "The terminal says who it is. It has nothing yet, so it gets a snapshot of itself; then it "
        "watches its table, and gets a snapshot of that.",
        (
            Hello(PROTOCOL, _KEY),
            Welcome(PROTOCOL, "The Lantern", "SGD", BEGAN, (TABLE, "T2"), "terminal", TERMINAL),
            TerminalSnapshot(1_040, BEGAN, msgspec.structs.replace(TERMINAL_VIEW, last=None)),
            Watch(TABLE),
            TableSnapshot(TABLE, 1_040, BEGAN, TABLE_VIEW),
        ),
    ),
    Passage(
        "It bets. The private channel and the answer tell of the same version of the journal; a "
        "moment later everybody is told what lies on the box.",
        (
            Ask(TABLE, f"{BET}-a1", _SMALL),
            Private(
                TABLE,
                1_041,
                1_040,
                BET,
                (private.BetsRegistered((BoxStake("small", 5_000),)),),
                credits=95_000,
                staked=5_000,
            ),
            Registered(f"{BET}-a1", TABLE, 1_041, 1_041, BET),
            Totals(TABLE, 1_041, 1_040, {"small": 17_000}),
        ),
    ),
    Passage(
        "It bets again, and the line breaks before any answer comes.",
        (Ask(TABLE, f"{BET + 900}-a2", _TOTAL),),
    ),
    Passage(
        "Half a minute later it is back. It names the last sequence it has of each channel and is "
        "told what it missed: the bet was registered, and the round is over. It sends again the "
        "bet whose answer it never saw, with the same id, and gets the answer it would have got.",
        (
            Hello(PROTOCOL, _KEY, after=1_041),
            Welcome(PROTOCOL, "The Lantern", "SGD", SETTLED, (TABLE, "T2"), "terminal", TERMINAL),
            Private(
                TABLE,
                1_042,
                1_041,
                BET + 900,
                (private.BetsRegistered((BoxStake("total-10", 1_000),)),),
                credits=94_000,
                staked=6_000,
            ),
            Private(
                TABLE,
                1_047,
                1_042,
                SETTLED,
                (private.RoundSettled(214, (2, 3, 5), LINES, won=11_000, back=17_000),),
                credits=111_000,
                staked=0,
            ),
            Watch(TABLE, after=1_041),
            Totals(TABLE, 1_042, 1_041, {"total-10": 1_000}),
            Public(
                TABLE,
                1_043,
                1_042,
                CLOSED,
                (public.BetsClosed("No more Bets", bell=True, clause="3.6"),),
            ),
            Public(
                TABLE,
                1_047,
                1_043,
                SETTLED,
                (
                    public.RoundSettled(
                        214, (2, 3, 5), {"small": "1", "total-10": "6"}, 10, "small", "even"
                    ),
                ),
            ),
            Ask(TABLE, f"{BET + 900}-a2", _TOTAL),
            Registered(f"{BET + 900}-a2", TABLE, 1_042, 1_042, BET + 900),
        ),
    ),
    Passage(
        "A bet that comes too late is refused. The refusal is kept under its id too.",
        (
            Ask(TABLE, f"{SETTLED + 500}-a3", _LATE),
            Refused(
                f"{SETTLED + 500}-a3",
                "BETS_CLOSED",
                "too late: no more bets",
                because("BETS_CLOSED"),
                clause="5.7",
            ),
        ),
    ),
)


def conversation() -> str:
    """Write the conversation as the page shows it."""
    return "\n".join(f"{passage.remark}\n\n{_lines(passage)}" for passage in PASSAGES)


def _lines(passage: Passage) -> str:
    lines = (
        f"{SAID if isinstance(each, SentByClient) else HEARD}{msgspec.json.encode(each).decode()}\n"
        for each in passage.messages
    )
    return f"```\n{''.join(lines)}```\n"
