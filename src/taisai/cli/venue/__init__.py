"""Commands of a venue: serve it, its staff and keys, bots at its tables, simulated ones."""
