"""A member whose clock can be shifted otherwise works as any other process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.clustering.members import clock_environment

#: Two busy threads; the first has a minute in which the other must get a turn.
TURNS = """
import sys, threading
sys.setswitchinterval(60)
turns, last = 0, None
def work():
    global turns, last
    me = threading.get_ident()
    for _ in range(300_000):
        if last != me:
            turns, last = turns + 1, me
threads = [threading.Thread(target=work) for _ in range(2)]
for each in threads: each.start()
for each in threads: each.join()
print(turns)
"""


@pytest.mark.parametrize("ahead", ["+0", "+60", "-45"])
def test_threads_of_a_member_have_their_turns_whatever_its_clock_says(
    tmp_path: Path, ahead: str
) -> None:
    """An office was once busy for a minute with nothing but switching between its threads."""
    clock = tmp_path / "clock"
    clock.write_text(ahead, encoding="ascii")
    done = subprocess.run(
        [sys.executable, "-c", TURNS],
        env=os.environ | clock_environment(clock),
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) <= 10
