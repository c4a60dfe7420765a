"""One-time codes, with which somebody on the staff sets a password and a PIN."""

from pathlib import Path

from taisai.core.kernel.messages import Instant
from taisai.server.accounts.credentials import Code, Credentials, hash_of
from taisai.server.accounts.rules import new_code, plain_code

#: How long a one-time code is good for.
CODE_MS = 24 * 3_600_000


def make_code(now: Instant) -> tuple[str, Code]:
    """Make a code, to be shown once, and what is kept of it."""
    code = new_code()
    return code, Code(hash_of(plain_code(code)), now + CODE_MS)


def code_while_stopped(file: Path, person: str, now: Instant) -> tuple[str, Instant]:
    """Make a code for somebody put on the staff while the venue is not at work.

    It is good for nothing unless the person is on the staff when the venue is at work again; tells
    until when.
    """
    code, kept = make_code(now)
    credentials = Credentials.open(file)
    try:
        credentials.set_code(person, kept)
    finally:
        credentials.close()
    return code, kept.expires
