"""Tests of fairness: whether observed throws are of fair dice, and which bias could be found.

    >>> from taisai.maths import Throws, examine
    >>> report = examine(Throws.of([(1, 2, 3), (6, 6, 4), (2, 5, 5)]))
    >>> report.is_rejected
    False

This package knows throws, tests and reports, and no journals. It needs numpy, which the extra
`maths` installs; `fairness.monitor` does without it.
"""
