"""The gateways of a venue, as processes beside it: started, and started again when one is lost."""

import asyncio
import logging
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from taisai.runtime.recovery import StartupError
from taisai.server.gateways import entries as e
from taisai.server.gateways.attached import Attached
from taisai.server.gateways.settings import write_settings
from taisai.server.lanes.unix import connect
from taisai.server.listening import BACKLOG, LAST_SECONDS
from taisai.server.live.hub import Hub
from taisai.server.logs import form_in_use

#: How long a gateway may take to begin, and for how many checks in a row it may be silent.
BEGIN_SECONDS = 60.0
LOOK_SECONDS = 1.0
SILENT_LOOKS = 10
#: One that is lost soon after it was started is started again after a moment.
SOON_SECONDS = 10.0
AGAIN_SECONDS = 1.0

_log = logging.getLogger(__name__)


@contextmanager
def pages_socket() -> Iterator[tuple[socket.socket, str]]:
    """Listen on a Unix socket in a directory that no other user can read."""
    with tempfile.TemporaryDirectory(prefix="taisai-") as directory:
        address = str(Path(directory) / "pages")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
            listening.bind(address)
            listening.listen(BACKLOG)
            listening.setblocking(False)
            yield listening, address


class Gateways:
    """All gateways of a venue."""

    def __init__(self, hub: Hub, listening: socket.socket, pages: str) -> None:
        self._hub = hub
        self._listening = listening
        settings = hub.settings
        # A gateway opens none of the venue's files, so it is not told where they are.
        bare = replace(settings, journal=None, passphrase=None, copy_to=None, anchor=None)
        self._settings = write_settings(replace(bare, data=Path(), tables=None))
        self._pages = pages
        self._stopping = False
        self._kept: list[asyncio.Task[None]] = []
        #: Each gateway as the venue knows it, and its process.
        self._running: dict[str, tuple[Attached, asyncio.subprocess.Process]] = {}

    async def start(self) -> None:
        """Start all of them, and wait until they listen."""
        loop = asyncio.get_running_loop()
        names = [str(number) for number in range(1, self._hub.settings.gateways + 1)]
        await asyncio.gather(*map(self._start, names))
        self._kept = [loop.create_task(self._keep(name)) for name in names]

    async def _start(self, name: str, generation: int = 1) -> None:
        """Start a gateway, and wait until it listens."""
        ours, theirs = socket.socketpair()
        attached = Attached(self._hub, name, generation, self._lost)
        with theirs:
            files = theirs.fileno(), self._listening.fileno()
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "taisai.server.gateways", *map(str, files)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                pass_fds=files,
                # A signal from the keyboard stops the venue, but not its gateways before it.
                start_new_session=True,
            )
        attached.pid = process.pid
        self._hub.gateways[name] = attached
        self._running[name] = attached, process
        await connect(ours, attached.lane)
        terms = e.Terms(name, self._settings, self._pages, form_in_use())
        attached.lane.put(e.TERMS, 0, e.write(terms))
        await self._begins(attached, process)

    async def _begins(self, attached: Attached, process: asyncio.subprocess.Process) -> None:
        """Wait until a gateway listens; one that ends before, or takes too long, is given up."""
        loop = asyncio.get_running_loop()
        either = [loop.create_task(each) for each in (attached.begun.wait(), process.wait())]
        await asyncio.wait(either, timeout=BEGIN_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        for task in either:
            task.cancel()
        if not attached.begun.is_set():
            with suppress(ProcessLookupError):
                process.kill()
            raise StartupError(f"gateway {attached.name} did not begin; its log says why")

    async def _keep(self, name: str) -> None:
        """Watch a gateway: one that is lost, or hangs, is started again."""
        loop, started = asyncio.get_running_loop(), asyncio.get_running_loop().time()
        while True:
            attached, process = self._running[name]
            await self._watch(attached, process)
            if loop.time() - started < SOON_SECONDS:
                await asyncio.sleep(AGAIN_SECONDS)
            started = loop.time()
            try:
                await self._start(name, attached.generation + 1)
            except (OSError, StartupError) as error:
                _log.error("gateway %s is not started again yet: %s", name, error)

    async def _watch(self, attached: Attached, process: asyncio.subprocess.Process) -> None:
        """Wait until a gateway is gone; one that sends nothing for too long is killed."""
        ended = asyncio.ensure_future(process.wait())
        silent = 0
        while not ended.done():
            counted = attached.counted
            await asyncio.wait([ended], timeout=LOOK_SECONDS)
            silent = 0 if attached.counted != counted else silent + 1
            if (silent >= SILENT_LOOKS or attached.lane.broken) and not ended.done():
                process.kill()

    def _lost(self, attached: Attached, why: str) -> None:
        if not self._stopping:
            _log.warning(
                "gateway %s is lost: %s; it is started again, and whoever was there comes back",
                *(attached.name, why),
            )

    async def stop(self) -> None:
        """Have the gateways finish what is under way, and end."""
        self._stopping = True
        for task in self._kept:
            task.cancel()
        await asyncio.gather(*self._kept, return_exceptions=True)
        for attached, _ in self._running.values():
            attached.lane.put(e.STOPS, 0)
        await asyncio.gather(*(self._end(process) for _, process in self._running.values()))

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        try:
            async with asyncio.timeout(2 * LAST_SECONDS):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
