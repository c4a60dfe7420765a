"""Mutation tests: every rulebook key is changed, every clause's behaviour taken out.

A change that no test notices survives, and is reported; one that cannot be noticed is listed beside
the ledger with the reason. Only the tests that cite the clause are run. Knows nothing of the game.
"""
