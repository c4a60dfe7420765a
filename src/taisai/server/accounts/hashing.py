"""Verifiers of passwords and PINs: argon2id, off the loop, and only a limited number at a time.

Each verification takes tens of megabytes and a tenth of a second on purpose. A small pool of
threads does them; a caller that would wait behind too many others is refused, so that a flood of
log-ins neither uses up the memory nor keeps the tables from their cores. PINs of people who are
logged in have room that a flood of strangers cannot take.
"""

import asyncio
import base64
import logging
import os
import secrets
import sys
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError
from msgspec import Struct

_T = TypeVar("_T")

_log = logging.getLogger(__name__)

#: Verifications at a time: each has a thread, and the memory of its cost.
WORKERS = 2
#: The niceness of verifications, so that everything else comes first.
NICE = 10
#: Strangers' log-ins that may be under way or wait.
STRANGERS_MAX = 16
#: Verifications of people who are logged in, or have a code, that may be under way or wait besides.
KNOWN_MAX = 16

_SALT_BYTES, _HASH_BYTES = 16, 32


class Cost(Struct, frozen=True):
    """The cost of one verification, for the venue and for a thief with a stolen verifier."""

    memory_kib: int
    passes: int
    lanes: int = 1


#: Twice the passes that OWASP requires at this memory; one lane, so that it takes one core.
COST = Cost(memory_kib=46 * 1024, passes=2)


class HashingBusyError(Exception):
    """Too many verifications wait already."""


def _step_back() -> None:
    """Have this thread wait for a processor behind those that take bets, if there are few."""
    if sys.platform == "linux":
        os.sched_setscheduler(threading.get_native_id(), os.SCHED_BATCH, os.sched_param(0))
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


class Hashing:
    """Makes and checks verifiers in threads of its own; ended by `close`."""

    def __init__(self, cost: Cost = COST) -> None:
        self._hasher = PasswordHasher(
            time_cost=cost.passes,
            memory_cost=cost.memory_kib,
            parallelism=cost.lanes,
            hash_len=_HASH_BYTES,
            salt_len=_SALT_BYTES,
        )
        self._pool = ThreadPoolExecutor(WORKERS, "hashing", _step_back)
        self._nobodys = _verifier_of_nobody(cost)
        self._lock = threading.Lock()
        #: Verifications under way or waiting: those of strangers, and all.
        self._strangers = 0
        self._all = 0
        #: Verifications begun so far.
        self.verified = 0

    async def verify(self, verifier: str | None, secret: str, *, stranger: bool) -> bool:
        """Check a secret; without a verifier the check takes the same time and fails."""
        found = verifier or self._nobodys
        right = await self._run(stranger, self._verify, found, secret)
        return right and verifier is not None

    async def make(self, secret: str) -> str:
        """Make the verifier of a new secret."""
        return await self._run(False, self._hasher.hash, _bytes_of(secret))

    def outdated(self, verifier: str) -> bool:
        """Say whether a verifier was made at another cost than the present one."""
        return self._hasher.check_needs_rehash(verifier)

    def close(self) -> None:
        """End the threads; callers that still wait get no answer."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _verify(self, verifier: str, secret: str) -> bool:
        with self._lock:
            self.verified += 1
        try:
            return self._hasher.verify(verifier, _bytes_of(secret))
        except VerifyMismatchError:
            return False
        except (InvalidHashError, VerificationError):
            _log.exception("a verifier cannot be read; it is taken for one that does not match")
            return False

    async def _run(self, stranger: bool, work: Callable[..., _T], *given: object) -> _T:
        self._enter(stranger)

        def leave(_: Future[_T]) -> None:
            # Not when the waiting ends: the work goes on after a caller that hangs up.
            self._leave(stranger)

        try:
            future = self._pool.submit(work, *given)
        except RuntimeError as error:
            self._leave(stranger)
            raise HashingBusyError from error
        future.add_done_callback(leave)
        return await asyncio.wrap_future(future)

    def _enter(self, stranger: bool) -> None:
        with self._lock:
            if self._all >= STRANGERS_MAX + KNOWN_MAX:
                raise HashingBusyError
            if stranger and self._strangers >= STRANGERS_MAX:
                raise HashingBusyError
            self._all += 1
            self._strangers += stranger

    def _leave(self, stranger: bool) -> None:
        with self._lock:
            self._all -= 1
            self._strangers -= stranger


def _bytes_of(secret: str) -> bytes:
    """Write a secret as bytes, the same from every keyboard."""
    return unicodedata.normalize("NFKC", secret).encode("utf-8", "surrogatepass")


def _verifier_of_nobody(cost: Cost) -> str:
    """Make a verifier that matches no known secret, at the usual cost."""
    salt, hash_ = (
        base64.b64encode(secrets.token_bytes(size)).decode().rstrip("=")
        for size in (_SALT_BYTES, _HASH_BYTES)
    )
    costs = f"m={cost.memory_kib},t={cost.passes},p={cost.lanes}"
    return f"$argon2id$v=19${costs}${salt}${hash_}"
