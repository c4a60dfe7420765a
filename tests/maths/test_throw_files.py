"""Throws read from files: every form of a throw list, and every sentence for a wrong one."""

import io
import json
from typing import cast

import numpy as np
import pytest

from taisai.maths.errors import MathsError
from taisai.maths.fairness.throw_files import MIXED_BYTES_MAX, Found, read_throws

DICE = [(6, 2, 3), (1, 1, 1), (2, 2, 6)]
CODES = [188, 0, 47]


def opened(data: bytes) -> io.BufferedReader:
    return io.BufferedReader(cast("io.RawIOBase", io.BytesIO(data)))


def read(data: str | bytes) -> Found:
    encoded = data.encode() if isinstance(data, str) else data
    return read_throws(opened(encoded))


@pytest.mark.parametrize(
    "data",
    [
        "6,2,3\n1,1,1\n2,2,6\n",
        "6,2,3\r\n1,1,1\r\n\r\n2,2,6",
        "die 1,die 2,die 3\n6,2,3\n1,1,1\n2,2,6\n",
        "\ufeffa,b,c\n6,2,3\n1,1,1\n2,2,6\n",
        "when;Die_3;Die_1;Die_2\nx;3;6;2\ny;1;1;1\nz;6;2;2\n",
        "6\t2\t3\n1\t1\t1\n2\t2\t6\n",
        "6 2 3\n111\n2-2-6\n",
        "dice\n6 2 3\n1 1 1\n2 2 6\n",
        'n,dice\n1,"6,2,3"\n2,"[1, 1, 1]"\n3,226\n',
        '"6,2,3"\n"1,1,1"\n"2,2,6"\n',
        "[[6,2,3],[1,1,1],[2,2,6]]",
        " [\n  [6, 2, 3],\n  [1, 1, 1],\n  [2, 2, 6]\n]\n",
        '["6 2 3", "111", [2, 2, 6]]',
        '[{"dice": [6, 2, 3]}, {"dice": "1 1 1"}, {"dice": [2, 2, 6], "by": "x"}]',
        "[6,2,3]\n[1,1,1]\n\n[2,2,6]\n",
        '{"dice":[6,2,3]}\n{"dice":"1 1 1"}\n{"pay_table":"ts6/2","dice":[2,2,6],"bets":[]}\n',
    ],
)
def test_every_form_of_the_same_throws(data: str) -> None:
    found = read(data)
    assert found.throws.codes.tolist() == CODES
    assert (found.throws.dice_known, found.passed_over) == (True, 0)


@pytest.mark.parametrize(
    "data",
    [
        (
            "table,round,end,dice,correction\n"
            "T,1,settled,2 3 6,\nT,2,void,,\nT,3,settled,1 1 2,resettled\nT,3,resettled,1 1 1,\n"
            "T,4,settled,2 2 6,reversed\n"
        ),
        (
            '{"dice":"2 3 6","correction":null}\n{"dice":null}\n'
            '{"dice":"1 1 2","correction":"resettled"}\n{"dice":"1 1 1"}\n'
            '{"dice":"2 2 6","correction":"reversed"}\n'
        ),
    ],
)
def test_an_export_of_rounds_is_read_as_it_is(data: str) -> None:
    found = read(data)
    assert found.throws.codes.tolist() == [53, 0, 47]
    assert (found.throws.dice_known, found.passed_over) == (False, 2)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("", "there is no throw to test"),
        ("\n \n", "there is no throw to test"),
        ("dice\n", "there is no throw to test"),
        ("[]", "there is no throw to test"),
        ("1,2,3\n1,2\n", "line 2: it has 2 columns; 3 are right"),
        ("1,2,3\n\n1,2,9\n", 'line 3: the dice are ["1", "2", "9"]; three whole numbers from 1'),
        ("1.0,2,3\n", "line 1: the dice are"),
        ("0,2,3\n", "line 1: the dice are"),
        ("1,2,3,4\n", "line 1: it has 4 columns and no header; three columns of faces are right"),
        ("a,b,c,d\n1,2,3,4\n", 'line 1: the header names "a", "b", "c", "d"; a column dice'),
        ("1,2,O\n3,4,5\n", 'line 1: it has both faces and letters, "1,2,O", and is neither'),
        ("l,2,3\n3,4,5\n", "line 1: it has both faces and letters"),
        ("O;O;2\n", "line 1: it has both faces and letters"),
        ("1\t2\t3a\n", "line 1: it has both faces and letters"),
        ('"1","2","O"\n', "line 1: it has both faces and letters"),
        ("\ufeff1,2,three\n", "line 1: it has both faces and letters"),
        ("2 2 O\n1 2 3\n", "line 1: it has both faces and letters"),
        ("22O\n123\n", "line 1: it has both faces and letters"),
        ("2-2-six\n", "line 1: it has both faces and letters"),
        ("1,2,O" + "x" * 60_000 + "\n", "line 1: it has both faces and letters"),
        ("[1e999,2,3]\n", "line 1: it has a number that is too large; three whole numbers"),
        ("[[1e999,2,3]]", "it has a number that is too large; three whole numbers"),
        ("terminal,box,dice\n", "line 1: each row is a bet and not a throw; export rounds"),
        ('{"box":"small","dice":"1 2 3"}', "line 1: each row is a bet and not a throw"),
        ("dice\n1 2 3\n2 2\n", 'line 3: the dice are "2 2"; three whole numbers'),
        (b"dice\n\xff\xfe\n", "line 2: it is not UTF-8 text"),
        ('1,2,3\n"1,2,3\n', "line 2: it is no row of CSV"),
        ("1,2,3\n" + "1" * 70_000, "line 2: it is over 65,536 bytes; a throw takes a few"),
        ("[1,2,3\n", "line 1: it is not JSON"),
        ("[1,2,3]\n[1,2]\n", "line 2: the dice are [1, 2]; three whole numbers"),
        ("[true,2,3]\n", "line 1: the dice are [true, 2, 3]"),
        ('{"faces":[1,2,3]}', "line 1: the object has no key 'dice'"),
        ('{"dice":7}', "line 1: the dice are 7; three whole numbers"),
        ("[[1,2,3],[4,5,6]", "it begins as a JSON array and is none"),
        ("[[1,2,3],[4,5,7]]", "throw 2 of the array: the dice are [4,5,7]; three whole numbers"),
        ("[[1,2,3],[4,5,0]]", "throw 2 of the array: the dice are [4,5,0]"),
        ("[[1,2,3],[4,5,66]]", "throw 2 of the array: the dice are [4, 5, 66]"),
        ("[[1,2,3],5]", "throw 2 of the array: the dice are 5; three"),
        ("[" * 5_000, "it begins as a JSON array and is none"),
        ("[[1,2,3],null,[1,2,3,4,5,6,7]]", "throw 3 of the array: the dice are a list"),
    ],
)
def test_what_is_no_throw_is_refused_with_its_line(data: str | bytes, sentence: str) -> None:
    with pytest.raises(MathsError) as refused:
        read(data)
    assert str(refused.value).startswith(sentence)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "header",
    ["die1,die2,die3", "D1;D2;D3", "Die 1,Die 2,Die 3", "1st,2nd,3rd", "a,b,c", "Table 1", "x"],
)
def test_a_header_may_have_numbers_in_its_names(header: str) -> None:
    throw = next((mark for mark in ",;" if mark in header), " ").join("226")
    assert len(read(f"{header}\n{throw}\n{throw}\n").throws) == 2


def test_many_throws_are_read_and_told_of() -> None:
    faces = np.random.default_rng(1).integers(1, 7, (120_000, 3))
    told: list[int] = []
    lines = "\n".join(",".join(map(str, row)) for row in faces.tolist()).encode()
    file = opened(lines)
    found = read_throws(file, progress=told.append)
    assert told == [50_000, 100_000]
    expected = (faces - 1) @ [36, 6, 1]
    assert np.array_equal(found.throws.codes, expected)
    assert np.array_equal(read(json.dumps(faces.tolist())).throws.codes, expected)


def test_an_array_that_would_take_much_memory_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("taisai.maths.fairness.throw_files.MIXED_BYTES_MAX", 20)
    with pytest.raises(MathsError, match="write one throw a line, of which there may be more"):
        read('[{"dice": [6, 2, 3]}]')
    monkeypatch.setattr("taisai.maths.fairness.throw_files.ARRAY_BYTES_MAX", 10)
    with pytest.raises(MathsError, match="there are more than 10,000,000 throws"):
        read("[[1,2,3],[1,2,3]]")
    assert MIXED_BYTES_MAX > 20


def test_more_throws_than_allowed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taisai.maths.fairness.throw_files.THROWS_MAX", 50_000)
    with pytest.raises(MathsError, match="there are more than 10,000,000 throws"):
        read("1,2,3\n" * 100_000)


def test_whether_the_order_was_kept_can_be_told() -> None:
    file = opened(b"6,2,3\n")
    assert not read_throws(file, dice_known=False).throws.dice_known
