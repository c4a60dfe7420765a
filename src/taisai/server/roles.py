"""Which roles of the staff may see what, over HTTP and the socket: groups named by their purpose.

Which commands a role may give is in the registry. The groups that the screens need are taken from
here by `tools/protocol/declared.py`.
"""

from taisai.core.kernel.roles import MANAGERS, PIT, PIT_AND_DEALER, PLACING, Roles

#: Who works at a Game Console, or is called to one.
AT_THE_CONSOLE: Roles = PIT_AND_DEALER
#: Who may have a table dealt by a person, or by the automatic dealer.
MAY_DEAL: Roles = PLACING
#: Who is sent the events of a table, and may see what it still lacks before it opens.
WATCH_TABLES: Roles = (*PIT_AND_DEALER, "technician", "auditor")

#: Who may see the pit: its tables, their figures and gaming days.
SEE_PIT: Roles = (*PIT, "auditor")
#: Who may see terminals and nodes, and is sent the pit's notices.
SEE_MACHINES: Roles = (*SEE_PIT, "technician")
#: Who may see the drawer, and is sent the events of the cage.
SEE_CAGE: Roles = ("cage", *SEE_PIT)
#: Who may list the outstanding vouchers.
SEE_VOUCHERS: Roles = ("cage", "shift-manager", "auditor")
#: Who may see the staff and the floor, and is sent the events of the venue.
SEE_VENUE: Roles = (*MANAGERS, "technician", "auditor")
#: Who may see the figures of the machine.
SEE_METRICS: Roles = ("technician", "auditor")

#: Who may look through the journal and have it verified, the likeliest first.
AUDIT: Roles = ("auditor", "shift-manager")
#: Who may export views of it.
EXPORT: Roles = (*AUDIT, "pit-manager")
#: Who may read a round in full.
SEE_ROUNDS: Roles = (*EXPORT, "supervisor")

#: Who may resume a suspended stream.
RESUME: Roles = ("technician", "pit-manager")


def counts(role: str) -> bool:
    """Say whether a role may count drawer, rack or drop box, alone or as the second person.

    A person who counts is shown the books' figure only after the count; an auditor, who counts
    nothing, is always shown it.
    """
    return role != "auditor"
