"""Machines that wait to become a Player Terminal: each shows a code, and gets its key by it.

A technician reads the code off the screen and enters it for the terminal that the machine is to be.
The key is sent to the machine only, and shown to nobody. All of this is in memory: after a restart
a machine shows another code.
"""

import hmac
import secrets
from collections import OrderedDict

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.protocol.client_messages import TerminalKey
from taisai.server.accounts.credentials import ALPHABET, hash_of, plain_code

#: Machines that wait at a time; beyond that, the one silent longest has to show another code.
WAITING_MAX = 500
#: A machine asks every other second; one that has not for so long is gone.
SILENT_MS = 60_000
_GROUP, _GROUPS = 3, 2


class _Waiting(Struct):
    """A machine that waits: the hash of its secret, when it last asked, and its key."""

    secret: bytes
    asked: Instant
    key: TerminalKey | None = None


class Enrolments:
    """The machines that wait, by their codes; the one silent longest is dropped first."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, _Waiting] = OrderedDict()

    def begin(self, now: Instant) -> tuple[str, str]:
        """Add a machine, and give the code that it shows and the secret that it asks with."""
        self._forget(now)
        if len(self._waiting) >= WAITING_MAX:
            self._waiting.popitem(last=False)
        code, secret = self._new_code(), secrets.token_urlsafe(32)
        self._waiting[plain_code(code)] = _Waiting(hash_of(secret), now)
        return code, secret

    def waits(self, code: str, now: Instant) -> bool:
        """Say whether a machine shows a code now, and has no key yet."""
        self._forget(now)
        found = self._waiting.get(plain_code(code))
        return found is not None and found.key is None

    def give(self, code: str, key: TerminalKey) -> bool:
        """Store the key for the machine that shows a code, which asks for it; False if it left."""
        found = self._waiting.get(plain_code(code))
        if found is None:
            return False
        found.key = key
        return True

    def ask(self, code: str, secret: str, now: Instant) -> tuple[bool, TerminalKey | None]:
        """Say whether a machine still waits, and what key it was given."""
        self._forget(now)
        plain = plain_code(code)
        found = self._waiting.get(plain)
        if found is None or not hmac.compare_digest(found.secret, hash_of(secret)):
            return False, None
        found.asked = now
        self._waiting.move_to_end(plain)
        return True, found.key

    def _forget(self, now: Instant) -> None:
        while self._waiting:
            code, oldest = next(iter(self._waiting.items()))
            if oldest.asked + SILENT_MS > now:
                return
            del self._waiting[code]

    def _new_code(self) -> str:
        while True:
            letters = [secrets.choice(ALPHABET) for _ in range(_GROUP * _GROUPS)]
            groups = ["".join(letters[at : at + _GROUP]) for at in range(0, len(letters), _GROUP)]
            code = "-".join(groups)
            if plain_code(code) not in self._waiting:
                return code
