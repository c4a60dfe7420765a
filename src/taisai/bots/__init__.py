"""Bots: players with habits that keep a demo lively, and many of them at once as a load.

They know the protocol as any client does, and nothing of how a venue works.
"""

import asyncio
import itertools
import logging
from random import Random

from taisai.bots.habits import HABITS
from taisai.bots.player import Player
from taisai.bots.sight import Layout
from taisai.client import Backoff, ClientError, connect
from taisai.client.http import demo_terminal, odds, tables
from taisai.protocol.views import TableEntry

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


def _has_seats(table: TableEntry) -> bool:
    """Say whether a bot can play at a table: bots have no hands to lay chips on a layout with."""
    return table.form == "terminals" and table.pay_table is not None and not table.suspended


async def _sit_down(address: str, number: int, habit: str, chance: Random) -> None:
    """Take a seat of a demo venue and play until there is nothing left."""
    there = [each for each in await tables(address) if _has_seats(each)]
    if not there:
        return
    table = there[number % len(there)]
    assert table.pay_table is not None, "only tables that play by something are taken"
    layout = await layout_of(address, table.pay_table)
    key = await demo_terminal(address, table.table)
    async with connect(address, terminal=key, backoff=BACKOFF) as live:
        # Nobody reads a bot's messages: it looks at the views.
        live.messages_max = 0
        seen = await live.watch(table.table)
        await Player(live, layout, HABITS[habit](chance), chance).play(seen)
