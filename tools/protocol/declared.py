"""The declarations that the screens need: events after which to reload figures, and roles.

They are read from the registry and the groups of roles, so that the screens have no list of their
own.
"""

import json
from collections.abc import Iterable

from taisai.core.kernel.registry import EVENTS, EventSpec
from taisai.core.kernel.roles import MANAGERS, PIT, STAFFING, Roles
from taisai.core.venue.alerts import GIVE_ALERTS
from taisai.server import roles
from tools.protocol.typescript import HEAD, comment

#: Groups of roles that the screens use, and the purpose of each.
_ROLES: tuple[tuple[str, Roles, str], ...] = (
    ("PIT", PIT, "Supervisors and managers."),
    ("MANAGERS", MANAGERS, "Who asks for what a house goes by; somebody else agrees."),
    ("STAFFING", STAFFING, "Who asks for people to be taken on; somebody else agrees."),
    ("AT_THE_CONSOLE", roles.AT_THE_CONSOLE, "Who stands at a Game Console, or is called to one."),
    ("SEE_PIT", roles.SEE_PIT, "Who may see the pit: its tables, their figures and gaming days."),
    ("SEE_VENUE", roles.SEE_VENUE, "Who may see who is on the staff and what is on the floor."),
    ("AUDIT", roles.AUDIT, "Who may look through the journal, the likeliest first."),
    ("EXPORT", roles.EXPORT, "Who may take views of it away."),
    ("SEE_ROUNDS", roles.SEE_ROUNDS, "Who may read a round in full."),
    ("RESUME", roles.RESUME, "Who may take up again what is suspended."),
    ("GIVE_ALERTS", GIVE_ALERTS, "Who may give an alert to somebody else; others take it."),
)


def declared_page() -> str:
    """Write the declarations as constants."""
    events = sorted(kind.__name__ for kind, spec in EVENTS.items() if _is_shown(spec))
    said = "Events after which the pit or the drawer is shown something else."
    parts = [
        HEAD,
        'import type { AnyEvent, Role } from "./protocol.ts";\n',
        _constant("SHOWN_EVENTS", 'AnyEvent["type"]', said, events),
        *(_constant(name, "Role", meaning, group) for name, group, meaning in _ROLES),
    ]
    return "\n".join(parts)


def _is_shown(spec: EventSpec) -> bool:
    """Say whether figures are reloaded after an event; a sometimes significant one is play."""
    return spec.significant is True or spec.shown


def _constant(name: str, kind: str, meaning: str, values: Iterable[str]) -> str:
    lines = "".join(f"  {json.dumps(each)},\n" for each in values)
    return f"{comment(meaning)}export const {name}: readonly {kind}[] = [\n{lines}];\n"
