"""The demo venue: its tables, its staff, and terminals with credits in one click."""
