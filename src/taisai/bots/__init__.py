"""Bots: players with habits that keep a demo lively, and many of them at once as a load.

They know the protocol as any client does, and nothing of how a venue works.
"""

import asyncio
import itertools
import logging
from random import Random

from taisai.bots.habits import HABITS, Habit, Move
from taisai.bots.sight import Layout, Sight
from taisai.client import Backoff, ClientError, Live, LiveTable, PositionView, connect
from taisai.client.http import demo_terminal, odds, tables
from taisai.protocol.server_messages import Refused, Registered

#: How long bets are taken to be open where a person deals and nobody says.
UNKNOWN_SECONDS = 12.0
#: What is left of a countdown below this is not worth a thought.
LEAST_SECONDS = 0.5


class Player:
    """Plays at a terminal that is connected."""

    def __init__(self, live: Live, layout: Layout, habit: Habit, chance: Random) -> None:
        self._live = live
        self._layout = layout
        self._habit = habit
        self._chance = chance
        self._round = 0
        self.registered = 0
        self.refused: dict[str, int] = {}

    async def play(self, table: LiveTable) -> None:
        """Play until there is too little left for a bet; credits that arrive go on with it."""
        while True:
            await self._live.until(
                lambda: table.taking_bets and bool(table.limits) and table.round != self._round
            )
            seat = self._live.terminal
            if seat.credits + seat.staked < max(table.minimum, 1):
                return
            self._round = table.round
            await self._play_round(table)

    async def _play_round(self, table: LiveTable) -> None:
        began = self._live.link.venue_time()
        seconds = self._seconds_left(table, began)
        if seconds < LEAST_SECONDS:
            return
        for moment in self._habit.moments():
            gone = (self._live.link.venue_time() - began) / 1000
            await asyncio.sleep(max(0.0, moment * seconds - gone))
            if not table.taking_bets or table.round != self._round:
                return
            await self._act(table)

    def _seconds_left(self, table: LiveTable, now: int) -> float:
        if table.closes_at is None:
            return UNKNOWN_SECONDS * self._chance.uniform(0.5, 1.0)
        return (table.closes_at - now) / 1000

    async def _act(self, table: LiveTable) -> None:
        seat = self._live.terminal
        if seat.locked or seat.barred:
            return
        sight = sight_of(self._layout, table, seat)
        move = None if sight is None else self._habit.move(sight)
        if move is None:
            return
        answer = await self._carry_out(move)
        if isinstance(answer, Refused):
            self.refused[answer.code] = self.refused.get(answer.code, 0) + 1
        else:
            self.registered += 1

    async def _carry_out(self, move: Move) -> Registered | Refused:
        what, bets = move
        if what == "clear":
            return await self._live.clear()
        return await (self._live.place if what == "place" else self._live.withdraw)(bets)


def sight_of(layout: Layout, table: LiveTable, seat: PositionView) -> Sight | None:
    """See a table as one of its terminals does; nothing of it while it has no limits."""
    if table.limits is None:
        return None
    last = seat.last
    result = None
    if last is not None and last.faces is not None:
        result = last.back - sum(line.stake for line in last.lines)
    return Sight(layout, table.limits, seat.credits, seat.bets, table.totals, result)


#: Seconds before somebody else takes the place of a bot that went, broke or cut off.
NEXT_PLAYER_SECONDS = (1.0, 30.0)
#: A bot that lost its connection is not kept waiting as long as a person would be.
BACKOFF = Backoff(attempts=8)

_log = logging.getLogger(__name__)

__all__ = ["keep_lively", "layout_of"]


async def keep_lively(address: str, count: int, stop: asyncio.Event) -> None:
    """Keep some bots playing at the tables of a demo venue, spread over all, until the stop."""
    habits = itertools.cycle(HABITS)
    async with asyncio.TaskGroup() as group:
        playing = [group.create_task(_keep(address, n, next(habits))) for n in range(count)]
        await stop.wait()
        for each in playing:
            each.cancel()


async def layout_of(address: str, pay_table: str) -> Layout:
    """Ask which boxes a pay table has."""
    return Layout({each.box: each.kind for each in (await odds(address, pay_table)).boxes})


async def _keep(address: str, number: int, habit: str) -> None:
    """Keep one place taken: whoever is broke leaves, and somebody else comes."""
    chance = Random()  # noqa: S311 - a bot's whims are no secret
    least, most = NEXT_PLAYER_SECONDS
    failures = 0
    while True:
        try:
            await _sit_down(address, number, habit, chance)
            failures = 0
        except ClientError as error:
            failures += 1
            _log.info("a %s bot left: %s", habit, error)
        await asyncio.sleep(min(most, least * 2 ** min(failures, 10)) * chance.uniform(0.5, 1.0))


async def _sit_down(address: str, number: int, habit: str, chance: Random) -> None:
    """Take a seat of a demo venue and play until there is nothing left."""
    # Bots have no hands to lay chips on a layout with.
    there = [
        (each.table, each.pay_table)
        for each in await tables(address)
        if each.form == "terminals" and each.pay_table is not None and not each.suspended
    ]
    if not there:
        return
    table, pay_table = there[number % len(there)]
    layout = await layout_of(address, pay_table)
    key = await demo_terminal(address, table)
    async with connect(address, terminal=key, backoff=BACKOFF) as live:
        # Nobody reads a bot's messages: it looks at the views.
        live.messages_max = 0
        seen = await live.watch(table)
        await Player(live, layout, HABITS[habit](chance), chance).play(seen)
