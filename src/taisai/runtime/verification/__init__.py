"""Proving a journal: that nothing in it was altered, and that everything in it was right.

Nothing but the journal is needed: the chain of every stream, the checkpoints and snapshots with
their signatures, every event replayed, and every decision judged a second way by the auditor.
"""
