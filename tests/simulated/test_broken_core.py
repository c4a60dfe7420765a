"""A core with a fault put into it is found: the simulation looks where faults would be."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from typing import Any

import msgspec
import pytest

from taisai.core.cage import vouchers as cage
from taisai.core.kernel import decider as table
from taisai.core.kernel.messages import Netted
from taisai.core.rules.limits import set_limits
from taisai.core.table import betting, corrections, irregularities, round, setup, tumble
from taisai.core.table import positions as terminals
from taisai.core.table import provably_fair as drawing
from taisai.rulebooks import rulebook
from taisai.runtime.simulator import Finding, simulate
from tests.simulated.pool import pool


def edit(thing: Any, **fields: Any) -> Any:
    return msgspec.structs.replace(thing, **fields)


def pays_one_too_much(settle: Callable[..., Any]) -> Callable[..., Any]:
    def settle_stakes(*arguments: Any) -> Any:
        settled = settle(*arguments)
        lines = [edit(each, won=each.won + 1, back=each.back + 1) for each in settled.lines]
        return edit(settled, lines=tuple(lines), paid=settled.paid + len(lines))

    return settle_stakes


def forgets_a_line(settle: Callable[..., Any]) -> Callable[..., Any]:
    def settle_stakes(*arguments: Any) -> Any:
        settled = settle(*arguments)
        return edit(settled, lines=settled.lines[1:])

    return settle_stakes


def gives(answer: Any) -> Callable[..., Any]:
    """Replace a function by one that always gives the same answer."""
    return lambda _: lambda *_, **__: answer


def nets_without_limit(_: Callable[..., Any]) -> Callable[..., Any]:
    """Take everything back, whether the terminal still has it or not."""

    def net(_: Any, changes: dict[str, int], **__: Any) -> Any:
        return tuple(
            Netted(terminal, max(0, change), max(0, -change), 0)
            for terminal, change in changes.items()
            if change
        )

    return net


def keeps_one_stake(void: Callable[..., Any]) -> Callable[..., Any]:
    def voided(*arguments: Any) -> Any:
        event = void(*arguments)
        return edit(event, returned=event.returned[1:])

    return voided


#: Each fault: the module and function, the replacement, and the findings it must cause.
FAULTS: dict[str, tuple[Any, str, Callable[[Any], Any], str]] = {
    "winners are paid too much": (
        round,
        "settle_stakes",
        pays_one_too_much,
        "the dice .* say|AssertionError",
    ),
    "a bet is not settled": (round, "settle_stakes", forgets_a_line, "was not settled|Assertion"),
    "late bets are taken": (betting, "phase_refusal", gives(None), "while the table is|Error"),
    "barred players may bet": (betting, "_access_refusal", gives(None), "barred or locked"),
    "lost terminals may bet": (betting, "_lost_refusal", gives(None), "which is lost"),
    "limits are not looked at": (
        betting,
        "change_refusal",
        gives(None),
        "limits|step|apart|left on|Error",
    ),
    "any sign will do": (
        setup,
        "displayed_limits",
        lambda _: set_limits,
        "a limit of nothing|without the Differential",
    ),
    "credits are not looked at": (betting, "_credit_refusal", gives(None), "overdrawn|below zero"),
    "own limits are ignored": (betting, "_own_limits_refusal", gives(None), "its player set"),
    "an excess is not rejected": (round, "reject_at_close", gives([]), "the close gave back"),
    "nobody looks at the dice": (
        irregularities,
        "_seen",
        gives(False),
        "voids the round by itself",
    ),
    "bad tumbles count": (tumble, "tumble_irregularity", gives(None), "should have followed"),
    "no tumble is the second": (tumble, "_to_be_ruled", gives(()), "should have followed"),
    "a void keeps a stake": (irregularities, "voided", keeps_one_stake, "every stake|Assertion"),
    "a reversal takes what is gone": (corrections, "_net", nets_without_limit, "netted|overdrawn"),
    "anybody approves": (table, "approval_refusal", gives(None), "of their own|minute|Assertion"),
    "vouchers never expire": (cage, "DAY_MS", lambda day: day * 2, "is dated wrongly"),
    "a secret is kept back": (round, "chain_refusal", gives(None), "not revealed|before any"),
    "drawn dice are not compared": (drawing, "_shown", gives(None), "are said to agree with"),
    "players loosen their limits": (terminals, "_loosens", gives(False), "loosened its own limits"),
}


def play_until_found(name: str) -> None:
    """Put a fault into the core of this process, and play worlds until it is found."""
    module, function, broken, _ = FAULTS[name]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, function, broken(getattr(module, function)))
        for seed in range(120):
            simulate(seed, 100, [rulebook("ts6")])


@cache
def playing() -> dict[str, Future[None]]:
    """Start a world with each fault, each in a process of its own."""
    return {name: pool().submit(play_until_found, name) for name in FAULTS}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_core_is_found(name: str) -> None:
    with pytest.raises(Finding, match=FAULTS[name][3]):
        playing()[name].result()
