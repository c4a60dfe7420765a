"""The automatic dealer: calls for bets, counts down, closes, confirms, settles, and begins again.

It deals as a person would, by commands to the venue, and hands over to a person at any moment. The
dice are read by the tumbler, or by a person if the table has none.
"""
