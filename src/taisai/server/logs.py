"""The log of a running venue on standard error: one JSON object in a line, or a line for people.

All messages go this way, the web server's own too. No password of a database is in it.
"""

import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, Literal, TextIO

import msgspec

from taisai.core.rules.reason import printable
from taisai.runtime.journal.location import without_passwords

LogFormat = Literal["text", "json"]
#: A longer message is cut: it may quote what a client sent.
MESSAGE_MAX = 8_192
#: No more than this of a text is even read.
LOOKED_AT_MAX = 65_536
#: These log at length what only their authors want to know.
_QUIET = (
    *("asyncio", "httpx", "httpcore", "picows", "uvicorn.access", "uvicorn.error"),
    # Each connect and disconnect, with the numbers of the socket.
    "taisai.server.live.joining",
)
#: The loggers of the web server, which would otherwise write by themselves.
_ROUTED = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi", "litestar")
#: The attributes of every record; all others are fields of the message.
_USUAL = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "color_message"}

_encode = msgspec.json.Encoder(enc_hook=str).encode


def set_up(
    form: LogFormat = "text", stream: TextIO | None = None, level: int = logging.INFO
) -> logging.Handler:
    """Have all logs written to standard error in one form; give the handler that does it."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_JsonLines() if form == "json" else _TextLines())
    root = logging.getLogger()
    for before in [*root.handlers]:
        if isinstance(before.formatter, _JsonLines | _TextLines):
            root.removeHandler(before)
    root.addHandler(handler)
    root.setLevel(level)
    for name in _ROUTED:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    # It warns of every connection that it cannot restore yet: the journal says once what is lost.
    logging.getLogger("asyncpg.pool").setLevel(logging.ERROR)
    # Without this the interpreter writes warnings beside the log, in a form of its own.
    logging.captureWarnings(capture=True)
    return handler


def form_in_use() -> LogFormat:
    """Say in which form logs are written, for another process of the venue."""
    forms = [handler.formatter for handler in logging.getLogger().handlers]
    return "json" if any(isinstance(each, _JsonLines) for each in forms) else "text"


def _message(record: logging.LogRecord) -> str:
    return _cut(record.getMessage())


def _cut(text: str) -> str:
    """Shorten a text, without the passwords in it.

    If the cut could be inside an address, the rest of the last word is left out too.
    """
    if len(text) > LOOKED_AT_MAX:
        text = text[:LOOKED_AT_MAX].rpartition(" ")[0] or "…"
    return without_passwords(text)[:MESSAGE_MAX]


def _trouble(record: logging.LogRecord) -> str | None:
    """Write the exception of a record, if it has one; it is for the log only."""
    if not record.exc_info or record.exc_info[0] is None:
        return None
    lines = traceback.format_exception(*record.exc_info)
    return "".join(without_passwords(line[:LOOKED_AT_MAX]) for line in lines)


def _at(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


class _JsonLines(logging.Formatter):
    """One JSON object in a line: time, level, logger, message, fields, and the exception."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": _at(record).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        fields = {name: value for name, value in record.__dict__.items() if name not in _USUAL}
        if fields:
            line["fields"] = {name: _plain(value) for name, value in fields.items()}
        trouble = _trouble(record)
        if trouble is not None:
            line["raised"] = trouble
        return _encode(line).decode()


def _plain(value: Any) -> Any:
    """Write a field as JSON; a type that JSON does not have, as text."""
    if isinstance(value, bool | int | float | None):
        return value
    return _cut(str(value))


class _TextLines(logging.Formatter):
    """One line for people, and below it the exception."""

    def format(self, record: logging.LogRecord) -> str:
        level = "" if record.levelno <= logging.INFO else f"{record.levelname.lower()}: "
        line = f"{_at(record):%H:%M:%S} {level}{printable(_message(record))}"
        trouble = _trouble(record)
        return line if trouble is None else f"{line}\n{trouble.rstrip()}"
