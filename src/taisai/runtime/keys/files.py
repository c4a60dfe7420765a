"""Files that hold keys: written whole or not at all; secret ones readable only by their owner.

What the bytes mean is not known here. On systems without POSIX modes, modes are not checked.
"""

import hmac
import os
import secrets
import shlex
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NoReturn, SupportsIndex

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from taisai.core.errors import SentenceError


class Secret(bytes):
    """Secret bytes, to be used and never shown."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Secret(...)"

    __str__ = __repr__

    def __format__(self, format_spec: str) -> str:
        return format(repr(self), format_spec)

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        stay_here()


class Renewed(Secret):
    """The newest of several secrets, with those before it, the newest first [D39].

    The newest one seals and authenticates; what an earlier one made is still checked with that one.
    """

    earlier: tuple[Secret, ...] = ()


def renewed(secrets: Sequence[Secret]) -> Secret:
    """Take secrets in their order, the newest last."""
    newest = Renewed(secrets[-1])
    newest.earlier = tuple(reversed(secrets[:-1]))
    return newest


def every(secret: bytes) -> tuple[bytes, ...]:
    """Give a secret and its predecessors, the newest first."""
    return (secret, *(secret.earlier if isinstance(secret, Renewed) else ()))


def derived(secret: bytes, purpose: bytes) -> Secret:
    """Derive a secret for one purpose, also from each of its predecessors."""
    return renewed(
        [Secret(hmac.digest(each, purpose, "sha256")) for each in reversed(every(secret))]
    )


NONCE_BYTES = 12


def opened_by(ciphers: Sequence[ChaCha20Poly1305], sealed: bytes, bound: bytes) -> Secret | None:
    """Open bytes sealed by one of several keys, nonce first; `None` if none of them fits."""
    nonce, content = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
    for cipher in ciphers:
        with suppress(InvalidTag, ValueError):
            return Secret(cipher.decrypt(nonce, content, bound))
    return None


def stay_here() -> NoReturn:
    """Refuse to be pickled or copied."""
    raise TypeError("keys are neither pickled nor copied")


if sys.platform != "win32":
    import fcntl

POSIX = os.name == "posix"
SECRET_MODE, PUBLIC_MODE, DIRECTORY_MODE = 0o600, 0o644, 0o700
OTHERS, OTHERS_WRITE = 0o077, 0o022

#: A thousand endorsements by people with the longest names take less.
FILE_MAX = 2 * 1024 * 1024


class KeysError(SentenceError):
    """The keys cannot be used as they are; the sentence says why, and how to put it right."""


def read_file(path: Path, *, secret: bool, most: int = FILE_MAX) -> Secret:
    """Read a whole file; a secret one only if nobody else can read it."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise KeysError(f"{path} is not a file")
        if secret:
            refuse_open_to_others(path, status.st_mode)
        with path.open("rb") as file:
            # A `Secret` either way, so that a traceback never shows the bytes.
            data = Secret(file.read(most + 1))
    except FileNotFoundError:
        raise KeysError(f"{path} is missing") from None
    except (OSError, ValueError) as error:
        raise KeysError(f"{path} cannot be read: {_why(error)}") from None
    if len(data) > most:
        raise KeysError(f"{path} is over {most} bytes, and no such file is")
    return data


def refuse_open_to_others(path: Path, mode: int) -> None:
    """Refuse a secret that somebody else could read or change."""
    if POSIX and mode & OTHERS:
        raise KeysError(
            f"{path} can be read or changed by others (mode {stat.S_IMODE(mode):04o}); "
            f"run: chmod 600 {shlex.quote(str(path))}"
        )


def refuse_no_directory(directory: Path) -> None:
    """Refuse a path that is no directory, or one in which others could change the keys."""
    try:
        mode = directory.stat().st_mode
    except FileNotFoundError:
        raise KeysError(
            f"there is no directory {directory}; 'taisai keys create' makes one"
        ) from None
    except (OSError, ValueError) as error:
        raise KeysError(f"{directory} cannot be read: {_why(error)}") from None
    if not stat.S_ISDIR(mode):
        raise KeysError(f"{directory} is not a directory; keys live in a directory of their own")
    if POSIX and mode & OTHERS_WRITE:
        raise KeysError(
            f"others can change what is in {directory} (mode {stat.S_IMODE(mode):04o}); "
            f"run: chmod 700 {shlex.quote(str(directory))}"
        )


def write_file(path: Path, data: bytes, mode: int) -> None:
    """Put a file in place whole: until the end its name stands for the old content."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        write_new(beside, data, mode)
        beside.replace(path)
        sync_path(path.parent)
    except OSError as error:
        raise KeysError(f"{path} cannot be written: {_why(error)}") from None
    finally:
        with suppress(OSError):
            beside.unlink()


def write_new(path: Path, data: bytes, mode: int) -> None:
    """Write a new file, synced to disk."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as file:
        if POSIX:
            # The process's umask may have removed bits of the mode.
            path.chmod(mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_path(path: Path) -> None:
    """Sync a file, or the names in a directory, to disk."""
    if POSIX:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def put_new(beside: Path, path: Path) -> None:
    """Give a file its name; `FileExistsError` if that was taken meanwhile."""
    try:
        # Unlike a rename, this never replaces anything.
        path.hardlink_to(beside)
    except FileExistsError:
        raise
    except OSError:
        # The file system has no hard links.
        if path.exists() or path.is_symlink():
            raise FileExistsError(path) from None
        beside.rename(path)


def replace_and_erase(new: Path, old: Path) -> None:
    """Put one file in another's place, then overwrite the old one's bytes."""
    try:
        with _opened(old) as before:
            new.replace(old)
            sync_path(old.parent)
            # Only now: until the new file is in place the old one must not be lost.
            if before is not None:
                _blank(before)
    except OSError as error:
        raise KeysError(f"{new} cannot be put in the place of {old}: {_why(error)}") from None


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO | None]:
    """Hold a file open, to reach it when its name is gone; `None` if there is no file."""
    if not path.exists():
        yield None
        return
    with path.open("r+b") as file:
        yield file


def _blank(file: BinaryIO) -> None:
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    file.write(bytes(size))
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def held(place: Path, *, alone: bool, waits: bool = True) -> Iterator[None]:
    """Lock a directory of keys against changes by others, with `alone` against reading too.

    A caller that does not wait gets a `BlockingIOError` if another has the lock.
    """
    if sys.platform == "win32":
        yield
        return
    try:
        descriptor = os.open(place, os.O_RDONLY)
    except FileNotFoundError:
        raise KeysError(f"{place} is missing") from None
    except OSError as error:
        raise KeysError(f"{place} cannot be read: {_why(error)}") from None
    try:
        _lock(descriptor, place, alone=alone, waits=waits)
        yield
    finally:
        os.close(descriptor)


if sys.platform != "win32":

    def _lock(descriptor: int, place: Path, *, alone: bool, waits: bool) -> None:
        how = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
        try:
            fcntl.flock(descriptor, how if waits else how | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError as error:
            raise KeysError(f"{place} cannot be locked: {_why(error)}") from None


def _why(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
