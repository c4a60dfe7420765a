"""Simulation: rounds and sessions played by the million from a seed, bets in columns."""
