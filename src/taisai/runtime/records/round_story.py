"""A round as the journal has it: what was in force, what moved, and what was put right later."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from taisai.core.kernel.messages import Equipment, Instant, Posting
from taisai.core.rules.dice import Faces
from taisai.core.rules.limits import Limits
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.betting import RoundVoided
from taisai.core.table.provably_fair import SecretRevealed
from taisai.core.table.round import RoundSettled
from taisai.core.table.setup import RulebookAdopted
from taisai.core.table.state import TableState
from taisai.runtime.records.entries import Entry


class Moved(NamedTuple):
    """A posting, and the event that made it."""

    version: int
    event: str
    posting: Posting


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


class RoundStory(NamedTuple):
    """Everything the journal tells of a round; a round that is under way has no `end`."""

    table: str
    number: int
    began: Began
    entries: Sequence[Entry]
    end: RoundSettled | RoundVoided | None
    moved: Sequence[Moved]
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
    )


def adopted(story: RoundStory) -> RulebookAdopted:
    """Name the rules of a round as the event that adopted them did."""
    rulebook, number = story.began.rulebook, story.began.pay_table.number
    return RulebookAdopted(rulebook.key, rulebook.sha256, rulebook.canonical.decode(), number)
