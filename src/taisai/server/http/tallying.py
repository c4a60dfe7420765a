"""Having a clerk tally a long journal for the figures of the house."""

import msgspec

from taisai.server.figures.following import ReadLong, Told
from taisai.server.figures.tally import Tally
from taisai.server.http.clerk import Progress, Tallied, Tallying
from taisai.server.http.clerks import ClerkError, Clerks

_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def reading_by(clerks: Clerks) -> ReadLong:
    """Give a way to have a stream tallied beside the house."""

    async def read(stream: str, upto: int, told: Told) -> Tally:
        async with clerks.take_on(Tallying(clerks.where, stream, upto)) as clerk:
            tally: Tally | None = None
            async for line in clerk.lines():
                if "tally" in _decode(line):
                    tally = Tally.unpack(msgspec.json.decode(line, type=Tallied).tally)
                else:
                    progress = msgspec.json.decode(line, type=Progress)
                    told(progress.seen, progress.total)
        if tally is None:
            raise ClerkError("a clerk ended without the tally it was asked for")
        return tally

    return read
