"""Tests of fairness: whether observed throws are those of fair dice, and what could be found.

    >>> from taisai.maths import Throws, examine
    >>> report = examine(Throws.of([(1, 2, 3), (6, 6, 4), (2, 5, 5)]))
    >>> report.is_rejected
    False

Here is what knows throws, tests and reports; journals are not known here. numpy is needed, which
the extra `maths` brings; `fairness.monitor` does without it.
"""
