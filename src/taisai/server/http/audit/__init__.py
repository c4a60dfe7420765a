"""Audit over HTTP: rounds in full, significant events, exports and proof of the journal."""
