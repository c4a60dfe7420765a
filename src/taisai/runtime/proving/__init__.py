"""Proving a journal: that nothing in it was altered, and that everything in it was right.

Nothing but the journal is needed: the chain of every stream, the checkpoints and snapshots with
their signatures, every event replayed, and every decision judged a second way by the auditor.
"""

from taisai.runtime.proving.fault import Fault
from taisai.runtime.proving.report import Report
from taisai.runtime.proving.verifying import Asked, verify

__all__ = ["Asked", "Fault", "Report", "verify"]
