"""A round in full, and the significant events, as answers for programs."""

from typing import Literal

import msgspec
from msgspec import Struct

from taisai.core.kernel.messages import Equipment, Instant
from taisai.core.rules.dice import Faces, call_of, result_of
from taisai.core.rules.limits import Limits
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import RoundResettled, RoundsReversed
from taisai.core.table.round import RoundSettled
from taisai.rulebooks.answers import RulebookIdentity, identity_of
from taisai.runtime.records.entries import Entry
from taisai.runtime.records.recall import why
from taisai.runtime.records.round_story import Balance, RoundStory, StorySecret, adopted
from taisai.runtime.records.rounds import RoundEnd, clauses_of, odds_of, outcome_of
from taisai.runtime.records.significant_events import EventView, event_view
from taisai.wording import say


class EventPage(Struct, frozen=True):
    """Significant events, the newest first; `before` asks for the ones before them."""

    events: list[EventView]
    before: str | None = None


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


class StoryPosting(Struct, frozen=True):
    """Money moved, and the event that moved it."""

    version: int
    event: str
    source: str
    destination: str
    amount: int


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
    """What a correction gave a terminal or took from it, and what could not be taken."""

    terminal: str
    given: int
    taken: int
    shortfall: int


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
    limits: Limits | None
    equipment: Equipment
    dice_set: str | None
    began_at: Instant
    ended_at: Instant | None
    result: StoryEnd | None
    events: list[EventView]
    bets: list[StoryLine]
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
        limits=began.limits,
        equipment=began.equipment,
        dice_set=began.dice_set,
        began_at=story.began_at,
        ended_at=story.ended_at,
        result=_end(story, language),
        events=[event_view(entry, language) for entry in story.entries],
        bets=[] if story.end is None else _lines(story, story.end, language),
        postings=[
            StoryPosting(moved.version, moved.event, *msgspec.structs.astuple(moved.posting))
            for moved in story.moved
        ],
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
    rules = adopted(story)
    clause_of = clauses_of(end, rules)
    lines = end.returned if isinstance(end, RoundVoided) else end.lines
    result = None if isinstance(end, RoundVoided) else result_of(end.faces)
    return [
        StoryLine(
            terminal=line.position,
            box=line.box,
            stake=line.stake,
            outcome=outcome_of(line, end),
            odds=odds_of(line, end, rules),
            won=line.won,
            back=line.back,
            clause=clause_of(line.box),
            reason=None if result is None else say(why(line, result), language),
        )
        for line in lines
    ]


def _correction(story: RoundStory, entry: Entry, language: str) -> StoryCorrection:
    event = entry.event
    assert isinstance(event, RoundResettled | RoundsReversed), "nothing else puts a round right"
    bets = _lines(story, event, language) if isinstance(event, RoundResettled) else []
    netted = [StoryNetting(*msgspec.structs.astuple(each)) for each in event.netted]
    return StoryCorrection(event_view(entry, language), bets, netted)
