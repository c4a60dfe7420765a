"""Engines that play rounds by the million: numba if it is installed, otherwise numpy.

Both give the same whole numbers for the same seed; `philox` makes the throws.
"""
