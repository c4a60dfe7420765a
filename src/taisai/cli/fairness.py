"""`taisai fairness`: whether observed throws are those of fair dice, and what could be found."""

import argparse

from taisai.cli.refused import Refused
from taisai.maths.failures import MathsError, missing_extra


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai fairness`."""
    try:
        # The tests need numpy, which is an extra; only what asks for it may miss it.
        from taisai.cli.fairness_tests import answer  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        raise Refused(str(missing_extra("testing throws for fairness", "maths"))) from None
    try:
        return answer(arguments)
    except MathsError as error:
        raise Refused(str(error)) from None
