"""Rulebooks over HTTP: odds, layouts and words."""
