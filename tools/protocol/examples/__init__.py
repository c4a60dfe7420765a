"""An example of everything that has a `type` on the wire, from one afternoon at one table."""

import msgspec
from msgspec import Struct

from taisai.core.kernel.registry import COMMANDS, EVENTS
from taisai.server.http.frame.openapi import example_of as made_example
from tools.protocol.examples.asked import ASKED
from tools.protocol.examples.commanded import COMMANDED
from tools.protocol.examples.happened import HAPPENED
from tools.protocol.examples.shown import SHOWN
from tools.protocol.examples.told import TOLD

_BY_HAND: dict[type, Struct] = {
    type(each): each for each in (*COMMANDED, *HAPPENED, *SHOWN, *ASKED, *TOLD)
}
#: Examples that are not written by hand are made from their type.
EXAMPLES: dict[type, Struct] = _BY_HAND | {
    cls: msgspec.convert(made_example(cls), cls)
    for cls in (*COMMANDS, *EVENTS)
    if cls not in _BY_HAND
}


def example_of(cls: type) -> Struct | None:
    """Give the example of a type, if it has one."""
    return EXAMPLES.get(cls)
