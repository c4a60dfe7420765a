"""Exports, against numbers from elsewhere: rounds played by hand, and an auditor's books."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from taisai.core.kernel.approvals import ApprovalRequested, Approve, CommandApproved
from taisai.core.kernel.messages import Actor, Event, Order
from taisai.core.kernel.registry import EVENTS, is_significant
from taisai.core.streams import VenueEvent
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import RoundResettled
from taisai.core.table.positions import CashedOut, CreditsReceived
from taisai.core.table.provably_fair import SecretRevealed
from taisai.core.table.round import ResultEntered, RoundSettled
from taisai.core.table.service import SessionEndedByStaff, WinSetAside
from taisai.core.venue.setup import OpenVenue, VenueOpened, VenueRestored
from taisai.core.venue.staff import AppointStaff, LoggedIn, RecordLogIn, StaffAppointed
from taisai.core.venue.terminal_keys import IssueTerminalKey, TerminalKeyIssued
from taisai.runtime.auditor import Auditor
from taisai.runtime.records.columns import VIEWS
from taisai.runtime.records.entries import Period, RecordsError
from tests.kit.journals import Decided, played
from tests.records.recorded import evening, opened, rows_of, written

SEED, ROUNDS = 3, 80
CORRECTIONS = ("reversed", "resettled")


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("hand"), evening().decided)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("world"), played(SEED, ROUNDS))


@pytest.fixture(scope="module")
def auditor() -> Auditor:
    """Let an auditor see the same world; it names tables without their folder."""
    seen = Auditor()
    for decided in played(SEED, ROUNDS):
        seen.observe(decided.stream.removeprefix("table/"), decided.events, decided.at)
    return seen


def events_of(kind: type[Event]) -> Iterator[tuple[Decided, Any]]:
    for decided in played(SEED, ROUNDS):
        yield from ((decided, event) for event in decided.events if isinstance(event, kind))


# --- rounds and bets -----------------------------------------------------------------------------


def test_rounds_led_by_hand(hand: Path) -> None:
    told = [
        (row["round"], row["end"], row["dice"], row["stakes"], row["collected"], row["paid"])
        for row in rows_of(hand, "rounds")
    ]
    assert told == [
        (1, "settled", "2 2 6", 11_000, 3_000, 28_000),
        (2, "void", None, 4_000, 0, 0),
        (3, "settled", "2 3 4", 1_000, 0, 7_000),
        (4, "settled", "5 6 6", 2_500, 2_500, 0),
        # On 2 3 6: Small, Double 2 and Even lose 50.00, 20.00 and 10.00; Big wins 30.00.
        (1, "resettled", "2 3 6", 11_000, 8_000, 3_000),
    ]


def test_a_round_says_whether_it_still_stands(hand: Path) -> None:
    rows = rows_of(hand, "rounds")
    assert [(row["standing"], row["correction"]) for row in rows] == [
        (False, "resettled"),
        (True, None),
        (False, "reversed"),
        (False, "reversed"),
        (True, None),
    ]
    assert [row["returned"] for row in rows] == [0, 4_000, 0, 0, 0]
    assert rows[0]["corrected_at"] == rows[4]["ended_at"]
    for row in rows[:4]:
        assert row["started_at"] <= row["opened_at"] < row["closed_at"] < row["ended_at"]


def test_corrections_after_the_period_are_not_known_yet(hand: Path) -> None:
    rows = rows_of(hand, "rounds")
    until = rows[3]["ended_at"] + 1
    early = rows_of(hand, "rounds", period=Period(until=until))
    assert [row["round"] for row in early] == [1, 2, 3, 4]
    assert all(row["standing"] for row in early)
    late = rows_of(hand, "rounds", period=Period(since=until))
    assert [(row["round"], row["end"], row["rulebook"]) for row in late] == [
        (1, "resettled", "ts6")
    ]


def test_bets_led_by_hand(hand: Path) -> None:
    rows = rows_of(hand, "bets")
    told = [
        (row["round"], row["terminal"], row["box"], row["outcome"], row["odds"], row["back"])
        for row in rows
        if row["standing"]
    ]
    assert told == [
        (2, "7", "odd", "void", None, 4_000),
        (1, "7", "small", "lose", None, 0),
        (1, "7", "double-2", "lose", None, 0),
        (1, "8", "big", "win", "1", 6_000),
        (1, "8", "even", "lose", None, 0),
    ]
    assert [row["clause"] for row in rows if row["end"] == "resettled"] == [
        *("3.9", "3.9", "4.1.2", "3.9")
    ]


def test_bets_of_a_world_add_up_to_its_events(world: Path) -> None:
    rows = rows_of(world, "bets")
    counted = Counter(row["end"] for row in rows)
    assert len(counted) == 3, "the world has rounds of every end"
    assert {row["correction"] for row in rows_of(world, "rounds")} == {None, *CORRECTIONS}
    settled = [event for _, event in events_of(RoundSettled)]
    assert counted["settled"] == sum(len(event.lines) for event in settled)
    assert counted["void"] == sum(len(event.returned) for _, event in events_of(RoundVoided))
    assert counted["resettled"] == sum(len(event.lines) for _, event in events_of(RoundResettled))
    paid = sum(row["won"] for row in rows if row["end"] == "settled")
    lost = sum(row["stake"] for row in rows if row["end"] == "settled" and row["outcome"] == "lose")
    assert paid == sum(event.paid for event in settled)
    assert lost == sum(event.collected for event in settled)
    for row in rows:
        if row["odds"] is not None:
            assert row["won"] == row["stake"] * float(row["odds"])


def test_placements_led_by_hand(hand: Path) -> None:
    rows = rows_of(hand, "placements")
    told = [
        (row["round"], row["terminal"], row["action"], row["amount"], row["on_behalf_by"])
        for row in rows
    ]
    assert told == [
        (1, "7", "placed", 5_000, None),
        (1, "7", "placed", 2_000, None),
        (1, "8", "placed", 3_000, None),
        (1, "7", "placed", 1_000, None),
        (1, "7", "withdrawn", 1_000, None),
        (1, "8", "placed", 1_000, "dan"),
        (2, "7", "placed", 4_000, None),
        (3, "7", "placed", 1_000, None),
        (4, "8", "placed", 2_500, None),
    ]
    assert {row["person"] for row in rows} == {"7", "8", "dan"}


def test_what_was_placed_less_what_went_back_is_what_lay_there(world: Path) -> None:
    lay: Counter[tuple[str, int, str, str]] = Counter()
    signs = {"placed": 1, "withdrawn": -1, "rejected": -1}
    for row in rows_of(world, "placements"):
        key = (row["table"], row["round"], row["terminal"], row["box"])
        lay[key] += signs[row["action"]] * row["amount"]
    for row in rows_of(world, "bets"):
        if row["end"] != "resettled":
            lay[row["table"], row["round"], row["terminal"], row["box"]] -= row["stake"]
    under_way = {key for key, left in lay.items() if left}
    ended = {(row["table"], row["round"]) for row in rows_of(world, "rounds")}
    assert not {key for key in under_way if key[:2] in ended}


# --- money ---------------------------------------------------------------------------------------


def test_postings_come_to_the_balances_of_an_auditor(world: Path, auditor: Auditor) -> None:
    balances: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows_of(world, "postings"):
        assert row["amount"] > 0
        balances[row["stream"]][row["source"]] -= row["amount"]
        balances[row["stream"]][row["destination"]] += row["amount"]
    assert len(balances) > 1
    for stream, held in balances.items():
        assert sum(held.values()) == 0
        auditor.compare(stream.removeprefix("table/"), held)


def test_meters_come_to_those_of_an_auditor(world: Path, auditor: Auditor) -> None:
    meters = rows_of(world, "meters")
    tables = [row for row in meters if row["meter"] == "table"]
    assert {row["table"] for row in tables} == set(auditor.tables)
    for row in tables:
        auditor.compare_meter(row["table"], row["turnover"], row["collected"], row["won"])
        assert row["hold"] == row["collected"] - row["won"]
    drop = sum(event.amount for _, event in events_of(CreditsReceived))
    out = sum(event.amount for _, event in events_of(CashedOut))
    for kind in (SessionEndedByStaff, WinSetAside):
        out += sum(event.amount for _, event in events_of(kind))
    assert (sum(row["drop"] for row in tables), sum(row["out"] for row in tables)) == (drop, out)


@pytest.mark.parametrize("meter", ["terminal", "dealer", "kind"])
def test_meters_add_up_to_their_table(world: Path, meter: str) -> None:
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows_of(world, "meters"):
        of_table = row["meter"] == "table"
        if of_table or row["meter"] == meter:
            for name in ("turnover", "collected", "won"):
                sums[row["table"]][name] += row[name] if of_table else -row[name]
    assert sums
    assert all(not any(left.values()) for left in sums.values())


def test_meters_of_two_periods_add_up_to_those_of_both(world: Path) -> None:
    times = sorted(row["ended_at"] for row in rows_of(world, "rounds"))
    middle = times[len(times) // 2]
    whole, parts = Counter[tuple[Any, ...]](), Counter[tuple[Any, ...]]()
    for found, periods in (
        (whole, [Period()]),
        (parts, [Period(until=middle), Period(since=middle)]),
    ):
        for period in periods:
            for row in rows_of(world, "meters", period=period):
                for name in ("turnover", "collected", "won", "drop", "out", "corrections"):
                    found[row["table"], row["meter"], row["name"], name] += row[name]
    assert {key: value for key, value in parts.items() if value} == {
        key: value for key, value in whole.items() if value
    }


# --- significant events --------------------------------------------------------------------------


#: Ordinary play, which is not significant.
PLAY = {
    *("NoticeGiven", "RoundStarted", "BetsOpened", "TumbleRecorded", "BetsClosed", "FacePressed"),
    *("ResultReported", "ResultConfirmed", "RoundSettled", "BetsRegistered", "BetsWithdrawn"),
    *("CreditsReceived", "CashedOut", "SessionEnded", "TransitClosed"),
    *("VoucherIssued", "VoucherTaken", "VoucherPaid"),
    *("SeatTaken", "SeatLeft", "ChipsBought", "ChipsExchanged", "LosersCollected"),
    *("ColourAssigned", "ColourBought", "ColourConverted", "ColourReleased"),
    *("BetsTakenBack", "CoverLifted"),
}
#: Significant in some cases: an outcome that people declared, a secret that gave other dice, a
#: stack that was read once dice could be seen.
SOMETIMES = {"ResultEntered", "SecretRevealed", "BetsRecorded"}


#: Events that must be shown to a regulator, whatever else is declared.
NOTABLE = {
    *("RulebookAdopted", "LimitsSet", "DiceRegistered", "TableOpened", "TableClosed"),
    *("ResultAmended", "ResultsDisagreed", "RoundVoided", "RoundsReversed", "RoundResettled"),
    *("RulingRecorded", "IrregularityReported", "InterruptionRecorded", "TableStopped"),
    *("TableRectified", "SafeProcedureDeclared", "TerminalBarred", "TerminalLocked", "LockCleared"),
    *("ApprovalRequested", "CommandApproved", "CommandDeclined", "ChainAbandoned"),
    "ChainRetired",
    *("SerialsSkipped", "RecordCorrected", "BetPutRight", "ExcessRejected", "UnclaimedSetAside"),
    *("LateBetRefused", "AdvisedBetReturned", "TerminalFailed", "SessionEndedByStaff"),
    *("VoucherVoided", "WinSetAside"),
    *("DayOpened", "DropCounted", "DayClosed", "ShiftOpened", "ShiftClosed"),
}


def test_play_is_not_significant_and_nothing_notable_is_play() -> None:
    declared = {kind.__name__: spec.significant for kind, spec in EVENTS.items()}
    assert {name for name in PLAY if declared[name] is not False} == set()
    assert {name for name in SOMETIMES if not callable(declared[name])} == set()
    notable = NOTABLE | {kind.__name__ for kind in get_args(VenueEvent)}
    assert {name for name in notable if declared[name] is not True} == set()


@pytest.mark.parametrize(
    ("event", "significant"),
    [
        (SecretRevealed(1, "00", (1, 2, 3), agrees=True), False),
        (SecretRevealed(1, "00", (1, 2, 3), agrees=False), True),
        (ResultEntered((1, 2, 3), "keyed", "dan"), False),
        (ResultEntered((1, 2, 3), "declared", "sue"), True),
    ],
)
def test_some_events_are_significant_in_some_cases(event: Event, significant: bool) -> None:
    assert is_significant(event) is significant


def test_a_restored_venue_names_both_persons(tmp_path: Path) -> None:
    order = Order("1", Actor("venue", "system"), OpenVenue("the venue", "SGD"))
    events = (VenueOpened("the venue", "SGD"), VenueRestored("Ann Lee", "Bob Tan", 7))
    path = written(tmp_path, [Decided("venue", order, events, 1_700_000_000_000)])
    opened_, restored = rows_of(path, "significant")
    assert (opened_["second"], restored["second"]) == (None, "Bob Tan")
    assert restored["details"] == '{"by":"Ann Lee","second":"Bob Tan","checkpoint":7}'


def test_staff_keys_and_log_ins_are_told_with_both_persons(tmp_path: Path) -> None:
    at, first, second = 1_700_000_000_000, Actor("Max", "shift-manager"), Actor("Tim", "technician")
    host, appoint = Actor("host", "system"), AppointStaff("Ann Lee", ("dealer", "cage"))
    asked = Order("2", first, appoint)
    decided = [
        Decided("venue", Order("1", host, OpenVenue("h", "SGD")), (VenueOpened("h", "SGD"),), at),
        Decided("venue", asked, (ApprovalRequested("a" * 64, asked, at),), at),
        Decided(
            "venue",
            Order("3", second, Approve("a" * 64, 2)),
            (
                CommandApproved("a" * 64, second),
                StaffAppointed("Ann Lee", ("dealer", "cage"), "Max", "Tim"),
            ),
            at,
        ),
        Decided(
            "venue",
            Order("4", second, IssueTerminalKey("T1", "7")),
            (TerminalKeyIssued("T1", "7", "Tim"),),
            at,
        ),
        Decided(
            "venue",
            Order("5", host, RecordLogIn("Ann Lee", "cage", "192.0.2.7")),
            (LoggedIn("Ann Lee", "cage", "192.0.2.7"),),
            at,
        ),
    ]
    _, _, _, appointed, key, came = rows_of(written(tmp_path, decided), "significant")
    assert (appointed["person"], appointed["second"]) == ("Max", "Tim")
    assert appointed["summary"] == "Ann Lee is appointed as dealer, cashier, by Max and Tim"
    assert (key["event"], key["terminal"], key["person"]) == ("TerminalKeyIssued", "7", "Tim")
    assert came["summary"] == "Ann Lee logs in as cashier, at 192.0.2.7"
    assert (came["role"], came["second"]) == ("system", None)


def test_significant_events_are_all_there_in_the_order_of_time(world: Path) -> None:
    rows = rows_of(world, "significant")
    expected = Counter(
        type(event).__name__
        for decided in played(SEED, ROUNDS)
        for event in decided.events
        if EVENTS[type(event)].significant is True
        or (isinstance(event, ResultEntered) and event.source == "declared")
    )
    assert Counter(row["event"] for row in rows) == expected
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
    assert {row["stream"].partition("/")[0] for row in rows} == {"venue", "cage", "table"}


def test_significant_events_name_both_persons_and_the_note(hand: Path) -> None:
    rows = rows_of(hand, "significant")
    (reversal,) = [row for row in rows if row["event"] == "RoundsReversed"]
    assert (reversal["role"], reversal["person"], reversal["second"]) == (
        *("supervisor", "sue", "vic"),
    )
    assert (reversal["clause"], reversal["note"]) == ("5.6", "a chipped die")
    assert reversal["details"] == '{"first":3,"last":4,"rounds":[3,4],"part":1,"parts":1}'
    (void,) = [row for row in rows if row["event"] == "RoundVoided"]
    assert (void["round"], void["person"], void["second"]) == (2, "dan", "sue")
    assert void["summary"] == "round 2 is void (a die does not lie flat): 40.00 is returned"
    adopted = [row for row in rows if "RulebookAdopted" in row["event"]]
    assert all(len(row["details"]) < 1_000 for row in rows)
    assert len(adopted) == 1


def test_between_rounds_there_is_no_round_and_one_person_is_enough(hand: Path) -> None:
    dice = [row for row in rows_of(hand, "significant") if row["event"] == "DiceRegistered"]
    told = [(row["round"], row["person"], row["second"], row["summary"]) for row in dice]
    assert told == [
        (None, "sue", None, "dice set D1 is registered, seal S1"),
        (None, "sue", None, "dice set D2 is registered, seal S2"),
    ]


# --- filters -------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", ["rounds", "bets", "placements", "postings", "significant"])
def test_a_period_and_a_table_cut_a_view_as_one_would_by_hand(world: Path, view: str) -> None:
    rows = rows_of(world, view)
    at = "ended_at" if view == "rounds" else "at"
    times = sorted(row[at] for row in rows)
    since, until = times[len(times) // 3], times[2 * len(times) // 3]
    period = Period(since, until)
    wanted = [row for row in rows if since <= row[at] < until]
    assert wanted
    if view in ("rounds", "bets"):
        # A correction after the period is not known within it.
        wanted = [
            {**row, "standing": None, "correction": None, "corrected_at": None} for row in wanted
        ]
    found = rows_of(world, view, period=period)
    if view in ("rounds", "bets"):
        found = [
            {**row, "standing": None, "correction": None, "corrected_at": None} for row in found
        ]
    assert found == wanted
    of_table = [row for row in rows if row.get("table") == "T1" or row.get("stream") == "table/T1"]
    assert rows_of(world, view, tables=["T1"]) == of_table


def test_a_terminal_sees_its_own(hand: Path) -> None:
    assert {row["terminal"] for row in rows_of(hand, "bets", terminals=["8"])} == {"8"}
    assert {row["terminal"] for row in rows_of(hand, "placements", terminals=["8"])} == {"8"}
    assert [row["round"] for row in rows_of(hand, "rounds", terminals=["8"])] == [1, 4, 1]
    meters = rows_of(hand, "meters", terminals=["8"])
    assert [(row["meter"], row["name"]) for row in meters] == [("terminal", "8")]
    for row in rows_of(hand, "postings", terminals=["8"]):
        assert {"terminal:8", "stake:8"} & {row["source"], row["destination"]}
    assert {row["terminal"] for row in rows_of(hand, "significant", terminals=["8"])} == {"8"}
    assert rows_of(hand, "bets", terminals=["no such"]) == []


def test_a_table_that_is_not_there_is_refused(hand: Path) -> None:
    with pytest.raises(RecordsError, match="there is no table T9; the journal holds T1"):
        rows_of(hand, "bets", tables=["T9"])


def test_an_empty_journal_gives_no_rows(tmp_path: Path) -> None:
    path = written(tmp_path, [])
    assert {view: rows_of(path, view) for view in VIEWS} == {view: [] for view in VIEWS}


def test_a_table_without_play_has_credits_and_no_rounds(tmp_path: Path) -> None:
    path = written(tmp_path, opened().decided)
    assert [rows_of(path, view) for view in ("rounds", "bets", "placements")] == [[], [], []]
    meters = rows_of(path, "meters")
    assert [(row["meter"], row["drop"], row["turnover"]) for row in meters] == [
        ("table", 200_000, 0),
        ("terminal", 100_000, 0),
        ("terminal", 100_000, 0),
    ]
