"""How long answers took: counted in buckets that grow with the value, so that a run fits in a page.

Every bucket is at most a thirty-second of its value wide, from a microsecond to minutes.
"""

from msgspec import Struct

_FINE = 5
#: The last bucket holds everything from about half an hour on.
_BUCKETS = (25 << _FINE) + (2 << _FINE)


class Latencies(Struct):
    """Counts by bucket; those of several processes add up."""

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
        """Tell below what value a share of all lies, in microseconds; never less than it was."""
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
