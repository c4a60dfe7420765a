"""Whoever connects comes in here: how many from where, how much and how fast, before it is read."""
