"""One process of a venue, from outside: started, sent commands, killed and cleaned up.

Everything that left the process before it died is read to the end, since people were told it.
"""

import asyncio
import itertools
import os
import signal
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from tests.faults.killing.crowd import PromiseBrokenError
from tests.faults.killing.lines import Asked, Said, Settings, Stop, line, read_said
from tests.faults.killing.places import Board

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = "tests.faults.killing.program"
#: The file for error output of all venues of a directory.
ERRORS = "errors"
#: A venue that does not get to the expected point in this time hangs.
TIMEOUT_SECONDS = 60.0

_numbers = itertools.count(1)


class Life:
    """A process of a venue, which waits until it is begun."""

    def __init__(self, process: Process, directory: Path, ring: int) -> None:
        self.board_path = directory / f"board-{next(_numbers)}"
        self.board = Board.open(self.board_path)
        self.rang = asyncio.Event()
        self._process = process
        self._errors = directory / ERRORS
        self._ring = ring
        self._listening: asyncio.Task[None] | None = None
        self._conversation: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        asyncio.get_running_loop().add_reader(ring, self._receive_ring)

    @classmethod
    async def start(cls, directory: Path) -> Self:
        """Start a process; it opens nothing until it is begun."""
        ours, theirs = socket.socketpair()
        ring, their_ring = os.pipe()
        errors = os.open(directory / ERRORS, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", PROGRAM, str(theirs.fileno()), str(their_ring),
                cwd=ROOT, pass_fds=(theirs.fileno(), their_ring),
                stdin=asyncio.subprocess.DEVNULL, stdout=errors, stderr=errors,
            )  # fmt: skip
        finally:
            theirs.close()
            os.close(their_ring)
            os.close(errors)
        life = cls(process, directory, ring)
        life._conversation = await asyncio.open_connection(sock=ours)
        return life

    def _receive_ring(self) -> None:
        if os.read(self._ring, 1):
            self.rang.set()
        else:
            asyncio.get_running_loop().remove_reader(self._ring)

    def begin(self, settings: Settings, receive: Callable[[Said], None]) -> None:
        """Let the venue open, and receive its messages."""
        self._write(line(settings))
        self._listening = asyncio.get_running_loop().create_task(self._listen(receive))

    def ask(self, asked: Asked) -> None:
        """Send a command."""
        self._write(line(asked))

    def _write(self, data: bytes) -> None:
        assert self._conversation is not None
        self._conversation[1].write(data)

    async def _listen(self, receive: Callable[[Said], None]) -> None:
        assert self._conversation is not None
        reader = self._conversation[0]
        try:
            while said := await reader.readline():
                if not said.endswith(b"\n"):
                    # The kill cut this line off: nobody can read it.
                    return
                receive(read_said(said))
        except ConnectionResetError:
            # The venue died with commands unread; all its messages have been received.
            return

    async def first_of(self, *events: asyncio.Event, seconds: float = TIMEOUT_SECONDS) -> bool:
        """Wait for the first of some events; says whether one came in time."""
        assert self._listening is not None
        waiting = [asyncio.ensure_future(event.wait()) for event in events]
        try:
            done, _ = await asyncio.wait(
                [self._listening, *waiting], timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if self._listening in done:
                await self._died()
            return bool(done)
        finally:
            for each in waiting:
                each.cancel()

    async def _died(self) -> None:
        """Raise the reason why a venue ended by itself, after its messages are received."""
        assert self._listening is not None
        await self._listening
        code = await self._process.wait()
        said = self._errors.read_text(encoding="utf-8")[-4_000:]
        raise PromiseBrokenError(f"the venue ended by itself with {code}:\n{said}")

    async def kill(self) -> None:
        """Kill the process, and receive what had left it."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGKILL)
        code = await self._process.wait()
        if self._listening is not None:
            await self._listening
        await self.bury()
        if code != -signal.SIGKILL:
            await self._died()

    async def stop(self) -> None:
        """Let the venue stop in order."""
        self._write(line(Stop()))
        async with asyncio.timeout(TIMEOUT_SECONDS):
            code = await self._process.wait()
            assert self._listening is not None
            await self._listening
        await self.bury()
        if code:
            await self._died()

    async def bury(self) -> None:
        """Leave nothing of the process behind, whatever its state."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGKILL)
            await self._process.wait()
        if self._listening is not None:
            await asyncio.wait([self._listening])
        if self._conversation is not None:
            writer = self._conversation[1]
            self._conversation = None
            writer.close()
            # Unsent data has no reader any more.
            with suppress(ConnectionResetError, BrokenPipeError):
                await writer.wait_closed()
            asyncio.get_running_loop().remove_reader(self._ring)
            os.close(self._ring)
            self.board_path.unlink()
