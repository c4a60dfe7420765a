"""Groups of roles that commands name, and the roles that a person on the staff may have.

The software knows one role `supervisor`; each rulebook gives it the title its document uses.
"""

from taisai.core.kernel.messages import Role

Roles = tuple[Role, ...]

PLACING: Roles = ("dealer", "supervisor", "pit-manager")
DEALING: Roles = (*PLACING, "system")
PIT: Roles = ("supervisor", "pit-manager", "shift-manager")
PIT_AND_DEALER: Roles = ("dealer", *PIT)
PIT_AND_CAGE: Roles = ("cage", *PIT)
MANAGERS: Roles = ("pit-manager", "shift-manager")
STAFFING: Roles = ("shift-manager", "technician")

#: Roles that are no persons: a rulebook's people rules do not apply to them.
NO_PERSON: Roles = ("terminal", "device", "system")

#: The roles that a person on the staff may have.
STAFF_ROLES: Roles = (*PIT_AND_DEALER, "cage", "technician", "auditor")
