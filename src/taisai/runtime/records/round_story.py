"""A whole round from the journal: the rules in force, the money moved, the corrections made later.

Also as an answer for programs, in a language.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import astuple, replace

from taisai.core.kernel.messages import Equipment, Instant, SettledLine
from taisai.core.rules.apportionment import why_part
from taisai.core.rules.dice import Faces, Result, call_of, result_of
from taisai.core.rules.limits import Limits
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.pieces import Chips, Form
from taisai.core.table.corrections import RoundResettled, RoundsReversed
from taisai.core.table.provably_fair import SecretRevealed
from taisai.core.table.round import RoundSettled
from taisai.core.table.state import TableState
from taisai.projections.signs import apart_of
from taisai.protocol.views import Apart
from taisai.rulebooks.answers import RulebookIdentity, identity_of
from taisai.runtime.records.entries import Entry
from taisai.runtime.records.recall import why
from taisai.runtime.records.rounds import RoundEnd, clauses_of, odds_of, outcome_of
from taisai.runtime.records.significant_events import EventView, event_view
from taisai.wording import say, say_all


class StoryPosting(Struct, frozen=True):
    """Money moved, and the event that moved it."""

    version: int
    event: str
    source: str
    destination: str
    amount: int


class StoryMove(Struct, frozen=True):
    """A bet put on a box, or with a minus taken off it, and the event that did it.

    At a chip table it is a seat's, and its chips are counted: those that come off with a minus.
    """

    version: int
    terminal: str
    box: str
    amount: int
    chips: Chips


class Balance(Struct):
    """A terminal's free credits before and after a round, and what changed them, signed.

    At a chip table it is a seat, and the chips known to be in front of its player.
    """

    terminal: str
    before: int
    after: int
    received: int = 0
    cashed: int = 0
    staked: int = 0
    taken_back: int = 0
    back: int = 0
    put_right: int = 0


class StorySecret(Struct, frozen=True):
    """The secret behind the dice of a verifiable tumbler, and how it compares."""

    commitment: str
    before: str
    #: This and what follows from it is None until it is revealed.
    secret: str | None
    drawn: Faces | None
    links: bool | None
    #: Whether the round shows what the secret gives; None where it shows nothing.
    agrees: bool | None


class Began(NamedTuple):
    """What held when the round began."""

    rulebook: Rulebook
    pay_table: PayTable
    limits: Limits | None
    equipment: Equipment
    dice_set: str | None
    balances: dict[str, int]
    chain: tuple[str, str] | None
    operator: str | None
    apart: tuple[Apart, ...]
    form: Form


class RoundStory(NamedTuple):
    """Everything the journal tells of a round; a round that is under way has no `end`."""

    table: str
    number: int
    began: Began
    entries: Sequence[Entry]
    end: RoundSettled | RoundVoided | None
    moves: Sequence[StoryMove]
    postings: Sequence[StoryPosting]
    balances: Sequence[Balance]
    later: Sequence[Entry]
    secret: StorySecret | None
    checked: int

    @property
    def corrections(self) -> list[Entry]:
        """Give what put the round right later: it was settled again, or reversed."""
        return [entry for entry in self.later if not isinstance(entry.event, SecretRevealed)]

    @property
    def began_at(self) -> Instant:
        """Say when the round began."""
        return self.entries[0].at

    @property
    def ended_at(self) -> Instant | None:
        """Say when the round ended, if it has."""
        return next((entry.at for entry in self.entries if entry.event is self.end), None)


def began(state: TableState) -> Began:
    assert state.rulebook is not None, "a round is played by a rulebook"
    assert state.pay_table is not None, "a round is played by a pay table"
    chain = None if state.chain is None else (state.chain.commitment, state.chain.link)
    return Began(
        state.rulebook,
        state.pay_table,
        state.limits,
        state.equipment,
        state.dice_set,
        dict(state.ledger.balances),
        chain,
        state.operator,
        apart_of(state),
        state.form,
    )


# --- as an answer --------------------------------------------------------------------------------


class StoryLine(Struct, frozen=True):
    """What one terminal had on one box, what became of it, by which clause and why."""

    terminal: str
    box: str
    stake: int
    outcome: str
    odds: str | None
    won: int
    back: int
    clause: str
    reason: str | None


class StoryEnd(Struct, frozen=True):
    """How a round ended."""

    end: Literal["settled", "void"]
    dice: Faces | None = None
    total: int | None = None
    call: str | None = None
    winners: tuple[str, ...] = ()
    collected: int = 0
    paid: int = 0
    code: str | None = None
    clause: str | None = None


class StoryNetting(Struct, frozen=True):
    """What a correction gave a terminal or took from it, and what could not be taken.

    `covered` is what it was due and had before, because an earlier correction could not take it.
    """

    terminal: str
    given: int
    taken: int
    shortfall: int
    covered: int


class StoryCorrection(Struct, frozen=True):
    """Something that put the round right later; with its bets, where it was settled again."""

    event: EventView
    bets: list[StoryLine] = []
    netted: list[StoryNetting] = []


class RoundStoryView(Struct, frozen=True):
    """Everything the journal tells of a round, re-created from it alone; its chain was checked."""

    table: str
    round: int
    rulebook: RulebookIdentity
    pay_table: str
    #: Who operates the house; nobody does a demo. Then what its rulebook is not approved for.
    operator: str | None
    apart: tuple[Apart, ...]
    limits: Limits | None
    form: Form
    equipment: Equipment
    dice_set: str | None
    began_at: Instant
    ended_at: Instant | None
    result: StoryEnd | None
    events: list[EventView]
    bets: list[StoryLine]
    moves: list[StoryMove]
    postings: list[StoryPosting]
    balances: list[Balance]
    corrections: list[StoryCorrection]
    secret: StorySecret | None
    chain_unbroken_to: int


def story_view(story: RoundStory, language: str) -> RoundStoryView:
    """Describe a round in full."""
    began = story.began
    return RoundStoryView(
        table=story.table,
        round=story.number,
        rulebook=identity_of(began.rulebook),
        pay_table=began.pay_table.address,
        operator=began.operator,
        apart=began.apart,
        limits=began.limits,
        form=began.form,
        equipment=began.equipment,
        dice_set=began.dice_set,
        began_at=story.began_at,
        ended_at=story.ended_at,
        result=_end(story, language),
        events=[event_view(entry, language) for entry in story.entries],
        bets=[] if story.end is None else _lines(story, story.end, language),
        moves=list(story.moves),
        postings=list(story.postings),
        balances=list(story.balances),
        corrections=[_correction(story, entry, language) for entry in story.corrections],
        secret=story.secret,
        chain_unbroken_to=story.checked,
    )


def _end(story: RoundStory, language: str) -> StoryEnd | None:
    end = story.end
    if end is None:
        return None
    if not isinstance(end, RoundSettled):
        return StoryEnd("void", code=end.code, clause=end.clause)
    result = result_of(end.faces)
    return StoryEnd(
        "settled",
        dice=end.faces,
        total=result.total,
        call=say(call_of(result), language),
        winners=story.began.pay_table.winners(result),
        collected=end.collected,
        paid=end.paid,
    )


def _lines(story: RoundStory, end: RoundEnd, language: str) -> list[StoryLine]:
    boxes = story.began.pay_table.boxes
    clause_of = clauses_of(end, boxes)
    lines = end.returned if isinstance(end, RoundVoided) else end.lines
    result = None if isinstance(end, RoundVoided) else result_of(end.faces)
    return [
        StoryLine(
            terminal=line.position,
            box=line.box,
            stake=line.stake,
            outcome=outcome_of(line, end),
            odds=odds_of(line, end, boxes),
            won=line.won,
            back=line.back,
            clause=clause_of(line.box),
            reason=None if result is None else _why(line, end, result, language),
        )
        for line in lines
    ]


def _why(line: SettledLine, end: RoundEnd, result: Result, language: str) -> str:
    """Say why a bet won or lost, and what of it played where it was outside the limits [D2, D3].

    Its odds are those of what played: the rest was no bet.
    """
    parts = end.playing if isinstance(end, RoundSettled) else ()
    own = [each for each in parts if (each.position, each.box) == (line.position, line.box)]
    played = replace(line, stake=own[0].playing) if own else line
    reasons = [why(played, result)] if played.stake else []
    return say_all((*reasons, *map(why_part, own)), language)


def _correction(story: RoundStory, entry: Entry, language: str) -> StoryCorrection:
    event = entry.event
    assert isinstance(event, RoundResettled | RoundsReversed), "nothing else puts a round right"
    bets = _lines(story, event, language) if isinstance(event, RoundResettled) else []
    netted = [StoryNetting(*astuple(each)) for each in event.netted]
    return StoryCorrection(event_view(entry, language), bets, netted)
