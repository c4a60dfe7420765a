"""Every complaint of the auditor has a sentence in each language."""

import ast
import re
from collections.abc import Iterator
from string import Formatter

import pytest

from taisai.core.venue.staff import StaffSuspended
from taisai.runtime.auditor import AuditError
from taisai.runtime.verification.report import told_by_auditor
from taisai.wording import LANGUAGES, complaints, say_again
from tests.simulated.test_forged_staff import opened
from tests.test_tidy import SOURCE

FOUND_OUT = [
    *sorted((SOURCE / "runtime" / "auditor").glob("*.py")),
    *(SOURCE / "runtime" / "verification" / f"{each}.py" for each in ("replay", "noted_transits")),
]
#: The position of the sentence among a call's arguments.
SENTENCE = {"AuditError": 0, "wrong": 0, "take": 1}
#: Sentences that are passed on by a name, and their source.
BY_NAME = {"sentence", "what", "wrong"}
OTHERS = tuple(each for each in LANGUAGES if each != "en")


def sentences() -> Iterator[str]:
    """Give every sentence of the auditor from its source."""
    for path in FOUND_OUT:
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield from sentence_of(node)
            elif isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "_SWITCHES":
                found = re.findall(r"'(terminal [^']+)'", ast.unparse(node))
                assert len(found) == 3
                yield from found


def sentence_of(call: ast.Call) -> Iterator[str]:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name not in SENTENCE or len(call.args) <= SENTENCE[name]:
        return
    given = call.args[SENTENCE[name]]
    if isinstance(given, ast.Constant):
        assert isinstance(given.value, str)
        yield given.value
    else:
        assert isinstance(given, ast.Name), f"{ast.unparse(call)}: write the sentence with blanks"
        assert given.id in BY_NAME, ast.unparse(call)


def blanks(sentence: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(sentence)} - {None}


@pytest.mark.parametrize("language", OTHERS)
def test_each_sentence_of_the_auditor_is_there_with_its_blanks(language: str) -> None:
    there, written = complaints(language), set(sentences())
    assert len(written) > 400
    assert there.keys() == written
    for sentence, said in there.items():
        assert blanks(sentence) == blanks(said), sentence
        assert re.search("[\u4e00-\u9fff]|：", said), sentence


def test_what_is_complained_of_is_said_in_the_language_of_who_reads_it() -> None:
    with pytest.raises(AuditError) as error:
        opened().observe("venue", [StaffSuspended("Max", "Tim")], 0)
    told = told_by_auditor(error.value)
    assert told == str(error.value) == "venue: Max was the last shift-manager"
    assert say_again(told, "zh-Hans") == "赌场：Max 是最后一位 shift-manager"
    assert say_again(told, "zh-Hant") == "賭場：Max 是最後一位 shift-manager"
