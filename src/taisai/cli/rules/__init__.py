"""Commands that answer from a rulebook alone: rules, odds, settle, explain, layout."""
