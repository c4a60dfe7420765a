"""The people of the tests: one for each role."""

from taisai.core.kernel.messages import Actor, Role

PEOPLE: dict[Role, str] = {
    "dealer": "dan",
    "supervisor": "sue",
    "pit-manager": "pat",
    "shift-manager": "sam",
    "cage": "cat",
    "technician": "tom",
    "auditor": "aud",
    "terminal": "7",
    "device": "tumbler",
    "system": "venue",
}


def actor(role: Role, person: str | None = None) -> Actor:
    """Give the actor of a role, or another person in it."""
    return Actor(person or PEOPLE[role], role)


DEALER = actor("dealer")
SUPERVISOR = actor("supervisor")
PIT = actor("pit-manager")
TECHNICIAN = actor("technician")
CASHIER = actor("cage")
#: The cashier with the drawer in tests in which the other cashier only sells.
OPENER = actor("cage", "cora")
