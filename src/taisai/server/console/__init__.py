"""What the Game Console shows before anything is done: found by asking the rules, changing nothing.

The rules are the core's own `decide`. Nothing here knows what may be done at a table, what becomes
of a round or who is paid: it asks, and passes the answer on.
"""
