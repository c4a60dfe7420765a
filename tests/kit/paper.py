"""A socket for tests that records its frames."""

from typing import Any

from picows import WSMsgType

from tests.kit.servers import read_frame


class Paper:
    """A socket that records its frames."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.close_code = 0

    def send(self, _: WSMsgType, frame: bytes) -> None:
        self.frames.append(frame)

    def send_close(self, code: int, _: bytes) -> None:
        self.close_code = code

    def disconnect(self, *, graceful: bool = True) -> None:
        """Note that the connection is closed."""

    def abort(self) -> None:
        """Note that the connection is cut."""

    @property
    def told(self) -> list[dict[str, Any]]:
        return [each for frame in self.frames for each in read_frame(frame)]

    def types(self) -> list[str]:
        return [str(each["type"]) for each in self.told]
