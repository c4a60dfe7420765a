"""Without its extras, a command that needs one says how to get it, and the rest works."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from taisai.extras import BRINGS

ROOT = Path(__file__).parents[2]
#: Commands for a bare installation, each with the extra that is missing.
ASKED = [
    (["serve", "--demo"], "server"),
    (["serve", "--data", "venue"], "server"),
    (["bots"], "server"),
    (
        ["staff", "add", ".", "--person", "C", "--role", "cage", "--by", "A", "--second", "B"],
        "server",
    ),
    (["staff", "list", "postgresql://x/y"], "postgres"),
    (["audit", "verify", "postgresql://x/y"], "postgres"),
    (["backup", "postgresql://x/y", "b.sqlite"], "postgres"),
    (["simulate", "ts6/2", "--bet", "small=100", "--rounds", "9", "--seed", "1"], "maths"),
    (["fairness", "throws.csv"], "maths"),
    (["slate", "ts6/2", "--bet", "small=100", "--plot", "a.png"], "plots"),
    (["session", "ts6/2", "--bet", "small=1", "--rounds", "10", "--plot", "a.png"], "plots"),
]


def test_the_extras_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    listed = project["optional-dependencies"]
    assert {*BRINGS} == {*listed} - {"dev"}
    readme = (ROOT / "README.md").read_text("utf-8")
    named = {
        "argon2": "argon2-cffi",
        "prometheus_client": "prometheus-client",
    }
    for extra, packages in BRINGS.items():
        assert f'`"taisai[{extra}]"`' in readme
        wanted = [line.partition(">")[0] for line in listed[extra]]
        assert {named.get(each, each) for each in packages} <= {*wanted}
        # Zones by name are data, and many machines bring their own.
        assert {each for each in wanted if "[" not in each} - {"tzdata"} == {
            named.get(each, each) for each in packages
        }


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Give the output of each command, in one process that can import no extra."""
    code = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({[each for of in BRINGS.values() for each in of]!r}))\n"
        "from taisai.cli import main\n"
        f"for asked in {[asked for asked, _ in ASKED]!r}:\n"
        "    status = main(asked)\n"
        "    print('ended', status, file=sys.stderr)\n"
        "try:\n"
        "    import taisai.client\n"
        "except ImportError as error:\n"
        "    print(error, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
        cwd=tmp_path_factory.mktemp("bare"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    return done.stderr.splitlines()


@pytest.mark.parametrize("number", range(len(ASKED)))
def test_a_missing_extra_is_one_sentence_with_its_command(number: int, answers: list[str]) -> None:
    sentence, ended = answers[2 * number : 2 * number + 2]
    assert sentence.startswith("taisai: ")
    assert sentence.endswith(f'needs an extra: pip install "taisai[{ASKED[number][1]}]"')
    assert ended == "ended 1"


def test_a_client_that_cannot_be_imported_says_the_same(answers: list[str]) -> None:
    assert answers[2 * len(ASKED) :] == [
        'a client of a live venue needs an extra: pip install "taisai[server]"'
    ]
