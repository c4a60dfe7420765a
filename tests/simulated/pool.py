"""Processes of their own for simulated worlds: on every processor, and not slowed by a tracer."""

from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context


@cache
def pool() -> ProcessPoolExecutor:
    """Give the processes that all tests of a run share."""
    return ProcessPoolExecutor(mp_context=get_context("spawn"))
