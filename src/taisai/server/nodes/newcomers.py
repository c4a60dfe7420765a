"""What other nodes have added to the venue, seen to at this one."""

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

#: So much later what was changed beside the journal is there too, where nobody is held up.
READ_AFTER_SECONDS = 0.05
#: Where they cannot be read at a take-over, it is tried again so much later.
AGAIN_SECONDS = 0.1


class NewTables(Follower):
    """Puts dealers at tables that are new."""

    follows_bets = False

    def __init__(self, runtime: Runtime, dealers: Dealers, floor: FloorPlan) -> None:
        self._runtime = runtime
        self._dealers = dealers
        self._floor = floor
        self._known = {VENUE, CAGE, *runtime.tables()}

    def published(self, stream: str, registered: Registered) -> None:
        """Look whether there is a table that is new."""
        del registered
        streams = {*self._runtime.tables()} if stream == VENUE else {stream}
        if streams - self._known:
            self._known |= streams
            for table in plans_of(self._runtime, self._floor):
                self._dealers.add(table.name, table)


class NewCredentials(Follower):
    """Sees to what another office has changed of the credentials."""

    follows_bets = False

    def __init__(self, application: Application) -> None:
        self._application = application
        self._reading: asyncio.Task[None] | None = None
        #: Whether something came while they were read, which may have been too early for it.
        self._more = False

    def published(self, stream: str, registered: Registered) -> None:
        """Look whether there is a key that is new."""
        del registered
        if stream != VENUE or self._application.runtime.owns(VENUE):
            return
        self._more = True
        if self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        """Read the credentials again, a moment later: what was changed is mostly there by then."""
        try:
            while self._more:
                self._more = False
                await asyncio.sleep(READ_AFTER_SECONDS)
                await self._try()
        finally:
            self._reading = None

    async def taken_over(self) -> None:
        """Read them before this office lets anybody in: by now nobody else changes them."""
        while not await self._try():  # noqa: ASYNC110 - a database that is away has no event
            await asyncio.sleep(AGAIN_SECONDS)

    async def _try(self) -> bool:
        try:
            await self._application.accounts.read_again()
        except (CredentialsError, OSError) as error:
            self._application.runtime.announce(VENUE, "journal", str(error))
            return False
        return True
