"""A small typed client of a live venue.

    async with connect("http://127.0.0.1:8888", terminal=key) as live:
        table = await live.watch(key.table)
        await live.until(lambda: table.taking_bets)
        answer = await live.place({"small": 1000})

It reconnects by itself when a connection is lost, goes on where it was, and sends unanswered
commands again with the same id. It knows the protocol and nothing of how a venue works.
"""

from taisai.extras import require

require("a client of a live venue", "server")

from taisai.client.failures import (
    Backoff as Backoff,
)
from taisai.client.failures import (
    ClientError as ClientError,
)
from taisai.client.failures import (
    HttpProblem as HttpProblem,
)
from taisai.client.failures import (
    NotAllowed as NotAllowed,
)
from taisai.client.failures import (
    NotAnswered as NotAnswered,
)
from taisai.client.failures import (
    NotConnected as NotConnected,
)
from taisai.client.failures import (
    NotReceived as NotReceived,
)
from taisai.client.failures import (
    NotWelcome as NotWelcome,
)
from taisai.client.link import Link as Link
from taisai.client.live import (
    Live as Live,
)
from taisai.client.live import (
    LiveTable as LiveTable,
)
from taisai.client.live import (
    Missed as Missed,
)
from taisai.client.live import (
    connect as connect,
)
from taisai.protocol.client_messages import TerminalKey as TerminalKey
from taisai.protocol.views import PositionView as PositionView
