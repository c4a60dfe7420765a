"""A second model of a table, computed from its events by the documents' own rows and plain sums.

It uses nothing of the core: what a box pays is read from the rows transcribed from the documents,
and each terminal's money is added up from the events.
"""

from collections import Counter
from fractions import Fraction
from functools import cache

from taisai.core.kernel.messages import Netted, Posting, SettledLine
from taisai.core.streams import TableEvent
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.positions import CashedOut, CreditsReceived
from taisai.core.table.round import BetsClosed, BetsOpened, RoundSettled, RoundStarted
from taisai.core.table.service import SessionEndedByStaff, WinSetAside
from taisai.core.table.state import TableState
from tests.golden.test_pay_tables import rows_of

Bets = dict[tuple[str, str], int]


@cache
def paid_by_box(address: str) -> dict[str, dict[str, Fraction]]:
    """Read what each box pays on each result, as the document prints it."""
    return {
        box: {result: Fraction(odds) for result, odds in winners.items()}
        for box, _, _, _, _, winners in rows_of(address)
    }


class Model:
    """Credits, bets and finished rounds of a table, followed from event to event."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.open = False
        self.round = 0
        self.credits: Counter[str] = Counter()
        #: Money set aside for players who left, by session.
        self.unclaimed: Counter[str] = Counter()
        #: The number of the present player at each terminal, now and in each finished round.
        self.players: Counter[str] = Counter()
        self.played_by: dict[int, Counter[str]] = {}
        self.bets: Bets = {}
        self.finished: dict[int, Bets] = {}
        self.shown: dict[int, tuple[int, ...]] = {}
        self.voids: set[int] = set()
        self.venue = 0
        self.shortfall = 0
        self.arrived: Counter[str] = Counter()
        self.left: Counter[str] = Counter()

    def follow(self, event: TableEvent) -> None:
        """Apply an event, and assert what must be true of it."""
        match event:
            case RoundStarted(round=number):
                assert number == self.round + 1, "rounds follow one another"
                assert not self.bets
                self.round = number
            case BetsOpened():
                self.open = True
            case BetsRegistered(terminal=terminal, bets=bets):
                self._change(terminal, [(bet.box, bet.stake) for bet in bets])
            case BetsWithdrawn(terminal=terminal, bets=bets):
                self._change(terminal, [(bet.box, -bet.stake) for bet in bets])
            case BetsClosed(rejected=rejected):
                for terminal, box, amount in rejected:
                    self._change(terminal, [(box, -amount)])
                self.open = False
            case RoundVoided():
                self._void(event)
            case RoundSettled():
                self._settle(event)
            case _:
                self._follow_money(event)

    def _follow_money(self, event: TableEvent) -> None:
        match event:
            case RoundsReversed():
                self._reverse(event)
            case RoundResettled():
                self._settle_again(event)
            case RulingRecorded(postings=postings):
                empty = [name for name in _terminals_of(postings) if self._is_empty(name)]
                for posting in postings:
                    self._post(posting.source, -posting.amount)
                    self._post(posting.destination, posting.amount)
                self.players.update(name for name in empty if not self._is_empty(name))
            case CreditsReceived(transit=transit, terminal=terminal, amount=amount):
                assert transit not in self.arrived, "money arrives once"
                self.arrived[transit] = amount
                self.players[terminal] += self._is_empty(terminal)
                self.credits[terminal] += amount
            case CashedOut(transit=transit, terminal=terminal, amount=amount):
                assert transit not in self.left, "money leaves once"
                self.left[transit] = amount
                self.credits[terminal] -= amount
            case SessionEndedByStaff() | WinSetAside():
                self.credits[event.terminal] -= event.amount
                self.unclaimed[event.session] += event.amount
            case _:
                pass

    def _reverse(self, event: RoundsReversed) -> None:
        changes: Counter[str] = Counter()
        for number in event.rounds:
            assert number not in self.voids, "a round is reversed once"
            self.voids.add(number)
            for (terminal, _), stake, back in self._lines(number, self.shown[number]):
                changes[self._whose(terminal, number)] += stake - back
        self._net(changes, event.netted, event.gone)

    def _settle_again(self, event: RoundResettled) -> None:
        changes: Counter[str] = Counter()
        for (terminal, _), _, back in self._lines(event.round, self.shown[event.round]):
            changes[self._whose(terminal, event.round)] -= back
        for (terminal, _), _, back in self._lines(event.round, event.faces):
            changes[self._whose(terminal, event.round)] += back
        self.shown[event.round] = event.faces
        self._net(changes, event.netted, event.gone)

    def _change(self, terminal: str, changes: list[tuple[str, int]]) -> None:
        assert self.open, "no bet is touched before the call or after the close"
        for box, amount in changes:
            self.bets[terminal, box] = self.bets.get((terminal, box), 0) + amount
            assert self.bets[terminal, box] >= 0
            if not self.bets[terminal, box]:
                del self.bets[terminal, box]
            self.credits[terminal] -= amount
        assert self.credits[terminal] >= 0

    def _void(self, event: RoundVoided) -> None:
        returned = {(line.position, line.box): line.stake for line in event.returned}
        assert returned == self.bets, "every bet of a void round goes back"
        for (terminal, _), stake in self.bets.items():
            self.credits[terminal] += stake
        self.voids.add(event.round)
        self._finish(event.round)

    def _settle(self, event: RoundSettled) -> None:
        assert not self.open, "bets are closed before they are settled"
        self.finished[event.round] = self.bets
        expected = self._lines(event.round, event.faces)
        assert [lines_of(line) for line in event.lines] == expected
        for (terminal, _), stake, back in expected:
            self.credits[terminal] += back
            self.venue += stake - back
        self.shown[event.round] = event.faces
        self._finish(event.round)

    def _finish(self, number: int) -> None:
        assert number == self.round, "a round is finished once, and before the next begins"
        assert number not in self.finished or self.finished[number] is self.bets
        self.finished[number] = self.bets
        self.played_by[number] = self.players.copy()
        self.bets = {}
        self.open = False

    def _lines(self, number: int, faces: tuple[int, ...]) -> list[tuple[tuple[str, str], int, int]]:
        """Compute each bet of a round by the document's rows, terminal by terminal."""
        shown = "".join(map(str, sorted(faces)))
        pays = paid_by_box(self.address)
        lines = []
        for (terminal, box), stake in self.finished[number].items():
            odds = pays[box].get(shown)
            back = Fraction(0) if odds is None else stake + stake * odds
            assert back.denominator == 1
            lines.append(((terminal, box), stake, int(back)))
        order = list(dict.fromkeys(sorted(terminal for (terminal, _), _, _ in lines)))
        return sorted(lines, key=lambda line: order.index(line[0][0]))

    def _net(
        self, changes: Counter[str], netted: tuple[Netted, ...], gone: tuple[Netted, ...]
    ) -> None:
        """Net each player's rounds, including players who left [D21]."""
        told = {each.position: self._take(self.credits, each) for each in netted}
        told |= {each.position: self._take(self.unclaimed, each) for each in gone}
        assert told == {name: change for name, change in changes.items() if change}

    def _is_empty(self, terminal: str) -> bool:
        return not self.credits[terminal] and all(owner != terminal for owner, _ in self.bets)

    def _whose(self, terminal: str, number: int) -> str:
        """Name the player of a round's bets: the terminal's present one, or one who left it."""
        player = self.played_by[number][terminal]
        there = player == self.players[terminal] and not self._is_empty(terminal)
        return terminal if there else f"{terminal}@{player}"

    def _take(self, held: Counter[str], each: Netted) -> int:
        """Apply a net amount, as far as the money is there; give what was applied."""
        if each.shortfall:
            assert each.taken == held[each.position], "taken before it is written off"
        held[each.position] += each.given - each.taken
        assert held[each.position] >= 0
        by = each.given + each.covered - each.taken - each.shortfall
        assert by, "who comes to nothing is not named"
        assert (each.given + each.covered > 0) == (by > 0)
        self.venue -= by
        self.shortfall += each.covered - each.shortfall
        return by

    def _post(self, account: str, amount: int) -> None:
        branch, _, name = account.partition(":")
        if branch == "terminal":
            self.credits[name] += amount
            assert self.credits[name] >= 0
        elif name == "bank":
            self.venue += amount
        else:
            self.shortfall += amount

    def assert_agrees(self, state: TableState) -> None:
        """Compare the table with the model."""
        balances = state.ledger.balances
        for name, seat in state.positions.items():
            assert balances.get(f"terminal:{name}", 0) == self.credits[name]
            mine = {box: stake for (owner, box), stake in self.bets.items() if owner == name}
            assert seat.bets == mine
        assert balances.get("house:bank", 0) == self.venue
        assert balances.get("house:void-shortfall", 0) == self.shortfall
        assert {number for number, record in state.history.items() if record.void} == self.voids
        assert set(state.history) == set(self.finished)


def _terminals_of(postings: tuple[Posting, ...]) -> set[str]:
    """Give the terminals whose credits a ruling touches."""
    accounts = (account for each in postings for account in (each.source, each.destination))
    return {
        name
        for branch, _, name in (each.partition(":") for each in accounts)
        if branch == "terminal"
    }


def lines_of(line: SettledLine) -> tuple[tuple[str, str], int, int]:
    """Give a settled line in the model's form."""
    return (line.position, line.box), line.stake, line.back
