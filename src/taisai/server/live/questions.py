"""Requests of connections to the venue, and the answers: commands, approvals, who deals."""

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine
from functools import partial
from typing import Any

from taisai.core.cage.vouchers import TakeVoucher
from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.messages import Actor, Order
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.betting import BetsRegistered
from taisai.core.table.positions import CashedOut
from taisai.protocol.client_messages import Ask, Deal, Grant
from taisai.protocol.server_messages import Done
from taisai.runtime.answers import AGAIN, Answer, Registered, UnknownStreamError
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, stream_of
from taisai.runtime.transfers import print_order, sent_by
from taisai.server.accounts.doorkeeper import Doorkeeper
from taisai.server.accounts.sessions import Session
from taisai.server.accounts.wrong_vouchers import WRONG, WrongVouchers
from taisai.server.dealing.dealers import Dealers
from taisai.server.live import answers
from taisai.server.live.answers import turn_away
from taisai.server.live.connection import SLOW_ASKS_MAX, Connection
from taisai.server.live.shown_numbers import ShownNumbers
from taisai.server.roles import MAY_DEAL

_log = logging.getLogger(__name__)


class Questions:
    """Hands requests to the venue, and each answer to the connection that asked."""

    def __init__(self, runtime: Runtime, accounts: Doorkeeper) -> None:
        self._runtime = runtime
        self.wrong_vouchers = WrongVouchers()
        self.numbers = ShownNumbers(runtime)
        self._accounts = accounts
        self.dealers: Dealers | None = None
        self.bets = 0
        self.refusals: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    def session_of(self, connection: Connection) -> Session | None:
        """Find the session of a connection."""
        token = connection.session
        return None if token is None else self._accounts.session(token)

    def still_let_in(self, connection: Connection) -> bool:
        """Say whether the session of a connection still holds, and mark it as not idle."""
        token = connection.session
        return token is None or self._accounts.session(token) is not None

    def ask(self, connection: Connection, message: Ask) -> None:
        """Hand a command to the venue; the connection is answered once it is durable."""
        actor, at_own_table = connection.actor, message.to == connection.to
        if type(actor) is not Actor:
            self._not_staff(connection, message.id)
            return
        if not at_own_table and _is_elsewhere(connection, message):
            # Terminals of two tables may have the same name: each acts at its own table alone.
            self.refuse(connection, message.id, refuse("NOT_YOUR_TERMINAL", terminal=actor.person))
            return
        if connection.session is not None and not self.still_let_in(connection):
            turn_away(connection, "SESSION_ENDED")
            return
        order = Order(message.id, actor, message.command)
        answer = partial(self._answer, connection, message.id, message.to)
        writer = connection.writer
        if at_own_table and writer is not None:
            writer.submit_then(order, answer)
            return
        try:
            self._runtime.submit_then(stream_of(message.to), order, answer)
        except UnknownStreamError:
            self.refuse(connection, message.id, refuse("NO_TABLE"))

    def _not_staff(self, connection: Connection, id_: str) -> None:
        if connection.actor is None:
            turn_away(connection, "HELLO_FIRST")
        else:
            self.refuse(connection, id_, refuse("VISITORS_WATCH"))

    def _answer(self, connection: Connection, id_: str, to: str, answer: Answer) -> None:
        """Send the answer to the connection that asked."""
        if type(answer) is Registered:
            if type(answer.events[0]) is BetsRegistered:
                self.bets += 1
                if answer.balances and answer.last <= connection.answered:
                    # The private message has answered it; an answer read back has no balances.
                    return
            connection.send_now(answers.registered(id_, to, answer))
            if type(answer.events[0]) is CashedOut:
                self._show_cashed_out(connection, to, answer.events[0])
        else:
            assert isinstance(answer, Refusal), "an answer is one or the other"
            self.refuse(connection, id_, answer)

    def _show_cashed_out(self, connection: Connection, table: str, event: CashedOut) -> None:
        """Show a terminal the number of its cash-out, also when it asks again after a restart."""
        if connection.actor == Actor(event.terminal, "terminal"):
            order = print_order(event.transit, sent_by(table, event))
            self.show_voucher(connection, order)

    def show_voucher(self, connection: Connection, order: Order) -> None:
        """Show a terminal the number of a voucher printed for it, as long as it may be shown."""
        found = self.numbers.show(order)
        if found is not None:
            connection.send_now(answers.voucher(self._runtime.cage, order, *found))

    def refuse(self, connection: Connection, id_: str, refusal: Refusal) -> None:
        """Send a refusal: nothing was changed, and why."""
        self.refusals[refusal.code] += 1
        if refusal.code in WRONG and isinstance(connection.actor, Actor):
            who = f"{connection.to or connection.actor.role}/{connection.actor.person}"
            self.wrong_vouchers.tried(who, refusal.code, self._runtime.clock.now())
        again = refusal.code in AGAIN or refusal.code == "TOO_FAST"
        connection.send(answers.refused(id_, refusal, connection.language, again=again))

    def too_fast(self, connection: Connection, id_: str) -> None:
        """Refuse a message that came too fast; after many, close, since refusing costs too."""
        if connection.too_often():
            connection.cut_off()
        else:
            self.refuse(connection, id_, refuse("TOO_FAST"))

    # --- what takes its time -----------------------------------------------------------------

    def grant(self, connection: Connection, message: Grant) -> None:
        """Let the second person approve, with their own PIN [D14]."""
        self._spawn(connection, message.id, self._grant(connection, message))

    def deal(self, connection: Connection, message: Deal) -> None:
        """Hand a table over to the automatic dealer, or back to a person."""
        self._spawn(connection, message.id, self._deal(connection, message))

    async def stop(self) -> None:
        """Cancel the slow requests under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, connection: Connection, id_: str, work: Coroutine[Any, Any, None]) -> None:
        """Start a slow request; a connection may have only a few under way."""
        if connection.slow_asks >= SLOW_ASKS_MAX:
            work.close()
            self.refuse(connection, id_, refuse("TOO_FAST"))
            return
        connection.slow_asks += 1
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(partial(self._done, connection))

    def _done(self, connection: Connection, task: "asyncio.Task[None]") -> None:
        connection.slow_asks -= 1
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("something asked for failed", exc_info=task.exception())

    async def _grant(self, connection: Connection, message: Grant) -> None:
        token, actor = connection.session, connection.actor
        session = None if token is None else self._accounts.session(token)
        if session is None or not isinstance(actor, Actor):
            self.refuse(connection, message.id, refuse("VISITORS_WATCH"))
            return
        refusal = await self._accounts.check_pin(session, message.pin)
        if refusal is not None:
            self.refuse(connection, message.id, refusal)
            return
        order = Order(message.id, actor, Approve(message.pending, message.version))
        try:
            answer = await self._runtime.submit(stream_of(message.to), order)
        except UnknownStreamError:
            answer = refuse("NO_TABLE")
        self._answer(connection, message.id, message.to, answer)

    async def _deal(self, connection: Connection, message: Deal) -> None:
        actor, dealers = connection.actor, self.dealers
        if not isinstance(actor, Actor) or actor.role not in MAY_DEAL or dealers is None:
            role = actor.role if isinstance(actor, Actor) else "visitor"
            self.refuse(connection, message.id, refuse("NOT_ALLOWED", role=role, command="Deal"))
            return
        try:
            refusal = await dealers.hand_over(message.table, message.automatic, actor.person)
        except UnknownStreamError:
            refusal = refuse("NO_TABLE")
        if refusal is None:
            connection.send(Done(message.id))
        else:
            self.refuse(connection, message.id, refusal)


def _is_elsewhere(connection: Connection, message: Ask) -> bool:
    """Say whether a terminal's command is neither for its own table nor its own voucher."""
    if connection.to is None:
        return False
    command = message.command
    own_voucher = isinstance(command, TakeVoucher) and command.table == connection.to
    return message.to != CAGE or not own_voucher
