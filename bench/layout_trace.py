"""What the layout of the Player Terminal costs while many bets arrive, by the browser's own trace.

The layout has 107 boxes, each with the total of all bets on it. A few terminals put chips on all of
them and take them back ten times a second over the real socket, so that every update changes every
box. Chromium records a trace meanwhile. An update lasts from one frame of the socket to the next:
the time that the page spends on script, style and layout; painting is shown separately. Wall time
includes all other work of the machine; processor time is that of the page's main thread alone.

    python -m bench.layout_trace [--size desktop|tablet|4k] [--seconds 20]
"""

import argparse
import json
import statistics
import tempfile
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.goals import tell
from playwright.sync_api import Browser, Page, sync_playwright

from taisai.rulebooks import pay_table
from tests.browser.crowds import crowd
from tests.browser.floors import Floor, Table
from tests.browser.windows import Dealer, Player
from tests.chromium import launch
from tests.kit.processes import RunningVenue, running

PAY_TABLE = "ts6/3"
SECONDS = 20
WARMING_SECONDS = 2
UPDATES_A_SECOND = 10
#: Bets come faster than updates, and at another interval, so that each update has changes.
TERMINALS = 5
BETS_A_SECOND = 33
STAKE = 100
SIZES = {
    "desktop": {"width": 1_440, "height": 900},
    "tablet": {"width": 1_024, "height": 768},
    "4k": {"width": 3_840, "height": 2_160},
}

CATEGORIES = [
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "toplevel",
    "__metadata",
]
SCRIPT = {
    "EvaluateScript",
    "FunctionCall",
    "EventDispatch",
    "RunMicrotasks",
    "TimerFire",
    "GCEvent",
}
SCRIPT |= {"MinorGC", "MajorGC", "V8.GC_SCAVENGER", "FireAnimationFrame"}
STYLE_AND_LAYOUT = {
    "UpdateLayoutTree",
    "Layout",
    "IntersectionObserverController::computeIntersections",
}
PAINT = {"PrePaint", "Paint", "Layerize", "Commit", "UpdateLayer"}
TASKS = {"RunTask", "ThreadControllerImpl::RunTask"}
FRAME = "WebSocketReceive"

#: How many parts of the longest task are shown.
PARTS_SHOWN = 5

Event = dict[str, Any]
#: The fields of a trace event with its wall time and its thread's processor time.
CLOCKS = {"dur": "by the clock", "tdur": "by the processor"}
#: Processor time counts only the page, whatever else the machine does.
PAGE = "tdur"


class Trace:
    """The events of the page's main thread, in milliseconds."""

    def __init__(self, recorded: bytes) -> None:
        events: list[Event] = json.loads(recorded)["traceEvents"]
        self._events = sorted(_of_main_thread(events), key=lambda each: float(each["ts"]))
        self._updates = [_begin(each) for each in self._events if each["name"] == FRAME]

    @property
    def updates(self) -> int:
        """Count the updates; events after the last one belong to the end of the recording."""
        return len(self._updates) - 1

    def per_update(self, names: Iterable[str], clock: str) -> list[float]:
        """Sum the time of some events between each update and the next."""
        sums = [0.0] * len(self._updates)
        for each in self._outermost(names):
            place = bisect_right(self._updates, _begin(each)) - 1
            if place >= 0:
                sums[place] += each.get(clock, 0) / 1_000
        return sums[:-1]

    def longest_task(self, clock: str) -> Event:
        """Find the task that took longest from the first update on."""
        tasks = (each for each in self._outermost(TASKS) if _begin(each) >= self._updates[0])
        return max(tasks, key=lambda each: float(each.get(clock, 0)))

    def parts_of(self, task: Event, clock: str) -> dict[str, float]:
        """Divide a task into its parts by kind, the longest first; nested events count once.

        The rest of its wall time is other work of the machine.
        """
        parts: dict[str, float] = {}
        over, end = _begin(task), _begin(task) + task.get("dur", 0)
        for each in self._events:
            inside = over <= _begin(each) < end and each["name"] not in TASKS
            if inside and each.get("dur", 0) > 0:
                over = _begin(each) + each["dur"]
                parts[each["name"]] = parts.get(each["name"], 0.0) + each.get(clock, 0) / 1_000
        return dict(sorted(parts.items(), key=lambda part: -part[1])[:PARTS_SHOWN])

    def _outermost(self, names: Iterable[str]) -> Iterator[Event]:
        """Give the events of this kind, without those nested in another of them."""
        wanted, over = set(names), 0.0
        for each in self._events:
            if each["name"] in wanted and each["ts"] >= over:
                over = each["ts"] + each.get("dur", 0)
                yield each


def _length(event: Event, clock: str) -> float:
    """Give how long something took, in milliseconds."""
    return float(event.get(clock, 0)) / 1_000


def _begin(event: Event) -> float:
    return float(event["ts"])


def _of_main_thread(events: Sequence[Event]) -> list[Event]:
    """Give the events of the main thread that received the frames of the socket."""
    (thread,) = {(each["pid"], each["tid"]) for each in events if each["name"] == FRAME}
    return [each for each in events if (each["pid"], each["tid"]) == thread]


def prepare(browser: Browser, venue: RunningVenue, size: str) -> Page:
    """Open the layout for a player, with the totals of all players on it."""
    dealer = Dealer(browser, venue, "dealer").stand_at("layout")
    dealer.call_for_bets()
    dealer.close()
    player = Player(browser, venue, viewport=SIZES[size]).sit("layout")
    player.hears("Place your bets")
    shown = player.open_window("View", "How it is shown")
    shown.get_by_label("What everybody bets").check()
    player.page.keyboard.press("Escape")
    areas = player.page.locator(".layout-area").count()
    boxes = len(pay_table(PAY_TABLE).boxes)
    print(f"{PAY_TABLE}: {boxes} boxes in {areas} areas, on a {size} screen: {SIZES[size]}")
    return player.page


def record(browser: Browser, page: Page, seconds: int) -> Trace:
    """Record the page for so long."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.wait_for_timeout(seconds * 1_000)
    return Trace(browser.stop_tracing())


def report(trace: Trace, seconds: int) -> None:
    """Print the figures, and the missed goals."""
    kinds = {"script": SCRIPT, "style and layout": STYLE_AND_LAYOUT, "paint": PAINT}
    for clock, called in CLOCKS.items():
        for what, names in kinds.items():
            print(f"{what + ', ' + called:34} {_described(trace.per_update(names, clock))}")
    print()
    told = f"the venue tells at most {UPDATES_A_SECOND}"
    print(f"{'updates a second':62} {trace.updates / seconds:8.2f}   {told}")
    for clock, called in CLOCKS.items():
        work = trace.per_update(SCRIPT | STYLE_AND_LAYOUT, clock)
        print(f"{'script, style and layout, ' + called:34} {_described(work)}")
        task = trace.longest_task(clock)
        parts = trace.parts_of(task, clock)
        within = ", ".join(f"{name} {ms:.1f}" for name, ms in parts.items()) or "nothing traced"
        print(f"{'longest task, ' + called:34} {_length(task, clock):.2f} ms, of which {within}")
    tell("layout update", _percentile(trace.per_update(SCRIPT | STYLE_AND_LAYOUT, PAGE), 95))
    tell("layout task", _length(trace.longest_task(PAGE), PAGE))


def _middle(sums: Sequence[float]) -> float:
    return statistics.median(sums)


def _described(sums: Sequence[float]) -> str:
    return (
        f"median {_middle(sums):5.2f} ms, 95 of 100 within {_percentile(sums, 95):5.2f} ms,"
        f" longest {max(sums):5.2f} ms"
    )


def _percentile(sums: Sequence[float], percent: int) -> float:
    return statistics.quantiles(sums, n=100)[percent - 1]


def main(seconds: int, size: str) -> None:
    """Measure, and report the outcome."""
    floor = Floor((Table("layout", PAY_TABLE, maximum=100_000_000),))
    bets = dict.fromkeys(pay_table(PAY_TABLE).boxes, STAKE)
    with (
        tempfile.TemporaryDirectory() as scratch,
        running(Path(scratch), floor) as venue,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        page = prepare(browser, venue, size)
        with crowd(venue.address, "layout", TERMINALS) as others:
            others.go_on(bets, 1 / BETS_A_SECOND)
            # The first updates run on a cold engine, as in a player's first seconds at a table.
            record(browser, page, WARMING_SECONDS)
            trace = record(browser, page, seconds)
        browser.close()
    report(trace, seconds)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=int, default=SECONDS)
    options.add_argument("--size", choices=SIZES, default="desktop")
    asked = options.parse_args()
    main(asked.seconds, asked.size)
