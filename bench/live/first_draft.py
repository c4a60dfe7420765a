"""What a team would write first: Starlette on uvicorn, and one SQLAlchemy transaction per bet."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import sqlalchemy as sql
import uvicorn
from bench.live.children import answer_lines, run_child, used
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from taisai.core.table.betting import PlaceBets
from taisai.protocol.client_messages import Ask
from taisai.protocol.server_messages import Registered

CREDIT = 10**12

_decode = msgspec.json.Decoder(Ask).decode
_encode = msgspec.json.Encoder().encode

_tables = sql.MetaData()
_seats = sql.Table(
    "seats",
    _tables,
    sql.Column("terminal", sql.String, primary_key=True),
    sql.Column("credits", sql.Integer),
)
_bets = sql.Table(
    "bets",
    _tables,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("id", sql.String),
    sql.Column("terminal", sql.String),
    sql.Column("box", sql.String),
    sql.Column("stake", sql.Integer),
)


class Draft:
    """The server: for every bet it reads, subtracts, inserts and commits, in a thread."""

    def __init__(self, file: str, terminals: int) -> None:
        self.bets = 0
        self._engine = sql.create_engine(f"sqlite:///{file}")
        sql.event.listen(self._engine, "connect", _full_sync)
        _tables.create_all(self._engine)
        with self._engine.begin() as connection:
            rows = [{"terminal": f"T1-{each}", "credits": CREDIT} for each in range(terminals)]
            connection.execute(_seats.insert(), rows)
        # SQLite has one writer; with more threads they wait for each other in its lock, slower.
        self._thread = ThreadPoolExecutor(1)

    async def __call__(self, socket: WebSocket) -> None:
        """Serve one terminal."""
        loop = asyncio.get_running_loop()
        await socket.accept()
        async for text in socket.iter_text():
            ask = _decode(text)
            number = await loop.run_in_executor(self._thread, self._place, ask)
            answer = Registered(ask.id, ask.to, number, number, 1_760_000_000_000)
            await socket.send_text(_encode(answer).decode())

    def _place(self, ask: Ask) -> int:
        command = ask.command
        assert isinstance(command, PlaceBets)
        seat, bet = _seats.c.terminal == command.terminal, command.bets[0]
        with self._engine.begin() as connection:
            held = connection.execute(sql.select(_seats.c.credits).where(seat)).scalar_one()
            assert held >= bet.stake
            connection.execute(_seats.update().where(seat).values(credits=held - bet.stake))
            row = {"id": ask.id, "terminal": command.terminal, "box": bet.box, "stake": bet.stake}
            connection.execute(_bets.insert(), row)
        self.bets += 1
        return self.bets

    def close(self) -> None:
        """Close the file."""
        self._thread.shutdown()
        self._engine.dispose()


def _full_sync(connection: Any, _: object) -> None:
    for setting in ("journal_mode = WAL", "synchronous = FULL"):
        connection.execute(f"PRAGMA {setting}")


async def main(arguments: list[str]) -> None:
    """Serve bets until the bench hangs up."""
    draft = Draft(arguments[0], int(arguments[1]))
    app = Starlette(routes=[WebSocketRoute("/", draft.__call__)])
    config = uvicorn.Config(app, port=0, log_level="warning", lifespan="off", ws="auto")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn tells nobody when it has
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]

    async def address() -> dict[str, Any]:
        return {"address": f"ws://127.0.0.1:{port}/"}

    async def usage() -> dict[str, Any]:
        return used(draft.bets)

    await answer_lines({"address": address, "usage": usage})
    server.should_exit = True
    server.force_exit = True
    await serving
    draft.close()


if __name__ == "__main__":
    run_child(main)
