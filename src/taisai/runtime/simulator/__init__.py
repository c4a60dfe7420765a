"""Simulated venues: seeded, reproducible, with people who do everything people do."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from taisai.core.rules.rulebook import Rulebook
from taisai.runtime.auditor import AuditError
from taisai.runtime.simulator.venue import Finding, Tally
from taisai.runtime.simulator.world import World

__all__ = ["Finding", "Report", "Tally", "World", "simulate"]


class Report(Struct, frozen=True):
    """The outcome of a simulated world."""

    seed: int
    tally: Tally
    tables: int
    turnover: int
    hold: int
    corrections: int
    vouchers: int
    fingerprint: str


def simulate(
    seed: int,
    rounds: int,
    rulebooks: Sequence[Rulebook],
    progress: Callable[[int], None] = lambda _: None,
) -> Report:
    """Run the world of a seed for so many rounds; raise a Finding if anything goes wrong."""
    try:
        world = World(seed, rulebooks)
        for done in world.run(rounds):
            progress(done)
    except (AuditError, Finding) as error:
        raise Finding(str(error)) from error
    except Exception as error:
        # No command may raise: an exception of the core is a finding too.
        raise Finding(f"{type(error).__name__}: {error}") from error
    return _report(seed, world)


def _report(seed: int, world: World) -> Report:
    venue = world.venue
    meters = [table.meters["table"] for table in venue.tables.values() if "table" in table.meters]
    events = venue.tally.events
    corrected = ("RoundsReversed", "RoundResettled", "RulingRecorded", "ResultAmended")
    return Report(
        seed=seed,
        tally=venue.tally,
        tables=len(venue.tables),
        turnover=sum(meter.turnover for meter in meters),
        hold=sum(meter.hold for meter in meters),
        corrections=sum(events[name] for name in corrected),
        vouchers=events["VoucherIssued"],
        fingerprint=venue.fingerprint,
    )
