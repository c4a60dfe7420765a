"""Double entry: money moves only by postings, and postings follow from events in one function.

The house, the counter's cash and what is in transit may go below zero, since their other half is
elsewhere; nothing of a player's ever may.
"""
# ruff: noqa: I001, PLC0414 - whoever asks for an account finds it here, wherever it is named.

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from taisai.core.accounts import (
    CASH as CASH,
    HOUSE as HOUSE,
    SETTLED_TRANSITS,
    SHORTFALL as SHORTFALL,
    VOUCHERS as VOUCHERS,
    credits_of as credits_of,
    in_transit as in_transit,
    kept_as,
    stakes_of as stakes_of,
)
from taisai.core.events import (
    BetsClosed,
    BetsRegistered,
    BetsWithdrawn,
    CageEvent,
    CashedOut,
    CreditsReceived,
    RoundResettled,
    RoundSettled,
    RoundsReversed,
    RoundVoided,
    RulingRecorded,
    TableEvent,
    TransitClosed,
    VoucherIssued,
    VoucherPaid,
    VoucherTaken,
)
from taisai.core.felt_ledger import felt_postings
from taisai.core.messages import BoxStake, Netted, Posting, SettledLine

_NEVER_NEGATIVE = ("terminal:", "stake:", "vouchers:", "kept:", "drop:")


class Ledger(Struct):
    """The balances of one stream; an account that was never posted to has none."""

    balances: dict[str, int] = {}

    def balance(self, account: str) -> int:
        """Tell what an account holds."""
        return self.balances.get(account, 0)

    def post(self, postings: Iterable[Posting]) -> None:
        """Move money; an overdrawn player's account is a fault of ours, and stops the table."""
        balances = self.balances
        for posting in postings:
            source, amount = posting.source, posting.amount
            left = balances.get(source, 0) - amount
            assert amount > 0, f"{posting} moves nothing"
            assert left >= 0 or not source.startswith(_NEVER_NEGATIVE), f"{source} is overdrawn"
            balances[source] = left
            if left == 0 and source.startswith(("transit:", "kept:")):
                # These come and go; an account of nothing for each would never end.
                del balances[source]
            balances[posting.destination] = balances.get(posting.destination, 0) + amount

    def total(self, prefix: str) -> int:
        """Add up the accounts of a branch of the tree."""
        return sum(held for account, held in self.balances.items() if account.startswith(prefix))


def postings_of(event: TableEvent | CageEvent) -> Sequence[Posting]:
    """Derive the postings of an event: this function alone says what an event does to money."""
    match event:
        case BetsRegistered(terminal=terminal, bets=bets):
            return (Posting(credits_of(terminal), stakes_of(terminal), _sum_of(bets)),)
        case BetsWithdrawn(terminal=terminal, bets=bets):
            return (_stake_back(terminal, _sum_of(bets)),)
        case BetsClosed(rejected=rejected):
            return [_stake_back(terminal, amount) for terminal, _, amount in rejected]
        case RoundVoided(returned=lines):
            return [_stake_back(line.terminal, line.stake) for line in lines]
        case RoundSettled(lines=lines):
            return _settled(lines)
        case RoundsReversed(netted=netted, gone=gone) | RoundResettled(netted=netted, gone=gone):
            here = [posting for each in netted for posting in _put_right(each)]
            return here + [posting for each in gone for posting in _put_by(each)]
        case RulingRecorded(postings=postings):
            return postings
        case _:
            return _between_table_and_cage(event)


def _between_table_and_cage(event: TableEvent | CageEvent) -> Sequence[Posting]:
    match event:
        case CreditsReceived(transit=transit, terminal=terminal, amount=amount):
            return _arrived(transit, credits_of(terminal), amount)
        case CashedOut(transit=transit, terminal=terminal, amount=amount):
            return (Posting(credits_of(terminal), in_transit(transit), amount),)
        case TransitClosed(transit=transit, amount=amount):
            return (Posting(in_transit(transit), SETTLED_TRANSITS, amount),)
        case VoucherIssued(transit=None, value=value):
            return (Posting(CASH, VOUCHERS, value),)
        case VoucherIssued(transit=str(transit), value=value):
            return _arrived(transit, VOUCHERS, value)
        case VoucherTaken(transit=transit, value=value):
            return (Posting(VOUCHERS, in_transit(transit), value),)
        case VoucherPaid(value=value):
            return (Posting(VOUCHERS, CASH, value),)
        case _:
            return felt_postings(event)


def _sum_of(bets: Sequence[BoxStake]) -> int:
    total = 0
    for bet in bets:
        total += bet.stake
    return total


def _stake_back(terminal: str, amount: int) -> Posting:
    return Posting(stakes_of(terminal), credits_of(terminal), amount)


def _arrived(transit: str, account: str, amount: int) -> Sequence[Posting]:
    """Let money in transit arrive: the other half is in the books it left, and is closed there."""
    way = in_transit(transit)
    return (Posting(SETTLED_TRANSITS, way, amount), Posting(way, account, amount))


def _settled(lines: Sequence[SettledLine]) -> list[Posting]:
    """Collect from each terminal what it lost, then give back and pay what it won [div9 6.5]."""
    lost: dict[str, int] = {}
    kept: dict[str, int] = {}
    won: dict[str, int] = {}
    for line in lines:
        terminal, stake = line.terminal, line.stake
        if not line.back:
            lost[terminal] = lost.get(terminal, 0) + stake
            continue
        own = line.back - line.won
        kept[terminal] = kept.get(terminal, 0) + own
        if line.won:
            won[terminal] = won.get(terminal, 0) + line.won
        if own != stake:
            # Of a bet that lost, only a part played.
            lost[terminal] = lost.get(terminal, 0) + stake - own
    postings = [Posting(stakes_of(terminal), HOUSE, amount) for terminal, amount in lost.items()]
    postings += [_stake_back(terminal, amount) for terminal, amount in kept.items()]
    postings += [Posting(HOUSE, credits_of(terminal), amount) for terminal, amount in won.items()]
    return postings


def _put_right(netted: Netted) -> Iterator[Posting]:
    """Give or take what a reversal comes to; what is not recovered is the house's loss [D8]."""
    if netted.given:
        yield Posting(HOUSE, credits_of(netted.terminal), netted.given)
    if netted.taken:
        yield Posting(credits_of(netted.terminal), HOUSE, netted.taken)
    if netted.shortfall:
        yield Posting(SHORTFALL, HOUSE, netted.shortfall)


def _put_by(netted: Netted) -> Iterator[Posting]:
    """Keep what is due to a player who left; what they owe comes out of what is kept [D8]."""
    if netted.given:
        yield Posting(HOUSE, kept_as(netted.terminal), netted.given)
    if netted.taken:
        yield Posting(kept_as(netted.terminal), HOUSE, netted.taken)
    if netted.shortfall:
        yield Posting(SHORTFALL, HOUSE, netted.shortfall)
