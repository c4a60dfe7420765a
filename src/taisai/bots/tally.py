"""What a run of many terminals came to: counts that several processes add up, and what is wrong."""

from msgspec import Struct, field

#: Sentences about what is wrong that are stored; the others are counted.
WRONG_KEPT = 20

#: Refusals that a player within the limits can meet: a moment too late, somebody else was first, or
#: a large win. Any other is a fault of the venue or of ours.
EARNED = frozenset(
    {
        "ABOVE_DIFFERENTIAL",
        "ABOVE_MAXIMUM",
        "BETS_CLOSED",
        "BETS_NOT_OPEN",
        "MORE_THAN_STAKED",
        "NO_BETS_PLACED",
        "ROUND_IN_DOUBT",
        "TABLE_CLOSED",
        "TERMINAL_LOCKED",
    }
)
#: A bucket is at most a thirty-second of its value wide, from a microsecond to minutes.
_FINE = 5
#: The last bucket holds everything from about half an hour on.
_BUCKETS = (25 << _FINE) + (2 << _FINE)


class Latencies(Struct):
    """How long answers took, counted in buckets that grow with the value: a run fits in a page."""

    counts: list[int] = []
    most: int = 0
    count: int = 0

    def add(self, micros: int) -> None:
        """Count one value."""
        if not self.counts:
            self.counts = [0] * _BUCKETS
        shift = max(0, micros.bit_length() - _FINE - 1)
        index = (shift << _FINE) + (micros >> shift)
        self.counts[min(index, _BUCKETS - 1)] += 1
        self.count += 1
        self.most = max(self.most, micros)

    def merge(self, other: "Latencies") -> None:
        """Add what was counted elsewhere."""
        if not self.counts:
            self.counts = [0] * _BUCKETS
        for index, count in enumerate(other.counts):
            self.counts[index] += count
        self.count += other.count
        self.most = max(self.most, other.most)

    def at(self, share: float) -> int:
        """Say below what value a share of all is, in microseconds; never less than it was."""
        wanted = share * self.count
        seen = 0
        for index, count in enumerate(self.counts):
            seen += count
            if count and seen >= wanted:
                return self.most if index == _BUCKETS - 1 else min(_upper(index), self.most)
        return self.most


def _upper(index: int) -> int:
    """Give the largest value of a bucket."""
    shift = max(0, (index >> _FINE) - 1)
    return ((index - (shift << _FINE) + 1) << shift) - 1


class Tally(Struct):
    """Counts of a run, so far or at its end."""

    terminals: int = 0
    connected: int = 0
    asked: int = 0
    registered: int = 0
    refused: dict[str, int] = {}
    lines: int = 0
    rounds: int = 0
    reconnections: int = 0
    lost: int = 0
    unanswered: int = 0
    wrong: list[str] = []
    wrongs: int = 0
    latencies: Latencies = field(default_factory=Latencies)

    @property
    def answered(self) -> int:
        """Count the answers of either kind."""
        return self.registered + sum(self.refused.values())

    @property
    def unearned(self) -> dict[str, int]:
        """Count the refusals that nobody earned, by their code."""
        return {code: count for code, count in self.refused.items() if code not in EARNED}

    def refuse(self, code: str) -> None:
        self.refused[code] = self.refused.get(code, 0) + 1

    def complain(self, sentence: str) -> None:
        """Note that something is not as it should be."""
        self.wrongs += 1
        if len(self.wrong) < WRONG_KEPT:
            self.wrong.append(sentence)

    def merge(self, other: "Tally") -> None:
        """Add what was counted elsewhere."""
        for name in self.__struct_fields__:
            if isinstance(count := getattr(self, name), int):
                setattr(self, name, count + getattr(other, name))
        for code, count in other.refused.items():
            self.refused[code] = self.refused.get(code, 0) + count
        self.wrong = [*self.wrong, *other.wrong][:WRONG_KEPT]
        self.latencies.merge(other.latencies)

    def faults(self) -> list[str]:
        """Say in sentences what was not as it should be."""
        found = []
        if self.connected < self.terminals:
            found.append(f"{self.connected:,} of {self.terminals:,} terminals were connected")
        if self.lost:
            found.append(f"{self.lost:,} terminals lost their connection for good")
        if self.unanswered:
            found.append(f"{self.unanswered:,} bets were not answered")
        found += [
            f"{count:,} refused as {code}, which nobody earned"
            for code, count in sorted(self.unearned.items())
        ]
        left_out = self.wrongs - len(self.wrong)
        return [*found, *self.wrong, *([f"and {left_out:,} more"] if left_out else [])]
