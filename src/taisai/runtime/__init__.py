"""The shell around the core: what drives it, and what watches it."""
