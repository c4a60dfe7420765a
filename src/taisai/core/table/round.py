"""A round by the documents: bets, tumble, close, entry, confirmation, settlement [D5]."""

from functools import cached_property

from msgspec import field

from taisai.core.kernel.ledger import HOUSE, credits_of, stakes_of
from taisai.core.kernel.messages import (
    Actor,
    Command,
    Decision,
    Event,
    Instant,
    PlayedPart,
    Posting,
    SettledLine,
)
from taisai.core.kernel.registry import TABLE, applies, command, decides, event, posts
from taisai.core.kernel.roles import DEALING, PIT, PIT_AND_DEALER, PLACING
from taisai.core.rules.bets import Bet
from taisai.core.rules.dice import Faces, result_of
from taisai.core.rules.limit_checks import reject_at_close
from taisai.core.rules.money import write_odds
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.rules.settlement import Settled, settle_stakes
from taisai.core.table.chips.collecting import collected_by
from taisai.core.table.chips.payout import (
    chips_paid,
    guide_to,
    payment_refusal,
    settle_stacks,
    unclaimed_refusal,
)
from taisai.core.table.chips.pieces import Chips
from taisai.core.table.chips.seats import recovery_refusal, set_aside_unclaimed
from taisai.core.table.chips.state import day_of, take_out
from taisai.core.table.positions import (
    TerminalLocked,
    add_to,
    assert_books,
    end_if_lost,
    meter_of,
    stake_back,
    take_off,
)
from taisai.core.table.provably_fair import chain_refusal
from taisai.core.table.state import (
    ENTERED,
    IN_ROUND,
    Phase,
    RoundRecord,
    TableState,
    amendment_waits,
    check_refusal,
    dice_refusal,
    end_round,
    in_force,
    is_face,
    limits_in_force,
    not_playing,
    pay_table_in_force,
    rules_of,
    sorted_faces,
    unconfirmed_refusal,
)


@command(at=TABLE, by=DEALING, part="opens")
class OpenBets(Command, frozen=True):
    pass


@event(at=TABLE, significant=False, posts=False)
class RoundStarted(Event, frozen=True):
    round: int
    at: Instant


@event(at=TABLE, significant=False, posts=False)
class BetsOpened(Event, frozen=True):
    """Bets are taken from now on; without words the Player Terminals gave the notice of it."""

    words: str | None
    clause: str
    by: str


@decides
def open_bets(state: TableState, _command: OpenBets, actor: Actor, at: Instant) -> Decision:
    """Open the bets; never before the winners of the last round are paid [div9 4.4].

    [ts6 1.7, 3.2; etg8 1.8, 3.2; div9 6.1]
    """
    refusal = not_playing(state)
    if refusal is not None:
        return refusal
    procedure = in_force(state).content.procedure
    if state.phase not in (Phase.READY, Phase.TUMBLED):
        clause = procedure.betting.after_payment_clause or procedure.betting.opens_clause
        return refuse("ROUND_UNDER_WAY", clause)
    if state.stopped is not None:
        return refuse("TABLE_STOPPED", state.stopped)
    refusal = chain_refusal(state) or recovery_refusal(state)
    refusal = refusal or dice_refusal(state) or check_refusal(state) or void_refusal(state)
    if refusal is not None:
        return refusal
    if procedure.tumble.order == "before-bets" and not state.tumbled:
        return refuse("TUMBLE_FIRST", procedure.tumble.order_clause)
    betting = procedure.betting
    opened = BetsOpened(betting.opens_words, betting.opens_clause, actor.person)
    return (*unclaimed_from_void(state), *started(state, at), opened)


def void_refusal(state: TableState) -> Refusal | None:
    """Refuse to go on after a void round while the rack cannot pay who walked away from it."""
    return None if state.phase in IN_ROUND else unclaimed_refusal(state)


def unclaimed_from_void(state: TableState) -> tuple[Event, ...]:
    """Set aside what a void round gave back to players who walked away."""
    return () if state.phase in IN_ROUND else set_aside_unclaimed(state)


def started(state: TableState, at: Instant) -> tuple[Event, ...]:
    """Start a round, unless one is under way."""
    return () if state.phase in IN_ROUND else (RoundStarted(state.round + 1, at),)


@applies
def round_started(state: TableState, event: RoundStarted) -> None:
    state.round = event.round
    state.phase = Phase.TUMBLED
    state.tumbled = state.tumbled_early = state.uncovered = False
    state.to_announce = None
    state.echo = ()
    state.reported = {}
    state.faces = None
    state.placements = 0
    if state.chips is not None:
        state.chips.put_back = ()


@applies
def bets_opened(state: TableState, _: BetsOpened) -> None:
    state.phase = Phase.BETTING


@command(at=TABLE, by=DEALING, part="closes")
class CloseBets(Command, frozen=True):
    bell: bool = False


@event(at=TABLE, significant=False)
class BetsClosed(Event, frozen=True):
    """Bets are closed; what the Differential left as excess is given back, newest first.

    With a `report` they are closed at once, since somebody reported what voids the round [D20].
    """

    words: str
    bell: bool
    clause: str
    by: str
    rejected: tuple[tuple[str, str, int], ...] = ()
    rejected_clause: str | None = None
    report: str | None = None
    #: Whether the Player Terminals display the words, instead of a dealer who calls them.
    displayed: bool = False


@decides
def close_bets(state: TableState, command: CloseBets, actor: Actor, _at: Instant) -> Decision:
    """Call the bets closed; the excess that a withdrawal left behind is rejected [D4].

    [ts6 3.6; etg8 3.5; div9 3.4(f), 6.2]
    """
    refusal = not_playing(state)
    if refusal is not None:
        return refusal
    betting = in_force(state).content.procedure.betting
    if state.phase is not Phase.BETTING:
        return refuse("BETS_NOT_OPEN", betting.closes_clause)
    if betting.bell and not command.bell:
        return refuse("BELL_FIRST", betting.closes_clause)
    return (closed_bets(state, actor, bell=command.bell),)


def closed_bets(
    state: TableState,
    actor: Actor,
    *,
    bell: bool = False,
    report: str | None = None,
    goes_on: bool = True,
) -> BetsClosed:
    """Close the bets by the document's words, or at once for a report that may void [D20].

    If the round does not go on, no excess is given back: all bets go back.
    """
    betting = in_force(state).content.procedure.betting
    rejected = _rejected(state) if goes_on else ()
    rules = pay_table_in_force(state).limit_rules
    return BetsClosed(
        words=betting.closes_words,
        bell=bell,
        clause=betting.closes_clause,
        by=actor.person,
        rejected=rejected,
        rejected_clause=rules.rejected_clause if rejected else None,
        report=report,
        displayed=betting.closes == "terminal-notice",
    )


def _rejected(state: TableState) -> tuple[tuple[str, str, int], ...]:
    limits = limits_in_force(state)
    if limits.differential is None or state.chips is not None:
        # Excess that a dealer left on the layout plays pro rata.
        return ()
    table = pay_table_in_force(state)
    found = [
        (order, name, box, amount)
        for name, position in state.positions.items()
        for box, placed in position.placed.items()
        for order, amount in placed
    ]
    bets = [Bet(name, box, amount) for _, name, box, amount in sorted(found)]
    rejections = reject_at_close(table, limits, bets)
    return tuple(
        (bets[each.position].player, bets[each.position].box, each.amount) for each in rejections
    )


@applies
def bets_closed(state: TableState, event: BetsClosed) -> None:
    state.phase = Phase.NO_MORE_BETS
    for terminal, box, amount in event.rejected:
        take_off(state, terminal, box, amount)
    for terminal in {terminal for terminal, _, _ in event.rejected}:
        assert_books(state, terminal, state.positions[terminal])


@posts
def _post_closed(event: BetsClosed) -> list[Posting]:
    return [stake_back(position, amount) for position, _, amount in event.rejected]


@command(at=TABLE, by=PLACING, part="entry")
class PressFace(Command, frozen=True):
    face: int


@event(at=TABLE, routine=True, significant=False, posts=False)
class FacePressed(Event, frozen=True):
    face: int


@decides
def press_face(state: TableState, command: PressFace, _actor: Actor, _at: Instant) -> Decision:
    """Press a button of the entry terminal; its light shows the last three [div9 3.3].

    [div9 3.3(a), 3.3(a)(i), 3.3(a)(iii), 6.4(a)]
    """
    refusal = not_playing(state) or _entry_refusal(state, "keyed")
    if refusal is not None:
        return refusal
    if not is_face(command.face):
        return refuse("BAD_DICE", dice=str(command.face)[:40])
    return (FacePressed(command.face),)


def _entry_refusal(state: TableState, source: str) -> Refusal | None:
    """Refuse a result before the close, and of dice that were not tumbled.

    At a chip table the cover is lifted first: that ends the reading of the layout [D22]. At other
    tables this is not required: a person who enters faces has seen them.
    """
    procedure = in_force(state).content.procedure
    if state.phase is Phase.BETTING:
        return refuse("BETS_STILL_OPEN", procedure.betting.closes_clause)
    if state.phase is not Phase.NO_MORE_BETS:
        entered = state.phase in ENTERED
        return refuse("RESULT_IS_ENTERED" if entered else "ROUND_NOT_OPEN")
    if not state.tumbled:
        return refuse("NOT_TUMBLED", procedure.tumble.clause)
    if state.chips is not None and not state.uncovered:
        return refuse("COVER_FIRST", procedure.uncovering_clause)
    if source not in _sources(state):
        return refuse("DEVICE_ENTERS" if source == "keyed" else "DEALER_ENTERS")
    return None


def _sources(state: TableState) -> tuple[str, ...]:
    if state.equipment.tumbler == "keyed":
        return ("keyed",)
    return ("device", "keyed") if state.equipment.read_by_dealer_too else ("device",)


@applies
def face_pressed(state: TableState, event: FacePressed) -> None:
    state.echo = (*state.echo[-2:], event.face)


@command(at=TABLE, by=("device", *PLACING), part="entry")
class EnterResult(Command, frozen=True):
    """Enter three faces; without them, the last three pressed."""

    faces: tuple[int, ...] | None = None


@event(at=TABLE, significant=False, posts=False)
class ResultReported(Event, frozen=True):
    """One of two sources has read the dice."""

    source: str
    faces: Faces


@event(at=TABLE, posts=False)
class ResultsDisagreed(Event, frozen=True):
    pass


@event(at=TABLE, significant=lambda event: event.source == "declared", posts=False)
class ResultEntered(Event, frozen=True):
    faces: Faces
    source: str
    by: str


@decides
def enter_result(state: TableState, command: EnterResult, actor: Actor, _at: Instant) -> Decision:
    """Enter the faces; if two sources read the dice, they must agree.

    The faces keyed are those that the LED shows, if there is one [D29].

    [div9 3.3, 3.3(a)(ii), 3.3(a)(iii), 6.4, 6.4(b)]
    """
    source = "device" if actor.role == "device" else "keyed"
    refusal = not_playing(state) or _entry_refusal(state, source)
    if refusal is not None:
        return refusal
    faces = sorted_faces(state.echo if command.faces is None else command.faces)
    if isinstance(faces, Refusal):
        return faces
    refusal = _led_refusal(state, source, faces)
    if refusal is not None:
        return refusal
    entered = ResultEntered(faces, source, actor.person)
    if len(_sources(state)) == 1:
        return (entered,)
    return _compare(state, source, faces, entered)


def _led_refusal(state: TableState, source: str, faces: Faces) -> Refusal | None:
    """Refuse to key other faces than the LED shows, if the document has an LED [div9 3.3]."""
    entry = in_force(state).content.procedure.entry
    if source != "keyed" or not entry.echo or faces == tuple(sorted(state.echo)):
        return None
    return refuse("NOT_ON_THE_LED", entry.echo_clause)


def _compare(state: TableState, source: str, faces: Faces, entered: ResultEntered) -> Decision:
    reported = ResultReported(source, faces)
    others = {found for name, found in state.reported.items() if name != source}
    if not others:
        return (reported,)
    return (reported, entered) if others == {faces} else (reported, ResultsDisagreed())


@applies
def result_reported(state: TableState, event: ResultReported) -> None:
    state.reported[event.source] = event.faces
    state.uncovered = True


@applies
def results_disagreed(state: TableState, _: ResultsDisagreed) -> None:
    state.waiting = True


@applies
def result_entered(state: TableState, event: ResultEntered) -> None:
    state.faces = event.faces
    state.phase = Phase.RESULT
    state.uncovered = True
    state.waiting = False
    if state.chain is not None:
        state.chain.shown = event.faces


@command(at=TABLE, by=DEALING, part="entry")
class ConfirmResult(Command, frozen=True):
    pass


@event(at=TABLE, significant=False, posts=False)
class ResultConfirmed(Event, frozen=True):
    """The winning areas are lit and the result is called."""

    faces: Faces
    winners: tuple[str, ...]
    by: str


@decides
def confirm_result(
    state: TableState, _command: ConfirmResult, actor: Actor, at: Instant
) -> Decision:
    """Confirm the faces: the winning areas light up and the result is called [div9 3.3]."""
    refusal = not_playing(state) or amendment_waits(state, at)
    if refusal is not None:
        return refusal
    if state.phase is not Phase.RESULT or state.faces is None:
        entered = state.phase is Phase.CONFIRMED
        return refuse("RESULT_IS_CONFIRMED" if entered else "NO_RESULT")
    winners = pay_table_in_force(state).winners(result_of(state.faces))
    return (ResultConfirmed(state.faces, winners, actor.person),)


@applies
def result_confirmed(state: TableState, _: ResultConfirmed) -> None:
    state.phase = Phase.CONFIRMED


@command(at=TABLE, by=PIT_AND_DEALER, second=PIT, part="amendment")
class AmendResult(Command, frozen=True):
    faces: tuple[int, ...]


@event(at=TABLE, posts=False, irregular=True)
class ResultAmended(Event, frozen=True):
    faces: Faces
    before: Faces
    clause: str


@decides
def amend_result(state: TableState, command: AmendResult, _actor: Actor, _at: Instant) -> Decision:
    """Put a wrong entry right before the bets are settled [div9 7.2] [ts6 5.10; etg8 5.5]."""
    refusal = not_playing(state)
    if refusal is not None:
        return refusal
    if state.phase not in ENTERED or state.faces is None:
        return refuse("NO_RESULT")
    amendment = in_force(state).content.procedure.amendment
    if state.equipment.tumbler in ("simulated", "verifiable"):
        return refuse("DEVICE_ENTERS", amendment.clause)
    faces = sorted_faces(command.faces)
    if isinstance(faces, Refusal):
        return faces
    if faces == state.faces:
        return refuse("NOTHING_TO_AMEND", amendment.clause)
    return (ResultAmended(faces, state.faces, amendment.clause),)


@applies
def result_amended(state: TableState, event: ResultAmended) -> None:
    state.faces = event.faces
    state.phase = Phase.RESULT


@command(at=TABLE, by=DEALING, part="settlement")
class Settle(Command, frozen=True):
    pass


@event(at=TABLE, significant=False)
class RoundSettled(Event, frozen=True, dict=True, gc=True):
    """Losing bets collected, then winning ones paid; what each box paid and by which clause.

    At a chip table it is the payment: `playing` has whose bets were outside the limits, and what of
    them played; `chips` is what was paid out of the rack.
    """

    round: int
    faces: Faces
    lines: tuple[SettledLine, ...]
    odds: dict[str, str | None]
    clauses: dict[str, str]
    collected: int
    paid: int
    by: str
    at: Instant
    playing: tuple[PlayedPart, ...] = ()
    chips: Chips = ()
    #: The number of the session that bet at each position [D21].
    sessions: dict[str, int] = field(default_factory=dict)

    @cached_property
    def sums(self) -> list[tuple[str, int, int, int]]:
        """Add up stake, won and back of each position, for postings and meters alike.

        The lines of a position stand together.
        """
        sums: list[tuple[str, int, int, int]] = []
        position, stake, won, back = "", 0, 0, 0
        for line in self.lines:
            if line.position != position:
                sums.append((position, stake, won, back))
                position, stake, won, back = line.position, 0, 0, 0
            stake += line.stake
            won += line.won
            back += line.back
        sums.append((position, stake, won, back))
        return sums[1:]


@decides
def settle_round(state: TableState, _command: Settle, actor: Actor, at: Instant) -> Decision:
    """Settle the round: collect first, then pay [ts6 1.7, 5.9; etg8 1.8, 5.7].

    At terminals both happen at once; at a chip table this is the payment, which ends the round
    [D23]. The losing bets are collected before, or with it if the document has no order [D29]. The
    money of players who walked away is set aside.
    """
    refusal = unconfirmed_refusal(state, at)
    if refusal is not None:
        return refusal
    settled, playing = worked_out(state)
    if state.chips is None:
        event = settlement(state, settled, playing, (), actor, at)
        return (event, *_locks(state, settled.won))
    guide = guide_to(state, settled.lines)
    refusal = payment_refusal(state, guide)
    if refusal is not None:
        return refusal
    chips = chips_paid(guide, state.chips.marked)
    event = settlement(state, settled, playing, chips, actor, at)
    collecting = collected_by(state, guide, actor)
    return (*collecting, event, *set_aside_unclaimed(state, settled.lines))


def settlement(
    state: TableState,
    settled: Settled,
    playing: tuple[PlayedPart, ...],
    chips: Chips,
    actor: Actor,
    at: Instant,
) -> RoundSettled:
    """Make the event of a settled round: each box with its odds and its clause [D13]."""
    assert state.faces is not None, "a confirmed result has faces"
    table, result = pay_table_in_force(state), result_of(state.faces)
    boxes = [table.boxes[box] for box in state.box_totals]
    odds = {box.key: box.odds_on(result) for box in boxes}
    return RoundSettled(
        round=state.round,
        faces=state.faces,
        lines=settled.lines,
        odds={box: None if each is None else write_odds(each) for box, each in odds.items()},
        clauses={box.key: box.clause_on(result) for box in boxes},
        collected=settled.collected,
        paid=settled.paid,
        by=actor.person,
        playing=playing,
        chips=chips,
        at=at,
        sessions={
            name: position.sessions[-1][1]
            for name, position in state.positions.items()
            if position.bets
        },
    )


def worked_out(state: TableState) -> tuple[Settled, tuple[PlayedPart, ...]]:
    """Settle all bets by the dice, and at a chip table find how much of each plays [D2, D3]."""
    assert state.faces is not None, "dice were entered"
    result = result_of(state.faces)
    if state.chips is not None:
        return settle_stacks(state, result)
    # Bets from terminals were checked against the limits as they came, so all of each plays.
    bets = ((name, position.bets) for name, position in state.positions.items())
    return settle_stakes(pay_table_in_force(state), result, bets), ()


def _locks(state: TableState, won: dict[str, int]) -> tuple[Event, ...]:
    """Lock each terminal that won more than the threshold, until an attendant clears it."""
    if state.handpay_threshold is None:
        return ()
    above = state.handpay_threshold
    return tuple(
        TerminalLocked(terminal, amount, state.round, amount)
        for terminal, amount in won.items()
        if amount > above
    )


@applies
def round_settled(state: TableState, event: RoundSettled) -> None:
    idle: dict[str, int] = {}
    for part in event.playing:
        idle[part.position] = idle.get(part.position, 0) + part.stake - part.playing
    turnover = state.live - sum(idle.values())
    for name in ("table", f"dealer:{event.by}"):
        add_to(meter_of(state, name), turnover, event.collected, event.paid)
    meter_kinds(state, event)
    end_round(state, settled_record(event, rules_of(state), state.version))
    if state.chips is not None:
        take_out(state.chips, event.chips)
        day = day_of(state.chips)
        day.collected += event.collected
        day.paid += event.paid
    positions = state.positions
    for name, stake, won, back in event.sums:
        position = positions[name]
        own = stake - idle.get(name, 0) if idle else stake
        add_to(position, own, stake + won - back, won)
        if not assert_books(state, name, position):
            end_if_lost(state, name, event.at)


def settled_record(event: RoundSettled, rules: str, version: int) -> RoundRecord:
    """Make the record of a settled round, with its rules and the version of its event."""
    return RoundRecord(
        number=event.round,
        faces=event.faces,
        lines=event.lines,
        void=False,
        rules=rules,
        version=version,
        sessions=event.sessions,
    )


def meter_kinds(state: TableState, event: RoundSettled) -> None:
    """Add up by kind of bet: everything that plays on a box wins or loses together."""
    boxes, result = pay_table_in_force(state).boxes, result_of(event.faces)
    idle: dict[str, int] = {}
    for part in event.playing:
        idle[part.box] = idle.get(part.box, 0) + part.stake - part.playing
    for key, total in state.box_totals.items():
        stake = total - idle.get(key, 0)
        box = boxes[key]
        odds = box.odds_on(result)
        won = 0 if odds is None else int(odds * stake)
        add_to(meter_of(state, f"kind:{box.kind.value}"), stake, 0 if won else stake, won)


@posts
def _post_settled(event: RoundSettled) -> list[Posting]:
    """Collect from each position what it lost, then give back and pay what it won [div9 6.5]."""
    collected, returned, paid = [], [], []
    for position, stake, won, back in event.sums:
        if stake + won != back:
            collected.append(Posting(stakes_of(position), HOUSE, stake + won - back))
        if back != won:
            returned.append(stake_back(position, back - won))
        if won:
            paid.append(Posting(HOUSE, credits_of(position), won))
    return collected + returned + paid
