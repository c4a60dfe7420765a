"""Settings of all tests: Hypothesis tries the same examples every time, without a time limit.

`--begin-within=SECONDS` leaves out the tests that would begin later, and says how many those were.

Tests write into memory where there is enough of it: on a disk they would wait at every commit. That
durable data outlasts a power cut is tested on simulated disks (`tests/faults`).

A test with `postgres_url` gets an empty database of a real server, which starts for the first such
test and is stopped at the end. Browser tests run only if their folder is named: their browser keeps
an event loop running all that time, and no other test could run in it.
"""

import gc
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx._config import DEFAULT_TIMEOUT_CONFIG
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

from taisai.runtime.journal import watch
from tests.postgres import any_server, empty, own_database

settings.register_profile("venue", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("venue")

# Thousands of tests and whole worlds stay in memory: a collection that visits them is slow.
gc.set_threshold(50_000, 20, 100)

# A suspended table is resumed only by the test itself, unless resuming is what is tested.
watch.RESUME_SECONDS = 3_600.0

# On a busy machine an answer may take longer than the usual five seconds.
DEFAULT_TIMEOUT_CONFIG.connect = DEFAULT_TIMEOUT_CONFIG.read = 60.0

_MEMORY = Path("/dev/shm")  # noqa: S108 - everything below is made for one run
#: Many times what the tests have there at any time.
_ENOUGH_BYTES = 4_000_000_000


def _has_room(directory: Path) -> bool:
    """Say whether there is room for everything that the tests write."""
    return os.access(directory, os.W_OK) and shutil.disk_usage(directory).free > _ENOUGH_BYTES


if "TMPDIR" not in os.environ and _has_room(_MEMORY):
    os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)

_BROWSER = Path(__file__).parent / "browser"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the browser tests out, unless their folder is named."""
    if collection_path != _BROWSER:
        return None
    root = config.invocation_params.dir
    asked = [(root / each.partition("::")[0]).resolve() for each in config.args]
    return None if any(each.is_relative_to(_BROWSER) for each in asked) else True


def pytest_collection_finish() -> None:
    """Exclude the collected tests, which stay, from garbage collection."""
    gc.collect()
    gc.freeze()


_BEGAN = time.monotonic()
_LEFT_OUT = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that limits when tests may begin."""
    parser.addoption("--begin-within", type=float, metavar="SECONDS", help="begin no test later")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """Leave a test out if its time is up."""
    within = item.config.getoption("--begin-within")
    if within is None or time.monotonic() - _BEGAN < within:
        return None
    item.config.stash[_LEFT_OUT] = item.config.stash.get(_LEFT_OUT, 0) + 1
    return True


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the process that shows the results the number of tests left out here."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(_LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add up the numbers of tests that the processes of a run left out."""
    left_out = getattr(node, "workeroutput", {}).get("left_out", 0)
    node.config.stash[_LEFT_OUT] = node.config.stash.get(_LEFT_OUT, 0) + left_out


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say how many tests were left out for lack of time."""
    if left_out := config.stash.get(_LEFT_OUT, 0):
        terminalreporter.write_line(f"No time was left for {left_out} tests: 'make test' has it.")


class ByWhatTheyShare(LoadFileScheduling):  # type: ignore[misc]
    """Gives all tests of a file to one process, and also all tests that use the same worlds."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return "worlds" if file.startswith(_WORLDS) else file


#: Tests of worlds that are played once, which takes a while.
_WORLDS = ("tests/simulated/", "tests/projections/")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Where tests are dealt out by file, deal them out by what they share."""
    return ByWhatTheyShare(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.fixture(scope="session")
def postgres_database() -> Iterator[str]:
    """Give the address of a database on a real server, one for the whole run."""
    with any_server() as server, own_database(server) as url:
        yield url


@pytest.fixture
def postgres_url(postgres_database: str) -> str:
    """Give the address of an empty database."""
    empty(postgres_database)
    return postgres_database
