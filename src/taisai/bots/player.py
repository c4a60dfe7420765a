"""A bot: a player with a habit at a terminal, round after round, until the credits are gone."""

import asyncio
from random import Random
from typing import assert_never

from taisai.bots.habits import Clear, Habit, Move, Place, Withdraw
from taisai.bots.sight import Layout, Sight
from taisai.client import Live, LiveTable, PositionView
from taisai.protocol.server_messages import Refused, Registered

#: How long bets are taken to be open where a person deals and nobody says.
UNTOLD_SECONDS = 12.0
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
            await self._live.until(lambda: self._is_new(table))
            if self._is_broke(table):
                return
            self._round = table.round
            await self._play_round(table)

    def _is_new(self, table: LiveTable) -> bool:
        return table.taking_bets and table.limits is not None and table.round != self._round

    def _is_broke(self, table: LiveTable) -> bool:
        seat = self._live.terminal
        return seat.credits + seat.staked < max(table.minimum, 1)

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
            return UNTOLD_SECONDS * self._chance.uniform(0.5, 1.0)
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
        match move:
            case Place():
                return await self._live.place(move.bets)
            case Withdraw():
                return await self._live.withdraw(move.bets)
            case Clear():
                return await self._live.clear()
            case _:
                assert_never(move)


def sight_of(layout: Layout, table: LiveTable, seat: PositionView) -> Sight | None:
    """See a table as one of its terminals does; nothing of it while it has no limits."""
    if table.limits is None:
        return None
    last = seat.last
    result = None
    if last is not None and last.faces is not None:
        result = last.back - sum(line.stake for line in last.lines)
    return Sight(layout, table.limits, seat.credits, seat.bets, table.totals, result)
