"""What holds for all tests: Hypothesis tries the same examples every time, and takes its time.

`--begin-within=SECONDS` leaves out the tests that would begin later, and says how many those were.

Tests write into memory where there is enough of it: on a disk they would wait at every commit. That
what is durable outlasts a cut of the power is tried on simulated disks (`tests/faults`).

Whoever asks for `postgres_url` gets an empty database of a real server, which starts when the first
one asks and is gone at the end. Tests in a browser run when they are asked for by their folder:
their browser keeps an event loop running for as long as they do, in which no other test could.
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

# Thousands of tests and whole worlds are kept to the end: it costs to look through them so often.
gc.set_threshold(50_000, 20, 100)

# What is suspended in a test is resumed by whoever tests it, unless that is what is tested.
watch.RESUME_SECONDS = 3_600.0

# On a busy machine an answer may well take longer than the five seconds that are usual.
DEFAULT_TIMEOUT_CONFIG.connect = DEFAULT_TIMEOUT_CONFIG.read = 60.0

_MEMORY = Path("/dev/shm")  # noqa: S108 - everything below is made for one run
#: Many times what tests have there at a time.
_ENOUGH_BYTES = 4_000_000_000


def _has_room(directory: Path) -> bool:
    """Say whether all that tests write fits in."""
    return os.access(directory, os.W_OK) and shutil.disk_usage(directory).free > _ENOUGH_BYTES


if "TMPDIR" not in os.environ and _has_room(_MEMORY):
    os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)

_BROWSER = Path(__file__).parent / "browser"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the tests in a browser out, unless somebody asks for them."""
    if collection_path != _BROWSER:
        return None
    root = config.invocation_params.dir
    asked = [(root / each.partition("::")[0]).resolve() for each in config.args]
    return None if any(each.is_relative_to(_BROWSER) for each in asked) else True


def pytest_collection_finish() -> None:
    """Leave what was collected, and stays, out of what garbage is looked for in."""
    gc.collect()
    gc.freeze()


_BEGAN = time.monotonic()
_LEFT_OUT = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take how long tests may begin."""
    parser.addoption("--begin-within", type=float, metavar="SECONDS", help="begin no test later")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """Leave a test out where there is no time for it."""
    within = item.config.getoption("--begin-within")
    if within is None or time.monotonic() - _BEGAN < within:
        return None
    item.config.stash[_LEFT_OUT] = item.config.stash.get(_LEFT_OUT, 0) + 1
    return True


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that shows the results how many tests were left out here."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(_LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add up what the processes of a run left out."""
    left_out = getattr(node, "workeroutput", {}).get("left_out", 0)
    node.config.stash[_LEFT_OUT] = node.config.stash.get(_LEFT_OUT, 0) + left_out


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say how many tests there was no time for."""
    if left_out := config.stash.get(_LEFT_OUT, 0):
        terminalreporter.write_line(f"No time was left for {left_out} tests: 'make test' has it.")


class ByWhatTheyShare(LoadFileScheduling):  # type: ignore[misc]
    """Give the tests of a file to one process, and all that look at the same worlds as well."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return "worlds" if file.startswith(_WORLDS) else file


#: Tests of worlds that are played once, and take a while to play.
_WORLDS = ("tests/simulated/", "tests/projections/")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Where tests are dealt by file, deal them by what they share."""
    return ByWhatTheyShare(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.fixture(scope="session")
def postgres_database() -> Iterator[str]:
    """Give the address of a database of our own on a real server, for the whole run."""
    with any_server() as server, own_database(server) as url:
        yield url


@pytest.fixture
def postgres_url(postgres_database: str) -> str:
    """Give the address of a database that is empty."""
    empty(postgres_database)
    return postgres_database
