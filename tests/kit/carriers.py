"""A carrier of a lane's messages for tests: in this process, and unreliable if a test wants it."""

import asyncio
import random

from taisai.server.lanes.lane import Lane


class Carrier:
    """Carries messages to a lane; `careless` may lose one, deliver it twice, or delay it."""

    def __init__(self, careless: random.Random | None = None) -> None:
        self.to: Lane | None = None
        self.sent: list[bytes] = []
        self.careless = careless
        self.closed = False
        self._held_back: list[bytes] = []

    @property
    def lossy(self) -> bool:
        return self.careless is not None

    def send(self, message: bytes) -> None:
        self.sent.append(message)
        chance = 1.0 if self.careless is None else self.careless.random()
        if chance < 0.1:
            return
        if chance < 0.2:
            self._held_back.append(message)
            return
        carried = [message, *self._held_back] if chance > 0.5 else [message] * 2
        if chance > 0.5:
            self._held_back = []
        loop = asyncio.get_running_loop()
        for each in carried:
            if self.to is not None:
                loop.call_soon(self.to.received, each)

    def close(self) -> None:
        self.closed = True
