"""The secrets of a verifiable table: published as a chain, one for each round, revealed after it.

A round opens only on a chain whose end is published and with every earlier secret revealed, so the
house can neither choose a throw against known bettors nor withhold one. What a secret gives and
what was entered are compared when it is revealed; where they differ, the table stops. Two persons
may have a chain abandoned, whose secrets a restored house could otherwise use a second time.
"""

from taisai.core.approvals import named_refusal
from taisai.core.commands import AbandonChain, PublishChain, RevealSecret
from taisai.core.decision import Decision, ground_of
from taisai.core.events import ChainAbandoned, ChainPublished, SecretRevealed, TableStopped
from taisai.core.irregularities import outcome_is_recorded, voided
from taisai.core.rules.dice import Faces
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table_state import IN_ROUND, Chain, TableState
from taisai.core.verifiable import drawn_dice, link_of, secret_from

#: A chain serves so many rounds at the most, and is sealed in so many characters.
CHAIN_LENGTH_MAX = 1_000_000
SEALED_MAX = 512
#: Why a table stops whose dice are not those of its secret.
DRAWN_OTHERWISE = "drawn-otherwise"


def is_verifiable(state: TableState) -> bool:
    """Say whether the dice of a table follow from secrets."""
    return state.equipment.tumbler == "verifiable"


def secret_due(state: TableState) -> int | None:
    """Name the round that is over and whose secret is not revealed yet."""
    chain = state.chain
    if chain is None or state.phase in IN_ROUND or state.round < chain.next_round:
        return None
    return chain.next_round


def chain_refusal(state: TableState) -> Refusal | None:
    """Refuse to begin a round whose dice are not bound yet, or while a secret is owed."""
    if not is_verifiable(state):
        return None
    if state.chain is None:
        return refuse("NO_CHAIN")
    due = secret_due(state)
    if due is not None:
        return refuse("SECRET_TO_REVEAL", round=due)
    if state.chain.used_up:
        return refuse("CHAIN_USED_UP")
    return None


def publish_chain(state: TableState, command: PublishChain) -> Decision:
    """Publish the end of a new chain; one that still has secrets is never given up for another."""
    refusal = _between_rounds(state)
    if refusal is not None:
        return refusal
    due = secret_due(state)
    if due is not None:
        return refuse("SECRET_TO_REVEAL", round=due)
    if state.chain is not None and not state.chain.used_up:
        return refuse("CHAIN_GOES_ON", left=state.chain.left)
    if not _is_chain(command):
        return refuse("BAD_CHAIN", most=CHAIN_LENGTH_MAX)
    published = ChainPublished(
        commitment=command.commitment,
        length=command.length,
        sealed=command.sealed,
        first=state.round + 1,
    )
    return (published,)


def _between_rounds(state: TableState) -> Refusal | None:
    if not is_verifiable(state):
        return refuse("NOT_VERIFIABLE")
    return refuse("ROUND_UNDER_WAY") if state.phase in IN_ROUND else None


def _is_chain(command: PublishChain) -> bool:
    """Look at the shape of a chain; what is sealed can only be looked at by who has the key."""
    return (
        secret_from(command.commitment) is not None
        and type(command.length) is int
        and 1 <= command.length <= CHAIN_LENGTH_MAX
        and 1 <= len(command.sealed) <= SEALED_MAX
        and command.sealed.isascii()
        and command.sealed.isalnum()
    )


def reveal_secret(state: TableState, command: RevealSecret) -> Decision:
    """Reveal the secret of the round that has just ended, settled or void."""
    refusal = _between_rounds(state)
    if refusal is not None:
        return refusal
    due, chain = secret_due(state), state.chain
    if due is None or chain is None or command.round != due:
        return refuse("NO_SECRET_DUE")
    secret = secret_from(command.secret)
    if secret is None or link_of(secret).hex() != chain.link:
        return refuse("WRONG_SECRET", round=due)
    drawn, shown = drawn_dice(secret, state.table, due), _shown(state, chain)
    agrees = shown is None or shown == drawn
    revealed = SecretRevealed(due, command.secret, drawn, agrees)
    if agrees or state.stopped is not None:
        return (revealed,)
    return (revealed, TableStopped(ground_of(state, None), DRAWN_OTHERWISE))


def abandon_chain(state: TableState, command: AbandonChain) -> Decision:
    """End a chain whose next secrets may be known, and void a round that its outcome hangs on.

    The secret of the last round it served is still owed: nothing is withheld by abandoning it.
    """
    if not is_verifiable(state):
        return refuse("NOT_VERIFIABLE")
    if state.chain is None:
        return refuse("NO_CHAIN")
    if state.chain.used_up:
        return refuse("CHAIN_USED_UP")
    refusal = named_refusal(command.by, command.second)
    if refusal is not None:
        return refusal
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    abandoned = ChainAbandoned(command.by, command.second, command.note)
    if state.phase not in IN_ROUND or outcome_is_recorded(state):
        return (abandoned,)
    return (abandoned, voided(state, "interrupted-without-outcome"))


def _shown(state: TableState, chain: Chain) -> Faces | None:
    """Tell what the round was shown to be: its result, or what the device alone had read."""
    return state.reported.get("device") if chain.shown is None else chain.shown


def drawn_refusal(state: TableState, number: int, faces: Faces, clause: str) -> Refusal | None:
    """Refuse to put a round right by other dice than its secret gives."""
    if not is_verifiable(state):
        return None
    drawn = state.history[number].drawn
    if drawn is None:
        return refuse("SECRET_TO_REVEAL", clause, round=number)
    if faces != drawn:
        dice = " ".join(str(face) for face in drawn)
        return refuse("DRAWN_OTHERWISE", clause, round=number, dice=dice)
    return None
