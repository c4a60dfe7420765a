"""The keeper of a venue's time: compares clocks, remembers, and announces a doubt to the pit [D35].

No bet waits for it: the database is asked now and then, and what is remembered is written now and
then, to a file beside the anchor, authenticated by the venue's key.
"""

import asyncio
import hmac
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from taisai.core.kernel.messages import Event, Instant
from taisai.core.venue.setup import ClockAccepted
from taisai.runtime.clock import Agreed, Clock
from taisai.runtime.journal.contract import Journal, JournalError
from taisai.runtime.keys.files import (
    DIRECTORY_MODE,
    SECRET_MODE,
    KeysError,
    Secret,
    read_file,
    write_file,
)
from taisai.wording import told

CLOCK_FILE = "clock.json"
CLOCK_DOMAIN = b"taisai clock\0"
#: How often the database is asked for the time; also as soon as a jump is noticed.
COMPARE_SECONDS = 10.0
#: How long a start waits for the database's time.
_ANSWER_SECONDS = 5.0


class _Written(Struct, frozen=True, forbid_unknown_fields=True):
    boot: Annotated[str, Meta(max_length=100)]
    at: Instant
    passed: int
    mac: Annotated[str, Meta(pattern="^[0-9a-f]{64}\\Z")] = "0" * 64


_encode = msgspec.json.Encoder(order="sorted").encode
_decoder = msgspec.json.Decoder(_Written)


class Memory:
    """What a venue remembers of its machine's clock over a restart, in the anchor's directory."""

    def __init__(self, directory: Path, sealing: bytes) -> None:
        self.file = directory / CLOCK_FILE
        self._key = Secret(hmac.digest(sealing, CLOCK_DOMAIN, "sha256"))

    def read(self) -> Agreed | None:
        """Read what is remembered; `None` if the file is missing, or not this venue's."""
        try:
            written = _decoder.decode(read_file(self.file, secret=False))
        except (KeysError, msgspec.MsgspecError, UnicodeDecodeError):
            return None
        if not hmac.compare_digest(written.mac, self._mac(written)):
            return None
        return Agreed(written.boot, written.at, written.passed)

    def write(self, agreed: Agreed) -> None:
        """Store that clock and passed time agree."""
        written = _Written(*agreed)
        written = msgspec.structs.replace(written, mac=self._mac(written))
        try:
            self.file.parent.mkdir(DIRECTORY_MODE, parents=True, exist_ok=True)
            write_file(self.file, _encode(written) + b"\n", SECRET_MODE)
        except OSError as error:
            raise KeysError(f"{self.file} cannot be written: {error}") from None

    def _mac(self, written: _Written) -> str:
        data = _encode(msgspec.structs.replace(written, mac="0" * 64))
        return hmac.digest(self._key, CLOCK_DOMAIN + data, "sha256").hex()


class Timekeeper:
    """Keeps the clock of one venue; `announce` notifies the pit."""

    def __init__(self, clock: Clock, journal: Journal, memory: Memory | None) -> None:
        self.clock = clock
        self.announce: Callable[[str], None] = lambda _: None
        self._journal = journal
        self._memory = memory
        self._told = (False, False)
        self._changed = asyncio.Event()

    async def begin(self, newest: Instant) -> None:
        """Check the machine's clock against all that is known when a venue starts."""
        remembered = None if self._memory is None else self._memory.read()
        self.clock.begin(newest, remembered, await self._database())

    async def _database(self) -> Instant | None:
        try:
            return await asyncio.wait_for(self._journal.time(), _ANSWER_SECONDS)
        except (JournalError, TimeoutError):
            return None

    def watch(self, *, demo: bool = False) -> None:
        """Announce a time in doubt to the pit once; a demo accepts it by itself."""
        doubt = self.clock.doubt()
        if doubt is not None and demo:
            self.clock.accept(*doubt)
            return
        in_doubt = (False, False) if doubt is None else (bool(doubt[0]), bool(doubt[1]))
        if in_doubt == self._told:
            return
        self._told = in_doubt
        # The database's time is needed soon.
        self._changed.set()
        self.announce(
            told("NOTICE_CLOCK_AGREES")
            if doubt is None
            else told("NOTICE_CLOCK_DOUBT", why=doubt.sentence)
        )

    def tell_of_step_back(self) -> None:
        """Announce to the pit how far the machine's clock was set back since the last call."""
        if self.clock.behind_ms:
            self.announce(told("NOTICE_CLOCK_BACK", ms=self.clock.behind_ms))
            self.clock.behind_ms = 0

    def note(self, events: Sequence[Event]) -> None:
        """Trust a clock again that two persons accepted, if it is still as they saw it."""
        for event in events:
            if isinstance(event, ClockAccepted):
                if self.clock.accept(event.ahead_ms, event.database_ms):
                    continue
                doubt = self.clock.doubt()
                now = told("CLOCK_NO_DOUBT") if doubt is None else doubt.sentence
                self.announce(told("NOTICE_CLOCK_OTHER", why=now))

    async def run(self) -> None:
        """Compare with the database's clock now and then, where there is one."""
        while await self.compare():
            try:
                await asyncio.wait_for(self._changed.wait(), COMPARE_SECONDS)
            except TimeoutError:
                continue
            self._changed.clear()

    async def compare(self) -> bool:
        """Ask the database for the time; say whether there is a database."""
        asked = self.clock.wall()
        try:
            database = await self._journal.time()
        except JournalError:
            # It is out of reach; its last answer holds until it is back.
            return True
        if database is None:
            return False
        self.clock.compare(database, asked)
        return True

    async def remember(self) -> None:
        """Store that clock and passed time agree, unless the time is in doubt."""
        agreed = self.clock.agreed()
        if self._memory is not None and agreed is not None:
            try:
                await asyncio.to_thread(self._memory.write, agreed)
            except KeysError as error:
                self.announce(told("NOTICE_CLOCK_FORGOTTEN", why=str(error)))
