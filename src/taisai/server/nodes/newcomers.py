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

#: So much later what was changed beside the journal is there too.
READ_AFTER_SECONDS = 0.05


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

    def published(self, stream: str, registered: Registered) -> None:
        """Look whether there is a key that is new."""
        del registered
        runtime = self._application.runtime
        if stream == VENUE and not runtime.owns(VENUE) and self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        """Read the credentials again, a moment later: what was changed is there by then."""
        try:
            await asyncio.sleep(READ_AFTER_SECONDS)
            await self._application.accounts.read_again()
        except (CredentialsError, OSError) as error:
            self._application.runtime.announce(VENUE, "journal", str(error))
        finally:
            self._reading = None
