"""Figures for Prometheus: bets, refusals, commits, sockets, phases; each venue has its own.

The counts of the hub and the venue are read when the figures are asked for. Only commits are
observed as they happen, once for each batch.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from taisai.core.table.state import Phase
from taisai.runtime.streams import table_of

if TYPE_CHECKING:
    from taisai.runtime.ownership.stand import Nodes
    from taisai.runtime.runtime import Runtime
    from taisai.server.live.hub import Hub

#: The text format that Prometheus reads.
CONTENT_TYPE = "text/plain; version=0.0.4"
#: Codes of refusals that are shown apart; there are fewer than two hundred.
_CODES_MAX = 500
_RECORDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class Measured(Protocol):
    """A venue with figures, or a node of one."""

    @property
    def hub(self) -> "Hub":
        """The connections."""

    @property
    def runtime(self) -> "Runtime":
        """The streams."""

    @property
    def nodes(self) -> "Nodes | None":
        """The nodes of its cluster, if it is a node."""


class Metrics:
    """The figures of one venue."""

    def __init__(self, application: Measured) -> None:
        self._registry = CollectorRegistry()
        self._answers: Counter[int] = Counter()
        self._refusals: Counter[str] = Counter()
        records = Histogram(
            "taisai_commit_records",
            "Events made durable by one commit.",
            buckets=_RECORDS,
            registry=self._registry,
        )
        seconds = Histogram(
            "taisai_commit_seconds",
            "How long a commit took until it was on disk.",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._registry.register(_Figures(application, self._answers, self._refusals))
        ProcessCollector(registry=self._registry)

        def committed(count: int, took: float) -> None:
            records.observe(count)
            seconds.observe(took)

        self.committed: Callable[[int, float], None] = committed

    def answered(self, status: int) -> None:
        """Count an answer over HTTP."""
        self._answers[status] += 1

    def refused(self, code: str) -> None:
        """Count a refusal over HTTP; the hub counts those over sockets."""
        if code in self._refusals or len(self._refusals) < _CODES_MAX:
            self._refusals[code] += 1

    def write(self) -> bytes:
        """Write every figure as Prometheus reads them."""
        return generate_latest(self._registry)


class _Figures(Collector):
    """The counts of the venue and the hub, read when they are asked for."""

    def __init__(
        self, application: Measured, answers: Counter[int], refusals: Counter[str]
    ) -> None:
        self._application = application
        self._answers = answers
        self._refusals = refusals

    def describe(self) -> list[Metric]:
        """Describe nothing beforehand: no other collector of this registry has such names."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Read the figures."""
        yield from self._counted()
        yield from self._sockets()
        yield from self._tables()
        yield from self._nodes()

    def _nodes(self) -> Iterator[Metric]:
        """Give the figures of this node, if the venue is a cluster."""
        nodes = self._application.nodes
        if nodes is None:
            return
        beating = nodes.beating()
        roles = {role: float(role in nodes.roles) for role in ("gateway", "owner", "office")}
        yield _gauges("taisai_node_role", "1 for a role that this node has.", "role", roles)
        for name, description, value in (
            ("taisai_heard", "1 while this node is heard of, and may decide.", beating.is_heard),
            ("taisai_beat_age_seconds", "Since its last beat.", beating.beat_age_seconds),
            (
                "taisai_followed_age_seconds",
                "Since it knew all that others had written.",
                beating.followed_age_seconds,
            ),
        ):
            yield GaugeMetricFamily(name, description, value=float(value))
        yield CounterMetricFamily("taisai_beats", "Beats of this node.", value=beating.beats)
        taken = "Streams that it took from nodes that were silent."
        yield CounterMetricFamily("taisai_taken_over", taken, value=beating.taken_over)
        lines = dict.fromkeys(beating.unreached, 0.0) | dict.fromkeys(beating.reached, 1.0)
        yield _gauges("taisai_links", "1 for a node that it has a line to.", "node", lines)

    def _counted(self) -> Iterator[Metric]:
        hub, runtime = self._application.hub, self._application.runtime
        bets, refusals = hub.questions.bets, Counter(hub.questions.refusals)
        yield CounterMetricFamily("taisai_bets", "Bets registered over sockets.", value=bets)
        refusals.update(self._refusals)
        description = "Commands refused, by code."
        yield _counters("taisai_refusals", description, "code", refusals)
        wrong = "Wrong vouchers tried, by who tried them."
        yield _counters("taisai_wrong_vouchers", wrong, "who", hub.questions.wrong_vouchers.counts)
        seconds = "Terminals that came while they were still connected from elsewhere."
        yield CounterMetricFamily(
            "taisai_second_connections", seconds, value=hub.admission.seconds.count
        )
        statuses = {str(status): count for status, count in self._answers.items()}
        yield _counters("taisai_http_answers", "Answers over HTTP.", "status", statuses)
        yield CounterMetricFamily(
            "taisai_commits", "Batches written to the journal.", value=runtime.committer.batches
        )
        events = {stream: head.version for stream, head in [*runtime.committer.heads.items()]}
        yield _counters("taisai_events", "Events durable, by stream.", "stream", events)

    def _sockets(self) -> Iterator[Metric]:
        hub = self._application.hub
        yield _gauges("taisai_sockets", "Sockets open, by role.", "role", hub.sockets_by_role())
        door = self._application.hub.door
        gateways = hub.gateways.values()
        standing = {
            "newcomers": len(door.newcomers) + sum(each.newcomers for each in gateways),
            "visitors": door.visitors,
            "known": door.known,
        }
        lines = "Lines and sockets open, by whether it is known who is there."
        yield _gauges("taisai_lines", lines, "standing", standing)
        away = "Turned away or cut off at the door, by why."
        yield _counters("taisai_turned_away", away, "why", dict(door.turned_away))
        yield GaugeMetricFamily(
            "taisai_waiting_turns",
            "What strangers sent and was not looked at yet.",
            value=len(door.turns),
        )
        starts = {each.name: each.generation for each in gateways}
        yield _counters("taisai_gateway_starts", "Gateways started.", "gateway", starts)
        slow = "Clients dropped to a snapshot since they were too slow."
        yield CounterMetricFamily("taisai_slow_clients", slow, value=hub.slow)
        frames = {"in": hub.frames_in, "out": hub.frames_out}
        yield _counters("taisai_frames", "Frames over sockets.", "direction", frames)

    def _tables(self) -> Iterator[Metric]:
        runtime = self._application.runtime
        phases = GaugeMetricFamily(
            "taisai_table_phase", "1 for the phase a table is in.", labels=("table", "phase")
        )
        suspended = GaugeMetricFamily(
            "taisai_suspended", "1 for a stream that takes nothing.", labels=("stream",)
        )
        owned = GaugeMetricFamily(
            "taisai_owned", "1 for a stream that this process decides for.", labels=("stream",)
        )
        stopped = runtime.suspended()
        for stream in runtime.committer.heads:
            suspended.add_metric((stream,), float(stream in stopped))
            owned.add_metric((stream,), float(runtime.owns(stream)))
        for stream in runtime.tables():
            state = runtime.writer(stream).state
            for phase in Phase:
                is_in = stream not in stopped and state.phase is phase
                phases.add_metric((table_of(stream) or stream, phase.value), float(is_in))
        yield phases
        yield suspended
        yield owned


def _counters(
    name: str, description: str, label: str, counts: dict[str, int]
) -> CounterMetricFamily:
    family = CounterMetricFamily(name, description, labels=(label,))
    for each, count in counts.items():
        family.add_metric((each,), count)
    return family


def _gauges(
    name: str, description: str, label: str, counts: Mapping[str, float]
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, description, labels=(label,))
    for each, count in counts.items():
        family.add_metric((each,), count)
    return family
