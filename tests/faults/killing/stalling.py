"""Batches that are committed after their venue's death, by a PostgreSQL server that was slow.

The table that stores command ids is locked from outside. A batch then waits in the server, with its
events begun; the venue is killed; and the batch is committed once the lock is released, when the
next venue may already be starting.
"""

import asyncio

import asyncpg


class Stall:
    """Holds up the batches of a journal in PostgreSQL; for a journal in a file it does nothing."""

    def __init__(self, where: str) -> None:
        self.can = where.startswith("postgresql://")
        self._where = where
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None
        self._releasing: asyncio.Task[None] | None = None

    async def hold(self) -> None:
        """Hold up every batch from now on."""
        await self.release()
        self._connection = await asyncpg.connect(self._where)
        await self._connection.execute("BEGIN; LOCK TABLE taisai.commands IN SHARE MODE")

    def release_soon(self, seconds: float) -> None:
        """Release the batches after a while, which the next venue may wait for."""
        if self._connection is not None:
            self._releasing = asyncio.get_running_loop().create_task(self._release_in(seconds))

    async def _release_in(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self._let_go()

    async def release(self) -> None:
        """Release the batches now."""
        if self._releasing is not None:
            await self._releasing
            self._releasing = None
        await self._let_go()

    async def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
