"""The public names of the package: few, documented, and there."""

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


def test_the_cold_path_of_odds_imports_nothing_heavy() -> None:
    code = (
        "import sys; from taisai.cli import main; main(['odds', 'etg8/2', '--json']); "
        "heavy = {'numpy', 'asyncio', 'dataclasses', 'logging', 'socket', 'json'}; "
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, timeout=60
    )
    assert done.stderr.strip() == "[]"
