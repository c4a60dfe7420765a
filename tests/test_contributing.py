"""A command is added as CONTRIBUTING shows: its diff applies, and then the core's tests pass."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from taisai.core.kernel.messages import Command, Event
from tools.protocol.examples import EXAMPLES

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
(DIFF,) = re.findall(r"```diff\n(.*?)```", PAGE, re.DOTALL)
_, *PARTS = re.split(r"^--- a/(\S+)\n\+\+\+ b/\S+\n", DIFF, flags=re.MULTILINE)
#: The files of the diff, each with its hunks.
FILES = dict(zip(PARTS[::2], PARTS[1::2], strict=True))
#: A part of a screen handles a few of all events or commands; beyond this it is a list of them.
MOST_NAMED = 1 / 8


def applied(text: str, hunks: str) -> str:
    """Apply hunks to a file, each where its lines stand, below the one before."""
    done = 0
    for hunk in re.split(r"^@@.*\n", hunks, flags=re.MULTILINE)[1:]:
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] != "+")
        after = "".join(line[1:] for line in lines if line[0] != "-")
        at = text.find(before, done)
        assert at >= 0, f"CONTRIBUTING.md shows what is not there:\n{before}"
        text = text[:at] + after + text[at + len(before) :]
        done = at + len(after)
    return text


def test_a_command_takes_at_most_six_files_by_hand_and_they_are_enough(tmp_path: Path) -> None:
    assert 1 < len(FILES) <= 6
    for part in ("src", "tests", "tools", "docs"):
        ignored = shutil.ignore_patterns("__pycache__", "built", "browser", "screens")
        shutil.copytree(ROOT / part, tmp_path / part, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for file, hunks in FILES.items():
        place = tmp_path / file
        place.write_text(applied(place.read_text("utf-8"), hunks), "utf-8")
    tried = (
        *("core/test_registry.py", "table/test_messages.py", "test_wording.py"),
        *("records/test_sentences.py", "scenarios"),
    )
    chosen = "CallLastBets or LastBetsCalled or ts6_round or commands or sentence_is_used"
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "--verbose", "--numprocesses=0", "-k", chosen, *tried],
        cwd=tmp_path / "tests",
        env={**os.environ, "PYTHONPATH": f"{tmp_path / 'src'}{os.pathsep}{tmp_path}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "[LastBetsCalled] PASSED" in run.stdout, "another copy of the program was tried"


def test_no_screen_lists_events_or_commands_by_hand() -> None:
    """A new one would be missing there: the sentence of each comes from the server."""
    screens = ROOT / "web" / "src"
    files = [*screens.rglob("*.ts"), *screens.rglob("*.tsx"), *screens.glob("words/*/*.json")]
    by_hand = [
        path
        for path in files
        if not re.search(r"\.(test|example)\.tsx?$", path.name)
        and "not edited by hand" not in path.read_text("utf-8")[:120]
    ]
    assert len(by_hand) > 300
    for message in (Command, Event):
        kinds = [kind for kind in EXAMPLES if issubclass(kind, message)]
        names = {re.sub("(?=[A-Z])", "_", kind.__name__)[1:].lower() for kind in kinds}
        for path in by_hand:
            words = re.findall(r"\w+", path.read_text("utf-8"))
            if path.suffix == ".json":
                # A key is named after its subject: `log_bets_opened`.
                found = {name for name in names for word in words if word.endswith(f"_{name}")}
            else:
                found = {re.sub("(?=[A-Z])", "_", word)[1:].lower() for word in words} & names
            assert len(found) <= MOST_NAMED * len(names), f"{path}: {sorted(found)}"
