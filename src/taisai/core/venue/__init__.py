"""The venue: its tables, staff, keys and alerts. Importing it registers its subjects."""

from taisai.core.venue import alerts, setup, staff, terminal_keys

__all__ = ["alerts", "setup", "staff", "terminal_keys"]
