"""The process of a gateway: it has only a lane to the venue and a socket to listen on."""

import asyncio
import os
import socket
import sys

import uvloop

from taisai.runtime.operations.memory import look_after_memory
from taisai.runtime.operations.process import prepare
from taisai.server.door.line import line_class
from taisai.server.door.names import Names
from taisai.server.gateways import entries as e
from taisai.server.gateways.gateway import Gateway
from taisai.server.gateways.relay import Relay, by_unix
from taisai.server.gateways.settings import read_settings
from taisai.server.lanes.lane import Entry, Lane
from taisai.server.lanes.unix import connect
from taisai.server.listening import Listening, config_of, raise_files
from taisai.server.live.joining import protocol_class
from taisai.server.logs import set_up


class Process:
    """A gateway at work, from its terms to its end."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self._terms: asyncio.Future[e.Terms] = asyncio.get_running_loop().create_future()
        self._gateway: Gateway | None = None
        self._stop = asyncio.Event()
        self.lane = Lane(self._take, self._lost)

    def _take(self, entries: list[Entry]) -> None:
        if self._gateway is None:
            ((_, _, data),) = entries
            self._terms.set_result(e.read_terms(data))
        else:
            self._gateway.take(entries)

    def _lost(self, _: str) -> None:
        """End at once: without its venue a gateway is of no use, and its clients reconnect."""
        os._exit(1)

    async def run(self) -> None:
        """Serve until the venue stops."""
        terms = await self._terms
        set_up(terms.log)
        raise_files()
        settings = read_settings(terms.settings)
        gateway = self._gateway = Gateway(settings, self.lane, self._stop.set)
        ws = protocol_class(gateway, Names(settings).admits_page)
        line = line_class(gateway.door)
        server = Listening(
            config_of(Relay(by_unix(terms.pages)), line, ws, settings, lifespan=False), gateway.door
        )
        serving = asyncio.get_running_loop().create_task(server.serve([self._listening]))
        collecting = asyncio.get_running_loop().create_task(look_after_memory())
        prepare()
        gateway.count()
        await self._stop.wait()
        await gateway.end_all()
        server.should_exit = True
        await serving
        collecting.cancel()
        self.lane.close()


async def main(lane: int, listening: int) -> None:
    """Serve with the sockets that the venue handed over, given as file descriptors."""
    handed = socket.socket(fileno=listening)
    handed.setblocking(False)
    process = Process(handed)
    await connect(socket.socket(fileno=lane), process.lane)
    await process.run()


if __name__ == "__main__":
    uvloop.run(main(*map(int, sys.argv[1:3])))
