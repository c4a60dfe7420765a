"""What the Game Console shows before a command is given: found by dry runs, which change nothing.

The rules are the core's own `decide`. Nothing here knows what may be done at a table, how a round
ends or who is paid: it asks the core, and passes the answer on.
"""
