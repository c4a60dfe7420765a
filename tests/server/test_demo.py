"""The demo house: all at one click, with the commands of a real house, and in demo mode only."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest

import taisai
from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved
from taisai.core.kernel.ledger import credits_of
from taisai.core.kernel.messages import Equipment
from taisai.core.kernel.roles import STAFF_ROLES
from taisai.core.rules.limits import Limits, displayed_limits
from taisai.core.rules.reason import Refusal
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.round import OpenBets
from taisai.core.table.setup import CloseTable, GiveNotice, TerminalEnrolled
from taisai.core.table.state import Phase
from taisai.core.table.tumble import RecordTumble
from taisai.core.venue.staff import EngageStaff
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.answers import HOST, UnknownStreamError
from taisai.runtime.installation import add_table
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.directory import load_keys
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.recovery import StartupError
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE, table_stream
from taisai.server.accounts.accounts import Accounts
from taisai.server.application import Application, check_mode
from taisai.server.dealing.dealers import Dealers
from taisai.server.demo import terminals as demos
from taisai.server.demo.staff import STAFF
from taisai.server.demo.terminals import CREDITS
from taisai.server.demo.venue import Demo, demo_plan
from taisai.server.floor import add_missing, found
from taisai.server.floor_plan import FloorPlan, TablePlan, VenuePlan
from taisai.server.process import serve
from taisai.server.settings import Settings, is_loopback
from taisai.server.venue_data import check_journal, make_demo_keys
from tests.kit.desk import new_terminal
from tests.kit.floor import Floor, keys, run, until
from tests.kit.news import Published, news_of
from tests.kit.people import DEALER, SUPERVISOR

REPEATED = 3
EVERYWHERE = ".".join("0000")


class Board:
    """A display that shows nothing."""

    def countdown(self, table: str, closes_at: int | None) -> None:
        pass

    def dealer(self, table: str, dealer: Literal["automatic", "person"]) -> None:
        pass


@asynccontextmanager
async def demo_venue(
    where: Path, venue_keys: VenueKeys | None = None, plan: FloorPlan | None = None
) -> AsyncIterator[tuple[Floor, Demo, Accounts]]:
    """Open a demo venue without a network."""
    plan = plan or demo_plan()
    floor = await Floor.open(where / "journal", venue_keys or keys())
    await found(floor.venue, plan.venue, demo=True)
    await add_missing(floor.venue, plan)
    settings = Settings(where, demo=True)
    accounts = Accounts.open(where / "credentials.db", floor.venue, settings)
    demo = Demo(floor.venue, accounts)
    await demo.set_up(plan)
    try:
        yield floor, demo, accounts
    finally:
        await floor.venue.stop()
        accounts.close()


def test_there_is_a_table_for_each_rulebook_and_somebody_for_each_role(tmp_path: Path) -> None:
    async def work() -> None:
        async with demo_venue(tmp_path) as (floor, _, __):
            venue = floor.venue
            assert venue.state.demo
            played = {stream: venue.writer(stream).state for stream in venue.tables()}
            assert sorted(state.pay_table.address for state in played.values()) == [
                *("div9/2", "etg8/2", "ts6/1", "ts6/2", "ts6/2", "tso5/3"),
            ]
            assert {state.phase for state in played.values()} == {Phase.READY}
            # Tables with dice of their own wait for a person to deal.
            keyed = {s for s, state in played.items() if state.equipment.tumbler == "keyed"}
            assert keyed == {table_stream("salon"), table_stream("chips")}
            assert set(venue.state.staff.values()) == {(role,) for role in STAFF_ROLES}

    run(work())


def test_the_limits_of_the_plan_can_be_set_on_each_pay_table() -> None:
    for table in demo_plan().tables:
        asked = displayed_limits(taisai.pay_table(table.pay_table), table.limits)
        assert isinstance(asked, Limits)


def test_a_terminal_is_enrolled_by_two_persons_with_a_key_and_credits(tmp_path: Path) -> None:
    async def work() -> None:
        async with demo_venue(tmp_path) as (floor, demo, accounts):
            venue = floor.venue
            news = news_of(venue, table_stream("sic-bo"))
            made = await new_terminal(demo.terminals, "sic-bo")
            assert isinstance(made, TerminalKey)
            assert accounts.knows("sic-bo", made.terminal, made.key)
            assert made.key not in repr(made)
            assert f"sic-bo/{made.terminal}" in venue.state.keyed
            ledger = venue.table("sic-bo").ledger
            assert ledger.balance(credits_of(made.terminal)) == CREDITS
            asked, approved = [each.events for each in news.queue if isinstance(each, Published)][
                :2
            ]
            news.close()
            assert isinstance(asked[0], ApprovalRequested)
            assert asked[0].order.actor.person == STAFF["technician"]
            assert isinstance(approved[0], CommandApproved)
            assert approved[0].by.person == STAFF["supervisor"]
            assert approved[1] == TerminalEnrolled(made.terminal, "demo")

    run(work())


def test_without_a_table_the_emptiest_is_taken(tmp_path: Path) -> None:
    async def work() -> None:
        async with demo_venue(tmp_path) as (_, demo, __):
            await demo.terminals.new_terminals(2, "tai-sai")
            made = await demo.terminals.new_terminals(8)
            assert isinstance(made, list)
            # A chip table has no terminals to seat anybody at.
            seats = Counter(each.table for each in made)
            assert seats == dict.fromkeys(("tai-sai-open", "sic-bo", "division-9", "salon"), 2)
            assert len({(each.table, each.terminal) for each in made}) == 8

    run(work())


def test_whoever_comes_alone_is_seated_where_dice_are_thrown_by_themselves(tmp_path: Path) -> None:
    async def work() -> None:
        async with demo_venue(tmp_path) as (_, demo, __):
            alone = [await demo.terminals.new_terminals(1) for _ in range(5)]
            tables = {made[0].table for made in alone if isinstance(made, list)}
            assert tables == {"tai-sai", "tai-sai-open", "sic-bo", "division-9"}

    run(work())


def test_many_are_seated_while_rounds_are_dealt(tmp_path: Path) -> None:
    """Steps of each round come between an enrolment and its approval, over and over."""

    async def work() -> None:
        async with demo_venue(tmp_path) as (floor, demo, accounts):
            dealers = Dealers(floor.venue, Board(), minimum_seconds=0.0)
            for table in demo_plan().tables:
                dealers.add(table.name, quick(table))
            many, few = await asyncio.gather(
                demo.terminals.new_terminals(60), demo.terminals.new_terminals(8, "sic-bo")
            )
            assert isinstance(many, list)
            assert isinstance(few, list)
            made = [*many, *few]
            assert len({(each.table, each.terminal) for each in made}) == 68
            for each in made:
                assert accounts.knows(each.table, each.terminal, each.key)
                ledger = floor.venue.table(each.table).ledger
                assert ledger.balance(credits_of(each.terminal)) == CREDITS
            await until(lambda: floor.venue.table("sic-bo").round >= REPEATED)
            await dealers.stop()

    run(work())


def quick(table: TablePlan) -> TablePlan:
    return TablePlan(
        name=table.name,
        pay_table=table.pay_table,
        minimum=table.minimum,
        maximum=table.maximum,
        countdown_seconds=0.002,
        result_seconds=0.0,
        pause_seconds=0.0,
        dealer="automatic",
    )


def test_credits_stay_below_what_takes_two_persons_at_the_cage(tmp_path: Path) -> None:
    async def work() -> None:
        plan = FloorPlan(venue=VenuePlan(approve_above=5_000), tables=demo_plan().tables[:1])
        async with demo_venue(tmp_path, plan=plan) as (floor, demo, _):
            made = await new_terminal(demo.terminals)
            assert isinstance(made, TerminalKey)
            assert floor.venue.table(made.table).ledger.balance(credits_of(made.terminal)) == 5_000

    run(work())


def test_whoever_cannot_be_seated_is_told_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with demo_venue(tmp_path) as (floor, demo, _):
            with pytest.raises(UnknownStreamError):
                await new_terminal(demo.terminals, "nowhere")
            monkeypatch.setattr(demos, "MAKING_MAX", 5)
            refused = await demo.terminals.new_terminals(6)
            assert isinstance(refused, Refusal)
            assert refused.code == "BUSY"
            monkeypatch.setattr("taisai.core.table.setup.TERMINALS_MAX", 3)
            made = await demo.terminals.new_terminals(5, "sic-bo")
            assert isinstance(made, list)
            assert len(made) == 3
            full = await new_terminal(demo.terminals, "sic-bo")
            assert isinstance(full, Refusal)
            assert full.code == "TOO_MANY_TERMINALS"
            for stream in floor.venue.tables():
                floor.venue.writer(stream).suspend("for a test")
            nowhere = await new_terminal(demo.terminals)
            assert isinstance(nowhere, Refusal)
            assert nowhere.code == "NO_TABLE"

    run(work())


def test_started_again_everything_is_as_it_was(tmp_path: Path) -> None:
    async def work() -> None:
        venue_keys = keys()
        async with demo_venue(tmp_path, venue_keys) as (floor, demo, _):
            made = await new_terminal(demo.terminals, "sic-bo")
            assert isinstance(made, TerminalKey)
            await floor.venue.transfers.settled()
            before = versions(floor.venue)
        async with demo_venue(tmp_path, venue_keys) as (floor, demo, accounts):
            # At the chip table two persons declare that nothing was dealt meanwhile.
            spoken = {name: 4 * (name == "table/chips") for name in before}
            assert versions(floor.venue) == {
                name: version + spoken[name] for name, version in before.items()
            }
            assert accounts.knows("sic-bo", made.terminal, made.key)
            again = await new_terminal(demo.terminals, "sic-bo")
            assert isinstance(again, TerminalKey)
            assert again.terminal != made.terminal

    run(work())


def versions(venue: Runtime) -> dict[str, int]:
    return {each: venue.writer(each).head.version for each in (VENUE, "cage", *venue.tables())}


async def was_closed(floor: Floor, stream: str) -> None:
    await floor.do(stream, SUPERVISOR, GiveNotice())
    await floor.do(stream, SUPERVISOR, CloseTable())


async def has_notice(floor: Floor, stream: str) -> None:
    await floor.do(stream, SUPERVISOR, GiveNotice())


async def was_stopped(floor: Floor, stream: str) -> None:
    await floor.do(stream, SUPERVISOR, ReportIrregularity("malfunction", "the lid is stuck"))


async def is_in_doubt(floor: Floor, stream: str) -> None:
    await floor.do(stream, DEALER, RecordTumble(3))
    await floor.do(stream, DEALER, OpenBets())
    await floor.do(stream, DEALER, ReportIrregularity("dice-exposed", "the lid fell off"))


@pytest.mark.parametrize("left", [was_closed, has_notice, was_stopped, is_in_doubt])
def test_whatever_a_visitor_left_behind_the_next_start_goes_on(tmp_path: Path, left: Any) -> None:
    async def work() -> None:
        venue_keys = keys()
        async with demo_venue(tmp_path, venue_keys) as (floor, _, __):
            await left(floor, table_stream("division-9"))
        async with demo_venue(tmp_path, venue_keys) as (floor, _, __):
            state = floor.venue.table("division-9")
            assert (state.phase, state.stopped, state.waiting) == (Phase.READY, None, False)
            assert not state.notice_given

    run(work())


# --- no other mode --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "local"),
    [
        *(("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("[::1]", True)),
        *(("localhost", True), (EVERYWHERE, False), ("::", False), ("10.0.0.5", False)),
        *(("casino.example", False), ("127.0.0.1.example", False), ("", False)),
    ],
)
def test_which_addresses_only_this_machine_reaches(host: str, local: bool) -> None:
    assert is_loopback(host) is local


@pytest.mark.parametrize("demo", [True, False])
def test_a_journal_opens_in_the_mode_it_was_begun_in_and_in_no_other(
    tmp_path: Path, demo: bool
) -> None:
    async def work() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await found(floor.venue, VenuePlan(), demo=demo)
        await floor.venue.stop()
        before = (tmp_path / "journal").read_bytes()
        journal = await SqliteJournal.open(tmp_path / "journal")
        await check_journal(journal, Settings(tmp_path, demo=demo))
        sentence = "of a demo venue, and opens with --demo alone" if demo else "never opens with"
        with pytest.raises(StartupError, match=sentence):
            await check_journal(journal, Settings(tmp_path, demo=not demo))
        await journal.close()
        assert (tmp_path / "journal").read_bytes() == before

    run(work())


def test_a_demo_is_on_a_loopback_address_alone(tmp_path: Path) -> None:
    async def work() -> None:
        journal = await SqliteJournal.open(tmp_path / "journal")
        with pytest.raises(StartupError, match=r"loopback address alone.*; 10\.0\.0\.5 is none"):
            await check_journal(journal, Settings(tmp_path, host="10.0.0.5", demo=True))
        await check_journal(journal, Settings(tmp_path, host="10.0.0.5"))
        await journal.close()

    run(work())


def test_a_real_venue_needs_somebody_who_can_log_in(tmp_path: Path) -> None:
    async def work() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        with pytest.raises(StartupError, match=r"nobody on its staff.*taisai staff add .*--second"):
            check_mode(floor.venue, Settings(tmp_path))
        engage = EngageStaff("Ann Lee", ("shift-manager",), "Ann Lee", "Bob Tan")
        await floor.do(VENUE, HOST, engage)
        check_mode(floor.venue, Settings(tmp_path))
        with pytest.raises(AssertionError):
            Demo(floor.venue, None)  # type: ignore[arg-type]
        await floor.venue.stop()

    run(work())


def test_keys_of_a_demo_are_made_once(tmp_path: Path) -> None:
    keys = tmp_path / "new" / "keys"
    make_demo_keys(keys)
    first = load_keys(keys)
    make_demo_keys(keys)
    assert load_keys(keys).public.newest.key_id == first.public.newest.key_id


# --- over HTTP ------------------------------------------------------------------------------------


@asynccontextmanager
async def served(settings: Settings) -> AsyncIterator[tuple[httpx.AsyncClient, Application]]:
    """Serve a venue to a client on this machine."""
    told = asyncio.Event()
    opened: asyncio.Future[tuple[str, Application]] = asyncio.get_running_loop().create_future()

    def ready(address: str, application: Application) -> None:
        opened.set_result((address, application))

    serving = asyncio.ensure_future(serve(settings, ready, told))
    serving.add_done_callback(lambda _: opened.cancel())
    try:
        address, application = await opened
    except asyncio.CancelledError:
        await serving
        raise
    try:
        async with httpx.AsyncClient(base_url=address) as client:
            yield client, application
    finally:
        told.set()
        await serving


def test_one_click_over_http(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(Settings(tmp_path, port=0, demo=True)) as (client, application):
            taken = await client.post("/api/demo/terminals", json={"table": "sic-bo"})
            assert taken.status_code == 201
            seat = taken.json()
            assert (seat["table"], seat["credits"]) == ("sic-bo", CREDITS)
            assert application.accounts.knows("sic-bo", seat["terminal"], seat["key"])

            many = await client.post("/api/demo/terminals/many", json={"count": 8})
            assert [each["credits"] for each in many.json()] == [CREDITS] * 8

            for role in STAFF_ROLES:
                entered = await client.post("/api/demo/staff", json={"role": role})
                assert entered.status_code == 201
                token = entered.json()["token"]
                shown = await client.get(
                    "/api/sessions/current", headers={"authorization": f"Bearer {token}"}
                )
                assert (shown.json()["person"], shown.json()["role"]) == (STAFF[role], role)

    run(work())


def test_each_window_of_a_browser_may_be_somebody_else_and_knows_its_pin(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(Settings(tmp_path, port=0, demo=True)) as (client, _):
            origin = {"origin": str(client.base_url).rstrip("/")}
            windows = {}
            for role in ("shift-manager", "pit-manager"):
                page = await client.post("/api/demo/staff", json={"role": role}, headers=origin)
                assert "set-cookie" not in page.headers, "a cookie would be every window's"
                windows[role] = page.json()
            first, second = (
                {"authorization": f"Bearer {each['token']}"} for each in windows.values()
            )
            at = (await client.get("/api/venue")).json()["at"]
            appointed = {"id": f"{at}-1", "person": "Nina", "roles": ["dealer"]}
            waits = (await client.post("/api/staff", json=appointed, headers=first)).json()
            grant = {
                "to": "venue",
                "id": f"{at}-2",
                "pending": waits["pending"],
                "version": waits["version"],
                "pin": windows["pit-manager"]["pin"],
            }
            granted = await client.post("/api/approvals", json=grant, headers=second)
            assert granted.status_code == 200, granted.text

    run(work())


@pytest.mark.parametrize(
    ("address", "body", "status"),
    [
        ("terminals", {"table": "nowhere"}, 404),
        ("terminals", {"tabel": "sic-bo"}, 400),
        ("terminals/many", {"count": 0}, 400),
        ("terminals/many", {"count": 1_001}, 400),
        ("terminals/many", {}, 400),
        ("staff", {"role": "system"}, 400),
        ("staff", {}, 400),
    ],
)
def test_what_cannot_be_given_is_refused_with_a_problem(
    shared: "Shared", address: str, body: dict[str, Any], status: int
) -> None:
    answer = shared.post(f"/api/demo/{address}", body)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"


def test_another_sites_page_is_given_nothing(shared: "Shared") -> None:
    elsewhere = {"origin": "http://elsewhere.example"}
    assert shared.post("/api/demo/terminals", {}, elsewhere).status_code == 403
    assert shared.post("/api/demo/staff", {"role": "dealer"}, elsewhere).status_code == 403
    assert shared.post("/api/demo/terminals", {}, {"host": "elsewhere.example"}).status_code == 421


class Shared:
    """One demo venue for several questions, none of which changes it."""

    def __init__(self, runner: asyncio.Runner, client: httpx.AsyncClient) -> None:
        self._runner = runner
        self._client = client

    def post(
        self, address: str, body: dict[str, Any], headers: dict[str, str] | None = None
    ) -> httpx.Response:
        return self._runner.run(self._client.post(address, json=body, headers=headers))


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Any:
    settings = Settings(tmp_path_factory.mktemp("demo"), port=0, demo=True)
    with asyncio.Runner() as runner:
        venue = served(settings)
        client, _ = runner.run(venue.__aenter__())
        yield Shared(runner, client)
        runner.run(venue.__aexit__(None, None, None))


def test_a_real_venue_has_none_of_these_addresses(tmp_path: Path) -> None:
    async def work() -> None:
        make_demo_keys(tmp_path / "keys")
        floor = await Floor.open(tmp_path / "journal.sqlite", load_keys(tmp_path / "keys"))
        await floor.found()
        engage = EngageStaff("Ann Lee", ("shift-manager",), "Ann Lee", "Bob Tan")
        await floor.do(VENUE, HOST, engage)
        await add_table(floor.venue, "T1", Equipment())
        await floor.venue.stop()
        async with served(Settings(tmp_path, port=0)) as (client, application):
            assert application.demo is None
            for address in ("staff", "terminals", "terminals/many"):
                assert (await client.post(f"/api/demo/{address}", json={})).status_code == 404

    run(work())
