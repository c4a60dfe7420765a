"""Who of the staff may see what, and stand where: groups of roles named by what they are for.

Which commands they may give the registry says; here is who may look, over HTTP and the socket. The
screens have those that they need from here, by `tools/protocol/declared.py`.
"""

from taisai.core.kernel.roles import MANAGERS, PIT, PIT_AND_DEALER, PLACING, Roles

#: Who stands at a Game Console, or is called to one.
AT_THE_CONSOLE: Roles = PIT_AND_DEALER
#: Who may have a table dealt by a person, or by the automatic dealer.
MAY_DEAL: Roles = PLACING
#: Who is sent what happens at a table, and may see what it still wants to open.
WATCH_TABLES: Roles = (*PIT_AND_DEALER, "technician", "auditor")

#: Who may see the pit: its tables, their figures and gaming days.
SEE_PIT: Roles = (*PIT, "auditor")
#: Who may see terminals and nodes, and is sent what the pit is to know.
SEE_MACHINES: Roles = (*SEE_PIT, "technician")
#: Who may see the drawer, and is sent what happens at the cage.
SEE_CAGE: Roles = ("cage", *SEE_PIT)
#: Who may list the vouchers that are out.
SEE_VOUCHERS: Roles = ("cage", "shift-manager", "auditor")
#: Who may see who is on the staff and what is on the floor, and is sent what happens to the venue.
SEE_VENUE: Roles = (*MANAGERS, "technician", "auditor")
#: Who may see the figures of the machine.
SEE_METRICS: Roles = ("technician", "auditor")

#: Who may look through the journal and have it verified, the likeliest first.
AUDIT: Roles = ("auditor", "shift-manager")
#: Who may take views of it away.
EXPORT: Roles = (*AUDIT, "pit-manager")
#: Who may read a round in full.
SEE_ROUNDS: Roles = (*EXPORT, "supervisor")

#: Who may take up again what is suspended.
RESUME: Roles = ("technician", "pit-manager")


def counts(role: str) -> bool:
    """Say whether somebody in a role may count drawer, rack or drop box, alone or as the second.

    They are told what the books say of what they count only once it is counted; an auditor, who
    counts nothing, is told always.
    """
    return role != "auditor"
