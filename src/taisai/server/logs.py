"""What a running venue writes to standard error: a JSON object a line, or a line for people.

Everything goes one way, the web server's own messages too. No password of a database is in it.
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
#: A message is cut here: it may quote what somebody sent.
MESSAGE_MAX = 8_192
#: More than this of anything is not even looked at.
LOOKED_AT_MAX = 65_536
#: These say at length what only their makers want to know.
_QUIET = (
    *("asyncio", "httpx", "httpcore", "picows", "uvicorn.access", "uvicorn.error"),
    # Every connection that comes and goes, by the numbers of its socket.
    "taisai.server.live.joining",
)
#: The web server's own, which would otherwise write by themselves.
_ROUTED = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi", "litestar")
#: What every record has; the rest are fields that the message was given.
_USUAL = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "color_message"}

_encode = msgspec.json.Encoder(enc_hook=str).encode


def set_up(
    form: LogFormat = "text", stream: TextIO | None = None, level: int = logging.INFO
) -> logging.Handler:
    """Have everything written to standard error in one form; gives the handler that does it."""
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
    # Without this the interpreter writes warnings beside the log, in a form of its own.
    logging.captureWarnings(capture=True)
    return handler


def form_in_use() -> LogFormat:
    """Say in which form everything is written, for a process beside this one."""
    forms = [handler.formatter for handler in logging.getLogger().handlers]
    return "json" if any(isinstance(each, _JsonLines) for each in forms) else "text"


def _message(record: logging.LogRecord) -> str:
    return _cut(record.getMessage())


def _cut(text: str) -> str:
    """Shorten a text, without the passwords in it.

    Where so much is cut off that an address could be, what is left of the last word goes too.
    """
    if len(text) > LOOKED_AT_MAX:
        text = text[:LOOKED_AT_MAX].rpartition(" ")[0] or "…"
    return without_passwords(text)[:MESSAGE_MAX]


def _trouble(record: logging.LogRecord) -> str | None:
    """Say what was raised, where the record has it; that is for the log, and for nobody else."""
    if not record.exc_info or record.exc_info[0] is None:
        return None
    lines = traceback.format_exception(*record.exc_info)
    return "".join(without_passwords(line[:LOOKED_AT_MAX]) for line in lines)


def _at(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


class _JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, fields, and what was raised."""

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
    """Write a field as JSON has it; whatever that does not have, as text."""
    if isinstance(value, bool | int | float | None):
        return value
    return _cut(str(value))


class _TextLines(logging.Formatter):
    """One line for people, and below it what was raised."""

    def format(self, record: logging.LogRecord) -> str:
        level = "" if record.levelno <= logging.INFO else f"{record.levelname.lower()}: "
        line = f"{_at(record):%H:%M:%S} {level}{printable(_message(record))}"
        trouble = _trouble(record)
        return line if trouble is None else f"{line}\n{trouble.rstrip()}"
