"""The processes of a bench end with a word: what failed in them, or what ended them."""

import asyncio
import re
import sys

import pytest
from bench.live.children import Child, running, server_core

#: A process that answers by a word, fails in one way or another, or is ended by a signal.
CHILD = """
import asyncio, os, signal
from bench.live.children import answer_lines, run_child

async def answer():
    return {"said": "yes"}

async def fail():
    raise LookupError("there is no such table")

def tumble():
    raise LookupError("a die was lost")

async def fail_beside():
    asyncio.get_running_loop().call_soon(tumble)
    await asyncio.sleep(60)

async def be_killed():
    os.kill(os.getpid(), signal.SIGKILL)

async def crash():
    import ctypes, resource
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.string_at(0)

async def main(arguments):
    if arguments == ["at once"]:
        raise LookupError("there is no such venue")
    questions = (answer, fail, fail_beside, be_killed, crash)
    await answer_lines({each.__name__: each for each in questions})
    if arguments == ["at the end"]:
        raise LookupError("the venue cannot be left")

run_child(main)
"""


async def ask(*words: str, arguments: tuple[str, ...] = ()) -> list[object]:
    """Ask such a process for each; give its answers, or in its place what the bench says."""
    command = sys.executable, "-c", CHILD, str(server_core()), *arguments
    async with running("the child", *command) as child:
        return [await answer_of(child, word) for word in words]


async def answer_of(child: Child, word: str) -> object:
    """Ask for one thing."""
    try:
        return await child.ask(word)
    except RuntimeError as error:
        return str(error)


def test_a_failure_is_said_by_whoever_asked_and_the_next_answer_is_right() -> None:
    yes, fault, again = asyncio.run(ask("answer", "fail", "answer"))
    assert yes == again == {"said": "yes"}
    assert re.match(r"asked for 'fail', the child failed:\nTraceback ", str(fault))
    assert str(fault).endswith("LookupError: there is no such table")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("fail_beside", "LookupError: a die was lost"),
        ("be_killed", "asked for 'be_killed', the child of the bench ended by SIGKILL"),
        ("crash", "asked for 'crash', the child of the bench ended by SIGSEGV"),
    ],
)
def test_a_process_that_ends_while_it_is_asked_is_told_why(word: str, said: str) -> None:
    (found,) = asyncio.run(ask(word))
    assert str(found).endswith(said)


def test_a_crash_below_python_is_said_with_where_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    asyncio.run(ask("crash"))
    assert re.search(r"Segmentation fault[^$]* in crash", capfd.readouterr().err)


def test_a_process_that_fails_before_it_is_asked_says_why() -> None:
    (found,) = asyncio.run(ask("answer", arguments=("at once",)))
    assert str(found).endswith("LookupError: there is no such venue")


def test_what_fails_once_the_figures_are_there_is_said_and_they_stay(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert asyncio.run(ask("answer", arguments=("at the end",))) == [{"said": "yes"}]
    said = capsys.readouterr().err
    assert said.startswith("the child of the bench ended with status 1\nTraceback ")
    assert said.rstrip().endswith("LookupError: the venue cannot be left")
