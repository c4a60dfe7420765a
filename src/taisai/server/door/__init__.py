"""Limits for all who connect: how many from where, how much and how fast, before it is read."""
