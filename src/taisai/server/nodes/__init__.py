"""Nodes of a cluster: how they are set up, how they reach each other, and their process."""
