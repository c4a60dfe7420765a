"""Live messages to the staff at a table, and their requests, at a real venue over real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import taisai
from taisai.core.kernel.ledger import credits_of
from taisai.core.kernel.messages import Actor, BoxStake
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.settlement import settle_stakes
from taisai.core.table import state as table_state
from taisai.core.table.betting import PlaceBets, WithdrawBets
from taisai.core.table.round import (
    AmendResult,
    CloseBets,
    OpenBets,
    PressFace,
)
from taisai.core.table.setup import GiveNotice
from taisai.core.table.state import TableState
from taisai.core.table.tumble import RecordTumble
from taisai.runtime import past_rounds
from taisai.runtime.journal.contract import Journal, JournalError
from taisai.runtime.streams import table_stream
from taisai.server.console.feed import ConsoleFeed
from tests.kit.floor import run, until
from tests.kit.people import DEALER, SUPERVISOR
from tests.kit.servers import Live, Told, Wire, opened

KEYS = ("ts6/2", "tso5/2", "etg8/2", "div9/2")


def token(live: Live, actor: Actor) -> str:
    begun = live.application.accounts.sessions.begin(
        actor.person, actor.role, "here", live.venue.clock.now()
    )
    assert begun is not None
    return begun[0]


@asynccontextmanager
async def at_the_console(
    live: Live, table: str, actor: Actor = DEALER, language: str = "en"
) -> AsyncIterator["Console"]:
    """Connect to the console of a table, with a socket and over HTTP."""
    session = token(live, actor)
    async with (
        live.visit(session=session, language=language) as wire,
        httpx.AsyncClient(
            base_url=live.address, headers={"authorization": f"Bearer {session}"}
        ) as client,
    ):
        await wire.say({"type": "Watch", "table": table})
        await wire.until("TableSnapshot")
        yield Console(live, table, wire, client)


class Console:
    """A person at a Game Console, with short methods for what they do."""

    def __init__(self, live: Live, table: str, wire: Wire, client: httpx.AsyncClient) -> None:
        self.live = live
        self.table = table
        self.wire = wire
        self.client = client

    async def steps(self, due: str | None) -> Told:
        """Wait for the steps in which this one is due."""
        return await self.wire.until("Steps", due=due)

    async def take(self, told: Told, **fields: Any) -> Told:
        """Take the next step as the page would, from the message alone."""
        following: Told
        (following,) = (each for each in told["steps"] if each["standing"] == "next")
        command = following["give"] or {"type": following["command"], **fields}
        answer = await self.wire.ask(self.table, self.live.floor.new_id(), command)
        assert answer["type"] == "Registered", answer
        return following

    async def get(self, what: str, **params: Any) -> Any:
        """Send a GET request about the table, and check that nothing is written."""
        head = self.live.venue.writer(table_stream(self.table)).head
        answer = await self.client.get(f"/api/tables/{self.table}/{what}", params=params)
        assert answer.status_code == 200, answer.text
        assert self.live.venue.writer(table_stream(self.table)).head == head
        return answer.json()


async def records(journal: Journal, table: str) -> int:
    """Count the events of a table in the journal."""
    return sum([1 async for _ in journal.read(table_stream(table))])


ORDER = {
    "div9": ["RecordTumble", "OpenBets", "CloseBets"],
    "ts6": ["OpenBets", "CloseBets", "RecordTumble"],
}
ENTRY = ["PressFace", "PressFace", "PressFace", "EnterResult", "ConfirmResult", "Settle"]


@pytest.mark.parametrize("address", KEYS)
def test_a_dealer_who_takes_each_next_step_plays_the_round_of_the_document(
    tmp_path: Path, address: str
) -> None:
    order = ORDER.get(address.partition("/")[0], ORDER["ts6"])

    async def play() -> None:
        async with opened(tmp_path) as live:
            await live.floor.add_table("T1", address)
            async with at_the_console(live, "T1") as console:
                faces = iter((3, 1, 6))
                taken = []
                for number, expected in enumerate([*order, *ENTRY]):
                    told = await console.steps(expected)
                    while expected == "PressFace" and len(told["pressed"]) < number - len(order):
                        told = await console.steps(expected)
                    if expected == "CloseBets":
                        await live.floor.bet("T1", "T1-1", "small", 700)
                    fields = {"face": next(faces)} if expected == "PressFace" else {}
                    taken.append((await console.take(told, **fields))["command"])
                    if expected == "EnterResult":
                        assert told["pressed"] == [3, 1, 6], "the light shows them in their order"
                    if expected == "ConfirmResult":
                        await same_as_settled(console)
                assert taken == [*order, *ENTRY]
                again = await console.steps(order[0])
                assert again["pressed"] == []
            state = live.venue.table("T1")
            assert (state.round, state.history[1].faces) == (1, (1, 3, 6))

    run(play())


async def same_as_settled(console: Console) -> None:
    """Check that the guide shows what the settlement of the round would be."""
    guide = await console.get("guide")
    state = console.live.venue.table("T1")
    assert state.pay_table is not None
    settled = settle_stakes(state.pay_table, taisai.result_of((1, 3, 6)), all_of(state))
    assert (guide["collected"], guide["paid"], guide["settled"]) == (
        settled.collected,
        settled.paid,
        False,
    )
    assert guide["call"] == "1, 3, 6, total 10"


def test_steps_are_in_the_language_and_for_the_role_of_whoever_is_told(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await live.floor.add_table("T1", "div9/2")
            async with (
                at_the_console(live, "T1", DEALER, "zh-Hans") as chinese,
                at_the_console(live, "T1", SUPERVISOR) as english,
            ):
                told = {
                    each["command"]: each for each in (await chinese.steps("RecordTumble"))["steps"]
                }
                assert told["OpenBets"]["label"] == "开放下注"
                assert told["OpenBets"]["sentence"] == "请先摇骰，再请玩家下注"
                assert told["OpenBets"]["clause"] == "6.1"
                called = {
                    each["command"]: each for each in (await english.steps("RecordTumble"))["steps"]
                }
                assert called["OpenBets"]["sentence"] == (
                    "the rules of this table name other people than supervisor to open the bets"
                )
                await live.floor.do(table_stream("T1"), SUPERVISOR, GiveNotice())
                closing = await english.steps("CloseTable")
                assert [
                    each["command"] for each in closing["steps"] if each["standing"] == "next"
                ] == ["CloseTable"]

    run(play())


def test_only_staff_are_told_and_nothing_is_worked_out_for_nobody(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await live.floor.add_table("T1")
            channel = live.application.hub.table("T1")
            assert channel is not None
            assert isinstance(channel.console, ConsoleFeed)
            async with live.visit() as visitor, live.sit(live.key("T1", "T1-1")) as player:
                for wire in (visitor, player):
                    await wire.say({"type": "Watch", "table": "T1"})
                    await wire.until("TableSnapshot")
                await live.floor.do(table_stream("T1"), DEALER, OpenBets())
                await live.floor.bet("T1", "T1-1", "small", 700)
                assert channel.console._steps_due is None
                assert channel.console._exposure_due is None
                await live.floor.close_and_enter("T1", (1, 2, 3))
                await live.floor.settle("T1")
                for wire in (visitor, player):
                    heard = set()
                    while "RoundSettled" not in str(told := await wire.receive()):
                        heard.add(told["type"])
                    news = {"Public", "Private", "Welcome", "TerminalSnapshot"}
                    # The news of a terminal's own bet is also its answer.
                    assert heard <= (news if wire is visitor else {*news, "Registered"})

    run(play())


BETS = {
    "T1-1": {"small": 5_000, "total-9": 700, "single-2": 1_100},
    "T1-2": {"big": 3_000, "triple-6": 400, "three-126": 300},
    "T1-3": {"domino-12": 2_000, "any-triple": 1_000, "odd": 900},
}


def test_exposure_is_what_settling_each_of_the_56_results_would_cost(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            stream = await live.floor.add_table("T1", "div9/2")
            async with at_the_console(live, "T1") as console:
                nothing = await console.wire.until("Exposure")
                assert (nothing["pays"], nothing["worst_on"]) == ([0] * 56, [])
                await live.floor.do(stream, DEALER, RecordTumble(3))
                await live.floor.do(stream, DEALER, OpenBets())
                for terminal, bets in BETS.items():
                    laid = tuple(BoxStake(box, stake) for box, stake in bets.items())
                    await live.floor.do(
                        stream, Actor(terminal, "terminal"), PlaceBets(terminal, laid)
                    )
                told = await console.wire.until("Exposure", staked=14_400)
                assert told["pays"] == brute_force(live)
                assert told["worst"] == max(told["pays"])
                worst = [place for place, pays in enumerate(told["pays"]) if pays == told["worst"]]
                assert told["worst_on"] == worst
                throws = [each.throws for each in RESULTS]
                weighed = sum(a * b for a, b in zip(told["pays"], throws, strict=True))
                assert abs(told["expected"] - weighed / 216) <= 0.5
                losing = sum(
                    ways for pays, ways in zip(told["pays"], throws, strict=True) if pays > 0
                )
                above, _, below = told["losing"].partition("/")
                assert int(above) * 216 == losing * int(below)
                withdraw = WithdrawBets("T1-1", (BoxStake("small", 5_000),))
                await live.floor.do(stream, Actor("T1-1", "terminal"), withdraw)
                told = await console.wire.until("Exposure", staked=9_400)
                assert told["pays"] == brute_force(live)
                await live.floor.do(stream, DEALER, CloseBets(bell=True))
                await live.floor.enter("T1", (1, 2, 6))
                await live.floor.settle("T1")
                assert (await console.wire.until("Exposure", staked=0))["pays"] == [0] * 56

    run(play())


def brute_force(live: Live) -> list[int]:
    """Settle the bets on the table on every possible result."""
    state = live.venue.table("T1")
    assert state.pay_table is not None
    settled = [settle_stakes(state.pay_table, result, all_of(state)) for result in RESULTS]
    return [each.paid - each.collected for each in settled]


def all_of(state: TableState) -> list[tuple[str, dict[str, int]]]:
    """List every stake on the table; all of it plays."""
    return [(name, position.bets) for name, position in state.positions.items()]


def test_exposure_comes_twice_a_second_at_the_most(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            stream = await live.floor.add_table("T1")
            async with at_the_console(live, "T1") as console:
                await console.wire.until("Exposure")
                await live.floor.do(stream, DEALER, OpenBets())
                loop = asyncio.get_running_loop()
                began, heard = loop.time(), 0

                async def listen() -> None:
                    nonlocal heard
                    while (await console.wire.until("Exposure"))["staked"] < 100 * 100:
                        heard += 1

                listening = asyncio.create_task(listen())
                for _ in range(100):
                    await live.floor.bet("T1", "T1-1", "small", 100)
                await listening
                assert heard <= 2 * (loop.time() - began) + 1

    run(play())


def test_a_reload_shows_the_last_faces_pressed(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            stream = await live.floor.add_table("T1")
            await live.floor.do(stream, DEALER, OpenBets())
            await live.floor.do(stream, DEALER, CloseBets())
            await live.floor.do(stream, DEALER, RecordTumble(3))
            for face in (2, 5, 4, 6):
                await live.floor.do(stream, DEALER, PressFace(face))
            async with at_the_console(live, "T1") as console:
                assert (await console.steps("EnterResult"))["pressed"] == [5, 4, 6]

    run(play())


def test_steps_change_with_the_dealer_and_when_a_minute_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            stream = await live.floor.add_table("T1")
            # The two persons who set the table up still have a whole minute, on a busy machine too.
            for module in ("core.kernel.approvals", "core.table.state", "server.console.feed"):
                monkeypatch.setattr(f"taisai.{module}.EXPIRES_AFTER_MS", 2_000)
            async with at_the_console(live, "T1") as console:
                await console.steps("OpenBets")
                live.application.hub.dealer("T1", "automatic")
                told = await console.steps("OpenBets")
                assert not [each for each in told["steps"] if each["standing"] == "next"]
                assert told["steps"][0]["by"] == "automatic-dealer"
                live.application.hub.dealer("T1", "person")
                await live.floor.do(stream, DEALER, OpenBets())
                await live.floor.close_and_enter("T1", (1, 2, 3))
                await console.steps("ConfirmResult")
                await live.floor.do(stream, SUPERVISOR, AmendResult((1, 2, 4)))
                held = await console.steps(None)
                confirm = next(each for each in held["steps"] if each["command"] == "ConfirmResult")
                assert confirm["sentence"] == (
                    "an amendment of the result waits for its second person"
                )
                await console.steps("ConfirmResult")

    run(play())


def test_nothing_is_told_of_what_is_not_on_disk(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            stream = await live.floor.add_table("T1")
            async with at_the_console(live, "T1") as console:
                await console.steps("OpenBets")
                journal: Any = live.venue.journal
                written, gate = journal.write, asyncio.Event()

                async def slowly(*what: Any) -> Any:
                    await gate.wait()
                    return await written(*what)

                journal.write = slowly
                writer, channel = live.venue.writer(stream), live.application.hub.table("T1")
                assert channel is not None
                assert isinstance(channel.console, ConsoleFeed)
                feed, version = channel.console, writer.head.version
                opening = asyncio.create_task(live.floor.do(stream, DEALER, OpenBets()))
                await until(lambda: writer.head.version > version)
                feed.happened()
                await until(lambda: feed._held is not None)
                asked = asyncio.create_task(console.client.get("/api/tables/T1/gauges"))
                pinged = asyncio.create_task(console.wire.until("Pong"))
                await console.wire.say({"type": "Ping", "number": 1})
                await pinged
                assert not asked.done()
                gate.set()
                await opening
                await console.steps("CloseBets")
                assert (await asked).json()["phase"] == "betting"

    run(play())


def test_asking_writes_nothing_and_is_answered_for_every_phase(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            stream = await live.floor.add_table("T1", "ts6/2")
            async with at_the_console(live, "T1", SUPERVISOR) as console:
                before = await records(live.venue.journal, "T1")
                answer = await console.client.get("/api/tables/T1/guide")
                assert (answer.status_code, answer.json()["code"]) == (409, "NO_GUIDE")
                asked = await console.get("irregularities", language="zh-Hant")
                names = {each["code"]: each["name"] for each in asked["irregularities"]}
                assert names["die-not-flat"] == "骰子沒有平放"
                opening = await console.get("opening")
                assert (opening["open"], opening["ready"]) == (True, False)
                assert (await console.get("gauges"))["boxes"] == []
                assert await records(live.venue.journal, "T1") == before
                await live.floor.do(stream, DEALER, OpenBets())
                await live.floor.bet("T1", "T1-1", "small", 700)
                await live.floor.bet("T1", "T1-2", "total-9", 300)
                one = await console.get("irregularities", code="bad-tumble")
                (view,) = one["irregularities"]
                assert view["will"][1] == {
                    "sentence": "every bet goes back: 2 in number, 10.00 in all",
                    "clause": "5.12",
                }
                reported = await console.wire.ask(
                    "T1", live.floor.new_id(), {**view["command"], "note": "twice"}
                )
                assert reported["type"] == "Registered"
                assert live.venue.table("T1").ledger.balance(credits_of("T1-1")) == 100_000
                assert live.venue.table("T1").history[1].void
                unknown = await console.client.get(
                    "/api/tables/T1/irregularities", params={"code": "gremlins"}
                )
                assert unknown.status_code == 404
                assert "bad-tumble" in unknown.json()["detail"]
                command = {"type": "ReportIrregularity", "code": "second-tumble"}
                await console.wire.ask("T1", live.floor.new_id(), command)
                left = await console.client.get("/api/tables/T1/irregularities")
                assert left.json()["unruled"] == {"second-tumble": 1}

    run(play())


def test_d24_what_old_rounds_would_come_to_is_read_back_and_told_beforehand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table holds one round; four were lost, each with 10.00 on Big."""
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", 1)

    async def play() -> None:
        async with opened(tmp_path) as live:
            stream = await live.floor.add_table("T1", "ts6/2")
            for _ in range(4):
                await live.floor.do(stream, DEALER, OpenBets())
                await live.floor.bet("T1", "T1-1", "big", 1_000)
                await live.floor.close_and_enter("T1", (1, 2, 3))
                await live.floor.settle("T1")
            async with at_the_console(live, "T1", SUPERVISOR) as console:
                one = await console.get("irregularities", code="reversal", first=2)
                (view,) = one["irregularities"]
                assert (view["standing"], view["agreed"][-1]["clause"]) == ("open", "5.6")
                assert "from 2 to 4 are reversed, 3 in all" in view["agreed"][-1]["sentence"]
                assert "30.00" in view["agreed"][-1]["sentence"]
                one = await console.get("irregularities", code="wrong-result-settled", round=1)
                (view,) = one["irregularities"]
                assert "round 1 is settled again" in view["agreed"][-1]["sentence"]
                void = {"type": "VoidSettledRounds", "first": 1, "note": "a chipped die"}
                preview = await console.client.post(
                    "/api/tables/T1/preview", json={"command": void}
                )
                assert preview.status_code == 200, preview.text
                assert preview.json()["netted"][0]["given"] == 4_000
                monkeypatch.setattr(past_rounds, "LINES_AT_ONCE", 1)
                many = await console.client.get(
                    "/api/tables/T1/irregularities", params={"code": "reversal", "first": "1"}
                )
                assert (many.status_code, many.json()["code"]) == (409, "TOO_MANY_ROUNDS")

                async def fails(*_: object) -> None:
                    raise JournalError("the disk is gone")

                monkeypatch.setattr("taisai.runtime.writer.read_past", fails)
                gone = await console.client.get(
                    "/api/tables/T1/irregularities", params={"code": "reversal", "first": "1"}
                )
                assert (gone.status_code, gone.json()["code"]) == (503, "JOURNAL_UNREADABLE")

    run(play())


def test_the_56_results_are_for_everybody(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live, httpx.AsyncClient(base_url=live.address) as client:
            told = (await client.get("/api/results", params={"language": "zh-Hans"})).json()
            assert len(told["results"]) == 56
            assert sum(each["ways"] for each in told["results"]) == 216
            assert told["results"][1] == {
                "faces": [1, 1, 2],
                "total": 4,
                "ways": 3,
                "call": "对 1、2，总点数 4",
                "triple": False,
            }
            assert [tuple(each["faces"]) for each in told["results"]] == [
                each.faces for each in RESULTS
            ]

    run(play())
