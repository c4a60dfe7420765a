"""The protocol of the live venue, as types: what goes over the socket in either direction.

A text frame holds one or more messages, each a JSON object on a line of its own, each with its
`type`. The server and every client are written against these pages; the JSON Schema, the TypeScript
types and the protocol page are generated from them. There is no transport here.
"""

from collections.abc import Sequence

#: Counted up when a message changes in a way that an older client would trip over.
PROTOCOL = 1
#: A frame may not be longer, from either side; a table's snapshot with 107 boxes takes a tenth.
FRAME_MAX = 64 * 1024
#: Messages that one frame may hold.
MESSAGES_MAX = 64


def frames_of(messages: Sequence[bytes]) -> Sequence[bytes]:
    """Join messages into frames, none longer than a frame may be unless a message alone is."""
    joined = b"\n".join(messages)
    if len(joined) <= FRAME_MAX and len(messages) <= MESSAGES_MAX:
        return (joined,) if messages else ()
    frames: list[list[bytes]] = []
    size = FRAME_MAX
    for message in messages:
        if size + len(message) >= FRAME_MAX or len(frames[-1]) >= MESSAGES_MAX:
            frames.append([])
            size = 0
        frames[-1].append(message)
        size += len(message) + 1
    return [b"\n".join(each) for each in frames]
