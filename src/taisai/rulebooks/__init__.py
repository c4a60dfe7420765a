"""The rulebooks that come with the project, one TOML file per approved document version."""

from collections.abc import Iterator
from datetime import datetime, tzinfo
from functools import cache
from hashlib import sha256

from taisai.core.errors import SentenceError
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.proof import RulebookError
from taisai.core.rules.reason import Reason, because
from taisai.core.rules.rulebook import Rulebook, read_rulebook, rulebook_from_canonical
from taisai.data_files import read_beside
from taisai.wording import say

#: In the order in which people are shown them.
KEYS = ("ts6", "tso5", "etg8", "div9")


class UnknownPayTableError(SentenceError, LookupError):
    """An address that names no pay table at hand; the reason says which there are."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(say(reason))
        self.reason = reason


@cache
def rulebook(key: str) -> Rulebook:
    """Load one of the project's own rulebooks, proved."""
    if key not in KEYS:
        raise _no_rulebook(key, KEYS)
    name = f"{key}.toml"
    file = read_beside(__file__, name)
    canonical = _canonical_of(key, file)
    if canonical is None:
        return read_rulebook(file.decode(), name)
    return rulebook_from_canonical(canonical, name)


def _no_rulebook(key: str, keys: tuple[str, ...]) -> UnknownPayTableError:
    reason = because("RULEBOOK_NOT_HERE", key=_cut(key), there=", ".join(keys))
    return UnknownPayTableError(reason)


def _cut(name: str) -> str:
    """Quote what somebody called a rulebook or a pay table, cut short however long it is."""
    return repr(name[:40])


def _canonical_of(key: str, file: bytes) -> bytes | None:
    """Give what was read of just this file before, in a form that is read a hundred times faster.

    `make rulebooks` writes it; where it is missing or of another file, the file itself is read.
    """
    try:
        of, _, canonical = read_beside(__file__, f"{key}.canonical").partition(b"\n")
    except FileNotFoundError:
        return None
    return canonical if of.decode() == sha256(file).hexdigest() else None


def is_approved(book: Rulebook) -> bool:
    """Say whether a rulebook is one of the project's own, to the letter: only they are approved."""
    return book.key in KEYS and book.sha256 == rulebook(book.key).sha256


def read_own(text: str, source: str, *, allow_player_edge: bool = False) -> Rulebook:
    """Read a rulebook file that a person brought: proved, and nobody else's by its key."""
    book = read_rulebook(text, source, allow_player_edge=allow_player_edge)
    faults = list(_own_faults(book))
    if faults:
        raise RulebookError(source, faults)
    return book


def _own_faults(book: Rulebook) -> Iterator[str]:
    if book.key in KEYS and not is_approved(book):
        yield (
            f"key: {book.key!r} is the key of an approved rulebook, and the content is not its"
            " own; give yours a key of its own"
        )
    # Not at the top: only a person's own rulebook is asked for its time zone.
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # noqa: PLC0415

    zone, effective = book.content.zone, book.content.effective
    if zone is None:
        return
    try:
        there = ZoneInfo(zone)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        yield f"zone: {zone!r} is no time zone; a name such as 'Asia/Singapore' is right"
        return
    if effective is not None and not _is_set_in(there, effective):
        yield f"effective: {effective.isoformat()} is not how clocks were set in {zone}"


def _is_set_in(zone: tzinfo, moment: datetime) -> bool:
    """Say whether a moment is written as the clocks of a zone were set then."""
    try:
        return moment.utcoffset() == moment.astimezone(zone).utcoffset()
    except OverflowError:
        # At an end of the calendar: in that zone it is outside.
        return False


def pay_table(address: str) -> PayTable:
    """Find a pay table of the project's own rulebooks by its address, `ts6/2`.

    [ts6 2.1.1; etg8 2.1.1]
    """
    return Catalogue().pay_table(address)


class Catalogue:
    """The rulebooks at hand: the project's own, and perhaps one that a person brought.

    A person's own rulebook has a key of its own, or is one of ours to the letter.
    """

    def __init__(self, brought: Rulebook | None = None) -> None:
        self._brought = brought

    def keys(self) -> tuple[str, ...]:
        """List the keys of all rulebooks at hand, a person's own first."""
        if self._brought is None:
            return KEYS
        return (self._brought.key, *(key for key in KEYS if key != self._brought.key))

    def rulebook(self, key: str) -> Rulebook:
        """Find a rulebook by its key."""
        if self._brought is not None and key == self._brought.key:
            return self._brought
        if key not in KEYS:
            raise _no_rulebook(key, self.keys())
        return rulebook(key)

    def pay_table(self, address: str) -> PayTable:
        """Find a pay table by its address."""
        key, slash, number = address.partition("/")
        if not slash:
            raise UnknownPayTableError(because("NOT_A_PAY_TABLE", address=_cut(address)))
        book = self.rulebook(key)
        for table in book.pay_tables.values():
            if number == str(table.number):
                return table
        there = ", ".join(table.address for table in book.pay_tables.values())
        reason = because("PAY_TABLE_NOT_HERE", address=_cut(address), there=there)
        raise UnknownPayTableError(reason)
