"""A felt table on a floor for tests: its chips, its gaming day, its fills and credits."""

import taisai
from taisai.core import commands as c
from taisai.core.chips import Chips, ChipSet, Pieces
from taisai.core.events import FillSent, FloatCredited
from taisai.core.messages import Equipment, LimitsAsked
from taisai.runtime.answers import Registered
from taisai.runtime.streams import CAGE, table_stream
from tests.kit.floor import CASHIER, DEALER, PIT, SUPERVISOR, Floor

CHIPS = ChipSet((100, 500, 2_500, 10_000), 7, ("pink", "blue"), 100)
LIMITS = LimitsAsked(minimum=1_000, maximum=50_000, step=500)
#: Ten of 100.00, twenty of 25.00, eighty of 5.00 and a hundred of 1.00: 2,000.00.
FLOAT: Chips = (Pieces(10_000, 10), Pieces(2_500, 20), Pieces(500, 80), Pieces(100, 100))


def hundreds(count: int) -> Chips:
    """Give so many chips of 100.00."""
    return (Pieces(10_000, count),)


async def add_felt(floor: Floor, table: str = "F1", date: str | None = "2025-11-16") -> str:
    """Set a felt table up, with its gaming day open unless there is no date."""
    await floor.house.add_table(table, Equipment(), chips=CHIPS)
    stream = table_stream(table)
    adopt = c.AdoptRulebook(taisai.rulebook("ts6").canonical.decode(), 2)
    await floor.both(stream, PIT, adopt, SUPERVISOR)
    await floor.both(stream, PIT, c.SetLimits(LIMITS), SUPERVISOR)
    await floor.do(stream, SUPERVISOR, c.RegisterDice("D1", "S1"))
    if date is not None:
        await floor.both(stream, SUPERVISOR, c.OpenDay(date, FLOAT), DEALER)
    return stream


async def send_fill(floor: Floor, chips: Chips, table: str = "F1") -> str:
    """Have the cage send a fill, and name its transit."""
    sent = await floor.both(CAGE, CASHIER, c.SendFill(table, chips), SUPERVISOR)
    event = sent.events[-1]
    assert isinstance(event, FillSent)
    return event.transit


async def receive_fill(floor: Floor, transit: str, chips: Chips, table: str = "F1") -> Registered:
    """Have a fill counted into the rack by two persons."""
    receive = c.ReceiveFill(transit, chips)
    return await floor.both(table_stream(table), DEALER, receive, SUPERVISOR)


async def send_credit(floor: Floor, chips: Chips, table: str = "F1") -> str:
    """Have a credit taken out of the rack by two persons, and name its transit."""
    sent = await floor.both(table_stream(table), DEALER, c.SendCredit(chips), SUPERVISOR)
    event = sent.events[-1]
    assert isinstance(event, FloatCredited)
    return event.transit


async def receive_credit(floor: Floor, transit: str, chips: Chips, table: str = "F1") -> Registered:
    """Have a credit counted into the cage by two persons."""
    return await floor.both(CAGE, CASHIER, c.ReceiveCredit(transit, table, chips), SUPERVISOR)
