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

#: So many of the newest rounds are kept, and so many lines; older ones are shown again [D24].
ROUNDS_KEPT = 501
LINES_KEPT = 1_000_000


class Position(Struct):
    """A terminal: who it turns away, and what its player set for themself."""

    connected: bool = True
    barred: bool = False
    locked: bool = False
    #: What it won in the round that locked it.
    won: int = 0
    failed: bool = False
    session_began: Instant | None = None
    session_in: int = 0
    loss: int | None = None
    session_seconds: int | None = None
    #: When everything there was lost or taken away, as far as anybody knows.
    ended: Instant | None = None
    #: Whether whoever was there last has gone, with a voucher or a code.
    taken: bool = False

    @property
    def bound(self) -> bool:
        """Say whether a player's own limits hold there."""
        return not (self.loss is None and self.session_seconds is None)


class Played(Struct):
    """A finished round: what lay where and what came back, line by line, by which rules."""

    rules: str
    throw: Throw | None = None
    lines: tuple[SettledLine, ...] = ()
    void: bool = False
    drawn: Throw | None = None
    #: At a chip table, how much of each player's bets on each box played.
    plays: dict[tuple[str, str], int] = {}
    #: Which of the players of each position it was.
    players: dict[str, int] = {}


class Bound(Struct, frozen=True):
    """What is known of a table's secrets: the newest, the round of the next, how many are left.

    `ended` says that it was ended before its end: no more are left than are owed.
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
    #: Who operates the house, if it is a real one, and which departures stand: rulebook, aspect.
    operator: str | None = None
    planned: tuple[Any, ...] = ()
    agreed: tuple[Any, ...] = ()
    rules: Rules | None = None
    limits: LimitsAsked | None = None
    #: Each set of dice with the rounds it was used for, from first to last; one is in use.
    #: From which round on which set of dice was in use, or none; and the seals of damaged ones.
    dice: list[tuple[int, str | None]] = []
    seals: dict[str, str] = {}
    quarantined: dict[str, str] = {}
    dice_in_use: str | None = None
    checks: set[str] = set()
    registered: dict[str, str] = {}
    #: What was taken away since, and has nothing in its place.
    taken_away: set[str] = set()
    tested: tuple[int, int, int] | None = None
    notice: bool = False
    stopped: bool = False
    phase: Phase = "closed"
    round: int = 0
    tumbled: bool = False
    #: Whether the dice lie open: nothing covers them any more, or never did.
    in_sight: bool = False
    #: Whether the dice may have been seen before the decision under audit.
    seen_before: bool = False
    #: What was reported of the dice and waits for a supervisor, and by whom [D20].
    doubted: dict[str, str] = {}
    #: Whether the tumble on record came before the close.
    tumbled_open: bool = False
    #: The irregularity whose words the dealer has yet to announce.
    to_announce: str | None = None
    waiting: bool = False
    reported: dict[str, Throw] = {}
    throw: Throw | None = None
    #: The last three faces pressed in this round, as an LED shows them.
    led: list[int] = []
    #: At a verifiable table: its secrets, and what was shown of the round whose secret is owed.
    bound: Bound | None = None
    shown: Throw | None = None
    #: What lies where, and each placement in the order it came: terminal, box, what is left of it.
    bets: dict[str, dict[str, int]] = {}
    box_totals: dict[str, int] = {}
    placed: list[list[Any]] = []
    positions: dict[str, Position] = {}
    #: How many events it has seen; and its newest rounds, with those it was shown again.
    version: int = 0
    rounds: dict[int, Played] = {}
    recalled: dict[int, Played] = {}
    #: Of all rounds: a bit for each that was reversed, and by which event each was settled again.
    reversed: bytearray = field(default_factory=bytearray)
    resettled: dict[int, int] = {}
    #: The rules that were adopted, each with the round from which on.
    adopted: list[tuple[int, Rules]] = []
    #: The parts of a reversal so far.
    reversal: list[Any] = []
    #: Of each player by position and number, what putting right could not get back from them.
    missing: dict[str, int] = {}
    lines_kept: int = 0
    #: The least and the most for each box that was asked for, by the limits they follow from.
    bounds: dict[str, tuple[int, int]] = {}
    bounds_of: LimitsAsked | None = None
    #: What this decision still owes: locks, or an event of a kind.
    locks_due: dict[str, int] = {}
    due: tuple[type, ...] = ()
    due_codes: list[tuple[str, ...]] = []
    #: The report that closes the bets, and what follows then; the report that is being declined.
    closes_for: tuple[str, tuple[type, ...]] | None = None
    declining: tuple[Any, Any] | None = None
    decision: list[Any] = field(default_factory=list)
    #: The role of whoever asked for the decision under audit, where it is known.
    asked_by: str | None = None
    turnover: int = 0
    collected: int = 0
    won: int = 0
    #: What is known of a chip table beside the rest; a table of terminals has none.
    chips: Any = None
    #: How many have played at each position.
    sessions: dict[str, int] = {}

    def sits_down(self, position: str) -> None:
        """Note that somebody new is at a position."""
        seat = self.position(position)
        seat.ended, seat.taken = None, False
        self.sessions[position] = self.sessions.get(position, 0) + 1

    def credited(self, terminal: str, amount: int) -> None:
        """Put credits on a terminal; on one that had none, and no bets, they are somebody new's."""
        if self.is_free(terminal):
            self.sits_down(terminal)
        self.books.enter(f"terminal:{terminal}", amount)

    def is_free(self, terminal: str) -> bool:
        """Say whether nobody is at a terminal: it has neither credits nor bets [D21]."""
        return not (self.books.holds(f"terminal:{terminal}") or self.bets.get(terminal))

    def who_left(self, position: str, player: int) -> str | None:
        """Name a player of a position, if they are not there any more [D21]."""
        if self.chips is not None:
            there = position in self.chips.seated
        else:
            there = not self.is_free(position)
        return None if there and player == self.sessions[position] else f"{position}@{player}"

    def players_of(self, lines: tuple[SettledLine, ...]) -> dict[str, int]:
        """Say which of the players of each position has bets in the round under way."""
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
        """Give a round that has ended, kept or shown again."""
        found = self.rounds.get(number) or self.recalled.get(number)
        if found is None:
            raise self.wrong(
                "round {number} was put right, and nobody can say how it was", number=number
            )
        return found

    def rounds_with(self, dice_set: str) -> list[int]:
        """List the rounds that a set of dice was in use for, however often it came."""
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
        """Name who came last to a position."""
        return f"{position}@{self.sessions[position]}"

    def fell_short(self, player: str, amount: int) -> None:
        """Add to what could not be got back from a player, or take off what has been since."""
        self.missing[player] = self.missing.get(player, 0) + amount
        if self.missing[player] < 0:
            raise self.wrong("more was given back than {player} fell short of", player=player)

    def wrong(self, sentence: str, /, **blanks: object) -> AuditError:
        """Say what is wrong with this table."""
        what = Complaint(sentence, blanks)
        if not self.round:
            return AuditError("{table}: {what}", table=self.name, what=what)
        where = {"table": self.name, "round": self.round}
        return AuditError("{table}, round {round}: {what}", **where, what=what)

    def expect(self, *phases: Phase) -> None:
        """Check that the table is where what happened can happen."""
        if self.phase not in phases:
            what = type(self.decision[-1]).__name__
            raise self.wrong(
                "{what} while the table is {phase}, not {named}",
                what=what,
                phase=self.phase,
                named=" or ".join(phases),
            )

    def expect_open(self) -> None:
        """Check that the table is open: a rack that is to be counted changes no chips."""
        if self.phase == "closed":
            raise self.wrong(
                "{kind} while the table is closed", kind=type(self.decision[-1]).__name__
            )

    def checks_missing(self) -> list[str]:
        """List the checks of the opening that the document asks for and nobody has made good."""
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
        """Check that whoever did this is one of those whom the rulebook names for it [D29]."""
        if self.by_hand:
            # Two persons say what others did while the system was away [D27].
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
        """Check that what an event calls for comes next, in the same decision."""
        if self.locks_due and kind is not TerminalLocked:
            name = next(iter(self.locks_due))
            raise self.wrong(
                "terminal {name} won {locks_due} and was not locked",
                name=name,
                locks_due=self.locks_due[name],
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
        """Keep the round that has just ended, and forget those that can be shown again."""
        self.rounds[self.round] = played
        self.lines_kept += len(played.lines)
        while len(self.rounds) > ROUNDS_KEPT or (
            self.lines_kept > LINES_KEPT and len(self.rounds) > 1
        ):
            oldest = next(iter(self.rounds))
            # What comes after in the same decision may be about it.
            self.recalled[oldest] = self.rounds.pop(oldest)
            self.lines_kept -= len(self.recalled[oldest].lines)

    def limit_of(self, box: str) -> tuple[int, int]:
        """Give the least and the most for a box, found once for all its bets."""
        bounds = self.bounds_now()
        found = bounds.get(box)
        if found is None:
            found = bounds[box] = self._find_limit(box)
        return found

    def bounds_now(self) -> dict[str, tuple[int, int]]:
        """Give the least and the most of the boxes for which they were found, by today's limits."""
        if self.bounds_of is not self.limits:
            self.bounds_of, self.bounds = self.limits, {}
        return self.bounds

    def _find_limit(self, box: str) -> tuple[int, int]:
        """Find the least and the most for a box: its own, else its kind's, else the table's."""
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
