"""A table as the auditor sees it: phase, bets, seats and rounds, from the events alone."""

from typing import Any, Literal

from msgspec import Struct, field

from taisai.core.kernel.messages import Equipment, Event, Instant, LimitsAsked, SettledLine
from taisai.core.table.positions import TerminalLocked
from taisai.runtime.auditor.approvals import SecondPerson
from taisai.runtime.auditor.books import AuditError, Books, Complaint, Transits
from taisai.runtime.auditor.pay_tables import Rules, Throw

Phase = Literal["closed", "between", "begun", "betting", "shut", "shown", "called"]

#: The phases of a round under way; the last three come after the close.
UNDER_WAY: tuple[Phase, ...] = ("begun", "betting", "shut", "shown", "called")
AFTER_CLOSE: tuple[Phase, ...] = ("shut", "shown", "called")

#: So many of the newest rounds are kept, and so many lines; older ones are given again [D24].
ROUNDS_KEPT = 501
LINES_KEPT = 1_000_000


class Position(Struct):
    """A terminal or a seat: its bar, its locks, and its player's own limits."""

    connected: bool = True
    barred: bool = False
    locked: bool = False
    #: By the round that locked it: what it won there, and what of that it was given.
    wins: dict[int, tuple[int, int]] = {}
    failed: bool = False
    session_began: Instant | None = None
    session_in: int = 0
    loss: int | None = None
    session_seconds: int | None = None
    #: When everything there was lost or taken away, if that is known.
    ended: Instant | None = None
    #: Whether its last player has left, with a voucher or a code.
    taken: bool = False

    def lost_all(self, at: Instant) -> None:
        """Note that nothing is left there; a next player has won nothing yet."""
        self.ended = at
        self.wins.clear()

    @property
    def bound(self) -> bool:
        """Say whether a player's own limits apply there."""
        return not (self.loss is None and self.session_seconds is None)


class Played(Struct):
    """A finished round: its bets and their returns, line by line, and its rules."""

    rules: str
    throw: Throw | None = None
    lines: tuple[SettledLine, ...] = ()
    void: bool = False
    drawn: Throw | None = None
    #: At a chip table, how much of each player's bets on each box played.
    plays: dict[tuple[str, str], int] = {}
    #: The number of the player at each position.
    players: dict[str, int] = {}


class Bound(Struct, frozen=True):
    """The secrets of a table: the newest, the round of the next, how many are left.

    `ended` says that the chain ended early: no more are left than are due.
    """

    known: str
    next_round: int
    left: int
    ended: bool = False


class AuditedTable(Struct):
    """One table under audit."""

    name: str
    books: Books
    second: SecondPerson
    transits: Transits
    created: bool = False
    equipment: Equipment = Equipment()
    handpay_threshold: int | None = None
    #: The operator, if the house is a real one, and the departures in force: rulebook, aspect.
    operator: str | None = None
    planned: tuple[Any, ...] = ()
    agreed: tuple[Any, ...] = ()
    rules: Rules | None = None
    limits: LimitsAsked | None = None
    #: The set of dice in use from each round on, or none; and the seals of damaged sets.
    dice: list[tuple[int, str | None]] = []
    seals: dict[str, str] = {}
    quarantined: dict[str, str] = {}
    dice_in_use: str | None = None
    checks: set[str] = set()
    registered: dict[str, str] = {}
    #: Equipment that was withdrawn since, and not replaced.
    taken_away: set[str] = set()
    tested: tuple[int, int, int] | None = None
    notice: bool = False
    stopped: bool = False
    phase: Phase = "closed"
    round: int = 0
    tumbled: bool = False
    #: Whether the dice lie open, uncovered by now or all along.
    in_sight: bool = False
    #: Whether the dice may have been seen before the decision under audit.
    seen_before: bool = False
    #: Reports on the dice that wait for a supervisor, each with its person [D20].
    doubted: dict[str, str] = {}
    #: Whether the tumble on record came before the close.
    tumbled_open: bool = False
    #: The irregularity that the dealer has yet to announce.
    to_announce: str | None = None
    waiting: bool = False
    reported: dict[str, Throw] = {}
    throw: Throw | None = None
    #: The last three faces pressed in this round, as an LED shows them.
    led: list[int] = []
    #: At a verifiable table: its secrets, and the dice shown in the round whose secret is due.
    bound: Bound | None = None
    shown: Throw | None = None
    #: The bets, and each placement in order: terminal, box, what is left of it.
    bets: dict[str, dict[str, int]] = {}
    box_totals: dict[str, int] = {}
    placed: list[list[Any]] = []
    positions: dict[str, Position] = {}
    #: How many events it has seen; its newest rounds, and old ones that it was given again.
    version: int = 0
    rounds: dict[int, Played] = {}
    recalled: dict[int, Played] = {}
    #: For all rounds: a bit for each that was reversed, and the event that settled one again.
    reversed: bytearray = field(default_factory=bytearray)
    resettled: dict[int, int] = {}
    #: The rules that were adopted, each with its first round.
    adopted: list[tuple[int, Rules]] = []
    #: The parts of a reversal so far.
    reversal: list[Any] = []
    #: What corrections could not recover from each player, by position and number.
    missing: dict[str, int] = {}
    lines_kept: int = 0
    #: The minimum and maximum of each box looked up so far, by the limits now in force.
    bounds: dict[str, tuple[int, int]] = {}
    bounds_of: LimitsAsked | None = None
    #: What must still come in this decision: locks, or an event of a kind.
    #: By terminal: what it won, in which round, and what of that it was given.
    locks_due: dict[str, tuple[int, int, int]] = {}
    due: tuple[type, ...] = ()
    due_codes: list[tuple[str, ...]] = []
    #: The report that closes the bets, and the events that follow; the report being declined.
    closes_for: tuple[str, tuple[type, ...]] | None = None
    declining: tuple[Any, Any] | None = None
    decision: list[Any] = field(default_factory=list)
    #: The role of the sender of the decision under audit, if known.
    asked_by: str | None = None
    turnover: int = 0
    collected: int = 0
    won: int = 0
    #: The part of a chip table; a terminal table has none.
    chips: Any = None
    #: How many have played at each position.
    sessions: dict[str, int] = {}

    def sits_down(self, position: str) -> None:
        """Note that a new player is at a position."""
        seat = self.position(position)
        seat.ended, seat.taken = None, False
        self.sessions[position] = self.sessions.get(position, 0) + 1

    def credited(self, terminal: str, amount: int) -> None:
        """Put credits on a terminal; if it had none, and no bets, they belong to a new player."""
        if self.is_free(terminal):
            self.sits_down(terminal)
        self.books.enter(f"terminal:{terminal}", amount)

    def is_free(self, terminal: str) -> bool:
        """Say whether a terminal has no player: neither credits nor bets [D21]."""
        return not (self.books.holds(f"terminal:{terminal}") or self.bets.get(terminal))

    def who_left(self, position: str, player: int) -> str | None:
        """Name a player of a position who is no longer there [D21]."""
        if self.chips is not None:
            there = position in self.chips.seated
        else:
            there = not self.is_free(position)
        return None if there and player == self.sessions[position] else f"{position}@{player}"

    def players_of(self, lines: tuple[SettledLine, ...]) -> dict[str, int]:
        """Give the number of the player at each position with bets in the round under way."""
        return {line.position: self.sessions[line.position] for line in lines}

    # --- rounds of long ago --------------------------------------------------------------------

    def rules_of(self, number: int) -> Rules:
        """Find the rules that a round was played by."""
        return next(rules for first, rules in reversed(self.adopted) if first <= number)

    def was_reversed(self, number: int) -> bool:
        """Say whether a settled round was reversed before."""
        byte, bit = divmod(number, 8)
        return byte < len(self.reversed) and bool(self.reversed[byte] >> bit & 1)

    def note_reversed(self, number: int) -> None:
        """Mark a settled round as reversed."""
        byte, bit = divmod(number, 8)
        self.reversed.extend(bytes(max(0, byte + 1 - len(self.reversed))))
        self.reversed[byte] |= 1 << bit

    def played(self, number: int) -> Played:
        """Give a round that has ended, kept or given again."""
        found = self.rounds.get(number) or self.recalled.get(number)
        if found is None:
            raise self.wrong(
                "round {number} was put right, and nobody can say how it was", number=number
            )
        return found

    def rounds_with(self, dice_set: str) -> list[int]:
        """List the rounds that a set of dice was in use for, however often it was."""
        ends = [first for first, _ in self.dice[1:]] + [self.round + 1]
        spans = zip(self.dice, ends, strict=True)
        return [
            number
            for (first, name), end in spans
            if name == dice_set
            for number in range(first, end)
        ]

    def ended_with(self, dice_set: str, since: int) -> list[int]:
        """List the rounds of a set of dice that have ended, from one on."""
        rounds = (number for number in self.rounds_with(dice_set) if number >= since)
        return [each for each in rounds if not (each == self.round and self.phase in UNDER_WAY)]

    def player(self, position: str) -> str:
        """Name the last player of a position."""
        return f"{position}@{self.sessions[position]}"

    def fell_short(self, player: str, amount: int) -> None:
        """Add to what could not be recovered from a player, or subtract what has been since."""
        self.missing[player] = self.missing.get(player, 0) + amount
        if self.missing[player] < 0:
            raise self.wrong("more was given back than {player} fell short of", player=player)

    def wrong(self, sentence: str, /, **blanks: object) -> AuditError:
        """Give the error for a fault at this table."""
        what = Complaint(sentence, blanks)
        if not self.round:
            return AuditError("{table}: {what}", table=self.name, what=what)
        where = {"table": self.name, "round": self.round}
        return AuditError("{table}, round {round}: {what}", **where, what=what)

    def expect(self, *phases: Phase) -> None:
        """Check that the table is in one of these phases."""
        if self.phase not in phases:
            what = type(self.decision[-1]).__name__
            raise self.wrong(
                "{what} while the table is {phase}, not {named}",
                what=what,
                phase=self.phase,
                named=" or ".join(phases),
            )

    def expect_open(self) -> None:
        """Check that the table is open: no chips are changed before the rack is counted."""
        if self.phase == "closed":
            raise self.wrong(
                "{kind} while the table is closed", kind=type(self.decision[-1]).__name__
            )

    def checks_missing(self) -> list[str]:
        """List the checks of the opening that the document requires and are not passed."""
        opening = self.rules_in_force().procedure.get("opening", {})
        asked = [check["code"] for check in opening.get("checks", ())]
        return [code for code in asked if code not in self.checks]

    def expect_paid(self, what: str) -> None:
        """Check that no chips are on their way between layout and rack at a chip table."""
        if self.chips is not None and self.chips.taken:
            raise self.wrong("{what} before the winners were paid", what=what)

    @property
    def by_hand(self) -> bool:
        """Say whether a round is being entered that was dealt by hand [D27]."""
        return self.chips is not None and self.chips.by_hand is not None

    def expect_playing(self) -> None:
        """Check that the round is neither in doubt nor waiting for a declaration."""
        what = type(self.decision[-1]).__name__
        if self.doubted:
            raise self.wrong(
                "{what} while the round is in doubt ({named})",
                what=what,
                named=", ".join(self.doubted),
            )
        if self.waiting and not self.by_hand:
            raise self.wrong("{what} while the outcome waits to be declared", what=what)

    def expect_people(self, part: str) -> None:
        """Check that the sender has a role that the rulebook names for this [D29]."""
        if self.by_hand:
            # Two persons record what others did while the system was away [D27].
            return
        named = self.rules_in_force().procedure[part]["by"]
        if self.asked_by not in (None, "device", "system", *named):
            what = type(self.decision[-1]).__name__
            raise self.wrong(
                "{what} by a {asked_by}, and {named} is named",
                what=what,
                asked_by=self.asked_by,
                named=" or ".join(named),
            )

    def rules_in_force(self) -> Rules:
        """Give the rules the table plays by."""
        if self.rules is None:
            raise self.wrong("it plays without a rulebook")
        return self.rules

    def position(self, name: str) -> Position:
        """Give a seat."""
        found = self.positions.get(name)
        if found is None:
            raise self.wrong("terminal {name} was never enrolled", name=name)
        return found

    def check_due(self, kind: type[Event] | None) -> None:
        """Check that the event that must follow comes next, in the same decision."""
        if self.locks_due and kind is not TerminalLocked:
            name = next(iter(self.locks_due))
            raise self.wrong(
                "terminal {name} won {locks_due} and was not locked",
                name=name,
                locks_due=self.locks_due[name][0],
            )
        if self.due and kind not in self.due:
            came = "nothing" if kind is None else kind.__name__
            raise self.wrong(
                "{kind} should have followed, and {came} did", kind=self.due[0].__name__, came=came
            )
        self.due = ()

    def happened(self, kind: type) -> Any:
        """Find an event of a kind earlier in the decision under audit."""
        return next((event for event in self.decision[:-1] if type(event) is kind), None)

    def keep_round(self, played: Played) -> None:
        """Keep the round that has just ended, and forget old ones, which can be given again."""
        self.rounds[self.round] = played
        self.lines_kept += len(played.lines)
        while len(self.rounds) > ROUNDS_KEPT or (
            self.lines_kept > LINES_KEPT and len(self.rounds) > 1
        ):
            oldest = next(iter(self.rounds))
            # A later event of the same decision may be about it.
            self.recalled[oldest] = self.rounds.pop(oldest)
            self.lines_kept -= len(self.recalled[oldest].lines)

    def limit_of(self, box: str) -> tuple[int, int]:
        """Give the minimum and maximum of a box, looked up once for all its bets."""
        bounds = self.bounds_now()
        found = bounds.get(box)
        if found is None:
            found = bounds[box] = self._find_limit(box)
        return found

    def bounds_now(self) -> dict[str, tuple[int, int]]:
        """Give the minimum and maximum of boxes looked up so far, by the limits in force now."""
        if self.bounds_of is not self.limits:
            self.bounds_of, self.bounds = self.limits, {}
        return self.bounds

    def _find_limit(self, box: str) -> tuple[int, int]:
        """Find the minimum and maximum of a box: its own, else its kind's, else the table's."""
        if self.limits is None:
            raise self.wrong("it takes bets without limits")
        low, high = self.limits.minimum, self.limits.maximum
        for name in (kind_of(box), box):
            own_low, own_high = self.limits.boxes.get(name, (None, None))
            low = low if own_low is None else own_low
            high = high if own_high is None else own_high
        return low, high


def kind_of(box: str) -> str:
    """Give the kind of a box from its key."""
    word, dash, label = box.partition("-")
    if word == "any":
        return box
    pair = word == "three" and label[:1] == label[1:2]
    return "pair" if dash and pair else word


def throw_of(faces: tuple[int, ...]) -> Throw:
    """Order three faces from low to high."""
    low, middle, high = sorted(faces)
    return low, middle, high
