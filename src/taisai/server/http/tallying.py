"""The figures of the house as routes find them, and how a clerk reads a long journal for them."""

from typing import Any

import msgspec
from litestar import Request

from taisai.server.figures.days import Dates
from taisai.server.figures.following import Figures, ReadLong, Told
from taisai.server.figures.reading import Fold, unpack_fold
from taisai.server.gaming_days import GamingDays
from taisai.server.http.clerk import Progress, Tallied, Tallying
from taisai.server.http.clerks import ClerkError, Clerks

_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def figures_of(request: Request[Any, Any, Any]) -> Figures:
    """Give the figures that all routes share."""
    figures: Figures = request.app.state.figures
    return figures


def reading_by(clerks: Clerks, gaming_days: GamingDays | None = None) -> ReadLong:
    """Give a way to have a stream folded beside the house."""
    days = gaming_days or GamingDays()

    async def read(stream: str, upto: int, told: Told, wanted: Dates | None = None) -> Fold:
        job = Tallying(clerks.where, stream, upto, days.day_starts, days.time_zone, wanted)
        async with clerks.take_on(job) as clerk:
            fold: Fold | None = None
            async for line in clerk.lines():
                if "tally" in _decode(line):
                    tallied = msgspec.json.decode(line, type=Tallied)
                    fold = unpack_fold(stream, tallied.tally, days)
                else:
                    progress = msgspec.json.decode(line, type=Progress)
                    told(progress.seen, progress.total)
        if fold is None:
            raise ClerkError("a clerk ended without the tally it was asked for")
        return fold

    return read
