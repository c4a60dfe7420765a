"""Betting plans: how much to stake next, by what came before; and what comes of it in the end."""
