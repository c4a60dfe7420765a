"""A terminal's books, written by the terminal itself: does its money add up?

Credits, stakes and bets as the venue shows them are held against the sum of what it announced; the
stakes of bets that were answered `Registered` against those that the private channel announced.
"""

from collections.abc import Iterator

from taisai.protocol import private as p
from taisai.protocol.server_messages import Private, TerminalSnapshot
from taisai.protocol.views import PositionView, RoundOutcome, apply_changes


class Books:
    """What a terminal must have, from its first snapshot on."""

    def __init__(self) -> None:
        self.credits = 0
        self.staked = 0
        self.bets: dict[str, int] = {}
        self.lines = 0
        self.rounds = 0
        #: Stakes registered, by the answers and by the private channel.
        self.answered = 0
        self.announced = 0
        #: Whether everything since the beginning was sent; after a second snapshot it was not.
        self.whole: bool | None = None
        self._shown: PositionView | None = None

    def begin(self, snapshot: TerminalSnapshot) -> Iterator[str]:
        """Begin with a snapshot, or anew with a later one; then not everything was sent."""
        view = self._shown = snapshot.view
        self.whole = self.whole is None
        self.credits, self.staked, self.bets = view.credits, view.staked, dict(view.bets)
        if sum(self.bets.values()) != self.staked:
            yield f"{view.terminal}: {self.staked} is staked and {self.bets} is on the boxes"

    def take(self, message: Private) -> Iterator[str]:
        """Take in what happened, and complain where the venue has other sums."""
        view = self._shown
        assert view is not None, "a channel begins with a snapshot"
        apply_changes(view, message.changes)
        for event in message.events:
            yield from self._apply(event, view)
        if any(isinstance(event, p.RulingRecorded) for event in message.events):
            # How much a ruling moved is not announced, only what there is after it.
            self.credits, self.staked = view.credits, view.staked
        if (self.credits, self.staked, self.bets) != (view.credits, view.staked, view.bets):
            yield (
                f"at version {message.sequence} of {message.table}: shown credits {view.credits}"
                f" and stakes {view.staked} on {view.bets}, which come to {self.credits} and"
                f" {self.staked} on {self.bets}"
            )
            self.credits, self.staked, self.bets = view.credits, view.staked, dict(view.bets)

    def registered(self, stake: int) -> None:
        """Note that bets were answered `Registered`."""
        self.answered += stake

    def close(self, name: str) -> Iterator[str]:
        """Compare, at the end, what was answered with what was announced."""
        if self.whole and self.answered != self.announced:
            yield f"{name}: bets of {self.answered} were registered, {self.announced} announced"

    def _apply(self, event: p.AnyPrivateEvent, view: PositionView) -> Iterator[str]:
        match event:
            case p.BetsRegistered():
                self._lay(event, 1)
                self.announced += sum(bet.stake for bet in event.bets)
            case p.BetsWithdrawn() | p.BetsRejected():
                self._lay(event, -1)
            case p.RoundSettled() | p.RoundVoided():
                assert view.last is not None, "a round that is over is shown"
                yield from self._end_round(event, view.last)
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

    def _end_round(
        self, event: p.RoundSettled | p.RoundVoided, last: RoundOutcome
    ) -> Iterator[str]:
        self.rounds += 1
        self.lines += len(last.lines)
        stakes = {line.box: line.stake for line in last.lines}
        if stakes != self.bets or sum(line.back for line in last.lines) != last.back:
            yield f"round {event.round}: {self.bets} was bet, and the lines are of {stakes}"
        self.credits += last.back
        self.staked -= sum(stakes.values())
        self.bets = {}
