"""Sentences of those events of venue and cage that have several, or a choice of them."""

from collections.abc import Callable, Iterator
from typing import Any

from taisai.core.cage.vouchers import VoucherTermsSet
from taisai.core.kernel.messages import Event
from taisai.core.rules.reason import Reason
from taisai.core.venue.alerts import AlertAcknowledged, AlertAssigned
from taisai.core.venue.setup import DealerChanged, TablePlaced, VenueOpened
from taisai.projections.filling import named
from taisai.wording import words

OF_VENUE: dict[type[Event], Callable[[Any], Reason]] = {
    VenueOpened: lambda event: named(event, "EVENT_DEMO_OPENED" if event.demo else None),
    DealerChanged: lambda event: named(
        event, None if event.automatic else "EVENT_DEALER_CHANGED_PERSON"
    ),
    TablePlaced: lambda event: (
        named(event, "EVENT_TABLE_PLACED_NOWHERE")
        if event.place is None
        else named(event, column=event.place[0], row=event.place[1])
    ),
    VoucherTermsSet: lambda event: named(
        event, "EVENT_VOUCHER_TERMS_SET_ALONE" if event.approve_above is None else None
    ),
}


def _alert(event: AlertAcknowledged | AlertAssigned) -> Iterator[Reason]:
    """Say what a person did about an alert, and what the alert said."""
    taken = isinstance(event, AlertAssigned) and event.person == event.by
    yield named(event, "EVENT_ALERT_TAKEN" if taken else None)
    if event.reason.code in words("en")["sentences"]:
        yield event.reason


OF_ALERTS: dict[type[Event], Callable[[Any], Iterator[Reason]]] = {
    AlertAcknowledged: _alert,
    AlertAssigned: _alert,
}
