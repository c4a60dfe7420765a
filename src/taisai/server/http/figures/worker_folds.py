"""The figures of the venue as routes find them, and how a worker reads a long journal for them."""

from typing import Any

from litestar import Request

from taisai.projections.figures.days import Dates, GamingDays
from taisai.server.figures.folds import Fold, unpack_fold
from taisai.server.figures.follower import Figures, OnProgress, ReadLong
from taisai.server.http.audit.journal_worker import Tallied, Tallying
from taisai.server.http.audit.journal_workers import JournalWorkers


def figures_of(request: Request[Any, Any, Any]) -> Figures:
    """Give the figures that all routes share."""
    figures: Figures = request.app.state.figures
    return figures


def reading_by(workers: JournalWorkers, gaming_days: GamingDays | None = None) -> ReadLong:
    """Give a way to have a stream folded beside the venue."""
    days = gaming_days or GamingDays()

    async def read(
        stream: str, upto: int, progress: OnProgress, wanted: Dates | None = None
    ) -> Fold:
        job = Tallying(workers.where, stream, upto, days.day_starts, days.time_zone, wanted)
        async with workers.take_on(job) as worker:
            tallied = await worker.answer(progress)
        assert isinstance(tallied, Tallied), "a tally was asked for"
        return unpack_fold(stream, tallied.tally, days)

    return read
