"""The protocol of the live venue, as types: what goes over the socket in either direction.

A text frame holds one or more messages, each a JSON object on a line of its own, each with its
`type`. The server and every client are written against these pages; the JSON Schema, the TypeScript
types and the protocol page are generated from them. There is no transport here.
"""

#: Counted up when a message changes in a way that an older client would trip over.
PROTOCOL = 1
#: A frame may not be longer, from either side; a table's snapshot with 107 boxes takes a tenth.
FRAME_MAX = 64 * 1024
#: Messages that one frame may hold.
MESSAGES_MAX = 64
