"""The house: one currency, and the tables and the cage that deal in it."""

from typing import assert_never

from msgspec import Struct

from taisai.core.approvals import named_refusal
from taisai.core.commands import AdmitTable, OpenHouse, Order, RestoreHouse
from taisai.core.events import HouseEvent, HouseOpened, HouseRestored, TableAdmitted
from taisai.core.people import MAY
from taisai.core.reason import Refusal, refuse

STREAMS_MAX = 10_000


class HouseState(Struct):
    """A house: its name, its currency, and what belongs to it."""

    version: int = 0
    name: str = ""
    currency: str = ""
    streams: set[str] = set()


def decide_house(state: HouseState, order: Order) -> tuple[HouseEvent, ...] | Refusal:
    """Answer a command to the house."""
    command = order.command
    if type(command) not in MAY or order.actor.role not in MAY[type(command)]:
        return refuse("NOT_ALLOWED", role=order.actor.role, command=type(command).__name__)
    match command:
        case OpenHouse():
            return _open(state, command)
        case AdmitTable():
            return _admit(state, command)
        case RestoreHouse():
            return _restore(state, command)
        case _:
            return refuse("NOT_ALLOWED", role=order.actor.role, command=type(command).__name__)


def _open(state: HouseState, command: OpenHouse) -> tuple[HouseEvent, ...] | Refusal:
    if state.currency:
        return refuse("HOUSE_IS_OPEN")
    if not (command.name and command.currency):
        return refuse("NAME_MISSING")
    return (HouseOpened(command.name, command.currency),)


def _admit(state: HouseState, command: AdmitTable) -> tuple[HouseEvent, ...] | Refusal:
    if not state.currency:
        return refuse("HOUSE_CLOSED")
    if not command.stream:
        return refuse("NAME_MISSING")
    if command.currency != state.currency:
        return refuse("OTHER_CURRENCY", currency=state.currency)
    if command.stream in state.streams:
        return refuse("STREAM_EXISTS", stream=command.stream)
    if len(state.streams) >= STREAMS_MAX:
        return refuse("BATCH_SIZE", most=STREAMS_MAX)
    return (TableAdmitted(command.stream),)


def _restore(state: HouseState, command: RestoreHouse) -> tuple[HouseEvent, ...] | Refusal:
    """Put on record that two persons restored the house [D14]."""
    if not state.currency:
        return refuse("HOUSE_CLOSED")
    refusal = named_refusal(command.by, command.second)
    if refusal is not None:
        return refusal
    return (HouseRestored(command.by, command.second, command.checkpoint),)


def evolve_house(state: HouseState, event: HouseEvent) -> HouseState:
    """Apply an event to the house."""
    state.version += 1
    match event:
        case HouseOpened():
            state.name = event.name
            state.currency = event.currency
        case TableAdmitted():
            state.streams.add(event.stream)
        case HouseRestored():
            # It is for the record: what the house is, is as it was.
            pass
        case _:
            assert_never(event)
    return state
