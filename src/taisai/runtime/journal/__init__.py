"""The journal: append-only, chained, signed; two backends, one contract."""
