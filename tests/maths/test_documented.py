"""The figures and examples in `docs/maths.md` and the package are right, and its names exist."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import taisai.maths

PAGE = Path(__file__).parent.parent.parent / "docs" / "maths.md"


def test_the_examples_of_the_page_run() -> None:
    text = PAGE.read_text("utf-8").replace("```python", "").replace("```", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    assert examples.examples
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_the_examples_of_the_package_run() -> None:
    tried = doctest.testmod(taisai.maths)
    assert tried.attempted > 0
    assert tried.failed == 0


def test_every_public_name_is_there() -> None:
    assert "Slate" in dir(taisai.maths)
    for name in dir(taisai.maths):
        assert getattr(taisai.maths, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'roulette'"):
        _ = taisai.maths.roulette  # type: ignore[attr-defined]


def test_server_and_projections_know_the_one_face_alone() -> None:
    source = Path(taisai.__file__).parent
    files = [file for room in ("server", "projections") for file in (source / room).rglob("*.py")]
    inside = [file for file in files if "taisai.maths." in file.read_text("utf-8")]
    assert len(files) > 50
    assert inside == []


def test_what_is_exact_needs_no_numpy() -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['numpy', 'numba', 'matplotlib']))\n"
        "from taisai.cli import main\n"
        "bets = ['--bet', 'small=100', 'single-3=50']\n"
        "ends = [main(['slate', 'ts6/2', *bets]), main(['compare', 'ts6/2', 'etg8/2']),\n"
        "        main(['session', 'ts6/2', *bets, '--rounds', '100'])]\n"
        "assert ends == [0, 0, 0], ends\n"
        "assert main(['slate', 'ts6/2', *bets, '--plot', 'a.png']) == 1\n"
        "assert main(['session', 'ts6/2', *bets, '--rounds', '1000000']) == 1\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert 'pip install "taisai[plots]"' in done.stderr
    assert 'pip install "taisai[maths]"' in done.stderr
