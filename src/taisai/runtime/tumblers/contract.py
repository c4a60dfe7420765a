"""What a table asks of its tumbler, whatever it is made of, and when.

A maker of a physical reader implements `Tumbler` and needs nothing else of this project but
`TumblerFault`. A tumbler answers; it never acts at a table of its own accord, and keeps no books.
"""

from typing import Literal, Protocol

from msgspec import Struct

from taisai.core.rules.dice import Faces
from taisai.core.table.state import Phase, TableState, in_force


class Tumble(Struct, frozen=True):
    """A tumble as it happened: how often, whether the dice came to lie flat, and unseen."""

    times: int
    flat: bool = True
    concealed: bool = True


class TumblerFault(Exception):  # noqa: N818 - a fault of the equipment, as the documents call it
    """The tumbler cannot say what the dice show; `code` names the irregularity that is reported.

    The codes are the rulebooks' own: `malfunction` where the device fails, `die-not-flat`,
    `bad-tumble` or `dice-exposed` where the dice did not come to lie as they must.
    """

    def __init__(self, note: str, code: str = "malfunction") -> None:
        super().__init__(note)
        self.note = note
        self.code = code


class Tumbler(Protocol):
    """A device that tumbles three dice and says what they show.

    - `tumble` is asked once for each round, when its document has the dice tumbled; it gives what
      happened, a bad tumble too: whether that voids the round is not for a device to say.
    - `draw` is asked after the bets are closed and the tumble is in the journal. It gives the
      three faces in any order. What it gives is in the journal before anybody is shown it.
    - After an interruption `draw` may be asked again for the same round. A device whose dice still
      lie there, or follow from a secret, gives the same; any other is not asked (the round is void
      or is declared by people), and one that is raises `TumblerFault`.
    - Either call may take its time and may be cancelled; it must leave the device fit to be asked
      again. Whoever asks sets the time after which a silent device counts as failed.
    - What goes wrong is a `TumblerFault`, and nothing else is raised.
    """

    async def tumble(self, table: str, round: int, at_least: int) -> Tumble:
        """Tumble the dice of a round, as often as its document asks at least."""
        ...

    async def draw(self, table: str, round: int) -> Faces:
        """Say what the dice of a round show."""
        ...


def turn_of(state: TableState) -> Literal["tumble", "draw"] | None:
    """Tell what a table's device is to do now that the bets are closed, if it has one at all.

    A tumble before the bets begins a round, and when a round begins is for the dealer to say.
    """
    if state.equipment.tumbler == "keyed" or state.phase is not Phase.NO_MORE_BETS:
        return None
    if state.in_doubt is not None or state.waiting or "device" in state.reported:
        return None
    if state.tumbled:
        return "draw"
    return None if in_force(state).content.procedure.tumble.order == "before-bets" else "tumble"
