"""Photographs every screen at every size, in both rooms and three languages, to be looked at."""
