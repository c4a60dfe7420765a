"""Valid and invalid throws."""

import pytest

import taisai


@pytest.mark.parametrize("dice", [(1, 2), (1, 2, 3, 4), (0, 1, 2), (1, 2, 7), (True, 2, 3), "123"])
def test_what_is_no_throw_is_refused(dice: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="is no throw; three faces from 1 to 6 are"):
        taisai.result_of(dice)
