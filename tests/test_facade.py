"""The public names of the package: few, documented, and present."""

import subprocess
import sys
from importlib import import_module

import pytest

import taisai


def test_every_public_name_is_there() -> None:
    package = import_module("taisai")
    assert {"pay_table", "settle"} < set(package.__all__)
    assert dir(taisai) == sorted(package.__all__)
    for name in package.__all__:
        assert getattr(taisai, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'taisai' has no attribute 'roulette'"):
        _ = import_module("taisai").roulette


def test_an_unknown_rulebook_is_named() -> None:
    with pytest.raises(LookupError, match="there is no rulebook 'ts7'; there are ts6, tso5"):
        taisai.rulebook("ts7")


#: Modules that a command must not wait for if it needs none of them.
HEAVY = {
    *("asyncio", "dataclasses", "importlib.resources", "json", "logging", "multiprocessing"),
    *("numpy", "pathlib", "shutil", "socket", "tempfile", "threading", "tomllib", "urllib"),
    *("zipfile", "zoneinfo", "taisai.cli.rules.settle", "taisai.core.rules.settlement"),
    *("taisai.core.kernel", "taisai.runtime", "taisai.maths"),
}


@pytest.mark.parametrize("command", [["odds", "etg8/2", "--json"], ["odds", "etg8/2"], ["rules"]])
def test_a_cold_command_imports_nothing_heavy(command: list[str]) -> None:
    code = (
        f"import sys; from taisai.cli import main; main({command}); "
        f"print(sorted(set({sorted(HEAVY)}) & sys.modules.keys()), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, timeout=60
    )
    assert done.stderr.strip() == "[]"
