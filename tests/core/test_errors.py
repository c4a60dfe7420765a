"""Where the books cannot be checked nothing is done."""

import pytest

from taisai.core.errors import SentenceError, require_checks


def test_without_assertions_it_is_refused_to_work() -> None:
    require_checks(are_on=True)
    with pytest.raises(SentenceError, match="the books are checked by assertions"):
        require_checks(are_on=False)
