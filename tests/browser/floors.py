"""Floors for the browser tests: a table for each layout, and some for special cases."""

from dataclasses import dataclass

from tests.kit.tables import planned

#: Every pay table there is.
PAY_TABLES = (
    *("ts6/1", "ts6/2", "ts6/3"),
    *("tso5/1", "tso5/2", "tso5/3"),
    *("etg8/1", "etg8/2", "etg8/3"),
    *("div9/1", "div9/2"),
)


@dataclass(frozen=True)
class Table:
    """A table of a plan; dealt by a person who keys in the dice, unless set otherwise."""

    name: str
    pay_table: str
    minimum: int = 100
    maximum: int = 50_000
    more: str = ""

    @property
    def written(self) -> str:
        """Give the table as TOML."""
        apart = "" if "differential" in self.more else planned(self.pay_table, self.maximum)
        return (
            f'[[tables]]\nname = "{self.name}"\npay_table = "{self.pay_table}"\n'
            f"minimum = {self.minimum}\nmaximum = {self.maximum}\nstep = 100\n{apart}{self.more}"
        )


@dataclass(frozen=True)
class Floor:
    """The tables of a venue."""

    tables: tuple[Table, ...]
    name: str = "The Lantern"
    more: str = ""

    @property
    def written(self) -> str:
        """Give the floor as TOML."""
        venue = f'[venue]\nname = "{self.name}"\n{self.more}'
        return venue + "\n".join(each.written for each in self.tables)


def table_for(pay_table: str) -> Table:
    """Plan the table for a layout."""
    return Table(pay_table.replace("/", "-"), pay_table)


AUTOMATIC = (
    'tumbler = "simulated"\ndealer = "automatic"\n'
    "countdown_seconds = 5\nresult_seconds = 1\npause_seconds = 6\n"
)
#: A chip table with chips from 1.00 to 500.00, and four colours; a box has room for 100.00.
CHIPS = (
    'form = "chips"\n[tables.chips]\nvalues = [100, 500, 2500, 10000, 50000]\nseats = 8\n'
    'colours = ["red", "blue", "green", "yellow"]\npieces = 200\n'
)
#: The floor of the browser tests: each test leaves only its own table changed.
FLOOR = Floor(
    (
        *map(table_for, PAY_TABLES),
        # Chips of 1.00 add up to the minimum here, and one of 100.00 is too much.
        Table("slip", "ts6/2", minimum=500, maximum=5_000, more="differential = 3_000\n"),
        *(Table(name, "etg8/2", maximum=1_000_000) for name in ("deep", "dear")),
        *(
            Table(name, "etg8/2")
            for name in (
                "again",
                "vouchers",
                "keys",
                "words",
                "bell",
                "late",
                "audit",
                "deals",
                "asks",
                "tongues",
                "hands",
                "calls",
                "ruled",
            )
        ),
        *(Table(name, "div9/2") for name in ("amend", "void", "pit")),
        # A win above 4.00 is paid by hand here.
        Table("locks", "etg8/2", more="handpay_threshold = 400\n"),
        *(Table(name, "ts6/3") for name in ("calm", "heap")),
        Table("wheel", "ts6/2", more=AUTOMATIC),
        *(
            Table(name, "ts6/2", 500, 10_000, CHIPS)
            for name in (
                "chips-full",
                "chips-day",
                "chips-cage",
                "chips-owed",
                "chips-shown",
                "look-chips",
                "fit-chips",
            )
        ),
        Table("chips-ruled", "div9/2", 500, 10_000, CHIPS),
        # Chip tables at every size and in every language: what is open there stays open.
        *(Table(f"look-{each.replace('/', '-')}", each) for each in PAY_TABLES),
    ),
    # More than a seat's buy-in: a sale of 20,000.00 takes two.
    more="approve_above = 1_000_000\n",
)
