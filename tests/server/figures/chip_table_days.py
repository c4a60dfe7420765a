"""A chip table in a real venue, and one gaming day at it whose figures are done by hand.

Tai Sai's second pay table, 10.00 to 100.00 in steps of 5.00: Small, Big, Odd and Even pay 1 to 1
and lose on a triple, so each has 105 ways of 216 to win and an edge of 6 in 216.

- The day opens with an empty rack, and a fill of 2,000.00: ten chips of 100.00, twenty of 25.00,
  eighty of 5.00 and a hundred of 1.00. Seat 1 buys 200.00 in value chips, seat 2 forty pink pieces
  at 5.00, both for cash: 400.00 in the drop box.
- Round 1, dan deals: each has 100.00 on Small, which takes 100.00: 50.00 each plays. 4 5 6 loses:
  100.00 is collected.
- Round 2, dora deals: seat 1 has 50.00 on Small, seat 2 has 20.00 on Odd. 1 1 2 is small and even:
  50.00 is paid, 20.00 collected. Of 270.00 that lay there 170.00 played, and the table won 70.00.
- Seat 1 leaves with 200.00, seat 2 with 130.00. A credit of 500.00 goes to the cage; 1,170.00 is
  left in the rack. The drop box is counted 5.00 short, the rack 1.00 over:
  395.00 + 1,171.00 - 0.00 - 2,000.00 + 500.00 = 66.00, which is 70.00 - 5.00 + 1.00.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from fractions import Fraction

from taisai.core.kernel.messages import Actor, Command, LimitsAsked
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.colours import AssignColour, BuyColour, ConvertColour, ReleaseColour
from taisai.core.table.chips.gaming_day import CloseDay, CountDrop, OpenDay
from taisai.core.table.chips.layout_bets import RecordBets
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.payout import payout_guide
from taisai.core.table.chips.pieces import BoxChips, Pieces
from taisai.core.table.chips.seats import BuyChips, TakeSeat
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    Settle,
)
from taisai.core.table.setup import CloseTable, GiveNotice, OpenTable
from taisai.core.table.tumble import LiftCover, RecordTumble
from taisai.runtime.clock import Clock
from taisai.runtime.streams import table_stream
from tests.kit.floor import CHIPS, FLOAT, Floor
from tests.kit.people import CASHIER, DEALER, SUPERVISOR

DORA = Actor("dora", "dealer")
LEFT_OVER = (Pieces(10_000, 3), Pieces(2_500, 15), Pieces(500, 79), Pieces(100, 101))
LIMITS = LimitsAsked(minimum=1_000, maximum=10_000, step=500)

TURNOVER, WIN, COUNTED_WIN = 17_000, 7_000, 6_600
THEORY = Fraction(17_000 * 6, 216)
#: Round 1: 100.00 won or lost. Round 2: 70.00 lost on 45 throws (small and odd), 30.00 on 60 (small
#: and even), 30.00 won on 60 (big and odd), 70.00 on 45 (big and even) and on the six triples.
VARIANCE = (
    Fraction(10_000**2)
    - Fraction(10_000 * 6, 216) ** 2
    + Fraction(96 * 7_000**2 + 120 * 3_000**2, 216)
    - Fraction(7_000 * 6, 216) ** 2
)


class Hands:
    """The readings of a clock that stands still until it is set."""

    def __init__(self, when: str) -> None:
        self._ns = 0
        self.set(when)
        self.clock = Clock(lambda: self._ns, lambda: self._ns)

    def set(self, when: str) -> None:
        """Set it to a time in UTC, as `2026-11-16T21:59:59.999`."""
        at = datetime.fromisoformat(when).replace(tzinfo=UTC)
        self._ns = round(at.timestamp() * 1_000) * 1_000_000

    def on(self, minutes: int) -> None:
        """Let some minutes pass."""
        self._ns += minutes * 60 * 1_000_000_000


class ChipTable:
    """A chip table of a venue, with its staff."""

    def __init__(self, floor: Floor, table: str = "F1") -> None:
        self.floor = floor
        self.table = table
        self.stream = table_stream(table)

    async def set_up(self) -> None:
        """Create the table, with its rules and limits."""
        await self.floor.set_up_table(self.table, limits=LIMITS, chips=CHIPS)

    async def deal(self, *commands: Command, by: Actor = DEALER) -> None:
        """Send several commands of one dealer in turn."""
        for command in commands:
            await self.floor.do(self.stream, by, command)

    async def open_day(self, date: str, *count: Pieces) -> None:
        """Count the rack, and open a gaming day."""
        await self.floor.both(self.stream, SUPERVISOR, OpenDay(date, count), DEALER)

    async def send_fill(self, *chips: Pieces) -> str:
        """Send chips from the cage; give the transit."""
        return await self.floor.send_fill(chips, self.table)

    async def receive_fill(self, transit: str, *chips: Pieces) -> None:
        """Receive a fill into the rack; the cage closes it."""
        await self.floor.receive_fill(transit, chips, self.table)
        await self.floor.venue.transfers.settled()

    async def send_credit(self, *chips: Pieces) -> str:
        """Send chips from the rack to the cage."""
        return await self.floor.send_credit(chips, self.table)

    async def receive_credit(self, transit: str, *chips: Pieces) -> None:
        """Receive chips of a table in the cage."""
        await self.floor.receive_credit(transit, chips, self.table)
        await self.floor.venue.transfers.settled()

    async def play(
        self,
        bets: Mapping[str, tuple[BoxChips, ...]],
        faces: tuple[int, int, int],
        by: Actor = DEALER,
    ) -> None:
        """Play a round: bets by seat, the dice, everything collected and paid."""
        await self.deal(OpenBets(), by=by)
        await self.deal(*(RecordBets(seat, laid) for seat, laid in bets.items()), by=by)
        await self.deal(
            *(CloseBets(bell=True), RecordTumble(3), LiftCover(), EnterResult(faces)),
            ConfirmResult(),
            by=by,
        )
        if payout_guide(self.floor.venue.table(self.table)).collect:
            await self.deal(CollectLosers(), by=by)
        await self.deal(Settle(), by=by)

    async def close_table(self) -> None:
        """Give notice, and close the table."""
        await self.floor.do(self.stream, SUPERVISOR, GiveNotice())
        await self.floor.do(self.stream, SUPERVISOR, CloseTable())

    async def count_drop(self, cash: int, chips: int = 0) -> None:
        """Count the drop box."""
        await self.floor.both(self.stream, CASHIER, CountDrop(cash, chips), SUPERVISOR)

    async def close_day(self, *count: Pieces) -> None:
        """Count the rack, and close the gaming day."""
        await self.floor.both(self.stream, SUPERVISOR, CloseDay(count), DEALER)


def on(box: str, *chips: Pieces) -> BoxChips:
    """Put chips on a box."""
    return BoxChips(box, chips)


async def begin_day(chip_table: ChipTable, date: str) -> None:
    """Play the day up to the end of its two rounds."""
    await chip_table.open_day(date)
    await chip_table.receive_fill(await chip_table.send_fill(*FLOAT), *FLOAT)
    await chip_table.floor.do(chip_table.stream, SUPERVISOR, OpenTable())
    await chip_table.deal(
        TakeSeat("1"),
        BuyChips("1", (Pieces(10_000, 2),), 20_000),
        TakeSeat("2"),
        AssignColour("2", "pink", 500),
        BuyColour("2", 40, 20_000),
    )
    small = {"1": (on("small", Pieces(10_000, 1)),), "2": (on("small", Pieces("pink", 20)),)}
    await chip_table.play(small, (4, 5, 6))
    both = {"1": (on("small", Pieces(2_500, 2)),), "2": (on("odd", Pieces("pink", 4)),)}
    await chip_table.play(both, (1, 1, 2), by=DORA)


async def end_day(chip_table: ChipTable) -> None:
    """Let everybody leave, send the credit, and count what is left."""
    await chip_table.close_table()
    await chip_table.deal(
        LeaveSeat("1"), ConvertColour("2", 26), ReleaseColour("2"), LeaveSeat("2")
    )
    credit = (Pieces(10_000, 5),)
    await chip_table.receive_credit(await chip_table.send_credit(*credit), *credit)
    await chip_table.count_drop(39_500)
    await chip_table.close_day(*LEFT_OVER)
