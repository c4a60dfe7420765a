"""How a dealer keys a box: by the numbers printed in it, or by a letter if there are none."""

import pytest

from taisai.core.rules.boxes import BOX_NAMES


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("small", "s"),
        ("big", "b"),
        ("odd", "o"),
        ("even", "e"),
        ("any-triple", "a"),
        ("single-4", "4"),
        ("total-4", "t4"),
        ("total-17", "t17"),
        ("domino-35", "35"),
        ("double-3", "33"),
        ("triple-3", "333"),
        ("four-6543", "6543"),
        ("three-135", "135"),
        ("three-334", "334"),
    ],
)
def test_a_box_is_keyed_as_it_is_printed(key: str, code: str) -> None:
    assert BOX_NAMES[key].code == code


def test_no_two_boxes_are_keyed_alike() -> None:
    assert len({name.code for name in BOX_NAMES.values()}) == len(BOX_NAMES)
