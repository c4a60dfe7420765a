"""Setting up a venue: its name and currency, its cage, its tables.

The host sends the commands. If set-up was interrupted, doing it again goes on from there.
"""

from taisai.core.cage.vouchers import OpenCage
from taisai.core.kernel.messages import Actor, Command, Equipment, Order
from taisai.core.rules.reason import Refusal
from taisai.core.table.chips.pieces import ChipSet
from taisai.core.table.setup import CreateTable
from taisai.core.venue.setup import AdmitTable, OpenVenue
from taisai.core.venue.state import DAY_STARTS, TIME_ZONE
from taisai.runtime.answers import HOST, Answer
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, VENUE, table_stream


async def open_venue(  # noqa: PLR0913 - what a venue is founded with
    runtime: Runtime,
    name: str,
    currency: str,
    voucher_days: int = 30,
    approve_above: int | None = None,
    *,
    demo: bool = False,
    operator: str | None = None,
    gaming_day: tuple[int, str] = (DAY_STARTS, TIME_ZONE),
) -> Answer:
    """Open a venue: its currency is fixed for good, and its cage opened.

    If this was interrupted before, the venue is open already, and only its cage is missing.
    """
    if not runtime.state.currency:
        opens = OpenVenue(name, currency, demo, operator or "", *gaming_day)
        answer = await _order(runtime, VENUE, "found", opens)
        if isinstance(answer, Refusal):
            return answer
    await _order(runtime, VENUE, "admit-cage", AdmitTable(CAGE, currency))
    opening = OpenCage(currency, voucher_days, approve_above)
    return await _order(runtime, CAGE, "open-cage", opening)


async def add_table(
    runtime: Runtime,
    table: str,
    equipment: Equipment,
    handpay_threshold: int | None = None,
    chips: ChipSet | None = None,
    operator: str | None = None,
) -> Answer:
    """Add a table to the venue: a chip table if it has a set of chips."""
    command = CreateTable(
        table,
        runtime.state.currency,
        equipment,
        handpay_threshold,
        chips,
        operator,
    )
    return await create(runtime, command, "create")


async def create(runtime: Runtime, command: CreateTable, id_: str, actor: Actor = HOST) -> Answer:
    """Admit a table to the venue, and create it in the name of `actor`."""
    stream, currency = table_stream(command.table), runtime.state.currency
    if stream not in runtime.state.streams:
        admit = AdmitTable(stream, currency)
        admitted = await _order(runtime, VENUE, f"admit-{stream}", admit)
        if isinstance(admitted, Refusal):
            return admitted
    await runtime.admit(stream, chips=command.chips is not None)
    answer = await runtime.submit(stream, Order(id_, actor, command))
    runtime.equip(stream)
    return answer


async def _order(runtime: Runtime, stream: str, id_: str, command: Command) -> Answer:
    return await runtime.submit(stream, Order(id_, HOST, command))
