"""Terminals, roles, ids and approvals of somebody else: refused, and nothing happens."""

import asyncio
import json
from typing import Any

import pytest

from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.kernel.messages import Actor, LimitsAsked
from taisai.core.table.setup import SetLimits
from taisai.runtime.streams import table_stream
from taisai.server.live.connection import STRANGE_FRAME_MAX
from tests.kit.servers import read_frame
from tests.server.fuzz.attacking import by_mallory, only_lock_outs
from tests.server.fuzz.hall import (
    HONEST,
    MALLORY,
    NAMESAKE,
    OTHER,
    PIN,
    TABLE,
    VICTIM,
    Hall,
    nothing,
)
from tests.server.fuzz.sockets import RawSocket, text

VISITOR = '{"type":"Hello","protocol":1}'


async def answers(socket: RawSocket, *messages: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Send messages with ids, and wait for the answer to each."""
    for message in messages:
        socket.send(text(json.dumps(message)))
    found: dict[str, dict[str, Any]] = {}
    while not {message["id"] for message in messages} <= found.keys():
        frame = await socket.receive()
        assert frame is not None, f"cut off with {socket.closed_with}"
        for told in read_frame(frame[1]):
            if "id" in told:
                found[told["id"]] = told
    return found


def ask(hall: Hall, to: str, id_: str | None = None, **command: Any) -> dict[str, Any]:
    return {"type": "Ask", "to": to, "id": id_ or hall.new_id(), "command": command}


async def refused(hall: Hall, socket: RawSocket, message: dict[str, Any]) -> str:
    """Send a message that must be refused, and give the code."""
    answer = (await answers(socket, message))[message["id"]]
    assert answer["type"] == "Refused", (message, answer)
    hall.holds_no_secret(json.dumps(answer).encode(), json.dumps(message).encode())
    return str(answer["code"])


@pytest.mark.parametrize(
    ("table", "terminal", "whose"),
    [
        (TABLE, VICTIM, (TABLE, MALLORY)),
        (TABLE, VICTIM, None),
        (OTHER, MALLORY, (TABLE, MALLORY)),
        (TABLE, NAMESAKE, (OTHER, NAMESAKE)),
        (OTHER, NAMESAKE, (TABLE, NAMESAKE)),
        ("", MALLORY, (TABLE, MALLORY)),
        (TABLE, "", (TABLE, MALLORY)),
        (f"table/{TABLE}", MALLORY, (TABLE, MALLORY)),
        ("cage", MALLORY, (TABLE, MALLORY)),
        ("nowhere", MALLORY, (TABLE, MALLORY)),
    ],
)
def test_a_terminal_is_let_in_by_its_own_key_alone(
    runner: asyncio.Runner,
    place: Hall,
    table: str,
    terminal: str,
    whose: tuple[str, str] | None,
) -> None:
    async def forge() -> None:
        key = "no-such-key" if whose is None else place.keys[whose]
        socket = await place.open(place.hello(table, terminal, key))
        heard = await socket.until_end()
        assert socket.closed_with == 4002
        assert [json.loads(each)["type"] for each in heard[:-1]] == ["Fault"]
        await place.check(heard, nothing)

    runner.run(forge())


@pytest.mark.parametrize("session", ["", "x", "a" * 60_000, "visitor", "\x00", "system"])
def test_a_session_that_there_is_not_lets_nobody_in(
    runner: asyncio.Runner, place: Hall, session: str
) -> None:
    async def forge() -> None:
        hello = json.dumps({"type": "Hello", "protocol": 1, "session": session})
        socket = await place.open(hello)
        heard = await place.last_words(socket)
        if session:
            # A message that is too long is not even decoded.
            assert socket.closed_with == (4000 if len(session) > STRANGE_FRAME_MAX else 4002)
        assert not any(b'"role":"' in each and b'"visitor"' not in each for each in heard)
        await place.check(heard, nothing)

    runner.run(forge())


@pytest.mark.parametrize("victim", [VICTIM, HONEST, NAMESAKE])
def test_no_terminal_acts_for_another(runner: asyncio.Runner, place: Hall, victim: str) -> None:
    bets = [["small", 1_000]]
    commands: list[dict[str, Any]] = [
        {"type": "PlaceBets", "terminal": victim, "bets": bets},
        {"type": "WithdrawBets", "terminal": victim, "bets": bets},
        {"type": "ClearBets", "terminal": victim},
        {"type": "CashOut", "terminal": victim},
        {"type": "SetOwnLimits", "terminal": victim, "loss": 1},
    ]

    async def forge() -> None:
        socket = await place.open(place.hello(TABLE, MALLORY))
        codes = {await refused(place, socket, ask(place, TABLE, **each)) for each in commands}
        assert codes == {"NOT_YOUR_TERMINAL"}
        await socket.close()
        await place.check([], nothing)

    runner.run(forge())


@pytest.mark.parametrize(
    "command",
    [
        {"type": "PlaceBets", "terminal": NAMESAKE, "bets": [["big", 1_000]]},
        {"type": "ClearBets", "terminal": NAMESAKE},
        {"type": "CashOut", "terminal": NAMESAKE},
        {"type": "SetOwnLimits", "terminal": NAMESAKE, "loss": 1},
    ],
)
def test_a_terminal_of_the_same_name_at_another_table_is_another(
    runner: asyncio.Runner, place: Hall, command: dict[str, Any]
) -> None:
    async def forge() -> None:
        socket = await place.open(place.hello(OTHER, NAMESAKE))
        await refused(place, socket, ask(place, TABLE, **command))
        await socket.close()
        await place.check([], nothing)

    runner.run(forge())


def test_a_voucher_is_taken_at_the_table_one_sits_at(runner: asyncio.Runner, place: Hall) -> None:
    """A terminal of the second table must not move money to the one of its name at the first."""

    async def forge() -> None:
        floor = place.live.floor
        number = await floor.sell(5_000)
        await place.look()
        socket = await place.open(place.hello(OTHER, NAMESAKE))
        take = {"type": "TakeVoucher", "number": number, "table": TABLE, "terminal": NAMESAKE}
        await refused(place, socket, ask(place, "cage", **take))
        await socket.close()
        await place.check([], nothing)

    runner.run(forge())


def test_an_id_gets_one_answer_however_often_it_is_sent(
    runner: asyncio.Runner, place: Hall
) -> None:
    command = {"type": "SetOwnLimits", "terminal": MALLORY, "loss": 5_000}

    async def replay() -> None:
        id_ = place.new_id()
        first = await place.open(place.hello(TABLE, MALLORY))
        message = ask(place, TABLE, id_, **command)
        answer = (await answers(first, message, message))[id_]
        assert answer["type"] == "Registered"
        await first.close()
        second = await place.open(place.hello(TABLE, MALLORY))
        assert (await answers(second, message))[id_] == answer
        other = ask(place, TABLE, id_, **{**command, "loss": 1})
        assert await refused(place, second, other) == "ID_REUSED"
        records = await place.happened()
        assert sum(by_mallory(record) for record in records) == 1
        await second.close()
        await place.check([], by_mallory)

    runner.run(replay())


def test_an_id_of_somebody_else_tells_nothing(runner: asyncio.Runner, place: Hall) -> None:
    """Ids belong to their sender: the same one from another terminal is another command."""

    async def replay() -> None:
        id_ = place.new_id()
        bets: dict[str, Any] = {"type": "PlaceBets", "terminal": VICTIM, "bets": [["small", 1_000]]}
        victim = await place.open(place.hello(TABLE, VICTIM))
        answer = (await answers(victim, ask(place, TABLE, id_, **bets)))[id_]
        assert answer["type"] == "Registered"
        await place.look()
        socket = await place.open(place.hello(TABLE, MALLORY))
        assert await refused(place, socket, ask(place, TABLE, id_, **bets)) != "ID_REUSED"
        await socket.close()
        await place.check([], nothing)
        back = {**bets, "type": "WithdrawBets"}
        await answers(victim, ask(place, TABLE, **back))
        await victim.close()
        await place.look()

    runner.run(replay())


async def wait_for_second(hall: Hall) -> tuple[str, int]:
    """Make new limits pending, and give their hash and version."""
    answer = await hall.live.floor.do(
        table_stream(OTHER),
        Actor("pat", "pit-manager"),
        SetLimits(LimitsAsked(200, 20_000, None, 5_000)),
    )
    requested = answer.events[-1]
    assert isinstance(requested, ApprovalRequested)
    await hall.look()
    return requested.pending, answer.last


@pytest.mark.parametrize("who", ["visitor", "terminal", "auditor", "dealer", "shift-manager"])
def test_nothing_is_granted_by_a_wrong_person_pin_hash_or_version(
    runner: asyncio.Runner, place: Hall, who: str
) -> None:
    async def forge() -> None:
        pending, version = await wait_for_second(place)
        hellos = {"visitor": VISITOR, "terminal": place.hello(TABLE, MALLORY)}
        socket = await place.open(hellos.get(who) or place.hello_staff(who))
        right = {"type": "Grant", "to": OTHER, "pending": pending, "version": version, "pin": PIN}
        forged = [
            {**right, "pin": "000000"},
            {**right, "pin": ""},
            {**right, "pin": PIN + "\x00"},
            {**right, "pending": "0" * 64},
            {**right, "version": version + 1},
            {**right, "version": -1},
            {**right, "to": TABLE},
            {**right, "to": "nowhere"},
        ]
        if who != "shift-manager":
            forged.append(right)
        for each in forged:
            await refused(place, socket, {**each, "id": place.new_id()})
        await socket.close()
        await place.live.application.accounts.settled()
        await place.check([], only_lock_outs)
        state = place.live.venue.table(OTHER)
        assert state.limits is not None
        assert state.limits.general.minimum != 200

    runner.run(forge())
