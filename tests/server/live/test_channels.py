"""The messages to each kind of connection, from a real venue over real sockets."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.kernel.messages import Actor, Equipment, Netted, Order, PlayedPart
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.table.approval import DEPARTURES_MAX, AdoptDepartures, DeparturesAdopted
from taisai.core.table.corrections import RoundsReversed
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.round import CloseBets, OpenBets, RoundSettled
from taisai.core.table.setup import NoticeGiven
from taisai.core.table.state import Departure, TableState
from taisai.protocol import FRAME_MAX
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.answers import Registered
from taisai.runtime.streams import CAGE, table_stream
from taisai.server.live import sockets
from taisai.server.live.channels import TableChannel
from taisai.wording import LANGUAGES
from tests.kit.accounts import code_for
from tests.kit.floor import run, until
from tests.kit.people import DEALER, PIT, SUPERVISOR
from tests.kit.servers import Live, Wire, bets, opened
from tests.kit.timeouts import TIMEOUT_SECONDS

T1, STREAM = "T1", table_stream("T1")


async def _table(live: Live, terminals: int = 2) -> list[TerminalKey]:
    await live.floor.add_table(T1, terminals=terminals)
    return [live.key(T1, f"T1-{number}") for number in range(1, terminals + 1)]


def _staff(live: Live, actor: Actor, **hello: Any) -> Any:
    """Connect as staff, with a session begun by logging in."""
    begun = live.application.accounts.sessions.begin(
        actor.person, actor.role, "here", live.venue.clock.now()
    )
    assert begun is not None
    return live.visit(session=begun[0], **hello)


async def _closed(wire: Wire) -> int:
    """Wait until the server closes, and give its code."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        await wire.socket.wait_closed()
    return wire.socket.close_code or 0


def test_a_visitor_watches_and_asks_for_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            async with live.visit() as wire:
                welcome = await wire.until("Welcome")
                assert (welcome["role"], welcome["tables"]) == ("visitor", ["T1"])
                await wire.say({"type": "Watch", "table": T1})
                assert (await wire.until("TableSnapshot"))["view"]["phase"] == "ready"
                refused = await wire.ask(T1, live.floor.new_id(), bets("T1-1", ("small", 100)))
                assert refused["code"] == "VISITORS_WATCH"
                await wire.say({"type": "Watch", "table": CAGE})
                assert (await wire.until("Fault"))["code"] == "NO_SUCH_TABLE"

    run(play())


def test_news_of_a_terminals_own_bet_are_the_one_answer_to_it(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            one, _ = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            async with live.sit(one) as wire, _staff(live, SUPERVISOR) as staff:
                await wire.until("TerminalSnapshot")
                own = {"to": T1, "id": live.floor.new_id(), "command": bets("T1-1", ("small", 700))}
                await wire.say({"type": "Ask", **own})
                news = json.loads(await wire.socket.recv())
                assert (news["type"], news["id"]) == ("Private", own["id"])
                assert news["changes"]["bets"] == {"small": 700}
                assert news["sequence"] == live.venue.writer(STREAM).head.version
                # Sent again it is answered again, with the same version and no second bet.
                await wire.say({"type": "Ask", **own})
                again = json.loads(await wire.socket.recv())
                assert (again["type"], again["id"]) == ("Registered", own["id"])
                assert again["first"] == again["last"] == news["sequence"]
                # Two at once: each is answered with its own news alone.
                ids = [live.floor.new_id() for _ in range(2)]
                more = {"type": "Ask", "to": T1, "command": bets("T1-1", ("small", 100))}
                await wire.say(*({**more, "id": id_} for id_ in ids))
                both = [json.loads(await wire.socket.recv()) for _ in ids]
                assert [(each["type"], each["id"]) for each in both] == [
                    ("Private", id_) for id_ in ids
                ]
                # Staff who bet for the player are answered, and the terminal is sent no id.
                placed = await staff.ask(T1, live.floor.new_id(), bets("T1-1", ("big", 500)))
                shown = json.loads(await wire.socket.recv())
                assert (placed["type"], placed["last"]) == ("Registered", shown["sequence"])
                assert (shown["type"], "id" in shown) == ("Private", False)

    run(play())


def test_a_settled_round_goes_out_at_once_with_what_waited_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            one, _ = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            async with live.sit(one) as wire:
                await wire.say({"type": "Watch", "table": T1})
                await wire.until("TableSnapshot")
                laid = bets(one.terminal, ("small", 700))
                assert (await wire.ask(T1, live.floor.new_id(), laid))["type"] == "Registered"
                hub: Any = live.application.hub
                await until(lambda: not (hub._gathering or hub._along))
                # From here on no broadcast is sent by the timer.
                for name in ("GATHER_SECONDS_EACH", "GATHER_SECONDS_MAX"):
                    monkeypatch.setattr(sockets, name, 3_600.0)
                await live.floor.close_and_enter(T1, (1, 2, 3))
                await live.floor.settle(T1)
                public = await wire.until("Public")
                while public["events"][0]["type"] != "RoundSettled":
                    public = await wire.until("Public")
                private = await wire.until("Private")
                assert private["events"] == [{"type": "RoundSettled", "round": 1}]
                assert private["changes"]["last"]["back"] == 1_400

    run(play())


def test_nothing_of_a_terminal_reaches_another(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            one, two = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            async with live.sit(one) as mine, live.sit(two) as other:
                await other.say({"type": "Watch", "table": T1})
                await other.until("TableSnapshot")
                laid = bets(one.terminal, ("small", 700), ("total-9", 300))
                assert (await mine.ask(T1, live.floor.new_id(), laid))["type"] == "Registered"
                totals = await other.receive()
                assert (totals["type"], totals["changes"]) == (
                    "Public",
                    {"totals": {"small": 700, "total-9": 300}},
                )
                await live.floor.close_and_enter(T1, (1, 2, 3))
                await live.floor.settle(T1)
                heard = [await other.receive() for _ in range(5)]
                assert {each["type"] for each in heard} == {"Public"}
                assert one.terminal not in json.dumps(heard)
                settled = heard[-1]["events"][0]
                assert settled == {
                    "type": "RoundSettled",
                    "round": 1,
                    "faces": [1, 2, 3],
                    "odds": {"small": "1"},
                    "total": 6,
                    "size": "small",
                    "parity": "even",
                }

    run(play())


def test_each_reads_the_call_in_its_language(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            async with live.visit() as english, live.visit(language="zh-Hans") as chinese:
                for wire in (english, chinese):
                    await wire.say({"type": "Watch", "table": T1})
                    await wire.until("TableSnapshot")
                await live.floor.do(STREAM, DEALER, OpenBets())
                await live.floor.close_and_enter(T1, (2, 2, 6))
                calls = []
                for wire in (english, chinese):
                    events: list[Any] = []
                    while not any(each["type"] == "ResultEntered" for each in events):
                        events = (await wire.until("Public"))["events"]
                    calls.append(events[0]["call"])
                assert calls == ["double 2, 6, total 10", "对 2、6，总点数 10"]

    run(play())


def test_a_newer_connection_of_a_terminal_takes_its_seat(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key, _ = await _table(live)
            async with live.sit(key) as older:
                await older.until("TerminalSnapshot")
                async with live.sit(key) as newer:
                    await newer.until("TerminalSnapshot")
                    assert await _closed(older) == 4001
                    await live.floor.do(STREAM, DEALER, OpenBets())
                    answer = await newer.ask(
                        T1, live.floor.new_id(), bets(key.terminal, ("big", 100))
                    )
                    assert answer["type"] == "Registered"

    run(play())


@pytest.mark.parametrize(
    "forged",
    [
        {"table": "T1", "terminal": "T1-1", "key": "x" * 43},
        {"table": "T1", "terminal": "T1-2", "key": None},
        {"table": "T2", "terminal": "T1-1", "key": None},
        {"table": "T1", "terminal": "nobody", "key": None},
    ],
)
def test_a_forged_terminal_is_not_let_in(forged: dict[str, Any], tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key, _ = await _table(live)
            async with live.visit(terminal={**forged, "key": forged["key"] or key.key}) as wire:
                assert await _closed(wire) == 4002
            assert live.venue.table(T1).positions["T1-1"].connected

    run(play())


def test_a_terminal_bets_for_itself_alone(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key, other = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            async with live.sit(key) as wire:
                laid = bets(other.terminal, ("small", 100))
                refused = await wire.ask(T1, live.floor.new_id(), laid)
                assert (refused["type"], refused["code"]) == ("Refused", "NOT_YOUR_TERMINAL")
                opening = await wire.ask(T1, live.floor.new_id(), {"type": "CloseBets"})
                assert opening["code"] == "NOT_ALLOWED"

    run(play())


def test_the_same_id_gets_the_same_answer_and_no_second_bet(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key, _ = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            async with live.sit(key) as wire:
                id_, laid = live.floor.new_id(), bets(key.terminal, ("small", 500))
                first = await wire.ask(T1, id_, laid)
                assert await wire.ask(T1, id_, laid) == first
                other = await wire.ask(T1, id_, bets(key.terminal, ("big", 500)))
                assert other["code"] == "ID_REUSED"
            assert live.venue.table(T1).box_totals == {"small": 500}

    run(play())


def test_cashing_out_shows_the_number_to_that_terminal_alone(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key, other = await _table(live)
            async with live.sit(key) as wire, live.sit(other) as beside:
                cash_out = {"type": "CashOut", "terminal": key.terminal}
                await wire.ask(T1, live.floor.new_id(), cash_out)
                printed = await wire.until("VoucherPrinted")
                assert printed["value"] == 100_000
                assert printed["number"] in live.venue.cage.by_number
                await beside.say({"type": "Ping", "number": 7})
                assert (await beside.until("Pong"))["number"] == 7
            async with live.sit(key) as wire:
                assert (await wire.until("VoucherPrinted"))["number"] == printed["number"]
            # The next player at the terminal must not be shown the last one's number.
            await live.floor.buy_in(T1, key.terminal, 5_000)
            async with live.sit(key) as wire:
                await wire.until("TerminalSnapshot")
                await wire.say({"type": "Ping", "number": 1})
                assert (await wire.receive())["type"] == "Pong"

    run(play())


def test_a_number_that_was_not_seen_waits_while_its_table_is_suspended(tmp_path: Path) -> None:
    """As when the journal was away for a moment: nobody can have bought in meanwhile [D40]."""

    async def play() -> None:
        async with opened(tmp_path) as live:
            key, _ = await _table(live)
            async with live.sit(key) as wire:
                cash_out = {"type": "CashOut", "terminal": key.terminal}
                await wire.ask(T1, live.floor.new_id(), cash_out)
                printed = await wire.until("VoucherPrinted")
            hub = live.application.hub
            live.venue.writer(STREAM).suspend("for the sake of this test")
            assert await live.venue.resume(STREAM) is None
            async with live.sit(key) as wire:
                assert (await wire.until("VoucherPrinted"))["number"] == printed["number"]
            # An unseen event may have been the next player's buy-in.
            live.venue.publisher.leave(hub)
            await live.floor.buy_in(T1, key.terminal, 5_000)
            live.venue.publisher.followers.append(hub)
            live.venue.writer(STREAM).suspend("for the sake of this test")
            assert await live.venue.resume(STREAM) is None
            async with live.sit(key) as wire:
                assert (await wire.until("TerminalSnapshot"))["view"]["credits"] == 5_000
                await wire.say({"type": "Ping", "number": 1})
                assert (await wire.receive())["type"] == "Pong"

    run(play())


def test_who_reads_too_slowly_gets_a_snapshot_and_holds_nobody_back(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path, commands_per_second=1e6, commands_burst=10**6) as live:
            key, _ = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            hub = live.application.hub
            async with live.visit() as slow, live.sit(key) as quick:
                await slow.say({"type": "Watch", "table": T1})
                await slow.until("TableSnapshot")
                connection = next(each for each in hub.everybody if each.actor == "visitor")
                connection.pause_writing()
                laid = bets(key.terminal, ("small", 100))
                assert (await quick.ask(T1, live.floor.new_id(), laid))["type"] == "Registered"
                await live.floor.do(STREAM, DEALER, CloseBets(bell=True))
                await until(lambda: connection.behind)
                connection.resume_writing()
                snapshot = await slow.until("TableSnapshot")
                assert snapshot["view"]["phase"] == "no-more-bets"
                assert snapshot["view"]["totals"] == {"small": 100}
                assert hub.slow == 1

    run(play())


def test_a_lost_terminal_keeps_its_bets_and_is_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taisai.server.live.hub.GRACE_SECONDS", 0.01)

    async def play() -> None:
        async with opened(tmp_path) as live:
            key, _ = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            async with live.sit(key) as wire:
                laid = bets(key.terminal, ("small", 100))
                registered = await wire.ask(T1, live.floor.new_id(), laid)
            seat = live.venue.table(T1).positions[key.terminal]
            await until(lambda: not seat.connected)
            async with live.sit(key, after=registered["last"]) as wire:
                lost = await wire.until("Private")
                assert lost["events"][0]["type"] == "TerminalLost"
                restored = await wire.until("Private")
                assert restored["events"][0]["type"] == "TerminalRestored"
                again = await wire.ask(T1, live.floor.new_id(), laid)
                assert again["type"] == "Registered"
            assert live.venue.table(T1).box_totals == {"small": 200}

    run(play())


def test_staff_hear_what_happens_and_a_session_that_ends_cuts_them_off(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            async with _staff(live, SUPERVISOR) as wire:
                await wire.say({"type": "Watch", "table": T1})
                await wire.until("TableSnapshot")
                await live.floor.do(STREAM, DEALER, OpenBets())
                told = await wire.until("Staff")
                assert [each["type"] for each in told["events"]] == ["RoundStarted", "BetsOpened"]
                assert told["events"][1]["by"] == "dan"
                for session in live.application.accounts.sessions.all():
                    live.application.accounts.sessions.end(session)
                assert await _closed(wire) == 4002

    run(play())


def test_staff_read_what_happens_in_sentences_each_in_their_language(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            async with (
                _staff(live, SUPERVISOR, language="en") as english,
                _staff(live, PIT, language="zh-Hans") as chinese,
            ):
                for wire in (english, chinese):
                    await wire.say({"type": "Watch", "table": T1})
                    await wire.until("TableSnapshot")
                await live.floor.do(STREAM, DEALER, OpenBets())
                for wire, sentence in ((english, "called: “"), (chinese, "宣布：“")):
                    # The log leaves out that a round begins.
                    nothing, line = (await wire.until("Staff"))["log"]
                    assert nothing is None
                    assert line["by"] == "dan"
                    (said,) = line["sentences"]
                    assert said["sentence"].startswith(sentence)
                    assert said["reason"]["code"] == "EVENT_BETS_OPENED"
                await live.floor.send(
                    STREAM, DEALER, ReportIrregularity("die-not-flat", "it leans")
                )
                for wire, asks, what in (
                    (english, "dan asks a second person to agree", "a die does not lie flat"),
                    (chinese, "dan 请求第二人同意", "骰子没有平放"),
                ):
                    lines = [line for line in (await wire.until("Staff"))["log"] if line]
                    told = [said["sentence"] for line in lines for said in line["sentences"]]
                    assert asks in told
                    assert any(what in sentence and "it leans" in sentence for sentence in told)

    run(play())


def test_a_second_person_grants_on_their_own_screen(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            accounts = live.application.accounts
            code = await code_for(accounts, "sue")
            refusal = await accounts.set_credentials("sue", code, "a long pass phrase", "482913")
            assert refusal is None
            async with _staff(live, PIT) as first, _staff(live, SUPERVISOR) as second:
                await second.say({"type": "Watch", "table": T1})
                await second.until("TableSnapshot")
                limits = {"minimum": 100, "maximum": 500_000, "step": 100, "differential": 500_000}
                asked = await first.ask(
                    T1, live.floor.new_id(), {"type": "SetLimits", "limits": limits}
                )
                told = await second.until("Staff")
                request = told["events"][-1]
                assert request["pending"] == asked["pending"]
                grant = {
                    "type": "Grant",
                    "to": T1,
                    "pending": request["pending"],
                    "version": told["sequence"],
                }
                await second.say({**grant, "id": live.floor.new_id(), "pin": "000000"})
                assert (await second.until("Refused"))["code"] == "WRONG_PIN"
                await second.say({**grant, "id": live.floor.new_id(), "pin": "482913"})
                assert (await second.until("Registered"))["last"] > asked["last"]
                await first.say({**grant, "id": live.floor.new_id(), "pin": "482913"})
                # The first person has no PIN, and could not be a second person with it.
                assert (await first.until("Refused"))["code"] == "WRONG_PIN"
            in_force = live.venue.table(T1).limits
            assert in_force is not None
            assert in_force.general.maximum == 500_000

    run(play())


def test_a_suspended_table_says_so_and_goes_on_with_snapshots(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key, _ = await _table(live)
            async with live.sit(key) as wire:
                await wire.say({"type": "Watch", "table": T1})
                await wire.until("TableSnapshot")
                live.venue.writer(STREAM).suspend("for the sake of this test")
                assert (await wire.until("Suspended"))["suspended"]
                refused = await wire.ask(
                    T1, live.floor.new_id(), bets(key.terminal, ("small", 100))
                )
                assert (refused["code"], refused["again"]) == ("TABLE_SUSPENDED", True)
                async with live.visit() as late:
                    await late.say({"type": "Watch", "table": T1})
                    await late.until("Suspended")
                    assert await live.venue.resume(STREAM) is None
                    assert not (await wire.until("Suspended"))["suspended"]
                    assert (await wire.until("TableSnapshot"))["view"]["phase"] == "ready"
                    assert (await wire.until("TerminalSnapshot"))["view"]["credits"] == 100_000
                    assert (await late.until("TableSnapshot"))["view"]["phase"] == "ready"

    run(play())


def test_who_was_away_when_a_table_went_on_is_told_how_it_stands(tmp_path: Path) -> None:
    """They missed no event, and so get no snapshot: they once waited for ever."""

    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            async with live.visit() as wire:
                await wire.say({"type": "Watch", "table": T1})
                had = (await wire.until("TableSnapshot"))["sequence"]
                live.venue.writer(STREAM).suspend("for the sake of this test")
                await wire.until("Suspended", suspended=True)
            assert await live.venue.resume(STREAM) is None
            live.application.hub.dealer(T1, "automatic")
            async with live.visit() as wire:
                await wire.until("Welcome")
                await wire.say({"type": "Watch", "table": T1, "after": had})
                told = [await wire.receive() for _ in range(3)]
                assert [each["type"] for each in told] == ["Countdown", "Dealer", "Suspended"]
                assert (told[1]["dealer"], told[2]["suspended"]) == ("automatic", False)

    run(play())


def test_one_connection_watches_several_tables(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            await live.floor.add_table(
                "T2", "etg8/2", terminals=0, equipment=Equipment("simulated")
            )
            async with live.visit() as wire:
                await wire.say({"type": "Watch", "table": T1}, {"type": "Watch", "table": "T2"})
                seen = {(await wire.until("TableSnapshot"))["table"] for _ in range(2)}
                assert seen == {"T1", "T2"}
                await live.floor.do(table_stream("T2"), DEALER, OpenBets())
                assert (await wire.until("Public"))["table"] == "T2"
                await wire.say({"type": "Unwatch", "table": "T2"})
                await live.floor.do(STREAM, DEALER, OpenBets())
                assert (await wire.until("Public"))["table"] == "T1"

    run(play())


def test_the_cage_is_watched_by_those_who_may(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            async with _staff(live, PIT) as wire, _staff(live, DEALER) as dealer:
                for each in (wire, dealer):
                    await each.say({"type": "Watch", "table": CAGE})
                assert (await dealer.until("Fault"))["code"] == "NO_SUCH_TABLE"
                await wire.say({"type": "Ping", "number": 1})
                await wire.until("Pong")
                await live.floor.sell(5_000)
                told = await wire.until("Staff")
                assert (told["to"], told["events"][0]["type"]) == (CAGE, "VoucherIssued")

    run(play())


def test_totals_are_told_again_after_a_table_was_read_back(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            hub = live.application.hub
            channel = hub.table(T1)
            assert channel is not None
            async with live.visit() as wire:
                await wire.say({"type": "Watch", "table": T1})
                await wire.until("TableSnapshot")
                await live.floor.bet(T1, "T1-1", "small", 500)
                # Within the tenth of a second before the totals are sent, which now never happens.
                ticking = channel._ticking
                assert ticking is not None
                hub._go_on(channel, STREAM)
                assert (await wire.until("TableSnapshot"))["view"]["totals"] == {"small": 500}
                await until(lambda: hub.loop.time() > ticking.when())
                await live.floor.bet(T1, "T1-1", "small", 700)
                told = await wire.until("Public")
                assert told["changes"] == {"totals": {"small": 1_200}}

    run(play())


class _Listens:
    """Records the messages sent to it."""

    def __init__(self, language: str = "en") -> None:
        self.heard: list[bytes] = []
        self.language = language

    def send_later(self, data: bytes) -> None:
        self.heard.append(data)


@pytest.mark.parametrize(("players", "told"), [(64, 64), (65, 0), (7_680, 0)])
def test_what_a_long_reversal_gives_to_whom_is_not_told_to_staff(players: int, told: int) -> None:
    gone = tuple(Netted(f"1@{number}", 1_000, 0, 0) for number in range(players))
    event = RoundsReversed(1, 120, tuple(range(1, 121)), (), "D8", "a chipped die", 1_000, gone)
    channel, staff = TableChannel(T1, TableState(), 1), _Listens()
    channel.staff[staff] = None  # type: ignore[index]
    channel.published(Registered(2, 2, 1_000, (event,), ({},)))
    (data,) = staff.heard
    assert len(data) < FRAME_MAX
    (shown,) = json.loads(data)["events"]
    assert len(shown.get("gone", ())) == told


def test_whose_bets_played_in_part_is_told_to_staff_as_far_as_a_chip_table_has_seats() -> None:
    parts = tuple(
        PlayedPart(str(seat), "small", 2_000, 1_000, "maximum", "5.1") for seat in range(65)
    )
    event = RoundSettled(1, (1, 2, 6), (), {}, {}, 0, 0, "dora", 1_000, parts)
    channel = TableChannel(T1, TableState(), 1)
    everyone = [_Listens(language) for language in LANGUAGES]
    channel.staff.update(dict.fromkeys(everyone))  # type: ignore[arg-type]
    for version, each in enumerate((event, replace(event, playing=parts[:64])), 2):
        channel.published(Registered(version, version, 1_000, (each,), ({},)))
    for staff in everyone:
        assert max(map(len, staff.heard)) < FRAME_MAX
        shown = [json.loads(data) for data in staff.heard]
        assert [len(each["events"][0].get("playing", ())) for each in shown] == [0, 64]
        # The settlement, and then each of the parts.
        assert [len(each["log"][0]["sentences"]) for each in shown] == [1, 65]


@pytest.mark.parametrize(("letter", "lines"), [("a", [0, 1, 1]), ("監", [0, 0, 1])])
def test_what_is_too_long_with_its_sentences_is_told_without(letter: str, lines: list[int]) -> None:
    """As many departures as allowed, by the longest names, when they are requested and adopted."""
    name = letter * NAME_MAX
    papers = tuple(Departure(name, "dice", name, name) for _ in range(DEPARTURES_MAX))
    order = Order("1", Actor("pat", "pit-manager"), AdoptDepartures(papers))
    told = (ApprovalRequested("f" * 64, order, 1_000), DeparturesAdopted(papers, "pat", "sue"))
    channel = TableChannel(T1, TableState(), 1)
    everyone = [_Listens(language) for language in LANGUAGES]
    channel.staff.update(dict.fromkeys(everyone))  # type: ignore[arg-type]
    for version, event in enumerate((*told, NoticeGiven("dora")), 2):
        channel.published(Registered(version, version, 1_000, (event,), ({},)))
    for staff in everyone:
        assert max(map(len, staff.heard)) < FRAME_MAX
        shown = [json.loads(data) for data in staff.heard]
        assert [len(each["events"]) for each in shown] == [1, 1, 1]
        assert [len(each.get("log", ())) for each in shown] == lines
