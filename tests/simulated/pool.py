"""Processes for simulated worlds: they use every processor, and no tracer slows them."""

from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

from taisai.core.table import state as table_state
from taisai.runtime.auditor import table as auditor_table


@cache
def pool() -> ProcessPoolExecutor:
    """Give the processes that all tests of a run share."""
    return ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=forget_soon)


def forget_soon() -> None:
    """Make tables and auditor hold few rounds: the others are read back when needed [D24]."""
    table_state.HISTORY_ROUNDS = 12
    auditor_table.ROUNDS_KEPT = 7
