"""Verifications of the running journal: one at a time, beside the venue, and what it came to."""

import asyncio
import logging
from typing import Literal

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import printable
from taisai.runtime.clock import Clock
from taisai.server.http.audit.journal_worker import Outcome, Proof, Verify
from taisai.server.http.audit.journal_workers import JournalWorkers
from taisai.server.http.frame.problems import ProblemError

_log = logging.getLogger(__name__)


class Verification(Struct):
    """A verification: under way, done, or given up for a reason."""

    number: int
    by: str
    began_at: Instant
    state: Literal["running", "done", "failed"]
    seen: int = 0
    total: int = 0
    ended_at: Instant | None = None
    outcome: Outcome | None = None
    failure: str | None = None


class Verifications:
    """The verification under way, or else the last one."""

    def __init__(self, workers: JournalWorkers, clock: Clock) -> None:
        self.current: Verification | None = None
        self._workers = workers
        self._clock = clock
        self._task: asyncio.Task[None] | None = None

    def begin(self, by: str) -> Verification | None:
        """Begin one; none while one is under way."""
        if self._task is not None:
            return None
        number = 1 if self.current is None else self.current.number + 1
        self.current = Verification(number, by, self._clock.now(), "running")
        _log.info("verification %s of the journal, asked for by %s", number, printable(by))
        self._task = asyncio.get_running_loop().create_task(self._run(self.current))
        return self.current

    async def ended(self) -> None:
        """Wait until none is under way."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """Give up what is under way."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self, verification: Verification) -> None:
        try:
            await self._prove(verification)
            verification.state = "done"
        except ProblemError as error:
            verification.failure = error.problem.detail
        except Exception:  # noqa: BLE001 - logged, and shown as a failure
            _log.exception("a verification failed by a fault of ours")
            verification.failure = "a fault of ours; the log has it"
        finally:
            if verification.state == "running":
                verification.state = "failed"
                verification.failure = verification.failure or "it was given up"
            verification.ended_at = self._clock.now()
            self._task = None

    async def _prove(self, verification: Verification) -> None:
        def progress(seen: int, total: int) -> None:
            verification.seen, verification.total = seen, total

        job = Verify(self._workers.where, self._workers.keys)
        async with self._workers.take_on(job) as worker:
            proof = await worker.answer(progress)
        assert isinstance(proof, Proof), "a verification ends with a proof"
        verification.outcome = proof.outcome
        verification.seen = verification.total = verification.outcome.events
