"""The device of a table: drives its tumbler, and sends its commands for secrets, tumble and draw.

A device acts only when something has become durable at its table. Its dice are in the journal
before they are shown to anybody. Faults of the equipment are reported by the documents' names; a
device that does not answer has failed.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar, assert_never

from taisai.core.kernel.messages import Actor, Command, Event, Order
from taisai.core.rules.reason import Refusal
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.round import EnterResult
from taisai.core.table.setup import SafeProcedureDeclared, TableRectified
from taisai.core.table.state import IN_ROUND, TableState, in_force
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.answers import AGAIN, HOST, Answer
from taisai.runtime.streams import table_of, table_stream
from taisai.runtime.tumblers import (
    SealBrokenError,
    Sealer,
    SimulatedTumbler,
    Tumbler,
    TumblerFault,
    VerifiableTumbler,
    turn_of,
)

#: A device that has not answered in this time has failed.
TIMEOUT_SECONDS = 30.0

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class Device:
    """Drives the tumbler of one table; `state` gives the table as it is now."""

    def __init__(
        self,
        table: str,
        tumbler: Tumbler,
        state: Callable[[], TableState],
        send: Callable[[Order], Awaitable[Answer]],
        timeout_seconds: float | None = None,
    ) -> None:
        self._actor = Actor(f"tumbler-{table}", "device")
        self._table = table
        self._tumbler = tumbler
        self._state = state
        self._send = send
        self._timeout_seconds = timeout_seconds or TIMEOUT_SECONDS
        self._task: asyncio.Task[None] | None = None
        self._again = False
        #: The round that the tumbler failed in; it is not called again in it until rectified.
        self._failed_in: int | None = None
        self._sealed = False

    def attend(self, events: Sequence[Event] = ()) -> None:
        """Check whether there is something to do, after events at the table."""
        self._again = True
        if any(isinstance(event, TableRectified | SafeProcedureDeclared) for event in events):
            self._failed_in = None
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._attend())

    async def settled(self) -> None:
        """Wait until there is nothing left to do."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _attend(self) -> None:
        try:
            while self._again:
                self._again = False
                await self.work()
        finally:
            self._task = None

    async def work(self) -> None:
        """Do everything that is due, as long as the table accepts it."""
        going_on = True
        while going_on:
            try:
                going_on = await self._one_thing()
            except TumblerFault as fault:
                going_on = await self._report(fault)
            except SealBrokenError as broken:
                # Without its secrets the tumbler can do nothing more until the venue starts again.
                self._sealed = True
                going_on = await self._report(TumblerFault(str(broken)))

    async def _one_thing(self) -> bool:
        state = self._state()
        if self._sealed:
            return False
        if isinstance(self._tumbler, VerifiableTumbler):
            self._tumbler.follow(state)
            owed = self._tumbler.owed(state)
            if owed is not None:
                return await self._give(HOST, f"{type(owed).__name__}-{state.version}", owed)
        if state.round == self._failed_in:
            return False
        match turn_of(state):
            case "tumble":
                return await self.tumble()
            case "draw":
                return await self._draw(state)
            case None:
                return False
            case turn:
                assert_never(turn)

    async def tumble(self) -> bool:
        """Tumble the dice now, and record it."""
        state = self._state()
        at_least = in_force(state).content.procedure.tumble.at_least
        number = self._round(state)
        done = await self._in_time(self._tumbler.tumble(self._table, number, at_least))
        command = RecordTumble(done.times, done.flat, done.concealed)
        return await self._give(self._actor, f"tumble-{number}-{state.version}", command)

    async def begin(self) -> bool:
        """Tumble for a new round, if its document has the tumble before the bets.

        Only the dealer begins a round, so nothing else here calls this.
        """
        if self._sealed or self._state().round == self._failed_in:
            return False
        try:
            return await self.tumble()
        except TumblerFault as fault:
            return await self._report(fault)

    async def _draw(self, state: TableState) -> bool:
        number = self._round(state)
        faces = await self._in_time(self._tumbler.draw(self._table, number))
        command = EnterResult(faces)
        return await self._give(self._actor, f"draw-{number}-{state.version}", command)

    def _round(self, state: TableState) -> int:
        """Name the round under way, or the one that this tumble begins."""
        return state.round if state.phase in IN_ROUND else state.round + 1

    async def _in_time(self, answer: Awaitable[_T]) -> _T:
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await answer
        except TimeoutError:
            raise TumblerFault("the tumbler did not answer in time") from None
        except TumblerFault:
            raise
        except Exception as error:
            # A device's own program may fail in any way; for the table it is a malfunction.
            _log.exception("the tumbler of table %s failed", self._table)
            raise TumblerFault(f"the tumbler failed: {type(error).__name__}: {error}") from error

    async def _report(self, fault: TumblerFault) -> bool:
        _log.error("the tumbler of table %s: %s", self._table, fault.note)
        state = self._state()
        command = ReportIrregularity(fault.code, fault.note)
        answer = await self._send(Order(f"fault-{state.version}", self._actor, command))
        if isinstance(answer, Refusal) and answer.code in AGAIN:
            # Not reported yet: the runtime's next retry reports it.
            return False
        self._failed_in = state.round
        return not isinstance(answer, Refusal)

    async def _give(self, actor: Actor, id_: str, command: Command) -> bool:
        answer = await self._send(Order(id_, actor, command))
        return not isinstance(answer, Refusal)


class Devices:
    """The devices of all tables that have a tumbler; `readers` are the readers of real dice."""

    def __init__(
        self,
        readers: Mapping[str, Tumbler],
        sealing_key: bytes,
        state: Callable[[str], TableState],
        send: Callable[[str, Order], Awaitable[Answer]],
    ) -> None:
        self._readers = readers
        self._sealing_key = sealing_key
        self._state = state
        self._send = send
        self.by_table: dict[str, Device] = {}

    def equip(self, table: str, *, distrusted: bool = False) -> None:
        """Start a table's tumbler, if it has one.

        A chain that is `distrusted` serves no further round: its secrets may be known.
        """
        if table not in self.by_table:
            tumbler = self._tumbler(table)
            if tumbler is None:
                return
            chain = self._state(table).chain
            if distrusted and chain is not None and isinstance(tumbler, VerifiableTumbler):
                tumbler.distrusted = chain.commitment
            self.by_table[table] = Device(
                table,
                tumbler,
                lambda: self._state(table),
                lambda order: self._send(table_stream(table), order),
            )
        self.by_table[table].attend()

    def attend(self, stream: str, events: Sequence[Event]) -> None:
        """Notify a table's device of events there."""
        device = self.by_table.get(table_of(stream) or "")
        if device is not None:
            device.attend(events)

    def attend_where(self, is_ready: Callable[[str], bool]) -> None:
        """Have the devices of all tables that are ready check again."""
        for table, device in self.by_table.items():
            if is_ready(table_stream(table)):
                device.attend()

    def _tumbler(self, table: str) -> Tumbler | None:
        match self._state(table).equipment.tumbler:
            case "simulated":
                return SimulatedTumbler()
            case "verifiable":
                return VerifiableTumbler(Sealer(self._sealing_key))
            case "reader":
                return self._readers.get(table)
            case _:
                return None
