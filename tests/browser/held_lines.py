"""A proxy of the socket between a window and the venue, which can hold back and lose frames."""

import json
from collections.abc import Callable

from playwright.sync_api import WebSocketRoute

from tests.browser.windows import Window

Frame = str | bytes


class HeldLine:
    """The connection of one window: every frame passes, except those it is told to hold."""

    def __init__(self, window: Window) -> None:
        self._asked: str | None = None
        self._answered = False
        self._held: list[tuple[WebSocketRoute, Frame]] = []
        self._open: WebSocketRoute | None = None
        window.is_used_up = True
        window.page.route_web_socket("**/api/live", self._connected)

    def hold_asked(self, command: str) -> None:
        """Hold back the window's frames with this command."""
        self._asked = command

    def lose_answers(self) -> None:
        """Drop every frame from the venue to the window."""
        self._answered = True

    def release(self) -> None:
        """Send the frames that were held back."""
        held, self._held, self._asked = self._held, [], None
        for server, frame in held:
            server.send(frame)

    def lose(self) -> None:
        """Drop the frames that were held back; the next connection is whole again."""
        self._asked, self._answered = None, False
        self._held.clear()

    def cut(self) -> None:
        """Cut the connection, and drop the frames that were held back."""
        self.lose()
        assert self._open is not None
        self._open.close(code=4999)

    @property
    def holds(self) -> int:
        """Say how many frames are held back."""
        return len(self._held)

    def _connected(self, line: WebSocketRoute) -> None:
        server = self._open_server(line)
        line.on_message(self._on_asked(server))

    def _open_server(self, line: WebSocketRoute) -> WebSocketRoute:
        self._open = line
        server = line.connect_to_server()

        def told(frame: Frame) -> None:
            if not self._answered:
                line.send(frame)

        server.on_message(told)
        return server

    def _on_asked(self, server: WebSocketRoute) -> Callable[[Frame], None]:
        def asked(frame: Frame) -> None:
            if self._asked is not None and _commands(frame) == self._asked:
                self._held.append((server, frame))
            else:
                server.send(frame)

        return asked


def _commands(frame: Frame) -> str | None:
    """Give the command in a frame."""
    told = json.loads(frame)
    return str(told["command"]["type"]) if "command" in told else None
