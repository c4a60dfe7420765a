"""A rulebook played outside its approval, forged: the auditor finds it by itself [D30]."""

from typing import Any

import pytest

from taisai.core.kernel.messages import Equipment
from taisai.core.table.approval import (
    AdoptDepartures,
    DeparturesAdopted,
    DeparturesSet,
    SetDepartures,
)
from taisai.core.table.setup import AdoptRulebook, CreateTable, RulebookAdopted, TableCreated
from taisai.core.table.state import Departure
from taisai.rulebooks import rulebook
from taisai.runtime.auditor import AuditError, Auditor
from tests.simulated.forging import edit
from tests.simulated.recorded import Decided, RecordedTable

RWS = "Resorts World at Sentosa"
WRITTEN = (Departure("ts6", "form", "the Authority", "L-2"),)
BY_TWO = (Departure("ts6", "dice", "the Authority", "L-3"),)


def audit(decisions: list[Decided]) -> None:
    """Show decisions to a new auditor of a venue in Singapore dollars."""
    auditor = Auditor()
    auditor.venue.currency = "SGD"
    for decided in decisions:
        auditor.observe(*decided)


def departing() -> list[Decided]:
    """Let a house adopt, by a written departure, a rulebook for chips at its terminals."""
    table = RecordedTable("ts6/2")
    table.does("system", CreateTable("T1", "SGD", Equipment("simulated"), operator=RWS))
    table.does("system", SetDepartures(WRITTEN))
    table.agrees("pit-manager", AdoptDepartures(BY_TWO), "supervisor")
    canonical = rulebook("ts6").canonical.decode()
    table.agrees("pit-manager", AdoptRulebook(canonical, 2), "supervisor")
    return table.seen


def forged(kind: type, **fields: Any) -> list[Decided]:
    """Change the events of one kind."""
    return [
        each._replace(
            events=tuple(
                edit(event, **fields) if isinstance(event, kind) else event for event in each.events
            )
        )
        for each in departing()
    ]


def test_a_rulebook_adopted_by_a_written_departure_is_well() -> None:
    audit(departing())


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        (DeparturesSet, {"departures": ()}, "ts6 is not approved for it: form"),
        (
            DeparturesSet,
            {"departures": (Departure("ts6", "form", " ", "L-2"),)},
            "a departure that nobody approved, or without its paper",
        ),
        (DeparturesAdopted, {"departures": ()}, "departures adopted are not those agreed to"),
        (DeparturesAdopted, {"by": "dan"}, "departures are laid to others than those who agreed"),
        (TableCreated, {"operator": "Another House"}, "ts6 is not approved for it: operator"),
        (TableCreated, {"operator": None}, "which is not written so"),
        (RulebookAdopted, {"departures": ()}, "which is not written so"),
    ],
)
def test_a_departure_that_is_not_written_is_caught(
    kind: type, fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(AuditError, match=said):
        audit(forged(kind, **fields))
