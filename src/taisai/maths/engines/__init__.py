"""Engines that play rounds by the million: numba where it is installed, numpy otherwise.

Both give the same whole numbers for the same seed; `philox` has how throws are made.
"""
