"""Wrong values are shown short, whatever they are, and contain no control characters."""

import pytest

from taisai.core.rules.reason import printable, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (12, "12"),
        (-(10**60), "-100000000000000000000000000000000000..."),
        (10**400, "a number of hundreds of digits"),
        (1.5, "1.5"),
        ("small", '"small"'),
        ("x" * 100, '"' + "x" * 36 + "..."),
        ("a\nb", '"a\N{REPLACEMENT CHARACTER}b"'),
        ([[]], "a list"),
        ((), "a list"),
        ({"a": 1}, "an object"),
        (b"", "a bytes"),
    ],
)
def test_a_wrong_value_is_shown_as_json_and_short(value: object, text: str) -> None:
    assert shown(value) == text


def test_a_value_of_any_depth_is_shown() -> None:
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    assert shown(deep) == "a list"


def test_what_moves_a_cursor_is_taken_out() -> None:
    assert printable("小 \x1b[2J\r\n") == "小 " + "\N{REPLACEMENT CHARACTER}[2J" + (
        "\N{REPLACEMENT CHARACTER}" * 2
    )
