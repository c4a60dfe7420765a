"""The watch of a journal: checks now and then whether it works, and resumes streams if it does.

A check reads and writes: a server that answers and cannot commit does not work. A stream that was
suspended because the journal was out of reach, or had no room, is read back as soon as that has
passed. One that was suspended for another reason waits for a person.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence

from taisai.runtime.journal.contract import LASTING, Journal, JournalError

#: How often it is checked whether streams may be resumed, and how old an answer may be.
RESUME_SECONDS = 0.25
LOOK_SECONDS = 0.25
#: A journal that has not answered in this time does not work.
ANSWER_SECONDS = 1.0

_log = logging.getLogger(__name__)


class Watch:
    """Watches one journal; `trouble` is its last complaint, or `None`."""

    def __init__(self, journal: Journal, reopen: Callable[[], Awaitable[None]]) -> None:
        self.trouble: str | None = None
        #: Gives the streams that only wait for the journal; resumes one of them.
        self.waiting: Callable[[], Sequence[str]] = lambda: ()
        self.resume: Callable[[str], Awaitable[object]]
        #: Called if the journal is lost to this venue for good.
        self.on_lasting: Callable[[str], None] = lambda _: None
        #: Whether the journal was reopened since its last failure.
        self.fresh = True
        self._journal = journal
        self._reopen = reopen
        self._looked_at = 0.0
        self._looking: asyncio.Task[None] | None = None
        #: Whether the journal is lost to this venue for good: then it is not checked any more.
        self._lost = False

    async def look(self) -> str | None:
        """Read and write, unless that was done just now; say what fails."""
        if self._looking is None and time.monotonic() - self._looked_at >= LOOK_SECONDS:
            self._looking = asyncio.get_running_loop().create_task(self._probe())
        if self._looking is not None:
            await asyncio.wait([self._looking], timeout=ANSWER_SECONDS)
            if self._looking is not None:
                self.trouble = f"the journal has not answered for {ANSWER_SECONDS:.0f} s"
        return self.trouble

    async def _probe(self) -> None:
        try:
            await self._journal.probe()
            self.trouble = None
        except JournalError as error:
            self._note(error)
        except Exception as error:  # noqa: BLE001 - logged, and shown as not ready
            _log.exception("the journal cannot be looked at")
            self.trouble = f"a fault of ours: {type(error).__name__}: {error}"
        finally:
            self._looked_at, self._looking = time.monotonic(), None

    def _note(self, error: JournalError) -> None:
        if self.trouble is None:
            _log.error("the journal does not work: %s", error)
        self.trouble = str(error)
        if isinstance(error, LASTING) and not self._lost:
            self._lost = True
            self.on_lasting(str(error))

    async def run(self) -> None:
        """Check now and then, and resume the streams that only wait for the journal."""
        try:
            while not self._lost:
                await asyncio.sleep(RESUME_SECONDS)
                waiting = self.waiting()
                if self._journal.beats or waiting or self.trouble is not None:
                    try:
                        await self._look_after(waiting)
                    except Exception:  # noqa: BLE001 - logged: else nothing would go on any more
                        _log.exception("the journal cannot be looked after: a fault of ours")
        finally:
            if self._looking is not None:
                self._looking.cancel()

    async def _look_after(self, waiting: Sequence[str]) -> None:
        """Reopen the journal if streams wait for it, or if it does not reconnect by itself.

        It may have been reopened just now, to read back the last batch: then a check is enough, and
        the streams go on at once.
        """
        shut = not self._journal.is_open
        troubled = self.trouble is not None and (bool(waiting) or not self._journal.beats)
        if shut or troubled or (waiting and not self.fresh):
            try:
                await self._reopen()
            except JournalError as error:
                self._note(error)
                return
            # The last answer is from before the journal was reopened.
            self._looked_at = 0.0
        if await self.look() is None:
            # Meanwhile more streams may have been suspended.
            for stream in self.waiting():
                if await self.resume(stream) is not None:
                    self.fresh = False
