"""The venue: its currency, its tables, its staff and keys. Importing it registers its subjects."""

from taisai.core.venue import setup, staff, terminal_keys

__all__ = ["setup", "staff", "terminal_keys"]
