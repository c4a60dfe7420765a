"""Auditing a round: begun, tumbled, closed, read, confirmed, settled as the dice say, or void."""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from taisai.core.kernel.messages import Instant, LimitsAsked, SettledLine
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.by_hand import HandPaymentDiffered, RoundDealtByHand
from taisai.core.table.chips.collecting import LosersCollected
from taisai.core.table.corrections import Rule, VoidSettledRounds
from taisai.core.table.interruption import DeclareOutcome, InterruptionRecorded, PlayResumed
from taisai.core.table.irregularities import IrregularityReported, ReportIrregularity
from taisai.core.table.provably_fair import ChainAbandoned
from taisai.core.table.round import (
    AmendResult,
    BetsOpened,
    FacePressed,
    ResultAmended,
    ResultConfirmed,
    ResultEntered,
    ResultReported,
    ResultsDisagreed,
    RoundSettled,
    RoundStarted,
)
from taisai.core.table.tumble import CoverLifted, TumbleRecorded
from taisai.runtime.auditor import chips
from taisai.runtime.auditor.approvals import one_alone
from taisai.runtime.auditor.betting import check_read, check_ruled
from taisai.runtime.auditor.interruption import check_by_hand
from taisai.runtime.auditor.irregularities import look_at_dice
from taisai.runtime.auditor.pay_tables import Rules, Throw, read_odds
from taisai.runtime.auditor.provably_fair import check_bound
from taisai.runtime.auditor.registry import audits, routine
from taisai.runtime.auditor.table import UNDER_WAY, AuditedTable, Played, throw_of


@audits
def begun(table: AuditedTable, event: RoundStarted, at: Instant) -> None:
    """Rounds are numbered without a gap and begin one after the other, on a table in play."""
    table.expect("between")
    if event.round != table.round + 1 or event.at != at:
        raise table.wrong("round {round} begins, and is not the next", round=event.round)
    if table.stopped:
        raise table.wrong("a round begins while the table is stopped")
    if table.dice_in_use is None:
        raise table.wrong("a round begins without dice")
    if table.checks_missing():
        raise table.wrong("a round begins without {named}", named=", ".join(table.checks_missing()))
    if table.chips is not None:
        chips.check_nobody_walked(table)
    check_bound(table)
    if table.waiting:
        table.due = (RoundDealtByHand,)
    table.round = event.round
    table.phase = "begun"
    table.tumbled = table.tumbled_open = table.in_sight = False
    table.to_announce = None
    table.reported = {}
    table.throw = None
    table.led = []


@audits
def bets_opened(table: AuditedTable, event: BetsOpened, _: Instant) -> None:
    """Bets open with the document's words or notice, after the tumble if that comes first."""
    table.expect("begun")
    table.expect_playing()
    table.expect_people("betting")
    procedure = table.rules_in_force().procedure
    betting = procedure["betting"]
    if (event.words, event.clause) != (betting.get("opens_words"), betting["opens_clause"]):
        raise table.wrong("bets were called for by {clause}", clause=event.clause)
    if procedure["tumble"]["order"] == "before-bets" and not table.tumbled:
        raise table.wrong("bets were called for before the tumble")
    if table.stopped:
        raise table.wrong("bets were called for while the table is stopped")
    if table.chips is not None:
        chips.check_said(table)
    table.phase = "betting"


@audits
def tumbled(table: AuditedTable, event: TumbleRecorded, _: Instant) -> None:
    """A tumble that was not as it should be is followed by its irregularities.

    Those that are left to a ruling come first, each of them; then one that voids the round, unless
    a person has already reported that.
    """
    table.expect("begun", "betting", "shut")
    table.expect_people("tumble")
    if table.waiting and not table.by_hand:
        raise table.wrong("a tumble was recorded while the outcome waits to be declared")
    tumble = table.rules_in_force().procedure["tumble"]
    early, covered = table.phase != "shut", tumble["cover"] == "covered"
    ruled = {
        "second-tumble": table.tumbled and table.phase != "begun",
        "uncovered-tumble": covered and not early and not event.concealed,
    }
    faults = {
        "tumbled-too-early": tumble["order"] == "after-close" and early,
        "bad-tumble": event.times < tumble["at_least"],
        "die-not-flat": not event.flat,
        "dice-exposed": covered and early and not event.concealed,
    }
    voids = tuple(code for code, so in faults.items() if so)
    table.due_codes = [(code,) for code, so in ruled.items() if so]
    if voids and not table.doubted.keys() & set(voids):
        table.due_codes.append(voids)
    if table.due_codes:
        table.due = (IrregularityReported,)
    table.tumbled, table.tumbled_open = True, early
    if tumble["cover"] == "open" or not (early or event.concealed):
        if not (voids or table.in_sight):
            # Once dice were in sight, short bets are left to a ruling [D28].
            check_read(table)
        table.in_sight = True
    look_at_dice(table)


@audits
def uncovered(table: AuditedTable, event: CoverLifted, _: Instant) -> None:
    """A cover is lifted once, after the close, off dice that were tumbled under it."""
    table.expect("shut")
    table.expect_playing()
    table.expect_people("entry")
    procedure = table.rules_in_force().procedure
    if procedure["tumble"]["cover"] == "open" or table.in_sight or not table.tumbled:
        raise table.wrong("a cover was lifted that was not on tumbled dice")
    if event.clause != (procedure["entry"].get("call_clause") or procedure["tumble"]["clause"]):
        raise table.wrong("the cover was lifted by {clause}", clause=event.clause)
    check_read(table)
    table.in_sight = True


@routine
@audits
def pressed(table: AuditedTable, event: FacePressed, _: Instant) -> None:
    """Buttons are pressed after the close, and there are six."""
    table.expect("shut")
    _check_in_sight(table)
    table.expect_people("entry")
    if event.face not in range(1, 7):
        raise table.wrong("a button {face} was pressed", face=event.face)
    table.led = [*table.led, event.face][-3:]


@audits
def reported(table: AuditedTable, event: ResultReported, _: Instant) -> None:
    """One of two sources has read dice that were tumbled."""
    _check_reading(table, event.source, event.faces)
    table.reported[event.source] = throw_of(event.faces)
    table.in_sight = True
    if len(table.reported) == 2:
        agree = len(set(table.reported.values())) == 1
        table.due = (ResultEntered,) if agree else (ResultsDisagreed,)


@audits
def disagreed(table: AuditedTable, _: ResultsDisagreed, __: Instant) -> None:
    """If two sources disagree, people decide."""
    if len(set(table.reported.values())) != 2:
        raise table.wrong("results that agree are said to disagree")
    table.waiting = True


@audits
def entered(table: AuditedTable, event: ResultEntered, _: Instant) -> None:
    """A result is entered after the close, of dice that were tumbled, or declared by two."""
    throw = throw_of(event.faces)
    if table.by_hand:
        # What two persons testified is checked when the round is settled.
        table.expect("shut")
    elif event.source == "declared":
        table.expect("shut")
        command = table.second.take(DeclareOutcome, "an outcome was declared")
        if not table.waiting or command.faces is None or throw_of(command.faces) != throw:
            raise table.wrong("an outcome was declared that was not asked for")
        if not table.tumbled:
            raise table.wrong("an outcome was declared of dice that were never tumbled")
        if table.chips is not None and table.chips.interrupted:
            table.due = (PlayResumed,)
    else:
        _check_reading(table, event.source, event.faces)
        two = table.equipment.read_by_dealer_too and table.equipment.tumbler != "keyed"
        if two and table.reported != {"device": throw, "keyed": throw}:
            raise table.wrong("a result was entered that two sources did not agree on")
    _check_throw(table, event.faces)
    table.throw = table.shown = throw
    table.phase = "shown"
    table.in_sight = True
    table.waiting = False


def _check_reading(table: AuditedTable, source: str, faces: tuple[int, ...]) -> None:
    """Dice are read after the tumble, by an allowed source, and keyed as the LED shows, if any."""
    table.expect("shut")
    table.expect_playing()
    table.expect_people("entry")
    echoed = table.rules_in_force().procedure["entry"]["echo"]
    if source == "keyed" and echoed and sorted(faces) != sorted(table.led):
        raise table.wrong("{faces} was keyed, and the LED showed {led}", faces=faces, led=table.led)
    if not table.tumbled:
        raise table.wrong("dice were read that were never tumbled")
    _check_in_sight(table)
    sources = ["keyed" if table.equipment.tumbler == "keyed" else "device"]
    if table.equipment.read_by_dealer_too:
        sources.append("keyed")
    if source not in sources:
        raise table.wrong("a result came from {source}", source=source)


def _check_in_sight(table: AuditedTable) -> None:
    """Check that a chip table's layout was fully read before anybody saw the dice [D22]."""
    if table.chips is not None and not table.in_sight:
        raise table.wrong("dice were entered while they were covered")


def _check_throw(table: AuditedTable, faces: tuple[int, ...]) -> None:
    if len(faces) != 3 or not all(face in range(1, 7) for face in faces):
        raise table.wrong("{faces} is no throw", faces=faces)


@audits
def confirmed(table: AuditedTable, event: ResultConfirmed, _: Instant) -> None:
    """The winning boxes light, all of them and no other."""
    table.expect("shown")
    table.expect_playing()
    table.expect_people("entry")
    throw = throw_of(event.faces)
    rules = table.rules_in_force()
    if throw != table.throw:
        raise table.wrong(
            "{throw} was confirmed, and {throw_2} was entered", throw=throw, throw_2=table.throw
        )
    winners = tuple(box for box in rules.boxes if throw in rules.pays[box])
    if event.winners != winners:
        odd = sorted(set(event.winners) ^ set(winners))
        raise table.wrong(
            "the wrong boxes were lit on {throw}: {named}", throw=throw, named=", ".join(odd)
        )
    table.phase = "called"


@audits
def amended(table: AuditedTable, event: ResultAmended, _: Instant) -> None:
    """A result is amended before settlement, by two persons."""
    table.expect("shown", "called")
    command = table.second.take(AmendResult, "a result was amended")
    check_supervised(table)
    if event.before != table.throw or throw_of(command.faces) != event.faces:
        raise table.wrong("a result was amended to what was not agreed, or from what was not there")
    _check_throw(table, event.faces)
    table.throw = throw_of(event.faces)
    table.phase = "shown"


def check_supervised(table: AuditedTable) -> None:
    """Check that one of two persons has a role under which results are corrected [D29]."""
    named = table.rules_in_force().procedure["amendment"]["by"]
    if not any(each.role in named for each in table.second.persons()):
        raise table.wrong("a result was put right without a {named}", named=" or ".join(named))


@audits
def settled(table: AuditedTable, event: RoundSettled, at: Instant) -> None:
    """A round is settled once, by its confirmed result, every bet of it and nothing else."""
    if table.rounds.get(event.round) is not None:
        raise table.wrong("round {round} was settled twice, or after it ended", round=event.round)
    table.expect("called")
    table.expect_playing()
    table.expect_people("settlement")
    in_order = table.rules_in_force().procedure["settlement"].get("order") is not None
    if in_order and table.happened(LosersCollected) and not table.happened(RoundDealtByHand):
        raise table.wrong("winners were paid in one act with collecting")
    throw = throw_of(event.faces)
    if event.round != table.round or throw != table.throw:
        raise table.wrong(
            "round {round} was settled by {throw}, not {throw_2}",
            round=event.round,
            throw=throw,
            throw_2=table.throw,
        )
    if event.at != at:
        raise table.wrong(
            "round {round} was settled at {at}, not at {at_2}",
            round=event.round,
            at=event.at,
            at_2=at,
        )
    rules = table.rules_in_force()
    if table.chips is not None:
        check_ruled(table)
        check_by_hand(table, event)
    plays = {} if table.chips is None else _check_playing(table, rules, event)
    check_lines(table, rules, throw, table.bets, event.lines, plays)
    _check_boxes(table, rules, throw, event)
    _enter_settlement(table, event)
    table.turnover -= sum(
        line.stake - plays[line.position, line.box] for line in event.lines if plays
    )
    players = table.players_of(event.lines)
    if event.sessions != players:
        raise table.wrong(
            "round {round} is of players {sessions}, not {players}",
            round=event.round,
            sessions=event.sessions,
            players=players,
        )
    table.keep_round(Played(rules.name, throw, event.lines, plays=plays, players=players))
    if table.chips is not None:
        chips.settled(table, event)
        table.due = (HandPaymentDiffered,) if table.chips.differs else ()
    end_round(table)
    for name in {line.position for line in event.lines} if table.chips is None else ():
        if table.is_free(name):
            table.position(name).lost_all(at)


@audits
def collected(table: AuditedTable, event: LosersCollected, _: Instant) -> None:
    """The losing bets are collected after the call, all of them and no other."""
    table.expect("called")
    table.expect_playing()
    table.expect_people("settlement")
    check_ruled(table)
    if event.round != table.round or table.throw is None:
        raise table.wrong("the losing bets of round {round} were collected", round=event.round)
    chips.collected(table, event)
    rules, throw = table.rules_in_force(), table.throw
    lost = {
        (seat, box): part
        for (seat, box), (part, _) in playing(table, rules).items()
        if part and throw not in rules.pays[box]
    }
    taken = {where: line.amount for where, line in table.chips.taken.items()}
    if taken != lost:
        raise table.wrong("{taken} was collected, and {lost} is lost", taken=taken, lost=lost)


def _check_playing(
    table: AuditedTable, rules: Rules, event: RoundSettled
) -> dict[tuple[str, str], int]:
    """Check how much of each bet at a chip table plays, and that affected players are told why."""
    parts = playing(table, rules)
    clauses = {
        "exempt": rules.limits.get("exempt_clause"),
        "exempt-differential": "D3",
        "whole-chips": "D22",
        "ruled": rules.ground_of("not-covered"),
        "under-minimum": rules.limits.get("stands_clause"),
        "maximum": rules.limits.get("pro_rata_clause"),
        "differential": rules.limits.get("pro_rata_clause"),
    }
    told = {
        (seat, box): (table.bets[seat][box], part, why, clauses[why])
        for (seat, box), (part, why) in parts.items()
        if why != "whole"
    }
    said = {
        (part.position, part.box): (part.stake, part.playing, part.by, part.clause)
        for part in event.playing
    }
    if said != told or len(said) != len(event.playing):
        raise table.wrong("players were told {said}, not {told}", said=said, told=told)
    return {where: part for where, (part, _) in parts.items()}


def check_lines(
    table: AuditedTable,
    rules: Rules,
    throw: Throw,
    bets: dict[str, dict[str, int]],
    lines: tuple[SettledLine, ...],
    plays: Mapping[tuple[str, str], int] = MappingProxyType({}),
) -> None:
    """Check every line by the dice, and take it off the bets: in the end none may be left."""
    paying: dict[str, tuple[int, int]] = {}
    for box in rules.boxes:
        odds = rules.pays[box].get(throw)
        paying[box] = (0, 0) if odds is None else odds.as_integer_ratio()
    for line in lines:
        terminal, box, stake, won, back = line.position, line.box, line.stake, line.won, line.back
        lay = bets.get(terminal, {}).pop(box, 0)
        if lay != stake or not stake:
            raise table.wrong(
                "terminal {terminal} is settled for {stake} on {box}, where {lay} lay",
                terminal=terminal,
                stake=stake,
                box=box,
                lay=lay,
            )
        odds_won, odds_staked = paying[box]
        plays_for = plays.get((terminal, box), stake) if plays else stake
        # Odds of 3 to 2 pay three for every two staked; a losing bet loses the part that played.
        right = won * odds_staked == plays_for * odds_won and back == stake + won
        if not (right if odds_staked else won == 0 and back == stake - plays_for):
            pays = Fraction(stake * odds_won, odds_staked) if odds_staked else 0
            raise table.wrong(
                "terminal {terminal} won {won} and got {back} for {stake} on "
                "{box}; the dice {throw} say {pays} and {due}",
                terminal=terminal,
                won=won,
                back=back,
                stake=stake,
                box=box,
                throw=throw,
                pays=pays,
                due=pays + stake if odds_staked else 0,
            )
    for terminal, left in bets.items():
        for box in left:
            raise table.wrong(
                "the bet of terminal {terminal} on {box} was not settled",
                terminal=terminal,
                box=box,
            )


def _quotes(text: str | None, odds: Fraction | None) -> bool:
    """Say whether a text is these odds, or none where a box loses."""
    if text is None or odds is None:
        return text is None and odds is None
    try:
        return read_odds(text) == odds
    except ValueError:
        return False


def _check_boxes(table: AuditedTable, rules: Rules, throw: Throw, event: RoundSettled) -> None:
    """Check odds and clause of each box that was bet on."""
    boxes = {box for box, stake in table.box_totals.items() if stake}
    if set(event.odds) != boxes or set(event.clauses) != boxes:
        raise table.wrong("odds and clauses are not given for the boxes that were bet on")
    for box in boxes:
        text, odds = event.odds[box], rules.pays[box].get(throw)
        if not _quotes(text, odds):
            raise table.wrong(
                "{box} is said to pay {text}, and pays {odds}", box=box, text=text, odds=odds
            )
        if event.clauses[box] != rules.clause_on(box, throw):
            clause = rules.clause_on(box, throw)
            raise table.wrong(
                "{box} is decided by {clause}, not {clauses}",
                box=box,
                clause=clause,
                clauses=event.clauses[box],
            )


def _enter_settlement(table: AuditedTable, event: RoundSettled) -> None:
    won: dict[str, int] = {}
    back: dict[str, int] = {}
    staked: dict[str, int] = {}
    for line in event.lines:
        terminal = line.position
        staked[terminal] = staked.get(terminal, 0) + line.stake
        if line.back:
            back[terminal] = back.get(terminal, 0) + line.back
            won[terminal] = won.get(terminal, 0) + line.won
    for terminal, amount in staked.items():
        table.books.enter(f"stake:{terminal}", -amount)
    for terminal, amount in back.items():
        table.books.enter(f"terminal:{terminal}", amount)
    table.turnover += sum(staked.values())
    table.won += sum(won.values())
    table.collected += event.collected
    # The house's side is the total that the event says was collected and paid.
    table.books.enter("house:bank", event.collected - event.paid)
    if table.handpay_threshold is not None:
        table.locks_due = {
            name: (sum_, event.round, sum_)
            for name, sum_ in won.items()
            if sum_ > table.handpay_threshold
        }


@audits
def voided(table: AuditedTable, event: RoundVoided, _: Instant) -> None:
    """A void round gives every stake back; after the dice were seen it takes two persons."""
    table.expect(*UNDER_WAY)
    if event.round != table.round:
        raise table.wrong("round {round} was voided", round=event.round)
    if event.clause != table.rules_in_force().ground_of(event.code):
        raise table.wrong("{code} was voided by {clause}", code=event.code, clause=event.clause)
    _check_ground(table, event)
    stakes = {
        (terminal, box): stake for terminal, own in table.bets.items() for box, stake in own.items()
    }
    returned: dict[tuple[str, str], int] = {}
    for line in event.returned:
        if line.won or line.back != line.stake or (line.position, line.box) in returned:
            raise table.wrong(
                "a void gave terminal {position} {back} for {stake}",
                position=line.position,
                back=line.back,
                stake=line.stake,
            )
        returned[line.position, line.box] = line.stake
        table.books.enter(f"stake:{line.position}", -line.stake)
        table.books.enter(f"terminal:{line.position}", line.back)
    if returned != stakes:
        raise table.wrong("a void did not give every stake back")
    table.due = ()
    if table.chips is not None:
        chips.voided(table, event)
        if table.chips.interrupted and isinstance(table.second.granted, DeclareOutcome):
            table.due = (PlayResumed,)
    table.keep_round(Played(table.rules_in_force().name, void=True))
    end_round(table)


def _check_ground(table: AuditedTable, event: RoundVoided) -> None:
    """Check why a round is void, and that two persons say so if one may not."""
    match table.second.granted:
        case ReportIrregularity(code=code):
            _, agreed = table.second.persons()
            reporter = table.doubted.get(code, agreed.person)
            ground = code == event.code and not one_alone(agreed.person, reporter)
        case DeclareOutcome(faces=faces):
            ground = faces is None and table.waiting and _has_no_outcome(table, event)
        case VoidSettledRounds():
            ground = event.code == "damaged-dice"
        case Rule(voids_round=voids):
            ground = voids and event.code == "not-covered"
        case None:
            ground = _voided_by_one(table, event)
        case _:
            ground = False
    if not ground:
        raise table.wrong("the round was voided for {code} without ground", code=event.code)
    table.second.used = True


def _voided_by_one(table: AuditedTable, event: RoundVoided) -> bool:
    if table.happened(InterruptionRecorded):
        return event.code.startswith("interrupted-with")
    if table.happened(ChainAbandoned):
        voids = table.rules_in_force().ruling_on("interrupted-without-outcome") == "void-round"
        return event.code == ("interrupted-without-outcome" if voids else "not-covered")
    reports = [each for each in table.decision if isinstance(each, IrregularityReported)]
    return bool(reports) and reports[-1].code == event.code and not reports[-1].in_doubt


def _has_no_outcome(table: AuditedTable, event: RoundVoided) -> bool:
    """Say whether people may declare no outcome: none is entered, and the ruling voids."""
    code = "interrupted-without-outcome"
    voids = table.rules_in_force().ruling_on(code) == "void-round"
    entered = table.phase in ("shown", "called")
    return event.code == code and voids and not entered and not table.doubted


def end_round(table: AuditedTable) -> None:
    """Clear the table for the next round."""
    table.bets = {}
    table.box_totals = {}
    table.placed = []
    table.phase = "between"
    table.tumbled = table.in_sight = False
    table.doubted = {}
    table.second.reports = {}
    table.waiting = table.chips is not None and table.chips.interrupted
    table.throw = None


# --- what plays of each bet on a layout, by exact fractions [D2, D3] -----------------------------


Where = tuple[str, str]


def playing(table: AuditedTable, rules: Rules) -> dict[Where, tuple[int, str]]:
    """Give, for each player's bets on each box, how much plays, and why."""
    limits = table.limits
    rows = dict.fromkeys((stack.seat, stack.box) for stack in table.chips.stacks)
    stakes: dict[str, dict[str, int]] = {}
    for seat, box in rows:
        stakes.setdefault(box, {})[seat] = table.bets[seat][box]
    shared: dict[str, dict[str, tuple[int, str]]] = {}
    for box, own in stakes.items():
        unit = table.chips.chips.values[0] * max(
            each.denominator for each in rules.pays[box].values()
        )
        for seat, stake in own.items():
            own[seat] = table.chips.ruled.get((seat, box), stake) // unit * unit
        if limits is None or rules.limits["over_maximum"] != "pro-rata":
            shared[box] = {seat: (stake, "whole") for seat, stake in own.items()}
        else:
            shared[box] = _share(table, limits, box, own, table.limit_of(box)[1], "maximum")
    if limits is not None and limits.differential is not None:
        for pair in rules.limits.get("differential_pairs", ()):
            shared |= _differential(table, limits, tuple(pair), stakes, shared)
    return {
        (seat, box): (part, _why(table, (seat, box), part, stakes[box][seat], why))
        for box, own in shared.items()
        for seat, (part, why) in own.items()
    }


def _why(table: AuditedTable, where: Where, part: int, able: int, why: str) -> str:
    """Say why so much of a bet plays if no limit has cut it: a ruling, or what chips can pay."""
    if part < able:
        return why
    if where in table.chips.ruled:
        return "ruled"
    return "whole-chips" if part < table.bets[where[0]][where[1]] else why


def _differential(
    table: AuditedTable,
    limits: LimitsAsked,
    pair: tuple[str, ...],
    stakes: Mapping[str, dict[str, int]],
    shared: Mapping[str, dict[str, tuple[int, str]]],
) -> dict[str, dict[str, tuple[int, str]]]:
    most = limits.differential or 0
    played = {box: sum(part for part, _ in shared.get(box, {}).values()) for box in pair}
    for box, other in (pair, pair[::-1]):
        if played[box] > played[other] + most:
            room = min(table.limit_of(box)[1], played[other] + most)
            return {box: _share(table, limits, box, stakes[box], room, "differential")}
    return {}


def _share(
    table: AuditedTable, limits: LimitsAsked, box: str, own: dict[str, int], room: int, why: str
) -> dict[str, tuple[int, str]]:
    """Share a box: small bets whole, the others in proportion and never below the minimum."""
    least, step = table.limit_of(box)[0], limits.step or 1
    full = sum(own.values()) > room
    small = "exempt" if full else "under-minimum"
    if full and sum(own.values()) <= table.limit_of(box)[1]:
        # The box is within its maximum, only too far ahead of the other.
        small = "exempt-differential"
    parts = {seat: (stake, small if stake < least else "whole") for seat, stake in own.items()}
    if not full:
        return parts
    sharing = {seat: stake for seat, stake in own.items() if stake >= least}
    left = max(0, room - sum(stake for stake in own.values() if stake < least)) // step * step
    for seat, part in _proportions(sharing, left, least, step).items():
        parts[seat] = (part, why if part < own[seat] else "whole")
    return parts


def _proportions(sharing: dict[str, int], room: int, least: int, step: int) -> dict[str, int]:
    if least * len(sharing) > room:
        return dict.fromkeys(sharing, least)
    held: set[str] = set()
    while True:
        free = {seat: stake for seat, stake in sharing.items() if seat not in held}
        rest = room - least * len(held)
        total = sum(free.values())
        exact = {seat: Fraction(stake * rest, total) for seat, stake in free.items()}
        short = {seat for seat, share in exact.items() if share < least}
        if not short:
            break
        held |= short
    down = {seat: int(share // step) * step for seat, share in exact.items()}
    spare = (rest - sum(down.values())) // step
    order = sorted(exact, key=lambda seat: down[seat] - exact[seat])
    for seat in order[:spare]:
        down[seat] = min(down[seat] + step, free[seat])
    return dict.fromkeys(held, least) | down
