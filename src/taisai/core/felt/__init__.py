"""Felt tables: seats, chips and colours, bets that a dealer records, payments out of a rack."""
