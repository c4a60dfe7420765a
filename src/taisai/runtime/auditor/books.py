"""The auditor's own books: pockets that money is put into and taken out of, one entry at a time.

Each side of a movement is entered from its own part of an event, so that an event whose parts do
not agree leaves a sum of all pockets that is not zero.

Money between tables and cage is sent once, received once, closed once. Money from the cage that a
table refuses comes back to the cage, all of it, and is closed in the same decision: after that no
table may receive it.
"""

from collections.abc import Mapping

from msgspec import Struct

from taisai.core.kernel.messages import CAGE_STREAM


class Complaint(Struct, frozen=True):
    """A sentence with blanks, and their values: numbers, texts, and further complaints.

    The sentence is in English in the code that raises it; `wording` has it in other languages.
    """

    sentence: str
    blanks: dict[str, object] = {}

    def __str__(self) -> str:
        """Give the sentence in English."""
        return self.sentence.format(**self.blanks)


class AuditError(Exception):
    """The books, a settlement or the order of events is against the rules; says how."""

    def __init__(self, sentence: str, /, **blanks: object) -> None:
        self.complaint = Complaint(sentence, blanks)
        super().__init__(str(self.complaint))


#: Pockets of players, which never go below zero.
_PLAYERS_OWN = ("terminal:", "stake:", "vouchers:", "unclaimed:", "drop:")


class Books:
    """The auditor's own balances of the pockets of one stream."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.pockets: dict[str, int] = {}
        self.afloat = 0

    def holds(self, pocket: str) -> int:
        """Give the amount in a pocket."""
        return self.pockets.get(pocket, 0)

    def enter(self, pocket: str, amount: int) -> None:
        """Put an amount into a pocket, or take it out."""
        held = self.pockets.get(pocket, 0) + amount
        if held < 0 and pocket.startswith(_PLAYERS_OWN):
            raise AuditError(
                "{stream}: {pocket} would be {held}, below zero",
                stream=self.stream,
                pocket=pocket,
                held=held,
            )
        self.pockets[pocket] = held
        self.afloat += amount
        if not held and pocket.startswith(("transit:", "unclaimed:")):
            # Transits come and go: their empty pockets would add up without end.
            del self.pockets[pocket]

    def move(self, source: str, destination: str, amount: int) -> None:
        """Move an amount that an event gives once for both sides."""
        self.enter(source, -amount)
        self.enter(destination, amount)

    def stake(self, terminal: str, amount: int) -> None:
        """Move a terminal's credits to its stakes: the only movement of a bet."""
        pockets, credit, stake = self.pockets, f"terminal:{terminal}", f"stake:{terminal}"
        held = pockets.get(credit, 0) - amount
        if held < 0 or amount < 0:
            raise AuditError(
                "{stream}: {credit} would be {held}, below zero",
                stream=self.stream,
                credit=credit,
                held=held,
            )
        pockets[credit] = held
        pockets[stake] = pockets.get(stake, 0) + amount

    def close(self) -> None:
        """Check, after each decision, that the pockets sum to zero."""
        if self.afloat:
            how = {"stream": self.stream, "amount": abs(self.afloat)}
            if self.afloat > 0:
                raise AuditError("{stream}: {amount} appeared from nowhere", **how)
            raise AuditError("{stream}: {amount} vanished", **how)

    def compare(self, balances: Mapping[str, int]) -> None:
        """Check the ledger's balances against these books."""
        for account, balance in balances.items():
            if balance != self.pockets.get(account, 0):
                held = self.pockets.get(account, 0)
                raise AuditError(
                    "{stream}: {account} is {balance} in the ledger, not {held}",
                    stream=self.stream,
                    account=account,
                    balance=balance,
                    held=held,
                )
        for pocket, held in self.pockets.items():
            if held and pocket not in balances:
                raise AuditError(
                    "{stream}: the ledger has no {pocket}, which holds {held}",
                    stream=self.stream,
                    pocket=pocket,
                    held=held,
                )


# --- money on its way between tables and cage ----------------------------------------------------


class Transit(Struct):
    """Money that left one stream for a place in another.

    The amount of a claim is below zero: the cage has paid it, and the table must account for it.
    """

    source: str
    destination: str
    place: str
    amount: int
    received: bool = False


class Transits:
    """The transits of the venue that are not closed, across its streams.

    A closed one is forgotten. It cannot come again: a table numbers its transits to the cage, and
    the cage its transits to each table, one after the other.
    """

    def __init__(self) -> None:
        self._known: dict[str, Transit] = {}
        self._numbers: dict[str, int] = {}
        self._came_back: str | None = None

    def send(self, name: str, transit: Transit) -> None:
        """Record that money left, under a name of its own."""
        way = transit.source
        if way == CAGE_STREAM:
            way += f"-{transit.destination}"
        number = self._numbers.get(way, 0) + 1
        if name != f"{way}-{number}":
            raise AuditError(
                "{source}: transit {name} was sent, not {way}-{number}",
                source=transit.source,
                name=name,
                way=way,
                number=number,
            )
        self._numbers[way] = number
        self._known[name] = transit

    def awaits_sending(self, name: str) -> bool:
        """Say whether a transit is not known to have been sent, so that it cannot arrive yet."""
        return name not in self._known

    def on_its_way_to(self, name: str) -> str | None:
        """Name the stream that a transit is on its way to, while it has not arrived."""
        transit = self._known.get(name)
        return None if transit is None or transit.received else transit.destination

    def on_its_way(self) -> int:
        """Add up what was sent and has not arrived."""
        return sum(each.amount for each in self._known.values() if not each.received)

    def receive(self, name: str, stream: str, place: str, amount: int) -> None:
        """Check that money arrives where it was sent, all of it, once."""
        transit = self._known.get(name)
        if transit is None:
            raise AuditError(
                "{stream}: transit {name} arrived and was never sent, or is closed",
                stream=stream,
                name=name,
            )
        if transit.received:
            raise AuditError(
                "{stream}: transit {name} was received twice", stream=stream, name=name
            )
        if transit.source == stream == CAGE_STREAM:
            self._come_back(name, transit, place, amount)
        elif (transit.destination, transit.place, transit.amount) != (stream, place, amount):
            raise AuditError(
                "{stream}: transit {name} brought {amount} to {place}, not "
                "{amount_2} to {place_2} of {destination}",
                stream=stream,
                name=name,
                amount=amount,
                place=place,
                amount_2=transit.amount,
                place_2=transit.place,
                destination=transit.destination,
            )
        transit.received = True

    def _come_back(self, name: str, transit: Transit, place: str, amount: int) -> None:
        """Check that refused money names the place that refused it, and is all that was sent."""
        refused_at = f"{transit.destination}/{transit.place}"
        if (place, amount) != (refused_at, transit.amount):
            raise AuditError(
                "{source}: transit {name} came back with {amount} from {place}, "
                "not with {amount_2} from {refused_at}",
                source=transit.source,
                name=name,
                amount=amount,
                place=place,
                amount_2=transit.amount,
                refused_at=refused_at,
            )
        self._came_back = name

    def take_back(self, name: str, stream: str) -> int:
        """Check that the sender takes back a transit that has not arrived; give its amount."""
        transit = self._known.get(name)
        if transit is None or transit.source != stream or transit.received:
            raise AuditError(
                "{stream}: transit {name} was taken back and is not on its way",
                stream=stream,
                name=name,
            )
        del self._known[name]
        return transit.amount

    def close(self, name: str, stream: str, amount: int) -> None:
        """Check that the sender closes a transit that has arrived, once."""
        transit = self._known.get(name)
        if transit is None or transit.source != stream:
            raise AuditError(
                "{stream}: transit {name} was closed and is not open", stream=stream, name=name
            )
        if not transit.received:
            raise AuditError(
                "{stream}: transit {name} was closed before it arrived", stream=stream, name=name
            )
        if transit.amount != amount:
            raise AuditError(
                "{stream}: transit {name} of {amount} was closed as {amount_2}",
                stream=stream,
                name=name,
                amount=transit.amount,
                amount_2=amount,
            )
        del self._known[name]
        if self._came_back == name:
            self._came_back = None

    def end_decision(self) -> None:
        """Check that a transit that came back in a decision was closed in it."""
        if self._came_back is not None:
            raise AuditError(
                "{stream}: transit {came_back} came back and was not closed",
                stream=CAGE_STREAM,
                came_back=self._came_back,
            )

    def open_count(self) -> int:
        """Count the transits that are not closed yet."""
        return len(self._known)
