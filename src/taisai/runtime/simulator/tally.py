"""What a simulated world came to: counts of what happened, and of what was checked."""

from collections import Counter

from msgspec import Struct, field


class Finding(Exception):  # noqa: N818 - what a simulation looks for is called a finding
    """Something the system did that it must never do; says what, and in which world."""


class Tally(Struct):
    """Counts that grow while a world runs."""

    commands: int = 0
    settled: int = 0
    void: int = 0
    bets: int = 0
    crashes: int = 0
    events: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    #: The checks made: glances at the state around each decision, deep comparisons of it,
    #: decisions audited, ledgers compared, replays from nothing.
    glances: int = 0
    deep: int = 0
    audited: int = 0
    compared: int = 0
    replays: int = 0

    def checks(self) -> dict[str, int]:
        """Name the checks made, with how often each was."""
        return {
            "decisions that changed nothing": self.glances,
            "whole states compared": self.deep,
            "decisions audited": self.audited,
            "ledgers compared": self.compared,
            "replays from nothing": self.replays,
        }

    @property
    def rounds(self) -> int:
        """Count the rounds that ended, one way or the other."""
        return self.settled + self.void
