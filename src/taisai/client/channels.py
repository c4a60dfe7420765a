"""Where a client is in each channel: what comes next, what is old, and what shows a gap."""

from enum import Enum

from taisai.protocol.server_messages import Private, Public, Staff, TableSnapshot, TerminalSnapshot

Sequenced = Public | Private | Staff | TableSnapshot | TerminalSnapshot


class Verdict(Enum):
    """What a message is to somebody at a certain sequence."""

    NEXT = "next"
    OLD = "old"
    GAP = "gap"


class Channels:
    """The last sequence of each channel: its own, and of each table the public and the staff's.

    The public channel of a table that is watched and has not been sent yet is at None. The staff's
    channel is never sent again: it begins with the next message, whatever was before.
    """

    __slots__ = ("listening", "private", "public", "staff")

    def __init__(self) -> None:
        self.private: int | None = None
        self.public: dict[str, int | None] = {}
        self.staff: dict[str, int] = {}
        self.listening: set[str] = set()

    def take(self, message: Sequenced) -> Verdict:
        """Judge a message, and go on to its sequence if it comes next."""
        match message:
            case TableSnapshot():
                return self._begin(message)
            case TerminalSnapshot():
                self.private = message.sequence
                return Verdict.NEXT
            case Private():
                verdict = _judge(self.private, message)
                if verdict is Verdict.NEXT:
                    self.private = message.sequence
                return verdict
            case Staff():
                return self._take_staff(message)
            case _:
                return self._take_public(message)

    def _begin(self, snapshot: TableSnapshot) -> Verdict:
        if snapshot.table not in self.public:
            return Verdict.OLD
        self.public[snapshot.table] = snapshot.sequence
        return Verdict.NEXT

    def _take_public(self, message: Public) -> Verdict:
        if message.table not in self.public:
            # It was on its way when watching was stopped.
            return Verdict.OLD
        verdict = _judge(self.public[message.table], message)
        if verdict is Verdict.NEXT:
            self.public[message.table] = message.sequence
        return verdict

    def _take_staff(self, message: Staff) -> Verdict:
        if message.sequence <= self.staff.get(message.to, -1):
            return Verdict.OLD
        self.staff[message.to] = message.sequence
        return Verdict.NEXT


def _judge(mine: int | None, message: Public | Private) -> Verdict:
    """Compare the sequence that a client has with what a message follows and leads to."""
    if mine is None or message.after > mine:
        return Verdict.GAP
    return Verdict.NEXT if message.sequence > mine else Verdict.OLD
