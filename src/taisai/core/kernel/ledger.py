"""Double entry: money moves only by postings, and postings follow from events alone.

The accounts are a tree: players' accounts, the house's accounts, and accounts for money that comes
from outside or leaves. `terminal:7` is a terminal's free credits, or at a chip table the chips
known to be in front of a player; `stake:7` is what is on the layout; `house:bank` is the table's
own money, at a chip table its rack. Chips in pockets, cash of patrons, the cage's vault and the
count room are accounts whose other half is elsewhere.

The accounts of the house, of the counter's cash and of transits may go below zero, since their
other half is elsewhere; a player's account never may.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from taisai.core.kernel.messages import Balances, Event, Posting
from taisai.core.kernel.once import once
from taisai.core.kernel.registry import POSTINGS

HOUSE = "house:bank"
SHORTFALL = "house:void-shortfall"
#: The difference between a count and the books, at a chip table.
DIFFERENCE = "house:count-difference"
VOUCHERS = "vouchers:outstanding"
CASH = "cash:counter"
CASH_DIFFERENCE = "cash:difference"
SETTLED_TRANSITS = "transit:settled"
#: Value chips in players' pockets, the cash they bring, and the room where the drop is counted.
FLOOR = "floor:chips"
PATRONS = "cash:patrons"
DROP = "drop:box"
COUNTED = "count:room"
VAULT = "vault:chips"
#: What sessions that have ended are owed, each in an account of its own.
UNCLAIMED = "unclaimed:"


#: The accounts of a terminal's free credits and of its live stakes: a bet asks for five names.
credits_of, stakes_of = once("terminal:".__add__), once("stake:".__add__)


def in_transit(transit: str) -> str:
    """Name the account of money on its way between table and cage."""
    return f"transit:{transit}"


def unclaimed_by(session: str) -> str:
    """Name the account of money owed to an ended session."""
    return f"{UNCLAIMED}{session}"


_COMES_AND_GOES = ("transit:", UNCLAIMED)
_NEVER_NEGATIVE = ("terminal:", "stake:", "vouchers:", UNCLAIMED, "drop:")


class Ledger(Struct):
    """The balances of one stream; an account without postings has none."""

    balances: dict[str, int] = {}

    def balance(self, account: str) -> int:
        """Give the balance of an account."""
        return self.balances.get(account, 0)

    def post(self, postings: Iterable[Posting]) -> Balances:
        """Move money, and return the new balances of the accounts it touched.

        An overdrawn player's account is a bug, and stops the table.
        """
        balances = self.balances
        touched: dict[str, int] = {}
        for posting in postings:
            source, amount = posting.source, posting.amount
            if not amount:
                # A posting of zero moves nothing.
                continue
            assert amount > 0, f"{posting} moves less than nothing"
            left = touched[source] = balances.get(source, 0) - amount
            if left > 0:
                balances[source] = left
            else:
                self._empty(source, left)
            destination = posting.destination
            balances[destination] = touched[destination] = balances.get(destination, 0) + amount
        return touched

    def _empty(self, account: str, left: int) -> None:
        """Set a balance of zero or below; an account that comes and goes is dropped once empty."""
        assert left == 0 or not account.startswith(_NEVER_NEGATIVE), f"{account} is overdrawn"
        if left == 0 and account.startswith(_COMES_AND_GOES):
            self.balances.pop(account, None)
        else:
            self.balances[account] = left

    def total(self, prefix: str) -> int:
        """Add up the accounts of a branch of the tree."""
        return sum(held for account, held in self.balances.items() if account.startswith(prefix))


def postings_of(event: Event) -> Sequence[Posting]:
    """Derive an event's postings from its registered function, without those of zero."""
    post = POSTINGS.get(type(event))
    return [] if post is None else [posting for posting in post(event) if posting.amount]


def difference(counted: int, expected: int, account: str, other: str) -> Posting:
    """Make the posting for chips or cash that were counted beyond the books, or were missing."""
    if counted >= expected:
        return Posting(other, account, counted - expected)
    return Posting(account, other, expected - counted)
