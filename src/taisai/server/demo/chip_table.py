"""The demo's chip table: its gaming day is opened with a count, its rack filled, guests seated.

A visitor who deals there finds it like a table that was opened an hour ago.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from taisai.core.cage.fills import FillSent, SendFill
from taisai.core.kernel.messages import Command
from taisai.core.table.chips.colours import AssignColour, BuyColour
from taisai.core.table.chips.gaming_day import OpenDay, ReceiveFill, date_after, last_date_at
from taisai.core.table.chips.pieces import Chips, Pieces, counted, plain_chips, stacked, value_of
from taisai.core.table.chips.seats import BuyChips, TakeSeat
from taisai.core.table.chips.state import ChipTable
from taisai.core.table.state import Phase, TableState
from taisai.projections.figures.days import GamingDays
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, table_stream
from taisai.server.demo.staff import DemoStaff, staff

#: How many chips of each value are in the rack when the first day is opened, from the smallest up,
#: and how many the cage fills it up to: at the demo's own table 11,700.00, and 3,000.00 more.
FLOAT = (100, 120, 80, 40, 10)
WANTED = (100, 120, 120, 60, 10)
#: The largest chips that a guest bets with, and the largest that count as small, in minimums.
LARGE_MINIMUMS = 10
SMALL_MINIMUMS = 3


class Guest(NamedTuple):
    """A player in a seat: how many minimums they buy in value chips, and their colour chips.

    `steps` is the value of the colour, in steps.
    """

    seat: str
    minimums: int = 0
    steps: int = 0
    pieces: int = 0


GUESTS = (
    Guest("1", minimums=30),
    Guest("2", steps=1, pieces=40),
    Guest("3", steps=2, pieces=30),
    Guest("5", minimums=50),
    Guest("6", minimums=10, steps=5, pieces=20),
)


class DemoChipTable:
    """The demo's staff at a chip table."""

    def __init__(
        self, table: str, runtime: Runtime, people: DemoStaff, gaming_days: GamingDays
    ) -> None:
        self._table = table
        self._stream = table_stream(table)
        self._runtime = runtime
        self._people = people
        self._gaming_days = gaming_days

    @property
    def _state(self) -> TableState:
        return self._runtime.table(self._table)

    @property
    def _chip_table(self) -> ChipTable:
        chip_table = self._state.chips
        assert chip_table is not None, "the table is a chip table"
        return chip_table

    async def open_day(self) -> bool:
        """Open a gaming day with a count, and have the rack filled, unless a day is open.

        It is today's, or the one after the last: a demo does not wait for tomorrow. But visitors
        may have closed so many in one day that the next is too far ahead: then none is opened.
        """
        if self._chip_table.day is not None:
            return True
        now = self._runtime.clock.now()
        date = date_after(self._chip_table.last_date, self._gaming_days.gaming_date_at(now))
        if date > last_date_at(now):
            return False
        open_day = OpenDay(date, self._count())
        await self._people.both(self._stream, staff("supervisor"), open_day, staff("dealer"))
        await self._fill_up()
        return True

    def _count(self) -> Chips:
        """Count the rack: what the books say, or the float before the first day."""
        chip_table = self._chip_table
        if not chip_table.last_date:
            return tuple(Pieces(*each) for each in _in_rack(chip_table, FLOAT).items())
        if any(count < 0 for count in chip_table.rack.values()):
            return plain_chips(max(0, chip_table.rack_value), chip_table.chip_set.values)
        return tuple(Pieces(chip, count) for chip, count in chip_table.rack.items() if count)

    async def _fill_up(self) -> None:
        """Have the cage send the chips that the rack lacks."""
        chip_table = self._chip_table
        lacking = tuple(
            Pieces(value, count - chip_table.rack.get(value, 0))
            for value, count in _in_rack(chip_table, WANTED).items()
            if count > chip_table.rack.get(value, 0)
        )
        if lacking:
            await self._fill(lacking)

    async def _fill(self, chips: Chips) -> None:
        """Send chips from the cage and receive them in the rack, each by two persons."""
        send = SendFill(self._table, chips)
        sent = await self._people.both(CAGE, staff("cage"), send, staff("supervisor"))
        event = sent.events[-1]
        assert isinstance(event, FillSent), "a fill that was approved is sent"
        receive = ReceiveFill(event.transit, chips)
        await self._people.both(self._stream, staff("dealer"), receive, staff("supervisor"))

    async def seat_guests(self) -> None:
        """Seat the guests in free seats, with chips, at an open table."""
        for guest in GUESTS:
            if guest.seat in self._chip_table.seated:
                continue
            for order in self._orders(guest):
                # With another plan of the floor there may be no seat or chips for a guest.
                await self._people.ask(self._stream, staff("dealer"), order)

    def _orders(self, guest: Guest) -> Iterator[Command]:
        limits, chip_table = self._state.limits, self._chip_table
        assert limits is not None, "a table that is open has limits"
        yield TakeSeat(guest.seat)
        if guest.minimums:
            chips = _mixed(guest.minimums, limits.general.minimum, chip_table.chip_set.values)
            yield BuyChips(guest.seat, chips, value_of(chips, {}))
        free = [
            colour for colour in chip_table.chip_set.colours if colour not in chip_table.colours
        ]
        if guest.pieces and free:
            value = guest.steps * limits.step
            yield AssignColour(guest.seat, free[0], value)
            yield BuyColour(guest.seat, guest.pieces, cash=guest.pieces * value)

    @property
    def is_empty(self) -> bool:
        """Say whether the table is open, and nobody has played there yet."""
        state = self._state
        return state.phase is Phase.READY and state.round == 0 and not self._chip_table.seated


def _in_rack(chip_table: ChipTable, counts: tuple[int, ...]) -> dict[int, int]:
    """Say how many chips of each value a rack is to hold: few of the large ones."""
    last = len(counts) - 1
    return {value: counts[min(rank, last)] for rank, value in enumerate(chip_table.chip_set.values)}


def _mixed(minimums: int, minimum: int, values: Sequence[int]) -> Chips:
    """Change so many minimums into chips to bet with, a third of it in small chips."""
    small = minimums // 3
    large = [value for value in values if value <= LARGE_MINIMUMS * minimum]
    little = [value for value in values if value <= SMALL_MINIMUMS * minimum]
    chips = (
        *plain_chips((minimums - small) * minimum, large),
        *plain_chips(small * minimum, little),
    )
    return stacked(counted(chips), {})
