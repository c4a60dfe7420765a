"""The limits and close codes of the page, read from the program."""

from taisai.core.kernel.approvals import EXPIRES_AFTER_MS
from taisai.core.rules.money import AMOUNT_MAX
from taisai.core.table.betting import BATCH_MAX
from taisai.protocol import FRAME_MAX, MESSAGES_MAX
from taisai.runtime.answers import AHEAD_MS, ID_MAX, IDS_KEPT_MS
from taisai.server.console import feed
from taisai.server.live import admission, channels, connection, hub, seats, sockets
from taisai.server.settings import Settings

_MINUTE_MS = 60_000


def limits() -> str:
    """Write the table of limits."""
    assert AMOUNT_MAX == 10**24, "the page says so in words"
    settings = Settings.__dataclass_fields__
    steady, burst = settings["commands_per_second"].default, settings["commands_burst"].default
    rows = (
        ("a frame, from either side", f"{FRAME_MAX:,} bytes"),
        ("messages in a frame", f"{MESSAGES_MAX}"),
        ("messages a second of one connection", f"{steady:g}, and {burst} at once"),
        ("bytes of a frame that are charged like a message", f"{connection.CHARGED_BYTES:,}"),
        (
            "a frame of a visitor, or before it is known who it is",
            f"{connection.STRANGE_FRAME_MAX:,} bytes",
        ),
        ("tables that one connection watches", f"{admission.WATCHED_MAX}"),
        ("bets in one `PlaceBets`", f"{BATCH_MAX}"),
        ("an id", f"{ID_MAX} printable ASCII characters"),
        ("how far an id's time may be ahead of the venue's", f"{AHEAD_MS // 1000} seconds"),
        ("how long an id is known", f"{IDS_KEPT_MS // _MINUTE_MS} minutes"),
        ("how long a command waits for its second person", f"{EXPIRES_AFTER_MS // 1000} seconds"),
        ("until the `Hello` must have come", f"{sockets.HELLO_SECONDS:g} seconds"),
        ("how long a client may be silent", f"{sockets.SILENT_SECONDS:g} seconds"),
        (
            "how long a client may take nothing of what it is sent",
            f"{sockets.SLOW_SECONDS:g} seconds",
        ),
        ("until a terminal that is away counts as lost", f"{hub.GRACE_SECONDS:g} seconds"),
        (
            "messages stored of a public channel, for those who come back",
            f"{channels.RECENT_STORED}",
        ),
        ("messages stored of a private channel, for the same", f"{seats.STORED}"),
        ("changes of a table's `totals` alone", f"{1 / channels.TOTALS_SECONDS:g} a second"),
        ("`Steps` of a table", f"{1 / feed.STEPS_SECONDS:g} a second"),
        ("`Exposure` of a table", f"{1 / feed.EXPOSURE_SECONDS:g} a second"),
    )
    lines = [f"| {what} | {how_much} |" for what, how_much in rows]
    return "\n".join(["| what | at most |", "|---|---|", *lines]) + "\n"


def closing() -> str:
    """Write the table of close codes."""
    rows = (
        (connection.BAD_MESSAGE, "what was said is no message of the protocol", "mend the client"),
        (
            connection.REPLACED,
            "the same terminal has connected anew",
            "do not come back: somebody else has the terminal's key, or it is you",
        ),
        (
            connection.NOT_LET_IN,
            "no `Hello` in time, a wrong key, or a session that is over",
            "log in, or have the terminal given a key",
        ),
        (connection.TOO_SLOW, "nothing was read, or nothing heard, for too long", "come back"),
        (connection.TOO_MANY, "more is watched than one connection may", "watch less"),
        (1009, "a frame was too long", "send less at once"),
        (1012, "the venue stops, or starts again", "come back in a few seconds"),
        (
            connection.TRY_LATER,
            "there is no room (`NO_ROOM`), or far too much was sent (`TOO_FAST`)",
            "come back later",
        ),
    )
    lines = [f"| {code} | {why} | {then} |" for code, why, then in rows]
    return "\n".join(["| code | why | what to do |", "|---|---|---|", *lines]) + "\n"
