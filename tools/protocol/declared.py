"""What the screens must know of declarations: after which events something else is to be shown.

It is read off the registry, so that a new event is in no list by hand.
"""

import json
from collections.abc import Iterable

from taisai.core.kernel.registry import EVENTS, EventSpec
from tools.protocol.typescript import HEAD, comment


def declared_page() -> str:
    """Write what is declared, as constants."""
    events = sorted(kind.__name__ for kind, spec in EVENTS.items() if _is_shown(spec))
    said = "Events after which the pit or the drawer is shown something else."
    return "\n".join([HEAD, _constant("SHOWN_EVENTS", said, events)])


def _is_shown(spec: EventSpec) -> bool:
    """Say whether figures are to be asked for again; what stands out at times is play."""
    return spec.significant is True or spec.shown


def _constant(name: str, meaning: str, values: Iterable[str]) -> str:
    lines = "".join(f"  {json.dumps(each)},\n" for each in values)
    return f"{comment(meaning)}export const {name} = [\n{lines}] as const;\n"
