"""Verifying a journal: that nothing in it was altered, and that every decision in it was right.

Only the journal is needed: the chain of every stream is checked, and checkpoints and snapshots with
their signatures; every event is replayed, every decision judged a second way by the auditor.
"""
