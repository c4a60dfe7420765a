"""What benches of the live venue find out: which request was slow, and in which layer."""

import msgspec
import pytest
from bench.layers import LAYERS, PLACES, THREADS, by_layer, layer_of
from bench.live.children import LINE_MAX
from bench.live.trace import SPANS_KEPT, Span
from bench.tails import Slow, gathered, meanwhile

from tools.protocol_pages import ROOT

WRITER = "taisai/runtime/writer.py"
BETTING = "taisai/core/table/betting.py"
CONNECTION = "taisai/server/live/connection.py"
LOOP = ("runners.py", "Runner.run", 118)


def test_answers_that_were_slow_together_are_one_the_longest_first() -> None:
    slow = [(10.0, 0.02), (10.01, 0.05), (12.0, 0.3), (10.15, 0.01), (12.2, 0.4)]
    found = [(round(each.began, 2), round(each.ended, 2), *each[2:]) for each in gathered(slow)]
    assert found == [(12.0, 12.6, 0.4, 2), (10.0, 10.16, 0.05, 3)]


def test_what_took_long_meanwhile_is_told_the_longest_first_and_nothing_else() -> None:
    spans = [
        ("commit", 9.90, 9.99, 0.01, 0.0),
        ("commit", 10.01, 10.04, 0.002, 0.02),
        ("commit", 10.05, 10.06, 0.003, 0.0),
        ("log carried back", 9.99, 10.20, 0.05, 0.001),
        ("snapshot", 10.17, 10.18, 0.01, 0.0),
    ]
    assert meanwhile(Slow(10.0, 10.16, 0.05, 3), spans) == (
        "log carried back 210 ms (at work 50, queued 1);"
        " commit 30 ms (at work 2, queued 20), 2 times"
    )
    assert meanwhile(Slow(11.0, 11.1, 0.1, 1), spans) == "nothing that took long"


def test_a_trace_that_is_as_long_as_can_be_is_told_in_one_line() -> None:
    span = Span("answers and news of a batch", 123_456.123456789, 123_456.123456789, 0.0123, 0.0123)
    assert len(msgspec.json.encode(span)) * SPANS_KEPT < LINE_MAX


@pytest.mark.parametrize(
    ("stack", "layer"),
    [
        (((CONNECTION, "Connection.on_ws_frame", 0), LOOP), "socket"),
        (((CONNECTION, "Connection.on_ws_frame", 150), LOOP), "decode"),
        (((CONNECTION, "Connection.flush", 300), LOOP), "socket"),
        (((BETTING, "place_bets", 90), (WRITER, "Writer._decide_turn", 1)), "decide"),
        ((("elsewhere.py", "work", 1), (WRITER, "Writer._second_look", 1)), "decide"),
        ((("elsewhere.py", "work", 1), (WRITER, "Writer.go_on", 1)), "decide"),
        (((BETTING, "bets_registered", 0), (WRITER, "Writer._write_down", 1)), "post"),
        ((("elsewhere.py", "work", 1), (WRITER, "Writer._write_down", 1)), "chain"),
        ((LOOP,), "socket"),
        ((("elsewhere.py", "work", 1),), "others"),
    ],
)
def test_time_belongs_to_the_innermost_function_whose_layer_is_known(
    stack: tuple[tuple[str, str, int], ...], layer: str
) -> None:
    assert layer_of(stack) == layer


def test_all_that_the_threads_used_is_divided_among_the_layers() -> None:
    sampled = {
        "threads": {"MainThread": 4.0, "journal-write": 1.0, "uvloop": 0.5},
        "stacks": [[[[BETTING, "place_bets", 90]], 1.5], [[[BETTING, "bets_registered", 9]], 0.5]],
    }
    assert by_layer(sampled) == {"decide": 3.0, "post": 1.0, "commit": 1.0, "others": 0.5}


def test_layers_are_named_of_modules_that_are_there() -> None:
    for module, functions in PLACES.items():
        assert "/" not in module or (ROOT / "src" / module).exists(), module
        assert set(functions.values()) <= LAYERS.keys()
    assert set(THREADS.values()) <= LAYERS.keys()
