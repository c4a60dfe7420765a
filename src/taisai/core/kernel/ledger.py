"""Double entry: money moves only by postings, and postings follow from events alone.

The accounts are a tree: what belongs to players, to the house, and what crosses its door.
`terminal:7` is a terminal's free credits, or at a chip table the chips known to be in front of a
player; `stake:7` is what is on the layout; `house:bank` is the table's own money, at a chip table
its rack. Chips in pockets, cash of patrons, the cage's vault and the count room are places whose
other half is elsewhere.

The house, the counter's cash and what is in transit may go below zero, since their other half is
elsewhere; nothing of a player's ever may.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from taisai.core.kernel.messages import Balances, Event, Posting
from taisai.core.kernel.registry import POSTINGS

HOUSE = "house:bank"
SHORTFALL = "house:void-shortfall"
#: Counted beyond what the books said, at a chip table.
DIFFERENCE = "house:count-difference"
VOUCHERS = "vouchers:outstanding"
CASH = "cash:counter"
CASH_DIFFERENCE = "cash:difference"
SETTLED_TRANSITS = "transit:settled"
#: Value chips that players carry about, the cash they bring, and where the drop box is emptied.
FLOOR = "floor:chips"
PATRONS = "cash:patrons"
DROP = "drop:box"
COUNTED = "count:room"
VAULT = "vault:chips"
#: What sessions that have ended are owed, each by its code.
UNCLAIMED = "unclaimed:"


#: Name the account of a terminal's free credits, and the one of its live stakes.
credits_of, stakes_of = "terminal:".__add__, "stake:".__add__


def in_transit(transit: str) -> str:
    """Name the account of money on its way between table and cage."""
    return f"transit:{transit}"


def unclaimed_by(session: str) -> str:
    """Name the account of what an ended session is owed."""
    return f"{UNCLAIMED}{session}"


_COMES_AND_GOES = ("transit:", UNCLAIMED)
_NEVER_NEGATIVE = ("terminal:", "stake:", "vouchers:", UNCLAIMED, "drop:")


class Ledger(Struct):
    """The balances of one stream; an account that was never posted to has none."""

    balances: dict[str, int] = {}

    def balance(self, account: str) -> int:
        """Give what an account holds."""
        return self.balances.get(account, 0)

    def post(self, postings: Iterable[Posting]) -> Balances:
        """Move money, and give what the accounts that it touched hold now.

        An overdrawn player's account is a fault of ours, and stops the table.
        """
        balances = self.balances
        touched: dict[str, int] = {}
        for posting in postings:
            source, amount = posting.source, posting.amount
            if not amount:
                # Nothing moves where nothing is due.
                continue
            left = balances.get(source, 0) - amount
            assert amount > 0, f"{posting} moves less than nothing"
            assert left >= 0 or not source.startswith(_NEVER_NEGATIVE), f"{source} is overdrawn"
            balances[source] = touched[source] = left
            if left == 0 and source.startswith(_COMES_AND_GOES):
                # These come and go; an account of nothing for each would never end.
                del balances[source]
            destination = posting.destination
            held = balances.get(destination, 0) + amount
            balances[destination] = touched[destination] = held
        return touched

    def total(self, prefix: str) -> int:
        """Add up the accounts of a branch of the tree."""
        return sum(held for account, held in self.balances.items() if account.startswith(prefix))


def postings_of(event: Event) -> Sequence[Posting]:
    """Derive the postings of an event that move something: its registered function alone says."""
    post = POSTINGS.get(type(event))
    return [] if post is None else [posting for posting in post(event) if posting.amount]


def difference(counted: int, expected: int, account: str, other: str) -> Posting:
    """Enter what was counted beyond what the books said, or what was missing."""
    if counted >= expected:
        return Posting(other, account, counted - expected)
    return Posting(account, other, expected - counted)
