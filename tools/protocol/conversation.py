"""A worked conversation: a terminal says hello, bets, loses its connection and reconnects.

A table is set up and dealt by the rules, and its channels write the server's messages; only the
clock and the key are made up. So the page shows what a venue sends today.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import msgspec

from taisai.core.kernel.approvals import ApprovalRequested, Approve
from taisai.core.kernel.decider import decide, evolve
from taisai.core.kernel.messages import Actor, BoxStake, Command, Order
from taisai.core.rules.reason import Refusal
from taisai.core.table.betting import PlaceBets
from taisai.core.table.positions import ReceiveCredits
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    Settle,
)
from taisai.core.table.setup import (
    AdoptRulebook,
    CreateTable,
    EnrolTerminal,
    OpenTable,
    RegisterDice,
    SetLimits,
)
from taisai.core.table.state import TableState
from taisai.core.table.tumble import RecordTumble
from taisai.protocol import PROTOCOL
from taisai.protocol.client_messages import Ask, Hello, SentByClient, TerminalKey, Watch
from taisai.protocol.server_messages import Welcome
from taisai.rulebooks import rulebook
from taisai.runtime.answers import Registered
from taisai.server.live import answers
from taisai.server.live.channels import TableChannel
from taisai.server.live.connection import Connection
from taisai.server.live.seats import Seat
from tools.protocol.examples.afternoon import BEGAN, LIMITS, TABLE, TERMINAL

#: How a line of the conversation begins: what the client sends, and what the server sends.
SAID, HEARD = "> ", "< "
_KEY = TerminalKey(TABLE, TERMINAL, "b7Xk0qYw3TnE5uZ2sVd8Rj1LmC6pHf9GaQiOeKxNtSy")
_OTHER = "T1-2"
_HOST, _CARRIER = Actor("host", "system"), Actor("carrier", "system")
_PIT, _SUPERVISOR = Actor("pat", "pit-manager"), Actor("sue", "supervisor")
_DEALER, _TECHNICIAN = Actor("dan", "dealer"), Actor("tom", "technician")


@dataclass(frozen=True, slots=True)
class Passage:
    """A remark, and the lines it is about."""

    remark: str
    lines: Sequence[str]


class _Line:
    """The terminal's connection, which records the messages sent on it."""

    language = "en"

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.answered = 0

    def send_now(self, data: bytes) -> None:
        self.lines.append(HEARD + data.decode())

    send_at_once = send_later = send_along = send_now

    def crowd(self, _: str) -> None:
        """It is in no crowd."""

    def say(self, message: SentByClient) -> None:
        """Record a message of the client."""
        self.lines.append(SAID + msgspec.json.encode(message).decode())

    def take(self) -> list[str]:
        """Give the lines since the last time."""
        taken, self.lines = self.lines, []
        return taken


class _Table:
    """A table that is dealt by the rules, its channels, and the one terminal's line."""

    def __init__(self) -> None:
        self.now = BEGAN - 60_000
        self.state = TableState()
        self.channel = TableChannel(TABLE, self.state, 0)
        self._numbers = 0
        self._set_up()

    def ask(self, actor: Actor, command: Command, id_: str | None = None) -> Registered | Refusal:
        """Decide a command, and publish its events."""
        self._numbers += 1
        order = Order(id_ or f"{self.now}-{self._numbers}", actor, command)
        decided = decide(self.state, order, self.now)
        if isinstance(decided, Refusal):
            return decided
        first = self.state.version + 1
        balances = tuple(evolve(self.state, event) for event in decided)
        version = self.state.version
        registered = Registered(first, version, self.now, tuple(decided), balances, order.id)
        self.channel.published(registered)
        self.now += 10
        return registered

    def do(self, actor: Actor, command: Command) -> Registered:
        """Send a command that must not be refused."""
        done = self.ask(actor, command)
        assert isinstance(done, Registered), done
        return done

    def both(self, command: Command, first: Actor = _PIT) -> None:
        """Send a command that takes two persons, and approve it."""
        asked = self.do(first, command)
        requested = asked.events[-1]
        assert isinstance(requested, ApprovalRequested), requested
        self.do(_SUPERVISOR, Approve(requested.pending, asked.last))

    def _set_up(self) -> None:
        rules = rulebook("ts6")
        self.do(_HOST, CreateTable(TABLE, "SGD"))
        self.both(AdoptRulebook(rules.canonical.decode(), 2))
        self.both(SetLimits(LIMITS))
        self.do(_SUPERVISOR, RegisterDice("D1", "S1"))
        for number, terminal in enumerate((TERMINAL, _OTHER), 1):
            self.both(EnrolTerminal(terminal, f"Pit 2, seat {number}"), _TECHNICIAN)
            self.do(_CARRIER, ReceiveCredits(f"cage-{number}", terminal, 100_000))
        self.do(_SUPERVISOR, OpenTable())
        self.do(_DEALER, OpenBets())
        self.bet(_OTHER, "small", 12_000)
        self.now = BEGAN

    def bet(self, terminal: str, box: str, stake: int, id_: str | None = None) -> bytes:
        """Place a terminal's bet, and return the answer."""
        id_ = id_ or f"{self.now}-b"
        command = PlaceBets(terminal, (BoxStake(box, stake),))
        answer = self.ask(Actor(terminal, "terminal"), command, id_)
        if isinstance(answer, Refusal):
            return msgspec.json.encode(answers.refused(id_, answer, "en", again=False))
        return answers.registered(id_, TABLE, answer)

    def deal(self) -> None:
        """Close the bets, and play the round to its end."""
        self.now += 16_000
        self.do(_DEALER, CloseBets(bell=True))
        self.do(_DEALER, RecordTumble(3))
        self.do(_DEALER, EnterResult((2, 3, 5)))
        self.do(_DEALER, ConfirmResult())
        self.now += 4_000
        self.do(_DEALER, Settle())


async def _talk() -> list[Passage]:
    table, line = _Table(), _Line()
    channel, connection = table.channel, cast("Connection", line)
    ask, passages = _Ask(table, line), []

    def note(remark: str) -> None:
        passages.append(Passage(remark, line.take()))

    line.say(Hello(PROTOCOL, _KEY))
    line.send_now(_welcome(table))
    seat = channel.seats[TERMINAL] = Seat(TABLE, TERMINAL, channel.version)
    seat.connection = connection
    line.send_now(channel.terminal_snapshot(table.now, TERMINAL))
    line.say(Watch(TABLE))
    channel.join(connection)
    line.send_now(channel.snapshot(table.now, "en"))
    note(
        "The terminal says who it is. It has nothing yet, so it gets a snapshot of itself; then it "
        "watches its table, and gets a snapshot of that."
    )
    channel.tick()
    line.take()
    mine = ask.bet("a1", "small", 5_000)
    channel.tick()
    note(
        "It bets. The private channel announces the bet and says what it changed in the terminal's "
        "view; with the id of what was asked it is the answer, too. A moment later everybody is "
        "sent the new total of the box: a change that nothing is announced with."
    )
    seat.connection = None
    channel.forget(connection)
    line.say(Ask(TABLE, ask.id("a2"), ask.command("total-10", 1_000)))
    again = table.bet(TERMINAL, "total-10", 1_000, ask.id("a2"))
    channel.tick()
    note("It bets again, and the line breaks before any answer comes.")
    table.deal()
    table.now += 5_000
    line.say(Hello(PROTOCOL, _KEY, after=mine))
    line.send_now(_welcome(table))
    for data in seat.since(mine) or ():
        line.send_now(data)
    line.say(Watch(TABLE, after=mine))
    for data in channel.since(mine, "en") or ():
        line.send_now(data)
    line.say(Ask(TABLE, ask.id("a2"), ask.command("total-10", 1_000)))
    line.send_now(again)
    note(
        "Half a minute later it is back. It names the last sequence it has of each channel and is "
        "sent what it missed: the bet was registered, and the round is over. With all the changes "
        "applied in order, its views are what a snapshot would hold now. It has sent again the bet "
        "whose answer it had not seen, with the same id, and gets an answer to that as well."
    )
    ask.bet("a3", "big", 1_000)
    note("A bet that comes too late is refused. The refusal is stored under its id too.")
    return passages


class _Ask:
    """The terminal's commands, each with an id of its own."""

    def __init__(self, table: _Table, line: _Line) -> None:
        self._table, self._line = table, line
        self._ids: dict[str, str] = {}

    def id(self, name: str) -> str:
        """Give the id, which begins with the time when it was first used."""
        return self._ids.setdefault(name, f"{self._table.now}-{name}")

    def command(self, box: str, stake: int) -> PlaceBets:
        """Make the command that places a bet."""
        return PlaceBets(TERMINAL, (BoxStake(box, stake),))

    def bet(self, name: str, box: str, stake: int) -> int:
        """Bet, and return the version of the table after it."""
        self._line.say(Ask(TABLE, self.id(name), self.command(box, stake)))
        answer = self._table.bet(TERMINAL, box, stake, self.id(name))
        if self._line.answered < self._table.state.version:
            self._line.send_now(answer)
        return self._table.state.version


def _welcome(table: _Table) -> bytes:
    tables = (TABLE, "T2")
    return msgspec.json.encode(
        Welcome(PROTOCOL, "The Lantern", "SGD", table.now, tables, "terminal", TERMINAL)
    )


def conversation() -> str:
    """Write the conversation as the page shows it."""
    written = []
    for each in asyncio.run(_talk()):
        lines = "\n".join(each.lines)
        written.append(f"{each.remark}\n\n```\n{lines}\n```\n")
    return "\n".join(written)
