"""A terminal's books, kept by the terminal itself: does its money add up?

Credits and stakes as the house tells them are held against the sum of what happened; the stakes of
bets that were answered `Registered` against those that the private channel tells of.
"""

from collections.abc import Iterator

from taisai.protocol import private as p
from taisai.protocol.server_messages import Private, TerminalSnapshot


class Books:
    """What a terminal must have, from its first snapshot on."""

    __slots__ = ("answered", "bets", "credits", "lines", "rounds", "staked", "told", "whole")

    def __init__(self) -> None:
        self.credits = 0
        self.staked = 0
        self.bets: dict[str, int] = {}
        self.lines = 0
        self.rounds = 0
        #: Stakes registered, by the answers and by the private channel.
        self.answered = 0
        self.told = 0
        #: Whether everything since the beginning was told; after a second snapshot it was not.
        self.whole: bool | None = None

    def begin(self, snapshot: TerminalSnapshot) -> Iterator[str]:
        """Begin with a snapshot, or anew with a later one; then not everything was told."""
        view = snapshot.view
        self.whole = self.whole is None
        self.credits, self.staked, self.bets = view.credits, view.staked, dict(view.bets)
        if sum(self.bets.values()) != self.staked:
            yield f"{view.terminal}: {self.staked} is staked and {self.bets} lies there"

    def tell(self, message: Private) -> Iterator[str]:
        """Take in what happened, and complain where the house has other sums."""
        ruled = any(isinstance(event, p.RulingRecorded) for event in message.events)
        for event in message.events:
            yield from self._apply(event)
        if ruled:
            # How much a ruling moved is not told, only what there is after it.
            self.credits, self.staked = message.credits, message.staked
        if (self.credits, self.staked) != (message.credits, message.staked):
            yield (
                f"at version {message.sequence} of {message.table}: told credits {message.credits}"
                f" and stakes {message.staked}, which come to {self.credits} and {self.staked}"
            )
            self.credits, self.staked = message.credits, message.staked

    def registered(self, stake: int) -> None:
        """Note that bets were answered `Registered`."""
        self.answered += stake

    def close(self, name: str) -> Iterator[str]:
        """Compare, at the end, what was answered with what was told."""
        if self.whole and self.answered != self.told:
            yield f"{name}: bets of {self.answered} were registered, and {self.told} was told"

    def _apply(self, event: p.AnyPrivateEvent) -> Iterator[str]:
        match event:
            case p.BetsRegistered():
                self._lay(event, 1)
                self.told += sum(bet.stake for bet in event.bets)
            case p.BetsWithdrawn() | p.BetsRejected():
                self._lay(event, -1)
            case p.RoundSettled() | p.RoundVoided():
                yield from self._end_round(event)
            case p.RoundsCorrected():
                self.credits += event.given - event.taken
            case p.CreditsReceived():
                self.credits += event.amount
            case p.CashedOut():
                self.credits -= event.amount
            case _:
                pass

    def _lay(self, event: p.BetsRegistered | p.BetsWithdrawn | p.BetsRejected, sign: int) -> None:
        for bet in event.bets:
            left = self.bets.get(bet.box, 0) + sign * bet.stake
            self.bets[bet.box] = left
            if not left:
                del self.bets[bet.box]
            self.credits -= sign * bet.stake
            self.staked += sign * bet.stake

    def _end_round(self, event: p.RoundSettled | p.RoundVoided) -> Iterator[str]:
        self.rounds += 1
        self.lines += len(event.lines)
        stakes = {line.box: line.stake for line in event.lines}
        if stakes != self.bets or sum(line.back for line in event.lines) != event.back:
            yield f"round {event.round}: {self.bets} lay there, and the lines are of {stakes}"
        self.credits += event.back
        self.staked -= sum(stakes.values())
        self.bets = {}
