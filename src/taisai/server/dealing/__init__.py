"""The automatic dealer: calls for bets, counts down, closes, confirms, settles, and begins again.

It deals as a person would, by commands through the venue, and gives way to a person at any moment.
The dice are the tumbler's, or a person's where the table has none.
"""
