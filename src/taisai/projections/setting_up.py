"""Sentences of events that set a table up, if they have a choice or blanks of their own."""

from collections.abc import Callable
from typing import Any

from taisai.core.kernel.messages import Event
from taisai.core.rules.reason import Reason
from taisai.core.table.approval import DeparturesAdopted
from taisai.core.table.opening import (
    DICE,
    EquipmentWithdrawn,
    LightsVerified,
    SealRead,
    TumblerTried,
)
from taisai.core.table.setup import LimitsSet, RulebookAdopted, TableCreated
from taisai.projections.filling import named


def _limits(event: LimitsSet) -> Reason:
    limits = event.limits
    return named(
        event,
        None if limits.differential is None else "EVENT_LIMITS_SET_DIFFERENTIAL",
        minimum_cents=limits.minimum,
        maximum_cents=limits.maximum,
        differential_cents=limits.differential,
    )


def _seal(event: SealRead) -> Reason:
    if event.agrees:
        return named(event)
    return named(event, "EVENT_SEAL_OTHER" if event.intact else "EVENT_SEAL_BROKEN")


SETTING_UP: dict[type[Event], Callable[[Any], Reason]] = {
    TableCreated: lambda event: named(event, tumbler=event.equipment.tumbler),
    LimitsSet: _limits,
    LightsVerified: lambda event: named(event, None if event.right else "EVENT_LIGHTS_WRONG"),
    TumblerTried: lambda event: named(event, None if event.works else "EVENT_TUMBLER_FAILS"),
    SealRead: _seal,
    EquipmentWithdrawn: lambda event: named(
        event, "EVENT_DICE_WITHDRAWN" if event.equipment == DICE else None
    ),
    DeparturesAdopted: lambda event: named(
        event, None if event.departures else "EVENT_DEPARTURES_ENDED"
    ),
    RulebookAdopted: lambda event: named(
        event, "EVENT_RULEBOOK_ADOPTED_DEPARTING" if event.departures else None
    ),
}
