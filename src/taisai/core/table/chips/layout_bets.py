"""Bets that the dealer reads on the layout: recorded, read again, taken back, put right.

No bet is refused for a limit or for its amount: the dealer records what is on the layout, and is
shown the bets outside the limits while there is still time to reject them or to advise the player
[D4]. Bets that were there at the close, or when the result was established, can be recorded until
the payment; once the dice can be seen, a supervisor approves each stack [D22]. Only Division 9 has
cases in which a bet is put right: one that touches a line [div9 4.3], and one that the dealer or
another patron moved; never a call bet that the dealer placed wrongly [div9 4.9].
"""

from collections.abc import Iterator
from typing import Literal

from taisai.core.kernel.ledger import FLOOR, credits_of, stakes_of
from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant, Posting
from taisai.core.kernel.registry import (
    CHIP_TABLE,
    applies,
    command,
    decides,
    event,
    posts,
    waits,
)
from taisai.core.kernel.roles import PIT, PIT_AND_DEALER, PLACING
from taisai.core.rules.bets import Bet, box_refusal
from taisai.core.rules.limit_checks import Notice, notices
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.betting import BATCH_MAX, phase_refusal
from taisai.core.table.chips.pieces import (
    BoxChips,
    Chips,
    Pieces,
    RecordedBet,
    counted,
    is_mixed,
    stacked,
    taken_from,
    value_chips,
    value_of,
)
from taisai.core.table.chips.seats import (
    chips_refusal,
    known_value,
    pieces_of,
    recorded,
    seat_refusal,
    stacks_of,
)
from taisai.core.table.chips.state import ChipTable, Stack
from taisai.core.table.positions import put_on, take_off
from taisai.core.table.state import (
    AFTER_CLOSE,
    Phase,
    TableState,
    chip_table_of,
    clause_for,
    ground_of,
    in_force,
    limits_in_force,
    not_playing,
    pay_table_in_force,
)

#: The moment whose layout counts, as a rulebook names it.
Basis = Literal["close", "result"]
#: Chips are added to a stack of the same chips: no player comes near so many stacks.
STACKS_PER_BOX = 2


@command(at=CHIP_TABLE, by=PLACING, second=PIT)
class RecordBets(Command, frozen=True):
    """Record chips as they are on the layout, of one player on several boxes.

    Once dice can be seen, one box at a time, with a reason and a supervisor's agreement.
    """

    seat: str
    bets: tuple[BoxChips, ...]
    oral: bool = False
    on_behalf: bool = False
    note: str = ""


@event(at=CHIP_TABLE, routine=True, significant=lambda event: event.late)
class BetsRecorded(Event, frozen=True):
    """Chips as the dealer read them on the layout.

    Read after the close, they lay there at the moment that the rulebook names (`lay_at`); `late`
    where dice could be seen by then.
    """

    seat: str
    bets: tuple[RecordedBet, ...]
    brought: int
    by: str
    oral: bool = False
    on_behalf: bool = False
    clause: str | None = None
    lay_at: Basis | None = None
    late: bool = False
    note: str = ""


def is_late(state: TableState) -> bool:
    """Say whether a stack recorded now is read late: the dice can be seen."""
    return state.uncovered and state.phase in AFTER_CLOSE


def _lay_at(state: TableState) -> Basis | None:
    """Name the moment whose layout is recorded, once the bets are closed [D22]."""
    if state.phase not in AFTER_CLOSE:
        return None
    return in_force(state).content.procedure.settlement.basis


def _late_refusal(state: TableState, note: str, stacks: int = 1) -> Refusal | None:
    """Refuse a late reading without a reason, or of more than one stack."""
    clause = in_force(state).content.procedure.settlement.basis_clause
    if not is_late(state):
        return None
    if stacks > 1:
        return refuse("ONE_STACK", clause)
    return None if note.strip() else refuse("NOTE_MISSING", clause)


@decides
def record_bets(state: TableState, command: RecordBets, actor: Actor, _at: Instant) -> Decision:
    """Record what a player has put on the layout, on several boxes at once.

    [ts6 5.9, 5.13; div9 4.3, 4.5, 4.6, 4.9]
    """
    chip_table, seat = chip_table_of(state), command.seat
    refusal = (
        _reading_refusal(state, seat)
        or _spoken_refusal(state, command)
        or _batch_refusal(state, seat, command.bets)
        or _late_refusal(state, command.note, len(command.bets))
        or _pieces_refusal(state, tuple(bet.chips for bet in command.bets))
    )
    if refusal is not None:
        return refusal
    value = sum(value_chips(bet.chips) for bet in command.bets)
    return (
        BetsRecorded(
            seat=seat,
            bets=tuple(recorded(chip_table, bet.box, bet.chips) for bet in command.bets),
            brought=max(0, value - known_value(state, seat)),
            by=actor.person,
            oral=command.oral,
            on_behalf=command.on_behalf,
            clause=_spoken_clause(state, command),
            lay_at=_lay_at(state),
            late=is_late(state),
            note=command.note,
        ),
    )


def _reading_refusal(state: TableState, seat: str) -> Refusal | None:
    """Refuse to read a layout before the bets open, and stacks of a seat that nobody had.

    A player who walked away bets no more, but the bets left on the layout count [ts6 5.3].
    """
    if state.phase not in AFTER_CLOSE:
        return _betting_refusal(state, seat)
    return seat_refusal(state, seat) or reading_refusal(state)


def reading_refusal(state: TableState) -> Refusal | None:
    """Refuse to read the layout if no round is under way, or the round is held up."""
    return not_playing(state) if state.phase in AFTER_CLOSE else phase_refusal(state)


def _betting_refusal(state: TableState, seat: str) -> Refusal | None:
    """Refuse a bet of a seat that is empty or whose player walked away, and a bet out of time."""
    refusal = seat_refusal(state, seat) or phase_refusal(state)
    if refusal is not None:
        return refusal
    return refuse("SEAT_EMPTY", seat=seat) if chip_table_of(state).seated[seat] else None


def _spoken_refusal(state: TableState, command: RecordBets) -> Refusal | None:
    """Refuse a spoken bet, or one on a player's behalf, unless the document allows it."""
    betting, limits = in_force(state).content.procedure.betting, in_force(state).content.limits
    if command.oral and betting.oral_clause is None:
        return refuse("NO_ORAL_BETS", betting.on_behalf_clause or limits.decision)
    if command.oral and state.phase in AFTER_CLOSE:
        return refuse("BETS_CLOSED", in_force(state).content.procedure.betting.late_clause)
    if command.oral and not any(bet.chips for bet in command.bets):
        return refuse("CHIPS_FIRST", betting.oral_clause)
    if command.on_behalf and betting.on_behalf_clause is None:
        return refuse("NO_BETS_ON_BEHALF", limits.decision)
    return None


def _spoken_clause(state: TableState, command: RecordBets) -> str | None:
    betting = in_force(state).content.procedure.betting
    if command.oral:
        return betting.oral_clause
    return betting.on_behalf_clause if command.on_behalf else None


def _batch_refusal(state: TableState, seat: str, bets: tuple[BoxChips, ...]) -> Refusal | None:
    if not 0 < len(bets) <= BATCH_MAX:
        return refuse("BATCH_SIZE", most=BATCH_MAX)
    table, chip_table = pay_table_in_force(state), chip_table_of(state)
    most = STACKS_PER_BOX * chip_table.chip_set.seats * len(table.boxes)
    if len(chip_table.stacks) + len(bets) > most:
        return refuse("TOO_MANY_STACKS", most=most)
    for bet in bets:
        refusal = box_refusal(table, bet.box) or _stack_refusal(state, seat, bet.chips)
        if refusal is not None:
            return refusal
    return None


def _stack_refusal(state: TableState, seat: str, chips: Chips) -> Refusal | None:
    """Refuse chips that cannot be bet: none, unknown, or another player's colour."""
    refusal = chips_refusal(chip_table_of(state), chips, seat)
    return refusal or (None if chips else refuse("BAD_CHIPS"))


def _pieces_refusal(state: TableState, stacks: tuple[Chips, ...]) -> Refusal | None:
    """Refuse more pieces of a colour than the player has in front of them."""
    chip_table = chip_table_of(state)
    for colour, count in pieces_of(stacks).items():
        held = chip_table.in_front(colour)
        if count > held:
            return refuse("COLOUR_SHORT", colour=colour, count=held)
    return None


@applies
def bets_recorded(state: TableState, event: BetsRecorded) -> None:
    state.positions[event.seat].brought += event.brought
    for bet in event.bets:
        _lay(state, event.seat, bet, oral=event.oral, on_behalf=event.on_behalf)


def _lay(state: TableState, name: str, bet: RecordedBet, *, oral: bool, on_behalf: bool) -> None:
    new = Stack(name, bet.box, bet.amount, bet.chips, oral, on_behalf)
    chip_table, where = chip_table_of(state), (name, bet.box)
    _put_together(chip_table, new)
    put_on(state, state.positions[name], bet.box, bet.amount)
    _lies_otherwise(chip_table, where)
    if is_mixed(bet.chips) and where not in chip_table.mixed:
        chip_table.mixed = (*chip_table.mixed, where)


def _lies_otherwise(chip_table: ChipTable, where: tuple[str, str]) -> None:
    """Forget the ruling on a bet: it was about the chips that were there until now [D22]."""
    chip_table.ruled = tuple(each for each in chip_table.ruled if (each.seat, each.box) != where)


def _put_together(chip_table: ChipTable, new: Stack) -> None:
    """Add chips to the player's newest stack of such chips on the box, if it was placed likewise.

    So a layout has no more stacks than kinds of chips, however often a bet is added to. Taking off
    the newest chips first leaves the same chips in the same order as with separate stacks.
    """
    for each in new.chips:
        same = _newest_of(chip_table, new, each.chip)
        if same is not None and (same.oral, same.on_behalf) == (new.oral, new.on_behalf):
            more = value_of((each,), chip_table.marked)
            same.chips = stacked(counted((*same.chips, each)), chip_table.marked)
            same.amount += more
            new.amount -= more
            new.chips = tuple(other for other in new.chips if other is not each)
    if new.chips:
        chip_table.stacks.append(new)


def _newest_of(chip_table: ChipTable, new: Stack, chip: int | str) -> Stack | None:
    """Find the newest stack in the same place that has such chips."""
    for stack in reversed(chip_table.stacks):
        if (
            stack.box == new.box
            and stack.seat == new.seat
            and any(each.chip == chip for each in stack.chips)
        ):
            return stack
    return None


@posts
def _post_bets_recorded(event: BetsRecorded) -> Iterator[Posting]:
    yield Posting(FLOOR, credits_of(event.seat), event.brought)
    staked = sum(bet.amount for bet in event.bets)
    yield Posting(credits_of(event.seat), stakes_of(event.seat), staked)


@command(at=CHIP_TABLE, by=PLACING, second=PIT)
class CorrectRecord(Command, frozen=True):
    """Record anew what one player has on one box."""

    seat: str
    box: str
    chips: Chips
    note: str


@waits
def _read_late(state: TableState, _command: RecordBets | CorrectRecord) -> bool:
    """A late reading waits for a supervisor's approval [D22]."""
    return is_late(state)


@event(at=CHIP_TABLE, routine=True)
class RecordCorrected(Event, frozen=True):
    """What one player has on one box, read again; `late` where dice could be seen by then."""

    seat: str
    before: RecordedBet
    after: RecordedBet
    brought: int
    note: str
    by: str
    clause: str | None = None
    lay_at: Basis | None = None
    late: bool = False


@decides
def correct_record(
    state: TableState, command: CorrectRecord, actor: Actor, _at: Instant
) -> Decision:
    """Record again what one player has on one box; nothing, if there was no bet.

    [ts6 5.9; div9 4.9]
    """
    chip_table, seat, box = chip_table_of(state), command.seat, command.box
    refusal = (
        _reading_refusal(state, seat)
        or box_refusal(pay_table_in_force(state), box)
        or (_stack_refusal(state, seat, command.chips) if command.chips else None)
    )
    if refusal is not None:
        return refusal
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    before, after = stacks_of(chip_table, seat, box), command.chips
    if not before:
        return refuse("NO_SUCH_STACK", seat=seat, box=box)
    more = pieces_of([after])
    lay = pieces_of([before])
    for colour, count in more.items():
        held = chip_table.in_front(colour) + lay.get(colour, 0)
        if count > held:
            return refuse("COLOUR_SHORT", colour=colour, count=held)
    old, new = (
        recorded(chip_table, box, stacked(counted(before), chip_table.marked)),
        recorded(chip_table, box, after),
    )
    known = known_value(state, seat) + value_chips(before)
    brought = max(0, value_chips(after) - known)
    lay_at, settlement = _lay_at(state), in_force(state).content.procedure.settlement
    return (
        RecordCorrected(
            seat=seat,
            before=old,
            after=new,
            brought=brought,
            note=command.note,
            by=actor.person,
            clause=None if lay_at is None else settlement.basis_clause,
            lay_at=lay_at,
            late=is_late(state),
        ),
    )


@applies
def record_corrected(state: TableState, event: RecordCorrected) -> None:
    """Put the new reading in the oldest stack's place: a correction does not lose the turn."""
    chip_table = chip_table_of(state)
    where = (event.seat, event.before.box)
    stacks = [stack for stack in chip_table.stacks if (stack.seat, stack.box) == where]
    position, how, advised = chip_table.stacks.index(stacks[0]), _how(stacks), chip_table.advised
    take_up(state, event.seat, event.before)
    if event.after.chips:
        # It is the same bet, only read again.
        chip_table.advised = advised
    state.positions[event.seat].brought += event.brought
    if event.after.chips:
        _lay(state, event.seat, event.after, **how)
        chip_table.stacks.insert(position, chip_table.stacks.pop())


def take_up(
    state: TableState, seat: str, bet: RecordedBet, *, own_first: bool = False
) -> list[Stack]:
    """Take chips off a box, and drop the marks that no longer apply to the bet.

    Returns the stacks from which chips were taken.
    """
    chip_table, where = chip_table_of(state), (seat, bet.box)
    touched = _lift(chip_table, seat, bet.box, bet.chips, own_first=own_first)
    take_off(state, seat, bet.box, bet.amount)
    _lies_otherwise(chip_table, where)
    left = stacks_of(chip_table, seat, bet.box)
    if not left:
        chip_table.advised = tuple(each for each in chip_table.advised if each != where)
    if not is_mixed(left):
        chip_table.mixed = tuple(each for each in chip_table.mixed if each != where)
    return touched


def _lift(
    chip_table: ChipTable, seat: str, box: str, chips: Chips, *, own_first: bool = False
) -> list[Stack]:
    """Take chips off a player's stacks on a box, the newest first; the others stay as they were.

    Returns the stacks from which chips were taken.
    """
    wanted, touched = counted(chips), []
    stacks = list(reversed(chip_table.stacks))
    if own_first:
        stacks.sort(key=lambda stack: stack.called)
    for stack in stacks:
        if (stack.seat, stack.box) == (seat, box):
            taken = tuple(
                Pieces(each.chip, min(each.count, wanted[each.chip]))
                for each in stack.chips
                if wanted.get(each.chip)
            )
            if taken:
                touched.append(stack)
            left = taken_from(stack.chips, taken)
            assert left is not None, "no more is taken off a stack than it holds"
            stack.chips = stacked(left, chip_table.marked)
            stack.amount = value_of(stack.chips, chip_table.marked)
            for each in taken:
                wanted[each.chip] -= each.count
    assert not any(wanted.values()), "what was taken off was there"
    chip_table.stacks = [stack for stack in chip_table.stacks if stack.chips]
    return touched


def _how(stacks: list[Stack]) -> dict[str, bool]:
    """Say whether any of some stacks was a spoken bet, or placed on the player's behalf."""
    return {
        "oral": any(stack.oral for stack in stacks),
        "on_behalf": any(stack.on_behalf for stack in stacks),
    }


@posts
def _post_record_corrected(event: RecordCorrected) -> Iterator[Posting]:
    yield Posting(stakes_of(event.seat), credits_of(event.seat), event.before.amount)
    yield Posting(FLOOR, credits_of(event.seat), event.brought)
    yield Posting(credits_of(event.seat), stakes_of(event.seat), event.after.amount)


@command(at=CHIP_TABLE, by=PLACING)
class TakeBackBets(Command, frozen=True):
    """Give a player back what they no longer want to bet."""

    seat: str
    bets: tuple[BoxChips, ...]


@event(at=CHIP_TABLE, routine=True, significant=False)
class BetsTakenBack(Event, frozen=True):
    seat: str
    bets: tuple[RecordedBet, ...]
    by: str


@decides
def take_back_bets(
    state: TableState, command: TakeBackBets, actor: Actor, _at: Instant
) -> Decision:
    """Give back what a player withdraws before the close."""
    chip_table, seat = chip_table_of(state), command.seat
    refusal = _betting_refusal(state, seat)
    if refusal is not None:
        return refusal
    if not 0 < len(command.bets) <= BATCH_MAX or len({bet.box for bet in command.bets}) < len(
        command.bets
    ):
        return refuse("BATCH_SIZE", most=BATCH_MAX)
    for bet in command.bets:
        refusal = held_refusal(state, seat, bet.box, bet.chips)
        if refusal is not None:
            return refusal
    bets = tuple(recorded(chip_table, bet.box, bet.chips) for bet in command.bets)
    return (BetsTakenBack(seat, bets, actor.person),)


def held_refusal(state: TableState, seat: str, box: str, chips: Chips) -> Refusal | None:
    """Refuse to take off chips that are not on the box."""
    refusal = box_refusal(pay_table_in_force(state), box) or _stack_refusal(state, seat, chips)
    if refusal is not None:
        return refusal
    if taken_from(stacks_of(chip_table_of(state), seat, box), chips) is None:
        return refuse("NO_SUCH_STACK", seat=seat, box=box)
    return None


@applies
def bets_taken_back(state: TableState, event: BetsTakenBack) -> None:
    for bet in event.bets:
        take_up(state, event.seat, bet)


@posts
def _post_bets_taken_back(event: BetsTakenBack) -> Iterator[Posting]:
    back = sum(bet.amount for bet in event.bets)
    yield Posting(stakes_of(event.seat), credits_of(event.seat), back)


@command(at=CHIP_TABLE, by=PLACING)
class RejectExcess(Command, frozen=True):
    seat: str
    box: str
    chips: Chips


@event(at=CHIP_TABLE, routine=True)
class ExcessRejected(Event, frozen=True):
    seat: str
    bet: RecordedBet
    clause: str | None
    by: str


@decides
def reject_excess(state: TableState, command: RejectExcess, actor: Actor, _at: Instant) -> Decision:
    """Reject the excess over a limit, noticed before the close [ts6 5.1]."""
    chip_table, seat, box = chip_table_of(state), command.seat, command.box
    refusal = (
        seat_refusal(state, seat)
        or phase_refusal(state)
        or held_refusal(state, seat, box, command.chips)
    )
    if refusal is not None:
        return refusal
    over = [
        notice
        for notice in limit_notices(state)
        if notice.box == box
        and notice.player in (None, seat)
        and notice.reason.code != "BELOW_MINIMUM"
    ]
    if not over:
        return refuse("NOT_IN_EXCESS", box=box)
    most = max(notice.amount for notice in over)
    bet = recorded(chip_table, box, command.chips)
    if bet.amount > most:
        return refuse("MORE_THAN_EXCESS", over[0].clause, box=box, over_cents=most)
    return (ExcessRejected(seat, bet, over[0].clause, actor.person),)


def limit_notices(state: TableState) -> list[Notice]:
    """List what the dealer has to act on before the close: excess to reject, players to advise."""
    bets = [Bet(stack.seat, stack.box, stack.amount) for stack in chip_table_of(state).stacks]
    return notices(pay_table_in_force(state), limits_in_force(state), bets)


@applies
def excess_rejected(state: TableState, event: ExcessRejected) -> None:
    take_up(state, event.seat, event.bet)


@posts
def _post_excess_rejected(event: ExcessRejected) -> Iterator[Posting]:
    yield Posting(stakes_of(event.seat), credits_of(event.seat), event.bet.amount)


@command(at=CHIP_TABLE, by=PLACING)
class AdvisePlayer(Command, frozen=True):
    """Tell a player that a bet is below the minimum."""

    seat: str
    box: str


@event(at=CHIP_TABLE, routine=True, posts=False)
class PlayerAdvised(Event, frozen=True):
    """A player was told of the minimum, and may add to the bet or take it back."""

    seat: str
    box: str
    clause: str | None
    by: str


@decides
def advise_player(state: TableState, command: AdvisePlayer, actor: Actor, _at: Instant) -> Decision:
    """Tell a player that a bet does not meet the minimum, noticed before the close [ts6 5.2]."""
    refusal = seat_refusal(state, command.seat) or phase_refusal(state)
    if refusal is not None:
        return refusal
    where = (command.seat, command.box)
    for notice in limit_notices(state):
        if (notice.player, notice.box) == where and notice.reason.code == "BELOW_MINIMUM":
            return (PlayerAdvised(command.seat, command.box, notice.clause, actor.person),)
    refusal = box_refusal(pay_table_in_force(state), command.box)
    return refusal or refuse("NOT_UNDER_MINIMUM", seat=command.seat, box=command.box)


@applies
def player_advised(state: TableState, event: PlayerAdvised) -> None:
    chip_table, where = chip_table_of(state), (event.seat, event.box)
    if where not in chip_table.advised:
        chip_table.advised = (*chip_table.advised, where)


def is_short(state: TableState, seat: str, box: str) -> bool:
    """Say whether a player has a bet on a box that is less than the minimum [D33]."""
    staked = state.positions[seat].bets.get(box, 0)
    return 0 < staked < limits_in_force(state).of(box).minimum


@event(at=CHIP_TABLE)
class AdvisedBetReturned(Event, frozen=True):
    """A bet that its player was advised of, and that stayed under the minimum, is given back."""

    seat: str
    bet: RecordedBet
    clause: str
    decision: str
    by: str


def reading_ends(state: TableState, actor: Actor) -> tuple[Event, ...]:
    """Return, before dice can be seen, advised bets that are still short [D28] [ts6 5.2, 5.14]."""
    if state.chips is None or is_late(state) or state.phase not in AFTER_CLOSE:
        return ()
    clause = ground_of(state, None)
    return tuple(
        AdvisedBetReturned(seat, whole_bet(state.chips, seat, box), clause, "D28", actor.person)
        for seat, box in state.chips.advised
        if is_short(state, seat, box)
    )


def whole_bet(chip_table: ChipTable, seat: str, box: str) -> RecordedBet:
    """Give all that a player has on a box, as one bet."""
    chips = stacked(counted(stacks_of(chip_table, seat, box)), chip_table.marked)
    return recorded(chip_table, box, chips)


@applies
def advised_bet_returned(state: TableState, event: AdvisedBetReturned) -> None:
    take_up(state, event.seat, event.bet)


@posts
def _post_advised_bet_returned(event: AdvisedBetReturned) -> Iterator[Posting]:
    yield Posting(stakes_of(event.seat), credits_of(event.seat), event.bet.amount)


@command(at=CHIP_TABLE, by=PIT, second=PIT_AND_DEALER)
class PutBetRight(Command, frozen=True):
    """Move a bet to where its player had meant it, in a case that the document allows."""

    seat: str
    from_box: str
    to_box: str
    chips: Chips
    reason: Literal["touching-line", "moved-by-dealer", "moved-by-patron"]
    note: str


@event(at=CHIP_TABLE, posts=False)
class BetPutRight(Event, frozen=True):
    """The operator moved a bet to where it was meant."""

    seat: str
    from_box: str
    to_box: str
    amount: int
    chips: Chips
    reason: Literal["touching-line", "moved-by-dealer", "moved-by-patron"]
    clause: str
    note: str
    by: str


@decides
def put_bet_right(state: TableState, command: PutBetRight, actor: Actor, _at: Instant) -> Decision:
    """Move a bet to where it was meant, after the close and before it is settled.

    [div9 4.3, 4.9]
    """
    chip_table, seat = chip_table_of(state), command.seat
    refusal = not_playing(state) or seat_refusal(state, seat)
    if refusal is not None:
        return refusal
    clause = _clause_for(state, command.reason)
    if clause is None:
        return refuse("NO_PUTTING_RIGHT", in_force(state).content.procedure.settlement.basis_clause)
    refusal = (
        _place_refusal(state, command, clause)
        or held_refusal(state, seat, command.from_box, command.chips)
        or box_refusal(pay_table_in_force(state), command.to_box)
    )
    if refusal is not None:
        return refusal
    if _is_call_bet(state, command):
        return refuse("CALL_BET_STANDS", clause)
    if not command.note.strip():
        return refuse("NOTE_MISSING", clause)
    return (
        BetPutRight(
            seat=seat,
            from_box=command.from_box,
            to_box=command.to_box,
            amount=recorded(chip_table, command.from_box, command.chips).amount,
            chips=command.chips,
            reason=command.reason,
            clause=clause,
            note=command.note,
            by=actor.person,
        ),
    )


def _clause_for(state: TableState, reason: str) -> str | None:
    """Name the clause that lets a bet be put right for a reason, if the document has one."""
    if reason == "touching-line":
        return clause_for(state, "touching-line")
    return in_force(state).content.procedure.settlement.corrections_clause


def _place_refusal(state: TableState, command: PutBetRight, clause: str) -> Refusal | None:
    if state.phase not in AFTER_CLOSE:
        open_ = state.phase is Phase.BETTING
        return refuse("BETS_STILL_OPEN" if open_ else "ROUND_NOT_OPEN", clause)
    if command.from_box == command.to_box:
        return refuse("SAME_BOX", clause, box=command.to_box)
    return None


def _is_call_bet(state: TableState, command: PutBetRight) -> bool:
    """Say whether a bet is a call bet: the player's own chips on the box are not enough for it.

    A player who has a bet placed is responsible for its place [div9 4.6]. The exception is to 4.9
    alone: any bet that touches a line may be paid as it was meant [div9 4.3].
    """
    if command.reason == "touching-line":
        return False
    own = stacks_of(chip_table_of(state), command.seat, command.from_box, called=False)
    return taken_from(own, command.chips) is None


@applies
def bet_put_right(state: TableState, event: BetPutRight) -> None:
    """Move the player's own chips before chips that the dealer placed at a call [div9 4.9]."""
    moved = RecordedBet(event.from_box, event.amount, event.chips)
    stacks = take_up(state, event.seat, moved, own_first=True)
    to = RecordedBet(event.to_box, event.amount, event.chips)
    _lay(state, event.seat, to, **_how(stacks))
