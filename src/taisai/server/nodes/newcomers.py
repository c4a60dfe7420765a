"""Takes up at this node what other nodes have added to the venue: tables and credentials."""

import asyncio

from taisai.runtime.answers import Registered
from taisai.runtime.publisher import Follower
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, VENUE
from taisai.server.accounts.credentials import CredentialsError
from taisai.server.application import Application
from taisai.server.dealing.dealers import Dealers
from taisai.server.floor import plans_of
from taisai.server.floor_plan import FloorPlan

#: After so long a change outside the journal is mostly readable too.
READ_AFTER_SECONDS = 0.05
#: If credentials cannot be read at a take-over, it is tried again after so long.
AGAIN_SECONDS = 0.1


class NewTables(Follower):
    """Puts dealers at new tables."""

    follows_bets = False

    def __init__(self, runtime: Runtime, dealers: Dealers, floor: FloorPlan) -> None:
        self._runtime = runtime
        self._dealers = dealers
        self._floor = floor
        self._known = {VENUE, CAGE, *runtime.tables()}

    def published(self, stream: str, registered: Registered) -> None:
        """Look for a new table."""
        del registered
        streams = {*self._runtime.tables()} if stream == VENUE else {stream}
        if streams - self._known:
            self._known |= streams
            for table in plans_of(self._runtime, self._floor):
                self._dealers.add(table.name, table)


class NewCredentials(Follower):
    """Reads the credentials again when another office has changed them."""

    follows_bets = False

    def __init__(self, application: Application) -> None:
        self._application = application
        self._reading: asyncio.Task[None] | None = None
        #: Whether another change came while they were read: it may not have been read yet.
        self._more = False

    def published(self, stream: str, registered: Registered) -> None:
        """Have the credentials read again, if the venue's stream is another node's."""
        del registered
        if stream != VENUE or self._application.runtime.owns(VENUE):
            return
        self._more = True
        if self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        """Read the credentials again, a moment later: the change is mostly readable by then."""
        try:
            while self._more:
                self._more = False
                await asyncio.sleep(READ_AFTER_SECONDS)
                await self._try()
        finally:
            self._reading = None

    async def taken_over(self) -> None:
        """Read them before this office admits anybody: from now on no other node changes them."""
        while not await self._try():  # noqa: ASYNC110 - a database that is away has no event
            await asyncio.sleep(AGAIN_SECONDS)

    async def _try(self) -> bool:
        try:
            await self._application.accounts.read_again()
        except (CredentialsError, OSError) as error:
            self._application.runtime.announce(VENUE, "journal", str(error))
            return False
        return True
