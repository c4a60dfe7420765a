"""Fails over again and again under load, and checks that no registered command was lost.

The path to the standby is cut at some moment, so that later commits are at the first server alone;
then something happens to the batch that waits, and the venue asks the first server for its outcome;
then that server is lost for good. Every command answered as registered must be at the promoted
server, at the versions in the answer.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from random import Random

from taisai.core.cage.vouchers import SellVoucher
from taisai.core.kernel.messages import Actor, Command, Order
from taisai.core.rules.reason import Refusal
from taisai.runtime.answers import AGAIN, Answer
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.keys.signing import VenueKeys, fresh_keys
from taisai.runtime.runtime import Runtime
from tests.faults.failing_over.pair import Pair
from tests.faults.killing.checking import NOTHING_CHECKED, Checked, check
from tests.faults.killing.crowd import NOTHING_ASKED, Crowd, PromiseBrokenError, Request, Tally
from tests.faults.killing.lines import Asked, Told
from tests.faults.killing.places import Board
from tests.faults.killing.staff import TABLES, Staff

#: How long the venue is under load before it is struck, at most; and how long it is alone with
#: the first server before that is lost.
LOAD_SECONDS = 0.4
ALONE_SECONDS = 0.5
#: A venue that is not at work this long after a failover hangs.
TIMEOUT_SECONDS = 60.0
#: How soon a command that was put off is sent again.
AGAIN_SECONDS = 0.02


class Strike(StrEnum):
    """What happens to the batch under way, between the cut and the loss of the first server."""

    BROKEN = "the venue's connections broken off"
    TWICE = "broken off, and again while the venue reads back"
    CUT = "the venue's path cut as well, and mended"
    CANCELLED = "the statement cancelled by an administrator"
    ENDED = "the session ended by an administrator"
    CRASHED = "the first server crashed and started again"
    NOTHING = "nothing more"
    #: The path to the standby works until the first server is lost.
    LOST = "no cut: the first server lost at once"


class Found(StrEnum):
    """Where a strike found the venue, by the first server's account."""

    BATCH = "a batch waited for the standby"
    BARRIER = "a barrier waited for the standby"
    BETWEEN = "between two batches"


@dataclass
class Report:
    """The outcome of many failovers."""

    struck: Counter[tuple[Strike, Found]] = field(default_factory=Counter)
    #: Where the loss of the first server found the venue.
    over: Counter[Found] = field(default_factory=Counter)
    #: Commands answered as registered that were not at the promoted server.
    lost: list[str] = field(default_factory=list)
    #: Commands answered as registered, and looked for there.
    looked_for: int = 0
    put_off: int = 0
    #: How long after a promotion all waiting commands had an answer, and all tables were at work.
    back_seconds: list[float] = field(default_factory=list)
    checked: Checked = NOTHING_CHECKED
    tally: Tally = NOTHING_ASKED

    @property
    def failovers(self) -> int:
        """Count the failovers."""
        return self.struck.total()


class PatientStaff(Staff):
    """Staff who look again after a table has put them off."""

    async def _give(self, table: str, actor: Actor, command: Command) -> Answer:
        answer = await self._send(table, actor, command)
        if isinstance(answer, Refusal):
            await asyncio.sleep(AGAIN_SECONDS)
        return answer


class Run:
    """One venue on a pair of servers, failed over again and again."""

    def __init__(self, pair: Pair, directory: Path, seed: int) -> None:
        self.report = Report()
        self._pair = pair
        self._directory = directory
        self._seed = seed
        self._random = Random(seed)
        self._crowd = Crowd(seed)
        self._keys: VenueKeys = fresh_keys(0)
        self._venue: Runtime | None = None
        self._asking: set[asyncio.Task[None]] = set()
        #: Registered, and not yet looked for at a promoted server.
        self._told: list[Request] = []
        #: Called after each failover, with their number.
        self.told: Callable[[int], None] = lambda _: None

    def aims(self, times: int) -> list[Strike]:
        """Draw the strikes of this many failovers: each in turn."""
        drawn: list[Strike] = []
        while len(drawn) < times:
            drawn += self._random.sample([*Strike], len(Strike))
        return drawn[:times]

    async def fail_over(self, strikes: Sequence[Strike]) -> Report:
        """Fail over under load, once for each strike; then stop in order, and check everything."""
        self._venue = await Runtime.open(await open_journal(self._pair.url), self._keys)
        self._venue.transfers.printed = lambda _, __, order: self._print(order)
        staff = PatientStaff(self._venue, Board.open(self._directory / "board"), self._seed)
        await staff.set_up()
        dealing = [asyncio.ensure_future(staff.deal(table)) for table in TABLES]
        try:
            for number, strike in enumerate(strikes, 1):
                await self._fail_over_once(strike)
                self.told(number)
        finally:
            for task in dealing:
                task.cancel()
            await asyncio.gather(*dealing, return_exceptions=True)
        await self._stop()
        return self.report

    async def _fail_over_once(self, strike: Strike) -> None:
        pair = self._pair
        self._crowd.begin(self._ask)
        await self._pause(LOAD_SECONDS)
        if strike is Strike.LOST:
            self.report.struck[strike, await self._where()] += 1
        else:
            pair.first.to_standby.cut()
            await self._pause(LOAD_SECONDS)
            self.report.struck[strike, await self._where()] += 1
            await self._strike(strike)
            await self._pause(ALONE_SECONDS)
        self.report.over[await self._where()] += 1
        await pair.fail_over()
        await self._back()
        await self._look_for_told()
        await pair.join()

    async def _pause(self, most: float) -> None:
        await asyncio.sleep(self._random.uniform(0, most))

    async def _where(self) -> Found:
        """Ask the first server which of the venue's statements wait for the standby."""
        waiting = await self._pair.waiting()
        if not waiting:
            return Found.BETWEEN
        return Found.BATCH if any("INSERT" in query for _, query in waiting) else Found.BARRIER

    async def _strike(self, strike: Strike) -> None:
        first, venue = self._pair.first, self._pair.venue
        match strike:
            case Strike.BROKEN:
                venue.break_off()
            case Strike.TWICE:
                venue.break_off()
                await self._pause(ALONE_SECONDS)
                venue.break_off()
            case Strike.CUT:
                venue.cut()
                await self._pause(ALONE_SECONDS)
                venue.break_off()
                venue.mend()
            case Strike.CANCELLED | Strike.ENDED:
                end = "cancel" if strike is Strike.CANCELLED else "terminate"
                for pid, _ in await self._pair.waiting():
                    await first.ask(f"SELECT pg_{end}_backend($1)", pid)
            case Strike.CRASHED:
                await asyncio.to_thread(first.crash)
                await asyncio.to_thread(first.start)
            case _:
                pass

    # --- the crowd -----------------------------------------------------------------------------

    def _ask(self, asked: Asked) -> None:
        task = asyncio.get_running_loop().create_task(self._ask_until_told(asked))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask_until_told(self, asked: Asked) -> None:
        """Send a command, and again with the same id while it is put off."""
        assert self._venue is not None
        answer = await self._venue.submit(asked.stream, asked.order)
        while isinstance(answer, Refusal) and answer.code in AGAIN:
            self.report.put_off += 1
            await asyncio.sleep(AGAIN_SECONDS)
            answer = await self._venue.submit(asked.stream, asked.order)
        if isinstance(answer, Refusal):
            told = Told(asked.number, refused=answer.code)
        else:
            sold = isinstance(asked.order.command, SellVoucher)
            number = self._venue.cage.number_for(asked.order) if sold else None
            told = Told(asked.number, answer.first, answer.last, answer.at, voucher=number)
            self._told.append(self._crowd.memory.requests[asked.number])
        try:
            self._crowd.receive(told)
        except PromiseBrokenError as broken:
            # First answered as registered, and after the failover otherwise.
            self.report.lost.append(str(broken))

    def _print(self, order: Order) -> None:
        assert self._venue is not None
        number = self._venue.cage.number_for(order)
        if number is not None:
            self._crowd.hold(number)

    # --- after the failover --------------------------------------------------------------------

    async def _back(self) -> None:
        """Wait until every table is at work again by itself, and every command is answered."""
        assert self._venue is not None
        loop = asyncio.get_running_loop()
        began, waited = loop.time(), set(self._asking)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while self._venue.suspended() or waited & self._asking:  # noqa: ASYNC110 - no event
                await asyncio.sleep(AGAIN_SECONDS)
            self.report.back_seconds.append(loop.time() - began)
            self._crowd.end()
            while self._asking:
                await asyncio.wait({*self._asking})

    async def _look_for_told(self) -> None:
        """Look at the promoted server for every command registered since the last failover."""
        told, self._told = self._told, []
        found = await self._pair.first.rows(
            "SELECT stream, sender, id, first, last FROM taisai.commands WHERE last > 0"
        )
        held = {(stream, sender, id_): (first, last) for stream, sender, id_, first, last in found}
        self.report.looked_for += len(told)
        for request in told:
            assert request.answer is not None
            versions = (request.answer.first, request.answer.last)
            if held.get(request.key) != versions:
                self.report.lost.append(f"{request.sentence}, told at version {versions[0]}")

    async def _stop(self) -> None:
        """Stop in order, and compare the whole journal with all answers."""
        assert self._venue is not None
        await self._venue.stop()
        journal = await open_journal(self._pair.url)
        try:
            memory = self._crowd.memory
            self.report.checked = await check(journal, self._keys, memory, at_rest=True)
        except PromiseBrokenError as broken:
            self.report.lost.append(str(broken))
        finally:
            await journal.close()
        self.report.tally = self._crowd.memory.tally()
