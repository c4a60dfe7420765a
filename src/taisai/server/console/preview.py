"""Previews: what a command that moves money would do, account by account, before it is approved.

The core decides the command on the present table, and nothing is carried out. The person who gives
the command and the second person who approves it are shown the same.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from msgspec import Struct

from taisai.core.kernel.ledger import FLOOR, HOUSE, SHORTFALL, UNCLAIMED, postings_of
from taisai.core.kernel.messages import Instant, Netted, Role
from taisai.core.kernel.registry import EVENTS
from taisai.core.rules.reason import Refusal, because
from taisai.core.streams import TableEvent
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.by_hand import EnterRoundByHand
from taisai.core.table.chips.collecting import LosersCollected
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.rulings import BetRuled, RuleOnBet
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    RoundsReversed,
    Rule,
    VoidSettledRounds,
)
from taisai.core.table.interruption import DeclareOutcome
from taisai.core.table.past import NOTHING_READ, Past, Wanted, wanted
from taisai.core.table.round import BetsOpened, ResultConfirmed, RoundStarted
from taisai.core.table.service import EndSession, MarkTerminalFailed, ReturnTerminal
from taisai.core.table.state import TableState
from taisai.core.table.tumble import CoverLifted, TumbleRecorded
from taisai.server.console.dry_run import agreed, ask, order_of, request_in, seconds_of
from taisai.server.console.irregularities import Consequence, Preview, bets_on
from taisai.wording import say

#: The commands that can be previewed.
Previewed = (
    VoidSettledRounds
    | CorrectSettledRound
    | Rule
    | MarkTerminalFailed
    | ReturnTerminal
    | EndSession
    | RuleOnBet
    | EnterRoundByHand
    | DeclareOutcome
    | LeaveSeat
)
_OF_COURSE = (
    RoundStarted,
    BetsOpened,
    TumbleRecorded,
    CoverLifted,
    ResultConfirmed,
    LosersCollected,
)
_VERDICTS = {
    "stands": "WILL_RULE_STANDS",
    "plays": "WILL_RULE_PLAYS",
    "returned": "WILL_RULE_RETURNED",
}
#: Nobody reads more lines than this before agreeing; the sums of all are shown.
LINES_MAX = 100

AccountKind = Literal["credits", "stakes", "unclaimed", "house", "shortfall", "floor"]
_BRANCHES: dict[str, AccountKind] = {"terminal:": "credits", "stake:": "stakes"}
_OWN: dict[str, AccountKind] = {HOUSE: "house", SHORTFALL: "shortfall", FLOOR: "floor"}


class AccountPreview(Struct, frozen=True):
    """An account before and after: of which position or session, where it is somebody's.

    What a chip table's own money is by the books is null: it is in the rack, counted blind.
    """

    account: AccountKind
    of: str | None
    change: int
    before: int | None
    after: int | None


class NettedPreview(Struct, frozen=True):
    """What a position or an ended session would be given, owe and fall short of."""

    of: str
    ended: bool
    given: int
    taken: int
    #: What could not be recovered, and what was due and had before.
    shortfall: int
    covered: int


class CommandPreview(Struct, frozen=True):
    """What a command would come to: in sentences, in accounts, session by session."""

    table: str
    will: list[Consequence]
    more_will: int
    #: Whether the round under way is void by it.
    voids: bool
    accounts: tuple[AccountPreview, ...]
    more_accounts: int
    netted: tuple[NettedPreview, ...]
    more_netted: int
    #: What could not be recovered in all.
    shortfall: int
    #: The roles of the second person whom it takes; none where it takes nobody.
    seconds: tuple[str, ...]


class Asked(NamedTuple):
    """The role that asks and the command, in which language and when."""

    role: Role
    command: Previewed
    language: str
    at: Instant
    #: Old rounds, read as `needed_by` says.
    past: Past = NOTHING_READ


def needed_by(state: TableState, asked: Asked) -> Wanted:
    """Say what must be read from the journal before a command can be previewed [D24]."""
    return wanted(state, order_of(asked.role, asked.command), asked.past)


def preview_of(state: TableState, asked: Asked) -> CommandPreview | Refusal:
    """Preview a command, as if a second person had agreed if it takes one."""
    decision = ask(state, asked.role, asked.command, asked.at, asked.past)
    if isinstance(decision, Refusal):
        return decision
    request, seconds = request_in(decision), tuple[Role, ...]()
    if request is not None:
        seconds = seconds_of(state, request)
        decision = agreed(state, request, asked.at, asked.past)
        assert not isinstance(decision, Refusal), "what waits was decided as if it were carried out"
    words = Preview(state, bets_on(state), asked.language, named=True)
    accounts, netted = _accounts(state, decision), _netted(decision)
    told = words.tell(tuple(_worth_showing(asked.command, decision)))
    told += [_ruling(event, asked.language) for event in decision if isinstance(event, BetRuled)]
    return CommandPreview(
        table=state.table,
        will=told[:LINES_MAX],
        more_will=max(0, len(told) - LINES_MAX),
        voids=any(isinstance(event, RoundVoided) for event in decision),
        accounts=accounts[:LINES_MAX],
        more_accounts=max(0, len(accounts) - LINES_MAX),
        netted=netted[:LINES_MAX],
        more_netted=max(0, len(netted) - LINES_MAX),
        shortfall=sum(each.shortfall for each in netted),
        seconds=seconds,
    )


def _worth_showing(command: Previewed, events: Iterable[TableEvent]) -> Iterable[TableEvent]:
    """Leave out the stacks of a round dealt by hand, and the events of every round.

    A ruling on a bet is worded separately.
    """
    if not isinstance(command, EnterRoundByHand):
        return (event for event in events if not isinstance(event, BetRuled))
    kinds = (event for event in events if not isinstance(event, _OF_COURSE))
    return (event for event in kinds if not EVENTS[type(event)].routine)


def _ruling(event: BetRuled, language: str) -> Consequence:
    reason = because(
        _VERDICTS[event.verdict],
        seat=event.seat,
        box=event.bet.box,
        lies_cents=event.bet.amount,
        plays_cents=event.plays,
    )
    return Consequence(say(reason, language), event.clause)


def _accounts(state: TableState, events: Iterable[TableEvent]) -> tuple[AccountPreview, ...]:
    """Add up the change of every account; the house's accounts come first."""
    change: dict[str, int] = {}
    for event in events:
        for posting in postings_of(event):
            change[posting.source] = change.get(posting.source, 0) - posting.amount
            change[posting.destination] = change.get(posting.destination, 0) + posting.amount
    found = [_account(state, account, amount) for account, amount in change.items() if amount]
    return tuple(sorted(found, key=lambda each: each.of is not None))


def _account(state: TableState, account: str, change: int) -> AccountPreview:
    kind, of = _named(account)
    if state.chips is not None and kind == "house":
        return AccountPreview(kind, of, change, None, None)
    before = state.ledger.balance(account)
    return AccountPreview(kind, of, change, before, before + change)


def _named(account: str) -> tuple[AccountKind, str | None]:
    """Give the kind of an account, and whose it is."""
    if account in _OWN:
        return _OWN[account], None
    if account.startswith(UNCLAIMED):
        return "unclaimed", account.removeprefix(UNCLAIMED)
    for branch, kind in _BRANCHES.items():
        if account.startswith(branch):
            return kind, account.removeprefix(branch)
    raise AssertionError(f"{account} is not moved by what is previewed")


def _netted(events: Iterable[TableEvent]) -> tuple[NettedPreview, ...]:
    return tuple(
        _one(each, ended=ended)
        for event in events
        if isinstance(event, RoundsReversed | RoundResettled)
        for ended, part in ((False, event.netted), (True, event.gone))
        for each in part
    )


def _one(netted: Netted, *, ended: bool) -> NettedPreview:
    return NettedPreview(
        netted.position, ended, netted.given, netted.taken, netted.shortfall, netted.covered
    )
