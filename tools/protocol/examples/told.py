"""Examples of the server's messages."""

from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.kernel.messages import BoxStake
from taisai.core.rules.reason import because
from taisai.core.table.chips.pieces import ChipSet, Pieces
from taisai.core.table.round import CloseBets, OpenBets
from taisai.maths.exposure import LiveExposure
from taisai.projections.exposure import exposure_message
from taisai.projections.log import line_of
from taisai.protocol import PROTOCOL, chip_table, console, private, public, views
from taisai.protocol import server_messages as m
from taisai.rulebooks import rulebook
from tools.protocol.examples.afternoon import (
    BEGAN,
    BET,
    CLOSED,
    FINGERPRINT,
    HUNDREDS,
    LIMITS,
    PENDING,
    TABLE,
    TERMINAL,
    TUMBLED,
    WAITING,
)
from tools.protocol.examples.shown import LAST

_DAYS_30 = 30 * 24 * 3_600_000
RULEBOOK = views.RulebookName("ts6", "Tai Sai", "6", FINGERPRINT, "ts6/2")
TABLE_VIEW = views.TableView(
    table=TABLE,
    currency="SGD",
    phase="betting",
    round=214,
    tumbler="keyed",
    rulebook=RULEBOOK,
    limits=LIMITS,
    totals={"small": 12_000, "any-triple": 500},
    terminals=40,
    rounds={
        212: views.RoundSummary(212, (1, 1, 4), total=6, size="small", parity="even"),
        213: views.RoundSummary(213, None, void=True),
    },
)
TERMINAL_VIEW = views.PositionView(
    table=TABLE,
    terminal=TERMINAL,
    place="Pit 2, seat 1",
    credits=100_000,
    staked=0,
    last=LAST,
)

_REQUESTED = ApprovalRequested(PENDING, WAITING, TUMBLED)
_CALL = console.Step(
    "OpenBets",
    "Open the bets",
    "refused",
    second=False,
    by="dealer",
    sentence="a round is under way",
    clause="3.2",
    words="Place your Bets, please",
    give=OpenBets(),
)
_CLOSE = console.Step(
    "CloseBets",
    "Close the bets",
    "next",
    second=False,
    by="dealer",
    clause="3.6",
    words="No more Bets",
    give=CloseBets(),
)
STEPS = m.Steps(TABLE, "CloseBets", (_CALL, _CLOSE), ())
_LIVE = LiveExposure(rulebook("ts6").pay_tables[2])
_LIVE.change("small", 17_000)
EXPOSURE = exposure_message(TABLE, _LIVE.snapshot())

#: Seat 3 plays pink at 5.00 a piece, and has 2 hundreds on Small: 100.00 above the maximum there.
CHIP_TABLE = m.ChipTableView(
    table="T2",
    chip_set=ChipSet((500, 2_500, 10_000), seats=10, colours=("pink", "blue"), pieces=300),
    seats=(chip_table.ChipSeat("3", False, "pink", 500, 16, credits=8_000, staked=22_000),),
    stacks=(
        chip_table.ChipStack("3", "small", 20_000, HUNDREDS, oral=False),
        chip_table.ChipStack("3", "odd", 2_000, (Pieces("pink", 4),), oral=False),
    ),
    notices=(
        chip_table.LimitNotice(
            "small", "3", "maximum", 10_000, "100.00 above the maximum of 100.00 on small", "5.1"
        ),
    ),
    rack=(Pieces(500, 100), Pieces(2_500, 80), *HUNDREDS),
    rack_value=270_000,
    colours={"pink": 280, "blue": 300},
    paying=False,
    next_date="2026-11-17",
    day=chip_table.ChipDay("2026-11-16", 270_000, fills=0, credits=0, drop=0),
)

TOLD: tuple[m.SentByServer, ...] = (
    m.Welcome(PROTOCOL, "The Lantern", "SGD", BEGAN, (TABLE, "T2"), "terminal", TERMINAL),
    m.TableSnapshot(TABLE, 1_040, BEGAN, TABLE_VIEW, closes_at=CLOSED, dealer="automatic"),
    m.TerminalSnapshot(1_036, BEGAN, TERMINAL_VIEW),
    m.Public(
        TABLE,
        1_042,
        1_041,
        CLOSED,
        (public.BetsClosed("No more Bets", bell=True, clause="3.6"),),
        {"phase": "no-more-bets"},
    ),
    m.Private(
        TABLE,
        1_041,
        1_036,
        BET,
        (private.BetsRegistered((BoxStake("small", 5_000),)),),
        {"credits": 95_000, "staked": 5_000, "bets": {"small": 5_000}},
        "1794803232232-a1",
    ),
    m.Staff(TABLE, 1_043, 1_042, TUMBLED, (_REQUESTED,), (line_of(_REQUESTED, "en"),)),
    STEPS,
    EXPOSURE,
    CHIP_TABLE,
    m.Countdown(TABLE, CLOSED),
    m.Dealer(TABLE, "automatic"),
    m.Suspended(TABLE, suspended=True),
    m.VoucherPrinted("T1-88", "482915073366104927", 105_000, BEGAN + _DAYS_30, "1234567890123452"),
    m.Registered(f"{BET}-a1", TABLE, 1_041, 1_041, BET),
    m.Refused(
        f"{CLOSED}-a2",
        "BETS_CLOSED",
        "too late: no more bets",
        because("BETS_CLOSED"),
        clause="5.7",
    ),
    m.Done(f"{BET}-d2"),
    m.Notice(BEGAN, "table/T2", "SUSPENDED", "T2 takes nothing until it is read back."),
    m.Fault("HELLO_FIRST", "The first message is a Hello that says who this is."),
    m.Pong(7, BET),
)
