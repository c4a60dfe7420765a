"""The journal: append-only, chained, signed; two places to keep it, one contract."""
