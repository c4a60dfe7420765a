"""The names of accounts, a tree: what belongs to players, to the house, and what crosses its door.

`terminal:7` is a terminal's free credits, or at a felt table the chips known to be in front of a
player; `stake:7` is what lies on the layout; `house:bank` is the table's own money, at a felt table
its rack. Chips in pockets, cash of patrons, the cage's vault and the count room are places whose
other half is elsewhere.
"""

HOUSE = "house:bank"
SHORTFALL = "house:void-shortfall"
#: Counted beyond what the books said, at a felt table.
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


def credits_of(terminal: str) -> str:
    """Name the account of a terminal's free credits."""
    return f"terminal:{terminal}"


def stakes_of(terminal: str) -> str:
    """Name the account of a terminal's live stakes."""
    return f"stake:{terminal}"


def in_transit(transit: str) -> str:
    """Name the account of money on its way between table and cage."""
    return f"transit:{transit}"


def kept_as(kept: str) -> str:
    """Name the account of what is kept for a player who is gone."""
    return f"kept:{kept}"
