"""Figures over HTTP: the pit and its alerts, gaming days, meters."""
