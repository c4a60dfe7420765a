"""Commands that read a journal: audit, export, backup and restore."""
