"""An example of everything that has a `type` on the wire, from one afternoon at one table."""

from msgspec import Struct

from tools.protocol.examples.asked import ASKED
from tools.protocol.examples.commanded import COMMANDED
from tools.protocol.examples.happened import HAPPENED
from tools.protocol.examples.shown import SHOWN
from tools.protocol.examples.told import TOLD

EXAMPLES: dict[type, Struct] = {
    type(each): each for each in (*COMMANDED, *HAPPENED, *SHOWN, *ASKED, *TOLD)
}


def example_of(cls: type) -> Struct | None:
    """Give the example of a type, if it has one."""
    return EXAMPLES.get(cls)
