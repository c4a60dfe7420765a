"""An example of everything that has a `type` on the wire, from one afternoon at one table."""

from typing import Any

import msgspec
from msgspec import Struct

from taisai.core.kernel.registry import COMMANDS, EVENTS
from tools.protocol.examples.asked import ASKED
from tools.protocol.examples.commanded import COMMANDED
from tools.protocol.examples.happened import HAPPENED
from tools.protocol.examples.shown import SHOWN
from tools.protocol.examples.told import TOLD

#: What fields of these names hold in an example that nobody wrote by hand.
_USUAL = {
    "by": "dan",
    "note": "A new fuse.",
    "round": 41,
    "seat": "3",
    "terminal": "7",
    "clause": "3.7",
}
_ANY: dict[type, Any] = {
    msgspec.inspect.StrType: "…",
    msgspec.inspect.IntType: 1,
    msgspec.inspect.BoolType: True,
}


def _plain(cls: type[Struct]) -> Struct:
    """Make an example of a message whose fields are plain, so that nobody has to write it."""
    needed = [field for field in msgspec.structs.fields(cls) if field.required]
    values = {
        field.name: _USUAL.get(field.name, _ANY.get(type(msgspec.inspect.type_info(field.type))))
        for field in needed
    }
    return msgspec.convert(values, cls)


_BY_HAND: dict[type, Struct] = {
    type(each): each for each in (*COMMANDED, *HAPPENED, *SHOWN, *ASKED, *TOLD)
}
EXAMPLES: dict[type, Struct] = _BY_HAND | {
    cls: _plain(cls) for cls in (*COMMANDS, *EVENTS) if cls not in _BY_HAND
}


def example_of(cls: type) -> Struct | None:
    """Give the example of a type, if it has one."""
    return EXAMPLES.get(cls)
