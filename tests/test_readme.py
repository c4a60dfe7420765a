"""The README's examples run, and give the answers printed there."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from taisai.cli.command import PLAYER_EDGE
from taisai.cli.commands import COMMANDS, Entry
from tests.cli.command import taisai
from tests.records.recorded import evening, written

README = Path(__file__).parent.parent / "README.md"
CONSOLE = re.findall(r"```console\n\$ (.+?)\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


def test_there_are_examples() -> None:
    assert len(CONSOLE) >= 3


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a directory with the journal of an evening in `data`, as the README uses it."""
    place = tmp_path_factory.mktemp("readme")
    (place / "data").mkdir()
    written(place / "data", evening().decided)
    return place


def test_the_commands_that_take_a_players_edge_are_named() -> None:
    (sentence,) = re.findall(
        r"except with `--allow-player-edge`(.*?) have this option",
        README.read_text("utf-8"),
        re.DOTALL,
    )
    taking = {
        name
        for name, entry in COMMANDS.items()
        if isinstance(entry, Entry) and PLAYER_EDGE in entry.load().arguments
    }
    assert set(re.findall(r"`(\w+)`", sentence)) == taking


@pytest.mark.parametrize(("command", "printed"), CONSOLE)
def test_a_command_prints_what_the_readme_shows(command: str, printed: str, place: Path) -> None:
    before, _, after = command.rpartition(" | ")
    stdin = " ".join(shlex.split(before)[1:]) if before else ""
    program, *arguments = shlex.split(after)
    assert program == "taisai"
    answer = taisai(*arguments, stdin=stdin, cwd=place)
    # The README would change with every letter of a rulebook.
    assert re.sub(r"sha256 [0-9a-f]{64}", "sha256 …", answer.out) == printed


def test_the_python_example_runs() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert (failed, tried > 4) == (0, True)
